// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/legal_values.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

int& countOf(DraftPart& part, SplitLevel level) {
    return level == SplitLevel::Groups ? part.groups : part.cores;
}
int countOf(const DraftPart& part, SplitLevel level) {
    return level == SplitLevel::Groups ? part.groups : part.cores;
}

std::string_view wordFor(SplitLevel level) {
    return level == SplitLevel::Groups ? "groups" : "cores of a group";
}

std::string loopsOf(const TilingSpace& space, std::size_t set) {
    std::string names;
    for (const int loop : space.sets()[set].loops)
        names += (names.empty() ? "" : ", ") + space.kernel().loops[static_cast<std::size_t>(loop)].name;
    return names;
}

int leftFor(const TilingSpace& space, const Draft& draft, int set, SplitLevel level) {
    const auto [groups, cores] = space.available(draft, set);
    return level == SplitLevel::Groups ? groups : cores;
}

/// "the other dimensions leave 5 of 160 groups (n: 32)"
std::string leftText(const TilingSpace& space, const Draft& draft, int set, SplitLevel level) {
    const TilingResources& machine = space.resources();
    std::string takers;
    for (std::size_t s = 0; s < draft.parts.size(); ++s)
        if (const int count = countOf(draft.parts[s], level); static_cast<int>(s) != set && count > 1)
            takers += fmt::format("{}{}: {}", takers.empty() ? " (" : ", ", loopsOf(space, s), count);
    return fmt::format("the other dimensions leave {} of {} {}{}", leftFor(space, draft, set, level),
                       level == SplitLevel::Groups ? machine.groups : machine.coresPerGroup, wordFor(level),
                       takers.empty() ? takers : takers + ")");
}

} // namespace

OverrideField judged(const Backend& backend, const Plan& plan, const std::string& op, OverrideField field) {
    for (LegalValue& value : field.values)
        if (const auto legal = backend.checkOverride(plan, {op, field.field, value.value}); !legal) {
            value.legal = false;
            value.reason = legal.error().message;
        }
    return field;
}

std::vector<SplitValue> quickSplitValues(const TilingSpace& space, const Draft& draft, int set,
                                         SplitLevel level, const TilingOptions& options) {
    if (set < 0 || static_cast<std::size_t>(set) >= space.sets().size() ||
        draft.parts.size() != space.sets().size())
        return {};
    const TilingResources& machine = space.resources();
    const int left = leftFor(space, draft, set, level);
    std::vector<SplitValue> values;
    for (int count = 1; count <= (level == SplitLevel::Groups ? machine.groups : machine.coresPerGroup);
         ++count) {
        SplitValue& value = values.emplace_back(SplitValue{count, count <= left, PruneRule::Kept, {}});
        if (!value.legal) {
            value.reason = leftText(space, draft, set, level);
            continue;
        }
        Draft changed = draft;
        countOf(changed.parts[static_cast<std::size_t>(set)], level) = count;
        if (const auto why = explain(space, options, changed); why && why->rule != PruneRule::Kept) {
            value.rule = why->rule;
            value.reason = why->text;
        }
    }
    return values;
}

std::vector<SplitValue> splitValues(const Backend& backend, const Plan& plan, const SplitPlace& place,
                                    const Draft& draft, const TilingOptions& options) {
    const auto [op, set, level] = place;
    if (!op.valid() || op.index() >= plan.ops.size() || !plan.opPlan(op).space)
        return {};
    const TilingSpace& space = *plan.opPlan(op).space;
    const std::string& name = plan.graph->op(op).name;
    std::vector<SplitValue> values = quickSplitValues(space, draft, set, level, options);
    for (SplitValue& value : values) {
        if (!value.legal)
            continue;
        Draft changed = draft;
        countOf(changed.parts[static_cast<std::size_t>(set)], level) = value.count;
        if (const auto legal = backend.checkOverride(plan, {name, "draft", space.draftText(changed)}); !legal)
            value = {value.count, false, PruneRule::Kept, legal.error().message};
    }
    return values;
}

Result<Draft> spreadOut(const TilingSpace& space, const Draft& draft, int set, SplitLevel level) {
    Draft changed = draft;
    DraftPart& part = changed.parts[static_cast<std::size_t>(set)];
    const int other = level == SplitLevel::Groups ? part.cores : part.groups;
    // More pieces than elements would leave cores idle.
    DraftPart whole = part;
    whole.groups = whole.cores = 1;
    changed.parts[static_cast<std::size_t>(set)] = whole;
    const std::int64_t length = (space.tileLength(changed, set) + other - 1) / other;
    changed.parts[static_cast<std::size_t>(set)] = draft.parts[static_cast<std::size_t>(set)];
    const int left = leftFor(space, draft, set, level);
    const auto most = static_cast<int>(std::clamp<std::int64_t>(length, 1, left));
    if (most == countOf(part, level))
        return fail(ErrorCode::IllegalOverride,
                    length <= left
                        ? fmt::format("{} is over {} {} already, and has no more elements",
                                      loopsOf(space, static_cast<std::size_t>(set)), most, wordFor(level))
                        : fmt::format("{} is over {} {} already: {}",
                                      loopsOf(space, static_cast<std::size_t>(set)), most, wordFor(level),
                                      leftText(space, draft, set, level)),
                    space.kernel().name, "lower another dimension first");
    countOf(part, level) = most;
    PIM_CHECK(space.check(changed));
    return changed;
}

} // namespace pim
