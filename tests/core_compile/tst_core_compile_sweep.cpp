// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Sweeps as text, the combination behind an index, and what stands out among the points.
#include <QTest>
#include <string>

#include "core/compile/pareto.h"
#include "core/compile/sweep.h"
#include "core/compile/sweep_networks.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace pim;

namespace {

SweepPoint pointAt(std::int64_t index, std::vector<std::string> values, double totalNs, double macs) {
    SweepPoint point;
    point.index = index;
    point.values = std::move(values);
    point.totalNs = totalNs;
    point.macs = macs;
    return point;
}

} // namespace

class TestSweep : public QObject {
    Q_OBJECT
private slots:
    void readsWhatIsWritten() {
        const auto axes = parseSweep("seq=32..256, 100 ; batch=1,4;target=aim,attacc;draft:/a/MatMul=1,2");
        QVERIFY2(axes.has_value(), axes ? "" : axes.error().text().c_str());
        QCOMPARE(axes->size(), std::size_t{4});
        QVERIFY((axes->at(0).values == std::vector<std::string>{"32", "64", "128", "256", "100"}));
        QCOMPARE(axes->at(3).name, std::string("draft:/a/MatMul"));
        QCOMPARE(sweepSize(*axes), std::int64_t{5 * 2 * 2 * 2});
        QVERIFY(*parseSweep(sweepText(*axes)) == *axes);
        const auto values = [](const char* text) { return parseSweep(text)->at(0).values; };
        using Values = std::vector<std::string>;
        QVERIFY((values("a=1..64*4") == Values{"1", "4", "16", "64"}));
        QVERIFY((values("a=8..30+8") == Values{"8", "16", "24"}));
        QVERIFY((values("a=1..1000/4") == Values{"1", "10", "100", "1000"}));
        QVERIFY((values("a=0.5..2") == Values{"0.5", "1", "2"}));
        QVERIFY((values("a=4MiB..16MiB") == Values{"4MiB", "8MiB", "16MiB"}));
        QVERIFY((values("a=4..16GB/s*2") == Values{"4GB/s", "8GB/s", "16GB/s"}));
        QVERIFY((values("a=max(b, 2)*3,7") == Values{"max(b, 2)*3", "7"}));
        // Conditions come last, and are read back.
        const auto held = parseSweep("area_mm2 <= 300;a=1,2;2*a<b");
        QCOMPARE(held->size(), std::size_t{3});
        QVERIFY(!held->at(0).isCondition() && held->at(1).isCondition() && held->at(2).isCondition());
        QCOMPARE(held->at(1).name, std::string("area_mm2 <= 300"));
        QCOMPARE(sweepSize(*held), std::int64_t{2});
        QVERIFY(*parseSweep(sweepText(*held)) == *held);
        const auto own = parseSweep("cost<9; cost := max(a, 2)*3 ;a=1,2");
        QCOMPARE(own->at(1).kind, SweepAxis::Kind::Figure);
        QCOMPARE(own->at(1).values, Values{"max(a, 2)*3"});
        QVERIFY(own->at(2).isCondition());
        QCOMPARE(sweepSize(*own), std::int64_t{2});
        QVERIFY(*parseSweep(sweepText(*own)) == *own);
        for (const char* wrong :
             {"cost:=2", "a=1;2x:=3", "a=1;:=3", "a=1;b.c:=3", "a=1;b:=", "a=1;b:=3*", "a=1;a:=2"})
            QVERIFY2(!parseSweep(wrong), wrong);
        // none twice
        QVERIFY((parseSweep("a=64,32..128")->at(0).values == std::vector<std::string>{"64", "32", "128"}));
    }

    /// As they are written: dots are part of a path, commas in parentheses of one value.
    void readsModels() {
        const auto axes = parseSweep("model=../a.onnx, sample:b ,worst(../a.onnx, c (2).onnx);past=1,2");
        QVERIFY2(axes.has_value(), axes ? "" : axes.error().text().c_str());
        QVERIFY((axes->at(0).values ==
                 std::vector<std::string>{"../a.onnx", "sample:b", "worst(../a.onnx, c (2).onnx)"}));
        QCOMPARE(sweepSize(*axes), std::int64_t{6});
        QVERIFY(*parseSweep(sweepText(*axes)) == *axes);
        const ModelValue value = *modelValue(axes->at(0).values[2]);
        QVERIFY(value.how == ModelValue::Together::Worst);
        QVERIFY((value.names == std::vector<std::string>{"../a.onnx", "c (2).onnx"}));
        QVERIFY(modelValue("sum.onnx")->how == ModelValue::Together::One);
        QVERIFY(modelValue("geomean(a,b,c)")->names.size() == 3);
        for (const char* wrong : {"model=", "model=a,a", "model=a,,b", "model=sum()", "model=sum(a,a)",
                                  "model=sum(a,)", "model=a;model=b"})
            QVERIFY2(!parseSweep(wrong), wrong);
    }

    /// Twice as long, three times the work, on one machine of 5 mm².
    void modelsArePricedTogether() {
        SweepPoint a = pointAt(7, {"sum(a,b)"}, 100, 1000), b = pointAt(7, {"sum(a,b)"}, 400, 3000);
        a.hostOnlyNs = 300, b.hostOnlyNs = 600;
        a.baselines = {{"cim", "CIM", 200}, {"own", "", 9}};
        b.baselines = {{"cim", "CIM", 800}};
        a.figures = {{"area_mm2", 5}, {"segments", 3}, {"system_energy_pj", 2000},
                     {"power_w", 20}, {"cost_ns", 4},  {"memory_share", 0.5}};
        b.figures = {
            {"area_mm2", 5}, {"segments", 8}, {"system_energy_pj", 2000}, {"power_w", 5}, {"cost_ns", 4}};
        const std::vector<SweepAxis> axes{{"model", {"sum(a,b)"}, SweepAxis::Kind::Model},
                                          {"cost_ns", {"2*2"}, SweepAxis::Kind::Figure}};
        using Together = ModelValue::Together;
        struct Expected {
            Together how;
            double ns, hostNs, rate, cimNs, energyPj, powerW;
        };
        for (const Expected& expected : {Expected{Together::Sum, 500, 900, 8e9, 1000, 4000, 8},
                                         Expected{Together::Worst, 400, 600, 7.5e9, 800, 2000, 20},
                                         Expected{Together::Geomean, 200, std::sqrt(300. * 600),
                                                  std::sqrt(10. * 7.5) * 1e9, 400, 2000, 10}}) {
            const SweepPoint point = together(expected.how, axes, {a, b});
            QCOMPARE(point.index, std::int64_t{7});
            QCOMPARE(point.totalNs, expected.ns);
            QCOMPARE(point.hostOnlyNs, expected.hostNs);
            QCOMPARE(point.macsPerSecond(), expected.rate);
            QCOMPARE(point.baselines.size(), std::size_t{1});
            QCOMPARE(point.baselines[0].totalNs, expected.cimNs);
            QCOMPARE(*point.figure("area_mm2"), 5.0);
            QCOMPARE(*point.figure("system_energy_pj"), expected.energyPj);
            QCOMPARE(*point.figure("power_w"), expected.powerW);
            for (const char* const name : {"segments", "cost_ns", "memory_share"})
                QVERIFY2(!point.figure(name), name);
        }
    }

    /// A small network is no reason to choose a machine for a large one.
    void eachModelHasItsFront() {
        const std::vector<SweepAxis> axes{{"model", {"a", "b"}, SweepAxis::Kind::Model},
                                          {"target", {"x", "y"}, SweepAxis::Kind::Target}};
        const SweepMarks marks =
            markSweep(axes, {pointAt(0, {"a", "x"}, 1, 10), pointAt(1, {"a", "y"}, 2, 10),
                             pointAt(2, {"b", "x"}, 70, 100), pointAt(3, {"b", "y"}, 60, 100)});
        const std::vector<bool> expected{true, false, false, true};
        QCOMPARE(marks.front, expected);
        QCOMPARE(marks.best, expected);
    }

    void refusesWhatIsNotUnderstood_data() {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"", "seq", "seq=", "=4", "seq=1,,2", "seq=8..4", "seq=a..b", "seq=0..4", "a=1;a=2", "a=1;",
              "a=1..8*1", "a=1..8+", "a=1..1000000+1", "a=4MiB..16ns", "a<=3", "a=1;b<="})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void refusesWhatIsNotUnderstood() {
        QFETCH(QString, text);
        const auto axes = parseSweep(text.toStdString());
        QVERIFY(!axes.has_value());
        QCOMPARE(axes.error().code, ErrorCode::Usage);
    }

    void everyCombinationComesOnce() {
        const auto axes = *parseSweep("a=1,2,3;b=x,y;c=5,6,7,8");
        std::set<std::vector<std::string>> seen;
        for (std::int64_t index = 0; index < sweepSize(axes); ++index)
            seen.insert(sweepValues(axes, index));
        QCOMPARE(seen.size(), std::size_t{24});
        QVERIFY((sweepValues(axes, 1) == std::vector<std::string>{"1", "x", "6"})); // the last is the fastest
    }

    /// Against the definition, pair by pair.
    void theFrontIsWhatNothingBeats() {
        std::mt19937 random(7);
        for (int round = 0; round < 200; ++round) {
            std::vector<SweepPoint> points;
            const int count = 1 + int(random() % 40);
            for (int p = 0; p < count; ++p) {
                points.push_back(
                    pointAt(p, {std::to_string(p)}, double(1 + random() % 12), double(1 + random() % 60)));
                if (random() % 7 == 0)
                    points.back().problem = "failed";
            }
            const SweepMarks marks = markSweep({{"seq", {}, SweepAxis::Kind::Dimension}}, points);
            for (std::size_t p = 0; p < points.size(); ++p) {
                bool isBeaten = !points[p].problem.empty();
                for (const SweepPoint& other : points)
                    isBeaten = isBeaten || (other.problem.empty() && other.totalNs <= points[p].totalNs &&
                                            other.macsPerSecond() >= points[p].macsPerSecond() &&
                                            (other.totalNs < points[p].totalNs ||
                                             other.macsPerSecond() > points[p].macsPerSecond()));
                QCOMPARE(bool(marks.front[p]), !isBeaten);
            }
        }
    }

    /// Against the definition, pair by pair, for as many figures.
    void theFrontOfManyFigures() {
        std::mt19937 random(8);
        for (int round = 0; round < 300; ++round) {
            const std::size_t width = 1 + random() % 4;
            std::vector<std::vector<double>> rows(random() % 60);
            for (auto& row : rows)
                for (std::size_t f = 0; f < width; ++f)
                    row.push_back(random() % 40 == 0 ? std::nan("") : double(random() % 6));
            const std::vector<bool> front = paretoFront(rows);
            for (std::size_t p = 0; p < rows.size(); ++p) {
                bool isBeaten = std::ranges::any_of(rows[p], [](double v) { return std::isnan(v); });
                for (const auto& other : rows) {
                    bool asGood = true, better = false;
                    for (std::size_t f = 0; f < width; ++f) {
                        asGood = asGood && other[f] <= rows[p][f];
                        better = better || other[f] < rows[p][f];
                    }
                    isBeaten = isBeaten || (asGood && better);
                }
                QCOMPARE(bool(front[p]), !isBeaten);
            }
        }
    }

    void whereMachinesVaryTheFrontIsByAreaAndEnergy() {
        const std::vector<SweepAxis> axes{{"group.count", {"1", "2", "4"}, SweepAxis::Kind::Hardware}};
        std::vector<SweepPoint> points{pointAt(0, {"1"}, 10, 5), pointAt(1, {"2"}, 8, 5),
                                       pointAt(2, {"4"}, 9, 5)};
        for (std::size_t p = 0; p < points.size(); ++p)
            points[p].figures = {{"area_mm2", double(1 << p)}};
        SweepMarks marks = markSweep(axes, points);
        QVERIFY((marks.objectives == std::vector<std::string>{"total_ns", "area_mm2"}));
        QVERIFY((marks.front == std::vector<bool>{true, true, false}));
        QVERIFY((markSweep(axes, points, {"area_mm2"}).front == std::vector<bool>{true, false, false}));
        points[2].figures.clear(); // unknown is not 0
        marks = markSweep(axes, points);
        QVERIFY((marks.objectives == std::vector<std::string>{"total_ns"}));
        QVERIFY((marks.front == std::vector<bool>{false, true, false}));
    }

    void theBestIsAmongEqualSizes() {
        const std::vector<SweepAxis> axes{{"seq", {"1", "2"}, SweepAxis::Kind::Dimension},
                                          {"target", {"a", "b"}, SweepAxis::Kind::Target}};
        std::vector<SweepPoint> points{pointAt(0, {"1", "a"}, 10, 5), pointAt(1, {"1", "b"}, 8, 5),
                                       pointAt(2, {"2", "a"}, 19, 10), pointAt(3, {"2", "b"}, 30, 10)};
        QVERIFY((markSweep(axes, points).best == std::vector<bool>{false, true, true, false}));
        points[1].problem = "no";
        QVERIFY((markSweep(axes, points).best == std::vector<bool>{true, false, true, false}));
        // Only sizes: the most work per second, 10 / 19 against 5 / 10.
        std::vector<SweepPoint> sizes{pointAt(0, {"1"}, 10, 5), pointAt(1, {"2"}, 19, 10)};
        QVERIFY((markSweep({axes[0]}, sizes).best == std::vector<bool>{false, true}));
    }
};

QTEST_GUILESS_MAIN(TestSweep)
#include "tst_core_compile_sweep.moc"
