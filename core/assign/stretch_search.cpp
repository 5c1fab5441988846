// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/assign/stretch_search.h"

#include "core/assign/schedule_state.h"

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

/// Bounds by the work that is left: devices of a schedule of length T are busy for T at most, so any mean of theirs is.
/// [Lagrangian bound of scheduling on unrelated machines; Fisher, The Lagrangian Relaxation Method, Management Science 1981]
struct DeviceShares {
    std::vector<double> share;   ///< [device], sum 1.
    std::vector<double> leastNs; ///< [op]: the least that it adds to the mean.
};
constexpr std::size_t kMostShares = 8;
/// Shares that are tried are multiples of 1 / kShareSteps on three devices at most.
constexpr int kShareSteps = 6;

/// The op that a partial schedule took last, and the ones before.
struct Taken {
    int before; ///< Position in the list of all; -1: none.
    int op, device;
};

/// Some ops taken, and what is left to be done.
struct PartialSchedule {
    ScheduleState state;
    std::vector<int> waitsFor; ///< Producers of each op that are not taken; kTaken: it is taken itself.
    int last = -1;             ///< Position in the list of what was taken; -1: nothing was.
    std::array<double, kMostShares> workLeftNs{}; ///< Of the ops that are not taken, by DeviceShares.
    double rentNs = 0;                            ///< Of the ops that are taken.
    double boundNs = 0; ///< On length and rents of all schedules that begin like this.
};
constexpr int kTaken = -1;

class StretchSearch {
public:
    StretchSearch(const Stretch& stretch, std::int64_t statesAtMost, const TaskContext& task)
        : m_stretch(stretch), m_problem(stretch.problem), m_statesAtMost(statesAtMost), m_task(task) {
        fillTails();
        chooseShares();
        for (int op = 0; op < static_cast<int>(m_problem.ops.size()); ++op)
            m_isView.push_back(isView(op));
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
            if (m_task.cancelled())
                return m_found;
            // Nothing was left out: the best is the optimum. Else no schedule is shorter than the most promising one left out.
            m_found.boundNs = std::max(m_found.boundNs, std::min(leftOut, m_found.best.ns));
            if (m_found.boundNs >= m_found.best.ns || m_found.states >= m_statesAtMost)
                return m_found;
            root.boundNs = std::max(root.boundNs, bound(root)); // there is a schedule to beat now
        }
    }

private:
    bool canRun(int op, int device) const {
        const bool last = op + 1 == static_cast<int>(m_problem.ops.size());
        if (last && m_stretch.lastDevice >= 0 && device != m_stretch.lastDevice)
            return false;
        return m_problem.ops[index(op)].ns[index(device)] < kNever;
    }
    static std::size_t index(int i) { return static_cast<std::size_t>(i); }
    double rent(int op, int device) const {
        const std::vector<double>& rents = m_problem.ops[index(op)].rentNs;
        return rents.empty() ? 0 : rents[index(device)];
    }

    /// [op][device]: least time from the start of the op there to the end of all that follows from it, with the rents on the way.
    void fillTails() {
        const int devices = m_problem.devices;
        m_tail.assign(m_problem.ops.size() * index(devices), kNever);
        std::vector<bool> isResult(m_problem.values.size());
        for (const int value : m_problem.results)
            isResult[index(value)] = true;
        for (int op = static_cast<int>(m_problem.ops.size()) - 1; op >= 0; --op)
            for (int device = 0; device < devices; ++device) {
                if (!canRun(op, device))
                    continue;
                double after = 0;
                for (const int value : m_problem.ops[index(op)].outputs) {
                    if (isResult[index(value)])
                        after = std::max(after, m_problem.transferNs(value, device, 0));
                    for (const int reader : m_problem.values[index(value)].readers)
                        after = std::max(after, onwards(value, device, reader));
                }
                const double ns = m_problem.ops[index(op)].ns[index(device)];
                m_tail[index(op * devices + device)] = ns + rent(op, device) + after;
            }
    }
    double onwards(int value, int device, int reader) const {
        double best = kNever;
        for (int to = 0; to < m_problem.devices; ++to)
            best = std::min(best, m_problem.transferNs(value, device, to) + tail(reader, to));
        return best;
    }
    double tail(int op, int device) const { return m_tail[index(op * m_problem.devices + device)]; }

    /// For every set of up to three devices the shares that bound all ops best; the best of these.
    void chooseShares() {
        std::vector<std::pair<double, DeviceShares>> found;
        std::vector<double> share(index(m_problem.devices));
        const auto spread = [&](const std::vector<int>& devices, auto&& self, std::size_t next, int left,
                                std::pair<double, DeviceShares>& best) -> void {
            if (next + 1 == devices.size()) {
                share[index(devices[next])] = static_cast<double>(left) / kShareSteps;
                DeviceShares made = sharesOf(share);
                const double sum = std::accumulate(made.leastNs.begin(), made.leastNs.end(), 0.0);
                if (best.second.share.empty() || sum > best.first)
                    best = {sum, std::move(made)};
                return;
            }
            for (int own = 1; own + static_cast<int>(devices.size() - next) - 1 <= left; ++own) {
                share[index(devices[next])] = static_cast<double>(own) / kShareSteps;
                self(devices, self, next + 1, left - own, best);
            }
        };
        const auto choose = [&](std::vector<int> devices, auto&& self, int from) -> void {
            if (!devices.empty()) {
                std::ranges::fill(share, 0);
                spread(devices, spread, 0, kShareSteps, found.emplace_back());
            }
            for (int device = from; devices.size() < 3 && device < m_problem.devices; ++device) {
                devices.push_back(device);
                self(devices, self, device + 1);
                devices.pop_back();
            }
        };
        choose({}, choose, 0);
        std::ranges::stable_sort(found, std::ranges::greater(), [](const auto& one) { return one.first; });
        for (std::size_t i = 0; i < std::min(found.size(), kMostShares); ++i)
            m_shares.push_back(std::move(found[i].second));
    }
    DeviceShares sharesOf(const std::vector<double>& share) const {
        DeviceShares made{share, std::vector<double>(m_problem.ops.size(), kNever)};
        for (int op = 0; op < static_cast<int>(m_problem.ops.size()); ++op)
            for (int device = 0; device < m_problem.devices; ++device)
                if (canRun(op, device)) {
                    const double held = m_problem.holdsHost[index(device)] ? share.front() : 0;
                    made.leastNs[index(op)] =
                        std::min(made.leastNs[index(op)],
                                 m_problem.ops[index(op)].ns[index(device)] * (share[index(device)] + held) +
                                     rent(op, device));
                }
        return made;
    }

    PartialSchedule start() const {
        PartialSchedule root{ScheduleState(m_problem, m_stretch.startDevice),
                             std::vector<int>(m_problem.ops.size())};
        for (std::size_t op = 0; op < m_problem.ops.size(); ++op) {
            for (const int value : m_problem.ops[op].inputs)
                root.waitsFor[op] += m_problem.values[index(value)].producer >= 0 ? 1 : 0;
            for (std::size_t i = 0; i < m_shares.size(); ++i)
                root.workLeftNs[i] += m_shares[i].leastNs[op];
        }
        root.boundNs = bound(root);
        return root;
    }

    double bound(const PartialSchedule& partial) const {
        double least = std::max(partial.state.endNs(), boundByDevice(partial));
        for (std::size_t i = 0; i < m_shares.size(); ++i) {
            double mean = partial.workLeftNs[i];
            for (int device = 0; device < m_problem.devices; ++device)
                mean += m_shares[i].share[index(device)] * partial.state.deviceFreeNs(device);
            least = std::max(least, mean);
        }
        for (int op = 0; op < static_cast<int>(m_problem.ops.size()); ++op)
            if (isReady(partial, op)) {
                double best = kNever;
                for (int device = 0; device < m_problem.devices; ++device)
                    if (canRun(op, device))
                        best = std::min(best, partial.state.startNs(op, device) + tail(op, device));
                least = std::max(least, best);
            }
        return least + partial.rentNs;
    }
    /// What is not yet beaten has to be: an op that on all devices but one would alone take as long as the best schedule so far is on that
    /// one, and one device works off its ops one after the other.
    double boundByDevice(const PartialSchedule& partial) const {
        if (m_found.best.ns == kNever)
            return 0;
        double most = 0;
        for (int device = 0; device < m_problem.devices; ++device) {
            double busy = partial.state.deviceFreeNs(device);
            for (int op = 0; op < static_cast<int>(m_problem.ops.size()); ++op)
                if (!isTaken(partial, op) && isOnlyFor(op, device))
                    busy += m_problem.ops[index(op)].ns[index(device)];
            most = std::max(most, busy);
        }
        return std::min(most, m_found.best.ns - partial.rentNs);
    }
    bool isOnlyFor(int op, int device) const {
        if (!canRun(op, device))
            return false;
        for (int other = 0; other < m_problem.devices; ++other)
            if (other != device && tail(op, other) < m_found.best.ns)
                return false;
        return true;
    }
    static bool isTaken(const PartialSchedule& partial, int op) {
        return partial.waitsFor[index(op)] == kTaken;
    }
    static bool isReady(const PartialSchedule& partial, int op) { return partial.waitsFor[index(op)] == 0; }

    PartialSchedule extended(const PartialSchedule& from, int op, int device) {
        PartialSchedule next = from;
        next.state.take(op, device);
        next.rentNs += rent(op, device);
        next.waitsFor[index(op)] = kTaken;
        for (std::size_t i = 0; i < m_shares.size(); ++i)
            next.workLeftNs[i] = std::max(0.0, next.workLeftNs[i] - m_shares[i].leastNs[index(op)]);
        for (const int value : m_problem.ops[index(op)].outputs)
            for (const int reader : m_problem.values[index(value)].readers)
                --next.waitsFor[index(reader)];
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
        for (int step = done.last; step >= 0; step = m_taken[index(step)].before) {
            m_found.best.order.push_back(m_taken[index(step)].op);
            m_found.best.device[index(m_taken[index(step)].op)] = m_taken[index(step)].device;
        }
        std::ranges::reverse(m_found.best.order);
    }

    /// The op is a view of the one value it reads, which nobody else reads. What ends a stretch is where it is wanted.
    bool isView(int op) const {
        const AssignmentProblem::Op& work = m_problem.ops[index(op)];
        if (op + 1 == static_cast<int>(m_problem.ops.size()) || work.inputs.size() != 1 ||
            work.outputs.size() != 1 || std::ranges::any_of(work.ns, [](double ns) { return ns != 0; }))
            return false;
        const AssignmentProblem::Value& whole = m_problem.values[index(work.inputs.front())];
        return whole.readers.size() == 1 &&
               whole.transferNs == m_problem.values[index(work.outputs.front())].transferNs;
    }

    /// Every way to go on that may lead to a better schedule; a view that is ready is the only one.
    void extend(const PartialSchedule& from, bool isLast, std::vector<PartialSchedule>& next) {
        int view = -1;
        for (int op = 0; op < static_cast<int>(m_problem.ops.size()) && view < 0; ++op)
            if (m_isView[index(op)] && isReady(from, op))
                view = op;
        for (int op = 0; op < static_cast<int>(m_problem.ops.size()); ++op) {
            if (!isReady(from, op) || (view >= 0 && op != view))
                continue;
            const int stays = view >= 0 ? from.state.deviceOf(m_problem.ops[index(op)].inputs.front()) : -1;
            for (int device = 0; device < m_problem.devices; ++device) {
                if (!canRun(op, device) || (stays >= 0 && device != stays) ||
                    from.state.startNs(op, device) + tail(op, device) + from.rentNs >= m_found.best.ns)
                    continue;
                PartialSchedule child = extended(from, op, device);
                if (!isLast)
                    child.boundNs = std::max(from.boundNs, bound(child));
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
            std::ranges::stable_sort(next, [](const PartialSchedule& a, const PartialSchedule& b) {
                return a.boundNs != b.boundNs ? a.boundNs < b.boundNs : a.state.endNs() < b.state.endNs();
            });
            m_nowhereLater.clear();
            level.clear();
            for (PartialSchedule& partial : next) {
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

    bool isLive(const PartialSchedule& partial, int value) const {
        const AssignmentProblem::Value& one = m_problem.values[index(value)];
        if (one.producer >= 0 && !isTaken(partial, one.producer))
            return false;
        return std::ranges::any_of(one.readers, [&](int reader) { return !isTaken(partial, reader); }) ||
               std::ranges::find(m_problem.results, value) != m_problem.results.end();
    }

    /// Before which nothing that is left starts: an op and a transfer wait for a value at least.
    double nothingBeforeNs(const PartialSchedule& partial) const {
        double least = kNever;
        for (int op = 0; op < static_cast<int>(m_problem.ops.size()); ++op)
            if (!isTaken(partial, op) && m_problem.ops[index(op)].inputs.empty())
                return 0;
        for (int value = 0; value < static_cast<int>(m_problem.values.size()); ++value)
            if (isLive(partial, value))
                least = std::min(least, partial.state.thereNs(value, partial.state.deviceOf(value)));
        return least;
    }

    /// By one with the same ops done, the same live values made on the same devices, and nothing later that matters: not that a device is free before
    /// anything can start, nor that something ends before the whole can. Else it is kept to dominate others.
    bool isDominated(const PartialSchedule& partial) {
        std::string key(m_problem.ops.size(), '\0');
        for (std::size_t op = 0; op < m_problem.ops.size(); ++op)
            key[op] = partial.waitsFor[op] == kTaken ? '\1' : '\0';
        const double earliest = nothingBeforeNs(partial);
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
        for (int value = 0; value < static_cast<int>(m_problem.values.size()); ++value)
            if (isLive(partial, value)) {
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
    const TaskContext& m_task;
    std::vector<double> m_tail;
    std::vector<DeviceShares> m_shares;
    std::vector<bool> m_isView;
    bool m_paysRent = false;
    StretchFound m_found;
    std::vector<Taken> m_taken; ///< By all partial schedules of a pass.
    std::unordered_map<std::string, std::vector<std::vector<double>>> m_nowhereLater;
};

} // namespace

StretchFound searchStretch(const Stretch& stretch, std::int64_t statesAtMost, const TaskContext& task) {
    return StretchSearch(stretch, statesAtMost, task).find();
}

} // namespace pim
