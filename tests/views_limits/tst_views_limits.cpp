// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What limits a run and what would help, with a real model and real machines: the figures are those of the simulation, and a faster machine
/// that is used keeps what was promised.
#include <QTest>

#include "backends/builtin.h"
#include "core/plan/roofline.h"
#include "core/plan/simulation.h"
#include "core/timeline/limits.h"
#include "tests/support/help_picture.h"
#include "tests/support/workspace.h"
#include "views/common/roofline_plot.h"
#include "views/common/roofs_view.h"
#include "views/common/table_view.h"
#include "views/limits/limits_view.h"
#include "views/limits/what_helps.h"
#include "views/models/simulation_source.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QUndoStack>

#include <cmath>

using namespace pim;
using namespace pim::views;

class TestViewsLimits : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    QTemporaryDir m_folder;

    struct Fixture {
        Workspace workspace;
        LimitsView panel;
        explicit Fixture(const TestViewsLimits& test)
            : workspace(test.m_backends, TargetCatalog::load()), panel(workspace) {
            panel.resize(1100, 300);
            panel.show();
        }
        void open(const char* target) {
            workspace.openModel(test::sampleModel("tiny-gpt"), {{"batch", 1}, {"past", 16}},
                                QString::fromLatin1(target));
        }
        bool isSimulated() const {
            return test::settled(workspace) && workspace.simulations()->simulation() &&
                   workspace.simulations()->plan() == workspace.plan();
        }
        QVariant cell(const TableView* table, int row, int column, int role = Qt::DisplayRole) const {
            return table->model()->index(row, column).data(role);
        }
    };
#define SIMULATED(f) QTRY_VERIFY_WITH_TIMEOUT((f).isSimulated(), 60000)
#define ANSWERED(f) QTRY_VERIFY_WITH_TIMEOUT(!(f).panel.helps()->isAsking(), 120000)

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
    }

    void resourcesAreThoseOfTheSimulation() {
        Fixture f(*this);
        QVERIFY(!f.panel.helps()->askButton()->isEnabled());
        QVERIFY(!f.panel.sentence()->isVisible());
        f.open("dynaplasia");
        SIMULATED(f);
        const Limits& limits = *f.workspace.simulations()->limits();
        QVERIFY(f.panel.sentence()->isVisible());
        const QString first = QString::fromStdString(limits.resources.front().busiest);
        QVERIFY2(f.panel.sentence()->text().contains(first, Qt::CaseInsensitive),
                 qPrintable(f.panel.sentence()->text()));
        const TableView* const table = f.panel.resources();
        QCOMPARE(table->model()->rowCount(), static_cast<int>(limits.resources.size()));
        double onPath = 0;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const ResourceUse& use = limits.resources[static_cast<std::size_t>(row)];
            QCOMPARE(f.cell(table, row, 0).toString(), QString::fromStdString(use.name));
            onPath += f.cell(table, row, 1, Qt::EditRole).toDouble();
        }
        QVERIFY(onPath > 0.5 && onPath < 1.0001); // the rest are pauses
    }

    void everyOpIsUnderItsRoofAndSelectsWithTheOthers() {
        for (const char* const target : {"hbm-pim", "dynaplasia", "isaac", "upmem-1"}) {
            Fixture f(*this);
            f.panel.resize(1400, 420);
            f.panel.tabs()->setCurrentIndex(1);
            f.open(target);
            SIMULATED(f);
            QVERIFY(f.panel.tabs()->isTabEnabled(1));
            const Roofline& roofline = *f.workspace.simulations()->roofline();
            RoofsView& roofs = *f.panel.roofs();
            QCOMPARE(roofs.table()->model()->rowCount(), static_cast<int>(roofline.ops.size()));

            // A click on a dot selects it everywhere, and says what keeps it there.
            const auto drawn =
                std::ranges::find_if(roofline.ops, [](const OpUnderRoof& op) { return op.operations > 0; });
            QVERIFY2(drawn != roofline.ops.end(), target);
            QTRY_VERIFY(
                QRectF(roofs.plot()->rect()).contains(*roofs.pixelOf(drawn->op))); // when it is laid out
            const auto pixel = roofs.pixelOf(drawn->op);
            QTest::mouseClick(roofs.plot(), Qt::LeftButton, {}, pixel->toPoint());
            const OpId clicked = f.workspace.selection().op;
            QVERIFY(clicked.valid() && roofline.find(clicked));
            const auto there = roofs.pixelOf(clicked);
            QVERIFY(std::hypot(there->x() - pixel->x(), there->y() - pixel->y()) <
                    2); // it, or one at its place
            const QString sentence = QString::fromStdString(sentenceOf(roofline, *roofline.find(clicked)));
            QVERIFY2(roofs.sentence()->text().contains(sentence.toHtmlEscaped()),
                     qPrintable(roofs.sentence()->text()));
            QVERIFY(roofs.tip(clicked).contains(sentence));
            QCOMPARE(f.workspace.simulations()->sentenceOf(clicked).section(QStringLiteral(", "), 1),
                     sentence);

            // And the other way round; ops that are not there are none.
            const OpId other = roofline.ops.back().op;
            f.workspace.selectOp(other);
            QCOMPARE(f.cell(roofs.table(), roofs.table()->currentIndex().row(), 0).toString(),
                     QString::fromStdString(f.workspace.graph()->op(other).name));
            roofs.table()->selectRow(0);
            QCOMPARE(QString::fromStdString(f.workspace.graph()->op(f.workspace.selection().op).name),
                     f.cell(roofs.table(), 0, 0).toString());
            roofs.plot()->setFocus();
            QTest::keyClick(roofs.plot(), Qt::Key_Right);
            QVERIFY(roofline.find(f.workspace.selection().op));
            for (int row = 0; row < roofs.table()->model()->rowCount(); ++row)
                QVERIFY(f.cell(roofs.table(), row, 1, Qt::EditRole).toDouble() <= 1.000001);
            if (QByteArray(target) == "isaac")
                test::helpPicture(f.panel, {1500, 460}, "roofline");
        }
    }

    void aStretchChosenInTheTimelineIsLookedAtAlone() {
        Fixture f(*this);
        f.open("dynaplasia");
        SIMULATED(f);
        SimulationSource& source = *f.workspace.simulations();
        const Limits& whole = *source.limits();
        const double endNs = double(whole.totalPs) / 1000;
        source.setStretch(std::pair(endNs / 4, endNs / 2));
        QVERIFY2(f.panel.sentence()->text().contains(QStringLiteral("chosen in the timeline")),
                 qPrintable(f.panel.sentence()->text()));
        const Limits part = limitsWithin(source.simulation()->timeline, whole, endNs / 4, endNs / 2);
        for (int row = 0; row < f.panel.resources()->model()->rowCount(); ++row)
            QCOMPARE(f.cell(f.panel.resources(), row, 3, Qt::EditRole).toDouble(),
                     part.resources[static_cast<std::size_t>(row)].busiestShare);
        source.setStretch({});
        QVERIFY(!f.panel.sentence()->text().contains(QStringLiteral("chosen in the timeline")));
        source.setStretch(std::pair(endNs / 4, endNs / 2));
        f.open("hbm-pim"); // another simulation has none
        SIMULATED(f);
        QVERIFY(!source.stretch() && !f.panel.sentence()->text().contains(QStringLiteral("chosen")));
    }

    void whatHelpsComesTrue() {
        Fixture f(*this);
        f.open("hbm-pim");
        SIMULATED(f);
        WhatHelps& helps = *f.panel.helps();
        QVERIFY(!helps.useButton()->isEnabled());
        helps.askButton()->click();
        QVERIFY(helps.isAsking());
        ANSWERED(f);
        const TableView* const table = helps.table();
        QVERIFY2(table->model()->rowCount() >= 5, qPrintable(helps.message()->text()));
        QCOMPARE(f.cell(table, 0, 0).toString(), QStringLiteral("host overheads"));
        const double twiceNs = f.cell(table, 0, 2, Qt::EditRole).toDouble(),
                     nowNs = f.workspace.simulations()->simulation()->totalNs;
        QVERIFY2(twiceNs > 0 && twiceNs < 0.9 * nowNs, qPrintable(QString::number(twiceNs)));
        QVERIFY2(f.cell(table, 0, 6)
                     .toString()
                     .contains(QStringLiteral("overhead.activation.fixed: 8.29 → 4.145 us")),
                 qPrintable(f.cell(table, 0, 6).toString()));
        QVERIFY(helps.message()->text().contains(QStringLiteral("host")));
        test::helpPicture(f.panel, {1500, 320}, "limits");

        const_cast<TableView*>(table)->selectRow(0);
        QVERIFY(helps.useButton()->isEnabled());
        QSignalSpy failures(&f.workspace, &Workspace::failed);
        helps.saveAndUse(0, m_folder.filePath(QStringLiteral("none/there.json")));
        QCOMPARE(failures.count(), 1);
        QVERIFY2(test::lastFailure(failures).contains(QStringLiteral("cannot be written")),
                 qPrintable(test::lastFailure(failures)));
        helps.saveAndUse(0, m_folder.filePath(QStringLiteral("hbm-pim-fast.json")));
        QTRY_COMPARE_WITH_TIMEOUT(f.workspace.target()->id, std::string("hbm-pim-fast"), 60000);
        SIMULATED(f);
        QCOMPARE(failures.count(), 1);
        QCOMPARE(f.workspace.simulations()->simulation()->totalNs, twiceNs);
        QCOMPARE(table->model()->rowCount(), 0); // of another machine
        QCOMPARE(f.workspace.target()->name,
                 std::string("HBM-PIM, 4 HBM2 stacks, host overheads twice as fast"));

        f.workspace.undoStack()->undo();
        SIMULATED(f);
        QCOMPARE(f.workspace.target()->id, std::string("hbm-pim"));
        QCOMPARE(f.workspace.simulations()->simulation()->totalNs, nowNs);
    }

    /// More of them are one click away, too; what the machine cannot have more of says so and is not offered.
    void twiceAsManyComesTrue() {
        Fixture f(*this);
        f.open("attacc");
        SIMULATED(f);
        WhatHelps& helps = *f.panel.helps();
        helps.askButton()->click();
        ANSWERED(f);
        auto* const table = const_cast<TableView*>(helps.table());
        const auto rowOf = [&](const QString& resource) {
            for (int row = 0; row < table->model()->rowCount(); ++row)
                if (f.cell(table, row, 0) == resource && f.cell(table, row, 1) == QStringLiteral("many"))
                    return row;
            return -1;
        };
        const int banks = rowOf(QStringLiteral("banks")), stacks = rowOf(QStringLiteral("HBM3 stacks"));
        QVERIFY(banks > stacks && stacks >= 0);
        table->selectRow(banks);
        QCOMPARE(helps.useButton()->text(), QStringLiteral("&Use Twice as Many…"));
        QVERIFY(!helps.useButton()->isEnabled() && f.cell(table, banks, 2).toString().isEmpty());
        QVERIFY2(
            f.cell(table, banks, 6).toString().contains(QStringLiteral("128 banks per group, there are 64")),
            qPrintable(f.cell(table, banks, 6).toString()));
        table->selectRow(stacks);
        QVERIFY(helps.useButton()->isEnabled());
        QCOMPARE(f.cell(table, stacks, 6).toString(), QStringLiteral("count: 5 → 10"));
        const double twiceNs = f.cell(table, stacks, 2, Qt::EditRole).toDouble();
        helps.saveAndUse(stacks, m_folder.filePath(QStringLiteral("ten-stacks.json")));
        QTRY_COMPARE_WITH_TIMEOUT(f.workspace.target()->id, std::string("ten-stacks"), 60000);
        SIMULATED(f);
        QCOMPARE(f.workspace.simulations()->simulation()->totalNs, twiceNs);
        QVERIFY2(f.workspace.target()->name.ends_with(", twice as many HBM3 stacks") &&
                     f.workspace.target()->levels.front().count == 10,
                 f.workspace.target()->name.c_str());
    }

    void askingIsStopped() {
        Fixture f(*this);
        f.open("dynaplasia");
        SIMULATED(f);
        f.panel.helps()->askButton()->click();
        f.panel.helps()->askButton()->click();
        QVERIFY(!f.panel.helps()->isAsking());
        QCOMPARE(f.panel.helps()->message()->text(), QStringLiteral("Stopped."));
        QTRY_VERIFY_WITH_TIMEOUT(f.workspace.tasks()->entries().isEmpty(), 60000);
        QCOMPARE(f.panel.helps()->table()->model()->rowCount(), 0);
    }
};

QTEST_MAIN(TestViewsLimits)
#include "tst_views_limits.moc"
