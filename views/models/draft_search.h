// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The drafts of the selected op: searched for on a worker thread a moment after the selection rests,
/// remembered for a while. Owned by the Workspace, which hands out what is found.
#include "core/compile/backend.h"

#include <QString>
#include <QTimer>

#include <functional>
#include <list>

namespace pim::views {

class TaskRunner;
class Workspace;

class DraftSearch {
public:
    DraftSearch(const Workspace& workspace, TaskRunner& tasks, std::function<void()> changed);

    std::shared_ptr<const Exploration> found() const {
        return m_found;
    }                                       ///< Null while searching or if there is nothing.
    QString note() const { return m_note; } ///< Why found() is null, in words.

    /// Shows what is known about the selected op and starts a search for the rest.
    void refresh();
    void drop();   ///< What is found is of another graph or target.
    void forget(); ///< Of another document: nothing is remembered.

private:
    void show(std::shared_ptr<const Exploration> found, std::string id, const QString& note);
    void stop();
    void start();
    void remember(const std::string& id, const std::shared_ptr<const Exploration>& found);

    const Workspace& m_workspace;
    TaskRunner& m_tasks;
    std::function<void()> m_changed;
    QTimer m_delay;
    int m_task = 0;
    std::shared_ptr<const Exploration> m_found;
    std::string m_id;
    QString m_note;
    std::list<std::pair<std::string, std::shared_ptr<const Exploration>>> m_remembered; ///< Newest first.
};

} // namespace pim::views
