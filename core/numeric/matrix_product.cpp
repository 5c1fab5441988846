// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/matrix_product.h"

#include "core/base/parallel.h"
#include "core/numeric/kernels.h"

namespace pim {

namespace {

/// Elements of one block of unrolled rows: half of a small second-level cache.
constexpr std::int64_t kBlockElements = 96 * 1024;
/// Elements of widened weights kept at a time.
constexpr std::int64_t kPanelElements = 2 * 1024 * 1024;

/// Rows of the output computed together. A block never crosses an image, so that its pixels are neighbours.
struct RowBlock {
    std::int64_t begin = 0, count = 0;
};

std::vector<RowBlock> rowBlocks(const MatrixForm& form, std::int64_t length) {
    const std::int64_t step = std::clamp<std::int64_t>(kBlockElements / length / 4 * 4, 4, 256);
    const std::int64_t image = form.isConv() ? form.window.outHeight * form.window.outWidth : form.m;
    std::vector<RowBlock> blocks;
    for (std::int64_t first = 0; first < form.m; first += image)
        for (std::int64_t at = 0; at < image; at += step)
            blocks.push_back({first + at, std::min(step, image - at)});
    return blocks;
}

struct Exact {
    using In = std::int8_t;
    using Wide = std::int16_t;
    using Out = std::int32_t;
    static constexpr std::int64_t kColumns = 32; ///< Columns of weights handed to the kernel at a time.
    static std::int64_t length(std::int64_t n) { return paddedLength(n); }
    /// [columns][length]
    static void pack(const MatrixForm& form, const In* weights, std::int64_t instance, std::int64_t kBegin,
                     std::int64_t columns, Wide* out) {
        gatherWeights(form, weights, {instance, kBegin, columns, 0, form.n}, out, length(form.n));
    }
    static void multiply(const IntegerBlocks& blocks) { integerProduct(blocks, false); }
};

struct RealNumbers {
    using In = float;
    using Wide = float;
    using Out = float;
    static constexpr std::int64_t kColumns = kRealColumns;
    static std::int64_t length(std::int64_t n) { return n; }
    /// [n][kRealColumns]
    static void pack(const MatrixForm& form, const In* weights, std::int64_t instance, std::int64_t kBegin,
                     std::int64_t columns, Wide* out) {
        const In* base =
            weights + form.weightBase[static_cast<std::size_t>(instance)] + kBegin * form.weightColumn;
        for (std::int64_t i = 0; i < form.n; ++i)
            for (std::int64_t c = 0; c < columns; ++c)
                out[i * kRealColumns + c] = base[i * form.weightStep + c * form.weightColumn];
    }
    static void multiply(const RealBlocks& blocks) { realProduct(blocks); }
};

/// What is multiplied, of all instances.
template <class Kind>
struct Product {
    const MatrixForm& form;
    const typename Kind::In *input, *weights;
    typename Kind::Out* out;
};

template <class Kind>
void multiplyInstance(const Product<Kind>& of, std::int64_t instance, int threads, const TaskContext& task) {
    using Wide = typename Kind::Wide;
    const MatrixForm& form = of.form;
    const std::int64_t length = Kind::length(form.n);
    const auto blocks = rowBlocks(form, length);
    const std::int64_t groups = (form.k + Kind::kColumns - 1) / Kind::kColumns;
    const std::int64_t groupElements = length * Kind::kColumns;
    const std::int64_t panel = std::clamp<std::int64_t>(kPanelElements / groupElements, 1, groups);
    std::vector<Wide> packed(static_cast<std::size_t>(std::min(panel, groups) * groupElements));
    for (std::int64_t first = 0; first < groups && !task.cancelled(); first += panel) {
        const std::int64_t count = std::min(panel, groups - first);
        parallelFor(static_cast<std::size_t>(count), threads, [&](std::size_t i) {
            const std::int64_t k = (first + static_cast<std::int64_t>(i)) * Kind::kColumns;
            Kind::pack(form, of.weights, instance, k, std::min(Kind::kColumns, form.k - k),
                       packed.data() + static_cast<std::int64_t>(i) * groupElements);
        });
        parallelFor(blocks.size(), threads, [&](std::size_t i) {
            if (task.cancelled())
                return;
            const RowBlock& block = blocks[i];
            thread_local std::vector<Wide> rows;
            rows.assign(static_cast<std::size_t>(block.count * length), Wide(0));
            gatherInput(form, of.input, {instance, block.begin, block.count, 0, form.n}, rows.data(), length);
            const std::int64_t rowStep = form.isConv() ? 1 : form.k;
            for (std::int64_t j = 0; j < count; ++j) {
                const std::int64_t k = (first + j) * Kind::kColumns;
                Kind::multiply({rows.data(), block.count, packed.data() + j * groupElements,
                                std::min(Kind::kColumns, form.k - k), length,
                                of.out + form.outIndex(instance, block.begin, k), rowStep,
                                form.outColumnStep()});
            }
        });
    }
}

/// One input channel a group: too little work for a matrix product; each tap of the kernel is added to the
/// whole plane.
template <class Kind>
void multiplyDepthwise(const Product<Kind>& of, int threads, const TaskContext& task) {
    using Out = typename Kind::Out;
    const MatrixForm& form = of.form;
    const auto& w = form.window;
    const std::int64_t pixels = w.outHeight * w.outWidth, images = form.m / pixels;
    parallelFor(static_cast<std::size_t>(images * form.g * form.k), threads, [&](std::size_t i) {
        if (task.cancelled())
            return;
        const auto plane = static_cast<std::int64_t>(i);
        const std::int64_t channel = plane % (form.g * form.k), image = plane / (form.g * form.k);
        const std::int64_t group = channel / form.k;
        const auto* from = of.input + (image * w.channels + group) * w.height * w.width;
        Out* to = of.out + plane * pixels;
        std::fill(to, to + pixels, Out(0));
        for (std::int64_t ky = 0; ky < w.kernelHeight; ++ky)
            for (std::int64_t kx = 0; kx < w.kernelWidth; ++kx) {
                const Out weight = of.weights[channel * form.n + ky * w.kernelWidth + kx];
                const std::int64_t shift = kx * w.dilationX - w.left;
                // ox * strideX + shift in [0, width)
                const std::int64_t begin = shift >= 0 ? 0 : (-shift + w.strideX - 1) / w.strideX;
                const std::int64_t end =
                    shift >= w.width ? 0 : std::min(w.outWidth, (w.width - 1 - shift) / w.strideX + 1);
                for (std::int64_t oy = 0; oy < w.outHeight; ++oy) {
                    const std::int64_t y = oy * w.strideY - w.top + ky * w.dilationY;
                    if (y < 0 || y >= w.height)
                        continue;
                    const auto* line = from + y * w.width + shift;
                    for (std::int64_t ox = begin; ox < end; ++ox)
                        to[oy * w.outWidth + ox] += weight * Out(line[ox * w.strideX]);
                }
            }
    });
}

template <class Kind>
Result<std::vector<typename Kind::Out>>
multiply(const MatrixForm& form, std::span<const typename Kind::In> input,
         std::span<const typename Kind::In> weights, int threads, const TaskContext& task) {
    std::vector<typename Kind::Out> out(static_cast<std::size_t>(form.outputs()));
    const Product<Kind> of{form, input.data(), weights.data(), out.data()};
    if (form.isConv() && form.window.groupChannels == 1 && form.g > 1)
        multiplyDepthwise(of, threads, task);
    else if (form.g > 1 && form.m * form.n * form.k < kPanelElements)
        parallelFor(static_cast<std::size_t>(form.g), threads,
                    [&](std::size_t i) { multiplyInstance(of, static_cast<std::int64_t>(i), 1, task); });
    else
        for (std::int64_t i = 0; i < form.g; ++i)
            multiplyInstance(of, i, threads, task);
    if (task.cancelled())
        return TaskContext::cancelledError("the reference run");
    return out;
}

} // namespace

Result<std::vector<std::int32_t>> multiplyExact(const MatrixForm& form, std::span<const std::int8_t> input,
                                                std::span<const std::int8_t> weights, int threads,
                                                const TaskContext& task) {
    return multiply<Exact>(form, input, weights, threads, task);
}

Result<std::vector<float>> multiplyReal(const MatrixForm& form, std::span<const float> input,
                                        std::span<const float> weights, int threads,
                                        const TaskContext& task) {
    return multiply<RealNumbers>(form, input, weights, threads, task);
}

} // namespace pim
