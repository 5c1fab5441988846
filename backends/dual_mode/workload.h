// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The matrix operators of a network as a CIM chip sees them, and how those too large for it are cut.
/// Flow: Graph -> [DualModeWorkload] -> splitOperators -> [DualModeSubOp]s -> segmentation.
#include "backends/dual_mode/chip.h"
#include "backends/dual_mode/options.h"
#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace pim {

/// One matrix product: for each of G instances, out[M][K] += in[M][N] * weights[N][K].
/// Conv: M = output pixels * batch, N = kernel * input channels of a group, K = output channels of a group, G
/// = groups. Data are 8 bit: bytes = elements. [CMSwitch §4.3.2]
struct DualModeOp {
    OpId op;      ///< Invalid where the workload comes from a file and not from a Graph.
    int part = 0; ///< Attention is two: 0 scores (Q K^T), 1 context (S V).
    std::string name;
    bool producedWeights = false; ///< The weights operand is computed at run time (attention).
    /// Convolution in groups: the groups' weight blocks may share an array block-diagonally, see
    /// instancesPerArray().
    bool depthwise = false;
    std::int64_t m = 0, n = 0, k = 0, g = 1;
    std::int64_t inBytes = 0; ///< Unique input bytes (no im2col copies).
    std::int64_t outBytes = 0, weightBytes = 0;
    std::vector<int>
        predecessors; ///< Ops of the workload it depends on, through ops that are no matrix product.

    std::int64_t macs() const { return m * n * k * g; }
};

struct DualModeWorkload {
    std::vector<DualModeOp> ops; ///< Topological order.
    std::vector<std::pair<OpId, std::string>>
        left; ///< Ops of the graph that are no matrix product: "vector unit", "host: …".
};

/// Matrix operators of \p graph. Error::Unsupported where a shape is unknown, with the op.
Result<DualModeWorkload> dualModeWorkload(const Graph& graph);

/// A piece of an operator that fits on the chip: instances [gBegin, gBegin+g), rows [nBegin, nBegin+n) of the
/// reduction, columns [kBegin, kBegin+k).
struct DualModeSubOp {
    int op = 0;                ///< Position in DualModeWorkload::ops.
    int piece = 0, pieces = 1; ///< Which of how many pieces of that op.
    std::int64_t m = 0, n = 0, k = 0, g = 1;
    std::int64_t nBegin = 0, kBegin = 0, gBegin = 0;
    int minArrays = 0;      ///< W: arrays of one copy of the weights.
    double computeWork = 0; ///< W * M * t: array-cycles; L_comp = computeWork / compute arrays.
    double traffic = 0;     ///< Bytes; L_mem = traffic / (D_main + memory arrays * D_cim).
    double outBytes = 0;
};

/// A piece may need rows of the reduction that other pieces hold as well: then its outputs are partial sums.
inline constexpr double kDualModePartialSumBytes = 4; ///< int32, what an exact sum of 8-bit products needs.

/// LLaMA 3.1 405B has 552 000 of them on DynaPlasia, and takes 2.2 GiB to be planned and simulated [measured].
inline constexpr std::int64_t kMaxDualModeSubOps = 800'000;
/// Where pieces are no more than half of the chip, so that a segment has several, and for all ways to cut but the first: time and memory
/// go with both numbers. Others gain little in such networks (LLaMA-2 70B on DynaPlasia: 0.2 % [measured]).
inline constexpr std::int64_t kMaxFineSubOps = 200'000;

/// Cuts operators that need more than \p cap arrays; the others stay whole. Sizes are balanced.
/// Instances first; else column slabs of the whole reduction; rows only where a single column block exceeds
/// the cap (partial sums are then added by the digital unit). Errors: InvalidTarget where even one block
/// cannot fit (cap < 1), Unsupported beyond \p most pieces.
Result<std::vector<DualModeSubOp>> splitOperators(const DualModeWorkload& workload, const DualModeChip& chip,
                                                  const DualModeOptions& options, int cap,
                                                  std::int64_t most = kMaxDualModeSubOps);

/// How one operator is cut.
struct DualModeCut {
    int cap = 0; ///< Most arrays of a piece.
    /// Most arrays one below the other in a piece that is cut; 0: the whole reduction if it fits.
    int rowBlocks = 0;
    friend auto operator<=>(const DualModeCut&, const DualModeCut&) = default;
};

/// The same with a cut for each operator, into at most kMaxFineSubOps pieces. Unlike above, partial sums count with all their bytes in L_mem as
/// well: the reference results count one, but that would make cutting rows look cheaper than it is.
Result<std::vector<DualModeSubOp>> splitOperators(const DualModeWorkload& workload, const DualModeChip& chip,
                                                  const DualModeOptions& options,
                                                  const std::vector<DualModeCut>& cuts);

/// Arrays one copy of an n x k weight matrix in g instances needs; at most 2^31 - 1.
int minimumArrays(const DualModeOp& op, const DualModeChip& chip);

/// Instances whose weights share one array, rows and columns apart: min(rows / n, columns / k), for
/// convolutions in groups [35 of 3x3 depthwise on 320x40, as CMSwitch's MobileNetV2 needs]; 1 for everything
/// else.
std::int64_t instancesPerArray(const DualModeOp& op, const DualModeChip& chip);

/// Bytes that count for L_mem under \p rule: 8-bit data, each input element once a product (im2col copies
/// counted).
double dualModeTraffic(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t g, TrafficRule rule);

} // namespace pim
