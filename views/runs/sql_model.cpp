// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/sql_model.h"

#include "views/common/palette.h"

namespace pim::views {
namespace {

constexpr qsizetype kShownCharacters = 200; ///< Of a text in a cell; all of it is in copies.
constexpr qsizetype kTipCharacters = 2000;

bool isNumber(const QueryValue& value) {
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

QString shownText(const QueryValue& value) {
    if (std::holds_alternative<std::monostate>(value))
        return QStringLiteral("NULL");
    if (const auto* real = std::get_if<double>(&value))
        return QString::number(*real, 'g', 7);
    const QString all = QString::fromStdString(queryText(value));
    const QString line = all.section(QLatin1Char('\n'), 0, 0).left(kShownCharacters);
    return line.size() < all.size() ? line + QStringLiteral("…") : line;
}

} // namespace

void SqlModel::setResult(QueryResult result) {
    beginResetModel();
    m_result = std::move(result);
    endResetModel();
}

int SqlModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_result.rows.size());
}

int SqlModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_result.columns.size());
}

const QueryValue& SqlModel::value(const QModelIndex& index) const {
    return m_result.rows[static_cast<std::size_t>(index.row())][static_cast<std::size_t>(index.column())];
}

QVariant SqlModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const QueryValue& cell = value(index);
    switch (role) {
    case Qt::DisplayRole:
        return shownText(cell);
    case Qt::ToolTipRole:
        return QString::fromStdString(queryText(cell)).left(kTipCharacters);
    case Qt::EditRole: // sorts as numbers, copies unrounded
        if (const auto* integer = std::get_if<std::int64_t>(&cell))
            return static_cast<qlonglong>(*integer);
        if (const auto* real = std::get_if<double>(&cell))
            return *real;
        return QString::fromStdString(queryText(cell));
    case Qt::TextAlignmentRole:
        return int((isNumber(cell) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return std::holds_alternative<std::monostate>(cell) ? QVariant(color(Role::Muted)) : QVariant();
    default:
        return {};
    }
}

QVariant SqlModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const QueryColumn& column = m_result.columns[static_cast<std::size_t>(section)];
    const QString name = QString::fromStdString(column.name), unit = QString::fromStdString(column.unit);
    if (role == Qt::DisplayRole)
        return unit.isEmpty() ? name : QStringLiteral("%1 [%2]").arg(name, unit);
    if (role == Qt::EditRole)
        return name; // the unit is part of the name already
    return {};
}

} // namespace pim::views
