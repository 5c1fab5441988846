// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/graph_rules.h"

#include "core/graph/semantics/values.h"
#include "core/ir/contraction.h"
#include "core/ir/slices.h"
#include "core/numeric/matrix_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace pim::ir {

namespace {

const Shape& shapeOf(const Graph& graph, OpId id, std::size_t input) {
    return *graph.tensor(graph.op(id).inputs[input]).shape;
}

std::int64_t product(std::span<const std::int64_t> extents) {
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

std::vector<std::int64_t> upTo(std::size_t rank) {
    std::vector<std::int64_t> dims(rank);
    std::iota(dims.begin(), dims.end(), 0);
    return dims;
}

/// \p rows times \p row below one another.
ValueId repeatRows(Builder& to, ValueId row, std::int64_t rows) {
    const Type type = to.module().type(row);
    const std::int64_t n = type.count();
    const ValueId empty = to.value("tensor.empty", {}, Type::tensor({rows, n}, *type.element()));
    const auto loop = to.beginFor(rows, 1, {&empty, 1});
    const ValueId all = insertSlice(to, row, loop.carried, {loop.variable, 0}, {1, n});
    return to.endFor(loop, {&all, 1});
}

// ---- element by element ----

/// Without the leading ones.
std::span<const std::int64_t> significant(const Shape& shape) {
    std::span<const std::int64_t> rest(shape);
    while (!rest.empty() && rest.front() == 1)
        rest = rest.subspan(1);
    return rest;
}

bool isStretched(const Shape& shape, const Shape& out) {
    const auto kept = significant(shape);
    return kept.size() <= out.size() && std::ranges::equal(kept, std::span(out).last(kept.size()));
}

/// The one with the shape of the result stands first; only where the order matters, it has to.
bool isTurned(const Graph& graph, OpId id) {
    const Op& op = graph.op(id);
    return op.type != "Sub" && op.type != "Div" &&
           shapeOf(graph, id, 0) != *graph.tensor(op.outputs[0]).shape;
}

/// One operand has the shape of the result, the other has too, is one number, or is repeated along the leading
/// dimensions.
std::string whyNotBinary(const Graph& graph, OpId id) {
    const Op& op = graph.op(id);
    if (op.inputs.size() != 2)
        return "it has not two inputs";
    const Shape& out = *graph.tensor(op.outputs[0]).shape;
    const std::size_t whole = isTurned(graph, id) ? 1 : 0;
    return shapeOf(graph, id, whole) == out && isStretched(shapeOf(graph, id, 1 - whole), out)
               ? ""
               : "its operands are stretched in a way no cinm op has";
}

std::string cinmName(const Op& op) {
    std::string name = "cinm." + op.type;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    return name;
}

ValueId makeBinary(const OpInGraph& in) {
    const Type type = Type::tensor(in.outShape(), in.element());
    const std::size_t first = isTurned(in.graph, in.id) ? 1 : 0;
    const auto right = significant(in.inputShape(1 - first));
    const ValueId whole = in.operands[first], other = in.operands[1 - first];
    const std::string name = cinmName(in.op());
    if (in.inputShape(1 - first) == in.outShape())
        return in.to.value(name, {whole, other}, type);
    if (right.empty()) {
        const ValueId one =
            in.to.value("tensor.extract", {reshape(in.to, other, {})}, Type::scalar(in.element()));
        return in.to.value(name, {whole, one}, type);
    }
    const std::int64_t n = product(right);
    ValueId rows = repeatRows(in.to, reshape(in.to, other, {n}), type.count() / n);
    return in.to.value(name, {whole, reshape(in.to, rows, in.outShape())}, type);
}

std::string always(const Graph&, OpId) {
    return {};
}

ValueId makeRelu(const OpInGraph& in) {
    const ValueId zero = in.to.constant(Type::scalar(in.element()), 0);
    return in.to.value("cinm.max", {in.operands[0], zero}, Type::tensor(in.outShape(), in.element()));
}

/// A bound of Clip: an attribute until opset 11, then a constant; \p fallback where it is left out.
std::optional<double> bound(const Graph& graph, OpId id, std::size_t input, const char* attribute,
                            double fallback) {
    const Op& op = graph.op(id);
    if (input >= op.inputs.size() || !op.inputs[input].valid())
        return op.floatAttribute(attribute, fallback);
    const Tensor& tensor = graph.tensor(op.inputs[input]);
    if (!tensor.constant)
        return std::nullopt;
    return pim::realsOf(*tensor.constant, tensor.dtype).at(0);
}

constexpr double kUnbounded = std::numeric_limits<float>::max();

std::string whyNotClip(const Graph& graph, OpId id) {
    return bound(graph, id, 1, "min", -kUnbounded) && bound(graph, id, 2, "max", kUnbounded)
               ? ""
               : "its bounds are known only when it runs";
}

ValueId makeClip(const OpInGraph& in) {
    const Type type = Type::tensor(in.outShape(), in.element()), scalar = Type::scalar(in.element());
    const double least = *bound(in.graph, in.id, 1, "min", -kUnbounded);
    const double most = *bound(in.graph, in.id, 2, "max", kUnbounded);
    ValueId value = in.operands[0];
    if (least > -kUnbounded)
        value = in.to.value("cinm.max", {value, in.to.constant(scalar, least)}, type);
    if (most < kUnbounded)
        value = in.to.value("cinm.min", {value, in.to.constant(scalar, most)}, type);
    return value;
}

ValueId makeNot(const OpInGraph& in) {
    return in.to.value("cinm.not", {in.operands[0]}, Type::tensor(in.outShape(), in.element()));
}

// ---- products ----

std::string whyNotMatMul(const Graph& graph, OpId id) {
    const Shape &a = shapeOf(graph, id, 0), &b = shapeOf(graph, id, 1);
    if (a.empty() || b.empty())
        return "an operand is a single number";
    const auto batchA = std::span(a).first(a.size() < 2 ? 0 : a.size() - 2);
    const auto batchB = std::span(b).first(b.size() < 2 ? 0 : b.size() - 2);
    if (product(batchB) != 1 && !std::ranges::equal(batchA, batchB))
        return "the batches of its operands differ";
    return {};
}

ValueId makeMatMul(const OpInGraph& in) {
    const Shape &a = in.inputShape(0), &b = in.inputShape(1);
    const std::int64_t k = a.back(), n = b.size() < 2 ? 1 : b.back();
    const std::int64_t batch = product(std::span(b).first(b.size() < 2 ? 0 : b.size() - 2));
    const std::int64_t m = product(a) / k / batch;
    ValueId out;
    if (batch > 1)
        out = contract(in.to, {"bmk", "bkn", "bmn"}, reshape(in.to, in.operands[0], {batch, m, k}),
                       reshape(in.to, in.operands[1], {batch, k, n}));
    else if (b.size() < 2)
        out = contract(in.to, {"mk", "k", "m"}, reshape(in.to, in.operands[0], {m, k}), in.operands[1]);
    else
        out = contract(in.to, {"mk", "kn", "mn"}, reshape(in.to, in.operands[0], {m, k}),
                       reshape(in.to, in.operands[1], {k, n}));
    return reshape(in.to, out, in.outShape());
}

std::string whyNotGemm(const Graph& graph, OpId id) {
    const Op& op = graph.op(id);
    if (op.floatAttribute("alpha", 1) != 1 || op.floatAttribute("beta", 1) != 1)
        return "its factors alpha and beta are not 1";
    if (op.inputs.size() > 2 && op.inputs[2].valid()) {
        const auto bias = significant(shapeOf(graph, id, 2));
        const Shape& out = *graph.tensor(op.outputs[0]).shape;
        if (bias.size() > 2 || !std::ranges::equal(bias, std::span(out).last(bias.size())))
            return "its bias is stretched along the columns";
    }
    return {};
}

/// A bias as the third operand of a gemm of [rows][n].
ValueId biasRows(const OpInGraph& in, std::size_t input, std::int64_t rows, std::int64_t n) {
    const ValueId bias = in.operands[input];
    const std::int64_t count = in.to.module().type(bias).count();
    return count == rows * n ? reshape(in.to, bias, {rows, n})
                             : repeatRows(in.to, reshape(in.to, bias, {n}), rows);
}

ValueId makeGemm(const OpInGraph& in) {
    const Op& op = in.op();
    const auto turned = [&](std::size_t n, const char* attribute) {
        return op.intAttribute(attribute, 0) ? transpose(in.to, in.operands[n], {1, 0}) : in.operands[n];
    };
    std::vector<ValueId> operands{turned(0, "transA"), turned(1, "transB")};
    const Type type = Type::tensor(in.outShape(), in.element());
    if (in.hasInput(2))
        operands.push_back(biasRows(in, 2, type.extents()[0], type.extents()[1]));
    return in.to.result(in.to.create("cinm.gemm", operands, {&type, 1}));
}

std::string whyNotConv(const Graph& graph, OpId id) {
    const auto forms = matrixForms(graph, id);
    if (!forms)
        return forms.error().message;
    if (forms->front().g != 1)
        return fmt::format("its {} groups are products of few channels each", forms->front().g);
    if (shapeOf(graph, id, 0).size() != 4)
        return "it has not two dimensions of space";
    return {};
}

/// The patches under the kernel as rows: [N * OH * OW][KH * KW * C] of an NHWC image (CINM, section 3.2.3).
ValueId im2col(const OpInGraph& in, const MatrixForm& form, ValueId image) {
    Builder& to = in.to;
    const auto& w = form.window;
    const Shape extents = to.module().type(image).extents();
    const std::int64_t images = extents[0], channels = extents[3];
    const std::int64_t rows = images * w.outHeight * w.outWidth;
    if (w.kernelHeight * w.kernelWidth == 1 && w.strideX == 1 && w.strideY == 1 &&
        extents[1] == w.outHeight && extents[2] == w.outWidth)
        return reshape(to, image, {rows, channels});
    const std::int64_t height =
        std::max(extents[1] + w.top, (w.outHeight - 1) * w.strideY + (w.kernelHeight - 1) * w.dilationY + 1);
    const std::int64_t width =
        std::max(extents[2] + w.left, (w.outWidth - 1) * w.strideX + (w.kernelWidth - 1) * w.dilationX + 1);
    if (height != extents[1] || width != extents[2])
        image = insertSlice(to, image,
                            to.constant(Type::tensor({images, height, width, channels}, in.element()), 0),
                            {0, w.top, w.left, 0}, extents);
    const std::int64_t taps = w.kernelHeight * w.kernelWidth;
    ValueId patches = to.value("tensor.empty", {},
                               Type::tensor({images, w.outHeight, w.outWidth, taps, channels}, in.element()));
    for (std::int64_t tap = 0; tap < taps; ++tap) {
        const std::int64_t y = tap / w.kernelWidth * w.dilationY, x = tap % w.kernelWidth * w.dilationX;
        const ValueId part =
            extractSlice(to, image, {0, y, x, 0}, {images, w.outHeight, w.outWidth, channels},
                         {1, w.strideY, w.strideX, 1});
        patches =
            insertSlice(to, part, patches, {0, 0, 0, tap, 0}, {images, w.outHeight, w.outWidth, 1, channels});
    }
    return reshape(to, patches, {rows, taps * channels});
}

ValueId makeConv(const OpInGraph& in) {
    const MatrixForm form = matrixForms(in.graph, in.id)->front();
    const auto& w = form.window;
    const std::int64_t images = in.outShape()[0], rows = images * w.outHeight * w.outWidth;
    const ValueId patches = im2col(in, form, transpose(in.to, in.operands[0], {0, 2, 3, 1}));
    const ValueId kernel = reshape(in.to, transpose(in.to, in.operands[1], {2, 3, 1, 0}),
                                   {w.kernelHeight * w.kernelWidth * w.channels, form.k});
    std::vector<ValueId> operands{patches, kernel};
    if (in.hasInput(2))
        operands.push_back(biasRows(in, 2, rows, form.k));
    const Type type = Type::tensor({rows, form.k}, in.element());
    const ValueId out = in.to.result(in.to.create("cinm.gemm", operands, {&type, 1}));
    return transpose(in.to, reshape(in.to, out, {images, w.outHeight, w.outWidth, form.k}), {0, 3, 1, 2});
}

std::string whyNotEinsum(const Graph& graph, OpId id) {
    const auto what = parseContraction(graph.op(id).stringAttribute("equation", {}));
    return what ? std::string() : what.error().message;
}

ValueId makeEinsum(const OpInGraph& in) {
    return contract(in.to, *parseContraction(in.op().stringAttribute("equation", {})), in.operands[0],
                    in.operands[1]);
}

// ---- folds, scans, movement ----

/// Axes of a reduction, from the attribute or the constant that is the second input; nullopt where it is computed.
std::optional<std::vector<std::int64_t>> reducedAxes(const Graph& graph, OpId id) {
    const Op& op = graph.op(id);
    const std::size_t rank = shapeOf(graph, id, 0).size();
    std::vector<std::int64_t> axes = op.intsAttribute("axes", {});
    if (op.inputs.size() > 1 && op.inputs[1].valid()) {
        const Tensor& tensor = graph.tensor(op.inputs[1]);
        if (!tensor.constant)
            return std::nullopt;
        axes = pim::intsOf(*tensor.constant, tensor.dtype);
    }
    if (axes.empty())
        return upTo(rank);
    for (std::int64_t& axis : axes)
        axis += axis < 0 ? static_cast<std::int64_t>(rank) : 0;
    std::ranges::sort(axes);
    return axes;
}

std::string whyNotReduce(const Graph& graph, OpId id) {
    if (!reducedAxes(graph, id))
        return "which axes it folds is known only when it runs";
    return graph.op(id).intAttribute("noop_with_empty_axes", 0) ? "it may fold nothing" : "";
}

ValueId makeReduce(const OpInGraph& in) {
    const auto axes = *reducedAxes(in.graph, in.id);
    const Shape& from = in.inputShape(0);
    Shape kept;
    std::int64_t folded = 1;
    for (std::size_t d = 0; d < from.size(); ++d)
        if (std::ranges::find(axes, static_cast<std::int64_t>(d)) == axes.end())
            kept.push_back(from[d]);
        else
            folded *= from[d];
    const std::string_view type = in.op().type;
    const char* kind = type == "ReduceMax"    ? "max"
                       : type == "ReduceMin"  ? "min"
                       : type == "ReduceProd" ? "mul"
                                              : "add";
    const Type result = Type::tensor(kept, in.element());
    ValueId out = in.to.value("cinm.reduce", {in.operands[0]}, result,
                              {{"dimensions", ints(axes)}, {"op", text(kind)}});
    if (type == "ReduceMean")
        out = in.to.value("cinm.div",
                          {out, in.to.constant(Type::scalar(in.element()), static_cast<double>(folded))},
                          result);
    return reshape(in.to, out, in.outShape());
}

std::string whyNotScan(const Graph& graph, OpId id) {
    const Op& op = graph.op(id);
    if (op.intAttribute("exclusive", 0) || op.intAttribute("reverse", 0))
        return "cinm scans forward and include the element itself";
    return graph.tensor(op.inputs[1]).constant ? "" : "its axis is known only when it runs";
}

ValueId makeScan(const OpInGraph& in) {
    const Tensor& axis = in.input(1);
    std::int64_t dimension = pim::intsOf(*axis.constant, axis.dtype).at(0);
    dimension += dimension < 0 ? static_cast<std::int64_t>(in.outShape().size()) : 0;
    return in.to.value("cinm.scan", {in.operands[0]}, Type::tensor(in.outShape(), in.element()),
                       {{"dimension", integer(dimension)}, {"op", text("add")}});
}

ValueId makeTranspose(const OpInGraph& in) {
    std::vector<std::int64_t> reversed = upTo(in.outShape().size());
    std::ranges::reverse(reversed);
    return transpose(in.to, in.operands[0], in.op().intsAttribute("perm", reversed));
}

ValueId makeReshape(const OpInGraph& in) {
    return reshape(in.to, in.operands[0], in.outShape());
}

constexpr GraphRule kRules[] = {
    {"Add", 2, whyNotBinary, makeBinary},
    {"Sub", 2, whyNotBinary, makeBinary},
    {"Mul", 2, whyNotBinary, makeBinary},
    {"Div", 2, whyNotBinary, makeBinary},
    {"Min", 2, whyNotBinary, makeBinary},
    {"Max", 2, whyNotBinary, makeBinary},
    {"And", 2, whyNotBinary, makeBinary},
    {"Or", 2, whyNotBinary, makeBinary},
    {"Xor", 2, whyNotBinary, makeBinary},
    {"Not", 1, always, makeNot},
    {"Relu", 1, always, makeRelu},
    {"Clip", 1, whyNotClip, makeClip},
    {"MatMul", 2, whyNotMatMul, makeMatMul},
    {"Gemm", 3, whyNotGemm, makeGemm},
    {"Conv", 3, whyNotConv, makeConv},
    {"Einsum", 2, whyNotEinsum, makeEinsum},
    {"ReduceSum", 1, whyNotReduce, makeReduce},
    {"ReduceMean", 1, whyNotReduce, makeReduce},
    {"ReduceMax", 1, whyNotReduce, makeReduce},
    {"ReduceMin", 1, whyNotReduce, makeReduce},
    {"ReduceProd", 1, whyNotReduce, makeReduce},
    {"CumSum", 1, whyNotScan, makeScan},
    {"Transpose", 1, always, makeTranspose},
    {"Reshape", 1, always, makeReshape},
    {"Flatten", 1, always, makeReshape},
    {"Squeeze", 1, always, makeReshape},
    {"Unsqueeze", 1, always, makeReshape},
    {"Identity", 1, always, makeReshape},
};

} // namespace

Scalar OpInGraph::element() const {
    return *to.module().type(operands[0]).element();
}

const GraphRule* findRule(const Op& op) {
    if (!op.domain.empty() && op.domain != "ai.onnx")
        return nullptr;
    const auto found = std::ranges::find(kRules, op.type, &GraphRule::type);
    return found == std::end(kRules) ? nullptr : &*found;
}

} // namespace pim::ir
