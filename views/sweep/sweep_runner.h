// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The sweep or search a window looks at: begun from what is open, paused, gone on with, its front simulated, kept in the project point by point where
/// there is one, and found there again by the next start. Computes in a task of the workspace; lives on the UI thread.
#include "views/sweep/sweep_job.h"

#include <QObject>
#include <QTimer>

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace pim::views {

class Workspace;

/// Of what is open: model, machine, decisions and options. Not prepared; its host is otherHost() for prepareSweep().
SweepSetup sweepSetup(const Workspace& workspace, std::vector<SweepAxis> axes);
/// What the catalog would not choose by itself: another host beside the target.
std::string otherHost(const Workspace& workspace);

class SweepRunner : public QObject {
    Q_OBJECT
public:
    enum class State { Empty, Running, Paused, Complete };

    explicit SweepRunner(Workspace& workspace, QObject* parent = nullptr);
    ~SweepRunner() override;

    /// Of the model and decisions as they are now; the one there is stays in the project as far as it got. \p search: only the points it asks for.
    void begin(std::vector<SweepAxis> axes, std::optional<StoredSearch> search = {});
    void pause(); ///< The point that is being computed is dropped; those finished stay.
    void resume();
    /// Simulates the front and what would be on it if it took this much less than predicted, 0.1: a tenth. What was simulated before stays.
    void confirm(double margin);
    void remove(); ///< Also from the project.
    void open(std::int64_t id);
    void reopen(std::int64_t id); ///< Also if it is the one there is: another program may have added points.
    void refresh(); ///< Reads again which sweeps the project has: another program may have added some.

    State state() const { return m_state; }
    std::int64_t id() const { return m_id; } ///< In the project; 0: not kept yet.
    const SweepInfo& info() const {
        return m_info;
    } ///< What is swept; finished and failed are counted in points().
    /// In the order they were finished; those that were simulated with what that found.
    const std::vector<SweepPoint>& points() const { return m_points; }
    std::int64_t simulated() const { return std::ssize(m_predicted); } ///< Of points().
    bool isConfirming() const { return m_state == State::Running && m_isConfirming; }
    /// What the front is by; empty: as usual.
    const std::vector<std::string>& objectives() const { return m_objectives; }
    /// What points are computed from, on a worker thread.
    using SetupSource = std::function<Result<SweepSetup>(const TaskContext&)>;
    SetupSource setup() const;
    const QString& problem() const {
        return m_problem;
    } ///< Why it did not begin or go on; empty if nothing is wrong.
    const std::vector<SweepInfo>& kept() const { return m_kept; } ///< In the project, newest first.

signals:
    void changed(); ///< State or points; at most a few times per second.
    void keptChanged();

private:
    /// Where the worker leaves what it finished, so that it needs nobody to be alive.
    struct Inbox {
        std::mutex mutex;
        std::vector<SweepPoint> predicted, simulated;
    };
    using Prepare = std::function<Result<SweepJob>(const TaskContext&)>;

    void documentChanged();
    void projectChanged();
    void clear();
    void goOn(const QString& title);
    void start(const QString& title, Prepare prepare);
    void finish(const Result<std::vector<std::string>>& objectives);
    void stopped();
    void collect();
    void adopt(StoredSweep stored);
    SweepJob job() const; ///< Without its project.
    void setState(State state);
    void keep();

    Workspace& m_workspace;
    State m_state = State::Empty;
    SweepInfo m_info;
    SweepSetup m_setup; ///< Prepared; without a model if it was read from the project.
    std::vector<SweepPoint> m_points;
    std::map<std::int64_t, SweepPoint> m_predicted; ///< Of points that were simulated: what was there before.
    std::vector<std::string> m_objectives;
    StoredConfirmation m_confirmation; ///< Without its points.
    bool m_isConfirming = false;
    std::vector<SweepInfo> m_kept;
    QString m_problem;
    std::filesystem::path m_project;
    std::shared_ptr<const ImportedModel> m_document; ///< What was open when the project changed last.
    std::int64_t m_id = 0;
    int m_task = 0;
    bool m_opensNewest = false;
    std::shared_ptr<Inbox> m_inbox;
    /// One worker at a time: the next waits for the one that was paused.
    std::shared_ptr<std::mutex> m_turn = std::make_shared<std::mutex>();
    QTimer m_tick;
};

} // namespace pim::views
