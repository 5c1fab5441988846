// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Decisions and a model or machine that changed since: which still apply, which moved with their op, which
/// are stale and why. A stale one is left out of the plan but never lost: it comes back when it fits again.
/// Used alike by the IDE and `pimc compile --override`.
#include "core/compile/compiler.h"

namespace pim {

/// Decisions on which device of a system an op runs have a field of their own for each system: "device/cinm-server". They are for plans over
/// several machines (system_plan.h), and none of a plan for one.
inline constexpr std::string_view kDeviceField = "device/";
inline bool isOfSystem(const Override& decision) {
    return decision.field.starts_with(kDeviceField);
}
Overrides decisionsForOneMachine(const Overrides& all); ///< Without those.
/// Those of \p all that are for one system.
Overrides decisionsOfSystem(const Overrides& all, std::string_view system);

/// How an op is found again when its name is gone. Taken when it is decided about.
struct OpMark {
    std::string type;
    std::string shapes;        ///< "[1, 64, 56, 56], [64, 64, 3, 3] -> [1, 64, 56, 56]"
    std::int64_t position = 0; ///< In Graph::ops.
    std::int64_t nth = 0,
                 alike = 0; ///< It is the nth (from 0) of so many ops of this type with these shapes.
    std::vector<std::string> inputs; ///< Names of its tensors; "" for an input left out.
    std::string output;              ///< Its first one.
    friend bool operator==(const OpMark&, const OpMark&) = default;
};
using OpMarks = std::map<std::string, OpMark>; ///< By Op::name.

/// Marks of all ops that \p decisions are about: taken from \p graph where it has them, else kept from \p
/// known.
OpMarks marksOf(const Graph& graph, const Overrides& decisions, const OpMarks& known = {});

/// What a file of decisions holds: overrides, and how to find their ops in a changed model.
struct MarkedOverrides {
    Overrides overrides;
    OpMarks marks;
    friend bool operator==(const MarkedOverrides&, const MarkedOverrides&) = default;
};
/// Overrides::json() with a third member, "marks". Canonical.
std::string decisionsJson(const MarkedOverrides& decisions);
/// Reads it, Overrides::json(), or a JSON Patch of either, which is applied to \p base.
/// Error::IllegalOverride.
Result<MarkedOverrides> decisionsFromJson(std::string_view text, const MarkedOverrides& base,
                                          std::string_view where = "overrides");
/// The RFC 6902 patch that turns \p before into \p after, marks included.
std::string decisionsPatch(const MarkedOverrides& before, const MarkedOverrides& after);

enum class Fit : std::uint8_t {
    Applied, ///< To the op of that name.
    Moved,   ///< The op has another name now.
    Stale,   ///< Not in the plan.
};
std::string_view name(Fit fit); ///< "applied", "moved", "stale"

struct FittedDecision {
    Override decision; ///< As it was made.
    Override inForce;  ///< What the plan was told: op and tensor as they are called now. Not for Fit::Stale.
    Fit fit = Fit::Applied;
    std::string reason; ///< Why it moved or is stale; empty for Fit::Applied.
};

struct OverrideFit {
    std::vector<FittedDecision> decisions;             ///< In the order of Overrides::all().
    Overrides inForce() const;                         ///< What a plan for one machine may be asked with.
    Overrides ofSystem(std::string_view system) const; ///< What a plan for a system may be asked with.
    std::int64_t count(Fit fit) const;
    /// The one that decides \p field of the op called \p op now; null if none.
    const FittedDecision* find(const std::string& op, const std::string& field) const;
};

/// By names and marks alone: nothing is planned.
OverrideFit fitToGraph(const Graph& graph, const MarkedOverrides& decisions);

struct FittedPlan {
    std::shared_ptr<const Plan> plan;
    OverrideFit fit;
};
/// compile() with what fits of \p decisions (those of \p request are ignored): what graph, target or the
/// other decisions do not allow is stale, with the reason of the backend.
Result<FittedPlan> compileFitting(const BackendList& backends, PlanRequest request,
                                  const MarkedOverrides& decisions, PlanCache* cache = nullptr,
                                  const TaskContext& task = {});

} // namespace pim
