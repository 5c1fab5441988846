// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Figures of a device file that are written as a sum of other figures: "nRCDRD + 3*nFAW*allBankFaw".
///
///   sum     := product (('+' | '-') product)*
///   product := value ('*' value)*
///   value   := ['-'] (number | name | '(' sum ')' | ('max' | 'min') '(' sum (',' sum)* ')')
///
/// A name begins with a letter and goes on with letters, digits, '.' and '_'.
#include "core/base/result.h"

#include <functional>
#include <optional>
#include <string_view>

namespace pim {

using ExpressionNames = std::function<std::optional<double>(std::string_view)>;

/// Whole numbers are exact up to 2^53. Error::InvalidFile for text that is none of the above (with the
/// place), Error::NotFound for a name \p names does not know.
Result<double> evaluateExpression(std::string_view text, const ExpressionNames& names);

} // namespace pim
