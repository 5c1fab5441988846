// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Networks compiled for every combination of some values: which network, sizes of its open dimensions, targets, figures of a target,
/// compile options, decisions about an op, drafts of an op by rank. Graphs and kernels that points have in common are made and searched once,
/// points are computed side by side and told in order. A sweep can be left at any point and gone on with later: what is
/// finished is given by its index. A combination that fails is a point with a problem; the rest goes on.
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "core/plan/backend.h"

#include <functional>
#include <optional>
#include <set>

namespace pim {

/// One thing that is varied. Its name is "model" (sweep_networks.h), that of an open dimension, "target", an option (sweepOptionNames()), a figure of the machine
/// (targetFigures()), or FIELD:OP, a decision about an op; draft:OP takes ranks, 1 for the draft with the least predicted time.
/// "simulate" and "quick" are options of the sweep itself: a point is also simulated; options that nobody chose are for a first look
/// (OptionInfo::quick) and no draft is simulated.
struct SweepAxis {
    /// A figure varies nothing: its one value is a formula over other figures, of the machine and of the point. Nor does a condition: its name is
    /// what has to hold ("area_mm2 <= 300"), its one value "on". These come last, conditions behind figures.
    enum class Kind { Dimension, Target, Option, Decision, Hardware, Condition, Figure, Model };
    std::string name;
    std::vector<std::string> values; ///< As they are written.
    Kind kind = Kind::Dimension;     ///< But for conditions known after prepareSweep().
    bool isCondition() const { return kind == Kind::Condition; }
    bool varies() const { return kind != Kind::Condition && kind != Kind::Figure; }
    friend bool operator==(const SweepAxis&, const SweepAxis&) = default;
};
std::string_view
name(SweepAxis::Kind
         kind); ///< "dimension", "target", "option", "decision", "hardware", "condition", "figure", "model"
std::optional<SweepAxis::Kind> sweepAxisKind(std::string_view name);

/// Whether one of them has this name.
bool hasAxis(const std::vector<SweepAxis>& axes, std::string_view name);

/// "seq=32,64,128"; ranges "32..2048" (doubling), "1..64*4" (each four times the last), "8..64+8" (each 8 more), "1..1000/7" (7 values,
/// each as many times the last), with units where both ends have the same one ("16MiB..256MiB"); "cost:=device.count*group.count" for a figure of one's own; separated by ";".
/// Models are files or samples, each once. Figures and conditions are put last. Error::Usage names what is not understood.
Result<std::vector<SweepAxis>> parseSweep(std::string_view text);
/// What parseSweep() reads back.
std::string sweepText(const std::vector<SweepAxis>& axes);
/// Combinations; 0 where an axis has no values or there are more than anybody could count.
std::int64_t sweepSize(const std::vector<SweepAxis>& axes);
/// One value an axis; the last axis is the fastest.
std::vector<std::string> sweepValues(const std::vector<SweepAxis>& axes, std::int64_t index);

inline constexpr std::string_view kModelAxis = "model";
inline constexpr std::string_view kEnergyFigure = "system_energy_pj", kPowerFigure = "power_w";

/// One of the networks that the axis "model" names.
struct SweepNetwork {
    std::string name; ///< As the axis has it: a file, or a sample.
    std::filesystem::path path;
    std::map<std::string, std::int64_t> bindings; ///< Its sample's, and those of the sweep that it has.
    std::string hash;                             ///< ModelSource::structureHash of the base.
    std::shared_ptr<const ImportedModel> model;
    std::shared_ptr<const Graph> base; ///< As SweepSetup::base.
};

/// All a sweep is made from.
struct SweepSetup {
    std::shared_ptr<const ImportedModel> model; ///< The first, where models vary.
    GraphOptions graph;
    PlanRequest request; ///< Its graph is not used.
    std::vector<SweepAxis> axes;
    std::int64_t mostPoints =
        1'000'000; ///< Combinations that are allowed; a search computes few of them and allows more.
    /// One a value of the axis "target"; empty without one.
    std::vector<std::shared_ptr<const Target>> targets;
    std::vector<SweepNetwork> networks; ///< Each that the axis "model" names, once; empty without one.
    std::shared_ptr<const Graph> base;  ///< The model with none of the values put in.
    /// Asked before a search that simulates, told what it found; may be null.
    std::shared_ptr<DraftTable> drafts;
};

/// By a condition, as the problem of a point tells: nothing went wrong.
inline bool isLeftOut(std::string_view problem) {
    return problem.starts_with("left out: ");
}

struct SweepPoint {
    std::int64_t index = 0;          ///< Which combination.
    std::vector<std::string> values; ///< One an axis.
    double totalNs = 0, hostOnlyNs = 0;
    double macs = 0; ///< Multiply-accumulates of the network at these sizes.
    std::vector<Baseline> baselines;
    /// PlanDetail::figures(), "area_mm2" where the machine's is known, "simulated_ns" where it was asked for, "system_energy_pj" and "power_w", the
    /// energy by the time, where the energy is known, and the user's own.
    std::vector<std::pair<std::string, double>> figures;
    double compileMs = 0;
    std::string problem; ///< Why there is no result for these values; empty: there is one.
    /// OutsideOps::first; not kept in a project.
    std::string outside;

    bool isLeftOut() const { return pim::isLeftOut(problem); }
    /// "total_ns", "host_only_ns", "macs_per_s", "simulated_macs_per_s" of a point that was simulated, or one of figures; nothing where there is none.
    std::optional<double> figure(std::string_view key) const;
    double macsPerSecond() const { return totalNs > 0 ? macs / totalNs * 1e9 : 0; }
};

/// Names an axis may have in addition to those of open dimensions and decisions, with the values of each.
std::vector<std::pair<std::string, std::string>> sweepOptionNames(const BackendList& backends);

/// Finds out what each axis varies, finds the targets and networks, builds SweepSetup::base and checks all values that can be checked
/// without compiling. \p host: beside each target, instead of its own; empty: its own. Errors: Usage (an axis nobody
/// knows, a value that cannot be, no or more than SweepSetup::mostPoints combinations), NotFound (a target, a model), those of importModel(), Cancelled.
Result<void> prepareSweep(const BackendList& backends, SweepSetup& setup, const TargetCatalog& catalog,
                          std::string_view host = {}, const TaskContext& task = {});

/// Called with each point as it is finished, one at a time, on any of the threads that compute; an error ends the sweep.
using SweepPointDone = std::function<Result<void>(SweepPoint)>;
/// Computes what is not in \p finished, as many at once as CompileOptions::threads, told in order. \p setup: prepared.
/// Errors: Cancelled, and those of \p done.
Result<void> sweep(const BackendList& backends, const SweepSetup& setup,
                   const std::set<std::int64_t>& finished, const SweepPointDone& done,
                   const TaskContext& task = {});

/// Computes points of one sweep in as many batches as one likes; what an earlier batch built and searched is known to a later one.
class SweepEngine {
public:
    /// Both outlive it. \p setup: prepared.
    SweepEngine(const BackendList& backends, const SweepSetup& setup);
    ~SweepEngine();
    /// \p indices: ascending, each once, all of the sweep. Else as sweep(). One call at a time.
    Result<void> compute(const std::vector<std::int64_t>& indices, const SweepPointDone& done,
                         const TaskContext& task = {});

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// What one point is compiled from.
struct PointRequest {
    GraphOptions graph;
    PlanRequest plan;
};
/// \p setup: prepared. Errors: Unsupported (several networks together, a condition that does not hold), what the values of the point cannot be, Cancelled.
Result<PointRequest> pointRequest(const BackendList& backends, const SweepSetup& setup, std::int64_t index,
                                  const TaskContext& task = {});

/// Of work per second, predicted or simulated; of all other figures less is better.
bool moreIsBetter(std::string_view figure);
/// What a point has of \p objectives, turned so that less is better; NaN where it has a problem or no such figure.
std::vector<double> objectivesOf(const SweepPoint& point, const std::vector<std::string>& objectives);

/// Positions of the points of each value of the axis "model"; all of them, without one. What is said of one network is no better or worse than what is
/// said of another.
std::vector<std::vector<std::size_t>> pointsByModel(const std::vector<SweepAxis>& axes,
                                                    const std::vector<SweepPoint>& points);

/// What stands out among the points there are, problems left out.
struct SweepMarks {
    /// Of all points of a model with the same sizes the one with the least time, where something else than sizes varies; else the
    /// one with the most work per second.
    std::vector<bool> best;
    /// No other point of the model is at least as good in all objectives and better in one (the Pareto front).
    std::vector<bool> front;
    /// What the front is by: figures, the less the better but for moreIsBetter().
    std::vector<std::string> objectives;
};
/// \param objectives "total_ns", "macs_per_s" or figures of the points; a point without one of them is not on the front. Empty: time and
/// work per second, or, where the machine varies, time (simulated where all are), and area and energy where all points have them, or time and
/// the user's own figures.
SweepMarks markSweep(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points,
                     std::vector<std::string> objectives = {});

} // namespace pim
