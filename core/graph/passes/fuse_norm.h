// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the recognisers of LayerNorm and RmsNorm share: both divide by the root of a mean of squares.
#include "core/graph/passes/rewriter.h"

namespace pim {

/// x / sqrt(mean(x^2) + epsilon), as found in a graph.
struct RootMeanSquare {
    TensorId x;
    TensorId result;
    double epsilon = 0;
    std::vector<std::int64_t> axes; ///< Non-negative, ascending: the last ones of x.
    std::vector<const Op*> parts;
    const Op* square = nullptr;   ///< The part besides the division that uses x.
    const Op* division = nullptr; ///< The part that makes \ref result.
};
std::optional<RootMeanSquare> matchRootMeanSquare(const Rewriter& rewriter, const Op& division);

/// Axes of a ReduceMean over trailing axes of its input, with kept dimensions; nullopt if it is none.
std::optional<std::vector<std::int64_t>> trailingAxes(const Rewriter& rewriter, const Op& mean);

/// Takes the operator behind \p result in, if it multiplies by (`Mul`) or adds (`Add`) a constant no larger
/// than it. \returns the constant; \p result moves on.
TensorId takeConstant(const Rewriter& rewriter, std::string_view type, TensorId& result,
                      std::vector<const Op*>& parts);

} // namespace pim
