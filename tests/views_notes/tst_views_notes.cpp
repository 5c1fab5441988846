// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Notes, filters and lanes over a real document: written in one view, seen in the others, undone, kept with
/// the project.
#include <QTest>
#include <string>

#include "backends/builtin.h"
#include "tests/support/workspace.h"
#include "views/common/table_view.h"
#include "views/common/timeline_canvas.h"
#include "views/common/timeline_tools.h"
#include "views/dram_pim/commands_view.h"
#include "views/filters/filter_chips.h"
#include "views/models/filter_stack.h"
#include "views/models/simulation_source.h"
#include "views/models/workspace.h"
#include "views/notes/notes_panel.h"
#include "views/timeline/timeline_view.h"

#include <QFile>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QUndoStack>

#include <algorithm>

using namespace pim;
using namespace pim::views;

class TestNotes : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();
    std::unique_ptr<Workspace> m_workspace;
    QTemporaryDir m_folder;

    std::string opName(int op) const { return m_workspace->graph()->ops[static_cast<std::size_t>(op)].name; }
    /// The timeline with its simulation.
    std::unique_ptr<TimelineView> timeline() {
        auto view = std::make_unique<TimelineView>(*m_workspace);
        view->resize(1100, 600);
        view->show();
        return view;
    }
    static bool hasTimeline(const TimelineView& view) { return view.canvas()->timeline() != nullptr; }

#define SETTLE() QTRY_VERIFY_WITH_TIMEOUT(test::settled(*m_workspace), 60000)

private slots:
    void init() {
        m_workspace = std::make_unique<Workspace>(m_backends, m_catalog);
        m_workspace->setTarget(QStringLiteral("attacc"));
        m_workspace->openModel(test::sampleModel("tiny-gpt"), {{"batch", 1}, {"past", 32}});
        SETTLE();
    }
    void cleanup() {
        m_workspace.reset();
    }

    void aNoteOnAnOpIsAddedEditedRemovedAndUndone() {
        NotesPanel panel(*m_workspace);
        panel.resize(700, 300);
        panel.show();
        QVERIFY(!panel.newField()->isEnabled());
        m_workspace->selectOp(OpId(2));
        QVERIFY(panel.newField()->placeholderText().contains(QString::fromStdString(opName(2))));
        QTest::keyClicks(panel.newField(), QStringLiteral("check this"));
        QTest::keyClick(panel.newField(), Qt::Key_Return);
        QCOMPARE(m_workspace->notes().size(), std::size_t(1));
        QCOMPARE(m_workspace->notes()[0].op, opName(2));
        QVERIFY(panel.newField()->text().isEmpty());
        auto* model = panel.table()->model();
        const QModelIndex text = model->index(0, model->columnCount() - 1);
        QVERIFY(model->setData(text, QStringLiteral("checked"), Qt::EditRole));
        QCOMPARE(m_workspace->notes()[0].text, std::string("checked"));
        QVERIFY(!model->setData(text, QStringLiteral("  "), Qt::EditRole)); // an empty one is none
        panel.table()->setCurrentIndex(text);
        QTest::keyClick(panel.table(), Qt::Key_Delete);
        QVERIFY(m_workspace->notes().empty());
        m_workspace->undoStack()->undo();
        QCOMPARE(m_workspace->notes()[0].text, std::string("checked"));
        m_workspace->undoStack()->undo();
        QCOMPARE(m_workspace->notes()[0].text, std::string("check this"));
        m_workspace->undoStack()->undo();
        QVERIFY(m_workspace->notes().empty());
        m_workspace->undoStack()->redo();
        QCOMPARE(model->rowCount(), 1);
    }

    void goesToWhatANoteIsAboutAndFilters() {
        NotesPanel panel(*m_workspace);
        panel.show();
        m_workspace->addNote({0, opName(1), {}, 0, 0, "first"});
        m_workspace->addNote({0, {}, "network", 1000, 2000, "second"});
        m_workspace->addNote({0, opName(3), "commands/" + opName(3), 10, 20, "third"});
        QSignalSpy wanted(&panel, &NotesPanel::stretchRequested);
        auto* model = panel.table()->model();
        QCOMPARE(model->rowCount(), 3);
        panel.table()->setCurrentIndex(model->index(0, 0));
        QTest::keyClick(panel.table(), Qt::Key_Return);
        QCOMPARE(m_workspace->selection().op, OpId(1));
        QCOMPARE(wanted.count(), 0);
        panel.filterField()->setText(QStringLiteral("THIRD"));
        QCOMPARE(model->rowCount(), 1);
        panel.table()->setCurrentIndex(model->index(0, 0));
        panel.goButton()->click();
        QCOMPARE(m_workspace->selection().op, OpId(3));
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted[0][0].toString().toStdString(), "commands/" + opName(3));
        QCOMPARE(wanted[0][1].toDouble(), 10.0);
        panel.showNote(m_workspace->notes()[1].id); // hidden by the filter
        QVERIFY(panel.filterField()->text().isEmpty());
        panel.goButton()->click();
        QCOMPARE(wanted.last()[0].toString(), QStringLiteral("network"));
        QVERIFY(
            panel.table()->text(TableView::Format::Csv, false).contains(QStringLiteral(",1000,2000,second")));
    }

    void aNoteOfTheTimelineIsAFlagThere() {
        const auto view = timeline();
        QTRY_VERIFY_WITH_TIMEOUT(hasTimeline(*view), 60000);
        const double end = view->canvas()->timeline()->endNs;
        view->canvas()->setArea(TimelineArea{end / 4, end / 2, 0, 1});
        view->noteLine()->field()->setText(QStringLiteral("a long stretch"));
        QTest::keyClick(view->noteLine()->field(), Qt::Key_Return);
        QCOMPARE(m_workspace->notes().size(), std::size_t(1));
        QCOMPARE(m_workspace->notes()[0].timeline, std::string("network"));
        QCOMPARE(m_workspace->notes()[0].fromNs, end / 4);
        QCOMPARE(view->canvas()->flags().size(), std::size_t(1));
        m_workspace->undoStack()->undo();
        QVERIFY(view->canvas()->flags().empty());
    }

    void anAreaLimitsTheViewsThroughAChip() {
        const auto view = timeline();
        FilterChips chips(*m_workspace);
        chips.show();
        QSignalSpy needed(&chips, &FilterChips::neededChanged);
        QVERIFY(!chips.isNeeded());
        QTRY_VERIFY_WITH_TIMEOUT(hasTimeline(*view), 60000);
        const double end = view->canvas()->timeline()->endNs;
        view->showStretch(0, end / 3);
        const std::vector<int> ops = view->areaOps();
        QVERIFY(!ops.empty() && ops.size() < m_workspace->graph()->ops.size());
        view->limitButton()->click();
        QCOMPARE(chips.chips().size(), 1);
        QCOMPARE(needed.count(), 1);
        QVERIFY2(chips.chips()[0]->text().contains(QStringLiteral("Time")),
                 qPrintable(chips.chips()[0]->text()));
        QVERIFY(chips.summary()->text().contains(QString::number(ops.size())));
        for (std::size_t op = 0; op < m_workspace->graph()->ops.size(); ++op)
            QCOMPARE(m_workspace->filters()->passes(OpId(static_cast<std::int64_t>(op))),
                     std::find(ops.begin(), ops.end(), int(op)) != ops.end());
        QVERIFY(view->canvas()->brightPart() != nullptr); // the others are dimmed here too
        // A second one beside it; both go from the keyboard.
        m_workspace->filters()->push(
            {QStringLiteral("type:MatMul"), std::vector<bool>(m_workspace->graph()->ops.size(), true)});
        QCOMPARE(chips.chips().size(), 2);
        QVERIFY(chips.clearButton()->isVisible());
        for (int left = 1; left >= 0; --left) {
            QVERIFY(!chips.chips()[0]->accessibleName().isEmpty());
            QTest::keyClick(chips.chips()[0], Qt::Key_Delete);
            QTRY_COMPARE(chips.chips().size(), left);
        }
        QCOMPARE(needed.count(), 2);
        QVERIFY(view->canvas()->brightPart() == nullptr);
    }

    void lanesAreKeptWithTheProject() {
        const auto view = timeline();
        QTRY_VERIFY_WITH_TIMEOUT(hasTimeline(*view), 60000);
        view->canvas()->setPinned(2, true);
        view->canvas()->moveGroup(0, false);
        const LaneArrangement wanted = view->canvas()->lanes();
        QVERIFY(LaneArrangement::fromJson(m_workspace->viewState(QStringLiteral("timeline"))) == wanted);
        const QString file = m_folder.filePath(QStringLiteral("lanes.pimproj"));
        m_workspace->addNote({0, {}, "network", 1, 2, "kept"});
        m_workspace->saveProject(file);
        QTRY_VERIFY_WITH_TIMEOUT(m_workspace->project() != nullptr, 60000);
        SETTLE();
        Workspace again(m_backends, m_catalog);
        TimelineView reopened(again);
        again.openProject(file);
        QTRY_VERIFY_WITH_TIMEOUT(again.graph() != nullptr, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(reopened.canvas()->lanes() == wanted, 10000);
        QCOMPARE(reopened.canvas()->flags().size(), std::size_t(1));
    }

    void commandsHaveNotesAndLanesOfTheirOwn() {
        CommandsView view(*m_workspace);
        view.resize(1000, 600);
        view.show();
        view.setSeen(true);
        OpId onPim;
        for (const OpPlan& op : m_workspace->plan()->ops)
            if (!op.onHost())
                onPim = op.op;
        QVERIFY(onPim.valid());
        m_workspace->selectOp(onPim);
        QTRY_VERIFY_WITH_TIMEOUT(view.picture() != nullptr, 60000);
        const std::string name = m_workspace->graph()->op(onPim).name;
        QCOMPARE(view.opName().toStdString(), name);
        QVERIFY(view.modesTable()->model()->rowCount() >= 1);
        view.canvas()->setArea(TimelineArea{100, 200, 0, 3});
        view.noteLine()->field()->setText(QStringLiteral("here it waits"));
        QTest::keyClick(view.noteLine()->field(), Qt::Key_Return);
        QCOMPARE(m_workspace->notes().back().timeline, "commands/" + name);
        QCOMPARE(m_workspace->notes().back().op, name);
        QCOMPARE(view.canvas()->flags().size(), std::size_t(1));
        view.canvas()->setPinned(0, true);
        QVERIFY(!m_workspace->viewState(QStringLiteral("commands")).isEmpty());
    }

    void theReportPrintsTheNotes() {
        m_workspace->addNote({0, opName(0), {}, 0, 0, "read this first"});
        const QString file = m_folder.filePath(QStringLiteral("report.html"));
        QSignalSpy written(m_workspace.get(), &Workspace::succeeded);
        m_workspace->exportReport(file);
        QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 60000);
        QFile report(file);
        QVERIFY(report.open(QIODevice::ReadOnly));
        QVERIFY(report.readAll().contains("read this first"));
    }
};

QTEST_MAIN(TestNotes)
#include "tst_views_notes.moc"
