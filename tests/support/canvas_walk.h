// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Walks through the items of a painted canvas as a screen reader does, and says what is wrong with them.
#include <QTest>
#include <string>

#include <QAbstractItemView>
#include <QAccessible>
#include <QApplication>
#include <QRegularExpression>
#include <QWidget>

#include <set>

namespace pim::test {

/// The items of a canvas, or nothing where \p widget is none: their interfaces have no object.
inline QList<QAccessibleInterface*> itemsOf(QWidget& widget, int most) {
    QList<QAccessibleInterface*> items;
    QAccessibleInterface* canvas = QAccessible::queryAccessibleInterface(&widget);
    if (!canvas || canvas->role() != QAccessible::List || qobject_cast<QAbstractItemView*>(&widget))
        return items;
    for (int i = 0; i < canvas->childCount() && items.size() < most; ++i)
        if (QAccessibleInterface* child = canvas->child(i); child && !child->object())
            items.append(child);
    return items;
}

inline QString nameOf(const QWidget& widget) {
    return widget.accessibleName().isEmpty() ? QString::fromLatin1(widget.metaObject()->className())
                                             : widget.accessibleName();
}

/// "Timeline: item 3 has no name" for whatever is wrong. PIM_TELL_ITEMS prints the first items.
inline QStringList faultsOf(QWidget& canvas) {
    constexpr int kWalked = 60;
    const bool isTold = qEnvironmentVariableIsSet("PIM_TELL_ITEMS"); // for a person to read
    QStringList faults;
    const auto fault = [&](int item, const QString& what) {
        faults << QStringLiteral("%1: item %2 %3").arg(nameOf(canvas)).arg(item).arg(what);
    };
    QAccessibleInterface* own = QAccessible::queryAccessibleInterface(&canvas);
    const QRect room(canvas.mapToGlobal(QPoint()), canvas.size());
    const QList<QAccessibleInterface*> items = itemsOf(canvas, kWalked);
    for (int i = 0; i < items.size(); ++i) {
        QAccessibleInterface* item = items[i];
        if (isTold && i < 3)
            qInfo("%s: %s: %s", qPrintable(nameOf(canvas)), qPrintable(item->text(QAccessible::Name)),
                  qPrintable(item->text(QAccessible::Value)));
        if (item->text(QAccessible::Name).trimmed().isEmpty())
            fault(i, QStringLiteral("has no name"));
        if (item->text(QAccessible::Value).trimmed().isEmpty())
            fault(i, QStringLiteral("\"%1\" has no value").arg(item->text(QAccessible::Name)));
        if (item->text(QAccessible::Value).contains(QRegularExpression(QStringLiteral("<[a-z/]+>|%[1-9]"))))
            fault(i, QStringLiteral("reads \"%1\"").arg(item->text(QAccessible::Value)));
        if (own->indexOfChild(item) != i)
            fault(i, QStringLiteral("is at %1").arg(own->indexOfChild(item)));
        if (!item->rect().isEmpty() && !room.contains(item->rect()))
            fault(i, QStringLiteral("lies outside of the canvas"));
        if (item->state().focusable != 1 || item->state().invalid)
            fault(i, QStringLiteral("cannot have the focus"));
    }
    return faults;
}

/// As faultsOf(): the arrow keys lead from item to item, and where they are is the focus.
inline QStringList faultsOfKeys(QWidget& canvas) {
    canvas.window()->activateWindow();
    canvas.setFocus();
    if (!QTest::qWaitFor([&] { return canvas.hasFocus(); }))
        return {nameOf(canvas) + QStringLiteral(": cannot be reached with the keys")};
    QAccessibleInterface* own = QAccessible::queryAccessibleInterface(&canvas);
    std::set<QString> seen;
    for (const Qt::Key key : {Qt::Key_Home, Qt::Key_Right, Qt::Key_Right, Qt::Key_Down, Qt::Key_Down,
                              Qt::Key_Left, Qt::Key_Left, Qt::Key_Up}) {
        QTest::keyClick(&canvas, key);
        const QAccessibleInterface* at = own->focusChild();
        if (at && !at->object())
            seen.insert(at->text(QAccessible::Name) + at->text(QAccessible::Value));
    }
    return seen.size() > 1 ? QStringList()
                           : QStringList{QStringLiteral("%1: the arrow keys reach %2 items")
                                             .arg(nameOf(canvas))
                                             .arg(seen.size())};
}

/// Of all canvases in there that are seen; and if there is none.
inline QStringList faultsWithin(QWidget& root) {
    QStringList faults;
    int canvases = 0;
    for (QWidget* widget : QList<QWidget*>{&root} + root.findChildren<QWidget*>()) {
        if (!widget->isVisible() || itemsOf(*widget, 1).isEmpty())
            continue;
        ++canvases;
        faults += faultsOf(*widget);
        if (itemsOf(*widget, 2).size() > 1)
            faults += faultsOfKeys(*widget);
    }
    return canvases > 0 ? faults : QStringList{QStringLiteral("there is no canvas")};
}

} // namespace pim::test
