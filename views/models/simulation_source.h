// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The simulation of the plan in force: started by itself a moment after the plan changed, where the backend has a simulator.
#include "core/plan/simulation.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>
#include <utility>

namespace pim {
struct Limits;
struct Roofline;
struct WhatIf;
} // namespace pim

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
    std::shared_ptr<const Roofline> roofline() const {
        return m_roofline;
    } ///< Of simulation(); null where nothing is known of what the machine can do at most.
    /// What would make simulation() faster; null until somebody asked.
    std::shared_ptr<const WhatIf> help() const { return m_help; }
    void setHelp(std::shared_ptr<const WhatIf> help) { m_help = std::move(help); }
    /// What sets the time of an op: "1.2 µs, set by banks, …"; empty: nothing is known.
    QString sentenceOf(OpId op) const;
    /// Of simulation(), nanoseconds: that the user chose in the timeline.
    std::optional<std::pair<double, double>> stretch() const { return m_stretch; }
    void setStretch(std::optional<std::pair<double, double>> stretch);
    bool isRunning() const { return m_task != 0 || m_delay.isActive(); }
    QString note() const { return m_note; } ///< Why it is null, in words.
    bool isAutomatic() const { return m_isAutomatic; }
    /// Off: only simulateNow() simulates.
    void setAutomatic(bool automatic);
    void simulateNow(); ///< The plan in force, if it has not been.

signals:
    void changed();
    void stretchChanged(); ///< Another simulation has none, and tells that by changed() alone.

private:
    /// What a worker found.
    struct Found {
        std::shared_ptr<const Simulation> simulation;
        std::shared_ptr<const Limits> limits;
        std::shared_ptr<const Roofline> roofline;
    };
    void planChanged();
    void start();
    void show(Found found, const QString& note);

    Workspace& m_workspace;
    QTimer m_delay; ///< Steps made quickly one after the other are simulated once.
    std::shared_ptr<const Plan> m_plan;
    std::shared_ptr<const Simulation> m_simulation;
    std::shared_ptr<const Limits> m_limits;
    std::shared_ptr<const Roofline> m_roofline;
    std::shared_ptr<const WhatIf> m_help;
    std::optional<std::pair<double, double>> m_stretch;
    QString m_note;
    int m_task = 0;
    bool m_isAutomatic = true;
};

} // namespace pim::views
