// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/report.h"

#include "backends/dual_mode/plan.h"
#include "core/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim {
namespace {

using namespace report;

using Kind = Column::Kind;

constexpr std::size_t kSegmentsListed = 60;
constexpr double kNarrowest = 0.4; ///< Pixels; narrower neighbours are drawn as one bar.

std::string number(std::int64_t value) {
    return exactText(value);
}

std::string operatorsOf(const DualModePlan& dualMode, const DualModeSegment& segment) {
    std::string text = dualMode.subOpName(segment.first);
    if (segment.last > segment.first)
        text += fmt::format(" … {} ({})", dualMode.subOpName(segment.last), segment.last - segment.first + 1);
    return text;
}

/// Arrays in each mode over time: one column a segment, as wide as it takes.
Drawing modesChart(const DualModePlan& dualMode, Origin origin) {
    Drawing drawing;
    drawing.title = fmt::format("Arrays by mode over the run, {}", name(origin));
    drawing.description = "Each column is a segment, as wide as it takes; compute arrays below, memory "
                          "arrays above, idle ones empty";
    constexpr double kLeft = 40, kWidth = 620, kTop = 26, kHeight = 150;
    const double cycles = dualMode.segmentation.cycles, arrays = dualMode.chip.arrays;
    double x = 10;
    for (const auto& [ink, text] : {std::pair{Ink::Compute, "compute"}, std::pair{Ink::Input, "memory"}}) {
        drawing.marks.push_back(Bar{kLeft + x, 5, 12, 10, ink, false, {}});
        drawing.marks.push_back(Label{kLeft + x + 17, 14, text, Ink::Muted, 11});
        x += 90;
    }
    for (const double share : {0.0, 0.5, 1.0}) {
        const double y = kTop + kHeight * (1 - share);
        drawing.marks.push_back(Rule{kLeft, y, kLeft + kWidth, y, Ink::Grid});
        drawing.marks.push_back(
            Label{kLeft - 6, y + 3.5, fmt::format("{:g}", arrays * share), Ink::Muted, 10, Anchor::End});
    }
    double at = 0, drawn = 0, compute = 0, memory = 0;
    const auto flush = [&](double end, const std::string& tip) {
        const double left = kLeft + kWidth * drawn / cycles, width = kWidth * (end - drawn) / cycles;
        const double span = end - drawn;
        const double low = kHeight * compute / span / arrays, high = kHeight * memory / span / arrays;
        drawing.marks.push_back(Bar{left, kTop + kHeight - low, width, low, Ink::Compute, false, tip});
        if (high > 0)
            drawing.marks.push_back(
                Bar{left, kTop + kHeight - low - high, width, high, Ink::Input, false, tip});
        drawn = end;
        compute = memory = 0;
    };
    for (std::size_t s = 0; cycles > 0 && s < dualMode.segmentation.segments.size(); ++s) {
        const DualModeSegment& segment = dualMode.segmentation.segments[s];
        at += segment.cycles();
        compute += segment.computeArrays() * segment.cycles();
        memory += segment.memoryArrays() * segment.cycles();
        if (kWidth * (at - drawn) / cycles >= kNarrowest || s + 1 == dualMode.segmentation.segments.size())
            flush(at,
                  fmt::format("segment {}: {}, {} compute and {} memory arrays, {}", s + 1,
                              operatorsOf(dualMode, segment), segment.computeArrays(), segment.memoryArrays(),
                              timeText(segment.cycles() * dualMode.chip.cycleNs)));
    }
    drawing.marks.push_back(Label{kLeft, kTop + kHeight + 14, "0", Ink::Muted, 10});
    drawing.marks.push_back(Label{kLeft + kWidth, kTop + kHeight + 14,
                                  timeText(cycles * dualMode.chip.cycleNs), Ink::Muted, 10, Anchor::End});
    drawing.height = kTop + kHeight + 22;
    return drawing;
}

Table segmentsTable(const DualModePlan& dualMode) {
    const auto& segments = dualMode.segmentation.segments;
    const std::size_t shown = std::min(kSegmentsListed, segments.size());
    Table table{shown < segments.size() ? fmt::format("The first {} of {} segments", shown, segments.size())
                                        : "All segments",
                {{"Segment"},
                 {"Operators"},
                 {"Compute", Kind::Number},
                 {"Memory", Kind::Number},
                 {"Shared", Kind::Number},
                 {"Switched", Kind::Number},
                 {"Runs", Kind::Number},
                 {"Write-back", Kind::Number},
                 {"Switch", Kind::Number},
                 {"Rewrite", Kind::Number}},
                {},
                false};
    for (std::size_t s = 0; s < shown; ++s) {
        const DualModeSegment& segment = segments[s];
        int shared = 0;
        for (const SharedArrays& edge : segment.shared)
            shared += edge.arrays;
        const auto time = [&](double cycles) {
            return cycles > 0 ? timeText(cycles * dualMode.chip.cycleNs) : std::string("–");
        };
        table.rows.push_back({std::to_string(s + 1), operatorsOf(dualMode, segment),
                              number(segment.computeArrays()), number(segment.memoryArrays()), number(shared),
                              number(segment.toMemory + segment.toCompute), time(segment.intra),
                              time(segment.writeBack), time(segment.switching), time(segment.rewrite)});
    }
    return table;
}

std::string howCut(const DualModePlan& dualMode) {
    if (dualMode.searchedCuts)
        return fmt::format(
            "Each kind of operator is cut its own way, as a search found best, into pieces of at "
            "most {} arrays.",
            dualMode.cap);
    return fmt::format(
        "Operators that need more than {} arrays are cut; this cap was the best of those tried.",
        dualMode.cap);
}

Section segmentsSection(const DualModePlan& dualMode, Origin origin) {
    Section section{"Segments and array modes", {}};
    section.blocks.push_back(Paragraph{
        fmt::format("The network runs in {} segments, one after the other; the operators of a segment run at "
                    "the same time on arrays of their own. "
                    "On average {} of the arrays hold data instead of computing. {}",
                    number(std::ssize(dualMode.segmentation.segments)), percentText(dualMode.memoryShare()),
                    howCut(dualMode))});
    section.blocks.push_back(modesChart(dualMode, origin));
    section.blocks.push_back(segmentsTable(dualMode));
    return section;
}

Section baselinesSection(const Plan& plan, const DualModePlan& dualMode) {
    Section section{"Against other ways to use the same chip", {}};
    Table table{"Same network, same chip, same ways to cut; each with its own best cap",
                {{"Way"}, {"Time", Kind::Number}, {"This plan is", Kind::Number}, {"Opened by"}},
                {},
                false};
    for (const Baseline& baseline : plan.baselines)
        table.rows.push_back({baseline.name, timeText(baseline.totalNs),
                              ratioText(plan.speedupOver(baseline)) + " as fast",
                              "strategy = " + baseline.id});
    section.blocks.push_back(std::move(table));
    Table caps{"Caps tried",
               {{"Most arrays per piece", Kind::Number},
                {"Pieces", Kind::Number},
                {"This strategy", Kind::Number},
                {"All arrays compute", Kind::Number}},
               {},
               false};
    for (const DualModeCapTrial& trial : dualMode.caps)
        caps.rows.push_back({trial.searched ? number(trial.cap) + ", searched" : number(trial.cap),
                             number(trial.subOps), timeText(trial.cycles * dualMode.chip.cycleNs),
                             timeText(trial.allComputeCycles * dualMode.chip.cycleNs)});
    section.blocks.push_back(std::move(caps));
    section.blocks.push_back(Paragraph{"How operators are cut changes the speed-up as much as the constants "
                                       "of the chip do, so a speed-up says nothing without the caps. "
                                       "Times are those of the published model: operators that are no matrix "
                                       "products, and the filling of pipelines, are left to the simulation.",
                                       Paragraph::Style::Note});
    return section;
}

} // namespace

std::vector<Section> DualModeReportFacet::sections(const Plan& plan) const {
    const auto* dualMode = dynamic_cast<const DualModePlan*>(plan.detail.get());
    if (!dualMode)
        return {}; // all of it is on the host
    return {segmentsSection(*dualMode, plan.origin), baselinesSection(plan, *dualMode)};
}

/// Groups as flow/timeline_log.cpp names them, values as chip.cpp reads them.
std::vector<SpeedUp> DualModeReportFacet::speedUps(const Target& target) const {
    const auto rate = [&](const char* name) { return parameterValue(target, name, TargetValue::Kind::Rate); };
    const auto time = [&](const char* name) { return parameterValue(target, name, TargetValue::Kind::Time); };
    std::vector<SpeedUp> all;
    addSpeedUp(all, "buses",
               {rate("bandwidth.internal"), rate("bandwidth.external"), rate("bandwidth.writeBack")});
    addSpeedUp(all, "digital units", {lanesValue(target, "chip", "add")});
    addSpeedUp(all, "arrays",
               {time("timing.mvm"), time("timing.write"), time("timing.switchToMemory"),
                time("timing.switchToCompute"), time("timing.readOverhead"), time("timing.computeOverhead"),
                rate("bandwidth.array")});
    return all;
}

std::vector<SpeedUp> DualModeReportFacet::multiples(const Target& target) const {
    std::vector<SpeedUp> all;
    addMultiple(all, target, "array");
    return all;
}

} // namespace pim
