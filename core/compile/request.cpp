// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/request.h"

#include "core/compile/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace pim {
namespace {

using Lengths = std::vector<std::pair<std::int64_t, RequestPhase>>;

/// All lengths from the first to the last that is given, on the lines between them.
RequestPhase addedUp(const Lengths& lengths) {
    RequestPhase sum = lengths.front().second;
    for (std::size_t i = 1; i < lengths.size(); ++i) {
        const auto& [from, a] = lengths[i - 1];
        const auto& [to, b] = lengths[i];
        // Lengths from + 1 … to: shares 1/n … n/n.
        const auto n = static_cast<double>(to - from);
        sum.add(a, (n - 1) / 2);
        sum.add(b, (n + 1) / 2);
        if (!b.energyPj)
            sum.energyPj.reset();
    }
    return sum;
}

std::vector<std::int64_t> spread(std::int64_t first, std::int64_t last, std::int64_t count) {
    std::set<std::int64_t> lengths{first, last};
    for (std::int64_t i = 1; i + 1 < count; ++i)
        lengths.insert(first + (last - first) * i / (count - 1));
    return {lengths.begin(), lengths.end()};
}

/// Compiles and simulates one graph of the request after the other.
class Runner {
public:
    Runner(const BackendList& backends, const PlanRequest& request, const RequestOptions& options,
           PlanCache* cache, RequestTime& time, const TaskContext& task)
        : m_backends(backends), m_request(request), m_options(options), m_cache(cache), m_time(time),
          m_task(task) {}

    Result<RequestPhase> run(const ImportedModel& model, std::map<std::string, std::int64_t> bindings,
                             bool keepProblems) {
        PlanRequest request = m_request;
        PIM_TRY(request.graph, buildGraph(model, {std::move(bindings), {}}, {m_task.stop, {}}));
        PIM_TRY(const std::shared_ptr<const Plan> plan,
                compile(m_backends, request, m_cache, {m_task.stop, {}}));
        RequestPhase phase;
        phase.hostOnlyNs = plan->hostOnlyNs;
        if (m_options.simulate) {
            PIM_TRY(const Backend* backend, m_backends.find(request.target->backend));
            PIM_TRY(const auto simulation, backend->simulate(*plan, {m_task.stop, {}}));
            phase.energyPj = simulation->energyPj;
            if (simulation->commands == 0) // ops of the host are not counted, so there is nothing to know
                phase.energyPj = 0;
            else
                m_time.energyNote = simulation->energyNote;
            for (const SimulatedOp& op : simulation->ops)
                add(phase, *plan, op.op, op.cost);
        } else {
            for (const OpPlan& op : plan->ops)
                add(phase, *plan, op.op, op.cost);
        }
        if (keepProblems)
            m_time.problems.insert(m_time.problems.end(), plan->problems.begin(), plan->problems.end());
        return phase;
    }

private:
    static void add(RequestPhase& phase, const Plan& plan, OpId op, const CostSplit& cost) {
        phase.cost += cost;
        if (cost.totalNs() > 0)
            phase.byOpNs[fmt::format("{} on {}", plan.graph->op(op).type,
                                     plan.opPlan(op).onHost() ? "host" : "PIM")] += cost.totalNs();
    }

    const BackendList& m_backends;
    const PlanRequest& m_request;
    const RequestOptions& m_options;
    PlanCache* m_cache;
    RequestTime& m_time;
    const TaskContext& m_task;
};

Result<void> check(const RequestModel& model, const RequestSize& size, const RequestOptions& options) {
    if (!model.decode)
        return fail(ErrorCode::Usage, "there is no decode graph", {}, "name the graph of one decode step");
    if (size.batch < 1 || size.tokensIn < 1 || size.tokensOut < 1)
        return fail(ErrorCode::Usage, fmt::format("batch {}, {} tokens in, {} out: each has to be 1 or more",
                                                  size.batch, size.tokensIn, size.tokensOut));
    if (options.lengths < 2)
        return fail(ErrorCode::Usage, fmt::format("{} lengths: a line takes at least 2", options.lengths));
    return {};
}

} // namespace

void RequestPhase::add(const RequestPhase& other, double times) {
    for (const CostPartInfo& part : kCostSplitParts)
        cost.*part.ns += other.cost.*part.ns * times;
    hostOnlyNs += other.hostOnlyNs * times;
    if (energyPj && other.energyPj)
        *energyPj += *other.energyPj * times;
    for (const auto& [op, ns] : other.byOpNs)
        byOpNs[op] += ns * times;
}

std::optional<double> RequestTime::energyPj() const {
    if (size.steps() > 0 && !steps.energyPj)
        return {};
    const bool hasPrefill = prefill.cost.totalNs() > 0;
    if (hasPrefill && !prefill.energyPj)
        return {};
    return steps.energyPj.value_or(0) + prefill.energyPj.value_or(0);
}

Result<RequestTime> timeRequest(const BackendList& backends, const RequestModel& model,
                                const RequestSize& size, const PlanRequest& request,
                                const RequestOptions& options, const TaskContext& task) {
    PIM_CHECK(check(model, size, options));
    RequestTime time;
    time.size = size;
    time.origin = options.simulate ? Origin::Simulated : Origin::Predicted;
    PlanCache own;
    Runner runner(backends, request, options, options.cache ? options.cache : &own, time, task);
    std::vector<std::int64_t> lengths;
    if (size.steps() > 0)
        lengths = spread(size.tokensIn, size.tokensIn + size.steps() - 1, options.lengths);
    const std::int64_t runs = std::ssize(lengths) + (model.prefill ? 1 : 0);
    std::int64_t done = 0;
    if (model.prefill) {
        task.report("compiling the prefill", done++, runs);
        PIM_TRY(time.prefill,
                runner.run(*model.prefill, {{model.batch, size.batch}, {model.seq, size.tokensIn}}, true));
    }
    for (const std::int64_t length : lengths) {
        if (task.cancelled())
            return TaskContext::cancelledError("the request");
        task.report(fmt::format("compiling a step behind {} tokens", length), done++, runs);
        PIM_TRY(RequestPhase phase,
                runner.run(*model.decode, {{model.batch, size.batch}, {model.past, length}},
                           length == lengths.back()));
        time.lengths.emplace_back(length, std::move(phase));
    }
    if (lengths.empty())
        return time;
    time.steps = addedUp(time.lengths);
    if (std::ssize(lengths) < size.steps() && lengths.size() > 2) {
        Lengths fewer;
        for (std::size_t i = 0; i < time.lengths.size(); ++i)
            if (i % 2 == 0 || i + 1 == time.lengths.size())
                fewer.push_back(time.lengths[i]);
        const double all = time.steps.cost.totalNs();
        time.offBy = all > 0 ? std::abs(addedUp(fewer).cost.totalNs() - all) / all : 0;
    }
    return time;
}

} // namespace pim
