// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/canvas_items.h"

#include <QAbstractScrollArea>
#include <QAccessibleWidget>
#include <QHash>
#include <QPointer>
#include <QTextDocumentFragment>

namespace pim::views {
namespace {

/// Items that are looked through one by one for the one under a point; a canvas with more of them finds it itself.
constexpr int kMostLookedThrough = 10000;

/// Carries the items as a child of the canvas.
class ItemHolder : public QObject {
public:
    ItemHolder(QWidget* canvas, QWidget* owner, CanvasItems items)
        : QObject(canvas), m_owner(owner), m_items(std::move(items)) {}

    static ItemHolder* of(const QObject* canvas) {
        for (QObject* child : canvas->children())
            if (auto* holder = dynamic_cast<ItemHolder*>(child))
                return holder;
        return nullptr;
    }
    int count() const { return m_owner ? m_items.count() : 0; }
    bool has(int position) const { return position >= 0 && position < count(); }
    CanvasItem item(int position) const { return m_items.item(position); }
    qint64 key(int position) const { return m_items.key ? m_items.key(position) : position; }
    int current() const {
        const int position = m_owner && m_items.current ? m_items.current() : -1;
        return has(position) ? position : -1;
    }
    bool canChoose() const { return m_items.choose != nullptr; }
    void choose(int position) const { m_items.choose(position); }
    int find(qint64 key, int lastSeen) const {
        if (has(lastSeen) && this->key(lastSeen) == key)
            return lastSeen;
        for (int position = 0; m_items.key && position < count(); ++position)
            if (this->key(position) == key)
                return position;
        return -1;
    }
    int at(const QPointF& point) const {
        if (m_items.at)
            return m_owner ? m_items.at(point) : -1;
        if (count() > kMostLookedThrough)
            return -1;
        for (int position = count() - 1; position >= 0; --position) // the last painted lies on top
            if (item(position).rect.contains(point))
                return position;
        return -1;
    }

    qint64 announced = -1;  ///< Key of the item told last,
    QString announcedValue; ///< and what it was then.

private:
    QPointer<QWidget> m_owner;
    CanvasItems m_items;
};

QWidget* surfaceOf(QWidget* canvas) {
    auto* area = qobject_cast<QAbstractScrollArea*>(canvas);
    return area ? area->viewport() : canvas;
}

class ItemInterface : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    ItemInterface(QWidget* canvas, qint64 key, int position)
        : m_canvas(canvas), m_key(key), m_position(position) {}

    int position() const {
        const ItemHolder* holder = m_canvas ? ItemHolder::of(m_canvas) : nullptr;
        return m_position = holder ? holder->find(m_key, m_position) : -1;
    }
    bool isValid() const override { return position() >= 0; }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override {
        const QAccessibleInterface* above = parent();
        return above ? above->window() : nullptr;
    }
    QAccessibleInterface* parent() const override {
        return m_canvas ? QAccessible::queryAccessibleInterface(m_canvas) : nullptr;
    }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::ListItem; }

    QString text(QAccessible::Text kind) const override {
        const CanvasItem item = shown();
        switch (kind) {
        case QAccessible::Name:
            return item.name;
        case QAccessible::Value:
        case QAccessible::Description: // AT-SPI takes only numbers for the value: it is read as this
            return item.value;
        default:
            return {};
        }
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override {
        if (!m_canvas)
            return {};
        const QWidget* surface = surfaceOf(m_canvas);
        const QRect seen = shown().rect.toAlignedRect() & surface->rect();
        return seen.isEmpty() ? QRect() : QRect(surface->mapToGlobal(seen.topLeft()), seen.size());
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        const int at = position();
        if (at < 0) {
            state.invalid = true;
            return state;
        }
        const ItemHolder* holder = ItemHolder::of(m_canvas);
        state.focusable = true;
        state.focused = m_canvas->hasFocus() && holder->current() == at;
        state.active = holder->current() == at;
        state.selectable = holder->canChoose();
        state.selected = shown().isSelected;
        state.disabled = !m_canvas->isEnabled();
        state.offscreen = rect().isEmpty();
        state.invisible = !m_canvas->isVisible();
        return state;
    }

    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                    : nullptr;
    }
    QStringList actionNames() const override {
        const ItemHolder* holder = m_canvas ? ItemHolder::of(m_canvas) : nullptr;
        return holder && holder->canChoose() ? QStringList{pressAction()} : QStringList{};
    }
    void doAction(const QString& action) override {
        if (const int at = position(); at >= 0 && actionNames().contains(action))
            ItemHolder::of(m_canvas)->choose(at);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    CanvasItem shown() const {
        const int at = position();
        if (at < 0)
            return {};
        CanvasItem item = ItemHolder::of(m_canvas)->item(at);
        // Tips begin with the name, which has been read out by then.
        if (item.value.size() > item.name.size() && item.value.startsWith(item.name))
            if (qsizetype from = item.name.size(); QStringView(u":,; ·").contains(item.value[from])) {
                while (from + 1 < item.value.size() && QStringView(u":,; ·").contains(item.value[from]))
                    ++from;
                item.value.remove(0, from);
            }
        return item;
    }

    QPointer<QWidget> m_canvas;
    qint64 m_key;
    mutable int m_position; ///< Where it was seen last.
};

class CanvasInterface : public QAccessibleWidget {
public:
    explicit CanvasInterface(QWidget* canvas) : QAccessibleWidget(canvas, QAccessible::List) {}
    ~CanvasInterface() override {
        for (const QAccessible::Id id : std::as_const(m_ids))
            QAccessible::deleteAccessibleInterface(id);
    }

    // The items first, then what widgets lie on the canvas.
    int childCount() const override { return items() + QAccessibleWidget::childCount(); }
    QAccessibleInterface* child(int index) const override {
        const int count = items();
        return index < count ? itemAt(index) : QAccessibleWidget::child(index - count);
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        if (const auto* item = dynamic_cast<const ItemInterface*>(child))
            return item->position();
        const int index = QAccessibleWidget::indexOfChild(child);
        return index < 0 ? -1 : index + items();
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        if (!widget()->isVisible())
            return nullptr;
        if (QAccessibleInterface* below = QAccessibleWidget::childAt(x, y);
            below && below->object() != surfaceOf(widget()))
            return below;
        const ItemHolder* holder = ItemHolder::of(widget());
        const QPoint at = surfaceOf(widget())->mapFromGlobal(QPoint(x, y));
        return holder && surfaceOf(widget())->rect().contains(at) ? itemAt(holder->at(at)) : nullptr;
    }
    QAccessibleInterface* focusChild() const override {
        const ItemHolder* holder = ItemHolder::of(widget());
        if (!holder || !widget()->hasFocus())
            return QAccessibleWidget::focusChild();
        QAccessibleInterface* current = itemAt(holder->current());
        return current ? current : QAccessibleWidget::focusChild();
    }

private:
    int items() const {
        const ItemHolder* holder = ItemHolder::of(widget());
        return holder ? holder->count() : 0;
    }
    QAccessibleInterface* itemAt(int position) const {
        const ItemHolder* holder = ItemHolder::of(widget());
        if (!holder || !holder->has(position))
            return nullptr;
        const qint64 key = holder->key(position);
        if (const auto found = m_ids.constFind(key); found != m_ids.constEnd())
            return QAccessible::accessibleInterface(*found);
        if (m_ids.size() > 2 * holder->count() + kKeptBeyond)
            forgetGone();
        auto* item = new ItemInterface(widget(), key, position);
        m_ids.insert(key, QAccessible::registerAccessibleInterface(item));
        return item;
    }
    void forgetGone() const {
        for (auto id = m_ids.begin(); id != m_ids.end();) {
            if (const QAccessibleInterface* item = QAccessible::accessibleInterface(*id);
                item && item->isValid()) {
                ++id;
                continue;
            }
            QAccessible::deleteAccessibleInterface(*id);
            id = m_ids.erase(id);
        }
    }

    static constexpr int kKeptBeyond = 64; ///< Items that are gone, before they are looked for.
    mutable QHash<qint64, QAccessible::Id> m_ids;
};

QAccessibleInterface* canvasInterface(const QString&, QObject* object) {
    auto* widget = qobject_cast<QWidget*>(object);
    return widget && ItemHolder::of(widget) ? new CanvasInterface(widget) : nullptr;
}

void tell(QWidget* canvas, QAccessible::Event what, int item) {
    QAccessibleEvent event(canvas, what);
    event.setChild(item);
    QAccessible::updateAccessibility(&event);
}

} // namespace

QString spoken(const QString& tip) {
    const QString lines = Qt::mightBeRichText(tip) ? QTextDocumentFragment::fromHtml(tip).toPlainText() : tip;
    return lines.split(u'\n', Qt::SkipEmptyParts).join(QStringLiteral(", "));
}

void setCanvasItems(QWidget* canvas, QWidget* owner, CanvasItems items) {
    QAccessible::installFactory(canvasInterface); // a second time does nothing
    delete ItemHolder::of(canvas);
    // Made while it had no items, if somebody asked: the naming of a widget is told to those who listen.
    if (QAccessibleInterface* made = QAccessible::queryAccessibleInterface(canvas))
        QAccessible::deleteAccessibleInterface(QAccessible::uniqueId(made));
    new ItemHolder(canvas, owner, std::move(items));
}

void announceItems(QWidget* canvas) {
    if (ItemHolder* holder = QAccessible::isActive() ? ItemHolder::of(canvas) : nullptr) {
        holder->announced = -1;
        QAccessibleEvent event(canvas, QAccessible::ObjectReorder);
        QAccessible::updateAccessibility(&event);
    }
}

void announceCurrent(QWidget* canvas) {
    ItemHolder* holder = QAccessible::isActive() ? ItemHolder::of(canvas) : nullptr;
    const int current = holder ? holder->current() : -1;
    if (current < 0) {
        if (holder)
            holder->announced = -1;
        return;
    }
    const CanvasItem item = holder->item(current);
    const bool isOther = holder->key(current) != holder->announced;
    const bool hasChanged = isOther || item.value != holder->announcedValue;
    holder->announced = holder->key(current);
    holder->announcedValue = item.value;
    if (isOther && canvas->hasFocus())
        tell(canvas, QAccessible::Focus, current);
    if (isOther && item.isSelected)
        tell(canvas, QAccessible::Selection, current);
    if (!isOther && hasChanged)
        tell(canvas, QAccessible::DescriptionChanged, current);
}

} // namespace pim::views
