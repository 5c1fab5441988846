// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/breakdown/breakdown_model.h"

#include "core/base/number_text.h"
#include "core/compile/compare.h"
#include "views/common/origin_style.h"
#include "views/common/palette.h"
#include "views/common/text.h"

#include <QFont>

namespace pim::views {
namespace {

int alignment(int column) {
    const bool isText = column <= BreakdownModel::On || column == BreakdownModel::Reason;
    return int((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

} // namespace

/// Exact value of a figure column; nullopt where it is not known.
std::optional<double> BreakdownModel::figure(std::size_t row, int column) const {
    const Plan& plan = *m_plan;
    const OpPlan& op = plan.ops[row];
    const bool priced = !op.onHost() || op.hostKnown;
    switch (column) {
    case BreakdownModel::Total:
        return priced ? std::optional(op.cost.totalNs()) : std::nullopt;
    case BreakdownModel::Share:
        return priced && plan.total.totalNs() > 0 ? std::optional(op.cost.totalNs() / plan.total.totalNs())
                                                  : std::nullopt;
    case BreakdownModel::Simulated:
    case BreakdownModel::Error: {
        if (!m_simulation || row >= m_simulation->ops.size() ||
            m_simulation->ops[row].origin != Origin::Simulated)
            return std::nullopt;
        const SimulatedOp& simulated = m_simulation->ops[row];
        const PredictedSimulated pair{simulated.predicted.totalNs(), simulated.cost.totalNs()};
        return column == BreakdownModel::Simulated ? pair.simulatedNs : pair.error();
    }
    case BreakdownModel::Input:
        return op.cost.inputNs;
    case BreakdownModel::Compute:
        return op.cost.computeNs;
    case BreakdownModel::Output:
        return op.cost.outputNs;
    case BreakdownModel::ModeSwitch:
        return op.cost.modeSwitchNs;
    case BreakdownModel::Rewrite:
        return op.cost.rewriteNs;
    case BreakdownModel::Host:
        return op.cost.hostNs;
    case BreakdownModel::HostOnly:
        return op.hostKnown ? std::optional(op.hostNs) : std::nullopt;
    case BreakdownModel::Speedup:
        return op.hostKnown && priced && op.cost.totalNs() > 0 ? std::optional(op.hostNs / op.cost.totalNs())
                                                               : std::nullopt;
    case BreakdownModel::Macs: {
        const OpWork& work = plan.graph->ops[row].work;
        return work.known ? std::optional(static_cast<double>(work.macs)) : std::nullopt;
    }
    default:
        return std::nullopt;
    }
}

QString BreakdownModel::cellText(int column, double value) const {
    switch (column) {
    case Share:
        return figureText(m_plan->origin, percentText(value));
    case Error:
        return (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + text(percentText(std::abs(value)));
    case Speedup:
        return figureText(m_plan->origin, ratioText(value));
    case Macs:
        return text(countText(value));
    case Simulated:
        return text(timeText(value));
    default:
        return value == 0 ? QStringLiteral("–") : figureText(m_plan->origin, timeText(value));
    }
}

void BreakdownModel::setSimulation(std::shared_ptr<const Simulation> simulation) {
    m_simulation = std::move(simulation);
    if (rowCount() > 0)
        emit dataChanged(index(0, Simulated), index(rowCount() - 1, Error));
}

void BreakdownModel::setPlan(std::shared_ptr<const Plan> plan) {
    // The same ops with new figures keep selection and scroll position.
    const bool sameRows = plan && m_plan && plan->graph == m_plan->graph && !plan->ops.empty();
    if (sameRows) {
        m_plan = std::move(plan);
        m_simulation.reset();
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_plan = std::move(plan);
    m_simulation.reset();
    endResetModel();
}

int BreakdownModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_plan ? 0 : static_cast<int>(m_plan->ops.size());
}

int BreakdownModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant BreakdownModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const Op& op = m_plan->graph->ops[row];
    const OpPlan& plan = m_plan->ops[row];
    const int column = index.column();
    if (role == Qt::TextAlignmentRole)
        return alignment(column);
    if (role == Qt::ForegroundRole && column == On)
        return color(plan.onHost() ? Role::Muted : Role::Good);
    if (role == Qt::ToolTipRole && column == Reason)
        return text(plan.reason);
    if (role == Qt::ToolTipRole && column == On && plan.onHost() && !plan.pimVerdict.empty())
        return text(plan.pimVerdict);
    if (role == Qt::FontRole && column >= Total && column <= Speedup && column != Simulated &&
        column != Error)
        return originFont(m_plan->origin, QFont());
    if (role == Qt::ToolTipRole && column >= Total && column < Reason) {
        const auto exact = figure(row, column);
        return exact ? QVariant(QString::number(*exact, 'g', 17)) : QVariant();
    }
    if (role != Qt::DisplayRole && role != Qt::EditRole)
        return {};
    switch (column) {
    case Name:
        return text(op.name);
    case Type:
        return text(op.type);
    case On: {
        const QString place = plan.onHost() ? tr("host") : tr("PIM");
        return role == Qt::DisplayRole && plan.placementOverridden ? place + QStringLiteral(" ✎") : place;
    }
    case Reason:
        return text(plan.reason);
    default:
        break;
    }
    const std::optional<double> value = figure(row, column);
    if (role == Qt::EditRole)
        return value ? QVariant(*value) : QVariant();
    return value                                    ? cellText(column, *value)
           : column == Simulated || column == Error ? QStringLiteral("–")
                                                    : tr("unknown");
}

QVariant BreakdownModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static const struct {
        const char* shown;
        const char* exact; ///< As in files: with unit.
        const char* tip;
    } kHeaders[ColumnCount] = {
        {QT_TR_NOOP("Op"), "name", QT_TR_NOOP("Name of the op")},
        {QT_TR_NOOP("Type"), "type", QT_TR_NOOP("Kind of op")},
        {QT_TR_NOOP("On"), "placement", QT_TR_NOOP("Host or PIM")},
        {QT_TR_NOOP("Total"), "total_ns", QT_TR_NOOP("All parts of the placement chosen")},
        {QT_TR_NOOP("Share"), "share", QT_TR_NOOP("Of the total of the network")},
        {QT_TR_NOOP("Simulated"), "simulated_ns",
         QT_TR_NOOP("Total from running the commands; – where the op was not simulated")},
        {QT_TR_NOOP("Off"), "prediction_error",
         QT_TR_NOOP("Simulated over predicted, less 1: how far the prediction is off")},
        {QT_TR_NOOP("Input"), "input_ns", QT_TR_NOOP("Rearrangement of inputs on their way to PIM")},
        {QT_TR_NOOP("Compute"), "compute_ns", QT_TR_NOOP("PIM units busy")},
        {QT_TR_NOOP("Output"), "output_ns", QT_TR_NOOP("Rearrangement of outputs, partial results merged")},
        {QT_TR_NOOP("Mode switch"), "mode_switch_ns", QT_TR_NOOP("Entering and leaving PIM mode")},
        {QT_TR_NOOP("Rewrite"), "rewrite_ns",
         QT_TR_NOOP("Weights written into compute arrays while the network runs")},
        {QT_TR_NOOP("Host"), "host_ns", QT_TR_NOOP("Time on the host, for ops placed there")},
        {QT_TR_NOOP("If on host"), "host_only_ns", QT_TR_NOOP("Time of the op if it ran on the host")},
        {QT_TR_NOOP("Speed-up"), "speedup_over_host", QT_TR_NOOP("Over the same op on the host")},
        {QT_TR_NOOP("MACs"), "macs", QT_TR_NOOP("Multiply-accumulates")},
        {QT_TR_NOOP("Why"), "reason", QT_TR_NOOP("Why the op is where it is")},
    };
    if (role == Qt::TextAlignmentRole)
        return alignment(section);
    if (role == Qt::DisplayRole)
        return tr(kHeaders[section].shown);
    if (role == Qt::EditRole)
        return QString::fromLatin1(kHeaders[section].exact);
    if (role == Qt::ToolTipRole)
        return tr(kHeaders[section].tip);
    return {};
}

} // namespace pim::views
