// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/assign/device_search.h"

#include <algorithm>
#include <queue>

namespace pim {
namespace {

class DeviceSearch {
public:
    DeviceSearch(StretchBounds& bounds, const AssignmentProblem& problem, double gapAtMostNs,
                 StretchFound& found)
        : m_bounds(bounds), m_problem(problem), m_gapAtMostNs(gapAtMostNs), m_found(found) {}

    void run(std::int64_t choicesAtMost, const TaskContext& task) {
        consider(m_bounds.devices(), m_found.boundNs);
        while (!m_open.empty() && m_open.top().boundNs + m_gapAtMostNs < m_found.best.ns &&
               m_open.top().boundNs < m_leastOfLeaves && m_looked < choicesAtMost && !task.cancelled())
            branch(Choice(m_open.top()));
        const double open = m_open.empty() ? kNever : m_open.top().boundNs;
        m_found.boundNs = std::max(m_found.boundNs, std::min({open, m_leastOfLeaves, m_found.best.ns}));
        m_found.states += m_looked;
    }

private:
    struct Choice {
        std::vector<bool> devices; ///< [op][device] that it may still run on.
        double boundNs;
        std::int64_t number; ///< Of equal ones the later: it has fewer devices left.

        bool operator<(const Choice& other) const {
            return boundNs != other.boundNs ? boundNs > other.boundNs : number < other.number;
        }
    };

    void branch(Choice choice) {
        m_open.pop();
        const int op = mostDecisive(choice.devices);
        if (op < 0) {
            m_leastOfLeaves = std::min(m_leastOfLeaves, choice.boundNs);
            return;
        }
        for (int device = 0; device < m_problem.devices; ++device) {
            if (!choice.devices[place(op, device)])
                continue;
            std::vector<bool> devices = choice.devices;
            for (int other = 0; other < m_problem.devices; ++other)
                devices[place(op, other)] = other == device;
            consider(std::move(devices), choice.boundNs);
        }
    }

    void consider(std::vector<bool> devices, double atLeast) {
        ++m_looked;
        if (!m_bounds.narrow(std::move(devices), m_found.best.ns))
            return;
        const double bound = std::max(atLeast, m_bounds.boundNs(m_bounds.nothingTaken()));
        if (bound >= m_found.best.ns)
            return;
        schedule();
        m_open.push({m_bounds.devices(), bound, m_looked});
    }

    /// The op with the longest time on a device that it may run on, of those that have a choice.
    int mostDecisive(const std::vector<bool>& devices) const {
        int best = -1;
        double longest = -1;
        for (int op = 0; op < static_cast<int>(m_problem.ops.size()); ++op) {
            int many = 0;
            double most = 0;
            for (int device = 0; device < m_problem.devices; ++device)
                if (devices[place(op, device)]) {
                    ++many;
                    most = std::max(most, m_problem.ops[at(op)].ns[at(device)]);
                }
            if (many > 1 && most > longest) {
                longest = most;
                best = op;
            }
        }
        return best;
    }

    /// By lists: of the ops that are ready, that with the longest tail, where it and its tail end first.
    void schedule() {
        PartialSchedule partial = m_bounds.nothingTaken();
        Assignment made{std::vector<int>(m_problem.ops.size(), -1), {}, 0};
        while (made.order.size() < m_problem.ops.size()) {
            int next = -1, on = -1;
            double longest = -1;
            for (int op = 0; op < static_cast<int>(m_problem.ops.size()); ++op) {
                if (!partial.isReady(op))
                    continue;
                const int device = soonest(partial, op);
                if (device < 0)
                    return;
                const double tail = m_bounds.isView(op) ? kNever : m_bounds.tailNs(op, device);
                if (tail > longest) {
                    longest = tail;
                    next = op;
                    on = device;
                }
            }
            m_bounds.take(partial, next, on);
            made.device[at(next)] = on;
            made.order.push_back(next);
        }
        for (const int value : m_problem.results)
            partial.state.bring(value, 0);
        made.ns = partial.state.endNs() + partial.rentNs;
        if (made.ns < m_found.best.ns)
            m_found.best = std::move(made);
    }

    int soonest(const PartialSchedule& partial, int op) const {
        const int stays =
            m_bounds.isView(op) ? partial.state.deviceOf(m_problem.ops[at(op)].inputs.front()) : -1;
        int best = -1;
        double least = kNever;
        for (int device = 0; device < m_problem.devices; ++device)
            if (m_bounds.canRun(op, device) && (stays < 0 || device == stays))
                if (const double end = partial.state.startNs(op, device) + m_bounds.tailNs(op, device);
                    end < least) {
                    least = end;
                    best = device;
                }
        return best;
    }

    std::size_t place(int op, int device) const { return at(op * m_problem.devices + device); }

    StretchBounds& m_bounds;
    const AssignmentProblem& m_problem;
    double m_gapAtMostNs;
    StretchFound& m_found;
    std::priority_queue<Choice> m_open;
    double m_leastOfLeaves = kNever;
    std::int64_t m_looked = 0;
};

} // namespace

void searchDevices(StretchBounds& bounds, const AssignmentProblem& problem, std::int64_t choicesAtMost,
                   double gapAtMostNs, StretchFound& found, const TaskContext& task) {
    const std::vector<bool> devices = bounds.devices();
    DeviceSearch(bounds, problem, gapAtMostNs, found).run(choicesAtMost, task);
    bounds.narrow(devices, found.best.ns);
}

} // namespace pim
