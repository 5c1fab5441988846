// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/flow_layout.h"

#include <QWidget>

#include <algorithm>

namespace pim::views {

FlowLayout::FlowLayout() {
    setSpacing(6);
}

FlowLayout::~FlowLayout() = default;

void FlowLayout::insertWidget(int index, QWidget* widget) {
    addWidget(widget);
    std::rotate(m_items.begin() + index, m_items.end() - 1, m_items.end());
}

void FlowLayout::addItem(QLayoutItem* item) {
    m_items.emplace_back(item);
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? m_items[std::size_t(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    if (index < 0 || index >= count())
        return nullptr;
    QLayoutItem* const item = m_items[std::size_t(index)].release();
    m_items.erase(m_items.begin() + index);
    return item;
}

/// All in one row.
QSize FlowLayout::sizeHint() const {
    const QMargins margins = contentsMargins();
    int width = margins.left() + margins.right(), height = 0;
    for (const auto& item : m_items)
        if (!item->isEmpty()) {
            width += item->sizeHint().width() + spacing();
            height = std::max(height, item->sizeHint().height());
        }
    return {width, height + margins.top() + margins.bottom()};
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const auto& item : m_items)
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    const QMargins margins = contentsMargins();
    return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool moves) const {
    const QRect inner = rect.marginsRemoved(contentsMargins());
    int x = inner.x(), y = inner.y(), row = 0;
    for (const auto& item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize size = item->sizeHint().boundedTo({std::max(1, inner.width()), QWIDGETSIZE_MAX});
        if (x > inner.x() && x + size.width() > inner.x() + inner.width()) {
            x = inner.x();
            y += row + spacing();
            row = 0;
        }
        if (moves) // in a panel that is too low the last rows are cut, and lie on nothing below
            item->setGeometry(
                {QPoint(x, y), size.boundedTo({size.width(), std::max(0, inner.bottom() + 1 - y)})});
        x += size.width() + spacing();
        row = std::max(row, size.height());
    }
    return y + row - rect.y() + contentsMargins().bottom();
}

} // namespace pim::views
