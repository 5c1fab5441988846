// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One kernel on one machine in all the ways that are compared: GPU, published mapping, our choice; simulated command by
/// command. Flow: EvaluatedKernel + Target -> [Comparison] -> figures.h.
#include "app/evaluation/kernels.h"
#include "core/drafts/draft_choice.h"
#include "core/hardware/catalog.h"
#include "core/plan/backend.h"

#include <map>
#include <mutex>

namespace pim::evaluation {

/// Under which rules a machine is timed. All on: what our device files know.
struct Rules {
    /// All-bank activations keep the four-activate window (tFAW); AttAcc's simulator leaves it out.
    bool activateWindow = true;
    /// The sequences that switch HBM-PIM between its modes count; the paper's times have no room for them.
    bool modeSwitches = true;
    /// MACs of all banks keep the distance that power allows; AttAcc's "full" system has none.
    bool powerLimit = true;
    auto operator<=>(const Rules&) const = default;
};
inline constexpr Rules kStrict{};
inline constexpr Rules kAsInPaper{false, false, true};
std::string name(const Rules& rules); ///< "strict", "no activate window, no mode switches"

/// One draft of a kernel, simulated, host memory included.
struct TimedDraft {
    Draft draft;
    std::string text; ///< TilingSpace::draftText
    CostSplit cost;   ///< Without mode switches where the rules leave them out.
    double rearrangementNs() const { return cost.inputNs + cost.outputNs; }
};

struct Comparison {
    EvaluatedKernel kernel;
    std::shared_ptr<const Target> target;
    std::shared_ptr<const TilingSpace> space;
    std::vector<Residency> residency; ///< One a kernel tensor.
    double gpuNs = 0;
    TimedDraft fixed, chosen;
    /// The published mapping in plain code: all passes of the optimiser left out but commands for whole
    /// groups, which AttAcc and HBM-PIM have by themselves.
    TimedDraft plainFixed;
    /// The best of those whose compute time alone is least [DCC §II-B, TVM-based].
    TimedDraft computeFirst;
    std::int64_t drafts = 0, simulated = 0;

    double gain() const { return fixed.cost.totalNs() / chosen.cost.totalNs(); } ///< Over the fixed mapping.
    double gainOverPlain() const { return plainFixed.cost.totalNs() / chosen.cost.totalNs(); }
    double fixedSpeedup() const { return gpuNs / fixed.cost.totalNs(); } ///< Over the GPU.
    double chosenSpeedup() const { return gpuNs / chosen.cost.totalNs(); }
};

struct EvaluationOptions {
    /// CompileOptions::verifyDrafts: those with the best predicted times are simulated first.
    int verified = kVerifiedDrafts;
    int threads = 0; ///< 0: as many as the machine has.
};

/// Remembers what it has compared. Thread-safe; results stay valid as long as it lives.
class Evaluator {
public:
    /// All three outlive it.
    Evaluator(const BackendList& backends, const TargetCatalog& catalog, EvaluationOptions options);

    /// Errors: NotFound (target), Unsupported (kernel or mapping), Cancelled.
    Result<const Comparison*> compare(const EvaluatedKernel& kernel, const std::string& target,
                                      const Rules& rules, const TaskContext& task);
    /// The target with what \p rules change.
    Result<std::shared_ptr<const Target>> target(const std::string& id, const Rules& rules);
    /// All that were compared under strict rules, by target and kernel text.
    std::vector<const Comparison*> strictComparisons();
    const BackendList& backends() const { return m_backends; }
    const EvaluationOptions& options() const { return m_options; }

private:
    Result<Comparison> compareAnew(const EvaluatedKernel& kernel, std::shared_ptr<const Target> target,
                                   const Rules& rules, const TaskContext& task) const;

    const BackendList& m_backends;
    const TargetCatalog& m_catalog;
    EvaluationOptions m_options;
    std::mutex m_mutex;
    std::map<std::string, std::unique_ptr<Comparison>> m_known; ///< By target, rules and kernel text.
    std::map<std::string, std::shared_ptr<const Target>> m_targets;
};

double geomean(const std::vector<double>& values);

} // namespace pim::evaluation
