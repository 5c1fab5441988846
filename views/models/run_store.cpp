// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/run_store.h"

#include "views/models/task_runner.h"

#include <QCoreApplication>

namespace pim::views {

void RunStore::add(const std::filesystem::path& project, RunToStore run) {
    m_waiting.push_back({project, std::move(run)});
    next();
}

void RunStore::next() {
    if (m_writing || m_waiting.empty())
        return;
    m_writing = true;
    Waiting first = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_tasks.start(
        QCoreApplication::translate("Workspace", "Saving run"),
        [this, first = std::move(first)](const TaskContext&) -> std::function<void()> {
            const auto id = storeRun(first.project, first.run);
            return [this, first, id] {
                m_writing = false;
                if (!id)
                    m_waiting.clear();
                m_stored(first.project, first.run, id);
                next();
            };
        },
        [this] { // nobody looks at its result; it is written nevertheless
            m_writing = false;
            next();
        });
}

void RunStore::finish() {
    for (const Waiting& each : m_waiting)
        (void)storeRun(each.project, each.run);
    m_waiting.clear();
}

} // namespace pim::views
