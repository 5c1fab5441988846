// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The matrix operators of a network as a CIM chip sees them, and how those too large for it are cut.
/// Flow: Graph -> [CimWorkload] -> splitOperators -> [CimSubOp]s -> segmentation.
#include "core/cim/chip.h"
#include "core/cim/options.h"
#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace pim {

/// One matrix product: for each of G instances, out[M][K] += in[M][N] * weights[N][K].
/// Conv: M = output pixels * batch, N = kernel * input channels of a group, K = output channels of a group, G = groups.
/// Data are 8 bit: bytes = elements. [CMSwitch §4.3.2]
struct CimOp {
    OpId op;                   ///< Invalid where the workload comes from a file and not from a Graph.
    int part = 0;              ///< Attention is two: 0 scores (Q K^T), 1 context (S V).
    std::string name;
    bool producedWeights = false; ///< The weights operand is computed at run time (attention).
    bool depthwise = false;    ///< G channels of one each share an array block-diagonally.
    std::int64_t m = 0, n = 0, k = 0, g = 1;
    std::int64_t inBytes = 0;  ///< Unique input bytes (no im2col copies).
    std::int64_t outBytes = 0, weightBytes = 0;
    std::vector<int> predecessors; ///< Ops of the workload it depends on, through ops that are no matrix product.

    std::int64_t macs() const { return m * n * k * g; }
};

struct CimWorkload {
    std::vector<CimOp> ops;         ///< Topological order.
    std::vector<std::pair<OpId, std::string>> left; ///< Ops of the graph that are no matrix product: "vector unit", "host: …".
};

/// Matrix operators of \p graph. Error::Unsupported where a shape is unknown, with the op.
Result<CimWorkload> cimWorkload(const Graph& graph);

/// A piece of an operator that fits on the chip: instances [gBegin, gBegin+g), rows [nBegin, nBegin+n) of the reduction,
/// columns [kBegin, kBegin+k).
struct CimSubOp {
    int op = 0;                ///< Position in CimWorkload::ops.
    int piece = 0, pieces = 1; ///< Which of how many pieces of that op.
    std::int64_t m = 0, n = 0, k = 0, g = 1;
    std::int64_t nBegin = 0, kBegin = 0, gBegin = 0;
    int minArrays = 0;         ///< W: arrays of one copy of the weights.
    double computeWork = 0;    ///< W * M * t: array-cycles; L_comp = computeWork / compute arrays.
    double traffic = 0;        ///< Bytes; L_mem = traffic / (D_main + memory arrays * D_cim).
    double outBytes = 0;
};

/// Cuts operators that need more than \p cap arrays; the others stay whole. Sizes are balanced.
/// Instances first; else column slabs of the whole reduction; rows only where a single column block exceeds the cap
/// (partial sums are then added by the digital unit).
/// Error::InvalidTarget where even one block cannot fit (cap < 1).
Result<std::vector<CimSubOp>> splitOperators(const CimWorkload& workload, const CimChip& chip, const CimOptions& options, int cap);

/// Arrays one copy of an n x k weight matrix in g instances needs.
int minimumArrays(const CimOp& op, const CimChip& chip);

} // namespace pim
