// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Local memories: the most each core needs, and how full that of one core is over time. The second is worked
/// out when somebody looks.
#include "backends/crossbar/occupancy.h"
#include "views/crossbar/chip_facts.h"

#include <QWidget>

#include <memory>

class QLabel;

namespace pim::views {

class Plot;

class MemoryPanel : public QWidget {
    Q_OBJECT
public:
    explicit MemoryPanel(QWidget* parent = nullptr);

    void setFacts(std::shared_ptr<const ChipFacts> facts); ///< Of another plan; forgets the occupancy.
    void setOccupancy(std::shared_ptr<const MemoryOccupancy> occupancy);
    void setCore(int core); ///< -1: the one that needs most.
    int core() const;       ///< That is shown; -1: there is none.

    Plot* peaks() const { return m_peaks; }
    Plot* overTime() const { return m_overTime; }
    QLabel* title() const { return m_title; }

signals:
    void occupancyWanted(); ///< Once a plan, when the panel is first seen.
    void coreChosen(int core);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void askOnce();
    void fillPeaks();
    void fillOverTime();

    std::shared_ptr<const ChipFacts> m_facts;
    std::shared_ptr<const MemoryOccupancy> m_occupancy;
    int m_core = -1;
    bool m_asked = false;
    Plot* m_peaks;
    Plot* m_overTime;
    QLabel* m_title;
};

} // namespace pim::views
