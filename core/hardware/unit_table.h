// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The units a figure can have, as text. The same list as `anyQuantity.unit` of target.schema.json.
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace pim {

/// A unit is a dimension and a factor to that dimension's base unit.
struct UnitInfo {
    std::string_view name;      ///< "GB/s"
    std::string_view dimension; ///< "bandwidth"; units of one dimension convert into each other.
    double factor = 1;          ///< Base units are ns, B, B/ns, GFLOP/s, pJ, pJ/B, ns/B, W, GHz, mm2.
};

std::span<const UnitInfo> unitTable();
/// Null if there is no such unit.
const UnitInfo* findUnit(std::string_view name);
/// The longest unit that \p text begins with, for numbers with units in expressions (core/base/expression.h).
std::optional<std::pair<std::size_t, double>> unitAtStart(std::string_view text);
/// \p value of unit \p from in unit \p to; nullopt if they measure different things.
std::optional<double> convertUnit(double value, std::string_view from, std::string_view to);

} // namespace pim
