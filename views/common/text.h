// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Text of core as text of Qt.
#include <QString>

#include <string_view>

namespace pim::views {

inline QString text(std::string_view s) {
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

} // namespace pim::views
