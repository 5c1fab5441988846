// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// CINM's flow as one call (ASPLOS 2025): a cinm program down the levels of a machine, with what was decided for each
/// product and what it costs there.
#include "backends/memristor/occ.h"
#include "core/ir/interpret.h"
#include "core/ir/levels.h"

namespace pim::cinm {

struct FlowOptions {
    std::int64_t size = 64; ///< Cells in a row and in a column of a tile.
    int tiles = 4;
    /// "search" takes the best of all; else an order of loops, boxes, the right operand held: "mnk", "knm", …
    std::string order = "search";
    memristor::TileGoal goal = memristor::TileGoal::Time;
};
/// Error::Usage for numbers or an order that make no sense.
Result<void> check(const FlowOptions& options);

/// A product of the program.
struct Product {
    ir::OperationId op; ///< In the cinm level.
    std::string name;   ///< Of the op of the network, else of its own: "MatMul_3", "cinm.gemm #4"
    ir::GemmShape shape;
    std::int64_t times = 1;         ///< Runs, by the loops around it.
    std::string whyHost;            ///< Not empty: it stays on the host, for this reason.
    memristor::TileChoice choice;   ///< As runs on tiles, for one run.
    memristor::TileCounts baseline; ///< The usual order (mnk, boxes), for one run.
};

struct Flow {
    std::vector<ir::Level> levels; ///< cinm, then cim.
    std::vector<Product> products;
    memristor::TileCounts total, baseline; ///< Of all products on tiles, all runs.
    memristor::TileCost cost, baselineCost;
};
/// Error::Usage as check(), those of lowerAll().
Result<Flow> lowerForTiles(ir::Module cinm, const FlowOptions& options);

/// The same inputs through every level.
struct LevelRun {
    std::string level;
    double milliseconds = 0;
    /// Elements that differ from those of the first level (integers: at all; reals: by more than 1e-4 of the largest).
    std::int64_t wrong = 0;
    std::string firstWrong; ///< "result 0, element 5: 12, expected 13"
};
struct RunOfLevels {
    std::vector<LevelRun> levels;
    std::vector<ir::Array> results; ///< Of the first level.
};
/// Runs "main". \p expected, where not empty, is what the first level is compared with. Errors of the interpreter.
Result<RunOfLevels> runLevels(const Flow& flow, const std::vector<ir::Array>& arguments,
                              const ir::InterpreterOptions& options = {},
                              const std::vector<ir::Array>& expected = {});
/// Arguments for "main" of a program nobody gave numbers for: small integers, reals in [-1, 1).
std::vector<ir::Array> sampleArguments(const ir::Module& module, std::uint64_t seed);

} // namespace pim::cinm
