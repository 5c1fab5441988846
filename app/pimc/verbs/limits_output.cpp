// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/limits_output.h"

#include "core/base/number_text.h"
#include "core/base/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace pim::cli {
namespace {

std::string sharesText(const char* head, const std::vector<PathShare>& shares, const Limits& limits,
                       int top) {
    TextTable table({head, ">Of the chain", ">Share"});
    std::int64_t rest = 0;
    for (std::size_t s = 0; s < shares.size(); ++s) {
        if (s >= static_cast<std::size_t>(top)) {
            rest += shares[s].ps;
            continue;
        }
        table.add({shares[s].name.empty() ? "(no name)" : shares[s].name,
                   timeText(double(shares[s].ps) / kPsInNs), percentOf(shares[s].ps, limits)});
    }
    if (rest > 0)
        table.add({fmt::format("{} others", shares.size() - static_cast<std::size_t>(top)),
                   timeText(double(rest) / kPsInNs), percentOf(rest, limits)});
    return "\n" + table.text();
}

std::string gainText(const std::optional<double>& ns, double nowNs) {
    return ns ? fmt::format("{:+.1f} %", 100 * (*ns / nowNs - 1)) : std::string();
}

/// The first of them.
std::string changesText(const std::vector<ChangedValue>& changes) {
    constexpr std::size_t kShown = 2;
    std::string text;
    for (std::size_t c = 0; c < std::min(kShown, changes.size()); ++c)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", changes[c].value.pointer,
                            amountsText(changes[c], " -> "));
    return changes.size() <= kShown ? text : fmt::format("{}, and {} more", text, changes.size() - kShown);
}

std::string intensityText(double operationsPerByte) {
    return std::isfinite(operationsPerByte) ? fmt::format("{:.3g}", operationsPerByte) : "no bytes";
}

} // namespace

std::string percentOf(std::int64_t ps, const Limits& limits) {
    return fmt::format("{:.1f} %", limits.totalPs > 0 ? 100.0 * double(ps) / double(limits.totalPs) : 0.0);
}

std::string tablesText(const Limits& limits, int top) {
    TextTable table({"Resource", ">Units", ">Busy, of all", "Busiest", ">Busy", ">Of the chain"});
    for (const ResourceUse& use : limits.resources)
        table.add({use.name, std::to_string(use.tracks), fmt::format("{:.1f} %", use.share * 100),
                   use.busiest, fmt::format("{:.1f} %", use.busiestShare * 100),
                   percentOf(use.pathPs, limits)});
    std::string text = "\n" + table.text();
    text += sharesText("Work", limits.byLabel, limits, top);
    text += sharesText("Unit", limits.byTrack, limits, top);
    text += sharesText("Begins after", limits.byCause, limits, top);
    return text;
}

std::string whatIfText(const WhatIf& whatIf, std::string_view how) {
    TextTable table(
        {"What if", "Twice as", ">Time", ">Change", ">Fastest", ">Times", ">Change", "Values, now and then"});
    std::string problems;
    for (const WhatIfRow& row : whatIf.rows) {
        table.add({row.resource, std::string(name(row.way)), row.twiceNs ? timeText(*row.twiceNs) : "",
                   gainText(row.twiceNs, whatIf.totalNs), row.fastestNs ? timeText(*row.fastestNs) : "",
                   row.fastestNs ? fmt::format("{:.0f}", row.fastestFactor) : "",
                   gainText(row.fastestNs, whatIf.totalNs), changesText(row.changes)});
        if (!row.problem.empty())
            problems += fmt::format("{}: {}\n", row.resource, row.problem);
    }
    std::string text = fmt::format("\n{}{}{}\n", table.text(), problems, how);
    if (whatIf.boundNs)
        text += fmt::format("As it is, no other order of the same work on the same units takes less than {}: "
                            "{} is busy that long.\n",
                            timeText(*whatIf.boundNs), whatIf.boundBy);
    return text;
}

std::string rooflineText(const Roofline& roofline, int top, const std::function<std::string(OpId)>& nameOf,
                         std::string_view more) {
    TextTable ceilings({"Ceiling", ">At most", "Of", "Because"});
    for (const Ceiling& ceiling : roofline.ceilings)
        ceilings.add({ceiling.name, rateText(ceiling.perNs, ceiling.isMemory),
                      ceiling.ofHost ? "host" : "machine", ceiling.because});
    TextTable ops({"Op", ">Time", ">Op/B", ">Speed", ">Its roof", ">Of it", "Set by"});
    const auto all = byTime(roofline);
    for (const OpUnderRoof* op : all) {
        if (top-- == 0)
            break;
        const int lowest = roofline.lowestRoof(*op);
        const bool computes = op->operations > 0;
        ops.add({nameOf(op->op), timeText(op->ns), computes ? intensityText(roofline.intensityOf(*op)) : "",
                 computes ? rateText(Roofline::speedOf(*op), false) : "moves data",
                 computes && lowest >= 0 ? rateText(roofline.roofOf(*op), false) : "",
                 percentText(roofline.shareOfRoof(*op)),
                 lowest < 0 ? "" : roofline.ceilings[static_cast<std::size_t>(lowest)].name});
    }
    std::string text = "\n" + ceilings.text() + "\n" + ops.text();
    if (top < 0)
        text += fmt::format("{} ops in all{}{}.\n", all.size(), more.empty() ? "" : "; ", more);
    return text;
}

} // namespace pim::cli
