// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// In which order cores meet their steps: whatever the clocks say can begin first. Each step waits at the
/// core that holds it up; the core whose time comes first gives its best one away. So a step is looked at
/// when what it waits for changes, not whenever any clock moves on. Flow: steps -> [StepQueue] <- who keeps
/// the clocks: the low-latency schedule, and the search that follows it.
#include "backends/crossbar/event_order.h"
#include "backends/crossbar/ids.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pim {

/// What holds a step up longest.
struct StepWait {
    CoreId core;
    double ns = -1;       ///< When the step can begin.
    bool forData = false; ///< Not for a core alone.
    void atCore(CoreId number, double front) {
        if (front > ns)
            *this = {number, front, false};
    }
    void until(double time) {
        if (time > ns)
            *this = {core, time, true};
    }
};

/// \tparam Step has works(): it begins something rather than hands something on, and drains(): it waits
/// for all that its cores have begun.
/// \tparam Host knows waitOf(step) and, in nanoseconds, front(core), when a core can begin something, and
/// drained(core), when it is done with what it has begun; either may be before the other.
template <class Step, class Host>
class StepQueue {
public:
    StepQueue(Host& host, int cores) : m_host(host), m_cores(std::size_t(cores)), m_turns(cores) {}

    void push(const Step& step) {
        std::uint32_t slot = std::uint32_t(m_slots.size());
        if (m_free.empty()) {
            m_slots.emplace_back();
        } else {
            slot = m_free.back();
            m_free.pop_back();
        }
        Slot& held = m_slots[slot]; // field by field: copied as a whole it would wait for its parts
        held.step = step;
        held.number = m_number++;
        held.moves = 0;
        const StepWait wait = m_host.waitOf(step);
        put(slot, wait);
        if (wait.core != m_last) // which is passed on anyway
            setTurn(wait.core);
    }
    /// The step that comes next. What the last one was for must have happened. \returns false: all are done.
    bool next(Step& step) {
        if (m_last.valid())
            passOn(std::exchange(m_last, CoreId()));
        while (m_turns.ns() < FirstInTime::kNever) {
            const CoreId number(m_turns.number());
            const double now = m_turns.ns();
            Core& core = m_cores[number.index()];
            core.turnNs = FirstInTime::kNever;
            for (; !core.timed.empty() && core.timed.first().ns <= now; core.timed.removeFirst())
                core.ready.add({rankOf(core.timed.first().slot), core.timed.first().slot});
            // What this core does not give away changes nothing for it: it remains the first.
            while (auto* steps = firstOf(core, number, now)) {
                const std::uint32_t slot = steps->first().slot;
                steps->removeFirst();
                Slot& held = m_slots[slot];
                const StepWait wait = m_host.waitOf(held.step);
                if (wait.ns <= now || (!wait.forData && held.moves >= kMostMoves)) {
                    m_last = number;
                    m_free.push_back(slot);
                    step = held.step;
                    return true;
                }
                put(slot, wait);
                if (wait.core != number) {
                    ++held.moves;
                    setTurn(wait.core);
                }
            }
            passOn(number);
        }
        return false;
    }

private:
    /// Two busy cores, each a little ahead of the other in turn, would pass a step to and fro for ever; after
    /// so many times one waits for the other. Much less often makes cores wait for nothing, much more often
    /// keeps results back. [measured on five networks and three chips, by the profiler: 64 is the best of 4, 8, …
    /// 128, by 1 to 2 % over 32]
    static constexpr int kMostMoves = 64;

    struct Slot {
        Step step;
        std::uint64_t number = 0;
        int moves = 0; ///< From core to core.
    };
    struct ByRank {
        std::uint64_t rank = 0;
        std::uint32_t slot = 0;
        bool operator<(const ByRank& other) const { return rank < other.rank; }
    };
    struct ByTime {
        double ns = 0;
        std::uint64_t number = 0;
        std::uint32_t slot = 0;
        bool operator<(const ByTime& other) const {
            return ns != other.ns ? ns < other.ns : number < other.number;
        }
    };
    struct Core {
        OrderedRun<ByRank> ready;
        OrderedRun<ByRank> draining; ///< Until the core is drained, whenever that is.
        OrderedRun<ByTime> timed;
        double turnNs = FirstInTime::kNever; ///< When its steps are looked at next.
    };

    /// What is done is handed on before anything new begins; otherwise first come, first served. [measured:
    /// were later layers first, samples would take 1 % longer by the rules of PIMCOMP-NN with products of 800
    /// ns, and as long otherwise]
    std::uint64_t rankOf(std::uint32_t slot) const {
        const Slot& held = m_slots[slot];
        return std::uint64_t(held.step.works()) << 63 | held.number;
    }
    void put(std::uint32_t slot, const StepWait& wait) {
        Core& core = m_cores[wait.core.index()];
        if (m_slots[slot].step.drains())
            core.draining.add({rankOf(slot), slot});
        else if (wait.ns > m_host.front(wait.core))
            core.timed.add({wait.ns, m_slots[slot].number, slot});
        else
            core.ready.add({rankOf(slot), slot});
    }
    /// Where a core finds its next step, or none.
    OrderedRun<ByRank>* firstOf(Core& core, CoreId number, double now) {
        const bool begins = !core.ready.empty() && m_host.front(number) <= now,
                   drained = !core.draining.empty() && m_host.drained(number) <= now;
        if (drained && (!begins || core.draining.first() < core.ready.first()))
            return &core.draining;
        return begins ? &core.ready : nullptr;
    }
    void setTurn(CoreId number) {
        Core& core = m_cores[number.index()];
        if (core.ready.empty() && core.timed.empty() && core.draining.empty())
            return;
        const double now = m_host.front(number);
        double ns = core.ready.empty() ? FirstInTime::kNever : now;
        if (!core.timed.empty())
            ns = std::min(ns, std::max(now, core.timed.first().ns));
        if (!core.draining.empty())
            ns = std::min(ns, m_host.drained(number));
        if (ns >= core.turnNs)
            return; // it is looked at by then
        core.turnNs = ns;
        m_turns.set(number.value, ns);
    }
    /// The turn of a core is over.
    void passOn(CoreId number) {
        setTurn(number);
        m_turns.set(number.value, m_cores[number.index()].turnNs);
    }

    Host& m_host;
    std::vector<Core> m_cores;
    FirstInTime m_turns; ///< Core::turnNs; that of m_last as it was before.
    std::vector<Slot> m_slots;
    std::vector<std::uint32_t> m_free; ///< Slots nobody uses.
    std::uint64_t m_number = 0;
    CoreId m_last; ///< Core whose step was given away last.
};

} // namespace pim
