// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What no schedule of a stretch of a network can beat. Flow: stretch, the devices that ops may still run on, what is taken -> [StretchBounds]
/// -> least time to the end.
#include "core/assign/schedule_state.h"
#include "core/assign/stretch_search.h"

#include <array>
#include <span>
#include <vector>

namespace pim {

/// Some ops taken, and what is left to be done.
struct PartialSchedule {
    static constexpr int kTaken = -1;
    static constexpr std::size_t kMostShares = 8;

    ScheduleState state;
    std::vector<int> waitsFor; ///< Producers of each op that are not taken; kTaken: it is taken itself.
    std::vector<int> live;     ///< Values that are there and still to be read, or results; ascending.
    int last = -1;             ///< Position in the list of what was taken; -1: nothing was.
    std::array<double, kMostShares>
        workLeftNs{};   ///< Of the ops that are not taken, by the shares of the bounds.
    double rentNs = 0;  ///< Of the ops that are taken.
    double boundNs = 0; ///< On length and rents of all schedules that begin like this.

    bool isTaken(int op) const { return waitsFor[static_cast<std::size_t>(op)] == kTaken; }
    bool isReady(int op) const { return waitsFor[static_cast<std::size_t>(op)] == 0; }
};

/// Four bounds, of which the greatest counts: the longest way to the end, each op where that is shortest; the work that is left, on all
/// devices (any mean of what they are busy for is below the length: the Lagrangian bound of scheduling on unrelated machines; Fisher, The
/// Lagrangian Relaxation Method, Management Science 1981); and what one device or one link has to do, from the first release to the last tail
/// (Carlier, The One-Machine Sequencing Problem, European Journal of Operational Research 1982).
class StretchBounds {
public:
    explicit StretchBounds(const Stretch& stretch);

    /// [op][device]
    bool canRun(int op, int device) const { return m_canRun[place(op, device)]; }
    const std::vector<bool>& devices() const { return m_canRun; }
    bool isView(int op) const { return m_isView[static_cast<std::size_t>(op)]; }
    double rentNs(int op, int device) const;
    /// Least time from the start of the op there to the end of all that follows from it, with the rents on the way; kNever: it cannot run there.
    double tailNs(int op, int device) const { return m_tail[place(op, device)]; }

    /// From now on ops may run on these devices alone, and on fewer: what beats `best` runs no op where the way to it and the way from it
    /// take as long, and a view where its value is made. \returns false: nothing beats it.
    bool narrow(std::vector<bool> devices, double best);
    /// The shares of work that bound best with these devices.
    void chooseShares();

    PartialSchedule nothingTaken();
    /// Without its bound.
    void take(PartialSchedule& partial, int op, int device) const;
    /// \param enough from which on it makes no difference: less work for the same answer.
    double boundNs(const PartialSchedule& partial, double enough = kNever);
    /// Before which nothing that is left starts: an op and a transfer wait for a value at least.
    double nothingBeforeNs(const PartialSchedule& partial) const;

private:
    struct Shares {
        std::vector<double> share;   ///< [device], sum 1.
        std::vector<double> leastNs; ///< [op]: the least that it adds to the mean.
    };
    struct Job {
        double releaseNs, ns, afterNs;
    };

    std::size_t place(int op, int device) const {
        return static_cast<std::size_t>(op * m_problem.devices + device);
    }
    bool isViewOfOne(int op) const;
    bool keepViews();
    void fillTails();
    double onwardsNs(int value, int device, int reader) const;
    void fillHeads(const PartialSchedule& partial);
    void fillLinksFree(const PartialSchedule& partial);
    void fillArrivals(const PartialSchedule& partial, int value);
    double endNs(int op, int device) const;
    double broughtNs(int value, double made, int from, int to) const;
    double queuesNs(const PartialSchedule& partial);
    void addOp(int op, int device);
    void addTransfers(const PartialSchedule& partial, int value);
    void fillLeast(Shares& shares) const;
    void bestSplit(const std::vector<int>& devices, std::vector<std::pair<double, Shares>>& found) const;
    void listDevices();
    /// Devices that may run an op.
    std::span<const int> runs(int op) const {
        return {m_runs.data() + place(op, 0), static_cast<std::size_t>(m_runCount[at(op)])};
    }
    double nsOf(int op, int device) const { return m_ns[place(op, device)]; }
    double transferNs(int value, int from, int to) const {
        return m_transferNs[at((value * m_problem.devices + from) * m_problem.devices + to)];
    }
    bool staysLive(const PartialSchedule& partial, int value) const;

    const Stretch& m_stretch;
    const AssignmentProblem& m_problem;
    std::vector<double> m_ns;         ///< [op][device], as in the problem but side by side.
    std::vector<double> m_transferNs; ///< [value][from][to]
    std::vector<bool> m_isView;
    std::vector<bool> m_isResult;  ///< [value]
    std::vector<bool> m_canRun;    ///< [op][device]
    std::vector<double> m_tail;    ///< [op][device]
    std::vector<int> m_runs;       ///< [op][device]: those that may run it come first.
    std::vector<int> m_runCount;   ///< [op]
    std::vector<int> m_onlyDevice; ///< [op]: that may run it; -1: several may.
    std::vector<Shares> m_shares;
    // Of the partial schedule that is looked at:
    std::vector<double> m_head;           ///< [op][device], where an op may run.
    std::vector<double> m_arrival;        ///< [value][device], of values that are still to be read.
    std::vector<double> m_linksFree;      ///< [from][to], all links of the way.
    std::vector<std::vector<Job>> m_jobs; ///< [devices, then links]
};

} // namespace pim
