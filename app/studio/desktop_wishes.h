// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the desktop asks of programs and Qt 6.4 does not pass on: high contrast, and no motion.
#include <QProcessEnvironment>
#include <QString>

namespace pim::studio {

struct DesktopWishes {
    bool highContrast = false, reducedMotion = false;
    friend bool operator==(const DesktopWishes&, const DesktopWishes&) = default;
};

/// All that can be found out; once a program.
const DesktopWishes& desktopWishes();
/// What files in \p configFolder and the environment say: GTK's settings.ini (gtk-theme-name, gtk-enable-animations), KDE's
/// kdeglobals (AnimationDurationFactor), GTK_THEME. What is missing or broken says nothing.
DesktopWishes wishesIn(const QString& configFolder, const QProcessEnvironment& environment);
/// What the desktop portal says, where one runs on the session's bus: GNOME keeps its settings where only GNOME reads them.
/// Waits a quarter of a second at most; a portal that is slower says nothing.
DesktopWishes wishesOfPortal();

} // namespace pim::studio
