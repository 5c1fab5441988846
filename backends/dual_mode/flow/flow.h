// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The meta-operator flow of a dual-mode chip (CMSwitch §4.4, Fig. 13): one `parallel { … }` block a segment
/// with mode switches, writes of weights, transfers, matrix products and everything the digital units do,
/// with real addresses. Flow: Graph + DualModePlan -> emitFlow -> [DualModeFlow] -> simulateFlow (times), executeFlow
/// (numbers), bundle (text).
///
/// How to execute it (a functional simulator needs the flow, the Graph and its weights, nothing else):
/// * All arrays start in compute mode with nothing in them. Blocks run one after the other; inside a
///   block, running the operators in the order they stand gives the right result (in time they overlap:
///   that is what `parallel` says).
/// * An activation is a FlowTensor: bytes of its elements in row-major order, 8-bit where the graph has
///   floating point. Byte x of a tensor is in the memory-mode array that holds it (Hold), else in main
///   memory at address + x. A tensor that views another (Reshape, Flatten, …) has the bytes and places of
///   the viewed one and no place of its own. A buffered tensor is in neither: it passes through the
///   on-chip buffer between operators of one block. Graph inputs are in main memory before the first block;
///   graph outputs have to be there after the last.
/// * A matrix operator of the graph (attention: two of them) is a FlowOp: result[g][m][k] = sum over n of
///   streamed[g][m][n] * weights[g][n][k], exact in int32. How (g, m, n) is an element of the streamed
///   tensor follows from the graph op. Conv: g = group, m = (image, output pixel) row-major, n = (channel
///   in the group, kernel position) row-major, k = output channel in the group, zeros outside the image.
///   Gemm and MatMul: m = rows of all outer dimensions the weights do not have, g = outer dimensions they
///   do have. Attention, part 0: g = (batch, head of the keys), m = (head of the group, query), n =
///   head_dim, k = key; part 1: the same with n = key, k = v_dim.
/// * A FlowPiece is a part of such an operator that fits on the chip, cut in g, n and k, never in m. Its
///   weights are blocks, one an array, see weightBlock(). `copies` copies of the blocks lie in
///   consecutive entries of the array list: entry c * blocks + b is block b of copy c. Copy c streams
///   rows m = c, c + copies, c + 2 copies, ….
/// * What happens to the sums of a piece is said by SumRole. Whole and Last make the output slice
///   complete: bias added, brought to 8 bit, written to the result tensor. First and More go to the
///   operator's accumulator tensor (int32 [g][m][k], four bytes per element).
/// * Vector and Host operators run graph ops that are no matrix product, whole, when their turn comes.
///   Attention has a Vector operator of its own that turns scores (result of part 0) into probabilities
///   (streamed by part 1): scale, mask, softmax.
#include "core/base/ids.h"
#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pim {

struct Graph;
struct DualModePlan;

/// Arrays first to last, both included.
struct ArrayRange {
    int first = 0, last = 0;
    friend bool operator==(const ArrayRange&, const ArrayRange&) = default;
};

/// Array numbers in an order that matters (slots), consecutive ones joined: "0-13,15".
struct ArrayList {
    std::vector<ArrayRange> ranges;

    void add(int array) {
        if (!ranges.empty() && ranges.back().last + 1 == array)
            ranges.back().last = array;
        else
            ranges.push_back({array, array});
    }
    int count() const;
    std::vector<int> numbers() const;
    bool empty() const { return ranges.empty(); }
    friend bool operator==(const ArrayList&, const ArrayList&) = default;
};
ArrayList arrayList(const std::vector<int>& numbers);
std::string arrayListText(const ArrayList& list);

/// Bytes of a tensor: \ref count runs of \ref run bytes, \ref stride apart; "640+40/1280x64"
/// (begin+run/stride x count) or "0+76800" for one run.
struct ByteRuns {
    std::int64_t begin = 0, run = 0, stride = 0, count = 1;

    std::int64_t bytes() const { return run * count; }
    /// Position of \p byte of the tensor among the bytes of the runs; -1 if it is not one of them.
    std::int64_t find(std::int64_t byte) const;
    friend bool operator==(const ByteRuns&, const ByteRuns&) = default;
};

enum class FlowTensorKind : std::uint8_t {
    Activation,    ///< A tensor of the graph.
    View,          ///< A tensor of the graph with the bytes of another, \ref FlowTensor::of.
    Constant,      ///< A constant of the graph that is streamed or read by the digital unit from main memory.
    Scores,        ///< Attention: result of part 0, before scale, mask and softmax.
    Probabilities, ///< Attention: after softmax.
    Accumulator,   ///< int32 partial sums of an operator cut along the reduction.
};

struct FlowTensor {
    std::string name;
    FlowTensorKind kind = FlowTensorKind::Activation;
    TensorId tensor; ///< Of the graph; invalid for Scores, Probabilities and Accumulator.
    int of = -1;     ///< View: the tensor viewed, itself no view.
    std::int64_t bytes = 0;
    /// Main memory. Tensors whose lives do not meet may share addresses. 0 if buffered.
    std::int64_t address = 0;
    /// Written and read inside one block and handed on piece by piece through the on-chip buffer: neither in
    /// main memory nor held.
    bool buffered = false;
    friend bool operator==(const FlowTensor&, const FlowTensor&) = default;
};

/// Geometry of a convolution or pooling, spatial axes outermost first.
struct FlowWindow {
    std::vector<std::int64_t> in, out, kernel, strides, dilations, padBegin;
    friend bool operator==(const FlowWindow&, const FlowWindow&) = default;
};

/// How much of its input an operator has to see first: consumer element x of X, from 0 on, needs lead + x / X
/// * of of `of` elements, at least the share (x + 1) / X and at most all. 0/1 element by element; of/of
/// everything; a convolution k-1 rows and k pixels [CIM-MLC's pipeline model].
struct FlowPace {
    std::int64_t lead = 0, of = 1;
    friend bool operator==(const FlowPace&, const FlowPace&) = default;
};

/// A matrix operator; see the file comment for the meaning of g, m, n, k.
struct FlowOp {
    std::string name;
    OpId op;      ///< Of the graph.
    int part = 0; ///< Attention: 0 scores, 1 context.
    std::int64_t m = 0, n = 0, k = 0, g = 1;
    int packed = 1;    ///< Instances whose weights share one array, see weightBlock().
    int streamed = -1; ///< FlowTensor of the rows.
    int weights = -1;  ///< FlowTensor written into the arrays at run time; -1: the constant of the graph op.
    int result = -1;   ///< FlowTensor.
    int accumulator = -1; ///< FlowTensor; -1: never cut along n.
    FlowPace pace;
    FlowWindow window; ///< Conv only, else empty.
    friend bool operator==(const FlowOp&, const FlowOp&) = default;
};

enum class SumRole : std::uint8_t {
    Whole, ///< The piece has the whole reduction: its sums are complete.
    First, ///< Overwrites the accumulator.
    More,  ///< Added to the accumulator.
    Last,  ///< Added to what the accumulator has: complete.
};

/// Same numbering as DualModePlan::subOps.
struct FlowPiece {
    int op = 0; ///< Position in DualModeFlow::ops.
    std::int64_t gBegin = 0, g = 0, nBegin = 0, n = 0, kBegin = 0, k = 0;
    int blocks = 0; ///< Arrays of one copy.
    SumRole sum = SumRole::Whole;
    friend bool operator==(const FlowPiece&, const FlowPiece&) = default;
};

enum class FlowKind : std::uint8_t {
    SwitchToMemory,  ///< CM.switch(TOM, arrays). What the arrays held is lost.
    SwitchToCompute, ///< CM.switch(TOC, arrays)
    WriteWeights,    ///< CM.write: weight blocks of a piece into arrays in compute mode.
    Multiply,        ///< CM.mvm: streams all rows through the arrays of a piece.
    Hold, ///< MEM.hold: from here on these bytes live in these arrays in memory mode. Entry i of c arrays has
          ///< bytes [i * q, (i + 1) * q) of every run, q = ceil(run / c), so that all of them serve every
          ///< row. What the bytes are is not defined before they are written or loaded. A window (\ref
          ///< FlowOperator::window) holds more bytes than fit: the arrays have the latest of them, main
          ///< memory has all (written through), and readers follow so closely that they find theirs in the
          ///< arrays. Numbers do not depend on it: whoever only computes may leave the data of a window in
          ///< main memory.
    Load, ///< MEM.load: held bytes, main memory -> arrays.
    Store,   ///< MEM.store: held bytes, arrays -> main memory; they stay in the arrays as well.
    Release, ///< MEM.release: the bytes live in main memory again (as stored, or as they were), the arrays
             ///< are free.
    Vector,  ///< VU.run: a graph op on the digital unit.
    Host,    ///< HOST.run: a graph op the chip cannot do.
};

/// An op of the graph that is no matrix product, as a Vector or Host operator runs it.
struct FlowGraphOp {
    OpId op;
    std::string name;               ///< Of the graph op. Host: "name: reason" is \ref note.
    std::string note;               ///< Host: why.
    std::vector<int> reads, writes; ///< FlowTensors, views resolved by the reader.
    std::int64_t work = 0;          ///< Vector: element operations.
    FlowPace pace;                  ///< Vector.
    bool view = false;              ///< Vector: bytes stay where they are, the shape changes; costs nothing.
    friend bool operator==(const FlowGraphOp&, const FlowGraphOp&) = default;
};

/// Fields that a kind does not use keep their default. Large networks have millions of these, nearly all of them of pieces.
struct FlowOperator {
    FlowKind kind = FlowKind::Multiply;
    ArrayList arrays;    ///< Switch, WriteWeights, Multiply, Hold.
    int piece = -1;      ///< WriteWeights, Multiply.
    int copies = 1;      ///< WriteWeights, Multiply.
    int tensor = -1;     ///< Hold, Load, Store, Release: never a view.
    ByteRuns runs;       ///< Hold, Load, Store, Release: the latter three name exactly what was held.
    bool window = false; ///< Hold: the latest bytes only.
    std::shared_ptr<const FlowGraphOp> run; ///< Vector, Host: never null; else null.
    friend bool operator==(const FlowOperator& a, const FlowOperator& b);
};

/// `parallel "name" { … }`: one segment.
struct FlowBlock {
    std::string name;
    std::vector<FlowOperator> operators;
    friend bool operator==(const FlowBlock&, const FlowBlock&) = default;
};

struct DualModeFlow {
    std::string network, chip;
    int arrays = 0, rows = 0, columns = 0;
    std::int64_t arrayBytes = 0;
    std::int64_t mainBytes = 0; ///< Main memory the activations need.
    std::vector<FlowTensor> tensors;
    std::vector<FlowOp> ops;
    std::vector<FlowPiece> pieces;
    std::vector<int> inputs, outputs; ///< FlowTensors.
    std::vector<FlowBlock> blocks;
    friend bool operator==(const DualModeFlow&, const DualModeFlow&) = default;

    /// The tensor that has the bytes: \p tensor or what it views.
    int root(int tensor) const {
        return tensors[static_cast<std::size_t>(tensor)].of >= 0
                   ? tensors[static_cast<std::size_t>(tensor)].of
                   : tensor;
    }
};

/// Weights in one array: instances [gBegin, gBegin + g), rows [nBegin, nBegin + n), columns [kBegin, kBegin +
/// k) of the operator. Instance gBegin + i lies at rows [i * n, …) and columns [i * k, …) of the array:
/// block-diagonal where g > 1.
struct FlowWeightBlock {
    std::int64_t gBegin = 0, g = 1, nBegin = 0, n = 0, kBegin = 0, k = 0;
};
/// Block 0 <= \p block < blocks of a piece. Unpacked: block = (instance * row blocks + row block) * column
/// blocks + column block with blocks of rows x columns of the array. Packed: block has instances [block *
/// packed, …).
FlowWeightBlock weightBlock(const DualModeFlow& flow, const FlowPiece& piece, int block);

/// Are all numbers inside their tables and arrays, is every list as long as it must be? Error::InvalidFile
/// with the block and operator. Reading or executing a flow that passes cannot reach outside. (Modes and
/// order are the simulators' matter.)
Result<void> checkFlow(const DualModeFlow& flow);

/// Canonical text: the same flow always gives the same bytes. parseFlow(flowText(f)) == f for a flow that
/// passes checkFlow. The grammar stands in parse.cpp.
std::string flowText(const DualModeFlow& flow);
/// Error::InvalidFile with line and column, what was found and expected; the flow returned passes checkFlow.
Result<DualModeFlow> parseFlow(std::string_view text, std::string_view fileName = "flow");

/// The flow that carries out \p plan, which was made from \p graph (places are chosen where the plan has
/// none). How many bytes memory arrays hold is left open by the plan: a few shares are tried, and the flow
/// that simulates fastest is kept; under CostRule::Once the first one is. Errors: Unsupported where an activation has no known shape; InvalidModel
/// where plan and graph do not belong together.
Result<DualModeFlow> emitFlow(const Graph& graph, const DualModePlan& plan);
/// With one share: memory arrays hold of a tensor what they bring in the time main memory, mainShare times
/// its bandwidth shared by all pieces of the block, brings the rest.
Result<DualModeFlow> emitFlow(const Graph& graph, const DualModePlan& plan, double mainShare);

/// "block 3 (conv4), operator 2 (CM.write)": for messages.
std::string flowPosition(const DualModeFlow& flow, std::size_t block, std::size_t op);
std::string_view name(FlowKind kind); ///< "CM.switch", "CM.mvm", …

} // namespace pim
