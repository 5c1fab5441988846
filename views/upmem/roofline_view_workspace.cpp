// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the roofline meets the workspace.
#include "views/models/workspace.h"
#include "views/upmem/roofline_view.h"

namespace pim::views {
namespace {

/// Runs the ops of a plan once, when the panel is first seen with it.
class RooflineRuns : public QObject {
public:
    RooflineRuns(Workspace& workspace, RooflineView* view)
        : QObject(view), m_workspace(workspace), m_view(view) {
        connect(&workspace, &Workspace::planChanged, this, &RooflineRuns::update);
        connect(&workspace, &Workspace::selectionChanged, this,
                [this] { m_view->setSelectedOp(m_workspace.selection().op); });
        connect(view, &RooflineView::opChosen, &workspace, &Workspace::selectOp);
        connect(view, &RooflineView::actionTriggered, this, [this] {
            m_plan.reset();
            update();
        });
        connect(view, &RooflineView::seenChanged, this, [this](bool seen) {
            m_isSeen = seen;
            update();
        });
        update();
    }
    ~RooflineRuns() override { abandon(); }

private:
    void abandon() {
        if (m_task)
            m_workspace.tasks()->cancel(std::exchange(m_task, 0));
    }

    void showNothing(const QString& why, const QString& action = {}) {
        m_view->setDots({});
        m_view->setEmptyText(RooflineView::tr("No roofline to show"), why);
        m_view->setEmptyAction(action);
    }

    void update() {
        const auto plan = m_workspace.plan();
        if (m_workspace.isStale() && plan)
            return m_view->setStale(true); // the older one stays until the next is there
        QString why = whyNoDpus(plan.get());
        if (why.isEmpty() && opsOnDpus(*plan).empty())
            why = whyNotOnDpu(*plan, OpId());
        if (!why.isEmpty()) {
            abandon();
            m_plan.reset();
            return showNothing(why);
        }
        if (plan == m_plan)
            return m_view->setStale(m_task != 0);
        if (m_isSeen)
            start(plan);
    }

    void start(const std::shared_ptr<const Plan>& plan) {
        abandon();
        m_plan = plan;
        m_view->setStale(true);
        m_view->setEmptyText(RooflineView::tr("No roofline yet"),
                             RooflineView::tr("The operators of the plan are being run, each on one DPU."));
        m_view->setEmptyAction({});
        m_task = m_workspace.tasks()->start(
            RooflineView::tr("Roofline of the operators"),
            [this, plan](const TaskContext& task) -> std::function<void()> {
                auto dots = rooflineOf(*plan, task);
                return [this, dots = std::move(dots)] {
                    m_task = 0;
                    if (!dots)
                        return showNothing(QString::fromStdString(dots.error().text()),
                                           RooflineView::tr("Run Again"));
                    m_view->setDots(*dots);
                    m_view->setSelectedOp(m_workspace.selection().op);
                };
            },
            [this] {
                if (!std::exchange(m_task, 0))
                    return; // given up here, see abandon()
                showNothing(RooflineView::tr("Running the operators was cancelled."),
                            RooflineView::tr("Run Again"));
            });
    }

    Workspace& m_workspace;
    RooflineView* m_view;
    bool m_isSeen = false;
    std::shared_ptr<const Plan> m_plan; ///< That the dots are of, or will be.
    int m_task = 0;
};

} // namespace

RooflineView::RooflineView(Workspace& workspace, QWidget* parent) : RooflineView(parent) {
    new RooflineRuns(workspace, this);
}

} // namespace pim::views
