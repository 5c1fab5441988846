// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The panels of UPMEM modules on made-up figures: what is shown is what was given, everything is reached by mouse and keys, exported,
/// and taken apart again.
#include <QTest>
#include <string>

#include "core/base/number_text.h"
#include "tests/support/canvas_walk.h"
#include "tests/views_upmem/made_up_run.h"
#include "views/common/empty_state.h"
#include "views/common/plot_export.h"
#include "views/common/roofline_plot.h"
#include "views/common/table_view.h"
#include "views/common/timeline_canvas.h"
#include "views/upmem/code_text.h"
#include "views/upmem/code_view.h"
#include "views/upmem/dpu_canvas.h"
#include "views/upmem/dpu_memory_view.h"
#include "views/upmem/dpus_view.h"
#include "views/upmem/roofline_view.h"
#include "views/upmem/share_bars.h"
#include "views/upmem/tasklet_timeline.h"
#include "views/upmem/tasklets_view.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>

#include <numeric>

#include <qcustomplot.h>

using namespace pim;
using namespace pim::views;

class TestViewsUpmem : public QObject {
    Q_OBJECT

    static std::shared_ptr<const OpShown> shown(upmem::OpOnDpu run = test::madeUpRun()) {
        return shownOf(std::make_shared<const upmem::OpOnDpu>(std::move(run)));
    }
    static std::shared_ptr<const DpuFacts> facts(int dpus = 2560, int ranksPerModule = 2) {
        auto made = std::make_shared<DpuFacts>();
        made->load = test::madeUpLoad(dpus);
        made->ranksPerModule = ranksPerModule;
        return made;
    }
    static std::vector<RooflineDot> dots() {
        std::vector<RooflineDot> made;
        for (int i = 0; i < 6; ++i) {
            const upmem::OpOnDpu run = test::madeUpRun("op" + std::to_string(i));
            made.push_back({OpId(i), QStringLiteral("op%1").arg(i), QStringLiteral("MatMul"), run.tasklets,
                            run.roofline});
            made.back().roofline.cycles *= 1 + i;
            made.back().roofline.mramBytes *= 1 + i % 3;
        }
        return made;
    }
    static qint64 inkOf(const QImage& image) {
        QSet<QRgb> colours;
        for (int y = 0; y < image.height(); y += 2)
            for (int x = 0; x < image.width(); x += 2)
                colours.insert(image.pixel(x, y));
        return colours.size();
    }
    static void exports(const ExportSource& source, bool hasCsv) {
        QTemporaryDir folder;
        for (const char* suffix : {"svg", "png", "pdf"}) {
            const QString path = folder.filePath(source.name + u'.' + QLatin1String(suffix));
            QVERIFY(exportTo(source, path));
            QVERIFY(QFileInfo(path).size() > 500);
        }
        QCOMPARE(bool(source.csv), hasCsv);
        if (hasCsv)
            QVERIFY(exportTo(source, folder.filePath(QStringLiteral("figures.csv"))));
    }

private slots:
    void dpusStandWhereTheyAreDrawn_data() {
        QTest::addColumn<int>("dpus");
        QTest::addColumn<int>("ranksPerModule");
        QTest::newRow("20 modules") << 2560 << 2;
        QTest::newRow("10 modules of one rank") << 640 << 1;
        QTest::newRow("1 rank") << 64 << 2;
    }
    void dpusStandWhereTheyAreDrawn() {
        QFETCH(int, dpus);
        QFETCH(int, ranksPerModule);
        DpuCanvas canvas;
        canvas.resize(900, 420);
        canvas.setFacts(facts(dpus, ranksPerModule));
        for (const double zoom : {1.0, 3.0}) {
            canvas.zoomAt({300, 200}, zoom);
            for (int dpu = 0; dpu < dpus; ++dpu)
                if (const QPointF middle = canvas.rectOf(dpu).center();
                    QRectF(10, 10, 880, 370).contains(middle))
                    QCOMPARE(canvas.dpuAt(middle), dpu);
        }
        QCOMPARE(canvas.dpuAt({-3, -3}), -1);
    }

    void allDpusAreSeenAndFastDrawn() {
        DpuCanvas canvas;
        canvas.resize(1280, 500);
        canvas.setFacts(facts());
        for (int dpu = 0; dpu < 2560; ++dpu)
            QVERIFY(QRectF(canvas.rect()).contains(canvas.rectOf(dpu)));
        QVERIFY(canvas.rectOf(0).width() >= 5); // one can point at it
        QElapsedTimer clock;
        clock.start();
        for (int i = 0; i < 5; ++i)
            canvas.grab();
        QVERIFY2(clock.elapsed() < 5 * 200, qPrintable(QString::number(clock.elapsed())));
    }

    void clickAndKeysSelectADpu() {
        DpusView view;
        view.resize(1100, 500);
        view.setFacts(facts());
        view.show();
        QSignalSpy chosen(&view, &DpusView::dpuChosen);
        DpuCanvas* canvas = view.canvas();
        QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->rectOf(130).center().toPoint());
        QCOMPARE(chosen.takeFirst().at(0).toInt(), 130);
        QVERIFY(view.status()->text().startsWith(QStringLiteral("DPU 130: module 1, rank 2, chip 0")));
        QTest::keyClick(canvas, Qt::Key_Down);
        QCOMPARE(canvas->current(), 131);
        QTest::keyClick(canvas, Qt::Key_Right);
        QCOMPARE(canvas->current(), 139); // the next chip
        QTest::keyClick(canvas, Qt::Key_PageDown);
        QCOMPARE(canvas->current(), 139 + 128);
        QCOMPARE(chosen.count(), 3);
        // The row of the table goes with it, and leads back.
        QCOMPARE(view.table()->currentIndex().data(Qt::EditRole).toInt(), 139 + 128);
        view.table()->setFocus();
        QTRY_VERIFY(view.table()->hasFocus());
        QTest::keyClick(view.table(), Qt::Key_Down);
        QCOMPARE(canvas->current(), 139 + 129);
        view.setCurrent(7);
        QCOMPARE(canvas->current(), 7);
        QCOMPARE(chosen.count(), 4); // told from outside: nothing is told back
    }

    void figuresOfDpusAreThoseGiven() {
        DpusView view;
        view.resize(1100, 500);
        const auto given = facts();
        view.setFacts(given);
        QAbstractItemModel* model = view.table()->model();
        QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model->rowCount(), 2560);
        for (const int dpu : {0, 77, 2559}) {
            QCOMPARE(model->index(dpu, 3).data(Qt::EditRole).toDouble(),
                     given->load.busyNs[std::size_t(dpu)] / 1e6);
            QCOMPARE(model->index(dpu, 4).data(Qt::EditRole).toLongLong(),
                     given->load.mramKept[std::size_t(dpu)]);
            QCOMPARE(model->index(dpu, 5).data(Qt::EditRole).toLongLong(),
                     given->load.mramPeak[std::size_t(dpu)]);
        }
        QCOMPARE(view.canvas()->csv().count(u'\n'), 2561);
        exports(view.canvas()->exportSource(), true);
    }

    void everyFigureIsDrawnDifferently() {
        DpuCanvas canvas;
        canvas.resize(900, 400);
        canvas.setFacts(facts());
        QSet<QByteArray> pictures;
        for (int figure = 0; figure < int(DpuFigure::Count_); ++figure) {
            canvas.setFigure(DpuFigure(figure));
            const QImage image = canvas.grab().toImage().convertToFormat(QImage::Format_RGB32);
            pictures.insert(
                QByteArray(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes()));
        }
        QCOMPARE(pictures.size(), int(DpuFigure::Count_));
    }

    void tooFullMramIsRed() {
        auto full = std::make_shared<DpuFacts>(*facts(64));
        full->load.mramPeak[9] = full->mramBytes + 1;
        QCOMPARE(full->overflowing(), 1);
        DpuCanvas canvas;
        canvas.resize(600, 400);
        canvas.setFacts(full);
        const QRectF cell = canvas.rectOf(9);
        const QImage image = canvas.grab().toImage();
        QCOMPARE(image.pixelColor((cell.topLeft() + QPointF(cell.width() / 2, 3)).toPoint()),
                 color(Role::Bad));
        QVERIFY(full->headline().contains(QStringLiteral("MRAM of 1 is too small")));
    }

    void emptyPanelsSayWhatToDo() {
        DpusView dpus;
        DpuMemoryView memory;
        TaskletsView tasklets;
        DpuCodeView code;
        RooflineView roofline;
        for (QWidget* view : std::initializer_list<QWidget*>{&dpus, &memory, &tasklets, &code, &roofline}) {
            view->resize(500, 300);
            view->show();
            const auto* empty = view->findChild<EmptyState*>();
            QVERIFY(empty && empty->isVisible());
        }
        code.setEmptyText(QStringLiteral("No code"), QStringLiteral("Choose upmem-20."));
        QVERIFY(code.emptyText().contains(QStringLiteral("upmem-20")));
    }

    void memoryHasNoGaps() {
        const upmem::OpOnDpu run = test::madeUpRun();
        for (const MemoryPieces& memory : {mramPieces(run), wramPieces(run)}) {
            std::int64_t at = 0, sum = 0;
            for (const MemoryPiece& piece : memory.pieces) {
                QCOMPARE(piece.begin, at);
                at += piece.bytes;
                sum += piece.kind == MemoryPiece::Kind::Free ? 0 : piece.bytes;
            }
            QCOMPARE(at, memory.capacity);
            QCOMPARE(memory.taken(), sum);
            QCOMPARE(memory.overflow(), 0);
        }
        QCOMPARE(mramPieces(run).taken(), (24 << 20) + 4096 + 65'536);
        QCOMPARE(wramPieces(run).taken(), run.wramKept + run.program.wramBytes);
    }

    void whatDoesNotFitIsCounted() {
        upmem::OpOnDpu run = test::madeUpRun();
        run.mram[1].begin = run.mramBytes - 1000; // 4096 bytes from there
        run.mram.pop_back();
        const MemoryPieces memory = mramPieces(run);
        QCOMPARE(memory.overflow(), 3096);
        QCOMPARE(memory.end(), run.mramBytes + 3096);
        QVERIFY(memory.headline().contains(QStringLiteral("do not fit")));
        MemoryStrip strip(QStringLiteral("MRAM"));
        strip.resize(600, 120);
        strip.setPieces(memory);
        strip.setCurrent(int(memory.pieces.size()) - 1);
        QCOMPARE(strip.toByte(), double(memory.end()));
        QTest::mouseDClick(&strip, Qt::LeftButton, {}, strip.rectOf(strip.current()).center().toPoint());
        QVERIFY(strip.toByte() - strip.fromByte() < 10'000);
        const QRectF piece = strip.rectOf(strip.current());
        const QImage image = strip.grab().toImage();
        int red = 0;
        for (int x = int(piece.left()); x < int(piece.right()); ++x)
            red += image.pixelColor(x, int(piece.top()) + 6) == color(Role::Bad) ? 1 : 0;
        QVERIFY(red > piece.width() * 0.4);
    }

    void stripsAndTableOfMemoryGoTogether() {
        DpuMemoryView view;
        view.resize(900, 520);
        view.setShown(shown());
        view.show();
        QCOMPARE(test::faultsWithin(view), QStringList());
        QAbstractItemModelTester tester(view.table()->model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto pieces = view.mram()->memory().pieces.size() + view.wram()->memory().pieces.size();
        QCOMPARE(view.table()->model()->rowCount(), int(pieces));
        QTest::mouseClick(view.mram(), Qt::LeftButton, {}, view.mram()->rectOf(0).center().toPoint());
        QCOMPARE(view.mram()->current(), 0);
        QCOMPARE(view.table()->currentIndex().row(), 0);
        QVERIFY(view.status()->text().contains(QStringLiteral("fc1.weight")));
        QTest::keyClick(view.wram(), Qt::Key_Home);
        QCOMPARE(view.table()->currentIndex().row(), int(view.mram()->memory().pieces.size()));
        QCOMPARE(view.mram()->current(), -1);
        view.table()->selectRow(1);
        QCOMPARE(view.mram()->current(), 1);
        QCOMPARE(view.table()->model()->index(0, 5).data(Qt::EditRole).toLongLong(), 24LL << 20);
        view.mram()->fitTaken();
        QVERIFY(view.mram()->toByte() < 26 << 20);
        view.mram()->fit();
        QCOMPARE(view.mram()->toByte(), double(64 << 20));
        exports(view.mram()->exportSource(QStringLiteral("mram")), true);
        view.setShown(nullptr);
        QCOMPARE(view.table()->model()->rowCount(), 0);
    }

    void sharesAreThoseOfTheRun() {
        const upmem::OpOnDpu run = test::madeUpRun();
        const ShareBar pipeline = pipelineShares(run);
        const std::vector<std::int64_t> given{run.run.issued, run.run.waitedDma, run.run.waitedElse,
                                              run.run.heldUp};
        for (std::size_t i = 0; i < given.size(); ++i)
            QCOMPARE(pipeline.parts[i].cycles, given[i]);
        QCOMPARE(pipeline.cycles, run.run.cycles);
        const auto bars = taskletShares(run);
        QCOMPARE(bars.size(), run.run.tasklets.size());
        for (std::size_t t = 0; t < bars.size(); ++t) {
            QCOMPARE(bars[t].parts[0].cycles, run.run.tasklets[t].issued);
            QCOMPARE(bars[t].parts[3].cycles, run.run.tasklets[t].dma);
            std::int64_t sum = 0;
            for (const SharePart& part : bars[t].parts)
                sum += part.cycles;
            QCOMPARE(sum, run.run.cycles);
        }
        QCOMPARE(ipcCeiling(16), 1.0);
        QCOMPARE(ipcCeiling(4), 4.0 / 11);
    }

    void taskletsAreTracksOfATimeline() {
        const upmem::OpOnDpu run = test::madeUpRun();
        const Timeline timeline = taskletTimeline(run);
        QCOMPARE(timeline.tracks.size(), std::size_t(run.tasklets));
        QCOMPARE(timeline.spans.size(),
                 run.run.spans.size() + std::size_t(run.tasklets)); // asleep at the end
        QVERIFY(std::abs(timeline.endNs - double(run.run.cycles) * run.cycleNs) < 1e-3 * timeline.endNs);
        double dmaNs = 0;
        std::int64_t dmaCycles = 0;
        for (const TimelineSpan& span : timeline.spans)
            if (span.kind == std::uint16_t(TaskletKind::Dma)) {
                dmaNs += span.durationNs;
                QCOMPARE(timeline.labels[span.label], std::string("256 B"));
            }
        for (const upmem::TaskletSpan& span : run.run.spans)
            dmaCycles += span.kind == upmem::TaskletSpan::Kind::Dma ? span.end - span.begin : 0;
        QVERIFY(std::abs(dmaNs / run.cycleNs - double(dmaCycles)) <
                1e-3 * double(dmaCycles)); // spans have floats
        QCOMPARE(timeline.runNs, 0.0);
        upmem::OpOnDpu part = run;
        part.isWhole = false;
        part.cycles *= 10;
        QVERIFY(taskletTimeline(part).runNs > taskletTimeline(part).endNs);
    }

    void taskletsAreDrawnTippedAndExported() {
        TaskletsView view;
        view.resize(1000, 460);
        view.setShown(shown());
        view.show();
        QVERIFY(view.title()->text().contains(QStringLiteral("16 tasklets")));
        QVERIFY(inkOf(view.canvas()->grab().toImage()) > 5);
        QTest::keyClick(view.canvas(), Qt::Key_W);
        QVERIFY(view.canvas()->toNs() - view.canvas()->fromNs() < view.canvas()->timeline()->endNs * 0.9);
        QTest::keyClick(view.canvas(), Qt::Key_F);
        view.canvas()->setCurrentSpan(1);
        QVERIFY(view.status()->text().contains(QStringLiteral("256 B")));
        ShareBars* bars = view.bars();
        QCOMPARE(bars->bars().size(), std::size_t(17));
        QTest::mouseClick(bars->viewport(), Qt::LeftButton, {}, bars->barRect(0).center().toPoint());
        QVERIFY(view.status()->text().startsWith(QStringLiteral("pipeline")));
        QTest::keyClick(bars, Qt::Key_End);
        QCOMPARE(bars->current(), 16);
        QVERIFY(bars->tipAt(bars->barRect(16).center().toPoint()).contains(QStringLiteral("asleep")));
        QCOMPARE(bars->csv().count(u'\n'), 1 + 4 + 16 * 5);
        exports(bars->exportSource(), true);
        QCOMPARE(test::faultsWithin(view), QStringList());
        view.resize(400, 500); // bars below
        QVERIFY(!view.grab().isNull());
        view.setShown(nullptr);
    }

    void millionsOfSpansDoNotBlock() {
        const auto many =
            shown(test::madeUpRun("large", 24, 45'000)); // 2 160 024 spans, prepared on a worker
        TaskletsView view;
        view.resize(1200, 500);
        view.show();
        QElapsedTimer clock;
        clock.start();
        view.setShown(many);
        view.canvas()->grab();
        QVERIFY2(clock.elapsed() < 500, qPrintable(QString::number(clock.elapsed())));
    }

    void everyLineHasItsInstructions() {
        const upmem::OpOnDpu run = test::madeUpRun();
        const std::vector<std::int64_t> issued = listingOf(run).issued;
        QCOMPARE(issued.size(), run.statementOfLine.size());
        QCOMPARE(issued[5], run.issuedOfStatement[2]);
        QCOMPARE(issued[6], -1); // the end of the loop is told at its beginning
        std::int64_t sum = 0;
        for (const std::int64_t line : issued)
            sum += std::max<std::int64_t>(0, line);
        for (const int place : instructionsOf(run, -1))
            sum += run.run.issuedAt[std::size_t(place)];
        QCOMPARE(sum, run.run.instructions);
    }

    void withoutCodeInCTheInstructionsAreRead() {
        upmem::OpOnDpu run = test::madeUpRun();
        run.c.clear();
        run.statementOfLine.clear();
        const CodeListing listing = listingOf(run);
        QVERIFY(!listing.isC);
        QCOMPARE(listing.text.count(u'\n'), int(run.program.program.code.size()));
        QCOMPARE(std::accumulate(listing.issued.begin(), listing.issued.end(), std::int64_t(0)),
                 run.run.instructions);
        DpuCodeView view;
        view.setShown(shown(run));
        QCOMPARE(view.table()->model()->rowCount(), 3);
    }

    void aLineShowsItsInstructions() {
        DpuCodeView view;
        view.resize(1000, 420);
        const auto given = shown();
        view.setShown(given);
        view.show();
        QAbstractItemModelTester tester(view.table()->model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(view.code()->toPlainText(), QString::fromStdString(given->run->c));
        QCOMPARE(view.code()->currentLine(), 5); // the hottest
        QCOMPARE(view.table()->model()->rowCount(), 3);
        for (int row = 0; row < 3; ++row) {
            QCOMPARE(view.table()->model()->index(row, 0).data(Qt::EditRole).toInt(), 2 + row);
            QCOMPARE(view.table()->model()->index(row, 2).data(Qt::EditRole).toLongLong(),
                     given->run->run.issuedAt[std::size_t(2 + row)]);
        }
        QTest::keyClick(view.code(), Qt::Key_Home);
        view.code()->goToLine(3);
        QCOMPARE(view.table()->model()->rowCount(), 1);
        QVERIFY(view.status()->text().contains(QStringLiteral("Line 4")));
        view.code()->goToLine(0);
        QVERIFY(view.status()->text().contains(QStringLiteral("Start and routines")));
        view.findField()->setText(QStringLiteral("me()"));
        QTest::keyClick(view.findField(), Qt::Key_Return);
        QCOMPARE(view.code()->currentLine(), 3);
        QTest::keyClick(view.findField(), Qt::Key_Return);
        QCOMPARE(view.code()->currentLine(), 7);
        QTest::keyClick(view.findField(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(view.code()->currentLine(), 3);
        view.findField()->setText(QStringLiteral("nowhere"));
        QTest::keyClick(view.findField(), Qt::Key_Return);
        QVERIFY(view.status()->text().contains(QStringLiteral("nowhere")));
        QCOMPARE(view.code()->withFigures().count(u'\n'), view.code()->blockCount() + 1);
        QVERIFY(view.code()->withFigures().contains(QString::number(given->run->issuedOfStatement[2])));
        view.table()->selectAll();
        view.table()->copySelection();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("issued (instructions)")));
        view.setShown(nullptr);
        QVERIFY(view.code()->toPlainText().isEmpty());
    }

    void rooflineFiguresAreThoseOfTheRun() {
        const RooflineDot dot = dots()[2];
        QCOMPARE(dot.intensity(), dot.roofline.operations / dot.roofline.mramBytes);
        QCOMPARE(dot.operationsPerCycle(), dot.roofline.operations / dot.roofline.cycles);
        QVERIFY(dot.ceiling() <= dot.roofline.operationsPerCycleMost);
        RooflineDot none = dot;
        none.roofline.mramBytes = 0;
        QVERIFY(std::isinf(none.intensity()));
        QCOMPARE(none.bound(), RooflineDot::Bound::Pipeline);
        none.roofline.taskletCeiling = 4.0 / 11;
        QCOMPARE(none.bound(), RooflineDot::Bound::Tasklets);
        QCOMPARE(none.ceiling(), none.roofline.operationsPerCycleMost * 4 / 11);
        none.roofline.mramBytes = none.roofline.operations * 1000;
        QCOMPARE(none.bound(), RooflineDot::Bound::Mram);
    }

    void dotsAreReadOut() {
        RooflineView view;
        view.resize(1000, 420);
        view.setDots(dots());
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QCOMPARE(test::faultsWithin(view), QStringList());
        QCOMPARE(test::itemsOf(*view.plot(), 99).size(), qsizetype(view.dots().size()));
    }

    void dotsAreSelectedBothWays() {
        RooflineView view;
        view.resize(1000, 420);
        auto all = dots();
        all.back().roofline.mramBytes = 0; // stands at the edge
        view.setDots(all);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QAbstractItemModelTester tester(view.table()->model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy chosen(&view, &RooflineView::opChosen);
        QTRY_VERIFY(view.plot()->rect().contains(view.pixelOf(3).toPoint()));
        QTest::mouseClick(view.plot(), Qt::LeftButton, {}, view.pixelOf(3).toPoint());
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.takeFirst().at(0).value<OpId>(), OpId(3));
        QCOMPARE(view.table()->currentIndex().row(), 3);
        QVERIFY(view.title()->text().contains(QStringLiteral("op3")));
        view.setSelectedOp(OpId(1));
        QCOMPARE(view.shownDot(), 1);
        QCOMPARE(chosen.count(), 0);
        QTest::keyClick(view.plot(), Qt::Key_Right);
        QCOMPARE(chosen.count(), 1);
        view.setSelectedOp(OpId());
        QCOMPARE(view.shownDot(), 5); // the one that takes longest
        exports(exportSource(view.plot(), QStringLiteral("roofline")), true);
        view.setDots({});
        QVERIFY(view.findChild<EmptyState*>()->isVisible());
    }

    /// Behind another panel while the window gets wider: what was laid out for the old width is not seen.
    void aPlotFillsItsRoomBesideTheTable() {
        QTabWidget tabs;
        auto* view = new RooflineView;
        tabs.addTab(view, QStringLiteral("roofline"));
        tabs.addTab(new QWidget, QStringLiteral("other"));
        view->setDots(dots());
        tabs.resize(800, 400);
        tabs.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tabs));
        QVERIFY(!view->table()->isVisible());
        tabs.setCurrentIndex(1);
        tabs.resize(1340, 400);
        QCoreApplication::processEvents();
        tabs.setCurrentIndex(0);
        QTRY_VERIFY(view->table()->isVisible());
        QTRY_VERIFY(view->plot()->width() < view->width());
        QTRY_COMPARE(view->plot()->viewport(), view->plot()->rect());
        QTRY_COMPARE(view->plot()->plotLayout()->outerRect(), view->plot()->rect());
    }

    void everythingHasAName() {
        DpusView dpus;
        DpuMemoryView memory;
        TaskletsView tasklets;
        DpuCodeView code;
        RooflineView roofline;
        for (QWidget* view : std::initializer_list<QWidget*>{&dpus, &memory, &tasklets, &code, &roofline})
            for (QWidget* widget : view->findChildren<QWidget*>())
                if (widget->window() == view && widget->focusPolicy() != Qt::NoFocus &&
                    !widget->objectName().startsWith(QLatin1String("qt_")) &&
                    !qobject_cast<QLabel*>(widget) && !widget->parentWidget()->inherits("QLineEdit"))
                    QVERIFY2(!widget->accessibleName().isEmpty() || !widget->toolTip().isEmpty() ||
                                 widget->parentWidget()->inherits("QAbstractScrollArea") ||
                                 widget->inherits("QPushButton") || widget->inherits("QTabBar"),
                             qPrintable(QLatin1String(view->metaObject()->className()) + u' ' +
                                        QLatin1String(widget->metaObject()->className())));
    }
};

QTEST_MAIN(TestViewsUpmem)
#include "tst_views_upmem.moc"
