// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/upmem/lut_answer.h"

#include "backends/upmem/lut/calibration.h"
#include "backends/upmem/lut/lut_program.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;
using namespace upmem;

ordered_json jsonOf(const LutAnswer& answer, bool isSimulated) {
    const auto number = [](bool known, auto value) { return known ? ordered_json(value) : ordered_json(); };
    ordered_json row{{"legal", answer.reason.empty()}, {"reason", nullptr}};
    if (!answer.reason.empty())
        row["reason"] = answer.reason;
    const bool mapped = answer.mapping.has_value(), timed = answer.times.has_value();
    const LutMapping mapping = answer.mapping.value_or(LutMapping{});
    const LutKernel& kernel = mapping.kernel;
    row["n_stile"] = number(mapped, mapping.split.rows);
    row["f_stile"] = number(mapped, mapping.split.features);
    row["loop_order"] = number(mapped, static_cast<int>(kernel.order));
    row["load_type"] = number(mapped, static_cast<int>(kernel.load));
    row["n_mtile"] = number(mapped, kernel.rows);
    row["f_mtile"] = number(mapped, kernel.features);
    row["cb_mtile"] = number(mapped, kernel.codebooks);
    row["f_load"] = number(mapped, kernel.loadFeatures);
    row["cb_load"] = number(mapped, kernel.loadCodebooks);
    const LutTimes times = answer.times.value_or(LutTimes{});
    row["t_total_s"] = number(timed, times.total());
    row["t_sublut_s"] = number(timed, times.transfers());
    row["t_kernel_s"] = number(timed, times.kernel());
    row["t_index_s"] = number(timed, times.sendIndex);
    row["t_lut_s"] = number(timed, times.sendTable);
    row["t_out_s"] = number(timed, times.fetchOutput);
    row["k_compute_s"] = number(timed, times.reduce);
    row["k_index_s"] = number(timed, times.loadIndex);
    row["k_out_s"] = number(timed, times.moveOutput);
    row["k_lut_s"] = number(timed, times.loadTable);
    row["t_calibrated_s"] = number(timed, timed ? calibrated(times, answer.layer->tasklets).total() : 0);
    if (isSimulated) {
        row["t_kernel_simulated_s"] = number(answer.simulatedS.has_value(), answer.simulatedS.value_or(0));
        row["not_simulated"] = number(!answer.notSimulated.empty(), answer.notSimulated);
    }
    return row;
}

std::string tableText(const std::vector<LutAnswer>& answers, bool isSimulated) {
    constexpr double kNsPerS = 1e9;
    std::vector<std::string> heads{">N",   ">CB",   ">CT",    ">F",         ">tasklets", "sub-LUT", "loops",
                                   "load", "tiles", "loaded", ">transfers", ">kernel",   ">total"};
    const std::size_t beforeSimulated = heads.size();
    if (isSimulated)
        heads.emplace_back(">kernel simulated");
    const std::size_t beforeReason = heads.size();
    heads.emplace_back("why not");
    TextTable table(heads);
    for (const LutAnswer& answer : answers) {
        std::vector<std::string> cells;
        if (const auto& layer = answer.layer)
            for (const std::int64_t number :
                 {layer->rows, layer->codebooks, layer->centroids, layer->features, layer->tasklets})
                cells.push_back(std::to_string(number));
        cells.resize(5);
        if (const auto& mapping = answer.mapping) {
            const LutKernel& kernel = mapping->kernel;
            cells.push_back(fmt::format("{} x {}", mapping->split.rows, mapping->split.features));
            cells.emplace_back(name(kernel.order));
            cells.emplace_back(name(kernel.load));
            cells.push_back(fmt::format("{} x {} x {}", kernel.rows, kernel.features, kernel.codebooks));
            cells.push_back(kernel.load == LutLoad::Static ? std::string("all")
                            : kernel.load == LutLoad::Fine
                                ? fmt::format("{}", kernel.loadFeatures)
                                : fmt::format("{} x {}", kernel.loadFeatures, kernel.loadCodebooks));
        }
        cells.resize(10);
        if (const auto& times = answer.times)
            for (const double seconds : {times->transfers(), times->kernel(), times->total()})
                cells.push_back(timeText(seconds * kNsPerS));
        cells.resize(beforeSimulated);
        if (answer.simulatedS)
            cells.push_back(timeText(*answer.simulatedS * kNsPerS));
        cells.resize(beforeReason);
        cells.push_back(answer.reason + answer.notSimulated);
        table.add(std::move(cells));
    }
    return table.text();
}

/// On the engine, at the clock of the cost model. A mapping that the hardware cannot run is answered with the reason.
/// Errors: Cancelled.
Result<void> simulate(LutAnswer& answer, const TaskContext& task) {
    if (!answer.mapping)
        return {};
    auto simulation = simulateLut(*answer.layer, *answer.mapping, task);
    if (simulation)
        answer.simulatedS = simulation->cycles / kLutClockHz;
    else if (simulation.error().code == ErrorCode::Cancelled)
        return tl::unexpected<Error>(std::move(simulation).error());
    else
        answer.notSimulated = simulation.error().message;
    return {};
}

} // namespace

void declareLutOptions(CLI::App& verb, LutArguments& options) {
    verb.add_option("FILE", options.file, "Table as CSV, plain or gzip")->required()->type_name("");
    verb.add_option(
            "--reading", options.reading,
            "strict: what the hardware can do; released: as PIM-DL's tuner was shipped, mistakes included; "
            "fixed: as shipped, without loads that were never measured")
        ->check(CLI::IsMember({std::string(name(LutReading::Strict)), std::string(name(LutReading::Released)),
                               std::string(name(LutReading::Fixed))}))
        ->type_name("strict|released|fixed")
        ->capture_default_str();
    verb.add_flag("--simulate", options.simulates,
                  "Run each kernel on the simulated DPU, too: a few tiles, and counted on from them");
}

Result<LutLayer> lutLayerOf(const CsvRows& rows) {
    LutLayer layer;
    const std::pair<const char*, std::int64_t*> numbers[] = {
        {"N", &layer.rows},     {"CB", &layer.codebooks}, {"CT", &layer.centroids},
        {"F", &layer.features}, {"pe", &layer.dpus},      {"tasklets", &layer.tasklets}};
    for (const auto& [column, number] : numbers) {
        PIM_TRY(*number, rows.number(column));
    }
    return layer;
}

Result<void> answerRows(Session& session, const LutArguments& options,
                        std::initializer_list<std::string_view> columns,
                        const std::function<Result<LutAnswer>(const CsvRows&, LutReading)>& answer) {
    const LutReading reading = lutReadingNamed(options.reading).value_or(LutReading::Strict);
    PIM_TRY(CsvRows rows, CsvRows::open(options.file, "a table of LUT layers"));
    PIM_CHECK(rows.require(columns));
    std::vector<LutAnswer> answers;
    const TaskContext task = session.task();
    while (true) {
        PIM_TRY(const bool any, rows.next());
        if (!any)
            break;
        if (task.cancelled())
            return TaskContext::cancelledError(options.file);
        auto one = answer(rows, reading);
        answers.push_back(one ? std::move(*one) : LutAnswer{{}, {}, {}, one.error().message});
        if (options.simulates && answers.back().reason.empty())
            PIM_CHECK(simulate(answers.back(), task));
        task.report("mapping LUT layers", std::int64_t(answers.size()), 0);
    }
    if (!session.json)
        return session.print(tableText(answers, options.simulates));
    ordered_json document{{"reading", options.reading}, {"rows", ordered_json::array()}};
    for (const LutAnswer& one : answers)
        document["rows"].push_back(jsonOf(one, options.simulates));
    return session.print(document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

} // namespace pim::cli
