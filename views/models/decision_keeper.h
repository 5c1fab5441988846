// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Keeps decisions safe while they are made: in the project with every change where there is one to write to,
/// else in a recovery file every 30 s and after each plan. Writes in the background, one after the
/// other, the newest state only. Owned by the Workspace; lives on the UI thread.
#include "core/base/background.h"
#include "views/models/recovery.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <functional>

namespace pim::views {

class DecisionKeeper : public QObject {
    Q_OBJECT
public:
    /// What there is to keep at a moment.
    struct Snapshot {
        std::shared_ptr<const Decisions> decisions;
        std::int64_t lastNote = 0;
        ViewStates viewStates;
        bool isModified = false; ///< Something would be lost.
    };
    explicit DecisionKeeper(std::function<Snapshot()> take) : m_take(std::move(take)) { init(); }
    ~DecisionKeeper() override;

    /// \param project file to write to; empty: none. \param known what is in it, if this is where it was read
    /// from.
    void setProject(const std::filesystem::path& project, const std::shared_ptr<const Decisions>& known);
    /// For messages and the list of sessions: the project that cannot be written to.
    void setReadOnlyProject(const std::filesystem::path& project) { m_readOnlyProject = project; }
    void setRecovery(const QString& folder, std::chrono::milliseconds interval);
    QString recoveryFolder() const { return m_folder; }
    void
    adopt(std::unique_ptr<RecoverySession> session); ///< One that was recovered: saving goes on in its file.
    void forget(); ///< Another document: the recovery file of the old one goes.

    void decisionsChanged();
    void viewsChanged(); ///< May wait a moment.
    void planned();      ///< A good moment for the recovery file.
    void flush();        ///< Waits until all is in the project.
    void close();        ///< flush(), and the recovery file goes: a clean end.
    void leave();        ///< flush(), and the recovery file stays for whoever comes back to it.

signals:
    /// What the project has is about to be replaced by other decisions.
    void replacing();
    void stored(const std::shared_ptr<const pim::views::Decisions>& decisions); ///< Is in the project now.
    void failed(const pim::Error& error);

private:
    void init();
    void saveProject();
    void saveRecovery();
    Result<void> write(const Snapshot& snapshot, const std::filesystem::path& project,
                       const std::vector<std::string>& removed) const;
    std::vector<std::string> removedVariants(const Decisions& now) const;

    std::function<Snapshot()> m_take;
    std::filesystem::path m_project, m_readOnlyProject;
    std::vector<std::string> m_storedVariants; ///< Ours, in the project.
    std::shared_ptr<const Decisions> m_stored; ///< In the project, as far as we know.
    bool m_isDirty = false;                    ///< The project lacks something.
    bool m_isWriting = false;
    QTimer m_soon, m_autosave;

    QString m_folder;
    std::unique_ptr<RecoverySession> m_session;
    std::shared_ptr<const Decisions> m_recovered; ///< What the recovery file holds.
    Background m_writing;                         ///< Last: it ends before the rest goes.
};

} // namespace pim::views
