// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Writes runs into the project, one after the other on a worker thread, in the order they were made. Owned
/// by the Workspace.
#include "views/models/document.h"

#include <deque>
#include <functional>

namespace pim::views {

class TaskRunner;

class RunStore {
public:
    /// \param stored told about each run, in order: its id, or why it is not stored (the ones behind it are
    /// then dropped).
    using Stored = std::function<void(const std::filesystem::path& project, const RunToStore& run,
                                      const Result<std::int64_t>& id)>;
    RunStore(TaskRunner& tasks, Stored stored) : m_tasks(tasks), m_stored(std::move(stored)) {}

    void add(const std::filesystem::path& project, RunToStore run);
    /// Here and now, what still waits: a run that was made is a run that is stored, also if the window closes
    /// at once.
    void finish();

private:
    struct Waiting {
        std::filesystem::path project;
        RunToStore run;
    };
    void next();

    TaskRunner& m_tasks;
    Stored m_stored;
    std::deque<Waiting> m_waiting; ///< Without the one that is being written.
    bool m_writing = false;
};

} // namespace pim::views
