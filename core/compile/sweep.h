// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One network compiled for every combination of some values: sizes of its open dimensions, targets, compile options,
/// decisions about an op, drafts of an op by rank. Kernels that points have in common are searched once. A sweep can be left at any point and gone on with later: what is
/// finished is given by its index. A combination that fails is a point with a problem; the rest goes on.
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "core/plan/backend.h"

#include <functional>
#include <set>

namespace pim {

/// One thing that is varied. Its name is that of an open dimension, "target", an option (sweepOptionNames()), or
/// FIELD:OP, a decision about an op; draft:OP takes ranks, 1 for the draft with the least predicted time.
struct SweepAxis {
    enum class Kind { Dimension, Target, Option, Decision };
    std::string name;
    std::vector<std::string> values; ///< As they are written.
    Kind kind = Kind::Dimension;     ///< Known after prepareSweep().
    friend bool operator==(const SweepAxis&, const SweepAxis&) = default;
};
std::string_view name(SweepAxis::Kind kind); ///< "dimension", "target", "option", "decision"
std::optional<SweepAxis::Kind> sweepAxisKind(std::string_view name);

/// "seq=32,64,128" or "seq=32..2048" (doubling); axes separated by ";". Error::Usage names what is not understood.
Result<std::vector<SweepAxis>> parseSweep(std::string_view text);
/// What parseSweep() reads back.
std::string sweepText(const std::vector<SweepAxis>& axes);
/// Combinations; 0 where an axis has no values or there are more than anybody could count.
std::int64_t sweepSize(const std::vector<SweepAxis>& axes);
/// One value an axis; the last axis is the fastest.
std::vector<std::string> sweepValues(const std::vector<SweepAxis>& axes, std::int64_t index);

/// All a sweep is made from.
struct SweepSetup {
    std::shared_ptr<const ImportedModel> model;
    GraphOptions graph;
    PlanRequest request; ///< Its graph is not used.
    std::vector<SweepAxis> axes;
    /// One a value of the axis "target"; empty without one.
    std::vector<std::shared_ptr<const Target>> targets;
    std::shared_ptr<const Graph> base; ///< The model with none of the values put in.
    /// Asked before a search that simulates, told what it found; may be null.
    std::shared_ptr<DraftTable> drafts;
};

struct SweepPoint {
    std::int64_t index = 0;          ///< Which combination.
    std::vector<std::string> values; ///< One an axis.
    double totalNs = 0, hostOnlyNs = 0;
    double macs = 0; ///< Multiply-accumulates of the network at these sizes.
    std::vector<Baseline> baselines;
    std::vector<std::pair<std::string, double>> figures; ///< PlanDetail::figures().
    double compileMs = 0;
    std::string problem; ///< Why there is no result for these values; empty: there is one.

    double macsPerSecond() const { return totalNs > 0 ? macs / totalNs * 1e9 : 0; }
};

/// Names an axis may have in addition to those of open dimensions and decisions, with the values of each.
std::vector<std::pair<std::string, std::string>> sweepOptionNames(const BackendList& backends);

/// Finds out what each axis varies, finds the targets, builds SweepSetup::base and checks all values that can be checked
/// without compiling. \p host: beside each target, instead of its own; empty: its own. Errors: Usage (an axis nobody
/// knows, a value that cannot be, no or more than 10 000 combinations), NotFound (a target), Cancelled.
Result<void> prepareSweep(const BackendList& backends, SweepSetup& setup, const TargetCatalog& catalog,
                          std::string_view host = {}, const TaskContext& task = {});

/// Called with each point as it is finished, on the calling thread; an error ends the sweep.
using SweepPointDone = std::function<Result<void>(SweepPoint)>;
/// Computes what is not in \p finished, in order. \p setup: prepared. Errors: Cancelled, and those of \p done.
Result<void> sweep(const BackendList& backends, const SweepSetup& setup,
                   const std::set<std::int64_t>& finished, const SweepPointDone& done,
                   const TaskContext& task = {});

/// What stands out among the points there are, problems left out.
struct SweepMarks {
    /// Of all points with the same sizes the one with the least time, where something else than sizes varies; else the
    /// one with the most work per second.
    std::vector<bool> best;
    /// No other point has both less time and more work per second (the Pareto front).
    std::vector<bool> front;
};
SweepMarks markSweep(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points);

} // namespace pim
