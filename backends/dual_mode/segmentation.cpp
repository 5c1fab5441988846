// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/segmentation.h"

#include "backends/dual_mode/segment_prices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace pim {
namespace {

Result<void> checkChip(const SegmentationProblem& problem) {
    const DualModeChip& chip = problem.chip;
    const auto bad = [&](std::string message) {
        return fail(ErrorCode::InvalidTarget, std::move(message), chip.name);
    };
    if (chip.arrays < 1)
        return bad(fmt::format("the chip has {} arrays; at least 1 is needed", chip.arrays));
    if (chip.arrayBytes < 1)
        return bad(fmt::format("an array holds {} bytes; at least 1 is needed", chip.arrayBytes));
    for (const double cycles : {chip.writeCyclesPerArray, chip.toMemoryCycles, chip.toComputeCycles})
        if (!(cycles >= 0) || !std::isfinite(cycles))
            return bad(fmt::format("{} cycles to write or switch an array make no sense", cycles));
    if (problem.options.strategy == DualModeStrategy::DualMode &&
        !(chip.writeBackBytesPerCycle > 0 && std::isfinite(chip.writeBackBytesPerCycle)))
        return bad(fmt::format("{} bytes per cycle of write-back: data could never leave a memory array",
                               chip.writeBackBytesPerCycle));
    if (problem.options.maxSegmentOps < 1)
        return fail(ErrorCode::Usage,
                    fmt::format("at most {} operators per segment are allowed; at least 1 is needed",
                                problem.options.maxSegmentOps));
    return {};
}

Result<void> checkOps(const SegmentationProblem& problem) {
    const int ops = static_cast<int>(problem.predecessors->size());
    for (int op = 0; op < ops; ++op)
        for (const int before : (*problem.predecessors)[static_cast<std::size_t>(op)])
            if (before < 0 || before >= op)
                return fail(
                    ErrorCode::InvalidFile,
                    fmt::format("operator {} reads the output of operator {}, which does not come before it",
                                op, before));
    int previous = 0;
    for (std::size_t i = 0; i < problem.subOps.size(); ++i) {
        const DualModeSubOp& op = problem.subOps[i];
        const auto bad = [&](std::string message) {
            return fail(ErrorCode::InvalidFile, std::move(message), fmt::format("sub-operator {}", i));
        };
        if (op.op < previous || op.op >= ops)
            return bad(
                fmt::format("it is a piece of operator {}; {} to {} can follow", op.op, previous, ops - 1));
        if (!(op.outBytes >= 0) || !std::isfinite(op.outBytes))
            return bad(fmt::format("its output has {} bytes", op.outBytes));
        previous = op.op;
    }
    return {};
}

Result<void> checkPins(const SegmentationProblem& problem) {
    const int count = static_cast<int>(problem.subOps.size());
    const auto illegal = [](std::string message, std::string hint = {}) {
        return fail(ErrorCode::IllegalOverride, std::move(message), {}, std::move(hint));
    };
    for (const auto* pins : {&problem.pins.compute, &problem.pins.memory})
        for (const auto& [subOp, arrays] : *pins)
            if (subOp < 0 || subOp >= count)
                return illegal(
                    fmt::format("{} arrays are set for sub-operator {}; there are {}", arrays, subOp, count));
    for (const int at : problem.pins.borders)
        if (at < 0 || at >= count)
            return illegal(
                fmt::format("a segment border is set before sub-operator {}; there are {}", at, count));
    for (const int at : problem.pins.joints) {
        if (at < 1 || at >= count)
            return illegal(
                fmt::format("sub-operator {} is joined to the one before it; there are {}, and the first has "
                            "none before it",
                            at, count));
        if (problem.pins.borders.count(at) != 0)
            return illegal(fmt::format("before sub-operator {} a border is set and forbidden at once", at),
                           "Remove one of the two");
        if (problem.options.strategy == DualModeStrategy::Occ)
            return illegal(
                fmt::format("sub-operator {} is joined to the one before it, but this strategy runs one "
                            "operator at a time",
                            at),
                "Remove the joint or choose another strategy");
    }
    return {};
}

Result<void> checkSegmentation(const SegmentationProblem& problem) {
    PIM_CHECK(checkChip(problem));
    PIM_CHECK(checkOps(problem));
    return checkPins(problem);
}

/// Numbers of held arrays tried at one border.
constexpr int kHeldTried = 32;

/// Best way known to end a segment at some sub-operator with some allocation.
struct SegmentState {
    int first = 0;
    const SegmentChoice* choice = nullptr;
    double liveBytes = 0;
    double cycles = 0; ///< From the start of the network.
    int held = 0;      ///< Idle arrays that stay memory.
    int before = -1;   ///< Position among the states that end at first - 1; -1 at the start.

    int memory() const { return choice->memory + held; }
    BorderSide side() const { return {choice->compute, memory(), liveBytes}; }
};

class NetworkSegmenter {
public:
    NetworkSegmenter(const SegmentationProblem& problem, const SegmentOps& ops, SegmentTable& table,
                     const TaskContext& task)
        : m_problem(problem), m_task(task), m_prices(problem, ops, table),
          m_count(static_cast<int>(problem.subOps.size())), m_states(problem.subOps.size()),
          m_hopeless(problem.subOps.size(), std::numeric_limits<double>::infinity()) {}

    Result<Segmentation> run() {
        const DualModeStrategy strategy = m_problem.options.strategy;
        if (strategy == DualModeStrategy::Puma) {
            PIM_CHECK(greedy());
        } else {
            PIM_CHECK(search(strategy == DualModeStrategy::Occ ? 1 : m_problem.options.maxSegmentOps));
        }
        return result();
    }

private:
    bool isJoint(int at) const { return m_problem.pins.joints.count(at) != 0; }
    bool isBorder(int at) const { return m_problem.pins.borders.count(at) != 0; }

    Result<void> poll(int at) const {
        if (m_task.cancelled())
            return TaskContext::cancelledError("segmentation");
        if (at % 64 == 0)
            m_task.report("segmentation", at, m_count);
        return {};
    }

    /// The best ways to have \p choice as segment first..last, one for each number of arrays held: fewer are
    /// better after the segment, more may be better before it. Leaves out what prune() would.
    void extend(int first, int last, const SegmentChoice& choice, double liveBytes) {
        const SegmentState none{first, &choice, liveBytes, std::numeric_limits<double>::infinity()};
        double& hopeless = m_hopeless[static_cast<std::size_t>(last)];
        static const std::vector<SegmentState> kNone;
        const auto& before = first > 0 ? m_states[static_cast<std::size_t>(first - 1)] : kNone;
        if (choice.idle == 0) {
            extendAlone(none, last, before, hopeless);
            return;
        }
        m_held.assign(1, none);
        if (first == 0)
            tryBorder({m_problem.chip.arrays, 0, 0}, 0, -1, hopeless);
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (before[i].cycles + choice.inside() >= std::min(m_held[0].cycles, hopeless))
                break; // sorted by cycles: no border costs less than nothing
            tryBorder(before[i].side(), before[i].cycles, static_cast<int>(i), hopeless);
        }
        double best = std::numeric_limits<double>::infinity();
        for (const SegmentState& state : m_held)
            if (state.cycles < best) {
                best = state.cycles;
                m_states[static_cast<std::size_t>(last)].push_back(state);
                hopeless = std::min(hopeless, replacesFrom(state));
            }
    }

    /// extend() without arrays to hold anything: most segments.
    void extendAlone(SegmentState state, int last, const std::vector<SegmentState>& before,
                     double& hopeless) {
        const double inside = state.choice->inside();
        const int compute = state.choice->compute, memory = state.choice->memory;
        double best = hopeless;
        if (state.first == 0)
            best = std::min(
                best,
                borderCost({m_problem.chip.arrays, 0, 0}, compute, memory, m_problem.chip).cycles() + inside);
        for (std::size_t i = 0; i < before.size() && before[i].cycles + inside < best; ++i) {
            const double total = before[i].cycles +
                                 borderCost(before[i].side(), compute, memory, m_problem.chip).cycles() +
                                 inside;
            if (total < best) {
                best = total;
                state.before = static_cast<int>(i);
            }
        }
        if (best >= hopeless)
            return;
        state.cycles = best;
        m_states[static_cast<std::size_t>(last)].push_back(state);
        hopeless = std::min(hopeless, replacesFrom(state));
    }

    /// Any state that ends where \p state does and takes so many cycles is replaced by it, or by what replaces it.
    double replacesFrom(const SegmentState& state) const {
        const DualModeChip& chip = m_problem.chip;
        const double bytes = std::min(state.liveBytes, state.memory() * static_cast<double>(chip.arrayBytes));
        const double most = state.cycles + (bytes > 0 ? bytes / chip.writeBackBytesPerCycle : 0) +
                            state.memory() * chip.toComputeCycles +
                            state.choice->compute * chip.toMemoryCycles;
        return most * (1 + 1e-12); // sums are rounded
    }

    void tryBorder(const BorderSide& before, double cycles, int position, double hopeless) {
        const SegmentChoice& choice = *m_held[0].choice;
        const double inside = choice.inside();
        // More than the segment before had, or than its output fills, saves nothing.
        int most = std::min(choice.idle, before.memory - choice.memory);
        if (before.liveBytes <= 0)
            most = 0;
        // Every number up to kHeldTried; beyond that so many, evenly spread, and the last.
        const int step = std::max(1, most / kHeldTried);
        for (int held = 0;; held = std::min(held + step, most)) {
            if (m_held.size() <= static_cast<std::size_t>(held)) {
                SegmentState state = m_held[0];
                state.cycles = std::numeric_limits<double>::infinity();
                m_held.resize(static_cast<std::size_t>(held) + 1, state);
            }
            SegmentState& state = m_held[static_cast<std::size_t>(held)];
            const double total =
                cycles + borderCost(before, choice.compute, choice.memory + held, m_problem.chip).cycles() +
                inside;
            if (total < std::min(state.cycles, hopeless)) {
                state.cycles = total;
                state.held = held;
                state.before = position;
            }
            if (held >= most)
                break;
        }
    }

    /// Leaves out states that another one replaces at no loss, whatever segment follows; sorts by cycles.
    void prune(std::vector<SegmentState>& states) const {
        const DualModeChip& chip = m_problem.chip;
        std::stable_sort(states.begin(), states.end(),
                         [](const SegmentState& a, const SegmentState& b) { return a.cycles < b.cycles; });
        const auto writeBack = [&](double bytes) {
            return bytes > 0 ? bytes / chip.writeBackBytesPerCycle : 0;
        };
        std::size_t kept = 0;
        for (const SegmentState& state : states) {
            const bool replaced =
                std::any_of(states.begin(), states.begin() + static_cast<std::ptrdiff_t>(kept),
                            [&](const SegmentState& other) {
                                const int memory = std::max(0, other.memory() - state.memory());
                                const int compute =
                                    std::max(0, other.choice->compute - state.choice->compute);
                                const double arrayBytes = static_cast<double>(chip.arrayBytes);
                                double bytes = std::min(other.liveBytes, other.memory() * arrayBytes);
                                if (other.liveBytes <= state.liveBytes)
                                    bytes = std::min(bytes, memory * arrayBytes);
                                return other.cycles + writeBack(bytes) + memory * chip.toComputeCycles +
                                           compute * chip.toMemoryCycles <=
                                       state.cycles;
                            });
            if (!replaced)
                states[kept++] = state;
        }
        states.resize(kept);
    }

    Result<void> search(int longest) {
        for (int first = 0; first < m_count; ++first) {
            PIM_CHECK(poll(first));
            if (first > 0)
                prune(m_states[static_cast<std::size_t>(first - 1)]);
            if (isJoint(first) || (first > 0 && m_states[static_cast<std::size_t>(first - 1)].empty()))
                continue;
            m_prices.start(first);
            const int end = std::min(m_count, first + longest);
            for (int last = first; last < end && (last == first || !isBorder(last)); ++last) {
                if (!m_prices.grow()) {
                    if (first == last)
                        return tl::unexpected<Error>(m_prices.refusal(first, last));
                    break;
                }
                if (isJoint(last + 1) && last + 1 < m_count)
                    continue; // no segment can follow
                const double before =
                    first > 0 ? m_states[static_cast<std::size_t>(first - 1)].front().cycles : 0;
                if (before + m_prices.leastInside() >= m_hopeless[static_cast<std::size_t>(last)])
                    continue;
                const double live = m_prices.liveBytes(first, last);
                for (const SegmentChoice& choice : m_prices.choices())
                    extend(first, last, choice, live);
            }
        }
        if (m_states.back().empty())
            return noWay(longest);
        prune(m_states.back());
        return {};
    }

    /// As many operators as fit, then the next segment. [PUMA fills the chip with the layers in order and
    /// duplicates weights to balance the pipeline; it knows no memory arrays and no choice of borders]
    Result<void> greedy() {
        for (int first = 0; first < m_count;) {
            PIM_CHECK(poll(first));
            m_prices.start(first);
            const SegmentChoice* chosen = nullptr;
            int end = first;
            for (int last = first; last < m_count && last - first < m_problem.options.maxSegmentOps &&
                                   (last == first || !isBorder(last));
                 ++last) {
                if (!m_prices.grow())
                    break;
                if (last + 1 == m_count || !isJoint(last + 1)) {
                    chosen = &m_prices.choices().front();
                    end = last;
                }
            }
            if (chosen == nullptr) {
                m_prices.start(first);
                if (!m_prices.grow())
                    return tl::unexpected<Error>(m_prices.refusal(first, first));
                return cannotJoin(first, m_problem.options.maxSegmentOps);
            }
            extend(first, end, *chosen, m_prices.liveBytes(first, end));
            if (m_states[static_cast<std::size_t>(end)].empty())
                return noWay(m_problem.options.maxSegmentOps);
            first = end + 1;
        }
        return {};
    }

    /// Joined sub-operators that do not fit together: the only thing that can go wrong once each fits by
    /// itself.
    Result<void> noWay(int longest) {
        for (int first = 0; first < m_count; ++first) {
            m_prices.start(first);
            if (!m_prices.grow())
                return tl::unexpected<Error>(m_prices.refusal(first, first));
        }
        for (int first = 0; first < m_count; ++first)
            if (!isJoint(first) && isJoint(first + 1))
                if (Result<void> joined = cannotJoin(first, longest); !joined)
                    return joined;
        return fail(ErrorCode::InvalidTarget,
                    "the network takes more cycles than a number can hold: its bandwidths or operators are "
                    "unreasonable",
                    m_problem.chip.name);
    }

    Result<void> cannotJoin(int first, int longest) {
        int last = first;
        while (last + 1 < m_count && isJoint(last + 1))
            ++last;
        if (last - first >= longest)
            return fail(ErrorCode::IllegalOverride,
                        fmt::format("{} sub-operators are joined; a segment holds at most {}",
                                    last - first + 1, longest),
                        fmt::format("sub-operators {} to {}", first, last), "Remove a joint");
        m_prices.start(first);
        for (int at = first; at <= last; ++at)
            if (!m_prices.grow()) {
                Error error = m_prices.refusal(first, last);
                error.code = ErrorCode::IllegalOverride;
                error.message += " and they are joined";
                error.hint = "Remove a joint";
                return tl::unexpected<Error>(std::move(error));
            }
        return {};
    }

    Result<Segmentation> result() const {
        std::vector<const SegmentState*> states;
        // Sorted: the best end is the first.
        const SegmentState* state = &m_states.back().front();
        for (;;) {
            states.push_back(state);
            if (state->first == 0)
                break;
            state = &m_states[static_cast<std::size_t>(state->first - 1)]
                             [static_cast<std::size_t>(state->before)];
        }
        std::reverse(states.begin(), states.end());
        Segmentation made;
        BorderSide before{m_problem.chip.arrays, 0, 0};
        for (std::size_t i = 0; i < states.size(); ++i) {
            const int end = i + 1 < states.size() ? states[i + 1]->first : m_count;
            made.segments.push_back(segment(end - 1, *states[i], before));
            made.cycles += made.segments.back().cycles();
            before = states[i]->side();
        }
        made.segmentsPriced = m_prices.priced();
        made.segmentsSolved = m_prices.solved();
        return made;
    }

    DualModeSegment segment(int last, const SegmentState& state, const BorderSide& before) const {
        const SegmentChoice& choice = *state.choice;
        const int first = state.first;
        const BorderCost border = borderCost(before, choice.compute, state.memory(), m_problem.chip);
        DualModeSegment made;
        made.first = first;
        made.last = last;
        made.compute = choice.allocation->compute;
        made.memory = choice.allocation->memory;
        made.shared = m_prices.shared(first, last, *choice.allocation);
        made.held = state.held;
        if (state.held > 0)
            made.memory[static_cast<std::size_t>(choice.holder)] += state.held;
        made.allCompute = choice.allCompute && state.held == 0;
        made.toMemory = border.toMemory;
        made.toCompute = border.toCompute;
        made.intra = choice.latency();
        made.writeBack = border.writeBack;
        made.switching = border.switching;
        made.rewrite = choice.rewrite;
        return made;
    }

    const SegmentationProblem& m_problem;
    const TaskContext& m_task;
    SegmentPrices m_prices;
    int m_count;
    std::vector<SegmentState> m_held;                ///< Of the choice being extended, by arrays held.
    std::vector<std::vector<SegmentState>> m_states; ///< By last sub-operator; choices live in m_prices.
    std::vector<double> m_hopeless; ///< By last sub-operator: cycles from which on a state is of no use.
};

} // namespace

int DualModeSegment::computeArrays() const {
    return std::accumulate(compute.begin(), compute.end(), 0);
}

int DualModeSegment::memoryArrays() const {
    int arrays = std::accumulate(memory.begin(), memory.end(), 0);
    for (const SharedArrays& both : shared)
        arrays -= both.arrays;
    return arrays;
}

std::shared_ptr<const std::vector<std::vector<int>>> predecessorsOf(const DualModeWorkload& workload) {
    auto lists = std::make_shared<std::vector<std::vector<int>>>();
    for (const DualModeOp& op : workload.ops)
        lists->push_back(op.predecessors);
    return lists;
}

Result<Segmentation> segmentNetwork(const SegmentationProblem& problem, const TaskContext& task,
                                    SegmentTable* table) {
    PIM_CHECK(checkSegmentation(problem));
    if (problem.subOps.empty())
        return Segmentation{};
    SegmentTable own(problem.chip, problem.options);
    SegmentTable& used = table ? *table : own;
    return NetworkSegmenter(problem, SegmentOps(problem, used), used, task).run();
}

CutNetwork::CutNetwork(SegmentationProblem problem, SegmentTable& table)
    : m_problem(std::move(problem)), m_table(&table) {}
CutNetwork::CutNetwork(CutNetwork&&) noexcept = default;
CutNetwork::~CutNetwork() = default;

Result<Segmentation> CutNetwork::segment(DualModeStrategy strategy, bool jointBorders,
                                         const TaskContext& task) {
    m_problem.options.strategy = strategy;
    m_problem.options.jointBorders = jointBorders;
    PIM_CHECK(checkSegmentation(m_problem));
    if (m_problem.subOps.empty())
        return Segmentation{};
    if (!m_ops)
        m_ops = std::make_unique<const SegmentOps>(m_problem, *m_table);
    return NetworkSegmenter(m_problem, *m_ops, *m_table, task).run();
}

} // namespace pim
