// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The cut against every labelling of small random problems.
#include "core/drafts/min_cut.h"

#include <QTest>

#include <limits>
#include <random>

using namespace pim;

namespace {

struct Problem {
    std::vector<std::pair<std::int64_t, std::int64_t>> items; ///< Cost of A, cost of B.
    struct Pair {
        int a, b;
        std::int64_t cost;
    };
    std::vector<Pair> pairs;

    std::int64_t cost(const std::vector<bool>& isB) const {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < items.size(); ++i)
            sum += isB[i] ? items[i].second : items[i].first;
        for (const Pair& pair : pairs)
            if (!isB[static_cast<std::size_t>(pair.a)] && isB[static_cast<std::size_t>(pair.b)])
                sum += pair.cost;
        return sum;
    }
    std::vector<bool> solve() const {
        TwoLabels cut;
        for (const auto& [a, b] : items)
            cut.add(a, b);
        for (const Pair& pair : pairs)
            cut.addPair(pair.a, pair.b, pair.cost);
        return cut.solve();
    }
};

std::vector<bool> bitsOf(unsigned mask, std::size_t count) {
    std::vector<bool> bits(count);
    for (std::size_t i = 0; i < count; ++i)
        bits[i] = (mask >> i & 1U) != 0;
    return bits;
}

} // namespace

class TestMinCut : public QObject {
    Q_OBJECT
private slots:
    void takesTheCheaperLabelOfLoneItems() {
        const Problem problem{{{3, 5}, {5, 3}, {4, 4}}, {}};
        QCOMPARE(problem.solve(), (std::vector<bool>{false, true, false})); // a tie stays with A
    }

    void isAsGoodAsTheBestOfAllLabellings() {
        std::mt19937 random(20240517);
        const auto below = [&random](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        for (int round = 0; round < 400; ++round) {
            Problem problem;
            const int items = 1 + below(9);
            for (int i = 0; i < items; ++i)
                problem.items.emplace_back(below(20), below(20));
            for (int i = below(3 * items); i > 0; --i)
                problem.pairs.push_back({below(items), below(items), below(15)});
            std::erase_if(problem.pairs, [](const auto& pair) { return pair.a == pair.b; });
            std::int64_t best = std::numeric_limits<std::int64_t>::max();
            int fewestB = items;
            for (unsigned mask = 0; mask < 1U << items; ++mask) {
                const std::int64_t cost = problem.cost(bitsOf(mask, problem.items.size()));
                const int count = __builtin_popcount(mask);
                if (cost < best || (cost == best && count < fewestB)) {
                    best = cost;
                    fewestB = count;
                }
            }
            const std::vector<bool> found = problem.solve();
            QCOMPARE(problem.cost(found), best);
            QCOMPARE(static_cast<int>(std::count(found.begin(), found.end(), true)), fewestB);
        }
    }

    void neverTakesWhatIsForbidden() {
        const Problem problem{{{TwoLabels::kForbidden, 100}, {1, TwoLabels::kForbidden}}, {{1, 0, 50}}};
        QCOMPARE(problem.solve(), (std::vector<bool>{true, false}));
    }

    void walksLongChainsWithoutRecursion() {
        Problem problem;
        constexpr int kItems = 100'000;
        for (int i = 0; i < kItems; ++i) {
            problem.items.emplace_back(i == 0 ? 1'000 : 0, i + 1 == kItems ? 1'000 : 0);
            if (i > 0)
                problem.pairs.push_back({i, i - 1, i == kItems / 2 ? 7 : 9}); // the cheapest link is cut
        }
        QCOMPARE(problem.cost(problem.solve()), std::int64_t{7});
    }
};

QTEST_APPLESS_MAIN(TestMinCut)
#include "tst_core_compile_min_cut.moc"
