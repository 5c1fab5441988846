// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Which PIM with a real model and real targets: answers as they come, their order, stopping, and the plan behind a row.
#include <QTest>

#include "backends/builtin.h"
#include "backends/host/roofline_host.h"
#include "tests/support/workspace.h"
#include "views/common/choice_box.h"
#include "views/common/table_view.h"
#include "views/which/decides_view.h"
#include "views/which/tornado_plot.h"
#include "views/which/which_plot.h"
#include "views/which/which_view.h"
#include "views/which/winner_map_view.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

using namespace pim;
using namespace pim::views;

class TestViewsWhich : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();

    struct Fixture {
        Workspace workspace;
        WhichView panel;
        explicit Fixture(const TestViewsWhich& test)
            : workspace(test.m_backends, test.m_catalog),
              panel(workspace, std::make_shared<const RooflineHost>()) {
            panel.resize(1100, 500);
            panel.show();
            workspace.openModel(test::sampleModel("tiny-gpt"), {{"batch", 1}, {"past", 16}});
        }
        QString cell(int row, int column) const {
            return panel.table()->model()->index(row, column).data().toString();
        }
    };
#define OPENED(f) QTRY_VERIFY_WITH_TIMEOUT(test::settled((f).workspace), 60000)
#define ANSWERED(f) QTRY_VERIFY_WITH_TIMEOUT(!(f).panel.isAsking(), 120000)

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
    }

    void allMachinesOfAKindAreRanked() {
        Fixture f(*this);
        QVERIFY(!f.panel.askButton()->isEnabled());
        OPENED(f);
        QVERIFY(f.panel.kind()->choose("aim"));
        f.panel.askButton()->click();
        ANSWERED(f);
        const auto aim = std::ranges::count(m_catalog.targets(), "aim", &Target::backend);
        QCOMPARE(std::ranges::count(f.panel.rows(), "aim", &WhichRow::kind), aim);
        QCOMPARE(std::ranges::count(f.panel.rows(), "host", &WhichRow::kind),
                 2); // the host of all, and a GPU
        double last = 0;
        for (int line = 0; line < f.panel.table()->model()->rowCount(); ++line) {
            const double ns = f.panel.table()->model()->index(line, 2).data(Qt::EditRole).toDouble();
            QVERIFY(ns >= last);
            last = ns;
        }
        QVERIFY2(f.panel.summary()->text().contains("First PIM: <b>aim"),
                 qPrintable(f.panel.summary()->text()));
        QVERIFY(f.panel.plot()->graph(0)->data()->size() + f.panel.plot()->graph(1)->data()->size() == aim);
        QCOMPARE(f.panel.arguments().join(' '), QString("--host xeon-8380 --kind aim"));
    }

    void aRowOpensItsPlan() {
        Fixture f(*this);
        OPENED(f);
        f.panel.simulates()->setChecked(false);
        QVERIFY(f.panel.kind()->choose("hbm_pim"));
        f.panel.askButton()->click();
        ANSWERED(f);
        int line = 0;
        while (f.cell(line, 1) != "hbm_pim")
            ++line;
        const QString machine = f.cell(line, 0);
        const double ns = f.panel.table()->model()->index(line, 2).data(Qt::EditRole).toDouble();
        emit f.panel.table()->activated(f.panel.table()->model()->index(line, 0));
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(f.workspace) && f.workspace.target() &&
                                     f.workspace.target()->id == machine.toStdString(),
                                 60000);
        QCOMPARE(f.workspace.target()->host.id, std::string("xeon-8380"));
        QCOMPARE(f.workspace.plan()->total.totalNs(), ns);
    }

    void stoppedItKeepsWhatItHas() {
        Fixture f(*this);
        OPENED(f);
        f.panel.askButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!f.panel.rows().empty(), 60000);
        f.panel.askButton()->click();
        QVERIFY(!f.panel.isAsking());
        const std::size_t answers = f.panel.rows().size();
        QVERIFY(answers > 0 && answers < m_catalog.targets().size() + 2);
        QTRY_VERIFY_WITH_TIMEOUT(f.workspace.tasks()->entries().isEmpty(), 60000);
        QCOMPARE(f.panel.rows().size(), answers);
        // Another model has other answers.
        f.workspace.openModel(test::sampleModel("mobilenetv2"));
        QTRY_VERIFY_WITH_TIMEOUT(f.panel.rows().empty(), 60000);
    }

    void theMapSaysWhoIsFirstWhere() {
        Fixture f(*this);
        OPENED(f);
        f.panel.simulates()->setChecked(false);
        QVERIFY(f.panel.kind()->choose("hbm_pim"));
        WinnerMapView& map = *f.panel.map();
        QVERIFY2(map.over()->text().contains("batch"), qPrintable(map.over()->text()));
        map.over()->setText("past=15,31;batch=1,2,4");
        map.hosts()->setChecked(true);
        map.askButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(map.askButton()->isEnabled(), 60000);
        QCOMPARE(map.table()->model()->rowCount(), 2);
        QCOMPARE(map.table()->model()->columnCount(), 3);
        for (int r = 0; r < 2; ++r)
            for (int c = 0; c < 3; ++c)
                QVERIFY2(map.table()->model()->index(r, c).data().toString().contains(" · "),
                         qPrintable(map.table()->model()->index(r, c).data().toString()));
        map.over()->setText("past=nothing");
        map.askButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(map.askButton()->isEnabled(), 60000);
        QVERIFY2(map.message()->text().contains("nothing"), qPrintable(map.message()->text()));
    }

    void whatDecidesIsATornadoAndATable() {
        Fixture f(*this);
        DecidesView& decides = *f.panel.decides();
        QVERIFY(!decides.askButton()->isEnabled());
        OPENED(f);
        f.panel.simulates()->setChecked(false);
        QVERIFY(f.panel.kind()->choose("hbm_pim"));
        decides.inputs()->setText("batch=4,64;host=a100,h100;host.memoryBandwidth=0.5");
        decides.askButton()->click();
        QVERIFY(decides.isAsking());
        QTRY_VERIFY_WITH_TIMEOUT(!decides.isAsking(), 60000);
        QVERIFY2(decides.message()->text().startsWith("As things are "),
                 qPrintable(decides.message()->text()));
        QCOMPARE(decides.table()->model()->rowCount(), 5);
        QCOMPARE(decides.plot()->bars(), 3);
        decides.inputs()->setText("no.such=2");
        decides.askButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!decides.isAsking(), 60000);
        QVERIFY2(decides.message()->text().contains("no.such"), qPrintable(decides.message()->text()));
        decides.inputs()->setText("no values");
        decides.askButton()->click();
        QVERIFY(!decides.isAsking());
        // A question that is taken back leaves no answer.
        decides.inputs()->clear();
        decides.askButton()->click();
        decides.askButton()->click();
        QVERIFY(!decides.isAsking());
        QCOMPARE(decides.message()->text(), QString("Stopped."));
        QTRY_VERIFY_WITH_TIMEOUT(f.workspace.tasks()->entries().isEmpty(), 60000);
        QCOMPARE(decides.message()->text(), QString("Stopped."));
    }
};

QTEST_MAIN(TestViewsWhich)
#include "tst_views_which.moc"
