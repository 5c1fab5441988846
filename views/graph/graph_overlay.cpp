// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_overlay.h"

#include "core/base/number_text.h"
#include "views/common/palette.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace pim::views {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("GraphOverlay", text);
}

QString classText(OpClass opClass) {
    switch (opClass) {
    case OpClass::MatMul:
        return tr("matrix product");
    case OpClass::Conv:
        return tr("convolution");
    case OpClass::Attention:
        return tr("attention");
    case OpClass::Elementwise:
        return tr("element-wise");
    case OpClass::Reduction:
        return tr("reduction");
    case OpClass::Softmax:
        return tr("softmax");
    case OpClass::Normalize:
        return tr("normalisation");
    case OpClass::Pool:
        return tr("pooling");
    case OpClass::Movement:
        return tr("data movement");
    case OpClass::Other:
        break;
    }
    return tr("other");
}

/// The figure of an op; nullopt where it is not known.
std::optional<double> figure(const Graph& graph, const Plan* plan, Overlay overlay, std::size_t i) {
    const OpWork& work = graph.ops[i].work;
    const OpPlan* op = plan ? &plan->ops[i] : nullptr;
    const bool priced = op && (op->placement == Placement::Pim || op->hostKnown);
    switch (overlay) {
    case Overlay::TotalTime:
        return priced ? std::optional(op->cost.totalNs()) : std::nullopt;
    case Overlay::RearrangementShare:
        if (!priced || op->cost.totalNs() <= 0)
            return std::nullopt;
        return (op->cost.inputNs + op->cost.outputNs) / op->cost.totalNs();
    case Overlay::Macs:
        return work.known ? std::optional(static_cast<double>(work.macs)) : std::nullopt;
    case Overlay::ArithmeticIntensity:
        return work.known ? std::optional(work.arithmeticIntensity()) : std::nullopt;
    default:
        return std::nullopt;
    }
}

QString figureText(Overlay overlay, double value) {
    switch (overlay) {
    case Overlay::TotalTime:
        return QString::fromStdString(timeText(value));
    case Overlay::RearrangementShare:
        return QString::fromStdString(percentText(value));
    case Overlay::Macs:
        return tr("%1 MAC").arg(QString::fromStdString(countText(value)));
    case Overlay::ArithmeticIntensity:
        return tr("%1 FLOP/B").arg(value, 0, 'g', 4);
    default:
        return {};
    }
}

void colourByFigure(const Graph& graph, const Plan* plan, Overlay overlay, bool logarithmic,
                    OverlayLooks& looks) {
    std::vector<std::optional<double>> values;
    double low = HUGE_VAL, high = -HUGE_VAL;
    const bool share = overlay == Overlay::RearrangementShare;
    const bool log = logarithmic && !share;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        values.push_back(figure(graph, plan, overlay, i));
        if (values[i] && (!log || *values[i] > 0)) {
            low = std::min(low, *values[i]);
            high = std::max(high, *values[i]);
        }
    }
    if (share) {
        low = 0;
        high = 1;
    } else if (!log) {
        low = std::min(low, 0.0);
    }
    const bool any = low <= high;
    for (std::size_t i = 0; i < values.size(); ++i) {
        NodeLook& look = looks.ops[i];
        look.fill = color(Role::NoCost);
        if (!values[i])
            continue;
        look.value = figureText(overlay, *values[i]);
        if (!any || (log && *values[i] <= 0)) {
            look.fill = sequential(0);
            continue;
        }
        const double span = log ? std::log(high / low) : high - low;
        look.fill = sequential(span > 0 ? (log ? std::log(*values[i] / low) : *values[i] - low) / span : 1);
    }
    looks.legend.title = overlayText(overlay);
    if (log)
        looks.legend.title += tr(", log scale");
    if (overlay == Overlay::TotalTime || share)
        looks.legend.title +=
            plan && plan->origin == Origin::Simulated ? tr(" (simulated)") : tr(" (predicted)");
    looks.legend.low = any ? figureText(overlay, low) : tr("none");
    looks.legend.high = any ? figureText(overlay, high) : QString();
}

} // namespace

QString overlayText(Overlay overlay) {
    switch (overlay) {
    case Overlay::Type:
        return tr("Kind of op");
    case Overlay::Placement:
        return tr("Placement");
    case Overlay::TotalTime:
        return tr("Total time");
    case Overlay::RearrangementShare:
        return tr("Share of rearrangement");
    case Overlay::Macs:
        return tr("MACs");
    case Overlay::ArithmeticIntensity:
        return tr("Arithmetic intensity");
    }
    return {};
}

bool needsPlan(Overlay overlay) {
    return overlay == Overlay::Placement || overlay == Overlay::TotalTime ||
           overlay == Overlay::RearrangementShare;
}

bool isFigure(Overlay overlay) {
    return overlay > Overlay::Placement;
}

OverlayLooks overlayLooks(const Graph& graph, const Plan* plan, Overlay overlay, bool logarithmic) {
    if (plan && (plan->graph.get() != &graph || plan->ops.size() != graph.ops.size()))
        plan = nullptr;
    OverlayLooks looks;
    looks.ops.resize(graph.ops.size());
    std::array<bool, kCategories> classes{};
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        NodeLook& look = looks.ops[i];
        const auto opClass = static_cast<std::size_t>(graph.ops[i].opClass);
        look.fill = category(static_cast<int>(opClass));
        classes[opClass % kCategories] = true;
        if (!plan)
            continue;
        const OpPlan& op = plan->ops[i];
        look.placed = true;
        look.onPim = op.placement == Placement::Pim;
        look.overridden = op.placementOverridden || op.draftOverridden;
        if (look.onPim || op.hostKnown)
            look.value = QString::fromStdString(timeText(op.cost.totalNs()));
        look.hollow = overlay == Overlay::Placement && !look.onPim;
        if (overlay == Overlay::Placement)
            look.fill = color(look.onPim ? Role::OnPim : op.hostKnown ? Role::OnHost : Role::NoCost);
    }
    if (isFigure(overlay)) {
        colourByFigure(graph, plan, overlay, logarithmic, looks);
        return looks;
    }
    looks.legend.title = overlayText(overlay);
    if (overlay == Overlay::Placement) {
        const QString host =
            plan && plan->target ? QString::fromStdString(plan->target->host.id) : tr("host");
        looks.legend.entries = {{color(Role::OnPim), tr("PIM"), true},
                                {color(Role::OnHost), tr("host %1").arg(host), false},
                                {color(Role::NoCost), tr("host, cost unknown"), false}};
        return looks;
    }
    for (int i = 0; i < kCategories; ++i)
        if (classes[static_cast<std::size_t>(i)])
            looks.legend.entries.push_back({category(i), classText(static_cast<OpClass>(i)), false});
    return looks;
}

} // namespace pim::views
