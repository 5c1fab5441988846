// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Machines that run a network op by op, each op as one tiled kernel (DRAM-PIM): search the drafts of every distinct
/// kernel, then choose host or PIM for all ops at once.
#include "core/plan/backend.h"
#include "core/plan/draft_facet.h"
#include "core/plan/host_model.h"
#include "core/program/program.h"

#include <map>
#include <span>

namespace pim {

/// Price of one draft, split so that placement can tell what the neighbours change.
struct KernelPrice {
    double busInputNs = 0;  ///< PIM-side write of streamed inputs; paid wherever they come from.
    double busOutputNs = 0; ///< PIM-side read of outputs, merge included.
    double computeNs = 0;
    double modeSwitchNs = 0;
    double totalNs() const { return busInputNs + computeNs + busOutputNs + modeSwitchNs; }
};

/// Prices all drafts of one kernel. Prepared once a kernel; price() is called for every draft, from several threads.
class KernelPricer {
public:
    virtual ~KernelPricer() = default;
    virtual KernelPrice price(const Draft& draft, const DraftSummary& summary) const = 0;
    /// No code of this draft takes less on this machine, whatever its passes: bytes over the bus, MACs over the lanes,
    /// commands over the command bus, the greatest of them. 0: nothing is known.
    virtual double boundNs(const Draft&, const DraftSummary&) const { return 0; }
    /// Time to place one resident tensor under this draft, host read included.
    virtual double residentLoadNs(int kernelTensor, const DraftSummary& summary) const = 0;
    /// What bringing in the new part of a cache takes at least, however short it is: the call.
    virtual double leastLoadNs() const { return 0; }
};

/// What the user decided about the code of one op beside its draft, in the words of the family: value by field.
using CodeDecisions = std::map<std::string, std::string>;

/// A draft, and what the user wants of its code. Lives as long as one call.
struct CodeQuestion {
    const TilingSpace& space;
    const Target& target;
    const std::vector<Residency>& residency; ///< One a kernel tensor.
    Draft draft;                             ///< That the search chose, or the user; without Draft::code.
    bool isGiven = false;                    ///< The user chose it, so it stays.
    const CodeDecisions& decisions;
    bool asksOnlyWhether = false; ///< Any draft will do for an answer, it need not be the fastest.
};

class DraftMeasurer; // draft_choice.h
struct DraftChoice;
struct DraftStudy;

/// One op of a chain (op_chain.h), with the draft it is to have. Residency::InPlace says what it takes and leaves there.
struct ChainedKernel {
    const TilingSpace* space = nullptr;
    Draft draft;
    std::vector<Residency> residency; ///< One a kernel tensor.
};

/// Which element type the ops of a target are taken in: \p wanted if its PIM units know it, else one of the same width
/// that they do know (AiM computes in bf16 where others compute in f16), else \p wanted.
DataType effectiveType(const Target& target, DataType wanted);

/// What an op's tensors are to its commands, one a kernel tensor: what is not there before the kernel comes over the bus.
std::vector<Residency> residencyOf(const std::vector<TensorPlan>& tensors);

/// Id of the pass that leaves results where the next op takes them.
inline constexpr std::string_view kInPlacePass = "in-place";

/// Base of the DRAM-PIM backends. Derived classes say what their units can do and what it costs.
class OpwiseBackend : public Backend, public DraftFacet {
public:
    explicit OpwiseBackend(std::shared_ptr<const HostModel> hostModel);

    const DraftFacet* drafts() const final { return this; }
    const HostModel& hostModel() const { return *m_hostModel; }

    Result<std::shared_ptr<const Plan>> plan(const PlanRequest&, PlanCache*, const TaskContext&) const final;
    std::vector<OverrideField> overrideFields(const Plan& plan, OpId op) const final;
    Result<void> checkOverride(const Plan& plan, const Override& decision) const final;
    Result<std::shared_ptr<const Exploration>> explore(const PlanRequest&, OpId,
                                                       const TaskContext&) const final;
    Result<std::shared_ptr<const Exploration>> exploreKernel(const Kernel&, std::shared_ptr<const Target>,
                                                             const CompileOptions&,
                                                             const TaskContext&) const final;
    Result<std::vector<CodeFile>> lower(const Plan& plan, OpId op, const TaskContext& task) const final;
    /// What a search of this kernel works with. Its elements are taken in the type that the units know, constants and caches
    /// as resident. Error::Unsupported where PIM cannot run it.
    Result<DraftStudy> study(Kernel kernel, std::shared_ptr<const Target> target,
                             const CompileOptions& options) const;
    /// The draft that a compile takes for this kernel, by the very search that plan() uses. \param cache may be null.
    /// Error::Unsupported where PIM cannot run it, or has no room for any draft of it.
    Result<DraftChoice> choose(Kernel kernel, const Target& target, const CompileOptions& options,
                               PlanCache* cache, const TaskContext& task) const;
    /// The same for an op of a network, with what the user decided about it. What its neighbours and chains
    /// (op_chain.h) change is left to plan().
    Result<DraftChoice> choose(const PlanRequest& request, OpId op, PlanCache* cache,
                               const TaskContext& task) const;

protected:
    /// Can the units run this body and type? Error::Unsupported with the reason for a person.
    virtual Result<void> supports(const Kernel& kernel, const Target& target) const = 0;
    virtual TilingResources resources(const Target& target) const = 0;
    /// \param residency one a kernel tensor.
    virtual std::unique_ptr<KernelPricer> pricer(const TilingSpace& space, const Target& target,
                                                 const std::vector<Residency>& residency,
                                                 const CompileOptions& options) const = 0;
    /// Memory of a core that the code of a draft takes, all its tensors; 0: as much as their tiles. Error::Unsupported with
    /// the reason where there is no code for it.
    virtual Result<std::int64_t> codeBytes(const TilingSpace& space, const Draft& draft, const Target& target,
                                           const std::vector<Residency>& residency,
                                           const CodePasses& passes) const;
    virtual Result<Program> lowerKernel(const TilingSpace& space, const Draft& draft, const Target& target,
                                        const std::vector<Residency>& residency,
                                        const CodePasses& passes) const = 0;
    /// Can the second op take the result of the first where its code leaves it, if both are told by Residency::InPlace? The
    /// drafts are equal. Asked only of a backend that has the pass kInPlacePass. Default: no.
    virtual bool fitsInPlace(const ChainedKernel& first, const ChainedKernel& second, const Target& target,
                             const CodePasses& passes) const;
    /// What the user can decide about the code of an op, beside placement, draft, type and residency; empty: nothing.
    virtual std::span<const std::string_view> codeFields() const { return {}; }
    /// Those that \p draft, which is in force, leaves to decide, with values to offer and the one it has.
    virtual std::vector<OverrideField> codeChoices(const TilingSpace& space, const Draft& draft,
                                                   const Target& target) const;
    /// What Draft::code says of all drafts of a kernel under these decisions. Error::IllegalOverride as of decided().
    virtual Result<std::string> codeText(const Kernel& kernel, const CodeDecisions& decisions) const;
    /// The draft that the decisions make of the one they are asked about: Draft::code, and another grid if they want one.
    /// Error::IllegalOverride, its place the field that cannot be had.
    virtual Result<Draft> decided(const CodeQuestion& question) const;
    /// The mapping that the machine's makers published, for this kernel. Error::Unsupported where they have none.
    virtual Result<Draft> fixedDraft(const TilingSpace& space, const Target& target) const;
    /// Bytes a ns that the host's memory moves at most when drafts are simulated; 0: nothing is known, so bounds leave it
    /// out.
    virtual double hostBytesPerNsAtMost(const Target& target) const;
    /// Error::Unsupported where commands cannot be timed. \param target outlives it.
    virtual Result<std::unique_ptr<DraftMeasurer>> measurer(const Target& target,
                                                            const CompileOptions& options) const;

private:
    Result<CodeFile> lowerOp(const Plan& plan, const OpPlan& op) const;
    /// Can the hardware have this draft: is there code for it, and does that fit a core? \returns bytes of a core;
    /// Error::IllegalOverride with what it needs and what there is.
    Result<std::int64_t> checkDraft(const TilingSpace& space, const Draft& draft, const Target& target,
                                    const std::vector<Residency>& residency, const CodePasses& passes) const;
    Result<void> checkDraftDecision(const Plan& plan, const OpPlan& op, const Override& decision) const;
    /// Can the hardware have what decisions make of a draft, beside all that is placed on PIM?
    Result<void> checkCode(const Plan& plan, const OpPlan& op, const Override& decision,
                           const CodeQuestion& question) const;
    Result<void> checkResidency(const Plan& plan, const OpPlan& op, const Override& decision) const;
    Result<void> checkType(const Plan& plan, const OpPlan& op, const Override& decision, DataType type) const;
    std::vector<OverrideField> networkFields(const Plan& plan) const;

    friend class OpwisePlanner; // opwise_planner.h
    std::shared_ptr<const HostModel> m_hostModel;
};

} // namespace pim
