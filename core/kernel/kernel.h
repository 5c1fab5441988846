// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One op as a perfect affine loop nest: what the tiling search works on. Comes from an op of the Graph
/// (from_op.h) or from text (parse.h). [DCC §IV-B.1: tensor dimensions are tied to loop variables by mapping
/// functions F(v) = a*v + c; we add sums of loop variables so that direct convolution fits, and dimensions that are looked up.]
#include "core/graph/graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pim {

struct Loop {
    std::string name;
    std::int64_t extent = 1; ///< The variable runs 0 … extent-1.
};

/// coefficient * loop variable
struct AffineTerm {
    int loop = 0;                 ///< Position in Kernel::loops.
    std::int64_t coefficient = 1; ///< Never 0.
    friend bool operator==(const AffineTerm&, const AffineTerm&) = default;
};

/// Sum of terms plus a constant: b+1, i*2, s*ho+r-p. Terms are sorted by loop, each loop at most once.
struct AffineExpr {
    std::vector<AffineTerm> terms;
    std::int64_t constant = 0;
    friend bool operator==(const AffineExpr&, const AffineExpr&) = default;
};
/// "b+1", "i*2", "h*2+r-1"; the constant alone where there are no terms.
std::string affineText(const AffineExpr& expr, const std::vector<Loop>& loops);

enum class TensorRole : std::uint8_t { Input, Output, InOut };

struct KernelTensor {
    std::string name;
    Shape shape; ///< Static, outermost first.
    DataType dtype = DataType::F16;
    TensorRole role = TensorRole::Input;
    TensorId source;       ///< The graph tensor, if the kernel came from an op.
    bool constant = false; ///< Weights: may lie in PIM before the kernel starts.
    bool cache = false; ///< Kept from one run of the network to the next (KV cache): may stay in PIM as well.
};

/// Where a dimension of a tensor is looked up: the index stands in another tensor, T[I[b]][d].
struct GatheredIndex {
    int dimension = 0; ///< Of the tensor that is looked up in; its affine index is the constant 0.
    /// Position in Kernel::accesses of what is read to know the index, before the access that uses it: whole numbers, at affine
    /// places, that the kernel does not write. Negative ones count from the end, as in ONNX; there are none beyond the ends.
    int access = 0;
    friend bool operator==(const GatheredIndex&, const GatheredIndex&) = default;
};

/// One occurrence of a tensor in the body: A[b+1][i*2].
struct TensorAccess {
    int tensor = 0; ///< Position in Kernel::tensors.
    std::vector<AffineExpr>
        index; ///< One expression a dimension of the tensor. Empty expression: index is the constant.
    bool isWrite = false;
    /// Elements of this access come in pairs that are multiplied with each other (the SIMD operands of
    /// pruning rule 2).
    bool isMacOperand = false;
    std::vector<GatheredIndex> gathered{}; ///< By dimension, ascending; only where it is read.

    const GatheredIndex* gatheredAt(std::size_t dimension) const; ///< Null: the index is affine.
};

/// What the body does with the operands, as far as hardware and cost need to know.
enum class BodyKind : std::uint8_t {
    Mac,         ///< out += a * b (+ more terms)
    Elementwise, ///< out = f(inputs), no carried value
    Reduce,      ///< out = out (+|max|…) in
    /// out[.., d] += softmax_l(sum_d q*k)[l] * v[l, d]; two MACs an iteration, and one softmax element for
    /// each score, that is iterations / extent of d. The loop of d is summed over for the scores and kept for
    /// the output: where it is split, scores are partial and must be merged before the softmax
    /// (DraftSummary::scorePartialCores).
    Attention,
};
std::string_view name(BodyKind kind);

struct Kernel {
    std::string name;        ///< Kind of kernel ("matmul") or the name in the text; never the name of an op.
    std::vector<Loop> loops; ///< Outermost first.
    std::vector<KernelTensor> tensors;
    std::vector<TensorAccess>
        accesses; ///< In textual order; writes marked. Out-of-range indices are padding, read as 0.
    BodyKind body = BodyKind::Mac;
    std::string statement; ///< The body as text, for people: "C[b][k] += A[b][i] * B[i][k]"
    std::string function;  ///< Elementwise / Reduce: "add", "relu", "max", …
    int macsPerIteration = 0;
    int otherOpsPerIteration = 0; ///< Adds, compares, … that are not part of a MAC.

    std::int64_t iterations() const; ///< Product of the extents.
    /// True if no written index uses the loop: splitting it over cores leaves partial results to merge.
    bool isReductionLoop(int loop) const;
    /// Does it look anything up? Which elements it reads then, the loops alone do not tell.
    bool gathers() const;
    /// Canonical text (parse.h reads it back), equal for equal kernels whatever op they come from: the cache
    /// key.
    std::string text() const;
};

/// "A[b+1][i*2]", "T[I[b]][d]"
std::string accessText(const Kernel& kernel, const TensorAccess& access);
/// Error::InvalidKernel where a GatheredIndex is not what it says of itself.
Result<void> checkGathered(const Kernel& kernel);

} // namespace pim
