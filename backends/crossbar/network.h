// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A network as crossbar cores see it: layers that work on pixels. Whatever a tensor was in the model, here it is a map of
/// height x width pixels of C channels, stored pixel by pixel (row-major, the channels of a pixel side by side: NHWC).
/// Tokens of a sequence are pixels, a vector is one pixel. One sample; the batch is the pipeline's business.
/// Flow: Graph -> [CrossbarNetwork] -> partition -> mapping -> schedule.
#include "backends/crossbar/chip.h"
#include "backends/crossbar/ids.h"
#include "core/graph/graph.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace pim {

/// Extents of a map; element (y, x, c) lies at (y * width + x) * channels + c.
struct PixelMap {
    int height = 1, width = 1, channels = 0;
    std::int64_t pixels() const { return std::int64_t(height) * width; }
    std::int64_t elements() const { return pixels() * channels; }
    friend bool operator==(const PixelMap&, const PixelMap&) = default;
};

/// How the elements of a tensor lie in the map that holds them: element i (row-major) is element at(i) of the
/// map.
struct ElementOrder {
    enum class Order : std::uint8_t {
        Linear,  ///< i: tokens, vectors, NHWC.
        Planar,  ///< Channels outermost: NCHW.
        Explicit ///< As \ref from says; -1 is zero.
    };
    Order order = Order::Linear;
    std::shared_ptr<const std::vector<std::int32_t>> from;

    std::int32_t at(std::int64_t i, const PixelMap& map) const {
        if (order == Order::Explicit)
            return (*from)[std::size_t(i)];
        if (order == Order::Linear)
            return std::int32_t(i);
        return std::int32_t(i % map.pixels() * map.channels + i / map.pixels());
    }
};

/// Which map holds a tensor, and how.
struct HeldTensor : ElementOrder {
    LayerId layer; ///< Invalid: nobody holds it.
};

/// A window that slides over a map. Output pixel (y, x) reads input rows y * strideY - padTop + ky * dilationY.
/// Of a transposed convolution those are rows of the input spread out: input row i lies at i * spreadY, all else is zero.
struct PixelWindow {
    int kernelY = 1, kernelX = 1;
    int strideY = 1, strideX = 1;
    int padTop = 0, padLeft = 0, padBottom = 0, padRight = 0;
    int dilationY = 1, dilationX = 1;
    int spreadY = 1, spreadX = 1; ///< Transposed convolutions: their strides; strideY and strideX are 1 then.
    int kernel() const { return kernelY * kernelX; }
    /// Output pixels (y, x) with the same y mod spreadY and x mod spreadX meet the same places of the kernel: they are a phase.
    int phases() const { return spreadY * spreadX; }
    int phaseOf(int y, int x) const { return y % spreadY * spreadX + x % spreadX; }
    friend bool operator==(const PixelWindow&, const PixelWindow&) = default;
};

/// How the elements of a weight tensor lie in the file.
enum class WeightOrder : std::uint8_t {
    /// Conv: [out][in of a group][ky][kx]. A Gemm that reads a flattened map is one with the map as its
    /// kernel.
    OutInKernel,
    InKernelOut, ///< [in][ky][kx][out]: Gemm without transB, MatMul.
    /// ConvTranspose: [in][out of a group][ky][kx], and the kernel is turned round by half a turn.
    InOutTurned,
};

/// Convolution of any kind, Gemm, MatMul with constant weights: for output pixel p and group g
/// out[p][g * O + o] = activation(scale * sum over (ky, kx, i) of in[...][g * I + i] * W[g * O + o][i][ky][kx] + bias).
/// A transposed convolution is one over its input spread out, with the kernel turned round.
struct MatrixWork {
    PixelWindow window;
    int groups = 1;
    int inChannels = 0, outChannels = 0; ///< In all; of a group: divided by groups.
    TensorId weights;
    WeightOrder order = WeightOrder::OutInKernel;
    TensorId bias;        ///< Per output channel, or invalid.
    double scale = 1;     ///< Gemm's alpha.
    double biasScale = 1; ///< Gemm's beta.
    int inOfGroup() const { return inChannels / groups; }
    int outOfGroup() const { return outChannels / groups; }
};

enum class PoolKind : std::uint8_t { Max, Average };
/// Pooling, global pooling, means over all pixels.
struct WindowWork {
    PixelWindow window;
    PoolKind kind = PoolKind::Max;
    bool countPadding = false; ///< Average: padded places count in the divisor.
};

/// Which elements of a second operand meet element (pixel, channel) of the first.
enum class Broadcast : std::uint8_t {
    None,     ///< The same.
    Pixels,   ///< One pixel for all: (0, channel).
    Channels, ///< One channel for all: (pixel, 0).
    Scalar    ///< A single value.
};
/// out = op(first, second, …), from left to right; one operand for functions of one element.
struct ElementWork {
    VectorOp op = VectorOp::Add;
    /// Slope of LeakyRelu, limits of Clip, slope and offset of HardSigmoid, factor and offset of Scale.
    double alpha = 0, beta = 0;
    TensorId constant;                ///< The second operand is a constant of the graph.
    bool constantFirst = false;       ///< constant op x.
    std::vector<Broadcast> broadcast; ///< Of each operand after the first, the constant included.
};

enum class ConcatAxis : std::uint8_t { Channels, Pixels };
struct ConcatWork {
    ConcatAxis axis = ConcatAxis::Channels;
};

enum class NormaliseKind : std::uint8_t {
    ScaleShift, ///< Batch normalisation that could not be folded: per channel (x - mean) / sqrt(variance +
                ///< epsilon) * scale + bias.
    Lrn,        ///< x / (bias + alpha / size * sum of squares over size channels)^beta
    Softmax,    ///< Over the channels of a pixel.
    LayerNorm,  ///< Over the channels of a pixel: (x - mean) / sqrt(variance + epsilon) * scale + bias.
    RmsNorm,    ///< Over the channels of a pixel: x / sqrt(mean of squares + epsilon) * scale + bias.
};
/// What the vector unit calls it.
constexpr VectorOp vectorOpOf(NormaliseKind kind) {
    constexpr VectorOp kOps[]{VectorOp::Scale, VectorOp::Lrn, VectorOp::Softmax, VectorOp::LayerNorm,
                              VectorOp::RmsNorm};
    return kOps[std::size_t(kind)];
}
struct NormaliseWork {
    NormaliseKind kind = NormaliseKind::ScaleShift;
    TensorId scale, bias;    ///< All but Lrn and Softmax; invalid: 1 and 0.
    TensorId mean, variance; ///< ScaleShift.
    double epsilon = 0;
    double alpha = 0, beta = 0, offset = 0; ///< Lrn; offset is ONNX's bias.
    int size = 0;
};

/// Reshape, transpose, slice, pad, channel shuffle: output element i is input element from[i]; -1 is zero.
struct ViewWork {
    std::vector<std::int32_t> from;
    /// What an output row reads.
    struct Rows {
        int begin = 0, end = 0; ///< Rows of the input; none where all is zero.
        int later = 0;          ///< The first one that this or any row after it reads.
    };
    std::vector<Rows> rows; ///< [output row]
};
/// Fills ViewWork::rows.
ViewWork viewOf(std::vector<std::int32_t> from, const PixelMap& in, const PixelMap& out);

/// What no core can do. The host reads the maps of its inputs in global memory where they lie, and writes its
/// result there in the order in which a core reads it first: it walks over all elements anyway, while a core
/// moves them in stretches.
struct HostWork {
    std::string reason;              ///< "both operands of MatMul are computed at run time"
    std::vector<ElementOrder> reads; ///< [input] where the operand's elements are in its map.
    ElementOrder writes;             ///< Where the result's elements go in the map of this layer.
};

struct InputWork {};

using LayerWork = std::variant<InputWork, MatrixWork, WindowWork, ElementWork, ConcatWork, NormaliseWork,
                               ViewWork, HostWork>;

/// Function of one element after a layer's own work, done before the result is stored.
struct FusedActivation {
    VectorOp op = VectorOp::None;
    double alpha = 0, beta = 0; ///< As in ElementWork.
};

struct CrossbarLayer {
    std::string name; ///< Of its first op, or of the graph input.
    LayerWork work;
    std::vector<LayerId> inputs;  ///< Each before this; duplicates allowed.
    std::vector<LayerId> readers; ///< Layers that read this one, ascending, each once.
    PixelMap in;                  ///< Of the first input.
    PixelMap out;
    FusedActivation activation;
    TensorId value;        ///< Tensor of the graph whose elements this layer computes, fused ops included.
    std::vector<OpId> ops; ///< Ops of the graph that are done here, in their order.
    bool isOutput = false; ///< Its map holds an output of the network, or more than one.
    /// Token ids, masks, indices: whole numbers of the graph, held as they are. The host alone has to do with
    /// them.
    bool whole = false;

    template <class Work>
    const Work* as() const {
        return std::get_if<Work>(&work);
    }
    const MatrixWork* matrix() const { return as<MatrixWork>(); }
};

struct CrossbarNetwork {
    std::string name;
    std::shared_ptr<const Graph> graph; ///< Where the constants are.
    std::vector<CrossbarLayer> layers;  ///< Topological order.
    std::vector<LayerId> matrixLayers;  ///< [MatrixId] Those of MatrixWork.
    std::vector<HeldTensor>
        outputs; ///< [graph output] Read where it lies; without a layer: a constant, or of an unsized op.
    /// Ops without a layer, of the host: how large what they take or make is depends on data, or on an operator that is not known.
    std::vector<OpId> unsized;
    Diagnostics problems; ///< Ops that run on the host, with the reason.

    const CrossbarLayer& at(LayerId layer) const { return layers[layer.index()]; }
    /// Windows an array group of a layer takes: pixels of the output; of a transposed convolution those of the largest phase.
    std::int64_t windows(LayerId layer) const;
};

/// Every op of \p graph is in exactly one layer, or unsized. Ops the vector unit of \p chip cannot do become host layers.
/// Errors: Unsupported where the batch is not 1, or where no product is left of which all sizes are known, with the op and the
/// way out.
Result<CrossbarNetwork> crossbarNetwork(std::shared_ptr<const Graph> graph, const CrossbarChip& chip);

/// The pixels of one phase as an ordinary convolution of the input: pixel (y, x) is pixel (y / spreadY, x / spreadX) of it.
/// Its kernel has every stepY-th row and stepX-th column of the whole one, from firstY and firstX on; none at all where kernels
/// are smaller than strides: such pixels are bias alone. The one phase of an ordinary convolution is the convolution itself.
struct PhaseWindow {
    PixelWindow window;
    int firstY = 0, firstX = 0, stepY = 1, stepX = 1;
    int wholeKernelX = 1;
    /// Place of the whole kernel that place \p at of the phase's is, both row by row.
    int place(int at) const {
        return (firstY + at / window.kernelX * stepY) * wholeKernelX + firstX + at % window.kernelX * stepX;
    }
};
PhaseWindow phaseWindow(const PixelWindow& window, int phase);

/// Input pixels (y, x) that output pixel \p pixel of a window layer reads, as row and column ranges [begin, end) with steps of
/// the dilation; padded places are outside the map and left out by the caller. Transposed convolutions: of the input spread out.
struct PixelRange {
    int yBegin = 0, xBegin = 0; ///< May be negative: padding.
};
inline PixelRange windowOrigin(const PixelWindow& window, const PixelMap& out, std::int64_t pixel) {
    return {int(pixel / out.width) * window.strideY - window.padTop,
            int(pixel % out.width) * window.strideX - window.padLeft};
}

} // namespace pim
