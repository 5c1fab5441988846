// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What all tasklets of a DPU do for one launch of an op: which part of it each has, how it goes through WRAM, and the kernel that
/// does it, from which price, program and C code are made. Flow: draft -> TileShape -> [TileBlocks] -> cost, program.
#include "backends/upmem/dpu/dpu.h"
#include "backends/upmem/lut/choice_text.h"
#include "backends/upmem/tasklet/program.h"
#include "core/graph/graph.h"

namespace pim::upmem {

/// A tile is one of four forms. Sizes are those of the tasklet with most work.
struct TileShape {
    enum class Form : std::uint8_t {
        Product, ///< y[b][v][o] += x[b][v][k] w[b][o][k]
        Map,     ///< y[i] = f(inputs[i]), \p length elements.
        Sum,     ///< y[o] = sum (or greatest, …) of \p length elements, \p outputs times.
        LookUp ///< y[v][o] = sum over \p length codebooks c of table[c][index[v][c]][o]; \p vectors of the whole DPU.
    };
    enum class Function : std::uint8_t {
        Add,
        Sub,
        Mul,
        Relu,
        Max,
        Min,
        And,
        Or,
        Xor, ///< And, Or and Xor bit by bit.
        Div, ///< Of integers, rounded toward 0; its padding is divided by 1.
        Not, ///< Bit by bit.
        Ones ///< Bits that are set.
    };

    Form form = Form::Product;
    DataType type = DataType::I8;
    std::int64_t batches = 1; ///< Products side by side that share nothing.
    std::int64_t vectors = 1, outputs = 1, length = 1;
    Function function =
        Function::Add;          ///< Of a map; of a sum Add, Max, Min, And, Or or Xor, which fold a row.
    int inputs = 2;             ///< Of a map.
    std::int64_t centroids = 1; ///< Of a codebook.
    /// Tasklets of the DPU that split each of these; together all with work. Those that split the vectors share w, those that split
    /// the outputs share x, those that split the sums add up what they have at the end.
    int batchTasklets = 1, vectorTasklets = 1, outputTasklets = 1, sumTasklets = 1;

    int tasklets() const { return batchTasklets * vectorTasklets * outputTasklets * sumTasklets; }
    friend auto operator<=>(const TileShape&, const TileShape&) = default;
};

/// How a product goes through WRAM: some vectors are held while w streams past in DMAs of some rows, or of a part of one. All sizes
/// are padded to whole blocks.
struct TileBlocks {
    std::int64_t vectors = 1, passes = 1; ///< Held at a time; how often all of w streams past.
    std::int64_t vectorsAtOnce = 1;       ///< In registers: each element of w that is loaded serves them.
    std::int64_t rows = 1, blocks = 1;    ///< Outputs whose sums are kept in WRAM and written in one DMA.
    std::int64_t pieceRows = 1;           ///< Rows of a DMA of w.
    std::int64_t chunk = 8, chunks = 1;   ///< Elements of a row that are worked on at a time; to a whole row.
    bool readsVectorsAgain = false;       ///< Vectors come chunk by chunk, anew for each block of outputs.
    std::int64_t rowElements() const { return chunk * chunks; } ///< Padded.
    friend auto operator<=>(const TileBlocks&, const TileBlocks&) = default;
};

/// How look-ups go through WRAM: PIM-DL's mapping, within one DPU, of a layer that is padded to whole tiles.
struct LutTile {
    LutLayer layer; ///< What the DPU has of it.
    LutMapping mapping;
};

/// What is fixed of the way through WRAM; the rest is chosen.
struct TileDemands {
    std::optional<std::int64_t> vectors, rows, chunk; ///< TileBlocks, taken as they are.
    std::optional<std::int64_t> dmaBytes; ///< Of a DMA: rows of w, or what goes through of a map or sum.
    std::optional<bool> readsVectorsAgain;
    std::optional<LutChoice> lookUps; ///< Of look-ups all of it; nothing else is fixed of them.
    bool any() const { return vectors || rows || chunk || dmaBytes || readsVectorsAgain || lookUps; }
};

/// A tile with the choices made: the kernel, and the values of its sizes.
class Tile {
public:
    /// The blocks with the fewest cycles. ErrorCode::Unsupported with the sizes where none fits WRAM, or nothing computes the type.
    /// Among those that \p demands leave.
    static Result<Tile> best(const TileShape& shape, const DpuTiming& timing,
                             const TileDemands& demands = {});
    /// With these blocks. ErrorCode::Unsupported: they do not fit, or do not cover the tile (sizes seen and allowed).
    static Result<Tile> with(const TileShape& shape, const TileBlocks& blocks);

    const TileShape& shape() const { return m_shape; }
    const TileBlocks& blocks() const { return m_blocks; }
    const LutTile* lookUps() const { return m_lookUps ? &*m_lookUps : nullptr; } ///< Null for other forms.
    const TaskletCode& code() const;
    std::span<const std::int64_t> sizes() const { return m_sizes; }
    TaskletCounts counts() const; ///< Of the tasklet with most work; soft floats included.
    double cycles(const DpuTiming& timing) const;
    std::int64_t dmaBytes() const;  ///< Of a DMA: rows of w, or what goes through of a map or sum.
    std::int64_t mramBytes() const; ///< Of the DPU.
    std::int64_t wramBytes() const;
    /// ErrorCode::Unsupported for a type without instructions of its own.
    Result<TaskletProgram> program() const;
    /// Cycles by the engine. What repeats is run twice and counted on: exact to a few cycles a pass.
    Result<double> simulatedCycles(const DpuTiming& timing, const TaskContext& task) const;
    /// A tile with the same blocks but fewer of them, quick to run, that shows what the whole does.
    Tile shortened() const;

    struct Kernel; // of one structure, with the instructions chosen: tile_kernels.h
private:
    Tile() = default;
    static Result<Tile> bestLookUps(const TileShape& shape);
    static Result<Tile> withLookUps(const TileShape& shape, const LutChoice& choice);
    static Result<Tile> ofLookUps(const TileShape& shape, LutTile lookUps);
    Tile partOfLookUps(std::int64_t rowTiles, std::int64_t featureTiles) const;
    Result<double> simulatedLookUps(const DpuTiming& timing, const TaskContext& task) const;
    void setSizes();
    TileShape m_shape;
    TileBlocks m_blocks;
    std::optional<LutTile> m_lookUps;
    std::shared_ptr<const Kernel> m_kernel;
    std::vector<std::int64_t> m_sizes;
};

/// Arrays of a tile in MRAM, one behind the other; all tasklets together. x [batch][vector][sum tasklets][batches][vector][row],
/// w [batch][output][sum tasklets][batches][output][row], where the first three are tasklets; elements of the tile's type, rows
/// padded with 0. y [sum tasklet][batch, vector, output tasklet][batches][passes][blocks][row][vector] of int32. Map: inputs and result
/// [tasklet][element], Sum: rows [tasklet][output][element], padded with what changes no fold,
/// sums [sum tasklet][output tasklet][output] of 8 bytes. Look-ups: x indices, w table, y sums as lut/lut_code.h has them. Tasklets are numbered batch, vector, output, sum, the last fastest.
struct TileLayout {
    std::int64_t x = 0, w = 0, y = 0, end = 0;
    std::int64_t rowBytes = 0;                       ///< Of a padded row.
    std::int64_t xBytes = 0, wBytes = 0, yBytes = 0; ///< Of one tasklet; of all together where they look up.
};
TileLayout layoutOf(const Tile& tile);

/// Indices of centroids by chance, the same every time, for tiles that look up; else nothing is done.
void sampleIndices(const Tile& tile, std::span<std::uint8_t> mram);

/// Instructions of one multiply-accumulate, loads included, and where that number comes from.
struct MacCost {
    double instructions;
    std::string_view source;
};
std::optional<MacCost> macCost(DataType type);
/// What changes no fold: of elements of so many bytes.
std::int32_t neutralOf(TileShape::Function fold, int bytes);
bool computes(DataType type); ///< In instructions of its own, without a library of soft floats.

} // namespace pim::upmem
