// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A predictor of drafts that is trained in a window: which kernels, how, and what came of it. Trains in a task of the workspace.
/// Flow: kinds, shapes, ops of the model -> kernels -> simulated drafts -> curve, round by round -> predictor, for
/// DraftRanking to use.
#include "core/predict/training.h"
#include "views/models/draft_ranking.h"

#include <QStringList>

#include <optional>

namespace pim::views {

class Workspace;

/// What is asked for. Kept with the project.
struct TrainingRequest {
    QStringList kinds; ///< Ids of kernelFamilies().
    int sizes = kTrainingSizes;
    QString shapes;       ///< "gemv:32x4096, matvec:512x512"; empty: none.
    bool ofModel = false; ///< The ops of the open network too.
    int rounds = 60;
    std::uint64_t seed = 0;
    friend bool operator==(const TrainingRequest&, const TrainingRequest&) = default;
};

class PredictorTraining : public QObject {
    Q_OBJECT
public:
    /// The one of a window; made at the first call, lives as long as the workspace.
    static PredictorTraining& of(Workspace& workspace);

    const TrainingRequest& request() const { return m_request; }
    void setRequest(const TrainingRequest& request);
    /// Why it cannot start, and what to do; empty: it can.
    QString whyNot() const;
    /// `pimc predictor train …` that does the same; empty: nothing can be trained.
    QStringList commandLine() const;

    bool isRunning() const { return m_task != 0; }
    int task() const { return m_task; } ///< In the task list; 0: not running.
    void start();
    void stop();                                         ///< What was trained before stays.
    const QString& problem() const { return m_problem; } ///< Of the last one; empty: none.
    /// Kinds and sizes that the machine could not run, in words.
    const QStringList& notes() const { return m_notes; }

    /// Of the training that runs or ended last, by form of kernel.
    const std::map<std::string, LearningCurve>& curves() const { return m_curves; }
    /// The one trained last; else the one that ranks; else the one shipped for the target; null: there is none.
    std::shared_ptr<const LearnedPredictor> shown() const;
    bool isTrainedHere() const { return trained() != nullptr; } ///< shown() was trained in this window.
    /// Error::Usage where there is none; Io.
    Result<void> save(const QString& file) const;
    void use(); ///< Lets the one trained last rank the drafts of this project.

signals:
    void requestChanged();
    void stateChanged(); ///< Started, ended, failed; also shown().
    void stepped();      ///< curves()

private:
    explicit PredictorTraining(Workspace& workspace);
    void takeDocument();
    std::shared_ptr<const LearnedPredictor> trained() const; ///< In this window, for the current target.
    Result<std::vector<Kernel>> kernels() const;
    void finish(const Result<std::shared_ptr<const LearnedPredictor>>& trained, const Diagnostics& problems);

    Workspace& m_workspace;
    TrainingRequest m_request;
    mutable std::optional<std::pair<TrainingRequest, QString>>
        m_judged; ///< What whyNot() found without a network.
    QString m_problem;
    QStringList m_notes;
    int m_task = 0;
    std::int64_t m_started = 0; ///< Counts starts: what an earlier one tells late is not heard.
    std::map<std::string, LearningCurve> m_curves;
    std::map<std::string, std::shared_ptr<const LearnedPredictor>> m_trained; ///< By hash of their target.
    mutable std::string m_shippedOf; ///< Hash of the target that m_shipped is of.
    mutable std::shared_ptr<const LearnedPredictor> m_shipped;
};

} // namespace pim::views
