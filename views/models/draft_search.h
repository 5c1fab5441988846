// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The drafts of the selected op: searched for on a worker thread a moment after the selection rests,
/// remembered for a while. Owned by the Workspace, which hands out what is found.
#include "core/predict/shipped.h"

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

    /// Null while searching or if there is nothing.
    std::shared_ptr<const Exploration> found() const { return m_found.exploration; }
    /// Of predicted times in found(); null: not known.
    const PredictorError* knownError() const { return m_found.knownError ? &*m_found.knownError : nullptr; }
    QString note() const { return m_note; } ///< Why found() is null, in words.

    /// Shows what is known about the selected op and starts a search for the rest.
    void refresh();
    void drop();   ///< What is found is of another graph or target.
    void forget(); ///< Of another document: nothing is remembered.

private:
    struct Found {
        std::shared_ptr<const Exploration> exploration;
        std::optional<PredictorError> knownError;
    };
    void show(Found found, std::string id, const QString& note);
    void stop();
    void start();
    void remember(const std::string& id, const Found& found);

    const Workspace& m_workspace;
    TaskRunner& m_tasks;
    std::function<void()> m_changed;
    QTimer m_delay;
    int m_task = 0;
    Found m_found;
    std::string m_id;
    QString m_note;
    std::list<std::pair<std::string, Found>> m_remembered; ///< Newest first.
};

} // namespace pim::views
