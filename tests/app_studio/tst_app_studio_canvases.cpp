// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Every painted canvas of the window over real plans, as a screen reader walks through it: its items have names and
/// values, lie where they are drawn, can be chosen, and the arrow keys go from one to the next.
#include <QTest>
#include <string>

#include "tests/app_studio/studio_fixture.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QAccessibleActionInterface>
#include <QApplication>
#include <QDockWidget>
#include <QTabWidget>

#include <set>

using namespace pim;
using namespace pim::studio;
using pim::test::Studio;

namespace {

/// The items of a canvas, or nothing where \p widget is none: their interfaces have no object.
QList<QAccessibleInterface*> itemsOf(QWidget& widget, int most) {
    QList<QAccessibleInterface*> items;
    QAccessibleInterface* canvas = QAccessible::queryAccessibleInterface(&widget);
    if (!canvas || canvas->role() != QAccessible::List || qobject_cast<QAbstractItemView*>(&widget))
        return items;
    for (int i = 0; i < canvas->childCount() && items.size() < most; ++i)
        if (QAccessibleInterface* child = canvas->child(i); child && !child->object())
            items.append(child);
    return items;
}

QString nameOf(const QWidget& widget) {
    return widget.accessibleName().isEmpty() ? QString::fromLatin1(widget.metaObject()->className())
                                             : widget.accessibleName();
}

/// "Timeline: item 3 has no name" for whatever is wrong.
QStringList faultsOf(QWidget& canvas) {
    constexpr int kWalked = 60;
    QStringList faults;
    const auto fault = [&](int item, const QString& what) {
        faults << QStringLiteral("%1: item %2 %3").arg(nameOf(canvas)).arg(item).arg(what);
    };
    QAccessibleInterface* own = QAccessible::queryAccessibleInterface(&canvas);
    const QRect room(canvas.mapToGlobal(QPoint()), canvas.size());
    const QList<QAccessibleInterface*> items = itemsOf(canvas, kWalked);
    for (int i = 0; i < items.size(); ++i) {
        QAccessibleInterface* item = items[i];
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
QStringList faultsOfKeys(QWidget& canvas) {
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

} // namespace

class TestCanvases : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    void initTestCase() { test::isolateSettings(m_folder); }
    void init() { QSettings().clear(); }

    void everyCanvasCanBeReadAndWalked_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("target");
        QTest::addColumn<QStringList>("canvases"); ///< Names that have to be among them.
        QTest::newRow("DRAM-PIM") << "tiny-gpt"
                                  << "attacc"
                                  << QStringList{"Model graph", "Hardware floorplan", "Timeline",
                                                 "Scatter of drafts"};
        QTest::newRow("dual mode") << "tiny-gpt"
                                   << "dynaplasia" << QStringList{"Model graph", "Segments", "Timeline"};
        QTest::newRow("crossbar") << "tiny-gpt"
                                  << "isaac"
                                  << QStringList{"Model graph", "Chips, cores and arrays", "Timeline"};
        QTest::newRow("UPMEM") << "tiny-gpt"
                               << "upmem-1" << QStringList{"Model graph", "DPUs of the machine"};
    }
    void everyCanvasCanBeReadAndWalked() {
        QFETCH(QString, sample);
        QFETCH(QString, target);
        QFETCH(QStringList, canvases);
        Studio studio;
        studio.window.resize(1920, 1080);
        studio.window.activateWindow();
        studio.workspace.setTarget(target);
        studio.workspace.openModel(test::sampleModel(sample.toUtf8()), {{"batch", 1}, {"past", 32}});
        QTRY_VERIFY_WITH_TIMEOUT(studio.workspace.plan(), 60000);
        SETTLE(studio);
        const OpId costliest = studio.costliestOnPim();
        const auto select = [&] { // the keys go elsewhere
            if (costliest.valid())
                studio.workspace.selectOp(costliest);
            SETTLE(studio);
        };
        select();
        QStringList faults, found;
        for (int question = 0; question < kQuestions; ++question) {
            studio.window.panels().show(static_cast<Question>(question));
            for (const auto& [id, dock] : studio.window.panels().docks()) {
                if (!dock->isVisible())
                    continue;
                dock->raise();
                QTest::qWait(30);
                SETTLE(studio);
                for (QWidget* widget : dock->findChildren<QWidget*>()) {
                    if (!widget->isVisible() || itemsOf(*widget, 1).isEmpty())
                        continue;
                    const QString name = nameOf(*widget);
                    if (found.contains(name))
                        continue;
                    found << name;
                    const bool isWalked = itemsOf(*widget, 2).size() > 1;
                    faults += faultsOf(*widget);
                    if (isWalked)
                        faults += faultsOfKeys(*widget);
                    select();
                }
            }
        }
        for (const QString& name : canvases)
            if (!found.contains(name))
                faults << name + QStringLiteral(": no such canvas");
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    }
};

QTEST_MAIN(TestCanvases)
#include "tst_app_studio_canvases.moc"
