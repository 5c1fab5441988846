// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_overlay.h"

#include "core/base/number_text.h"
#include "views/common/palette.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace pim::views {
namespace {

struct GraphOverlayWords {
    Q_DECLARE_TR_FUNCTIONS(pim::views::GraphOverlayWords)
};

QString classText(OpClass opClass) {
    switch (opClass) {
    case OpClass::MatMul:
        return GraphOverlayWords::tr("matrix product");
    case OpClass::Conv:
        return GraphOverlayWords::tr("convolution");
    case OpClass::Attention:
        return GraphOverlayWords::tr("attention");
    case OpClass::Elementwise:
        return GraphOverlayWords::tr("element-wise");
    case OpClass::Reduction:
        return GraphOverlayWords::tr("reduction");
    case OpClass::Softmax:
        return GraphOverlayWords::tr("softmax");
    case OpClass::Normalize:
        return GraphOverlayWords::tr("normalisation");
    case OpClass::Pool:
        return GraphOverlayWords::tr("pooling");
    case OpClass::Movement:
        return GraphOverlayWords::tr("data movement");
    case OpClass::Other:
        break;
    }
    return GraphOverlayWords::tr("other");
}

/// Nullopt for a category.
std::optional<OpQuantity> quantityOf(Overlay overlay) {
    switch (overlay) {
    case Overlay::TotalTime:
        return OpQuantity::Time;
    case Overlay::Energy:
        return OpQuantity::Energy;
    case Overlay::BytesMoved:
        return OpQuantity::BytesMoved;
    case Overlay::RearrangementShare:
        return OpQuantity::RearrangementShare;
    case Overlay::PredictorError:
        return OpQuantity::PredictorError;
    case Overlay::Macs:
        return OpQuantity::Macs;
    case Overlay::ArithmeticIntensity:
        return OpQuantity::ArithmeticIntensity;
    case Overlay::Type:
    case Overlay::Placement:
        break;
    }
    return std::nullopt;
}

struct Scale {
    double low = HUGE_VAL, high = -HUGE_VAL;
    bool log = false, diverging = false;

    bool any() const { return low <= high; }
    double most() const { return std::max({std::abs(low), std::abs(high), 1e-9}); }
    QColor colour(double value) const {
        if (diverging)
            return views::diverging(value / most());
        if (!any() || (log && value <= 0))
            return sequential(0);
        const double span = log ? std::log(high / low) : high - low;
        return sequential(span > 0 ? (log ? std::log(value / low) : value - low) / span : 1);
    }
};

void colourByFigure(const GraphPicture& picture, const OverlaySource& source, Overlay overlay,
                    bool logarithmic, OverlayLooks& looks) {
    Scale scale;
    scale.log = logarithmic && hasLogScale(overlay);
    scale.diverging = overlay == Overlay::PredictorError;
    std::vector<std::optional<double>> values;
    for (std::int32_t i = 0; i < picture.choosable; ++i) {
        const PictureNode& node = picture.nodes[static_cast<std::size_t>(i)];
        values.push_back(overlayValue(source, overlay, picture.opsOf(node)));
        if (values.back() && (!scale.log || *values.back() > 0)) {
            scale.low = std::min(scale.low, *values.back());
            scale.high = std::max(scale.high, *values.back());
        }
    }
    const bool any = scale.any();
    const double least = scale.low, greatest = scale.high;
    if (overlay == Overlay::RearrangementShare) {
        scale.low = 0;
        scale.high = 1;
    } else if (!scale.log && !scale.diverging) {
        scale.low = std::min(scale.low, 0.0);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        NodeLook& look = looks.nodes[i];
        look.value = values[i] ? overlayValueText(overlay, *values[i]) : QString();
        look.hatched = !values[i];
        look.fill = values[i] ? scale.colour(*values[i]) : color(Role::NoCost);
    }
    const auto unknown =
        std::count_if(picture.graph->ops.begin(), picture.graph->ops.end(), [&](const Op& op) {
            return !overlayValue(source, overlay,
                                 {OpId(static_cast<std::int64_t>(&op - picture.graph->ops.data()))});
        });
    Legend& legend = looks.legend;
    legend.title = overlayText(overlay);
    if (overlay == Overlay::Energy)
        legend.title += GraphOverlayWords::tr(" (simulated)");
    else if (needsPlan(overlay) && !scale.diverging && overlay != Overlay::BytesMoved)
        legend.title += source.plan && source.plan->origin == Origin::Simulated
                            ? GraphOverlayWords::tr(" (simulated)")
                            : GraphOverlayWords::tr(" (predicted)");
    if (scale.log)
        legend.title += GraphOverlayWords::tr(", log scale");
    legend.isDiverging = scale.diverging;
    QStringList notes;
    if (scale.diverging)
        notes << GraphOverlayWords::tr("+ is predicted too long");
    if (unknown > 0)
        notes << GraphOverlayWords::tr("hatched: %1 without a value").arg(unknown);
    legend.note = notes.join(QStringLiteral("; "));
    if (!any) {
        legend.low = GraphOverlayWords::tr("no value known");
        return;
    }
    legend.low = overlayValueText(overlay, scale.diverging ? -scale.most() : scale.low);
    legend.high = overlayValueText(overlay, scale.diverging ? scale.most() : scale.high);
    if (scale.diverging)
        legend.middle = overlayValueText(overlay, 0);
    if (overlay == Overlay::RearrangementShare || scale.diverging)
        legend.title += GraphOverlayWords::tr(", %1 to %2")
                            .arg(overlayValueText(overlay, least), overlayValueText(overlay, greatest));
}

/// What the plan says of a box, whatever the overlay.
void takePlan(const GraphPicture& picture, const Plan& plan, const PictureNode& node, NodeLook& look) {
    const std::vector<OpId> ops = picture.opsOf(node);
    double ns = 0;
    std::size_t onPim = 0, priced = 0;
    for (const OpId id : ops) {
        const OpPlan& op = plan.opPlan(id);
        onPim += op.onHost() ? 0U : 1U;
        priced += isPriced(op) ? 1 : 0;
        ns += isPriced(op) ? op.cost.totalNs() : 0;
        look.overridden = look.overridden || op.placementOverridden || op.draftOverridden;
    }
    look.placed = true;
    look.onPim = onPim == ops.size();
    if (node.kind == PictureNode::Kind::Group)
        look.tag =
            onPim > 0 ? GraphOverlayWords::tr("%1/%2 %3").arg(onPim).arg(ops.size()).arg(placeText(plan, ops))
                      : QString();
    else if (look.onPim)
        look.tag = placeText(plan, ops);
    if (priced > 0)
        look.value = QString::fromStdString(timeText(ns));
}

QColor placementColour(const GraphPicture& picture, const Plan& plan, const PictureNode& node) {
    std::map<DeviceId, int> onDevice;
    int onPim = 0;
    bool anyKnown = false; // on the host
    const std::vector<OpId> ops = picture.opsOf(node);
    for (const OpId id : ops) {
        const OpPlan& op = plan.opPlan(id);
        if (op.onHost()) {
            anyKnown = anyKnown || op.hostKnown;
        } else {
            ++onPim;
            ++onDevice[op.placement];
        }
    }
    if (onPim == 0)
        return color(anyKnown ? Role::OnHost : Role::NoCost);
    const auto most = std::ranges::max_element(onDevice, {}, [](const auto& entry) { return entry.second; });
    return mix(color(Role::OnHost), deviceColor(most->first.index()),
               onPim / static_cast<double>(ops.size()));
}

} // namespace

QString placeText(const Plan& plan, DeviceId device) {
    if (device.onHost())
        return GraphOverlayWords::tr("host");
    return plan.devices.empty() ? GraphOverlayWords::tr("PIM")
                                : QString::fromStdString(deviceName(plan, device));
}

QString placeText(const Plan& plan, const std::vector<OpId>& ops) {
    DeviceId one;
    for (const OpId op : ops) {
        const DeviceId device = plan.opPlan(op).placement;
        if (!device.onHost() && !one.onHost() && device != one)
            return GraphOverlayWords::tr("PIM");
        one = device.onHost() ? one : device;
    }
    return placeText(plan, one.onHost() ? DeviceId::first() : one);
}

const Plan* OverlaySource::planOf(const Graph& wanted) const {
    return plan && plan->graph.get() == &wanted && plan->ops.size() == wanted.ops.size() ? plan.get()
                                                                                         : nullptr;
}

OpFigureSource OverlaySource::figures() const {
    return {*graph, planOf(*graph), simulation.get()};
}

std::optional<double> overlayValue(const OverlaySource& source, Overlay overlay,
                                   const std::vector<OpId>& ops) {
    const std::optional<OpQuantity> quantity = quantityOf(overlay);
    if (!quantity)
        return std::nullopt;
    const OpFigureSource figures = source.figures();
    OpFigure sum{0, 0};
    bool any = false;
    for (const OpId op : ops)
        if (const auto figure = opFigure(figures, *quantity, op)) {
            any = true;
            sum.numerator += figure->numerator;
            sum.denominator = figure->isRatio ? sum.denominator + figure->denominator : 1;
        }
    return any ? std::optional(sum.value()) : std::nullopt;
}

QString whyUnknown(const OverlaySource& source, Overlay overlay, OpId id) {
    const Plan* plan = source.planOf(*source.graph);
    if (needsPlan(overlay) && !plan)
        return GraphOverlayWords::tr("there is no plan: choose a target");
    if (needsSimulation(overlay)) {
        if (!source.simulation)
            return source.simulationNote.isEmpty() ? GraphOverlayWords::tr("not simulated yet")
                                                   : source.simulationNote;
        const SimulatedOp* op = simulatedOp(source.simulation.get(), id);
        if (!op)
            return GraphOverlayWords::tr("this machine is simulated as a whole, not op by op");
        if (!op->note.empty())
            return QString::fromStdString(op->note);
        if (plan->opPlan(id).onHost())
            return GraphOverlayWords::tr("it runs on the host, which is not simulated");
        return overlay == Overlay::Energy ? GraphOverlayWords::tr("the target has no energy figures")
                                          : GraphOverlayWords::tr("its commands were not simulated");
    }
    if (!source.graph->op(id).work.known)
        return GraphOverlayWords::tr("the work of this kind of op is not known");
    return GraphOverlayWords::tr("it takes no time");
}

QString overlayValueText(Overlay overlay, double value) {
    switch (overlay) {
    case Overlay::TotalTime:
        return QString::fromStdString(timeText(value));
    case Overlay::Energy:
        return QString::fromStdString(energyText(value));
    case Overlay::BytesMoved:
        return QString::fromStdString(bytesText(value));
    case Overlay::RearrangementShare:
        return QString::fromStdString(percentText(value));
    case Overlay::PredictorError:
        return (value > 0 ? QStringLiteral("+") : QString()) + QString::fromStdString(percentText(value));
    case Overlay::Macs:
        return GraphOverlayWords::tr("%1 MAC").arg(QString::fromStdString(countText(value)));
    case Overlay::ArithmeticIntensity:
        return GraphOverlayWords::tr("%1 FLOP/B").arg(value, 0, 'g', 4);
    default:
        return {};
    }
}

QString overlayText(Overlay overlay) {
    switch (overlay) {
    case Overlay::Type:
        return GraphOverlayWords::tr("Kind of op");
    case Overlay::Placement:
        return GraphOverlayWords::tr("Placement");
    case Overlay::TotalTime:
        return GraphOverlayWords::tr("Latency");
    case Overlay::Energy:
        return GraphOverlayWords::tr("Energy");
    case Overlay::BytesMoved:
        return GraphOverlayWords::tr("Bytes moved");
    case Overlay::RearrangementShare:
        return GraphOverlayWords::tr("Share of rearrangement");
    case Overlay::PredictorError:
        return GraphOverlayWords::tr("Prediction error");
    case Overlay::Macs:
        return GraphOverlayWords::tr("MACs");
    case Overlay::ArithmeticIntensity:
        return GraphOverlayWords::tr("Arithmetic intensity");
    }
    return {};
}

QString overlayKey(Overlay overlay) {
    static const char* const kKeys[kOverlays] = {"type",       "placement", "latency", "energy",   "moved",
                                                 "rearranged", "error",     "macs",    "intensity"};
    return QString::fromLatin1(kKeys[static_cast<int>(overlay)]);
}

QString overlayExactHeader(Overlay overlay) {
    static const char* const kUnits[kOverlays] = {"", "", "ns", "pJ", "B", "1", "1", "MAC", "FLOP/B"};
    return QStringLiteral("%1 (%2)").arg(overlayKey(overlay),
                                         QString::fromLatin1(kUnits[static_cast<int>(overlay)]));
}

bool needsPlan(Overlay overlay) {
    const auto quantity = quantityOf(overlay);
    return overlay == Overlay::Placement || (quantity && needsPlan(*quantity));
}

bool needsSimulation(Overlay overlay) {
    const auto quantity = quantityOf(overlay);
    return quantity && needsSimulation(*quantity);
}

bool isFigure(Overlay overlay) {
    return overlay > Overlay::Placement;
}

bool hasLogScale(Overlay overlay) {
    return isFigure(overlay) && overlay != Overlay::RearrangementShare && overlay != Overlay::PredictorError;
}

OverlayLooks overlayLooks(const GraphPicture& picture, const OverlaySource& source, Overlay overlay,
                          bool logarithmic) {
    const Graph& graph = *picture.graph;
    const Plan* plan = source.planOf(graph);
    OverlayLooks looks;
    looks.nodes.resize(picture.nodes.size());
    for (std::int32_t i = 0; i < picture.choosable; ++i) {
        const PictureNode& node = picture.nodes[static_cast<std::size_t>(i)];
        NodeLook& look = looks.nodes[static_cast<std::size_t>(i)];
        const bool isGroup = node.kind == PictureNode::Kind::Group;
        look.fill = isGroup ? mix(color(Role::Canvas), color(Role::Muted), 0.55) : category(node.category);
        if (plan)
            takePlan(picture, *plan, node, look);
        look.hollow = overlay == Overlay::Placement && !look.onPim;
        if (overlay == Overlay::Placement)
            look.fill = plan ? placementColour(picture, *plan, node) : color(Role::NoCost);
    }
    if (isFigure(overlay)) {
        OverlaySource matching = source;
        matching.graph = picture.graph;
        colourByFigure(picture, matching, overlay, logarithmic, looks);
        return looks;
    }
    looks.legend.title = overlayText(overlay);
    if (overlay == Overlay::Placement) {
        const QString host = plan && plan->target ? QString::fromStdString(plan->target->host.id)
                                                  : GraphOverlayWords::tr("host");
        const std::size_t devices = plan ? std::max<std::size_t>(plan->devices.size(), 1) : 1;
        for (std::size_t d = 0; d < devices; ++d)
            looks.legend.entries.push_back(
                {deviceColor(d), plan ? placeText(*plan, DeviceId(d)) : GraphOverlayWords::tr("PIM"), true});
        looks.legend.entries.push_back(
            {color(Role::OnHost), GraphOverlayWords::tr("host %1").arg(host), false});
        looks.legend.entries.push_back(
            {color(Role::NoCost), GraphOverlayWords::tr("host, cost unknown"), false});
        return looks;
    }
    std::array<bool, kCategories> classes{};
    for (const Op& op : graph.ops)
        classes[static_cast<std::size_t>(op.opClass) % kCategories] = true;
    for (int i = 0; i < kCategories; ++i)
        if (classes[static_cast<std::size_t>(i)])
            looks.legend.entries.push_back({category(i), classText(static_cast<OpClass>(i)), false});
    return looks;
}

} // namespace pim::views
