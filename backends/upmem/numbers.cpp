// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/numbers.h"

#include "backends/upmem/code_check.h"
#include "backends/upmem/dpu_ops.h"
#include "core/base/number_text.h"
#include "core/base/option_table.h"
#include "core/base/text_table.h"
#include "core/execute/numeric_check.h"
#include "core/execute/numeric_network.h"
#include "core/execute/operands.h"
#include "core/execute/sample_weights.h"
#include "core/numeric/real_run.h"
#include "core/numeric/tensor_dump.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace pim {
namespace {

using namespace upmem;
using nlohmann::ordered_json;

struct UpmemCheckOptions {
    std::int64_t engineMillions = 200;
    bool allOps = false;
};

const TypedOptionTable<UpmemCheckOptions>& upmemChoices() {
    static const TypedOptionTable<UpmemCheckOptions> kTable(
        {{{"engine", "N",
           "million DPU instructions that are simulated, 0 to 10000000; DPUs beyond are computed in plain "
           "loops"},
          [](const UpmemCheckOptions& o) { return std::to_string(o.engineMillions); },
          [](UpmemCheckOptions& o, std::string_view text) {
              const auto [end, failure] =
                  std::from_chars(text.data(), text.data() + text.size(), o.engineMillions);
              return failure == std::errc() && end == text.data() + text.size() && o.engineMillions >= 0 &&
                     o.engineMillions <= 10'000'000;
          }},
         {{"all-ops", "on|off", "also ops that the plan leaves to the host though DPUs can run them"},
          [](const UpmemCheckOptions& o) { return std::string(o.allOps ? "on" : "off"); },
          [](UpmemCheckOptions& o, std::string_view text) {
              o.allOps = text == "on";
              return text == "on" || text == "off";
          }}});
    return kTable;
}

struct Outcome {
    std::string way = "network";
    std::string how;           ///< What the numbers were.
    std::string against;       ///< What they were compared with.
    std::string types;         ///< Of the ops: "i8", "i16".
    bool whole = false;        ///< The outputs of the network were compared as well.
    double outputError = 0;    ///< Against float32: sqrt(sum of squared differences / sum of squares).
    OutputDifferences outputs; ///< Likewise, each.
    double seconds = 0;
    std::vector<CheckedOp> ops;

    std::int64_t ran() const { return std::ranges::count(ops, true, &CheckedOp::ran); }
    std::int64_t alike() const {
        return std::ranges::count_if(ops, [](const CheckedOp& op) { return op.sameAs.valid(); });
    }
    std::int64_t total(std::int64_t CheckedOp::*number) const {
        std::int64_t sum = 0;
        for (const CheckedOp& op : ops)
            sum += op.*number;
        return sum;
    }
    std::int64_t instructions() const {
        std::int64_t sum = 0;
        for (const CheckedOp& op : ops)
            sum += op.share.instructions;
        return sum;
    }
};

/// The outputs of a run in 8 bit, fractions as F32.
std::vector<pim::Value> realOutputs(const QuantizedModel& model, const QuantizedRun& run) {
    std::vector<pim::Value> outputs;
    for (const TensorId output : model.graph->outputs) {
        const pim::Value& value = run.values[output.index()];
        outputs.push_back(model.exponents[output.index()] && value.bytes
                              ? toReal(value, *model.exponents[output.index()])
                              : value);
    }
    return outputs;
}

/// An op on DPUs in fixed point. \returns nothing, with the note of \p op set, where it was not run.
Result<std::optional<pim::Value>> fixedPointResult(DpuOps& ops, CheckedOp& op, const Graph& graph,
                                                   const RealStep& step, const TaskContext& task) {
    auto operands = kernelOperands(graph, op.op, op.kernel(), op.sources, step.inputs);
    if (!operands) {
        op.note = operands.error().message;
        return std::optional<pim::Value>();
    }
    PIM_TRY(const auto tensors, runFixedPoint(ops, op, std::move(*operands), task));
    if (!tensors)
        return std::optional<pim::Value>();
    PIM_TRY(pim::Value result, opResult(graph, op.op, op.kernel(), step.inputs, *tensors));
    return std::optional(std::move(result));
}

/// All ops on DPUs in 8 bit, the host's as well.
class EightBitNetwork final : public NumericNetwork {
public:
    EightBitNetwork(DpuOps ops, QuantizedModel model, int threads)
        : m_ops(std::move(ops)), m_model(std::move(model)), m_threads(threads) {
        roundConstants(m_model, m_ops);
    }

    Result<std::vector<pim::Value>> run(std::span<const pim::Value> inputs,
                                        const TaskContext& task) override {
        DpuDevice device(m_ops, m_model, task);
        PIM_TRY(const QuantizedRun done,
                runQuantized(m_model, inputs, {.keepSums = false, .threads = m_threads, .device = &device},
                             {task.stop, {}}));
        return realOutputs(m_model, done);
    }
    std::string numbers() const override {
        return fmt::format("8 bit with exact sums, on DPUs: {} of {} ops", m_ops.ops().size(),
                           m_model.graph->ops.size());
    }

private:
    DpuOps m_ops;
    QuantizedModel m_model;
    int m_threads;
};

/// Everything that DPUs run or, with \p possible, could run.
bool isEightBit(const Plan& plan, bool possible) {
    return std::ranges::all_of(plan.ops, [possible](const OpPlan& op) {
        return (op.onHost() && !possible) || !op.space || !op.draft ||
               op.space->kernel().tensors.front().dtype == DataType::I8;
    });
}

class Check {
public:
    Check(const Plan& plan, const NumberOptions& options, const UpmemCheckOptions& own,
          const TaskContext& task)
        : m_plan(plan), m_options(options), m_own(own), m_task(task),
          m_start(std::chrono::steady_clock::now()) {}

    Result<Outcome> run() {
        PIM_CHECK(wholeNetworkOnly(m_options));
        DpuBudget budget{m_own.engineMillions * 1'000'000, m_options.secondsAtMost, m_options.threads};
        budget.takesPossible = m_own.allOps;
        const bool eight = !m_options.opByOp && isEightBit(m_plan, m_own.allOps);
        budget.comparesEach = !eight;
        budget.asksRest = !m_options.opByOp;
        budget.equalCodeOnce = m_options.opByOp;
        PIM_TRY(DpuOps ops, DpuOps::of(m_plan, m_options.ops, budget));
        if (m_options.opByOp) {
            PIM_CHECK(eachAlone(ops));
        } else if (!ops.ops().empty()) {
            PIM_TRY(m_graph, withSampleWeights(m_plan.graph, m_options.seed));
            PIM_TRY(m_inputs, runInputs(*m_graph, m_options.inputs, m_options.seed));
            m_outcome.how = numbersText(m_graph == m_plan.graph, *m_graph, m_options.inputs);
            PIM_CHECK(eight ? eightBit(ops) : fixedPoint(ops));
        }
        m_outcome.ops = std::move(ops.ops());
        m_outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
        return std::move(m_outcome);
    }

private:
    Result<void> eightBit(DpuOps& ops) {
        PIM_TRY(QuantizedModel model,
                quantize(m_graph, {.calibration = {m_inputs}, .threads = m_options.threads}, m_task));
        PIM_TRY(TensorDump dump, TensorDump::open(m_options.dump, *m_graph));
        PIM_CHECK(dump.inputs(m_inputs, m_options.inputs));
        PIM_TRY(const auto reals, runReal(*m_graph, m_inputs, dump.references(), m_options.threads, m_task));
        roundConstants(model, ops);
        PIM_TRY(const QuantizedRun reference,
                runQuantized(model, m_inputs, {.threads = m_options.threads}, m_task));
        DpuDevice device(ops, model, m_task);
        PIM_TRY(const QuantizedRun run,
                runQuantized(model, m_inputs, {.threads = m_options.threads, .device = &device}, m_task));
        compareRuns(ops, run, reference);
        PIM_CHECK(dumpRun(dump, model, run, reference, [&ops](OpId id) {
            const CheckedOp* const op = ops.find(id);
            return std::string(op && op->ran ? "DPUs" : "host");
        }));
        m_outcome.against = "bit for bit with the 8-bit reference";
        setOutputs(reals, realOutputs(model, run));
        return {};
    }

    Result<void> fixedPoint(DpuOps& ops) {
        PIM_TRY(TensorDump dump, TensorDump::open(m_options.dump, *m_graph));
        PIM_CHECK(dump.inputs(m_inputs, m_options.inputs));
        PIM_TRY(const auto reals, runReal(*m_graph, m_inputs, dump.references(), m_options.threads, m_task));
        const auto observer = [&](const RealStep& step) -> Result<void> {
            const std::vector<pim::Value> real(step.outputs.begin(), step.outputs.end());
            CheckedOp* const op = ops.find(step.op);
            if (op) {
                PIM_TRY(auto result, fixedPointResult(ops, *op, *m_graph, step, m_task));
                if (result)
                    step.results->front() = std::move(*result);
            }
            return keep(dump, step, op, real);
        };
        PIM_TRY(const auto outputs, runReal(*m_graph, m_inputs, observer, m_options.threads, m_task));
        m_outcome.against = "bit for bit with plain loops on the same whole numbers";
        setOutputs(reals, outputs);
        return {};
    }

    /// \param real results in float32, from which whole numbers differ by their rounding.
    Result<void> keep(TensorDump& dump, const RealStep& step, const CheckedOp* op,
                      const std::vector<pim::Value>& real) const {
        const std::vector<TensorId>& outputs = m_graph->op(step.op).outputs;
        for (std::size_t k = 0; dump.writes() && k < outputs.size() && k < real.size(); ++k) {
            if (!outputs[k].valid())
                continue;
            const bool onDpus = op && op->ran && k == 0;
            DumpedTensor dumped{
                (*step.results)[k], onDpus ? real[k] : pim::Value(), {}, onDpus ? "DPUs" : "host", {}};
            dumped.numbers = name(onDpus ? op->kernel().tensors.front().dtype : dumped.made.dtype);
            PIM_CHECK(dump.add(step.op, outputs[k], dumped));
        }
        return {};
    }

    void setOutputs(const std::vector<pim::Value>& reals, const std::vector<pim::Value>& outputs) {
        m_outcome.whole = true;
        m_outcome.outputError = relativeErrorOf(outputs, reals);
        m_outcome.outputs = outputDifferences(*m_graph, outputs, reals);
    }

    Result<void> eachAlone(DpuOps& ops) {
        m_outcome.way = "op by op";
        m_outcome.how = "random operands for every op, equal code once";
        m_outcome.against = "bit for bit with plain loops on the same whole numbers";
        for (CheckedOp& op : ops.ops()) {
            if (!op.arrangement || op.sameAs.valid())
                continue;
            KernelNumbers numbers = randomOperands(op, m_options.seed);
            PIM_TRY([[maybe_unused]] const bool ran, ops.run(op, numbers, m_task));
        }
        return {};
    }

    const Plan& m_plan;
    const NumberOptions& m_options;
    UpmemCheckOptions m_own;
    const TaskContext& m_task;
    std::chrono::steady_clock::time_point m_start;
    std::shared_ptr<const Graph> m_graph;
    std::vector<pim::Value> m_inputs;
    Outcome m_outcome;
};

std::string verdictOf(const Outcome& outcome) {
    return outcome.ran() == 0 ? "none" : outcome.total(&CheckedOp::different) == 0 ? "right" : "NOT RIGHT";
}

std::string plainText(const Outcome& outcome) {
    std::string text =
        fmt::format("numbers    {}: {} of {} ops on DPUs compared {}{} ({}), {:.1f} s\n", verdictOf(outcome),
                    outcome.ran(), outcome.ops.size(), outcome.against,
                    outcome.alike() > 0 ? fmt::format(", {} more have the same code", outcome.alike()) : "",
                    outcome.how, outcome.seconds);
    int dpus = 0, onEngine = 0;
    for (const CheckedOp& op : outcome.ops) {
        dpus += op.share.dpus;
        onEngine += op.share.onEngine;
    }
    text += fmt::format("engine     {} of {} DPUs of all ops, {} instructions; {}\n", onEngine, dpus,
                        exactText(outcome.instructions()),
                        onEngine == dpus           ? "all there are"
                        : outcome.way == "network" ? "the others in plain loops"
                                                   : "the others were left out");
    if (outcome.whole)
        text += fmt::format("outputs    {} off float32\n", percentText(outcome.outputError));
    TextTable table({"op", ">DPUs", ">on engine", ">instructions", ">compared", ">different", ""});
    for (const CheckedOp& op : outcome.ops) {
        if (op.sameAs.valid())
            continue;
        if (op.ran)
            table.add({op.name, exactText(op.share.dpus), exactText(op.share.onEngine),
                       exactText(op.share.instructions), exactText(op.elements), exactText(op.different),
                       op.different > 0 ? "WRONG: " + op.first : ""});
        else
            table.add({op.name, "", "", "", "", "", op.note});
    }
    text += table.text();
    return outcome.whole ? text + outputsTable(outcome.outputs) : text;
}

std::string jsonText(const NumberOptions& options, const Plan& plan, const Outcome& outcome) {
    ordered_json ops = ordered_json::array();
    for (const CheckedOp& op : outcome.ops) {
        ordered_json entry{{"name", op.name}, {"compared", op.ran}};
        if (op.ran)
            entry.update({{"ok", op.different == 0},
                          {"dpus", op.share.dpus},
                          {"on_engine", op.share.onEngine},
                          {"instructions", op.share.instructions},
                          {"elements", op.elements},
                          {"different", op.different}});
        else
            entry.update({{"reason", op.note}});
        if (op.different > 0)
            entry.update({{"first", op.first}});
        ops.push_back(std::move(entry));
    }
    const ordered_json json{
        {"model", options.model},
        {"target", plan.target->id},
        {"ok", verdictOf(outcome) == "right"},
        {"way", outcome.way},
        {"numbers", outcome.how},
        {"compared_with", outcome.against},
        {"ops_on_pim", outcome.ops.size()},
        {"compared", outcome.ran()},
        {"same_code", outcome.alike()},
        {"elements", outcome.total(&CheckedOp::elements)},
        {"different", outcome.total(&CheckedOp::different)},
        {"instructions", outcome.instructions()},
        {"output_error", outcome.whole ? ordered_json(outcome.outputError) : ordered_json()},
        {"outputs", ordered_json::parse(outputsJson(outcome.outputs))},
        {"seconds", outcome.seconds},
        {"ops", std::move(ops)}};
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Error nothingCompared(const Outcome& outcome) {
    if (outcome.ops.empty())
        return {ErrorCode::InvalidFile,
                "DPUs can run no op of it, there is nothing to compare",
                {},
                "`pimc compile` says why for every op"};
    return {ErrorCode::InvalidFile, "no op on DPUs could be compared", {}, "the table says why"};
}

/// Ops that DPUs run or, with \p possible, could run; of those in whole numbers.
std::pair<std::int64_t, std::int64_t> opsOnDpus(const Plan& plan, bool possible) {
    std::pair<std::int64_t, std::int64_t> counts{0, 0};
    for (const OpPlan& op : plan.ops)
        if ((possible || !op.onHost()) && op.space && op.draft) {
            ++counts.first;
            counts.second += computes(op.space->kernel().tensors.front().dtype);
        }
    return counts;
}

} // namespace

Result<std::unique_ptr<NumericNetwork>>
UpmemNumberFacet::prepare(const Plan& plan, const NumberOptions& options, const TaskContext& task) const {
    PIM_TRY(const UpmemCheckOptions own, upmemChoices().read(options.own));
    PIM_TRY(const auto graph, withSampleWeights(plan.graph, options.seed));
    const auto [onDpus, whole] = opsOnDpus(plan, own.allOps);
    if (onDpus == 0)
        return networkOfOps(graph, {}, "float32, all of it on the host", options.threads);
    if (whole == 0) // soft floats round as processors do
        return networkOfOps(graph, {},
                            fmt::format("float32, on DPUs: {} of {} ops", onDpus, graph->ops.size()),
                            options.threads);
    DpuBudget budget{0, 0, options.threads}; // plain loops: `pimc check` holds the engine against them
    budget.takesPossible = own.allOps;
    PIM_TRY(DpuOps ops, DpuOps::of(plan, {}, budget));
    if (isEightBit(plan, own.allOps)) {
        PIM_TRY(QuantizedModel model,
                quantize(graph, {options.calibration, options.seed, options.threads}, task));
        return std::make_unique<EightBitNetwork>(std::move(ops), std::move(model), options.threads);
    }
    const auto shared = std::make_shared<DpuOps>(std::move(ops));
    std::map<OpId, OpOnUnits> onUnits;
    for (const CheckedOp& each : shared->ops())
        if (each.arrangement)
            onUnits[each.op] = [shared, graph](const RealStep& step,
                                               const TaskContext& taken) -> Result<std::string> {
                CheckedOp& op = *shared->find(step.op);
                PIM_TRY(auto result, fixedPointResult(*shared, op, *graph, step, taken));
                if (!result)
                    return op.note;
                step.results->front() = std::move(*result);
                return std::string();
            };
    const std::size_t count = onUnits.size();
    return networkOfOps(
        graph, std::move(onUnits),
        fmt::format("whole numbers on DPUs: {} of {} ops, the others in float32", count, graph->ops.size()),
        options.threads);
}

const OptionTable* UpmemNumberFacet::choices() const {
    return &upmemChoices();
}

Result<NumberReport> UpmemNumberFacet::checkPlan(const Plan& plan, const NumberOptions& options,
                                                 const TaskContext& task) const {
    if (!options.program.empty())
        return fail(ErrorCode::Usage, "programs of DPUs are not run from a file", options.programFile,
                    "run a bundle: pimc verify BUNDLE --numeric");
    PIM_TRY(UpmemCheckOptions own, upmemChoices().read(options.own));
    std::vector<std::string> notes;
    if (!own.allOps && opsOnDpus(plan, false).first == 0 && opsOnDpus(plan, true).first > 0) {
        own.allOps = true;
        notes.push_back("the plan puts no op on DPUs; all that they can run are run there");
    }
    if (const auto [all, whole] = opsOnDpus(plan, own.allOps); all > 0 && whole == 0)
        return fail(
            ErrorCode::Unsupported,
            "f32 on a DPU is computed by a library of soft floats, which is priced but no part of the "
            "programs that the engine runs",
            plan.target->id, "compile with --dtype i8, i16 or i32");
    auto done = Check(plan, options, own, task).run();
    const bool bound = !options.inputs.empty() || !options.dump.empty(); // to a run of the whole network
    if (!done && done.error().code == ErrorCode::Unsupported && !options.opByOp && !bound) {
        notes.push_back(done.error().text() + "; its ops are run one by one");
        NumberOptions opByOp = options;
        opByOp.opByOp = true;
        done = Check(plan, opByOp, own, task).run();
    }
    PIM_TRY(const Outcome outcome, std::move(done));
    NumberReport report{plainText(outcome), jsonText(options, plan, outcome), std::move(notes), {}};
    if (outcome.ran() == 0)
        report.problem = nothingCompared(outcome);
    else if (outcome.total(&CheckedOp::different) > 0)
        report.problem = Error{ErrorCode::Internal, "the DPUs do not compute what the model says",
                               options.model, "the table says which ops"};
    return report;
}

Result<NumberReport> UpmemNumberFacet::checkBundle(const NumberBundle& bundle, const NumberOptions& options,
                                                   const TaskContext& task) const {
    PIM_TRY(NumberReport report, NumberFacet::checkBundle(bundle, options, task));
    PIM_TRY(const auto plan, bundle.plan());
    CodeCheckLimits limits;
    limits.seed = options.seed;
    PIM_TRY(const CodeCheck code, checkCode(*plan, limits, task));
    report.text += code.text();
    ordered_json json = ordered_json::parse(report.json);
    json["c_code"] = {{"programs", code.programs},     {"different", code.different},
                      {"shortened", code.shortened},   {"dma_bytes", code.dmaBytes},
                      {"violations", code.violations}, {"skipped", code.skipped},
                      {"problem", code.problem}};
    report.json = json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
    if (!code.problem.empty() && !report.problem)
        report.problem = Error{ErrorCode::Internal,
                               "the C code does not compute what the engine computes: " + code.problem,
                               options.model, "report it"};
    return report;
}

} // namespace pim
