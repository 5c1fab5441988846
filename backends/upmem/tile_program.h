// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What all tasklets of a DPU do for one launch, each on a tile of its own, as instructions and as a count of them. The count is
/// made from the same structure as the program, so that it prices millions of drafts; the program is run by the engine.
#include "backends/upmem/dpu/dpu.h"
#include "core/graph/graph.h"

namespace pim::upmem {

/// A tile is one of three forms. Sizes are those of the tasklet with most work.
struct TileShape {
    enum class Form : std::uint8_t {
        Product, ///< y[v][o] += x[v][k] w[o][k]: vectors x outputs sums of \p length products; some vectors stay in WRAM
        ///< while all rows of w stream past them.
        Map, ///< y[i] = f(inputs[i]), \p length elements.
        Sum  ///< y[o] = sum of \p length elements, \p outputs times.
    };
    enum class Function : std::uint8_t { Add, Sub, Mul, Relu, Max };

    Form form = Form::Product;
    DataType type = DataType::I8;
    std::int64_t batches = 1; ///< Products side by side that share nothing.
    std::int64_t vectors = 1, outputs = 1, length = 1;
    Function function = Function::Add; ///< Of a map.
    int inputs = 2;                    ///< Of a map.
    int tasklets = 16;                 ///< With work.
};

/// How a tile goes through WRAM.
struct TileBlocks {
    std::int64_t vectorsInWram = 1; ///< At a time.
    std::int64_t passes = 1;        ///< Over all rows of w.
    std::int64_t chunk = 0;         ///< Elements of a DMA of w, of a map or a sum.
    std::int64_t chunks = 1;        ///< To a whole row.
    bool streamsVectors = false; ///< Not even one vector fits beside a chunk of w: both come chunk by chunk.
    std::int64_t wramBytes = 0;  ///< Of a tasklet.
    std::int64_t rowElements() const { return chunk * chunks; } ///< Padded.
};

/// Bytes of WRAM a tasklet may use: the whole less what the runtime and the stacks take. [PIM-DL artifact 87aee67: 48 KB less
/// 656 B for buffers, the rest are stacks]
std::int64_t wramOfTasklet(int tasklets);

/// ErrorCode::Unsupported with the sizes where not even one chunk fits, or nothing computes this type.
Result<TileBlocks> blocksOf(const TileShape& tile);

/// Where the parts of a tile lie in the MRAM of its tasklet, bytes from its beginning. Product: vectors, each a row; then w, row
/// by row, the same for all batches; then for each pass and output the sums (int32) of the vectors of that pass, padded to 8
/// bytes. Map: inputs, then the result. Sum: rows, then sums of 8 bytes.
struct TileLayout {
    std::int64_t rowBytes = 0; ///< Of a padded row.
    std::int64_t second = 0, result = 0, end = 0;
};
TileLayout layoutOf(const TileShape& tile);

struct TileCost {
    double instructions = 0; ///< Of one tasklet.
    double conflicts = 0;    ///< Cycles lost to register banks, of one tasklet.
    double dmas = 0;         ///< Of one tasklet.
    double dmaBytes = 0;     ///< Of one tasklet.
    std::int64_t mramBytes = 0;
    /// Cycles of the DPU: one tasklet issues every 11th, all together one a cycle, and all DMAs share one engine.
    double cycles(const DpuTiming& timing, int tasklets) const;
};
Result<TileCost> costOf(const TileShape& tile, const DpuTiming& timing);

/// The whole program. The layout of tasklet t begins at t times TileCost::mramBytes.
Result<DpuProgram> programOf(const TileShape& tile, std::string name);

/// Cycles of the program by the engine. What repeats is run twice and counted on: exact to a few cycles a pass.
Result<double> simulatedCycles(const TileShape& tile, const DpuTiming& timing, const TaskContext& task);

/// Instructions of one multiply-accumulate, loads included, and where that number comes from.
struct MacCost {
    double instructions;
    std::string_view source;
};
std::optional<MacCost> macCost(DataType type);
bool computes(DataType type); ///< In instructions of its own, without a library of soft floats.

} // namespace pim::upmem
