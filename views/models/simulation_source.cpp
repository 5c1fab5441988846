// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/simulation_source.h"

#include "core/base/number_text.h"
#include "core/plan/report_facet.h"
#include "core/timeline/limits.h"
#include "views/common/core_sentences.h"
#include "views/common/text.h"
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
        return show({}, m_workspace.graph() ? tr("The network is being planned")
                                            : tr("Open a model to simulate it"));
    if (!m_isAutomatic)
        return show({}, tr("Not simulated yet: Model › Simulate does it"));
    m_delay.start();
    show({}, tr("Simulating…"));
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
    show({}, tr("Simulating…"));
}

void SimulationSource::start() {
    const Backend* backend = m_plan ? m_workspace.backendOf(*m_plan->target) : nullptr;
    if (!backend)
        return;
    m_task = m_workspace.tasks()->start(
        tr("Simulating %1").arg(QString::fromStdString(m_plan->graph->name)),
        [this, plan = m_plan, backend](const TaskContext& task) -> std::function<void()> {
            auto result = backend->simulate(*plan, task);
            Found found;
            if (result)
                found.simulation = *result;
            if (result && !(*result)->timeline.spans.empty())
                found.limits = std::make_shared<const Limits>(limitsOf((*result)->timeline));
            if (const ReportFacet* const facet = result ? backend->reportSections() : nullptr)
                if (auto roofline = facet->roofline(*plan, **result))
                    found.roofline = std::make_shared<const Roofline>(std::move(*roofline));
            const QString note = result ? QString() : QString::fromStdString(result.error().text());
            return [this, plan, note, found = std::move(found)] {
                m_task = 0;
                if (plan == m_plan)
                    show(found, note);
            };
        },
        [this] {
            m_task = 0;
            show({}, tr("The simulation was cancelled"));
        });
}

void SimulationSource::show(Found found, const QString& note) {
    if (m_simulation == found.simulation && m_note == note)
        return;
    m_simulation = std::move(found.simulation);
    m_limits = std::move(found.limits);
    m_roofline = std::move(found.roofline);
    m_help.reset();
    m_stretch.reset();
    m_note = note;
    emit changed();
}

QString SimulationSource::sentenceOf(OpId op) const {
    const OpUnderRoof* const under = m_roofline ? m_roofline->find(op) : nullptr;
    return under ? views::text(timeText(under->ns)) + QStringLiteral(", ") +
                       coreSentence(pim::sentenceOf(*m_roofline, *under))
                 : QString();
}

void SimulationSource::setStretch(std::optional<std::pair<double, double>> stretch) {
    if (stretch == m_stretch)
        return;
    m_stretch = stretch;
    emit stretchChanged();
}

} // namespace pim::views
