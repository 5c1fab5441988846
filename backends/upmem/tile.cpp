// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/tile.h"

#include "backends/upmem/tile_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace pim::upmem {
namespace {

using Form = TileShape::Form;

constexpr std::int64_t kMostSums = kMostDmaBytes / 4; ///< Of a block: they are written in one DMA.
constexpr std::int64_t kBufferBytes =
    kWramBytes - 16'384 - 656; ///< [PIM-DL artifact 87aee67: what is not stacks or runtime]
constexpr std::int64_t kSoftAdd = 71,
                       kSoftProduct = 183; ///< Instructions. [PrIM, arXiv:2105.03814, figure 4]

std::int64_t roundUp(std::int64_t value, std::int64_t to) {
    return (value + to - 1) / to * to;
}
std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

Element elementOf(DataType type) {
    return type == DataType::I8 ? Element::I8 : type == DataType::I16 ? Element::I16 : Element::I32;
}

tl::unexpected<Error> impossible(std::string message, std::string hint = {}) {
    return fail(ErrorCode::Unsupported, std::move(message), {}, std::move(hint));
}

/// Numbers of 16 bits at most, as the price of a product assumes.
void fill(Dpu& dpu, std::int64_t bytes, std::int64_t step) {
    std::minstd_rand random(1);
    std::uint8_t* const mram = dpu.mram().data();
    for (std::int64_t at = 0; at + step <= std::min(bytes, kMramBytes); at += step) {
        const std::uint32_t value = random() & 0xffff;
        std::memcpy(mram + at, &value, std::size_t(step));
    }
}

/// Ways of a product through the WRAM of a tasklet that may be the best.
class ProductBlocks {
public:
    ProductBlocks(const TileShape& shape)
        : m_shape(shape), m_bytes(bytesOf(elementOf(shape.type))),
          m_length(roundUp(shape.length, kTileUnrolled)),
          m_room(kBufferBytes / shape.tasklets() / 8 * 8 -
                 (shape.sumTasklets > 1 ? 2 * kMergedSums * 4 : 0)) {}

    std::vector<TileBlocks> all() {
        if (m_length * m_bytes <= kMostDmaBytes)
            held(m_length, 1);
        if (m_found.empty() || m_length * m_bytes > kMostDmaBytes) {
            const std::int64_t most = std::min<std::int64_t>(kMostDmaBytes, m_room / 4);
            held(evenChunk(most), ceilDiv(m_length, evenChunk(most)));
        }
        if (m_length * m_bytes > 512)
            for (const std::int64_t most : {std::int64_t(1024), std::int64_t(512)})
                for (const std::int64_t vectors : {1, 4, 16})
                    readAgain(evenChunk(most), vectors);
        return std::move(m_found);
    }
    std::int64_t room() const { return m_room; }

private:
    /// Of about \p bytes, so that chunks are equally long.
    std::int64_t evenChunk(std::int64_t bytes) const {
        const std::int64_t most = std::max(kTileUnrolled, bytes / m_bytes / kTileUnrolled * kTileUnrolled);
        return roundUp(ceilDiv(m_length, ceilDiv(m_length, most)), kTileUnrolled);
    }

    /// Whole vectors in WRAM: as many as there is room for, half as many, a quarter.
    void held(std::int64_t chunk, std::int64_t chunks) {
        const std::int64_t row = chunk * chunks * m_bytes;
        const std::int64_t most = (m_room - chunk * m_bytes - 8) / (row + 4);
        for (const std::int64_t vectors : {most, most / 2, most / 4})
            add(vectors, chunk, chunks, false);
    }
    void readAgain(std::int64_t chunk, std::int64_t vectors) {
        const std::int64_t chunks = ceilDiv(m_length, chunk);
        if (chunks > 1)
            add(std::min(vectors, m_shape.vectors), chunk, chunks, true);
    }

    void add(std::int64_t vectors, std::int64_t chunk, std::int64_t chunks, bool again) {
        vectors = std::min({vectors, m_shape.vectors, kMostSums / 2});
        if (vectors < 1)
            return;
        TileBlocks b;
        b.passes = ceilDiv(m_shape.vectors, vectors);
        b.vectors = ceilDiv(m_shape.vectors, b.passes);
        b.vectorsAtOnce = b.vectors >= 4 ? 4 : b.vectors;
        if (b.vectorsAtOnce == 3)
            b.vectorsAtOnce = b.vectors % 2 == 0 ? 2 : 1;
        b.vectors = roundUp(b.vectors, b.vectorsAtOnce);
        b.chunk = chunk;
        b.chunks = chunks;
        b.readsVectorsAgain = again;
        const std::int64_t vectorBytes = b.vectors * (again ? chunk : b.rowElements()) * m_bytes;
        const std::int64_t left = m_room - vectorBytes;
        // A DMA of whole rows: as long as possible, but not more than half of what is left.
        const std::int64_t rowsOfPiece = std::min<std::int64_t>(kMostDmaBytes, left / 2) / (chunk * m_bytes);
        const std::int64_t most =
            std::min((left - std::max<std::int64_t>(rowsOfPiece, 1) * chunk * m_bytes) / (b.vectors * 4),
                     kMostSums / b.vectors);
        if (most < 1)
            return;
        const std::int64_t rows = std::min(most, m_shape.outputs);
        b.pieceRows = std::clamp<std::int64_t>(rowsOfPiece, 1, rows);
        b.rows = std::max<std::int64_t>(rows / b.pieceRows, 1) * b.pieceRows;
        b.blocks = ceilDiv(m_shape.outputs, b.rows);
        // Equal blocks, not a nearly empty one at the end.
        b.rows = roundUp(ceilDiv(m_shape.outputs, b.blocks), b.pieceRows);
        if (b.rows * b.vectors % 2 != 0) { // sums are written in steps of 8 bytes
            if (b.rows + b.pieceRows <= most && b.pieceRows % 2 != 0)
                b.rows += b.pieceRows;
            else
                b.vectors += b.vectorsAtOnce == 1 ? 1 : 0;
        }
        m_found.push_back(b);
    }

    const TileShape& m_shape;
    std::int64_t m_bytes, m_length, m_room;
    std::vector<TileBlocks> m_found;
};

TileBlocks rowBlocks(const TileShape& shape) {
    const std::int64_t bytes = bytesOf(elementOf(shape.type));
    const std::int64_t buffers = shape.form == Form::Map ? shape.inputs : 1;
    const std::int64_t room =
        kBufferBytes / shape.tasklets() / 8 * 8 - 8 - (shape.sumTasklets > 1 ? 2 * kMergedSums * 4 : 0);
    const std::int64_t most = std::max(kTileUnrolled, std::min<std::int64_t>(kMostDmaBytes, room / buffers) /
                                                          bytes / kTileUnrolled * kTileUnrolled);
    TileBlocks b;
    b.chunks = ceilDiv(shape.length, most);
    b.chunk = roundUp(ceilDiv(shape.length, b.chunks), kTileUnrolled);
    b.rows = shape.outputs;
    return b;
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

Result<Tile> Tile::best(const TileShape& shape, const DpuTiming& timing) {
    const TileShape plain = counted(shape);
    if (shape.form != Form::Product)
        return with(shape, rowBlocks(plain));
    ProductBlocks product(plain);
    std::optional<Tile> best;
    double least = 0;
    std::optional<Error> why;
    for (const TileBlocks& blocks : product.all()) {
        auto tile = with(shape, blocks);
        if (!tile) {
            why = tile.error();
            continue;
        }
        if (const double cycles = tile->cycles(timing); !best || cycles < least) {
            least = cycles;
            best = std::move(*tile);
        }
    }
    if (best)
        return std::move(*best);
    if (why)
        return tl::unexpected<Error>(*why);
    return impossible(
        fmt::format("{} tasklets leave {} B of WRAM to each, too little for a row of {} elements",
                    shape.tasklets(), product.room(), shape.length),
        "use fewer tasklets");
}

const TaskletCode& Tile::code() const {
    return m_kernel->code;
}

void Tile::setSizes() {
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
        fill(dpu, part.mramBytes(), bytesOf(elementOf(m_shape.type)));
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
    layout.rowBytes = tile.blocks().rowElements() * bytesOf(elementOf(counted(tile.shape()).type));
    layout.xBytes = size(TileSize::XBytes);
    layout.wBytes = size(TileSize::WBytes);
    layout.yBytes = tile.shape().form == Form::Map ? layout.xBytes : size(TileSize::YBytes);
    return layout;
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
