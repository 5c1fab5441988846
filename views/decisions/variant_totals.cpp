// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/decisions/variant_totals.h"

#include "core/base/number_text.h"
#include "views/models/simulation_source.h"
#include "views/models/workspace.h"

#include <algorithm>

namespace pim::views {
namespace {

constexpr int kDelayMs = 250; ///< The plan in force goes first.
constexpr std::size_t kRemembered = 64;

VariantTotal totalOf(const BackendList& backends, const PlanRequest& request, const OpMarks& marks,
                     PlanCache& cache, bool simulated, const TaskContext& task) {
    VariantTotal total;
    auto fitted = compileFitting(backends, request, {request.overrides, marks}, &cache, {task.stop, {}});
    if (!fitted) {
        total.problem = QString::fromStdString(fitted.error().text());
        return total;
    }
    total.plan = fitted->plan;
    total.fit = std::move(fitted->fit);
    const auto backend = backends.find(request.target->backend);
    if (!simulated || !backend)
        return total;
    auto simulation = (*backend)->simulate(*total.plan, {task.stop, {}});
    if (simulation)
        total.simulation = *simulation;
    else
        total.simulationProblem = QString::fromStdString(simulation.error().text());
    return total;
}

} // namespace

QString metricName(VariantMetric metric) {
    switch (metric) {
    case VariantMetric::TotalTime:
        return VariantTotals::tr("Total time");
    case VariantMetric::Rearrangement:
        return VariantTotals::tr("Rearrangement");
    case VariantMetric::LoadTime:
        return VariantTotals::tr("Loading once");
    case VariantMetric::SimulatedTime:
        return VariantTotals::tr("Simulated time");
    case VariantMetric::SimulatedEnergy:
        break;
    }
    return VariantTotals::tr("Simulated energy");
}

bool needsSimulation(VariantMetric metric) {
    return metric == VariantMetric::SimulatedTime || metric == VariantMetric::SimulatedEnergy;
}

QString metricText(VariantMetric metric, double value) {
    return QString::fromStdString(metric == VariantMetric::SimulatedEnergy ? energyText(value)
                                                                           : timeText(value));
}

std::optional<double> VariantTotal::value(VariantMetric metric) const {
    if (!plan)
        return std::nullopt;
    switch (metric) {
    case VariantMetric::TotalTime:
        return plan->total.totalNs();
    case VariantMetric::Rearrangement:
        return plan->total.inputNs + plan->total.outputNs;
    case VariantMetric::LoadTime:
        return plan->residentLoadNs;
    case VariantMetric::SimulatedTime:
        return simulation ? std::optional(simulation->totalNs) : std::nullopt;
    case VariantMetric::SimulatedEnergy:
        break;
    }
    return simulation ? simulation->energyPj : std::nullopt;
}

VariantTotals::VariantTotals(Workspace& workspace, QObject* parent)
    : QObject(parent), m_workspace(workspace) {
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &VariantTotals::start);
    for (const auto signal : {&Workspace::planChanged, &Workspace::variantsChanged})
        connect(&workspace, signal, this, &VariantTotals::update);
    connect(workspace.simulations(), &SimulationSource::changed, this, &VariantTotals::update);
    update();
}

VariantTotals::~VariantTotals() {
    if (m_task)
        m_workspace.tasks()->cancel(m_task);
}

std::string VariantTotals::keyOf(const Variant& variant) const {
    return m_workspace.target() ? m_workspace.target()->hash + '|' + optionsJson(m_workspace.options()) +
                                      '|' + variant.overrides.json()
                                : std::string();
}

const VariantTotal* VariantTotals::find(const Variant& variant) const {
    const auto found = m_known.find(keyOf(variant));
    return found == m_known.end() || m_graph != m_workspace.graph() ? nullptr : &found->second;
}

void VariantTotals::setWanted(bool wanted) {
    m_isWanted = wanted;
    update();
}

void VariantTotals::setSimulated(bool simulated) {
    m_isSimulated = simulated;
    update();
}

bool VariantTotals::isComplete(const VariantTotal* total) const {
    return total &&
           (!m_isSimulated || !total->plan || total->simulation || !total->simulationProblem.isEmpty());
}

/// The variant in force is planned anyway, and often simulated.
void VariantTotals::takePlanInForce() {
    if (m_workspace.isStale() || !m_workspace.plan())
        return;
    const std::string name = m_workspace.variant().toStdString();
    for (const Variant& variant : m_workspace.variants())
        if (variant.name == name) {
            VariantTotal& total = m_known[keyOf(variant)];
            total.plan = m_workspace.plan();
            total.fit = m_workspace.fit();
            if (const SimulationSource& source = *m_workspace.simulations();
                source.plan() == total.plan && source.simulation())
                total.simulation = source.simulation();
        }
}

void VariantTotals::update() {
    if (m_graph != m_workspace.graph() || m_known.size() > kRemembered) {
        m_known.clear();
        m_graph = m_workspace.graph();
    }
    takePlanInForce();
    const std::vector<std::string> wanted = missing();
    if (m_task && wanted != m_running)
        m_workspace.tasks()->cancel(std::exchange(m_task, 0));
    m_delay.stop();
    if (m_isWanted && !m_task && !wanted.empty() && m_graph && !m_workspace.isStale() && m_workspace.plan())
        m_delay.start();
    emit changed();
}

std::vector<std::string> VariantTotals::missing() const {
    std::vector<std::string> keys;
    for (const Variant& variant : m_workspace.variants())
        if (!isComplete(find(variant)))
            keys.push_back(keyOf(variant) + (m_isSimulated ? "|simulated" : ""));
    return keys;
}

void VariantTotals::start() {
    m_running = missing();
    std::vector<std::pair<std::string, PlanRequest>> work;
    for (const Variant& variant : m_workspace.variants())
        if (!isComplete(find(variant)))
            work.emplace_back(keyOf(variant), PlanRequest{m_graph, m_workspace.target(), variant.overrides,
                                                          m_workspace.options()});
    m_task = m_workspace.tasks()->start(
        m_isSimulated ? tr("Planning and simulating variants") : tr("Planning variants"),
        [this, work, marks = m_workspace.markedOverrides().marks, cache = m_cache, simulated = m_isSimulated,
         &backends = m_workspace.backends()](const TaskContext& task) -> std::function<void()> {
            Results results;
            for (const auto& [key, request] : work) {
                task.report("variants", std::ssize(results), std::ssize(work));
                results.emplace_back(key, totalOf(backends, request, marks, *cache, simulated, task));
                if (task.cancelled())
                    return {};
            }
            return [this, results = std::move(results)] {
                m_task = 0;
                for (const auto& [key, total] : results)
                    m_known[key] = total;
                emit changed();
            };
        },
        [this] { m_task = 0; });
}

} // namespace pim::views
