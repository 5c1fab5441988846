// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The user's decisions as a table: what became of each, what it decides, what its op takes.
#include "core/compile/override_fit.h"

#include <QAbstractTableModel>

namespace pim::views {

class Workspace;

class DecisionsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { State, OpName, Field, Value, Time, kColumns };
    explicit DecisionsModel(Workspace& workspace, QObject* parent = nullptr);

    const FittedDecision& at(int row) const { return m_rows[static_cast<std::size_t>(row)].fitted; }
    OpId opAt(int row) const; ///< Invalid: the network, or stale.
    int count(Fit fit) const;
    bool isPending() const { return m_isPending; } ///< What became of them is not known yet.

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        FittedDecision fitted;
        bool isKnown = true;      ///< The plan knows of it.
        std::optional<double> ns; ///< Of its op.
    };
    void refresh();
    QString stateText(const Row& row) const;
    QString text(const Row& row, int column) const;
    QString tip(const Row& row, int column) const;

    Workspace& m_workspace;
    std::vector<Row> m_rows;
    bool m_isPending = false;
};

} // namespace pim::views
