// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Work that goes on while the one who started it does something else: reading ahead, whatever a window or an interpreter must not wait
/// for. Not counted among jobs(), so that one job does not stop a window.
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>

namespace pim {

/// Pieces that begin in the order they were started, in threads of the pool.
class Background {
public:
    /// \param atOnce pieces under way at the same time; the others wait.
    explicit Background(int atOnce = 1) : m_atOnce(atOnce) {}
    /// Takes back what has not begun and waits for what has. Not to be destroyed by a piece of its own.
    ~Background();
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    void start(std::function<void()> piece);
    /// Until all of it is over. The first exception of a piece is thrown here, once.
    void wait();
    bool isOverWithin(std::chrono::milliseconds time); ///< As wait(), at most so long; throws nothing.

private:
    void work();
    bool isOver() const { return m_waiting.empty() && m_running == 0; }

    const int m_atOnce;
    std::mutex m_mutex;
    std::condition_variable m_over;
    std::deque<std::function<void()>> m_waiting;
    int m_running = 0; ///< Threads.
    std::exception_ptr m_failure;
};

} // namespace pim
