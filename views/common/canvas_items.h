// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a painted canvas shows, for those who do not see it: a list of items with name, value, place and state, which a
/// screen reader walks through as the children of the canvas, and events that tell it where the keys are. One
/// QAccessibleInterface serves all canvases; a canvas only says what is on it.
#include <QRectF>
#include <QString>

#include <functional>

class QWidget;

namespace pim::views {

struct CanvasItem {
    QString name;  ///< "conv1, Conv"
    QString value; ///< "12.3 µs"
    QRectF rect;   ///< On the canvas, in its viewport where it scrolls; null: not drawn now.
    bool isSelected = false;
};

/// Asked whenever a screen reader asks, never kept: the canvas may change at any time.
struct CanvasItems {
    std::function<int()> count;
    std::function<CanvasItem(int item)> item;
    std::function<int()> current;          ///< Where the keys are; -1: nowhere. Null: always nowhere.
    std::function<void(int item)> choose;  ///< As a click does. Null: nothing can be chosen.
    std::function<int(const QPointF&)> at; ///< -1: nothing there. Null: found by the places of the items.
    /// What stays the same when an item gets another position. Null: the position.
    std::function<qint64(int item)> key;
};

/// A tip as it is read out: its lines and cells one after the other.
QString spoken(const QString& tip);

/// From now on the children of \p canvas are \p items. \p owner: the widget whose members \p items use; they are not
/// asked any more once it is being destroyed. Its arrow keys have to lead from item to item.
void setCanvasItems(QWidget* canvas, QWidget* owner, CanvasItems items);
/// There are other items than before.
void announceItems(QWidget* canvas);
/// The keys may be at another item, or it has another value: tells so, unless that was told last.
void announceCurrent(QWidget* canvas);

} // namespace pim::views
