// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The main job as a person does it, offscreen: sample, target, op, drag to the host, another draft, undo, save, reopen,
/// compare, export, pictures.
#include "app/studio/headline_bar.h"
#include "app/studio/screenshots.h"
#include "app/studio/target_box.h"
#include "backends/dual_mode/plan.h"
#include "core/dram_pim/command_trace.h"
#include "core/plan/command_facet.h"
#include "core/report/bundle.h"
#include "tests/app_studio/studio_fixture.h"
#include "tests/app_studio/ui_watchdog.h"
#include "views/common/timeline_canvas.h"
#include "views/dram_pim/command_picture.h"
#include "views/dram_pim/commands_view.h"
#include "views/dram_pim/grid_canvas.h"
#include "views/dram_pim/layout_view.h"
#include "views/dram_pim/place_map.h"
#include "views/dual_mode/segment_canvas.h"
#include "views/dual_mode/segment_editor.h"
#include "views/dual_mode/speed_map_view.h"
#include "views/hardware/hardware_view.h"
#include "views/inspector/inspector_view.h"
#include "views/inspector/override_editor.h"
#include "views/models/simulation_source.h"
#include "views/program/program_text.h"
#include "views/program/program_view.h"
#include "views/runs/runs_view.h"
#include "views/sweep/sweep_panel.h"
#include "views/sweep/sweep_view.h"
#include "views/timeline/timeline_view.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QUndoStack>

using namespace pim;
using namespace pim::views;
using namespace pim::studio;
using pim::test::Studio;

class TestMainFlow : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<pim::test::UiWatchdog> m_watchdog;

    static void openSample(Studio& studio, const char* id) {
        auto* button =
            studio.window.findChild<QAbstractButton*>(QStringLiteral("sample/") + QString::fromLatin1(id));
        QVERIFY(button);
        button->click();
        SETTLE(studio);
    }

private slots:
    void initTestCase() {
        pim::test::isolateSettings(m_folder);
        m_watchdog = std::make_unique<pim::test::UiWatchdog>();
    }
    void cleanupTestCase() {
        qInfo("longest stretch the UI thread was busy: %.0f ms", m_watchdog->longestMs());
    }

    void commandsAndLayoutOfTheSelectedOp_data() {
        QTest::addColumn<QString>("target");
        for (const char* target : {"attacc", "hbm-pim", "aim"})
            QTest::newRow(target) << QString::fromLatin1(target);
    }
    void commandsAndLayoutOfTheSelectedOp() {
        QFETCH(QString, target);
        Studio studio;
        openSample(studio, "tiny-gpt");
        studio.workspace.setTarget(target);
        SETTLE(studio);
        const std::string name = "/layers.1/mlp/fc2/MatMul";
        studio.workspace.applyOverride({name, "placement", "pim"});
        SETTLE(studio);
        const OpId op = studio.workspace.graph()->findOp(name);
        QVERIFY(op.valid());
        studio.workspace.selectOp(op);
        SETTLE(studio);

        // Nothing is worked out before it is seen.
        auto* commands = studio.window.findChild<CommandsView*>();
        auto* layout = studio.window.findChild<LayoutView*>();
        QTest::qWait(300);
        QVERIFY(!commands->picture() && !layout->map());

        studio.window.panels().show(Question::WhereTimeGoes);
        studio.window.panels().dock(QStringLiteral("commands"))->raise();
        QTRY_VERIFY_WITH_TIMEOUT(commands->picture(), 60000);
        const auto trace = studio.workspace.backendOf(*studio.workspace.plan()->target)
                               ->commands()
                               ->trace(*studio.workspace.plan(), op, {});
        QVERIFY(trace);
        QCOMPARE(commands->picture()->trace().timing.ticks, (*trace)->timing.ticks);
        QCOMPARE(commands->picture()->trace().commands.size(), (*trace)->commands.size());
        QVERIFY2(
            commands->title()->text().contains(QString::fromStdString("strict on " + (*trace)->device.name)),
            qPrintable(commands->title()->text()));
        QVERIFY2(commands->title()->text().contains(QStringLiteral("equal channels")),
                 qPrintable(commands->title()->text()));
        QCOMPARE(commands->opBox()->currentText(), QString::fromStdString(name));

        studio.window.panels().show(Question::WhyThisDraft);
        studio.window.panels().dock(QStringLiteral("layout"))->raise();
        QTRY_VERIFY_WITH_TIMEOUT(layout->map(), 60000);
        const auto places = studio.workspace.backendOf(*studio.workspace.plan()->target)
                                ->commands()
                                ->places(*studio.workspace.plan(), op);
        QVERIFY(places);
        const int tensor = layout->tensorBox()->currentIndex();
        QVERIFY((*places)->tensors[static_cast<std::size_t>(tensor)].residency == Residency::Resident);
        // Nothing in the channel is overlooked.
        std::int64_t inChannel = 0, elements = 1;
        for (const std::int64_t extent : (*places)->tensors[static_cast<std::size_t>(tensor)].shape)
            elements *= extent;
        for (std::int64_t element = 0; element < elements; ++element)
            for (const PimPlace& place : (*places)->of(tensor, element))
                inChannel += place.group == layout->map()->group();
        QCOMPARE(layout->map()->step(), std::int64_t(1));
        QCOMPARE(layout->map()->copies(), inChannel);
        layout->setElement(1234);
        QTRY_VERIFY(layout->map());
        const auto copies = (*places)->of(tensor, 1234);
        QVERIFY(!copies.empty());
        QCOMPARE(layout->banks()->marks().size(),
                 std::size_t(std::count_if(copies.begin(), copies.end(), [&](const PimPlace& place) {
                     return place.group == layout->map()->group();
                 })));
        QVERIFY2(
            layout->status()->text().contains(QString::fromStdString(placeText(**places, copies.front()))),
            qPrintable(layout->status()->text()));

        // An op on the host has neither.
        studio.workspace.applyOverride({name, "placement", "host"});
        SETTLE(studio);
        QTRY_VERIFY(!layout->map());
    }

    void theWholeJob() {
        const QString projectFile = m_folder.filePath(QStringLiteral("flow.pimproj"));
        std::string plannedJson;
        OpId op;
        {
            Studio studio;
            openSample(studio, "tiny-gpt");
            QCOMPARE(studio.workspace.target()->id, std::string("hbm-pim")); // the sample's own

            // Choose a target.
            auto* targets = studio.window.findChild<TargetBox*>();
            targets->setCurrentIndex(targets->findData(QStringLiteral("attacc")));
            emit targets->activated(targets->currentIndex());
            SETTLE(studio);
            QCOMPARE(studio.workspace.plan()->target->id, std::string("attacc"));
            auto* headline = studio.window.findChild<HeadlineBar*>();
            QVERIFY2(headline->text().contains(QStringLiteral("AttAcc")) &&
                         headline->text().contains(QStringLiteral("predicted")) &&
                         headline->text().contains(QStringLiteral("×")),
                     qPrintable(headline->text()));

            // Select an op; every panel follows.
            studio.window.panels().show(Question::WhyThisDraft);
            op = studio.costliestOnPim();
            QVERIFY(op.valid());
            const std::string opName = studio.workspace.graph()->op(op).name;
            studio.workspace.selectOp(op);
            QTRY_VERIFY_WITH_TIMEOUT(studio.workspace.exploration(), 60000);

            // Drag it onto the host.
            auto* hardware = studio.window.findChild<HardwareView*>();
            HardwareSpot host;
            host.kind = HardwareSpot::Kind::Host;
            const QString mime = QString::fromLatin1(kMimeOp), payload = QString::fromStdString(opName);
            const DropVerdict verdict = hardware->verdict(mime, payload, host);
            QVERIFY2(verdict.legal, qPrintable(verdict.text));
            QTRY_VERIFY_WITH_TIMEOUT(headline->text().contains(QStringLiteral("simulated")), 60000);
            const QString before = headline->text();
            hardware->drop(mime, payload, host);
            SETTLE(studio);
            QCOMPARE(studio.workspace.plan()->opPlan(op).placement, DeviceId::host());
            QVERIFY(headline->text() != before);
            studio.workspace.undoStack()->undo();
            SETTLE(studio);
            QTRY_COMPARE_WITH_TIMEOUT(headline->text(), before, 60000);

            // Another draft, typed into the inspector.
            auto* inspector = studio.window.findChild<InspectorView*>();
            const auto explored = studio.workspace.exploration();
            QVERIFY(explored && explored->drafts.size() > 1);
            const auto other =
                std::find_if(explored->drafts.begin(), explored->drafts.end(), [&](const Draft& draft) {
                    return draft != studio.workspace.plan()->opPlan(op).draft;
                });
            auto* field = qobject_cast<QLineEdit*>(inspector->editor()->widgetFor("draft"));
            QVERIFY(field);
            field->setText(QString::fromStdString(explored->space->draftText(*other)));
            QTest::keyClick(field, Qt::Key_Return);
            SETTLE(studio);
            QVERIFY(studio.workspace.plan()->opPlan(op).draft == *other);
            QVERIFY(studio.workspace.plan()->opPlan(op).draftOverridden);
            QVERIFY(studio.window.isWindowModified());
            studio.workspace.undoStack()->undo();
            studio.workspace.undoStack()->redo();
            SETTLE(studio);
            QVERIFY(studio.workspace.plan()->opPlan(op).draft == *other);

            // Its commands.
            studio.window.showPanel(QStringLiteral("program"));
            const auto* program = studio.window.findChild<ProgramView*>();
            QTRY_VERIFY_WITH_TIMEOUT(program->text()->toPlainText().contains(QString::fromStdString(opName)),
                                     60000);

            // Save, decide once more: two runs.
            studio.window.saveProject(projectFile);
            QTRY_VERIFY(studio.workspace.lastRun() > 0);
            QTRY_VERIFY(!studio.window.isWindowModified()); // decisions are written beside the run
            studio.workspace.applyOverride({opName, "placement", "host"});
            SETTLE(studio);
            QTRY_COMPARE(studio.workspace.project()->runs()->size(), 2U);
            plannedJson = planJson(*studio.workspace.plan());
            QVERIFY2(studio.failures.isEmpty(), qPrintable(studio.lastFailure()));
            QVERIFY(studio.window.close());
        }

        // Reopen.
        Studio studio;
        studio.window.openFile(projectFile);
        SETTLE(studio);
        QCOMPARE(planJson(*studio.workspace.plan()), plannedJson);
        QVERIFY(studio.settings.recentFiles().contains(projectFile));
        QVERIFY(studio.window.windowTitle().contains(QStringLiteral("flow.pimproj")));

        // Compare the two runs.
        studio.window.panels().show(Question::WhatIf);
        auto* runs = studio.window.findChild<RunsView*>();
        const auto list = *studio.workspace.project()->runs();
        QCOMPARE(list.size(), 2U);
        runs->compare(list[1].id, list[0].id);
        QTRY_VERIFY(runs->comparison());
        QVERIFY(runs->comparison()->sameModel && runs->comparison()->sameTarget);
        QCOMPARE(runs->comparison()->ops.front().name, studio.workspace.graph()->op(op).name);

        // Out it goes.
        QSignalSpy written(&studio.workspace, &Workspace::succeeded);
        const QString bundle = m_folder.filePath(QStringLiteral("bundle")),
                      html = m_folder.filePath(QStringLiteral("report.html")),
                      pdf = m_folder.filePath(QStringLiteral("report.pdf"));
        studio.workspace.exportBundle(bundle);
        studio.workspace.exportReport(html);
        studio.workspace.exportReport(pdf);
        QTRY_VERIFY2_WITH_TIMEOUT(written.size() == 3, qPrintable(studio.lastFailure()), 60000);
        m_watchdog->setWatching(false);
        const auto verified = verifyBundle(studio.workspace.backends(), bundle.toStdString());
        QVERIFY(verified.has_value());
        QVERIFY(verified->problems.empty());
        QFile report(html);
        QVERIFY(report.open(QIODevice::ReadOnly));
        QVERIFY(report.readAll().contains("<svg"));
        QVERIFY(QFileInfo(pdf).size() > 1000);
        m_watchdog->setWatching(true);
        QVERIFY2(studio.failures.isEmpty(), qPrintable(studio.lastFailure()));
    }

    /// A dual-mode chip: segments, pins, one undo step for a border that moves, a simulation that follows.
    void aDualModeChip() {
        Studio studio;
        openSample(studio, "resnet50");
        studio.workspace.setTarget(QStringLiteral("dynaplasia"));
        SETTLE(studio);
        const auto dualMode = [&] {
            return dynamic_cast<const pim::DualModePlan*>(studio.workspace.plan()->detail.get());
        };
        QVERIFY(dualMode());
        auto* source = studio.workspace.simulations();
        QTRY_VERIFY_WITH_TIMEOUT(source->simulation(), 30000);
        const auto first = source->simulation();
        auto* timeline = studio.window.findChild<TimelineView*>();
        // So many spans are made ready on a worker thread.
        QTRY_COMPARE_WITH_TIMEOUT(timeline->canvas()->timeline(), &first->timeline, 30000);
        timeline->pathButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(timeline->canvas()->showsPath(), 30000);
        QVERIFY(timeline->canvas()->goAlongPath(false));
        QVERIFY2(timeline->status()->text().contains(QStringLiteral("of the critical path")),
                 qPrintable(timeline->status()->text()));
        auto* headline = studio.window.findChild<HeadlineBar*>();
        QVERIFY2(headline->text().contains(QStringLiteral("simulated")) &&
                     headline->text().contains(QStringLiteral("all arrays compute")),
                 qPrintable(headline->text()));

        auto* segments = studio.window.findChild<SegmentEditor*>();
        QCOMPARE(segments->canvas()->picture().segments.size(), dualMode()->segmentation.segments.size());
        const int before = static_cast<int>(dualMode()->segmentation.segments.size()),
                  steps = studio.workspace.undoStack()->index();
        // A segment of several pieces is split after its first.
        const auto& all = dualMode()->segmentation.segments;
        const auto large = std::find_if(all.begin(), all.end(),
                                        [](const pim::DualModeSegment& s) { return s.last > s.first; });
        QVERIFY(large != all.end());
        const int at = large->first + 1;
        segments->canvas()->requestSplit(at);
        SETTLE(studio);
        QCOMPARE(studio.workspace.undoStack()->index(), steps + 1);
        QVERIFY(dualMode()->pins.borders.contains(at));
        QVERIFY(std::any_of(dualMode()->segmentation.segments.begin(),
                            dualMode()->segmentation.segments.end(),
                            [&](const pim::DualModeSegment& s) { return s.first == at; }));
        QTRY_VERIFY_WITH_TIMEOUT(source->simulation() && source->simulation() != first, 30000);
        studio.workspace.undoStack()->undo();
        SETTLE(studio);
        QCOMPARE(static_cast<int>(dualMode()->segmentation.segments.size()), before);

        // One selection: a click in the timeline is a selection everywhere.
        const pim::OpId conv = dualMode()->workload->ops.front().op;
        emit timeline->opClicked(static_cast<int>(conv.value));
        QVERIFY(studio.workspace.selection().op == conv);
        auto* map = studio.window.findChild<SpeedMapView*>();
        QTRY_VERIFY_WITH_TIMEOUT(
            map->grid().what.contains(QString::fromStdString(dualMode()->workload->ops.front().name)), 10000);

        auto* sweep = studio.window.findChild<SweepPanel*>();
        sweep->over()->setText(QStringLiteral("batch=1,2"));
        sweep->runButton()->click();
        QTRY_COMPARE_WITH_TIMEOUT(sweep->view()->data().rows.size(), std::size_t{2}, 60000);
        for (const SweepRow& row : sweep->view()->data().rows)
            QVERIFY(row.error.isEmpty() && row.speedup() >= 1);
        QVERIFY2(studio.failures.isEmpty(), qPrintable(studio.lastFailure()));
    }

    void picturesOfEverything() {
        Studio studio;
        openSample(studio, "tiny-gpt");
        m_watchdog->setWatching(false);
        // Machines planned by drafts, by segments and by places of weights, and those of DPUs, have panels of their own.
        const QString folder = m_folder.filePath(QStringLiteral("attacc"));
        const QStringList others{m_folder.filePath(QStringLiteral("dynaplasia")),
                                 m_folder.filePath(QStringLiteral("pimcomp-default")),
                                 m_folder.filePath(QStringLiteral("upmem-20"))};
        for (const QString& into : QStringList{folder} + others) {
            if (into != folder) {
                studio.workspace.setTarget(QFileInfo(into).fileName());
                SETTLE(studio);
            }
            // lives as long as the window: its project is open
            auto* shots = new Screenshots(studio.window, studio.workspace, into);
            QSignalSpy finished(shots, &Screenshots::finished);
            shots->start();
            QVERIFY(finished.wait(120'000));
            QVERIFY2(finished.front().at(0).toBool(), qPrintable(finished.front().at(1).toString()));
        }
        for (const auto& [id, dock] : studio.window.panels().docks()) {
            if (id == QStringLiteral("log"))
                continue; // no question shows it
            for (const char* suffix :
                 {"1280x720-light", "1280x720-dark", "1920x1080-light", "1920x1080-dark"}) {
                const QString name = QStringLiteral("panel-%1-%2.png").arg(id, QString::fromLatin1(suffix));
                QImage picture(QDir(folder).filePath(name));
                for (const QString& other : others)
                    if (picture.isNull())
                        picture.load(QDir(other).filePath(name));
                QVERIFY2(picture.width() > 100 && picture.height() > 60, qPrintable(id));
            }
        }
        const QImage light(QDir(folder).filePath(QStringLiteral("window-what-if-1280x720-light.png"))),
            dark(QDir(folder).filePath(QStringLiteral("window-what-if-1280x720-dark.png")));
        QCOMPARE(light.size(), QSize(1280, 720));
        QVERIFY(light.pixelColor(2, 715).lightness() > dark.pixelColor(2, 715).lightness() + 80);
        studio.window.panels().reset();
        m_watchdog->setWatching(true);
    }

    void closingWhileLoadingIsClean() {
        for (int i = 0; i < 3; ++i) {
            Studio studio;
            auto* button = studio.window.findChild<QAbstractButton*>(QStringLiteral("sample/resnet50"));
            QVERIFY(button);
            button->click();
            QTest::qWait(i * 30);
            QVERIFY(studio.window.close());
        }
    }
};

QTEST_MAIN(TestMainFlow)
#include "tst_app_studio_main_flow.moc"
