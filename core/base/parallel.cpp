// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parallel.h"

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <list>
#include <thread>
#include <vector>

namespace pim {
namespace {

int jobsOfTheMachine() {
    const char* const wanted = std::getenv("PIM_JOBS"); // NOLINT(concurrency-mt-unsafe): nothing here sets it
    int count = 0;
    if (wanted && std::from_chars(wanted, wanted + std::strlen(wanted), count).ec == std::errc() && count > 0)
        return std::min(count, kMostJobs);
    return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, unsigned(kMostJobs)));
}

/// Threads that help with the oldest call that still wants help. As many as the largest call so far asked for.
class Pool {
public:
    ~Pool() {
        {
            const std::lock_guard lock(m_mutex);
            m_ends = true;
        }
        m_wanted.notify_all();
    }

    void run(std::size_t helpers, const std::function<void()>& work) {
        Call call{&work, std::min(helpers, static_cast<std::size_t>(kMostJobs - 1)), 0, {}};
        const auto place = offer(call);
        work();
        std::unique_lock lock(m_mutex);
        if (call.open > 0) {
            call.open = 0;
            m_calls.erase(place);
        }
        call.done.wait(lock, [&] { return call.running == 0; });
    }

private:
    struct Call {
        const std::function<void()>* work;
        std::size_t open;    ///< Threads that may still join. In m_calls as long as there are any.
        std::size_t running; ///< Threads that have joined and are not back.
        std::condition_variable done;
    };

    std::list<Call*>::iterator offer(Call& call) {
        const std::size_t helpers = call.open;
        std::list<Call*>::iterator place;
        {
            const std::lock_guard lock(m_mutex);
            place = m_calls.insert(m_calls.end(), &call);
            while (m_threads.size() < helpers)
                m_threads.emplace_back([this] { help(); });
        }
        for (std::size_t i = 0; i < helpers; ++i)
            m_wanted.notify_one();
        return place;
    }

    void help() {
        std::unique_lock lock(m_mutex);
        for (;;) {
            m_wanted.wait(lock, [this] { return m_ends || !m_calls.empty(); });
            if (m_ends)
                return;
            Call& call = *m_calls.front();
            ++call.running;
            if (--call.open == 0)
                m_calls.pop_front();
            lock.unlock();
            (*call.work)();
            lock.lock();
            if (--call.running == 0)
                call.done.notify_one(); // under the lock: the call ends with its caller
        }
    }

    std::mutex m_mutex;
    std::condition_variable m_wanted;
    std::list<Call*> m_calls; ///< Oldest first.
    bool m_ends = false;
    std::vector<std::jthread> m_threads; ///< Last: they end before the rest goes.
};

std::atomic<int> chosenJobs{0};

} // namespace

int jobs() {
    static const int kOfTheMachine = jobsOfTheMachine();
    const int chosen = chosenJobs;
    return chosen > 0 ? chosen : kOfTheMachine;
}

void setJobs(int count) {
    chosenJobs = std::clamp(count, 0, kMostJobs);
}

void runTogether(std::size_t helpers, const std::function<void()>& run) {
    static Pool pool;
    if (helpers == 0)
        run();
    else
        pool.run(helpers, run);
}

} // namespace pim
