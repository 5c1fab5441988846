// SPDX-License-Identifier: GPL-3.0-or-later
// Drafts and tiles views over a real model, target and compile.
#include <QTest> // first: moc of Qt 6.4 cannot read <compare> before a standard header

#include "backends/builtin.h"
#include "core/base/paths.h"
#include "core/graph/zoo/zoo.h"
#include "core/plan/draft_facet.h"
#include "views/common/palette.h"
#include "views/drafts/draft_filter.h"
#include "views/drafts/drafts_view.h"
#include "views/models/workspace.h"
#include "views/tiles/tiles_view.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDir>
#include <QTableView>
#include <QTemporaryDir>
#include <QUndoStack>

using namespace pim;
using namespace pim::views;

namespace {

/// The slowest op that can run on PIM and has more than one draft.
OpId interestingOp(const Plan& plan) {
    OpId best;
    for (const OpPlan& op : plan.ops)
        if (op.draft && op.draftsKept > 1 &&
            (!best.valid() || op.cost.totalNs() > plan.opPlan(best).cost.totalNs()))
            best = op.op;
    return best;
}

} // namespace

class TestScheduleViews : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        const auto file = m_folder.filePath("tiny.onnx");
        const auto written = writeZooModel("tiny-gpt", file.toStdString());
        QVERIFY2(written, written ? "" : written.error().text().c_str());
        m_backends = builtinBackends();
        m_workspace = std::make_unique<Workspace>(m_backends, TargetCatalog::load());
        m_workspace->setTarget("attacc");
        m_workspace->openModel(file);
        QTRY_VERIFY_WITH_TIMEOUT(m_workspace->plan() && !m_workspace->isStale(), 60000);
        m_op = interestingOp(*m_workspace->plan());
        QVERIFY(m_op.valid());
        m_workspace->selectOp(m_op);
        QTRY_VERIFY_WITH_TIMEOUT(m_workspace->exploration() && m_workspace->exploration()->op == m_op, 60000);
    }

    void listsEveryDraftCheapestFirst() {
        DraftsModel model;
        QAbstractItemModelTester tester(&model);
        model.setExploration(m_workspace->exploration());
        QCOMPARE(model.rowCount(), model.keptCount());
        QVERIFY(model.rowCount() > 1);
        for (int row = 1; row < model.rowCount(); ++row)
            QVERIFY(model.costAt(row - 1)->totalNs() <= model.costAt(row)->totalNs());
        for (int column = 0; column < model.columnCount(); ++column)
            QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
    }

    void copiesUnroundedNumbersWithTheirUnit() {
        DraftsModel model;
        model.setExploration(m_workspace->exploration());
        const int total = model.column(DraftsModel::Total);
        QCOMPARE(model.index(0, total).data(Qt::EditRole).toDouble(), model.costAt(0)->totalNs());
        QVERIFY(model.headerData(total, Qt::Horizontal, Qt::EditRole).toString().contains("ns"));
    }

    void sortsByAnyFigureBothWays() {
        DraftsModel model;
        QAbstractItemModelTester tester(&model);
        model.setExploration(m_workspace->exploration());
        model.sort(model.column(DraftsModel::Compute), Qt::DescendingOrder);
        for (int row = 1; row < model.rowCount(); ++row)
            QVERIFY(model.costAt(row - 1)->computeNs >= model.costAt(row)->computeNs);
        model.sort(model.column(DraftsModel::Input), Qt::AscendingOrder);
        for (int row = 1; row < model.rowCount(); ++row)
            QVERIFY(model.costAt(row - 1)->inputNs <= model.costAt(row)->inputNs);
    }

    void showsRejectedDraftsWithTheirRule() {
        DraftsModel model;
        QAbstractItemModelTester tester(&model);
        model.setExploration(m_workspace->exploration());
        model.setShowRejected(true);
        QCOMPARE(model.rowCount(), model.keptCount() + int(m_workspace->exploration()->rejected.size()));
        for (int row = model.keptCount(); row < model.rowCount(); ++row) {
            QVERIFY(model.isRejected(row));
            QVERIFY(!model.index(row, model.column(DraftsModel::Verdict)).data().toString().isEmpty());
        }
    }

    void filtersByFigureAndText() {
        DraftsModel model;
        model.setExploration(m_workspace->exploration());
        const double limit = m_workspace->exploration()->costs.front().totalNs() * 1.5;
        auto filter = parseDraftFilter(QStringLiteral("total<=%1ns groups>=2").arg(limit, 0, 'f', 3),
                                       m_workspace->exploration()->space);
        QVERIFY(filter);
        model.setFilter(*filter);
        int expected = 0;
        for (std::size_t i = 0; i < m_workspace->exploration()->drafts.size(); ++i) {
            int groups = 1;
            for (const DraftPart& part : m_workspace->exploration()->drafts[i].parts)
                groups *= part.groups;
            expected += groups >= 2 && m_workspace->exploration()->costs[i].totalNs() <= limit;
        }
        QCOMPARE(model.rowCount(), expected);
        QVERIFY(!parseDraftFilter("total<fast", m_workspace->exploration()->space));
        QVERIFY(!parseDraftFilter("groups>2us", m_workspace->exploration()->space));
    }

    void usesTheSelectedDraftAndUndoes() {
        DraftsView view(*m_workspace);
        view.resize(900, 500);
        view.show();
        const auto before = m_workspace->plan();
        QVERIFY(view.model()->rowCount() > 1);
        view.table()->setCurrentIndex(view.model()->index(1, 0));
        QVERIFY(m_workspace->selection().draft);
        const Draft wanted = *m_workspace->selection().draft;
        emit view.table()->activated(view.model()->index(1, 0));
        QTRY_VERIFY(!m_workspace->isStale() && m_workspace->plan() != before);
        QCOMPARE(*m_workspace->plan()->opPlan(m_op).draft, wanted);
        QVERIFY(m_workspace->plan()->opPlan(m_op).draftOverridden);
        m_workspace->undoStack()->undo();
        QTRY_VERIFY(!m_workspace->isStale() && !m_workspace->plan()->opPlan(m_op).draftOverridden);
        QCOMPARE(m_workspace->plan()->total.totalNs(), before->total.totalNs());
    }

    void tilesDescribeWhatACoreHolds() {
        TilesView view(*m_workspace);
        view.resize(1000, 500);
        view.show();
        const QString text = view.describe(0, 0);
        QVERIFY2(text.contains("iterations") && text.contains("Holds"), qPrintable(text));
        QVERIFY(view.describe(100000, 0).isEmpty());
    }

    void looksRightInBothThemes_data() {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << int(Theme::Light);
        QTest::newRow("dark") << int(Theme::Dark);
    }
    void looksRightInBothThemes() {
        QFETCH(int, theme);
        applyTheme(Theme(theme));
        DraftsView drafts(*m_workspace);
        TilesView tiles(*m_workspace);
        const QString folder = qEnvironmentVariable("PIM_SHOTS", m_folder.path());
        for (QWidget* view : std::initializer_list<QWidget*>{&drafts, &tiles}) {
            view->resize(1000, 460);
            view->show();
            QTest::qWait(50);
            const QPixmap picture = view->grab();
            QVERIFY(picture.toImage().pixelColor(2, 2).isValid());
            QVERIFY(picture.save(
                QStringLiteral("%1/%2-%3.png").arg(folder, view->objectName(), QTest::currentDataTag())));
        }
        applyTheme(Theme::Light);
    }

    void cleanupTestCase() { m_workspace.reset(); }

private:
    QTemporaryDir m_folder;
    BackendList m_backends;
    std::unique_ptr<Workspace> m_workspace;
    OpId m_op;
};

QTEST_MAIN(TestScheduleViews)
#include "tst_views_schedule.moc"
