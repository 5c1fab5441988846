// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/simulation_content.h"

#include "core/base/number_text.h"
#include "core/timeline/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace pim::report {
namespace {

using Kind = Column::Kind;

/// What commands waited for, most first: one channel, all ops.
Table waitsTable(const Simulation& simulation) {
    constexpr std::size_t kShown = 12;
    std::vector<std::pair<double, std::string>> waits;
    for (const auto& [reason, ns] : simulation.waitedNs)
        waits.emplace_back(ns, reason);
    std::stable_sort(waits.begin(), waits.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    waits.resize(std::min(waits.size(), kShown));
    Table table{fmt::format("What the commands of a channel of {} waited for", simulation.device),
                {{"Reason"}, {"Time", Kind::Number}, {"Of the run", Kind::Number}},
                {},
                false};
    for (const auto& [ns, reason] : waits)
        table.rows.push_back(
            {reason, timeText(ns), simulation.totalNs > 0 ? percentText(ns / simulation.totalNs) : "–"});
    return table;
}

/// Where the run took longer or shorter than \p predictedNs, by cause.
Table causesTable(const Simulation& simulation, double predictedNs) {
    Table causes{"Where the prediction was off",
                 {{"Cause"}, {"Difference", Kind::Number}, {"Of the prediction", Kind::Number}},
                 {},
                 true};
    const auto row = [&](const std::string& cause, double ns) {
        causes.rows.push_back({cause, (ns < 0 ? "−" : "+") + timeText(std::abs(ns)),
                               predictedNs > 0 ? percentText(ns / predictedNs) : "–"});
    };
    for (const auto& [cause, ns] : simulation.differenceNs)
        if (ns != 0)
            row(cause, ns);
    row("All", simulation.totalNs - predictedNs);
    return causes;
}

/// What the prediction misses most; without rows where it was not made piece by piece.
Table phasesTable(const Simulation& simulation) {
    std::vector<const SimulatedPhase*> worst;
    for (const SimulatedPhase& phase : simulation.phases)
        worst.push_back(&phase);
    std::stable_sort(worst.begin(), worst.end(), [](const SimulatedPhase* a, const SimulatedPhase* b) {
        return std::abs(a->simulatedNs - a->predictedNs) > std::abs(b->simulatedNs - b->predictedNs);
    });
    worst.resize(std::min<std::size_t>(worst.size(), 12));
    std::string heading = simulation.phaseWord;
    heading.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(heading.front())));
    Table phases{fmt::format("{}s the prediction misses most", heading),
                 {{heading}, {"Predicted", Kind::Number}, {"Simulated", Kind::Number}, {"Why"}},
                 {},
                 false};
    for (const SimulatedPhase* phase : worst)
        phases.rows.push_back(
            {phase->name, timeText(phase->predictedNs), timeText(phase->simulatedNs), phase->why});
    return phases;
}

/// Resources by their own capacity, and what the chain of work is made of that reaches from the beginning of the run to its end.
void addLimits(Section& section, const Limits& limits) {
    const auto ofPath = [&](std::int64_t ps) {
        return limits.totalPs > 0 ? percentText(double(ps) / double(limits.totalPs)) : "–";
    };
    std::string sentence = limits.sentence;
    sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
    section.blocks.push_back(Paragraph{sentence + "."});
    Table resources{"Resources of the run",
                    {{"Resource"},
                     {"Units", Kind::Number},
                     {"All busy", Kind::Number},
                     {"Busiest"},
                     {"Busy", Kind::Number},
                     {"Critical path", Kind::Number}},
                    {},
                    false};
    for (const ResourceUse& use : limits.resources)
        resources.rows.push_back({use.name, exactText(use.tracks), percentText(use.share), use.busiest,
                                  percentText(use.busiestShare), ofPath(use.pathPs)});
    section.blocks.push_back(std::move(resources));
    constexpr std::size_t kShown = 12;
    Table path{"The critical path by its work",
               {{"Work"}, {"Time", Kind::Number}, {"Of the path", Kind::Number}},
               {},
               true};
    std::int64_t rest = 0;
    for (std::size_t s = 0; s < limits.byLabel.size(); ++s) {
        const PathShare& share = limits.byLabel[s];
        if (s >= kShown)
            rest += share.ps;
        else
            path.rows.push_back({share.name.empty() ? "without a name" : share.name,
                                 timeText(double(share.ps) / 1000), ofPath(share.ps)});
    }
    if (rest > 0)
        path.rows.push_back({"All others", timeText(double(rest) / 1000), ofPath(rest)});
    path.rows.push_back({"All", timeText(double(limits.totalPs) / 1000), ofPath(limits.totalPs)});
    section.blocks.push_back(std::move(path));
}

} // namespace

Section simulationSection(const Simulation* simulation) {
    Section section{"Simulated", {}};
    if (!simulation)
        return section;
    section.blocks.push_back(Paragraph{simulation->summary});
    if (!simulation->timeline.spans.empty())
        addLimits(section, limitsOf(simulation->timeline));
    if (simulation->predictedNs)
        section.blocks.push_back(causesTable(*simulation, *simulation->predictedNs));
    if (!simulation->phases.empty())
        section.blocks.push_back(phasesTable(*simulation));
    if (!simulation->waitedNs.empty())
        section.blocks.push_back(waitsTable(*simulation));
    if (simulation->energyPj) {
        Table energy{"Energy of one run, simulated", {{"Part"}, {"Energy", Kind::Number}}, {}, true};
        for (const auto& [part, pj] : simulation->energyParts)
            energy.rows.push_back({part, energyText(pj)});
        energy.rows.push_back({"All", energyText(*simulation->energyPj)});
        section.blocks.push_back(std::move(energy));
    }
    if (!simulation->energyNote.empty())
        section.blocks.push_back(Paragraph{simulation->energyNote, Paragraph::Style::Note});
    return section;
}

Section helpSection(const WhatIf* help) {
    Section section{"What would help", {}};
    if (!help)
        return section;
    section.blocks.push_back(Paragraph{
        "Each row is the same network with one resource of the machine changed, planned again with the same "
        "options and decisions, and simulated."});
    Table rows{fmt::format("Against {} as it is", timeText(help->totalNs)),
               {{"What if"},
                {"Twice as"},
                {"Time", Kind::Number},
                {"Change", Kind::Number},
                {"Fastest", Kind::Number},
                {"Times as fast", Kind::Number},
                {"In the target"}},
               {},
               false};
    for (const WhatIfRow& row : help->rows) {
        std::string values = row.problem;
        for (std::size_t c = 0; row.problem.empty() && c < row.changes.size(); ++c)
            values += fmt::format("{}{} {}", c > 0 ? ", " : "", row.changes[c].value.pointer,
                                  amountsText(row.changes[c], " → "));
        const double change = row.twiceNs && help->totalNs > 0 ? *row.twiceNs / help->totalNs - 1 : 0;
        rows.rows.push_back({row.resource, std::string(name(row.way)),
                             row.twiceNs ? timeText(*row.twiceNs) : "–",
                             row.twiceNs ? fmt::format("{:+.1f} %", 100 * change) : "–",
                             row.fastestNs ? timeText(*row.fastestNs) : "–",
                             row.fastestNs ? fmt::format("{:.0f}", row.fastestFactor) : "–", values});
    }
    section.blocks.push_back(std::move(rows));
    if (help->boundNs)
        section.blocks.push_back(Paragraph{
            fmt::format(
                "As it is, no other order of the same work on the same units takes less than {}: {} is "
                "busy that long.",
                timeText(*help->boundNs), help->boundBy),
            Paragraph::Style::Note});
    return section;
}

} // namespace pim::report
