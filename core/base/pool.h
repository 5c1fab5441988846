// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The threads of the process that work; parallel.h and background.h are how to have it done. Threads come when they are first needed
/// and stay.
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

namespace pim {

class Pool {
public:
    static Pool& get();
    Pool() = default;
    ~Pool(); ///< When nothing is under way any more.
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    /// As runTogether(): helpers are threads that have nothing else to do, so there may be none.
    void help(std::size_t helpers, const std::function<void()>& work);
    /// Has a thread call \p piece, which throws nothing. There is one for each piece: none waits for other work to end, unless the system
    /// refuses more threads. Throws std::system_error if it has refused too many.
    void begin(std::function<void()> piece);

private:
    struct Call {
        const std::function<void()>* work;
        std::size_t open;    ///< Threads that may still join. In m_calls as long as there are any.
        std::size_t running; ///< Threads that have joined and are not back.
        std::condition_variable done;
    };
    void grow();
    void live();
    bool canHelp() const { return !m_calls.empty() && m_helping < m_mostHelpers; }

    std::mutex m_mutex;
    std::condition_variable m_wanted;
    std::list<Call*> m_calls; ///< Oldest first.
    std::deque<std::function<void()>> m_pieces;
    std::size_t m_helping = 0, m_mostHelpers = 0; ///< Threads that are in a call; the largest call so far.
    std::size_t m_begun = 0;                      ///< Pieces that are not over.
    bool m_ends = false;
    std::vector<std::jthread>
        m_threads; ///< m_mostHelpers, and one for each piece. Last: they end before the rest goes.
};

} // namespace pim
