// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A project that the reproduction of a paper's evaluation wrote opens in the window, with its runs.
#include <QTest>
#include <string>

#include "studio_fixture.h"
#include "views/runs/runs_view.h"

#include <QProcess>

using namespace pim;
using pim::test::Studio;

class TestEvaluationProject : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

private slots:
    void initTestCase() { test::isolateSettings(m_folder); }

    void opensWithItsRuns() {
        const QString file = m_folder.filePath(QStringLiteral("dcc.pimproj"));
        QProcess pimc;
        pimc.start(QStringLiteral(PIMC),
                   {QStringLiteral("reproduce"), QStringLiteral("dcc"), QStringLiteral("--figure"),
                    QStringLiteral("10"), QStringLiteral("--verify"), QStringLiteral("1"),
                    QStringLiteral("--project"), file});
        QVERIFY(pimc.waitForFinished(240000));
        QVERIFY2(pimc.exitCode() == 0, pimc.readAllStandardError().constData());

        Studio studio;
        studio.window.openFile(file);
        QTRY_VERIFY2_WITH_TIMEOUT(studio.workspace.project() != nullptr && studio.settled(),
                                  qPrintable(studio.lastFailure()), 120000);
        const auto runs = studio.workspace.project()->runs();
        QVERIFY(runs);
        // newest first: chosen and published mapping on HBM-PIM, then on AttAcc
        QCOMPARE(runs->size(), std::size_t{4});
        for (const auto& [id, target] : {std::pair{1, "attacc"}, std::pair{4, "hbm-pim-hbm3"}}) {
            studio.workspace.openRun(id);
            QTRY_VERIFY2_WITH_TIMEOUT(studio.settled() && studio.workspace.target() &&
                                          studio.workspace.target()->id == target,
                                      qPrintable(studio.lastFailure()), 120000);
            const double stored = studio.workspace.project()->run(id)->totalNs;
            // to the last bit
            QTRY_COMPARE_WITH_TIMEOUT(studio.workspace.plan()->total.totalNs(), stored, 60000);
        }
        auto* view = studio.window.findChild<views::RunsView*>();
        QVERIFY(view);
        view->showRuns({3, 4});
        QTRY_VERIFY_WITH_TIMEOUT(view->comparison() && view->comparison()->runs.size() == 2, 60000);
        QVERIFY(view->comparison()->sameTarget);
        QVERIFY(studio.failures.isEmpty());
    }
};

QTEST_MAIN(TestEvaluationProject)
#include "tst_app_studio_evaluation.moc"
