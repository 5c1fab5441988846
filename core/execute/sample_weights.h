// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Weights for models that come without: enough to check that commands compute what the network says, not
/// what it was trained for.
#include "core/graph/graph.h"

namespace pim {

/// \p graph itself if all its weights are there; else a copy in which absent ones are uniform random numbers,
/// the same for the same seed on every machine: matrices and kernels around 0 with a spread that keeps
/// activations near 1, vectors (scales, biases, variances) in [0.5, 1.5). Error::Unsupported if the absent
/// weights have more than \p mostBytes in F32 or are no fractions.
Result<std::shared_ptr<const Graph>> withSampleWeights(std::shared_ptr<const Graph> graph, std::uint64_t seed,
                                                       std::int64_t mostBytes = std::int64_t{1} << 31);

/// Uniform in [-spread, spread), \p count of them.
std::vector<float> sampleNumbers(std::size_t count, double spread, std::uint64_t seed);

} // namespace pim
