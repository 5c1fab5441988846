// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/segment_prices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace pim {
namespace {

constexpr int kNeeded = std::numeric_limits<int>::max(); ///< Output of the network: read after every segment.
/// Beyond these, what slower allocations could still save is less than what looking at them costs.
constexpr int kSlowerTried = 96;

std::optional<int> pin(const std::map<int, int>& pins, int subOp) {
    const auto found = pins.find(subOp);
    return found == pins.end() ? std::nullopt : std::optional<int>(found->second);
}

/// What \p a may cost more than \p b at its two borders, whatever its neighbours are. Where idle arrays can
/// hold data, a falls short of b's memory only by what it computes with more; elsewhere by what it has less.
double borderRisk(const SegmentChoice& a, const SegmentChoice& b, const DualModeChip& chip, bool canHold) {
    const double perArray = static_cast<double>(chip.arrayBytes) / chip.writeBackBytesPerCycle;
    const double bothWays = chip.toComputeCycles + chip.toMemoryCycles;
    const int compute = std::max(0, a.compute - b.compute), more = std::max(0, a.memory - b.memory);
    const int written = more + (canHold ? compute : std::max(0, b.memory - a.memory));
    return (compute + more) * bothWays + (written > 0 ? written * perArray : 0);
}

} // namespace

BorderCost borderCost(const BorderSide& before, int compute, int memory, const DualModeChip& chip) {
    BorderCost cost;
    cost.toCompute = std::max(0, compute - (chip.arrays - before.memory));
    cost.toMemory = std::max(0, memory - (chip.arrays - before.compute));
    cost.switching = cost.toCompute * chip.toComputeCycles + cost.toMemory * chip.toMemoryCycles;
    const double givenUp =
        static_cast<double>(std::max(0, before.memory - memory)) * static_cast<double>(chip.arrayBytes);
    if (const double bytes = std::min(before.liveBytes, givenUp); bytes > 0)
        cost.writeBack = bytes / chip.writeBackBytesPerCycle;
    return cost;
}

SegmentOps::SegmentOps(const SegmentationProblem& problem, SegmentTable& table) {
    const auto& subOps = problem.subOps;
    const int longest = std::max(1, problem.options.maxSegmentOps);
    for (const DualModeSubOp& op : subOps) {
        // [CMSwitch eq. 6, in bytes: whole arrays of what the one writes and the other reads]
        const double arrays = op.outBytes / static_cast<double>(problem.chip.arrayBytes);
        m_edgeCap.push_back(static_cast<int>(std::min<double>(arrays, problem.chip.arrays)));
    }
    for (int at = 0; at < static_cast<int>(subOps.size()); ++at) {
        const DualModeSubOp& op = subOps[static_cast<std::size_t>(at)];
        const SegmentTable::Kind kind{op.minArrays,
                                      op.computeWork,
                                      op.traffic,
                                      static_cast<double>(op.n) * static_cast<double>(op.k) *
                                          static_cast<double>(op.g),
                                      edgeCap(at),
                                      pin(problem.pins.compute, at),
                                      pin(problem.pins.memory, at)};
        m_begin.push_back(m_back.size());
        m_step.push_back(table.step(kind));
        const auto& before = (*problem.predecessors)[static_cast<std::size_t>(op.op)];
        for (int back = 1; back < longest && back <= at; ++back)
            if (const int from = at - back;
                edgeCap(from) > 0 &&
                std::ranges::find(before, subOps[static_cast<std::size_t>(from)].op) != before.end()) {
                m_step.push_back(table.fedBy(m_step.back(), back));
                m_back.push_back(back);
            }
        AllocationProblem alone = table.problem();
        m_ops.push_back({op.minArrays, op.computeWork, op.traffic, kind.pinnedCompute, kind.pinnedMemory});
        alone.ops.push_back(m_ops.back());
        for (const bool memoryArrays : {false, true}) {
            alone.memoryArrays = memoryArrays;
            m_legal.resize(static_cast<std::size_t>(at) + 1);
            m_legal.back()[memoryArrays ? 1 : 0] = checkAllocation(alone).has_value();
        }
    }
    m_begin.push_back(m_back.size());
    std::vector<int> lastPiece(problem.predecessors->size(), -1);
    for (std::size_t i = 0; i < subOps.size(); ++i)
        lastPiece[static_cast<std::size_t>(subOps[i].op)] = static_cast<int>(i);
    m_lastReader.assign(problem.predecessors->size(), -1);
    for (std::size_t reader = 0; reader < problem.predecessors->size(); ++reader)
        for (const int op : (*problem.predecessors)[reader]) {
            int& last = m_lastReader[static_cast<std::size_t>(op)];
            last = std::max(last, lastPiece[reader]);
        }
    for (int& last : m_lastReader)
        if (last < 0)
            last = kNeeded;
}

std::span<const int> SegmentOps::feeders(int first, int at) const {
    const std::size_t begin = m_begin[static_cast<std::size_t>(at)],
                      end = m_begin[static_cast<std::size_t>(at) + 1];
    std::size_t count = 0;
    while (begin + count < end && m_back[begin + count] <= at - first)
        ++count;
    return std::span(m_back).subspan(begin, count);
}

int SegmentOps::step(int first, int at) const {
    return m_step[m_begin[static_cast<std::size_t>(at)] + static_cast<std::size_t>(at) +
                  feeders(first, at).size()];
}

SegmentPrices::SegmentPrices(const SegmentationProblem& problem, const SegmentOps& ops, SegmentTable& table)
    : m_problem(problem), m_ops(ops), m_table(table), m_segment(table.problem()) {
    const DualModeOptions& options = problem.options;
    if (options.strategy == DualModeStrategy::DualMode)
        m_ways.push_back(SegmentTable::WithMemory);
    if (options.strategy == DualModeStrategy::Occ)
        m_ways.push_back(SegmentTable::OneCopy);
    else if (options.strategy != DualModeStrategy::DualMode || options.keepAllCompute)
        m_ways.push_back(SegmentTable::ComputeOnly);
}

void SegmentPrices::start(int first) {
    m_first = first;
    m_last = first - 1;
    m_stretch = 0;
    m_segment.ops.clear();
    m_segment.edges.clear();
    m_least.clear();
    m_legal = {true, true};
}

/// Only segments that look like none before are spelled out.
void SegmentPrices::spellOut() {
    for (int at = m_first + static_cast<int>(m_segment.ops.size()); at <= m_last; ++at) {
        add(m_segment, m_first, at);
        const AllocationOp& op = m_segment.ops.back();
        m_least.push_back(op.pinnedCompute.value_or(op.minArrays));
        for (const bool memoryArrays : {false, true})
            m_legal[memoryArrays ? 1 : 0] &= m_ops.isLegal(at, memoryArrays);
    }
}

/// Sub-operator \p at of a segment that starts at \p first, behind those that \p problem has.
void SegmentPrices::add(AllocationProblem& problem, int first, int at) const {
    AllocationOp& op = problem.ops.emplace_back(m_ops.op(at));
    // One copy of everything [OCC maps one operator at a time and does not duplicate it].
    if (m_problem.options.strategy == DualModeStrategy::Occ && !op.pinnedCompute)
        op.pinnedCompute = op.minArrays;
    const std::span<const int> feeders = m_ops.feeders(first, at);
    for (std::size_t i = feeders.size(); i-- > 0;)
        problem.edges.push_back({at - feeders[i] - first, at - first, m_ops.edgeCap(at - feeders[i])});
}

bool SegmentPrices::grow() {
    ++m_last;
    ++m_priced;
    m_shorter = m_stretch;
    m_stretch = m_table.longer(m_stretch, m_ops.step(m_first, m_last));
    const auto [known, added] = m_known.try_emplace(m_stretch);
    if (added) {
        ++m_solved;
        spellOut();
        known->second = looked();
    }
    m_here = &known->second;
    return m_here->fits;
}

const std::vector<SegmentChoice>& SegmentPrices::choices() {
    if (m_here->choices.empty()) {
        spellOut();
        m_here->choices = solve();
    }
    return m_here->choices;
}

/// Null where the segment does not fit.
const std::shared_ptr<const Allocation>& SegmentPrices::fastest(SegmentTable::Way way) {
    static const std::shared_ptr<const Allocation> kNone;
    m_segment.memoryArrays = way == SegmentTable::WithMemory;
    return m_legal[m_segment.memoryArrays ? 1 : 0] ? m_table.fastest(m_stretch, m_shorter, way, m_segment)
                                                   : kNone;
}

SegmentPrices::Known SegmentPrices::looked() {
    Known known;
    double latency = std::numeric_limits<double>::infinity();
    for (const SegmentTable::Way way : m_ways)
        if (const auto& found = fastest(way)) {
            known.fits = true;
            latency = std::min(latency, found->latency);
        }
    known.leastInside = latency + rewrite(m_least);
    return known;
}

double SegmentPrices::rewrite(const std::vector<int>& compute) const {
    const double cycles = m_problem.chip.writeCyclesPerArray;
    if (m_problem.options.rewrite == RewriteRule::Sum)
        return std::accumulate(compute.begin(), compute.end(), 0) * cycles;
    const double sideBySide = *std::max_element(compute.begin(), compute.end()) * cycles;
    if (m_problem.options.rewrite == RewriteRule::Max)
        return sideBySide;
    double bytes = 0;
    for (std::size_t i = 0; i < compute.size(); ++i) {
        const DualModeSubOp& op = m_problem.subOps[static_cast<std::size_t>(m_first) + i];
        bytes += static_cast<double>(op.n) * static_cast<double>(op.k) * static_cast<double>(op.g);
    }
    return std::max(sideBySide, bytes / m_problem.chip.mainBytesPerCycle);
}

SegmentChoice SegmentPrices::choice(std::shared_ptr<const Allocation> allocation, bool allCompute) const {
    SegmentChoice made;
    made.rewrite = rewrite(allocation->compute);
    made.compute = std::accumulate(allocation->compute.begin(), allocation->compute.end(), 0);
    made.memory = allocation->arraysUsed() - made.compute;
    made.allCompute = allCompute;
    made.allocation = std::move(allocation);
    return made;
}

/// Allocations slower than the last of \p choices, which is the fastest of \p way.
void SegmentPrices::addSlower(std::vector<SegmentChoice>& choices, SegmentTable::Way way) {
    const SegmentChoice best = choices.back();
    // Slower than this and no border nor rewrite can make up for it.
    SegmentChoice none;
    none.compute = std::accumulate(m_least.begin(), m_least.end(), 0);
    const double mostSaved =
        best.rewrite - rewrite(m_least) + borderRisk(best, none, m_problem.chip, canHold());
    m_segment.memoryArrays = way == SegmentTable::WithMemory;
    for (Allocation& slower : slowerAllocations(m_segment, *best.allocation, best.latency() + mostSaved,
                                                kSlowerTried, m_table.scratch()))
        choices.push_back(choice(std::make_shared<const Allocation>(std::move(slower)), best.allCompute));
}

int SegmentPrices::holder() const {
    for (int at = m_first; at <= m_last; ++at)
        if (!pin(m_problem.pins.memory, at))
            return at - m_first;
    return -1;
}

bool SegmentPrices::canHold() const {
    return m_problem.options.strategy == DualModeStrategy::DualMode && m_problem.options.jointBorders &&
           holder() >= 0;
}

/// Leaves out choices that another one replaces at no loss whatever stands before and after the segment.
void SegmentPrices::prune(std::vector<SegmentChoice>& choices) const {
    std::stable_sort(choices.begin(), choices.end(),
                     [](const SegmentChoice& a, const SegmentChoice& b) { return a.inside() < b.inside(); });
    const bool hold = canHold();
    std::vector<SegmentChoice> kept;
    for (SegmentChoice& candidate : choices) {
        const bool replaced = std::any_of(kept.begin(), kept.end(), [&](const SegmentChoice& other) {
            return other.inside() + borderRisk(other, candidate, m_problem.chip, hold) <= candidate.inside();
        });
        if (!replaced)
            kept.push_back(std::move(candidate));
    }
    choices = std::move(kept);
}

std::vector<SegmentChoice> SegmentPrices::solve() {
    const DualModeOptions& options = m_problem.options;
    const bool decidesBorders =
        options.strategy == DualModeStrategy::DualMode || options.strategy == DualModeStrategy::AllCompute;
    std::vector<SegmentChoice> choices;
    for (const SegmentTable::Way way : m_ways)
        if (const auto& found = fastest(way)) {
            choices.push_back(choice(found, way != SegmentTable::WithMemory));
            if (options.jointBorders && decidesBorders)
                addSlower(choices, way);
        }
    if (!options.jointBorders || !decidesBorders) {
        // An allocation without a single memory array comes out of both ways.
        if (choices.size() == 2 && choices[0].memory == 0 && choices[1].inside() == choices[0].inside())
            choices.pop_back();
        return choices;
    }
    prune(choices);
    if (canHold())
        for (SegmentChoice& choice : choices) {
            choice.holder = holder();
            choice.idle = m_problem.chip.arrays - choice.compute - choice.memory;
        }
    return choices;
}

double SegmentPrices::liveBytes(int first, int last) const {
    double bytes = 0;
    for (int at = first; at <= last; ++at) {
        const DualModeSubOp& op = m_problem.subOps[static_cast<std::size_t>(at)];
        if (m_ops.lastReader(op.op) > last)
            bytes += op.outBytes;
    }
    return bytes;
}

std::vector<SharedArrays> SegmentPrices::shared(int first, int last, const Allocation& allocation) const {
    std::vector<SharedArrays> list;
    if (std::all_of(allocation.shared.begin(), allocation.shared.end(),
                    [](int arrays) { return arrays == 0; }))
        return list;
    // Segments that look alike have the same edges in the same order.
    AllocationProblem segment;
    for (int at = first; at <= last; ++at)
        add(segment, first, at);
    const std::vector<AllocationEdge>& edges = segment.edges;
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (allocation.shared[i] > 0)
            list.push_back({first + edges[i].from, first + edges[i].to, allocation.shared[i]});
    return list;
}

Error SegmentPrices::refusal(int first, int last) const {
    AllocationProblem segment = m_table.problem();
    segment.memoryArrays = m_problem.options.strategy == DualModeStrategy::DualMode;
    for (int at = first; at <= last; ++at)
        add(segment, first, at);
    const Result<Allocation> tried = allocate(segment);
    PIM_ASSERT(!tried, "only refused segments are asked about");
    Error error = tried.error();
    const DualModeSubOp& op = m_problem.subOps[static_cast<std::size_t>(first)];
    if (first == last)
        error.where = fmt::format("sub-operator {} (operator {}, piece {} of {})", first, op.op, op.piece + 1,
                                  op.pieces);
    else
        error.where = fmt::format("sub-operators {} to {}{}{}", first, last, error.where.empty() ? "" : ", ",
                                  error.where);
    return error;
}

} // namespace pim
