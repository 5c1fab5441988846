// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What every variant costs: planned, and on request simulated, by a background task; remembered by model,
/// machine, options and overrides, so that only what changed is done again.
#include "core/compile/override_fit.h"
#include "views/models/document.h"

#include <QObject>
#include <QTimer>

namespace pim::views {

class Workspace;

/// What the best variant is the best in.
enum class VariantMetric { TotalTime, Rearrangement, LoadTime, SimulatedTime, SimulatedEnergy };
QString metricName(VariantMetric metric);
bool needsSimulation(VariantMetric metric);
QString metricText(VariantMetric metric, double value); ///< With its unit.

struct VariantTotal {
    std::shared_ptr<const Plan> plan; ///< Null: \ref problem tells why.
    OverrideFit fit;
    std::shared_ptr<const Simulation> simulation; ///< Null: not asked for, or \ref simulationProblem.
    QString problem, simulationProblem;
    std::optional<double> value(VariantMetric metric) const; ///< ns or pJ; smaller is better.
};

class VariantTotals : public QObject {
    Q_OBJECT
public:
    explicit VariantTotals(Workspace& workspace, QObject* parent = nullptr);
    ~VariantTotals() override; ///< Before the workspace.

    void setWanted(bool wanted); ///< Nothing is begun while it is not.
    void setSimulated(bool simulated);
    const VariantTotal* find(const Variant& variant) const; ///< Null: not known (yet).
    bool isRunning() const { return m_task != 0 || m_delay.isActive(); }

signals:
    void changed();

private:
    using Results = std::vector<std::pair<std::string, VariantTotal>>;
    std::string keyOf(const Variant& variant) const;
    bool isComplete(const VariantTotal* total) const;
    std::vector<std::string> missing() const;
    void takePlanInForce();
    void update();
    void start();

    Workspace& m_workspace;
    std::map<std::string, VariantTotal> m_known; ///< Of one graph.
    std::shared_ptr<const Graph> m_graph;
    std::shared_ptr<PlanCache> m_cache = std::make_shared<PlanCache>();
    QTimer m_delay;
    int m_task = 0;
    std::vector<std::string> m_running; ///< What the task is about.
    bool m_isWanted = false;
    bool m_isSimulated = false;
};

} // namespace pim::views
