// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// In which order cores meet their steps: whatever the clocks say can begin first. Each step waits at the
/// core that holds it up; the core whose time comes first gives its best one away. So a step is looked at
/// when what it waits for changes, not whenever any clock moves on. Flow: steps -> [StepQueue] <- who keeps
/// the clocks: the low-latency schedule, and the search that follows it.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace pim {

/// What holds a step up longest.
struct StepWait {
    int core = -1;
    double ns = -1;       ///< When the step can begin.
    bool forData = false; ///< Not for a core alone.
    void atCore(int number, double front) {
        if (front > ns)
            *this = {number, front, false};
    }
    void until(double time) {
        if (time > ns)
            *this = {core, time, true};
    }
};

/// \tparam Step has layer, moves and number, and works(): it begins something rather than hands something on.
/// \tparam Host knows front(core), nanoseconds at which a core can begin something, and waitOf(step).
template <class Step, class Host>
class StepQueue {
public:
    StepQueue(Host& host, int cores) : m_host(host), m_cores(std::size_t(cores)) {}

    void push(Step step) {
        step.number = m_number++;
        put(step, m_host.waitOf(step));
    }
    /// The step that comes next; none: all are done. What the last one was for must have happened.
    std::optional<Step> next() {
        if (m_last >= 0)
            setTurn(std::exchange(m_last, -1));
        while (!m_turns.empty()) {
            const Turn turn = m_turns.top();
            m_turns.pop();
            Core& core = m_cores[std::size_t(turn.core)];
            if (turn.ns != core.turnNs)
                continue; // it has another turn
            core.turnNs = -1;
            const double now = std::max(m_host.front(turn.core), turn.ns);
            for (; !core.timed.empty() && core.timed.top().ns <= now; core.timed.pop())
                core.ready.push({core.timed.top().step});
            if (!core.ready.empty()) {
                Step step = core.ready.top().step;
                core.ready.pop();
                const StepWait wait = m_host.waitOf(step);
                if (wait.ns <= now || (!wait.forData && step.moves >= kMostMoves)) {
                    m_last = turn.core;
                    return step;
                }
                step.moves += wait.core != turn.core;
                put(step, wait);
            }
            setTurn(turn.core);
        }
        return std::nullopt;
    }

private:
    /// Two busy cores, each a little ahead of the other in turn, would pass a step to and fro for ever; after
    /// so many times one waits for the other. Much less often makes cores wait for nothing, much more often
    /// keeps results back. [measured on five networks and three chips: 32 is within 2 % of the best of 1, 2,
    /// 4, … 256]
    static constexpr int kMostMoves = 32;

    /// What is done is handed on before anything new begins, in the order in which it is done. Of what may
    /// begin, later layers go first: they are nearer to the result.
    struct ByRank {
        Step step;
        bool operator<(const ByRank& other) const {
            const Step &a = step, &b = other.step;
            if (a.works() != b.works())
                return a.works();
            return a.works() && a.layer != b.layer ? a.layer < b.layer : a.number > b.number;
        }
    };
    struct ByTime {
        double ns = 0;
        Step step;
        bool operator<(const ByTime& other) const {
            return ns != other.ns ? ns > other.ns : step.number > other.step.number;
        }
    };
    struct Core {
        std::priority_queue<ByRank> ready;
        std::priority_queue<ByTime> timed;
        double turnNs = -1; ///< When its steps are looked at next; -1: never.
    };
    struct Turn {
        double ns = 0;
        int core = 0;
        bool operator<(const Turn& other) const { return ns != other.ns ? ns > other.ns : core > other.core; }
    };

    void put(const Step& step, const StepWait& wait) {
        Core& core = m_cores[std::size_t(wait.core)];
        if (wait.ns > m_host.front(wait.core))
            core.timed.push({wait.ns, step});
        else
            core.ready.push({step});
        setTurn(wait.core);
    }
    void setTurn(int number) {
        Core& core = m_cores[std::size_t(number)];
        if (core.ready.empty() && core.timed.empty())
            return;
        const double now = m_host.front(number),
                     ns = core.ready.empty() ? std::max(now, core.timed.top().ns) : now;
        if (core.turnNs >= 0 && core.turnNs <= ns)
            return; // it is looked at by then
        core.turnNs = ns;
        m_turns.push({ns, number});
    }

    Host& m_host;
    std::vector<Core> m_cores;
    std::priority_queue<Turn> m_turns;
    std::uint64_t m_number = 0;
    int m_last = -1; ///< Core whose step was given away last.
};

} // namespace pim
