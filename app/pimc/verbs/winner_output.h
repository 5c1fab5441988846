// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Who is first where, as text and as a JSON document.
#include "core/compile/winners.h"

#include <string>

namespace pim::cli {

std::string winnersText(const WinnerSetup& setup, const WinnerMap& map);
std::string winnersJson(const WinnerSetup& setup, const WinnerMap& map);

} // namespace pim::cli
