// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Stored runs as rows, and the ops of two compared runs as rows.
#include "views/runs/compare_runs.h"

#include <QAbstractTableModel>

namespace pim::views {

class RunsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Id,
        Started,
        Model,
        Target,
        Total,
        Speedup,
        OverrideCount,
        Variant,
        Label,
        CompileTime,
        ColumnCount
    };
    using QAbstractTableModel::QAbstractTableModel;

    void setRuns(std::vector<RunInfo> runs);
    const RunInfo* run(int row) const; ///< Null if out of range.
    int rowOf(std::int64_t id) const;  ///< -1: none.

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<RunInfo> m_runs;
    std::vector<int> m_overrides; ///< Parsed once.
};

class DeltaModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Type, Placement, TimeA, TimeB, Delta, Relative, Why, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setOps(std::vector<OpDelta> ops);
    const OpDelta* op(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Delta sorts by its size, whatever its sign.
    static constexpr int kSortRole = Qt::UserRole;

private:
    std::vector<OpDelta> m_ops;
    double m_largest = 0;
};

/// "+1.234 µs", "−1.234 µs", "0 ns"
QString signedTimeText(double ns);

} // namespace pim::views
