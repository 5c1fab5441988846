// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Facet of machines that run op by op, each op as one of many tiling drafts. Flow: op or kernel -> [explore] ->
/// Exploration -> views, sweeps, predictor training; some of it simulated.
#include "core/base/task.h"
#include "core/plan/options.h"
#include "core/plan/plan.h"
#include "core/plan/simulation.h"

#include <memory>
#include <span>
#include <vector>

namespace pim {

class Backend;
struct PlanRequest;

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

class DraftFacet {
public:
    virtual ~DraftFacet() = default;

    /// The passes over its code, in the order in which they work; empty: there are none.
    virtual std::span<const CodePassInfo> codePasses() const { return {}; }
    /// All candidates of one op, priced. Error::Unsupported (with the reason) where PIM cannot run it.
    virtual Result<std::shared_ptr<const Exploration>> explore(const PlanRequest& request, OpId op,
                                                               const TaskContext& task) const = 0;
    virtual Result<std::shared_ptr<const Exploration>> exploreKernel(const Kernel& kernel,
                                                                     std::shared_ptr<const Target> target,
                                                                     const CompileOptions& options,
                                                                     const TaskContext& task) const = 0;
    /// Simulates some drafts of an exploration, in parallel; one answer a draft, in their order. \param drafts positions
    /// in Exploration::drafts. \param threads 0: as many as the machine has. Error::Unsupported where there is no simulator.
    virtual Result<std::vector<SimulatedDraft>> simulateDrafts(const Exploration& exploration,
                                                               std::span<const std::size_t> drafts,
                                                               int threads, const TaskContext& task) const;
};

/// The facet of \p backend. Error::Unsupported where it has none, with what is decided there instead. \param object what
/// drafts were asked for: the name of an op or kernel.
Result<const DraftFacet*> draftsOf(const Backend& backend, std::string_view object);

} // namespace pim
