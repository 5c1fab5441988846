// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/decisions/decisions_model.h"

#include "core/base/number_text.h"
#include "views/common/icons.h"
#include "views/models/document.h"
#include "views/models/workspace.h"

#include <algorithm>

namespace pim::views {
DecisionsModel::DecisionsModel(Workspace& workspace, QObject* parent)
    : QAbstractTableModel(parent), m_workspace(workspace) {
    for (const auto signal :
         {&Workspace::overridesChanged, &Workspace::planChanged, &Workspace::graphChanged})
        connect(&workspace, signal, this, &DecisionsModel::refresh);
    refresh();
}

void DecisionsModel::refresh() {
    beginResetModel();
    m_rows.clear();
    const auto plan = m_workspace.plan();
    const auto& known = m_workspace.fit().decisions;
    m_isPending = m_workspace.isStale();
    for (const Override& decision : m_workspace.overrides().all()) {
        const auto found = std::ranges::find(known, decision, &FittedDecision::decision);
        Row& row = m_rows.emplace_back();
        row.isKnown = found != known.end();
        row.fitted = row.isKnown ? *found : FittedDecision{decision, decision, Fit::Applied, {}};
        const OpId op =
            plan && row.fitted.fit != Fit::Stale ? plan->graph->findOp(row.fitted.inForce.op) : OpId();
        if (op.valid() && !plan->ops.empty())
            row.ns = plan->opPlan(op).cost.totalNs();
    }
    endResetModel();
}

OpId DecisionsModel::opAt(int row) const {
    const auto graph = m_workspace.graph();
    return graph ? graph->findOp(at(row).inForce.op) : OpId();
}

int DecisionsModel::count(Fit fit) const {
    return static_cast<int>(std::ranges::count_if(
        m_rows, [fit](const Row& row) { return row.isKnown && row.fitted.fit == fit; }));
}

int DecisionsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}
int DecisionsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QString DecisionsModel::stateText(const Row& row) const {
    if (!row.isKnown)
        return tr("waiting");
    switch (row.fitted.fit) {
    case Fit::Applied:
        return tr("applied");
    case Fit::Moved:
        return tr("moved");
    case Fit::Stale:
        break;
    }
    return tr("stale");
}

QString DecisionsModel::text(const Row& row, int column) const {
    switch (column) {
    case State:
        return stateText(row);
    case OpName:
        return row.fitted.decision.op.empty() ? tr("the whole network")
                                              : QString::fromStdString(row.fitted.inForce.op);
    case Field:
        return fieldText(row.fitted.inForce.field);
    case Value:
        return QString::fromStdString(row.fitted.decision.value);
    default:
        return row.ns ? QString::fromStdString(timeText(*row.ns)) : QString();
    }
}

QString DecisionsModel::tip(const Row& row, int column) const {
    if (column == Time)
        return row.ns ? tr("%1 ns%2")
                            .arg(*row.ns, 0, 'g', 17)
                            .arg(m_isPending ? tr(", before the last change") : QString())
                      : QString();
    QStringList lines{describe(row.fitted.decision)};
    if (column == Value)
        lines = {QString::fromStdString(row.fitted.decision.value)};
    if (!row.isKnown)
        lines.append(tr("The plan that tells whether it fits is being made"));
    if (!row.fitted.reason.empty())
        lines.append(QStringLiteral("%1: %2").arg(stateText(row), QString::fromStdString(row.fitted.reason)));
    if (row.isKnown && row.fitted.fit == Fit::Stale)
        lines.append(tr("It is kept and comes back when it fits again"));
    return lines.join(u'\n');
}

QVariant DecisionsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const bool isStale = row.isKnown && row.fitted.fit == Fit::Stale;
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::EditRole:
        return index.column() == Time && row.ns ? QVariant(*row.ns) : QVariant(text(row, index.column()));
    case Qt::ToolTipRole:
        return tip(row, index.column());
    case Qt::AccessibleTextRole:
        return index.column() == State && !row.fitted.reason.empty() ? QVariant(tip(row, State))
                                                                     : QVariant(text(row, index.column()));
    case Qt::TextAlignmentRole:
        return index.column() == Time ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::ForegroundRole:
        return isStale || (index.column() == Time && m_isPending) ? QVariant(color(Role::Muted)) : QVariant();
    case Qt::DecorationRole:
        if (index.column() == State && isStale)
            return icon(QStringLiteral("warning"), Role::Bad);
        return index.column() == State && row.fitted.fit == Fit::Moved
                   ? QVariant(icon(QStringLiteral("next"), Role::Accent))
                   : QVariant();
    default:
        return {};
    }
}

QVariant DecisionsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Time ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                               : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::EditRole && section == Time)
        return tr("Op takes (ns)");
    if (role == Qt::ToolTipRole && section == State)
        return tr("applied: in the plan · moved: in the plan, the op has a new name · stale: kept, but "
                  "not in the plan");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case State:
        return tr("State");
    case OpName:
        return tr("Op");
    case Field:
        return tr("Decides");
    case Value:
        return tr("Value");
    default:
        return tr("Op takes");
    }
}

} // namespace pim::views
