// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Bytes as text (RFC 4648 section 4, by OpenSSL), for places that hold text alone.
#include <optional>
#include <string>
#include <string_view>

namespace pim {

std::string toBase64(std::string_view bytes);
/// nullopt: it is no such text.
std::optional<std::string> fromBase64(std::string_view text);

} // namespace pim
