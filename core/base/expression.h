// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Arithmetic that people write over named figures: "nRCDRD + 3*nFAW*allBankFaw" in a device file, "64MiB / core.count" as an axis of a sweep,
/// "area_mm2 <= 300" as its condition.
///
///   condition := sum ("<=" | ">=" | "<" | ">") sum
///   sum       := product (('+' | '-') product)*
///   product   := value (('*' | '/') value)*
///   value     := ['-'] (number[unit] | name | '(' sum ')' | function '(' sum (',' sum)* ')')
///   function  := "max" | "min", of any number of values; "ceil" | "floor", of one
///
/// A name begins with a letter and goes on with letters, digits, '.' and '_'.
#include "core/base/result.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pim {

using ExpressionNames = std::function<std::optional<double>(std::string_view)>;
/// The unit that a text begins with: how many letters it has and what a number before it is multiplied by.
using ExpressionUnits = std::function<std::optional<std::pair<std::size_t, double>>(std::string_view)>;

/// Whole numbers are exact up to 2^53. Error::Usage for text that is none of the above (with the place) and for a result that is no finite
/// number, Error::NotFound for a name \p names does not know. \param units empty: numbers have none.
Result<double> evaluateExpression(std::string_view text, const ExpressionNames& names,
                                  const ExpressionUnits& units = {});
/// Whether it holds. Errors as of evaluateExpression().
Result<bool> evaluateCondition(std::string_view text, const ExpressionNames& names,
                               const ExpressionUnits& units = {});
/// Names of a condition in the order they are met, each once. Error::Usage for text that is none.
Result<std::vector<std::string>> namesInCondition(std::string_view text, const ExpressionUnits& units = {});

} // namespace pim
