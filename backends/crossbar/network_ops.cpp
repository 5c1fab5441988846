// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/network_ops.h"

#include "core/graph/semantics/transposed_axes.h"
#include "core/graph/semantics/values.h"
#include "core/graph/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace pim {
namespace {

using Order = HeldTensor::Order;

tl::unexpected<Error> cannot(std::string reason) {
    return fail(ErrorCode::Unsupported, std::move(reason));
}

std::optional<double> scalarConstant(const Graph& graph, TensorId id) {
    if (!id.valid() || !graph.tensor(id).isConstant())
        return std::nullopt;
    const auto bytes = readConstant(graph.tensor(id));
    if (!bytes)
        return std::nullopt;
    const auto reals = realsOf(*bytes, graph.tensor(id).dtype);
    return reals.size() == 1 ? std::optional(reals[0]) : std::nullopt;
}

struct NamedUnary {
    std::string_view type;
    VectorOp op;
};
constexpr NamedUnary kUnaryOps[] = {{"Relu", VectorOp::Relu},
                                    {"LeakyRelu", VectorOp::LeakyRelu},
                                    {"Clip", VectorOp::Clip},
                                    {"Sigmoid", VectorOp::Sigmoid},
                                    {"HardSigmoid", VectorOp::HardSigmoid},
                                    {"Tanh", VectorOp::Tanh},
                                    {"Gelu", VectorOp::Gelu},
                                    {"Silu", VectorOp::Silu},
                                    {"HardSwish", VectorOp::HardSwish},
                                    {"Exp", VectorOp::Exp},
                                    {"Sqrt", VectorOp::Sqrt}};
constexpr NamedUnary kBinaryOps[] = {{"Add", VectorOp::Add}, {"Sum", VectorOp::Add}, {"Sub", VectorOp::Sub},
                                     {"Mul", VectorOp::Mul}, {"Div", VectorOp::Div}, {"Max", VectorOp::Max},
                                     {"Min", VectorOp::Min}, {"Pow", VectorOp::Pow}};

template <std::size_t N>
VectorOp find(const NamedUnary (&table)[N], const Op& op) {
    if (op.domain.empty() || op.domain == "pim")
        for (const NamedUnary& entry : table)
            if (entry.type == op.type)
                return entry.op;
    return VectorOp::None;
}

bool can(const CrossbarChip& chip, VectorOp op) {
    return chip.vectorOps.test(std::size_t(op));
}

std::string noFunction(VectorOp op) {
    return fmt::format("the vector unit of this chip has no {}", name(op));
}

/// Parameters of a function of one element; nullopt where they are not constant.
std::optional<FusedActivation> unaryOf(const Graph& graph, const Op& op) {
    FusedActivation made{find(kUnaryOps, op), 0, 0};
    switch (made.op) {
    case VectorOp::None:
        return std::nullopt;
    case VectorOp::LeakyRelu:
        made.alpha = op.floatAttribute("alpha", 0.01);
        break;
    case VectorOp::HardSigmoid:
        made.alpha = op.floatAttribute("alpha", 0.2);
        made.beta = op.floatAttribute("beta", 0.5);
        break;
    case VectorOp::Gelu:
        if (op.stringAttribute("approximate", "none") != "none")
            return std::nullopt;
        break;
    case VectorOp::Clip: {
        made.alpha = op.floatAttribute("min", -std::numeric_limits<double>::infinity());
        made.beta = op.floatAttribute("max", std::numeric_limits<double>::infinity());
        for (std::size_t i = 1; i < std::min<std::size_t>(3, op.inputs.size()); ++i) {
            if (!op.inputs[i].valid())
                continue;
            const auto limit = scalarConstant(graph, op.inputs[i]);
            if (!limit)
                return std::nullopt;
            (i == 1 ? made.alpha : made.beta) = *limit;
        }
        break;
    }
    default:
        break;
    }
    return made;
}

/// Kernel, strides, pads of Conv and pools; pads follow from the output where the op says "same".
Result<PixelWindow> windowOf(const Op& op, std::int64_t kernelY, std::int64_t kernelX, const PixelMap& in,
                             const PixelMap& out) {
    const auto pair = [&](const char* key) { return op.intsAttribute(key, {1, 1}); };
    const auto strides = pair("strides"), dilations = pair("dilations");
    const auto pads = op.intsAttribute("pads", {0, 0, 0, 0});
    if (strides.size() != 2 || dilations.size() != 2 || pads.size() != 4)
        return cannot(fmt::format("{} slides over other than two axes", op.type));
    PixelWindow w;
    w.kernelY = int(kernelY);
    w.kernelX = int(kernelX);
    w.strideY = int(strides[0]);
    w.strideX = int(strides[1]);
    w.dilationY = int(dilations[0]);
    w.dilationX = int(dilations[1]);
    w.padTop = int(pads[0]);
    w.padLeft = int(pads[1]);
    w.padBottom = int(pads[2]);
    w.padRight = int(pads[3]);
    const std::string automatic = op.stringAttribute("auto_pad", "NOTSET");
    if (automatic.starts_with("SAME")) {
        const bool lower = automatic == "SAME_LOWER";
        const auto split = [&](int outs, int stride, int kernel, int dilation, int ins, int& before,
                               int& behind) {
            const int all = std::max(0, (outs - 1) * stride + (kernel - 1) * dilation + 1 - ins);
            before = lower ? (all + 1) / 2 : all / 2;
            behind = all - before;
        };
        split(out.height, w.strideY, w.kernelY, w.dilationY, in.height, w.padTop, w.padBottom);
        split(out.width, w.strideX, w.kernelX, w.dilationX, in.width, w.padLeft, w.padRight);
    } else if (automatic == "VALID") {
        w.padTop = w.padLeft = w.padBottom = w.padRight = 0;
    }
    return w;
}

class OpReader {
public:
    OpReader(const Graph& graph, const Op& op, std::span<const HeldTensor> held,
             std::span<const CrossbarLayer> layers, const CrossbarChip& chip)
        : m_graph(graph), m_op(op), m_held(held), m_layers(layers), m_chip(chip) {}

    Result<OpLayer> read() const {
        const std::string& type = m_op.type;
        if (hasWholeNumbers())
            return cannot(fmt::format("{} takes or gives whole numbers (token ids, masks, indices), and "
                                      "cores hold fractions in fixed point",
                                      type));
        if (m_op.domain.empty()) {
            if (type == "Conv")
                return convolution();
            if (type == "ConvTranspose")
                return transposedConvolution();
            if (type == "Gemm")
                return gemm();
            if (type == "MatMul")
                return product();
            if (type == "MaxPool" || type == "AveragePool" || type == "GlobalMaxPool" ||
                type == "GlobalAveragePool" || type == "ReduceMean")
                return pool();
            if (type == "Concat")
                return concat();
            if (type == "BatchNormalization" || type == "LRN" || type == "Softmax")
                return normalise();
        }
        if (const auto kind = normOfTokens())
            return normaliseTokens(*kind);
        if (const VectorOp unary = find(kUnaryOps, m_op); unary != VectorOp::None)
            return function();
        if (const VectorOp binary = find(kBinaryOps, m_op); binary != VectorOp::None)
            return elements(binary);
        if (m_op.opClass == OpClass::Attention)
            return cannot("keys and values of attention are computed at run time, and writing them into "
                          "crossbars takes longer than the products");
        return cannot(fmt::format("cores have no way to compute {}", type));
    }

private:
    bool hasWholeNumbers() const {
        const auto whole = [&](TensorId id) {
            return id.valid() && !m_graph.tensor(id).isConstant() && isWhole(m_graph.tensor(id).dtype);
        };
        return std::ranges::any_of(m_op.inputs, whole) || std::ranges::any_of(m_op.outputs, whole);
    }
    const Tensor& input(std::size_t i) const { return m_graph.tensor(m_op.inputs[i]); }
    bool has(std::size_t i) const { return i < m_op.inputs.size() && m_op.inputs[i].valid(); }
    bool constant(std::size_t i) const { return has(i) && input(i).isConstant(); }
    const Shape& shape(std::size_t i) const { return *input(i).shape; }
    const Shape& outShape() const { return *m_graph.tensor(m_op.outputs[0]).shape; }
    const HeldTensor& held(std::size_t i) const { return m_held[m_op.inputs[i].index()]; }
    const PixelMap& map(std::size_t i) const { return m_layers[held(i).layer.index()].out; }

    Result<OpLayer> convolution() const {
        PIM_CHECK(checkConvolution());
        MatrixWork work;
        PIM_TRY(work.window, windowOf(m_op, shape(1)[2], shape(1)[3], *mapOf(shape(0)), *mapOf(outShape())));
        return convolution(std::move(work));
    }

    /// The window slides over the input spread out by the strides, one output pixel at a time, with the
    /// kernel turned round.
    Result<OpLayer> transposedConvolution() const {
        PIM_CHECK(checkConvolution());
        const auto axes = transposedAxes(m_op, shape(0), shape(1), outShape());
        if (!axes)
            return cannot("its strides, dilations, pads or output shape do not fit its weights");
        const TransposedAxis &y = (*axes)[0], &x = (*axes)[1];
        const auto behind = [](const TransposedAxis& axis,
                               std::int64_t before) { // what the last window reads past the input
            return int(axis.out - 1 - before + (axis.kernel - 1) * axis.dilation -
                       (axis.in - 1) * axis.stride);
        };
        MatrixWork work;
        work.order = WeightOrder::InOutTurned;
        PixelWindow& w = work.window;
        w.kernelY = int(y.kernel);
        w.kernelX = int(x.kernel);
        w.dilationY = int(y.dilation);
        w.dilationX = int(x.dilation);
        w.spreadY = int(y.stride);
        w.spreadX = int(x.stride);
        w.padTop = int((y.kernel - 1) * y.dilation - y.begin);
        w.padLeft = int((x.kernel - 1) * x.dilation - x.begin);
        w.padBottom = behind(y, w.padTop);
        w.padRight = behind(x, w.padLeft);
        return convolution(std::move(work));
    }

    Result<void> checkConvolution() const {
        if (shape(0).size() != 4)
            return cannot(fmt::format("a convolution of {} spatial axes", shape(0).size() - 2));
        if (!constant(1))
            return cannot("its weights are computed at run time");
        return {};
    }

    Result<OpLayer> convolution(MatrixWork work) const {
        work.groups = int(m_op.intAttribute("group", 1));
        work.inChannels = mapOf(shape(0))->channels;
        work.outChannels = mapOf(outShape())->channels;
        work.weights = m_op.inputs[1];
        if (has(2)) {
            if (!constant(2))
                return cannot("its bias is computed at run time");
            work.bias = m_op.inputs[2];
        }
        return OpLayer{std::move(work), {m_op.inputs[0]}, false, false, false};
    }

    Result<OpLayer> gemm() const {
        if (!constant(1))
            return cannot("both operands of Gemm are computed at run time");
        if (m_op.intAttribute("transA", 0) != 0)
            return cannot("its first operand is transposed");
        const bool transposed = m_op.intAttribute("transB", 0) != 0;
        MatrixWork work;
        work.order = transposed ? WeightOrder::OutInKernel : WeightOrder::InKernelOut;
        work.weights = m_op.inputs[1];
        work.scale = m_op.floatAttribute("alpha", 1);
        work.biasScale = m_op.floatAttribute("beta", 1);
        work.outChannels = int(shape(1)[transposed ? 0 : 1]);
        if (has(2)) {
            const auto count = elementCount(shape(2));
            if (!constant(2) || !count || (*count != work.outChannels))
                return cannot("its third operand is no bias of one number per column");
            work.bias = m_op.inputs[2];
        }
        return vectorTimesMatrix(std::move(work), shape(1)[transposed ? 1 : 0]);
    }

    Result<OpLayer> product() const {
        if (!constant(1))
            return cannot(constant(0) ? "the constant operand of MatMul comes first"
                                      : "both operands of MatMul are computed at run time");
        if (shape(1).size() != 2)
            return cannot(fmt::format("its weights have the shape {}", shapeText(shape(1))));
        MatrixWork work;
        work.order = WeightOrder::InKernelOut;
        work.weights = m_op.inputs[1];
        work.outChannels = int(shape(1)[1]);
        return vectorTimesMatrix(std::move(work), shape(1)[0]);
    }

    /// Pixels times a matrix. A map that was flattened channel by channel is one window as large as the map.
    Result<OpLayer> vectorTimesMatrix(MatrixWork work, std::int64_t rows) const {
        const PixelMap& in = map(0);
        const Shape& s = shape(0);
        const bool flattened = held(0).order == Order::Planar && in.pixels() > 1 && in.channels > 1 &&
                               s.back() == in.elements() && rows == in.elements();
        OpLayer made{MatrixWork{}, {m_op.inputs[0]}, false, false, true};
        if (flattened) {
            work.window.kernelY = in.height;
            work.window.kernelX = in.width;
            work.inChannels = in.channels;
            made.asHeld = made.ownOutput = true;
            made.samePixels = false;
        } else {
            work.inChannels = int(rows);
            if (s.size() == 4) { // tokens with their channels last keep their place, NCHW does not
                if (held(0).order != Order::Linear || in.channels != rows)
                    return cannot("its channels are not the last axis of the map");
                made.asHeld = true;
                made.ownOutput = false;
                return cannot("a product over the last of four axes");
            }
        }
        made.work = std::move(work);
        return made;
    }

    Result<OpLayer> pool() const {
        const bool reduce = m_op.type == "ReduceMean";
        WindowWork work;
        work.kind = m_op.type.ends_with("MaxPool") ? PoolKind::Max : PoolKind::Average;
        const VectorOp needed = work.kind == PoolKind::Max ? VectorOp::Max : VectorOp::Add;
        if (!can(m_chip, needed))
            return cannot(noFunction(needed));
        if (shape(0).size() != 4)
            return cannot(fmt::format("{} of a tensor of {} axes", m_op.type, shape(0).size()));
        if (m_op.outputs.size() > 1 && m_op.outputs[1].valid() && isWanted(m_graph.tensor(m_op.outputs[1])))
            return cannot("the places of the maxima are wanted as well");
        const PixelMap in = *mapOf(shape(0));
        if (reduce && !overPixels())
            return cannot("it reduces other than the two axes of an image");
        if (reduce || m_op.type.starts_with("Global")) {
            work.window.kernelY = in.height;
            work.window.kernelX = in.width;
            if (mapOf(outShape())->channels != in.channels)
                return OpLayer{std::move(work), {m_op.inputs[0]}, false, true, false};
        } else {
            const auto kernel = m_op.intsAttribute("kernel_shape", {1, 1});
            if (kernel.size() != 2)
                return cannot(fmt::format("a pool of {} axes", kernel.size()));
            PIM_TRY(work.window, windowOf(m_op, kernel[0], kernel[1], in, *mapOf(outShape())));
            work.countPadding = m_op.intAttribute("count_include_pad", 0) != 0;
        }
        return OpLayer{std::move(work), {m_op.inputs[0]}, false, false, false};
    }

    bool overPixels() const {
        std::vector<std::int64_t> axes = m_op.intsAttribute("axes", {});
        if (constant(1))
            if (const auto bytes = readConstant(input(1)))
                axes = intsOf(*bytes, input(1).dtype);
        for (std::int64_t& axis : axes)
            axis += axis < 0 ? 4 : 0;
        std::ranges::sort(axes);
        return axes == std::vector<std::int64_t>{2, 3};
    }

    Result<OpLayer> concat() const {
        ConcatWork work;
        OpLayer made{ConcatWork{}, {}, false, false, true};
        for (std::size_t i = 0; i < m_op.inputs.size(); ++i) {
            if (constant(i))
                return cannot("one of its operands is constant");
            made.operands.push_back(m_op.inputs[i]);
        }
        const auto rank = std::int64_t(outShape().size());
        std::int64_t axis = m_op.intAttribute("axis", 1);
        axis += axis < 0 ? rank : 0;
        if (axis == (rank == 4 ? 1 : rank - 1)) {
            work.axis = ConcatAxis::Channels;
        } else if (rank < 4 ? axis == rank - 2 && leading(rank - 2) : axis == 2) {
            work.axis = ConcatAxis::Pixels;
            made.samePixels = false;
        } else {
            return cannot(fmt::format("it joins along axis {}", axis));
        }
        made.work = work;
        return made;
    }
    bool leading(std::int64_t axes) const {
        return std::all_of(outShape().begin(), outShape().begin() + axes,
                           [](std::int64_t extent) { return extent == 1; });
    }

    Result<OpLayer> normalise() const {
        NormaliseWork work;
        OpLayer made{NormaliseWork{}, {m_op.inputs[0]}, false, false, true};
        if (m_op.type == "LRN") {
            work.kind = NormaliseKind::Lrn;
            work.alpha = m_op.floatAttribute("alpha", 1e-4);
            work.beta = m_op.floatAttribute("beta", 0.75);
            work.offset = m_op.floatAttribute("bias", 1);
            work.size = int(m_op.intAttribute("size", 1));
            if (!can(m_chip, VectorOp::Lrn))
                return cannot(noFunction(VectorOp::Lrn));
        } else if (m_op.type == "Softmax") {
            const auto rank = std::int64_t(outShape().size());
            std::int64_t axis = m_op.intAttribute("axis", -1);
            axis += axis < 0 ? rank : 0;
            if (axis != (rank == 4 ? 1 : rank - 1))
                return cannot(fmt::format("softmax along axis {}", axis));
            work.kind = NormaliseKind::Softmax;
            if (!can(m_chip, VectorOp::Softmax))
                return cannot(noFunction(VectorOp::Softmax));
        } else {
            for (std::size_t i = 1; i < 5; ++i)
                if (!constant(i))
                    return cannot("its statistics are computed at run time");
            if (!can(m_chip, VectorOp::Scale))
                return cannot(noFunction(VectorOp::Scale));
            work.scale = m_op.inputs[1];
            work.bias = m_op.inputs[2];
            work.mean = m_op.inputs[3];
            work.variance = m_op.inputs[4];
            work.epsilon = m_op.floatAttribute("epsilon", 1e-5);
        }
        made.work = std::move(work);
        return made;
    }

    /// All spellings of a normalisation over the last axes; one written as single ops is fused by a pass over
    /// the graph.
    std::optional<NormaliseKind> normOfTokens() const {
        const std::string& type = m_op.type;
        if (m_op.domain == "pim" ? type == "LayerNorm" : m_op.domain.empty() && type == "LayerNormalization")
            return NormaliseKind::LayerNorm;
        if (m_op.domain == "pim" ? type == "RmsNorm"
                                 : m_op.domain.empty() &&
                                       (type == "RMSNormalization" || type == "SimplifiedLayerNormalization"))
            return NormaliseKind::RmsNorm;
        return std::nullopt;
    }

    Result<OpLayer> normaliseTokens(NormaliseKind kind) const {
        if (!can(m_chip, vectorOpOf(kind)))
            return cannot(noFunction(vectorOpOf(kind)));
        const auto rank = std::int64_t(shape(0).size());
        std::int64_t first = m_op.intAttribute("axis", -1);
        if (const auto axes = m_op.intsAttribute("axes", {}); !axes.empty())
            first = *std::ranges::min_element(axes);
        first += first < 0 ? rank : 0;
        if (first != rank - 1)
            return cannot(fmt::format("it normalises over axes {} to {}, vector units over the last one",
                                      first, rank - 1));
        // Tokens with their channels last keep their place, NCHW does not.
        const bool channelsLast = held(0).order == Order::Linear && map(0).channels == shape(0).back();
        if (rank == 4 && !channelsLast)
            return cannot("the last of its four axes is not the channels of the map");
        for (std::size_t i = 1; i < m_op.outputs.size(); ++i)
            if (m_op.outputs[i].valid() && isWanted(m_graph.tensor(m_op.outputs[i])))
                return cannot("its statistics are wanted as well");
        NormaliseWork work;
        work.kind = kind;
        work.epsilon = m_op.floatAttribute("epsilon", 1e-5);
        for (const std::size_t i : {std::size_t(1), std::size_t(2)}) {
            if (!has(i))
                continue;
            if (!constant(i) || elementCount(shape(i)) != shape(0).back())
                return cannot("its factors are no constants of one number per channel");
            (i == 1 ? work.scale : work.bias) = m_op.inputs[i];
        }
        return OpLayer{std::move(work), {m_op.inputs[0]}, rank == 4, false, true};
    }

    Result<OpLayer> function() const {
        const auto unary = unaryOf(m_graph, m_op);
        if (!unary)
            return cannot(
                fmt::format("parameters of {} that are not constant, or an approximation", m_op.type));
        if (!can(m_chip, unary->op))
            return cannot(noFunction(unary->op));
        ElementWork work;
        work.op = unary->op;
        work.alpha = unary->alpha;
        work.beta = unary->beta;
        return OpLayer{std::move(work), {m_op.inputs[0]}, held(0).order != Order::Explicit, false, true};
    }

    Result<OpLayer> elements(VectorOp op) const {
        if (!can(m_chip, op))
            return cannot(noFunction(op));
        ElementWork work;
        work.op = op;
        OpLayer made{ElementWork{}, {}, false, false, true};
        std::size_t constantAt = m_op.inputs.size();
        for (std::size_t i = 0; i < m_op.inputs.size(); ++i) {
            if (!constant(i)) {
                made.operands.push_back(m_op.inputs[i]);
                continue;
            }
            if (m_op.inputs.size() != 2)
                return cannot("constants among more than two operands");
            constantAt = i;
        }
        // The first operand has the shape of the result; operators that commute are turned round.
        const bool commutes =
            op == VectorOp::Add || op == VectorOp::Mul || op == VectorOp::Max || op == VectorOp::Min;
        if (commutes && made.operands.size() == 2 && *m_graph.tensor(made.operands[0]).shape != outShape())
            std::swap(made.operands[0], made.operands[1]);
        if (*m_graph.tensor(made.operands[0]).shape != outShape())
            return cannot(fmt::format("its first operand {} is not of the shape of its result {}",
                                      shapeText(*m_graph.tensor(made.operands[0]).shape),
                                      shapeText(outShape())));
        for (std::size_t i = 1; i < made.operands.size(); ++i) {
            const auto kind = broadcastOf(*m_graph.tensor(made.operands[i]).shape);
            if (!kind)
                return cannot(fmt::format("{} meets {} in a way vector units cannot compute",
                                          shapeText(*m_graph.tensor(made.operands[i]).shape),
                                          shapeText(outShape())));
            work.broadcast.push_back(*kind);
        }
        if (constantAt < m_op.inputs.size()) {
            const auto kind = broadcastOf(shape(constantAt));
            if (!kind)
                return cannot(fmt::format("a constant {} meets {} in a way vector units cannot compute",
                                          shapeText(shape(constantAt)), shapeText(outShape())));
            work.broadcast.push_back(*kind);
            work.constant = m_op.inputs[constantAt];
            work.constantFirst = constantAt == 0;
        }
        made.work = std::move(work);
        return made;
    }

    std::optional<Broadcast> broadcastOf(const Shape& operand) const {
        const Shape& out = outShape();
        const auto count = elementCount(operand);
        if (!count || operand.size() > out.size())
            return std::nullopt;
        Shape full(out.size() - operand.size(), 1);
        full.insert(full.end(), operand.begin(), operand.end());
        if (full == out)
            return Broadcast::None;
        if (*count == 1)
            return Broadcast::Scalar;
        const std::size_t channel = out.size() == 4 ? 1 : out.size() - 1;
        bool others = true, pixels = true;
        for (std::size_t i = 0; i < out.size(); ++i) {
            others = others && (i == channel ? full[i] == out[i] : full[i] == 1);
            pixels = pixels && (i == channel ? full[i] == 1 : full[i] == out[i]);
        }
        if (others)
            return Broadcast::Pixels;
        return pixels ? std::optional(Broadcast::Channels) : std::nullopt;
    }

    const Graph& m_graph;
    const Op& m_op;
    std::span<const HeldTensor> m_held;
    std::span<const CrossbarLayer> m_layers;
    const CrossbarChip& m_chip;
};

} // namespace

Result<OpLayer> layerWork(const Graph& graph, const Op& op, std::span<const HeldTensor> held,
                          std::span<const CrossbarLayer> layers, const CrossbarChip& chip) {
    return OpReader(graph, op, held, layers, chip).read();
}

bool fuseBias(const Graph& graph, const Op& op, TensorId source, CrossbarLayer& before) {
    auto* work = std::get_if<MatrixWork>(&before.work);
    if (!work || op.type != "Add" || !op.domain.empty() || op.inputs.size() != 2 || work->bias.valid())
        return false;
    const TensorId other = op.inputs[op.inputs[0] == source ? 1 : 0];
    if (!other.valid() || !graph.tensor(other).isConstant() || !graph.tensor(other).shape)
        return false;
    const Shape& shape = *graph.tensor(other).shape;
    const Shape& out = *graph.tensor(source).shape;
    const std::size_t behind = out.size() == 4 ? 2 : 0; // axes behind the channels
    if (elementCount(shape).value_or(0) != work->outChannels || shape.size() <= behind ||
        shape[shape.size() - 1 - behind] != work->outChannels)
        return false;
    work->bias = other;
    return true;
}

bool fuseActivation(const Graph& graph, const Op& op, const CrossbarChip& chip, CrossbarLayer& before) {
    const auto unary = unaryOf(graph, op);
    if (!unary || !can(chip, unary->op))
        return false;
    const auto* normalise = before.as<NormaliseWork>();
    const bool fits = before.matrix() || before.as<ElementWork>() ||
                      (normalise && normalise->kind == NormaliseKind::ScaleShift);
    // Twice the same function in a layer: an instruction could not say which of the two it is.
    const auto* element = before.as<ElementWork>();
    if (!fits || (element && element->op == unary->op))
        return false;
    before.activation = *unary;
    return true;
}

} // namespace pim
