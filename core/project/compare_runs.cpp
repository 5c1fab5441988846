// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/compare_runs.h"

#include "core/compile/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

namespace pim {
namespace {

constexpr const char* kOtherClock = "One run's time is that of a sample, the other's that between two "
                                    "samples in flight: they do not mean the same";
constexpr const char* kCompilersChoice = "compiler's choice";

std::string orNone(const std::string& text) {
    return text.empty() ? "none" : text;
}

/// Overrides that are in one run only or have another value there.
std::string overrideDifference(const RunInfo& a, const RunInfo& b) {
    const auto before = Overrides::fromJson(a.overridesJson, {}),
               after = Overrides::fromJson(b.overridesJson, {});
    if (!before || !after)
        return "Overrides differ";
    std::vector<std::string> changes;
    const auto named = [](const Override& o) {
        return fmt::format("{} {}", o.op.empty() ? "network" : o.op, o.field);
    };
    for (const Override& now : after->all()) {
        const std::string* was = before->find(now.op, now.field);
        if (!was || *was != now.value)
            changes.push_back(
                fmt::format("{}: {} → {}", named(now), was ? *was : kCompilersChoice, now.value));
    }
    for (const Override& was : before->all())
        if (!after->find(was.op, was.field))
            changes.push_back(fmt::format("{}: {} → {}", named(was), was.value, kCompilersChoice));
    constexpr std::size_t kShown = 3;
    std::string list;
    for (std::size_t i = 0; i < std::min(kShown, changes.size()); ++i)
        list += (i ? "; " : "") + changes[i];
    if (changes.size() > kShown)
        list += fmt::format("; {} more", changes.size() - kShown);
    return "Overrides: " + list;
}

} // namespace

std::vector<std::string> runDifferences(const RunInfo& a, const RunInfo& b) {
    std::vector<std::string> found;
    const auto changed = [&](const char* what, const std::string& before, const std::string& after) {
        if (before != after)
            found.push_back(fmt::format("{}: {} → {}", what, orNone(before), orNone(after)));
    };
    if (a.modelHash != b.modelHash)
        found.push_back(a.modelName == b.modelName
                            ? fmt::format("Model: both are called {}, but the graphs differ", a.modelName)
                            : fmt::format("Model: {} → {}", a.modelName, b.modelName));
    if (a.targetHash != b.targetHash)
        found.push_back(a.targetId == b.targetId
                            ? fmt::format("Target: {} was changed between the runs", a.targetId)
                            : fmt::format("Target: {} → {}", a.targetId, b.targetId));
    changed("Host", a.host, b.host);
    changed("Bindings", a.bindings, b.bindings);
    if (a.overridesJson != b.overridesJson)
        found.push_back(overrideDifference(a, b));
    if (a.optionsJson != b.optionsJson)
        found.emplace_back("Compile options differ");
    if (a.origin != b.origin)
        found.emplace_back("One run is predicted, the other simulated: their times do not mean the same");
    changed("Version", a.toolVersion, b.toolVersion);
    return found;
}

std::size_t RunsComparison::farthest(const ComparedOp& op) const {
    std::size_t found = baseline;
    for (std::size_t run = 0; run < runs.size(); ++run)
        if (run != baseline &&
            (found == baseline || std::abs(deltaNs(op, run)) > std::abs(deltaNs(op, found))))
            found = run;
    return found;
}

double RunsComparison::speedup(std::size_t run) const {
    return totals[run].totalNs() > 0 && runs[run].inFlight == runs[baseline].inFlight
               ? totals[baseline].totalNs() / totals[run].totalNs()
               : 0;
}

std::string RunsComparison::why(std::size_t run) const {
    if (runs[run].inFlight != runs[baseline].inFlight)
        return kOtherClock;
    return explainCosts(totals[baseline], totals[run], {}, {}, fmt::format("run {}", runs[baseline].id),
                        fmt::format("run {}", runs[run].id))
        .text();
}

std::string RunsComparison::why(const ComparedOp& op, std::size_t run) const {
    const ComparedOpSide &a = op.sides[baseline], &b = op.sides[run];
    if (!a.there || !b.there)
        return a.there ? fmt::format("only in run {}", runs[baseline].id)
                       : fmt::format("only in run {}", runs[run].id);
    if (deltaNs(op, run) == 0 && a.placement == b.placement)
        return a.draft == b.draft ? "no change" : "another draft of the same time";
    return explainDifference(a.cost, b.cost);
}

RunsComparison compareRuns(std::vector<RunInfo> runs, const std::vector<std::vector<RunOp>>& ops,
                           std::size_t baseline) {
    PIM_ASSERT(runs.size() == ops.size() && baseline < runs.size(), "every run compared brings its ops");
    RunsComparison result;
    result.runs = std::move(runs);
    result.baseline = baseline;
    result.totals.resize(ops.size());
    std::unordered_map<std::string, std::size_t> rowOf; // names are unique within a run
    for (std::size_t run = 0; run < ops.size(); ++run)
        for (const RunOp& op : ops[run]) {
            const auto [found, isNew] = rowOf.emplace(op.name, result.ops.size());
            if (isNew)
                result.ops.push_back({op.name, op.type, std::vector<ComparedOpSide>(ops.size())});
            result.ops[found->second].sides[run] = {true, op.placement, op.draft, op.origin, op.cost};
            result.totals[run] += op.cost;
        }
    std::stable_sort(result.ops.begin(), result.ops.end(), [&](const ComparedOp& x, const ComparedOp& y) {
        return std::abs(result.deltaNs(x, result.farthest(x))) >
               std::abs(result.deltaNs(y, result.farthest(y)));
    });
    const RunInfo& base = result.runs[baseline];
    for (const RunInfo& run : result.runs) {
        result.differences.push_back(runDifferences(base, run));
        result.sameModel = result.sameModel && run.modelHash == base.modelHash;
        result.sameTarget = result.sameTarget && run.targetHash == base.targetHash;
        result.sameClock = result.sameClock && run.inFlight == base.inFlight;
    }
    return result;
}

std::string runTitle(const RunInfo& run) {
    return run.label.empty() ? fmt::format("run {}", run.id) : fmt::format("run {}, {}", run.id, run.label);
}

std::vector<std::int64_t> bestRuns(const std::vector<RunInfo>& runs) {
    struct Group {
        std::size_t runs = 0;
        const RunInfo* best = nullptr;
    };
    std::map<std::tuple<std::string, std::string, Origin, bool>, Group> groups;
    for (const RunInfo& run : runs) {
        Group& group = groups[{run.modelHash, run.targetHash, run.origin, run.inFlight}];
        ++group.runs;
        if (run.totalNs > 0 &&
            (!group.best || std::pair(run.totalNs, run.id) < std::pair(group.best->totalNs, group.best->id)))
            group.best = &run;
    }
    std::vector<std::int64_t> best;
    for (const auto& [key, group] : groups)
        if (group.runs > 1 && group.best)
            best.push_back(group.best->id);
    std::sort(best.begin(), best.end());
    return best;
}

} // namespace pim
