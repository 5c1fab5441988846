// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"
#include "views/common/core_words.h"
#include "views/common/palette.h"
#include "views/common/text.h"
#include "views/runs/runs_model.h"

#include <cmath>

namespace pim::views {
QString signedTimeText(double ns) {
    if (ns == 0)
        return text(timeText(0));
    return (ns > 0 ? QStringLiteral("+") : QStringLiteral("−")) + text(timeText(std::abs(ns)));
}

QString shownTitle(const RunInfo& run) {
    return run.label.empty() ? DeltaModel::tr("run %1").arg(run.id)
                             : DeltaModel::tr("run %1, %2").arg(run.id).arg(text(run.label));
}

QString comparedName(const RunsComparison& comparison, std::size_t run) {
    if (comparison.runs.size() == 2)
        return run == comparison.baseline ? QStringLiteral("A") : QStringLiteral("B");
    return DeltaModel::tr("run %1").arg(comparison.runs[run].id);
}

void DeltaModel::setComparison(RunsComparison comparison) {
    beginResetModel();
    m_comparison = std::move(comparison);
    m_largest = m_comparison.ops.empty()
                    ? 0
                    : std::abs(m_comparison.deltaNs(m_comparison.ops.front(),
                                                    m_comparison.farthest(m_comparison.ops.front())));
    endResetModel();
}

const ComparedOp* DeltaModel::op(int row) const {
    return row >= 0 && row < rowCount() ? &m_comparison.ops[static_cast<std::size_t>(row)] : nullptr;
}

int DeltaModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_comparison.ops.size());
}

int DeltaModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : whyColumn() + 1;
}

QString DeltaModel::placementText(const ComparedOp& op) const {
    QStringList places;
    for (std::size_t run = 0; run < op.sides.size(); ++run)
        places << (op.sides[run].there ? text(op.sides[run].placement) : QString());
    if (places.count(QString()) > 0) {
        QStringList in;
        for (std::size_t run = 0; run < op.sides.size(); ++run)
            if (op.sides[run].there)
                in << comparedName(m_comparison, run);
        return tr("only in %1").arg(in.join(QStringLiteral(", ")));
    }
    return places.count(places.front()) == places.size() ? places.front()
                                                         : places.join(QStringLiteral(" → "));
}

QVariant DeltaModel::deltaData(const ComparedOp& op, int column, int role) const {
    const bool exact = role == Qt::EditRole || role == kSortRole;
    const std::size_t far = m_comparison.farthest(op);
    const double delta = m_comparison.deltaNs(op, far);
    const bool areMany = m_comparison.runs.size() > 2 && delta != 0;
    if (column == deltaColumn()) {
        if (role == kSortRole)
            return std::abs(delta);
        return exact ? QVariant(delta)
               : areMany
                   ? QVariant(tr("%1 in %2").arg(signedTimeText(delta), comparedName(m_comparison, far)))
                   : QVariant(signedTimeText(delta));
    }
    const ComparedOpSide& base = op.sides[m_comparison.baseline];
    const double share = base.cost.totalNs() > 0 ? delta / base.cost.totalNs() : 0;
    if (exact)
        return role == kSortRole ? std::abs(share) : share;
    return base.cost.totalNs() > 0 && op.sides[far].there
               ? (share > 0 ? QStringLiteral("+") : QString()) + text(percentText(share))
               : QStringLiteral("–");
}

QVariant DeltaModel::data(const QModelIndex& index, int role) const {
    const ComparedOp* op = index.isValid() ? this->op(index.row()) : nullptr;
    if (!op)
        return {};
    const int column = index.column();
    const bool isNumber = column >= FirstTime && column < whyColumn();
    if (role == Qt::TextAlignmentRole)
        return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if ((role == Qt::BackgroundRole || role == Qt::ForegroundRole) && column == deltaColumn()) {
        const double delta = m_comparison.deltaNs(*op, m_comparison.farthest(*op));
        if (m_largest <= 0 || delta == 0)
            return {};
        // The square root keeps small differences visible beside a large one.
        const QColor back = diverging(std::copysign(std::sqrt(std::abs(delta) / m_largest), delta));
        return role == Qt::BackgroundRole ? back : textOn(back);
    }
    const bool exact = role == Qt::EditRole || role == kSortRole;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && !exact)
        return {};
    if (column == Name)
        return text(op->name);
    if (column == Type)
        return text(op->type);
    if (column == Placement)
        return placementText(*op);
    if (column == whyColumn())
        return coreWord(m_comparison.why(*op, m_comparison.farthest(*op)));
    if (column == deltaColumn() || column == relativeColumn())
        return role == Qt::ToolTipRole
                   ? QVariant(
                         tr("%1 ns").arg(m_comparison.deltaNs(*op, m_comparison.farthest(*op)), 0, 'g', 17))
                   : deltaData(*op, column, role);
    const ComparedOpSide& side = op->sides[static_cast<std::size_t>(column - FirstTime)];
    if (role == Qt::ToolTipRole)
        return side.there ? QVariant(tr("%1 ns%2")
                                         .arg(side.cost.totalNs(), 0, 'g', 17)
                                         .arg(side.draft.empty() ? QString()
                                                                 : tr(", draft %1").arg(text(side.draft))))
                          : QVariant();
    if (!side.there)
        return exact ? QVariant() : QVariant(QStringLiteral("–"));
    return exact ? QVariant(side.cost.totalNs()) : QVariant(text(timeText(side.cost.totalNs())));
}

QVariant DeltaModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const bool isNumber = section >= FirstTime && section < whyColumn();
    if (role == Qt::TextAlignmentRole)
        return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const auto pick = [role](const QString& shown, const QString& exact, const QString& tip) -> QVariant {
        return role == Qt::DisplayRole   ? QVariant(shown)
               : role == Qt::EditRole    ? QVariant(exact)
               : role == Qt::ToolTipRole ? QVariant(tip)
                                         : QVariant();
    };
    if (section == Name)
        return pick(tr("Op"), QStringLiteral("name"), tr("Name of the op"));
    if (section == Type)
        return pick(tr("Type"), QStringLiteral("type"), tr("Kind of op"));
    if (section == Placement)
        return pick(tr("On"), QStringLiteral("placement"), tr("Where it runs, in every run"));
    if (section == deltaColumn())
        return pick(QStringLiteral("Δ"), QStringLiteral("delta_ns"),
                    m_comparison.runs.size() > 2
                        ? tr("The run that differs most, minus the baseline; sorts by size")
                        : tr("B minus A; sorts by size"));
    if (section == relativeColumn())
        return pick(QStringLiteral("Δ %"), QStringLiteral("delta_share"), tr("Δ over the baseline"));
    if (section == whyColumn())
        return pick(tr("Why"), QStringLiteral("why"), tr("Which parts changed"));
    const auto run = static_cast<std::size_t>(section - FirstTime);
    const QString title = shownTitle(m_comparison.runs[run]);
    return pick(comparedName(m_comparison, run), QStringLiteral("run_%1_ns").arg(m_comparison.runs[run].id),
                run == m_comparison.baseline ? tr("Time in %1, the baseline").arg(title)
                                             : tr("Time in %1").arg(title));
}

} // namespace pim::views
