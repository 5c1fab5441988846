// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Text that XML and PDF can hold: names in a model file may be any bytes.
#include <string>
#include <string_view>

namespace pim {

/// Replaces what is not UTF-8, control characters (but line feed and tab) and what XML 1.0 forbids by U+FFFD.
std::string cleanText(std::string_view text);

} // namespace pim
