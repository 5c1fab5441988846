// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The timeline: levels of detail against a plain sum, mouse and keys, pixels, figures of an area.
#include <QTest>
#include <string>

#include "../views_common/sample_plan.h"
#include "sample_timeline.h"
#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/table_view.h"
#include "views/common/timeline_canvas.h"
#include "views/common/timeline_levels.h"
#include "views/common/timeline_tools.h"
#include "views/timeline/area_model.h"
#include "views/timeline/timeline_view.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QWheelEvent>

#include <cmath>
#include <set>

using namespace pim;
using namespace pim::views;

namespace {

/// Two arrays and a bus; times in ns, a cycle is 4.
std::shared_ptr<const Timeline> smallTimeline() {
    auto made = std::make_shared<Timeline>();
    made->kinds = {{"compute", SpanRole::Compute},
                   {"memory in", SpanRole::MemoryIn},
                   {"switch", SpanRole::Switching},
                   {"transfer", SpanRole::Transfer},
                   {"idle", SpanRole::Idle}};
    made->tracks = {{"array 0", "arrays"}, {"array 1", "arrays"}, {"bus", "buses"}};
    made->labels = {"", "conv1", "conv2"};
    made->labelOps = {-1, 7, 9};
    made->bands = {{"segment 1", 0, 400}, {"segment 2", 400, 1000}};
    made->spans = {{0, 300, 0, 0, 0, 1},   {400, 600, 0, 0, 1, 2}, {0, 100, 1, 0, 0, 1},
                   {300, 100, 1, 4, 0, 0}, {400, 4, 1, 2, 1, 2},   {404, 500, 1, 1, 1, 2},
                   {500, 250, 2, 3, 1, 2}};
    made->finish();
    return made;
}

QImage shot(QWidget& widget) {
    return widget.grab().toImage();
}

bool near(const QColor& a, const QColor& b, int by = 3) {
    return std::abs(a.red() - b.red()) <= by && std::abs(a.green() - b.green()) <= by &&
           std::abs(a.blue() - b.blue()) <= by;
}

int countOf(const QImage& image, const QRect& where, const QColor& wanted) {
    int count = 0;
    for (int y = where.top(); y <= where.bottom(); ++y)
        for (int x = where.left(); x <= where.right(); ++x)
            count += near(image.pixelColor(x, y), wanted);
    return count;
}

void wheel(QWidget& widget, const QPointF& at, int steps, Qt::KeyboardModifiers keys) {
    const QPoint angle = keys & Qt::AltModifier ? QPoint(120 * steps, 0) : QPoint(0, 120 * steps);
    QWheelEvent event(at, widget.mapToGlobal(at), QPoint(), angle, Qt::NoButton, keys, Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(&widget, &event);
}

} // namespace

class TestViewsTimeline : public QObject {
    Q_OBJECT

    static std::unique_ptr<TimelineCanvas> canvasWith(std::shared_ptr<const Timeline> timeline,
                                                      QSize size = {900, 500}) {
        auto canvas = std::make_unique<TimelineCanvas>();
        canvas->resize(size);
        canvas->setTimeline(std::move(timeline));
        canvas->show();
        return canvas;
    }
    static QPoint middleOf(const TimelineCanvas& canvas, double ns, std::size_t track) {
        return {static_cast<int>(canvas.xOf(ns)), static_cast<int>(canvas.trackRect(track).center().y())};
    }

private slots:
    void initTestCase() { test::failOnWarnings(); }
    void init() { applyTheme(Theme::Light); }

    // ---- levels of detail
    void cellsTellWhatAPlainSumTells() {
        const auto timeline = test::sampleTimeline(24, 40, 20);
        const TimelineLevels levels(*timeline);
        for (const auto& [from, width] : {std::pair(0.0, 1.0), std::pair(0.31, 0.2), std::pair(0.5, 0.004)}) {
            const double step = timeline->endNs * width / 400;
            TimelineColumns columns(timeline->endNs * from, step, 400);
            std::vector<TimelineCell> cells(400);
            int looked = 0, agreed = 0;
            for (std::size_t track = 0; track < 24; ++track) {
                levels.sample(track, columns, cells.data());
                for (int i = 0; i < 400; ++i) {
                    const double at = timeline->endNs * from + i * step;
                    std::vector<double> ns(timeline->kinds.size());
                    levels.addBusy(track, at, at + step, ns.data());
                    double total = 0;
                    std::size_t best = 0;
                    for (std::size_t kind = 0; kind < ns.size(); ++kind) {
                        total += ns[kind];
                        best = ns[kind] > ns[best] ? kind : best;
                    }
                    // Bins of a level do not end where columns end: work may show up one column beside, but
                    // not nowhere.
                    const auto empty = [&](int column) {
                        return cells[static_cast<std::size_t>(column)].empty();
                    };
                    if (total > 1e-6 * step && i > 0 && i < 399)
                        QVERIFY2(!empty(i - 1) || !empty(i) || !empty(i + 1), "busy time vanished");
                    if (ns[best] < 0.75 * step)
                        continue;
                    ++looked;
                    agreed += cells[static_cast<std::size_t>(i)].kind() == static_cast<int>(best);
                }
            }
            QVERIFY(looked > 2000);
            QVERIFY2(agreed >= looked * 98 / 100,
                     qPrintable(QStringLiteral("%1 of %2").arg(agreed).arg(looked)));
        }
    }

    void busyTimeEqualsTheSumOverSpans() {
        const auto timeline = test::sampleTimeline(8, 30, 17, 3);
        const TimelineLevels levels(*timeline);
        std::mt19937 random(5);
        for (int i = 0; i < 60; ++i) {
            double from = timeline->endNs * (random() % 1000) / 999.0,
                   to = timeline->endNs * (random() % 1000) / 999.0;
            if (from > to)
                std::swap(from, to);
            const auto wanted = busyNs(*timeline, from, to);
            for (std::size_t track = 0; track < wanted.size(); ++track) {
                std::vector<double> got(timeline->kinds.size());
                levels.addBusy(track, from, to, got.data());
                for (std::size_t kind = 0; kind < got.size(); ++kind)
                    QVERIFY(std::abs(got[kind] - wanted[track][kind]) <= 1e-9 * timeline->endNs);
            }
        }
    }

    void aSwitchOfOneCycleIsInEveryLevel() {
        auto made = std::make_shared<Timeline>();
        made->kinds = {{"compute", SpanRole::Compute}, {"switch", SpanRole::Switching}};
        made->tracks = {{"array 0", "arrays"}};
        made->labels = {""};
        made->labelOps = {-1};
        for (int i = 0; i < 5000; ++i)
            made->spans.push_back({i * 1000.0, 900, 0, 0, 0xffff, 0});
        made->spans.push_back({2'500'950, 4, 0, 1, 0xffff, 0});
        made->finish();
        const TimelineLevels levels(*made);
        for (int columns = 1; columns <= 4096; columns *= 4) {
            std::vector<TimelineCell> cells(static_cast<std::size_t>(columns));
            TimelineColumns grid(0, made->endNs / columns, columns);
            levels.sample(0, grid, cells.data());
            int marks = 0;
            for (const TimelineCell& cell : cells)
                marks += cell.mark();
            QCOMPARE(marks, 1);
        }
    }

    void emptyTracksAndSpansWithoutLengthDoNoHarm() {
        auto made = std::make_shared<Timeline>();
        made->kinds = {{"compute", SpanRole::Compute}};
        made->tracks = {{"a", ""}, {"b", ""}, {"c", ""}};
        made->labels = {""};
        made->labelOps = {-1};
        for (int i = 0; i < 400; ++i)
            made->spans.push_back({i * 10.0, 0, 1, 0, 0xffff, 0});
        made->finish();
        auto canvas = canvasWith(made);
        shot(*canvas);
        const TimelineLevels levels(*made);
        std::vector<TimelineCell> cells(10);
        TimelineColumns grid(0, made->endNs / 10, 10);
        levels.sample(1, grid, cells.data());
        QVERIFY(!cells[3].empty());
        levels.sample(2, grid, cells.data());
        QVERIFY(cells[3].empty());
    }

    // ---- pixels
    void spansHaveTheColourOfTheirRole() {
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            applyTheme(theme);
            auto canvas = canvasWith(smallTimeline());
            const QImage image = shot(*canvas);
            const auto at = [&](double ns, std::size_t track) {
                return image.pixelColor(middleOf(*canvas, ns, track) + QPoint(0, 12));
            };
            QVERIFY(near(at(150, 0), color(Role::Compute)));
            QVERIFY(near(at(650, 1), color(Role::MemoryIn)));
            QVERIFY(near(image.pixelColor(middleOf(*canvas, 700, 2) + QPoint(40, 4)), color(Role::Transfer)));
            const QColor idle = at(350, 0);
            QVERIFY(!near(idle, color(Role::Compute), 40));
            QCOMPARE(at(350, 1), idle); // an idle span looks as no span does
        }
    }

    void manyTracksInAPixelRowAreAggregatedNotDropped() {
        // One busy track in every 8; 4096 tracks on some 340 rows.
        auto made = std::make_shared<Timeline>();
        made->kinds = {{"compute", SpanRole::Compute}};
        made->labels = {""};
        made->labelOps = {-1};
        for (std::uint32_t t = 0; t < 4096; ++t) {
            made->tracks.push_back({"array " + std::to_string(t), "arrays"});
            if (t % 8 == 5)
                made->spans.push_back({100, 800, t, 0, 0xffff, 0});
        }
        made->spans.push_back({0, 1000, 4095, 0, 0xffff, 0});
        made->finish();
        auto canvas = canvasWith(made, {700, 420});
        const QImage image = shot(*canvas);
        const QRect lanes = canvas->lanesRect().toRect();
        const QColor nothing = image.pixelColor(static_cast<int>(canvas->xOf(50)), lanes.top() + 10);
        int seen = 0, rows = 0;
        for (int y = lanes.top() + 2; y < lanes.bottom() - 2; ++y, ++rows)
            seen += image.pixelColor(static_cast<int>(canvas->xOf(500)), y) != nothing;
        QVERIFY(rows > 200);
        QVERIFY2(seen > rows * 85 / 100, qPrintable(QStringLiteral("%1 of %2").arg(seen).arg(rows)));
    }

    void aSwitchNarrowerThanAPixelIsMarked() {
        auto canvas = canvasWith(test::sampleTimeline(96, 12, 200), {1200, 700});
        const QImage image = shot(*canvas);
        const QRectF lanes = canvas->lanesRect();
        const QRect strip(static_cast<int>(lanes.left()), static_cast<int>(lanes.top()) - 11,
                          static_cast<int>(lanes.width()), 10);
        QVERIFY(countOf(image, strip, color(Role::Switching)) > 20);
        QVERIFY(countOf(image, lanes.toRect(), color(Role::Switching)) > 50);
        // Where the first switches of a later segment are, and not in the middle of one.
        const double begin = canvas->timeline()->bands[5].startNs,
                     middle = (begin + canvas->timeline()->bands[5].endNs) / 2;
        const auto near = [&](double ns) {
            return countOf(image,
                           QRect(static_cast<int>(canvas->xOf(ns)) - 1, strip.top(), 3, strip.height()),
                           color(Role::Switching));
        };
        QVERIFY(near(begin) > 0);
        QCOMPARE(near(middle), 0);
    }

    void rolesAreToldApartByColourBlindEyes_data() {
        QTest::addColumn<int>("theme");
        QTest::addRow("light") << int(Theme::Light);
        QTest::addRow("dark") << int(Theme::Dark);
    }
    void rolesAreToldApartByColourBlindEyes() {
        QFETCH(int, theme);
        // Machado, Oliveira, Fernandes: A physiologically-based model for simulation of color vision
        // deficiency (2009), severity 1.
        using Matrix = std::array<std::array<double, 3>, 3>;
        const std::array<Matrix, 4> eyes{{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                          {{{0.152286, 1.052583, -0.204868},
                                            {0.114503, 0.786281, 0.099216},
                                            {-0.003882, -0.048116, 1.051998}}},
                                          {{{0.367322, 0.860646, -0.227968},
                                            {0.280085, 0.672501, 0.047413},
                                            {-0.011820, 0.042940, 0.968881}}},
                                          {{{1.255528, -0.076749, -0.178779},
                                            {-0.078411, 0.930809, 0.147602},
                                            {0.004733, 0.691367, 0.303900}}}}};
        const auto lab = [](const QColor& c, const Matrix& eye) {
            const auto linear = [](double v) {
                return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
            };
            const std::array<double, 3> rgb{linear(c.redF()), linear(c.greenF()), linear(c.blueF())};
            std::array<double, 3> seen{};
            for (std::size_t i = 0; i < 3; ++i)
                seen[i] = std::clamp(eye[i][0] * rgb[0] + eye[i][1] * rgb[1] + eye[i][2] * rgb[2], 0.0, 1.0);
            const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
            const double x = f((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.95047);
            const double y = f(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]);
            const double z = f((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.08883);
            return std::array<double, 3>{116 * y - 16, 500 * (x - y), 200 * (y - z)};
        };
        std::vector<QColor> colors;
        for (const SpanRole role :
             {SpanRole::Compute, SpanRole::MemoryIn, SpanRole::MemoryOut, SpanRole::Switching,
              SpanRole::Rewriting, SpanRole::Transfer, SpanRole::Vector, SpanRole::Idle, SpanRole::Other})
            colors.push_back(color(roleOf(role), static_cast<Theme>(theme)));
        for (const Matrix& eye : eyes)
            for (std::size_t a = 0; a < colors.size(); ++a)
                for (std::size_t b = a + 1; b < colors.size(); ++b) {
                    const auto p = lab(colors[a], eye), q = lab(colors[b], eye);
                    const double apart = std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
                    QVERIFY2(apart >= 11,
                             qPrintable(QStringLiteral("%1 and %2: %3").arg(a).arg(b).arg(apart)));
                }
    }

    // ---- window
    void keysZoomAndPan() {
        auto canvas = canvasWith(smallTimeline());
        canvas->setFocus();
        QTest::keyClick(canvas.get(), Qt::Key_W);
        QVERIFY(std::abs(canvas->toNs() - canvas->fromNs() - 1000 / 1.5) < 1e-6);
        const double from = canvas->fromNs();
        QTest::keyClick(canvas.get(), Qt::Key_D);
        QVERIFY(canvas->fromNs() > from);
        QTest::keyClick(canvas.get(), Qt::Key_A);
        QVERIFY(std::abs(canvas->fromNs() - from) < 1e-6);
        QTest::keyClick(canvas.get(), Qt::Key_End);
        QCOMPARE(canvas->toNs(), 1000.0);
        QTest::keyClick(canvas.get(), Qt::Key_Home);
        QCOMPARE(canvas->fromNs(), 0.0);
        QTest::keyClick(canvas.get(), Qt::Key_S);
        QCOMPARE(canvas->toNs() - canvas->fromNs(), 1000.0); // no further than the whole
        QTest::keyClick(canvas.get(), Qt::Key_W);
        QTest::keyClick(canvas.get(), Qt::Key_F);
        QCOMPARE(canvas->fromNs(), 0.0);
        QCOMPARE(canvas->toNs(), 1000.0);
    }

    void wheelZoomsAroundThePointer() {
        auto canvas = canvasWith(smallTimeline());
        const QPointF at(canvas->xOf(404), canvas->trackRect(1).center().y());
        for (int i = 0; i < 60; ++i)
            wheel(*canvas, at, 1, Qt::ControlModifier);
        // From the whole network down to a single switch of one cycle.
        QVERIFY(canvas->toNs() - canvas->fromNs() < 1);
        QVERIFY(std::abs(canvas->nsAt(at.x()) - 404) < 1e-3);
        for (int i = 0; i < 80; ++i)
            wheel(*canvas, at, -1, Qt::ControlModifier);
        QCOMPARE(canvas->fromNs(), 0.0);
    }

    void altWheelZoomsTheTracks() {
        auto canvas = canvasWith(test::sampleTimeline(512, 4, 3));
        const double y = canvas->lanesRect().top() + 150;
        const int before = canvas->trackAt(y);
        QVERIFY(canvas->trackRect(0).height() < 1);
        for (int i = 0; i < 16; ++i)
            wheel(*canvas, {400, y}, 1, Qt::AltModifier);
        QVERIFY(canvas->trackRect(0).height() > 10);
        QVERIFY(std::abs(canvas->trackAt(y) - before) <= 1);
        const int scrolled = canvas->trackAt(y);
        wheel(*canvas, {400, y}, -2, Qt::NoModifier);
        QVERIFY(canvas->trackAt(y) > scrolled);
        // The bus beside hundreds of arrays stays high enough to read.
        canvas->fit();
        QVERIFY(canvas->trackRect(512).height() >= 12);
    }

    void dragPansAndKeepsTheTimeUnderThePointer() {
        auto canvas = canvasWith(smallTimeline());
        canvas->setWindow(400, 600);
        const QPoint start(400, static_cast<int>(canvas->lanesRect().center().y()));
        const double held = canvas->nsAt(start.x());
        QSignalSpy clicked(canvas.get(), &TimelineCanvas::opClicked);
        QTest::mousePress(canvas.get(), Qt::LeftButton, {}, start);
        QTest::mouseMove(canvas.get(), start + QPoint(90, 0));
        QTest::mouseRelease(canvas.get(), Qt::LeftButton, {}, start + QPoint(90, 0));
        QVERIFY(std::abs(canvas->nsAt(start.x() + 90) - held) < 1e-6);
        QVERIFY(canvas->fromNs() < 400);
        QCOMPARE(clicked.count(), 0);
    }

    void doubleClickOnABandZoomsToIt() {
        auto canvas = canvasWith(smallTimeline());
        const QPoint at(static_cast<int>(canvas->xOf(700)), static_cast<int>(canvas->bandsRect().top()) + 6);
        QCOMPARE(canvas->bandAt(at), 1);
        QTest::mouseDClick(canvas.get(), Qt::LeftButton, {}, at);
        QVERIFY(canvas->fromNs() > 350 && canvas->fromNs() <= 400 && canvas->toNs() >= 1000);
    }

    void overviewMovesTheWindow() {
        auto canvas = canvasWith(smallTimeline());
        canvas->setWindow(0, 100);
        const QRectF all = canvas->overviewRect();
        QTest::mouseClick(canvas.get(), Qt::LeftButton, {},
                          QPointF(all.left() + all.width() * 0.8, all.center().y()).toPoint());
        QVERIFY(canvas->fromNs() > 700 && canvas->fromNs() < 800);
        QVERIFY(std::abs(canvas->toNs() - canvas->fromNs() - 100) < 1e-9);
    }

    void refusesWindowsThatMakeNoSense() {
        auto canvas = canvasWith(smallTimeline());
        canvas->setWindow(std::nan(""), 5);
        QCOMPARE(canvas->toNs(), 1000.0);
        canvas->setWindow(900, 5000);
        QVERIFY(canvas->toNs() <= 1000);
        canvas->setWindow(500, 500);
        QVERIFY(canvas->toNs() > canvas->fromNs());
        shot(*canvas);
    }

    // ---- ops and spans
    void clickSelectsTheOpAndDimsTheOthers() {
        auto canvas = canvasWith(smallTimeline());
        const QImage before = shot(*canvas);
        QSignalSpy clicked(canvas.get(), &TimelineCanvas::opClicked);
        QTest::mouseClick(canvas.get(), Qt::LeftButton, {}, middleOf(*canvas, 700, 0));
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.front().front().toInt(), 9);
        QCOMPARE(canvas->selectedOp(), 9);
        const QImage after = shot(*canvas);
        const QPoint own = middleOf(*canvas, 800, 0) + QPoint(0, 12),
                     other = middleOf(*canvas, 150, 0) + QPoint(0, 12);
        QCOMPARE(after.pixelColor(own), before.pixelColor(own));
        QVERIFY(!near(after.pixelColor(other), before.pixelColor(other), 40));
        QTest::keyClick(canvas.get(), Qt::Key_Escape);
        QCOMPARE(canvas->selectedOp(), -1);
        QCOMPARE(clicked.back().front().toInt(), -1);
        QCOMPARE(shot(*canvas).pixelColor(other), before.pixelColor(other));
    }

    void hoverTellsWhatASpanIs() {
        auto canvas = canvasWith(smallTimeline());
        canvas->setCycleNs(4);
        const QString tip = canvas->tipAt(middleOf(*canvas, 700, 1));
        for (const char* word : {"memory in", "conv2", "array 1", "arrays", "404", "500", "ns", "segment 2"})
            QVERIFY2(tip.contains(QLatin1String(word)), qPrintable(tip));
        canvas->setShowsCycles(true);
        QVERIFY2(canvas->tipAt(middleOf(*canvas, 700, 1)).contains(QStringLiteral("125 cycles")),
                 qPrintable(canvas->tipAt(middleOf(*canvas, 700, 1))));
        QVERIFY(canvas->tipAt(middleOf(*canvas, 350, 0)).contains(QStringLiteral("idle")));
        // The switch wins over its neighbours though it is narrower than the pointer.
        QVERIFY(canvas->tipAt(middleOf(*canvas, 402, 1)).contains(QStringLiteral("switch")));
        const QString band = canvas->tipAt({canvas->xOf(700), canvas->bandsRect().top() + 5});
        QVERIFY2(band.contains(QStringLiteral("segment 2")) && band.contains(QStringLiteral("50.0 %")),
                 qPrintable(band));
    }

    void nextSwitchGoesThroughAllOfThemAndBack() {
        auto canvas = canvasWith(test::sampleTimeline(16, 9, 12));
        std::size_t switches = 0;
        for (const TimelineSpan& span : canvas->timeline()->spans)
            switches += canvas->timeline()->kinds[span.kind].role == SpanRole::Switching;
        QVERIFY(switches > 10);
        canvas->setWindow(0, canvas->timeline()->endNs / 50);
        std::set<std::size_t> seen;
        double last = -1;
        for (std::size_t i = 0; i < switches; ++i) {
            QTest::keyClick(canvas.get(), Qt::Key_N);
            const auto span = canvas->currentSpan();
            QVERIFY(span.has_value());
            const TimelineSpan& at = canvas->timeline()->spans[*span];
            QCOMPARE(canvas->timeline()->kinds[at.kind].role, SpanRole::Switching);
            QVERIFY(at.startNs >= last);
            last = at.startNs;
            QVERIFY(canvas->fromNs() <= at.startNs && canvas->toNs() >= at.startNs); // scrolled to
            seen.insert(*span);
        }
        QCOMPARE(seen.size(), switches);
        const auto before = canvas->currentSpan();
        QTest::keyClick(canvas.get(), Qt::Key_N, Qt::ShiftModifier);
        QVERIFY(canvas->currentSpan() != before);
        QTest::keyClick(canvas.get(), Qt::Key_N);
        QCOMPARE(canvas->currentSpan(), before);
        QTest::keyClick(canvas.get(), Qt::Key_Z); // zoom to it: now it is wide
        const TimelineSpan& at = canvas->timeline()->spans[*before];
        QVERIFY(canvas->xOf(at.startNs + at.durationNs) - canvas->xOf(at.startNs) > 100);
    }

    void keysWalkAlongATrack() {
        auto canvas = canvasWith(smallTimeline());
        QTest::keyClick(canvas.get(), Qt::Key_Period);
        QCOMPARE(canvas->currentSpan(), std::optional<std::size_t>(0));
        QTest::keyClick(canvas.get(), Qt::Key_Period);
        QCOMPARE(canvas->currentSpan(), std::optional<std::size_t>(1));
        QTest::keyClick(canvas.get(), Qt::Key_Period); // the last of the track
        QCOMPARE(canvas->currentSpan(), std::optional<std::size_t>(1));
        QTest::keyClick(canvas.get(), Qt::Key_Down);
        QCOMPARE(canvas->timeline()->spans[*canvas->currentSpan()].track, 1U);
        QSignalSpy clicked(canvas.get(), &TimelineCanvas::opClicked);
        QTest::keyClick(canvas.get(), Qt::Key_Return);
        QCOMPARE(clicked.count(), 1);
        QVERIFY(!canvas->accessibleDescription().isEmpty());
    }

    void questionMarkShowsTheKeys() {
        TimelineView view;
        view.resize(1100, 640);
        view.setTimeline(smallTimeline(), 4);
        view.show();
        QApplication::setActiveWindow(&view);
        view.canvas()->setFocus();
        auto* card = view.findChild<KeysCard*>();
        QVERIFY(card && !card->isVisible());
        QTest::keyClick(view.canvas(), Qt::Key_Question, Qt::ShiftModifier);
        QVERIFY(card->isVisible());
        QVERIFY(view.canvas()->rect().contains(card->geometry()));
        const QString shown = card->findChild<QLabel*>()->text();
        for (const char* key : {"W", "S", "A", "D", "F", "Ctrl+wheel", "Shift+drag", "Esc", "P"})
            QVERIFY2(shown.contains(QLatin1String(key)), key);
        QTest::keyClick(card, Qt::Key_Escape);
        QVERIFY(!card->isVisible());
    }

    // ---- lanes
    void aPinnedLaneStaysOnTopWhileOthersScroll() {
        auto canvas = canvasWith(test::sampleTimeline(200, 4, 3));
        const double top = canvas->lanesRect().top();
        canvas->setCurrentSpan(canvas->timeline()->firstSpan[120]);
        QTest::keyClick(canvas.get(), Qt::Key_P);
        QVERIFY(canvas->isPinned(120));
        QCOMPARE(canvas->trackRect(120).top(), top);
        QVERIFY(canvas->trackRect(120).height() >= 16);
        QCOMPARE(canvas->trackAt(top + 3), 120);
        canvas->zoomTracks(40, top + 100);
        canvas->setTrackScroll(400);
        QCOMPARE(canvas->trackRect(120).top(), top);
        QVERIFY(canvas->trackRect(0).bottom() < top); // scrolled away
        QCOMPARE(canvas->trackAt(top + 3), 120);
        // Its pixels are those of its own spans, not of what scrolls behind it.
        const QImage image = shot(*canvas);
        const TimelineSpan& span = canvas->timeline()->spans[canvas->timeline()->firstSpan[120]];
        QVERIFY(canvas->xOf(span.startNs + span.durationNs) > canvas->lanesRect().left());
        QTest::keyClick(canvas.get(), Qt::Key_P);
        QVERIFY(!canvas->isPinned(120));
        QVERIFY(canvas->trackRect(120).top() > canvas->trackRect(119).top());
        Q_UNUSED(image);
    }

    void lanesMoveWithKeysAndMouse() {
        auto canvas = canvasWith(smallTimeline());
        QSignalSpy changed(canvas.get(), &TimelineCanvas::lanesChanged);
        canvas->setCurrentSpan(0); // on array 0
        QTest::keyClick(canvas.get(), Qt::Key_Down, Qt::AltModifier);
        QVERIFY(canvas->trackRect(0).top() > canvas->trackRect(1).top());
        QCOMPARE(changed.count(), 1);
        QVERIFY(!canvas->moveLane(0, false)); // the last of its group
        QTest::keyClick(canvas.get(), Qt::Key_Up, Qt::AltModifier | Qt::ShiftModifier);
        QVERIFY(canvas->trackRect(2).top() > canvas->trackRect(0).top()); // the first group stays
        QTest::keyClick(canvas.get(), Qt::Key_Down, Qt::AltModifier | Qt::ShiftModifier);
        QVERIFY(canvas->trackRect(2).top() < canvas->trackRect(1).top());
        // With the mouse: the name of array 0 goes above that of array 1.
        const QPoint from(20, int(canvas->trackRect(0).center().y())),
            to(20, int(canvas->trackRect(1).center().y()) - 2);
        QTest::mousePress(canvas.get(), Qt::LeftButton, {}, from);
        QTest::mouseMove(canvas.get(), (from + to) / 2);
        QTest::mouseMove(canvas.get(), to);
        QTest::mouseRelease(canvas.get(), Qt::LeftButton, {}, to);
        QVERIFY(canvas->trackRect(0).top() < canvas->trackRect(1).top());
        // Drawn where it says: compute on array 0, nothing on array 1 at 150.
        const QImage image = shot(*canvas);
        QVERIFY(near(image.pixelColor(middleOf(*canvas, 150, 0) + QPoint(0, 12)), canvas->kindColor(0)));
        QVERIFY(!near(image.pixelColor(middleOf(*canvas, 200, 1) + QPoint(0, 12)), canvas->kindColor(0)));
    }

    void lanesAreFilteredByName() {
        TimelineView view;
        view.resize(1000, 500);
        view.setTimeline(test::sampleTimeline(24, 4, 3));
        view.show();
        TimelineCanvas* canvas = view.canvas();
        QSignalSpy wanted(canvas, &TimelineCanvas::filterRequested);
        QTest::keyClick(canvas, Qt::Key_Slash);
        QCOMPARE(wanted.count(), 1);
        view.laneFilter()->setText(QStringLiteral("ARRAY 2"));
        QCOMPARE(canvas->laneCount(), std::size_t(6)); // 2, 12, 20 … 23
        QVERIFY(canvas->trackRect(0).isNull());
        QVERIFY(!canvas->trackRect(21).isNull());
        view.laneFilter()->setText(QStringLiteral("buses"));
        QCOMPARE(canvas->laneCount(), std::size_t(2)); // by the name of their group
        view.laneFilter()->setText(QStringLiteral("nothing has this"));
        QCOMPARE(canvas->laneCount(), std::size_t(0));
        shot(*canvas);
        QVERIFY(!canvas->currentLane());
        for (const Qt::Key key : {Qt::Key_Down, Qt::Key_P, Qt::Key_W, Qt::Key_Period, Qt::Key_E})
            QTest::keyClick(canvas, key);
        view.laneFilter()->clear();
        QCOMPARE(canvas->laneCount(), std::size_t(26));
    }

    void anArrangementOutlivesTheTimelineAndIsKept() {
        auto canvas = canvasWith(test::sampleTimeline(24, 4, 3));
        canvas->setPinned(7, true);
        canvas->setPinned(25, true);
        canvas->moveLane(3, false);
        canvas->moveGroup(3, false);
        canvas->setLaneFilter(QStringLiteral("a"));
        const LaneArrangement before = canvas->lanes();
        const LaneArrangement read = LaneArrangement::fromJson(before.json());
        QCOMPARE(read.json(), before.json());
        QVERIFY(read == before);
        canvas->setTimeline(test::sampleTimeline(16, 3, 2)); // another run of a smaller chip
        QVERIFY(canvas->lanes() == before);
        QVERIFY(canvas->isPinned(7));
        auto other = canvasWith(test::sampleTimeline(24, 4, 3));
        other->setLanes(read);
        QCOMPARE(other->trackAt(other->lanesRect().top() + 3), 7);
        QVERIFY(other->trackRect(3).top() > other->trackRect(4).top());
        QVERIFY(LaneArrangement::fromJson(QJsonObject{{QStringLiteral("pinned"), 3}}) == LaneArrangement());
    }

    void theRightButtonOffersWhatALaneCan() {
        auto canvas = canvasWith(smallTimeline());
        QMenu menu;
        canvas->addActions(&menu, middleOf(*canvas, 100, 1));
        QStringList texts;
        for (const QAction* action : menu.actions())
            texts << action->text();
        QVERIFY2(texts.join(u' ').contains(QStringLiteral("Pin array 1")), qPrintable(texts.join(u' ')));
        menu.actions().front()->trigger();
        QVERIFY(canvas->isPinned(1));
        QCOMPARE(canvas->trackRect(1).top(), canvas->lanesRect().top());
    }

    // ---- notes and filters
    void notesAreFlagsThatCanBeClicked() {
        auto canvas = canvasWith(smallTimeline());
        const QImage before = shot(*canvas);
        QVERIFY(canvas->flagsRect().isEmpty());
        canvas->setFlags(
            {{5, 700, 900, QStringLiteral("too <long>")}, {3, 100, 100, QStringLiteral("here")}});
        QVERIFY(canvas->flagsRect().height() > 10);
        const QImage after = shot(*canvas);
        QVERIFY(countOf(after, canvas->flagsRect().toRect(), color(Role::Accent)) > 100);
        const QPointF at(canvas->xOf(800), canvas->flagsRect().center().y());
        QVERIFY(canvas->tipAt(at).contains(QStringLiteral("too &lt;long&gt;")));
        QSignalSpy clicked(canvas.get(), &TimelineCanvas::flagClicked);
        QTest::mouseClick(canvas.get(), Qt::LeftButton, {}, at.toPoint());
        QTest::mouseClick(canvas.get(), Qt::LeftButton, {}, QPointF(canvas->xOf(100) + 4, at.y()).toPoint());
        QCOMPARE(clicked.count(), 2);
        QCOMPARE(clicked[0][0].toLongLong(), 5);
        QCOMPARE(clicked[1][0].toLongLong(), 3);
        canvas->setFlags({});
        QCOMPARE(shot(*canvas), before);
    }

    void aNoteIsWrittenAboutTheAreaOrTheSpan() {
        TimelineView view;
        view.resize(1100, 600);
        view.setTimeline(smallTimeline(), 4);
        view.show();
        QSignalSpy entered(view.noteLine(), &NoteLine::noteEntered);
        view.canvas()->setCurrentSpan(1); // 400 … 1000
        QTest::keyClick(view.canvas(), Qt::Key_M);
        QVERIFY(view.noteLine()->isVisible());
        QTest::keyClicks(view.noteLine()->field(), QStringLiteral(" why so long? "));
        QTest::keyClick(view.noteLine()->field(), Qt::Key_Return);
        QCOMPARE(entered.count(), 1);
        QCOMPARE(entered[0][0].toDouble(), 400.0);
        QCOMPARE(entered[0][1].toDouble(), 1000.0);
        QCOMPARE(entered[0][2].toString(), QStringLiteral("why so long?"));
        QTest::keyClick(view.noteLine()->field(), Qt::Key_Return); // nothing written, nothing said
        QCOMPARE(entered.count(), 1);
    }

    void opsThatDoNotPassAreDimmed() {
        auto canvas = canvasWith(smallTimeline());
        const QImage before = shot(*canvas);
        const QPoint own = middleOf(*canvas, 150, 0) + QPoint(0, 12),
                     other = middleOf(*canvas, 800, 0) + QPoint(0, 12);
        std::vector<bool> passes(10);
        passes[7] = true; // conv1
        canvas->setBrightPart(partOf(*canvas->timeline(), passes));
        const QImage after = shot(*canvas);
        QCOMPARE(after.pixelColor(own), before.pixelColor(own));
        QVERIFY(!near(after.pixelColor(other), before.pixelColor(other), 40));
        canvas->setBrightPart(partOf(*canvas->timeline(), std::vector<bool>(10))); // nothing passes
        QVERIFY(!near(shot(*canvas).pixelColor(own), before.pixelColor(own), 40));
        canvas->setBrightPart(nullptr);
        QCOMPARE(shot(*canvas), before);
    }

    // ---- critical path
    void theCriticalPathIsDrawnSaidAndWalked() {
        auto made = std::make_shared<Timeline>();
        made->kinds = {{"compute", SpanRole::Compute}, {"transfer", SpanRole::Transfer}};
        made->tracks = {{"array 0", "arrays"}, {"array 1", "arrays"}, {"bus", "buses"}};
        made->labels = {"", "conv1", "conv2"};
        made->labelOps = {-1, 7, 9};
        made->spans = {{0, 300, 0, 0, 0xffff, 1},
                       {500, 100, 0, 0, 0xffff, 2}, // beside it
                       {420, 480, 1, 0, 0xffff, 2},
                       {950, 50, 1, 0, 0xffff, 2}, // after a pause
                       {300, 120, 2, 1, 0xffff, 1}};
        made->finish();
        const auto limits = std::make_shared<const Limits>(limitsOf(*made));
        TimelineView view;
        view.resize(1100, 600);
        view.setTimeline(made);
        view.show();
        TimelineCanvas* const canvas = view.canvas();
        QVERIFY(!canvas->goAlongPath(false)); // none is shown
        QTest::keyClick(canvas, Qt::Key_C);
        QVERIFY(view.pathButton()->isChecked());

        const auto atRow = [&](double ns, std::size_t track) {
            return QPoint(static_cast<int>(canvas->xOf(ns)),
                          static_cast<int>(std::round(canvas->trackRect(track).bottom())) - 3);
        };
        const QImage before = shot(*canvas);
        view.setPath(limits, partOf(*made, limits->path));
        QVERIFY2(view.title()->text().contains(QStringLiteral("critical path: arrays 83.0 %, buses 12.0 %")),
                 qPrintable(view.title()->text()));
        const QImage after = shot(*canvas);
        for (const auto& [ns, track] : {std::pair(150.0, 0), std::pair(360.0, 2), std::pair(700.0, 1)})
            QVERIFY(near(after.pixelColor(atRow(ns, std::size_t(track))), color(Role::NodeText)));
        const QPoint beside = middleOf(*canvas, 550, 0) + QPoint(0, 8), upright{int(canvas->xOf(420)), 0};
        QVERIFY(!near(after.pixelColor(beside), before.pixelColor(beside), 40)); // dimmed
        int joined = 0;
        for (int y = atRow(420, 1).y(); y < atRow(420, 2).y(); ++y)
            joined += near(after.pixelColor(upright.x(), y), color(Role::NodeText), 60);
        QVERIFY2(joined > (atRow(420, 2).y() - atRow(420, 1).y()) * 9 / 10,
                 qPrintable(QString::number(joined)));

        std::vector<std::size_t> walked;
        QStringList said;
        while (canvas->goAlongPath(false)) {
            walked.push_back(*canvas->currentSpan());
            said << view.status()->text();
        }
        QCOMPARE(walked, (std::vector<std::size_t>{0, 4, 2, 3}));
        QVERIFY2(
            said[0].contains(QStringLiteral("piece 1 of 5 of the critical path, where the run begins")) &&
                said[1].contains(QStringLiteral("piece 2 of 5")) &&
                said[1].contains(QStringLiteral("as soon as the one before ends")) &&
                said[3].contains(QStringLiteral("piece 5 of 5 of the critical path, after a pause")),
            qPrintable(said.join('\n')));
        QTest::keyClick(canvas, Qt::Key_BracketLeft);
        QCOMPARE(*canvas->currentSpan(), std::size_t{2});
        canvas->setCurrentSpan(1);
        QVERIFY(!view.status()->text().contains(QStringLiteral("critical path")));
        QTest::keyClick(canvas, Qt::Key_BracketRight); // from beside it, to what ran then
        QCOMPARE(*canvas->currentSpan(), std::size_t{2});
        canvas->setCurrentSpan({});

        view.setPath(nullptr, nullptr);
        QCOMPARE(shot(*canvas), before);
        view.setPath(limits, partOf(*made, limits->path));
        view.setTimeline(smallTimeline());
        QVERIFY(!canvas->showsPath() && !view.title()->text().contains(QStringLiteral("critical")));
    }

    /// Thousands of pieces narrower than a pixel are a line where most of it is, not a block over everything.
    void aLongPathIsDrawnWhereMostOfItIs() {
        auto made = std::make_shared<Timeline>();
        made->kinds = {{"compute", SpanRole::Compute}};
        made->tracks = {{"array 0", "arrays"}, {"array 1", "arrays"}};
        made->labels = {"conv1"};
        made->labelOps = {0};
        constexpr int kPairs = 5000;
        for (int i = 0; i < kPairs; ++i) { // the second half has most of it on the other
            const float first = i < kPairs / 2 ? 30 : 10;
            made->spans.push_back({i * 40.0, first, 0, 0, 0xffff, 0});
            made->spans.push_back({i * 40.0 + double(first), 40 - first, 1, 0, 0xffff, 0});
        }
        made->finish();
        const auto limits = std::make_shared<const Limits>(limitsOf(*made));
        QCOMPARE(std::ssize(limits->path), std::ptrdiff_t(2 * kPairs));
        TimelineView view;
        view.resize(1100, 600);
        view.setTimeline(made);
        view.show();
        TimelineCanvas* const canvas = view.canvas();
        view.setPath(limits, partOf(*made, limits->path));
        const QImage drawn = shot(*canvas);
        const auto share = [&](double fromNs, double toNs, std::size_t track) {
            const int y = static_cast<int>(std::round(canvas->trackRect(track).bottom())) - 3;
            const int from = static_cast<int>(canvas->xOf(fromNs)), to = static_cast<int>(canvas->xOf(toNs));
            int inked = 0;
            for (int x = from; x < to; ++x)
                inked += near(drawn.pixelColor(x, y), color(Role::NodeText), 60);
            return double(inked) / (to - from);
        };
        QVERIFY(share(5'000, 95'000, 0) > 0.95 && share(105'000, 195'000, 1) > 0.95);
        QVERIFY(share(5'000, 95'000, 1) < 0.05 && share(105'000, 195'000, 0) < 0.05);
    }

    // ---- area
    void anAreaOverMovedLanesCountsWhatIsShown() {
        TimelineView view;
        view.resize(1100, 600);
        view.setTimeline(smallTimeline(), 4);
        view.show();
        TimelineCanvas* canvas = view.canvas();
        canvas->setPinned(2, true); // bus, array 0, array 1
        canvas->setArea(TimelineArea{0, 1000, 2, 0});
        const auto tracks = canvas->areaTracks();
        QCOMPARE(std::set<std::uint32_t>(tracks.begin(), tracks.end()), (std::set<std::uint32_t>{0, 2}));
        QVERIFY(view.kindsTable()->text(TableView::Format::Csv, false).contains(QStringLiteral("transfer")));
        QVERIFY(
            !view.kindsTable()->text(TableView::Format::Csv, false).contains(QStringLiteral("memory in")));
        QCOMPARE(view.areaOps(), (std::vector<int>{7, 9}));
        canvas->setArea(TimelineArea{0, 350, 0, 0});
        QCOMPARE(view.areaOps(), (std::vector<int>{7}));
        QSignalSpy limited(&view, &TimelineView::limitRequested);
        view.limitButton()->click();
        QCOMPARE(limited.count(), 1);
        QVERIFY2(view.areaText().contains(QStringLiteral("350")), qPrintable(view.areaText()));
    }

    void shiftDragGivesTheFiguresOfAnArea() {
        TimelineView view;
        view.resize(1100, 600);
        view.setTimeline(smallTimeline(), 4);
        view.show();
        TimelineCanvas* canvas = view.canvas();
        QVERIFY(view.areaPanel()->isHidden());
        const QPoint from = middleOf(*canvas, 400, 0), to = middleOf(*canvas, 800, 1);
        QTest::mousePress(canvas, Qt::LeftButton, Qt::ShiftModifier, from);
        QTest::mouseMove(canvas, to);
        QTest::mouseRelease(canvas, Qt::LeftButton, Qt::ShiftModifier, to);
        QVERIFY(canvas->area().has_value());
        QCOMPARE(canvas->area()->firstTrack, 0);
        QCOMPARE(canvas->area()->lastTrack, 1);
        QVERIFY(std::abs(canvas->area()->fromNs - 400) < 2 && std::abs(canvas->area()->toNs - 800) < 2);
        QVERIFY(view.areaPanel()->isVisible());
        QVERIFY(view.opsTable()->model()->rowCount() >= 1);
        QVERIFY(view.kindsTable()->text(TableView::Format::Csv, false).contains(QStringLiteral("time_ns")));
        QSignalSpy clicked(&view, &TimelineView::opClicked);
        const QModelIndex first = view.opsTable()->model()->index(0, 0);
        QTest::mouseClick(view.opsTable()->viewport(), Qt::LeftButton, {},
                          view.opsTable()->visualRect(first).center());
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.front().front().toInt(), 9);
        QTest::keyClick(canvas, Qt::Key_Escape);
        QVERIFY(view.areaPanel()->isHidden());
    }

    void anAreaIsMadeAndResizedWithKeys() {
        auto canvas = canvasWith(smallTimeline());
        canvas->setCurrentSpan(0); // 0 … 300 on array 0
        QTest::keyClick(canvas.get(), Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(canvas->area().has_value());
        QCOMPARE(canvas->area()->fromNs, 0.0);
        QCOMPARE(canvas->area()->toNs, 320.0);
        QTest::keyClick(canvas.get(), Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(canvas.get(), Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(canvas.get(), Qt::Key_Down, Qt::ShiftModifier); // no further than the last
        QCOMPARE(canvas->areaTracks().size(), std::size_t(3));
        QTest::keyClick(canvas.get(), Qt::Key_Up, Qt::ShiftModifier);
        QCOMPARE(canvas->areaTracks().size(), std::size_t(2));
        for (int i = 0; i < 40; ++i)
            QTest::keyClick(canvas.get(), Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(canvas->area()->toNs, 0.0);
    }

    void areaFiguresAreExact() {
        const auto timeline = smallTimeline();
        const AreaSummary got = summarize(*timeline, 200, 500, std::vector<std::uint32_t>{0, 1, 2});
        QCOMPARE(got.tracks, 3);
        double compute = 0, idle = 0, all = 0;
        for (const AreaRow& row : got.kinds) {
            all += row.ns;
            if (row.kind == "compute")
                compute = row.ns;
            if (row.kind == "idle")
                idle += row.ns;
        }
        QCOMPARE(compute, 200.0); // array 0: 200..300 and 400..500
        QCOMPARE(all, 900.0);     // the parts are the whole
        QCOMPARE(idle, 900.0 - 200 - 4 - 96);
        QCOMPARE(got.ops.front().name, std::string("conv2"));
        QCOMPARE(got.ops.front().op, 9);
        QVERIFY(std::abs(got.ops.front().share - 200.0 / 300) < 1e-12);
        QCOMPARE(got.ops.front().spans, std::int64_t(3));
        QCOMPARE(got.ops.front().medianNs, 500.0);
        AreaModel model(AreaModel::Rows::Kinds);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRows(got.kinds, std::vector<QColor>(5, Qt::red));
        QVERIFY(model.rowCount() > 3);
    }

    // ---- the view
    void saysWhatIsMissingAndOffersTheNextStep() {
        TimelineView view;
        view.resize(500, 300);
        view.show();
        QVERIFY(!view.canvas()->isVisible());
        view.setTimeline(smallTimeline(), 0);
        QVERIFY(view.canvas()->isVisible());
        QVERIFY(view.cyclesButton()->isHidden()); // no clock, no cycles
        QVERIFY(view.title()->text().contains(QStringLiteral("1 µs")) ||
                view.title()->text().contains(QStringLiteral("1.000 µs")));
        view.setTimeline(std::make_shared<Timeline>());
        QVERIFY(!view.canvas()->isVisible());
        view.setTimeline(nullptr);
        QVERIFY(!view.canvas()->isVisible());
    }

    void saysThatItShowsTheBeginningOfARun() {
        Timeline beginning = *smallTimeline();
        beginning.runNs = 3 * beginning.endNs;
        TimelineView view;
        view.setTimeline(std::make_shared<Timeline>(beginning));
        QVERIFY2(view.title()->text().contains(QStringLiteral("The first 1.000 µs of 3.000 µs")),
                 qPrintable(view.title()->text()));
    }

    void cyclesAreShownOnDemand() {
        TimelineView view;
        view.setTimeline(smallTimeline(), 4);
        view.cyclesButton()->click();
        QVERIFY(view.canvas()->showsCycles());
        QCOMPARE(view.canvas()->timeLabel(1000), QStringLiteral("250 cycles"));
        QCOMPARE(view.canvas()->timeLabel(4), QStringLiteral("1 cycle"));
        QVERIFY(view.title()->text().contains(QStringLiteral("250 cycles")));
    }

    void exportsPictureAndFigures() {
        auto canvas = canvasWith(smallTimeline());
        QTemporaryDir dir;
        const ExportSource source = canvas->exportSource();
        for (const char* suffix : {"svg", "png", "csv", "json"})
            QVERIFY2(
                exportTo(source, dir.filePath(QStringLiteral("t.") + QLatin1String(suffix)), 2).has_value(),
                suffix);
        QFile trace(dir.filePath(QStringLiteral("t.json")));
        QVERIFY(trace.open(QIODevice::ReadOnly) && trace.readAll().contains("\"traceEvents\":["));
        QCOMPARE(exportTo(source, QStringLiteral("/nowhere/t.json")).error().code, ErrorCode::Io);
        const QString csv = source.csv();
        QVERIFY2(csv.contains(QStringLiteral("array 0,arrays,0,1000,900,0,0,0,0")), qPrintable(csv));
    }

    void picturesAtTwoSizesInTwoThemes() {
        const QString wanted = qEnvironmentVariable("PIM_TEST_PICTURES");
        QTemporaryDir own;
        const QDir folder(wanted.isEmpty() ? own.path() : wanted);
        for (const Theme theme : {Theme::Light, Theme::Dark})
            for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
                applyTheme(theme);
                const QString name =
                    QStringLiteral("timeline-%1-%2-")
                        .arg(theme == Theme::Light ? QStringLiteral("light") : QStringLiteral("dark"))
                        .arg(size.width());
                TimelineView view;
                view.resize(size);
                view.setTimeline(test::sampleTimeline(96, 24, 30), 4);
                view.show();
                const auto save = [&](const char* what) {
                    QCoreApplication::processEvents(); // panels come and go
                    const QImage image = shot(view);
                    QCOMPARE(image.size(), size);
                    QVERIFY(image.save(folder.filePath(name + QLatin1String(what) + QStringLiteral(".png"))));
                };
                TimelineCanvas* canvas = view.canvas();
                save("whole");
                const TimelineBand& band = canvas->timeline()->bands[7];
                canvas->setWindow(band.startNs - (band.endNs - band.startNs) * 0.3,
                                  band.endNs + (band.endNs - band.startNs) * 0.6);
                canvas->setSelectedOp(canvas->timeline()->labelOps[canvas->timeline()->spans[0].label]);
                canvas->setSelectedOp(-1);
                save("segment");
                for (int i = 0; i < 40; ++i)
                    canvas->goToSwitch(false);
                QTest::keyClick(canvas, Qt::Key_Z);
                for (int i = 0; i < 5; ++i)
                    QTest::keyClick(canvas, Qt::Key_S);
                save("switch");
                canvas->fit();
                canvas->setCurrentSpan({});
                canvas->setSelectedOp(20);
                canvas->setArea(TimelineArea{band.startNs, canvas->timeline()->bands[11].endNs, 10, 97});
                view.cyclesButton()->setChecked(true);
                save("area");
                canvas->setArea({});
                canvas->setSelectedOp(-1);
                canvas->setFlags(
                    {{1, band.startNs, band.endNs, QStringLiteral("the bus is full from here on")},
                     {2, band.endNs * 2, band.endNs * 2, QStringLiteral("why so long?")}});
                for (const std::size_t track : {97, 3})
                    canvas->setPinned(track, true);
                save("lanes");
                view.findChild<KeysCard*>()->toggle();
                save("keys");
                view.setTimeline(test::sampleTimeline(1024, 400, 3), 4);
                save("many");
            }
    }
};

QTEST_MAIN(TestViewsTimeline)
#include "tst_views_timeline.moc"
