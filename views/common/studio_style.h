// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Fusion, less what it does badly: a choice that is longer than its box ends in "…" and not in half a letter,
/// fields to write in have an edge in the dark theme too, with high contrast everything that can be used has one, the buttons of panels are drawn from our icons, sharp at every
/// scale and in the colour of the theme, and a panel whose tab has its title does not say it again.
#include <QProxyStyle>

namespace pim::views {

/// Whether menus, tips and bars appear and go at once, and bars that run stand still. Takes effect with the next of them.
void setReducedMotion(bool reduced);
bool reducedMotion();

class StudioStyle : public QProxyStyle {
    Q_OBJECT
public:
    StudioStyle();

    /// Gives the buttons that clear a line a name, for screen readers: Qt gives them none.
    void polish(QWidget* widget) override;
    using QProxyStyle::polish;

    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returned) const override;
    QIcon standardIcon(StandardPixmap which, const QStyleOption* option,
                       const QWidget* widget) const override;
};

} // namespace pim::views
