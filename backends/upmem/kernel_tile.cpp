// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/kernel_tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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
        if (kernel.function != "sum" && kernel.function != "add")
            return cannot(kernel,
                          fmt::format("rows are added up by a DPU, not reduced by {}", kernel.function));
        return {};
    case BodyKind::Attention:
        return cannot(kernel, "a DPU has neither exponentials nor fractions for a softmax");
    }
    return {};
}

Result<KernelTile> tileOf(const Kernel& kernel, const DraftSummary& draft, const DpuTiming& timing) {
    PIM_CHECK(canRun(kernel));
    KernelTile tile;
    tile.shape.type = kernel.tensors.front().dtype;
    tile.shape.tasklets = int(std::clamp<std::int64_t>(draft.coresUsed, 1, kMaxTasklets));
    const auto reads = readsOf(kernel);
    if (kernel.body == BodyKind::Elementwise) {
        tile.shape.form = Form::Map;
        tile.shape.function = functionOf(kernel)->function;
        tile.shape.inputs = int(reads.size());
        tile.shape.length = std::max<std::int64_t>(draft.iterationsPerCore, 1);
        return tile;
    }
    if (kernel.body == BodyKind::Reduce) {
        tile.shape.form = Form::Sum;
        tile.shape.outputs = tile.shape.length = 1;
        for (int loop = 0; loop < std::ssize(kernel.loops); ++loop)
            (kernel.isReductionLoop(loop) ? tile.shape.length : tile.shape.outputs) *=
                draft.loopTile[std::size_t(loop)];
        return tile;
    }
    const ProductSizes sizes = productSizes(kernel, draft, *reads[0], *reads[1]);
    std::optional<double> best;
    Error why;
    for (const bool swapped : {false, true}) {
        TileShape shape = tile.shape;
        shape.form = Form::Product;
        shape.batches = sizes.batches;
        shape.length = sizes.length;
        shape.vectors = swapped ? sizes.ofSecond : sizes.ofFirst;
        shape.outputs = swapped ? sizes.ofFirst : sizes.ofSecond;
        const auto cost = costOf(shape, timing);
        if (!cost) {
            why = cost.error();
            continue;
        }
        if (const double cycles = cost->cycles(timing, shape.tasklets); !best || cycles < *best) {
            best = cycles;
            tile = {shape, reads[swapped ? 0 : 1]->tensor};
        }
    }
    if (!best)
        return tl::unexpected<Error>(why);
    return tile;
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

double mergeCycles(const Kernel& kernel, const DraftSummary& draft) {
    constexpr double kAddInstructions = 6; // two loads, add, store, address, loop
    double cycles = 0;
    for (std::size_t t = 0; t < kernel.tensors.size(); ++t)
        if (kernel.tensors[t].role != TensorRole::Input && draft.tensors[t].partialCores > 1)
            cycles += kAddInstructions * double(draft.tensors[t].groupElements) *
                      double(draft.tensors[t].partialCores);
    return cycles;
}

} // namespace pim::upmem
