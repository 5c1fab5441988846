// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/figures_model.h"

#include "core/base/number_text.h"

namespace pim::views {

FiguresModel::FiguresModel(std::vector<FigureColumn> columns, QObject* parent)
    : QAbstractTableModel(parent), m_columns(std::move(columns)) {}

void FiguresModel::setRows(std::vector<std::vector<Figure>> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int FiguresModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int FiguresModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant FiguresModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount())
        return {};
    const auto column = static_cast<std::size_t>(index.column());
    const Figure& cell = m_rows[static_cast<std::size_t>(index.row())][column];
    switch (role) {
    case Qt::DisplayRole:
        return cell.shown;
    case Qt::EditRole:
        return cell.exact.isValid() ? cell.exact : QVariant(cell.shown);
    case Qt::DecorationRole:
        return cell.color.isValid() ? QVariant(cell.color) : QVariant();
    case Qt::ToolTipRole:
        return m_columns[column].isNumber ? QVariant() : QVariant(cell.shown);
    case Qt::TextAlignmentRole:
        return headerData(index.column(), Qt::Horizontal, role);
    default:
        return {};
    }
}

QVariant FiguresModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const FigureColumn& column = m_columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return column.shown;
    case Qt::EditRole:
        return column.exact;
    case Qt::ToolTipRole:
        return column.tip.isEmpty() ? QVariant() : QVariant(column.tip);
    case Qt::TextAlignmentRole:
        return int((column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
        return {};
    }
}

Figure countFigure(qint64 value) {
    return {QString::fromStdString(exactText(value)), value, {}};
}

Figure shareFigure(double share) {
    return {share > 0 && share < 0.0005 ? QStringLiteral("<0.1 %")
                                        : QString::fromStdString(percentText(share)),
            share,
            {}};
}

} // namespace pim::views
