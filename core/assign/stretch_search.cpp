// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/assign/stretch_search.h"

#include "core/assign/device_search.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <unordered_map>

namespace pim {
namespace {

/// Partial schedules of as many ops that are kept: first so many, then so many times more, as long as some were left out.
constexpr std::size_t kFirstWidth = 24, kWider = 12;
/// Schedules kept to compare with, of those with the same ops done and the same devices.
constexpr std::size_t kKeptForComparison = 24;

/// The op that a partial schedule took last, and the ones before.
struct Taken {
    int before; ///< Position in the list of all; -1: none.
    int op, device;
};

/// Choices of devices that are looked at, of all that may be looked at.
constexpr std::int64_t kOfStatesForDevices = 10;

class StretchSearch {
public:
    StretchSearch(const Stretch& stretch, std::int64_t statesAtMost, double gapAtMostNs,
                  const TaskContext& task)
        : m_stretch(stretch), m_problem(stretch.problem), m_statesAtMost(statesAtMost),
          m_gapAtMostNs(gapAtMostNs), m_task(task), m_bounds(stretch) {
        m_paysRent = std::ranges::any_of(m_problem.ops, [](const auto& op) { return !op.rentNs.empty(); });
    }

    StretchFound find() {
        PartialSchedule root = start();
        m_found.best.ns = kNever;
        m_found.boundNs = root.boundNs;
        if (root.boundNs == kNever)
            return m_found;
        for (std::size_t width = kFirstWidth;; width *= kWider) {
            const double leftOut = search(root, width);
            // Nothing was left out: the best is the optimum. Else no schedule is shorter than the most promising one left out.
            m_found.boundNs = std::max(m_found.boundNs, std::min(leftOut, m_found.best.ns));
            if (isDone())
                return m_found;
            if (width == kFirstWidth) {
                searchDevices(m_bounds, m_problem, m_statesAtMost / kOfStatesForDevices, m_gapAtMostNs,
                              m_found, m_task);
                if (isDone())
                    return m_found;
            } else
                m_bounds.narrow(m_bounds.devices(), m_found.best.ns);
            m_bounds.chooseShares();
            root = start();
        }
    }

private:
    bool isDone() const {
        return m_task.cancelled() || m_found.gapNs() <= m_gapAtMostNs || m_found.states >= m_statesAtMost;
    }
    PartialSchedule start() {
        PartialSchedule root = m_bounds.nothingTaken();
        root.boundNs = m_bounds.boundNs(root);
        return root;
    }
    PartialSchedule extended(const PartialSchedule& from, int op, int device) {
        PartialSchedule next = from;
        m_bounds.take(next, op, device);
        ++m_found.states;
        return next;
    }
    /// All ops taken: results come home.
    void finish(PartialSchedule done) {
        for (const int value : m_problem.results)
            done.state.bring(value, 0);
        const double ns = done.state.endNs() + done.rentNs;
        if (ns >= m_found.best.ns)
            return;
        m_found.best = {std::vector<int>(m_problem.ops.size()), {}, ns};
        for (int step = done.last; step >= 0; step = m_taken[at(step)].before) {
            m_found.best.order.push_back(m_taken[at(step)].op);
            m_found.best.device[at(m_taken[at(step)].op)] = m_taken[at(step)].device;
        }
        std::ranges::reverse(m_found.best.order);
    }

    /// Every way to go on that may lead to a better schedule; a view that is ready is the only one.
    void extend(const PartialSchedule& from, bool isLast, std::vector<PartialSchedule>& next) {
        int view = -1;
        for (int op = 0; op < static_cast<int>(m_problem.ops.size()) && view < 0; ++op)
            if (m_bounds.isView(op) && from.isReady(op))
                view = op;
        for (int op = 0; op < static_cast<int>(m_problem.ops.size()); ++op) {
            if (!from.isReady(op) || (view >= 0 && op != view))
                continue;
            const int stays = view >= 0 ? from.state.deviceOf(m_problem.ops[at(op)].inputs.front()) : -1;
            for (int device = 0; device < m_problem.devices; ++device) {
                if (!m_bounds.canRun(op, device) || (stays >= 0 && device != stays) ||
                    from.state.startNs(op, device) + m_bounds.tailNs(op, device) + from.rentNs >=
                        m_found.best.ns)
                    continue;
                PartialSchedule child = extended(from, op, device);
                if (!isLast)
                    child.boundNs = std::max(from.boundNs, m_bounds.boundNs(child, m_found.best.ns));
                if (child.boundNs >= m_found.best.ns)
                    continue;
                m_taken.push_back({from.last, op, device});
                child.last = static_cast<int>(m_taken.size()) - 1;
                if (isLast)
                    finish(std::move(child));
                else
                    next.push_back(std::move(child));
            }
        }
    }

    /// Level by level, one op more in each. \returns the least bound of what had no room; kNever: all had.
    double search(const PartialSchedule& root, std::size_t width) {
        double leftOut = kNever;
        m_taken.clear();
        std::vector<PartialSchedule> level{root};
        for (std::size_t done = 1; done <= m_problem.ops.size() && !m_task.cancelled(); ++done) {
            std::vector<PartialSchedule> next;
            for (std::size_t i = 0; i < level.size(); ++i) {
                if (i >= kFirstWidth && m_found.states >= m_statesAtMost) {
                    leftOut = std::min(leftOut, level[i].boundNs);
                    break; // the others promise less
                }
                extend(level[i], done == m_problem.ops.size(), next);
            }
            std::vector<std::size_t> byPromise(next.size());
            std::iota(byPromise.begin(), byPromise.end(), 0);
            std::ranges::stable_sort(byPromise, {}, [&](std::size_t i) {
                return std::pair(next[i].boundNs, next[i].state.endNs());
            });
            m_nowhereLater.clear();
            level.clear();
            for (const std::size_t i : byPromise) {
                PartialSchedule& partial = next[i];
                if (level.size() >= width) {
                    leftOut = std::min(leftOut, partial.boundNs);
                    break;
                }
                if (!isDominated(partial))
                    level.push_back(std::move(partial));
            }
        }
        return leftOut;
    }

    /// By one with the same ops done, the same live values made on the same devices, and nothing later that matters: not that a device is free before
    /// anything can start, nor that something ends before the whole can. Else it is kept to dominate others.
    bool isDominated(const PartialSchedule& partial) {
        std::string key(m_problem.ops.size(), '\0');
        for (std::size_t op = 0; op < m_problem.ops.size(); ++op)
            key[op] = partial.waitsFor[op] == PartialSchedule::kTaken ? '\1' : '\0';
        const double earliest = m_bounds.nothingBeforeNs(partial);
        std::vector<double> times, allowed;
        const auto add = [&](double time, double orNs) {
            times.push_back(time);
            allowed.push_back(std::max(time, orNs));
        };
        for (const double free : partial.state.freeNs())
            add(free, earliest);
        // Where nobody pays rent, the bound is one on the length alone.
        add(partial.state.endNs(), m_paysRent ? 0 : partial.boundNs);
        add(partial.rentNs, 0);
        for (const int value : partial.live) {
            key += static_cast<char>(1 + partial.state.deviceOf(value));
            for (int device = 0; device < m_problem.devices; ++device)
                add(partial.state.thereNs(value, device), 0);
        }
        auto& known = m_nowhereLater[key];
        if (std::ranges::any_of(known, [&](const auto& other) {
                return std::ranges::equal(other, allowed, std::ranges::less_equal());
            }))
            return true;
        if (known.size() < kKeptForComparison)
            known.push_back(std::move(times));
        return false;
    }

    const Stretch& m_stretch;
    const AssignmentProblem& m_problem;
    std::int64_t m_statesAtMost;
    double m_gapAtMostNs;
    const TaskContext& m_task;
    StretchBounds m_bounds;
    bool m_paysRent = false;
    StretchFound m_found;
    std::vector<Taken> m_taken; ///< By all partial schedules of a pass.
    std::unordered_map<std::string, std::vector<std::vector<double>>> m_nowhereLater;
};

} // namespace

StretchFound boundOf(const Stretch& stretch) {
    StretchBounds bounds(stretch);
    StretchFound found;
    found.best.ns = kNever;
    found.boundNs = bounds.boundNs(bounds.nothingTaken());
    return found;
}

StretchFound searchStretch(const Stretch& stretch, std::int64_t statesAtMost, double gapAtMostNs,
                           const TaskContext& task) {
    return StretchSearch(stretch, statesAtMost, gapAtMostNs, task).find();
}

} // namespace pim
