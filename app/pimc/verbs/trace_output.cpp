// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/trace_output.h"

#include "app/pimc/json_document.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {

std::string traceText(const TraceTitle& title, const TraceSummary& summary) {
    TextTable table({"", ">"});
    for (const auto& [command, count] : summary.commands)
        table.add({command, exactText(count)});
    std::string text = title.op.empty() ? title.file : fmt::format("{} on {}", title.op, title.target);
    text += fmt::format(": {} ({}), {} lines", title.format, title.simulator, exactText(summary.lines));
    if (summary.channels > 0)
        text += fmt::format(", {} channels or cores", summary.channels);
    text += "\n" + table.text();
    const std::string on =
        !title.op.empty() ? ""
                          : " on " + (title.target.empty() ? "the machine of the simulator" : title.target);
    if (summary.cycles)
        text += fmt::format("{} takes {} cycles for it{}, {}\n", summary.engine, exactText(*summary.cycles),
                            on, timeText(summary.ns.value_or(0)));
    else if (summary.ns)
        text += fmt::format("{} takes {} for it{}\n", summary.engine, timeText(*summary.ns), on);
    for (const std::string& note : summary.notes)
        text += "note: " + note + "\n";
    return text;
}

std::string traceJson(const TraceTitle& title, const TraceSummary& summary) {
    using nlohmann::ordered_json;
    const auto known = [](const auto& value) { return value ? ordered_json(*value) : ordered_json(); };
    const auto named = [](const std::string& text) {
        return text.empty() ? ordered_json() : ordered_json(text);
    };
    ordered_json commands = ordered_json::object();
    for (const auto& [command, count] : summary.commands)
        commands[command] = count;
    return jsonDocument(ordered_json{{"file", title.file},
                                     {"format", title.format},
                                     {"simulator", title.simulator},
                                     {"op", named(title.op)},
                                     {"target", named(title.target)},
                                     {"lines", summary.lines},
                                     {"channels", summary.channels},
                                     {"commands", commands},
                                     {"engine", named(summary.engine)},
                                     {"cycles", known(summary.cycles)},
                                     {"ns", known(summary.ns)},
                                     {"notes", summary.notes}});
}

} // namespace pim::cli
