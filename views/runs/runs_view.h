// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What if: the runs of the project, filtered; one of them in full, or any number of them compared.
#include "views/runs/runs_model.h"

#include <QWidget>

#include <functional>
#include <map>

class QFrame;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QScrollArea;
class QStackedWidget;

namespace pim::views {

class ComparisonPage;
class EmptyState;
class RunPage;
class StackedBars;
class TableView;
class Workspace;

class RunsView : public QWidget {
    Q_OBJECT
public:
    using Ops = std::vector<std::vector<RunOp>>;
    /// Reads the ops of some runs, in their order, and delivers them on this thread, now or later.
    using LoadOps =
        std::function<void(const std::vector<std::int64_t>& runs, std::function<void(Result<Ops>)> deliver)>;

    explicit RunsView(QWidget* parent = nullptr);
    explicit RunsView(Workspace& workspace, QWidget* parent = nullptr);

    /// \param hasProject: false says that a project must be saved first. Keeps the selection where runs still
    /// exist.
    void setRuns(std::vector<RunInfo> runs, LoadOps loadOps, bool hasProject = true);
    void setReadOnly(bool isReadOnly);
    /// What the plan in force is, to tell how a run relates to it; none: there is no plan.
    void setPlanInForce(std::optional<RunInfo> plan);
    void setFilterText(const QString& text);
    void compare(std::int64_t a, std::int64_t b) { showRuns({a, b}); }
    /// The newest runs of two variants. False: one has none, or they are of different models or targets.
    bool compareVariants(const QString& a, const QString& b);
    void
    showRuns(const std::vector<std::int64_t>& runs); ///< Selects them; a filter that hides one is cleared.
    /// Null while fewer than two runs are selected, or while they are being read.
    const RunsComparison* comparison() const;

    TableView* runsTable() const { return m_runs; }
    TableView* deltaTable() const;
    StackedBars* bars() const;
    ComparisonPage* comparisonPage() const { return m_comparisonPage; }
    RunPage* runPage() const { return m_runPage; }
    QString badge() const;
    QString filterProblem() const;
    QString question() const; ///< Text of the strip that asks or offers something; empty: none is shown.
    /// Says something in place with a way back.
    void offerUndo(const QString& text, std::function<void()> undo);

public slots:
    void askToDelete(); ///< The selected runs; deleted only when the strip is answered.

signals:
    void opChosen(const QString& name); ///< Of the delta table.
    void failed(const QString& message);
    void saveRequested(); ///< From the page shown without a project.
    void openRequested(qint64 run);
    void rerunRequested(qint64 run);
    void linkRequested(qint64 run);
    void deleteConfirmed(const std::vector<std::int64_t>& runs);
    void labelTyped(qint64 run, const QString& label);
    void noteTyped(qint64 run, const QString& note);

private:
    void buildRuns();
    QWidget* buildFilter();
    QWidget* buildStrip();
    void fillFilterMenu();
    void addTerm(const QString& term);
    void applyFilter();
    void showMenu(const QPoint& position);
    std::vector<RunInfo> selectedRuns() const; ///< By id, ascending.
    void takeSelection();
    void loadComparison(const std::vector<RunInfo>& runs);
    void showHint(const QString& missing, const QString& whatToDo);
    void ask(const QString& text, const QString& yes, const QString& no, std::function<void()> onYes);

    LoadOps m_loadOps;
    std::map<std::int64_t, std::vector<RunOp>> m_ops; ///< Of runs looked at; a stored run does not change.
    int m_request = 0; ///< Counts what was asked for, so that late answers are dropped.
    bool m_isComparing = false;
    std::optional<RunInfo> m_plan;
    std::function<void()> m_onYes; ///< Of the strip.
    bool m_asksToDelete = false;
    RunsModel* m_model;
    FilteredRuns* m_filtered;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QLineEdit* m_filter;
    QMenu* m_filterMenu;
    QLabel* m_count;
    TableView* m_runs;
    QFrame* m_strip = nullptr;
    QLabel* m_question = nullptr;
    QPushButton *m_yes = nullptr, *m_no = nullptr;
    QStackedWidget* m_lower;
    EmptyState* m_hint;
    RunPage* m_runPage;
    ComparisonPage* m_comparisonPage;
    QScrollArea* m_comparisonScroll;
};

} // namespace pim::views
