// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/task_runner.h"

#include <QThread>

#include <algorithm>
#include <mutex>

namespace pim::views {

struct TaskRunner::Progress {
    std::mutex mutex;
    std::string stage;
    std::int64_t done = 0, total = 0;
};

TaskRunner::TaskRunner(std::function<void(const QString&, const QString&)> onCrash) : TaskList(nullptr), m_onCrash(std::move(onCrash)) {
    // More threads than processors: work that was cancelled may take a moment to notice and must not hold up the next.
    m_pool.setMaxThreadCount(std::max(4, QThread::idealThreadCount()));
    m_tick.setInterval(100);
    connect(&m_tick, &QTimer::timeout, this, &TaskList::changed);
}

TaskRunner::~TaskRunner() { stopAndWait(); }

void TaskRunner::stopAndWait() {
    for (auto& [id, task] : m_tasks)
        task.stop.request_stop();
    m_tasks.clear();
    m_tick.stop();
    m_pool.waitForDone();
}

QList<TaskList::Entry> TaskRunner::entries() const {
    QList<Entry> list;
    for (const auto& [id, task] : m_tasks) {
        const std::lock_guard lock(task.progress->mutex);
        list.append({id, task.name, QString::fromStdString(task.progress->stage), task.progress->done, task.progress->total,
                     static_cast<double>(task.clock.elapsed()) / 1000.0});
    }
    return list;
}

int TaskRunner::start(const QString& name, Work work, std::function<void()> onCancelled) {
    const int id = ++m_lastId;
    Task& task = m_tasks[id];
    task.name = name;
    task.progress = std::make_shared<Progress>();
    task.onCancelled = std::move(onCancelled);
    task.clock.start();
    TaskContext context;
    context.stop = task.stop.get_token();
    context.onProgress = [progress = task.progress](std::string_view stage, std::int64_t done, std::int64_t total) {
        const std::lock_guard lock(progress->mutex);
        progress->stage = stage;
        progress->done = done;
        progress->total = total;
    };
    m_pool.start([this, id, name, context, work = std::move(work)] {
        std::function<void()> deliver;
        try {
            deliver = work(context);
        } catch (const std::exception& error) {
            deliver = [this, name, what = QString::fromUtf8(error.what())] { m_onCrash(name, what); };
        }
        QMetaObject::invokeMethod(this, [this, id, deliver = std::move(deliver)] { finish(id, deliver); }, Qt::QueuedConnection);
    });
    m_tick.start();
    emit changed();
    return id;
}

void TaskRunner::finish(int id, const std::function<void()>& deliver) {
    if (m_tasks.erase(id) == 0)
        return; // cancelled in the meantime
    if (m_tasks.empty())
        m_tick.stop();
    if (deliver)
        deliver();
    emit changed();
}

void TaskRunner::cancel(int id) {
    const auto found = m_tasks.find(id);
    if (found == m_tasks.end())
        return;
    const auto onCancelled = std::move(found->second.onCancelled);
    abandon(id);
    if (onCancelled)
        onCancelled();
}

void TaskRunner::abandon(int id) {
    const auto found = m_tasks.find(id);
    if (found == m_tasks.end())
        return;
    found->second.stop.request_stop();
    m_tasks.erase(found);
    if (m_tasks.empty())
        m_tick.stop();
    emit changed();
}

} // namespace pim::views
