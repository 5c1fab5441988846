// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Ops in pieces, so that several machines can work on one. Flow: Graph + features of each piece -> [divided] -> Graph, planned like any other.
///
/// A piece makes some of the output features of its op (columns of a product, channels of a convolution) from all of its input
/// and its share of the weights; a Concat puts the pieces together. No sum is taken apart, so every element is what it was, to the bit. PIMFlow
/// (Shin et al., CGO 2023) divides layers between a GPU and DRAM-PIM like this.
#include "core/graph/graph.h"

#include <memory>
#include <vector>

namespace pim {

struct OpPieces {
    OpId op;
    std::vector<std::int64_t>
        features; ///< Of each piece, in order; each > 0, two at least, featuresOf() in all.

    friend bool operator==(const OpPieces&, const OpPieces&) = default;
};

/// Output features among which an op can be divided; 0: it cannot. A MatMul, Gemm or Conv in one group, with constant weights.
std::int64_t featuresOf(const Graph& graph, OpId op);

struct DividedGraph {
    std::shared_ptr<const Graph> graph; ///< With a structure hash of its own.
    std::vector<OpId> wholes;           ///< Op of the given network that each of its ops is, or is a part of.
};

/// Pieces are named after their op: "fc@1", "fc@2"; what joins them has its name, its output and its place. Weights are read from
/// where they were, when somebody asks. \param pieces at most one an op.
/// Error::Usage where an op cannot be divided or the features of its pieces are not its own.
Result<DividedGraph> divided(const Graph& graph, const std::vector<OpPieces>& pieces);

} // namespace pim
