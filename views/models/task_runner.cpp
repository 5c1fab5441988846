// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/task_runner.h"

#include "core/base/jobs.h"
#include "core/base/number_text.h"

#include <QLoggingCategory>

#include <algorithm>
#include <mutex>
#include <utility>

namespace pim::views {
namespace {

/// Work that was cancelled may take a moment to notice and must not hold up the next.
constexpr int kLeastAtOnce = 4;

Q_LOGGING_CATEGORY(tasksLog, "pim.tasks", QtInfoMsg)

void tellEnd(const TaskList::Entry& entry, const char* how, const QString& message = {}) {
    qCDebug(tasksLog, "%s %s after %s%s%s", qUtf8Printable(entry.name), how,
            timeText(entry.seconds * 1e9).c_str(), message.isEmpty() ? "" : ": ", qUtf8Printable(message));
}

} // namespace

struct TaskRunner::Progress {
    std::mutex mutex;
    std::string stage;
    std::int64_t done = 0, total = 0;
};

TaskRunner::TaskRunner(std::function<void(const QString&, const QString&)> onCrash)
    : TaskList(nullptr), m_onCrash(std::move(onCrash)), m_work(std::max(kLeastAtOnce, jobs())) {
    m_tick.setInterval(100);
    connect(&m_tick, &QTimer::timeout, this, &TaskList::changed);
}

TaskRunner::~TaskRunner() {
    stopAndWait();
}

void TaskRunner::stopAndWait() {
    for (auto& [id, task] : m_tasks)
        task.stop.request_stop();
    m_tasks.clear();
    m_tick.stop();
    m_work.wait();
}

TaskList::Entry TaskRunner::entryOf(int id, const Task& task) {
    const std::lock_guard lock(task.progress->mutex);
    return {id,
            task.name,
            QString::fromStdString(task.progress->stage),
            task.progress->done,
            task.progress->total,
            static_cast<double>(task.clock.elapsed()) / 1000.0};
}

QList<TaskList::Entry> TaskRunner::entries() const {
    QList<Entry> list;
    for (const auto& [id, task] : m_tasks)
        list.append(entryOf(id, task));
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
    context.onProgress = [progress = task.progress, name](std::string_view stage, std::int64_t done,
                                                          std::int64_t total) {
        bool isNew = false;
        {
            const std::lock_guard lock(progress->mutex);
            isNew = progress->stage != stage;
            progress->stage = stage;
            progress->done = done;
            progress->total = total;
        }
        if (isNew)
            qCDebug(tasksLog, "%s: %.*s", qUtf8Printable(name), static_cast<int>(stage.size()), stage.data());
    };
    qCDebug(tasksLog, "%s begins", qUtf8Printable(name));
    m_work.start([this, id, name, context, work = std::move(work)] {
        std::function<void()> deliver;
        try {
            deliver = work(context);
        } catch (const std::exception& error) {
            deliver = [this, name, what = QString::fromUtf8(error.what())] { m_onCrash(name, what); };
        }
        QMetaObject::invokeMethod(
            this, [this, id, deliver = std::move(deliver)] { finish(id, deliver); }, Qt::QueuedConnection);
    });
    m_tick.start();
    emit changed();
    return id;
}

void TaskRunner::noteFailure(const QString& message) {
    if (m_said)
        m_said->failure = message;
}

void TaskRunner::noteRemark(const QString& message) {
    if (!m_said)
        return;
    m_said->remark = message;
    if (m_said->failure == message)
        m_said->failure.clear();
}

void TaskRunner::finish(int id, const std::function<void()>& deliver) {
    const auto found = m_tasks.find(id);
    if (found == m_tasks.end())
        return; // cancelled in the meantime
    const Entry entry = entryOf(id, found->second);
    m_tasks.erase(found);
    if (m_tasks.empty())
        m_tick.stop();
    Said said;
    if (deliver) {
        // a result may wait for another in a loop of its own
        Said* const outer = std::exchange(m_said, &said);
        deliver();
        m_said = outer;
    }
    if (said.failure.isEmpty())
        tellEnd(entry, "is done", said.remark);
    else
        tellEnd(entry, "failed", said.failure);
    if (said.failure.isEmpty())
        emit ended(entry, Outcome::Done, said.remark);
    else
        emit ended(entry, Outcome::Failed, said.failure);
    emit changed();
}

void TaskRunner::cancel(int id) {
    const auto found = m_tasks.find(id);
    if (found == m_tasks.end())
        return;
    const auto onCancelled = std::move(found->second.onCancelled);
    drop(id, Outcome::Cancelled);
    if (onCancelled)
        onCancelled();
}

void TaskRunner::abandon(int id) {
    drop(id, Outcome::Replaced);
}

void TaskRunner::drop(int id, Outcome outcome) {
    const auto found = m_tasks.find(id);
    if (found == m_tasks.end())
        return;
    found->second.stop.request_stop();
    const Entry entry = entryOf(id, found->second);
    m_tasks.erase(found);
    if (m_tasks.empty())
        m_tick.stop();
    tellEnd(entry, outcome == Outcome::Replaced ? "is replaced by newer work" : "is cancelled");
    emit ended(entry, outcome, {});
    emit changed();
}

} // namespace pim::views
