// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Our own line icons (resources/icons/*.svg), drawn in the colour of the theme each time they are painted,
/// so that a switch of theme needs no reload.
#include "views/common/palette.h"

#include <QIcon>

class QToolButton;

namespace pim::views {

/// \p name: file name without suffix, as listed by iconNames(). An unknown name gives a null icon.
QIcon icon(const QString& name);
QIcon icon(const QString& name, Role role); ///< In the colour of a role instead of the text colour.
QStringList iconNames();
/// A flat button that shows the icon (none if the name is empty) and says its name in the tip and to screen
/// readers. Without a parent; the layout it is put into takes it.
QToolButton* toolButton(const QString& iconName, const QString& name);

} // namespace pim::views
