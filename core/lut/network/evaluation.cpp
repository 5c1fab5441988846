// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/evaluation.h"

#include <algorithm>
#include <cmath>

namespace pim::lut {

double meanDistance(const Logits& a, const Logits& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i)
        sum += std::abs(double(a.values[i]) - double(b.values[i]));
    return a.values.empty() ? 0 : sum / double(a.values.size());
}

std::int64_t sameAnswers(const Logits& a, const Logits& b) {
    std::int64_t same = 0;
    for (std::int64_t i = 0; i < std::min(a.samples, b.samples); ++i)
        same += a.answer(i) == b.answer(i) ? 1 : 0;
    return same;
}

Result<Evaluation> evaluate(const Classifier& classifier, const DataSet& set, const Samples& test,
                            const EvaluationOptions& options, const TaskContext& task) {
    const int threads = options.conversion.threads;
    PIM_TRY(const Samples calibration, readSamples(set, "calib", false));
    PIM_TRY(const Logits dense, logitsOf(classifier, test, {}, threads, task));
    Evaluation found;
    found.samples = test.count();
    found.dense = dense.accuracy(test.labels);
    if (options.onDense)
        options.onDense(found.dense);
    PIM_TRY(found.conversion, convert(classifier, set, calibration, options.conversion, task, options.watch));
    PIM_TRY(const Logits logits,
            logitsOf(classifier, test, found.conversion.observer(threads, &found.uses, options.keptRows),
                     threads, task));
    found.converted = logits.accuracy(test.labels);
    found.meanLogitError = meanDistance(dense, logits);
    return found;
}

} // namespace pim::lut
