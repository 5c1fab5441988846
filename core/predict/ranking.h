// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How well drafts of a kernel are put in order, held against the simulation of all that may be the fastest. Flow: order by
/// formula and by a predictor, simulated times -> [RankedKernel] -> means over kernels.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pim {

/// Rank correlation by Spearman, equal values with the mean of their ranks (Kendall and Gibbons, Rank Correlation Methods, 1990,
/// ch. 3); nullopt where one of the two is constant.
std::optional<double> spearman(std::span<const double> a, std::span<const double> b);
/// Rank correlation by Kendall, tau-b (the same, ch. 3); nullopt where one of the two is constant.
std::optional<double> kendall(std::span<const double> a, std::span<const double> b);

/// One order of the drafts of one kernel, or the mean over several kernels.
struct RankingQuality {
    double spearman = 0,
           kendall = 0; ///< Of all drafts; kernels whose drafts all take the same time do not count.
    /// By how much the first, and the fastest of the first ten, take longer than the fastest of all: 0.01 is a per cent.
    double regret1 = 0, regret10 = 0;
    /// The same of the first kVerifiedDrafts, which a compile simulates.
    double regretVerified = 0;
};

/// Regrets alone. \param rankedNs by which drafts are put in order, ties by position. \param simulatedNs the same drafts; at least one.
RankingQuality regrets(std::span<const double> rankedNs, std::span<const double> simulatedNs);
/// All of it.
RankingQuality rankingQuality(std::span<const double> rankedNs, std::span<const double> simulatedNs);

struct RankedKernel {
    std::string kernel, form;          ///< Name; kernelForm().
    std::string sizes;                 ///< "b=1 n=4096 k=1024"
    std::vector<std::int64_t> extents; ///< Of its loops, outermost first.
    std::int64_t drafts = 0;           ///< Simulated.
    double optimumNs = 0;              ///< Of the fastest.
    RankingQuality formula, learned;
    bool isConstant = false; ///< All drafts take the same time, or there is one alone.
    std::string outside;     ///< What of it lies outside what was trained; empty: nothing.
};

/// Over several kernels.
struct RankingFigures {
    std::int64_t kernels = 0, drafts = 0;
    RankingQuality formula, learned;           ///< Means.
    double worstFormula = 0, worstLearned = 0; ///< Greatest RankingQuality::regret1.
};
RankingFigures rankingFigures(std::span<const RankedKernel> kernels);

/// Of one order against another, over the same kernels.
enum class Verdict : std::uint8_t { Worse, Alike, Better };
/// How the learned order is to the formula's, by the regrets that a compile feels: of the first draft, its mean and its worst, and of
/// the first that are simulated. Better: none of them is greater and one is less. Worse: one is greater. What differs by less than a
/// hundredth of a per cent does not. Alike where no kernel was ranked.
Verdict verdictOf(const RankingFigures& figures);
/// "better", "alike", "worse"
std::string_view name(Verdict verdict);

} // namespace pim
