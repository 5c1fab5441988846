// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The figures of DCC [arXiv 2511.15503] computed anew: every bar ours beside the paper's. Flow: Evaluator -> [Figure] ->
/// reasons.h (why they differ) -> evaluation_report.h.
#include "app/evaluation/comparison.h"

#include <optional>

namespace pim::evaluation {

/// Heights of the two bars of a pair: speed-ups over the GPU, or (Fig. 2, 9, 10) over the lower one, which then is 1.
struct Bars {
    double lower = 0;  ///< The published mapping (Fig. 2: the best of those with the least compute time).
    double higher = 0; ///< Ours, or DCC's.
    double gain() const { return lower > 0 ? higher / lower : 0; }
};

struct FigurePoint {
    std::string group; ///< "GEMV on AttAcc": what a mean is taken over.
    std::string label; ///< "32x512, batch 1"
    Bars ours;         ///< Under strict rules.
    Bars assumed;      ///< Under those of the paper.
    Bars paper;
    const Comparison* strict = nullptr; ///< What ours come from; null for language models.
    const Comparison* asInPaper = nullptr;
};

/// One phase of a language model, milliseconds a token.
struct LlmBar {
    std::string system; ///< "AttAcc full, our mappings"
    double attention = 0, qkv = 0, projection = 0, feedForward = 0, other = 0;
    double totalMs() const { return attention + qkv + projection + feedForward + other; }
};
struct LlmCase {
    std::string label; ///< "GPT3-13B, batch 1, 128 in, 2048 out"
    std::vector<LlmBar> bars;
};

struct Figure {
    int number = 0;
    std::string title, quantity; ///< "Speed-up over the GPU"
    std::string lower, higher;   ///< What the bars stand for.
    std::string reading;         ///< How we read the figure, where the paper leaves it open.
    std::vector<FigurePoint> points;
    std::vector<LlmCase> models; ///< Fig. 8.
};

/// Means over the points of one group.
struct GroupMeans {
    std::string group;
    std::size_t points = 0;
    Bars ours, assumed, paper; ///< Geometric.
    double oursGain = 0, assumedGain = 0, paperGain = 0;
    double plainGain = 0; ///< Over the published mapping in plain code; 0 where there are no kernels.
};
std::vector<GroupMeans> groupMeans(const Figure& figure);

/// The figures there are: 2, 6, 7, 8, 9, 10.
const std::vector<int>& figureNumbers();
/// Error::NotFound for another number, and those of Evaluator::compare().
Result<Figure> computeFigure(int number, Evaluator& evaluator, const TaskContext& task);

/// A claim of the paper that is to be met or explained.
struct Claim {
    std::string text;   ///< "GEMV on HBM-PIM over the published mapping"
    double wanted = 0;  ///< The paper's figure.
    double ours = 0;    ///< Strict rules.
    double assumed = 0; ///< Under the paper's.
    /// Strict rules, over the published mapping in plain code: the passes count as ours, as those of DCC's
    /// optimiser do in the paper. 0: says nothing about this claim.
    double plain = 0;
    bool met() const { return printed(ours) >= printed(wanted); }
    bool metOverPlain() const { return plain > 0 && printed(plain) >= printed(wanted); }
    bool metAsInPaper() const { return printed(assumed) >= printed(wanted); }
    std::string verdict() const;         ///< "reached", "reached with the code passes", …
    static double printed(double value); ///< To the two digits that the paper prints.
    std::string reason;                  ///< Where it is not met: why, from the breakdown.
};
/// Those that \p figures are enough for.
std::vector<Claim> claimsOf(const std::vector<Figure>& figures);

} // namespace pim::evaluation
