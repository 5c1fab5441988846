// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execute/numeric_check.h"

#include "core/base/split_mix.h"
#include "core/dram_pim/kernel_reference.h"
#include "core/execute/numeric_network.h"
#include "core/execute/sample_weights.h"
#include "core/numeric/real_run.h"
#include "core/numeric/tensor_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>

namespace pim {
namespace {

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::size_t resultOf(const Kernel& kernel) {
    const auto at = std::find_if(kernel.tensors.begin(), kernel.tensors.end(),
                                 [](const KernelTensor& tensor) { return tensor.role != TensorRole::Input; });
    return static_cast<std::size_t>(at - kernel.tensors.begin());
}

class Checker {
public:
    Checker(const CommandFacet& commands, const Plan& plan, const NumberOptions& options,
            const TaskContext& task)
        : m_commands(commands), m_plan(plan), m_options(options), m_task(task),
          m_start(std::chrono::steady_clock::now()) {}

    Result<NumericReport> run() {
        PIM_CHECK(wholeNetworkOnly(m_options));
        PIM_CHECK(choose());
        m_report.wholeNetwork = !m_options.opByOp;
        PIM_CHECK(m_options.opByOp ? eachOp() : network());
        m_report.seconds = secondsSince(m_start);
        return std::move(m_report);
    }

private:
    Result<void> choose() {
        std::vector<bool> used(m_options.ops.size(), false);
        for (const OpPlan& op : m_plan.ops) {
            if (op.onHost() || !op.space || !op.draft)
                continue;
            const std::string& opName = m_plan.graph->op(op.op).name;
            bool wanted = m_options.ops.empty();
            for (std::size_t i = 0; i < used.size(); ++i)
                if (opName.find(m_options.ops[i]) != std::string::npos)
                    wanted = used[i] = true;
            if (!wanted)
                continue;
            m_index[op.op] = m_report.ops.size();
            NumericOp chosen;
            chosen.op = op.op;
            chosen.name = opName;
            chosen.note = "not reached";
            m_report.ops.push_back(std::move(chosen));
        }
        for (std::size_t i = 0; i < used.size(); ++i)
            if (!used[i])
                return fail(ErrorCode::Usage, "no op on PIM has this in its name", m_options.ops[i]);
        return {};
    }

    /// Whether the time allowed is over, with the note set. Asked before operands are made: they can be
    /// large.
    bool tooLate(NumericOp& op) const {
        if (m_options.secondsAtMost <= 0 || secondsSince(m_start) <= m_options.secondsAtMost)
            return false;
        op.note = fmt::format("not run: the {:g} s allowed were over", m_options.secondsAtMost);
        return true;
    }
    const Kernel& kernelOf(OpId op) const { return m_plan.opPlan(op).space->kernel(); }
    double toleranceOf(OpId op) const {
        const Kernel& kernel = kernelOf(op);
        return numericTolerance(kernel, kernel.tensors.front().dtype, m_commands.exactTerms());
    }

    /// The op's tensors after it ran on PIM; nullopt where it cannot be, with the note set. Only Cancelled is
    /// an error.
    Result<std::optional<std::vector<std::vector<float>>>> execute(NumericOp& op,
                                                                   std::vector<std::vector<float>> tensors) {
        const auto start = std::chrono::steady_clock::now();
        auto done = m_commands.execute(m_plan, op.op, std::move(tensors), m_options.threads, m_task);
        op.seconds = secondsSince(start);
        if (done)
            return std::move(*done);
        PIM_CHECK(broken(op, std::move(done).error()));
        return std::nullopt;
    }
    /// Only Cancelled stays an error.
    static Result<void> broken(NumericOp& op, Error why) {
        if (why.code == ErrorCode::Cancelled)
            return tl::unexpected<Error>(std::move(why));
        op.broken = why.code != ErrorCode::Unsupported;
        op.note = why.text();
        return {};
    }

    // --- as a network
    // ---------------------------------------------------------------------------------------------------

    Result<void> network() {
        PIM_TRY(const auto graph, withSampleWeights(m_plan.graph, m_options.seed));
        PIM_TRY(const auto inputs, runInputs(*graph, m_options.inputs, m_options.seed));
        m_report.how = numbersText(graph == m_plan.graph, *graph, m_options.inputs);
        PIM_TRY(TensorDump dump, TensorDump::open(m_options.dump, *graph));
        PIM_CHECK(dump.inputs(inputs, m_options.inputs));
        const auto observer = [&](const RealStep& step) -> Result<void> {
            const Value expected = step.outputs.empty() ? Value() : step.outputs.front();
            const auto at = m_index.find(step.op);
            NumericOp* const op = at == m_index.end() ? nullptr : &m_report.ops[at->second];
            if (op)
                PIM_CHECK(onStep(*graph, *op, step));
            return keep(dump, step, op, expected);
        };
        PIM_TRY(const auto reference, runReal(*graph, inputs, dump.references(), m_options.threads, m_task));
        PIM_TRY(m_report.values, runReal(*graph, inputs, observer, m_options.threads, m_task));
        return compareOutputs(*graph, inputs, reference);
    }

    Result<void> onStep(const Graph& graph, NumericOp& op, const RealStep& step) {
        if (tooLate(op))
            return {};
        m_task.report("running on PIM units", static_cast<std::int64_t>(m_index[op.op]),
                      std::ssize(m_report.ops));
        const auto start = std::chrono::steady_clock::now();
        auto result = runOpOnUnits(m_commands, m_plan, graph, step, m_options.threads, m_task, op.note);
        op.seconds = secondsSince(start);
        if (!result)
            return broken(op, std::move(result).error());
        if (!*result)
            return {};
        op.difference = differenceOf(**result, step.outputs.front(), toleranceOf(op.op));
        op.compared = true;
        op.note.clear();
        step.results->front() = std::move(**result);
        return {};
    }

    /// \param op null for one of the host. \param expected its first result in float32.
    Result<void> keep(TensorDump& dump, const RealStep& step, const NumericOp* op, const Value& expected) {
        if (!dump.writes())
            return {};
        const std::vector<TensorId>& outputs = m_plan.graph->op(step.op).outputs;
        const bool onUnits = op && op->compared;
        for (std::size_t k = 0; k < outputs.size() && k < step.results->size(); ++k) {
            if (!outputs[k].valid())
                continue;
            DumpedTensor dumped;
            dumped.made = (*step.results)[k];
            dumped.by = onUnits && k == 0 ? "PIM" : "host";
            dumped.numbers = name(dumped.made.dtype);
            if (onUnits && k == 0) {
                dumped.expected = expected;
                dumped.tolerance = op->difference.tolerance;
                dumped.numbers = name(kernelOf(step.op).tensors.front().dtype);
            }
            PIM_CHECK(dump.add(step.op, outputs[k], dumped));
        }
        return {};
    }

    /// The network adds up the differences of its ops: roundings of different ops do not lean to one side
    /// either.
    Result<void> compareOutputs(const Graph& graph, std::span<const Value> inputs,
                                const std::vector<Value>& reference) {
        double squares = 0;
        bool opsAreRight = true;
        for (const NumericOp& op : m_report.ops) {
            if (op.compared)
                squares += op.difference.tolerance * op.difference.tolerance;
            opsAreRight = opsAreRight && op.ok();
        }
        const auto compare = [&](auto&& toleranceOfOutput) {
            m_report.outputs.clear();
            for (std::size_t i = 0; i < reference.size(); ++i)
                if (reference[i].dtype == DataType::F32)
                    m_report.outputs.emplace_back(
                        graph.tensor(graph.outputs[i]).name,
                        differenceOf(m_report.values[i], reference[i], toleranceOfOutput(i)));
        };
        const double apart = std::sqrt(squares);
        compare([&](std::size_t) { return apart; });
        if (!opsAreRight || m_report.outputsAreRight())
            return {};
        PIM_TRY(const auto moved, movedOutputs(graph, inputs));
        compare([&](std::size_t i) {
            const double most = 2 * differenceOf(moved[i], reference[i], apart).maxRelative;
            return std::isfinite(most) ? std::max(apart, most) : apart;
        });
        return {};
    }

    /// The network in float32, every number that came from PIM moved by all it may be off, up or down at random.
    Result<std::vector<Value>> movedOutputs(const Graph& graph, std::span<const Value> inputs) {
        std::uint64_t random = m_options.seed;
        const auto observer = [&](const RealStep& step) -> Result<void> {
            const auto at = m_index.find(step.op);
            if (at == m_index.end() || !m_report.ops[at->second].compared ||
                step.outputs.front().dtype != DataType::F32)
                return {};
            const double tolerance = m_report.ops[at->second].difference.tolerance;
            const auto exact = elements<float>(step.outputs.front());
            const double rms = differenceOf(exact, exact, 0).rms;
            Fresh<float> moved(DataType::F32, step.outputs.front().shape);
            for (std::size_t i = 0; i < exact.size(); ++i) {
                const double most = tolerance * (rms + std::abs(double(exact[i])));
                moved.data[i] = float(exact[i] + (nextRandom(random) % 2 == 0 ? most : -most));
            }
            step.results->front() = std::move(moved.value);
            return {};
        };
        return runReal(graph, inputs, observer, m_options.threads, m_task);
    }

    // --- op by op
    // -------------------------------------------------------------------------------------------------------

    Result<void> eachOp() {
        m_report.how = "random operands for every op, equal code once";
        std::map<std::string, const NumericOp*> done; ///< First op by everything its code depends on.
        for (NumericOp& op : m_report.ops) {
            const OpPlan& planned = m_plan.opPlan(op.op);
            std::string key = kernelOf(op.op).text() + planned.space->draftText(*planned.draft);
            for (const TensorPlan& tensor : planned.tensors)
                key += tensor.residency == Residency::Resident  ? 'r'
                       : tensor.residency == Residency::InPlace ? 'i'
                                                                : 's';
            const auto [at, fresh] = done.try_emplace(std::move(key), &op);
            if (!fresh) {
                op.sameAs = at->second->op;
                op.note = "its code is that of " + at->second->name;
                continue;
            }
            m_task.report("running on PIM units", static_cast<std::int64_t>(m_index[op.op]),
                          std::ssize(m_report.ops));
            PIM_CHECK(checkAlone(op));
        }
        return {};
    }

    Result<void> checkAlone(NumericOp& op) {
        if (tooLate(op))
            return {};
        const Kernel& kernel = kernelOf(op.op);
        const std::vector<std::vector<float>> operands =
            sampleOperands(kernel, static_cast<std::uint64_t>(op.op.value));
        PIM_TRY(const auto tensors, execute(op, operands));
        if (!tensors)
            return {};
        std::vector<std::vector<double>> exact;
        for (const auto& operand : operands)
            exact.emplace_back(operand.begin(), operand.end());
        for (std::size_t t = 0; t < exact.size(); ++t)
            if (kernel.tensors[t].role == TensorRole::Output)
                exact[t].resize(static_cast<std::size_t>(elementCount(kernel.tensors[t].shape).value_or(0)));
        auto reference = runKernel(kernel, std::move(exact));
        if (!reference) {
            op.note = reference.error().message;
            return {};
        }
        const std::size_t result = resultOf(kernel);
        const std::vector<float> expected((*reference)[result].begin(), (*reference)[result].end());
        op.difference = differenceOf((*tensors)[result], expected, toleranceOf(op.op));
        op.difference.shape = kernel.tensors[result].shape;
        op.compared = true;
        op.note.clear();
        return {};
    }

    /// Uniform around 0; queries of attention such that scores stay near 1.
    std::vector<std::vector<float>> sampleOperands(const Kernel& kernel, std::uint64_t number) const {
        std::vector<std::vector<float>> operands(kernel.tensors.size());
        for (std::size_t t = 0; t < operands.size(); ++t) {
            const KernelTensor& tensor = kernel.tensors[t];
            if (tensor.role == TensorRole::Output)
                continue;
            const bool isQuery = kernel.body == BodyKind::Attention && t == 0;
            const double spread = isQuery ? 1 / std::sqrt(static_cast<double>(tensor.shape.back())) : 1;
            operands[t] =
                sampleNumbers(static_cast<std::size_t>(elementCount(tensor.shape).value_or(0)), spread,
                              (m_options.seed * 0x100000001b3ULL + number) * 0x100000001b3ULL + t);
        }
        return operands;
    }

    const CommandFacet& m_commands;
    const Plan& m_plan;
    const NumberOptions& m_options;
    const TaskContext& m_task;
    std::chrono::steady_clock::time_point m_start;
    std::map<OpId, std::size_t> m_index; ///< Into the report's ops.
    NumericReport m_report;
};

} // namespace

double numericTolerance(const Kernel& kernel, DataType type, int exactTerms) {
    double additions = 1;
    for (std::size_t loop = 0; loop < kernel.loops.size(); ++loop)
        if (kernel.isReductionLoop(static_cast<int>(loop)))
            additions *= static_cast<double>(kernel.loops[loop].extent);
    if (kernel.body == BodyKind::Attention) // scores first, then the sum over keys
        for (const KernelTensor& tensor : kernel.tensors)
            if (tensor.role == TensorRole::Input && !tensor.shape.empty()) {
                additions += static_cast<double>(tensor.shape.back()); // features of the queries
                break;
            }
    additions = std::max(1.0, additions / exactTerms);
    double results = 1;
    for (const KernelTensor& tensor : kernel.tensors)
        if (tensor.role != TensorRole::Input)
            results = std::max(results, static_cast<double>(elementCount(tensor.shape).value_or(1)));
    const double roundoff = type == DataType::BF16 ? 0x1p-8 : 0x1p-11,
                 spread = std::sqrt(2 * std::log(results) / 3);
    return roundoff * (8 + std::max(1.0, spread) * std::sqrt(additions));
}

std::int64_t NumericReport::compared() const {
    return std::count_if(ops.begin(), ops.end(), [](const NumericOp& op) { return op.compared; });
}

std::int64_t NumericReport::alike() const {
    return std::count_if(ops.begin(), ops.end(), [this](const NumericOp& op) {
        return op.sameAs.valid() && std::any_of(ops.begin(), ops.end(), [&op](const NumericOp& other) {
                   return other.op == op.sameAs && other.compared;
               });
    });
}

bool NumericReport::ok() const {
    return compared() > 0 && std::all_of(ops.begin(), ops.end(), std::mem_fn(&NumericOp::ok)) &&
           outputsAreRight();
}

bool NumericReport::outputsAreRight() const {
    return std::all_of(outputs.begin(), outputs.end(), [](const auto& output) { return output.second.ok(); });
}

Result<void> wholeNetworkOnly(const NumberOptions& options) {
    if (options.opByOp && (!options.inputs.empty() || !options.dump.empty()))
        return fail(
            ErrorCode::Usage,
            "op by op there are random operands: no inputs of the network, and no tensors between ops",
            options.dump.empty() ? "--input" : "--dump", "leave out --op-by-op");
    return {};
}

std::string numbersText(bool weightsOfModel, const Graph& graph, const InputValues& own) {
    if (own.empty())
        return weightsOfModel ? "the model's weights, random inputs" : "random weights and inputs";
    return fmt::format("{} weights, {}", weightsOfModel ? "the model's" : "random", inputsText(graph, own));
}

Result<NumericReport> checkNumbers(const CommandFacet& commands, const Plan& plan,
                                   const NumberOptions& options, const TaskContext& task) {
    return Checker(commands, plan, options, task).run();
}

} // namespace pim
