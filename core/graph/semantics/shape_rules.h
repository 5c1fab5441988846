// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Shape rules of the ONNX operators (onnx/docs/Operators.md, operator sets 1 … 18), by family.
#include "core/graph/semantics/op_context.h"

namespace pim::shapes {

using R = Result<void>;

// shape_rules_math.cpp
R same(OpContext& c);      ///< Every output like input 0.
R sameFirst(OpContext& c); ///< Output 0 like input 0; others unknown.
R likeFirst(OpContext& c); ///< Of another type where the attribute dtype says so.
R sameBool(OpContext& c);
R elementwise(OpContext& c); ///< Broadcast over all inputs, type of input 0.
R compare(OpContext& c);     ///< Broadcast, bool.
R where(OpContext& c);
R cast(OpContext& c);
R dropout(OpContext& c);
R batchNorm(OpContext& c);
R layerNorm(OpContext& c);
R reduce(OpContext& c);
R argReduce(OpContext& c);
R topK(OpContext& c);
R quantize(OpContext& c);
R dequantize(OpContext& c);
R unpacked(OpContext& c);
R dynamicQuantize(OpContext& c);

// shape_rules_matrix.cpp
R matMul(OpContext& c);
R matMulInteger(OpContext& c);
R qlinearMatMul(OpContext& c);
R gemm(OpContext& c);
R einsum(OpContext& c);
R conv(OpContext& c);
R convInteger(OpContext& c);
R qlinearConv(OpContext& c);
R convTranspose(OpContext& c);
R pool(OpContext& c);
R globalPool(OpContext& c);
R recurrent(OpContext& c);
R attention(OpContext& c);        ///< Our recognised group.
R closestCentroids(OpContext& c); ///< [.., inputs], [codebooks, centroids, length] -> [.., codebooks]
R lookUp(OpContext& c);           ///< [codebooks, centroids, features], [.., codebooks] -> [.., features]

// shape_rules_layout.cpp
R shapeOf(OpContext& c);
R sizeOf(OpContext& c);
R reshape(OpContext& c);
R flatten(OpContext& c);
R transpose(OpContext& c);
R squeeze(OpContext& c);
R unsqueeze(OpContext& c);
R concat(OpContext& c);
R split(OpContext& c);
R slice(OpContext& c);
R gather(OpContext& c);
R gatherElements(OpContext& c);
R gatherNd(OpContext& c);
R pad(OpContext& c);
R expand(OpContext& c);
R tile(OpContext& c);
R constantOfShape(OpContext& c);
R range(OpContext& c);
R resize(OpContext& c);
R depthToSpace(OpContext& c);
R spaceToDepth(OpContext& c);
R oneHot(OpContext& c);
R nonZero(OpContext& c);
R fromShapeAttribute(OpContext& c); ///< RandomNormal, RandomUniform

/// Starts, extents and steps of a Slice for each axis of input 0; nullopt where they are not constant.
struct SliceRange {
    std::int64_t start = 0, count = 0, step = 1;
};
Result<std::optional<std::vector<SliceRange>>> sliceRanges(const OpContext& c);

} // namespace pim::shapes
