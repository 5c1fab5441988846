// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/unit_table.h"

#include <algorithm>
#include <array>

namespace pim {
namespace {

constexpr double kKi = 1024;

// 1 B/ns = 1 GB/s, 1 pJ/b = 8 pJ/B, 8 b/cycle = 1 B/cycle.
constexpr std::array kUnits{
    UnitInfo{"count", "count", 1},
    UnitInfo{"bit", "bit", 1},
    UnitInfo{"ratio", "ratio", 1},
    UnitInfo{"switch", "switch", 1},
    UnitInfo{"cycles", "cycles", 1},
    UnitInfo{"ps", "time", 1e-3},
    UnitInfo{"ns", "time", 1},
    UnitInfo{"us", "time", 1e3},
    UnitInfo{"ms", "time", 1e6},
    UnitInfo{"s", "time", 1e9},
    UnitInfo{"MHz", "frequency", 1e-3},
    UnitInfo{"GHz", "frequency", 1},
    UnitInfo{"B", "capacity", 1},
    UnitInfo{"KiB", "capacity", kKi},
    UnitInfo{"MiB", "capacity", kKi* kKi},
    UnitInfo{"GiB", "capacity", kKi* kKi* kKi},
    UnitInfo{"TiB", "capacity", kKi* kKi* kKi* kKi},
    UnitInfo{"B/ns", "bandwidth", 1},
    UnitInfo{"MB/s", "bandwidth", 1e-3},
    UnitInfo{"GB/s", "bandwidth", 1},
    UnitInfo{"TB/s", "bandwidth", 1e3},
    UnitInfo{"B/cycle", "bandwidth per cycle", 1},
    UnitInfo{"b/cycle", "bandwidth per cycle", 0.125},
    UnitInfo{"Gb/s", "pin rate", 1},
    UnitInfo{"ns/B", "time per byte", 1},
    UnitInfo{"us/B", "time per byte", 1e3},
    UnitInfo{"GFLOP/s", "operation rate", 1},
    UnitInfo{"TFLOP/s", "operation rate", 1e3},
    UnitInfo{"pJ", "energy", 1},
    UnitInfo{"nJ", "energy", 1e3},
    UnitInfo{"pJ/B", "energy per byte", 1},
    UnitInfo{"pJ/b", "energy per byte", 8},
    UnitInfo{"mW", "power", 1e-3},
    UnitInfo{"W", "power", 1},
    UnitInfo{"mm2", "area", 1},
    UnitInfo{"um2", "area", 1e-6},
};

} // namespace

std::span<const UnitInfo> unitTable() {
    return kUnits;
}

const UnitInfo* findUnit(std::string_view name) {
    const auto* const found = std::ranges::find(kUnits, name, &UnitInfo::name);
    return found == kUnits.end() ? nullptr : found;
}

std::optional<std::pair<std::size_t, double>> unitAtStart(std::string_view text) {
    std::optional<std::pair<std::size_t, double>> longest;
    for (const UnitInfo& unit : kUnits)
        if (text.starts_with(unit.name) && (!longest || unit.name.size() > longest->first))
            longest.emplace(unit.name.size(), unit.factor);
    return longest;
}

std::optional<double> convertUnit(double value, std::string_view from, std::string_view to) {
    const UnitInfo* const source = findUnit(from);
    const UnitInfo* const wanted = findUnit(to);
    if (source == nullptr || wanted == nullptr || source->dimension != wanted->dimension)
        return std::nullopt;
    return source->factor == wanted->factor ? value : value * source->factor / wanted->factor;
}

} // namespace pim
