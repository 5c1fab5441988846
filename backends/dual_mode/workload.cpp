// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/workload.h"

#include "core/graph/unsized.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace pim {
namespace {

// Counts beyond this are no network; products of two of them still fit 128 bits.
constexpr double kMaxCount = 1e15;

tl::unexpected<Error> refuse(const Op& op, std::string message, std::string hint = {}) {
    return fail(ErrorCode::Unsupported, std::move(message), op.name, std::move(hint));
}

/// Reads the shapes of one op; the first thing that is wrong is remembered.
class OpReader {
public:
    OpReader(const Graph& graph, const Op& op) : m_graph(graph), m_op(op) {}

    /// Static shape of an operand; empty with an error noted otherwise.
    Shape shape(const std::vector<TensorId>& list, std::size_t at, const char* what) {
        if (at >= list.size() || !list[at].valid()) {
            note(fmt::format("has no {}", what));
            return {};
        }
        const Tensor& tensor = m_graph.tensor(list[at]);
        if (!tensor.shape || !isStatic(*tensor.shape)) {
            note(fmt::format("{} \"{}\" has the shape {}, its sizes must be known", what, tensor.name,
                             tensor.shape ? shapeText(*tensor.shape) : "?"),
                 kUnsizedHint);
            return {};
        }
        return *tensor.shape;
    }
    Shape input(std::size_t at, const char* what) { return shape(m_op.inputs, at, what); }
    Shape output() { return shape(m_op.outputs, 0, "output"); }

    std::int64_t product(const Shape& extents, std::size_t from, std::size_t to) {
        double all = 1;
        for (std::size_t i = from; i < std::min(to, extents.size()); ++i)
            all *= static_cast<double>(extents[i]);
        if (all > kMaxCount) {
            note(fmt::format("has {:.3g} elements in one tensor, at most {:.0g} can be handled", all,
                             kMaxCount));
            return 1;
        }
        return std::accumulate(extents.begin() + static_cast<std::ptrdiff_t>(from),
                               extents.begin() + static_cast<std::ptrdiff_t>(std::min(to, extents.size())),
                               std::int64_t{1}, std::multiplies<>());
    }
    std::int64_t count(const Shape& extents) { return product(extents, 0, extents.size()); }

    void note(std::string message, std::string hint = {}) {
        if (!m_message.empty())
            return;
        m_message = std::move(message);
        m_hint = std::move(hint);
    }
    Result<void> finish() const {
        if (!m_message.empty())
            return refuse(m_op, m_message, m_hint);
        return {};
    }
    bool bad() const { return !m_message.empty(); }

private:
    const Graph& m_graph;
    const Op& m_op;
    std::string m_message, m_hint;
};

/// Which inputs carry data and weights of a product.
struct Operands {
    std::size_t data = 0, weights = 1;
};

Operands operandsOf(const Op& op) {
    return op.type == "QLinearConv" || op.type == "QLinearMatMul" ? Operands{0, 3} : Operands{0, 1};
}

bool isConvolution(const Op& op) {
    return op.domain.empty() && (op.type == "Conv" || op.type == "ConvInteger" || op.type == "QLinearConv" ||
                                 op.type == "ConvTranspose");
}
bool isProduct(const Op& op) {
    return op.domain.empty() && (op.type == "MatMul" || op.type == "MatMulInteger" ||
                                 op.type == "QLinearMatMul" || op.type == "Gemm");
}

class WorkloadBuilder {
public:
    explicit WorkloadBuilder(const Graph& graph)
        : m_graph(graph), m_isUnsized(unsizedOps(graph)), m_constant(graph.tensors.size()),
          m_producers(graph.tensors.size()) {
        for (std::size_t i = 0; i < graph.tensors.size(); ++i)
            m_constant[i] = graph.tensors[i].isConstant();
    }

    Result<DualModeWorkload> run() {
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i)
            PIM_CHECK(add(OpId(static_cast<std::int64_t>(i))));
        return std::move(m_workload);
    }

private:
    bool constant(TensorId id) const { return id.valid() && m_constant[id.index()]; }

    /// Matrix operators the tensors come from, nearest first seen; each once, ascending.
    std::vector<int> producersOf(const std::vector<TensorId>& tensors) const {
        std::vector<int> all;
        for (const TensorId id : tensors)
            if (id.valid())
                all.insert(all.end(), m_producers[id.index()].begin(), m_producers[id.index()].end());
        std::ranges::sort(all);
        all.erase(std::ranges::unique(all).begin(), all.end());
        return all;
    }
    void setProducers(const Op& op, const std::vector<int>& producers) {
        for (const TensorId id : op.outputs)
            if (id.valid())
                m_producers[id.index()] = producers;
    }

    Result<void> add(OpId id) {
        const Op& op = m_graph.op(id);
        const bool ofConstants = !op.inputs.empty() && std::ranges::all_of(op.inputs, [&](TensorId t) {
            return !t.valid() || constant(t);
        });
        if (ofConstants) // computed once, before the network runs
            for (const TensorId out : op.outputs)
                if (out.valid())
                    m_constant[out.index()] = true;
        if (m_isUnsized[id.index()]) {
            m_workload.left.emplace_back(id, std::string("host: ") + kUnsizedReason);
            return {};
        }
        if (isConvolution(op))
            return addConvolution(id, op);
        if (isProduct(op))
            return addProduct(id, op);
        if (op.opClass == OpClass::Attention)
            return addAttention(id, op);
        m_workload.left.emplace_back(id, whereElse(op));
        setProducers(op, producersOf(op.inputs));
        return {};
    }

    static std::string whereElse(const Op& op) {
        if (op.type == "LookUp") // all of a layer's work, nothing that goes on behind products
            return "host: rows of tables are added up at indices known only when it runs; the vector unit "
                   "follows no "
                   "index";
        switch (op.opClass) {
        case OpClass::Elementwise:
        case OpClass::Reduction:
        case OpClass::Softmax:
        case OpClass::Normalize:
        case OpClass::Pool:
        case OpClass::Movement:
            return op.work.known ? "vector unit"
                                 : fmt::format("host: the sizes of {} are not known", op.type);
        default:
            return fmt::format("host: {} is no single matrix product and nothing the vector unit does",
                               op.type);
        }
    }

    void push(OpId id, int part, DualModeOp made, const std::vector<TensorId>& inputs) {
        made.op = id;
        made.part = part;
        made.weightBytes = made.n * made.k * made.g;
        made.predecessors = producersOf(inputs);
        m_workload.ops.push_back(std::move(made));
    }
    Result<void> pushLast(OpId id, const Op& op, DualModeOp made, OpReader& reader) {
        if (!reader.bad() && (made.m < 1 || made.n < 1 || made.k < 1 || made.g < 1))
            reader.note(
                fmt::format("has M={} N={} K={} G={}, an empty product", made.m, made.n, made.k, made.g));
        PIM_CHECK(reader.finish());
        made.name = op.name;
        push(id, 0, std::move(made), op.inputs);
        setProducers(op, {static_cast<int>(m_workload.ops.size()) - 1});
        return {};
    }

    Result<void> addConvolution(OpId id, const Op& op) {
        OpReader reader(m_graph, op);
        const Operands at = operandsOf(op);
        const Shape in = reader.input(at.data, "input"), weights = reader.input(at.weights, "weights"),
                    out = reader.output();
        DualModeOp made;
        made.g = op.intAttribute("group", 1);
        const bool transposed = op.type == "ConvTranspose";
        if (!reader.bad() && (in.size() < 3 || weights.size() != in.size() || out.size() != in.size()))
            reader.note(fmt::format("input {}, weights {} and output {} do not go together", shapeText(in),
                                    shapeText(weights), shapeText(out)));
        if (!reader.bad() && (made.g < 1 || weights[0] % made.g != 0 || in[1] % made.g != 0))
            reader.note(fmt::format("{} groups do not divide {} input channels and weights {}", made.g, in[1],
                                    shapeText(weights)));
        PIM_CHECK(reader.finish());
        const std::int64_t kernel = reader.product(weights, 2, weights.size());
        if (transposed) { // one product an input pixel; the digital unit adds overlapping windows
            made.m = in[0] * reader.product(in, 2, in.size());
            made.n = weights[0] / made.g;
            made.k = weights[1] * kernel;
        } else {
            made.m = out[0] * reader.product(out, 2, out.size());
            made.n = weights[1] * kernel;
            made.k = weights[0] / made.g;
        }
        made.depthwise = made.g > 1;
        made.inBytes = reader.count(in);
        made.outBytes = reader.count(out);
        made.producedWeights = !constant(op.inputs[at.weights]);
        return pushLast(id, op, made, reader);
    }

    /// Extents of the matrices of a product: batch dimensions in front, the last two behind.
    struct MatrixShape {
        std::int64_t batch = 1, rows = 1, columns = 1;
    };
    static MatrixShape matrix(OpReader& reader, const Shape& shape, bool vectorIsRow, bool transposed) {
        MatrixShape made;
        if (shape.size() == 1) {
            (vectorIsRow ? made.columns : made.rows) = shape[0];
        } else if (shape.size() >= 2) {
            made.batch = reader.product(shape, 0, shape.size() - 2);
            made.rows = shape[shape.size() - 2];
            made.columns = shape[shape.size() - 1];
        } else {
            reader.note("multiplies a scalar");
        }
        if (transposed)
            std::swap(made.rows, made.columns);
        return made;
    }

    Result<void> addProduct(OpId id, const Op& op) {
        OpReader reader(m_graph, op);
        const Operands at = operandsOf(op);
        const bool gemm = op.type == "Gemm";
        const Shape sa = reader.input(at.data, "first operand"),
                    sb = reader.input(at.weights, "second operand"), so = reader.output();
        PIM_CHECK(reader.finish());
        const MatrixShape a = matrix(reader, sa, true, gemm && op.intAttribute("transA", 0) != 0);
        const MatrixShape b = matrix(reader, sb, false, gemm && op.intAttribute("transB", 0) != 0);
        if (!reader.bad() && a.columns != b.rows)
            reader.note(fmt::format("cannot multiply {} and {}", shapeText(sa), shapeText(sb)));
        const std::int64_t outElements = reader.count(so);
        if (!reader.bad() && (a.rows < 1 || b.columns < 1 || a.batch < 1 || b.batch < 1 || outElements < 1))
            reader.note(fmt::format("multiplies {} and {}, an empty product", shapeText(sa), shapeText(sb)));
        PIM_CHECK(reader.finish());
        // batch of the output, broadcasting done
        const std::int64_t products = outElements / (a.rows * b.columns);
        // The arrays hold the operand that is constant, else the second: out = A B, or out^T = B^T A^T.
        const bool firstIsWeights = constant(op.inputs[at.data]) && !constant(op.inputs[at.weights]);
        DualModeOp made;
        made.g = firstIsWeights ? a.batch : b.batch;
        if (products < made.g || products % made.g != 0)
            return refuse(op, fmt::format("{} and {} give {}: the batch of the weights is no part of it",
                                          shapeText(sa), shapeText(sb), shapeText(so)));
        made.n = a.columns;
        made.k = firstIsWeights ? a.rows : b.columns;
        made.m = products / made.g * (firstIsWeights ? b.columns : a.rows);
        made.inBytes = reader.count(firstIsWeights ? sb : sa);
        made.outBytes = outElements;
        made.producedWeights = !constant(op.inputs[firstIsWeights ? at.data : at.weights]);
        return pushLast(id, op, made, reader);
    }

    /// Attention as core/graph recognises it: q [.., queries, head], k [.., keys, head] or transposed, v [..,
    /// keys, v].
    Result<void> addAttention(OpId id, const Op& op) {
        OpReader reader(m_graph, op);
        const Shape q = reader.input(0, "queries"), k = reader.input(1, "keys"),
                    v = reader.input(2, "values"), out = reader.output();
        PIM_CHECK(reader.finish());
        if (q.size() < 2 || k.size() < 2 || v.size() < 2)
            return refuse(op, fmt::format("queries {}, keys {} and values {} do not go together",
                                          shapeText(q), shapeText(k), shapeText(v)));
        const std::int64_t head = q.back(), width = v.back();
        const std::int64_t queries = q[q.size() - 2];
        const std::int64_t keys = v[v.size() - 2];
        const std::int64_t heads = reader.product(q, 0, q.size() - 2);
        const auto part = [&](const Shape& weights, std::int64_t n, std::int64_t columns) {
            DualModeOp made;
            made.producedWeights = true;
            made.n = n;
            made.k = columns;
            // Heads that share keys and values (grouped queries) are more rows of one product.
            const std::int64_t elements = n * columns;
            made.g = elements > 0 ? reader.count(weights) / elements : 0;
            if (!reader.bad() && (made.g < 1 || heads < made.g || heads % made.g != 0 || queries < 1))
                reader.note(fmt::format("{} heads of queries do not divide among weights of {}", heads,
                                        shapeText(weights)));
            if (!reader.bad())
                made.m = heads / made.g * queries;
            return made;
        };
        DualModeOp scores = part(k, head, keys);
        DualModeOp context = part(v, keys, width);
        PIM_CHECK(reader.finish());
        scores.name = op.name + ".scores";
        scores.inBytes = reader.count(q);
        scores.outBytes = scores.m * scores.k * scores.g;
        context.name = op.name + ".context";
        context.inBytes = scores.outBytes;
        context.outBytes = reader.count(out);
        PIM_CHECK(reader.finish());
        push(id, 0, std::move(scores), {op.inputs[0], op.inputs[1]});
        const int first = static_cast<int>(m_workload.ops.size()) - 1;
        if (op.inputs.size() > 3 && op.inputs[3].valid()) { // the mask is applied between both
            context.predecessors = producersOf({op.inputs[2], op.inputs[3]});
        } else {
            context.predecessors = producersOf({op.inputs[2]});
        }
        context.predecessors.push_back(first);
        context.op = id;
        context.part = 1;
        context.weightBytes = context.n * context.k * context.g;
        m_workload.ops.push_back(std::move(context));
        setProducers(op, {first + 1});
        return {};
    }

    const Graph& m_graph;
    const std::vector<bool> m_isUnsized; ///< [op]
    std::vector<bool> m_constant;
    std::vector<std::vector<int>> m_producers; ///< Of each tensor.
    DualModeWorkload m_workload;
};

} // namespace

Result<DualModeWorkload> dualModeWorkload(const Graph& graph) {
    return WorkloadBuilder(graph).run();
}

} // namespace pim
