// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/accuracy.h"

#include <fmt/format.h>

namespace pim {

Result<MachineAnswers> answersOn(const NumberFacet& facet, const Plan& plan, NumberOptions options,
                                 const AccuracySamples& samples, const TaskContext& task) {
    constexpr std::int64_t kMostCalibration = 512;
    PIM_TRY(options.calibration,
            lut::inputsOf(*plan.graph, samples.set, samples.calibration, kMostCalibration));
    PIM_TRY(const auto network, facet.prepare(plan, options, task));
    const auto run = [&](std::span<const Value> inputs, const TaskContext& context) {
        return network->run(inputs, context);
    };
    MachineAnswers answers;
    PIM_TRY(answers.logits, lut::logitsOf(run, *plan.graph, samples.set, samples.test, task));
    answers.numbers = network->numbers();
    answers.notes = network->notes();
    return answers;
}

Result<AccuracyQuestion> askAccuracy(const std::filesystem::path& model, const std::filesystem::path& folder,
                                     std::int64_t samplesAtMost, const TaskContext& task) {
    auto samples = std::make_shared<AccuracySamples>();
    PIM_TRY(samples->set, lut::openDataSet(folder));
    PIM_TRY(samples->test, lut::readSamples(samples->set, "test"));
    PIM_TRY(samples->calibration, lut::readSamples(samples->set, "calib", false));
    if (samplesAtMost > 0)
        samples->test = samples->test.first(samplesAtMost);
    PIM_TRY(const auto classifier, lut::Classifier::open(model, samples->set, samples->test, task));
    PIM_TRY(const lut::Logits dense, logitsOf(classifier, samples->test, {}, 0, task));
    AccuracyQuestion question;
    question.bindings = classifier.bindings();
    question.ofHosts = {dense.accuracy(samples->test.labels), "float32"};
    question.ofPlans = [samples](const Backend& backend, const Plan& plan,
                                 const TaskContext& inner) -> Result<PlanAccuracy> {
        const NumberFacet* const facet = backend.numbers();
        if (!facet)
            return PlanAccuracy{{}, "its programs cannot be executed on numbers"};
        const auto answers = answersOn(*facet, plan, {}, *samples, inner);
        if (answers)
            return PlanAccuracy{answers->logits.accuracy(samples->test.labels), answers->numbers};
        if (answers.error().code == ErrorCode::Cancelled)
            return tl::unexpected<Error>(answers.error());
        return PlanAccuracy{{}, answers.error().message};
    };
    return question;
}

} // namespace pim
