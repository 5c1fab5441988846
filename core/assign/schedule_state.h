// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where devices, links and values stand after some ops of a network were taken; the one place that knows how a schedule grows.
#include "core/assign/assignment.h"

namespace pim {

/// A position, or an id that counts from 0, as an index.
constexpr std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

class ScheduleState {
public:
    /// \param startDevice of values that are there from the beginning, one a value of the problem.
    ScheduleState(const AssignmentProblem& problem, std::span<const int> startDevice);

    /// When the op could start on a device at the earliest: that its transfers wait for one another is left out. Its producers were taken
    /// before.
    double startNs(int op, int device) const;
    /// Takes it. \param spans gets its transfers and itself; may be null. \returns when it ends.
    double take(int op, int device, std::vector<AssignmentSpan>* spans = nullptr);
    /// Brings a value to a device, if it is not there. \returns when it is there.
    double bring(int value, int device, std::vector<AssignmentSpan>* spans = nullptr);
    /// A value that is there from the beginning comes at this time.
    void comesAt(int value, double ns) { m_there[place(value, deviceOf(value))] = ns; }
    /// Until all ops and transfers taken so far are done.
    double endNs() const { return m_endNs; }

    double deviceFreeNs(int device) const { return m_free[static_cast<std::size_t>(device)]; }
    int deviceOf(int value) const { return m_device[static_cast<std::size_t>(value)]; } ///< That made it.
    /// When it is on a device; kNever: it was not brought there.
    double thereNs(int value, int device) const { return m_there[place(value, device)]; }
    /// When devices and then links are free.
    std::span<const double> freeNs() const { return m_free; }

private:
    std::size_t place(int value, int device) const {
        return static_cast<std::size_t>(value * m_problem->devices + device);
    }
    double arrivalNs(int value, int device) const;

    const AssignmentProblem* m_problem;
    std::vector<double> m_free;  ///< [devices, then links]
    std::vector<double> m_there; ///< [value][device]
    std::vector<int> m_device;   ///< [value]
    double m_endNs = 0;
};

} // namespace pim
