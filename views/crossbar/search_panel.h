// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The search of a mapping: the best over time, and the layouts that nothing beats in throughput, latency and
/// energy at once. All figures are estimates.
#include "views/crossbar/chip_facts.h"

#include <QWidget>

#include <memory>

class QLabel;

namespace pim::views {

class Plot;

class SearchPanel : public QWidget {
    Q_OBJECT
public:
    explicit SearchPanel(QWidget* parent = nullptr);

    void setFacts(std::shared_ptr<const ChipFacts> facts);
    bool isEmpty() const; ///< Nothing was searched.

    Plot* curve() const { return m_curve; }
    Plot* tradeOffs() const { return m_tradeOffs; }
    QLabel* title() const { return m_title; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void fillCurve();
    void fillTradeOffs();
    bool isPlan(const MappingTradeOff& point) const;
    void describe(int point); ///< -1: all.

    std::shared_ptr<const ChipFacts> m_facts;
    Plot* m_curve;
    Plot* m_tradeOffs;
    QLabel* m_title;
};

} // namespace pim::views
