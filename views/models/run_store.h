// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Writes runs and best drafts into the project, one after the other on a worker thread, in the order they
/// were given: what is forgotten does not come back with a run that was made before. Owned by the Workspace.
#include <deque>
#include <functional>

#include <QString>

namespace pim::views {

class TaskRunner;

class RunStore {
public:
    /// Runs on a worker thread; what it returns then runs on the UI thread, tells what came of it, and says
    /// whether it worked. Where not, what waits behind it is dropped: it would fail likewise.
    using Write = std::function<std::function<bool()>()>;
    explicit RunStore(TaskRunner& tasks) : m_tasks(tasks) {}

    void add(const QString& name, Write write);
    /// Here and now, what still waits: a run that was made is a run that is stored, also if the window closes
    /// at once.
    void finish();

private:
    struct Waiting {
        QString name;
        Write write;
    };
    void next();

    TaskRunner& m_tasks;
    std::deque<Waiting> m_waiting; ///< Without the one that is being written.
    bool m_writing = false;
};

} // namespace pim::views
