// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// JSON as verbs print it: indented, bytes that are no UTF-8 replaced, a line break at the end.
#include <cmath>
#include <string>

namespace pim::cli {

/// To one part in \p steps: 1e4 for four digits behind the point.
inline double rounded(double value, double steps) {
    return std::round(value * steps) / steps;
}

template <class Json>
std::string jsonDocument(const Json& document) {
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace pim::cli
