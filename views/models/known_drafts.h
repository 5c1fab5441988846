// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The best drafts that the project of a workspace knows (core/drafts/draft_table.h), to be looked at and
/// forgotten. What they are used for is no matter of this file.
#include "core/project/project.h"

#include <QObject>

#include <functional>

namespace pim::views {

class Workspace;

/// As they are in the file.
struct KnownDraftsRead {
    StoredDrafts stored;
    std::optional<std::int64_t> bytes; ///< Of the file; none: this SQLite does not tell.
};

class KnownDrafts : public QObject {
    Q_OBJECT
public:
    /// A child of the workspace, which makes it. \param clear forgets them, in the file and in memory.
    KnownDrafts(Workspace& workspace, std::function<void()> clear);
    static KnownDrafts& of(const Workspace& workspace);

    using Deliver = std::function<void(const Result<KnownDraftsRead>&)>;
    /// Reads on a worker thread. \p deliver is told on this thread, unless the project is no longer the one
    /// that is open. There must be a project.
    void read(Deliver deliver);

    QString whyNotShown() const;   ///< As a sentence; empty: there is a project.
    QString whyNotCleared() const; ///< As a sentence; empty: they can be.
    /// All of them, also those not written yet. Searches begin anew, and what they find from then on is kept.
    /// Fails by Workspace::failed, changing nothing, where whyNotCleared() says so.
    void clear();

signals:
    void changed(); ///< In the file, without a new run.

private:
    Workspace& m_workspace;
    std::function<void()> m_clear;
};

} // namespace pim::views
