// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/semantics/op_facts.h"

#include "core/graph/semantics/shape_rules.h"

#include <array>
#include <unordered_map>

namespace pim {

namespace {

using enum OpClass;
using namespace shapes;

// opsPerElement counts add, multiply, divide, compare, exp, sqrt, … as one each, from the definitions in
// onnx/docs/Operators.md. The `pim` operators are the groups our passes recognise.
constexpr std::array kFacts{
    // matrix products
    OpFact{"MatMul", MatMul, matMul, 2, 0},
    OpFact{"Gemm", MatMul, gemm, 2, 1},
    OpFact{"MatMulInteger", MatMul, matMulInteger, 2, 0},
    OpFact{"com.microsoft::FusedMatMul", Other, nullptr, 2, 0},
    OpFact{"com.microsoft::MoE", Other, sameFirst, 5, 5},
    OpFact{"com.microsoft::QMoE", Other, sameFirst, 4, 5},
    OpFact{"QLinearMatMul", Other, qlinearMatMul, 8, 1},
    OpFact{"Einsum", Other, einsum, 1, 0},
    OpFact{"Conv", Conv, conv, 2, 0},
    OpFact{"ConvInteger", Conv, convInteger, 2, 0},
    OpFact{"ConvTranspose", Conv, convTranspose, 2, 0},
    OpFact{"QLinearConv", Other, qlinearConv, 8, 1},
    OpFact{"LSTM", Other, recurrent, 3, 0},
    OpFact{"GRU", Other, recurrent, 3, 0},
    OpFact{"RNN", Other, recurrent, 3, 0},
    OpFact{"pim::Attention", Attention, attention, 3, 5},
    // one output element from one element of each input
    OpFact{"Abs", Elementwise, same, 1, 1},
    OpFact{"Acos", Elementwise, same, 1, 1},
    OpFact{"Acosh", Elementwise, same, 1, 1},
    OpFact{"Add", Elementwise, elementwise, 2, 1},
    OpFact{"And", Elementwise, compare, 2, 1},
    OpFact{"Asin", Elementwise, same, 1, 1},
    OpFact{"Asinh", Elementwise, same, 1, 1},
    OpFact{"Atan", Elementwise, same, 1, 1},
    OpFact{"Atanh", Elementwise, same, 1, 1},
    OpFact{"BitShift", Elementwise, elementwise, 2, 1},
    OpFact{"BitwiseAnd", Elementwise, elementwise, 2, 1},
    OpFact{"BitwiseNot", Elementwise, same, 1, 1},
    OpFact{"BitwiseOr", Elementwise, elementwise, 2, 1},
    OpFact{"BitwiseXor", Elementwise, elementwise, 2, 1},
    OpFact{"Cast", Elementwise, cast, 1, 1},
    OpFact{"CastLike", Elementwise, cast, 2, 1},
    OpFact{"Ceil", Elementwise, same, 1, 1},
    OpFact{"Celu", Elementwise, same, 1, 5},
    OpFact{"Clip", Elementwise, sameFirst, 1, 2},
    OpFact{"Cos", Elementwise, same, 1, 1},
    OpFact{"Cosh", Elementwise, same, 1, 1},
    OpFact{"DequantizeLinear", Elementwise, dequantize, 2, 2},
    OpFact{"Div", Elementwise, elementwise, 2, 1},
    OpFact{"Dropout", Elementwise, dropout, 1, 0},
    OpFact{"pim::Unpacked", Elementwise, unpacked, 2, 2}, // of blocks of 2, 4 or 8 bits
    OpFact{"DynamicQuantizeLinear", Elementwise, dynamicQuantize, 1, 4},
    OpFact{"Elu", Elementwise, same, 1, 4},
    OpFact{"Equal", Elementwise, compare, 2, 1},
    OpFact{"Erf", Elementwise, same, 1, 1},
    OpFact{"Exp", Elementwise, same, 1, 1},
    OpFact{"Floor", Elementwise, same, 1, 1},
    OpFact{"Gelu", Elementwise, same, 1, 5},
    OpFact{"Greater", Elementwise, compare, 2, 1},
    OpFact{"GreaterOrEqual", Elementwise, compare, 2, 1},
    OpFact{"HardSigmoid", Elementwise, same, 1, 4},
    OpFact{"HardSwish", Elementwise, same, 1, 5},
    OpFact{"Identity", Movement, same, 1, 0},
    OpFact{"IsInf", Elementwise, sameBool, 1, 1},
    OpFact{"IsNaN", Elementwise, sameBool, 1, 1},
    OpFact{"LeakyRelu", Elementwise, same, 1, 2},
    OpFact{"Less", Elementwise, compare, 2, 1},
    OpFact{"LessOrEqual", Elementwise, compare, 2, 1},
    OpFact{"Log", Elementwise, same, 1, 1},
    OpFact{"Max", Elementwise, elementwise, 1, 1},
    OpFact{"Mean", Elementwise, elementwise, 1, 1},
    OpFact{"Min", Elementwise, elementwise, 1, 1},
    OpFact{"Mish", Elementwise, same, 1, 5},
    OpFact{"Mod", Elementwise, elementwise, 2, 1},
    OpFact{"Mul", Elementwise, elementwise, 2, 1},
    OpFact{"Neg", Elementwise, same, 1, 1},
    OpFact{"Not", Elementwise, sameBool, 1, 1},
    OpFact{"Or", Elementwise, compare, 2, 1},
    OpFact{"PRelu", Elementwise, elementwise, 2, 2},
    OpFact{"Pow", Elementwise, elementwise, 2, 1},
    OpFact{"QuantizeLinear", Elementwise, quantize, 2, 4},
    OpFact{"Reciprocal", Elementwise, same, 1, 1},
    OpFact{"Relu", Elementwise, same, 1, 1},
    OpFact{"Round", Elementwise, same, 1, 1},
    OpFact{"Selu", Elementwise, same, 1, 5},
    OpFact{"Shrink", Elementwise, same, 1, 3},
    OpFact{"Sigmoid", Elementwise, same, 1, 4},
    OpFact{"Sign", Elementwise, same, 1, 2},
    OpFact{"Sin", Elementwise, same, 1, 1},
    OpFact{"Sinh", Elementwise, same, 1, 1},
    OpFact{"Softplus", Elementwise, same, 1, 3},
    OpFact{"Softsign", Elementwise, same, 1, 3},
    OpFact{"Sqrt", Elementwise, same, 1, 1},
    OpFact{"Sub", Elementwise, elementwise, 2, 1},
    OpFact{"Sum", Elementwise, elementwise, 1, 1},
    OpFact{"Tan", Elementwise, same, 1, 1},
    OpFact{"Tanh", Elementwise, same, 1, 1},
    OpFact{"ThresholdedRelu", Elementwise, same, 1, 1},
    OpFact{"Where", Elementwise, where, 3, 1},
    OpFact{"Xor", Elementwise, compare, 2, 1},
    OpFact{"com.microsoft::BiasGelu", Elementwise, sameFirst, 2, 6},
    OpFact{"com.microsoft::FastGelu", Elementwise, sameFirst, 1, 8},
    OpFact{"com.microsoft::Gelu", Elementwise, sameFirst, 1, 5},
    OpFact{"com.microsoft::QuickGelu", Elementwise, sameFirst, 1, 6},
    OpFact{"pim::Gelu", Elementwise, sameFirst, 1, 5},
    OpFact{"pim::Silu", Elementwise, sameFirst, 1, 5},
    // many elements to one; opsPerElement is per input element
    OpFact{"ArgMax", Reduction, argReduce, 1, 1},
    OpFact{"ArgMin", Reduction, argReduce, 1, 1},
    OpFact{"CumSum", Reduction, sameFirst, 2, 1},
    OpFact{"GlobalAveragePool", Reduction, globalPool, 1, 1},
    OpFact{"GlobalLpPool", Reduction, globalPool, 1, 2},
    OpFact{"GlobalMaxPool", Reduction, globalPool, 1, 1},
    OpFact{"ReduceL1", Reduction, reduce, 1, 2},
    OpFact{"ReduceL2", Reduction, reduce, 1, 2},
    OpFact{"ReduceLogSum", Reduction, reduce, 1, 1},
    OpFact{"ReduceLogSumExp", Reduction, reduce, 1, 2},
    OpFact{"ReduceMax", Reduction, reduce, 1, 1},
    OpFact{"ReduceMean", Reduction, reduce, 1, 1},
    OpFact{"ReduceMin", Reduction, reduce, 1, 1},
    OpFact{"ReduceProd", Reduction, reduce, 1, 1},
    OpFact{"ReduceSum", Reduction, reduce, 1, 1},
    OpFact{"ReduceSumSquare", Reduction, reduce, 1, 2},
    // layers as look-ups (look_up_tables.cpp), counted in op_work.cpp
    OpFact{"pim::ClosestCentroids", Reduction, closestCentroids, 2, 0},
    OpFact{"pim::LookUp", Reduction, lookUp, 2, 0},
    // softmax: max, subtract, exp, sum, divide
    OpFact{"Hardmax", Softmax, same, 1, 2},
    OpFact{"LogSoftmax", Softmax, same, 1, 6},
    OpFact{"Softmax", Softmax, same, 1, 5},
    // normalisation: mean, difference, square, sum, divide, scale, shift
    OpFact{"BatchNormalization", Normalize, batchNorm, 5, 2},
    OpFact{"GroupNormalization", Normalize, sameFirst, 3, 7},
    OpFact{"InstanceNormalization", Normalize, sameFirst, 3, 7},
    OpFact{"LRN", Normalize, same, 1, 8},
    OpFact{"LayerNormalization", Normalize, layerNorm, 2, 7},
    OpFact{"LpNormalization", Normalize, same, 1, 3},
    OpFact{"MeanVarianceNormalization", Normalize, same, 1, 5},
    OpFact{"RMSNormalization", Normalize, sameFirst, 2, 4},
    OpFact{"SimplifiedLayerNormalization", Normalize, sameFirst, 2, 4},
    OpFact{"com.microsoft::SkipLayerNormalization", Normalize, sameFirst, 3, 8},
    OpFact{"com.microsoft::SkipSimplifiedLayerNormalization", Normalize, sameFirst, 3, 5},
    OpFact{"pim::LayerNorm", Normalize, sameFirst, 1, 7},
    OpFact{"pim::RmsNorm", Normalize, sameFirst, 1, 4},
    // pooling; opsPerElement is per window element
    OpFact{"AveragePool", Pool, pool, 1, 1},
    OpFact{"LpPool", Pool, pool, 1, 2},
    OpFact{"MaxPool", Pool, pool, 1, 1},
    // bytes move, nothing is computed
    OpFact{"Compress", Movement, nullptr, 2, 0},
    OpFact{"Concat", Movement, concat, 1, 0},
    OpFact{"Constant", Movement, nullptr, 0, 0},
    OpFact{"ConstantOfShape", Movement, constantOfShape, 1, 0},
    OpFact{"DepthToSpace", Movement, depthToSpace, 1, 0},
    OpFact{"Expand", Movement, expand, 2, 0},
    OpFact{"EyeLike", Movement, likeFirst, 1, 0},
    OpFact{"Flatten", Movement, flatten, 1, 0},
    OpFact{"Gather", Movement, gather, 2, 0},
    OpFact{"GatherElements", Movement, gatherElements, 2, 0},
    OpFact{"GatherND", Movement, gatherNd, 2, 0},
    OpFact{"NonZero", Movement, nonZero, 1, 0},
    OpFact{"OneHot", Movement, oneHot, 3, 0},
    OpFact{"Pad", Movement, pad, 1, 0},
    OpFact{"RandomNormal", Movement, fromShapeAttribute, 0, 0},
    OpFact{"RandomNormalLike", Movement, likeFirst, 1, 0},
    OpFact{"RandomUniform", Movement, fromShapeAttribute, 0, 0},
    OpFact{"RandomUniformLike", Movement, likeFirst, 1, 0},
    OpFact{"Range", Movement, range, 3, 0},
    OpFact{"Reshape", Movement, reshape, 1, 0},
    OpFact{"Resize", Movement, resize, 1, 0},
    OpFact{"ReverseSequence", Movement, sameFirst, 2, 0},
    OpFact{"Scatter", Movement, sameFirst, 3, 0},
    OpFact{"ScatterElements", Movement, sameFirst, 3, 0},
    OpFact{"ScatterND", Movement, sameFirst, 3, 0},
    OpFact{"Shape", Movement, shapeOf, 1, 0},
    OpFact{"Size", Movement, sizeOf, 1, 0},
    OpFact{"Slice", Movement, slice, 1, 0},
    OpFact{"SpaceToDepth", Movement, spaceToDepth, 1, 0},
    OpFact{"Split", Movement, split, 1, 0},
    OpFact{"Squeeze", Movement, squeeze, 1, 0},
    OpFact{"Tile", Movement, tile, 2, 0},
    OpFact{"TopK", Movement, topK, 1, 0},
    OpFact{"Transpose", Movement, transpose, 1, 0},
    OpFact{"Trilu", Movement, sameFirst, 1, 0},
    OpFact{"Unsqueeze", Movement, unsqueeze, 1, 0},
    OpFact{"pim::Unroll", Movement, nullptr, 1, 0},
    OpFact{"Upsample", Movement, resize, 1, 0},
};

} // namespace

const OpFact* findOpFact(std::string_view domain, std::string_view type) {
    static const auto table = [] {
        std::unordered_map<std::string_view, const OpFact*> byKey;
        for (const OpFact& fact : kFacts)
            byKey.emplace(fact.key, &fact);
        return byKey;
    }();
    const auto it =
        domain.empty() ? table.find(type) : table.find(std::string(domain) + "::" + std::string(type));
    return it == table.end() ? nullptr : it->second;
}

} // namespace pim
