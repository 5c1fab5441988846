// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What limits a run: made-up schedules whose longest chain is known, work that streams, pauses, capacities.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "core/timeline/limits.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

using namespace pim;

class TestLimits : public QObject {
    Q_OBJECT

    static Timeline timelineOf(int tracks) {
        Timeline timeline;
        timeline.kinds = {{"compute", SpanRole::Compute}, {"idle", SpanRole::Idle}};
        timeline.labels = {"", "conv1", "conv2", "fc"};
        timeline.labelOps = {-1, 0, 1, 2};
        for (int t = 0; t < tracks; ++t)
            timeline.tracks.push_back({.name = "core " + std::to_string(t), .group = "cores"});
        return timeline;
    }
    static std::int64_t sum(const std::vector<PathShare>& shares) {
        return std::accumulate(shares.begin(), shares.end(), std::int64_t{0},
                               [](std::int64_t all, const PathShare& share) { return all + share.ps; });
    }
    static void holdsTogether(const Limits& limits) {
        QVERIFY(!limits.path.empty());
        QCOMPARE(limits.path.front().startPs, std::int64_t{0});
        QCOMPARE(limits.path.back().endPs, limits.totalPs);
        for (std::size_t p = 1; p < limits.path.size(); ++p)
            QCOMPARE(limits.path[p].startPs, limits.path[p - 1].endPs);
        for (const auto* shares : {&limits.byLabel, &limits.byTrack, &limits.byCause})
            QCOMPARE(sum(*shares), limits.totalPs);
    }

private slots:
    /// Tasks on tracks, each as soon as its track is free and what it reads is there: the chain is one of the longest paths.
    void longestPathsOfRandomSchedules() {
        std::mt19937_64 random(7);
        const auto below = [&random](int n) { return int(random() % std::uint64_t(n)); };
        for (int round = 0; round < 1000; ++round) {
            const int tracks = 1 + below(6), tasks = 1 + below(60);
            Timeline timeline = timelineOf(tracks);
            std::vector<std::int64_t> ends, longest; // longest: path to the end of a task, by brute force
            std::vector<int> lastOn(std::size_t(tracks), -1);
            for (int t = 0; t < tasks; ++t) {
                std::vector<int> before;
                for (int d = 0; t > 0 && d < below(3); ++d)
                    before.push_back(below(t));
                const int track = below(tracks);
                if (lastOn[std::size_t(track)] >= 0)
                    before.push_back(lastOn[std::size_t(track)]);
                lastOn[std::size_t(track)] = t;
                std::int64_t start = 0, path = 0;
                for (const int b : before) {
                    start = std::max(start, ends[std::size_t(b)]);
                    path = std::max(path, longest[std::size_t(b)]);
                }
                const int duration = 1 + below(50);
                ends.push_back(start + duration);
                longest.push_back(path + duration);
                timeline.spans.push_back({double(start), float(duration), std::uint32_t(track), 0, 0xffff,
                                          std::uint32_t(1 + below(3))});
            }
            timeline.finish();
            const Limits limits = limitsOf(timeline);
            holdsTogether(limits);
            QCOMPARE(limits.totalPs, *std::ranges::max_element(longest) * 1000);
            std::int64_t durations = 0;
            for (const PathPiece& piece : limits.path) {
                QVERIFY(piece.span >= 0); // never a pause
                QVERIFY(piece.cause != LinkCause::Wait && piece.cause != LinkCause::Stream);
                const TimelineSpan& span = timeline.spans[std::size_t(piece.span)];
                QCOMPARE(piece.startPs, std::int64_t(span.startNs) * 1000); // whole spans
                durations += std::int64_t(span.durationNs) * 1000;
            }
            QCOMPARE(durations, limits.totalPs);
        }
    }

    void streamsAndPausesAreTold() {
        Timeline timeline = timelineOf(2);
        // conv1 loads from 0 to 10; its sums begin at 4, while it loads, and end at 14; the rest begins after a pause.
        timeline.spans = {{0, 10, 0, 0, 0xffff, 1}, {4, 10, 1, 0, 0xffff, 1}, {20, 5, 1, 0, 0xffff, 3}};
        timeline.finish();
        const Limits limits = limitsOf(timeline);
        holdsTogether(limits);
        std::vector<std::pair<std::int64_t, LinkCause>> seen;
        for (const PathPiece& piece : limits.path)
            seen.emplace_back((piece.endPs - piece.startPs) / 1000, piece.cause);
        QVERIFY((seen == std::vector<std::pair<std::int64_t, LinkCause>>{{4, LinkCause::Start},
                                                                         {10, LinkCause::Stream},
                                                                         {6, LinkCause::Wait},
                                                                         {5, LinkCause::Wait}}));
        QCOMPARE(limits.byLabel[0].name, std::string("conv1"));
        QCOMPARE(limits.byLabel[0].ps, std::int64_t{14000});
        QVERIFY(std::ranges::find(limits.byLabel, "waiting", &PathShare::name)->ps == 6000);
    }

    /// One memory that never rests among hundreds of cores that nearly always do decides, and is named.
    void aResourceIsMeasuredByItsOwnCapacity() {
        Timeline timeline = timelineOf(400);
        timeline.tracks.push_back({.name = "global memory", .group = "memory"});
        for (int i = 0; i < 100; ++i) {
            timeline.spans.push_back({i * 10.0, 10, 400, 0, 0xffff, 2});
            timeline.spans.push_back({i * 10.0 + 10, 1, std::uint32_t(i), 0, 0xffff, 1});
        }
        timeline.finish();
        const Limits limits = limitsOf(timeline);
        holdsTogether(limits);
        QCOMPARE(limits.resources.front().name, std::string("memory"));
        QCOMPARE(limits.resources.front().tracks, 1);
        QVERIFY(limits.resources.front().share > 0.99 && limits.resources[1].share < 0.01);
        QVERIFY2(limits.sentence.starts_with("the time is set by global memory: busy 100 %"),
                 limits.sentence.c_str());
        QVERIFY2(limits.sentence.find("conv2") != std::string::npos, limits.sentence.c_str());
    }

    void manyUnitsAreSpokenOfTogether() {
        Timeline timeline = timelineOf(3);
        timeline.spans = {{0, 10, 0, 0, 0xffff, 1}, {10, 30, 1, 0, 0xffff, 3}};
        timeline.finish();
        QCOMPARE(
            limitsOf(timeline).sentence,
            std::string("the time is set by cores: on 100 % of the longest chain of work; the busiest of 3, "
                        "core 1, is busy "
                        "75 % of the run; the largest part of the chain is fc, 75 %"));
    }

    /// Any stretch sums to its length, stretches side by side to the whole, and units are held against what they could do in it.
    void stretchesOfRandomSchedules() {
        std::mt19937_64 random(11);
        const auto below = [&random](int n) { return int(random() % std::uint64_t(n)); };
        for (int round = 0; round < 300; ++round) {
            const int tracks = 1 + below(4);
            Timeline timeline = timelineOf(tracks);
            for (int t = 0; t < tracks; ++t)
                for (double at = below(20); at < 200; at += 1 + below(30)) {
                    const int duration = 1 + below(25);
                    timeline.spans.push_back(
                        {at, float(duration), std::uint32_t(t), 0, 0xffff, std::uint32_t(1 + below(3))});
                    at += duration;
                }
            timeline.finish();
            const Limits whole = limitsOf(timeline);
            const double end = double(whole.totalPs) / 1000;
            double from = below(200), to = below(260);
            if (from > to)
                std::swap(from, to);
            std::int64_t all = 0;
            std::map<int, std::int64_t> byOp;
            for (const auto& [a, b] : {std::pair(0.0, from), std::pair(from, to), std::pair(to, end)}) {
                const Limits part = limitsWithin(timeline, whole, a, b);
                const double begin = std::clamp(a, 0.0, end), ends = std::clamp(b, begin, end);
                QCOMPARE(part.totalPs, std::llround((ends - begin) * 1000));
                for (const auto* shares : {&part.byLabel, &part.byTrack, &part.byCause})
                    QCOMPARE(sum(*shares), part.totalPs);
                std::int64_t ops = 0;
                for (const auto& [op, ps] : pathByOp(timeline, part)) {
                    byOp[op] += ps;
                    ops += ps;
                }
                QCOMPARE(ops, part.totalPs);
                all += part.totalPs;
                if (part.totalPs == 0)
                    continue;
                double busy = 0; // by brute force
                for (const TimelineSpan& span : timeline.spans)
                    busy += std::max(0.0, std::min(ends, span.startNs + double(span.durationNs)) -
                                              std::max(begin, span.startNs));
                QCOMPARE(part.resources.size(), std::size_t(1));
                QCOMPARE(part.resources[0].tracks, tracks);
                QVERIFY(std::abs(part.resources[0].share - busy / (ends - begin) / tracks) < 1e-9);
                QVERIFY(part.resources[0].busiestShare <= 1 + 1e-9);
            }
            QCOMPARE(all, whole.totalPs);
            QVERIFY(byOp == pathByOp(timeline, whole));
        }
    }

    /// Where pauses are longer than what any resource has of the chain, they are told first.
    void longPausesAreTold() {
        Timeline timeline = timelineOf(2);
        timeline.spans = {{0, 10, 0, 0, 0xffff, 1}, {70, 30, 1, 0, 0xffff, 3}};
        timeline.finish();
        const std::string sentence = limitsOf(timeline).sentence;
        QVERIFY2(
            sentence.starts_with("nothing is under way for 60 % of the run; of the rest, the time is set by "
                                 "cores: on 40 % of the longest chain of work"),
            sentence.c_str());
    }

    void aStretchIsSpokenOfAsOne() {
        Timeline timeline = timelineOf(2);
        timeline.spans = {{0, 10, 0, 0, 0xffff, 1}, {10, 30, 1, 0, 0xffff, 3}};
        timeline.finish();
        const Limits whole = limitsOf(timeline), part = limitsWithin(timeline, whole, 5, 15);
        QCOMPARE(part.fromPs, std::int64_t{5000});
        QCOMPARE(part.totalPs, std::int64_t{10000});
        QVERIFY2(part.sentence.find("busy 50 % of this stretch of the run") != std::string::npos,
                 part.sentence.c_str());
        QCOMPARE(limitsWithin(timeline, whole, 50, 60).sentence, std::string("nothing was under way"));
    }

    void nothingIsNothing() {
        Timeline timeline = timelineOf(2);
        timeline.finish();
        const Limits limits = limitsOf(timeline);
        QVERIFY(limits.path.empty() && limits.totalPs == 0);
        QCOMPARE(limits.sentence, std::string("nothing was under way"));
    }
};

QTEST_GUILESS_MAIN(TestLimits)
#include "tst_core_timeline_limits.moc"
