// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What which() found, for programs that read on. What is unknown is null, never 0.
#include "core/compile/which.h"

#include <string>

namespace pim {

/// One row on one line: its machine, then its problem or all that is known.
std::string whichRowJson(const WhichRow& row);
/// An array of rows, indented, the best first.
std::string whichJson(const std::vector<WhichRow>& rows, WhichBy by);

} // namespace pim
