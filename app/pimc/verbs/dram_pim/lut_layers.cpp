// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/dram_pim/lut_layers.h"

#include "app/pimc/verbs/csv_rows.h"
#include "backends/dram_pim/lut/run.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;
using namespace dram;

struct Answer {
    std::optional<LutLayer> layer; ///< As far as it could be read.
    std::optional<LutPlan> plan;
    std::string reason; ///< Why there is no mapping; empty if there is.
    std::optional<LutSimulation> simulation;

    /// Features of nobody that are computed as well.
    std::int64_t padding(const LutMachine& machine) const {
        return plan->mapping.featureGroups * plan->mapping.slices * machine.sliceFeatures() - layer->features;
    }
};

Result<LutLayer> layerOf(const CsvRows& rows) {
    LutLayer layer;
    const std::pair<const char*, std::int64_t*> numbers[] = {
        {"N", &layer.rows}, {"CB", &layer.codebooks}, {"CT", &layer.centroids}, {"F", &layer.features}};
    for (const auto& [column, number] : numbers) {
        PIM_TRY(*number, rows.number(column));
    }
    return layer;
}

/// What is wrong with the row, or the layer, is in the answer. Errors: of the simulation, Cancelled.
Result<Answer> answerTo(const CsvRows& rows, const LutMachine& machine, const Target& target, bool simulates,
                        const TaskContext& task) {
    const Result<LutLayer> layer = layerOf(rows);
    if (!layer)
        return Answer{{}, {}, layer.error().message, {}};
    const Result<LutPlan> plan = mapLut(*layer, machine);
    if (!plan)
        return Answer{*layer, {}, fmt::format("{}; {}", plan.error().message, plan.error().hint), {}};
    Answer answer{*layer, *plan, {}, {}};
    if (simulates) {
        PIM_TRY(answer.simulation, simulateLut(lutCode(*layer, plan->mapping, machine), target, task));
    }
    return answer;
}

ordered_json jsonOf(const Answer& answer, const LutMachine& machine, bool simulates) {
    ordered_json row{{"legal", answer.reason.empty()}, {"reason", nullptr}};
    if (!answer.reason.empty())
        row["reason"] = answer.reason;
    const bool known = answer.plan.has_value();
    const auto number = [known](auto value) { return known ? ordered_json(value) : ordered_json(); };
    const LutPlan plan = answer.plan.value_or(LutPlan{});
    const LutMapping& mapping = plan.mapping;
    row["row_groups"] = number(mapping.rowGroups);
    row["feature_groups"] = number(mapping.featureGroups);
    row["tile_rows"] = number(mapping.tileRows);
    row["tile_slices"] = number(mapping.tileSlices);
    row["codebooks_of_row"] = number(mapping.codebooksOfRow);
    row["parts"] = number(mapping.parts);
    row["bank_rows"] = number(mapping.bankRows());
    row["padding_features"] = number(known ? answer.padding(machine) : 0);
    row["additions"] = number(mapping.additions());
    const auto seconds = [&](double ticks) { return number(ticks * machine.tickNs / 1e9); };
    row["t_total_s"] = seconds(plan.ticks.total());
    row["t_input_s"] = seconds(plan.ticks.input);
    row["t_tables_s"] = seconds(plan.ticks.tables);
    row["t_results_s"] = seconds(plan.ticks.results);
    row["t_output_s"] = seconds(plan.ticks.output);
    row["t_modes_s"] = seconds(plan.ticks.modes);
    row["t_refresh_s"] = seconds(plan.ticks.refresh);
    if (simulates)
        row["t_simulated_s"] =
            answer.simulation ? ordered_json(answer.simulation->seconds()) : ordered_json();
    return row;
}

std::string tableText(const std::vector<Answer>& answers, const LutMachine& machine, bool simulates) {
    std::vector<std::string> heads{">N",       ">CB",       ">CT",       ">F",
                                   "channels", "tile",      ">in a row", ">rows of a bank",
                                   ">padding", ">predicted"};
    if (simulates)
        heads.emplace_back(">simulated");
    const std::size_t beforeReason = heads.size();
    heads.emplace_back("why not");
    TextTable table(heads);
    for (const Answer& answer : answers) {
        std::vector<std::string> cells;
        if (const auto& layer = answer.layer)
            for (const std::int64_t number :
                 {layer->rows, layer->codebooks, layer->centroids, layer->features})
                cells.push_back(std::to_string(number));
        cells.resize(4);
        if (const auto& plan = answer.plan) {
            const LutMapping& mapping = plan->mapping;
            cells.push_back(fmt::format("{} x {}", mapping.rowGroups, mapping.featureGroups));
            cells.push_back(fmt::format("{} x {}", mapping.tileRows, mapping.tileSlices));
            cells.push_back(mapping.parts > 1 ? fmt::format("1/{}", mapping.parts)
                                              : std::to_string(mapping.codebooksOfRow));
            cells.push_back(std::to_string(mapping.bankRows()));
            cells.push_back(std::to_string(answer.padding(machine)));
            cells.push_back(timeText(plan->ticks.total() * machine.tickNs));
        }
        if (answer.simulation)
            cells.push_back(timeText(answer.simulation->seconds() * 1e9));
        cells.resize(beforeReason);
        cells.push_back(answer.reason);
        table.add(std::move(cells));
    }
    return table.text();
}

} // namespace

Result<void> answerLutLayers(Session& session, const Target& target, const LutLayerArguments& arguments) {
    if (arguments.accumulators && target.backend != "aim")
        return fail(ErrorCode::Usage, "--accumulators is for AiM", target.id,
                    "the registers of other units are known");
    PIM_TRY(const LutMachine machine,
            LutMachine::of(target, {arguments.accumulators.value_or(LutOptions().accumulators),
                                    arguments.sendsIndices}));
    PIM_TRY(CsvRows rows, CsvRows::open(arguments.file, "a table of LUT layers"));
    PIM_CHECK(rows.require({"N", "CB", "CT", "F"}));
    std::vector<Answer> answers;
    const TaskContext task = session.task();
    while (true) {
        PIM_TRY(const bool any, rows.next());
        if (!any)
            break;
        if (task.cancelled())
            return TaskContext::cancelledError(arguments.file);
        PIM_TRY(Answer answer, answerTo(rows, machine, target, arguments.simulates, task));
        answers.push_back(std::move(answer));
        task.report("mapping LUT layers", std::int64_t(answers.size()), 0);
    }
    if (!session.json)
        return session.print(tableText(answers, machine, arguments.simulates));
    ordered_json document{{"target", target.id}, {"rows", ordered_json::array()}};
    if (machine.chip == LutChip::Aim)
        document["accumulators"] = machine.registers;
    for (const Answer& one : answers)
        document["rows"].push_back(jsonOf(one, machine, arguments.simulates));
    return session.print(document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

} // namespace pim::cli
