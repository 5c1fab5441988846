// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Main effects of axes on figures by formulas whose variances are known, on whole grids, on parts of them, and where points have no figure.
#include <QTest>
#include <string>

#include "core/compile/axis_effects.h"

#include <cmath>
#include <functional>
#include <limits>
#include <random>

using namespace pim;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Every combination of values 0, 1, … of some axes, with a figure by a formula.
struct Grid {
    std::vector<int> sizes;
    std::vector<std::vector<int>> places;
    std::vector<double> figure;

    Grid(std::vector<int> of, const std::function<double(const std::vector<int>&)>& formula)
        : sizes(std::move(of)), places(sizes.size()) {
        int all = 1;
        for (const int size : sizes)
            all *= size;
        for (int index = 0; index < all; ++index) {
            std::vector<int> digits(sizes.size());
            for (std::size_t a = sizes.size(), rest = std::size_t(index); a-- > 0;
                 rest /= std::size_t(sizes[a]))
                digits[a] = int(rest % std::size_t(sizes[a]));
            for (std::size_t a = 0; a < sizes.size(); ++a)
                places[a].push_back(digits[a]);
            figure.push_back(formula(digits));
        }
    }
    AxisEffect effect(std::size_t axis) const { return axisEffect(places[axis], sizes[axis], figure); }
};

/// Of 0 to n - 1, each as often.
double variance(int n) {
    return (double(n) * n - 1) / 12;
}

#define COMPARE_NUMBERS(seen, wanted)                                                                        \
    QVERIFY2(std::abs((seen) - (wanted)) <= 1e-9 * std::max(1.0, std::abs(wanted)),                          \
             qPrintable(QString("%1, not %2").arg(seen, 0, 'g', 12).arg(wanted, 0, 'g', 12)))

} // namespace

class TestAxisEffects : public QObject {
    Q_OBJECT
private slots:
    /// Variances of a sum add up: each axis has its part, and nothing is left.
    void aSumIsSharedOut() {
        const Grid grid({8, 5, 3}, [](const auto& d) { return 100 + 3.0 * d[0] - 10.0 * d[1] + 0.0 * d[2]; });
        const double first = 9 * variance(8), second = 100 * variance(5);
        COMPARE_NUMBERS(grid.effect(0).share, first / (first + second));
        COMPARE_NUMBERS(grid.effect(1).share, second / (first + second));
        COMPARE_NUMBERS(grid.effect(2).share, 0.0);
        COMPARE_NUMBERS(grid.effect(0).range, 21.0);
        COMPARE_NUMBERS(grid.effect(1).range, 40.0);
        const AxisEffect effect = grid.effect(1);
        QCOMPARE(effect.points, std::int64_t{120});
        QCOMPARE(effect.values.size(), std::size_t{5});
        QCOMPARE(effect.values[2].points, std::int64_t{24});
        COMPARE_NUMBERS(effect.values[2].mean, 100 + 3 * 3.5 - 20);
        COMPARE_NUMBERS(effect.values[2].deviation, std::sqrt(first));
        COMPARE_NUMBERS(effect.values[2].least, 80.0);
        COMPARE_NUMBERS(effect.values[2].most, 101.0);
        COMPARE_NUMBERS(effect.chance, 4.0 / 119);
    }

    /// Of a product (1 + a)(1 + b), independent: first-order indices are E[b]^2 Var[a] and E[a]^2 Var[b], the rest is interaction.
    void aProductLeavesInteractions() {
        const Grid grid({6, 4}, [](const auto& d) { return (1.0 + d[0]) * (1.0 + d[1]); });
        const double meanA = 3.5, meanB = 2.5,
                     total = variance(6) * variance(4) + meanB * meanB * variance(6) +
                             meanA * meanA * variance(4);
        COMPARE_NUMBERS(grid.effect(0).share, meanB * meanB * variance(6) / total);
        COMPARE_NUMBERS(grid.effect(1).share, meanA * meanA * variance(4) / total);
        QVERIFY(grid.effect(0).share + grid.effect(1).share < 1);
        // What only acts together has no effect of its own.
        const Grid parity({2, 2}, [](const auto& d) { return double((d[0] + d[1]) % 2); });
        COMPARE_NUMBERS(parity.effect(0).share, 0.0);
    }

    /// Points without a figure or a value count nowhere: the rest is as if they had never been.
    void whatIsMissingIsLeftOut() {
        Grid grid({4, 4}, [](const auto& d) { return d[0] == 3 ? kNone : 7.0 * d[0]; });
        const AxisEffect effect = grid.effect(0);
        QCOMPARE(effect.points, std::int64_t{12});
        QCOMPARE(effect.values[3].points, std::int64_t{0});
        COMPARE_NUMBERS(effect.share, 1.0);
        COMPARE_NUMBERS(effect.range, 14.0);
        COMPARE_NUMBERS(effect.chance, 2.0 / 11); // three values are there
        grid.places[0][0] = -1;
        QCOMPARE(grid.effect(0).points, std::int64_t{11});
        grid.figure[1] = std::numeric_limits<double>::infinity();
        QCOMPARE(grid.effect(0).points, std::int64_t{10});
        const AxisEffect nothing = axisEffect({}, 3, {});
        QCOMPARE(nothing.points, std::int64_t{0});
        QCOMPARE(nothing.values.size(), std::size_t{3});
        QCOMPARE(nothing.share, 0.0);
        QCOMPARE(nothing.chance, 0.0);
    }

    /// Weighted by points: a value with many counts more, as in any sample that a search has chosen.
    void partsOfAGridAreWeighted() {
        // Place 0 three times with 0, 0, 3, place 1 once with 9: means 1 and 9, of all 3.
        const std::vector<int> places{0, 0, 0, 1};
        const std::vector<double> figure{0, 0, 3, 9};
        const AxisEffect effect = axisEffect(places, 2, figure);
        COMPARE_NUMBERS(effect.share, (3 * 4.0 + 36.0) / (9 + 9 + 0 + 36.0));
        COMPARE_NUMBERS(effect.range, 8.0);
        COMPARE_NUMBERS(effect.chance, 1.0 / 3);
    }

    /// Drawn at random, an axis that moves nothing has a share around chance, and not above it on average.
    void chanceIsWhatNothingHas() {
        std::mt19937 random(7); // NOLINT: the same points every time
        double share = 0;
        constexpr int kTimes = 400, kPoints = 60, kValues = 10;
        for (int time = 0; time < kTimes; ++time) {
            std::vector<int> places;
            std::vector<double> figure;
            for (int p = 0; p < kPoints; ++p) {
                places.push_back(p < kValues ? p : int(random() % kValues)); // each value is there
                figure.push_back(double(random()));
            }
            const AxisEffect effect = axisEffect(places, kValues, figure);
            COMPARE_NUMBERS(effect.chance, 9.0 / 59);
            share += effect.share / kTimes;
        }
        QVERIFY2(std::abs(share - 9.0 / 59) < 0.01, qPrintable(QString::number(share)));
    }

    /// Neither rounding of a constant nor a large offset is an effect or hides one.
    void numbersKeepTheirDigits() {
        const Grid constant({7, 3}, [](const auto&) { return 0.1; });
        QCOMPARE(constant.effect(0).share, 0.0);
        const Grid offset({10, 10}, [](const auto& d) { return 1e9 + 1e-3 * d[0] + 1e-3 * d[1]; });
        QVERIFY(std::abs(offset.effect(0).share - 0.5) < 1e-3);
    }
};

QTEST_APPLESS_MAIN(TestAxisEffects)
#include "tst_core_compile_axis_effects.moc"
