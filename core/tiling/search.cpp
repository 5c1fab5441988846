// SPDX-License-Identifier: GPL-3.0-or-later
// All drafts of a kernel, and which of them rules 1-3 leave. [DCC §IV-B.2 and 3]
//
// Each rule of the paper looks at one part of a draft alone, so a draft is out exactly if one of its parts
// is:
//   1  the part's mapping repeats an earlier mapping of the set (same function, same length);
//   2  the part belongs to the set multi-data instructions run along and fewer groups or cores take as many
//      multi-data steps, with more of their lanes filled and as good to pair (not for sums and element-wise work
//      over several sets);
//      as the paper prints it, if its tile is no multiple of the lanes;
//   3  fewer groups or cores give the same number of working groups with the same longest tile.
// The smaller part of rules 2 and 3 always fits where the larger one does and breaks neither, so the draft of
// all smallest parts is the one of its class that is kept.
// The depth-first search over [set, groups left, cores left] therefore becomes a graph: every subproblem is
// one node, solved once, with its allocations, the node each leads to, and how many drafts lie below by the
// rules they break.
#include "core/tiling/geometry.h"
#include "core/tiling/tiling.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace pim {

using tiling::at;

namespace {

using Broken = unsigned; ///< Bit r-1 is set where rule r is broken.
constexpr std::size_t kBrokenSets = 8;

PruneRule firstRule(Broken broken) {
    return broken == 0          ? PruneRule::Kept
           : (broken & 1U) != 0 ? PruneRule::Redundant
           : (broken & 2U) != 0 ? PruneRule::SimdMultiple
                                : PruneRule::WorstCore;
}

std::int64_t saturatingAdd(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

std::int64_t saturatingMultiply(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max() : product;
}

/// Applies rules 1-3 to single parts.
class Rules {
public:
    Rules(const TilingSpace& space, const TilingOptions& options) : m_space(space), m_options(options) {
        const int set = space.simdSet();
        if (!options.rule2 || set < 0 || space.resources().simdLanes < 2)
            return;
        m_padded = !options.paperRule2 && runsAlongOneSet();
        if (!options.paperRule2)
            return;
        // Skipped altogether if no draft can meet it. [DCC §IV-B.3, rule 2]
        for (int m = 0; m < mappings(set) && !m_rule2; ++m)
            for (int g = 1; g <= maxGroups(set) && !m_rule2; ++g)
                for (int c = 1; c <= maxCores(set) && !m_rule2; ++c)
                    m_rule2 = length(set, {g, c, m}) % space.resources().simdLanes == 0;
        m_rule2Skipped = !m_rule2;
    }

    bool rule2Skipped() const { return m_rule2Skipped; }
    /// A set whose loops have one value is never split.
    int maxGroups(int set) const { return isTrivial(set) ? 1 : m_space.resources().groups; }
    int maxCores(int set) const { return isTrivial(set) ? 1 : m_space.resources().coresPerGroup; }

    int mappings(int set) const {
        return isTrivial(set) ? 1 : static_cast<int>(m_space.sets()[at(set)].mappings.size());
    }

    std::int64_t extent(int set, int mapping) const {
        const auto dim = m_space.sets()[at(set)].mappings[at(mapping)].dim;
        return m_space.kernel().tensors[at(dim.tensor)].shape[at(dim.dim)];
    }
    std::int64_t length(int set, const DraftPart& part) const {
        return tiling::ceilDiv(extent(set, part.mapping),
                               static_cast<std::int64_t>(part.groups) * part.cores);
    }
    /// Smallest part with the same working groups and the same longest tile.
    DraftPart smallest(int set, const DraftPart& part) const {
        return smallest(set, part, length(set, part));
    }
    /// Smallest part that takes as many multi-data steps, where they run along \p set. Cores that come in pairs, fours, …
    /// stay so: units of a group add their results pairwise.
    DraftPart smallestPadded(int set, const DraftPart& part) const {
        const DraftPart asLong = smallest(set, part);
        if (set != m_space.simdSet() || !m_padded)
            return asLong;
        const std::int64_t lanes = m_space.resources().simdLanes;
        const DraftPart padded = smallest(set, part, tiling::ceilDiv(length(set, part), lanes) * lanes);
        const auto pairs = [](int cores) { return cores & -cores; };
        return padded.cores > 1 && pairs(padded.cores) < pairs(asLong.cores) ? asLong : padded;
    }
    /// Multi-data steps of a core along \p set.
    std::int64_t steps(int set, const DraftPart& part) const {
        return tiling::ceilDiv(length(set, part), m_space.resources().simdLanes);
    }
    bool comparesPadded() const { return m_padded; }
    Broken broken(int set, const DraftPart& part) const {
        Broken result = 0;
        if (m_options.rule1 && m_space.geometry().sameFunction[at(set)][at(part.mapping)] != part.mapping)
            result |= 1U;
        if (m_rule2 && set == m_space.simdSet() && length(set, part) % m_space.resources().simdLanes != 0)
            result |= 2U;
        if (m_padded && set == m_space.simdSet() &&
            length(set, smallestPadded(set, part)) > length(set, part))
            result |= 2U;
        if (m_options.rule3 && smallest(set, part) != part)
            result |= 4U;
        return result;
    }
    Broken broken(const Draft& draft) const {
        Broken result = 0;
        for (std::size_t s = 0; s < draft.parts.size(); ++s)
            result |= broken(static_cast<int>(s), draft.parts[s]);
        return result;
    }

private:
    bool isTrivial(int set) const { return m_space.geometry().trivial[at(set)]; }
    /// Products run along their sums. What a core has of sums and element-wise work it takes together, whatever the
    /// dimension, so no single length says how many steps that takes.
    bool runsAlongOneSet() const {
        const BodyKind body = m_space.kernel().body;
        if (body == BodyKind::Mac || body == BodyKind::Attention)
            return true;
        int split = 0;
        for (int set = 0; set < static_cast<int>(m_space.sets().size()); ++set)
            split += isTrivial(set) ? 0 : 1;
        return split <= 1;
    }
    DraftPart smallest(int set, const DraftPart& part, std::int64_t tile) const {
        const std::int64_t tiles = tiling::ceilDiv(extent(set, part.mapping), tile);
        const std::int64_t groups = tiling::ceilDiv(tiles, part.cores);
        return {static_cast<int>(groups), static_cast<int>(tiling::ceilDiv(tiles, groups)), part.mapping};
    }

    const TilingSpace& m_space;
    const TilingOptions& m_options;
    bool m_padded = false; ///< Rule 2 compares padded lengths,
    bool m_rule2 = false;  ///< or takes multiples of the lanes only.
    bool m_rule2Skipped = false;
};

struct Node;

/// One allocation of a set, and the subproblem it leaves to the next.
struct Choice {
    DraftPart part;
    Broken broken = 0;
    const Node* next = nullptr;
};

/// Subproblem (set, groups left, cores left).
struct Node {
    std::vector<Choice> choices; ///< Of the walk at hand: all, or those that break no rule.
    std::array<std::int64_t, kBrokenSets> drafts{}; ///< Complete drafts below, by the rules they break.
};

/// All parts a set can have.
struct PartTable {
    std::vector<Choice> walked; ///< Of the walk at hand: all, or those that break no rule.

    PartTable(const Rules& rules, int set, bool onlyKept) : m_cores(rules.maxCores(set)) {
        const int groups = rules.maxGroups(set);
        m_sums.resize(at(groups + 1) * at(m_cores + 1));
        for (int g = 1; g <= groups; ++g)
            for (int c = 1; c <= m_cores; ++c) {
                auto& sum = m_sums[cell(g, c)];
                for (std::size_t broken = 0; broken < kBrokenSets; ++broken)
                    sum[broken] = m_sums[cell(g - 1, c)][broken] + m_sums[cell(g, c - 1)][broken] -
                                  m_sums[cell(g - 1, c - 1)][broken];
                for (int m = 0; m < rules.mappings(set); ++m) {
                    const DraftPart part{g, c, m};
                    const Broken broken = rules.broken(set, part);
                    ++sum[broken];
                    if (!onlyKept || broken == 0)
                        walked.push_back({part, broken});
                }
            }
    }

    /// Parts with groups and cores in the given ranges that break just these rules.
    std::int64_t count(Broken broken, int firstGroup, int lastGroup, int firstCore, int lastCore) const {
        return m_sums[cell(lastGroup, lastCore)][broken] - m_sums[cell(firstGroup - 1, lastCore)][broken] -
               m_sums[cell(lastGroup, firstCore - 1)][broken] +
               m_sums[cell(firstGroup - 1, firstCore - 1)][broken];
    }

private:
    std::size_t cell(int groups, int cores) const { return at(groups) * at(m_cores + 1) + at(cores); }

    int m_cores;
    std::vector<std::array<std::int32_t, kBrokenSets>> m_sums; ///< Over 1 … groups, 1 … cores.
};

/// The memoised depth-first search.
class SearchGraph {
public:
    /// \param onlyKept nodes hold choices that break no rule only; drafts are counted by rule all the same on
    /// Ladder::Every.
    SearchGraph(const TilingSpace& space, const Rules& rules, bool onlyKept, Ladder ladder = Ladder::Every)
        : m_space(space), m_rules(rules), m_onlyKept(onlyKept), m_ladder(ladder) {
        m_last.drafts[0] = 1; // nothing left to allocate: one draft, no rule broken
        m_memo.resize(space.sets().size());
        for (auto& table : m_memo)
            table.resize(at(space.resources().groups) * at(space.resources().coresPerGroup));
        if (ladder == Ladder::Every)
            for (int set = 0; set < static_cast<int>(space.sets().size()); ++set)
                m_parts.emplace_back(rules, set, onlyKept);
        m_root = solve(0, space.resources().groups, space.resources().coresPerGroup);
    }

    const Node& root() const { return *m_root; }
    std::int64_t memoHits() const { return m_hits; }

private:
    const Node* solve(int set, int groupsLeft, int coresLeft) {
        if (at(set) == m_space.sets().size())
            return &m_last;
        auto& known =
            m_memo[at(set)][at(groupsLeft - 1) * at(m_space.resources().coresPerGroup) + at(coresLeft - 1)];
        if (known != nullptr) {
            ++m_hits;
            return known.get();
        }
        known = std::make_unique<Node>();
        Node& node = *known;
        const auto add = [&](const DraftPart& part, Broken broken) {
            const Node* next = solve(set + 1, groupsLeft / part.groups, coresLeft / part.cores);
            if (!m_onlyKept || next->drafts[0] > 0)
                node.choices.push_back({part, broken, next});
        };
        if (m_ladder == Ladder::Every) {
            for (const auto& choice :
                 m_parts[at(set)].walked) { // groups ascending, then cores, then mappings
                if (choice.part.groups > groupsLeft)
                    break;
                if (choice.part.cores <= coresLeft)
                    add(choice.part, choice.broken);
            }
            countBelow(node, set, groupsLeft, coresLeft);
        } else {
            for (const auto& part : ladderParts(set, groupsLeft, coresLeft))
                add(part, 0);
            for (const auto& choice : node.choices)
                node.drafts[0] = saturatingAdd(node.drafts[0], choice.next->drafts[0]);
        }
        return &node;
    }

    /// Drafts below a node without looking at each allocation: all that leave the same to the others are one
    /// block.
    void countBelow(Node& node, int set, int groupsLeft, int coresLeft) {
        const auto& parts = m_parts[at(set)];
        const int groups = std::min(groupsLeft, m_rules.maxGroups(set));
        const int cores = std::min(coresLeft, m_rules.maxCores(set));
        for (int g = 1, lastGroup = 0; g <= groups; g = lastGroup + 1) {
            lastGroup = std::min(groups, groupsLeft / (groupsLeft / g));
            for (int c = 1, lastCore = 0; c <= cores; c = lastCore + 1) {
                lastCore = std::min(cores, coresLeft / (coresLeft / c));
                const Node* next = solve(set + 1, groupsLeft / g, coresLeft / c);
                for (Broken broken = 0; broken < kBrokenSets; ++broken)
                    if (const auto block = parts.count(broken, g, lastGroup, c, lastCore); block != 0)
                        for (std::size_t below = 0; below < kBrokenSets; ++below) {
                            auto& count = node.drafts[below | broken];
                            count = saturatingAdd(count, saturatingMultiply(block, next->drafts[below]));
                        }
            }
        }
    }

    std::vector<int> rungs(int left) const {
        std::vector<int> numbers{1};
        switch (m_ladder) {
        case Ladder::Every:
            break;
        case Ladder::Quotients:
            for (int q = 1; q <= left; q = left / (left / q) + 1)
                numbers.push_back(left / q);
            break;
        case Ladder::Halves:
        case Ladder::Quarters:
            for (int n = left; n > 1; n /= m_ladder == Ladder::Halves ? 2 : 4)
                numbers.push_back(n);
            break;
        case Ladder::AllOrOne:
            numbers.push_back(left);
            break;
        }
        return numbers;
    }

    std::vector<DraftPart> ladderParts(int set, int groupsLeft, int coresLeft) const {
        std::vector<DraftPart> parts;
        for (const int g : rungs(std::min(groupsLeft, m_rules.maxGroups(set))))
            for (const int c : rungs(std::min(coresLeft, m_rules.maxCores(set))))
                for (int m = 0; m < m_rules.mappings(set); ++m)
                    if (const auto part = m_rules.smallestPadded(set, {g, c, m});
                        m_rules.broken(set, part) == 0)
                        parts.push_back(part);
        std::sort(parts.begin(), parts.end());
        parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
        return parts;
    }

    const TilingSpace& m_space;
    const Rules& m_rules;
    bool m_onlyKept;
    Ladder m_ladder;
    std::vector<PartTable> m_parts;                         ///< [set]; on Ladder::Every.
    std::vector<std::vector<std::unique_ptr<Node>>> m_memo; ///< [set][groups left, cores left]
    Node m_last;
    const Node* m_root = nullptr;
    std::int64_t m_hits = 0;
};

/// Sees the drafts of a walk; false: stop. A draft that is kept has a summary if \ref wantsSummaries.
struct Visitor {
    std::function<bool(const Draft&, PruneRule, const DraftSummary&)> visit;
    bool wantsSummaries = false;
};

/// Visits the drafts below the root in order.
class Walk {
public:
    Walk(const TilingSpace& space, const TilingOptions& options, const Visitor& visitor,
         const TaskContext& task)
        : m_space(space), m_options(options), m_visitor(visitor), m_task(task), m_rules(space, options) {}

    Result<EnumerationCounts> run() {
        auto graph = std::make_unique<SearchGraph>(m_space, m_rules, !m_options.everyAllocation);
        m_counts.rule2Skipped = m_rules.rule2Skipped();
        m_counts.memoHits = graph->memoHits();
        for (std::size_t broken = 0; broken < kBrokenSets; ++broken) {
            m_total = saturatingAdd(m_total, graph->root().drafts[broken]);
            if (broken != 0 && !m_options.everyAllocation) // counted, not visited
                count(firstRule(static_cast<Broken>(broken)), graph->root().drafts[broken]);
        }
        if (const auto survivors = graph->root().drafts[0];
            !m_options.everyAllocation && survivors > m_options.walkLimit) {
            for (const auto ladder :
                 {Ladder::Quotients, Ladder::Halves, Ladder::Quarters, Ladder::AllOrOne}) {
                graph = std::make_unique<SearchGraph>(m_space, m_rules, true, ladder);
                m_counts.ladder = ladder;
                if (graph->root().drafts[0] <= m_options.walkLimit)
                    break;
            }
            m_counts.passedOver = survivors - graph->root().drafts[0];
            m_counts.enumerated = saturatingAdd(m_counts.enumerated, m_counts.passedOver);
        }
        m_draft.parts.resize(m_space.sets().size());
        descend(graph->root(), 0, 0);
        if (m_cancelled)
            return TaskContext::cancelledError("the search for tiling drafts");
        return m_counts;
    }

private:
    void count(PruneRule rule, std::int64_t drafts) {
        auto& one = m_counts.byRule[at(rule)];
        one = saturatingAdd(one, drafts);
        m_counts.enumerated = saturatingAdd(m_counts.enumerated, drafts);
    }

    bool descend(const Node& node, std::size_t set, Broken broken) {
        if (set == m_draft.parts.size())
            return leaf(broken);
        for (const auto& choice : node.choices) {
            m_draft.parts[set] = choice.part;
            if (!descend(*choice.next, set + 1, broken | choice.broken))
                return false;
        }
        return true;
    }

    bool leaf(Broken broken) {
        if (++m_steps % 1024 == 0) {
            if (m_task.cancelled()) {
                m_cancelled = true;
                return false;
            }
            if (m_steps % 65536 == 0)
                m_task.report("tiling drafts", m_counts.enumerated, m_total);
        }
        if (broken != 0) {
            count(firstRule(broken), 1);
            return m_visitor.visit(m_draft, firstRule(broken), m_summary);
        }
        m_draft.strategy = IndexStrategy::ExpandedRange;
        if (!m_options.bothStrategies || !m_space.geometry().strategiesMayDiffer)
            return survivor(m_space.resources().coreBytes > 0);
        m_space.summarize(m_draft, m_expanded);
        m_draft.strategy = IndexStrategy::ExactSet;
        m_space.summarize(m_draft, m_summary);
        bool differ = false;
        for (std::size_t t = 0; t < m_summary.tensors.size(); ++t)
            differ = differ || m_summary.tensors[t].tileElements != m_expanded.tensors[t].tileElements;
        m_draft.strategy = IndexStrategy::ExpandedRange;
        bool goOn = survivor(true);
        if (goOn && differ) {
            m_draft.strategy = IndexStrategy::ExactSet;
            goOn = survivor(true);
            m_draft.strategy = IndexStrategy::ExpandedRange;
        }
        return goOn;
    }

    bool survivor(bool checkCapacity) {
        PruneRule rule = PruneRule::Kept;
        checkCapacity = checkCapacity && m_space.resources().coreBytes > 0;
        if (checkCapacity || m_visitor.wantsSummaries)
            m_space.summarize(m_draft, m_summary);
        if (checkCapacity && m_summary.bytesPerCore > m_space.resources().coreBytes)
            rule = PruneRule::Capacity;
        count(rule, 1);
        return m_visitor.visit(m_draft, rule, m_summary);
    }

    const TilingSpace& m_space;
    const TilingOptions& m_options;
    const Visitor& m_visitor;
    const TaskContext& m_task;
    Rules m_rules;
    Draft m_draft;
    DraftSummary m_summary, m_expanded;
    EnumerationCounts m_counts;
    std::int64_t m_total = 0;
    std::int64_t m_steps = 0;
    bool m_cancelled = false;
};

std::string allocationText(const DraftPart& part) {
    return fmt::format("{} group{} of {} core{}", part.groups, part.groups == 1 ? "" : "s", part.cores,
                       part.cores == 1 ? "" : "s");
}

} // namespace

Result<EnumerationCounts> forEachDraft(const TilingSpace& space, const TilingOptions& options,
                                       const std::function<bool(const Draft&, PruneRule)>& visit,
                                       const TaskContext& task) {
    const Visitor visitor{
        [&visit](const Draft& draft, PruneRule rule, const DraftSummary&) { return visit(draft, rule); },
        false};
    return Walk(space, options, visitor, task).run();
}

Result<EnumerationCounts>
forEachKeptDraft(const TilingSpace& space, const TilingOptions& options,
                 const std::function<bool(const Draft&, const DraftSummary&)>& visit,
                 const TaskContext& task) {
    const Visitor visitor{[&visit](const Draft& draft, PruneRule rule, const DraftSummary& summary) {
                              return rule != PruneRule::Kept || visit(draft, summary);
                          },
                          true};
    return Walk(space, options, visitor, task).run();
}

Result<std::vector<Draft>> keptDrafts(const TilingSpace& space, const TilingOptions& options,
                                      EnumerationCounts* counts, const TaskContext& task) {
    TilingOptions survivorsOnly = options;
    if (std::exchange(survivorsOnly.everyAllocation, false)) // the same drafts, without visiting the others
        survivorsOnly.walkLimit = std::numeric_limits<std::int64_t>::max();
    std::vector<Draft> kept;
    bool truncated = false;
    auto result = forEachDraft(
        space, survivorsOnly,
        [&](const Draft& draft, PruneRule rule) {
            if (rule != PruneRule::Kept)
                return true;
            truncated = static_cast<std::int64_t>(kept.size()) >= options.maxKept;
            if (!truncated)
                kept.push_back(draft);
            return !truncated;
        },
        task);
    if (!result)
        return tl::unexpected(std::move(result).error());
    result->truncated = truncated;
    if (counts != nullptr)
        *counts = *result;
    return kept;
}

Result<PruneReason> explain(const TilingSpace& space, const TilingOptions& options, const Draft& draft,
                            const TaskContext&) {
    PIM_CHECK(space.check(draft));
    const Rules rules(space, options);
    const auto& kernel = space.kernel();
    PruneReason reason{.rule = firstRule(rules.broken(draft))};
    Draft instead = draft; // the same work with the first of equal mappings and the fewest groups and cores
    for (std::size_t s = 0; s < draft.parts.size(); ++s) {
        const int set = static_cast<int>(s);
        const auto& part = draft.parts[s];
        const auto& mappings = space.sets()[s].mappings;
        const auto broken = rules.broken(set, part);
        const auto dimLength = rules.extent(set, part.mapping);
        std::string line;
        if ((broken & 1U) != 0) {
            const int first = space.geometry().sameFunction[s][at(part.mapping)];
            instead.parts[s].mapping = first;
            if (reason.rule == PruneRule::Redundant)
                line = fmt::format("{} is the same function over the same {} indices as {}",
                                   mappings[at(part.mapping)].text, dimLength, mappings[at(first)].text);
        }
        if ((broken & 2U) != 0 && reason.rule == PruneRule::SimdMultiple) {
            line = fmt::format("a core gets {} of the {} elements of {}, no multiple of the {} lanes",
                               rules.length(set, part), dimLength, space.sets()[s].text,
                               space.resources().simdLanes);
            if (rules.comparesPadded())
                line += fmt::format(": with padding {} step{}, as with {}", rules.steps(set, part),
                                    rules.steps(set, part) == 1 ? "" : "s",
                                    allocationText(rules.smallestPadded(set, part)));
        }
        if ((broken & (rules.comparesPadded() ? 6U : 4U)) != 0) {
            const auto smallest = rules.smallestPadded(set, part);
            instead.parts[s].groups = smallest.groups;
            instead.parts[s].cores = smallest.cores;
            if (reason.rule == PruneRule::WorstCore)
                line = fmt::format("{} leave {} of {} elements of {} to the busiest core, as {} do",
                                   allocationText(part), rules.length(set, part), dimLength,
                                   space.sets()[s].text, allocationText(smallest));
        }
        if (!line.empty())
            reason.text += (reason.text.empty() ? "" : "; ") + line;
    }
    if (space.resources().coreBytes > 0) {
        if (const auto bytes = space.summarize(instead).bytesPerCore; bytes > space.resources().coreBytes) {
            if (reason.rule == PruneRule::Kept) {
                reason.rule = PruneRule::Capacity;
                reason.text = fmt::format("the tiles of {} need {} bytes per core, {} are there", kernel.name,
                                          bytes, space.resources().coreBytes);
            }
            return reason;
        }
    }
    if (reason.rule == PruneRule::Kept)
        reason.text = "kept";
    else if (rules.broken(instead) == 0)
        reason.keptInstead = std::move(instead);
    return reason;
}

} // namespace pim
