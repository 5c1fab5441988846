// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Who is first where, as text and as JSON.
#include "core/compile/winners.h"

#include <nlohmann/json_fwd.hpp>

namespace pim::cli {

std::string winnersText(const WinnerSetup& setup, const WinnerMap& map);
nlohmann::json winnersJson(const WinnerSetup& setup, const WinnerMap& map);

} // namespace pim::cli
