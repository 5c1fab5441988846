// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/tile_blocks.h"

#include "backends/upmem/tile_kernels.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::upmem {
namespace {

constexpr std::int64_t kMostSums = kMostDmaBytes / 4; ///< Of a block: they are written in one DMA.
constexpr std::int64_t kBufferBytes =
    kWramBytes - 16'384 - 656; ///< [PIM-DL artifact 87aee67: what is not stacks or runtime]

/// The most of 4, 2 and 1 vectors that go through registers together.
std::int64_t vectorsAtOnce(std::int64_t vectors) {
    return vectors % 4 == 0 ? 4 : vectors % 2 == 0 ? 2 : 1;
}

std::int64_t largestDivisor(std::int64_t of, std::int64_t most) {
    std::int64_t divisor = std::clamp<std::int64_t>(most, 1, of);
    while (of % divisor != 0)
        --divisor;
    return divisor;
}

/// Ways of a product through the WRAM of a tasklet that may be the best.
class ProductBlocks {
public:
    ProductBlocks(const TileShape& shape, const TileDemands& demands)
        : m_shape(shape), m_demands(demands), m_bytes(bytesOf(elementOf(shape.type))),
          m_length(roundUp(shape.length, kTileUnrolled)),
          m_room(kBufferBytes / shape.tasklets() / 8 * 8 -
                 (shape.sumTasklets > 1 ? 2 * kMergedSums * 4 : 0)) {}

    std::vector<TileBlocks> all() {
        if (m_demands.any()) {
            demanded();
            return std::move(m_found);
        }
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
    /// Why a demand cannot be met; nothing: none was in the way.
    const std::optional<Error>& problem() const { return m_problem; }

private:
    void refuse(std::string message, std::string hint) {
        if (!m_problem)
            m_problem = Error{ErrorCode::Unsupported, std::move(message), {}, std::move(hint)};
    }

    void demanded() {
        // Held vectors and sums are padded to whole registers and DMAs; beyond that they would only be idle.
        if (const std::int64_t most = roundUp(m_shape.vectors, 4); m_demands.vectors.value_or(1) > most)
            return refuse(fmt::format("{} vectors held at a time; a tasklet has {}", *m_demands.vectors,
                                      m_shape.vectors),
                          fmt::format("take 1 to {}", m_shape.vectors));
        if (m_demands.rows.value_or(1) > 2 * m_shape.outputs)
            return refuse(
                fmt::format("sums of {} rows at a time; a tasklet has {}", *m_demands.rows, m_shape.outputs),
                fmt::format("take 1 to {}", m_shape.outputs));
        for (const std::int64_t chunk : chunks()) {
            const std::int64_t count = ceilDiv(m_length, chunk);
            for (const bool again : {false, true}) {
                if (again != m_demands.readsVectorsAgain.value_or(again) || (again && count == 1))
                    continue;
                const std::int64_t row = (again ? chunk : chunk * count) * m_bytes;
                const std::int64_t most =
                    std::max<std::int64_t>((m_room - chunk * m_bytes - 8) / (row + 4), 1);
                for (const std::int64_t vectors : {m_demands.vectors.value_or(most), most / 2, most / 4,
                                                   std::int64_t(16), std::int64_t(4)})
                    if (vectors >= 1 && vectors <= std::max(most, m_demands.vectors.value_or(1)) &&
                        vectors == m_demands.vectors.value_or(vectors))
                        add(vectors, chunk, count, again);
            }
        }
        if (m_found.empty() && m_demands.readsVectorsAgain.value_or(false))
            refuse(fmt::format("a row of {} elements goes through WRAM at once, so nothing is read again",
                               m_shape.length),
                   "decide a chunk shorter than the row first");
    }

    /// Elements of a row at a time that demands leave, each once.
    std::vector<std::int64_t> chunks() {
        std::vector<std::int64_t> chunks;
        const auto take = [&](std::int64_t chunk) {
            if (std::ranges::find(chunks, chunk) == chunks.end() &&
                (!m_demands.dmaBytes || *m_demands.dmaBytes % (chunk * m_bytes) == 0))
                chunks.push_back(chunk);
        };
        if (m_demands.chunk) {
            if (*m_demands.chunk % kTileUnrolled != 0 || *m_demands.chunk > m_length ||
                *m_demands.chunk * m_bytes > kMostDmaBytes)
                refuse(fmt::format(
                           "chunks of {} elements; allowed are multiples of {} up to {}, a row having {}",
                           *m_demands.chunk, kTileUnrolled, std::min(m_length, kMostDmaBytes / m_bytes),
                           m_shape.length),
                       "take one of these");
            else
                take(*m_demands.chunk);
        } else {
            if (m_length * m_bytes <= kMostDmaBytes)
                take(m_length);
            for (const std::int64_t bytes :
                 {std::min<std::int64_t>(kMostDmaBytes, m_room / 4), std::int64_t(1024), std::int64_t(512)})
                take(evenChunk(bytes));
            if (const std::int64_t bytes = m_demands.dmaBytes.value_or(0);
                bytes > 0 && bytes < m_length * m_bytes && bytes % (kTileUnrolled * m_bytes) == 0)
                take(bytes / m_bytes);
        }
        if (chunks.empty() && m_demands.dmaBytes)
            refuse(fmt::format(
                       "a DMA of {} B moves no whole chunks of {} B; a row has {} B, and {} elements, {} "
                       "B, are worked on at a time",
                       *m_demands.dmaBytes,
                       m_demands.chunk.value_or(std::min(m_length, kMostDmaBytes / m_bytes)) * m_bytes,
                       m_length * m_bytes, kTileUnrolled, kTileUnrolled * m_bytes),
                   "take a multiple of the chunk, or decide another chunk");
        return chunks;
    }

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
        if (!m_demands.vectors)
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
        if (m_demands.vectors) {
            b.vectors = vectors;
            b.vectorsAtOnce = vectorsAtOnce(vectors);
        }
        b.chunk = chunk;
        b.chunks = chunks;
        b.readsVectorsAgain = again;
        const std::int64_t vectorBytes = b.vectors * (again ? chunk : b.rowElements()) * m_bytes;
        const std::int64_t left = m_room - vectorBytes;
        // A DMA of whole rows: as long as possible, but not more than half of what is left.
        const std::int64_t rowsOfPiece =
            m_demands.dmaBytes.value_or(std::min<std::int64_t>(kMostDmaBytes, left / 2)) / (chunk * m_bytes);
        const std::int64_t most =
            std::min((left - std::max<std::int64_t>(rowsOfPiece, 1) * chunk * m_bytes) / (b.vectors * 4),
                     kMostSums / b.vectors);
        const std::int64_t least =
            m_demands.rows.value_or(m_demands.dmaBytes ? std::max<std::int64_t>(rowsOfPiece, 1) : 1);
        if (most < least)
            return tooMuch(b, vectorBytes, std::max<std::int64_t>(rowsOfPiece, 1) * chunk * m_bytes, least);
        const std::int64_t rows = m_demands.rows.value_or(std::min(most, m_shape.outputs));
        b.pieceRows = m_demands.dmaBytes ? rowsOfPiece
                      : m_demands.rows   ? largestDivisor(rows, rowsOfPiece)
                                         : std::clamp<std::int64_t>(rowsOfPiece, 1, rows);
        b.rows = m_demands.rows ? rows : std::max<std::int64_t>(rows / b.pieceRows, 1) * b.pieceRows;
        b.blocks = ceilDiv(m_shape.outputs, b.rows);
        if (!m_demands.rows) // equal blocks, not a nearly empty one at the end
            b.rows = roundUp(ceilDiv(m_shape.outputs, b.blocks), b.pieceRows);
        if (b.rows % b.pieceRows != 0)
            return refuse(fmt::format("sums of {} rows, but a DMA of {} B moves {} rows at once", b.rows,
                                      *m_demands.dmaBytes, b.pieceRows),
                          "make one a multiple of the other");
        if (b.rows * b.vectors % 2 != 0) { // sums are written in steps of 8 bytes
            if (!m_demands.rows && b.rows + b.pieceRows <= most && b.pieceRows % 2 != 0)
                b.rows += b.pieceRows;
            else if (!m_demands.vectors)
                b.vectors += b.vectorsAtOnce == 1 ? 1 : 0;
        }
        if (m_demands.any() && b.rows * b.vectors % 2 != 0)
            return refuse(fmt::format("{} sums of {} vectors are {} B; a DMA moves multiples of {} B", b.rows,
                                      b.vectors, b.rows * b.vectors * 4, kDmaAlignment),
                          "take an even number of one of them");
        m_found.push_back(b);
    }

    void tooMuch(const TileBlocks& b, std::int64_t vectorBytes, std::int64_t dmaBytes, std::int64_t rows) {
        if (!m_demands.any())
            return;
        if (rows * b.vectors > kMostSums)
            return refuse(
                fmt::format("{} sums of {} vectors are {} B; they are written in one DMA of at most {} B",
                            rows, b.vectors, rows * b.vectors * 4, kMostDmaBytes),
                "take fewer sums or vectors at a time");
        refuse(fmt::format(
                   "{} vectors take {} B of WRAM, a DMA {} B and sums {} B: {} B, where {} tasklets leave {} "
                   "B to each",
                   b.vectors, vectorBytes, dmaBytes, rows * b.vectors * 4,
                   vectorBytes + dmaBytes + rows * b.vectors * 4, m_shape.tasklets(), m_room),
               "take smaller tiles or fewer tasklets");
    }

    const TileShape& m_shape;
    const TileDemands& m_demands;
    std::optional<Error> m_problem;
    std::int64_t m_bytes, m_length, m_room;
    std::vector<TileBlocks> m_found;
};

TileBlocks rowBlocks(const TileShape& shape, const TileDemands& demands) {
    const std::int64_t bytes = bytesOf(elementOf(shape.type));
    const std::int64_t buffers = shape.form == TileShape::Form::Map ? shape.inputs : 1;
    const std::int64_t room =
        kBufferBytes / shape.tasklets() / 8 * 8 - 8 - (shape.sumTasklets > 1 ? 2 * kMergedSums * 4 : 0);
    const std::int64_t most = std::max(kTileUnrolled, std::min<std::int64_t>(kMostDmaBytes, room / buffers) /
                                                          bytes / kTileUnrolled * kTileUnrolled);
    TileBlocks b;
    b.chunks = ceilDiv(shape.length, most);
    b.chunk = roundUp(ceilDiv(shape.length, b.chunks), kTileUnrolled);
    if (demands.dmaBytes) {
        b.chunk = *demands.dmaBytes / bytes;
        b.chunks = ceilDiv(shape.length, b.chunk);
    }
    b.rows = shape.outputs;
    return b;
}

/// Of a map or sum.
Result<void> checkRowDemands(const TileShape& shape, const TileDemands& demands) {
    if (demands.vectors || demands.rows || demands.chunk || demands.readsVectorsAgain)
        return impossible("it is no product: its elements go through WRAM once, in DMAs of one size",
                          "decide the size of a DMA");
    if (!demands.dmaBytes)
        return {};
    const std::int64_t bytes = bytesOf(elementOf(shape.type)), step = kTileUnrolled * bytes;
    const std::int64_t most =
        std::min<std::int64_t>(kMostDmaBytes, roundUp(shape.length, kTileUnrolled) * bytes);
    if (*demands.dmaBytes % step != 0 || *demands.dmaBytes < step || *demands.dmaBytes > most)
        return impossible(
            fmt::format("a DMA of {} B; {} elements of {} B are worked on at a time, and a tasklet has "
                        "{}: multiples of {} B from {} to {}",
                        *demands.dmaBytes, kTileUnrolled, bytes, shape.length, step, step, most),
            "take one of these");
    return {};
}

} // namespace

Result<std::vector<TileBlocks>> blocksOf(const TileShape& shape, const TileDemands& demands) {
    if (shape.form != TileShape::Form::Product) {
        PIM_CHECK(checkRowDemands(shape, demands));
        return std::vector<TileBlocks>{rowBlocks(shape, demands)};
    }
    ProductBlocks product(shape, demands);
    std::vector<TileBlocks> blocks = product.all();
    if (!blocks.empty())
        return blocks;
    if (product.problem())
        return tl::unexpected<Error>(*product.problem());
    return impossible(
        fmt::format("{} tasklets leave {} B of WRAM to each, too little for a row of {} elements",
                    shape.tasklets(), product.room(), shape.length),
        "use fewer tasklets");
}

} // namespace pim::upmem
