// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Search of spaces by formulas whose whole front is known: how much of it is found, with how many points, and what a search promises.
#include <QTest>
#include <string>

#include "core/compile/pareto.h"
#include "core/compile/search/best_so_far.h"
#include "core/compile/search/confirm.h"
#include "core/compile/search/search.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

using namespace pim;

namespace {

using Rows = std::vector<std::vector<double>>;

/// A machine by rough rules: time falls with units until the bus is full, area and energy grow with units and clock.
std::vector<double> machine(const std::vector<std::int64_t>& digits) {
    const double units = double(digits[0] + 1), clock = 0.2 + 0.1 * double(digits[1]),
                 bus = 8 * double(digits[2] + 1);
    if (units * bus > 4000) // pins run out
        return {};
    const double time = 1e6 / std::min(units * clock, bus) + 20 / clock;
    return {time, 0.4 * units + 0.05 * bus + 3, time * (0.2 + units * clock * clock * clock * 0.02)};
}
/// ZDT1 and ZDT2 (Zitzler, Deb and Thiele, Evol. Comp. 8(2), 2000), on steps: a front that is convex, and one that is not.
std::vector<double> zdt(const std::vector<std::int64_t>& digits, double power) {
    const double x = double(digits[0]) / 63;
    double rest = 0;
    for (std::size_t d = 1; d < digits.size(); ++d)
        rest += double(digits[d]) / 7;
    const double g = 1 + 9 * rest / double(digits.size() - 1);
    return {x, g * (1 - std::pow(x / g, power))};
}

struct Space {
    std::vector<std::int64_t> radices;
    std::function<std::vector<double>(const std::vector<std::int64_t>&)> figures;
    std::int64_t size() const {
        return std::accumulate(radices.begin(), radices.end(), std::int64_t{1}, std::multiplies<>());
    }
    std::vector<double> at(std::int64_t index) const {
        std::vector<std::int64_t> digits(radices.size());
        for (std::size_t d = radices.size(); d-- > 0; index /= radices[d])
            digits[d] = index % radices[d];
        return figures(digits);
    }
};
const std::vector<Space>& spaces() {
    static const std::vector<Space> all{{{64, 20, 32}, machine},
                                        {{64, 8, 8, 8}, [](const auto& digits) { return zdt(digits, 0.5); }},
                                        {{64, 8, 8, 8}, [](const auto& digits) { return zdt(digits, 2); }}};
    return all;
}

struct Seen {
    std::vector<std::int64_t> indices;
    Rows rows; ///< Without those refused.
};
Seen run(const Space& space, const SearchOptions& options) {
    Seen seen;
    const auto done = searchSpace(space.radices, options, [&](const auto& indices) -> Result<Rows> {
        Rows rows;
        for (const std::int64_t index : indices) {
            seen.indices.push_back(index);
            rows.push_back(space.at(index));
            if (!rows.back().empty())
                seen.rows.push_back(rows.back());
        }
        return rows;
    });
    if (!done)
        qFatal("%s", done.error().text().c_str());
    return seen;
}

} // namespace

class TestSearch : public QObject {
    Q_OBJECT
private slots:
    /// Those that compute are the caller's; while they do, libraries below have none. First: they keep what they have.
    void searchesStartNoThreads() {
        const auto threads = [] {
            return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
        };
        const auto before = threads();
        std::ptrdiff_t most = 0;
        const auto price = [&](const std::vector<std::int64_t>& indices) -> Result<Rows> {
            most = std::max(most, threads());
            Rows rows;
            for (const std::int64_t index : indices)
                rows.push_back({double(index % 100), double(index / 100 + (99 - index % 100))});
            return rows;
        };
        QVERIFY(searchSpace({100, 100}, {SearchMethod::Nsga2, 400, 1}, price));
        QCOMPARE(most, before);
    }

    /// Against counting the unit cubes that a point is not worse than.
    void hypervolumeIsWhatIsCounted() {
        std::mt19937 random(3);
        for (int round = 0; round < 100; ++round) {
            const std::size_t width = 1 + random() % 4;
            Rows rows(1 + random() % 12);
            for (auto& row : rows)
                for (std::size_t f = 0; f < width; ++f)
                    row.push_back(double(random() % 8)); // the reference is 6: some are outside
            std::int64_t cubes = 0;
            for (int cube = 0; cube < int(std::pow(6, width) + 0.5); ++cube)
                cubes += std::ranges::any_of(rows, [&](const auto& row) {
                    int rest = cube;
                    for (const double value : row) {
                        if (value > rest % 6)
                            return false;
                        rest /= 6;
                    }
                    return true;
                });
            QCOMPARE(hypervolume(rows, std::vector<double>(width, 6)), double(cubes));
        }
        QCOMPARE(hypervolume({}, {1, 1}), 0.0);
    }

    /// Against trying each point by itself with its time cut.
    void pointsNearTheFrontAreThoseThatCouldBeOnIt() {
        std::mt19937 random(11);
        const std::vector<std::string> objectives{"total_ns", "cost"};
        int between = 0;
        for (int round = 0; round < 200; ++round) {
            std::vector<SweepPoint> points(1 + random() % 40);
            Rows rows;
            for (SweepPoint& point : points) {
                point.index = &point - points.data();
                point.totalNs = 1 + double(random() % 50);
                if (random() % 8 != 0)
                    point.figures = {{"cost", double(random() % 20)}};
                if (random() % 8 == 0)
                    point.problem = "no room";
                const auto cost = point.figure("cost");
                rows.push_back(
                    {cost && point.problem.empty() ? point.totalNs : std::nan(""), cost.value_or(0)});
            }
            const double margin = 0.25 * double(random() % 4);
            std::vector<std::size_t> wanted;
            for (std::size_t p = 0; p < rows.size(); ++p) {
                Rows changed = rows;
                changed[p][0] *= 1 - margin;
                // Of its equals none stands in the way of another.
                if (!std::isnan(rows[p][0]) && (paretoFront(changed)[p] || paretoFront(rows)[p]))
                    wanted.push_back(p);
            }
            const auto near = pointsNearFront(points, objectives, margin);
            QVERIFY(near == wanted);
            const std::vector<bool> front = paretoFront(rows);
            between += int(near.size() - std::size_t(std::ranges::count(front, true)));
        }
        QVERIFY(between > 100);
        QVERIFY(pointsNearFront({}, objectives, 0.1).empty());
    }

    /// The quick way for two figures against the one for any number of them.
    void frontsOfTwoFiguresAreTheSame() {
        std::mt19937 random(5);
        for (int round = 0; round < 300; ++round) {
            const unsigned steps = 1 + random() % 40; // few: many points are equal
            std::vector<double> x, y;
            Rows rows;
            for (unsigned p = random() % 300; p-- > 0;) {
                x.push_back(round % 3 == 0 ? double(random()) : double(random() % steps));
                y.push_back(round % 3 == 1 ? -x.back() : double(random() % steps) - 5);
                if (random() % 20 == 0)
                    (random() % 2 ? x : y).back() = std::nan("");
                rows.push_back({x.back(), y.back()});
            }
            std::vector<bool> isOnFront(rows.size());
            const std::vector<std::size_t> front = paretoFrontInOrder(x, y);
            for (const std::size_t p : front)
                isOnFront[p] = true;
            QCOMPARE(isOnFront, paretoFront(rows));
            QVERIFY(std::ranges::is_sorted(
                front, {}, [&](std::size_t p) { return std::tuple(x[p], y[p], p); })); // and each once
        }
    }

    void theBestSoFarFallsAndTheVolumeGrows() {
        // The box is 0..10 by 0..10.
        const BestSoFar found = bestSoFar({{10, 10}, {}, {5, 6}, {5, 6}, {9, 9}, {0, 10}, {10, 0}, {4, 6}});
        QCOMPARE(found.points, std::int64_t{8});
        QCOMPARE(found.refused, std::int64_t{1});
        using Steps = std::vector<ProgressStep>;
        QCOMPARE(found.best.size(), std::size_t{2});
        QCOMPARE(found.best[0], (Steps{{1, 10}, {3, 5}, {6, 0}}));
        QCOMPARE(found.best[1], (Steps{{1, 10}, {3, 6}, {7, 0}}));
        // The corners add nothing: they are as bad as can be in the other objective.
        QCOMPARE(found.volume.size(), std::size_t{5});
        const std::vector<std::pair<std::int64_t, double>> wanted{
            {1, 0.0}, {3, 0.2}, {6, 0.2}, {7, 0.2}, {8, 0.24}};
        for (std::size_t step = 0; step < wanted.size(); ++step) {
            QCOMPARE(found.volume[step].points, wanted[step].first);
            QVERIFY(std::abs(found.volume[step].value - wanted[step].second) < 1e-12);
        }
        const auto empty = bestSoFar({});
        QVERIFY(empty.points == 0 && empty.best.empty() && empty.volume.empty());
        const auto nothing = bestSoFar({{}, {std::nan(""), 1}});
        QVERIFY(nothing.refused == 2 && nothing.best.empty() && nothing.volume.empty());
        QVERIFY(bestSoFar({{3, 1}, {2, 1}}).volume.empty()); // one objective is the same everywhere
        QVERIFY(bestSoFar({{1, 2, 3, 4}, {4, 3, 2, 1}}).volume.empty());
        QCOMPARE(bestSoFar({{1, 2, 3, 7}, {4, 3, 2, 7}}).volume.size(), std::size_t{2});
    }

    /// Of many points: the curve never falls, has few steps, and ends with the hypervolume of all of them.
    void progressOfManyPointsEndsWithAllOfThem() {
        std::mt19937 random(11);
        Rows rows;
        for (int p = 0; p < 5000; ++p) {
            const double x = double(random() % 1000), z = double(random() % 1000);
            rows.push_back({x, 5000 - double(p) + z, z - x}); // it gets better all the time
        }
        const BestSoFar found = bestSoFar(rows);
        QVERIFY(found.volume.size() > 50 && std::ssize(found.volume) <= kVolumeSteps + 1);
        QVERIFY(std::ranges::is_sorted(found.volume, {}, &ProgressStep::value));
        std::vector<double> low = rows[0], high = rows[0];
        for (const auto& row : rows)
            for (std::size_t f = 0; f < 3; ++f) {
                low[f] = std::min(low[f], row[f]);
                high[f] = std::max(high[f], row[f]);
            }
        const double box = (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
        QVERIFY(std::abs(found.volume.back().value - hypervolume(rows, high) / box) < 1e-9);
        for (std::size_t f = 0; f < 3; ++f)
            QCOMPARE(found.best[f].back().value, low[f]);
    }

    void findsTheFrontWithFewPoints_data() {
        QTest::addColumn<int>("space");
        QTest::addColumn<int>("seed");
        for (int space = 0; space < 3; ++space)
            for (int seed = 1; seed <= 3; ++seed)
                QTest::addRow("space %d, seed %d", space, seed) << space << seed;
    }
    void findsTheFrontWithFewPoints() {
        QFETCH(int, space);
        QFETCH(int, seed);
        const Space& of = spaces()[std::size_t(space)];
        QVERIFY(of.size() >= 20'000);
        const Seen all = run(of, {SearchMethod::Exhaustive, 1, 1});
        QCOMPARE(std::ssize(all.indices), of.size());
        std::vector<double> reference = all.rows.front();
        for (const auto& row : all.rows)
            for (std::size_t f = 0; f < row.size(); ++f)
                reference[f] = std::max(reference[f], row[f]);
        const std::int64_t most = of.size() / 20;
        const auto share = [&](SearchMethod method) {
            return hypervolume(run(of, {method, most, std::uint64_t(seed)}).rows, reference) /
                   hypervolume(all.rows, reference);
        };
        const double found = share(SearchMethod::Nsga2), drawn = share(SearchMethod::Random);
        qInfo("%.4f of the hypervolume with %lld of %lld points; drawn at random %.4f", found,
              static_cast<long long>(most), static_cast<long long>(of.size()), drawn);
        QVERIFY(found >= 0.99 && found <= 1 && drawn <= found);
    }

    void noPointTwiceAndNoneTooMany() {
        for (const Space& space : spaces())
            for (const SearchMethod method : {SearchMethod::Random, SearchMethod::Nsga2})
                for (const std::int64_t evaluations : {1, 7, 500}) {
                    const Seen seen = run(space, {method, evaluations, 5});
                    QCOMPARE(std::ssize(seen.indices), evaluations);
                    QCOMPARE(std::set(seen.indices.begin(), seen.indices.end()).size(), seen.indices.size());
                    QVERIFY(run(space, {method, evaluations, 5}).indices == seen.indices);
                    QVERIFY(run(space, {method, evaluations, 6}).indices != seen.indices);
                }
        const Space small{{1, 5, 1, 4}, [](const auto& digits) {
                              return std::vector<double>{double(digits[1] + digits[3])};
                          }};
        QCOMPARE(std::ssize(run(small, {SearchMethod::Nsga2, 100, 1}).indices), 20); // all there are
        QCOMPARE(std::ssize(run(small, {SearchMethod::Nsga2, 19, 1}).indices), 19);
    }

    /// Where no plan exists for nearly all points, and where none exists at all.
    void refusedPointsAreLivedWith() {
        const Space rare{{50, 50}, [](const auto& digits) {
                             return digits[0] == 7 ? std::vector<double>{double(digits[1])}
                                                   : std::vector<double>{};
                         }};
        const Seen seen = run(rare, {SearchMethod::Nsga2, 400, 1});
        QVERIFY(std::ranges::min(seen.rows) == std::vector<double>{0});
        const Space none{{50, 50}, [](const auto&) { return std::vector<double>{}; }};
        QCOMPARE(std::ssize(run(none, {SearchMethod::Nsga2, 400, 1}).indices), 400);
    }

    void whatGoesWrongIsTold() {
        for (const SearchMethod method :
             {SearchMethod::Exhaustive, SearchMethod::Random, SearchMethod::Nsga2}) {
            int batches = 0;
            const auto stopped = searchSpace({100, 100}, {method, 1000, 1}, [&](const auto& indices) {
                return ++batches == (method == SearchMethod::Nsga2 ? 3 : 1)
                           ? Result<Rows>(fail(ErrorCode::Cancelled, "enough"))
                           : Result<Rows>(Rows(indices.size(), {1, 2}));
            });
            QVERIFY(!stopped);
            QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
        }
        const auto none =
            searchSpace({4}, {SearchMethod::Random, 0, 1}, [](const auto&) { return Result<Rows>(Rows()); });
        QCOMPARE(none.error().code, ErrorCode::Usage);
    }
};

QTEST_GUILESS_MAIN(TestSearch)
#include "tst_core_compile_search.moc"
