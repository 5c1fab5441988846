// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/builtin.h"
#include "core/ir/benchmarks/benchmarks.h"
#include "core/ir/dialect.h"
#include "core/ir/print.h"
#include "tests/support/workspace.h"
#include "views/cinm/level_text.h"
#include "views/cinm/levels_view.h"
#include "views/cinm/program_box.h"
#include "views/cinm/tiles_in_time.h"
#include "views/common/choice_box.h"
#include "views/common/helps_view.h"
#include "views/common/roofline_plot.h"
#include "views/common/roofs_view.h"
#include "views/common/table_view.h"
#include "views/common/timeline_canvas.h"

#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolButton>

#include <cmath>

using namespace pim;
using namespace pim::views;

class TestViewsCinm : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();

    struct Fixture {
        Workspace workspace;
        LevelsView panel;
        explicit Fixture(const TestViewsCinm& test)
            : workspace(test.m_backends, test.m_catalog), panel(workspace) {
            panel.resize(1100, 600);
            panel.show();
            panel.setSeen(true);
            workspace.openModel(test::sampleModel("mobilenetv2"));
        }
        std::string marked(std::size_t level) const {
            std::string ops;
            const LevelText& text = *panel.texts()[level];
            for (const int line : text.markedLines())
                if (const ir::OperationId op = text.opAt(line); op.valid())
                    ops += std::string(text.module()->operation(op).def->name) + " ";
            return ops;
        }
    };
    enum TilePane { InTime, Helps, Roofs };
    static QToolButton* chip(const Fixture& f, TilePane pane) {
        return f.panel.tiles()->panes()[std::size_t(pane)].chip;
    }

    /// Two children of \p panel that are seen at the same place; empty: there are none.
    static QString overlapping(const QWidget& panel) {
        QList<const QWidget*> seen;
        for (const QWidget* child : panel.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
            if (child->isVisible())
                seen << child;
        for (const QWidget* a : seen)
            for (const QWidget* b : seen)
                if (a < b && !a->geometry().intersected(b->geometry()).isEmpty()) {
                    QString text;
                    QDebug(&text) << panel.size() << a << a->geometry() << b << b->geometry();
                    return text;
                }
        return {};
    }
#define LOWERED(f) QTRY_VERIFY_WITH_TIMEOUT((f).panel.flow() && test::settled((f).workspace), 60000)

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
    }

    void showsAllLevels() {
        Fixture f(*this);
        LOWERED(f);
        QCOMPARE(f.panel.chips().size(), std::size_t{3});
        QVERIFY2(f.panel.chips()[0]->text().startsWith("cinm ✓"), qPrintable(f.panel.chips()[0]->text()));
        QVERIFY(f.panel.texts()[1]->toPlainText().contains("\"cim.execute\""));
        QCOMPARE(f.panel.table()->model()->rowCount(), 36);
        QVERIFY(f.panel.texts()[0]->isVisible());
        f.panel.chips()[0]->click();
        QVERIFY(!f.panel.texts()[0]->isVisible());
        QVERIFY(!f.panel.texts()[2]->isVisible());
        f.panel.chips()[2]->click();
        QVERIFY(f.panel.texts()[2]->isVisible());
        QVERIFY(f.panel.texts()[2]->toPlainText().contains("\"memristor.write_tile\""));
        // Only lines that were in view have colours.
        const QTextDocument& text = *f.panel.texts()[2]->document();
        QVERIFY(!text.firstBlock().layout()->formats().isEmpty());
        QVERIFY(text.lastBlock().previous().layout()->formats().isEmpty());
    }

    void theSelectedOpIsSetOffEverywhere() {
        Fixture f(*this);
        LOWERED(f);
        const auto graph = f.workspace.graph();
        const OpId conv = graph->findOp(f.panel.flow()->ops[3].name);
        QVERIFY(conv.valid());
        f.workspace.selectOp(conv);
        QVERIFY2(f.marked(0).find("cinm.gemm") != std::string::npos, f.marked(0).c_str());
        QVERIFY2(f.marked(1).find("cim.execute") != std::string::npos, f.marked(1).c_str());
        QCOMPARE(f.panel.table()->currentIndex().row(), 3);
        // And back: a line of the lower level selects the op and shows what it was made from.
        const ir::Module& cim = *f.panel.flow()->levels[1].module;
        const auto made = ir::madeFrom(cim, f.panel.flow()->ops[7].op);
        QVERIFY(!made.empty());
        f.panel.texts()[1]->goToLine(f.panel.texts()[1]->lineOf(made.back()));
        QCOMPARE(f.workspace.selection().op, graph->findOp(f.panel.flow()->ops[7].name));
        QCOMPARE(f.panel.texts()[0]->opAt(f.panel.texts()[0]->currentLine()), f.panel.flow()->ops[7].op);
    }

    void choicesTakeEffect() {
        Fixture f(*this);
        LOWERED(f);
        const auto writes = [&] { return f.panel.flow()->total.tileWrites; };
        const auto searched = writes();
        QVERIFY(f.panel.rows()->choose("box"));
        QVERIFY(f.panel.order()->choose("mnk"));
        QTRY_VERIFY_WITH_TIMEOUT(f.panel.flow() && writes() > searched, 60000);
        QCOMPARE(writes(), f.panel.flow()->baseline.tileWrites);
        const auto large = writes();
        f.panel.tileSize()->setValue(128);
        QTRY_VERIFY_WITH_TIMEOUT(f.panel.flow() && writes() < large, 60000);
        // What changed stands beside the lines: loops of products, not all of the text.
        const std::size_t changed = f.panel.texts()[1]->changedLines().size();
        QVERIFY2(changed > 10 && changed < std::size_t(f.panel.texts()[1]->blockCount()) / 2,
                 qPrintable(QString::number(changed)));
        QVERIFY(f.panel.texts()[0]->changedLines().empty());
        QVERIFY(f.panel.elements()->choose("f32"));
        QTRY_VERIFY_WITH_TIMEOUT(f.panel.flow() && writes() == 0, 60000);
        QVERIFY(f.panel.table()->model()->index(0, 9).data().toString().contains("tiles hold integers"));
        QVERIFY2(f.panel.summary()->text().contains("before: "), qPrintable(f.panel.summary()->text()));
    }

    void theMachineIsThatOfTheTarget() {
        Fixture f(*this);
        LOWERED(f);
        QCOMPARE(f.panel.machines()->value(), QString("memristor"));
        f.workspace.setTarget("upmem-8");
        QCOMPARE(f.panel.machines()->value(), QString("upmem"));
        QTRY_VERIFY_WITH_TIMEOUT(f.panel.flow() && f.panel.flow()->options.dpus->id == "upmem-8" &&
                                     f.panel.flow()->levels.back().name == "upmem",
                                 60000);
        QVERIFY(f.panel.machines()->choose("paper"));
        f.workspace.setTarget("hbm-pim");
        QCOMPARE(f.panel.machines()->value(), QString("paper"));
    }

    void linesThatSayOtherThings() {
        QCOMPARE(changedLines("%1 = \"a\"(%0) loc(\"x\")\n%2 = \"b\"(%1)\n",
                              "%7 = \"a\"(%3) loc(\"y\")\n%8 = \"c\"(%7)\n"),
                 std::vector<int>{1});
        QCOMPARE(changedLines("a\n", "a\na\nb\n"), (std::vector<int>{1, 2}));
    }

    void tilesAreShownInTime() {
        Fixture f(*this);
        LOWERED(f);
        const TilesInTime& tiles = *f.panel.tiles();
        f.panel.tileSize()->setValue(256);
        QTRY_COMPARE_WITH_TIMEOUT(f.panel.flow()->options.size, std::int64_t{256}, 60000);
        chip(f, InTime)->click();
        QTRY_VERIFY_WITH_TIMEOUT(tiles.time()->timeline(), 60000);
        QVERIFY2(tiles.limits()->text().startsWith(QStringLiteral("The time is set by port: busy ")),
                 qPrintable(tiles.limits()->text()));
        const Timeline& timeline = *tiles.time()->timeline();
        QCOMPARE(timeline.tracks.size(), std::size_t{5});
        QVERIFY(timeline.spans.size() > 100);
        const TimelineSpan& span = timeline.spans[timeline.spans.size() / 2];
        const int op = timeline.labelOps[span.label];
        QVERIFY(op >= 0);
        QCOMPARE(timeline.labels[span.label], f.panel.flow()->ops[std::size_t(op)].name);
        emit tiles.time()->opClicked(op);
        QCOMPARE(f.panel.table()->currentIndex().row(), op);
        QCOMPARE(tiles.time()->selectedOp(), op);
        QVERIFY(f.panel.machines()->choose("upmem"));
        QTRY_VERIFY_WITH_TIMEOUT(!tiles.time()->timeline(), 60000);
        QVERIFY(!chip(f, InTime)->isVisible());
    }

    /// A larger accelerator is one click away, and takes what was promised; what has no field is not offered.
    void whatHelpsTilesComesTrue() {
        Fixture f(*this);
        LOWERED(f);
        HelpsView& helps = *f.panel.tiles()->helps();
        f.panel.tileSize()->setValue(256);
        QTRY_COMPARE_WITH_TIMEOUT(f.panel.flow()->options.size, std::int64_t{256}, 60000);
        chip(f, Helps)->click();
        QVERIFY(helps.isVisible() && !helps.askButton()->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(helps.askButton()->isEnabled(), 60000);
        helps.askButton()->click();
        QVERIFY(helps.isAsking());
        helps.askButton()->click(); // stops
        QVERIFY(!helps.isAsking() && !helps.answer());
        QTRY_VERIFY_WITH_TIMEOUT(f.workspace.tasks()->entries().isEmpty(), 60000);
        helps.askButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(helps.answer(), 120000);
        QCOMPARE(helps.table()->model()->rowCount(), 5);
        QVERIFY2(helps.message()->text().contains("less than") &&
                     helps.message()->text().contains("With a port for each tile"),
                 qPrintable(helps.message()->text()));
        const std::shared_ptr<const WhatIf> answer = helps.answer();
        QVERIFY(*answer->boundNs <= answer->totalNs);
        const auto rowOf = [&](std::string_view option) {
            return int(std::ranges::find(answer->rows, option,
                                         [](const WhatIfRow& row) -> std::string_view {
                                             return row.changes.front().value.pointer;
                                         }) -
                       answer->rows.begin());
        };
        helps.table()->selectRow(rowOf("--write-word"));
        QVERIFY(!helps.useButton()->isEnabled());
        const int size = rowOf("--size");
        helps.table()->selectRow(size);
        QVERIFY(helps.useButton()->isEnabled());
        QCOMPARE(helps.table()->model()->index(size, 6).data().toString(), QString("--size: 256 → 512"));
        helps.useButton()->click();
        QCOMPARE(f.panel.tileSize()->value(), 512);
        QTRY_VERIFY_WITH_TIMEOUT(!helps.answer() && helps.askButton()->isEnabled(), 60000);
        chip(f, InTime)->click();
        QCOMPARE(f.panel.tiles()->time()->timeline()->endNs, *answer->rows[std::size_t(size)].twiceNs);
        // With several machines there is nothing to compare with.
        QVERIFY(f.panel.machines()->choose("auto"));
        QTRY_VERIFY_WITH_TIMEOUT(f.panel.flow() && f.panel.flow()->options.target == "auto", 60000);
        QVERIFY(!helps.askButton()->isEnabled());
    }

    void opsOfTilesAreUnderTheirRoofs() {
        Fixture f(*this);
        f.panel.resize(1600, 700);
        LOWERED(f);
        RoofsView& roofs = *f.panel.tiles()->roofs();
        f.panel.tileSize()->setValue(256);
        QTRY_COMPARE_WITH_TIMEOUT(f.panel.flow()->options.size, std::int64_t{256}, 60000);
        for (QToolButton* level : f.panel.chips())
            if (level->isChecked())
                level->click();
        chip(f, Roofs)->click();
        QTRY_VERIFY_WITH_TIMEOUT(roofs.roofline(), 60000);
        const Roofline& roofline = *roofs.roofline();
        QCOMPARE(roofline.ceilings.size(), std::size_t{4});
        QCOMPARE(roofline.ops.size(),
                 std::size_t(std::ranges::count(f.panel.flow()->ops, cinm::Machine::Tiles,
                                                &cinm::PlacedOp::machine)));
        // A click selects the op in table and network; so the other way round.
        const OpId op = roofline.ops[roofline.ops.size() / 2].op;
        const auto inside = [&] {
            return QRectF(roofs.plot()->rect()).contains(roofs.pixelOf(op).value_or(QPointF(-1, -1)));
        };
        QTRY_VERIFY(inside());
        QTest::mouseClick(roofs.plot(), Qt::LeftButton, {}, roofs.pixelOf(op)->toPoint());
        const int row = f.panel.table()->currentIndex().row();
        QVERIFY(row >= 0);
        const QPointF off = *roofs.pixelOf(OpId(row)) - *roofs.pixelOf(op); // it, or one at its place
        QVERIFY(std::hypot(off.x(), off.y()) < 2);
        const std::string name = f.panel.flow()->ops[std::size_t(row)].name;
        QCOMPARE(f.workspace.graph()->op(f.workspace.selection().op).name, name);
        const QString sentence = QString::fromStdString(sentenceOf(roofline, *roofline.find(OpId(row))));
        QVERIFY2(roofs.sentence()->text().contains(sentence.toHtmlEscaped()),
                 qPrintable(roofs.sentence()->text()));
        f.panel.table()->selectRow(int(roofline.ops.front().op.index()));
        QVERIFY(roofs.sentence()->text().contains(
            QString::fromStdString(f.panel.flow()->ops[roofline.ops.front().op.index()].name)
                .toHtmlEscaped()));
        // And under the mouse.
        QTest::mouseMove(roofs.plot(), QPoint(1, 1)); // the click may have left it there
        QSignalSpy hovered(&roofs, &RoofsView::opHovered);
        QTest::mouseMove(roofs.plot(), roofs.pixelOf(op)->toPoint());
        QTRY_COMPARE(hovered.count(), 1);
        const OpId under = hovered.first().first().value<OpId>();
        QVERIFY(under.valid());
        const auto rowPicture = [&] {
            TableView* const table = f.panel.table();
            table->scrollTo(table->model()->index(int(under.index()), 0));
            const QRect at(0, table->rowViewportPosition(int(under.index())), table->viewport()->width(),
                           table->rowHeight(int(under.index())));
            return table->viewport()->grab(at).toImage();
        };
        const QImage framed = rowPicture();
        QTest::mouseMove(roofs.plot(), QPoint(1, 1));
        QTRY_COMPARE(hovered.count(), 2);
        QVERIFY(framed != rowPicture());
    }

    /// However low the panel is: what there is too little room for is cut, and nothing lies on anything.
    void nothingOverlapsInALowPanel() {
        Fixture f(*this);
        LOWERED(f);
        for (const QSize size : {QSize(1200, 200), QSize(1000, 240), QSize(640, 120)}) {
            f.panel.resize(size);
            QTRY_COMPARE(f.panel.size(), size);
            QCoreApplication::sendPostedEvents();
            QCOMPARE(overlapping(f.panel), QString());
            if (size.height() < 200)
                continue; // the last choices are cut
            for (const QWidget* field :
                 {static_cast<QWidget*>(f.panel.machines()), static_cast<QWidget*>(f.panel.unroll()),
                  static_cast<QWidget*>(f.panel.tileCount())})
                QCOMPARE(field->visibleRegion().boundingRect(), field->rect());
        }
    }

    void followsInLongTexts() {
        Workspace workspace(m_backends, m_catalog);
        LevelsView panel(workspace);
        panel.resize(1100, 600);
        panel.show();
        panel.setSeen(true);
        workspace.openModel(test::sampleModel("gpt3-13b-decode"));
        QTRY_VERIFY_WITH_TIMEOUT(panel.flow() && test::settled(workspace), 60000);
        QVERIFY(panel.texts()[1]->blockCount() > 10000);
        const auto& ops = panel.flow()->ops;
        for (const std::size_t place : {ops.size() - 1, std::size_t{3}, ops.size() / 2}) {
            workspace.selectOp(workspace.graph()->findOp(ops[place].name));
            QVERIFY(!panel.texts()[1]->markedLines().empty());
        }
    }

    void opsRunOnDpusAndWhereTheUserWants() {
        Fixture f(*this);
        LOWERED(f);
        const auto on = [&](std::string_view machine) {
            return std::ranges::count(f.panel.flow()->ops, machine,
                                      [](const cinm::PlacedOp& op) { return cinm::name(op.machine); });
        };
        const auto names = [&] {
            QStringList levels;
            for (const ir::Level& level : f.panel.flow()->levels)
                levels.append(QString::fromStdString(level.name));
            return levels.join(" ");
        };
        QVERIFY(f.panel.tileSize()->isVisible());
        QVERIFY(f.panel.machines()->choose("upmem"));
        QTRY_COMPARE_WITH_TIMEOUT(names(), QString("cinm cnm upmem"), 60000);
        QVERIFY(!f.panel.tileSize()->isVisible());
        QVERIFY(f.panel.table()->isColumnHidden(5) && !f.panel.table()->isColumnHidden(7));
        QVERIFY(on("upmem") > 36 && on("memristor") == 0);
        QVERIFY(f.panel.texts()[1]->toPlainText().contains("\"cnm.launch\""));
        const auto& ops = f.panel.flow()->ops;
        const auto gemm =
            int(std::ranges::find_if(ops, [](const auto& op) { return op.work.starts_with("gemm"); }) -
                ops.begin());
        const std::string first = ops[std::size_t(gemm)].name;
        f.panel.pin(first, "memristor");
        QTRY_COMPARE_WITH_TIMEOUT(names(), QString("cinm cnm+cim upmem+memristor"), 60000);
        QVERIFY(on("memristor") >= 1);
        QCOMPARE(f.panel.table()->model()->index(gemm, 2).data().toString(), QString("memristor"));
        QCOMPARE(f.panel.table()->model()->index(gemm, 9).data().toString(),
                 QString("the user wants it there"));
        f.panel.table()->selectRow(gemm);
        QVERIFY2(f.panel.loops()->toPlainText().contains("cim.write"),
                 qPrintable(f.panel.loops()->toPlainText()));
        f.panel.pin(first, {});
        QTRY_COMPARE_WITH_TIMEOUT(names(), QString("cinm cnm upmem"), 60000);
        f.panel.table()->selectRow(gemm);
        QVERIFY2(f.panel.loops()->toPlainText().contains("cnm.scatter"),
                 qPrintable(f.panel.loops()->toPlainText()));
        f.panel.codeChip()->click();
        QTRY_VERIFY_WITH_TIMEOUT(f.panel.code()->toPlainText().contains("mram_read"), 60000);
    }

    /// Rows and unrolling as the user wants them change what it takes, and say so.
    void rowsAndUnrollingAreChosen() {
        Fixture f(*this);
        LOWERED(f);
        const double searched = f.panel.flow()->tilesNs;
        const auto mappings = [&](auto isSo) {
            return f.panel.flow() && std::ranges::all_of(f.panel.flow()->ops, [&](const cinm::PlacedOp& op) {
                       return !op.tiles || isSo(op.tiles->choice.mapping);
                   });
        };
        QVERIFY(f.panel.unroll()->choose("1"));
        QTRY_VERIFY_WITH_TIMEOUT(mappings([](const auto& mapping) { return mapping.unroll == 1; }), 60000);
        QVERIFY(f.panel.rows()->choose("box"));
        QTRY_VERIFY_WITH_TIMEOUT(mappings([](const auto& mapping) { return !mapping.wholeRows; }), 60000);
        QVERIFY(f.panel.flow()->tilesNs >= searched);
        QVERIFY(f.panel.rows()->choose("whole"));
        QTRY_VERIFY_WITH_TIMEOUT(mappings([](const auto& mapping) { return mapping.wholeRows; }), 60000);
    }

    void benchmarksNeedNoModel() {
        Workspace workspace(m_backends, m_catalog);
        LevelsView panel(workspace);
        panel.resize(1100, 600);
        panel.show();
        panel.setSeen(true);
        QVERIFY(panel.elements()->isVisible());
        QVERIFY(panel.program()->choice()->choose("mm"));
        QTRY_VERIFY_WITH_TIMEOUT(panel.flow(), 60000);
        QVERIFY(!panel.elements()->isVisible());
        QCOMPARE(panel.table()->model()->rowCount(), 1);
        // The op of the table is set off on all levels; so is that of a line of the lowest.
        panel.table()->selectRow(0);
        for (const LevelText* text : panel.texts())
            QVERIFY(!text->markedLines().empty());
        QVERIFY(panel.machines()->choose("upmem"));
        QTRY_VERIFY_WITH_TIMEOUT(panel.flow() && panel.flow()->levels[1].name == "cnm", 60000);
        QVERIFY2(panel.summary()->text().contains("of WRAM"), qPrintable(panel.summary()->text()));
        QVERIFY(!panel.table()->model()->index(0, 8).data().toString().isEmpty());
        const ir::OperationId gemm = panel.flow()->ops[0].op;
        const auto made = ir::madeFrom(*panel.flow()->levels[1].module, gemm);
        panel.texts()[1]->goToLine(panel.texts()[1]->lineOf(made.back()));
        QVERIFY(std::ranges::count(panel.texts()[0]->markedLines(), panel.texts()[0]->lineOf(gemm)) == 1);
    }

    /// A text that is wrong is shown with its line, and mended it is lowered.
    void textsAreOpened() {
        Workspace workspace(m_backends, m_catalog);
        LevelsView panel(workspace);
        panel.resize(1100, 600);
        panel.show();
        panel.setSeen(true);
        const ir::Benchmark& benchmark = *ir::findBenchmark("mv");
        std::string text = ir::print(ir::build(benchmark, {64, 32})).text;
        const std::size_t name = text.find("cinm.gemv");
        QVERIFY(name != std::string::npos);
        QTemporaryDir folder;
        const QString path = folder.filePath("mine.mlir");
        const auto write = [&](const std::string& what) {
            QFile file(path);
            return file.open(QIODevice::WriteOnly) && file.write(what.data(), qint64(what.size())) > 0;
        };
        std::string wrong = text;
        wrong.replace(name, 9, "cinm.gemx");
        QVERIFY(write(wrong));
        panel.program()->openFile(path);
        QTRY_VERIFY_WITH_TIMEOUT(panel.source()->isVisible(), 60000);
        QVERIFY(
            panel.source()->toPlainText().split('\n')[panel.source()->markedLines().at(0)].contains("gemx"));
        QVERIFY2(panel.summary()->text().contains("gemx"), qPrintable(panel.summary()->text()));
        QVERIFY(write(text));
        panel.program()->openFile(path);
        QTRY_VERIFY_WITH_TIMEOUT(panel.flow(), 60000);
        QVERIFY(!panel.source()->isVisible());
        QCOMPARE(panel.flow()->ops.size(), std::size_t{1});
    }

    void worksOnlyWhileSeen() {
        Workspace workspace(m_backends, m_catalog);
        LevelsView panel(workspace);
        workspace.openModel(test::sampleModel("tiny-gpt"));
        QTRY_VERIFY_WITH_TIMEOUT(test::settled(workspace), 60000);
        QVERIFY(!panel.flow());
        panel.setSeen(true);
        QTRY_VERIFY_WITH_TIMEOUT(panel.flow(), 60000);
    }
};

QTEST_MAIN(TestViewsCinm)
#include "tst_views_cinm.moc"
