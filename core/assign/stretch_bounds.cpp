// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/assign/stretch_bounds.h"

#include <algorithm>
#include <numeric>

namespace pim {
namespace {

/// Shares that are tried are multiples of 1 / kShareSteps on three devices at most.
constexpr int kShareSteps = 6;
constexpr std::size_t kSharing = 3;

int count(const AssignmentProblem& problem) {
    return static_cast<int>(problem.ops.size());
}

} // namespace

StretchBounds::StretchBounds(const Stretch& stretch) : m_stretch(stretch), m_problem(stretch.problem) {
    m_isResult.resize(m_problem.values.size());
    for (const int value : m_problem.results)
        m_isResult[at(value)] = true;
    for (const AssignmentProblem::Op& op : m_problem.ops)
        m_ns.insert(m_ns.end(), op.ns.begin(), op.ns.end());
    for (const AssignmentProblem::Value& value : m_problem.values)
        m_transferNs.insert(m_transferNs.end(), value.transferNs.begin(), value.transferNs.end());
    m_head.resize(m_ns.size());
    m_arrival.resize(m_problem.values.size() * at(m_problem.devices));
    for (int op = 0; op < count(m_problem); ++op) {
        m_isView.push_back(isViewOfOne(op));
        const bool isPlaced = op + 1 == count(m_problem) && m_stretch.lastDevice >= 0;
        for (int device = 0; device < m_problem.devices; ++device)
            m_canRun.push_back(m_problem.ops[at(op)].ns[at(device)] < kNever &&
                               (!isPlaced || device == m_stretch.lastDevice));
    }
    narrow(m_canRun, kNever);
    chooseShares();
}

double StretchBounds::rentNs(int op, int device) const {
    const std::vector<double>& rents = m_problem.ops[at(op)].rentNs;
    return rents.empty() ? 0 : rents[at(device)];
}

/// The op is a view of the one value it reads, which nobody else reads. What ends a stretch is where it is wanted.
bool StretchBounds::isViewOfOne(int op) const {
    const AssignmentProblem::Op& work = m_problem.ops[at(op)];
    if (op + 1 == count(m_problem) || work.inputs.size() != 1 || work.outputs.size() != 1 ||
        std::ranges::any_of(work.ns, [](double ns) { return ns != 0; }))
        return false;
    const AssignmentProblem::Value& whole = m_problem.values[at(work.inputs.front())];
    return whole.readers.size() == 1 &&
           whole.transferNs == m_problem.values[at(work.outputs.front())].transferNs;
}

bool StretchBounds::narrow(std::vector<bool> devices, double best) {
    m_canRun = std::move(devices);
    for (bool fewer = true; fewer;) {
        fewer = keepViews();
        listDevices();
        fillTails();
        fillHeads(nothingTaken());
        for (std::size_t i = 0; i < m_canRun.size(); ++i)
            if (m_canRun[i] && m_head[i] + m_tail[i] >= best) {
                m_canRun[i] = false;
                fewer = true;
            }
    }
    for (Shares& shares : m_shares)
        fillLeast(shares);
    return std::ranges::none_of(m_runCount, [](int count) { return count == 0; });
}

bool StretchBounds::keepViews() {
    bool fewer = false;
    for (int op = 0; op < count(m_problem); ++op) {
        if (!isView(op))
            continue;
        const int value = m_problem.ops[at(op)].inputs.front();
        const int producer = m_problem.values[at(value)].producer;
        for (int device = 0; device < m_problem.devices; ++device) {
            const bool isMade =
                producer >= 0 ? canRun(producer, device) : m_stretch.startDevice[at(value)] == device;
            if (isMade == canRun(op, device))
                continue;
            fewer = fewer || canRun(op, device) || producer >= 0;
            m_canRun[place(op, device)] = false;
            if (producer >= 0)
                m_canRun[place(producer, device)] = false;
        }
    }
    return fewer;
}

void StretchBounds::listDevices() {
    m_runs.resize(m_canRun.size());
    m_runCount.assign(m_problem.ops.size(), 0);
    m_onlyDevice.assign(m_problem.ops.size(), -1);
    for (int op = 0; op < count(m_problem); ++op) {
        int& known = m_runCount[at(op)];
        for (int device = 0; device < m_problem.devices; ++device)
            if (canRun(op, device))
                m_runs[place(op, known++)] = device;
        if (known == 1)
            m_onlyDevice[at(op)] = runs(op).front();
    }
}

void StretchBounds::fillTails() {
    m_tail.assign(m_canRun.size(), kNever);
    for (int op = count(m_problem) - 1; op >= 0; --op)
        for (int device = 0; device < m_problem.devices; ++device) {
            if (!canRun(op, device))
                continue;
            double after = 0;
            for (const int value : m_problem.ops[at(op)].outputs) {
                if (m_isResult[at(value)])
                    after = std::max(after, m_problem.transferNs(value, device, 0));
                for (const int reader : m_problem.values[at(value)].readers)
                    after = std::max(after, onwardsNs(value, device, reader));
            }
            m_tail[place(op, device)] = m_problem.ops[at(op)].ns[at(device)] + rentNs(op, device) + after;
        }
}

double StretchBounds::onwardsNs(int value, int device, int reader) const {
    double best = kNever;
    for (int to = 0; to < m_problem.devices; ++to)
        best = std::min(best, m_problem.transferNs(value, device, to) + tailNs(reader, to));
    return best;
}

/// For every set of a few devices the shares that bound all ops best; the best of these.
void StretchBounds::chooseShares() {
    std::vector<std::pair<double, Shares>> found;
    const auto choose = [&](std::vector<int> devices, auto&& self, int from) -> void {
        if (!devices.empty())
            bestSplit(devices, found);
        for (int device = from; devices.size() < kSharing && device < m_problem.devices; ++device) {
            devices.push_back(device);
            self(devices, self, device + 1);
            devices.pop_back();
        }
    };
    choose({}, choose, 0);
    std::ranges::stable_sort(found, std::ranges::greater(), [](const auto& one) { return one.first; });
    m_shares.clear();
    for (std::size_t i = 0; i < std::min(found.size(), PartialSchedule::kMostShares); ++i)
        m_shares.push_back(std::move(found[i].second));
}

void StretchBounds::bestSplit(const std::vector<int>& devices,
                              std::vector<std::pair<double, Shares>>& found) const {
    std::pair<double, Shares>& best = found.emplace_back();
    Shares tried{std::vector<double>(at(m_problem.devices)), {}};
    const auto spread = [&](auto&& self, std::size_t next, int left) -> void {
        if (next + 1 == devices.size()) {
            tried.share[at(devices[next])] = static_cast<double>(left) / kShareSteps;
            fillLeast(tried);
            const double sum = std::accumulate(tried.leastNs.begin(), tried.leastNs.end(), 0.0);
            if (best.second.share.empty() || sum > best.first)
                best = {sum, tried};
            return;
        }
        for (int own = 1; own + static_cast<int>(devices.size() - next) - 1 <= left; ++own) {
            tried.share[at(devices[next])] = static_cast<double>(own) / kShareSteps;
            self(self, next + 1, left - own);
        }
    };
    spread(spread, 0, kShareSteps);
}

void StretchBounds::fillLeast(Shares& shares) const {
    shares.leastNs.assign(m_problem.ops.size(), kNever);
    for (int op = 0; op < count(m_problem); ++op)
        for (int device = 0; device < m_problem.devices; ++device)
            if (canRun(op, device)) {
                const double held = m_problem.holdsHost[at(device)] ? shares.share.front() : 0;
                double& least = shares.leastNs[at(op)];
                least =
                    std::min(least, m_problem.ops[at(op)].ns[at(device)] * (shares.share[at(device)] + held) +
                                        rentNs(op, device));
            }
}

PartialSchedule StretchBounds::nothingTaken() {
    PartialSchedule root{
        ScheduleState(m_problem, m_stretch.startDevice), std::vector<int>(m_problem.ops.size()), {}};
    for (std::size_t op = 0; op < m_problem.ops.size(); ++op)
        for (const int value : m_problem.ops[op].inputs)
            root.waitsFor[op] += m_problem.values[at(value)].producer >= 0 ? 1 : 0;
    for (int value = 0; value < static_cast<int>(m_problem.values.size()); ++value)
        if (m_problem.values[at(value)].producer < 0 && staysLive(root, value))
            root.live.push_back(value);
    for (std::size_t i = 0; i < m_shares.size(); ++i)
        root.workLeftNs[i] = std::accumulate(m_shares[i].leastNs.begin(), m_shares[i].leastNs.end(), 0.0);
    return root;
}

void StretchBounds::take(PartialSchedule& partial, int op, int device) const {
    partial.state.take(op, device);
    partial.rentNs += rentNs(op, device);
    partial.waitsFor[at(op)] = PartialSchedule::kTaken;
    for (std::size_t i = 0; i < m_shares.size(); ++i)
        partial.workLeftNs[i] = std::max(0.0, partial.workLeftNs[i] - m_shares[i].leastNs[at(op)]);
    for (const int value : m_problem.ops[at(op)].inputs)
        if (!staysLive(partial, value))
            std::erase(partial.live, value);
    for (const int value : m_problem.ops[at(op)].outputs) {
        if (staysLive(partial, value))
            partial.live.insert(std::ranges::lower_bound(partial.live, value), value);
        for (const int reader : m_problem.values[at(value)].readers)
            --partial.waitsFor[at(reader)];
    }
}

/// Of a value that is there: somebody still reads it.
bool StretchBounds::staysLive(const PartialSchedule& partial, int value) const {
    return m_isResult[at(value)] || std::ranges::any_of(m_problem.values[at(value)].readers,
                                                        [&](int reader) { return !partial.isTaken(reader); });
}

double StretchBounds::boundNs(const PartialSchedule& partial, double enough) {
    double least = partial.state.endNs();
    const double earliest = nothingBeforeNs(partial);
    for (std::size_t i = 0; i < m_shares.size(); ++i) {
        double mean = partial.workLeftNs[i];
        for (int device = 0; device < m_problem.devices; ++device)
            mean += m_shares[i].share[at(device)] * std::max(partial.state.deviceFreeNs(device), earliest);
        least = std::max(least, mean);
    }
    if (least + partial.rentNs >= enough)
        return least + partial.rentNs;
    fillHeads(partial);
    for (int op = 0; op < count(m_problem); ++op)
        if (!partial.isTaken(op)) {
            double best = kNever;
            for (const int device : runs(op))
                best = std::min(best, m_head[place(op, device)] + m_tail[place(op, device)]);
            least = std::max(least, best);
        }
    if (least + partial.rentNs < enough)
        least = std::max(least, queuesNs(partial));
    return least + partial.rentNs;
}

/// When ops that are not taken can start at the earliest, were each alone behind what is taken.
void StretchBounds::fillHeads(const PartialSchedule& partial) {
    fillLinksFree(partial);
    for (const int value : partial.live)
        fillArrivals(partial, value);
    for (int op = 0; op < count(m_problem); ++op) {
        if (partial.isTaken(op))
            continue;
        for (const int device : runs(op)) {
            double start = 0;
            if (nsOf(op, device) > 0) {
                start = partial.state.deviceFreeNs(device);
                if (m_problem.holdsHost[at(device)])
                    start = std::max(start, partial.state.deviceFreeNs(0));
            }
            for (const int value : m_problem.ops[at(op)].inputs)
                start = std::max(start, m_arrival[at(value * m_problem.devices + device)]);
            m_head[place(op, device)] = start;
        }
        for (const int value : m_problem.ops[at(op)].outputs)
            fillArrivals(partial, value);
    }
}

void StretchBounds::fillLinksFree(const PartialSchedule& partial) {
    m_linksFree.assign(m_problem.routes.size(), 0);
    for (std::size_t way = 0; way < m_linksFree.size(); ++way)
        for (const int link : m_problem.routes[way])
            m_linksFree[way] =
                std::max(m_linksFree[way], partial.state.freeNs()[at(m_problem.devices + link)]);
}

void StretchBounds::fillArrivals(const PartialSchedule& partial, int value) {
    const int producer = m_problem.values[at(value)].producer;
    double* const arrival = &m_arrival[at(value * m_problem.devices)];
    if (producer < 0 || partial.isTaken(producer)) {
        const int from = partial.state.deviceOf(value);
        const double made = partial.state.thereNs(value, from);
        for (int device = 0; device < m_problem.devices; ++device) {
            const double there = partial.state.thereNs(value, device);
            arrival[device] = there < kNever ? there : broughtNs(value, made, from, device);
        }
        return;
    }
    std::fill_n(arrival, m_problem.devices, kNever);
    for (const int from : runs(producer)) {
        const double made = endNs(producer, from);
        for (int device = 0; device < m_problem.devices; ++device)
            arrival[device] = std::min(arrival[device], broughtNs(value, made, from, device));
    }
}

double StretchBounds::endNs(int op, int device) const {
    return m_head[place(op, device)] + nsOf(op, device);
}

double StretchBounds::broughtNs(int value, double made, int from, int to) const {
    return std::max(made, m_linksFree[at(from * m_problem.devices + to)]) + transferNs(value, from, to);
}

/// Ops that only one device may run, and values that have to go from one device to another. Each device and link does its own one after the
/// other: from the earliest release of some, through all of these, to the least of what follows one of them. Looked at are the sets that what
/// follows tells apart.
double StretchBounds::queuesNs(const PartialSchedule& partial) {
    m_jobs.resize(at(m_problem.devices + m_problem.links));
    for (std::vector<Job>& jobs : m_jobs)
        jobs.clear();
    for (const int value : partial.live)
        addTransfers(partial, value);
    for (int op = 0; op < count(m_problem); ++op) {
        if (partial.isTaken(op))
            continue;
        if (const int device = m_onlyDevice[at(op)]; device >= 0)
            addOp(op, device);
        for (const int value : m_problem.ops[at(op)].outputs)
            addTransfers(partial, value);
    }
    double most = 0;
    for (std::vector<Job>& jobs : m_jobs) {
        std::ranges::sort(jobs, std::ranges::greater(), &Job::afterNs);
        double release = kNever, work = 0;
        for (const Job& job : jobs) {
            release = std::min(release, job.releaseNs);
            work += job.ns;
            most = std::max(most, release + work + job.afterNs);
        }
    }
    return most;
}

void StretchBounds::addOp(int op, int device) {
    const double ns = nsOf(op, device);
    if (ns == 0)
        return;
    const Job job{m_head[place(op, device)], ns, tailNs(op, device) - ns};
    m_jobs[at(device)].push_back(job);
    if (m_problem.holdsHost[at(device)])
        m_jobs.front().push_back(job);
}

void StretchBounds::addTransfers(const PartialSchedule& partial, int value) {
    const AssignmentProblem::Value& one = m_problem.values[at(value)];
    const bool isMade = one.producer < 0 || partial.isTaken(one.producer);
    const int from = isMade ? partial.state.deviceOf(value) : m_onlyDevice[at(one.producer)];
    for (int to = 0; to < m_problem.devices && from >= 0; ++to) {
        if (to == from || (isMade && partial.state.thereNs(value, to) < kNever))
            continue;
        double after = m_isResult[at(value)] && to == 0 ? 0 : -1;
        for (const int reader : one.readers)
            if (m_onlyDevice[at(reader)] == to && !partial.isTaken(reader))
                after = std::max(after, tailNs(reader, to));
        if (after < 0)
            continue;
        const double made = isMade ? partial.state.thereNs(value, from) : endNs(one.producer, from);
        const double release = std::max(made, m_linksFree[at(from * m_problem.devices + to)]);
        const Job job{release, transferNs(value, from, to), after};
        for (const int link : m_problem.routes[at(from * m_problem.devices + to)])
            m_jobs[at(m_problem.devices + link)].push_back(job);
    }
}

double StretchBounds::nothingBeforeNs(const PartialSchedule& partial) const {
    double least = kNever;
    for (int op = 0; op < count(m_problem); ++op)
        if (!partial.isTaken(op) && m_problem.ops[at(op)].inputs.empty())
            return 0;
    for (const int value : partial.live)
        least = std::min(least, partial.state.thereNs(value, partial.state.deviceOf(value)));
    return least;
}

} // namespace pim
