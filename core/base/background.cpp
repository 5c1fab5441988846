// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/background.h"

#include "core/base/pool.h"

#include <utility>

namespace pim {

Background::~Background() {
    std::deque<std::function<void()>> takenBack; // what they hold goes without the lock
    std::unique_lock lock(m_mutex);
    takenBack.swap(m_waiting);
    m_over.wait(lock, [this] { return m_running == 0; });
}

void Background::start(std::function<void()> piece) {
    const std::lock_guard lock(m_mutex);
    m_waiting.push_back(std::move(piece));
    if (m_running == m_atOnce)
        return;
    try {
        Pool::get().begin([this] { work(); });
        ++m_running;
    } catch (...) {
        m_waiting.pop_back();
        throw;
    }
}

void Background::work() {
    std::unique_lock lock(m_mutex);
    while (!m_waiting.empty()) {
        std::function<void()> piece = std::move(m_waiting.front());
        m_waiting.pop_front();
        lock.unlock();
        std::exception_ptr failure;
        try {
            std::exchange(piece, nullptr)(); // what it holds is gone before it is over
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        if (failure && !m_failure)
            m_failure = failure;
    }
    --m_running;
    m_over.notify_all(); // under the lock: this object may end with the one who waits
}

void Background::wait() {
    std::unique_lock lock(m_mutex);
    m_over.wait(lock, [this] { return isOver(); });
    if (const std::exception_ptr failure = std::exchange(m_failure, nullptr))
        std::rethrow_exception(failure);
}

bool Background::isOverWithin(std::chrono::milliseconds time) {
    std::unique_lock lock(m_mutex);
    return m_over.wait_for(lock, time, [this] { return isOver(); });
}

} // namespace pim
