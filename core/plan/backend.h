// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The one interface between the compiler and a kind of hardware. A backend plans a whole network, because some
/// machines (crossbar chips, dual-mode chips) cannot decide op by op; machines that can, derive from OpwiseBackend
/// (opwise.h), which does the rest. What only some machines have are facets, null where there is none.
#include "core/base/task.h"
#include "core/plan/options.h"
#include "core/plan/plan.h"
#include "core/plan/simulation.h"

#include <memory>
#include <vector>

namespace pim {

class DraftFacet;   // draft_facet.h
class CommandFacet; // command_facet.h
class NumberFacet;  // number_facet.h
class BundleFacet;  // bundle_facet.h
class ReportFacet;  // core/plan/report_facet.h
class TraceFacet;   // trace_facet.h

struct PlanRequest {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const Target> target;
    Overrides overrides;
    CompileOptions options;
};

/// Commands for some ops of a plan, in a canonical text form that parses back. The ending of the name tells which:
/// .pim (core/program), .flow (backends/dual_mode/flow).
struct CodeFile {
    std::string name; ///< "0012_Conv_5.pim"; unique in the plan.
    std::string text;
    std::string summary;   ///< One line for a person: "420 commands: MAC_AB 400, …".
    std::vector<OpId> ops; ///< That it runs, ascending.
};

class DraftTable; // draft_table.h

/// Remembers searches between compiles so that changing one decision costs only that decision. Thread-safe.
class PlanCache {
public:
    /// \param drafts asked before a search that simulates, told what it found; may be null.
    explicit PlanCache(std::shared_ptr<DraftTable> drafts = nullptr);
    ~PlanCache();
    struct State;
    State& state() { return *m_state; }
    DraftTable* drafts() { return m_drafts.get(); }

    /// What was decided about a whole network, by a key that names all it depends on; null: nothing yet.
    std::shared_ptr<const PlanDetail> find(const std::string& key);
    /// Replaces what was there; the few kept last stay, and with them graph and target of \p request: a key may name these by
    /// address, which nothing else gets as long as it is known.
    void keep(const std::string& key, const PlanRequest& request, std::shared_ptr<const PlanDetail> detail);

private:
    std::shared_ptr<DraftTable> m_drafts;
    std::unique_ptr<State> m_state;
};

/// Stateless and thread-safe.
class Backend {
public:
    virtual ~Backend() = default;
    virtual std::string_view id() const = 0;       ///< As in Target::backend.
    virtual std::string_view summary() const = 0;  ///< One sentence.
    virtual std::string_view machines() const = 0; ///< For a sentence: "dual-mode chips".
    /// Options of its own, kept in CompileOptions::family under id(); null: it has none.
    virtual const OptionTable* options() const { return nullptr; }

    /// What in the target this backend cannot work with: missing timing, zero groups, … Empty: fine.
    virtual Diagnostics checkTarget(const Target& target) const = 0;

    /// Decides everything. Overrides are binding; one that does not fit the graph or is illegal is
    /// Error::IllegalOverride (op, field, value, what is allowed). \param cache may be null.
    virtual Result<std::shared_ptr<const Plan>> plan(const PlanRequest& request, PlanCache* cache,
                                                     const TaskContext& task) const = 0;

    /// What the user can decide about an op under this plan (about the network for an invalid \p op), each value with its
    /// verdict.
    virtual std::vector<OverrideField> overrideFields(const Plan& plan, OpId op) const = 0;
    /// Would this decision be legal? Cheap; called while a drag hovers.
    virtual Result<void> checkOverride(const Plan& plan, const Override& decision) const = 0;

    /// The commands of one op placed on PIM, or, for an invalid \p op, of all of them; ops with equal commands share a
    /// file. A machine that is told what to do for the whole network at once gives the part that concerns the op.
    virtual Result<std::vector<CodeFile>> lower(const Plan& plan, OpId op, const TaskContext& task) const = 0;

    /// Runs the plan's commands on a simulator. Error::Unsupported for a backend that has none.
    virtual Result<std::shared_ptr<const Simulation>> simulate(const Plan& plan,
                                                               const TaskContext& task) const;

    // Facets.
    virtual const DraftFacet* drafts() const { return nullptr; }
    virtual const CommandFacet* commands() const { return nullptr; }
    virtual const NumberFacet* numbers() const { return nullptr; }
    virtual const BundleFacet* bundleParts() const { return nullptr; }
    virtual const ReportFacet* reportSections() const { return nullptr; }
    virtual const TraceFacet* traces() const { return nullptr; }
    /// Of a machine without drafts: what is decided instead of them, and where that is seen.
    struct Instead {
        std::string_view what;   ///< "arrays are given to operators segment by segment"
        std::string_view lookAt; ///< "look at the segments of the plan"
    };
    virtual Instead insteadOfDrafts() const { return {}; }
};

/// The backends the product has, by id. Passed down from main(); never global.
class BackendList {
public:
    void add(std::unique_ptr<Backend> backend);
    /// Error::NotFound lists the ids there are.
    Result<const Backend*> find(std::string_view id) const;
    const std::vector<std::unique_ptr<Backend>>& all() const { return m_backends; }

private:
    std::vector<std::unique_ptr<Backend>> m_backends;
};

} // namespace pim
