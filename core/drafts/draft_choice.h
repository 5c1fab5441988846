// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a search asks about drafts beside their price: a learned prediction [DCC §IV-D], and the time that
/// their commands really take. Flow: drafts, prices -> [DraftPredictor] -> order -> [DraftMeasurer] -> the
/// choice.
#include "core/base/task.h"
#include "core/drafts/opwise.h"

#include <optional>
#include <span>

namespace pim {

/// CompileOptions::verifyDrafts of `pimc` and of the window: by then the gain is below a per cent, the cost some milliseconds
/// a kernel. Of these, those that can no longer win are not simulated.
inline constexpr int kVerifiedDrafts = 8;

/// Drafts of one kernel; all spans have one entry per draft.
struct DraftSpans {
    std::span<const Draft> drafts;
    std::span<const DraftSummary> summaries;
    std::span<const KernelPrice> prices;
};

/// Immutable, thread-safe.
class DraftPredictor {
public:
    virtual ~DraftPredictor() = default;
    /// Names the model that was learned, and changes with it; part of a run's provenance.
    virtual std::string_view version() const = 0;
    /// Who of several answers for a target; itself where it is one.
    virtual const DraftPredictor& of(const Target&) const { return *this; }
    /// False: it was not trained for this machine or kind of kernel, so the price decides.
    virtual bool knows(const Kernel& kernel, const Target& target) const = 0;
    /// By what share of the simulated time predictions of this kernel were off at most, over drafts of kernels it had not
    /// learned; nullopt: not known.
    virtual std::optional<double> offAtMost(const Kernel& kernel,
                                            const std::vector<Residency>& residency) const = 0;
    /// What of a kernel it knows lies outside what it has learned, for a person: "n=32768, learned 128 to 16384"; empty: nothing.
    virtual std::string outside(const Kernel&, const std::vector<Residency>&) const { return {}; }
    /// Time of the kernel from the first byte of its inputs to the last of its results, in ns, without the
    /// host's memory. \p ns has one entry per draft. \param residency one a kernel tensor.
    virtual void predict(const TilingSpace& space, const Target& target,
                         const std::vector<Residency>& residency, const DraftSpans& of,
                         std::span<double> ns) const = 0;
};

/// Times drafts of kernels on one target, command by command. Immutable, thread-safe.
class DraftMeasurer {
public:
    virtual ~DraftMeasurer() = default;
    /// Additions of the host that merge partial results are part of the output. Error::Unsupported where
    /// there is no code for the draft; Cancelled.
    virtual Result<KernelPrice> measure(const TilingSpace& space, const Draft& draft,
                                        const std::vector<Residency>& residency,
                                        const TaskContext& task) const = 0;
    /// Ops that hand their results on in place (op_chain.h), one price each. Default: Error::Unsupported.
    virtual Result<std::vector<KernelPrice>> measureChain(std::span<const ChainedKernel> ops,
                                                          const TaskContext& task) const;
    /// SHA-256 of the files that times depend on beside target and options: the memory device.
    virtual std::string inputsHash() const = 0;
};

/// One kernel on one target, for those who weigh its drafts themselves: training, exhaustive search. Movable; the parts
/// refer to each other and belong together.
struct DraftStudy {
    std::shared_ptr<const Target> target;
    std::shared_ptr<const TilingSpace> space;
    std::vector<Residency> residency; ///< One a kernel tensor.
    std::unique_ptr<const KernelPricer> pricer;
    std::shared_ptr<const DraftMeasurer> measurer; ///< Null where commands cannot be timed.
};

/// The draft that a compile takes for one kernel, and how it came to it (OpwiseBackend::choose).
struct DraftChoice {
    std::shared_ptr<const TilingSpace> space;
    std::vector<Residency> residency; ///< One a kernel tensor.
    Draft draft;
    KernelPrice price; ///< Without the host's memory.
    Origin origin = Origin::Predicted;
    std::optional<DraftCheck> check; ///< Absent: the user or the machine's makers gave the draft.
    EnumerationCounts counts;
    double milliseconds = 0; ///< Time it took.
};

/// Ops on PIM whose sizes a predictor has not learned the like of.
struct OutsideOps {
    std::int64_t count = 0;
    std::string first; ///< "mm: n=32768, learned 128 to 16384"
};
OutsideOps outsideOps(const Plan& plan, const DraftPredictor& predictor);

} // namespace pim
