// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Runs independent pieces of work side by side, on the one pool of threads of the process.
#include "core/base/jobs.h"

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>

namespace pim {

/// Calls \p run here, and in up to \p helpers threads of the pool that have nothing else to do; comes back when all have come back. A
/// call within such a call does what it can with the threads that are left, at worst alone, so that none ever waits for a free thread.
void runTogether(std::size_t helpers, const std::function<void()>& run);

/// Calls \p work(i) for i in [0, count), each once, in no particular order. \param threads 0: jobs().
/// The first exception ends the run and is thrown here.
template <class Work>
void parallelFor(std::size_t count, int threads, const Work& work) {
    const auto wanted = static_cast<std::size_t>(threads > 0 ? threads : jobs());
    if (wanted <= 1 || count <= 1) {
        for (std::size_t i = 0; i < count; ++i)
            work(i);
        return;
    }
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failureMutex;
    runTogether((wanted < count ? wanted : count) - 1, [&] {
        try {
            for (std::size_t i = next++; i < count; i = next++)
                work(i);
        } catch (...) {
            next = count;
            const std::lock_guard lock(failureMutex);
            if (!failure)
                failure = std::current_exception();
        }
    });
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace pim
