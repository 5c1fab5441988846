// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// CINM's flow as one call (ASPLOS 2025): a cinm program down the levels of its machines, with where each op runs, why, how, and
/// what that takes. Module -> [lower] -> Flow -> runLevels(), codeOf(), views, `pimc cinm`.
#include "backends/cinm/placement.h"
#include "backends/memristor/tile_run.h"
#include "core/ir/levels.h"

namespace pim::cinm {

struct Flow {
    FlowOptions options;
    std::vector<ir::Level> levels; ///< cinm, then cim and memristor, or cnm and upmem, or both together.
    std::vector<PlacedOp> ops;
    memristor::TileCounts total, baseline; ///< Of all products on tiles, all runs, as numbers of 8 bits.
    memristor::TileCost cost, baselineCost;
    double tilesNs = 0, dpusNs = 0, othersNs = 0,
           hostNs = 0;            ///< Of all placed ops, all runs; tiles with all bits.
    std::int64_t timeUnknown = 0; ///< Ops whose time nobody knows.
};
/// Error::Usage as check(), those of lowerAll(), Cancelled.
Result<Flow> lower(ir::Module cinm, const FlowOptions& options, const TaskContext& task = {});

/// The same inputs through every level.
struct LevelRun {
    std::string level; ///< Also "engine": ops on DPUs run there, the rest as in the first level.
    double milliseconds = 0;
    /// Elements that differ from those of the first level (integers: at all; reals: by more than 1e-4 of the largest).
    std::int64_t wrong = 0;
    std::string firstWrong; ///< "result 0, element 5: 12, expected 13"
    std::string note;       ///< "48 of 512 DPUs on the engine"
};
struct RunOfLevels {
    std::vector<LevelRun> levels;
    std::vector<ir::Array> results; ///< Of the first level.
};
/// Runs "main". \p expected, where not empty, is what the first level is compared with. Errors of the interpreter.
Result<RunOfLevels> runLevels(const Flow& flow, const std::vector<ir::Array>& arguments,
                              const ir::InterpreterOptions& options = {},
                              const std::vector<ir::Array>& expected = {}, const TaskContext& task = {});
/// Error::Unsupported where a value of the program is beyond what machines have. runLevels() asks first.
Result<void> checkMemory(const ir::Module& module);
/// Arguments for "main" of a program nobody gave numbers for: small integers, reals in [-1, 1).
std::vector<ir::Array> sampleArguments(const ir::Module& module, std::uint64_t seed);

/// C: the program with calls of the driver of tiles, or for each different kernel of DPUs its two sources. Error::Unsupported with
/// what cannot be written.
Result<std::vector<CodeFile>> codeOf(const Flow& flow);
/// The driver calls of a flow for tiles alone, in time. Errors of runTiles().
Result<memristor::TileRun> timeTiles(const Flow& flow, const memristor::TileRunOptions& options = {},
                                     const TaskContext& task = {});

} // namespace pim::cinm
