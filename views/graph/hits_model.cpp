// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/hits_model.h"

namespace pim::views {

void HitsModel::setHits(std::vector<OpId> hits) {
    beginResetModel();
    m_hits = std::move(hits);
    endResetModel();
}

void HitsModel::setFigures(const OverlaySource& source, Overlay overlay) {
    if (source.graph != m_source.graph) {
        beginResetModel();
        m_hits.clear(); // positions in another graph
        m_source = source;
        endResetModel();
    }
    m_source = source;
    m_overlay = isFigure(overlay) ? overlay : Overlay::TotalTime;
    emit headerDataChanged(Qt::Horizontal, Value, Value);
    if (!m_hits.empty())
        emit dataChanged(index(0, Placed), index(rowCount() - 1, Value));
}

int HitsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_hits.size());
}

int HitsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : Columns;
}

QVariant HitsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole && index.column() == Value)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    const bool isExact = role == Qt::EditRole;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && !isExact)
        return {};
    const OpId id = op(index.row());
    const Op& op = m_source.graph->op(id);
    switch (index.column()) {
    case Name:
        return QString::fromStdString(op.name);
    case Type:
        return QString::fromStdString(op.type);
    case Shape:
        for (const TensorId output : op.outputs)
            if (output.valid())
                return tensorText(m_source.graph->tensor(output));
        return {};
    case Placed: {
        const Plan* plan = m_source.planOf(*m_source.graph);
        return plan ? QString::fromStdString(name(plan->opPlan(id).placement)) : QString();
    }
    default:
        break;
    }
    const auto value = overlayValue(m_source, m_overlay, {id});
    if (!value)
        return role == Qt::ToolTipRole ? whyUnknown(m_source, m_overlay, id) : QVariant();
    if (isExact)
        return *value;
    return role == Qt::ToolTipRole ? QString::number(*value, 'g', 17) : overlayValueText(m_overlay, *value);
}

QVariant HitsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::EditRole))
        return {};
    switch (section) {
    case Name:
        return tr("Op");
    case Type:
        return tr("Type");
    case Shape:
        return tr("Shape");
    case Placed:
        return tr("On");
    default:
        return role == Qt::EditRole ? overlayExactHeader(m_overlay) : overlayText(m_overlay);
    }
}

} // namespace pim::views
