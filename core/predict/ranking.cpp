// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/ranking.h"

#include "core/drafts/draft_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace pim {
namespace {

constexpr std::size_t kFirst = 10; ///< RankingQuality::regret10
constexpr double kAlike =
    1e-4; ///< Regrets that differ by less do not tell orders apart: a tenth of a clock, of most kernels.

std::vector<std::size_t> orderOf(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [values](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    return order;
}

/// From 1; equal values share the mean of their places.
std::vector<double> ranksOf(std::span<const double> values) {
    const std::vector<std::size_t> order = orderOf(values);
    std::vector<double> ranks(values.size());
    for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
        while (end < order.size() && values[order[end]] == values[order[first]])
            ++end;
        for (std::size_t i = first; i < end; ++i)
            ranks[order[i]] = (static_cast<double>(first + end) + 1) / 2;
    }
    return ranks;
}

int signOf(double value) {
    return (value > 0) - (value < 0);
}

void addUp(RankingQuality& sum, const RankingQuality& one, double share, double shareOfCorrelated) {
    sum.spearman += shareOfCorrelated * one.spearman;
    sum.kendall += shareOfCorrelated * one.kendall;
    sum.regret1 += share * one.regret1;
    sum.regret10 += share * one.regret10;
    sum.regretVerified += share * one.regretVerified;
}

} // namespace

std::optional<double> spearman(std::span<const double> a, std::span<const double> b) {
    const std::vector<double> x = ranksOf(a), y = ranksOf(b);
    const double mean = (static_cast<double>(x.size()) + 1) / 2;
    double xy = 0, xx = 0, yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (x[i] - mean) * (y[i] - mean);
        xx += (x[i] - mean) * (x[i] - mean);
        yy += (y[i] - mean) * (y[i] - mean);
    }
    return xx > 0 && yy > 0 ? std::optional(xy / std::sqrt(xx * yy)) : std::nullopt;
}

std::optional<double> kendall(std::span<const double> a, std::span<const double> b) {
    std::int64_t agreed = 0, differA = 0, differB = 0; // pairs
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const int inA = signOf(a[i] - a[j]), inB = signOf(b[i] - b[j]);
            agreed += inA * inB;
            differA += inA != 0;
            differB += inB != 0;
        }
    return differA > 0 && differB > 0
               ? std::optional(static_cast<double>(agreed) /
                               std::sqrt(static_cast<double>(differA) * static_cast<double>(differB)))
               : std::nullopt;
}

RankingQuality regrets(std::span<const double> rankedNs, std::span<const double> simulatedNs) {
    const std::vector<std::size_t> order = orderOf(rankedNs);
    const double optimum = *std::min_element(simulatedNs.begin(), simulatedNs.end());
    const auto regretOf = [&](std::size_t first) {
        double best = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < std::min(first, order.size()); ++i)
            best = std::min(best, simulatedNs[order[i]]);
        return best / optimum - 1;
    };
    return {0, 0, regretOf(1), regretOf(kFirst), regretOf(kVerifiedDrafts)};
}

RankingQuality rankingQuality(std::span<const double> rankedNs, std::span<const double> simulatedNs) {
    RankingQuality quality = regrets(rankedNs, simulatedNs);
    quality.spearman = spearman(rankedNs, simulatedNs).value_or(0);
    quality.kendall = kendall(rankedNs, simulatedNs).value_or(0);
    return quality;
}

RankingFigures rankingFigures(std::span<const RankedKernel> kernels) {
    RankingFigures figures;
    const auto correlated =
        std::count_if(kernels.begin(), kernels.end(), [](const RankedKernel& k) { return !k.isConstant; });
    for (const RankedKernel& kernel : kernels) {
        ++figures.kernels;
        figures.drafts += kernel.drafts;
        const double share = 1.0 / static_cast<double>(kernels.size());
        const double ofCorrelated = kernel.isConstant ? 0 : 1.0 / static_cast<double>(correlated);
        addUp(figures.formula, kernel.formula, share, ofCorrelated);
        addUp(figures.learned, kernel.learned, share, ofCorrelated);
        figures.worstFormula = std::max(figures.worstFormula, kernel.formula.regret1);
        figures.worstLearned = std::max(figures.worstLearned, kernel.learned.regret1);
    }
    return figures;
}

Verdict verdictOf(const RankingFigures& figures) {
    const std::pair<double, double> regrets[] = {
        {figures.learned.regret1, figures.formula.regret1},
        {figures.worstLearned, figures.worstFormula},
        {figures.learned.regretVerified, figures.formula.regretVerified}};
    Verdict verdict = Verdict::Alike;
    for (const auto& [learned, formula] : regrets) {
        if (learned > formula + kAlike)
            return Verdict::Worse;
        if (learned < formula - kAlike)
            verdict = Verdict::Better;
    }
    return verdict;
}

std::string_view name(Verdict verdict) {
    constexpr std::string_view kNames[] = {"worse", "alike", "better"};
    return kNames[static_cast<std::size_t>(verdict)];
}

} // namespace pim
