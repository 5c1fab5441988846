// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/segment_prices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

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

SegmentPrices::SegmentPrices(const SegmentationProblem& problem) : m_problem(problem) {
    using Kind = std::tuple<int, double, double, double, int, int, int>;
    std::map<Kind, char32_t> kinds;
    for (std::size_t i = 0; i < problem.subOps.size(); ++i) {
        const DualModeSubOp& op = problem.subOps[i];
        const int at = static_cast<int>(i);
        const Kind kind{op.minArrays,
                        op.computeWork,
                        op.traffic,
                        static_cast<double>(op.n) * static_cast<double>(op.k) * static_cast<double>(op.g),
                        edgeCap(at),
                        pin(problem.pins.compute, at).value_or(-1),
                        pin(problem.pins.memory, at).value_or(-1)};
        m_class.push_back(kinds.emplace(kind, static_cast<char32_t>(kinds.size())).first->second);
    }
    std::vector<int> lastPiece(problem.predecessors.size(), -1);
    for (std::size_t i = 0; i < problem.subOps.size(); ++i)
        lastPiece[static_cast<std::size_t>(problem.subOps[i].op)] = static_cast<int>(i);
    m_lastReader.assign(problem.predecessors.size(), -1);
    for (std::size_t reader = 0; reader < problem.predecessors.size(); ++reader)
        for (const int op : problem.predecessors[reader]) {
            int& last = m_lastReader[static_cast<std::size_t>(op)];
            last = std::max(last, lastPiece[reader]);
        }
    for (int& last : m_lastReader)
        if (last < 0)
            last = kNeeded;
}

bool SegmentPrices::feeds(int from, int to) const {
    const auto& before =
        m_problem.predecessors[static_cast<std::size_t>(m_problem.subOps[static_cast<std::size_t>(to)].op)];
    return std::find(before.begin(), before.end(), m_problem.subOps[static_cast<std::size_t>(from)].op) !=
           before.end();
}

int SegmentPrices::edgeCap(int from) const {
    // [CMSwitch eq. 6, in bytes: whole arrays of what the one writes and the other reads]
    const double arrays = m_problem.subOps[static_cast<std::size_t>(from)].outBytes /
                          static_cast<double>(m_problem.chip.arrayBytes);
    return static_cast<int>(std::min<double>(arrays, m_problem.chip.arrays));
}

void SegmentPrices::start(int first) {
    m_first = first;
    m_last = first - 1;
    m_key.clear();
}

const std::vector<SegmentChoice>& SegmentPrices::grow() {
    ++m_last;
    ++m_priced;
    // Kinds and the operators that feed it, each as distance back; 0 ends the list.
    m_key.push_back(m_class[static_cast<std::size_t>(m_last)]);
    for (int from = m_first; from < m_last; ++from)
        if (feeds(from, m_last) && edgeCap(from) > 0)
            m_key.push_back(static_cast<char32_t>(m_last - from));
    m_key.push_back(0);
    const auto known = m_known.find(m_key);
    if (known != m_known.end())
        return known->second;
    ++m_solved;
    return m_known.emplace(m_key, solve()).first->second;
}

AllocationProblem SegmentPrices::allocationProblem(int first, int last, bool memoryArrays) const {
    const DualModeChip& chip = m_problem.chip;
    AllocationProblem problem;
    problem.arrays = chip.arrays;
    problem.arrayBytesPerCycle = chip.arrayBytesPerCycle;
    problem.mainBytesPerCycle = chip.mainBytesPerCycle;
    problem.duplication = m_problem.options.duplication;
    problem.mainBandwidth = m_problem.options.mainBandwidth;
    problem.memoryArrays = memoryArrays;
    for (int at = first; at <= last; ++at) {
        const DualModeSubOp& op = m_problem.subOps[static_cast<std::size_t>(at)];
        problem.ops.push_back({op.minArrays, op.computeWork, op.traffic, pin(m_problem.pins.compute, at),
                               pin(m_problem.pins.memory, at)});
        if (!memoryArrays)
            continue;
        for (int from = first; from < at; ++from)
            if (const int cap = edgeCap(from); cap > 0 && feeds(from, at))
                problem.edges.push_back({from - first, at - first, cap});
    }
    // One copy of everything [OCC maps one operator at a time and does not duplicate it].
    if (m_problem.options.strategy == DualModeStrategy::Occ)
        for (AllocationOp& op : problem.ops)
            if (!op.pinnedCompute)
                op.pinnedCompute = op.minArrays;
    return problem;
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

SegmentChoice SegmentPrices::choice(Allocation allocation, bool allCompute) const {
    SegmentChoice made;
    made.rewrite = rewrite(allocation.compute);
    made.compute = std::accumulate(allocation.compute.begin(), allocation.compute.end(), 0);
    made.memory = allocation.arraysUsed() - made.compute;
    made.allCompute = allCompute;
    made.allocation = std::make_shared<const Allocation>(std::move(allocation));
    return made;
}

void SegmentPrices::addChoices(std::vector<SegmentChoice>& choices, const AllocationProblem& problem,
                               bool allCompute) const {
    Result<Allocation> fastest = allocate(problem);
    if (!fastest)
        return;
    const SegmentChoice best = choice(*fastest, allCompute);
    choices.push_back(best);
    if (!m_problem.options.jointBorders)
        return;
    // Slower than this and no border nor rewrite can make up for it.
    SegmentChoice none;
    std::vector<int> least;
    for (const AllocationOp& op : problem.ops)
        least.push_back(op.pinnedCompute.value_or(op.minArrays));
    none.compute = std::accumulate(least.begin(), least.end(), 0);
    const double mostSaved =
        best.rewrite - rewrite(least) + borderRisk(best, none, m_problem.chip, canHold());
    for (Allocation& slower : slowerAllocations(problem, *fastest, best.latency() + mostSaved, kSlowerTried))
        choices.push_back(choice(std::move(slower), allCompute));
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

std::vector<SegmentChoice> SegmentPrices::solve() const {
    const DualModeOptions& options = m_problem.options;
    const bool dual = options.strategy == DualModeStrategy::DualMode;
    std::vector<SegmentChoice> choices;
    if (options.strategy == DualModeStrategy::Puma || options.strategy == DualModeStrategy::Occ) {
        if (Result<Allocation> one = allocate(allocationProblem(m_first, m_last, false)))
            choices.push_back(choice(std::move(*one), true));
        return choices;
    }
    if (dual)
        addChoices(choices, allocationProblem(m_first, m_last, true), false);
    // An allocation without a single memory array comes out of both.
    if (!dual || options.keepAllCompute)
        addChoices(choices, allocationProblem(m_first, m_last, false), true);
    if (!options.jointBorders) {
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
        if (m_lastReader[static_cast<std::size_t>(op.op)] > last)
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
    const std::vector<AllocationEdge> edges = allocationProblem(first, last, true).edges;
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (allocation.shared[i] > 0)
            list.push_back({first + edges[i].from, first + edges[i].to, allocation.shared[i]});
    return list;
}

Error SegmentPrices::refusal(int first, int last) const {
    const Result<Allocation> tried =
        allocate(allocationProblem(first, last, m_problem.options.strategy == DualModeStrategy::DualMode));
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
