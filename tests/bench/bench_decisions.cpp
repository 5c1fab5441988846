// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// One decision about an op of ResNet-50: from the click until every figure is of the new plan, panel of
/// decisions included. Ceiling 100 ms. And: the old figures stay, marked as stale, until then.
#include <QTest>
#include <string>

#include "backends/builtin.h"
#include "tests/support/workspace.h"
#include "views/decisions/decisions_view.h"
#include "views/decisions/history_view.h"
#include "views/models/workspace.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QUndoStack>

#include <algorithm>

using namespace pim;
using namespace pim::views;

namespace {

constexpr double kCeilingMs = 100;
constexpr int kDecisions = 21;

} // namespace

class BenchDecisions : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();

    static double percentile(std::vector<double> values, double share) {
        std::ranges::sort(values);
        return values[static_cast<std::size_t>(share * double(values.size() - 1))];
    }

private slots:
    void oneOverrideOnResNet50_data() {
        QTest::addColumn<bool>("inProject");
        QTest::newRow("without a project") << false;
        QTest::newRow("stored with every change") << true;
    }
    void oneOverrideOnResNet50() {
        QFETCH(bool, inProject);
        QTemporaryDir folder;
        Workspace workspace(m_backends, TargetCatalog::load());
        DecisionsView decisions(workspace);
        HistoryView history(workspace);
        decisions.show();
        history.show();
        workspace.setTarget(QStringLiteral("attacc"));
        workspace.openModel(test::sampleModel("resnet50"), {{"batch", 1}});
        const auto settled = [&] { return test::settled(workspace); };
        QTRY_VERIFY_WITH_TIMEOUT(settled(), 120000);
        if (inProject) {
            workspace.saveProject(folder.filePath(QStringLiteral("bench.pimproj")));
            QTRY_VERIFY_WITH_TIMEOUT(workspace.lastRun() > 0 && settled(), 60000);
        }
        OpId op;
        for (const OpPlan& each : workspace.plan()->ops)
            if (each.space && each.draftsKept > kDecisions)
                op = each.op;
        QVERIFY(op.valid());
        workspace.selectOp(op);
        QTRY_VERIFY_WITH_TIMEOUT(workspace.exploration(), 120000);
        const auto exploration = workspace.exploration();
        std::vector<double> milliseconds;
        for (int i = 1; i <= kDecisions; ++i) {
            QTRY_VERIFY_WITH_TIMEOUT(settled(), 60000); // a simulation of the plan before is not ours
            const auto old = workspace.plan();
            const std::string draft =
                exploration->space->draftText(exploration->drafts[static_cast<std::size_t>(i)]);
            QElapsedTimer clock;
            clock.start();
            workspace.applyOverride({workspace.graph()->op(op).name, "draft", draft});
            QVERIFY(workspace.isStale());
            QCOMPARE(workspace.plan(), old); // shown on, dimmed
            while (workspace.isStale() && clock.elapsed() < 30'000)
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
            decisions.repaint();
            history.repaint();
            milliseconds.push_back(double(clock.nsecsElapsed()) / 1e6);
            QVERIFY(workspace.plan() != old);
            QVERIFY(workspace.plan()->opPlan(op).draftOverridden);
        }
        const double median = percentile(milliseconds, 0.5);
        qInfo("%s: one override on ResNet-50, all figures new: best %.1f ms, median %.1f ms, p95 %.1f ms "
              "(ceiling %.0f ms)",
              QTest::currentDataTag(), percentile(milliseconds, 0), median, percentile(milliseconds, 0.95),
              kCeilingMs);
        QVERIFY2(median < kCeilingMs, qPrintable(QString::number(median)));
    }
};

QTEST_MAIN(BenchDecisions)
#include "bench_decisions.moc"
