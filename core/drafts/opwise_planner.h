// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The work behind OpwiseBackend: kernels of the ops, search with its cache, prices, placement, words.
#include "core/drafts/dataflow.h"
#include "core/drafts/draft_choice.h"
#include "core/drafts/draft_table.h"
#include "core/drafts/kernel_table.h"
#include "core/drafts/opwise.h"
#include "core/drafts/placement.h"
#include "core/drafts/priced_drafts.h"

#include <deque>
#include <map>
#include <mutex>

namespace pim {

/// What a search over the drafts of one kernel found. Shared by all ops with that kernel.
struct KernelSearch {
    std::shared_ptr<const TilingSpace> space; ///< Null: there is nothing to search, see \ref verdict.
    std::string verdict;                      ///< Why PIM cannot run it; empty if it can.
    Draft draft;                              ///< The cheapest, or the one asked for.
    DraftSummary summary;
    KernelPrice price;
    EnumerationCounts counts;
    std::vector<double> residentLoadNs; ///< One a kernel tensor; 0 for streamed ones.
    double leastLoadNs = 0;             ///< KernelPricer::leastLoadNs().
    /// Memory of a core that its code takes; 0: as much as the tiles.
    std::int64_t codeBytes = 0;
    Origin origin = Origin::Predicted; ///< Of the price.
    std::optional<DraftCheck> check;   ///< Of a draft that was searched.
};

struct ChainSearch; // op_chain.h
struct ChainChoice;
struct OpChain;

struct PlanCache::State {
    std::mutex mutex;
    /// By everything the result depends on.
    std::map<std::string, std::shared_ptr<const KernelSearch>> searches;
    std::map<std::string, std::shared_ptr<const ChainSearch>> chains;
    struct Network {
        std::string key;
        std::shared_ptr<const Graph> graph;
        std::shared_ptr<const Target> target;
        std::shared_ptr<const PlanDetail> detail;
    };
    std::deque<Network> networks; ///< Kept last in front.
    // Lock themselves; several caches may have them in common.
    std::shared_ptr<KernelTable> kernels = std::make_shared<KernelTable>();
    std::shared_ptr<SpaceTable> spaces = std::make_shared<SpaceTable>();
};

/// What the user decided about one op, checked.
struct OpDecisions {
    std::optional<DeviceId> placement;
    bool placementIsNetworkWide = false;
    std::optional<DataType> dtype;
    std::optional<std::string> draft;
    std::map<std::string, Residency> residency; ///< By name of the graph tensor.
    CodeDecisions code;
    bool concernDraft() const { return draft || !code.empty(); }
};
/// Error::IllegalOverride for ops and fields that do not exist and values no op could take. \param codeFields of the family.
Result<std::vector<OpDecisions>> readDecisions(const Graph& graph, const Target& target,
                                               const Overrides& overrides,
                                               std::span<const std::string_view> codeFields);
/// One of them, whatever op it is about: field and form of the value.
Result<OpDecisions> readDecision(const Target& target, const Override& decision,
                                 std::span<const std::string_view> codeFields);
/// Those about the code of the op of that name.
CodeDecisions codeDecisions(const Overrides& overrides, const std::string& op,
                            std::span<const std::string_view> codeFields);
/// "Conv_12/draft", "network/dtype": where a message about a decision points.
std::string placeOf(const Override& decision);

/// One op while it is planned.
struct PlannedOp {
    DataType type = DataType::F16;
    HostCost host;
    std::shared_ptr<const Kernel> kernel;
    std::shared_ptr<const std::string> text; ///< Kernel::text()
    std::string verdict;                     ///< Why there is no kernel or it cannot run.
    std::vector<Residency> residency;        ///< One a kernel tensor.
    std::vector<bool> residencyOverridden;
    /// One a kernel tensor: its way through host memory, where it takes it.
    std::vector<double> hostNs;
    std::string code;    ///< Draft::code of drafts that are only looked at.
    double appendNs = 0; ///< New part of resident caches, brought in on every run.
    std::shared_ptr<const KernelSearch> search;
    OpId takesFrom;          ///< OpPlan::takesFrom
    double chainSavedNs = 0; ///< By the price, of all ops of its chain; 0: it is in none.
    double onHostNs() const { return host.known ? host.ns : 0; } ///< 0: not known.
    bool canRunOnPim() const { return search && search->verdict.empty(); }
};

/// Plans for one backend and one target. Not copied, lives as long as one call.
class OpwisePlanner {
public:
    OpwisePlanner(const OpwiseBackend& backend, const Target& target, const CompileOptions& options);

    /// Kernel, residency and host cost of one op; no search yet. \param kernels of the graph.
    PlannedOp prepare(const Graph& graph, OpId op, const OpDecisions& decisions,
                      KernelTable::Network& kernels) const;
    PlannedOp prepare(const std::shared_ptr<const Graph>& graph, OpId op,
                      const OpDecisions& decisions) const {
        KernelTable::Network kernels(graph);
        return prepare(*graph, op, decisions, kernels);
    }
    /// A kernel that stands alone, its elements in the type that the units know; what may lie in PIM before does.
    PlannedOp prepare(Kernel kernel) const;
    /// What a plan would take for the op on PIM, were it alone.
    Result<DraftChoice> choose(const PlannedOp& op, const OpDecisions& decisions, PlanCache* cache,
                               const TaskContext& task) const;
    /// \param decisions a draft among them is priced instead of searching for one.
    Result<std::shared_ptr<const KernelSearch>> search(const PlannedOp& op, const OpDecisions& decisions,
                                                       PlanCache* cache, const TaskContext& task) const;
    /// Price of \p op on PIM; the neighbours decide what goes through host memory.
    CostSplit pimCost(const PlannedOp& op, const KernelPrice& price,
                      const std::vector<bool>& throughHost) const;
    /// What one operand adds on the host side, given what the bus takes for all streamed operands.
    double hostReadNs(const PlannedOp& op, std::size_t tensor, double busInputNs) const;

    Result<std::shared_ptr<const Plan>> plan(const PlanRequest& request, PlanCache* cache,
                                             const TaskContext& task) const;
    Result<std::shared_ptr<const Exploration>> explore(const Graph* graph, OpId op, PlannedOp planned,
                                                       std::shared_ptr<const Target> target,
                                                       const TaskContext& task) const;
    /// What the host's memory takes at least, when drafts of the op are simulated: operands from there, results to it.
    double hostBound(const std::vector<TensorPlan>& tensors) const;
    std::vector<TensorPlan> tensorPlans(const Graph* graph, const PlannedOp& op) const;
    DataType elementType() const { return effectiveType(m_target, m_options.computeType); }

private:
    /// Null: the price ranks its drafts.
    const DraftPredictor* predictorOf(const Kernel& kernel) const {
        const DraftPredictor* const asked =
            m_options.predictor ? &m_options.predictor->of(m_target) : nullptr;
        return asked && asked->knows(kernel, m_target) ? asked : nullptr;
    }
    std::string whyNot(const Kernel& kernel) const; ///< The units cannot run it; empty: they can.
    std::string knownWhyNot(const OpKernel& kernel) const;
    Result<std::optional<Draft>> givenDraft(const TilingSpace& space, const std::string* draft) const;
    Result<void> takeDraft(KernelSearch& found, const Draft& draft, const KernelPricer& pricer) const;
    /// The same for a draft that nobody searched for: simulated if drafts are.
    Result<void> takeGiven(KernelSearch& found, const Draft& draft, const KernelPricer& pricer,
                           const std::vector<Residency>& residency, double hostNs,
                           const TaskContext& task) const;
    /// Searches, or takes what \p table knows; tells it what was found. \param table may be null. False: no draft fits.
    Result<bool> chooseDraft(KernelSearch& found, SpaceTable::Entry& entry, const KernelPricer& pricer,
                             const std::vector<Residency>& residency, double hostNs, DraftTable* table,
                             const TaskContext& task) const;
    KnownDraft questionOf(const Kernel& kernel, const std::vector<Residency>& residency, double hostNs) const;
    /// False: it cannot be what a search of this code found.
    bool takeKnown(KernelSearch& found, const KnownDraft& known, const KernelPricer& pricer) const;
    /// False: no draft fits.
    Result<bool> searchDrafts(KernelSearch& found, SpaceTable::Entry& entry, const KernelPricer& pricer,
                              const std::vector<Residency>& residency, double hostNs,
                              const TaskContext& task) const;
    /// Is simulating worth its time? Placement takes the host anyway where PIM is predicted to take many times as long, and
    /// prompts of language models have products that take seconds to simulate.
    bool isWorthMeasuring(double pimNs, double hostNs) const {
        return m_measurer && (hostNs <= 0 || pimNs <= kHopeless * hostNs);
    }
    static constexpr double kHopeless = 4; ///< Predictions are off by far less.
    /// Simulates those ranked best. Nothing: there is no code for any of them.
    struct Verified {
        std::size_t draft = 0; ///< The fastest.
        KernelPrice price;
        DraftCheck check;
    };
    Result<std::optional<Verified>> verify(const TilingSpace& space, const PricedDrafts& priced,
                                           std::span<const double> rankedNs, double rankedOff,
                                           const std::vector<Residency>& residency,
                                           const TaskContext& task) const;
    /// What a search depends on beside \ref m_context. The time on the host is among it where drafts are simulated, which they
    /// are not where PIM is hopeless beside it.
    std::string searchKey(const PlannedOp& op, const OpDecisions& decisions) const;
    Result<std::vector<PlannedOp>> prepareAll(const PlanRequest& request,
                                              const std::vector<OpDecisions>& decisions,
                                              KernelTable::Network& kernels, const TaskContext& task) const;
    Result<std::int64_t> searchAll(std::vector<PlannedOp>& ops, const Graph& graph,
                                   const std::vector<OpDecisions>& decisions, PlanCache* cache,
                                   const TaskContext& task) const;

    // Ops that hand their results on where they lie (op_chain.h).
    Result<void> chainOps(std::vector<PlannedOp>& ops, const Dataflow& flow,
                          const std::vector<DeviceId>& placement, const std::vector<OpDecisions>& decisions,
                          PlanCache* cache, const TaskContext& task) const;
    Result<std::shared_ptr<const ChainSearch>> cachedChain(const OpChain& chain,
                                                           const std::vector<PlannedOp>& ops,
                                                           const std::vector<OpDecisions>& decisions,
                                                           PlanCache* cache, const TaskContext& task) const;
    Result<ChainSearch> searchChain(const OpChain& chain, const std::vector<PlannedOp>& ops,
                                    const std::vector<OpDecisions>& decisions, const TaskContext& task) const;
    /// Drafts that all ops of a chain could have, those of the user before all others; none: they do not go together.
    Result<std::vector<Draft>> chainDrafts(const OpChain& chain, const std::vector<PlannedOp>& ops,
                                           const std::vector<OpDecisions>& decisions,
                                           const TaskContext& task) const;
    /// The ops with one draft; nothing where there is no code that continues from op to op.
    std::vector<ChainedKernel> chainedOps(const OpChain& chain, const std::vector<PlannedOp>& ops,
                                          const Draft& draft) const;
    /// Drafts of the ops for themselves, all together.
    double separateNs(const OpChain& chain, const std::vector<PlannedOp>& ops) const;
    /// Chains are simulated where their ops were.
    bool isChainMeasured(const OpChain& chain, const std::vector<PlannedOp>& ops) const;
    ChainSearch chainSearchOf(const OpChain& chain, const std::vector<PlannedOp>& ops,
                              const ChainChoice& choice, double separateNs, Origin origin) const;
    /// One question an op. \param key all that the answer depends on.
    std::vector<KnownDraft> chainQuestions(const OpChain& chain, const std::vector<PlannedOp>& ops,
                                           const std::string& key) const;
    /// Nothing: the table does not know, or knows what cannot be, which it forgets.
    std::optional<ChainSearch> knownChain(const OpChain& chain, const std::vector<PlannedOp>& ops,
                                          const std::vector<KnownDraft>& asked, DraftTable& table) const;
    std::optional<ChainSearch> takeKnownChain(const OpChain& chain, const std::vector<PlannedOp>& ops,
                                              const std::vector<KnownDraft>& known) const;
    void keepChain(const OpChain& chain, const std::vector<PlannedOp>& ops, std::vector<KnownDraft> asked,
                   const ChainSearch& found, DraftTable& table) const;
    void applyChain(const OpChain& chain, const ChainSearch& found, std::vector<PlannedOp>& ops) const;

    const OpwiseBackend& m_backend;
    const Target& m_target;
    const CompileOptions& m_options;
    std::unique_ptr<DraftMeasurer> m_measurer; ///< Where drafts are verified.
    mutable std::mutex m_verdictsMutex;
    mutable std::map<std::shared_ptr<const std::string>, std::string> m_verdicts; ///< By OpKernel::text.
    std::string m_context; ///< What a search depends on beside the kernel: backend, target, options.
};

/// The reason for a placement, in words with numbers.
struct ReasonFacts {
    const Op* op = nullptr;
    std::string_view hostId;
    HostCost host;
    double intensity = 0; ///< FLOP/B with all elements in the compute type.
    bool isView = false;
    bool appends = false; ///< To a cache, in place.
    DeviceId placement;
    bool overridden = false, networkWide = false;
    std::optional<CostSplit> pim; ///< With the neighbours as they are.
    double pimAloneNs = 0;        ///< Without any way through host memory.
    std::string verdict;          ///< Why PIM cannot.
    std::string spill;            ///< Why it had to leave PIM.
    std::string takesFrom;        ///< The op whose result it takes in place, if any.
    double chainSavedNs = 0;      ///< By the chain, as PlannedOp has it.
};
std::string placementReason(const ReasonFacts& facts);

} // namespace pim
