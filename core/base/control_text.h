// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Text that comes from outside, before a terminal sees it: it could move the cursor, or name the window.
#include <string>

namespace pim {

/// Control characters but line end and tab become \xHH.
std::string withoutControl(const std::string& text);

} // namespace pim
