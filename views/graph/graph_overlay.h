// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the colour of a box says: kind of op, placement or one figure of the plan, with the legend that goes
/// with it.
#include "core/compile/plan.h"

#include <QColor>
#include <QString>

namespace pim::views {

enum class Overlay : std::uint8_t {
    Type,
    Placement,
    TotalTime,
    RearrangementShare,
    Macs,
    ArithmeticIntensity
};
inline constexpr int kOverlays = 6;
QString overlayText(Overlay overlay);
bool needsPlan(Overlay overlay);
bool isFigure(Overlay overlay); ///< A number with a scale, as opposed to a category.

/// How one op looks.
struct NodeLook {
    QColor fill;
    QString value;       ///< "12.30 µs"; empty: nothing to say.
    bool placed = false; ///< There is a plan.
    bool onPim = false;
    bool overridden = false;
    bool hollow = false; ///< Outline instead of a filled box when zoomed out: placement shows without colour.
};

struct Legend {
    QString title;
    struct Entry {
        QColor color;
        QString text;
        bool onPim = false; ///< Drawn with the mark of PIM.
    };
    std::vector<Entry> entries; ///< Categories; empty for a scale.
    QString low, high;          ///< Ends of a scale with unit.
};

struct OverlayLooks {
    std::vector<NodeLook> ops; ///< One an op.
    Legend legend;
};

/// \p plan may be null or belong to another graph; then what needs it is shown as unknown.
/// \param logarithmic: scale of figures; shares are always linear.
OverlayLooks overlayLooks(const Graph& graph, const Plan* plan, Overlay overlay, bool logarithmic);

} // namespace pim::views
