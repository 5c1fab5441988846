// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/kernel_tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace pim::upmem {
namespace {

using Form = TileShape::Form;
using Function = TileShape::Function;

constexpr std::int64_t kSumBytes = 4; ///< Sums leave a DPU as int32.

struct NamedFunction {
    std::string_view name;
    Function function;
    std::size_t inputs;
};
constexpr std::array kFunctions{
    NamedFunction{"add", Function::Add, 2}, NamedFunction{"sub", Function::Sub, 2},
    NamedFunction{"mul", Function::Mul, 2}, NamedFunction{"relu", Function::Relu, 1},
    NamedFunction{"max", Function::Max, 2}};

tl::unexpected<Error> cannot(const Kernel& kernel, std::string why) {
    return fail(ErrorCode::Unsupported, std::move(why), kernel.name);
}

bool reaches(const TensorAccess& access, int loop) {
    return std::ranges::any_of(access.index, [&](const AffineExpr& index) {
        return std::ranges::any_of(index.terms, [&](const AffineTerm& term) { return term.loop == loop; });
    });
}

std::vector<const TensorAccess*> readsOf(const Kernel& kernel) {
    std::vector<const TensorAccess*> reads;
    for (const TensorAccess& access : kernel.accesses)
        if (!access.isWrite && kernel.tensors[std::size_t(access.tensor)].role == TensorRole::Input)
            reads.push_back(&access);
    return reads;
}

const NamedFunction* functionOf(const Kernel& kernel) {
    const auto* const found =
        std::ranges::find(kFunctions, std::string_view(kernel.function), &NamedFunction::name);
    return found != kFunctions.end() && found->inputs == readsOf(kernel).size() ? found : nullptr;
}

/// The extents of a product by the part they play, on one core.
struct ProductSizes {
    std::int64_t batches = 1, ofFirst = 1, ofSecond = 1, length = 1;
};

ProductSizes productSizes(const Kernel& kernel, const DraftSummary& draft, const TensorAccess& first,
                          const TensorAccess& second) {
    ProductSizes sizes;
    for (int loop = 0; loop < std::ssize(kernel.loops); ++loop) {
        const std::int64_t extent = draft.loopTile[std::size_t(loop)];
        const bool a = reaches(first, loop), b = reaches(second, loop);
        if (kernel.isReductionLoop(loop))
            sizes.length *= extent;
        else if (a && b)
            sizes.batches *= extent;
        else if (a)
            sizes.ofFirst *= extent;
        else
            sizes.ofSecond *= extent;
    }
    return sizes;
}

/// Tasklets of a DPU that have parts of the same sums.
int sharedSums(const Kernel& kernel, const DraftSummary& draft) {
    for (std::size_t t = 0; t < kernel.tensors.size(); ++t)
        if (kernel.tensors[t].role != TensorRole::Input)
            return int(std::clamp<std::int64_t>(draft.tensors[t].partialCores, 1, draft.coresUsed));
    return 1;
}

std::int64_t bytesOfElement(DataType type) {
    return type == DataType::I8 ? 1 : type == DataType::I16 ? 2 : 4;
}

} // namespace

Result<void> canRun(const Kernel& kernel) {
    const auto reads = readsOf(kernel);
    for (const KernelTensor& tensor : kernel.tensors)
        if (!macCost(tensor.dtype))
            return cannot(kernel, fmt::format("DPUs compute in i8, i16, i32 and, slowly, f32, not in {}",
                                              name(tensor.dtype)));
    switch (kernel.body) {
    case BodyKind::Mac:
        if (reads.size() != 2 || reads[0]->tensor == reads[1]->tensor)
            return cannot(kernel, "a DPU multiplies two different operands");
        return {};
    case BodyKind::Elementwise:
        if (!functionOf(kernel))
            return cannot(
                kernel,
                fmt::format("a DPU has no instruction for {}; it adds, subtracts, multiplies, rectifies and "
                            "takes the greater of two",
                            kernel.function));
        return {};
    case BodyKind::Reduce:
        if (kernel.function != "sum" && kernel.function != "add" && kernel.function != "max")
            return cannot(kernel,
                          fmt::format("rows are added up by a DPU, or their greatest element is found; they "
                                      "are not reduced by {}",
                                      kernel.function));
        return {};
    case BodyKind::Attention:
        return cannot(kernel, "a DPU has neither exponentials nor fractions for a softmax");
    }
    return {};
}

Result<KernelTile> tileOf(const Kernel& kernel, const DraftSummary& draft, const DpuTiming& timing) {
    PIM_CHECK(canRun(kernel));
    TileShape shape;
    shape.type = kernel.tensors.front().dtype;
    const auto reads = readsOf(kernel);
    if (kernel.body == BodyKind::Elementwise) {
        shape.form = Form::Map;
        shape.function = functionOf(kernel)->function;
        shape.inputs = int(reads.size());
        shape.length = std::max<std::int64_t>(draft.iterationsPerCore, 1);
        shape.outputTasklets = int(std::clamp<std::int64_t>(draft.coresUsed, 1, kMaxTasklets));
        PIM_TRY(Tile tile, Tile::best(shape, timing));
        return KernelTile{std::move(tile)};
    }
    shape.sumTasklets = sharedSums(kernel, draft);
    if (kernel.body == BodyKind::Reduce) {
        shape.form = Form::Sum;
        shape.function = kernel.function == "max" ? Function::Max : Function::Add;
        for (int loop = 0; loop < std::ssize(kernel.loops); ++loop)
            (kernel.isReductionLoop(loop) ? shape.length : shape.outputs) *=
                draft.loopTile[std::size_t(loop)];
        shape.outputTasklets = int(std::max<std::int64_t>(draft.coresUsed / shape.sumTasklets, 1));
        PIM_TRY(Tile tile, Tile::best(shape, timing));
        return KernelTile{std::move(tile)};
    }
    const ProductSizes sizes = productSizes(kernel, draft, *reads[0], *reads[1]);
    std::optional<KernelTile> best;
    Error why;
    for (const bool swapped : {false, true}) {
        const TensorAccess *const x = reads[swapped ? 1 : 0], *const w = reads[swapped ? 0 : 1];
        shape.batches = sizes.batches;
        shape.length = sizes.length;
        shape.vectors = swapped ? sizes.ofSecond : sizes.ofFirst;
        shape.outputs = swapped ? sizes.ofFirst : sizes.ofSecond;
        // Tasklets with the same part of x split the outputs, those with the same part of w split the vectors.
        const auto copies = [&](const TensorAccess& access) {
            return int(std::clamp<std::int64_t>(draft.tensors[std::size_t(access.tensor)].coresPerCopy, 1,
                                                draft.coresUsed));
        };
        shape.outputTasklets = copies(*x);
        shape.vectorTasklets = std::min(copies(*w), int(draft.coresUsed) / shape.outputTasklets);
        shape.batchTasklets = std::max(
            1, int(draft.coresUsed) / (shape.outputTasklets * shape.vectorTasklets * shape.sumTasklets));
        auto tile = Tile::best(shape, timing);
        if (!tile) {
            why = tile.error();
            continue;
        }
        if (!best || tile->cycles(timing) < best->tile.cycles(timing))
            best = KernelTile{std::move(*tile), int(x - kernel.accesses.data()),
                              int(w - kernel.accesses.data())};
    }
    if (!best)
        return tl::unexpected<Error>(why);
    return std::move(*best);
}

HostTransfer inputTransfer(const Kernel& kernel, const DraftSummary& draft, int tensor) {
    const TensorShare& share = draft.tensors[std::size_t(tensor)];
    return {Direction::ToDpu,
            draft.groupsUsed > 1 && share.groupsPerCopy >= draft.groupsUsed ? TransferKind::Broadcast
                                                                            : TransferKind::Parallel,
            share.groupElements * bytesOfElement(kernel.tensors[std::size_t(tensor)].dtype),
            int(draft.groupsUsed)};
}

HostTransfer outputTransfer(const Kernel& kernel, const DraftSummary& draft, int tensor) {
    const std::int64_t bytes = kernel.body == BodyKind::Elementwise
                                   ? bytesOfElement(kernel.tensors[std::size_t(tensor)].dtype)
                                   : kSumBytes;
    return {Direction::FromDpu, TransferKind::Parallel,
            draft.tensors[std::size_t(tensor)].groupElements * bytes, int(draft.groupsUsed)};
}

} // namespace pim::upmem
