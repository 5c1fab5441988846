// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/host/roofline_host.h"

#include "backends/host/roofline.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace pim {
namespace {

/// Operations an element. [AttAcc simulator c600051, xPU model: norm 5, GELU 8, gated units 9, ReLU 1]
constexpr double kNormFlopsPerElement = 5;
constexpr double kActivationFlopsPerElement = 8;

/// No bytes move: the result is the same memory under another shape, or known before the network runs.
bool isView(const std::string& type) {
    static const std::set<std::string_view> kViews{"Reshape",  "Squeeze",        "Unsqueeze", "Flatten",
                                                   "Identity", "Dropout",        "Shape",     "Size",
                                                   "Constant", "ConstantOfShape"};
    return kViews.contains(type);
}

/// Functions a GPU runs as a kernel of its own, priced by the line AttAcc measured for GELU and gated units.
/// ReLU and its kin are priced by traffic alone: DCC's RELU speed-ups over the GPU double with the size (Fig.
/// 7), so its baseline has no constant term.
bool isTranscendental(const std::string& type) {
    static const std::set<std::string_view> kTypes{"Gelu",     "FastGelu", "BiasGelu", "QuickGelu", "Silu",
                                                   "Swish",    "Tanh",     "Sigmoid",  "Erf",       "Mish",
                                                   "Softplus", "Softsign", "Selu",     "Elu",       "Celu"};
    return kTypes.contains(type);
}

/// Quantised ops keep their integers; every float is taken in the type computed in.
bool isFloat(DataType type) {
    return type == DataType::F16 || type == DataType::BF16 || type == DataType::F32 || type == DataType::F64;
}

/// An op with its shapes; answers nullopt where one is not known.
class Shapes {
public:
    Shapes(const Graph& graph, const Op& op, DataType computeType)
        : m_graph(graph), m_op(op), m_type(computeType) {}

    const Shape* input(std::size_t i) const {
        return i < m_op.inputs.size() ? shapeOf(m_op.inputs[i]) : nullptr;
    }
    const Shape* output(std::size_t i = 0) const {
        return i < m_op.outputs.size() ? shapeOf(m_op.outputs[i]) : nullptr;
    }

    DataType typeOf(TensorId id) const {
        const DataType dtype = id.valid() ? m_graph.tensor(id).dtype : DataType::Unknown;
        return isFloat(dtype) || dtype == DataType::Unknown ? m_type : dtype;
    }
    /// A cast between floats changes nothing where all of them are one type.
    bool castsNothing() const {
        return m_op.type == "Cast" && !m_op.inputs.empty() && !m_op.outputs.empty() &&
               typeOf(m_op.inputs[0]) == typeOf(m_op.outputs[0]);
    }

    std::optional<double> elements(TensorId id) const {
        const Shape* const shape = shapeOf(id);
        const auto count =
            shape != nullptr ? elementCount(*shape) : Result<std::int64_t>(tl::unexpected(Error{}));
        return count ? std::optional<double>(static_cast<double>(*count)) : std::nullopt;
    }
    std::optional<double> outputElements() const {
        return m_op.outputs.empty() ? std::nullopt : elements(m_op.outputs[0]);
    }
    std::optional<double> bytes(TensorId id) const {
        const auto count = elements(id);
        if (!count)
            return std::nullopt;
        return static_cast<double>(
            m_graph.tensor(id).bytesAtRest(storedBytes(typeOf(id), static_cast<std::int64_t>(*count))));
    }
    /// Gemm::bBytes of \p count products.
    double bytesIfPacked(TensorId id, double count) const {
        return m_graph.tensor(id).packedBits > 0 && count > 0 ? bytes(id).value_or(0) / count : 0;
    }
    /// Each tensor once, outputs nobody names left out.
    std::optional<double> bytes(const std::vector<TensorId>& ids) const {
        double sum = 0;
        for (const TensorId id : std::set<TensorId>(ids.begin(), ids.end())) {
            if (!id.valid())
                continue;
            const auto one = bytes(id);
            if (!one)
                return std::nullopt;
            sum += *one;
        }
        return sum;
    }
    std::optional<double> read() const { return bytes(m_op.inputs); }
    std::optional<double> written() const { return bytes(m_op.outputs); }

private:
    const Shape* shapeOf(TensorId id) const {
        if (!id.valid())
            return nullptr;
        const auto& shape = m_graph.tensor(id).shape;
        return shape && isStatic(*shape) ? &*shape : nullptr;
    }

    const Graph& m_graph;
    const Op& m_op;
    DataType m_type;
};

double product(Shape::const_iterator begin, Shape::const_iterator end) {
    double result = 1;
    for (; begin != end; ++begin)
        result *= static_cast<double>(*begin);
    return result;
}

double fromEnd(const Shape& shape, std::size_t i) {
    return shape.size() > i ? static_cast<double>(shape[shape.size() - 1 - i]) : 1;
}

HostCost fromGemm(const GemmCost& gemm) {
    HostCost cost;
    cost.known = true;
    cost.ns = gemm.ns;
    cost.computeNs = gemm.computeNs;
    cost.memoryNs = gemm.memoryNs;
    cost.operations = gemm.operations;
    cost.memoryBytes = gemm.memoryBytes;
    cost.operationsPerNs = gemm.operationsPerNs;
    return cost;
}

/// One after the other.
HostCost operator+(const HostCost& a, const HostCost& b) {
    return {a.known && b.known,
            a.ns + b.ns,
            a.computeNs + b.computeNs,
            a.memoryNs + b.memoryNs,
            a.overheadNs + b.overheadNs,
            a.operations + b.operations,
            a.memoryBytes + b.memoryBytes,
            std::max(a.operationsPerNs, b.operationsPerNs)};
}

std::optional<Gemm> matMulShape(const Op& op, const Shapes& shapes) {
    const Shape* const a = shapes.input(0);
    const Shape* const b = shapes.input(1);
    const auto outputs = shapes.outputElements();
    if (a == nullptr || b == nullptr || !outputs || a->empty() || b->empty())
        return std::nullopt;
    Gemm gemm;
    if (op.type == "Gemm") {
        const bool transposed = op.intAttribute("transA", 0) != 0;
        gemm.k = fromEnd(*a, transposed ? 1 : 0);
        gemm.m = fromEnd(*a, transposed ? 0 : 1);
        gemm.n = gemm.m > 0 ? *outputs / gemm.m : 0;
        gemm.bBytes = shapes.bytesIfPacked(op.inputs[1], 1);
        return gemm;
    }
    gemm.k = fromEnd(*a, 0);
    gemm.m = fromEnd(*a, 1); // 1 for a vector
    gemm.n = b->size() > 1 ? fromEnd(*b, 0) : 1;
    if (gemm.m * gemm.n <= 0)
        return gemm;
    gemm.count = *outputs / (gemm.m * gemm.n);
    // Matrices shared by the whole batch make one tall (or wide) product.
    const bool sharedB = b->size() <= 2 || product(b->begin(), b->end() - 2) == 1;
    const bool sharedA = a->size() <= 2 || product(a->begin(), a->end() - 2) == 1;
    if (sharedB)
        gemm.m *= std::exchange(gemm.count, 1);
    else if (sharedA)
        gemm.n *= std::exchange(gemm.count, 1);
    // Weights of fewer dimensions than the batch has are those of all of it.
    if (sharedB || gemm.count == product(b->begin(), b->end() - 2))
        gemm.bBytes = shapes.bytesIfPacked(op.inputs[1], gemm.count);
    gemm.coresShareProduct = gemm.count == 1;
    return gemm;
}

/// The im2col product; the image itself is what memory delivers.
std::optional<Gemm> convShape(const Op& op, const Shapes& shapes) {
    const Shape* const image = shapes.input(0);
    const Shape* const weights = shapes.input(1);
    const Shape* const result = shapes.output();
    if (image == nullptr || weights == nullptr || result == nullptr || image->size() < 3 ||
        weights->size() != image->size() || result->size() != image->size())
        return std::nullopt;
    const auto groups = static_cast<double>(std::max<std::int64_t>(op.intAttribute("group", 1), 1));
    const double window = product(weights->begin() + 2, weights->end());
    const auto imageBytes = shapes.bytes(op.inputs[0]);
    Gemm gemm;
    gemm.count = groups;
    if (op.type == "ConvTranspose") {
        gemm.m = product(image->begin() + 2, image->end()) * static_cast<double>((*image)[0]);
        gemm.n = static_cast<double>((*weights)[1]) * window;
        gemm.k = static_cast<double>((*weights)[0]) / groups;
    } else {
        gemm.m = product(result->begin() + 2, result->end()) * static_cast<double>((*result)[0]);
        gemm.n = static_cast<double>((*weights)[0]) / groups;
        gemm.k = static_cast<double>((*weights)[1]) * window;
    }
    gemm.aBytes = imageBytes.value_or(0) / groups;
    gemm.bBytes = shapes.bytesIfPacked(op.inputs[1], groups);
    return gemm;
}

/// Scores, softmax, context one after the other, a head a core. [AttAcc simulator c600051, xPU model]
std::optional<HostCost> attention(const Op&, const Shapes& shapes, const Host& host, DataType type) {
    const Shape* const query = shapes.input(0);
    const Shape* const value = shapes.input(2);
    if (query == nullptr || value == nullptr || query->size() < 2 || value->size() < 2)
        return std::nullopt;
    const double length = fromEnd(*query, 1);
    const double past = fromEnd(*value, 1);
    const double heads = product(query->begin(), query->end() - 2);
    const Gemm scores{length, past, fromEnd(*query, 0), heads, false};
    const Gemm context{length, fromEnd(*value, 0), past, heads, false};
    return fromGemm(gemmCost(host, scores, type)) + softmaxCost(host, heads * length * past, heads, type) +
           fromGemm(gemmCost(host, context, type));
}

std::optional<HostCost> priced(const Graph& graph, const Op& op, const Host& host, DataType type) {
    const Shapes shapes(graph, op, type);
    const auto work = [&op] { return static_cast<double>(op.work.flops()); };
    const auto stream = [&]() -> std::optional<HostCost> {
        const auto read = shapes.read();
        const auto written = shapes.written();
        if (!read || !written)
            return std::nullopt;
        return streamCost(host, *read + *written, work(), type);
    };
    switch (op.opClass) {
    case OpClass::MatMul:
        if (const auto gemm = matMulShape(op, shapes))
            return fromGemm(gemmCost(host, *gemm, shapes.typeOf(op.inputs[0])));
        return stream();
    case OpClass::Conv:
        if (const auto gemm = convShape(op, shapes))
            return fromGemm(gemmCost(host, *gemm, shapes.typeOf(op.inputs[0])));
        return stream();
    case OpClass::Attention:
        return attention(op, shapes, host, type);
    case OpClass::Softmax: {
        const Shape* const shape = shapes.output();
        const auto elements = shapes.outputElements();
        if (shape == nullptr || !elements || shape->empty())
            return std::nullopt;
        // [.., heads, rows, columns]: a core takes the rows of a head; with two dimensions a row each.
        const double inBlock = fromEnd(*shape, 0) * (shape->size() > 2 ? fromEnd(*shape, 1) : 1);
        return softmaxCost(host, *elements, inBlock > 0 ? *elements / inBlock : 0, type);
    }
    case OpClass::Normalize: {
        const auto elements = shapes.outputElements();
        if (!elements)
            return std::nullopt;
        // Three tensors, as the fit counts them: input, residual or statistics pass, output.
        return normCost(host, 3 * *elements * static_cast<double>(bytesOf(type)),
                        kNormFlopsPerElement * *elements, type);
    }
    case OpClass::Elementwise: {
        if (isView(op.type) || shapes.castsNothing())
            return streamCost(host, 0, 0, type);
        if (!isTranscendental(op.type))
            return stream();
        const auto read = shapes.read();
        const auto elements = shapes.outputElements();
        if (!read || !elements)
            return std::nullopt;
        return activationCost(host, *read + *shapes.written(), kActivationFlopsPerElement * *elements, type);
    }
    case OpClass::Reduction:
        // Distances are of fractions, and sums of table rows have 32 bits however narrow the table is; an addition takes a lane as
        // long as a multiplication with an addition does.
        if (op.domain == "pim" && (op.type == "ClosestCentroids" || op.type == "LookUp")) {
            const auto read = shapes.read();
            const auto written = shapes.written();
            const double operations = work() * (op.type == "LookUp" ? 2 : 1);
            return read && written
                       ? std::optional(streamCost(host, *read + *written, operations, DataType::F32))
                       : std::nullopt;
        }
        return stream();
    case OpClass::Pool:
        return stream();
    case OpClass::Movement: {
        if (isView(op.type))
            return streamCost(host, 0, 0, type);
        const auto read = shapes.read();
        const auto written = shapes.written();
        if (!written)
            return std::nullopt;
        // Gather, Slice and their kin read no more than they write, however large the table is.
        return streamCost(host, *written + std::min(*written, read.value_or(*written)), 0, type);
    }
    case OpClass::Other:
        return std::nullopt;
    }
    return std::nullopt;
}

} // namespace

HostCost RooflineHost::cost(const Graph& graph, OpId op, const Host& host, DataType computeType) const {
    return priced(graph, graph.op(op), host, computeType).value_or(HostCost{});
}

} // namespace pim
