// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// All ops of a plan as rows: placement, time in its parts, share of the whole.
#include "core/plan/simulation.h"

#include <QAbstractTableModel>

namespace pim::views {

class BreakdownModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Name,
        Type,
        On,
        Total,
        Share,
        Simulated,
        Error,
        Input,
        Compute,
        Output,
        ModeSwitch,
        Rewrite,
        Host,
        HostOnly,
        Speedup,
        Macs,
        Reason,
        ColumnCount
    };
    using QAbstractTableModel::QAbstractTableModel;

    /// Row is the op's position in the graph.
    void setPlan(std::shared_ptr<const Plan> plan);
    /// Of the plan set; null: there is none (yet).
    void setSimulation(std::shared_ptr<const Simulation> simulation);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    /// Qt::EditRole is the exact figure in ns; Qt::DisplayRole the text with unit.
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::optional<double> figure(std::size_t row, int column) const;
    QString cellText(int column, double value) const;
    std::shared_ptr<const Plan> m_plan;
    std::shared_ptr<const Simulation> m_simulation;
};

} // namespace pim::views
