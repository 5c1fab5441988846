// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execute/numeric_network.h"

#include "core/execute/operands.h"
#include "core/execute/sample_weights.h"

#include <fmt/format.h>

namespace pim {
namespace {

class NetworkOfOps final : public NumericNetwork {
public:
    NetworkOfOps(std::shared_ptr<const Graph> graph, std::map<OpId, OpOnUnits> onUnits, std::string what,
                 int threads)
        : m_graph(std::move(graph)), m_onUnits(std::move(onUnits)), m_what(std::move(what)),
          m_threads(threads) {}

    Result<std::vector<Value>> run(std::span<const Value> inputs, const TaskContext& task) override {
        const auto observer = [&](const RealStep& step) -> Result<void> {
            const auto at = m_onUnits.find(step.op);
            if (at == m_onUnits.end())
                return {};
            PIM_TRY(std::string note, at->second(step, task));
            if (!note.empty())
                m_notes[m_graph->op(step.op).name] = std::move(note);
            return {};
        };
        return runReal(*m_graph, inputs, observer, m_threads, {task.stop, {}});
    }

    std::string numbers() const override { return m_what; }

    std::vector<std::string> notes() const override {
        std::vector<std::string> lines;
        for (const auto& [op, note] : m_notes)
            lines.push_back(fmt::format("{}: computed in float32: {}", op, note));
        return lines;
    }

private:
    std::shared_ptr<const Graph> m_graph;
    std::map<OpId, OpOnUnits> m_onUnits;
    std::string m_what;
    int m_threads;
    std::map<std::string, std::string> m_notes; ///< Of ops by name.
};

} // namespace

std::unique_ptr<NumericNetwork> networkOfOps(std::shared_ptr<const Graph> graph,
                                             std::map<OpId, OpOnUnits> onUnits, std::string what,
                                             int threads) {
    return std::make_unique<NetworkOfOps>(std::move(graph), std::move(onUnits), std::move(what), threads);
}

Result<std::optional<Value>> runOpOnUnits(const CommandFacet& commands, const Plan& plan, const Graph& graph,
                                          const RealStep& step, int threads, const TaskContext& task,
                                          std::string& note) {
    const OpPlan& planned = plan.opPlan(step.op);
    const Kernel& kernel = planned.space->kernel();
    std::vector<TensorId> sources;
    for (const TensorPlan& tensor : planned.tensors)
        sources.push_back(tensor.tensor);
    auto operands = kernelOperands(graph, step.op, kernel, sources, step.inputs);
    if (!operands) {
        note = operands.error().message;
        return std::optional<Value>();
    }
    auto tensors = commands.execute(plan, step.op, std::move(*operands), threads, task);
    if (!tensors && tensors.error().code == ErrorCode::Unsupported) {
        note = tensors.error().text();
        return std::optional<Value>();
    }
    if (!tensors)
        return tl::unexpected<Error>(std::move(tensors).error());
    PIM_TRY(Value result, opResult(graph, step.op, kernel, step.inputs, *tensors));
    return std::optional(std::move(result));
}

Result<std::unique_ptr<NumericNetwork>> networkOfCommands(const CommandFacet& commands, const Plan& plan,
                                                          const NumberOptions& options) {
    PIM_TRY(const auto graph, withSampleWeights(plan.graph, options.seed));
    std::map<OpId, OpOnUnits> onUnits;
    DataType type = DataType::F32;
    for (const OpPlan& op : plan.ops) {
        if (op.onHost() || !op.space || !op.draft)
            continue;
        type = op.space->kernel().tensors.front().dtype;
        onUnits[op.op] = [&commands, &plan, graph, threads = options.threads](
                             const RealStep& step, const TaskContext& task) -> Result<std::string> {
            std::string note;
            PIM_TRY(auto result, runOpOnUnits(commands, plan, *graph, step, threads, task, note));
            if (result)
                step.results->front() = std::move(*result);
            return note;
        };
    }
    const std::size_t count = onUnits.size();
    return networkOfOps(graph, std::move(onUnits),
                        count == 0 ? "float32, all of it on the host"
                                   : fmt::format("by commands in {}: {} of {} ops, the others in float32",
                                                 name(type), count, graph->ops.size()),
                        options.threads);
}

} // namespace pim
