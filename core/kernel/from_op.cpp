// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/from_op.h"

#include "core/kernel/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

// An op becomes kernel text and the text is parsed: one way to build a Kernel, and equal ops have equal text.
// Axes of one element vanish: they cost the search nothing and a GEMV is a GEMM without its m.

namespace pim {
namespace {

using Code = ErrorCode;

/// An axis of a tensor: its extent and the index that reaches it, as kernel text.
struct Axis {
    std::int64_t extent = 1;
    std::string index;
};

/// Collects loops and tensors of one op and turns them into a Kernel.
class Nest {
public:
    Nest(const Graph& graph, const Op& op, DataType computeType)
        : m_graph(graph), m_op(op), m_type(computeType) {}

    /// \returns the index text of the loop variable: "0" where there is but one value.
    std::string loop(const std::string& variable, std::int64_t extent) {
        if (extent == 1)
            return "0";
        m_loops.push_back({variable, extent});
        return variable;
    }

    /// "W[o][k]"
    static std::string reference(const std::string& variable, const std::vector<Axis>& axes) {
        std::string text = variable;
        for (const auto& axis : axes)
            if (axis.extent != 1 || axis.index != "0")
                text += fmt::format("[{}]", axis.index);
        return text.size() == variable.size() ? text + "[0]" : text;
    }

    /// Declares a tensor. \returns its reference as text: "W[o][k]". \param type of elements that nothing is computed with; else they are
    /// taken in the type of the units.
    std::string tensor(const std::string& variable, TensorId source, const std::vector<Axis>& axes,
                       std::optional<DataType> type = {}) {
        Declared declared{variable, source, {}, type.value_or(m_type)};
        for (const auto& axis : axes)
            if (axis.extent != 1 || axis.index != "0")
                declared.shape.push_back(axis.extent);
        if (declared.shape.empty())
            declared.shape.push_back(1);
        m_tensors.push_back(std::move(declared));
        return reference(variable, axes);
    }

    /// \param statement uses the references; the tensor declared last is the output.
    Result<Kernel> finish(std::string_view kernelName, const std::string& statement) const {
        if (m_loops.empty())
            return fail(Code::Unsupported, "a single element has no loop to spread over PIM cores",
                        m_op.name);
        const auto& output = m_tensors.back();
        // Only a result that is assigned once is a parameter; one that is read or added to starts as a local.
        const bool isLocal = statement.find(" += ") != std::string::npos ||
                             statement.find(output.name + "[", output.name.size()) != std::string::npos;
        std::string parameters;
        for (const auto& tensor : m_tensors) {
            if (isLocal && &tensor == &output)
                continue;
            parameters +=
                fmt::format("{}{}[{}]: {}{}{}", parameters.empty() ? "" : ", ", tensor.name,
                            fmt::join(tensor.shape, "]["), isConstant(tensor.source) ? "const " : "",
                            isCache(tensor.source) ? "cache " : "", name(tensor.type));
        }
        std::string text = fmt::format("def {}({}):\n", kernelName, parameters);
        if (isLocal)
            text += fmt::format(" {} = DCC.Tensor.zero([{}], {})\n", output.name,
                                fmt::join(output.shape, ", "), name(m_type));
        std::string indent = " ";
        for (const auto& [variable, extent] : m_loops) {
            text += fmt::format("{}for {} in range({}):\n", indent, variable, extent);
            indent += ' ';
        }
        auto kernel = parseKernel(text + indent + statement + "\n", {}, m_op.name);
        if (!kernel)
            return fail(Code::Unsupported, kernel.error().message, m_op.name, kernel.error().hint);
        for (const auto& tensor : m_tensors)
            for (auto& parsed : kernel->tensors)
                if (parsed.name == tensor.name)
                    parsed.source = tensor.source;
        return kernel;
    }

private:
    struct Declared {
        std::string name;
        TensorId source;
        Shape shape;
        DataType type;
    };

    bool isConstant(TensorId id) const { return id.valid() && m_graph.tensor(id).isConstant(); }

    /// Keys and values of earlier steps: an attention operand that a few movement ops above is an input of
    /// the graph. Where attention is not one op, a product's operand that comes out of a Concat which gives the cache back as an
    /// output of the graph.
    bool isCache(TensorId id) const {
        const bool isAttention = m_op.opClass == OpClass::Attention;
        if ((!isAttention && m_op.opClass != OpClass::MatMul) || !id.valid() || isConstant(id) ||
            (isAttention && id == m_op.inputs.front()))
            return false;
        constexpr int kMaxSteps = 8; // Concat, Reshape, Transpose, Expand, …: a chain, never a whole network
        std::vector<std::pair<TensorId, int>> open{{id, 0}};
        for (bool throughConcat = false; !open.empty();) {
            const auto [at, steps] = open.back();
            open.pop_back();
            const Tensor& tensor = m_graph.tensor(at);
            if (tensor.isInput)
                return throughConcat || (isAttention && steps == 0);
            if (!tensor.producer.valid() || steps == kMaxSteps)
                continue;
            const Op& producer = m_graph.op(tensor.producer);
            if (producer.opClass != OpClass::Movement)
                continue;
            throughConcat = throughConcat || (producer.type == "Concat" && (isAttention || tensor.isOutput));
            const std::size_t count = producer.type == "Concat" ? producer.inputs.size() : 1;
            for (std::size_t i = 0; i < std::min(count, producer.inputs.size()); ++i)
                if (producer.inputs[i].valid())
                    open.emplace_back(producer.inputs[i], steps + 1);
        }
        return false;
    }

    const Graph& m_graph;
    const Op& m_op;
    DataType m_type;
    std::vector<std::pair<std::string, std::int64_t>> m_loops;
    std::vector<Declared> m_tensors;
};

std::int64_t product(const Shape& shape, std::size_t begin, std::size_t end) {
    return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(begin),
                           shape.begin() + static_cast<std::ptrdiff_t>(end), std::int64_t{1},
                           std::multiplies<>());
}

/// Turns one op of a graph into a kernel; a member for each kind of op.
class Lowering {
public:
    Lowering(const Graph& graph, OpId id, const KernelOptions& options)
        : m_graph(graph), m_op(graph.op(id)), m_options(options), m_nest(graph, m_op, options.computeType) {}

    Result<Kernel> run() {
        if (m_op.domain == "pim" && m_op.type == "LookUp")
            return lookUp();
        if (m_op.domain == "pim" && m_op.type == "ClosestCentroids")
            return no("searches the nearest of several centroids, and PIM units only add up and compare");
        switch (m_op.opClass) {
        case OpClass::MatMul:
            break;
        case OpClass::Conv:
            break;
        case OpClass::Attention:
            break;
        case OpClass::Elementwise:
            break;
        case OpClass::Reduction:
            break;
        case OpClass::Softmax:
            return no("needs the sum of a whole row before any result; PIM units run softmax only inside "
                      "attention");
        case OpClass::Normalize:
            return no("needs statistics of a whole row before any result, which is no perfect loop nest");
        case OpClass::Pool:
            return no("slides a window that no tensor dimension follows, so nothing can be split");
        case OpClass::Movement:
            return no("moves bytes and computes nothing");
        case OpClass::Other:
            return no("has no loop nest that PIM units can run");
        }
        PIM_CHECK(checkTensors());
        switch (m_op.opClass) {
        case OpClass::MatMul:
            return matMul();
        case OpClass::Conv:
            return conv();
        case OpClass::Attention:
            return attention();
        case OpClass::Elementwise:
            return elementwise();
        default:
            return reduction();
        }
    }

    Result<Kernel> gather() {
        if (m_op.type != "Gather" || !m_op.domain.empty())
            return no("looks nothing up");
        PIM_CHECK(checkTensors());
        if (!hasInput(1))
            return no("has no indices");
        const DataType indexType = in(1).dtype;
        if (indexType != DataType::I32 && indexType != DataType::I64)
            return no(fmt::format("has indices of {}; i32 or i64 are looked up", name(indexType)));
        const Shape& table = *in(0).shape;
        const auto rank = std::ssize(table);
        const std::int64_t given = m_op.intAttribute("axis", 0);
        if (given < -rank || given >= rank)
            return no(fmt::format("names axis {} of a tensor with {} axes", given, rank));
        const auto axis = static_cast<std::size_t>(given < 0 ? given + rank : given);
        const Shape& indices = *in(1).shape;
        const std::int64_t before = product(table, 0, axis), looked = product(indices, 0, indices.size()),
                           behind = product(table, axis + 1, table.size());
        const Axis b{before, m_nest.loop("b", before)}, l{looked, m_nest.loop("l", looked)},
            d{behind, m_nest.loop("d", behind)};
        const std::string index = m_nest.tensor("I", m_op.inputs[1], {l}, indexType);
        const std::string row = m_nest.tensor("T", m_op.inputs[0], {b, {table[axis], index}, d});
        const std::string result = m_nest.tensor("Y", m_op.outputs.front(), {b, l, d});
        return m_nest.finish("gather", result + " = " + row);
    }

private:
    tl::unexpected<Error> no(std::string_view reason) const {
        return fail(Code::Unsupported, fmt::format("{} {}", m_op.type, reason), m_op.name);
    }

    const Tensor& in(std::size_t i) const { return m_graph.tensor(m_op.inputs[i]); }
    const Tensor& out() const { return m_graph.tensor(m_op.outputs.front()); }
    bool hasInput(std::size_t i) const { return i < m_op.inputs.size() && m_op.inputs[i].valid(); }

    /// Its bias joins the result on its way out.
    Result<Kernel> lookUp() {
        PIM_CHECK(checkShapes());
        const Shape &table = *in(0).shape, &indices = *in(1).shape;
        const std::int64_t rows = product(indices, 0, indices.size() - 1);
        const Axis m{rows, m_nest.loop("m", rows)}, n{table[2], m_nest.loop("n", table[2])},
            c{table[0], m_nest.loop("c", table[0])};
        const std::string row =
            m_nest.tensor("T", m_op.inputs[0], {c, {table[1], Nest::reference("I", {m, c})}, n});
        m_nest.tensor("I", m_op.inputs[1], {m, c}, in(1).dtype);
        const std::string result = m_nest.tensor("Y", m_op.outputs.front(), {m, n});
        return m_nest.finish("look_up", result + " += " + row);
    }

    Result<void> checkTensors() const {
        PIM_CHECK(checkShapes());
        for (const auto id : {m_op.inputs.front(), m_op.outputs.front()}) {
            const auto type = m_graph.tensor(id).dtype;
            if (type != DataType::F32 && type != DataType::F16 && type != DataType::BF16 &&
                type != DataType::F64 && type != DataType::Unknown)
                return no(fmt::format("works on {} ({}); PIM units compute in {}", name(type),
                                      m_graph.tensor(id).name, name(m_options.computeType)));
        }
        return {};
    }

    Result<void> checkShapes() const {
        if (m_op.outputs.empty() || !m_op.outputs.front().valid() || !hasInput(0))
            return no("has no input or no output");
        const auto check = [&](TensorId id) -> Result<void> {
            const Tensor& tensor = m_graph.tensor(id);
            if (!tensor.shape || !isStatic(*tensor.shape))
                return no(fmt::format("has a tensor of unknown shape ({})", tensor.name));
            if (std::find(tensor.shape->begin(), tensor.shape->end(), 0) != tensor.shape->end())
                return no(fmt::format("has an empty tensor ({} {})", tensor.name, shapeText(*tensor.shape)));
            PIM_CHECK(elementCount(*tensor.shape));
            return {};
        };
        for (const auto id : m_op.inputs)
            if (id.valid())
                PIM_CHECK(check(id));
        return check(m_op.outputs.front());
    }

    // --- products
    // ------------------------------------------------------------------------------------------------

    Result<Kernel> matMul() {
        if (!hasInput(1))
            return no("has only one operand");
        Shape a = *in(0).shape, b = *in(1).shape;
        if (m_op.type != "MatMul" && m_op.type != "Gemm")
            return no("is a product of quantised or unusual operands that PIM units do not take");
        const bool transA = m_op.type == "Gemm" && m_op.intAttribute("transA", 0) != 0;
        const bool transB = m_op.type == "Gemm" && m_op.intAttribute("transB", 0) != 0;
        if (a.empty() || b.empty())
            return no("has a scalar operand");
        if (a.size() == 1)
            a.insert(a.begin(), 1);
        if (b.size() == 1)
            b.push_back(1);
        // The bias of a Gemm joins the result on its way out: it adds no loop and no tile.
        std::int64_t m = a[a.size() - (transA ? 1 : 2)];
        const std::int64_t k = a[a.size() - (transA ? 2 : 1)], n = b[b.size() - (transB ? 2 : 1)];
        if (k != b[b.size() - (transB ? 1 : 2)])
            return no(fmt::format("has operands {} and {} that do not fit", shapeText(a), shapeText(b)));

        auto batch = broadcastAxes({Shape(a.begin(), a.end() - 2), Shape(b.begin(), b.end() - 2)});
        if (!batch)
            return tl::unexpected(std::move(batch).error());
        // Rows of a that all meet the same b are further rows of the same product.
        if (!transA && !batch->empty() && batch->back().present[0] && !batch->back().present[1]) {
            m *= batch->back().extent;
            batch->pop_back();
        }
        std::vector<Axis> axesA, axesB, axesOut;
        for (std::size_t i = 0; i < batch->size(); ++i) {
            const auto& axis = (*batch)[i];
            const Axis index{axis.extent,
                             m_nest.loop(batch->size() == 1 ? "b" : fmt::format("b{}", i), axis.extent)};
            axesOut.push_back(index);
            if (axis.present[0])
                axesA.push_back(index);
            if (axis.present[1])
                axesB.push_back(index);
        }
        const Axis row{m, m_nest.loop("m", m)}, column{n, m_nest.loop("n", n)}, inner{k, m_nest.loop("k", k)};
        axesA.insert(axesA.end(), {transA ? inner : row, transA ? row : inner});
        axesB.insert(axesB.end(), {transB ? column : inner, transB ? inner : column});
        axesOut.insert(axesOut.end(), {row, column});
        const auto x = m_nest.tensor("X", m_op.inputs[0], axesA);
        const auto w = m_nest.tensor("W", m_op.inputs[1], axesB);
        const auto y = m_nest.tensor("Y", m_op.outputs[0], axesOut);
        return m_nest.finish("matmul", fmt::format("{} += {} * {}", y, x, w));
    }

    /// Row-major axes of operands that broadcast against each other, merged where they behave alike.
    struct BroadcastAxis {
        std::int64_t extent = 1;
        std::vector<bool> present; ///< One an operand: it has this axis (else it is repeated along it).
    };
    Result<std::vector<BroadcastAxis>> broadcastAxes(const std::vector<Shape>& shapes) const {
        std::size_t rank = 0;
        for (const auto& shape : shapes)
            rank = std::max(rank, shape.size());
        std::vector<BroadcastAxis> axes;
        for (std::size_t i = 0; i < rank; ++i) {
            BroadcastAxis axis{1, std::vector<bool>(shapes.size(), false)};
            for (std::size_t s = 0; s < shapes.size(); ++s) {
                if (i + shapes[s].size() < rank)
                    continue;
                const auto extent = shapes[s][i + shapes[s].size() - rank];
                if (extent == 1)
                    continue;
                if (axis.extent != 1 && axis.extent != extent)
                    return no(fmt::format("has operands that do not broadcast ({} against {})", axis.extent,
                                          extent));
                axis.extent = extent;
                axis.present[s] = true;
            }
            if (axis.extent == 1)
                continue;
            if (!axes.empty() && axes.back().present == axis.present)
                axes.back().extent *= axis.extent;
            else
                axes.push_back(std::move(axis));
        }
        return axes;
    }

    // --- convolution
    // -----------------------------------------------------------------------------------------------

    Result<Kernel> conv() {
        if (m_op.type != "Conv")
            return no("writes overlapping windows; only Conv has a loop nest here");
        if (!hasInput(1))
            return no("has no weights");
        const Shape x = *in(0).shape, w = *in(1).shape, y = *out().shape;
        const std::size_t spatial = x.size() - 2;
        if (x.size() < 3 || x.size() > 5 || w.size() != x.size() || y.size() != x.size())
            return no(fmt::format("has shapes {} and {}; one to three spatial axes are supported",
                                  shapeText(x), shapeText(w)));
        const auto strides = m_op.intsAttribute("strides", Shape(spatial, 1));
        const auto dilations = m_op.intsAttribute("dilations", Shape(spatial, 1));
        auto pads = m_op.intsAttribute("pads", Shape(2 * spatial, 0));
        const std::int64_t groups = m_op.intAttribute("group", 1);
        if (strides.size() != spatial || dilations.size() != spatial || pads.size() != 2 * spatial ||
            groups < 1 || x[1] % groups != 0 || w[0] % groups != 0 || w[1] != x[1] / groups || y[1] != w[0] ||
            y[0] != x[0])
            return no("has attributes that do not fit its shapes");
        for (std::size_t i = 0; i < spatial; ++i)
            if (strides[i] < 1 || dilations[i] < 1)
                return no("has a stride or dilation below 1");
        if (const auto mode = m_op.stringAttribute("auto_pad", "NOTSET");
            mode == "SAME_UPPER" || mode == "SAME_LOWER")
            for (std::size_t i = 0; i < spatial; ++i) {
                const auto total = std::max<std::int64_t>(
                    0, (y[i + 2] - 1) * strides[i] + (w[i + 2] - 1) * dilations[i] + 1 - x[i + 2]);
                pads[i] = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
            }
        else if (mode == "VALID")
            std::fill(pads.begin(), pads.end(), 0);
        const Convolution conv{x, w, y, groups, strides, dilations, pads};
        return m_options.convAsGemm ? convAsGemm(conv) : convDirect(conv);
    }

    struct Convolution {
        const Shape &x, &w, &y;
        std::int64_t groups = 1;
        const Shape &strides, &dilations, &pads;
        std::int64_t outPerGroup() const { return w[0] / groups; }
    };

    /// Y[n][g][o][h][w] += X[n][g][c][h*s+r*d-p][…] * W[g][o][c][r][s]; channels seen as groups x channels of
    /// a group, which is the same memory.
    Result<Kernel> convDirect(const Convolution& conv) {
        const auto& [x, w, y, groups, strides, dilations, pads] = conv;
        const std::int64_t inPerGroup = w[1], outPerGroup = conv.outPerGroup();
        static constexpr const char* kOut[3] = {"d", "h", "w"};
        static constexpr const char* kWindow[3] = {"q", "r", "s"};
        const std::size_t spatial = x.size() - 2;
        const Axis n{x[0], m_nest.loop("n", x[0])}, g{groups, m_nest.loop("g", groups)};
        const Axis o{outPerGroup, m_nest.loop("o", outPerGroup)};
        std::vector<Axis> axesX{n, g}, axesW{g, o}, axesY{n, g, o};
        for (std::size_t i = 0; i < spatial; ++i)
            axesY.push_back({y[i + 2], m_nest.loop(kOut[3 - spatial + i], y[i + 2])});
        const Axis c{inPerGroup, m_nest.loop("c", inPerGroup)};
        axesX.push_back(c);
        axesW.push_back(c);
        for (std::size_t i = 0; i < spatial; ++i) {
            axesW.push_back({w[i + 2], m_nest.loop(kWindow[3 - spatial + i], w[i + 2])});
            const auto &pixel = axesY[3 + i].index, &tap = axesW.back().index;
            const bool isPoint = pixel == "0" && tap == "0" && pads[i] == 0;
            axesX.push_back({x[i + 2], isPoint ? std::string("0")
                                               : fmt::format("{}*{}+{}*{}-{}", pixel, strides[i], tap,
                                                             dilations[i], pads[i])});
        }
        const auto refX = m_nest.tensor("X", m_op.inputs[0], axesX);
        const auto refW = m_nest.tensor("W", m_op.inputs[1], axesW);
        const auto refY = m_nest.tensor("Y", m_op.outputs[0], axesY);
        return m_nest.finish("conv", fmt::format("{} += {} * {}", refY, refX, refW));
    }

    /// The convolution as a matrix product. The streamed input X has the shape of the im2col matrix: every
    /// element as often as windows cover it, so that its bytes are counted as they cross the bus. A 1x1
    /// window without stride and padding needs no expansion and is taken as the tensor lies in memory.
    Result<Kernel> convAsGemm(const Convolution& conv) {
        const auto& [x, w, y, groups, strides, dilations, pads] = conv;
        const std::int64_t window = product(w, 2, w.size()), pixels = product(y, 2, y.size());
        const bool pointwise =
            window == 1 && product(strides, 0, strides.size()) == 1 &&
            std::all_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad == 0; });
        std::int64_t inner = 0;
        if (__builtin_mul_overflow(w[1], window, &inner))
            return no("is too large");
        const std::int64_t outPerGroup = conv.outPerGroup();
        const Axis n{x[0], m_nest.loop("n", x[0])}, g{groups, m_nest.loop("g", groups)};
        const Axis o{outPerGroup, m_nest.loop("o", outPerGroup)}, p{pixels, m_nest.loop("p", pixels)};
        const Axis k{inner, m_nest.loop("k", inner)};
        const auto refX =
            m_nest.tensor("X", m_op.inputs[0], pointwise ? std::vector{n, g, k, p} : std::vector{n, g, p, k});
        const auto refW = m_nest.tensor("W", m_op.inputs[1], {g, o, k});
        const auto refY = m_nest.tensor("Y", m_op.outputs[0], {n, g, o, p});
        return m_nest.finish("conv_gemm", fmt::format("{} += {} * {}", refY, refX, refW));
    }

    // --- attention
    // --------------------------------------------------------------------------------------------------

    /// Q[…][M][D], K[…][L][D] (or […][D][L]), V[…][L][D] -> O[…][M][D]. Leading axes are batch and heads;
    /// where several query heads share a key head (grouped-query attention), they are further query rows of
    /// it.
    Result<Kernel> attention() {
        if (!hasInput(1) || !hasInput(2))
            return no("lacks keys or values");
        const Shape q = *in(0).shape, k = *in(1).shape, v = *in(2).shape;
        if (q.size() < 2 || k.size() < 2 || v.size() < 2)
            return no("has operands of fewer than two axes");
        const auto heads = [](const Shape& shape) { return product(shape, 0, shape.size() - 2); };
        const std::int64_t headDim = q.back(), keys = v[v.size() - 2], keyHeads = heads(k);
        const bool keysLast =
            k[k.size() - 2] == headDim && k.back() == keys && (headDim != keys || keysAreTransposed());
        if (!keysLast && !(k.back() == headDim && k[k.size() - 2] == keys))
            return no(fmt::format("has keys {} that fit neither queries {} nor values {}", shapeText(k),
                                  shapeText(q), shapeText(v)));
        if (v.back() != headDim)
            return no(
                fmt::format("has values of {} features and queries of {}; the fused nest needs them equal",
                            v.back(), headDim));
        if (heads(v) != keyHeads || keyHeads == 0 || heads(q) % keyHeads != 0)
            return no(fmt::format("has {} query heads over {} key heads and {} value heads", heads(q),
                                  keyHeads, heads(v)));
        // One query may see every key that there is; among several, a mask keeps each from some.
        if (hasInput(3) && q[q.size() - 2] > 1)
            return no(fmt::format("masks keys of {} queries, and the softmax of the nest sees every key",
                                  q[q.size() - 2]));
        const std::int64_t rows = heads(q) / keyHeads * q[q.size() - 2];
        const Axis h{keyHeads, m_nest.loop("h", keyHeads)}, m{rows, m_nest.loop("m", rows)};
        const Axis l{keys, m_nest.loop("l", keys)}, d{headDim, m_nest.loop("d", headDim)};
        const auto refQ = m_nest.tensor("Q", m_op.inputs[0], {h, m, d});
        const auto refK =
            m_nest.tensor("K", m_op.inputs[1], keysLast ? std::vector{h, d, l} : std::vector{h, l, d});
        const auto refV = m_nest.tensor("V", m_op.inputs[2], {h, l, d});
        const auto refO = m_nest.tensor("O", m_op.outputs[0], {h, m, d});
        return m_nest.finish("attention", fmt::format("{} += softmax({} * {}) * {}", refO, refQ, refK, refV));
    }

    bool keysAreTransposed() const { return m_op.intAttribute("k_transposed", 0) != 0; }

    // --- element by element
    // ---------------------------------------------------------------------------------------------

    Result<Kernel> elementwise() {
        if (m_op.outputs.size() != 1)
            return no("has more than one output");
        std::vector<TensorId> operands;
        std::vector<Shape> shapes;
        for (const auto id : m_op.inputs)
            if (id.valid()) {
                operands.push_back(id);
                shapes.push_back(*m_graph.tensor(id).shape);
            }
        shapes.push_back(*out().shape);
        PIM_TRY(const auto axes, broadcastAxes(shapes));
        std::vector<std::vector<Axis>> perTensor(shapes.size());
        for (std::size_t i = 0; i < axes.size(); ++i) {
            const Axis index{axes[i].extent, m_nest.loop(fmt::format("i{}", i), axes[i].extent)};
            if (!axes[i].present.back())
                return no(fmt::format("has operands larger than its result {}", shapeText(*out().shape)));
            for (std::size_t s = 0; s < shapes.size(); ++s)
                if (axes[i].present[s])
                    perTensor[s].push_back(index);
        }
        std::vector<std::string> reads;
        for (std::size_t s = 0; s < operands.size(); ++s) {
            const auto same = std::find(operands.begin(), operands.end(), operands[s]) - operands.begin();
            reads.push_back(same < std::ssize(reads)
                                ? reads[static_cast<std::size_t>(same)]
                                : m_nest.tensor(fmt::format("X{}", s), operands[s], perTensor[s]));
        }
        const auto y = m_nest.tensor("Y", m_op.outputs[0], perTensor.back());
        static const std::map<std::string, char> kInfix{
            {"Add", '+'}, {"Sub", '-'}, {"Mul", '*'}, {"Div", '/'}};
        if (const auto infix = kInfix.find(m_op.type); infix != kInfix.end() && reads.size() == 2)
            return m_nest.finish("elementwise",
                                 fmt::format("{} = {} {} {}", y, reads[0], infix->second, reads[1]));
        return m_nest.finish("elementwise",
                             fmt::format("{} = {}({})", y, lowerType(), fmt::join(reads, ", ")));
    }

    std::string lowerType() const {
        std::string text = m_op.type;
        for (char& c : text)
            c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        return text;
    }

    // --- reductions
    // ---------------------------------------------------------------------------------------------------------

    Result<Kernel> reduction() {
        // A mean is a sum; its one multiplication an output element joins the result on its way out.
        static const std::map<std::string, const char*> kFunctions{
            {"ReduceSum", "add"},     {"ReduceMean", "add"},         {"GlobalAveragePool", "add"},
            {"ReduceMax", "max"},     {"ReduceMin", "min"},          {"ReduceProd", "prod"},
            {"GlobalMaxPool", "max"}, {"ReduceSumSquare", "square"}, {"ReduceL2", "square"},
            {"ReduceL1", "abs"}};
        const auto function = kFunctions.find(m_op.type);
        if (function == kFunctions.end())
            return no("is a reduction that PIM units have no operation for");
        const Shape x = *in(0).shape;
        PIM_TRY(const auto reduced, reducedAxes(x));
        std::vector<Axis> axesX, axesY;
        for (std::size_t i = 0; i < x.size();) {
            std::size_t end = i + 1; // neighbours of the same kind, or of one element, are one axis
            while (end < x.size() && (reduced[end] == reduced[i] || x[end] == 1))
                ++end;
            const auto extent = product(x, i, end);
            const Axis axis{extent, m_nest.loop(fmt::format("{}{}", reduced[i] ? 'k' : 'i', i), extent)};
            axesX.push_back(axis);
            if (!reduced[i])
                axesY.push_back(axis);
            i = end;
        }
        const auto refX = m_nest.tensor("X", m_op.inputs[0], axesX);
        const auto refY = m_nest.tensor("Y", m_op.outputs[0], axesY);
        const std::string_view f = function->second;
        return m_nest.finish("reduce", f == "add"      ? fmt::format("{} += {}", refY, refX)
                                       : f == "square" ? fmt::format("{0} += {1} * {1}", refY, refX)
                                       : f == "abs"    ? fmt::format("{} += abs({})", refY, refX)
                                                       : fmt::format("{0} = {2}({0}, {1})", refY, refX, f));
    }

    Result<std::vector<bool>> reducedAxes(const Shape& x) const {
        const auto rank = std::ssize(x);
        std::vector<bool> reduced(x.size(), false);
        if (m_op.type == "GlobalAveragePool" || m_op.type == "GlobalMaxPool") {
            std::fill(reduced.begin() + std::min<std::ptrdiff_t>(2, rank), reduced.end(), true);
            return reduced;
        }
        std::vector<std::int64_t> axes = m_op.intsAttribute("axes", {});
        if (hasInput(1)) { // from opset 13 / 18 on the axes are an input
            const auto& constant = in(1).constant;
            if (constant) {
                axes.resize(constant->size() / sizeof(std::int64_t));
                if (!axes.empty())
                    std::memcpy(axes.data(), constant->data(), axes.size() * sizeof(std::int64_t));
            } else if (const Shape y = *out().shape; y.size() == x.size()) {
                for (std::size_t i = 0; i < x.size(); ++i)
                    if (y[i] == 1)
                        axes.push_back(static_cast<std::int64_t>(i));
            } else {
                return no("has axes that are not known before it runs");
            }
        }
        if (axes.empty()) {
            if (m_op.intAttribute("noop_with_empty_axes", 0) != 0)
                return no("reduces nothing");
            std::fill(reduced.begin(), reduced.end(), true);
        }
        for (const auto axis : axes) {
            if (axis < -rank || axis >= rank)
                return no(fmt::format("names axis {} of a tensor with {} axes", axis, rank));
            reduced[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)] = true;
        }
        return reduced;
    }

    const Graph& m_graph;
    const Op& m_op;
    const KernelOptions& m_options;
    Nest m_nest;
};

} // namespace

Result<Kernel> kernelFromOp(const Graph& graph, OpId op, const KernelOptions& options) {
    return Lowering(graph, op, options).run();
}

Result<Kernel> gatherKernel(const Graph& graph, OpId op, const KernelOptions& options) {
    return Lowering(graph, op, options).gather();
}

} // namespace pim
