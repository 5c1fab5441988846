// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What limits a run and what would help, with a real model and real machines: the figures are those of the simulation, and a faster machine
/// that is used keeps what was promised.
#include <QTest>

#include "backends/builtin.h"
#include "core/timeline/limits.h"
#include "tests/support/help_picture.h"
#include "tests/support/workspace.h"
#include "views/common/table_view.h"
#include "views/limits/limits_view.h"
#include "views/limits/what_helps.h"
#include "views/models/simulation_source.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QUndoStack>

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
        const double twiceNs = f.cell(table, 0, 1, Qt::EditRole).toDouble(),
                     nowNs = f.workspace.simulations()->simulation()->totalNs;
        QVERIFY2(twiceNs > 0 && twiceNs < 0.9 * nowNs, qPrintable(QString::number(twiceNs)));
        QVERIFY2(f.cell(table, 0, 5)
                     .toString()
                     .contains(QStringLiteral("overhead.activation.fixed: 8.29 → 4.145 us")),
                 qPrintable(f.cell(table, 0, 5).toString()));
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
