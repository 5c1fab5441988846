// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/assign/schedule_state.h"

#include <algorithm>

namespace pim {

ScheduleState::ScheduleState(const AssignmentProblem& problem, std::span<const int> startDevice)
    : m_problem(&problem), m_free(static_cast<std::size_t>(problem.devices + problem.links)),
      m_there(problem.values.size() * static_cast<std::size_t>(problem.devices), kNever),
      m_device(startDevice.begin(), startDevice.end()) {
    for (std::size_t v = 0; v < problem.values.size(); ++v)
        if (problem.values[v].producer < 0)
            m_there[place(static_cast<int>(v), m_device[v])] = 0;
}

double ScheduleState::arrivalNs(int value, int device) const {
    if (const double there = thereNs(value, device); there < kNever)
        return there;
    const int from = deviceOf(value);
    double start = thereNs(value, from);
    for (const int link : m_problem->routes[static_cast<std::size_t>(from * m_problem->devices + device)])
        start = std::max(start, m_free[static_cast<std::size_t>(m_problem->devices + link)]);
    return start + m_problem->transferNs(value, from, device);
}

double ScheduleState::startNs(int op, int device) const {
    const AssignmentProblem::Op& work = m_problem->ops[static_cast<std::size_t>(op)];
    double start = 0;
    if (work.ns[static_cast<std::size_t>(device)] > 0) {
        start = deviceFreeNs(device);
        if (m_problem->holdsHost[static_cast<std::size_t>(device)])
            start = std::max(start, deviceFreeNs(0));
    }
    for (const int value : work.inputs)
        start = std::max(start, arrivalNs(value, device));
    return start;
}

double ScheduleState::bring(int value, int device, std::vector<AssignmentSpan>* spans) {
    double& there = m_there[place(value, device)];
    if (there < kNever)
        return there;
    const int from = deviceOf(value);
    const double ns = m_problem->transferNs(value, from, device);
    there = arrivalNs(value, device);
    for (const int link : m_problem->routes[static_cast<std::size_t>(from * m_problem->devices + device)])
        m_free[static_cast<std::size_t>(m_problem->devices + link)] = there;
    m_endNs = std::max(m_endNs, there);
    if (spans && ns > 0)
        spans->push_back({-1, value, from, device, there - ns, there});
    return there;
}

double ScheduleState::take(int op, int device, std::vector<AssignmentSpan>* spans) {
    const AssignmentProblem::Op& work = m_problem->ops[static_cast<std::size_t>(op)];
    const double ns = work.ns[static_cast<std::size_t>(device)];
    double& own = m_free[static_cast<std::size_t>(device)];
    const bool holds = m_problem->holdsHost[static_cast<std::size_t>(device)];
    // What takes no time, a view of a tensor, neither waits for its device nor keeps it.
    double start = ns == 0 ? 0 : holds ? std::max(own, m_free.front()) : own;
    for (const int value : work.inputs)
        start = std::max(start, bring(value, device, spans));
    const double end = start + ns;
    if (ns > 0) {
        own = end;
        if (holds)
            m_free.front() = end;
        if (spans)
            spans->push_back({op, -1, device, device, start, end});
    }
    for (const int value : work.outputs) {
        m_device[static_cast<std::size_t>(value)] = device;
        m_there[place(value, device)] = end;
    }
    m_endNs = std::max(m_endNs, end);
    return end;
}

} // namespace pim
