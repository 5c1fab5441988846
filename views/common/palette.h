// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Every colour of the product: light, dark, and with high contrast. Text on its background has a contrast of at least 4.5:1, with
/// high contrast of 7:1; categories are told apart with protanopia, deuteranopia and tritanopia too.
#include <QColor>
#include <QPalette>

namespace pim::views {

enum class Theme { Light, Dark, HighContrast }; ///< The last: on black.

/// Roles, not colours: a view asks for what it means.
enum class Role {
    // parts of a breakdown, the same everywhere
    InputRearrangement,
    Compute,
    OutputRearrangement,
    ModeSwitch,
    HostTime,
    Idle,
    // what an array, bank or bus does in a timeline, beside Compute and Idle
    MemoryIn,
    MemoryOut,
    Switching,
    Rewriting,
    Transfer,
    VectorUnit,
    OtherWork,
    // placement
    OnHost,
    OnPim,
    NoCost,
    // drawing
    Canvas,
    GridLine,
    NodeBorder,
    NodeText,
    Edge,
    EdgeSelected,
    Selection,
    SearchHit,
    Good,
    Bad,
    Muted,
    Accent,
};

Theme currentTheme();         ///< From the application palette: black with white text is high contrast.
bool isDark();                ///< Light ink on dark ground.
void applyTheme(Theme theme); ///< Fusion style + palette for the whole application.
QColor color(Role role);      ///< For currentTheme().
/// Colours for a given theme, for exports and for tests.
QColor color(Role role, Theme theme);
QPalette paletteFor(Theme theme);
/// \p over laid on \p under with \p share in [0, 1]: 0 is all \p under.
QColor mix(const QColor& under, const QColor& over, double share);
/// Black or white, whichever reads better on \p background.
QColor textOn(const QColor& background);
enum class ColorMap { Viridis, Cividis };
/// The map of sequential data, for the whole application; cividis looks the same to the colour-blind.
void setColorMap(ColorMap map);
ColorMap colorMap();
/// Sequential data, t in [0, 1], in colorMap().
QColor sequential(double t);
QColor sequential(double t, ColorMap map);
/// Blue - neutral - orange, t in [-1, 1]; 0 is neutral. Differences.
QColor diverging(double t);
/// Colour of a kind of thing that has no meaning of its own (op classes), 0 … kCategories - 1; wraps around.
inline constexpr int kCategories = 10;
QColor category(int index);
/// Colour of a machine of a plan, from 0; the first is Role::OnPim. Wraps around: its name tells what the colour does not.
inline constexpr int kDeviceColors = 4;
QColor deviceColor(std::size_t device);
/// Contrast ratio as in WCAG 2.1, 1 … 21.
double contrast(const QColor& a, const QColor& b);

} // namespace pim::views
