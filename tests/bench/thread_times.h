// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How many threads of this process wanted the processor while something ran, whether they got it or not: what work on two threads would be worth
/// with two cores to itself, told on a machine that others use as well. Linux alone: per-thread run time and time in the queue
/// (Documentation/scheduler/sched-stats.rst, /proc/PID/schedstat).
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace pim::bench {

struct ThreadTimes {
    double wall = 0;    ///< s
    double running = 0; ///< s on a processor, of all threads.
    double queued = 0;  ///< s in which threads were ready and others had the processor.

    /// Threads that were ready or running, on average: 1 where all is serial, 2 where two never wait for each other.
    double ready() const { return wall > 0 ? (running + queued) / wall : 0; }
};

class ThreadClock {
public:
    ThreadClock() : m_begin(std::chrono::steady_clock::now()), m_before(read()) {}

    ThreadTimes times() const {
        constexpr double kSeconds = 1e-9;
        ThreadTimes times;
        for (const auto& [thread, now] : read()) {
            const auto at = m_before.find(thread);
            const Spent before = at == m_before.end() ? Spent() : at->second;
            times.running += kSeconds * static_cast<double>(now.running - before.running);
            times.queued += kSeconds * static_cast<double>(now.queued - before.queued);
        }
        times.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
        return times;
    }

private:
    struct Spent {
        unsigned long long running = 0, queued = 0; ///< ns
    };
    /// Threads that ended in between are not among them; those of the pool stay.
    static std::map<std::string, Spent> read() {
        std::map<std::string, Spent> all;
        std::error_code gone;
        for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", gone)) {
            Spent spent;
            if (std::ifstream(task.path() / "schedstat") >> spent.running >> spent.queued)
                all.emplace(task.path().filename().string(), spent);
        }
        return all;
    }

    std::chrono::steady_clock::time_point m_begin;
    std::map<std::string, Spent> m_before;
};

} // namespace pim::bench
