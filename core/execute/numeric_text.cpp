// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/execute/numeric_check.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim {
namespace {

using nlohmann::ordered_json;

ordered_json errorsJson(const NumericDifference& difference) {
    return {{"elements", difference.elements},
            {"reference_not_finite", difference.notFinite},
            {"max_absolute_error", difference.maxAbsolute},
            {"mean_absolute_error", difference.meanAbsolute},
            {"max_relative_error", difference.maxRelative},
            {"mean_relative_error", difference.meanRelative},
            {"relative_rms_error", difference.relativeRms},
            {"rms", difference.rms}};
}

/// Against a tolerance.
ordered_json differenceJson(const NumericDifference& difference) {
    ordered_json first;
    if (difference.first >= 0)
        first = {{"index", indexOf(difference.first, difference.shape)},
                 {"value", difference.firstValue},
                 {"reference", difference.firstReference}};
    ordered_json json = errorsJson(difference);
    json.update({{"wrong", difference.wrong}, {"tolerance", difference.tolerance}, {"first_wrong", first}});
    return json;
}

ordered_json jsonOf(const NumericReport& report) {
    ordered_json ops = ordered_json::array(), outputs = ordered_json::array();
    for (const NumericOp& op : report.ops) {
        ordered_json entry{{"name", op.name}, {"compared", op.compared}, {"seconds", op.seconds}};
        if (op.compared)
            entry.update({{"ok", op.difference.ok()}, {"difference", differenceJson(op.difference)}});
        else
            entry.update({{"reason", op.note}});
        ops.push_back(std::move(entry));
    }
    for (const auto& [output, difference] : report.outputs)
        outputs.push_back(
            {{"name", output}, {"ok", difference.ok()}, {"difference", differenceJson(difference)}});
    return {{"ok", report.ok()},
            {"way", report.wholeNetwork ? "network" : "op by op"},
            {"numbers", report.how},
            {"ops_on_pim", report.ops.size()},
            {"compared", report.compared()},
            {"same_code", report.alike()},
            {"seconds", report.seconds},
            {"ops", std::move(ops)},
            {"outputs", std::move(outputs)}};
}

/// "none" is no verdict: no op was on PIM, reached in time, or one whose numbers can be compared.
std::string verdictOf(const NumericReport& report) {
    const bool broken =
        std::any_of(report.ops.begin(), report.ops.end(), [](const auto& op) { return op.broken; });
    if (report.ok())
        return "right";
    return report.compared() == 0 && !broken ? "none" : "NOT RIGHT";
}

/// Empty if all of the reference is finite.
std::string notFiniteText(const OutputDifferences& outputs) {
    std::int64_t count = 0, elements = 0;
    for (const auto& [output, difference] : outputs) {
        count += difference.notFinite;
        elements += difference.elements;
    }
    return count == 0
               ? std::string()
               : fmt::format("{} of {} output elements are NaN or infinite in float32: the errors leave "
                             "them out\n",
                             exactText(count), exactText(elements));
}

std::optional<Error> problemOf(const NumericReport& report) {
    if (report.ops.empty())
        return Error{ErrorCode::InvalidFile,
                     "no op is on PIM, there is nothing to compare",
                     {},
                     "decide that ops run there: `pimc check --override FILE`, or `pimc compile --override "
                     "FILE --out BUNDLE` and then "
                     "`pimc verify BUNDLE --numeric`"};
    if (report.ok())
        return std::nullopt;
    if (report.compared() == 0)
        return Error{
            ErrorCode::InvalidFile, "no op on PIM could be compared", {}, "the table says which ops"};
    const auto overflows = std::ranges::find_if(
        report.ops, [](const NumericOp& op) { return op.compared && op.difference.notFinite > 0; });
    if (overflows != report.ops.end() &&
        std::ranges::all_of(report.ops, [](const NumericOp& op) { return op.ok(); }))
        return Error{ErrorCode::InvalidFile,
                     fmt::format("{} of its {} results are NaN or infinite, in float32 as well; outputs that "
                                 "depend on them cannot be compared",
                                 exactText(overflows->difference.notFinite),
                                 exactText(overflows->difference.elements)),
                     overflows->name, "give smaller inputs: --input"};
    return Error{
        ErrorCode::Internal, "its code does not compute what the model says", {}, "the table says which ops"};
}

std::string textOf(const NumericReport& report) {
    std::string text =
        fmt::format("numbers    {}: {} of {} ops on PIM compared with float32{} ({}), {:.1f} s\n",
                    verdictOf(report), report.compared(), report.ops.size(),
                    report.alike() > 0 ? fmt::format(", {} more have the same code", report.alike()) : "",
                    report.how, report.seconds);
    TextTable table(
        {"op", ">elements", ">wrong", ">max error", ">mean error", ">tolerance", ">rms error", ">time", ""});
    const auto row = [&table](const std::string& what, const NumericDifference& d, double seconds) {
        table.add({what, exactText(d.elements), exactText(d.wrong), fmt::format("{:.2e}", d.maxRelative),
                   fmt::format("{:.2e}", d.meanRelative), fmt::format("{:.2e}", d.tolerance),
                   fmt::format("{:.2e}", d.relativeRms),
                   seconds > 0 ? fmt::format("{:.2f} s", seconds) : std::string(),
                   d.ok() ? std::string() : "WRONG: " + d.firstText()});
    };
    for (const NumericOp& op : report.ops)
        if (op.compared)
            row(op.name, op.difference, op.seconds);
        else if (!op.sameAs.valid())
            table.add(
                {op.name, "", "", "", "", "", "", "", (op.broken ? "BROKEN: " : "not compared: ") + op.note});
    for (const auto& [output, difference] : report.outputs)
        row("output " + output, difference, 0);
    return text + table.text() + notFiniteText(report.outputs);
}

} // namespace

OutputDifferences outputDifferences(const Graph& graph, const std::vector<Value>& outputs,
                                    const std::vector<Value>& reference) {
    OutputDifferences differences;
    for (std::size_t i = 0; i < outputs.size() && i < reference.size(); ++i)
        if (outputs[i].bytes && reference[i].bytes)
            differences.emplace_back(graph.tensor(graph.outputs[i]).name,
                                     differenceOf(outputs[i], reference[i], 0));
    return differences;
}

std::string outputsTable(const OutputDifferences& outputs, std::string_view heading) {
    TextTable table({std::string(heading), ">elements", ">max error", ">mean error", ">rms error"});
    for (const auto& [output, d] : outputs)
        table.add({output, exactText(d.elements), fmt::format("{:.2e}", d.maxRelative),
                   fmt::format("{:.2e}", d.meanRelative), fmt::format("{:.2e}", d.relativeRms)});
    return table.text() + notFiniteText(outputs);
}

std::string outputsJson(const OutputDifferences& outputs) {
    ordered_json json = ordered_json::array();
    for (const auto& [output, difference] : outputs) {
        ordered_json entry{{"name", output}};
        entry.update(errorsJson(difference));
        json.push_back(std::move(entry));
    }
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

NumberReport numberReport(const NumericReport& report) {
    NumberReport made;
    made.text = textOf(report);
    made.json = jsonOf(report).dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
    made.problem = problemOf(report);
    return made;
}

} // namespace pim
