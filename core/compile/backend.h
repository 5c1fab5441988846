// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The one interface between the compiler and a kind of hardware. A backend plans a whole network, because some
/// machines (crossbar chips, dual-mode chips) cannot decide op by op; machines that can, derive from OpwiseBackend
/// (opwise.h), which does the rest.
#include "core/base/task.h"
#include "core/compile/memory_layout.h"
#include "core/compile/op_places.h"
#include "core/compile/options.h"
#include "core/compile/plan.h"
#include "core/compile/simulation.h"
#include "core/dram_pim/command_trace.h"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace pim {

struct PlanRequest {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const Target> target;
    Overrides overrides;
    CompileOptions options;
};

/// All drafts of one op or kernel, priced. Columns, not objects: there can be a million.
struct Exploration {
    std::shared_ptr<const TilingSpace> space;
    std::shared_ptr<const Target> target;
    OpId op;                         ///< Invalid for a kernel from text.
    std::vector<TensorPlan> tensors; ///< Residency each price assumes.
    CodePasses codePasses;
    std::vector<Draft> drafts;    ///< Kept, cheapest first (ties: enumeration order).
    std::vector<CostSplit> costs; ///< One a draft.
    /// One a draft: simulated, it takes no less (KernelPricer::boundNs and the host's memory); 0: nothing is known.
    std::vector<double> boundsNs;
    /// One a draft: total as CompileOptions::predictor sees it; empty: there is none that knows the kernel.
    std::vector<double> predictedNs;
    Origin origin = Origin::Predicted;
    struct Rejected {
        Draft draft;
        PruneRule rule;
    };
    /// Examples: the first kRejectedShown of each rule, or where a rule only counts kRejectedSampled drawn
    /// from the space.
    std::vector<Rejected> rejected;
    EnumerationCounts counts;
    double hostNs = 0;       ///< The op on the host, for comparison; 0 for a kernel from text.
    double milliseconds = 0; ///< Time it took.
    static constexpr int kRejectedShown = 1000;
};

/// A step of the optimiser that improves the code of a draft and can be left out. [DCC §IV-C]
struct CodePassInfo {
    std::string_view id;      ///< "group-commands"
    std::string_view summary; ///< One sentence.
};

/// Commands for some ops of a plan, in a canonical text form that parses back. The ending of the name tells which:
/// .pim (core/program), .flow (core/dual_mode/flow).
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
    /// Replaces what was there; the few kept last stay.
    void keep(const std::string& key, std::shared_ptr<const PlanDetail> detail);

private:
    std::shared_ptr<DraftTable> m_drafts;
    std::unique_ptr<State> m_state;
};

/// Stateless and thread-safe.
class Backend {
public:
    virtual ~Backend() = default;
    virtual std::string_view id() const = 0;      ///< As in Target::backend.
    virtual std::string_view summary() const = 0; ///< One sentence.

    /// The passes over its code, in the order in which they work; empty: there are none.
    virtual std::span<const CodePassInfo> codePasses() const { return {}; }

    /// What in the target this backend cannot work with: missing timing, zero groups, … Empty: fine.
    virtual Diagnostics checkTarget(const Target& target) const = 0;

    /// Decides everything. Overrides are binding; one that does not fit the graph or is illegal is
    /// Error::IllegalOverride (op, field, value, what is allowed). \param cache may be null.
    virtual Result<std::shared_ptr<const Plan>> plan(const PlanRequest& request, PlanCache* cache,
                                                     const TaskContext& task) const = 0;

    /// What the user can decide about an op under this plan, each value with its verdict.
    virtual std::vector<OverrideField> overrideFields(const Plan& plan, OpId op) const = 0;
    /// Would this decision be legal? Cheap; called while a drag hovers.
    virtual Result<void> checkOverride(const Plan& plan, const Override& decision) const = 0;

    /// All candidates of one op, priced. Error::Unsupported (with the reason) for backends without drafts.
    virtual Result<std::shared_ptr<const Exploration>> explore(const PlanRequest& request, OpId op,
                                                               const TaskContext& task) const = 0;
    virtual Result<std::shared_ptr<const Exploration>> exploreKernel(const Kernel& kernel,
                                                                     std::shared_ptr<const Target> target,
                                                                     const CompileOptions& options,
                                                                     const TaskContext& task) const = 0;

    /// The commands of one op placed on PIM, or, for an invalid \p op, of all of them; ops with equal commands share a
    /// file. A machine that is told what to do for the whole network at once gives the part that concerns the op.
    virtual Result<std::vector<CodeFile>> lower(const Plan& plan, OpId op, const TaskContext& task) const = 0;

    /// Writes what a machine is loaded with beside its programs into \p folder, which exists, piece by piece: it can be larger
    /// than memory. \returns the names of the files; none for most machines.
    virtual Result<std::vector<std::string>> writeData(const Plan& plan, const std::filesystem::path& folder,
                                                       const TaskContext& task) const;

    /// Runs the plan's commands on a simulator. Error::Unsupported for a backend that has none.
    virtual Result<std::shared_ptr<const Simulation>> simulate(const Plan& plan,
                                                               const TaskContext& task) const;
    /// Simulates some drafts of an exploration, in parallel; one answer a draft, in their order. \param drafts positions in
    /// Exploration::drafts. \param threads 0: as many as the machine has. Error::Unsupported as for simulate().
    virtual Result<std::vector<SimulatedDraft>> simulateDrafts(const Exploration& exploration,
                                                               std::span<const std::size_t> drafts,
                                                               int threads, const TaskContext& task) const;
    /// The commands of one op placed on PIM with their times. Error::Unsupported for an op on the host or a machine whose
    /// commands are not those of a DRAM.
    virtual Result<std::shared_ptr<const CommandTrace>> trace(const Plan& plan, OpId op,
                                                              const TaskContext& task) const;
    /// Runs one op placed on PIM on numbers, command by command, as its units compute. \param tensors one a tensor of the
    /// kernel, row-major; outputs may be empty. \returns the same with outputs. Error::Unsupported with the reason where
    /// nothing here runs commands on numbers. \param threads 0: as many as the machine has.
    virtual Result<std::vector<std::vector<float>>> execute(const Plan& plan, OpId op,
                                                            std::vector<std::vector<float>> tensors,
                                                            int threads, const TaskContext& task) const;
    /// Rows of the banks by op; nothing for a machine that has no such banks. What a backend cannot generate has no region.
    virtual Result<MemoryLayout> layout(const Plan& plan, const TaskContext& task) const;
    /// Where the tensors of one op placed on PIM lie. Error::Unsupported as for trace().
    virtual Result<std::shared_ptr<const OpPlaces>> places(const Plan& plan, OpId op) const;
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
