// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/sweep.h"

#include "app/pimc/table.h"
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/number_text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
    ModelOptions model;
    TargetOptions target;
    std::string over, overrides;
    bool csv = false;
};

double speedup(double baselineNs, double totalNs) { return totalNs > 0 ? baselineNs / totalNs : 0; }

std::string csvText(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points) {
    // Columns are those of the first point with a result: all have the same.
    const SweepPoint* shape = nullptr;
    for (const SweepPoint& point : points)
        if (!shape && point.problem.empty())
            shape = &point;
    std::string text;
    for (const SweepAxis& axis : axes)
        text += csvField(axis.symbol) + ",";
    text += "total_ns,host_only_ns,speedup_over_host";
    if (shape) {
        for (const Baseline& baseline : shape->baselines)
            text += fmt::format(",{0}_ns,speedup_over_{0}", baseline.id);
        for (const auto& [name, value] : shape->figures)
            text += "," + name;
    }
    text += ",problem\n";
    for (const SweepPoint& point : points) {
        for (const std::int64_t value : point.values)
            text += fmt::format("{},", value);
        const bool failed = !point.problem.empty();
        text += failed ? ",," : fmt::format("{},{},{}", point.totalNs, point.hostOnlyNs, speedup(point.hostOnlyNs, point.totalNs));
        if (shape) {
            for (std::size_t b = 0; b < shape->baselines.size(); ++b)
                text += failed ? ",," : fmt::format(",{},{}", point.baselines[b].totalNs, speedup(point.baselines[b].totalNs, point.totalNs));
            for (std::size_t f = 0; f < shape->figures.size(); ++f)
                text += failed ? "," : fmt::format(",{}", point.figures[f].second);
        }
        text += "," + csvField(point.problem) + "\n";
    }
    return text;
}

std::string jsonText(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points) {
    Json rows = Json::array();
    for (const SweepPoint& point : points) {
        Json& row = rows.emplace_back();
        for (std::size_t a = 0; a < axes.size(); ++a)
            row["bindings"][axes[a].symbol] = point.values[a];
        if (!point.problem.empty()) {
            row["problem"] = point.problem;
            continue;
        }
        row["total_ns"] = point.totalNs;
        row["host_only_ns"] = point.hostOnlyNs;
        row["baselines"] = Json::array();
        for (const Baseline& baseline : point.baselines)
            row["baselines"].push_back({{"id", baseline.id}, {"total_ns", baseline.totalNs}, {"speedup", speedup(baseline.totalNs, point.totalNs)}});
        for (const auto& [name, value] : point.figures)
            row[name] = value;
        row["compile_ms"] = point.compileMs;
    }
    return rows.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string tableText(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points) {
    std::vector<std::string> headings;
    for (const SweepAxis& axis : axes)
        headings.push_back(">" + axis.symbol);
    headings.insert(headings.end(), {">total", ">over host"});
    for (const SweepPoint& point : points)
        if (point.problem.empty()) {
            for (const Baseline& baseline : point.baselines)
                headings.push_back(">over " + baseline.id);
            for (const auto& [name, value] : point.figures)
                headings.push_back(">" + name);
            break;
        }
    const std::size_t columns = headings.size();
    Table table(std::move(headings));
    for (const SweepPoint& point : points) {
        std::vector<std::string> cells;
        for (const std::int64_t value : point.values)
            cells.push_back(std::to_string(value));
        if (point.problem.empty()) {
            cells.insert(cells.end(), {timeText(point.totalNs), ratioText(speedup(point.hostOnlyNs, point.totalNs))});
            for (const Baseline& baseline : point.baselines)
                cells.push_back(ratioText(speedup(baseline.totalNs, point.totalNs)));
            for (const auto& [name, value] : point.figures)
                cells.push_back(name.ends_with("_share") ? percentText(value) : fmt::format("{:.10g}", value));
        } else {
            cells.push_back(point.problem);
        }
        cells.resize(columns);
        table.add(std::move(cells));
    }
    return table.text();
}

Result<void> run(Session& session, const Options& options) {
    PIM_TRY(const auto axes, parseSweep(options.over));
    PIM_TRY(const ModelArgument argument, findModel(options.model.model));
    PlanRequest request;
    PIM_TRY(request.target, options.target.find(session, argument.target));
    PIM_TRY(request.options, options.target.compileOptions());
    if (!options.overrides.empty()) {
        PIM_TRY(const std::string text, readText(options.overrides));
        PIM_TRY(request.overrides, Overrides::fromJson(text, {}, options.overrides));
    }
    PIM_TRY(const GraphOptions graphOptions, options.model.graphOptions(argument));
    PIM_TRY(const auto model, importModel(argument.path, session.task()));
    std::vector<SweepPoint> points;
    PIM_CHECK(sweep(session.backends(), *model, graphOptions, std::move(request), axes,
                    [&](SweepPoint point) { points.push_back(std::move(point)); }, session.task()));
    return session.print(session.json ? jsonText(axes, points) : options.csv ? csvText(axes, points) : tableText(axes, points));
}

} // namespace

Action sweepVerb(CLI::App& verb) {
    auto options = std::make_shared<Options>();
    options->model.declare(verb);
    options->target.declare(verb);
    verb.add_option("--over", options->over, "Dimensions and values: seq=32,64 or seq=32..2048 (doubling); several with ;")
        ->required()
        ->type_name("NAME=N,…");
    verb.add_option("--override", options->overrides, "Decisions of yours: a JSON document; - is stdin")->type_name("FILE");
    verb.add_flag("--csv", options->csv, "Comma-separated values, times in ns");
    verb.footer("Examples:\n"
                "  pimc sweep sample:bert-base --target dynaplasia --over 'seq=32..2048'\n"
                "  pimc sweep sample:gpt3-13b-decode --target attacc --over 'past=128..2048;batch=1,4' --csv > sweep.csv");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
