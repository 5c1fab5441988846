// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Between Python and the work of the compiler: who holds the interpreter's lock, how work is stopped, and how our errors become
/// Python exceptions. Flow: Python thread -> [run] -> worker thread without the lock -> value or exception.
#include "core/base/background.h"
#include "core/base/task.h"

#include <pybind11/pybind11.h>

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pim::python {

/// The exception class of the code in pimstudio.errors, with our text.
[[noreturn]] void raise(const Error& error);

template <class T>
T valueOf(Result<T> result) {
    if (!result)
        raise(result.error());
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

/// The last step that work reported, for another thread to take.
class LastStep {
public:
    struct Step {
        std::string stage;
        std::int64_t done = 0, total = 0;
    };
    void put(std::string_view stage, std::int64_t done, std::int64_t total);
    std::optional<Step> take();

private:
    std::mutex m_mutex;
    std::optional<Step> m_step;
};

/// What work tells while it runs, for another thread to take.
template <class T>
class Mailbox {
public:
    void put(T told) {
        const std::lock_guard lock(m_mutex);
        m_told.push_back(std::move(told));
    }
    std::vector<T> take() {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_told, {});
    }

private:
    std::mutex m_mutex;
    std::vector<T> m_told;
};

/// One look at the interpreter: passes on the step there is to \p progress, lets signals be handled. What either raises is thrown.
void lookAtInterpreter(LastStep& step, const pybind11::object& progress);

/// Runs \p work, which takes a TaskContext and returns a Result, on a thread of the pool without the interpreter's lock. The calling
/// thread, which holds the lock, passes steps on to \p progress (a callable or None) and watches for signals: what a handler or
/// \p progress raises stops the work and is raised here once it has stopped. \p look is called as often, with the lock, and once more when
/// the work is over, so that it can pass on what work tells; what it throws counts as if \p progress had.
template <class Work, class Look>
auto run(const pybind11::object& progress, Work work, Look look) {
    constexpr std::chrono::milliseconds kBetweenLooks(20);
    std::stop_source stop;
    LastStep last;
    TaskContext task;
    task.stop = stop.get_token();
    if (!progress.is_none())
        task.onProgress = [&last](std::string_view stage, std::int64_t done, std::int64_t total) {
            last.put(stage, done, total);
        };
    std::optional<decltype(work(task))> result;
    Background background;
    background.start([&] { result.emplace(work(task)); });
    const auto isOver = [&background](std::chrono::milliseconds within) {
        const pybind11::gil_scoped_release released;
        return background.isOverWithin(within);
    };
    while (!isOver(kBetweenLooks)) {
        try {
            lookAtInterpreter(last, progress);
            look();
        } catch (...) {
            stop.request_stop();
            {
                const pybind11::gil_scoped_release released;
                while (!background.isOverWithin(kBetweenLooks)) {
                }
            }
            throw;
        }
    }
    lookAtInterpreter(last, progress);
    look();
    background.wait();
    return valueOf(std::move(*result));
}

template <class Work>
auto run(const pybind11::object& progress, Work work) {
    return run(progress, std::move(work), [] {});
}

/// As run(); \p work also takes a function to tell results with, as text, which \p told (a callable or None) is called with.
template <class Work>
auto runTelling(const pybind11::object& progress, const pybind11::object& told, Work work) {
    Mailbox<std::string> mailbox;
    const auto tell = [&](std::string text) {
        if (!told.is_none())
            mailbox.put(std::move(text));
    };
    return run(
        progress, [&](const TaskContext& task) { return work(task, tell); },
        [&] {
            for (const std::string& text : mailbox.take())
                told(text);
        });
}

} // namespace pim::python
