// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which machine? One network on many machines of all families, and on hosts alone, with one boundary for all: the same graph, the same
/// host, the same number type where the machine knows it. Flow: graph + targets -> [which] -> rows, the plan of each.
///
/// Times are simulated where the family simulates a plan, else predicted; never ranked without saying which. What a family does not
/// know stays unknown.
#include "core/compile/request_price.h"
#include "core/hardware/catalog.h"
#include "core/plan/host_model.h"

#include <functional>
#include <optional>

namespace pim {

/// Bytes of one request over a link of the machine, each once: copies for several banks are not counted.
struct LinkTraffic {
    std::string link; ///< "host link", "global memory", "on-chip network", "main memory bus"
    double bytes = 0;
};

/// Weights, and caches that stay, beside the memory of the units of one machine. Machines that write weights anew in every request, or
/// whose plan is refused where they do not fit, have none.
struct WeightRoom {
    double neededBytes = 0,
           capacityBytes = 0; ///< In the number type of the plan; of the machine as its target is.
    bool fits() const { return neededBytes <= capacityBytes; }
    /// That have room for all of them together, one copy of each.
    std::int64_t machines() const;
};

/// What machines are ordered by.
enum class WhichBy {
    Request, ///< One after the other, weights where they stay.
    Stream,  ///< As many in flight as the machine can.
    First    ///< The first of all: weights are brought in, then a request.
};
/// "request", "stream", "first"
std::string_view name(WhichBy by);
std::optional<WhichBy> whichByFromName(std::string_view name);

struct WhichRow {
    std::string machine; ///< Id of the target, or of the host alone.
    std::string kind;    ///< Id of the backend: "aim"; "host".
    std::string host;    ///< Id of the host that does the rest.
    std::string problem; ///< Not empty: no plan, for this reason; nothing else is set.

    /// One request after the other: from its first byte to its last result, ns.
    double requestNs = 0;
    /// Requests in flight side by side, where the machine can: from one result to the next, ns; else as \ref requestNs.
    double streamNs = 0;
    Origin origin = Origin::Predicted; ///< Of both.
    double predictedNs = 0;            ///< Plan::total, to compare.
    double hostOnlyNs = 0;             ///< The whole network on the host.
    double pimShare = 0;               ///< Of all multiply-accumulates.
    std::int64_t residentBytes = 0;    ///< Weights and caches that stay in the machine.
    std::optional<double>
        loadNs; ///< Bringing them in once; nothing: no model of it, as of programming crossbars.
    std::optional<WeightRoom> room;
    std::vector<LinkTraffic>
        links; ///< Empty: unknown. Counted from the plan: the same whether it was simulated or not.
    /// Of a request: the machine by its causes, and the host while it computes or moves operands. Empty: unknown, as nothing is
    /// known of the machine (or of a host alone).
    EnergyBudget energy;
    std::string energyNote; ///< What the energy leaves out.
    std::optional<Sourced<measure::Area>>
        area;                             ///< Silicon of the machine without its host, or of a host alone.
    DataType computeType = DataType::F16; ///< Another than asked for: not comparable without a grain of salt.
    /// Share of test samples that it gets right in its own numbers; nothing: no data was given, or it cannot run on numbers.
    std::optional<double> accuracy;
    std::string accuracyNote;         ///< Numbers it was measured in, or why it is unknown.
    double milliseconds = 0;          ///< Time it took to find out.
    std::shared_ptr<const Plan> plan; ///< Null for a host alone.

    /// ns; nothing where it is unknown or there is a problem.
    std::optional<double> timeNs(WhichBy by) const;
    /// Mean, of requests that follow each other; unknown with the energy.
    std::optional<measure::Power> power() const;
    /// "fits: 416.0 KiB of 8.000 GiB", "2 machines: 12.31 GiB of 8.000 GiB"; "fits" where a plan is refused otherwise; "unknown".
    std::string roomText() const;
    std::string linksText() const; ///< "host link 21.34 MiB"; "unknown".
};

/// How right a plan is in the numbers of its machine.
struct PlanAccuracy {
    std::optional<double> share; ///< Of the samples; nothing: unknown.
    std::string note;            ///< As WhichRow::accuracyNote.
};
/// Error::Cancelled; else what cannot be run is a note.
using AccuracyOf =
    std::function<Result<PlanAccuracy>(const Backend& backend, const Plan& plan, const TaskContext& task)>;

struct WhichSetup {
    std::shared_ptr<const Graph> graph;
    std::vector<std::shared_ptr<const Target>> targets; ///< With the host that each is to have.
    std::vector<std::shared_ptr<const Host>> hosts;     ///< Alone.
    CompileOptions options;
    bool simulates = true; ///< Else all times are predicted.
    /// Searches as long as those of a compile; else options that nobody chose are OptionInfo::quick.
    bool thorough = false;
    AccuracyOf accuracy;      ///< Empty: nobody asks.
    PlanAccuracy ofHosts;     ///< Of the network as it is, which hosts compute.
    double leastAccuracy = 0; ///< Machines that are less right, or of which it is not known, are problems.
};

/// Options for a first look at a machine: those that nobody chose are OptionInfo::quick. Errors of OptionTable::set().
Result<CompileOptions> quickOptions(const Backend& backend, CompileOptions options);

/// Each machine keeps the host it was published with.
inline constexpr std::string_view kOwnHost = "own";
/// Into \p setup: targets by id, all of the catalog if none is named, each with the same host or kOwnHost; beside them hosts alone: that
/// one and a GPU, or all. Errors of TargetCatalog::find().
Result<void> takeMachines(WhichSetup& setup, const TargetCatalog& catalog,
                          const std::vector<std::string>& ids, const std::string& host);

/// Ids of all machines of a family, "dual-mode" or "dual_mode". Error::NotFound for one that there is not.
Result<std::vector<std::string>> machinesOfKind(const BackendList& backends, const TargetCatalog& catalog,
                                                std::string kind);

/// Called with each row as it is finished, one at a time, on any thread.
using WhichRowDone = std::function<void(const WhichRow&)>;
/// One row for each host, then for each target, in their order; what fails is a row with a problem. Machines are asked side by side
/// (CompileOptions::threads). Error::Cancelled.
Result<std::vector<WhichRow>> which(const BackendList& backends, const HostModel& hostModel,
                                    const WhichSetup& setup, const WhichRowDone& done = {},
                                    const TaskContext& task = {});

/// Positions of rows, the best first. Those whose time is unknown come after them, problems last, in their order.
std::vector<std::size_t> ranked(const std::vector<WhichRow>& rows, WhichBy by);

} // namespace pim
