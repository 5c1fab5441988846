// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Runs independent pieces of work on a few threads.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace pim {

/// Calls \p work(i) for i in [0, count), each once, in no particular order. \param threads 0: as many as the machine has.
/// The first exception ends the run and is thrown here.
template <class Work>
void parallelFor(std::size_t count, int threads, const Work& work) {
    const auto wanted =
        static_cast<std::size_t>(threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency()));
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failureMutex;
    const auto run = [&] {
        try {
            for (std::size_t i = next++; i < count; i = next++)
                work(i);
        } catch (...) {
            next = count;
            const std::lock_guard lock(failureMutex);
            if (!failure)
                failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (std::size_t i = 1; i < std::min(wanted, count); ++i)
            helpers.emplace_back(run);
        run();
    }
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace pim
