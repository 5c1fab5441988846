// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/occupancy.h"

#include "backends/crossbar/operands.h"

#include <algorithm>
#include <map>

namespace pim {

namespace {

/// Values in the local memory of one core, and when they were there.
class LiveValues {
public:
    struct Change {
        double ns = 0;
        std::int64_t elements = 0;
    };

    void read(const ElementRange& range, double endNs) {
        if (isElsewhere(range))
            return;
        std::uint64_t at = range.begin;
        for (auto value = cutAt(range.begin); at < range.end; ++value) {
            if (value == m_values.end() || value->first > at) { // nobody wrote it: of the round before
                const std::uint64_t end =
                    value == m_values.end() ? range.end : std::min(value->first, range.end);
                value = m_values.emplace_hint(value, at, Value{end, 0, endNs});
            } else if (value->second.end > range.end) {
                cutAt(range.end);
            }
            value->second.lastUseNs = std::max(value->second.lastUseNs, endNs);
            at = value->second.end;
        }
    }
    void write(const ElementRange& range, const InstructionTime& time) {
        if (isElsewhere(range))
            return;
        cutAt(range.end);
        for (auto value = cutAt(range.begin); value != m_values.end() && value->first < range.end;) {
            forget(*value);
            value = m_values.erase(value);
        }
        m_values.emplace(range.begin, Value{range.end, time.startNs, time.endNs});
    }
    /// In the order of time; what ends frees its place before what begins takes one.
    std::vector<Change> takeChanges() {
        for (const auto& value : m_values)
            forget(value);
        m_values.clear();
        std::ranges::sort(m_changes, [](const Change& a, const Change& b) {
            return a.ns != b.ns ? a.ns < b.ns : a.elements < b.elements;
        });
        return std::move(m_changes);
    }

private:
    struct Value {
        std::uint64_t end = 0;
        double beginNs = 0, lastUseNs = 0;
    };
    using Values = std::map<std::uint64_t, Value>; ///< By their first element.

    static bool isElsewhere(const ElementRange& range) {
        return range.begin == range.end || range.begin >= kGlobalBase;
    }
    void forget(const Values::value_type& value) {
        const auto elements = std::int64_t(value.second.end - value.first);
        m_changes.push_back({value.second.beginNs, elements});
        m_changes.push_back({value.second.lastUseNs, -elements});
    }
    /// No value lies on both sides of \p at any more. \returns the first value from there on.
    Values::iterator cutAt(std::uint64_t at) {
        auto next = m_values.lower_bound(at);
        if (next == m_values.begin())
            return next;
        const auto before = std::prev(next);
        if (before->second.end <= at)
            return next;
        const Value rest = before->second;
        before->second.end = at;
        return m_values.emplace_hint(next, at, rest);
    }

    Values m_values;
    std::vector<Change> m_changes;
};

CoreOccupancy occupancyOf(const std::vector<LiveValues::Change>& changes, int elementBytes, double stepNs,
                          int steps) {
    CoreOccupancy core;
    core.mostBytes.assign(std::size_t(steps), 0);
    std::int64_t now = 0;
    std::size_t step = 0;
    const auto stepAt = [&](double ns) {
        return std::min(std::size_t(steps) - 1, std::size_t(std::max(0.0, ns / stepNs)));
    };
    for (const LiveValues::Change& change : changes) {
        for (const std::size_t next = stepAt(change.ns); step < next;)
            core.mostBytes[++step] = now;
        now += change.elements * elementBytes;
        core.mostBytes[step] = std::max(core.mostBytes[step], now);
        core.peakBytes = std::max(core.peakBytes, now);
    }
    return core;
}

} // namespace

Result<MemoryOccupancy> memoryOccupancy(const CrossbarProgram& program, const CrossbarChip& chip,
                                        const CrossbarProfile& profile, int steps, const TaskContext& task) {
    PIM_ASSERT(profile.times.size() == program.cores.size() && steps > 0,
               "a profile of the program, with times");
    MemoryOccupancy occupancy;
    occupancy.capacityBytes = chip.localBytes;
    occupancy.stepNs = profile.endNs / steps;
    occupancy.cores.resize(program.cores.size());
    for (std::size_t core = 0; core < program.cores.size(); ++core) {
        if (task.cancelled())
            return TaskContext::cancelledError("the occupancy of memories");
        if (program.cores[core].empty() || !(occupancy.stepNs > 0))
            continue;
        LiveValues values;
        for (std::size_t i = 0; i < program.cores[core].size(); ++i) {
            const Operands operands = operandsOf(program.cores[core][i], program.accumulatorElements);
            const InstructionTime& time = profile.times[core][i];
            for (const ElementRange& range : operands.reads)
                values.read(range, time.endNs);
            values.write(operands.write, time);
        }
        occupancy.cores[core] =
            occupancyOf(values.takeChanges(), chip.activationBytes(), occupancy.stepNs, steps);
    }
    return occupancy;
}

} // namespace pim
