// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/op_source.h"

#include "views/common/core_sentences.h"

namespace pim::views {
namespace {

constexpr int kOpDelayMs = 120;

}

std::vector<std::pair<OpId, QString>> pimOps(const Plan& plan) {
    std::vector<std::pair<OpId, QString>> ops;
    for (const OpPlan& op : plan.ops)
        if (!op.onHost())
            ops.emplace_back(op.op, QString::fromStdString(plan.graph->op(op.op).name));
    return ops;
}

OpSource::OpSource(Workspace& workspace, QString taskName, Work work, QObject* parent)
    : QObject(parent), m_workspace(workspace), m_taskName(std::move(taskName)), m_work(std::move(work)) {
    m_delay.setSingleShot(true);
    m_delay.setInterval(kOpDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &OpSource::start);
    connect(&workspace, &Workspace::planChanged, this, &OpSource::update);
    connect(&workspace, &Workspace::selectionChanged, this, &OpSource::update);
    update();
}

OpSource::~OpSource() {
    blockSignals(true); // the view that listens is being taken apart
    if (m_task)
        m_workspace.tasks()->cancel(m_task);
}

void OpSource::setWanted(bool wanted) {
    if (wanted == m_isWanted)
        return;
    m_isWanted = wanted;
    update();
    if (m_delay.isActive()) { // nobody waits for what comes next, but for this
        m_delay.stop();
        start();
    }
}

void OpSource::update() {
    if (!m_isWanted)
        return; // what is shown stays as it is until it is seen again
    const auto plan = m_workspace.plan();
    const OpId op = m_workspace.selection().op;
    if (m_workspace.isStale() && plan)
        return; // the next plan is on its way
    if (plan == m_plan && op == m_op && (m_task || m_delay.isActive() || !isStale()))
        return;
    if (m_task)
        m_workspace.tasks()->cancel(std::exchange(m_task, 0));
    m_delay.stop();
    m_plan = plan;
    m_op = op;
    if (!plan)
        return show(nullptr, tr("Open a model and choose a machine that computes in its memory"));
    if (!op.valid() || op.index() >= plan->ops.size())
        return show(nullptr, tr("Select an operator that runs on PIM, in the graph or above"));
    if (plan->opPlan(op).onHost())
        return show(nullptr, tr("%1 does not run on PIM. %2")
                                 .arg(QString::fromStdString(plan->graph->op(op).name),
                                      coreSentence(plan->opPlan(op).reason)));
    m_delay.start();
    emit changed();
}

void OpSource::start() {
    const Backend* backend = m_plan ? m_workspace.backendOf(*m_plan->target) : nullptr;
    if (!backend)
        return;
    m_task = m_workspace.tasks()->start(
        m_taskName.arg(QString::fromStdString(m_plan->graph->op(m_op).name)),
        [this, plan = m_plan, op = m_op, backend,
         work = m_work](const TaskContext& task) -> std::function<void()> {
            auto result = work(*backend, plan, op, task);
            return [this, result = std::move(result)] {
                m_task = 0;
                if (result)
                    show(*result, {});
                else
                    show(nullptr, QString::fromStdString(result.error().text()));
            };
        },
        [this] {
            m_task = 0;
            show(nullptr, tr("Cancelled"));
        });
}

void OpSource::show(std::shared_ptr<const void> result, const QString& note) {
    m_result = std::move(result);
    m_resultPlan = m_plan;
    m_resultOp = m_op;
    m_note = note;
    emit changed();
}

} // namespace pim::views
