// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a window that was killed leaves behind, and how to get it back: one project file a session in a folder of its own, locked while its window
/// lives, gone after a clean close. It is the project of a model until that is saved under a name. Thread-safe: the folder is the only
/// state.
#include "views/models/document.h"

#include <QDateTime>
#include <QList>

namespace pim::views {

/// One that nobody works on any more.
struct RecoverableSession {
    QString id; ///< For recover() and discard.
    QString modelPath;
    QString target;  ///< Its id.
    QString project; ///< The read-only project it was opened from; empty: none.
    QDateTime when;  ///< Last saved.
    std::int64_t decisions = 0, notes = 0, variants = 0; ///< decisions: overrides of all variants.
    std::int64_t runs = 0, sweeps = 0;
    QString problem; ///< Why it cannot be recovered; empty: it can.
};

/// In the user's data folder.
QString recoveryFolder();
/// Newest first. Those in which nobody did more than to open a model are removed.
QList<RecoverableSession> recoverableSessions(const QString& folder);
Result<void> discardSession(const QString& folder, const QString& id);
/// Takes it over: its lock is then ours, and saving goes on in its file.
Result<OpenedDocument> readSession(const QString& folder, const QString& id, const TaskContext& task);

/// A project of its own for a model that is not saved, locked.
Result<CreatedProject> beginSession(const QString& folder);

/// The file of a living window.
class RecoverySession {
public:
    /// For decisions about a project that cannot be written to.
    static Result<std::unique_ptr<RecoverySession>> begin(const QString& folder);
    RecoverySession(std::filesystem::path file, std::shared_ptr<QLockFile> lock);
    Result<void> save(const DecisionState& state, const std::filesystem::path& project);
    void remove(); ///< Nothing is left to recover.

private:
    std::filesystem::path m_file;
    std::shared_ptr<QLockFile> m_lock;
};

std::filesystem::path sessionFile(const QString& folder, const QString& id);

} // namespace pim::views
