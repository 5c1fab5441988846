// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/training.h"

#include "core/base/hash.h"
#include "core/base/parallel.h"
#include "core/base/split_mix.h"
#include "core/base/version.h"
#include "core/drafts/kernel_form.h"
#include "core/predict/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

namespace pim {
namespace {

/// How a draft maps and roughly how it spreads: what drafts of different classes differ in.
std::vector<int> classOf(const Draft& draft, const DraftSummary& summary) {
    std::vector<int> key{draft.strategy == IndexStrategy::ExactSet ? 1 : 0};
    for (const DraftPart& part : draft.parts) {
        key.push_back(part.mapping);
        key.push_back(part.cores > 1 ? 1 : 0);
        key.push_back(part.groups > 1 ? 1 : 0);
    }
    key.push_back(
        static_cast<int>(std::log2(static_cast<double>(std::max<std::int64_t>(1, summary.coresUsed)))));
    return key;
}

/// Samples of some kernels as the two stages of learning take them.
struct Lessons {
    std::vector<PriceTerms> terms;
    std::vector<double> simulatedNs, priceNs;
    TrainingRows rows; ///< Labels are set by correct().

    /// Labels of the trees: what the weighed formula leaves.
    void correct(const LinearPrice& linear) {
        rows.labels.clear();
        for (std::size_t i = 0; i < terms.size(); ++i)
            rows.labels.push_back(static_cast<float>(std::log(simulatedNs[i] / linear.ns(terms[i]))));
    }
};

Lessons lessonsOf(const Target& target, std::span<const KernelSamples* const> kernels) {
    Lessons lessons;
    TrainingRows& rows = lessons.rows;
    rows.width = draftFeatureList().size();
    for (const KernelSamples* kernel : kernels) {
        const DraftFeatures features(*kernel->space, target, kernel->residency);
        for (const DraftSample& sample : kernel->samples) {
            rows.features.resize(rows.features.size() + rows.width);
            features.write(sample.draft, sample.summary, sample.price,
                           std::span(rows.features).last(rows.width));
            lessons.terms.push_back(features.terms(sample.summary, sample.price));
            lessons.simulatedNs.push_back(sample.simulatedNs);
            lessons.priceNs.push_back(sample.price.totalNs());
        }
    }
    return lessons;
}

template <class Number>
void addBytes(Sha256& sum, const std::vector<Number>& values) {
    sum.add(std::as_bytes(std::span(values)));
}

/// How far predictions are off, as a share of the simulated time. \p corrections one a draft: of the trees.
PredictorError errorOf(const LinearPrice& price, const Lessons& lessons, std::span<const float> corrections) {
    PredictorError error;
    error.drafts = std::ssize(corrections);
    const double share = 1.0 / std::max<double>(1, static_cast<double>(error.drafts));
    for (std::size_t i = 0; i < corrections.size(); ++i) {
        const double linear = price.ns(lessons.terms[i]), simulated = lessons.simulatedNs[i];
        const double off = std::abs(linear * std::exp(static_cast<double>(corrections[i])) / simulated - 1);
        error.mean += share * off;
        error.worst = std::max(error.worst, off);
        error.meanOfLinear += share * std::abs(linear / simulated - 1);
        error.meanOfPrice += share * std::abs(lessons.priceNs[i] / simulated - 1);
    }
    return error;
}

std::vector<double> predicted(const LearnedPredictor& predictor, const Target& target,
                              const KernelSamples& kernel) {
    std::vector<Draft> drafts;
    std::vector<DraftSummary> summaries;
    std::vector<KernelPrice> prices;
    for (const DraftSample& sample : kernel.samples) {
        drafts.push_back(sample.draft);
        summaries.push_back(sample.summary);
        prices.push_back(sample.price);
    }
    std::vector<double> ns(drafts.size());
    predictor.predict(*kernel.space, target, kernel.residency, {drafts, summaries, prices}, ns);
    return ns;
}

std::vector<double> simulatedOf(const KernelSamples& kernel) {
    std::vector<double> ns;
    for (const DraftSample& sample : kernel.samples)
        ns.push_back(sample.simulatedNs);
    return ns;
}

std::vector<const KernelSamples*> partOf(const std::vector<const KernelSamples*>& kernels, bool heldOut) {
    std::vector<const KernelSamples*> part;
    for (const KernelSamples* kernel : kernels)
        if (kernel->isHeldOut == heldOut)
            part.push_back(kernel);
    return part;
}

/// Of a kernel held out, drafts chosen as those that are learned: errors are told of the same choice whoever asks, not led by the
/// many that nobody takes.
KernelSamples chosenOf(const KernelSamples& kernel, const TrainOptions& options) {
    PricedDrafts all;
    for (const DraftSample& sample : kernel.samples) {
        all.drafts.push_back(sample.draft);
        all.summaries.push_back(sample.summary);
        all.prices.push_back(sample.price);
    }
    KernelSamples chosen{kernel.space, kernel.residency, {}, true};
    for (const std::size_t draft : chooseSamples(all, options.samples, options.seed))
        chosen.samples.push_back(kernel.samples[draft]);
    return chosen;
}

std::vector<KernelExtents> extentsOf(const std::vector<const KernelSamples*>& kernels) {
    std::vector<KernelExtents> all;
    for (const KernelSamples* kernel : kernels)
        all.push_back(extentsOf(kernel->space->kernel()));
    return all;
}

/// What is known of one form, to learn from and to judge by.
struct Job {
    std::string form;
    std::vector<const KernelSamples*> known, heldOut;
    Lessons lessons; ///< Of those known.
    Lessons unseen;  ///< Of drafts of those held out, chosen as those that are learned.
    Result<LearnedForm> result = fail(ErrorCode::Cancelled, "training was cancelled");
};

/// Trains one form in stages: the formula, its parts weighed anew, trees on top. A stage is kept where it ranks all drafts of the
/// kernels held out better than the one before, or alike with a lower error: what is learned ranks none of them worse than the formula.
class FormTraining {
public:
    FormTraining(const Target& target, Job& job, const TrainOptions& options, const TaskContext& task)
        : m_target(target), m_job(job), m_options(options), m_task(task) {}

    Result<LearnedForm> run() {
        Lessons& known = m_job.lessons;
        known.correct(LinearPrice());
        BoosterOptions none = m_options.booster;
        none.rounds = 0;
        PIM_TRY(const Booster noTrees, Booster::train(known.rows, none));
        PIM_TRY(Stage stage, judged(LinearPrice(), noTrees));
        PIM_TRY(Stage weighed, judged(LinearPrice::fit(known.terms, known.simulatedNs), noTrees));
        if (isBetter(weighed, stage))
            stage = std::move(weighed);
        const LinearPrice linear = stage.form.linear;
        known.correct(linear);
        LearningCurve curve;
        PIM_TRY(const Booster trees, grown(linear, curve));
        PIM_TRY(Stage corrected, judged(linear, trees));
        // Trees that do not help kernels they have not seen are left out: where the price is the time of the code they have nothing
        // to learn.
        if (m_job.heldOut.empty() || isBetter(corrected, stage))
            stage = std::move(corrected);
        stage.form.curve = std::move(curve);
        return std::move(stage.form);
    }

private:
    struct Stage {
        LearnedForm form;
        double error = 0;       ///< Of drafts held out, of those known where none are.
        RankingFigures regrets; ///< Of kernels held out.
    };

    Result<Stage> judged(const LinearPrice& linear, const Booster& trees) const {
        const bool isWatched = !m_job.heldOut.empty();
        const Lessons& judges = isWatched ? m_job.unseen : m_job.lessons;
        Stage stage{
            {linear, trees, {}, static_cast<std::int64_t>(m_job.lessons.terms.size()), {}, {}, {}, {}, {}},
            0,
            {}};
        std::vector<float> corrections(judges.terms.size());
        PIM_CHECK(trees.predict(judges.rows.features, corrections));
        const PredictorError error = errorOf(linear, judges, corrections);
        stage.error = error.mean;
        if (isWatched)
            stage.form.error = error;
        const LearnedPredictor alone({m_target.id, m_target.hash, {}, 0, {}, {}, {{m_job.form, stage.form}}});
        std::vector<RankedKernel> ranked;
        for (const KernelSamples* kernel : m_job.heldOut)
            ranked.emplace_back().learned =
                regrets(predicted(alone, m_target, *kernel), simulatedOf(*kernel));
        stage.regrets = rankingFigures(ranked);
        return stage;
    }

    static bool isBetter(const Stage& next, const Stage& before) {
        RankingFigures both = next.regrets;
        both.formula = before.regrets.learned;
        both.worstFormula = before.regrets.worstLearned;
        const Verdict verdict = verdictOf(both);
        return verdict == Verdict::Better || (verdict == Verdict::Alike && next.error < before.error);
    }

    Result<Booster> grown(const LinearPrice& linear, LearningCurve& curve) const {
        const Lessons &known = m_job.lessons, &unseen = m_job.unseen;
        const bool isWatched = !m_job.heldOut.empty();
        const auto note = [&](std::span<const float> trained, std::span<const float> watched) {
            const int round = static_cast<int>(curve.trained.size());
            curve.trained.push_back(errorOf(linear, known, trained).mean);
            if (isWatched)
                curve.heldOut.push_back(errorOf(linear, unseen, watched).mean);
            if (m_options.onRound)
                m_options.onRound(
                    {m_job.form, round, m_options.booster.rounds, curve.trained.back(),
                     isWatched ? curve.heldOut.back() : std::numeric_limits<double>::quiet_NaN()});
            return !m_task.cancelled();
        };
        if (!note(std::vector<float>(known.terms.size()), std::vector<float>(unseen.terms.size())))
            return TaskContext::cancelledError("training");
        BoosterOptions options = m_options.booster;
        options.seed = m_options.seed;
        return Booster::train(known.rows, options, {&unseen.rows, note});
    }

    const Target& m_target;
    Job& m_job;
    const TrainOptions& m_options;
    const TaskContext& m_task;
};

RankedKernel rankedBy(const LearnedPredictor& predictor, const Target& target, const KernelSamples& samples) {
    const Kernel& kernel = samples.space->kernel();
    const std::vector<double> simulated = simulatedOf(samples);
    std::vector<double> priced;
    for (const DraftSample& sample : samples.samples)
        priced.push_back(sample.price.totalNs());
    const auto [least, most] = std::minmax_element(simulated.begin(), simulated.end());
    return {kernel.name,
            kernelForm(kernel, samples.residency),
            kernelSizes(kernel),
            extentsOf(kernel),
            std::ssize(simulated),
            *least,
            rankingQuality(priced, simulated),
            rankingQuality(predicted(predictor, target, samples), simulated),
            *least == *most,
            predictor.outside(kernel, samples.residency)};
}

/// Of several with an equal text one is enough.
std::vector<Kernel> distinct(const std::vector<Kernel>& kernels) {
    std::vector<Kernel> kept;
    std::set<std::string> seen;
    for (const Kernel& kernel : kernels)
        if (seen.insert(kernel.text()).second)
            kept.push_back(kernel);
    return kept;
}

Result<KernelSamples> samplesOf(const DraftStudy& study, const PricedDrafts& drafts,
                                std::span<const std::size_t> chosen, const TaskContext& task) {
    KernelSamples samples{study.space, study.residency, {}, false};
    for (const std::size_t draft : chosen) {
        if (task.cancelled())
            return TaskContext::cancelledError("simulating drafts");
        if (const auto run =
                study.measurer->measure(*study.space, drafts.drafts[draft], study.residency, task))
            samples.samples.push_back(
                {drafts.drafts[draft], drafts.summaries[draft], drafts.prices[draft], run->totalNs()});
    }
    return samples;
}

/// All drafts that may be the fastest: those out of reach have bounds above the best time found.
Result<KernelSamples> allSamplesOf(const DraftStudy& study, const TilingOptions& tiling,
                                   const TaskContext& task) {
    for (double reach = kBoundReach;; reach *= 2) {
        PIM_TRY(const PricedDrafts drafts, priceDrafts(*study.space, *study.pricer, tiling, reach, task));
        PIM_TRY(KernelSamples samples, samplesOf(study, drafts, drafts.byPrice(), task));
        samples.isHeldOut = true;
        double best = std::numeric_limits<double>::infinity();
        for (const DraftSample& sample : samples.samples)
            best = std::min(best, sample.simulatedNs);
        if (drafts.outOfReach == 0 || best <= drafts.outOfReachBoundNs)
            return samples;
    }
}

} // namespace

std::vector<std::size_t> chooseSamples(const PricedDrafts& drafts, const SampleOptions& options,
                                       std::uint64_t seed) {
    const std::vector<std::size_t> byPrice = drafts.byPrice();
    const std::size_t count = byPrice.size();
    std::set<std::size_t> ranks;
    std::set<std::vector<int>> classes;
    const auto take = [&](std::size_t rank) {
        ranks.insert(rank);
        const std::size_t draft = byPrice[rank];
        classes.insert(classOf(drafts.drafts[draft], drafts.summaries[draft]));
    };
    for (std::size_t rank = 0;
         rank < std::min(count, static_cast<std::size_t>(std::max(0, options.cheapest))); ++rank)
        take(rank);
    for (int step = 1; step <= options.quantiles && count > 0; ++step)
        take(
            static_cast<std::size_t>(std::pow(static_cast<double>(count), step / double(options.quantiles))) -
            1);
    int wanted = options.diverse;
    for (std::size_t rank = 0; rank < count && wanted > 0; ++rank) {
        const std::size_t draft = byPrice[rank];
        if (!classes.insert(classOf(drafts.drafts[draft], drafts.summaries[draft])).second)
            continue;
        ranks.insert(rank);
        --wanted;
    }
    for (int drawn = 0; drawn < options.random && count > 0; ++drawn)
        ranks.insert(static_cast<std::size_t>(nextRandom(seed) % count));
    std::vector<std::size_t> chosen;
    for (const std::size_t rank : ranks)
        chosen.push_back(byPrice[rank]);
    return chosen;
}

std::vector<Kernel> kernelsOf(const Plan& plan) {
    std::vector<Kernel> kernels;
    for (const OpPlan& op : plan.ops)
        if (op.space)
            kernels.push_back(op.space->kernel());
    return distinct(kernels);
}

Result<std::vector<KernelSamples>> gatherSamples(const SampledMachine& machine,
                                                 const std::vector<Kernel>& given,
                                                 const TrainOptions& options, HoldOut holdOut,
                                                 Diagnostics* problems, const TaskContext& task) {
    const std::vector<Kernel> kernels = distinct(given);
    std::vector<Result<DraftStudy>> studies;
    std::vector<bool> isHeldOut;
    std::map<std::string, std::size_t> counts; // by form
    for (const Kernel& kernel : kernels) {
        studies.push_back(machine.backend.study(kernel, machine.target, machine.compile));
        if (const auto& study = studies.back(); study && !study->measurer)
            return fail(ErrorCode::Unsupported, "its commands cannot be timed, so nothing can be learned",
                        machine.target->id);
        const auto& study = studies.back();
        isHeldOut.push_back(
            holdOut == HoldOut::All ||
            (study && counts[kernelForm(study->space->kernel(), study->residency)]++ % kHeldOutEvery == 2));
    }
    std::vector<Result<KernelSamples>> gathered(kernels.size(), fail(ErrorCode::Cancelled, "not begun"));
    std::atomic<std::int64_t> done{0};
    std::mutex reporting;
    // One kernel a thread: enumeration, prices and simulation of different kernels run side by side.
    parallelFor(kernels.size(), options.threads, [&](std::size_t k) {
        gathered[k] = [&]() -> Result<KernelSamples> {
            const TaskContext quiet{task.stop, {}};
            if (!studies[k])
                return tl::unexpected<Error>(studies[k].error());
            const DraftStudy& study = *studies[k];
            if (isHeldOut[k])
                return allSamplesOf(study, options.samples.tiling, quiet);
            PIM_TRY(const PricedDrafts drafts,
                    priceDrafts(*study.space, *study.pricer, options.samples.tiling, kBoundReach, quiet));
            return samplesOf(study, drafts, chooseSamples(drafts, options.samples, options.seed), quiet);
        }();
        const std::lock_guard lock(reporting);
        task.report("simulating drafts", ++done, std::ssize(kernels));
    });
    if (task.cancelled())
        return TaskContext::cancelledError("training");
    std::vector<KernelSamples> result;
    for (std::size_t k = 0; k < gathered.size(); ++k) {
        if (gathered[k] && !gathered[k]->samples.empty())
            result.push_back(std::move(*gathered[k]));
        else if (problems)
            problems->push_back({Severity::Warning,
                                 kernels[k].name,
                                 gathered[k] ? "no draft of it has code" : gathered[k].error().text(),
                                 {}});
    }
    return result;
}

Result<std::shared_ptr<const LearnedPredictor>> trainPredictor(const Target& target, const CodePasses& passes,
                                                               const std::vector<KernelSamples>& kernels,
                                                               const TrainOptions& options,
                                                               const TaskContext& task) {
    std::map<std::string, std::vector<const KernelSamples*>> byForm;
    for (const KernelSamples& kernel : kernels)
        if (!kernel.samples.empty())
            byForm[kernelForm(kernel.space->kernel(), kernel.residency)].push_back(&kernel);
    // The third of a form is the first held out; where others had no code it may be alone.
    std::erase_if(byForm, [](const auto& form) { return partOf(form.second, false).empty(); });
    if (byForm.empty())
        return fail(ErrorCode::Usage, "no draft was simulated, so nothing can be learned", target.id,
                    "give kernels that the target can run");
    std::vector<Job> jobs;
    LearnedModel model{target.id, target.hash, PIM_VERSION, options.seed, {}, {}, {}, false};
    for (const std::string& pass : passes.leftOut)
        model.passes += (model.passes.empty() ? "" : ",") + pass;
    Sha256 sum;
    sum.add(fmt::format("{} {} {} {} {} {} {} {} {}\n", options.booster.objective, options.booster.rounds,
                        options.booster.depth, options.booster.learningRate, options.booster.minChildWeight,
                        options.booster.subsample, options.booster.columnSample, options.seed, target.hash));
    for (const auto& [form, members] : byForm) {
        const auto known = partOf(members, false), heldOut = partOf(members, true);
        std::vector<KernelSamples> chosen;
        std::vector<const KernelSamples*> judges;
        for (const KernelSamples* kernel : heldOut)
            chosen.push_back(chosenOf(*kernel, options));
        for (const KernelSamples& kernel : chosen)
            judges.push_back(&kernel);
        jobs.push_back({form, known, heldOut, lessonsOf(target, known), lessonsOf(target, judges)});
        sum.add(form + "\n");
        for (const Lessons* lessons : {&jobs.back().lessons, &jobs.back().unseen}) {
            addBytes(sum, lessons->rows.features);
            addBytes(sum, lessons->simulatedNs);
        }
    }
    model.trainingHash = sum.hex();
    parallelFor(jobs.size(), options.threads, [&](std::size_t i) {
        if (!task.cancelled())
            jobs[i].result = FormTraining(target, jobs[i], options, task).run();
    });
    for (Job& job : jobs) {
        PIM_TRY(LearnedForm form, std::move(job.result));
        form.kernel = job.known.front()->space->kernel().name;
        form.trained = extentsOf(job.known);
        form.heldOut = extentsOf(job.heldOut);
        model.forms.emplace(job.form, std::move(form));
    }
    // Ranked by what was learned, which then keeps the figures.
    const LearnedPredictor learned(model);
    std::map<std::string, std::vector<RankedKernel>> ranked;
    for (RankedKernel& kernel : rankKernels(learned, target, kernels, options.threads))
        ranked[kernel.form].push_back(std::move(kernel));
    for (const auto& [form, members] : ranked)
        if (const auto at = model.forms.find(form); at != model.forms.end())
            at->second.ranking = rankingFigures(members);
    return std::make_shared<const LearnedPredictor>(std::move(model));
}

Result<std::shared_ptr<const LearnedPredictor>> refinePredictor(const LearnedPredictor& predictor,
                                                                const Target& target,
                                                                const KernelSamples& samples, int rounds) {
    const LearnedForm* const known = predictor.formOf(samples.space->kernel(), samples.residency);
    if (!known)
        return fail(ErrorCode::Unsupported, "the predictor has not learned kernels of this form",
                    samples.space->kernel().name, "train it with such a kernel");
    const KernelSamples* const only[] = {&samples};
    Lessons lessons = lessonsOf(target, only);
    lessons.correct(known->linear);
    BoosterOptions options;
    options.rounds = rounds;
    // A small batch says by how much, not where: shallow trees in small steps.
    options.depth = 2;
    options.learningRate = 0.1;
    options.minChildWeight = 4;
    PIM_TRY(Booster booster, known->booster.continued(lessons.rows, options));
    LearnedModel model = predictor.model();
    Sha256 sum;
    sum.add(model.trainingHash);
    addBytes(sum, lessons.rows.features);
    addBytes(sum, lessons.simulatedNs);
    model.trainingHash = sum.hex();
    LearnedForm& form = model.forms.at(kernelForm(samples.space->kernel(), samples.residency));
    form.booster = std::move(booster);
    form.samples += static_cast<std::int64_t>(lessons.rows.count());
    form.trained.push_back(extentsOf(samples.space->kernel()));
    form.error = {}; // what was measured was another set of trees
    form.ranking = {};
    form.curve = {};
    return std::make_shared<const LearnedPredictor>(std::move(model));
}

PredictorError predictorError(const LearnedPredictor& predictor, const Target& target,
                              std::span<const KernelSamples> kernels) {
    PredictorError error;
    for (const KernelSamples& kernel : kernels) {
        const std::vector<double> ns = predicted(predictor, target, kernel);
        for (std::size_t i = 0; i < ns.size(); ++i) {
            const double off = std::abs(ns[i] / kernel.samples[i].simulatedNs - 1);
            error.mean += off;
            error.worst = std::max(error.worst, off);
            error.meanOfPrice +=
                std::abs(kernel.samples[i].price.totalNs() / kernel.samples[i].simulatedNs - 1);
            ++error.drafts;
        }
    }
    if (error.drafts > 0) {
        error.mean /= static_cast<double>(error.drafts);
        error.meanOfPrice /= static_cast<double>(error.drafts);
    }
    return error;
}

std::vector<RankedKernel> rankKernels(const LearnedPredictor& predictor, const Target& target,
                                      std::span<const KernelSamples> kernels, int threads) {
    std::vector<const KernelSamples*> heldOut;
    for (const KernelSamples& kernel : kernels)
        if (kernel.isHeldOut && !kernel.samples.empty())
            heldOut.push_back(&kernel);
    std::vector<RankedKernel> ranked(heldOut.size());
    parallelFor(heldOut.size(), threads,
                [&](std::size_t i) { ranked[i] = rankedBy(predictor, target, *heldOut[i]); });
    return ranked;
}

} // namespace pim
