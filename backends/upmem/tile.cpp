// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/tile.h"

#include "backends/upmem/tile_blocks.h"
#include "backends/upmem/tile_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace pim::upmem {
namespace {

using Form = TileShape::Form;

constexpr std::int64_t kSoftAdd = 71,
                       kSoftProduct = 183; ///< Instructions. [PrIM, arXiv:2105.03814, figure 4]

/// Numbers of 16 bits at most, as the prices of products and quotients assume.
void fill(Dpu& dpu, std::int64_t bytes, std::int64_t step) {
    std::minstd_rand random(1);
    std::uint8_t* const mram = dpu.mram().data();
    for (std::int64_t at = 0; at + step <= std::min(bytes, kMramBytes); at += step) {
        const std::uint32_t value = random() & 0xffff;
        std::memcpy(mram + at, &value, std::size_t(step));
    }
}

/// Divisors: a quotient then has the bits of what is divided, as its price assumes.
void fillOnes(Dpu& dpu, const TileLayout& layout, std::int64_t step) {
    constexpr std::int32_t kOne = 1;
    for (std::int64_t at = layout.w; at < layout.y; at += step)
        std::memcpy(dpu.mram().data() + at, &kOne, std::size_t(step));
}

/// Soft floats have the structure of int32 and other arithmetic.
TileShape counted(const TileShape& shape) {
    TileShape made = shape;
    if (!computes(shape.type))
        made.type = DataType::I32;
    return made;
}

} // namespace

Result<Tile> Tile::with(const TileShape& shape, const TileBlocks& blocks) {
    if (!macCost(shape.type))
        return impossible(fmt::format("a DPU has no instructions for {}", name(shape.type)),
                          "compile with --dtype i8, i16, i32 or f32");
    const bool product = shape.form == Form::Product;
    if (product && (blocks.vectors * blocks.passes < shape.vectors ||
                    blocks.rows * blocks.blocks < shape.outputs || blocks.rowElements() < shape.length))
        return impossible(
            fmt::format("blocks of {} x {} vectors, {} x {} rows and {} x {} elements do not cover {} "
                        "vectors, {} rows and {} elements",
                        blocks.passes, blocks.vectors, blocks.blocks, blocks.rows, blocks.chunks,
                        blocks.chunk, shape.vectors, shape.outputs, shape.length),
            "take more or larger blocks");
    if (blocks.chunk % kTileUnrolled != 0 || blocks.pieceRows < 1 ||
        blocks.rows % std::max<std::int64_t>(blocks.pieceRows, 1) != 0 ||
        blocks.vectors % std::max<std::int64_t>(blocks.vectorsAtOnce, 1) != 0)
        return impossible(
            fmt::format("a chunk of {} elements, {} rows in DMAs of {}, {} vectors {} at once: chunks are "
                        "multiples of {}, the others whole parts of each other",
                        blocks.chunk, blocks.rows, blocks.pieceRows, blocks.vectors, blocks.vectorsAtOnce,
                        kTileUnrolled));
    const std::int64_t moved =
        (product ? blocks.pieceRows : 1) * blocks.chunk * bytesOf(elementOf(counted(shape).type));
    if (const std::int64_t bytes = std::max(moved, product ? blocks.rows * blocks.vectors * 4 : 0);
        bytes > kMostDmaBytes)
        return impossible(fmt::format("a DMA of {} B; a DPU moves {} to {} B at once", bytes, kLeastDmaBytes,
                                      kMostDmaBytes),
                          "take smaller pieces");
    Tile tile;
    tile.m_shape = shape;
    tile.m_blocks = blocks;
    TileStructure structure;
    structure.form = shape.form;
    structure.type = elementOf(counted(shape).type);
    structure.merges = shape.sumTasklets > 1;
    if (product) {
        structure.vectorsAtOnce = blocks.vectorsAtOnce;
        structure.wholeRows = blocks.chunks == 1;
        structure.readsVectorsAgain = blocks.readsVectorsAgain;
    } else {
        structure.function = shape.function;
        structure.inputs = shape.form == Form::Map ? shape.inputs : 1;
    }
    tile.m_kernel = tileKernel(structure);
    tile.setSizes();
    PIM_CHECK(tile.code().checkSizes(tile.sizes(), shape.tasklets()));
    return tile;
}

Result<Tile> Tile::best(const TileShape& shape, const DpuTiming& timing, const TileDemands& demands) {
    if (shape.form == Form::LookUp)
        return demands.lookUps ? withLookUps(shape, *demands.lookUps) : bestLookUps(shape);
    PIM_TRY(const std::vector<TileBlocks> choices, blocksOf(counted(shape), demands));
    std::optional<Tile> best;
    double least = 0;
    std::optional<Error> why;
    for (const TileBlocks& blocks : choices) {
        auto tile = with(shape, blocks);
        if (!tile) {
            why = tile.error();
            continue;
        }
        if (choices.size() == 1)
            return tile;
        if (const double cycles = tile->cycles(timing); !best || cycles < least) {
            least = cycles;
            best = std::move(*tile);
        }
    }
    if (!best)
        return tl::unexpected<Error>(*why);
    return std::move(*best);
}

const TaskletCode& Tile::code() const {
    return m_kernel->code;
}

void Tile::setSizes() {
    if (m_lookUps) {
        m_sizes = lutSizes(m_lookUps->layer, m_lookUps->mapping);
        return;
    }
    const TileBlocks& b = m_blocks;
    const std::int64_t bytes = bytesOf(elementOf(counted(m_shape).type));
    m_sizes.assign(std::size_t(kTileSizes), 1);
    const auto set = [this](TileSize which, std::int64_t value) { m_sizes[std::size_t(which)] = value; };
    set(TileSize::Chunk, b.chunk);
    set(TileSize::Chunks, b.chunks);
    set(TileSize::Rows, b.rows);
    set(TileSize::VectorTasklets, m_shape.vectorTasklets);
    set(TileSize::OutputTasklets, m_shape.outputTasklets);
    set(TileSize::SumTasklets, m_shape.sumTasklets);
    set(TileSize::Tasklets, m_shape.tasklets());
    const std::int64_t step = m_shape.sumTasklets > 1 ? (kMergedSums * 4) : 8;
    if (m_shape.form == Form::Product) {
        set(TileSize::Batches, m_shape.batches);
        set(TileSize::Passes, b.passes);
        set(TileSize::Vectors, b.vectors);
        set(TileSize::Blocks, b.blocks);
        set(TileSize::Pieces, b.rows / b.pieceRows);
        set(TileSize::PieceRows, b.pieceRows);
        set(TileSize::RowElements, b.rowElements());
        set(TileSize::XBytes, m_shape.batches * b.passes * b.vectors * b.rowElements() * bytes);
        set(TileSize::WBytes, m_shape.batches * b.blocks * b.rows * b.rowElements() * bytes);
        set(TileSize::YBytes, roundUp(m_shape.batches * b.passes * b.blocks * b.rows * b.vectors * 4, step));
    } else {
        set(TileSize::RowElements, b.rowElements());
        const std::int64_t rows = m_shape.form == Form::Sum ? m_shape.outputs : 1;
        set(TileSize::XBytes, rows * b.rowElements() * bytes);
        set(TileSize::YBytes, roundUp(rows * 8, step));
    }
}

TaskletCounts Tile::counts() const {
    TaskletCounts counts = m_kernel->lowered->count(m_sizes);
    if (!computes(m_shape.type)) {
        const double rows = m_shape.form == Form::Product
                                ? double(m_shape.batches) * double(m_blocks.passes * m_blocks.vectors) *
                                      double(m_blocks.blocks * m_blocks.rows)
                                : double(m_shape.outputs);
        const double elements = rows * double(m_blocks.rowElements());
        counts.instructions +=
            elements * (m_shape.form == Form::Product
                            ? macCost(m_shape.type)->instructions - macCost(DataType::I32)->instructions
                            : double(kSoftAdd));
    }
    return counts;
}

double Tile::cycles(const DpuTiming& timing) const {
    return counts().cycles(timing, m_shape.tasklets());
}

std::int64_t Tile::dmaBytes() const {
    if (m_lookUps)
        return std::min<std::int64_t>(kMostDmaBytes, tableBytes(m_lookUps->layer, m_lookUps->mapping));
    const std::int64_t rows = m_shape.form == Form::Product ? m_blocks.pieceRows : 1;
    return rows * m_blocks.chunk * bytesOf(elementOf(counted(m_shape).type));
}

std::int64_t Tile::mramBytes() const {
    return code().arrayOffset(code().arrays().size(), m_sizes);
}

std::int64_t Tile::wramBytes() const {
    std::int64_t bytes = 0;
    for (std::size_t b = 0; b < code().buffers().size(); ++b)
        bytes += code().bufferBytes(b, m_sizes, m_shape.tasklets());
    return bytes;
}

Result<TaskletProgram> Tile::program() const {
    if (!computes(m_shape.type))
        return impossible(
            fmt::format("{} is computed by a library that is not part of the program", name(m_shape.type)),
            "compile with --dtype i8 or i16");
    return m_kernel->lowered->program(m_sizes, m_shape.tasklets());
}

Tile Tile::shortened() const {
    if (m_lookUps)
        return partOfLookUps(1, 1);
    constexpr std::int64_t kBlocks = 4;
    Tile tile = *this;
    tile.m_shape.batches = 1;
    tile.m_blocks.passes = 1;
    if (m_shape.form == Form::Map) {
        tile.m_blocks.chunks = std::min(m_blocks.chunks, kBlocks);
        tile.m_shape.length = std::min(m_shape.length, tile.m_blocks.rowElements());
    } else if (m_shape.form == Form::Sum) {
        tile.m_shape.outputs = tile.m_blocks.rows = std::min(m_shape.outputs, kBlocks);
    } else {
        tile.m_shape.vectors = std::min(m_shape.vectors, m_blocks.vectors);
        tile.m_blocks.blocks = std::min(m_blocks.blocks, kBlocks);
        tile.m_shape.outputs = std::min(m_shape.outputs, tile.m_blocks.blocks * m_blocks.rows);
    }
    tile.setSizes();
    return tile;
}

Result<double> Tile::simulatedCycles(const DpuTiming& timing, const TaskContext& task) const {
    if (m_lookUps)
        return simulatedLookUps(timing, task);
    constexpr std::int64_t kFew = 2, kMore = 5;
    const bool product = m_shape.form == Form::Product;
    const auto run = [&](std::int64_t passes, std::int64_t blocks) -> Result<double> {
        Tile part = *this;
        part.m_shape.batches = 1;
        part.m_blocks.passes = passes;
        if (product)
            part.m_blocks.blocks = blocks;
        else if (m_shape.form == Form::Map)
            part.m_blocks.chunks = blocks;
        else
            part.m_shape.outputs = part.m_blocks.rows = blocks;
        part.setSizes();
        PIM_TRY(const TaskletProgram made, part.program());
        Dpu dpu(timing);
        const std::int64_t step = bytesOf(elementOf(m_shape.type));
        fill(dpu, part.mramBytes(), step);
        if (m_shape.form == Form::Map && m_shape.function == TileShape::Function::Div)
            fillOnes(dpu, layoutOf(part), step);
        PIM_TRY(const DpuRun done, dpu.run(made.program, m_shape.tasklets(), {}, task));
        return double(done.cycles);
    };
    const std::int64_t blocks = product                     ? m_blocks.blocks
                                : m_shape.form == Form::Map ? m_blocks.chunks
                                                            : m_shape.outputs;
    const std::int64_t passes = product ? m_blocks.passes * m_shape.batches : 1;
    if (blocks <= kMore && m_blocks.passes <= 2 && m_shape.batches == 1)
        return run(m_blocks.passes, blocks);
    PIM_TRY(const double few, run(1, std::min(blocks, kFew)));
    PIM_TRY(const double more, run(1, std::min(blocks, kMore)));
    const double perBlock = blocks > kFew ? (more - few) / double(std::min(blocks, kMore) - kFew) : 0;
    const double onePass = few + perBlock * double(std::max<std::int64_t>(blocks - kFew, 0));
    if (passes == 1)
        return onePass;
    PIM_TRY(const double twice, run(2, std::min(blocks, kFew)));
    const double perPass = twice - few + perBlock * double(std::max<std::int64_t>(blocks - kFew, 0));
    return onePass + perPass * double(passes - 1);
}

TileLayout layoutOf(const Tile& tile) {
    const TaskletCode& code = tile.code();
    const std::span<const std::int64_t> sizes = tile.sizes();
    const auto size = [&](TileSize which) { return sizes[std::size_t(which)]; };
    TileLayout layout;
    layout.w = code.arrayOffset(1, sizes);
    layout.y = code.arrayOffset(code.arrays().size() - 1, sizes);
    layout.end = code.arrayOffset(code.arrays().size(), sizes);
    if (tile.lookUps()) {
        layout.xBytes = layout.w;
        layout.wBytes = layout.y - layout.w;
        layout.yBytes = layout.end - layout.y;
        return layout;
    }
    layout.rowBytes = tile.blocks().rowElements() * bytesOf(elementOf(counted(tile.shape()).type));
    layout.xBytes = size(TileSize::XBytes);
    layout.wBytes = size(TileSize::WBytes);
    layout.yBytes = tile.shape().form == Form::Map ? layout.xBytes : size(TileSize::YBytes);
    return layout;
}

std::int32_t neutralOf(TileShape::Function fold, int bytes) {
    using Function = TileShape::Function;
    const std::int64_t most = (std::int64_t(1) << (8 * bytes - 1)) - 1;
    return std::int32_t(fold == Function::Max   ? -most - 1
                        : fold == Function::Min ? most
                        : fold == Function::And ? -1
                                                : 0);
}

bool computes(DataType type) {
    return type == DataType::I8 || type == DataType::I16 || type == DataType::I32;
}

std::optional<MacCost> macCost(DataType type) {
    switch (type) {
    case DataType::I8:
        return MacCost{4, "two loads, mul_sl_sl, add; counted in the program"};
    case DataType::I16:
        return MacCost{10, "two loads, eight for the product and the sum; counted in the program"};
    case DataType::I32:
        return MacCost{5 + 1 + 6 + 16, "two loads, __mulsi3 of 16-bit factors, add; counted in the program"};
    case DataType::F32:
        return MacCost{2 + kSoftAdd + kSoftProduct,
                       "soft float: 71 instructions an addition, 183 a product [PrIM, arXiv:2105.03814, "
                       "figure 4: 4.91 and 1.91 MOPS at 350 MHz]"};
    default:
        return std::nullopt;
    }
}

} // namespace pim::upmem
