// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/pool.h"

#include "core/base/jobs.h"
#include "core/base/signal_stack.h"

#include <pthread.h>

#include <algorithm>
#include <memory>
#include <system_error>
#include <utility>

namespace pim {

Pool& Pool::get() {
    // A process that was forked, as Python's multiprocessing does, has the memory of the threads but not the threads: its pool is a new one.
    static std::unique_ptr<Pool> pool;
    static const int kHandled = [] {
        pool = std::make_unique<Pool>();
        return pthread_atfork(nullptr, nullptr, [] {
            (void)pool.release(); // NOLINT(bugprone-unused-return-value): nobody is there to be joined
            pool = std::make_unique<Pool>();
        });
    }();
    (void)kHandled;
    return *pool;
}

Pool::~Pool() {
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_wanted.notify_all();
}

/// With the lock. Where the system refuses a thread there are fewer helpers.
void Pool::grow() {
    try {
        while (m_threads.size() < m_mostHelpers + m_begun)
            m_threads.emplace_back([this] { live(); });
    } catch (const std::system_error&) {
        if (m_threads.size() < m_begun)
            throw;
    }
}

void Pool::help(std::size_t helpers, const std::function<void()>& work) {
    Call call{&work, std::min(helpers, static_cast<std::size_t>(kMostJobs)), 0, {}};
    std::unique_lock lock(m_mutex);
    m_mostHelpers = std::max(m_mostHelpers, call.open);
    grow();
    const auto place = m_calls.insert(m_calls.end(), &call);
    lock.unlock();
    for (std::size_t i = 0; i < helpers; ++i)
        m_wanted.notify_one();
    work();
    lock.lock();
    if (call.open > 0) {
        call.open = 0;
        m_calls.erase(place);
    }
    call.done.wait(lock, [&] { return call.running == 0; });
}

void Pool::begin(std::function<void()> piece) {
    {
        const std::lock_guard lock(m_mutex);
        ++m_begun;
        try {
            grow();
            m_pieces.push_back(std::move(piece));
        } catch (...) {
            --m_begun;
            throw;
        }
    }
    m_wanted.notify_one();
}

void Pool::live() {
    const SignalStack stack;
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wanted.wait(lock, [this] { return m_ends || !m_pieces.empty() || canHelp(); });
        if (m_ends)
            return;
        if (!m_pieces.empty()) {
            std::function<void()> piece = std::move(m_pieces.front());
            m_pieces.pop_front();
            lock.unlock();
            std::exchange(piece, nullptr)();
            lock.lock();
            --m_begun;
            continue;
        }
        Call& call = *m_calls.front();
        ++m_helping;
        ++call.running;
        if (--call.open == 0)
            m_calls.pop_front();
        lock.unlock();
        (*call.work)();
        lock.lock();
        --m_helping;
        if (--call.running == 0)
            call.done.notify_one(); // under the lock: the call ends with its caller
    }
}

} // namespace pim
