// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Predicted and simulated figures are never shown alike: a predicted one is slanted and has "≈" before it.
#include "core/plan/plan.h"

#include <QFont>
#include <QString>

namespace pim::views {

/// "≈ 3.20 µs" predicted, "3.20 µs" simulated.
QString figureText(Origin origin, const std::string& figure);
/// The same as rich text, slanted where predicted.
QString figureHtml(Origin origin, const std::string& figure);
/// \p font, slanted where predicted.
QFont originFont(Origin origin, QFont font);

} // namespace pim::views
