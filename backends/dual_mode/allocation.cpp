// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/allocation.h"

#include "backends/dual_mode/shared_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace pim {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
/// Loops of a few rounds at most: ceil() of a rounded quotient is at most one off.
constexpr int kTooMany = std::numeric_limits<int>::max() / 4;

double ratio(double work, double speed) {
    return work <= 0 ? 0 : speed > 0 ? work / speed : kNever;
}

/// Counts and latencies of one problem; everything is compared as the latency that operatorLatency() says, so
/// that what is feasible here is feasible there to the last bit.
class DualModeAllocator {
public:
    DualModeAllocator(const AllocationProblem& problem, AllocationScratch& scratch)
        : m_problem(problem), m_main(scratch.main), m_computeAlone(scratch.computeAlone),
          m_memoryAlone(scratch.memoryAlone), m_compute(scratch.compute), m_memory(scratch.memory),
          m_shared(scratch.shared), m_ends(scratch.ends) {
        const std::size_t count = problem.ops.size();
        m_main.resize(count);
        m_computeAlone.resize(count);
        m_memoryAlone.resize(count);
        double traffic = 0;
        for (const AllocationOp& op : problem.ops)
            traffic += op.traffic;
        for (std::size_t i = 0; i < count; ++i) {
            const AllocationOp& op = problem.ops[i];
            m_main[i] = problem.mainBandwidth == MainBandwidthRule::Each || traffic <= 0
                            ? problem.mainBytesPerCycle
                            : problem.mainBytesPerCycle * (op.traffic / traffic);
            m_computeAlone[i] = computeLatency(i, op.minArrays);
            m_memoryAlone[i] = memoryLatency(i, 0);
        }
    }

    double computeLatency(std::size_t i, int arrays) const {
        return ratio(m_problem.ops[i].computeWork, arrays);
    }
    double memoryLatency(std::size_t i, int arrays) const {
        return ratio(m_problem.ops[i].traffic, m_main[i] + arrays * m_problem.arrayBytesPerCycle);
    }
    double latency(std::size_t i, int compute, int memory) const {
        return std::max(computeLatency(i, compute), memoryLatency(i, memory));
    }
    double latency(const std::vector<int>& compute, const std::vector<int>& memory) const {
        double slowest = 0;
        for (std::size_t i = 0; i < m_problem.ops.size(); ++i)
            slowest = std::max(slowest, latency(i, compute[i], memory[i]));
        return slowest;
    }

    int step(std::size_t i) const {
        return m_problem.duplication == DuplicationRule::Copies ? m_problem.ops[i].minArrays : 1;
    }
    int leastMemory(std::size_t i) const {
        const AllocationOp& op = m_problem.ops[i];
        return op.pinnedMemory ? *op.pinnedMemory : op.traffic > 0 && m_main[i] <= 0 ? 1 : 0;
    }

    /// Fewest compute arrays with which op i ends within \p time; kTooMany where there are none.
    int computeFor(std::size_t i, double time) const {
        const AllocationOp& op = m_problem.ops[i];
        if (op.pinnedCompute)
            return computeLatency(i, *op.pinnedCompute) <= time ? *op.pinnedCompute : kTooMany;
        const int least = op.minArrays, by = step(i);
        if (m_computeAlone[i] <= time)
            return least;
        const double wanted = op.computeWork / time;
        if (!(wanted <= m_problem.arrays + 1.0))
            return kTooMany;
        int count = least + by * std::max(1, static_cast<int>(std::ceil((wanted - least) / by)));
        while (count <= m_problem.arrays && computeLatency(i, count) > time)
            count += by;
        while (count > least && computeLatency(i, count - by) <= time)
            count -= by;
        return count;
    }

    int memoryFor(std::size_t i, double time) const {
        const AllocationOp& op = m_problem.ops[i];
        if (op.pinnedMemory || !m_problem.memoryArrays) {
            const int count = op.pinnedMemory.value_or(0);
            return memoryLatency(i, count) <= time ? count : kTooMany;
        }
        if (m_memoryAlone[i] <= time)
            return 0;
        const double wanted = (op.traffic / time - m_main[i]) / m_problem.arrayBytesPerCycle;
        if (!(wanted <= m_problem.arrays + 1.0))
            return kTooMany;
        int count = std::max(1, static_cast<int>(std::ceil(wanted)));
        // Where an array adds less than main memory's rounding, none ever helps.
        while (memoryLatency(i, count) > time)
            if (++count > m_problem.arrays + 1)
                return kTooMany;
        while (count > 0 && memoryLatency(i, count - 1) <= time)
            --count;
        return count;
    }

    /// Fewest arrays for \p time in m_compute and m_memory. \returns their sum; kTooMany where there are
    /// none.
    int countsFor(double time) {
        const std::size_t count = m_problem.ops.size();
        m_compute.resize(count);
        m_memory.resize(count);
        int total = 0;
        bool possible = true;
        for (std::size_t i = 0; i < count; ++i) {
            m_compute[i] = computeFor(i, time);
            m_memory[i] = memoryFor(i, time);
            possible = possible && m_compute[i] < kTooMany && m_memory[i] < kTooMany;
            // Both sums stay below what an int holds: pins and minima are checked against the chip.
            total = possible ? total + m_compute[i] + m_memory[i] : kTooMany;
        }
        m_total = total;
        return total;
    }
    /// Of the counts found last, before any are shared.
    int total() const { return m_total; }

    /// Arrays that m_memory lets share, at least \p need of them or (need < 0) as many as there are.
    int share(int need, std::vector<int>& shared) const {
        if (m_problem.edges.empty() || std::ranges::all_of(m_memory, [](int count) { return count == 0; })) {
            shared.assign(m_problem.edges.size(), 0);
            return 0;
        }
        if (need >= 0) {
            // Cheap bound: no more than the caps, no more than half the ends.
            std::int64_t caps = 0;
            m_ends.assign(m_memory.size(), 0);
            for (const AllocationEdge& edge : m_problem.edges) {
                const auto from = static_cast<std::size_t>(edge.from), to = static_cast<std::size_t>(edge.to);
                const int cap = std::min({edge.cap, m_memory[from], m_memory[to]});
                caps += cap;
                m_ends[from] = std::min(m_memory[from], m_ends[from] + cap);
                m_ends[to] = std::min(m_memory[to], m_ends[to] + cap);
            }
            if (caps < need || std::accumulate(m_ends.begin(), m_ends.end(), std::int64_t{0}) / 2 < need)
                return 0;
        }
        return shareArrays(m_memory, m_problem.edges, need, shared);
    }

    bool feasible(double time) {
        const int total = countsFor(time);
        if (total >= kTooMany)
            return false;
        const int need = total - m_problem.arrays;
        return need <= 0 || share(need, m_shared) >= need;
    }

    /// Latency of the counts found last: at most the time they were asked for.
    double reached() const { return latency(m_compute, m_memory); }

    /// Smallest time above \p time at which some operator needs fewer arrays. Reads the counts found last for
    /// \p time.
    double nextAbove(double time) const {
        double next = kNever;
        const auto consider = [&](double latency) {
            if (latency > time)
                next = std::min(next, latency);
        };
        for (std::size_t i = 0; i < m_problem.ops.size(); ++i) {
            const AllocationOp& op = m_problem.ops[i];
            if (m_compute[i] >= kTooMany)
                consider(op.pinnedCompute ? computeLatency(i, *op.pinnedCompute) : slowestOf(i));
            else if (!op.pinnedCompute && m_compute[i] > op.minArrays)
                consider(computeLatency(i, m_compute[i] - step(i)));
            if (m_memory[i] >= kTooMany)
                consider(memoryLatency(i, m_problem.memoryArrays && !op.pinnedMemory
                                              ? m_problem.arrays
                                              : op.pinnedMemory.value_or(0)));
            else if (!op.pinnedMemory && m_memory[i] > 0)
                consider(memoryLatency(i, m_memory[i] - 1));
        }
        return next;
    }

    /// Below this no allocation can be: every operator with the whole chip, all compute work on all arrays.
    double lowerBound() const {
        double work = 0, slowest = 0;
        for (std::size_t i = 0; i < m_problem.ops.size(); ++i) {
            const AllocationOp& op = m_problem.ops[i];
            work += op.computeWork;
            slowest = std::max(slowest, computeLatency(i, op.pinnedCompute.value_or(m_problem.arrays)));
            const int memory = op.pinnedMemory.value_or(m_problem.memoryArrays ? m_problem.arrays : 0);
            slowest = std::max(slowest, memoryLatency(i, memory));
        }
        // A hair below, as sums are rounded and the bound must not be above the optimum.
        return std::max(slowest, work / m_problem.arrays * (1 - 1e-12));
    }

    /// Every operator with the fewest arrays it runs with at all.
    double slowest() {
        double time = 0;
        for (std::size_t i = 0; i < m_problem.ops.size(); ++i)
            time =
                std::max(time, latency(i, m_problem.ops[i].pinnedCompute.value_or(m_problem.ops[i].minArrays),
                                       leastMemory(i)));
        return time;
    }

    Allocation result() {
        Allocation found;
        found.latency = reached();
        found.compute = m_compute;
        found.memory = m_memory;
        share(-1, found.shared);
        return found;
    }

    const std::vector<int>& compute() const { return m_compute; }
    const std::vector<int>& memory() const { return m_memory; }

private:
    /// Latency with as many arrays as the chip holds copies for.
    double slowestOf(std::size_t i) const {
        const int by = step(i), least = m_problem.ops[i].minArrays;
        return computeLatency(i, least + (m_problem.arrays - least) / by * by);
    }

    const AllocationProblem& m_problem;
    std::vector<double>& m_main;         ///< Bytes a cycle of main memory each operator has.
    std::vector<double>& m_computeAlone; ///< Latency with one copy of the weights
    std::vector<double>& m_memoryAlone;  ///< and with main memory alone.
    std::vector<int>&m_compute, &m_memory, &m_shared, &m_ends;
    int m_total = 0;
};

bool isAmount(double value) {
    return std::isfinite(value) && value >= 0;
}

Result<void> checkPins(const AllocationProblem& problem, std::size_t i) {
    const AllocationOp& op = problem.ops[i];
    const auto illegal = [&](std::string message, std::string hint) {
        return fail(ErrorCode::IllegalOverride, std::move(message), fmt::format("operator {}", i),
                    std::move(hint));
    };
    if (op.pinnedCompute) {
        if (*op.pinnedCompute < op.minArrays || *op.pinnedCompute > problem.arrays)
            return illegal(fmt::format("{} compute arrays are set; the weights need {} and the chip has {}",
                                       *op.pinnedCompute, op.minArrays, problem.arrays),
                           fmt::format("Set {} to {}", op.minArrays, problem.arrays));
        if (problem.duplication == DuplicationRule::Copies && *op.pinnedCompute % op.minArrays != 0)
            return illegal(
                fmt::format("{} compute arrays are set, which is no whole number of copies of {} arrays",
                            *op.pinnedCompute, op.minArrays),
                fmt::format("Set {} or {}", *op.pinnedCompute / op.minArrays * op.minArrays,
                            (*op.pinnedCompute / op.minArrays + 1) * op.minArrays));
    }
    if (op.pinnedMemory) {
        if (*op.pinnedMemory < 0 || *op.pinnedMemory > problem.arrays)
            return illegal(
                fmt::format("{} memory arrays are set; the chip has {}", *op.pinnedMemory, problem.arrays),
                fmt::format("Set 0 to {}", problem.arrays));
        if (*op.pinnedMemory > 0 && !problem.memoryArrays)
            return illegal(fmt::format("{} memory arrays are set where all arrays compute", *op.pinnedMemory),
                           "Remove the setting or choose the dual-mode strategy");
    }
    return {};
}

Error doesNotFit(const AllocationProblem& problem, const DualModeAllocator& allocator) {
    std::int64_t compute = 0, memory = 0;
    bool pins = false;
    for (std::size_t i = 0; i < problem.ops.size(); ++i) {
        const AllocationOp& op = problem.ops[i];
        compute += op.pinnedCompute.value_or(op.minArrays);
        memory += allocator.leastMemory(i);
        pins = pins || op.pinnedCompute.value_or(0) > op.minArrays || op.pinnedMemory.value_or(0) > 0;
    }
    Error error;
    error.code = pins ? ErrorCode::IllegalOverride : ErrorCode::Unsupported;
    const std::size_t count = problem.ops.size();
    error.message = fmt::format("{} at least {} compute arrays{}{}; the chip has {} arrays",
                                count == 1 ? "the operator needs" : fmt::format("{} operators need", count),
                                compute, memory > 0 ? fmt::format(" and {} memory arrays", memory) : "",
                                pins ? " as they are set" : "", problem.arrays);
    error.hint =
        pins ? "Set fewer arrays" : "Cut the operators into smaller pieces, or put fewer in a segment";
    return error;
}

} // namespace

int Allocation::arraysUsed() const {
    const auto sum = [](const std::vector<int>& counts) {
        return std::accumulate(counts.begin(), counts.end(), 0);
    };
    return sum(compute) + sum(memory) - sum(shared);
}

double operatorLatency(const AllocationOp& op, int compute, int memory, const AllocationProblem& problem) {
    double main = problem.mainBytesPerCycle;
    if (problem.mainBandwidth == MainBandwidthRule::Shared) {
        double traffic = 0;
        for (const AllocationOp& other : problem.ops)
            traffic += other.traffic;
        if (traffic > 0)
            main = problem.mainBytesPerCycle * (op.traffic / traffic);
    }
    return std::max(ratio(op.computeWork, compute),
                    ratio(op.traffic, main + memory * problem.arrayBytesPerCycle));
}

Result<void> checkAllocation(const AllocationProblem& problem) {
    if (problem.arrays < 1)
        return fail(ErrorCode::InvalidTarget,
                    fmt::format("the chip has {} arrays; at least 1 is needed", problem.arrays));
    // Sums of counts stay far from the end of int.
    if (problem.arrays > 10'000'000)
        return fail(ErrorCode::InvalidTarget,
                    fmt::format("the chip has {} arrays; at most 10000000 are handled", problem.arrays));
    if (!isAmount(problem.arrayBytesPerCycle) || !isAmount(problem.mainBytesPerCycle))
        return fail(
            ErrorCode::InvalidTarget,
            fmt::format("bandwidths of {} (an array) and {} (main memory) bytes per cycle make no sense",
                        problem.arrayBytesPerCycle, problem.mainBytesPerCycle));
    for (std::size_t i = 0; i < problem.ops.size(); ++i) {
        const AllocationOp& op = problem.ops[i];
        if (op.minArrays < 1 || !isAmount(op.computeWork) || !isAmount(op.traffic))
            return fail(
                ErrorCode::InvalidFile,
                fmt::format(
                    "{} arrays, {} array-cycles and {} bytes make no operator: at least one array, and "
                    "numbers that are not negative, are needed",
                    op.minArrays, op.computeWork, op.traffic),
                fmt::format("operator {}", i));
        PIM_CHECK(checkPins(problem, i));
        if (op.traffic > 0 && problem.mainBytesPerCycle <= 0 &&
            (!problem.memoryArrays || op.pinnedMemory == 0 || problem.arrayBytesPerCycle <= 0))
            return fail(ErrorCode::InvalidTarget,
                        "main memory has no bandwidth and no array can be memory: data reaches no operator",
                        fmt::format("operator {}", i));
    }
    const auto isOp = [&](int op) { return op >= 0 && static_cast<std::size_t>(op) < problem.ops.size(); };
    for (std::size_t i = 0; i < problem.edges.size(); ++i) {
        const AllocationEdge& edge = problem.edges[i];
        if (!isOp(edge.from) || !isOp(edge.to) || edge.from == edge.to || edge.cap < 0)
            return fail(
                ErrorCode::InvalidFile,
                fmt::format("from {} to {} with at most {} shared arrays makes no edge between {} operators",
                            edge.from, edge.to, edge.cap, problem.ops.size()),
                fmt::format("edge {}", i));
    }
    return {};
}

std::optional<Allocation> fastestAllocation(const AllocationProblem& problem, double atLeast,
                                            AllocationScratch& scratch) {
    std::int64_t least = 0;
    for (const AllocationOp& op : problem.ops)
        least += op.pinnedCompute.value_or(op.minArrays);
    if (least > problem.arrays) // sharing saves memory arrays alone
        return std::nullopt;
    DualModeAllocator allocator(problem, scratch);
    double high = allocator.slowest();
    if (!allocator.feasible(high))
        return std::nullopt;
    // `high` can be reached; nothing below `low` can; both are latencies that some counts have.
    double low = std::min(high, std::max(atLeast, allocator.lowerBound()));
    // Arrays wanted are about a constant and a share of 1 / time: from two times and what they want follows where the chip is full.
    double few = high, many = 0;
    int fewWant = allocator.total(), manyWant = 0;
    for (bool guess = false; low < high; guess = !guess) {
        // In turn the geometric middle, as latencies of count after count are dense at the low end; a guess may be bad for ever.
        double middle = low > 0 ? std::sqrt(low) * std::sqrt(high) : high / 2;
        if (manyWant == 0)
            middle = low;
        else if (guess && manyWant > fewWant)
            middle = 1 / (1 / few +
                          (problem.arrays + 0.5 - fewWant) * (1 / many - 1 / few) / (manyWant - fewWant));
        if (!(middle >= low && middle < high))
            middle = low;
        const bool feasible = allocator.feasible(middle);
        if (feasible) {
            high = allocator.reached();
            few = middle, fewWant = allocator.total();
        } else {
            low = allocator.nextAbove(middle);
            many = middle, manyWant = allocator.total();
        }
    }
    PIM_ASSERT(allocator.feasible(high), "the optimum was feasible when it was found");
    return allocator.result();
}

Result<Allocation> allocate(const AllocationProblem& problem) {
    PIM_CHECK(checkAllocation(problem));
    AllocationScratch scratch;
    if (auto found = fastestAllocation(problem, 0, scratch))
        return *std::move(found);
    return tl::unexpected<Error>(doesNotFit(problem, DualModeAllocator(problem, scratch)));
}

std::vector<Allocation> slowerAllocations(const AllocationProblem& problem, const Allocation& fastest,
                                          double maxLatency, int most, AllocationScratch& scratch) {
    std::vector<Allocation> slower;
    DualModeAllocator allocator(problem, scratch);
    double time = fastest.latency;
    while (static_cast<int>(slower.size()) < most) {
        allocator.countsFor(time);
        time = allocator.nextAbove(time);
        if (!(time <= maxLatency) || !allocator.feasible(time))
            break;
        slower.push_back(allocator.result());
    }
    return slower;
}

} // namespace pim
