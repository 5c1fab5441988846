// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Colours that the parts of the timeline's drawing share.
#include "views/common/palette.h"
#include "views/common/text.h"

#include <QGuiApplication>
#include <QString>

#include <string>

namespace pim::views::timeline {

inline QColor baseColor() {
    return QGuiApplication::palette().color(QPalette::Base);
}

/// Where nothing happens on a track.
inline QColor idleColor() {
    return mix(baseColor(), color(Role::Idle), 0.55);
}

} // namespace pim::views::timeline
