// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/simulation_source.h"

#include "core/timeline/limits.h"
#include "views/models/workspace.h"

namespace pim::views {
namespace {

constexpr int kSimulationDelayMs = 120;

}

SimulationSource::SimulationSource(Workspace& workspace)
    : QObject(&workspace), m_workspace(workspace), m_note(tr("Open a model to simulate it")) {
    m_delay.setSingleShot(true);
    m_delay.setInterval(kSimulationDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &SimulationSource::start);
    connect(&workspace, &Workspace::planChanged, this, &SimulationSource::planChanged);
}

void SimulationSource::planChanged() {
    const auto plan = m_workspace.isStale() ? nullptr : m_workspace.plan();
    if (plan == m_plan)
        return;
    if (m_task)
        m_workspace.tasks()->cancel(std::exchange(m_task, 0));
    m_plan = plan;
    m_delay.stop();
    if (!plan)
        return show(nullptr, m_workspace.graph() ? tr("The network is being planned")
                                                 : tr("Open a model to simulate it"));
    if (!m_isAutomatic)
        return show(nullptr, tr("Not simulated yet: Model › Simulate does it"));
    m_delay.start();
    show(nullptr, tr("Simulating…"));
}

void SimulationSource::setAutomatic(bool automatic) {
    m_isAutomatic = automatic;
    if (automatic)
        simulateNow();
}

void SimulationSource::simulateNow() {
    if (!m_plan || m_simulation || isRunning())
        return;
    start();
    show(nullptr, tr("Simulating…"));
}

void SimulationSource::start() {
    const Backend* backend = m_plan ? m_workspace.backendOf(*m_plan->target) : nullptr;
    if (!backend)
        return;
    m_task = m_workspace.tasks()->start(
        tr("Simulating %1").arg(QString::fromStdString(m_plan->graph->name)),
        [this, plan = m_plan, backend](const TaskContext& task) -> std::function<void()> {
            auto result = backend->simulate(*plan, task);
            std::shared_ptr<const Limits> limits;
            if (result && !(*result)->timeline.spans.empty())
                limits = std::make_shared<const Limits>(limitsOf((*result)->timeline));
            return [this, plan, limits, result = std::move(result)] {
                m_task = 0;
                if (plan != m_plan)
                    return;
                if (result)
                    show(*result, {}, limits);
                else
                    show(nullptr, QString::fromStdString(result.error().text()));
            };
        },
        [this] {
            m_task = 0;
            show(nullptr, tr("The simulation was cancelled"));
        });
}

void SimulationSource::show(std::shared_ptr<const Simulation> simulation, const QString& note,
                            std::shared_ptr<const Limits> limits) {
    if (m_simulation == simulation && m_note == note)
        return;
    m_simulation = std::move(simulation);
    m_limits = std::move(limits);
    m_note = note;
    emit changed();
}

} // namespace pim::views
