// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The simulation of the plan in force: started by itself a moment after the plan changed, where the backend has a simulator.
#include "core/plan/simulation.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace pim {
struct Limits;
}

namespace pim::views {

class Workspace;

class SimulationSource : public QObject {
    Q_OBJECT
public:
    explicit SimulationSource(Workspace& workspace);

    std::shared_ptr<const Simulation> simulation() const {
        return m_simulation;
    }                                                           ///< Null while running or if there is none.
    std::shared_ptr<const Plan> plan() const { return m_plan; } ///< What simulation() ran.
    std::shared_ptr<const Limits> limits() const {
        return m_limits;
    } ///< Of simulation(); null without a timeline.
    bool isRunning() const { return m_task != 0 || m_delay.isActive(); }
    QString note() const { return m_note; } ///< Why it is null, in words.
    bool isAutomatic() const { return m_isAutomatic; }
    /// Off: only simulateNow() simulates.
    void setAutomatic(bool automatic);
    void simulateNow(); ///< The plan in force, if it has not been.

signals:
    void changed();

private:
    void planChanged();
    void start();
    void show(std::shared_ptr<const Simulation> simulation, const QString& note,
              std::shared_ptr<const Limits> limits = nullptr);

    Workspace& m_workspace;
    QTimer m_delay; ///< Steps made quickly one after the other are simulated once.
    std::shared_ptr<const Plan> m_plan;
    std::shared_ptr<const Simulation> m_simulation;
    std::shared_ptr<const Limits> m_limits;
    QString m_note;
    int m_task = 0;
    bool m_isAutomatic = true;
};

} // namespace pim::views
