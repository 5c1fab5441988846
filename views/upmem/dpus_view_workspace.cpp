// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the DPUs meet the workspace.
#include "views/models/workspace.h"
#include "views/upmem/dpus_view.h"
#include "views/upmem/op_runs.h"

namespace pim::views {
namespace {

/// Works out the load of the DPUs once a plan, and once an op where the figures are of the selected one.
class Loads : public QObject {
public:
    Loads(Workspace& workspace, DpusView* view) : QObject(view), m_workspace(workspace), m_view(view) {
        connect(&workspace, &Workspace::planChanged, this, &Loads::update);
        connect(&workspace, &Workspace::selectionChanged, this, &Loads::update);
        connect(view, &DpusView::scopeChanged, this, &Loads::update);
        connect(view, &DpusView::seenChanged, this, [this](bool seen) {
            m_isSeen = seen;
            update();
        });
        update();
    }
    ~Loads() override { abandon(); }

private:
    void abandon() {
        if (m_task)
            m_workspace.tasks()->cancel(std::exchange(m_task, 0));
    }

    void showNothing(const QString& why) {
        abandon();
        m_plan.reset();
        m_view->setFacts(nullptr);
        m_view->setEmptyText(DpusView::tr("No DPUs to show"), why);
    }

    void update() {
        const auto plan = m_workspace.plan();
        if (m_workspace.isStale() && plan)
            return m_view->setStale(true); // the older one stays until the next is there
        if (const QString why = whyNoDpus(plan.get()); !why.isEmpty())
            return showNothing(why);
        OpId op = m_view->isOfSelectedOp() ? m_workspace.selection().op : OpId();
        const QString why = m_view->isOfSelectedOp() ? whyNotOnDpu(*plan, op) : QString();
        if (!why.isEmpty())
            op = OpId(); // what all of them do is there all the same
        m_view->setNote(why);
        takeSelection();
        if (!m_isSeen || (plan == m_plan && op == m_op))
            return;
        start(plan, op);
    }

    void start(const std::shared_ptr<const Plan>& plan, OpId op) {
        abandon();
        m_plan = plan;
        m_op = op;
        m_view->setStale(true);
        m_task = m_workspace.tasks()->start(
            DpusView::tr("Load of the DPUs"),
            [this, plan, op](const TaskContext&) -> std::function<void()> {
                auto facts = std::make_shared<const DpuFacts>(dpuFacts(*plan, op));
                return [this, facts] {
                    m_task = 0;
                    m_view->setFacts(facts);
                    takeSelection();
                };
            },
            [this] {
                if (!std::exchange(m_task, 0))
                    return; // given up here, see abandon()
                m_plan.reset();
                m_view->setEmptyText(DpusView::tr("No DPUs to show"), DpusView::tr("Cancelled"));
            });
    }

    /// Without an op there is no DPU of it either: the one that was clicked stays then.
    void takeSelection() {
        if (const int dpu = m_workspace.selection().group; dpu >= 0)
            m_view->setCurrent(dpu);
    }

    Workspace& m_workspace;
    DpusView* m_view;
    bool m_isSeen = false;
    std::shared_ptr<const Plan> m_plan; ///< That the figures are of, or will be.
    OpId m_op;
    int m_task = 0;
};

} // namespace

DpusView::DpusView(Workspace& workspace, QWidget* parent) : DpusView(parent) {
    connect(this, &DpusView::dpuChosen, &workspace, [&workspace](int dpu) {
        Selection wanted = workspace.selection();
        wanted.group = dpu;
        wanted.core = -1;
        workspace.select(wanted);
    });
    new Loads(workspace, this);
}

} // namespace pim::views
