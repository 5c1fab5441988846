// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Runs work in the background and brings the results back to the UI thread.
#include "core/base/background.h"
#include "views/models/workspace.h"

#include <QElapsedTimer>
#include <QTimer>

#include <map>

namespace pim::views {

class TaskRunner final : public TaskList {
public:
    /// \param onCrash told when work threw: our own mistake, reported and not fatal.
    explicit TaskRunner(std::function<void(const QString& name, const QString& what)> onCrash);
    /// Stops everything and waits for the threads; no result arrives any more.
    ~TaskRunner() override;

    QList<Entry> entries() const override;
    int start(const QString& name, Work work, std::function<void()> onCancelled = {}) override;
    void cancel(int id) override;
    void abandon(int id); ///< As cancel(), but nobody is told: newer work replaces it.
    void stopAndWait();
    void noteFailure(const QString& message); ///< Of the task whose result is being delivered, if one is.
    /// Something the user should know of a result that is there all the same: ended() then says Done with it as message.
    /// Takes back noteFailure() of it.
    void noteRemark(const QString& message);

private:
    struct Progress;
    struct Task {
        QString name;
        std::stop_source stop;
        std::shared_ptr<Progress> progress;
        std::function<void()> onCancelled;
        QElapsedTimer clock;
    };
    static Entry entryOf(int id, const Task& task);
    void finish(int id, const std::function<void()>& deliver);
    void drop(int id, Outcome outcome);

    std::function<void(const QString&, const QString&)> m_onCrash;
    std::map<int, Task> m_tasks;
    int m_lastId = 0;
    struct Said {
        QString failure, remark;
    };
    Said* m_said = nullptr; ///< About the task whose result is delivered; null while none is.
    QTimer m_tick;          ///< Progress is polled, so that a chatty worker does not flood the event loop.
    Background m_work;      ///< Last: it ends before the rest goes.
};

} // namespace pim::views
