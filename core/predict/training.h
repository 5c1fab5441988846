// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Trains a predictor for a target [DCC §IV-D, offline training]. Flow: kernels -> drafts that cover the
/// space -> simulated -> features and corrections -> [LearnedPredictor]. The same target, kernels and options
/// give the same model to the last bit.
#include "core/drafts/priced_drafts.h"
#include "core/predict/learned_predictor.h"

namespace pim {

/// Which drafts of a kernel are simulated. All counts at most; a draft is taken once.
struct SampleOptions {
    int cheapest = 16; ///< By price.
    int quantiles = 6; ///< At equal steps of the logarithm of the rank by price, to the dearest.
    int diverse = 6;   ///< The cheapest of each further way to map and to spread over groups and cores.
    TilingOptions tiling{.everyAllocation = false};
};

/// Sizes of each kind of kernel where nobody says how many.
inline constexpr int kTrainingSizes = 16;

struct TrainOptions {
    SampleOptions samples;
    BoosterOptions booster;
    int heldOut = 5; ///< Every so many kernels of a form one is left out of a first training, to learn the
                     ///< error; 0: none.
    int threads = 0; ///< 0: as many as the machine has. The model does not depend on it.
};

/// One simulated draft.
struct DraftSample {
    Draft draft;
    DraftSummary summary;
    KernelPrice price;
    double simulatedNs = 0;
};

/// Positions in \p drafts that cover the space, cheapest first.
std::vector<std::size_t> chooseSamples(const PricedDrafts& drafts, const SampleOptions& options);

/// Simulates drafts in parallel. Those without code are left out.
Result<std::vector<DraftSample>> simulateSamples(const DraftStudy& study, const PricedDrafts& drafts,
                                                 std::span<const std::size_t> chosen, int threads,
                                                 const TaskContext& task = {});

/// All samples of one kernel.
struct KernelSamples {
    std::shared_ptr<const TilingSpace> space;
    std::vector<Residency> residency;
    std::vector<DraftSample> samples;
};

/// Who runs the kernels, on what, and how.
struct SampledMachine {
    const OpwiseBackend& backend;
    std::shared_ptr<const Target> target;
    CompileOptions compile;
};

/// Studies, samples, simulates all \p kernels; those that the backend cannot run are left out and told in \p
/// problems.
Result<std::vector<KernelSamples>> gatherSamples(const SampledMachine& machine,
                                                 const std::vector<Kernel>& kernels,
                                                 const TrainOptions& options, Diagnostics* problems,
                                                 const TaskContext& task = {});

/// Error::Usage if nothing was simulated.
Result<std::shared_ptr<const LearnedPredictor>> trainPredictor(const Target& target, const CodePasses& passes,
                                                               const std::vector<KernelSamples>& kernels,
                                                               const TrainOptions& options,
                                                               const TaskContext& task = {});

/// Online refinement: \p predictor with \p rounds further trees for the form of these samples. [DCC §IV-D,
/// dynamic prediction]
Result<std::shared_ptr<const LearnedPredictor>> refinePredictor(const LearnedPredictor& predictor,
                                                                const Target& target,
                                                                const KernelSamples& samples, int rounds);

/// Mean and worst error of a predictor over samples.
PredictorError predictorError(const LearnedPredictor& predictor, const Target& target,
                              std::span<const KernelSamples> kernels);

} // namespace pim
