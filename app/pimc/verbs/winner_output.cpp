// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/winner_output.h"

#include "app/pimc/json_document.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {

std::string winnersText(const WinnerSetup& setup, const WinnerMap& map) {
    std::vector<std::string> heads;
    for (const SweepAxis& axis : setup.axes)
        heads.push_back(">" + axis.name);
    heads.insert(heads.end(), {"First",
                               setup.by == WhichBy::Stream    ? ">A stream"
                               : setup.by == WhichBy::Request ? ">A request"
                                                              : ">The first",
                               "Second", ">Slower by"});
    TextTable table(heads);
    for (const WinnerCell& cell : map.cells) {
        std::vector<std::string> row;
        for (const std::int64_t size : cell.sizes)
            row.push_back(std::to_string(size));
        if (cell.machine.empty())
            row.insert(row.end(), {cell.problem.empty() ? "none" : cell.problem, "", "", ""});
        else
            row.insert(row.end(),
                       {cell.machine, timeText(cell.ns), cell.second,
                        cell.second.empty() ? "" : fmt::format("{:.2f}×", cell.secondNs / cell.ns)});
        table.add(row);
    }
    std::string text = table.text();
    for (const Crossing& crossing : map.crossings)
        text += fmt::format("\n{} takes over from {} at {} {}{}", crossing.after, crossing.before,
                            setup.axes[0].name, crossing.at,
                            setup.axes.size() > 1 ? fmt::format(", {} {}", setup.axes[1].name, crossing.other)
                                                  : std::string());
    if (map.crossings.empty())
        text += "\nNo machine takes over from another along " + setup.axes[0].name + ".";
    return text + "\n";
}

std::string winnersJson(const WinnerSetup& setup, const WinnerMap& map) {
    nlohmann::json cells = nlohmann::json::array(), crossings = nlohmann::json::array();
    const auto nameOf = [&](std::size_t axis) { return setup.axes[axis].name; };
    for (const WinnerCell& cell : map.cells) {
        nlohmann::json sizes;
        for (std::size_t a = 0; a < cell.sizes.size(); ++a)
            sizes[nameOf(a)] = cell.sizes[a];
        cells.push_back({{"sizes", sizes},
                         {"first", cell.machine},
                         {"ns", cell.ns},
                         {"second", cell.second},
                         {"second_ns", cell.secondNs},
                         {"problem", cell.problem}});
    }
    for (const Crossing& crossing : map.crossings) {
        nlohmann::json at{{nameOf(0), crossing.at}};
        if (setup.axes.size() > 1)
            at[nameOf(1)] = crossing.other;
        crossings.push_back({{"at", at}, {"before", crossing.before}, {"after", crossing.after}});
    }
    const nlohmann::json document{{"by", name(setup.by)}, {"cells", cells}, {"crossings", crossings}};
    return jsonDocument(document);
}

} // namespace pim::cli
