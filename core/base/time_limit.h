// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A task that is also over when its time is up: work that polls its TaskContext then ends in time without
/// looking at a clock.
#include "core/base/background.h"
#include "core/base/task.h"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>

namespace pim {

class TimeLimit {
public:
    /// \param seconds infinite: as long as the task likes.
    TimeLimit(const TaskContext& task, double seconds)
        : m_cancelled(task.stop, [this] { m_over.request_stop(); }) {
        if (!std::isfinite(seconds))
            return;
        m_watch.start(
            [this, end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds)] {
                std::mutex mutex;
                std::unique_lock lock(mutex);
                std::condition_variable_any alarm;
                alarm.wait_until(lock, m_closing.get_token(), end, [] { return false; });
                m_over.request_stop();
            });
    }
    ~TimeLimit() { m_closing.request_stop(); }
    TimeLimit(const TimeLimit&) = delete;
    TimeLimit& operator=(const TimeLimit&) = delete;

    /// Cancelled when the time is up or the task is cancelled; reports nothing, so several threads may use
    /// it.
    TaskContext context() const { return {.stop = m_over.get_token(), .onProgress = {}}; }
    bool over() const { return m_over.stop_requested(); }

private:
    std::stop_source m_over, m_closing;
    std::stop_callback<std::function<void()>> m_cancelled;
    Background m_watch; ///< Last: it ends before the rest goes.
};

} // namespace pim
