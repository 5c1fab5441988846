// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Work in the background, as views start, watch and stop it.
#include "core/base/task.h"

#include <QList>
#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>

namespace pim::views {

class TaskList : public QObject {
    Q_OBJECT
public:
    struct Entry {
        int id = 0;
        QString name, stage;
        std::int64_t done = 0, total = 0; ///< total 0: unknown.
        double seconds = 0;
    };
    enum class Outcome { Done, Cancelled, Failed, Replaced }; ///< Replaced: by newer work of the same kind.
    /// Runs on a worker thread; what it returns then runs on the UI thread with the result, unless it was cancelled.
    using Work = std::function<std::function<void()>(const TaskContext&)>;
    using QObject::QObject;
    virtual QList<Entry> entries() const = 0;
    virtual int start(const QString& name, Work work, std::function<void()> onCancelled = {}) = 0;
    /// Takes effect at once: the result, should one still come, is dropped.
    virtual void cancel(int id) = 0;

signals:
    void changed();
    /// \p entry as it was at last; \p message: what went wrong, for Failed.
    void ended(const pim::views::TaskList::Entry& entry, pim::views::TaskList::Outcome outcome,
               const QString& message);
};

} // namespace pim::views
