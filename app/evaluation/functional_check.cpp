// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/functional_check.h"

#include "backends/dram_pim/dram_pim_backend.h"
#include "core/base/number_text.h"
#include "core/base/parallel.h"
#include "core/dram_pim/run.h"
#include "core/execute/numeric_check.h"
#include "core/execute/sample_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

namespace pim::evaluation {
namespace {

using Tensors = std::vector<std::vector<float>>;

/// Small enough that no sum of products leaves the range of FP16.
Tensors sampleOperands(const Kernel& kernel) {
    Tensors tensors;
    for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
        const auto count = static_cast<std::size_t>(elementCount(kernel.tensors[t].shape).value_or(0));
        tensors.push_back(kernel.tensors[t].role == TensorRole::Output
                              ? std::vector<float>()
                              : sampleNumbers(count, 0.5, 17 * t + 1));
    }
    return tensors;
}

double dot(const float* a, const float* b, std::int64_t count) {
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i)
        sum += double(a[i]) * double(b[i]);
    return sum;
}

/// One head: softmax of the scores, then the mean of the values.
void attend(const float* q, const float* k, const float* v, std::int64_t length, std::int64_t width,
            float* out) {
    std::vector<double> weights(static_cast<std::size_t>(length)), sum(static_cast<std::size_t>(width));
    double most = -1e300, total = 0;
    for (std::int64_t l = 0; l < length; ++l)
        most = std::max(most, weights[std::size_t(l)] = dot(q, k + l * width, width));
    for (double& weight : weights)
        total += weight = std::exp(weight - most);
    for (std::int64_t l = 0; l < length; ++l)
        for (std::int64_t d = 0; d < width; ++d)
            sum[std::size_t(d)] += weights[std::size_t(l)] / total * double(v[l * width + d]);
    std::copy(sum.begin(), sum.end(), out);
}

/// The kernel in double precision; in the order of its tensors the inputs are as kernels.cpp writes them.
std::vector<float> reference(const EvaluatedKernel& kernel, const Tensors& in, int threads) {
    const std::int64_t rows = kernel.heads > 0 ? kernel.heads * kernel.batch : kernel.batch;
    const std::int64_t length = kernel.length, inner = kernel.inner;
    std::vector<float> out;
    switch (kernel.kind) {
    case KernelKind::Gemv:
    case KernelKind::Linear:
        out.resize(std::size_t(rows * length));
        parallelFor(std::size_t(rows), threads, [&](std::size_t of) {
            const auto r = std::int64_t(of);
            for (std::int64_t i = 0; i < length; ++i) {
                const std::int64_t row = kernel.kind == KernelKind::Gemv ? r * length + i : i;
                out[std::size_t(r * length + i)] =
                    float(dot(in[0].data() + r * inner, in[1].data() + row * inner, inner));
            }
        });
        return out;
    case KernelKind::Attention:
        out.resize(std::size_t(rows * inner));
        parallelFor(std::size_t(rows), threads, [&](std::size_t of) {
            const auto r = std::int64_t(of);
            attend(in[0].data() + r * inner, in[1].data() + r * length * inner,
                   in[2].data() + r * length * inner, length, inner, out.data() + r * inner);
        });
        return out;
    case KernelKind::Reduce:
        for (std::int64_t r = 0; r < rows; ++r) {
            double sum = 0;
            for (std::int64_t i = 0; i < length; ++i)
                sum += double(in[0][std::size_t(r * length + i)]);
            out.push_back(float(sum));
        }
        return out;
    case KernelKind::Add:
        for (std::size_t i = 0; i < in[0].size(); ++i)
            out.push_back(in[0][i] + in[1][i]);
        return out;
    case KernelKind::Relu:
        for (const float value : in[0])
            out.push_back(std::max(0.0F, value));
        return out;
    }
    return out;
}

int outputOf(const Kernel& kernel) {
    for (std::size_t t = 0; t < kernel.tensors.size(); ++t)
        if (kernel.tensors[t].role != TensorRole::Input)
            return static_cast<int>(t);
    return -1;
}

std::string programName(const Comparison& comparison) {
    return fmt::format("{} on {}, {}", name(comparison.kernel.kind), comparison.target->id,
                       comparison.kernel.label);
}

Result<FunctionalResult> check(Evaluator& evaluator, const Comparison& comparison, int threads,
                               const TaskContext& task) {
    const Target& target = *comparison.target;
    PIM_TRY(const Backend* found, evaluator.backends().find(target.backend));
    const auto* backend = dynamic_cast<const DramPimBackend*>(found);
    if (!backend)
        return fail(ErrorCode::Unsupported, "nothing here runs the commands of this machine on numbers",
                    target.id);
    PIM_TRY(const PimCode code,
            backend->generate(*comparison.space, comparison.chosen.draft, target, comparison.residency));
    const Kernel& kernel = comparison.space->kernel();
    const int output = outputOf(kernel);
    Tensors operands = sampleOperands(kernel);
    const std::vector<float> expected = reference(comparison.kernel, operands, threads);

    FunctionalResult result;
    result.program = programName(comparison);
    const auto channel = [&](const PimCode& of) { return backend->makeChannel(of, target); };
    PIM_TRY(Tensors computed, runPimCode(code, kernel, std::move(operands), channel, threads, task));
    const NumericDifference difference =
        differenceOf(computed[std::size_t(output)], expected, numericTolerance(kernel, DataType::F16));
    result.elements = difference.elements;
    result.wrong = difference.wrong;
    result.maxRelative = difference.maxRelative;
    result.tolerance = difference.tolerance;
    return result;
}

/// Every kernel of the figures, and the layers of language models, each once.
std::vector<const Comparison*> programsOf(Evaluator& evaluator, const std::vector<Figure>& figures) {
    std::vector<const Comparison*> all;
    for (const Figure& figure : figures)
        for (const FigurePoint& point : figure.points)
            if (point.strict && std::find(all.begin(), all.end(), point.strict) == all.end())
                all.push_back(point.strict);
    for (const Comparison* comparison : evaluator.strictComparisons())
        if (comparison->kernel.kind == KernelKind::Linear && !figures.empty() &&
            std::find(all.begin(), all.end(), comparison) == all.end())
            all.push_back(comparison);
    return all;
}

double multiplicationsOf(const Comparison& comparison) {
    return double(comparison.space->kernel().iterations());
}

/// Runs the checks: small programs side by side, those that fill the machine's memory one after the other.
class Checks {
public:
    Checks(Evaluator& evaluator, std::vector<const Comparison*> all, const TaskContext& task)
        : m_evaluator(evaluator), m_all(std::move(all)), m_results(m_all.size()), m_task(task) {}

    Result<std::vector<FunctionalResult>> run(double macsAtMost) {
        std::vector<std::size_t> small, large;
        for (std::size_t i = 0; i < m_all.size(); ++i) {
            const double macs = multiplicationsOf(*m_all[i]);
            if (macs > macsAtMost) {
                m_results[i].program = programName(*m_all[i]);
                m_results[i].note = fmt::format("left out: {} multiplications", countText(macs));
                continue;
            }
            m_total += macs;
            (macs > kQuickMacs ? large : small).push_back(i);
        }
        const int threads = m_evaluator.options().threads;
        parallelFor(small.size(), threads, [&](std::size_t n) { one(small[n], 1); });
        for (const std::size_t i : large)
            one(i, threads);
        if (m_task.cancelled())
            return TaskContext::cancelledError("running programs on numbers");
        for (const auto& failure : m_failures) // that of the first program, whatever thread was quicker
            return tl::unexpected<Error>(failure.second);
        return std::move(m_results);
    }

private:
    void one(std::size_t i, int threads) {
        if (m_task.cancelled())
            return;
        auto result = check(m_evaluator, *m_all[i], threads, {m_task.stop, {}});
        const std::lock_guard lock(m_mutex);
        if (result)
            m_results[i] = std::move(*result);
        else
            m_failures.emplace(i, result.error());
        m_done += multiplicationsOf(*m_all[i]);
        m_task.report("running programs on numbers, million multiplications", std::int64_t(m_done / 1e6),
                      std::int64_t(m_total / 1e6));
    }

    Evaluator& m_evaluator;
    std::vector<const Comparison*> m_all;
    std::vector<FunctionalResult> m_results;
    std::map<std::size_t, Error> m_failures;
    const TaskContext& m_task;
    std::mutex m_mutex;
    double m_done = 0, m_total = 0;
};

} // namespace

Result<FunctionalResult> checkChosen(Evaluator& evaluator, const Comparison& comparison,
                                     const TaskContext& task) {
    return check(evaluator, comparison, evaluator.options().threads, task);
}

Result<std::vector<FunctionalResult>> checkAll(Evaluator& evaluator, const std::vector<Figure>& figures,
                                               double macsAtMost, const TaskContext& task) {
    return Checks(evaluator, programsOf(evaluator, figures), task).run(macsAtMost);
}

} // namespace pim::evaluation
