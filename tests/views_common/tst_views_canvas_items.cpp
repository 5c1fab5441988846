// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What a screen reader finds on a painted canvas, asked through QAccessible as one does. Qt tells events only where there may be
/// one: the test tst_screen_reader runs this on an X server with such a bus.
#include <QTest>
#include <string>

#include "views/common/canvas_items.h"
#include "views/common/plot.h"
#include "views/common/stacked_bars.h"

#include <QAccessible>
#include <QAccessibleActionInterface>
#include <QPushButton>
#include <QScrollBar>

using namespace pim::views;

namespace {

/// Boxes in a row; each may get another name and place.
class Boxes : public QWidget {
public:
    explicit Boxes(QWidget* parent = nullptr) : QWidget(parent) {
        setFocusPolicy(Qt::StrongFocus);
        setAccessibleName(QStringLiteral("boxes"));
        setCanvasItems(this, this,
                       {[this] { return int(names.size()); },
                        [this](int box) {
                            return CanvasItem{names[box], QStringLiteral("%1 ns").arg(values[box]),
                                              QRectF(box * 20, 0, 18, 30), box == chosen};
                        },
                        [this] { return chosen; },
                        [this](int box) { choose(box); },
                        {},
                        [this](int box) { return qint64(qHash(names[box])); }});
    }
    void choose(int box) {
        chosen = box;
        announceCurrent(this);
    }

    QStringList names{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")};
    QList<int> values{1, 2, 3};
    int chosen = -1;
};

/// Types of the events told since the last time, and the items they were about.
QList<std::pair<QAccessible::Event, int>> g_told;
void remember(QAccessibleEvent* event) {
    if (event->child() >= 0 || event->type() == QAccessible::ObjectReorder)
        g_told.append({event->type(), event->child()});
}

#define SKIP_UNLESS_HEARD                                                                                    \
    if (!QAccessible::isActive())                                                                            \
        QSKIP("nobody listens on this platform");

QAccessibleInterface* of(QWidget& widget) {
    return QAccessible::queryAccessibleInterface(&widget);
}

} // namespace

class TestCanvasItems : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (qEnvironmentVariableIsSet("QT_LINUX_ACCESSIBILITY_ALWAYS_ON"))
            QTRY_VERIFY(QAccessible::isActive()); // once the bus has answered
        QAccessible::installUpdateHandler(remember);
    }
    void cleanupTestCase() { QAccessible::installUpdateHandler(nullptr); }
    void init() { g_told.clear(); }

    void itemsAreChildren() {
        Boxes boxes;
        boxes.resize(200, 40);
        boxes.show();
        QAccessibleInterface* canvas = of(boxes);
        QVERIFY(canvas && canvas->isValid());
        QCOMPARE(canvas->role(), QAccessible::List);
        QCOMPARE(canvas->text(QAccessible::Name), QStringLiteral("boxes"));
        QCOMPARE(canvas->childCount(), 3);
        QAccessibleInterface* second = canvas->child(1);
        QCOMPARE(second->role(), QAccessible::ListItem);
        QCOMPARE(second->text(QAccessible::Name), QStringLiteral("b"));
        QCOMPARE(second->text(QAccessible::Value), QStringLiteral("2 ns"));
        QCOMPARE(second->text(QAccessible::Description), QStringLiteral("2 ns"));
        QCOMPARE(second->rect(), QRect(boxes.mapToGlobal(QPoint(20, 0)), QSize(18, 30)));
        QCOMPARE(second->parent(), canvas);
        QCOMPARE(canvas->indexOfChild(second), 1);
        QCOMPARE(canvas->child(1), second); // the same, whenever it is asked for
        QCOMPARE(canvas->child(3), nullptr);
        const QPoint inSecond = boxes.mapToGlobal(QPoint(25, 10));
        QCOMPARE(canvas->childAt(inSecond.x(), inSecond.y()), second);
        const QPoint between = boxes.mapToGlobal(QPoint(19, 10));
        QCOMPARE(canvas->childAt(between.x(), between.y()), nullptr);
    }

    void anItemIsChosenThroughItsAction() {
        Boxes boxes;
        boxes.show();
        QAccessibleInterface* third = of(boxes)->child(2);
        QVERIFY(!third->state().selected && third->state().selectable);
        QAccessibleActionInterface* actions = third->actionInterface();
        QVERIFY(actions && actions->actionNames().contains(QAccessibleActionInterface::pressAction()));
        actions->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(boxes.chosen, 2);
        QVERIFY(third->state().selected);
        QVERIFY(!of(boxes)->child(1)->state().selected);
    }

    void theKeysAreFollowed() {
        SKIP_UNLESS_HEARD
        Boxes boxes;
        boxes.show();
        boxes.activateWindow();
        boxes.setFocus();
        QTRY_VERIFY(boxes.hasFocus());
        g_told.clear();
        boxes.choose(1);
        const QList<std::pair<QAccessible::Event, int>> chosen{{QAccessible::Focus, 1},
                                                               {QAccessible::Selection, 1}};
        QCOMPARE(g_told, chosen);
        QCOMPARE(of(boxes)->focusChild(), of(boxes)->child(1));
        QVERIFY(of(boxes)->child(1)->state().focused);
        QVERIFY(!of(boxes)->child(0)->state().focused);
        g_told.clear();
        boxes.choose(1); // told already
        QVERIFY(g_told.isEmpty());
        boxes.values[1] = 7;
        boxes.choose(1);
        const QList<std::pair<QAccessible::Event, int>> changed{{QAccessible::DescriptionChanged, 1}};
        QCOMPARE(g_told, changed);
    }

    void aSelectionFromElsewhereDoesNotTakeTheFocus() {
        SKIP_UNLESS_HEARD
        Boxes boxes;
        QPushButton other;
        other.show();
        boxes.choose(0);
        const QList<std::pair<QAccessible::Event, int>> selected{{QAccessible::Selection, 0}};
        QCOMPARE(g_told, selected);
    }

    void anItemKeepsItsInterfaceWhereverItStands() {
        Boxes boxes;
        boxes.show();
        QAccessibleInterface* canvas = of(boxes);
        QAccessibleInterface* c = canvas->child(2);
        boxes.names.prepend(QStringLiteral("z"));
        boxes.values.prepend(0);
        announceItems(&boxes);
        QVERIFY(!QAccessible::isActive() || g_told.last().first == QAccessible::ObjectReorder);
        QCOMPARE(canvas->childCount(), 4);
        QCOMPARE(canvas->child(3), c);
        QCOMPARE(c->text(QAccessible::Name), QStringLiteral("c"));
        QCOMPARE(canvas->indexOfChild(c), 3);
        boxes.names.removeLast();
        boxes.values.removeLast();
        QVERIFY(!c->isValid());
        QVERIFY(c->state().invalid);
        QCOMPARE(c->text(QAccessible::Name), QString());
        QCOMPARE(c->rect(), QRect());
        c->actionInterface()->doAction(QAccessibleActionInterface::pressAction()); // nothing happens
        QCOMPARE(boxes.chosen, -1);
    }

    void itemsThatAreGoneAreNotKept() {
        Boxes boxes;
        boxes.show();
        QAccessibleInterface* canvas = of(boxes);
        QSet<QAccessible::Id> ids;
        for (int round = 0; round < 1000; ++round) {
            boxes.names[0] = QStringLiteral("name %1").arg(round);
            ids.insert(QAccessible::uniqueId(canvas->child(0)));
        }
        const auto kept = std::count_if(ids.begin(), ids.end(), [](QAccessible::Id id) {
            return QAccessible::accessibleInterface(id) != nullptr;
        });
        QVERIFY2(kept < 100, qPrintable(QString::number(kept)));
    }

    void itemsEndWithTheirCanvas() {
        QAccessible::Id canvas = 0, item = 0;
        {
            Boxes boxes;
            boxes.show();
            canvas = QAccessible::uniqueId(of(boxes));
            item = QAccessible::uniqueId(of(boxes)->child(0));
            QVERIFY(QAccessible::accessibleInterface(item));
        }
        QVERIFY(!QAccessible::accessibleInterface(item));
        QVERIFY(!QAccessible::accessibleInterface(canvas));
    }

    void widgetsOnTheCanvasComeAfterTheItems() {
        Boxes boxes;
        boxes.resize(200, 100);
        auto* button = new QPushButton(QStringLiteral("reset"), &boxes);
        button->setGeometry(100, 60, 60, 30);
        boxes.show();
        QAccessibleInterface* canvas = of(boxes);
        QCOMPARE(canvas->childCount(), 4);
        QCOMPARE(canvas->child(3)->object(), button);
        QCOMPARE(canvas->indexOfChild(canvas->child(3)), 3);
        const QPoint at = boxes.mapToGlobal(QPoint(110, 70));
        QCOMPARE(canvas->childAt(at.x(), at.y())->object(), button);
    }

    void aNameIsNotReadTwice() {
        Boxes boxes;
        setCanvasItems(
            &boxes, &boxes,
            {[] { return 2; },
             [](int box) {
                 return box == 0
                            ? CanvasItem{QStringLiteral("core 1"), QStringLiteral("core 1 · 3 ns"), {}, false}
                            : CanvasItem{
                                  QStringLiteral("core 1"), QStringLiteral("core 12: 3 ns"), {}, false};
             }});
        QCOMPARE(of(boxes)->child(0)->text(QAccessible::Value), QStringLiteral("3 ns"));
        QCOMPARE(of(boxes)->child(1)->text(QAccessible::Value), QStringLiteral("core 12: 3 ns"));
    }

    void tipsAreReadOutLineByLine() {
        QCOMPARE(spoken(QStringLiteral("<b>conv1</b><table><tr><td>compute</td><td>3 ns</td></tr></table>")),
                 QStringLiteral("conv1, compute, 3 ns"));
        QCOMPARE(spoken(QStringLiteral("one\ntwo")), QStringLiteral("one, two"));
        QCOMPARE(spoken(QStringLiteral("a < b")), QStringLiteral("a < b"));
    }

    void barsSayTheirParts() {
        StackedBars bars;
        bars.resize(500, 200);
        pim::CostSplit cost;
        cost.computeNs = 750;
        cost.inputNs = 250;
        std::vector<StackedBar> shown;
        for (int i = 0; i < 30; ++i)
            shown.push_back({i + 7, QStringLiteral("conv%1").arg(i), {}, cost, {}, false});
        bars.setSections({{QStringLiteral("ops"), shown}});
        bars.show();
        bars.activateWindow();
        bars.setFocus();
        QTRY_VERIFY(bars.hasFocus());
        QAccessibleInterface* canvas = of(bars);
        QVERIFY(canvas->childCount() >= 30); // and its scroll bar
        QAccessibleInterface* first = canvas->child(0);
        QCOMPARE(first->text(QAccessible::Name), QStringLiteral("conv0"));
        const QString value = first->text(QAccessible::Value);
        QVERIFY2(value.contains(QStringLiteral("1.000 µs")) && value.contains(QStringLiteral("compute")) &&
                     value.contains(QStringLiteral("75")) &&
                     !value.contains(QStringLiteral("output rearrangement")),
                 qPrintable(value));
        const QRect place = first->rect();
        QVERIFY(QRect(bars.mapToGlobal(QPoint()), bars.size()).contains(place));
        QCOMPARE(canvas->childAt(place.center().x(), place.center().y()), first);
        QTest::keyClick(&bars, Qt::Key_Down);
        QTest::keyClick(&bars, Qt::Key_Down);
        QCOMPARE(bars.selected(), 8);
        QCOMPARE(canvas->focusChild(), canvas->child(1));
        QVERIFY(canvas->child(1)->state().selected);
        QVERIFY(canvas->child(29)->state().offscreen);
        canvas->child(29)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(bars.selected(), 36);
        QVERIFY(!canvas->child(29)->state().offscreen); // scrolled to
    }

    void plotsReadTheirPoints() {
        Plot plot;
        plot.resize(400, 300);
        plot.legend->setVisible(true);
        plot.xAxis->setLabel(QStringLiteral("threads"));
        plot.yAxis->setLabel(QStringLiteral("time"));
        QCPGraph* one = plot.addGraph();
        one->setName(QStringLiteral("first"));
        one->setData({1, 2, 4}, {10, 6, 3});
        QCPGraph* two = plot.addGraph();
        two->setName(QStringLiteral("second"));
        two->setData({1, 2}, {20, 11});
        plot.rescaleAxes();
        plot.show();
        plot.activateWindow();
        plot.setFocus();
        QTRY_VERIFY(plot.hasFocus());
        plot.replot();
        QAccessibleInterface* canvas = of(plot);
        QCOMPARE(canvas->childCount(), 5);
        QCOMPARE(canvas->child(2)->text(QAccessible::Name), QStringLiteral("first, threads 4"));
        QCOMPARE(canvas->child(2)->text(QAccessible::Value), QStringLiteral("time 3"));
        QCOMPARE(canvas->child(4)->text(QAccessible::Name), QStringLiteral("second, threads 2"));
        const QPoint at = canvas->child(1)->rect().center();
        QCOMPARE(canvas->childAt(at.x(), at.y()), canvas->child(1));
        QTest::keyClick(&plot, Qt::Key_Right);
        QCOMPARE(canvas->focusChild(), canvas->child(0));
        QTest::keyClick(&plot, Qt::Key_Right);
        QTest::keyClick(&plot, Qt::Key_Down);
        QCOMPARE(canvas->focusChild(), canvas->child(4));
        QTest::keyClick(&plot, Qt::Key_Right); // the last of its series
        QCOMPARE(canvas->focusChild(), canvas->child(4));
        QCOMPARE(plot.currentText(), QStringLiteral("second, threads 2\ntime 11"));
        two->setVisible(false);
        QCOMPARE(canvas->childCount(), 3);
        QCOMPARE(plot.currentText(), QString());
        QTest::keyClick(&plot, Qt::Key_Left); // from the start again
        QCOMPARE(canvas->focusChild(), canvas->child(0));
    }
};

QTEST_MAIN(TestCanvasItems)
#include "tst_views_canvas_items.moc"
