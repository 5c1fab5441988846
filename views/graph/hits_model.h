// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a search has found, as a table: one line an op.
#include "views/graph/graph_overlay.h"

#include <QAbstractTableModel>

namespace pim::views {

class HitsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Type, Shape, Placed, Value, Columns };
    using QAbstractTableModel::QAbstractTableModel;

    void setHits(std::vector<OpId> hits);
    /// Where placement and figures come from; \p overlay other than a figure shows latencies.
    void setFigures(const OverlaySource& source, Overlay overlay);
    OpId op(int row) const { return m_hits[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<OpId> m_hits;
    OverlaySource m_source;
    Overlay m_overlay = Overlay::TotalTime;
};

} // namespace pim::views
