// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/training.h"

#include "core/base/hash.h"
#include "core/base/parallel.h"
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

/// On kernels that were not learned, draft by draft.
Result<PredictorError> errorOf(const LearnedForm& form, const Lessons& unseen) {
    std::vector<float> corrections(unseen.terms.size());
    PIM_CHECK(form.booster.predict(unseen.rows.features, corrections));
    PredictorError error;
    error.drafts = std::ssize(corrections);
    const double share = 1.0 / std::max<double>(1, static_cast<double>(error.drafts));
    for (std::size_t i = 0; i < corrections.size(); ++i) {
        const double linear = form.linear.ns(unseen.terms[i]), simulated = unseen.simulatedNs[i];
        const double off = std::abs(linear * std::exp(static_cast<double>(corrections[i])) / simulated - 1);
        error.mean += share * off;
        error.worst = std::max(error.worst, off);
        error.meanOfLinear += share * std::abs(linear / simulated - 1);
        error.meanOfPrice += share * std::abs(unseen.priceNs[i] / simulated - 1);
    }
    return error;
}

double meanError(const LinearPrice& price, const Lessons& lessons) {
    double sum = 0;
    for (std::size_t i = 0; i < lessons.terms.size(); ++i)
        sum += std::abs(price.ns(lessons.terms[i]) / lessons.simulatedNs[i] - 1);
    return sum;
}

Result<LearnedForm> learn(Lessons& lessons, const BoosterOptions& options) {
    LinearPrice linear = LinearPrice::fit(lessons.terms, lessons.simulatedNs);
    // Squares are led by a few drafts far off; a formula that is right for most of them is kept.
    if (meanError(LinearPrice(), lessons) <= meanError(linear, lessons))
        linear = LinearPrice();
    lessons.correct(linear);
    PIM_TRY(Booster booster, Booster::train(lessons.rows, options));
    return LearnedForm{linear, std::move(booster), static_cast<std::int64_t>(lessons.rows.count()), {}};
}

Result<LearnedForm> trainForm(const Target& target, const std::vector<const KernelSamples*>& kernels,
                              const TrainOptions& options, Lessons& all) {
    PredictorError error;
    BoosterOptions chosen = options.booster;
    std::vector<const KernelSamples*> known, unseen;
    for (std::size_t i = 0; i < kernels.size(); ++i)
        (options.heldOut > 0 && i % static_cast<std::size_t>(options.heldOut) == 2 ? unseen : known)
            .push_back(kernels[i]);
    if (!known.empty() && !unseen.empty()) {
        Lessons some = lessonsOf(target, known);
        const Lessons rest = lessonsOf(target, unseen);
        // Trees that do not help kernels they have not seen are left out: where the price is the time of the
        // code they have nothing to learn.
        for (const int rounds : {options.booster.rounds, 0}) {
            BoosterOptions tried = options.booster;
            tried.rounds = rounds;
            PIM_TRY(const LearnedForm trial, learn(some, tried));
            PIM_TRY(const PredictorError found, errorOf(trial, rest));
            if (error.drafts == 0 || found.mean < error.mean) {
                error = found;
                chosen = tried;
            }
        }
    }
    PIM_TRY(LearnedForm form, learn(all, chosen));
    form.error = error;
    return form;
}

} // namespace

std::vector<std::size_t> chooseSamples(const PricedDrafts& drafts, const SampleOptions& options) {
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
    std::vector<std::size_t> chosen;
    for (const std::size_t rank : ranks)
        chosen.push_back(byPrice[rank]);
    return chosen;
}

Result<std::vector<DraftSample>> simulateSamples(const DraftStudy& study, const PricedDrafts& drafts,
                                                 std::span<const std::size_t> chosen, int threads,
                                                 const TaskContext& task) {
    if (!study.measurer)
        return fail(ErrorCode::Unsupported, "its commands cannot be timed, so nothing can be learned",
                    study.target->id);
    std::vector<std::optional<double>> times(chosen.size());
    parallelFor(chosen.size(), threads, [&](std::size_t i) {
        const TaskContext quiet{task.stop, {}};
        if (const auto run =
                study.measurer->measure(*study.space, drafts.drafts[chosen[i]], study.residency, quiet))
            times[i] = run->totalNs();
    });
    if (task.cancelled())
        return TaskContext::cancelledError("simulating drafts");
    std::vector<DraftSample> samples;
    for (std::size_t i = 0; i < chosen.size(); ++i)
        if (times[i])
            samples.push_back(
                {drafts.drafts[chosen[i]], drafts.summaries[chosen[i]], drafts.prices[chosen[i]], *times[i]});
    return samples;
}

Result<std::vector<KernelSamples>> gatherSamples(const SampledMachine& machine,
                                                 const std::vector<Kernel>& kernels,
                                                 const TrainOptions& options, Diagnostics* problems,
                                                 const TaskContext& task) {
    std::vector<Result<KernelSamples>> gathered(kernels.size(), fail(ErrorCode::Cancelled, "not begun"));
    std::atomic<std::int64_t> done{0};
    std::mutex reporting;
    // One kernel a thread: enumeration, prices and simulation of different kernels run side by side.
    parallelFor(kernels.size(), options.threads, [&](std::size_t k) {
        gathered[k] = [&]() -> Result<KernelSamples> {
            const TaskContext quiet{task.stop, {}};
            PIM_TRY(const DraftStudy study,
                    machine.backend.study(kernels[k], machine.target, machine.compile));
            PIM_TRY(const PricedDrafts drafts,
                    priceDrafts(*study.space, *study.pricer, options.samples.tiling, kBoundReach, quiet));
            PIM_TRY(auto samples,
                    simulateSamples(study, drafts, chooseSamples(drafts, options.samples), 1, quiet));
            return KernelSamples{study.space, study.residency, std::move(samples)};
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
    if (byForm.empty())
        return fail(ErrorCode::Usage, "no draft was simulated, so nothing can be learned", target.id,
                    "give kernels that the target can run");
    struct Job {
        const std::string* form;
        const std::vector<const KernelSamples*>* kernels;
        Lessons lessons;
        Result<LearnedForm> result;
    };
    std::vector<Job> jobs;
    LearnedModel model{target.id, target.hash, {}, {}, {}};
    for (const std::string& pass : passes.leftOut)
        model.passes += (model.passes.empty() ? "" : ",") + pass;
    Sha256 sum;
    sum.add(fmt::format("{} {} {} {} {} {} {} {} {}\n", options.booster.objective, options.booster.rounds,
                        options.booster.depth, options.booster.learningRate, options.booster.minChildWeight,
                        options.booster.subsample, options.booster.columnSample, options.booster.seed,
                        target.hash));
    for (const auto& [form, members] : byForm) {
        jobs.push_back({&form, &members, lessonsOf(target, members),
                        fail(ErrorCode::Cancelled, "training was cancelled")});
        sum.add(form + "\n");
        addBytes(sum, jobs.back().lessons.rows.features);
        addBytes(sum, jobs.back().lessons.simulatedNs);
    }
    model.trainingHash = sum.hex();
    parallelFor(jobs.size(), options.threads, [&](std::size_t i) {
        if (!task.cancelled())
            jobs[i].result = trainForm(target, *jobs[i].kernels, options, jobs[i].lessons);
    });
    for (Job& job : jobs) {
        PIM_TRY(LearnedForm form, std::move(job.result));
        model.forms.emplace(*job.form, std::move(form));
    }
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
    return std::make_shared<const LearnedPredictor>(std::move(model));
}

PredictorError predictorError(const LearnedPredictor& predictor, const Target& target,
                              std::span<const KernelSamples> kernels) {
    PredictorError error;
    for (const KernelSamples& kernel : kernels) {
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
        for (std::size_t i = 0; i < ns.size(); ++i) {
            const double off = std::abs(ns[i] / kernel.samples[i].simulatedNs - 1);
            error.mean += off;
            error.worst = std::max(error.worst, off);
            error.meanOfPrice += std::abs(prices[i].totalNs() / kernel.samples[i].simulatedNs - 1);
            ++error.drafts;
        }
    }
    if (error.drafts > 0) {
        error.mean /= static_cast<double>(error.drafts);
        error.meanOfPrice /= static_cast<double>(error.drafts);
    }
    return error;
}

} // namespace pim
