// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/target.h"

#include "core/hardware/spelling.h"
#include "core/hardware/unit_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pim {

const Memory* Level::memory(std::string_view memoryName) const {
    const auto found = std::ranges::find(memories, memoryName, &Memory::name);
    return found == memories.end() ? nullptr : &*found;
}

const Unit* Level::unitFor(std::string_view operation) const {
    const auto found = std::ranges::find_if(units, [operation](const Unit& unit) {
        return std::ranges::find(unit.operations, operation) != unit.operations.end();
    });
    return found == units.end() ? nullptr : &*found;
}

double Host::numberOr(std::string_view parameter, std::string_view unit, double fallback) const {
    const auto found = parameters.find(std::string(parameter));
    if (found == parameters.end())
        return fallback;
    return convertUnit(found->second.value, found->second.unit, unit).value_or(fallback);
}

const Level* Target::level(std::string_view levelId) const {
    const auto found = std::ranges::find(levels, levelId, &Level::id);
    return found == levels.end() ? nullptr : &*found;
}

std::int64_t Target::instances(std::string_view levelId) const {
    std::int64_t product = 1;
    for (const Level& one : levels) {
        if (__builtin_mul_overflow(product, std::int64_t{one.count}, &product))
            product = std::numeric_limits<std::int64_t>::max();
        if (one.id == levelId)
            return product;
    }
    return 0;
}

std::int64_t Target::capacityBytes(std::string_view levelId, std::string_view memoryName) const {
    const Level* const owner = level(levelId);
    const Memory* const memory = owner != nullptr ? owner->memory(memoryName) : nullptr;
    std::int64_t bytes = 0;
    if (memory != nullptr && __builtin_mul_overflow(instances(levelId), memory->bytes, &bytes))
        bytes = std::numeric_limits<std::int64_t>::max();
    return bytes;
}

Result<double> Target::number(std::string_view parameter, std::string_view unit) const {
    const auto found = parameters.find(std::string(parameter));
    if (found == parameters.end()) {
        std::vector<std::string> names;
        for (const auto& entry : parameters)
            names.push_back(entry.first);
        return fail(ErrorCode::InvalidTarget,
                    fmt::format("target \"{}\" has no parameter \"{}\"", id, parameter), file.string(),
                    didYouMean(parameter, names));
    }
    const auto value = convertUnit(found->second.value, found->second.unit, unit);
    if (!value)
        return fail(ErrorCode::InvalidTarget,
                    fmt::format("parameter \"{}\" of target \"{}\" is in {}, but {} is needed", parameter, id,
                                found->second.unit, unit),
                    file.string());
    return *value;
}

double Target::numberOr(std::string_view parameter, double fallback) const {
    const auto found = parameters.find(std::string(parameter));
    return found == parameters.end() ? fallback : found->second.value;
}

Result<double> Target::timeNs(std::string_view parameter) const {
    const auto found = parameters.find(std::string(parameter));
    if (found == parameters.end() || found->second.unit != "cycles")
        return number(parameter, "ns");
    PIM_TRY(const double clockNs, number("timing.tCK", "ns"));
    return found->second.value * clockNs;
}

} // namespace pim
