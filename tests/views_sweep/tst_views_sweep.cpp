// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The sweep panel with a real model and real targets: points while they come, pause and resume, a project that is closed
/// and opened again in between.
#include <QTest>
#include <string>

#include "backends/builtin.h"
#include "tests/support/workspace.h"
#include "views/common/table_view.h"
#include "views/dual_mode/speed_map_view.h"
#include "views/sweep/parallel_plot.h"
#include "views/sweep/sweep_panel.h"
#include "views/sweep/sweep_runner.h"
#include "views/sweep/sweep_view.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace pim;
using namespace pim::views;

class TestViewsSweep : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();
    // 63 points, 9 too long
    const QString m_over = QStringLiteral("target=attacc,hbm-pim,dynaplasia;past=1..64;batch=1,2,4");

    struct Fixture {
        Workspace workspace;
        QSignalSpy failures;
        SweepPanel panel;
        explicit Fixture(const TestViewsSweep& test)
            : workspace(test.m_backends, test.m_catalog), failures(&workspace, &Workspace::failed),
              panel(workspace) {
            panel.resize(1100, 500);
            panel.show();
        }
        void openTiny() {
            workspace.setTarget(QStringLiteral("attacc"));
            workspace.openModel(test::sampleModel("tiny-gpt"));
        }
        std::size_t points() const { return panel.runner()->points().size(); }
        SweepRunner::State state() const { return panel.runner()->state(); }
    };
#define SETTLE(f)                                                                                            \
    QTRY_VERIFY2_WITH_TIMEOUT(test::settled((f).workspace), qPrintable(test::lastFailure((f).failures)),     \
                              120000)

private slots:
    /// Brushes by mouse and keys choose the rows of the table; those of the front, and what has no figures, stay what they are.
    void brushesChooseRows() {
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        f.workspace.setTarget(QStringLiteral("hbm-pim"));
        SETTLE(f);
        f.panel.over()->setText(
            QStringLiteral("group.count=4..32;past=4,8,64;blocks:=group.count*core.count"));
        QTest::keyClick(f.panel.over(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete, 120000);
        SweepView& view = *f.panel.view();
        QCOMPARE(view.data().rows.size(), std::size_t{12});
        QVERIFY(std::any_of(view.data().figures.begin(), view.data().figures.end(),
                            [](const SweepFigure& figure) { return figure.key == "blocks"; }));
        ParallelPlot& plot = *view.parallelPlot();
        QCOMPARE(plot.rows(), 12);
        plot.resize(600, 300);
        const auto shown = [&] {
            QList<int> rows;
            for (int row = 0; row < 12; ++row)
                if (!view.table()->isRowHidden(row))
                    rows << row;
            return rows;
        };
        QCOMPARE(shown().size(), 12);
        // From below 7 to above 17 groups: 8 and 16.
        const auto point = [&](double value) {
            return QPoint(int(plot.axisX(0)), int(plot.valueY(0, value)));
        };
        QTest::mousePress(&plot, Qt::LeftButton, {}, point(7));
        QTest::mouseMove(&plot, point(12));
        QTest::mouseMove(&plot, point(17));
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, point(17));
        QVERIFY(plot.brush(0).has_value() && plot.isBrushed());
        QCOMPARE(shown(), (QList<int>{3, 4, 5, 6, 7, 8}));
        plot.setBrush(1, std::pair(8.0, 3.0)); // either way round
        QCOMPARE(shown(), (QList<int>{3, 4, 6, 7}));
        QTest::mouseClick(&plot, Qt::LeftButton, {}, point(12));
        QVERIFY(!plot.brush(0));
        QCOMPARE(shown().size(), 8);
        QTest::keyClick(&plot, Qt::Key_Escape);
        QVERIFY(!plot.isBrushed());
        QCOMPARE(shown().size(), 12);
        QTest::keyClick(&plot, Qt::Key_Up); // the top fifth of the first axis
        QVERIFY(plot.brush(0).has_value());
        QCOMPARE(shown(), (QList<int>{9, 10, 11}));
        // Rows without figures have no line: the third of each four is too long.
        int nothing = 0;
        for (const SweepRow& row : view.data().rows)
            nothing += row.error.isEmpty() ? 0 : 1;
        QCOMPARE(nothing, 4);
        QImage image(600, 300, QImage::Format_RGB32);
        QPainter painter(&image);
        plot.paint(painter, {600, 300});
        int ink = 0;
        for (int y = 60; y < 270; ++y)
            ink +=
                image.pixelColor(int((plot.axisX(0) + plot.axisX(1)) / 2), y) != color(Role::Canvas) ? 1 : 0;
        QVERIFY(ink > 3);
    }

    void aMapThatGoesTakesItsWorkWithIt() {
        Workspace workspace(m_backends, m_catalog);
        workspace.setTarget(QStringLiteral("dynaplasia"));
        workspace.openModel(test::sampleModel("tiny-gpt"));
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 60000);
        auto map = std::make_unique<SpeedMapView>(workspace);
        QCOMPARE(workspace.tasks()->entries().size(), 1);
        map.reset();
        // or its result would come to somebody who is not there
        QVERIFY(workspace.tasks()->entries().isEmpty());
    }

    void pointsComeWhileItRunsAndAPauseKeepsThem() {
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        QVERIFY(f.panel.over()->text().contains(QStringLiteral("past="))); // a proposal of its own
        f.panel.over()->setText(m_over);
        QTest::keyClick(f.panel.over(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(f.points() >= 2, 120000);
        QVERIFY(f.state() == SweepRunner::State::Running); // and shown before its end
        QVERIFY(f.panel.view()->data().rows.size() >= 2);
        QVERIFY(std::any_of(f.panel.view()->data().rows.begin(), f.panel.view()->data().rows.end(),
                            [](const SweepRow& row) { return row.isOnFront; }));
        QTest::mouseClick(f.panel.pauseButton(), Qt::LeftButton);
        QVERIFY(f.state() == SweepRunner::State::Paused);
        const std::size_t there = f.points();
        const double first = f.panel.runner()->points().front().compileMs;
        QVERIFY(there < 63);
        QVERIFY(f.panel.pauseButton()->text().contains(QStringLiteral("Resume")));
        QTest::mouseClick(f.panel.pauseButton(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete, 120000);
        QCOMPARE(f.points(), std::size_t{63});
        QCOMPARE(f.panel.runner()->points().front().compileMs, first); // not computed again
        QCOMPARE(f.panel.progress()->value(), 63);
        QVERIFY(f.panel.progress()->text().contains(QStringLiteral("9 failed")));
        QVERIFY(f.panel.view()->title()->text().contains(QStringLiteral("9 failed")));
        // one that fails is a row, not a failure
        QVERIFY2(f.failures.isEmpty(), qPrintable(test::lastFailure(f.failures)));
        QCOMPARE(f.panel.view()->table()->model()->rowCount(), 63);
    }

    void aProjectGoesOnWithItAfterARestart() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("sweep.pimproj"));
        std::size_t there = 0;
        {
            Fixture f(*this);
            f.openTiny();
            SETTLE(f);
            f.workspace.saveProject(file);
            QTRY_VERIFY_WITH_TIMEOUT(f.workspace.project(), 30000);
            SETTLE(f);
            f.panel.over()->setText(m_over);
            f.panel.runButton()->click();
            QTRY_VERIFY_WITH_TIMEOUT(f.points() >= 4, 120000);
            there = f.points();
            QVERIFY(there < 63);
        } // closed while it runs
        Fixture f(*this);
        f.workspace.openProject(file);
        QTRY_VERIFY_WITH_TIMEOUT(f.state() == SweepRunner::State::Paused, 120000);
        SETTLE(f);
        QVERIFY(f.points() >= there && f.points() < 63);
        QCOMPARE(f.panel.keptBox()->count(), 1);
        QVERIFY(f.panel.view()->data().rows.size() == f.points()); // shown with what it has
        const SweepPoint first = f.panel.runner()->points().front();
        f.panel.pauseButton()->click();
        QTRY_VERIFY2_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete,
                                  qPrintable(test::lastFailure(f.failures)), 120000);
        QCOMPARE(f.points(), std::size_t{63});
        SETTLE(f);
        QCOMPARE(f.workspace.project()->sweeps()->front().finished, std::int64_t{63});
        QCOMPARE(f.workspace.project()->sweep(f.panel.runner()->id())->points.front().compileMs,
                 first.compileMs);
        // Enter on a row opens it.
        emit f.panel.view()->rowActivated(4);
        QTRY_VERIFY((f.workspace.graphOptions().bindings ==
                     std::map<std::string, std::int64_t>{{"batch", 2}, {"past", 2}}));
        SETTLE(f);
        f.panel.runner()->remove();
        QTRY_VERIFY_WITH_TIMEOUT(f.workspace.project()->sweeps()->empty(), 30000);
        QVERIFY(f.state() == SweepRunner::State::Empty);
        SETTLE(f);
    }

    void whatWasSweptBeforeSavingIsSavedToo() {
        QTemporaryDir folder;
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        f.panel.over()->setText(QStringLiteral("past=1,2,64"));
        f.panel.runButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete, 60000);
        QCOMPARE(f.panel.runner()->id(), std::int64_t{0});
        f.workspace.saveProject(folder.filePath(QStringLiteral("late.pimproj")));
        QTRY_VERIFY_WITH_TIMEOUT(f.panel.runner()->id() > 0, 60000);
        SETTLE(f);
        QCOMPARE(f.workspace.project()->sweeps()->front().finished, std::int64_t{3});
        QCOMPARE(f.workspace.project()->sweeps()->front().failed, std::int64_t{1});
    }

    /// Arrays of a chip: points that are too large are left out and are no failures, the front is by time and area.
    void figuresOfTheMachineVary() {
        Fixture f(*this);
        f.workspace.setTarget(QStringLiteral("dynaplasia"));
        f.workspace.openModel(test::sampleModel("tiny-gpt"));
        SETTLE(f);
        f.panel.over()->setText(
            QStringLiteral("array.count=24..96+24;area.chip=area.chip*array.count/96;area_mm2<=16"));
        f.panel.runButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(f.state() == SweepRunner::State::Complete, 120000);
        QVERIFY2(f.failures.isEmpty(), qPrintable(test::lastFailure(f.failures)));
        const SweepData& data = f.panel.view()->data();
        QCOMPARE(data.names, (QStringList{"array.count"}));
        QCOMPARE(data.rows.size(), std::size_t{4});
        QVERIFY(data.rows[3].isLeftOut && !data.rows[2].isLeftOut);
        QVERIFY(data.against >= 0 && data.figures[std::size_t(data.against)].key == "area_mm2");
        QVERIFY(f.panel.view()->title()->text().contains(QStringLiteral("1 left out by conditions")));
        QVERIFY(!f.panel.view()->title()->text().contains(QStringLiteral("failed")));
    }

    void whatCannotBeSweptIsSaid() {
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        f.panel.over()->setText(QStringLiteral("length=1,2"));
        f.panel.runButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!f.failures.isEmpty(), 60000);
        QVERIFY2(test::lastFailure(f.failures).contains(QStringLiteral("batch, past")),
                 qPrintable(test::lastFailure(f.failures)));
        QVERIFY(f.state() == SweepRunner::State::Empty);
        f.panel.over()->setText(QStringLiteral("past=8..4"));
        f.panel.runButton()->click();
        QVERIFY(f.state() == SweepRunner::State::Empty);
    }
};

QTEST_MAIN(TestViewsSweep)
#include "tst_views_sweep.moc"
