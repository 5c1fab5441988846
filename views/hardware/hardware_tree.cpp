// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hardware/hardware_tree.h"

#include "core/base/number_text.h"
#include "views/common/palette.h"
#include "views/hardware/floorplan.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace pim::views {
namespace {

// Ids of rows: what a row is must not need a lookup, there can be a million.
constexpr quintptr kHostId = 0, kMachineId = 1;
constexpr int kLevelBits = 4;
quintptr idOf(std::size_t level, std::int64_t index) {
    return (static_cast<quintptr>(index) << kLevelBits) | (level + 2);
}
std::size_t levelOf(quintptr id) {
    return (id & ((1U << kLevelBits) - 1)) - 2;
}
std::int64_t instanceOf(quintptr id) {
    return static_cast<std::int64_t>(id >> kLevelBits);
}

/// A bar of what is taken behind the text: others, then the op.
class UseDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const QVariant use = index.data(HardwareTreeModel::kUseRole);
        if (!use.isValid())
            return;
        const QPointF shares = use.toPointF();
        const QRectF bar(option.rect.left() + 2, option.rect.bottom() - 4, option.rect.width() - 4, 3);
        painter->fillRect(bar, color(Role::GridLine));
        const double others = bar.width() * shares.x(), ofOp = bar.width() * shares.y();
        painter->fillRect(QRectF(bar.left(), bar.top(), others, bar.height()), color(Role::OnPim));
        painter->fillRect(
            QRectF(bar.left() + others, bar.top(), std::max(ofOp, shares.y() > 0 ? 1.0 : 0.0), bar.height()),
            color(Role::Selection));
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(0, 5);
    }
};

} // namespace

void HardwareTreeModel::setTarget(std::shared_ptr<const Target> target) {
    if (target == m_target)
        return;
    beginResetModel();
    m_target = std::move(target);
    m_figures.reset();
    endResetModel();
}

void HardwareTreeModel::setUse(const MachineUse& use) {
    m_use = use;
    refreshFigures();
}

void HardwareTreeModel::setFigures(std::shared_ptr<const CoreFigures> figures) {
    m_figures = std::move(figures);
    emit headerDataChanged(Qt::Horizontal, Figure, Figure);
    refreshFigures();
}

void HardwareTreeModel::refreshFigures() {
    // Only what is on screen is asked again; Qt needs to hear of one stretch of rows for that.
    if (m_target)
        emit dataChanged(index(0, Used), index(rowCount() - 1, Figure));
}

HardwareSpot HardwareTreeModel::spotOfIndex(const QModelIndex& index) const {
    if (!index.isValid() || !m_target)
        return {};
    if (index.internalId() == kHostId)
        return {HardwareSpot::Kind::Host, {}};
    if (index.internalId() == kMachineId)
        return {HardwareSpot::Kind::Machine, {}};
    return spotOf(*m_target, levelOf(index.internalId()), instanceOf(index.internalId()));
}

QModelIndex HardwareTreeModel::indexOfSpot(const HardwareSpot& spot) const {
    if (!m_target || spot.kind == HardwareSpot::Kind::None)
        return {};
    if (spot.kind == HardwareSpot::Kind::Host)
        return createIndex(0, 0, kHostId);
    if (spot.path.empty())
        return createIndex(1, 0, kMachineId);
    std::int64_t instance = 0;
    for (std::size_t level = 0; level < spot.path.size(); ++level)
        instance = instance * m_target->levels[level].count + spot.path[level];
    return createIndex(spot.path.back(), 0, idOf(spot.path.size() - 1, instance));
}

QModelIndex HardwareTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (row < 0 || row >= rowCount(parent) || column < 0 || column >= kColumns)
        return {};
    if (!parent.isValid())
        return createIndex(row, column, row == 0 ? kHostId : kMachineId);
    const bool ofMachine = parent.internalId() == kMachineId;
    const std::size_t level = ofMachine ? 0 : levelOf(parent.internalId()) + 1;
    const std::int64_t before =
        ofMachine ? 0 : instanceOf(parent.internalId()) * m_target->levels[level].count;
    return createIndex(row, column, idOf(level, before + row));
}

QModelIndex HardwareTreeModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() <= kMachineId || !m_target)
        return {};
    const std::size_t level = levelOf(index.internalId());
    if (level == 0)
        return createIndex(1, 0, kMachineId);
    const std::int64_t above = instanceOf(index.internalId()) / m_target->levels[level].count;
    return createIndex(static_cast<int>(above % m_target->levels[level - 1].count), 0,
                       idOf(level - 1, above));
}

int HardwareTreeModel::rowCount(const QModelIndex& parent) const {
    if (!m_target || parent.column() > 0)
        return 0;
    if (!parent.isValid())
        return 2;
    if (parent.internalId() == kHostId)
        return 0;
    const std::size_t level = parent.internalId() == kMachineId ? 0 : levelOf(parent.internalId()) + 1;
    return level < m_target->levels.size() ? m_target->levels[level].count : 0;
}

int HardwareTreeModel::columnCount(const QModelIndex&) const {
    return kColumns;
}

QString HardwareTreeModel::figureText(const HardwareSpot& spot) const {
    const CoreRange cores = coresOf(*m_target, spot);
    if (!m_figures || m_figures->values.empty() || cores.count == 0)
        return {};
    // Of several cores the busiest: that is the one everybody waits for.
    double most = -1;
    for (std::int64_t i = cores.first; i < cores.first + cores.count && i < std::ssize(m_figures->values);
         ++i)
        most = std::max(most, m_figures->values[static_cast<std::size_t>(i)]);
    if (most < 0)
        return tr("idle");
    return cores.count > 1 && m_figures->kinds.empty() ? tr("≤ %1").arg(m_figures->text(most))
                                                       : m_figures->text(most);
}

QVariant HardwareTreeModel::text(const HardwareSpot& spot, int column, bool exact) const {
    if (column == Place) {
        if (spot.kind == HardwareSpot::Kind::Host)
            return exact ? QString::fromStdString(m_target->host.name) : tr("Host");
        if (spot.path.empty() || exact)
            return spotName(*m_target, spot);
        return QStringLiteral("%1 %2")
            .arg(QString::fromStdString(m_target->levels[spot.path.size() - 1].name))
            .arg(spot.path.back());
    }
    if (spot.kind == HardwareSpot::Kind::Host)
        return {};
    if (column == Figure)
        return figureText(spot);
    const MemoryUse use = m_use.of(coresOf(*m_target, spot));
    if (use.capacity <= 0)
        return {};
    const std::int64_t value = column == Used ? use.others + use.ofOp : use.free();
    if (exact)
        return tr("%1 B; %2").arg(QString::fromStdString(exactText(value)), memoryText(use));
    return memoryText(value);
}

QVariant HardwareTreeModel::data(const QModelIndex& index, int role) const {
    if (!m_target || !index.isValid())
        return {};
    const HardwareSpot spot = spotOfIndex(index);
    if (role == Qt::DisplayRole)
        return text(spot, index.column(), false);
    if (role == Qt::ToolTipRole || role == Qt::AccessibleDescriptionRole)
        return text(spot, index.column(), true);
    if (role == Qt::TextAlignmentRole && index.column() != Place)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == kUseRole && index.column() == Used && spot.kind == HardwareSpot::Kind::Machine)
        if (const MemoryUse use = m_use.of(coresOf(*m_target, spot)); use.capacity > 0) {
            const auto capacity = static_cast<double>(use.capacity);
            return QPointF(static_cast<double>(use.others) / capacity,
                           static_cast<double>(use.ofOp) / capacity);
        }
    return {};
}

QVariant HardwareTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::ToolTipRole)
        return section == Place ? tr("Every part of the machine")
               : section == Used
                   ? tr("Memory taken by ops on PIM; the bar shows other ops, then the selected one")
               : section == Free ? tr("Free memory")
               : m_figures       ? m_figures->choice.meaning
                                 : QString();
    if (role != Qt::DisplayRole)
        return {};
    return section == Place  ? tr("Place")
           : section == Used ? tr("Used")
           : section == Free ? tr("Free")
           : m_figures       ? m_figures->choice.name
                             : QString();
}

Qt::ItemFlags HardwareTreeModel::flags(const QModelIndex& index) const {
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDropEnabled
                           : Qt::NoItemFlags;
}

HardwareTree::HardwareTree(QWidget* parent) : QTreeView(parent), m_model(new HardwareTreeModel(this)) {
    setObjectName(QStringLiteral("HardwareTree"));
    setAccessibleName(tr("Parts of the machine"));
    setModel(m_model);
    setUniformRowHeights(true);
    setItemDelegateForColumn(HardwareTreeModel::Used, new UseDelegate(this));
    setAcceptDrops(true);
    setTextElideMode(Qt::ElideMiddle);
    header()->setStretchLastSection(false);
    header()->setMinimumSectionSize(40);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        expand(m_model->index(1, 0));
        fitColumns();
    });
}

void HardwareTree::fitColumns() {
    // Figures in full; a narrow tree has fewer of them, the tips have all.
    const int figure = fontMetrics().horizontalAdvance(QStringLiteral("1023.9 MiB")) + 16;
    const int least = fontMetrics().averageCharWidth() * 20;
    int room = viewport()->width() - least;
    for (const int column : {HardwareTreeModel::Used, HardwareTreeModel::Figure, HardwareTreeModel::Free}) {
        const int width = column == HardwareTreeModel::Figure ? figure * 3 / 2 : figure;
        setColumnHidden(column, room < width);
        if (room < width)
            continue;
        header()->resizeSection(column, width);
        room -= width;
    }
    header()->resizeSection(HardwareTreeModel::Place, least + std::max(0, room));
}

void HardwareTree::resizeEvent(QResizeEvent* event) {
    QTreeView::resizeEvent(event);
    fitColumns();
}

void HardwareTree::setCurrentSpot(const HardwareSpot& spot) {
    if (currentSpot() == spot)
        return;
    m_following = true;
    const QModelIndex index = m_model->indexOfSpot(spot);
    setCurrentIndex(index);
    if (index.isValid())
        scrollTo(index);
    m_following = false;
}

HardwareSpot HardwareTree::currentSpot() const {
    return m_model->spotOfIndex(currentIndex());
}

void HardwareTree::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTreeView::currentChanged(current, previous);
    if (!m_following && current.isValid())
        emit spotChosen(m_model->spotOfIndex(current));
}

void HardwareTree::dragEnterEvent(QDragEnterEvent* event) {
    if (!carriedBy(event->mimeData()).first.isEmpty())
        event->acceptProposedAction();
}

void HardwareTree::dragMoveEvent(QDragMoveEvent* event) {
    const auto [mime, payload] = carriedBy(event->mimeData());
    const HardwareSpot spot = m_model->spotOfIndex(indexAt(event->position().toPoint()));
    m_dragOver&& m_dragOver(mime, payload, spot) ? event->acceptProposedAction() : event->ignore();
}

void HardwareTree::dragLeaveEvent(QDragLeaveEvent*) {
    emit dragLeft();
}

void HardwareTree::dropEvent(QDropEvent* event) {
    const auto [mime, payload] = carriedBy(event->mimeData());
    const HardwareSpot spot = m_model->spotOfIndex(indexAt(event->position().toPoint()));
    const bool legal = m_dragOver && m_dragOver(mime, payload, spot);
    emit dragLeft();
    if (!legal) {
        event->ignore();
        return;
    }
    event->acceptProposedAction();
    emit dropped(mime, payload, spot);
}

void HardwareTree::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("Copy Shown Rows"), this, [this] {
        QString all;
        for (int column = 0; column < HardwareTreeModel::kColumns; ++column)
            all += m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() +
                   (column + 1 < HardwareTreeModel::kColumns ? u'\t' : u'\n');
        for (QModelIndex row = m_model->index(0, 0); row.isValid(); row = indexBelow(row))
            for (int column = 0; column < HardwareTreeModel::kColumns; ++column)
                all += row.siblingAtColumn(column)
                           .data(column == 0 ? Qt::ToolTipRole : Qt::DisplayRole)
                           .toString() +
                       (column + 1 < HardwareTreeModel::kColumns ? u'\t' : u'\n');
        QGuiApplication::clipboard()->setText(all);
    });
    menu.addAction(tr("Collapse All"), this, [this] {
        collapseAll();
        expand(m_model->index(1, 0));
    });
    menu.exec(event->globalPos());
}

} // namespace pim::views
