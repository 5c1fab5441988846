// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Our own line icons (resources/icons/*.svg), drawn in the colour of the theme each time they are painted,
/// so that a switch of theme needs no reload.
#include "views/common/palette.h"

#include <QIcon>

namespace pim::views {

/// \p name: file name without suffix, as listed by iconNames(). An unknown name gives a null icon.
QIcon icon(const QString& name);
QIcon icon(const QString& name, Role role); ///< In the colour of a role instead of the text colour.
QStringList iconNames();

} // namespace pim::views
