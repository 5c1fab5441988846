// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/kernel_tile.h"

#include "backends/upmem/code_demands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace pim::upmem {
namespace {

using Form = TileShape::Form;
using Function = TileShape::Function;

struct NamedFunction {
    std::string_view name;
    Function function;
    std::size_t inputs;
};
constexpr std::array kFunctions{
    NamedFunction{"add", Function::Add, 2}, NamedFunction{"sub", Function::Sub, 2},
    NamedFunction{"mul", Function::Mul, 2}, NamedFunction{"relu", Function::Relu, 1},
    NamedFunction{"max", Function::Max, 2}, NamedFunction{"min", Function::Min, 2},
    // ONNX's And, Or and Xor are about truth values
    NamedFunction{"bitand", Function::And, 2}, NamedFunction{"bitor", Function::Or, 2},
    NamedFunction{"bitxor", Function::Xor, 2}, NamedFunction{"bitnot", Function::Not, 1},
    NamedFunction{"popcount", Function::Ones, 1},
    // a network's Div is a quotient of fractions
    NamedFunction{"intdiv", Function::Div, 2}};

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

/// Of the rows of a reduction.
std::optional<Function> foldOf(const Kernel& kernel) {
    constexpr std::array kFolds{Function::Add, Function::Max, Function::Min,
                                Function::And, Function::Or,  Function::Xor};
    if (kernel.function == "sum")
        return Function::Add;
    const auto* const named =
        std::ranges::find(kFunctions, std::string_view(kernel.function), &NamedFunction::name);
    if (named == kFunctions.end() || std::ranges::find(kFolds, named->function) == kFolds.end())
        return std::nullopt;
    return named->function;
}

/// \p held and \p streamed: null where it is no product.
LoopPart partOf(const Kernel& kernel, const TensorAccess* held, const TensorAccess* streamed, int loop) {
    if (kernel.isReductionLoop(loop))
        return LoopPart::Sum;
    if (held == nullptr || !reaches(*held, loop))
        return LoopPart::Output;
    return reaches(*streamed, loop) ? LoopPart::Batch : LoopPart::Vector;
}

/// Extents and tasklets of a product, by the part that each loop plays.
void measureProduct(const Kernel& kernel, const DraftSummary& draft, const TensorAccess& held,
                    const TensorAccess& streamed, TileShape& shape) {
    shape.batches = shape.vectors = shape.outputs = shape.length = 1;
    std::int64_t tasklets[4] = {1, 1, 1, 1};
    for (int loop = 0; loop < std::ssize(kernel.loops); ++loop) {
        const LoopPart part = partOf(kernel, &held, &streamed, loop);
        const std::int64_t extent = draft.loopTile[std::size_t(loop)];
        switch (part) {
        case LoopPart::Batch:
            shape.batches *= extent;
            break;
        case LoopPart::Vector:
            shape.vectors *= extent;
            break;
        case LoopPart::Output:
            shape.outputs *= extent;
            break;
        case LoopPart::Sum:
            shape.length *= extent;
            break;
        }
        tasklets[std::size_t(part)] *= draft.loopCores[std::size_t(loop)];
    }
    shape.batchTasklets = int(tasklets[0]);
    shape.vectorTasklets = int(tasklets[1]);
    shape.outputTasklets = int(tasklets[2]);
    shape.sumTasklets = int(tasklets[3]);
}

/// Sums of table rows, T[c][I[m][c]][n]: the one form of looking up that there is code for.
Result<void> canLookUp(const Kernel& kernel) {
    const auto reads = readsOf(kernel);
    const bool isSum = kernel.body == BodyKind::Reduce && kernel.function == "add";
    if (!isSum || reads.size() != 2 || !reads[0]->gathered.empty() || reads[1]->gathered.size() != 1 ||
        kernel.tensors[std::size_t(reads[1]->tensor)].shape.size() < 2)
        return cannot(kernel, "a DPU adds up rows of tables that it looks up, nothing else");
    const DataType table = kernel.tensors[std::size_t(reads[1]->tensor)].dtype,
                   index = kernel.tensors[std::size_t(reads[0]->tensor)].dtype;
    if (table != DataType::I8 || index != DataType::U16)
        return cannot(kernel,
                      fmt::format("DPUs look up in tables of i8 with indices of u16, not in {} with {}",
                                  name(table), name(index)));
    return {};
}

TileShape lookUpShape(const Kernel& kernel, const DraftSummary& draft, const TensorAccess& index,
                      const TensorAccess& table) {
    TileShape shape;
    shape.form = Form::LookUp;
    for (int loop = 0; loop < std::ssize(kernel.loops); ++loop) {
        const std::int64_t extent = draft.loopTile[std::size_t(loop)];
        const auto cores = int(draft.loopCores[std::size_t(loop)]);
        const LoopPart part = partOf(kernel, &index, &table, loop);
        if (part == LoopPart::Vector) {
            shape.vectors *= extent * cores;
            shape.vectorTasklets *= cores;
        } else {
            (part == LoopPart::Output ? shape.outputs : shape.length) *= extent;
            (part == LoopPart::Output ? shape.outputTasklets : shape.sumTasklets) *= cores;
        }
    }
    const auto dimension = std::size_t(table.gathered.front().dimension);
    shape.centroids = kernel.tensors[std::size_t(table.tensor)].shape[dimension];
    return shape;
}

Result<CodeDemands> demandsOf(const Kernel& kernel, const DraftSummary& draft) {
    return draft.code.empty() ? Result<CodeDemands>(CodeDemands()) : readDemands(kernel, draft.code);
}

Result<KernelTile> lookUpTile(const Kernel& kernel, const DraftSummary& draft, const DpuTiming& timing) {
    PIM_TRY(const CodeDemands demands, demandsOf(kernel, draft));
    const auto reads = readsOf(kernel);
    const TileShape shape = lookUpShape(kernel, draft, *reads[0], *reads[1]);
    for (int loop = 0; loop < std::ssize(kernel.loops); ++loop)
        if (kernel.isReductionLoop(loop) && draft.loopGroups[std::size_t(loop)] > 1)
            return cannot(kernel,
                          fmt::format("codebooks are shared by {} groups of DPUs; each DPU adds up all "
                                      "codebooks of its rows",
                                      draft.loopGroups[std::size_t(loop)]));
    if (shape.outputTasklets > 1 || shape.sumTasklets > 1)
        return cannot(kernel,
                      fmt::format("{} tasklets share features and {} codebooks; rows alone are dealt out "
                                  "to tasklets",
                                  shape.outputTasklets, shape.sumTasklets));
    PIM_TRY(Tile tile, Tile::best(shape, timing, demands.tile));
    return KernelTile{std::move(tile), int(reads[0] - kernel.accesses.data()),
                      int(reads[1] - kernel.accesses.data())};
}

} // namespace

Result<void> canRun(const Kernel& kernel) {
    if (kernel.gathers())
        return canLookUp(kernel);
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
            return cannot(kernel, fmt::format("a DPU has no instruction for {}; it adds, subtracts, "
                                              "multiplies, divides integers, rectifies, joins, turns over "
                                              "and counts bits and takes the greater or the smaller of two",
                                              kernel.function));
        return {};
    case BodyKind::Reduce:
        if (!foldOf(kernel))
            return cannot(kernel,
                          fmt::format("rows are added up by a DPU, their bits joined, or their greatest "
                                      "or least element is found; they are not reduced by {}",
                                      kernel.function));
        return {};
    case BodyKind::Attention:
        return cannot(kernel, "a DPU has neither exponentials nor fractions for a softmax");
    }
    return {};
}

Result<KernelTile> tileOf(const Kernel& kernel, const DraftSummary& draft, const DpuTiming& timing) {
    PIM_CHECK(canRun(kernel));
    if (kernel.gathers())
        return lookUpTile(kernel, draft, timing);
    PIM_TRY(const CodeDemands demands, demandsOf(kernel, draft));
    TileShape shape;
    shape.type = kernel.tensors.front().dtype;
    const auto reads = readsOf(kernel);
    if (kernel.body == BodyKind::Elementwise) {
        shape.form = Form::Map;
        shape.function = functionOf(kernel)->function;
        if (shape.type == DataType::I8 && reads.size() > 1)
            shape.type = DataType::I16;
        shape.inputs = int(reads.size());
        shape.length = std::max<std::int64_t>(draft.iterationsPerCore, 1);
        shape.outputTasklets = int(draft.coresUsed);
        PIM_TRY(Tile tile, Tile::best(shape, timing, demands.tile));
        return KernelTile{std::move(tile)};
    }
    if (kernel.body == BodyKind::Reduce) {
        shape.form = Form::Sum;
        shape.function = *foldOf(kernel);
        for (int loop = 0; loop < std::ssize(kernel.loops); ++loop) {
            const bool sums = kernel.isReductionLoop(loop);
            (sums ? shape.length : shape.outputs) *= draft.loopTile[std::size_t(loop)];
            (sums ? shape.sumTasklets : shape.outputTasklets) *= int(draft.loopCores[std::size_t(loop)]);
        }
        PIM_TRY(Tile tile, Tile::best(shape, timing, demands.tile));
        return KernelTile{std::move(tile)};
    }
    std::optional<KernelTile> best;
    Error why;
    for (const bool swapped : {false, true}) {
        const TensorAccess *const x = reads[swapped ? 1 : 0], *const w = reads[swapped ? 0 : 1];
        if (!demands.held.empty() && kernel.tensors[std::size_t(x->tensor)].name != demands.held)
            continue;
        measureProduct(kernel, draft, *x, *w, shape);
        auto tile = Tile::best(shape, timing, demands.tile);
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

LutLayer lutLayerOf(const Kernel& kernel) {
    const auto reads = readsOf(kernel);
    LutLayer layer{1, 1, 1, 1, 1, 1};
    for (int loop = 0; loop < std::ssize(kernel.loops); ++loop) {
        const LoopPart part = partOf(kernel, reads[0], reads[1], loop);
        (part == LoopPart::Vector   ? layer.rows
         : part == LoopPart::Output ? layer.features
                                    : layer.codebooks) *= kernel.loops[std::size_t(loop)].extent;
    }
    const auto dimension = std::size_t(reads[1]->gathered.front().dimension);
    layer.centroids = kernel.tensors[std::size_t(reads[1]->tensor)].shape[dimension];
    return layer;
}

Draft draftOf(const TilingSpace& space, const LutChoice& choice, Draft draft) {
    const Kernel& kernel = space.kernel();
    const auto reads = readsOf(kernel);
    const LutLayer layer = lutLayerOf(kernel);
    for (std::size_t set = 0; set < space.sets().size(); ++set) {
        const int loop = space.sets()[set].mappings.front().loop;
        const LoopPart part = partOf(kernel, reads[0], reads[1], loop);
        DraftPart& to = draft.parts[set];
        to = {1, 1, 0};
        if (part == LoopPart::Vector)
            to = {int(layer.rows / choice.mapping.split.rows), int(choice.tasklets), 0};
        else if (part == LoopPart::Output)
            to.groups = int(layer.features / choice.mapping.split.features);
    }
    return draft;
}

LoopPart loopPart(const Kernel& kernel, const KernelTile& tile, int loop) {
    const auto access = [&](int at) { return at < 0 ? nullptr : &kernel.accesses[std::size_t(at)]; };
    return partOf(kernel, access(tile.held), access(tile.streamed), loop);
}

std::vector<int> operandsOf(const Kernel& kernel, const KernelTile& tile) {
    if (tile.held >= 0)
        return {tile.held, tile.streamed};
    std::vector<int> operands;
    for (const TensorAccess* const access : readsOf(kernel))
        operands.push_back(int(access - kernel.accesses.data()));
    return operands;
}

HostTransfer inputTransfer(const Kernel& kernel, const DraftSummary& draft, const KernelTile& tile,
                           int tensor) {
    const TileLayout layout = layoutOf(tile.tile);
    const TileShape& shape = tile.tile.shape();
    const std::vector<int> operands = operandsOf(kernel, tile);
    bool sameForAll = draft.groupsUsed > 1;
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const TensorAccess& access = kernel.accesses[std::size_t(operands[i])];
        if (access.tensor != tensor)
            continue;
        const bool product = shape.form == Form::Product;
        bytes += shape.form == Form::LookUp ? (i == 0 ? layout.xBytes : layout.wBytes)
                 : product && i == 0        ? shape.tasklets() / shape.outputTasklets * layout.xBytes
                 : product                  ? shape.tasklets() / shape.vectorTasklets * layout.wBytes
                                            : shape.tasklets() * layout.xBytes;
        for (int loop = 0; loop < std::ssize(kernel.loops); ++loop)
            if (draft.loopGroups[std::size_t(loop)] > 1 &&
                (reaches(access, loop) || shape.form == Form::Map || kernel.isReductionLoop(loop)))
                sameForAll = false;
    }
    return {Direction::ToDpu, sameForAll ? TransferKind::Broadcast : TransferKind::Parallel, bytes,
            int(draft.groupsUsed)};
}

HostTransfer outputTransfer(const DraftSummary& draft, const KernelTile& tile) {
    const TileShape& shape = tile.tile.shape();
    const std::int64_t pieces = shape.form == Form::LookUp ? 1 : shape.tasklets() / shape.sumTasklets;
    return {Direction::FromDpu, TransferKind::Parallel, pieces * layoutOf(tile.tile).yBytes,
            int(draft.groupsUsed)};
}

} // namespace pim::upmem
