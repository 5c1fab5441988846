// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execute/parts_network.h"

#include "core/base/text_table.h"
#include "core/numeric/real_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <functional>
#include <map>

namespace pim {
namespace {

constexpr std::uint64_t kCalibrationInputs = 4; ///< Random ones; ranges of few values are cut off.

using Values = std::map<TensorId, Value>;
/// What computes part \p part from its inputs.
using PartRun = std::function<Result<std::vector<Value>>(std::size_t part, std::span<const Value> inputs)>;

/// A tensor of a part in the whole network.
TensorId whole(const PlanPart& part, TensorId tensor) {
    return part.tensors[tensor.index()];
}

Result<std::vector<Value>> inputsOf(const PlanPart& part, const Graph& graph, const Values& values) {
    std::vector<Value> inputs;
    for (const TensorId input : part.plan->graph->inputs) {
        const auto known = values.find(whole(part, input));
        if (known == values.end())
            return fail(ErrorCode::Internal, "a part reads what none before it makes",
                        graph.tensor(whole(part, input)).name);
        inputs.push_back(known->second);
    }
    return inputs;
}

/// All parts in their order. \returns every value at a border, and those of the network's outputs.
Result<Values> runParts(const Plan& plan, std::span<const Value> inputs, const PartRun& run) {
    Values values;
    for (std::size_t i = 0; i < plan.graph->inputs.size(); ++i)
        values[plan.graph->inputs[i]] = inputs[i];
    for (std::size_t p = 0; p < plan.parts.size(); ++p) {
        const PlanPart& part = plan.parts[p];
        PIM_TRY(const std::vector<Value> given, inputsOf(part, *plan.graph, values));
        PIM_TRY(const std::vector<Value> made, run(p, given));
        for (std::size_t o = 0; o < made.size(); ++o)
            values[whole(part, part.plan->graph->outputs[o])] = made[o];
    }
    return values;
}

Result<std::vector<Value>> outputsOf(const Graph& graph, const Values& values) {
    std::vector<Value> outputs;
    for (const TensorId output : graph.outputs) {
        const auto known = values.find(output);
        if (known == values.end() && graph.tensor(output).isConstant()) {
            PIM_TRY(outputs.emplace_back(), constantValue(graph.tensor(output)));
            continue;
        }
        if (known == values.end())
            return fail(ErrorCode::Internal, "no part makes this output", graph.tensor(output).name);
        outputs.push_back(known->second);
    }
    return outputs;
}

/// Each part in float32.
PartRun inFloat32(const Plan& plan, int threads, const TaskContext& task) {
    return [&plan, threads, stop = task.stop](std::size_t part, std::span<const Value> inputs) {
        return runReal(*plan.parts[part].plan->graph, inputs, {}, threads, {stop, {}});
    };
}

/// A part ready to run; without a network it is computed in float32.
struct ReadyPart {
    std::unique_ptr<NumberOptions> options; ///< Outlive the network.
    std::unique_ptr<NumericNetwork> network;
    std::string note; ///< Why there is none.
};

class NetworkOfParts final : public NumericNetwork {
public:
    NetworkOfParts(const BackendList& backends, const Plan& plan, const NumberOptions& options)
        : m_backends(backends), m_plan(plan), m_options(options) {}

    Result<void> prepare(const TaskContext& task) {
        if (m_plan.parts.empty())
            return fail(ErrorCode::Usage, "the plan is for one machine", m_plan.graph->name,
                        "pimc check runs it on numbers");
        std::vector<std::vector<Value>> samples = m_options.calibration;
        for (std::uint64_t i = 0; samples.size() < kCalibrationInputs && m_options.calibration.empty(); ++i) {
            PIM_TRY(samples.emplace_back(), sampleInputs(*m_plan.graph, m_options.seed + i));
        }
        std::vector<std::vector<std::vector<Value>>> seen(m_plan.parts.size()); // [part][sample]
        for (const std::vector<Value>& sample : samples) {
            const PartRun real = inFloat32(m_plan, m_options.threads, task);
            PIM_CHECK(runParts(m_plan, sample, [&](std::size_t part, std::span<const Value> inputs) {
                seen[part].emplace_back(inputs.begin(), inputs.end());
                return real(part, inputs);
            }));
        }
        for (std::size_t p = 0; p < m_plan.parts.size(); ++p) {
            task.report("preparing parts", std::int64_t(p), std::ssize(m_plan.parts));
            PIM_TRY(m_ready.emplace_back(), readyPart(m_plan.parts[p], std::move(seen[p]), task));
        }
        return {};
    }

    Result<std::vector<Value>> run(std::span<const Value> inputs, const TaskContext& task) override {
        PIM_TRY(const Values values, runParts(m_plan, inputs, partRun(task)));
        return outputsOf(*m_plan.graph, values);
    }

    PartRun partRun(const TaskContext& task) {
        return [this, &task, real = inFloat32(m_plan, m_options.threads, task)](
                   std::size_t part, std::span<const Value> inputs) -> Result<std::vector<Value>> {
            const ReadyPart& ready = m_ready[part];
            return ready.network ? ready.network->run(inputs, task) : real(part, inputs);
        };
    }

    std::string numbersOfPart(std::size_t part) const {
        const ReadyPart& ready = m_ready[part];
        return ready.network ? ready.network->numbers() : "float32";
    }

    std::string numbers() const override {
        std::string text;
        for (std::size_t p = 0; p < m_ready.size(); ++p)
            if (m_ready[p].network)
                text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", deviceName(p), numbersOfPart(p));
        return text.empty() ? "float32" : text;
    }

    std::vector<std::string> notes() const override {
        std::vector<std::string> lines;
        for (std::size_t p = 0; p < m_ready.size(); ++p) {
            if (!m_ready[p].note.empty())
                lines.push_back(fmt::format("{}: {}", deviceName(p), m_ready[p].note));
            if (m_ready[p].network)
                for (const std::string& note : m_ready[p].network->notes())
                    lines.push_back(fmt::format("{}: {}", deviceName(p), note));
        }
        return lines;
    }

    std::string deviceName(std::size_t part) const {
        const DeviceId device = m_plan.parts[part].device;
        return device.onHost() ? "host" : m_plan.devices[device.index()].name;
    }

private:
    Result<ReadyPart> readyPart(const PlanPart& part, std::vector<std::vector<Value>> calibration,
                                const TaskContext& task) const {
        ReadyPart ready;
        if (part.device.onHost())
            return ready;
        PIM_TRY(const Backend* const backend, m_backends.find(part.plan->target->backend));
        const NumberFacet* const facet = backend->numbers();
        if (!facet) {
            ready.note = fmt::format("computed in float32: programs for {} cannot be executed on numbers",
                                     backend->machines());
            return ready;
        }
        ready.options = std::make_unique<NumberOptions>(m_options);
        ready.options->own.clear();
        ready.options->calibration = std::move(calibration);
        PIM_TRY(ready.network, facet->prepare(*part.plan, *ready.options, task));
        return ready;
    }

    const BackendList& m_backends;
    const Plan& m_plan;
    NumberOptions m_options;
    std::vector<ReadyPart> m_ready; ///< One a part.
};

/// Of fractions; whole numbers are equal or not.
struct Distance {
    double squared = 0, reference = 0, most = 0;
    bool isFinite = true;

    void add(const Value& made, const Value& wanted) {
        if (made.dtype != DataType::F32 || wanted.dtype != DataType::F32) {
            const bool same = made.bytes && wanted.bytes && *made.bytes == *wanted.bytes;
            squared += same ? 0 : 1;
            reference += 1;
            return;
        }
        const auto a = elements<float>(made), b = elements<float>(wanted);
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
            const double difference = double(a[i]) - double(b[i]);
            isFinite = isFinite && std::isfinite(a[i]);
            squared += difference * difference;
            reference += double(b[i]) * double(b[i]);
            most = std::max(most, std::abs(difference));
        }
    }
    /// Root mean square of the difference over that of what is wanted.
    double relative() const { return reference > 0 ? std::sqrt(squared / reference) : std::sqrt(squared); }
};

struct PartRow {
    std::string device, numbers;
    std::size_t ops = 0;
    double own = 0;   ///< What it is from float32 with the same inputs.
    double sofar = 0; ///< What it is from the network in float32.
    bool isFinite = true;
};

std::string partsText(const std::vector<PartRow>& rows, const Distance& end) {
    TextTable table({"Part", "Device", ">Ops", ">Adds", ">So far", "Numbers"});
    for (std::size_t p = 0; p < rows.size(); ++p)
        table.add({std::to_string(p + 1), rows[p].device, std::to_string(rows[p].ops),
                   fmt::format("{:.2g}", rows[p].own), fmt::format("{:.2g}", rows[p].sofar),
                   rows[p].numbers});
    return table.text() +
           fmt::format(
               "Outputs are {:.2g} of their size from the network in float32, at most {:.2g}.\n"
               "Adds: what the part is from float32 on the same inputs; so far: what it hands on is from "
               "the network. Both are root mean squares, relative.\n",
               end.relative(), end.most);
}

nlohmann::json partsNumbersJson(const std::vector<PartRow>& rows, const Distance& end) {
    nlohmann::json parts = nlohmann::json::array();
    for (const PartRow& row : rows)
        parts.push_back({{"device", row.device},
                         {"ops", row.ops},
                         {"numbers", row.numbers},
                         {"adds", row.own},
                         {"so_far", row.sofar}});
    return {{"parts", parts}, {"relative_error", end.relative()}, {"largest_error", end.most}};
}

} // namespace

Result<std::unique_ptr<NumericNetwork>> networkOfParts(const BackendList& backends, const Plan& plan,
                                                       const NumberOptions& options,
                                                       const TaskContext& task) {
    auto network = std::make_unique<NetworkOfParts>(backends, plan, options);
    PIM_CHECK(network->prepare(task));
    return std::unique_ptr<NumericNetwork>(std::move(network));
}

Result<NumberReport> checkParts(const BackendList& backends, const Plan& plan, const NumberOptions& options,
                                const TaskContext& task) {
    NetworkOfParts network(backends, plan, options);
    PIM_CHECK(network.prepare(task));
    PIM_TRY(const std::vector<Value> inputs, runInputs(*plan.graph, options.inputs, options.seed));
    const PartRun real = inFloat32(plan, options.threads, task);
    PIM_TRY(const Values wanted, runParts(plan, inputs, real));
    std::vector<PartRow> rows(plan.parts.size());
    const PartRun ours = network.partRun(task);
    const auto watched = [&](std::size_t p, std::span<const Value> given) -> Result<std::vector<Value>> {
        task.report("running parts", std::int64_t(p), std::ssize(rows));
        PIM_TRY(const std::vector<Value> made, ours(p, given));
        PIM_TRY(const std::vector<Value> alone, real(p, given));
        Distance own, sofar;
        for (std::size_t o = 0; o < made.size(); ++o) {
            own.add(made[o], alone[o]);
            sofar.add(made[o], wanted.at(whole(plan.parts[p], plan.parts[p].plan->graph->outputs[o])));
        }
        rows[p] = {network.deviceName(p), network.numbersOfPart(p), plan.parts[p].ops.size(),
                   own.relative(),        sofar.relative(),         own.isFinite};
        return made;
    };
    PIM_TRY(const Values values, runParts(plan, inputs, watched));
    PIM_TRY(const std::vector<Value> outputs, outputsOf(*plan.graph, values));
    PIM_TRY(const std::vector<Value> joined, outputsOf(*plan.graph, wanted));
    PIM_TRY(const std::vector<Value> uncut,
            runReal(*plan.graph, inputs, {}, options.threads, {task.stop, {}}));
    Distance end;
    NumberReport report;
    for (std::size_t o = 0; o < outputs.size(); ++o) {
        end.add(outputs[o], uncut[o]);
        if (*joined[o].bytes != *uncut[o].bytes)
            report.problem = Error{
                ErrorCode::Internal, "cut into parts and joined, the network does not compute what it did",
                plan.graph->tensor(plan.graph->outputs[o]).name, "report it with the model and the system"};
    }
    for (const PartRow& row : rows)
        if (!row.isFinite && !report.problem)
            report.problem =
                Error{ErrorCode::Internal, "the part made numbers that are not finite", row.device, {}};
    report.text = partsText(rows, end);
    report.json = partsNumbersJson(rows, end).dump();
    report.notes = network.notes();
    return report;
}

} // namespace pim
