// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What if: the runs of the project, and two of them compared.
#include "views/runs/runs_model.h"

#include <QWidget>

#include <functional>
#include <optional>

class QLabel;
class QSortFilterProxyModel;
class QStackedWidget;

namespace pim::views {

class EmptyState;
class StackedBars;
class TableView;
class Workspace;

class RunsView : public QWidget {
    Q_OBJECT
public:
    using LoadOps = std::function<Result<std::vector<RunOp>>(std::int64_t run)>;

    explicit RunsView(QWidget* parent = nullptr);
    explicit RunsView(Workspace& workspace, QWidget* parent = nullptr);

    /// \param hasProject: false says that a project must be saved first. Keeps the selection where runs still
    /// exist.
    void setRuns(std::vector<RunInfo> runs, LoadOps loadOps, bool hasProject = true);
    /// Compares two runs; A is the older one.
    void compare(std::int64_t a, std::int64_t b);
    const std::optional<RunComparison>& comparison() const { return m_comparison; }

    TableView* runsTable() const { return m_runs; }
    TableView* deltaTable() const { return m_deltas; }
    StackedBars* bars() const { return m_bars; }
    QString badge() const;

signals:
    void opChosen(const QString& name); ///< Of the delta table.
    void failed(const QString& message);
    void saveRequested(); ///< From the page shown without a project.

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* buildComparison();
    void takeSelection();
    void showComparison();
    void showHint(const QString& missing, const QString& whatToDo);
    void styleBadge();

    LoadOps m_loadOps;
    std::optional<RunComparison> m_comparison;
    RunsModel* m_model;
    QSortFilterProxyModel* m_sorted;
    DeltaModel* m_deltaModel;
    QSortFilterProxyModel* m_deltaSorted;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    TableView* m_runs;
    QStackedWidget* m_lower;
    EmptyState* m_hint;
    QLabel* m_badge;
    QLabel* m_summary;
    QLabel* m_differences;
    StackedBars* m_bars;
    TableView* m_deltas;
};

} // namespace pim::views
