// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the colour of a box says: kind of op, placement or one figure of the plan or of its simulation, with the
/// legend that goes with it. A folded block has the sum of its ops, or for shares the share of the sums.
#include "core/compile/op_figures.h"
#include "views/graph/graph_picture.h"

#include <QColor>
#include <QString>

namespace pim::views {

enum class Overlay : std::uint8_t {
    Type,
    Placement,
    TotalTime,
    Energy,
    BytesMoved,
    RearrangementShare,
    PredictorError,
    Macs,
    ArithmeticIntensity
};
inline constexpr int kOverlays = 9;
QString overlayText(Overlay overlay);
QString overlayKey(Overlay overlay);         ///< "latency": as stored, and as in searches.
QString overlayExactHeader(Overlay overlay); ///< "latency (ns)", for copies of unrounded figures.
bool needsPlan(Overlay overlay);
bool needsSimulation(Overlay overlay);
bool isFigure(Overlay overlay); ///< A number with a scale, as opposed to a category.
bool hasLogScale(Overlay overlay);

/// Where figures come from. All may be null or belong to another graph or plan; then they count as unknown.
struct OverlaySource {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const Plan> plan;
    std::shared_ptr<const Simulation> simulation; ///< Of \ref plan.
    QString simulationNote;                       ///< Why there is none.

    const Plan* planOf(const Graph& graph) const; ///< Null if it is of another.
    /// Borrowed from here, with the plan if it is of \ref graph, which is not null.
    OpFigureSource figures() const;
};

/// Of a block: the sum of its ops, or the share of the sums. Nullopt where it is not known; whyUnknown() says why.
std::optional<double> overlayValue(const OverlaySource& source, Overlay overlay,
                                   const std::vector<OpId>& ops);
QString whyUnknown(const OverlaySource& source, Overlay overlay, OpId op);
QString overlayValueText(Overlay overlay, double value);

/// "host", "PIM", or the name of one of several machines.
QString placeText(const Plan& plan, DeviceId device);
/// Where the ops of a block that are not on the host run: a machine if they all do on the same one, else "PIM".
QString placeText(const Plan& plan, const std::vector<OpId>& ops);

/// How one box looks.
struct NodeLook {
    QColor fill;
    QString value;       ///< "12.30 µs"; empty: nothing to say.
    QString tag;         ///< "PIM" or the name of the machine, of a block "3/12 PIM".
    bool placed = false; ///< There is a plan.
    bool onPim = false;  ///< All of it.
    bool overridden = false;
    bool noted = false; ///< The user wrote notes on it, or on ops in it.
    /// Outline instead of a filled box when zoomed out: placement shows without colour.
    bool hollow = false;
    bool hatched = false; ///< The figure is not known.
};

struct Legend {
    QString title;
    struct Entry {
        QColor color;
        QString text;
        bool onPim = false; ///< Drawn with the mark of PIM.
    };
    std::vector<Entry> entries; ///< Categories; empty for a scale.
    QString low, middle, high;  ///< Ends and middle of a scale, with unit.
    bool isDiverging = false;   ///< 0 is in the middle.
    QString note;               ///< "hatched: 12 without a value"; may be empty.
};

struct OverlayLooks {
    std::vector<NodeLook> nodes; ///< One a node of the picture.
    Legend legend;
};

/// \param logarithmic: scale of figures; shares and errors are always linear. The scale spans what is seen.
OverlayLooks overlayLooks(const GraphPicture& picture, const OverlaySource& source, Overlay overlay,
                          bool logarithmic);

} // namespace pim::views
