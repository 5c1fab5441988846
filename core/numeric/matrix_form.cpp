// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/matrix_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pim {

namespace {

class FormBuilder {
public:
    FormBuilder(const Graph& graph, OpId id) : m_graph(graph), m_op(graph.op(id)) { m_form.op = id; }

    Result<std::vector<MatrixForm>> build(bool whole = false) {
        if (whole && m_op.domain.empty() && m_op.type == "ConvInteger")
            return conv();
        if (whole && m_op.domain.empty() && m_op.type == "MatMulInteger")
            return matMul();
        const bool plain = m_op.domain.empty();
        if (plain && m_op.type == "Conv")
            return conv();
        if (plain && m_op.type == "Gemm")
            return gemm();
        if (plain && m_op.type == "MatMul")
            return matMul();
        if (m_op.domain == "pim" && m_op.type == "Attention")
            return attention();
        return std::vector<MatrixForm>();
    }

private:
    using Forms = Result<std::vector<MatrixForm>>;

    tl::unexpected<Error> unsupported(std::string why) const {
        return fail(ErrorCode::Unsupported, std::move(why), fmt::format("{} \"{}\"", m_op.type, m_op.name));
    }
    /// Operand \p i with a static shape, all extents at least 1.
    Result<Shape> shape(std::size_t i) const {
        if (i >= m_op.inputs.size() || !m_op.inputs[i].valid())
            return unsupported(fmt::format("its operand {} is missing", i));
        const Tensor& tensor = m_graph.tensor(m_op.inputs[i]);
        if (!tensor.shape || !isStatic(*tensor.shape))
            return unsupported(fmt::format("the shape of its operand \"{}\" is not known", tensor.name));
        PIM_TRY(const std::int64_t count, elementCount(*tensor.shape));
        if (count < 1)
            return unsupported(fmt::format("its operand \"{}\" of shape {} is empty", tensor.name,
                                           shapeText(*tensor.shape)));
        return *tensor.shape;
    }
    Result<Shape> outShape() const {
        const Tensor& tensor = m_graph.tensor(m_op.outputs[0]);
        if (!tensor.shape || !isStatic(*tensor.shape))
            return unsupported("the shape of its result is not known");
        return *tensor.shape;
    }
    Forms one() { return std::vector<MatrixForm>{std::move(m_form)}; }

    Forms conv();
    Forms gemm();
    Forms matMul();
    Forms attention();

    const Graph& m_graph;
    const Op& m_op;
    MatrixForm m_form;
};

FormBuilder::Forms FormBuilder::conv() {
    PIM_TRY(Shape x, shape(0));
    PIM_TRY(Shape w, shape(1));
    PIM_TRY(Shape y, outShape());
    if (x.size() < 3 || x.size() > 4 || w.size() != x.size() || y.size() != x.size())
        return unsupported(
            fmt::format("it works on {}: one or two spatial dimensions can be computed", shapeText(x)));
    const std::size_t n = x.size() - 2;
    auto strides = m_op.intsAttribute("strides", std::vector<std::int64_t>(n, 1));
    auto dilations = m_op.intsAttribute("dilations", std::vector<std::int64_t>(n, 1));
    auto pads = m_op.intsAttribute("pads", std::vector<std::int64_t>(2 * n, 0));
    const std::string autoPad = m_op.stringAttribute("auto_pad", "NOTSET");
    if (strides.size() != n || dilations.size() != n || pads.size() != 2 * n)
        return unsupported("its strides, dilations or pads do not fit its kernel");
    for (std::size_t i = 0; i < n; ++i) {
        if (autoPad == "VALID")
            pads[i] = 0;
        else if (autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER") {
            const std::int64_t total = std::max<std::int64_t>(
                0, (y[i + 2] - 1) * strides[i] + dilations[i] * (w[i + 2] - 1) + 1 - x[i + 2]);
            pads[i] = autoPad == "SAME_UPPER" ? total / 2 : total - total / 2;
        }
    }
    if (n == 1) { // a line is a picture of one row
        x.insert(x.begin() + 2, 1);
        w.insert(w.begin() + 2, 1);
        y.insert(y.begin() + 2, 1);
        strides.insert(strides.begin(), 1);
        dilations.insert(dilations.begin(), 1);
        pads = {0, pads[0]};
    }
    const std::int64_t groups = m_op.intAttribute("group", 1);
    if (groups < 1 || w[0] % groups != 0 || w[1] * groups != x[1])
        return unsupported(fmt::format("its weight {} in {} groups does not fit its input {}", shapeText(w),
                                       groups, shapeText(x)));
    auto& v = m_form.window;
    v.channels = x[1];
    v.height = x[2];
    v.width = x[3];
    v.groupChannels = w[1];
    v.kernelHeight = w[2];
    v.kernelWidth = w[3];
    v.strideY = strides[0];
    v.strideX = strides[1];
    v.dilationY = dilations[0];
    v.dilationX = dilations[1];
    v.top = pads[0];
    v.left = pads[1];
    v.outHeight = y[2];
    v.outWidth = y[3];
    m_form.input = m_op.inputs[0];
    m_form.weights = m_op.inputs[1];
    m_form.m = x[0] * y[2] * y[3];
    m_form.n = w[1] * w[2] * w[3];
    m_form.k = w[0] / groups;
    m_form.g = groups;
    for (std::int64_t g = 0; g < groups; ++g)
        m_form.weightBase.push_back(g * m_form.k * m_form.n);
    m_form.weightStep = 1;
    m_form.weightColumn = m_form.n;
    return one();
}

FormBuilder::Forms FormBuilder::gemm() {
    PIM_TRY(const Shape a, shape(0));
    PIM_TRY(const Shape b, shape(1));
    if (a.size() != 2 || b.size() != 2)
        return unsupported("its operands are no matrices");
    const bool ta = m_op.intAttribute("transA", 0) != 0, tb = m_op.intAttribute("transB", 0) != 0;
    m_form.input = m_op.inputs[0];
    m_form.weights = m_op.inputs[1];
    m_form.m = a[ta ? 1 : 0];
    m_form.n = a[ta ? 0 : 1];
    m_form.k = b[tb ? 0 : 1];
    if (b[tb ? 1 : 0] != m_form.n)
        return unsupported("its inner extents differ");
    m_form.inputBase = m_form.weightBase = {0};
    m_form.inputRow = ta ? 1 : m_form.n;
    m_form.inputStep = ta ? m_form.m : 1;
    m_form.weightStep = tb ? 1 : m_form.k;
    m_form.weightColumn = tb ? m_form.n : 1;
    return one();
}

FormBuilder::Forms FormBuilder::matMul() {
    PIM_TRY(Shape a, shape(0));
    PIM_TRY(Shape b, shape(1));
    if (a.size() == 1)
        a.insert(a.begin(), 1);
    if (b.size() == 1)
        b.push_back(1);
    const std::int64_t rows = a[a.size() - 2];
    m_form.input = m_op.inputs[0];
    m_form.weights = m_op.inputs[1];
    m_form.n = a.back();
    m_form.k = b.back();
    if (b[b.size() - 2] != m_form.n)
        return unsupported("its inner extents differ");
    m_form.inputRow = m_form.n;
    m_form.inputStep = 1;
    m_form.weightStep = m_form.k;
    m_form.weightColumn = 1;
    Shape batchA(a.begin(), a.end() - 2), batchB(b.begin(), b.end() - 2);
    PIM_TRY(const std::int64_t countB, elementCount(batchB));
    if (countB == 1) {
        PIM_TRY(const std::int64_t countA, elementCount(batchA));
        m_form.m = rows * countA;
        m_form.inputBase = m_form.weightBase = {0};
        return one();
    }
    m_form.m = rows;
    const std::size_t rank = std::max(batchA.size(), batchB.size());
    batchA.insert(batchA.begin(), rank - batchA.size(), 1);
    batchB.insert(batchB.begin(), rank - batchB.size(), 1);
    std::int64_t instances = 1;
    for (std::size_t d = 0; d < rank; ++d)
        instances *= std::max(batchA[d], batchB[d]);
    for (std::int64_t i = 0; i < instances; ++i) {
        std::int64_t rest = i, atA = 0, atB = 0, strideA = rows * m_form.n, strideB = m_form.n * m_form.k;
        for (std::size_t d = rank; d-- > 0;) {
            const std::int64_t extent = std::max(batchA[d], batchB[d]), at = rest % extent;
            rest /= extent;
            atA += batchA[d] == 1 ? 0 : at * strideA;
            atB += batchB[d] == 1 ? 0 : at * strideB;
            strideA *= batchA[d];
            strideB *= batchB[d];
        }
        m_form.inputBase.push_back(atA);
        m_form.weightBase.push_back(atB);
    }
    m_form.g = instances;
    return one();
}

FormBuilder::Forms FormBuilder::attention() {
    PIM_TRY(const Shape q, shape(0));
    PIM_TRY(const Shape k, shape(1));
    PIM_TRY(const Shape v, shape(2));
    if (q.size() < 2 || k.size() != q.size() || v.size() != q.size())
        return unsupported("its operands differ in rank");
    const bool transposed = m_op.intAttribute("k_transposed", 0) != 0;
    const std::size_t r = q.size();
    const std::int64_t queries = q[r - 2], width = q[r - 1], keys = k[transposed ? r - 1 : r - 2],
                       out = v[r - 1];
    PIM_TRY(const std::int64_t heads, elementCount(Shape(q.begin(), q.end() - 2)));
    PIM_TRY(const std::int64_t ofK, elementCount(k));
    PIM_TRY(const std::int64_t ofV, elementCount(v));
    if (ofK != heads * keys * width || ofV != heads * keys * out)
        return unsupported(
            fmt::format("its operands {}, {} and {} do not fit", shapeText(q), shapeText(k), shapeText(v)));
    MatrixForm scores, context;
    scores.op = context.op = m_form.op;
    scores.parts = context.parts = 2;
    context.part = 1;
    scores.input = m_op.inputs[0];
    scores.weights = m_op.inputs[1];
    context.weights = m_op.inputs[2];
    scores.g = context.g = heads;
    scores.m = context.m = queries;
    scores.n = width;
    scores.k = context.n = keys;
    context.k = out;
    scores.inputRow = width;
    context.inputRow = keys;
    scores.inputStep = context.inputStep = 1;
    scores.weightStep = transposed ? keys : 1;
    scores.weightColumn = transposed ? 1 : width;
    context.weightStep = out;
    context.weightColumn = 1;
    for (std::int64_t h = 0; h < heads; ++h) {
        scores.inputBase.push_back(h * queries * width);
        scores.weightBase.push_back(h * keys * width);
        context.inputBase.push_back(h * queries * keys);
        context.weightBase.push_back(h * keys * out);
    }
    return std::vector<MatrixForm>{std::move(scores), std::move(context)};
}

/// One element of n for many pixels: fast where the kernel is a single pixel.
template <class From, class To>
void gatherColumns(const MatrixForm& form, const From* input, const OperandBlock& block, To* out,
                   std::int64_t stride) {
    const auto [instance, mBegin, rows, nBegin, count] = block;
    const auto& w = form.window;
    const std::int64_t plane = w.height * w.width;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t n = nBegin + i, kernel = w.kernelHeight * w.kernelWidth;
        const std::int64_t c = n / kernel, ky = n % kernel / w.kernelWidth, kx = n % w.kernelWidth;
        std::int64_t row = 0;
        while (row < rows) { // one line of the output at a time
            const std::int64_t pixel = mBegin + row, ox = pixel % w.outWidth;
            const std::int64_t oy = pixel / w.outWidth % w.outHeight,
                               image = pixel / (w.outWidth * w.outHeight);
            const std::int64_t run = std::min(rows - row, w.outWidth - ox);
            const std::int64_t y = oy * w.strideY - w.top + ky * w.dilationY;
            To* to = out + row * stride + i;
            if (y < 0 || y >= w.height) {
                for (std::int64_t j = 0; j < run; ++j)
                    to[j * stride] = 0;
            } else {
                const From* line =
                    input + (image * w.channels + instance * w.groupChannels + c) * plane + y * w.width;
                std::int64_t x = ox * w.strideX - w.left + kx * w.dilationX;
                for (std::int64_t j = 0; j < run; ++j, x += w.strideX)
                    to[j * stride] = x >= 0 && x < w.width ? static_cast<To>(line[x]) : To(0);
            }
            row += run;
        }
    }
}

} // namespace

Result<std::vector<MatrixForm>> matrixForms(const Graph& graph, OpId op) {
    return FormBuilder(graph, op).build();
}

Result<std::vector<MatrixForm>> wholeForms(const Graph& graph, OpId op) {
    return FormBuilder(graph, op).build(true);
}

template <class From, class To>
void gatherInput(const MatrixForm& form, const From* input, const OperandBlock& block, To* out,
                 std::int64_t stride) {
    const auto [instance, mBegin, rows, nBegin, count] = block;
    if (!form.isConv()) {
        const From* base =
            input + form.inputBase[static_cast<std::size_t>(instance)] + nBegin * form.inputStep;
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t i = 0; i < count; ++i)
                out[row * stride + i] =
                    static_cast<To>(base[(mBegin + row) * form.inputRow + i * form.inputStep]);
        return;
    }
    const auto& w = form.window;
    if (w.kernelWidth == 1)
        return gatherColumns(form, input, block, out, stride);
    const std::int64_t plane = w.height * w.width, kernel = w.kernelHeight * w.kernelWidth;
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t pixel = mBegin + row, ox = pixel % w.outWidth;
        const std::int64_t oy = pixel / w.outWidth % w.outHeight, image = pixel / (w.outWidth * w.outHeight);
        const std::int64_t y0 = oy * w.strideY - w.top, x0 = ox * w.strideX - w.left;
        const From* base = input + (image * w.channels + instance * w.groupChannels) * plane;
        To* to = out + row * stride;
        std::int64_t c = nBegin / kernel, ky = nBegin % kernel / w.kernelWidth, kx = nBegin % w.kernelWidth;
        for (std::int64_t i = 0; i < count;) {
            const std::int64_t run = std::min(w.kernelWidth - kx, count - i);
            const std::int64_t y = y0 + ky * w.dilationY;
            if (y < 0 || y >= w.height) {
                for (std::int64_t j = 0; j < run; ++j)
                    to[i + j] = 0;
            } else {
                const From* line = base + c * plane + y * w.width;
                std::int64_t x = x0 + kx * w.dilationX;
                for (std::int64_t j = 0; j < run; ++j, x += w.dilationX)
                    to[i + j] = x >= 0 && x < w.width ? static_cast<To>(line[x]) : To(0);
            }
            i += run;
            kx = 0;
            if (++ky == w.kernelHeight) {
                ky = 0;
                ++c;
            }
        }
    }
}

template <class From, class To>
void gatherWeights(const MatrixForm& form, const From* weights, const OperandBlock& block, To* out,
                   std::int64_t stride) {
    const auto [instance, kBegin, columns, nBegin, count] = block;
    const From* base = weights + form.weightBase[static_cast<std::size_t>(instance)] +
                       nBegin * form.weightStep + kBegin * form.weightColumn;
    if (form.weightStep == 1) {
        for (std::int64_t c = 0; c < columns; ++c)
            for (std::int64_t i = 0; i < count; ++i)
                out[c * stride + i] = static_cast<To>(base[c * form.weightColumn + i]);
        return;
    }
    for (std::int64_t i = 0; i < count; ++i)
        for (std::int64_t c = 0; c < columns; ++c)
            out[c * stride + i] = static_cast<To>(base[c * form.weightColumn + i * form.weightStep]);
}

template void gatherInput(const MatrixForm&, const std::int8_t*, const OperandBlock&, std::int16_t*,
                          std::int64_t);
template void gatherInput(const MatrixForm&, const std::int64_t*, const OperandBlock&, std::int64_t*,
                          std::int64_t);
template void gatherInput(const MatrixForm&, const float*, const OperandBlock&, float*, std::int64_t);
template void gatherWeights(const MatrixForm&, const std::int8_t*, const OperandBlock&, std::int16_t*,
                            std::int64_t);
template void gatherWeights(const MatrixForm&, const std::int64_t*, const OperandBlock&, std::int64_t*,
                            std::int64_t);
template void gatherWeights(const MatrixForm&, const float*, const OperandBlock&, float*, std::int64_t);

} // namespace pim
