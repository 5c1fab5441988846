// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The kernels of the evaluation of DCC [arXiv 2511.15503 §V], how they are read here, and what the GPU of that paper takes
/// for them. Flow: kind + sizes -> [EvaluatedKernel] -> comparison.h.
///
/// The paper gives sizes and times, no code. What its figures imply:
/// - GEMV, "heads x length": Y[h][i] += X[h][k] W[h][i][k], k = 128, a matrix for every head of every request (keys). W lies
///   in PIM, X comes through the host, Y goes there.
/// - ATTN: the same with softmax and values; keys and values lie in PIM.
/// - RED, VA, RELU, "dim, batch": batch vectors of dim elements; both operands come through the host, results go there.
/// - GPU: time of AttAcc's xPU model [simulator c600051]; a head, and a vector of the batch, is one thread block, so that
///   blocks / (rounds x 108 cores) of its arithmetic and bandwidth are used. Speed-ups of RED, VA and RELU that are linear in
///   dim and do not depend on the batch (Fig. 6, 7) follow from that and from a PIM time that depends on neither.
#include "core/hardware/target.h"
#include "core/kernel/kernel.h"

namespace pim::evaluation {

enum class KernelKind : std::uint8_t { Gemv, Attention, Reduce, Add, Relu, Linear };
/// As in the paper: "GEMV", "ATTN", "RED", "VA", "RELU"; "FC" for a layer of weights.
std::string_view name(KernelKind kind);

struct EvaluatedKernel {
    KernelKind kind = KernelKind::Gemv;
    std::string label; ///< "32x512, batch 4", "dim 1024, batch 2"
    std::int64_t batch = 1;
    std::int64_t heads = 0; ///< GEMV, ATTN: a request.
    /// GEMV, ATTN: rows of the matrix; RED, VA, RELU: elements of a vector; FC: outputs.
    std::int64_t length = 0;
    std::int64_t inner = 128; ///< Elements of a dot product.
    Kernel kernel;
};

Result<EvaluatedKernel> gemvOf(std::int64_t heads, std::int64_t length, std::int64_t batch,
                               std::int64_t inner = 128);
Result<EvaluatedKernel> attentionOf(std::int64_t heads, std::int64_t length, std::int64_t batch,
                                    std::int64_t headSize = 128);
/// RED, VA or RELU.
Result<EvaluatedKernel> vectorsOf(KernelKind kind, std::int64_t dim, std::int64_t batch);
/// y[b][o] += x[b][i] W[o][i]: one matrix for all requests.
Result<EvaluatedKernel> linearOf(std::int64_t outputs, std::int64_t inputs, std::int64_t batch);

/// Time on the GPU, ns, in half precision.
double gpuNs(const Host& host, const EvaluatedKernel& kernel);

} // namespace pim::evaluation
