// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/device_of_target.h"

#include "core/base/expression.h"
#include "core/base/hash.h"
#include "core/base/mapped_file.h"
#include "core/base/paths.h"
#include "core/hardware/unit_table.h"

#include <fmt/format.h>

#include <cmath>

namespace pim {
namespace {

constexpr double kMostTicks = 1e8; // as device files have it

/// \p name of the device in ticks, if the target has a value of its own.
Result<std::optional<DramTick>> ownValue(const Target& target, const DramDevice& device,
                                         const std::string& name) {
    double ticks = 0;
    if (const auto timing = target.parameters.find("timing." + name); timing != target.parameters.end()) {
        if (timing->second.unit == "cycles") {
            ticks = timing->second.value * device.ticksPerClock;
        } else {
            PIM_TRY(const double ns, target.timeNs(timing->first));
            PIM_TRY(const double clock, target.timeNs("timing.tCK"));
            ticks = std::ceil(ns / clock - 1e-9) * device.ticksPerClock;
        }
    } else if (const auto policy = target.parameters.find("policy." + name);
               policy != target.parameters.end()) {
        ticks = policy->second.value;
    } else {
        return std::nullopt;
    }
    if (ticks < 0 || ticks > kMostTicks || ticks != std::floor(ticks))
        return fail(
            ErrorCode::InvalidTarget,
            fmt::format("{} is {} ticks; has to be a whole number from 0 to {}", name, ticks, kMostTicks),
            target.id);
    return DramTick(ticks);
}

std::filesystem::path deviceFolder() {
    return resourceDir() / "devices";
}

Result<std::string> deviceName(const Target& target) {
    const auto fact = target.facts.find("memory.device");
    if (fact == target.facts.end())
        return fail(ErrorCode::InvalidTarget, "names no memory device", target.id,
                    "add the fact \"memory.device\" with the name of a file of resources/devices");
    return fact->second.text;
}

} // namespace

Result<std::string> deviceFileHash(const Target& target) {
    PIM_TRY(const std::string name, deviceName(target));
    PIM_TRY(const auto file, MappedFile::open(deviceFolder() / (name + ".json")));
    Sha256 sum;
    sum.add(file->bytes());
    return sum.hex();
}

Result<DramDevice> deviceOf(const Target& target) {
    PIM_TRY(const std::string name, deviceName(target));
    PIM_TRY(const DramDevice asShipped, loadDramDevice(deviceFolder(), name));
    DramOverrides overrides;
    for (const auto& entry : asShipped.timing) {
        PIM_TRY(const std::optional<DramTick> own, ownValue(target, asShipped, entry.first));
        if (own)
            overrides[entry.first] = *own;
    }
    PIM_TRY(DramDevice device, loadDramDevice(deviceFolder(), name, overrides));
    if (target.parameters.contains("timing.tCK")) {
        PIM_TRY(const double clock, target.timeNs("timing.tCK"));
        device.tickPs = int(std::lround(clock * 1000 / device.ticksPerClock));
        if (device.tickPs < 1)
            return fail(ErrorCode::InvalidTarget,
                        fmt::format("timing.tCK is {} ns; has to be a picosecond at least", clock),
                        target.id);
    }
    return device;
}

std::optional<double> commandEnergyPj(const DramDevice& device, int command, const Target& target) {
    const std::string& text = device.commands[std::size_t(command)].energy;
    if (text.empty())
        return std::nullopt;
    const Result<double> energy =
        evaluateExpression(text, [&](std::string_view name) -> std::optional<double> {
            const auto found = target.parameters.find(std::string(name));
            if (found == target.parameters.end())
                return std::nullopt;
            const UnitInfo* unit = findUnit(found->second.unit);
            return found->second.value * (unit ? unit->factor : 1);
        });
    return energy ? std::optional(*energy) : std::nullopt;
}

} // namespace pim
