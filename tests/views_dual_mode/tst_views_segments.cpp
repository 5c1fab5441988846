// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The segment editor: borders dragged and moved by keys, counts pinned, runs folded; what it asks for and
/// what it paints.
#include <QTest>
#include <string>

#include "../views_common/sample_plan.h"
#include "backends/dual_mode/decisions.h"
#include "views/common/palette.h"
#include "views/dual_mode/segment_canvas.h"
#include "views/dual_mode/segment_editor.h"

#include <QDir>
#include <QElapsedTimer>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>

#include <random>

using namespace pim;
using namespace pim::views;

namespace {

/// Segments of the given numbers of pieces; counts differ from segment to segment.
SegmentPicture samplePicture(const std::vector<int>& sizes) {
    SegmentPicture made;
    made.arrays = 96;
    made.cycleNs = 4;
    made.speedup = 1.47;
    made.baseline = QStringLiteral("all arrays compute (CIM-MLC-like)");
    made.memoryShare = 0.182;
    std::mt19937 random(7);
    int first = 0;
    for (std::size_t s = 0; s < sizes.size(); ++s) {
        SegmentBar segment;
        segment.first = first;
        segment.last = first + sizes[s] - 1;
        for (int i = 0; i < sizes[s]; ++i) {
            PieceBar piece;
            const int op = (first + i) / 2, part = (first + i) % 2;
            piece.work = QStringLiteral("/encoder/layer.%1/MatMul_%2").arg(op / 6).arg(op);
            piece.shortWork = piece.work.mid(1);
            piece.index = part;
            piece.of = 2;
            piece.opName = QStringLiteral("MatMul_%1").arg(op);
            piece.op = op;
            piece.leastCompute = 4;
            piece.computeStep = 4;
            piece.compute = 4 * (1 + static_cast<int>(random() % 14)) / sizes[s] / 4 * 4 + 4;
            piece.memory = static_cast<int>(random() % 30) / sizes[s];
            segment.compute += piece.compute;
            segment.memory += piece.memory;
            made.pieces.push_back(piece);
        }
        segment.intra = 20000.0 + static_cast<double>(random() % 60000);
        segment.rewrite = 32.0 * segment.compute;
        segment.writeBack = s == 0 ? 0 : static_cast<double>(random() % 4000);
        segment.toMemory = s == 0 ? segment.memory : static_cast<int>(random() % 9);
        segment.toCompute = s == 0 ? 0 : static_cast<int>(random() % 5);
        segment.switching = segment.toMemory + segment.toCompute;
        made.cycles += segment.cycles();
        made.segments.push_back(segment);
        first += sizes[s];
    }
    findRuns(made);
    return made;
}

/// \p layers times the same four segments, an own one before and after.
SegmentPicture layeredPicture(int layers) {
    std::vector<int> sizes{2};
    for (int i = 0; i < layers; ++i)
        for (const int size : {3, 1, 2, 1})
            sizes.push_back(size);
    sizes.push_back(1);
    SegmentPicture made = samplePicture(sizes);
    for (std::size_t s = 5; s + 1 < made.segments.size(); ++s) {
        const SegmentBar& model = made.segments[s - 4];
        SegmentBar& segment = made.segments[s];
        for (int i = 0; i <= segment.last - segment.first; ++i) {
            const PieceBar& from = made.pieces[static_cast<std::size_t>(model.first + i)];
            PieceBar& to = made.pieces[static_cast<std::size_t>(segment.first + i)];
            to.compute = from.compute;
            to.memory = from.memory;
        }
        const int first = segment.first, last = segment.last;
        segment = model;
        segment.first = first;
        segment.last = last;
    }
    made.cycles = 0;
    for (const SegmentBar& segment : made.segments)
        made.cycles += segment.cycles();
    findRuns(made);
    return made;
}

QImage shot(QWidget& widget) {
    return widget.grab().toImage();
}

bool has(const QImage& image, const QRect& where, const QColor& wanted, int least = 1) {
    int count = 0;
    for (int y = where.top(); y <= where.bottom(); ++y)
        for (int x = where.left(); x <= where.right(); ++x) {
            const QColor c = image.pixelColor(x, y);
            count += std::abs(c.red() - wanted.red()) + std::abs(c.green() - wanted.green()) +
                         std::abs(c.blue() - wanted.blue()) <=
                     6;
        }
    return count >= least;
}

} // namespace

class TestViewsSegments : public QObject {
    Q_OBJECT

    static std::unique_ptr<SegmentEditor> editorWith(SegmentPicture picture, QSize size = {1000, 600}) {
        auto editor = std::make_unique<SegmentEditor>();
        editor->resize(size);
        editor->setPicture(std::move(picture));
        editor->show();
        return editor;
    }
    static void drag(SegmentCanvas& canvas, const QPoint& from, const QPoint& to) {
        QTest::mousePress(canvas.viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(canvas.viewport(), (from + to) / 2);
        QTest::mouseMove(canvas.viewport(), to);
        QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, {}, to);
    }

private slots:
    void initTestCase() { test::failOnWarnings(); }
    void init() { applyTheme(Theme::Light); }

    void barsShowTheCountsOfBothModes() {
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            applyTheme(theme);
            auto editor = editorWith(samplePicture({2, 3, 1}));
            const SegmentCanvas& canvas = *editor->canvas();
            const QImage image = shot(*canvas.viewport());
            for (int i = 0; i < 6; ++i) {
                const PieceBar& piece = canvas.picture().pieces[static_cast<std::size_t>(i)];
                const QRect bar = canvas.pieceRect(i);
                QVERIFY(has(image, bar, color(Role::Compute), 50));
                QCOMPARE(has(image, bar, color(Role::MemoryIn)), piece.memory > 0);
                // As high as the share of the chip.
                int high = 0;
                const int x = bar.left() + 8;
                for (int y = bar.top(); y <= bar.bottom(); ++y)
                    high += image.pixelColor(x, y) == color(Role::Compute);
                QVERIFY(std::abs(high - bar.height() * piece.compute / 96.0) <= 3);
            }
        }
    }

    void draggingABorderAsksForAStartAndAJoin() {
        auto editor = editorWith(samplePicture({3, 3, 2}));
        SegmentCanvas& canvas = *editor->canvas();
        QSignalSpy asked(editor.get(), &SegmentEditor::decisionRequested),
            began(editor.get(), &SegmentEditor::stepBegan), ended(editor.get(), &SegmentEditor::stepEnded);
        const QPoint from = canvas.borderRect(3).center();
        drag(canvas, from, QPoint(canvas.pieceRect(5).left() + 2, from.y()));
        QCOMPARE(asked.count(), 2);
        QCOMPARE(asked[0], (QVariantList{QStringLiteral("MatMul_2"), QStringLiteral("border/2 of 2"),
                                         QStringLiteral("start")}));
        QCOMPARE(asked[1], (QVariantList{QStringLiteral("MatMul_1"), QStringLiteral("border/2 of 2"),
                                         QStringLiteral("join")}));
        QCOMPARE(began.count(), 1); // one step to undo
        QCOMPARE(ended.count(), 1);
        // Not past the next border, however far it is dragged.
        drag(canvas, canvas.borderRect(3).center(), QPoint(canvas.viewport()->width() - 3, from.y()));
        QCOMPARE(asked[2].front().toString(), QStringLiteral("MatMul_2"));
        // Dropped where it was: nothing is asked.
        const int before = static_cast<int>(asked.count());
        drag(canvas, canvas.borderRect(3).center(), canvas.borderRect(3).center() + QPoint(2, 0));
        QCOMPARE(asked.count(), before);
    }

    void aDragThatIsNotLegalSaysSoAndAsksForNothing() {
        auto editor = editorWith(samplePicture({3, 3}));
        editor->setCheck([](const QString&, const QString& field, const QString& value) {
            return field.startsWith(QStringLiteral("border/")) && value == QStringLiteral("start")
                       ? QStringLiteral("needs 120 of 96 arrays")
                       : QString();
        });
        SegmentCanvas& canvas = *editor->canvas();
        QSignalSpy asked(editor.get(), &SegmentEditor::decisionRequested);
        const QPoint from = canvas.borderRect(3).center(), to(canvas.pieceRect(4).left(), from.y());
        QTest::mousePress(canvas.viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(canvas.viewport(), to);
        QCOMPARE(editor->verdict()->text(), QStringLiteral("needs 120 of 96 arrays")); // before it is dropped
        QVERIFY(has(shot(*canvas.viewport()), canvas.viewport()->rect(), color(Role::Bad), 100));
        QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, {}, to);
        QCOMPARE(asked.count(), 0);
        // Escape drops a drag.
        QTest::mousePress(canvas.viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(canvas.viewport(), to);
        QTest::keyClick(&canvas, Qt::Key_Escape);
        QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, {}, to);
        QCOMPARE(asked.count(), 0);
    }

    void keysDoAllTheMouseDoes() {
        auto editor = editorWith(samplePicture({3, 3, 2}));
        SegmentCanvas& canvas = *editor->canvas();
        QSignalSpy asked(editor.get(), &SegmentEditor::decisionRequested);
        QTest::keyClick(&canvas, Qt::Key_Home);
        QTest::keyClick(&canvas, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(canvas.selectedBorder(), 3);
        QTest::keyClick(&canvas, Qt::Key_Left);
        QCOMPARE(asked.count(), 2);
        QCOMPARE(asked[0], (QVariantList{QStringLiteral("MatMul_1"), QStringLiteral("border/1 of 2"),
                                         QStringLiteral("start")}));
        // The plan that comes of it keeps the border in hand.
        editor->setPicture(samplePicture({2, 4, 2}));
        QCOMPARE(canvas.selectedBorder(), 2);
        QTest::keyClick(&canvas, Qt::Key_Delete);
        QCOMPARE(asked.back(), (QVariantList{QStringLiteral("MatMul_1"), QStringLiteral("border/1 of 2"),
                                             QStringLiteral("join")}));
        QTest::keyClick(&canvas, Qt::Key_Escape);
        QCOMPARE(canvas.selectedBorder(), -1);
        canvas.setSelectedPiece(4);
        QTest::keyClick(&canvas, Qt::Key_S);
        QCOMPARE(asked.back(), (QVariantList{QStringLiteral("MatMul_2"), QStringLiteral("border/1 of 2"),
                                             QStringLiteral("start")}));
        // A segment of one piece cannot lose it: the key says why nothing happens.
        editor->setPicture(samplePicture({1, 1, 2}));
        canvas.setSelectedBorder(1);
        const int before = static_cast<int>(asked.count());
        QTest::keyClick(&canvas, Qt::Key_Left);
        QCOMPARE(asked.count(), before);
        QVERIFY(!editor->verdict()->text().isEmpty());
    }

    void spinBoxesPinCounts() {
        auto editor = editorWith(samplePicture({2, 2}));
        QSignalSpy asked(editor.get(), &SegmentEditor::decisionRequested);
        QVERIFY(!editor->computeBox()->isEnabled());
        QTest::mouseClick(editor->canvas()->viewport(), Qt::LeftButton, {},
                          editor->canvas()->pieceRect(1).center());
        QCOMPARE(editor->canvas()->selectedPiece(), 1);
        QVERIFY(editor->computeBox()->isEnabled());
        QCOMPARE(asked.count(), 0); // showing a value decides nothing
        const int was = editor->computeBox()->value();
        editor->computeBox()->stepUp();
        QCOMPARE(asked.back(),
                 (QVariantList{QStringLiteral("MatMul_0"), QStringLiteral("compute arrays/2 of 2"),
                               QString::number(was + 4)})); // whole copies
        editor->memoryBox()->setValue(11);
        QCOMPARE(asked.back(), (QVariantList{QStringLiteral("MatMul_0"),
                                             QStringLiteral("memory arrays/2 of 2"), QStringLiteral("11")}));
        editor->setCheck(
            [](const QString&, const QString&, const QString&) { return QStringLiteral("97 of 96 arrays"); });
        const int before = static_cast<int>(asked.count());
        editor->memoryBox()->setValue(12);
        QCOMPARE(asked.count(), before);
        QCOMPARE(editor->verdict()->text(), QStringLiteral("97 of 96 arrays"));
    }

    void whatTheUserDecidedIsMarkedAndCanBeReset() {
        SegmentPicture picture = samplePicture({2, 2});
        auto editor = editorWith(picture);
        const QRect whole = editor->canvas()->viewport()->rect().adjusted(0, 60, 0, 0);
        QVERIFY(!has(shot(*editor->canvas()->viewport()), whole, color(Role::Selection)));
        QVERIFY(!editor->resetButton()->isEnabled());
        picture.pieces[2].startIsPinned = true;
        picture.pieces[2].computeIsPinned = true;
        editor->setPicture(picture);
        QVERIFY(has(shot(*editor->canvas()->viewport()), whole, color(Role::Selection), 20));
        editor->canvas()->setSelectedPiece(2);
        QVERIFY(editor->computeBox()->text().contains(QStringLiteral("✎")));
        QSignalSpy cleared(editor.get(), &SegmentEditor::decisionCleared);
        QTest::mouseClick(editor->resetButton(), Qt::LeftButton);
        QCOMPARE(cleared.count(), 2);
        QCOMPARE(cleared[0], (QVariantList{QStringLiteral("MatMul_1"), QStringLiteral("border/1 of 2")}));
        QCOMPARE(cleared[1],
                 (QVariantList{QStringLiteral("MatMul_1"), QStringLiteral("compute arrays/1 of 2")}));
    }

    void splitAndJoinButtonsFollowTheSelection() {
        auto editor = editorWith(samplePicture({2, 2}));
        editor->canvas()->setSelectedPiece(0);
        QVERIFY(!editor->splitButton()->isEnabled() &&
                !editor->joinButton()->isEnabled()); // the network starts here
        editor->canvas()->setSelectedPiece(1);
        QVERIFY(editor->splitButton()->isEnabled() && !editor->joinButton()->isEnabled());
        editor->canvas()->setSelectedPiece(2);
        QVERIFY(!editor->splitButton()->isEnabled() && editor->joinButton()->isEnabled());
        QSignalSpy asked(editor.get(), &SegmentEditor::decisionRequested);
        editor->joinButton()->click();
        QCOMPARE(asked.back()[2].toString(), QStringLiteral("join"));
    }

    void equalLayersAreFoldedAndUnfold() {
        auto editor = editorWith(layeredPicture(32));
        SegmentCanvas& canvas = *editor->canvas();
        const auto& runs = canvas.picture().runs;
        const auto folded =
            std::find_if(runs.begin(), runs.end(), [](const SegmentRun& run) { return run.repeats > 1; });
        QVERIFY(folded != runs.end());
        QCOMPARE(folded->repeats, 32);
        QCOMPARE(folded->count, 4);
        const int run = static_cast<int>(folded - runs.begin());
        const int narrow = canvas.horizontalScrollBar()->maximum();
        QVERIFY(canvas.pieceRect(30).isNull()); // in the fifth layer
        QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, canvas.runRect(run).center());
        QVERIFY(!canvas.isFolded(run));
        QVERIFY(canvas.horizontalScrollBar()->maximum() > narrow);
        QVERIFY(!canvas.pieceRect(30).isNull());
        canvas.setFolded(run, true);
        editor->setSelectedOp(OpId(60)); // far inside the run: shown, so unfolded
        QVERIFY(!canvas.isFolded(run));
        QCOMPARE(canvas.picture().pieces[static_cast<std::size_t>(canvas.selectedPiece())].op, 60);
        QVERIFY(canvas.viewport()->rect().intersects(canvas.pieceRect(canvas.selectedPiece())));
    }

    void runsCoverEverySegmentOnce() {
        std::mt19937 random(11);
        for (int trial = 0; trial < 40; ++trial) {
            std::vector<int> sizes;
            for (int i = 0; i < 60; ++i)
                sizes.push_back(1 + static_cast<int>(random() % 2));
            SegmentPicture picture = samplePicture(sizes);
            for (SegmentBar& segment :
                 picture.segments) { // few kinds of segments, so that there is something to find
                segment.intra = segment.rewrite = segment.writeBack = segment.switching = 0;
                segment.toMemory = segment.toCompute = 0;
            }
            for (PieceBar& piece : picture.pieces)
                piece.compute = piece.memory = 1;
            findRuns(picture);
            int at = 0;
            for (const SegmentRun& run : picture.runs) {
                QCOMPARE(run.first, at);
                for (int i = run.count; i < run.count * run.repeats; ++i) {
                    const SegmentBar &a = picture.segments[static_cast<std::size_t>(at + i)],
                                     &b = picture.segments[static_cast<std::size_t>(at + i - run.count)];
                    QCOMPARE(a.last - a.first, b.last - b.first);
                }
                at += run.count * run.repeats;
            }
            QCOMPARE(at, 60);
        }
    }

    void headlineTellsTheTotals() {
        auto editor = editorWith(samplePicture({2, 3, 1}));
        const QString line = editor->headline()->text();
        for (const char* word : {"cycles", "1.47×", "CIM-MLC", "3 segments", "switches", "18.2 %", "µs"})
            QVERIFY2(line.contains(QString::fromUtf8(word)), qPrintable(line));
        editor->setPicture(samplePicture({2, 3, 1}), true);
        QVERIFY(editor->headline()->text().contains(QStringLiteral("being recomputed")));
        editor->setPicture({});
        QVERIFY(!editor->canvas()->isVisible());
        editor->setPlan(nullptr, nullptr);
        QVERIFY(!editor->canvas()->isVisible());
    }

    void tipsCarryUnits() {
        auto editor = editorWith(samplePicture({3, 3}));
        SegmentCanvas& canvas = *editor->canvas();
        const QString piece = canvas.tipAt(canvas.pieceRect(1).center());
        QVERIFY2(piece.contains(QStringLiteral("arrays")) && piece.contains(QStringLiteral("MatMul_0")),
                 qPrintable(piece));
        const QString border = canvas.tipAt(canvas.borderRect(3).center());
        for (const char* word : {"write-back", "switch", "rewriting", "cycles", "Segment 2"})
            QVERIFY2(border.contains(QLatin1String(word)), qPrintable(border));
    }

    void thousandsOfPiecesStaySmooth() {
        std::vector<int> sizes;
        std::mt19937 random(3);
        for (int i = 0; i < 2000; ++i)
            sizes.push_back(1 + static_cast<int>(random() % 4));
        QElapsedTimer timer;
        timer.start();
        auto editor = editorWith(samplePicture(sizes), {1600, 900});
        QVERIFY2(timer.elapsed() < 3000, qPrintable(QString::number(timer.elapsed())));
        SegmentCanvas& canvas = *editor->canvas();
        QImage frame(canvas.viewport()->size(), QImage::Format_ARGB32_Premultiplied);
        std::vector<qint64> ns;
        for (int i = 0; i < 60; ++i) {
            canvas.horizontalScrollBar()->setValue(canvas.horizontalScrollBar()->maximum() * i / 60);
            timer.start();
            canvas.viewport()->render(&frame);
            ns.push_back(timer.nsecsElapsed());
        }
        std::sort(ns.begin(), ns.end());
        qInfo("%zu pieces: frame median %.2f ms, p95 %.2f ms", canvas.picture().pieces.size(),
              static_cast<double>(ns[30]) / 1e6, static_cast<double>(ns[57]) / 1e6);
        QVERIFY(ns[30] < 60'000'000);
    }

    void aPlanIsShownAsItIsAndItsFieldsAreUnderstood() {
        DualModePlan plan;
        plan.chip.arrays = 96;
        plan.chip.cycleNs = 4;
        DualModeWorkload workload;
        for (const char* name : {"conv1", "conv2"}) {
            DualModeOp op;
            op.name = name;
            op.m = op.n = op.k = 64;
            workload.ops.push_back(op);
        }
        plan.workload = std::make_shared<const DualModeWorkload>(std::move(workload));
        for (const auto& [op, piece, pieces] :
             {std::tuple(0, 0, 1), std::tuple(1, 0, 2), std::tuple(1, 1, 2)}) {
            DualModeSubOp subOp;
            subOp.op = op;
            subOp.piece = piece;
            subOp.pieces = pieces;
            subOp.minArrays = 6;
            plan.subOps.push_back(subOp);
        }
        DualModeSegment first, second;
        first.compute = {30};
        first.memory = {12};
        first.intra = 1000;
        second.first = 1;
        second.last = 2;
        second.compute = {24, 18};
        second.memory = {5, 3};
        second.shared = {{1, 2, 2}};
        second.toMemory = 4;
        second.intra = 500;
        second.rewrite = 96;
        plan.segmentation.segments = {first, second};
        plan.segmentation.cycles = 1596;
        plan.pins.compute[1] = 24;
        plan.pins.borders.insert(1);
        plan.pins.joints.insert(2);
        auto editor = std::make_unique<SegmentEditor>();
        editor->setPlan(&plan, nullptr);
        const SegmentPicture& picture = editor->canvas()->picture();
        QCOMPARE(picture.arrays, 96);
        QCOMPARE(picture.pieces.size(), std::size_t(3));
        QCOMPARE(picture.pieces[2].compute, 18);
        QCOMPARE(picture.pieces[2].memory, 3);
        QCOMPARE(picture.segments[1].compute, 42);
        QCOMPARE(picture.segments[1].shared, 2);
        QCOMPARE(picture.switches(), 4);
        QCOMPARE(picture.segments[0].cycles() + picture.segments[1].cycles(), picture.cycles);
        QVERIFY(picture.pieces[1].computeIsPinned && picture.pieces[1].startIsPinned &&
                picture.pieces[2].joinIsPinned);
        QVERIFY(!picture.pieces[0].computeIsPinned && !picture.pieces[1].memoryIsPinned);
        QCOMPARE(picture.pieces[1].computeStep, 6); // whole copies
        // What the editor asks for is what the compiler reads.
        QSignalSpy asked(editor.get(), &SegmentEditor::decisionRequested);
        editor->canvas()->requestJoin(1);
        editor->canvas()->requestSplit(2);
        editor->canvas()->setSelectedPiece(1);
        editor->memoryBox()->setValue(7);
        editor->computeBox()->setValue(30);
        QCOMPARE(asked.count(), 4);
        for (const QVariantList& one : asked) {
            const Override decision{one[0].toString().toStdString(), one[1].toString().toStdString(),
                                    one[2].toString().toStdString()};
            const auto understood = parseDualModeDecisions({decision}, *plan.workload);
            QVERIFY2(understood.has_value(), qPrintable(one[1].toString()));
            QCOMPARE(understood->pieces.front().op, 1);
        }
    }

    void picturesAtTwoSizesInTwoThemes() {
        const QString wanted = qEnvironmentVariable("PIM_TEST_PICTURES");
        QTemporaryDir own;
        const QDir folder(wanted.isEmpty() ? own.path() : wanted);
        for (const Theme theme : {Theme::Light, Theme::Dark})
            for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
                applyTheme(theme);
                const QString name =
                    QStringLiteral("segments-%1-%2-")
                        .arg(theme == Theme::Light ? QStringLiteral("light") : QStringLiteral("dark"))
                        .arg(size.width());
                const auto save = [&](SegmentEditor& editor, const char* what) {
                    QCoreApplication::processEvents();
                    const QImage image = shot(editor);
                    QCOMPARE(image.size(), size);
                    QVERIFY(image.save(folder.filePath(name + QLatin1String(what) + QStringLiteral(".png"))));
                };
                SegmentPicture picture = samplePicture({4, 2, 1, 1, 1, 3, 1, 2});
                picture.pieces[4].startIsPinned = picture.pieces[5].computeIsPinned =
                    picture.pieces[9].memoryIsPinned = picture.pieces[10].joinIsPinned = true;
                auto editor = editorWith(picture, size);
                editor->canvas()->setSelectedPiece(5);
                save(*editor, "few");
                SegmentCanvas& canvas = *editor->canvas();
                const QPoint from = canvas.borderRect(4).center();
                QTest::mousePress(canvas.viewport(), Qt::LeftButton, {}, from);
                QTest::mouseMove(canvas.viewport(), QPoint(canvas.pieceRect(2).left(), from.y()));
                save(*editor, "drag");
                QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, {}, from);
                editor->setPicture(layeredPicture(32));
                save(*editor, "layers");
                std::vector<int> sizes(300, 1);
                editor->setPicture(samplePicture(sizes));
                canvas.zoom(0.1);
                save(*editor, "many");
            }
    }
};

QTEST_MAIN(TestViewsSegments)
#include "tst_views_segments.moc"
