// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Trains a predictor for a target [DCC §IV-D, offline training], and holds one against the truth. Flow: kernels -> drafts that
/// cover the space, of kernels held out all that may be the fastest -> simulated -> features and corrections ->
/// [LearnedPredictor]. The same target, kernels and options give the same model to the last bit.
#include "core/drafts/priced_drafts.h"
#include "core/predict/learned_predictor.h"

#include <functional>

namespace pim {

/// Which drafts of a kernel are simulated. All counts at most; a draft is taken once.
struct SampleOptions {
    int cheapest = 16; ///< By price.
    int quantiles = 6; ///< At equal steps of the logarithm of the rank by price, to the dearest.
    int diverse = 6;   ///< The cheapest of each further way to map and to spread over groups and cores.
    int random = 4;    ///< Drawn from all by TrainOptions::seed.
    TilingOptions tiling{.everyAllocation = false};
};

/// Sizes of each kind of kernel where nobody says how many.
inline constexpr int kTrainingSizes = 20;

/// Every so many kernels of a form one is not learned: error and ranking are measured on it. Of fewer than three none is spared.
inline constexpr std::size_t kHeldOutEvery = 5;

/// One round of growing trees for one form.
struct TrainingRound {
    std::string_view form;
    int round = 0, rounds = 0;       ///< Round 0: before the first tree.
    double trained = 0, heldOut = 0; ///< As LearningCurve has them; heldOut NaN: nothing is held out.
};

struct TrainOptions {
    SampleOptions samples;
    BoosterOptions booster;
    std::uint64_t seed = 0; ///< Of the drafts drawn, and of the features that trees see.
    int threads = 0;        ///< 0: as many as the machine has. The model does not depend on it.
    /// Told of every round, from the threads that train.
    std::function<void(const TrainingRound&)> onRound;
};

/// One simulated draft.
struct DraftSample {
    Draft draft;
    DraftSummary summary;
    KernelPrice price;
    double simulatedNs = 0;
};

/// Positions in \p drafts that cover the space, cheapest first.
std::vector<std::size_t> chooseSamples(const PricedDrafts& drafts, const SampleOptions& options,
                                       std::uint64_t seed);

/// All samples of one kernel.
struct KernelSamples {
    std::shared_ptr<const TilingSpace> space;
    std::vector<Residency> residency;
    std::vector<DraftSample> samples; ///< Cheapest first.
    /// Not to be learned. \ref samples are all drafts that may be the fastest then, and the fastest of them is the fastest there is.
    bool isHeldOut = false;
};

/// Who runs the kernels, on what, and how.
struct SampledMachine {
    const OpwiseBackend& backend;
    std::shared_ptr<const Target> target;
    CompileOptions compile;
};

/// Of the ops that the machine of a plan can run, wherever they are placed; equal ones once, in the order of the ops.
std::vector<Kernel> kernelsOf(const Plan& plan);

/// Which of the kernels are held out.
enum class HoldOut : std::uint8_t {
    Some, ///< One of kHeldOutEvery of each form, in their order.
    All,  ///< To measure a predictor on.
};

/// Studies, samples, simulates all \p kernels; those that the backend cannot run are left out and told in \p problems, and of those that
/// are equal one is taken.
Result<std::vector<KernelSamples>> gatherSamples(const SampledMachine& machine,
                                                 const std::vector<Kernel>& kernels,
                                                 const TrainOptions& options, HoldOut holdOut,
                                                 Diagnostics* problems, const TaskContext& task = {});

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

/// How drafts of kernels that were held out are put in order, one answer a kernel.
std::vector<RankedKernel> rankKernels(const LearnedPredictor& predictor, const Target& target,
                                      std::span<const KernelSamples> kernels, int threads);

} // namespace pim
