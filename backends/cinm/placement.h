// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which machine runs which op of a cinm program, and why (CINM, section 3.2.2). The paper has a rule and leaves a model of costs open;
/// here each machine's own model says what an op takes.
#include "backends/cinm/elsewhere.h"
#include "backends/cinm/on_dpus.h"
#include "backends/memristor/occ.h"
#include "core/ir/lower/cim_to_memristor.h"

namespace pim::cinm {

/// Where an op runs.
enum class Machine : std::uint8_t { Host, Tiles, Dpus, Other };
std::string_view name(Machine machine); ///< "host", "memristor", "upmem", "elsewhere"

struct FlowOptions {
    /// "memristor", "upmem": all that this machine can do. "auto": each op where it takes least. "paper": the paper's rule (section
    /// 3.2.2): products on tiles if all their extents are beyond \ref threshold, every other op on DPUs.
    std::string target = "memristor";
    std::int64_t threshold = 64;
    /// Ops by name, or a part of it, and the machine the user wants; of several the last.
    std::vector<std::pair<std::string, std::string>> pins;

    // Tiles.
    std::int64_t size = 64; ///< Cells in a row and in a column of a tile.
    int tiles = 4;
    memristor::OccDevice device;
    memristor::TileWish wish; ///< What the search is not to choose.
    memristor::TileGoal goal = memristor::TileGoal::Time;
    ir::TileSchedule schedule = ir::TileSchedule::Asap;

    // DPUs, and the host of all.
    std::shared_ptr<const Target>
        dpus; ///< A target of the UPMEM family; its host is the host. Null: neither is known.
    DpuSpread spread = DpuSpread::Search;
    /// Machines of other families that "auto" also asks, and pins may name; their ops keep the level of cinm.
    std::vector<std::shared_ptr<const Target>> others;
    const BackendList* backends = nullptr; ///< For \ref others; outlives the call.
    std::vector<bool> constantArguments;   ///< Of "main": stay in MRAM from run to run.
};
/// Error::Usage for numbers, an order, a machine that make no sense, or where DPUs are asked for and not known.
Result<void> check(const FlowOptions& options);

struct TileWork {
    memristor::TileChoice choice;   ///< For one run.
    memristor::TileCounts baseline; ///< The usual order (mnk, boxes), as numbers of 8 bits.
    std::string writes;             ///< How tile writes come about: memristor::writesFormula().
};

/// An op of the program that some machine can do, or the host instead.
struct PlacedOp {
    ir::OperationId op;     ///< In the cinm level.
    std::string name;       ///< Of the op of the network, else of its own: "MatMul_3", "cinm.gemm #4"
    std::string work;       ///< "gemm 64 x 128 x 32"
    std::int64_t times = 1; ///< Runs, by the loops around it.
    Machine machine = Machine::Host;
    std::string reason;                  ///< One sentence.
    std::optional<double> hostNs;        ///< One run; none where no host is known.
    std::optional<TileWork> tiles;       ///< What tiles take, where they can do it and were asked.
    std::shared_ptr<const DpuWork> dpus; ///< Null: not asked.
    std::vector<OtherPrice> others;      ///< One for each of FlowOptions::others.
    std::string where;                   ///< Of Machine::Other: the target.

    std::optional<double> ns() const; ///< One run where it is placed; none: nobody knows.
    std::string machineText() const;  ///< "upmem", or the target of another family.
    std::string mapping() const;      ///< How it is spread there; empty on the host.
};

/// Every op of \p cinm that a machine of \p options can do, and products. \p options are checked. Error::Cancelled.
Result<std::vector<PlacedOp>> placeOps(const ir::Module& cinm, const FlowOptions& options,
                                       const TaskContext& task);

} // namespace pim::cinm
