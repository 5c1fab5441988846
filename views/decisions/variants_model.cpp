// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/decisions/variants_model.h"

#include "core/base/number_text.h"
#include "views/common/core_words.h"
#include "views/common/palette.h"
#include "views/models/workspace.h"

#include <QFont>

#include <algorithm>

namespace pim::views {
namespace {

QString signedPercent(double fraction) {
    const QString text = QString::fromStdString(percentText(std::abs(fraction)));
    return fraction == 0 ? text : (fraction < 0 ? QStringLiteral("−") : QStringLiteral("+")) + text;
}

} // namespace

VariantsModel::VariantsModel(Workspace& workspace, const VariantTotals& totals, QObject* parent)
    : QAbstractTableModel(parent), m_workspace(workspace), m_totals(totals) {
    for (const auto signal : {&Workspace::variantsChanged, &Workspace::graphChanged})
        connect(&workspace, signal, this, &VariantsModel::refresh);
    connect(&totals, &VariantTotals::changed, this, &VariantsModel::refresh);
    refresh();
}

void VariantsModel::setMetric(VariantMetric metric) {
    m_metric = metric;
    refresh();
}

void VariantsModel::add(const std::vector<Variant>& all, const std::string& parent, int depth) {
    for (const Variant& variant : all)
        if (variant.parent == parent && variant.name != parent && depth <= static_cast<int>(all.size())) {
            m_rows.push_back({variant, depth, {}, {}, {}, 0, false});
            add(all, variant.name, depth + 1);
        }
}

void VariantsModel::refresh() {
    std::vector<Row> old = std::exchange(m_rows, {});
    const auto& all = m_workspace.variants();
    if (m_workspace.graph())
        add(all, {}, 0);
    for (Row& row : m_rows)
        if (const VariantTotal* total = m_totals.find(row.variant)) {
            row.value = total->value(m_metric);
            row.problem = !total->problem.isEmpty()                 ? total->problem
                          : needsSimulation(m_metric) && !row.value ? total->simulationProblem
                                                                    : QString();
            row.stale = total->fit.count(Fit::Stale);
            row.isKnown = row.value || !row.problem.isEmpty();
        }
    m_best.clear();
    const Row* best = nullptr;
    std::ptrdiff_t known = 0;
    for (Row& row : m_rows) {
        const auto parent =
            std::ranges::find(m_rows, row.variant.parent, [](const Row& each) { return each.variant.name; });
        if (row.value && parent != m_rows.end() && parent->value && *parent->value > 0)
            row.toParent = *row.value / *parent->value - 1;
        known += row.value.has_value();
        if (row.value && (!best || *row.value < *best->value))
            best = &row;
    }
    if (best && known > 1)
        m_best = best->variant.name;
    // A reset would take away selection and editor: only where the list itself changed.
    const bool isSameList = std::ranges::equal(
        old, m_rows, {}, [](const Row& row) { return std::pair(row.variant.name, row.depth); },
        [](const Row& row) { return std::pair(row.variant.name, row.depth); });
    if (isSameList && !m_rows.empty())
        return emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
    beginResetModel();
    endResetModel();
}

QString VariantsModel::nameAt(int row) const {
    return row >= 0 && row < rowCount()
               ? QString::fromStdString(m_rows[static_cast<std::size_t>(row)].variant.name)
               : QString();
}

int VariantsModel::rowOf(const QString& name) const {
    for (int row = 0; row < rowCount(); ++row)
        if (nameAt(row) == name)
            return row;
    return -1;
}

QString VariantsModel::best() const {
    return QString::fromStdString(m_best);
}

int VariantsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}
int VariantsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QString VariantsModel::text(const Row& row, int column) const {
    const QString name = QString::fromStdString(row.variant.name);
    switch (column) {
    case Name:
        return QString(row.depth * 3, u' ') + (row.depth ? QStringLiteral("└ ") : QString()) + name +
               (row.variant.name == m_best ? QStringLiteral("  ★") : QString());
    case Decisions:
        return row.stale > 0 ? tr("%1 (%2 stale)").arg(row.variant.overrides.size()).arg(row.stale)
                             : QString::number(row.variant.overrides.size());
    case Value:
        return row.value     ? metricText(m_metric, *row.value)
               : row.isKnown ? tr("unknown")
                             : QStringLiteral("…");
    default:
        return row.toParent ? signedPercent(*row.toParent) : QString();
    }
}

QString VariantsModel::tip(const Row& row, int column) const {
    QStringList lines;
    if (column == Value && row.value)
        lines.append(m_metric == VariantMetric::SimulatedEnergy ? tr("%1 pJ").arg(*row.value, 0, 'g', 17)
                                                                : tr("%1 ns").arg(*row.value, 0, 'g', 17));
    if (column == ToParent && row.toParent)
        lines.append(
            tr("Against \"%1\", which it was branched from").arg(QString::fromStdString(row.variant.parent)));
    if (column == Name) {
        if (row.variant.name == m_workspace.variant().toStdString())
            lines.append(tr("In force"));
        if (row.variant.name == m_best)
            lines.append(tr("★ Best so far: least %1").arg(amidSentence(metricName(m_metric))));
        if (!row.variant.parent.empty())
            lines.append(tr("Branched from \"%1\"").arg(QString::fromStdString(row.variant.parent)));
    }
    if (!row.problem.isEmpty())
        lines.append(row.problem);
    else if (!row.isKnown)
        lines.append(tr("Not planned yet"));
    return lines.join(u'\n');
}

QVariant VariantsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::EditRole:
        if (index.column() == Name)
            return QString::fromStdString(row.variant.name);
        if (index.column() == Value && row.value)
            return *row.value;
        if (index.column() == ToParent && row.toParent)
            return *row.toParent;
        return text(row, index.column());
    case Qt::ToolTipRole:
        return tip(row, index.column());
    case Qt::AccessibleTextRole:
        return index.column() == Name ? QVariant(nameAt(index.row()) + u'\n' + tip(row, Name)) : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() == Name ? QVariant() : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return index.column() == Value && !row.value ? QVariant(color(Role::Muted)) : QVariant();
    case Qt::FontRole: {
        QFont font;
        font.setBold(row.variant.name == m_workspace.variant().toStdString());
        font.setItalic(index.column() == Value && !needsSimulation(m_metric)); // predicted, as everywhere
        return font;
    }
    default:
        return {};
    }
}

QVariant VariantsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Name ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                               : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::EditRole && section == Value)
        return m_metric == VariantMetric::SimulatedEnergy ? tr("%1 (pJ)").arg(metricName(m_metric))
                                                          : tr("%1 (ns)").arg(metricName(m_metric));
    if (role == Qt::EditRole && section == ToParent)
        return tr("To parent (fraction)");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Variant");
    case Decisions:
        return tr("Decisions");
    case Value:
        return metricName(m_metric);
    default:
        return tr("To parent");
    }
}

Qt::ItemFlags VariantsModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags all = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == Name ? all | Qt::ItemIsEditable : all;
}

bool VariantsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !index.isValid() || index.column() != Name)
        return false;
    m_workspace.renameVariant(nameAt(index.row()), value.toString());
    return true;
}

} // namespace pim::views
