// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the compiler decided for a whole network and what it costs. Flow: Graph + Target + Overrides -> [Plan] ->
/// program, project, report, views. Immutable, shared as `std::shared_ptr<const Plan>`.
#include "core/graph/graph.h"
#include "core/hardware/target.h"
#include "core/plan/device.h"
#include "core/plan/options.h"
#include "core/plan/override.h"
#include "core/plan/parts.h"
#include "core/plan/plan_detail.h"
#include "core/tiling/tiling.h"

#include <array>
#include <map>
#include <memory>
#include <optional>

namespace pim {

/// Where a figure comes from. Predicted and simulated figures are never shown alike.
enum class Origin : std::uint8_t { Predicted, Simulated };
std::string_view name(Origin origin);

/// Time of an op or a network in its parts, nanoseconds. The parts are the total: there is no other.
/// [input, compute, output: the three steps of DCC Fig. 1]
struct CostSplit {
    double inputNs = 0;      ///< Rearrangement of streamed inputs: host memory read + PIM write.
    double computeNs = 0;    ///< PIM units busy.
    double outputNs = 0;     ///< Rearrangement of outputs, partial results merged.
    double modeSwitchNs = 0; ///< Entering and leaving PIM mode, programming the units, switching arrays.
    double rewriteNs = 0;    ///< Weights written into compute arrays while the network runs.
    double hostNs = 0;       ///< Run on the host instead.

    double totalNs() const { return inputNs + computeNs + outputNs + modeSwitchNs + rewriteNs + hostNs; }
    CostSplit& operator+=(const CostSplit& other);
};

/// The parts of a CostSplit, in the order in which they are shown and stored; the one list of them.
struct CostPartInfo {
    std::string_view key;     ///< "mode_switch": with "_ns" behind it the name in JSON and in the project.
    std::string_view label;   ///< "mode switch"
    std::string_view meaning; ///< For a person who was not there.
    double CostSplit::*ns;
};
inline constexpr std::array<CostPartInfo, 6> kCostSplitParts{{
    {"input", "input rearrangement", "operands brought to where PIM needs them", &CostSplit::inputNs},
    {"compute", "compute", "PIM units at work", &CostSplit::computeNs},
    {"output", "output rearrangement", "results brought back, partial results merged", &CostSplit::outputNs},
    {"mode_switch", "mode switch", "entering and leaving PIM mode, programming the units, switching arrays",
     &CostSplit::modeSwitchNs},
    {"rewrite", "weight rewrite", "weights written into compute arrays while the network runs",
     &CostSplit::rewriteNs},
    {"host", "host", "ops that run on the host", &CostSplit::hostNs},
}};

/// "total_ns" and every part under its key with "_ns" behind it.
std::map<std::string, double> partsNs(const CostSplit& cost);

/// Where a tensor of an offloaded op is when the kernel starts.
enum class Residency : std::uint8_t {
    Resident, ///< Lies in PIM already (weights, KV cache); loaded once, cost reported apart.
    Streamed, ///< Comes from host memory during the kernel.
    Produced, ///< Left in PIM by the op before; crosses the bus to change layout, but not host memory.
    /// Lies where the op before left it and the next one reads it, so it does not move at all (op_chain.h).
    InPlace,
};
std::string_view name(Residency residency);

struct TensorPlan {
    TensorId tensor;
    std::string name;
    Residency residency = Residency::Streamed;
    bool overridden = false;
    std::int64_t bytes = 0; ///< In the compute type.
    double loadNs = 0;      ///< Resident: time to bring it in once; not part of CostSplit.
};

/// How far the draft of an op was checked beyond its price. Times are those on PIM, without the host's memory.
struct DraftCheck {
    double priceNs = 0;                ///< By formula.
    std::optional<double> predictedNs; ///< By CompileOptions::predictor, which ranked the drafts then.
    std::optional<double> simulatedNs; ///< Command by command; the price of the op is made of this one then.
    int simulated = 0;                 ///< Drafts that were simulated; the fastest was taken.
    int rank = 1;                      ///< That it had among them before.
    /// It takes at most this share longer than the fastest draft that the rules leave; absent: nothing is known.
    std::optional<double> lossAtMost;
    /// Answered by the project's table (draft_table.h), as the search had found it.
    bool wasKnown = false;
    /// "fastest of 8 simulated; at most 3.0 % from the optimum"; empty without simulation.
    std::string text() const;
};

/// Decision and price for one op.
struct OpPlan {
    OpId op;
    DeviceId placement;
    bool placementOverridden = false;
    std::string reason; ///< "PIM 3.2× faster than a100: memory-bound, AI 1.0 FLOP/B"
    CostSplit cost;     ///< Of the placement chosen.
    Origin origin = Origin::Predicted;
    bool hostKnown = false; ///< False: cost on the host is unknown (unknown op) and counted as 0.
    double hostNs = 0;      ///< If it ran on the host.
    /// If it ran on PIM with its best (or overridden) draft; absent: it cannot.
    std::optional<CostSplit> pimCost;
    std::string pimVerdict;                   ///< Why it cannot, in words; empty if it can.
    std::shared_ptr<const TilingSpace> space; ///< Set where PIM can run it.
    std::optional<Draft> draft;               ///< The draft of pimCost.
    bool draftOverridden = false;
    OpId takesFrom; ///< Valid: the op right before on PIM, whose result it takes in place.
    std::optional<DraftCheck> draftCheck; ///< Set where a search chose the draft.
    std::int64_t draftsEnumerated = 0;
    std::int64_t draftsKept = 0;
    std::vector<TensorPlan> tensors; ///< Of the kernel; empty for an op PIM cannot run.
    /// What the draft takes of a PIM core from run to run (resident tensors); fullest core, whole rows.
    std::int64_t keptCoreBytes = 0;
    /// And what it takes only while it runs; ops share it, one after the other (core_memory.h).
    std::int64_t passingCoreBytes = 0;

    bool onHost() const { return placement.onHost(); }
};

/// One step of the compile itself.
struct StageTime {
    std::string name; ///< "search", "placement"
    double milliseconds = 0;
    std::int64_t items = 0; ///< What was handled: ops, drafts, …
    std::string unit;       ///< "ops"
};

/// Another way to run the same network on the same machine, which a speed-up is shown over.
struct Baseline {
    /// What the network-wide decision "strategy" is set to, to open it as a plan of its own.
    std::string id;
    std::string name; ///< "all arrays compute (CIM-MLC-like)"
    double totalNs = 0;
};

struct Plan {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const Target> target;
    Overrides overrides;
    std::vector<OpPlan> ops;   ///< One an op of the graph, same order.
    CostSplit total;           ///< Sum over ops, in op order.
    double hostOnlyNs = 0;     ///< All ops on the host: the baseline of every speed-up shown.
    double residentLoadNs = 0; ///< Bringing in all resident tensors once.
    std::int64_t residentBytes = 0;
    /// Memory of one PIM core for tensors; 0: not known, or the machine has no such cores.
    std::int64_t coreBytes = 0;
    Origin origin = Origin::Predicted;
    /// Number type used for all floating-point tensors, on host and PIM alike. Over several machines: of the first part; each
    /// has its own.
    DataType computeType = DataType::F16;
    bool overlapHostTransfer = false;         ///< As in CompileOptions.
    CodePasses codePasses;                    ///< Likewise.
    std::shared_ptr<const PlanDetail> detail; ///< Null for machines that run op by op.
    std::vector<Baseline> baselines;          ///< Beside host only.
    std::vector<StageTime> stages;
    /// Of a network that is spread over several machines, \ref target being the first of them; empty where there is one.
    std::vector<Device> devices;
    std::vector<PlanPart> parts;     ///< In the order in which they run, one after the other.
    std::vector<Transfer> transfers; ///< Their times are in OpPlan::cost, of the op that waits for them.
    /// Ops on the host because nothing else can run them, capacity, stale overrides.
    Diagnostics problems;

    const OpPlan& opPlan(OpId id) const { return ops[id.index()]; }
    double speedupOver(const Baseline& baseline) const {
        return total.totalNs() > 0 ? baseline.totalNs / total.totalNs() : 0;
    }
    /// See PlanDetail.
    std::optional<double> firstSampleNs() const { return detail ? detail->firstSampleNs() : std::nullopt; }
    double speedup() const { return total.totalNs() > 0 ? hostOnlyNs / total.totalNs() : 0; }
};

/// "host", "PIM" where there is one machine, else the name of the machine.
std::string deviceName(const Plan& plan, DeviceId device);

/// The machine itself, not for the host.
const Target& targetOf(const Plan& plan, DeviceId device);

/// Why a plan is slower or faster than another for an op, in words, from the breakdown.
std::string explainDifference(const CostSplit& a, const CostSplit& b);

} // namespace pim
