// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Several machines in one plan: the open model on a system, who runs what and why, what else was tried, and the run on one clock.
/// Operators can be placed by hand, by a choice or by dragging them from the graph onto the track of a device; the rest is searched again
/// around them. Placements are decisions like all others: undone, kept in variants, stored in the project.
#include "core/compile/system_plan.h"

#include <QWidget>

#include <memory>
#include <optional>

class QCheckBox;
class QLabel;
class QPushButton;

namespace pim::views {

class ChoiceBox;
class EmptyState;
class FiguresModel;
class FlowLayout;
class TableView;
class TimelineCanvas;
class Workspace;

class SystemView : public QWidget {
    Q_OBJECT
public:
    /// \p model: of the hosts.
    SystemView(Workspace& workspace, std::shared_ptr<const HostModel> model, QWidget* parent = nullptr);

    ChoiceBox* system() const { return m_system; }
    ChoiceBox* place() const { return m_place; } ///< Where the operator of the current row is.
    QCheckBox* simulates() const { return m_simulates; }
    QPushButton* planButton() const { return m_button; } ///< "Spread", or "Stop" while it does.
    QPushButton* takeBackButton() const { return m_takeBack; }
    TableView* ops() const { return m_ops; }
    TableView* alternatives() const { return m_others; }
    TableView* usage() const { return m_usage; }
    TimelineCanvas* timeline() const { return m_timeline; }
    QLabel* summary() const { return m_summary; }
    QLabel* limits() const { return m_limits; } ///< What limits the plan, in one sentence.
    const std::optional<SystemPlan>& plan() const { return m_plan; }
    bool isPlanning() const { return m_task != 0; }
    /// The line that does the same: `pimc system … --system …`, without program and model.
    QStringList arguments() const;

private:
    /// What the worker found.
    struct Found {
        std::optional<SystemPlan> plan;
        std::optional<SystemSimulation> run;
        std::string problem;
    };

    void buildBar();
    void buildPage();
    Result<SystemSetup> setup() const;
    void start();
    void stop();
    void finish(Found found);
    void modelChanged();
    void decisionsChanged();
    /// Decisions on devices of this system, of the variant in force.
    Overrides placed() const;
    void place(OpId op, const QString& device); ///< Empty: where the search puts it.
    /// Device whose track is at a place of the timeline; -1: none.
    int deviceAt(const QPointF& position) const;
    /// What dropping the op there would do; also whether it can be.
    std::pair<bool, QString> verdict(OpId op, int device) const;
    void showPlan(OpId current); ///< With its row selected.
    void selectRow(OpId whole);
    void showState();
    void showPlace();
    int currentOp() const; ///< Position in the graph of the plan; -1: none.
    OpId currentWhole()
        const; ///< In the graph of the window: the op of the current row, or that it is a piece of.
    void selectFromOutside();

protected:
    /// Operators that are dragged onto the track of a device.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    Workspace& m_workspace;
    std::shared_ptr<const HostModel> m_model;
    FlowLayout* m_bar;
    ChoiceBox *m_system, *m_place;
    QCheckBox* m_simulates;
    QPushButton *m_button, *m_takeBack;
    TableView *m_ops, *m_others, *m_usage;
    FiguresModel *m_opFigures, *m_otherFigures, *m_usageFigures;
    TimelineCanvas* m_timeline;
    QWidget* m_page;
    EmptyState* m_empty;
    QLabel* m_summary;
    QLabel* m_limits;
    std::optional<SystemPlan> m_plan;
    std::optional<SystemSimulation> m_run;
    std::vector<int> m_rows; ///< Op of each row.
    Overrides m_asked;       ///< Decisions that the plan, or the one that is sought, keeps to.
    QString m_problem;
    int m_task = 0;
    int m_attempt = 0; ///< Answers of an older one are not taken.
};

} // namespace pim::views
