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

ordered_json differenceJson(const NumericDifference& difference) {
    return {{"elements", difference.elements},
            {"wrong", difference.wrong},
            {"max_absolute_error", difference.maxAbsolute},
            {"max_relative_error", difference.maxRelative},
            {"tolerance", difference.tolerance},
            {"relative_rms_error", difference.relativeRms},
            {"rms", difference.rms}};
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

std::string textOf(const NumericReport& report) {
    std::string text =
        fmt::format("numbers    {}: {} of {} ops on PIM compared with float32{} ({}), {:.1f} s\n",
                    verdictOf(report), report.compared(), report.ops.size(),
                    report.alike() > 0 ? fmt::format(", {} more have the same code", report.alike()) : "",
                    report.how, report.seconds);
    TextTable table({"op", ">elements", ">wrong", ">max error", ">tolerance", ">rms error", ">time", ""});
    const auto row = [&table](const std::string& what, const NumericDifference& d, double seconds,
                              const std::string& note) {
        table.add({what, exactText(d.elements), exactText(d.wrong), fmt::format("{:.2e}", d.maxRelative),
                   fmt::format("{:.2e}", d.tolerance), fmt::format("{:.2e}", d.relativeRms),
                   seconds > 0 ? fmt::format("{:.2f} s", seconds) : std::string(), note});
    };
    for (const NumericOp& op : report.ops)
        if (op.compared)
            row(op.name, op.difference, op.seconds, op.difference.ok() ? "" : "WRONG");
        else if (!op.sameAs.valid())
            table.add(
                {op.name, "", "", "", "", "", "", (op.broken ? "BROKEN: " : "not compared: ") + op.note});
    for (const auto& [output, difference] : report.outputs)
        row("output " + output, difference, 0, difference.ok() ? "" : "WRONG");
    return text + table.text();
}

} // namespace

NumberReport numberReport(const NumericReport& report) {
    NumberReport made;
    made.text = textOf(report);
    made.json = jsonOf(report).dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
    if (report.ops.empty())
        made.problem = Error{ErrorCode::InvalidFile,
                             "no op is on PIM, there is nothing to compare",
                             {},
                             "place ops on PIM with `pimc compile --override`"};
    else if (!report.ok())
        made.problem = report.compared() == 0 ? Error{ErrorCode::InvalidFile,
                                                      "no op on PIM could be compared",
                                                      {},
                                                      "the table says which ops"}
                                              : Error{ErrorCode::Internal,
                                                      "its code does not compute what the model says",
                                                      {},
                                                      "the table says which ops"};
    return made;
}

} // namespace pim
