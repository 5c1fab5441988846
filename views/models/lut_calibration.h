// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Products of the open network as look-up tables: where samples lie, how it is to be converted, and what came of it. Calibrates in a
/// task of the workspace. Figures and curves are kept with the project; centroids and tables as long as the window is open.
/// Flow: folder + options -> lut::evaluate on a worker -> LutOutcome -> panels.
#include "core/lut/network/evaluation.h"
#include "views/models/lut_plans.h"
#include "views/models/workspace.h"

#include <map>
#include <mutex>

namespace pim::views {

/// A converted layer, in figures.
struct LutLayerFigures {
    std::string name; ///< Of its op.
    std::int64_t length = 0, centroids = 0, codebooks = 0, features = 0;
    std::int64_t unused = 0; ///< Centroids that no test sample chose.
    double error = 0;        ///< As lut::LayerUse::relativeError().
};

/// What one calibration came to.
struct LutOutcome {
    OptionTexts options; ///< Those not at their default.
    QString rules;       ///< As LutCalibration::rules().
    std::int64_t samples = 0;
    double dense = 0, converted = 0, meanLogitError = 0, cpuSeconds = 0;
    std::vector<lut::CalibrationStep> curve;
    std::vector<LutLayerFigures> layers;                 ///< In the order they run.
    std::shared_ptr<const lut::Evaluation> evaluation{}; ///< Null: only the figures are known any more.
    std::vector<lut::CalibrationStep> steps{};           ///< One by one, as far as this window saw them.
    QStringList notes{};

    std::int64_t tableBytes() const; ///< Of all layers.
    LutSizes sizes() const;
    QString text() const; ///< "v=4,ct=16,method=refit" with the sizes always told.
};

class LutCalibration : public QObject {
    Q_OBJECT
public:
    /// The one of a window; made at the first call, lives as long as the workspace.
    static LutCalibration* of(Workspace& workspace);

    // What is asked for; kept with the project.
    QString folder() const { return m_folder; }
    const OptionTexts& options() const { return m_options; }
    QString rules() const { return m_rules; } ///< "ffn1:v=2,ct=16; head:off"
    void setFolder(const QString& folder);
    void setOptions(const OptionTexts& options);
    void setRules(const QString& rules);
    /// Folders used lately, in any window, and that of the model if samples lie there; the newest first.
    QStringList recentFolders() const;
    /// What rules() and options() come to. Error::Usage for rules that are not understood.
    Result<lut::ConversionOptions> conversion() const { return conversion(m_options); }
    /// `pimc accuracy …` that does the same.
    QStringList commandLine() const { return commandLine(m_options); }

    // Calibration.
    QString whyNot() const; ///< Why it cannot start, and what to do; empty: it can.
    bool isRunning() const { return m_task != 0; }
    int task() const { return m_task; } ///< In the task list; 0: not running.
    /// A calibration of what is asked for was stopped while it trained: start() goes on with it.
    bool canResume() const;
    void start();
    void startAnew(); ///< Forgets what canResume() would go on with.
    void stop();      ///< What was trained so far is kept for start(). Of several, the rest too.
    /// Options for all combinations of "v=2,4,8; ct=8,16", the rest as in options(). Error::Usage for what is not understood, for
    /// nothing, and for more than kMostAtOnce.
    Result<std::vector<OptionTexts>> combinations(const QString& text) const;
    static constexpr std::size_t kMostAtOnce = 60;
    /// One after the other; one that fails does not stop the rest.
    void startAll(std::vector<OptionTexts> several);
    std::size_t waiting() const { return m_waiting.size(); } ///< Of startAll(), still to come.
    const QString& problem() const { return m_problem; }     ///< Of the last one; empty: none.

    // What it came to.
    const std::vector<lut::CalibrationStep>& steps() const {
        return m_steps;
    }                                                       ///< Of a training that runs or was stopped.
    std::optional<double> dense() const { return m_dense; } ///< Accuracy as the network is, once known.
    const std::vector<LutOutcome>& outcomes() const { return m_outcomes; } ///< The newest last.
    const LutOutcome* shown() const;                                       ///< The one looked at; null: none.
    int shownIndex() const { return m_shown; }
    void show(int outcome);
    void remove(int outcome);
    OpId opOf(const std::string& layer) const; ///< Invalid: the graph has no such op.
    /// Position in shown() of the layer that is the selected op; -1: it is none.
    int selectedLayer() const;
    /// Writes centroids and tables of shown() into a folder. Errors: Usage where only figures are known; Io.
    Result<void> save(const QString& folder) const;

signals:
    void askedChanged();    ///< Folder, options, rules, or whether they can be calibrated.
    void stateChanged();    ///< Started, ended, failed.
    void stepped();         ///< steps() or dense().
    void outcomesChanged(); ///< Those there are, or the one shown.

private:
    explicit LutCalibration(Workspace& workspace);
    void takeDocument();
    void keep();
    void begin(const OptionTexts& options);
    void beginNext();
    lut::EvaluationOptions watched(const lut::ConversionOptions& conversion);
    /// \param asked options and rules of it. \param state file of its training; may be empty.
    void finish(Result<lut::Evaluation> found, LutOutcome asked, const QString& state);
    QString checkpoint(const OptionTexts& options) const; ///< File of such a training; empty: it has none.
    Result<lut::ConversionOptions> conversion(const OptionTexts& options) const;
    QStringList commandLine(const OptionTexts& options) const;

    Workspace& m_workspace;
    QString m_folder, m_rules, m_problem;
    OptionTexts m_options;
    std::vector<OptionTexts> m_waiting;
    int m_task = 0;
    std::int64_t m_started = 0; ///< Counts starts: what an earlier one tells late is not heard.
    std::vector<lut::CalibrationStep> m_steps;
    std::optional<double> m_dense;
    std::vector<LutOutcome> m_outcomes;
    int m_shown = -1;
    mutable std::map<std::string, OpId, std::less<>> m_ops; ///< By name; empty: to be looked up.
    /// One worker at a time: the next waits for the one that was stopped.
    std::shared_ptr<std::mutex> m_turn;
};

} // namespace pim::views
