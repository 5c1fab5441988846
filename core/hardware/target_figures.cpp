// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/target_figures.h"

#include "core/base/expression.h"
#include "core/base/hash.h"
#include "core/base/parse_number.h"
#include "core/hardware/catalog.h"
#include "core/hardware/plausibility.h"
#include "core/hardware/spelling.h"
#include "core/hardware/unit_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace pim {
namespace {

std::string asName(std::string_view text) {
    std::string name;
    for (const char c : text)
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return name;
}

/// Where a value lies in a target; the pointers are into that target.
struct Place {
    std::string name, unit;
    bool whole = false;
    int* count = nullptr;
    std::int64_t* bytes = nullptr;
    double* number = nullptr;
    std::string* source = nullptr;

    double value() const { return count ? *count : bytes ? static_cast<double>(*bytes) : *number; }
};

bool isWhole(std::string_view unit) {
    return unit == "count" || unit == "bit" || unit == "cycles" || unit == "switch";
}

class Places {
public:
    explicit Places(Target& target) {
        for (Level& level : target.levels)
            addLevel(level);
        addParameters({}, target.parameters);
        addHost(target.host);
    }
    std::vector<Place>& all() { return m_places; }
    Place* find(std::string_view name) {
        const auto found = std::ranges::find(m_places, name, &Place::name);
        return found == m_places.end() ? nullptr : &*found;
    }

private:
    void addLevel(Level& level) {
        const std::string id = asName(level.id);
        count(id + ".count", level.count, level.source);
        for (Memory& memory : level.memories) {
            const std::string name = fmt::format("{}.{}", id, asName(memory.name));
            bytes(name + ".capacity", memory.bytes, memory.source);
            if (memory.bytesPerNs > 0)
                number(name + ".bandwidth", memory.bytesPerNs, "GB/s", memory.source);
        }
        for (Unit& unit : level.units)
            count(fmt::format("{}.{}.lanes", id, asName(unit.name)), unit.lanes, unit.source);
        if (level.bus.bytesPerNs > 0) {
            number(id + ".bus.bandwidth", level.bus.bytesPerNs, "GB/s", level.bus.source);
            bytes(id + ".bus.burst", level.bus.burstBytes, level.bus.source);
        }
    }
    void addParameters(const std::string& prefix, std::map<std::string, Quantity>& parameters) {
        for (auto& [key, quantity] : parameters)
            number(prefix + key, quantity.value, quantity.unit, quantity.source);
    }
    void addHost(Host& host) {
        for (auto& [type, flops] : host.peakFlopsPerNs)
            number(fmt::format("host.flops.{}", pim::name(type)), flops, "GFLOP/s",
                   host.sources[fmt::format("flops.{}", pim::name(type))]);
        number("host.flopsEfficiency", host.flopsEfficiency, "ratio", host.sources["flopsEfficiency"]);
        number("host.memoryBandwidth", host.memoryBytesPerNs, "GB/s", host.sources["memoryBandwidth"]);
        number("host.memoryEfficiency", host.memoryEfficiency, "ratio", host.sources["memoryEfficiency"]);
        bytes("host.memoryCapacity", host.memoryBytes, host.sources["memoryCapacity"]);
        count("host.cores", host.cores, host.sources["cores"]);
        bytes("host.l1", host.l1BytesPerCore, host.sources["l1"]);
        bytes("host.l2", host.l2Bytes, host.sources["l2"]);
        number("host.link", host.linkBytesPerNs, "GB/s", host.sources["link"]);
        addParameters("host.", host.parameters);
    }

    void count(std::string name, int& value, std::string& source) {
        m_places.push_back(
            {.name = std::move(name), .unit = "count", .whole = true, .count = &value, .source = &source});
    }
    void bytes(std::string name, std::int64_t& value, std::string& source) {
        m_places.push_back(
            {.name = std::move(name), .unit = "B", .whole = true, .bytes = &value, .source = &source});
    }
    void number(std::string name, double& value, std::string_view unit, std::string& source) {
        m_places.push_back({.name = std::move(name),
                            .unit = std::string(unit),
                            .whole = isWhole(unit),
                            .number = &value,
                            .source = &source});
    }

    std::vector<Place> m_places;
};

double factorOf(std::string_view unit) {
    const UnitInfo* const info = findUnit(unit);
    return info ? info->factor : 1;
}

/// Figures of a level that in the base are what all inner ones have together.
class Sums {
public:
    explicit Sums(const Target& base) {
        for (std::size_t outer = 0; outer < base.levels.size(); ++outer) {
            if (outer + 1 < base.levels.size() && base.levels[outer].bus.bytesPerNs > 0 &&
                base.levels[outer].bus.bytesPerNs == busOfChildren(base, outer))
                m_buses.push_back(outer);
            for (std::size_t m = 0; m < base.levels[outer].memories.size(); ++m)
                addMemory(base, outer, m);
        }
    }

    /// Innermost first, so that what is a sum of sums follows.
    void follow(Target& target) const {
        for (auto sum = m_memories.rbegin(); sum != m_memories.rend(); ++sum) {
            Memory& memory = target.levels[sum->outer].memories[sum->memory];
            if (sum->ofBytes)
                memory.bytes = bytesBelow(target, sum->outer, sum->inner, sum->part);
            if (sum->ofBandwidth)
                memory.bytesPerNs = bandwidthBelow(target, sum->outer, sum->inner, sum->part);
        }
        for (auto outer = m_buses.rbegin(); outer != m_buses.rend(); ++outer)
            target.levels[*outer].bus.bytesPerNs = busOfChildren(target, *outer);
    }

private:
    struct MemorySum {
        std::size_t outer = 0, memory = 0, inner = 0, part = 0;
        bool ofBytes = false, ofBandwidth = false;
    };

    static double countBelow(const Target& target, std::size_t outer, std::size_t inner) {
        double count = 1;
        for (std::size_t l = outer + 1; l <= inner; ++l)
            count *= target.levels[l].count;
        return count;
    }
    static std::int64_t bytesBelow(const Target& target, std::size_t outer, std::size_t inner,
                                   std::size_t part) {
        const double bytes =
            countBelow(target, outer, inner) * static_cast<double>(target.levels[inner].memories[part].bytes);
        return bytes < 0x1p62 ? static_cast<std::int64_t>(bytes) : 0; // 0 is refused as implausible
    }
    static double bandwidthBelow(const Target& target, std::size_t outer, std::size_t inner,
                                 std::size_t part) {
        return countBelow(target, outer, inner) * target.levels[inner].memories[part].bytesPerNs;
    }
    static double busOfChildren(const Target& target, std::size_t outer) {
        return target.levels[outer + 1].count * target.levels[outer + 1].bus.bytesPerNs;
    }

    void addMemory(const Target& base, std::size_t outer, std::size_t m) {
        const Memory& memory = base.levels[outer].memories[m];
        for (std::size_t inner = outer + 1; inner < base.levels.size(); ++inner)
            for (std::size_t part = 0; part < base.levels[inner].memories.size(); ++part) {
                const bool ofBytes = memory.bytes == bytesBelow(base, outer, inner, part);
                const bool ofBandwidth =
                    memory.bytesPerNs > 0 && memory.bytesPerNs == bandwidthBelow(base, outer, inner, part);
                if (ofBytes || ofBandwidth) {
                    m_memories.push_back({outer, m, inner, part, ofBytes, ofBandwidth});
                    return;
                }
            }
    }

    std::vector<MemorySum> m_memories;
    std::vector<std::size_t> m_buses;
};

Error noValue(const Place& place, std::string_view text, std::string_view why) {
    return {ErrorCode::Usage, fmt::format("\"{}\" {}", text, why), place.name,
            fmt::format("it is {:.10g} {} in the target; give a number in {}, one with a unit, or a formula",
                        place.value(), place.unit, place.unit)};
}

/// In the unit of the place.
Result<double> newValue(const Place& place, const std::string& text, const Target& target) {
    if (const auto plain = parseNumber<double>(text))
        return *plain;
    // A number with a unit that measures something else is a slip, not a formula.
    if (isPlainValue(text) &&
        !convertUnit(1, std::string_view(text).substr(text.find_first_not_of("0123456789.")), place.unit))
        return tl::unexpected<Error>(
            noValue(place, text, fmt::format("measures something else than {}", place.unit)));
    const auto inBase = evaluateExpression(
        text, [&](std::string_view name) { return targetFigure(target, name); }, unitAtStart);
    if (!inBase) {
        Error error = inBase.error();
        error.code = ErrorCode::Usage; // also a name that is not there
        error.where = place.name;
        return tl::unexpected<Error>(std::move(error));
    }
    return *inBase / factorOf(place.unit);
}

Result<void> change(Place& place, const std::string& text, const Target& target) {
    PIM_TRY(double value, newValue(place, text, target));
    if (const double nearest = std::round(value);
        place.whole && std::abs(value - nearest) <= 1e-9 * std::max(1.0, std::abs(nearest)))
        value = nearest; // GB/s and ns of formulas are not exact
    if (!std::isfinite(value))
        return tl::unexpected<Error>(noValue(place, text, "is no finite number"));
    if (place.whole && value != std::floor(value))
        return tl::unexpected<Error>(
            noValue(place, text, fmt::format("makes {:.10g}, which is no whole number", value)));
    if ((place.count || place.bytes) && value < 1)
        return tl::unexpected<Error>(
            noValue(place, text, fmt::format("makes {:.10g}; the least is 1", value)));
    if ((place.count && value > 1e9) || (place.bytes && value >= 0x1p62))
        return tl::unexpected<Error>(
            noValue(place, text, fmt::format("makes {:.10g}, which is too large", value)));
    if (value == place.value())
        return {};
    *place.source =
        fmt::format("varied: {:.10g} {}; was {:.10g}: {}", value, place.unit, place.value(), *place.source);
    if (place.count)
        *place.count = static_cast<int>(value);
    else if (place.bytes)
        *place.bytes = static_cast<std::int64_t>(value);
    else
        *place.number = value;
    return {};
}

/// How many levels a figure is inside of, outermost first; all of them for parameters, which do not say where they belong.
std::size_t depthOf(const Target& target, std::string_view name) {
    for (std::size_t l = 0; l < target.levels.size(); ++l)
        if (const std::string id = asName(target.levels[l].id) + "."; name.starts_with(id))
            return name == id + "count" ? l : l + 1; // how many there are is a matter of what is around them
    return target.levels.size();
}

/// Area and power of a level, published for what is not this machine any more.
void forgetWhatChanged(Target& target, const std::vector<TargetChange>& changes,
                       const std::vector<TargetChange>& wanted) {
    const auto isSet = [&](const std::string& name) {
        return std::ranges::any_of(wanted, [&](const TargetChange& change) { return change.first == name; });
    };
    const auto isTold = [](std::string_view name) { // of figures that stand for themselves
        return std::ranges::any_of(
            std::array<std::string_view, 5>{"host.", "area.", "power.", "energy.", "policy."},
            [&](std::string_view prefix) { return name.starts_with(prefix); });
    };
    for (const bool ofArea : {true, false})
        for (std::size_t l = 0; l < target.levels.size(); ++l) {
            const std::string name = (ofArea ? "area." : "power.") + target.levels[l].id;
            const bool changed = std::ranges::any_of(changes, [&](const TargetChange& change) {
                const bool matters =
                    !isTold(change.first) && !(ofArea && change.first.starts_with("timing."));
                return matters && depthOf(target, change.first) > l;
            });
            if (changed && !isSet(name))
                target.parameters.erase(name);
        }
}

Error unknownValue(const Target& target, const std::string& name) {
    std::vector<std::string> names;
    for (const TargetFigure& value : targetFigures(target))
        names.push_back(value.name);
    return {ErrorCode::Usage, fmt::format("{} has no value of this name", target.id), name,
            didYouMean(name, names)};
}

} // namespace

std::vector<TargetFigure> targetFigures(const Target& target) {
    Target copy = target; // places are found in something that may be written
    Places places(copy);
    std::vector<TargetFigure> values;
    for (const Place& place : places.all())
        values.push_back({place.name, place.value(), place.unit, place.whole});
    return values;
}

std::optional<double> targetFigure(const Target& target, std::string_view name) {
    Target copy = target;
    Places places(copy);
    const Place* const place = places.find(name);
    return place ? std::optional(place->value() * factorOf(place->unit)) : std::nullopt;
}

bool isPlainValue(std::string_view text) {
    const std::size_t digits = text.find_first_not_of("0123456789.");
    return parseNumber<double>(text).has_value() ||
           (digits != std::string_view::npos && digits > 0 && findUnit(text.substr(digits)));
}

Result<Target> changedTarget(const Target& base, const std::vector<TargetChange>& changes) {
    Target target = base;
    const Sums sums(base);
    for (const auto& [name, text] : changes) {
        Places places(target);
        Place* const place = places.find(name);
        if (!place)
            return tl::unexpected<Error>(unknownValue(base, name));
        PIM_CHECK(change(*place, text, target));
        sums.follow(target);
    }
    std::vector<TargetChange> real; // a value that is what it was changes nothing
    for (const TargetChange& each : changes)
        if (targetFigure(base, each.first) != targetFigure(target, each.first))
            real.push_back(each);
    forgetWhatChanged(target, real, changes);
    for (const Diagnostic& problem : checkPlausible(target, base.id))
        if (problem.severity == Severity::Error)
            return fail(ErrorCode::InvalidTarget, problem.message, problem.object, problem.hint);
    target.hash = sha256Hex(targetJson(target));
    return target;
}

} // namespace pim
