// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/run_store.h"

#include "views/models/task_runner.h"

namespace pim::views {

void RunStore::add(const QString& name, Write write) {
    m_waiting.push_back({name, std::move(write)});
    next();
}

void RunStore::next() {
    if (m_writing || m_waiting.empty())
        return;
    m_writing = true;
    Waiting first = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_tasks.start(
        first.name,
        [this, write = std::move(first.write)](const TaskContext&) -> std::function<void()> {
            return [this, tell = write()] {
                m_writing = false;
                if (!tell())
                    m_waiting.clear();
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
        (void)each.write();
    m_waiting.clear();
}

} // namespace pim::views
