// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Stored runs as rows, what of them is wanted, and the ops of compared runs as rows.
#include "core/project/compare_runs.h"
#include "core/project/run_filter.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace pim::views {

class RunsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Id,
        Started,
        Model,
        Target,
        Best,
        Total,
        Speedup,
        OverrideCount,
        Variant,
        Label,
        Note,
        CompileTime,
        ColumnCount
    };
    using QAbstractTableModel::QAbstractTableModel;

    void setRuns(std::vector<RunInfo> runs);
    void setEditable(bool editable) {
        m_isEditable = editable;
    } ///< Label and note; off where the project is read-only.
    bool isEditable() const { return m_isEditable; }
    const std::vector<RunInfo>& runs() const { return m_runs; }
    const RunInfo* run(int row) const; ///< Null if out of range.
    int rowOf(std::int64_t id) const;  ///< -1: none.
    bool isBest(std::int64_t id) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    /// The user typed it; the row changes when the runs are set anew.
    void labelTyped(qint64 run, const QString& label);
    void noteTyped(qint64 run, const QString& note);

private:
    QString tip(const RunInfo& run, int column) const;

    std::vector<RunInfo> m_runs;
    std::vector<int> m_overrides; ///< Parsed once; -1: unreadable.
    std::vector<std::int64_t> m_best;
    bool m_isEditable = true;
};

/// The runs that pass a filter, sorted by the exact values.
class FilteredRuns : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit FilteredRuns(RunsModel& runs, QObject* parent = nullptr);
    void setFilter(RunFilter filter);
    const RunInfo* run(const QModelIndex& index) const;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    RunsModel& m_runs;
    RunFilter m_filter;
};

/// One row an op: its time in every run, and the run that differs most from the baseline.
class DeltaModel : public QAbstractTableModel {
    Q_OBJECT
public:
    /// The columns of the times stand between On and Delta, one a run.
    enum FixedColumn { Name, Type, Placement, FirstTime };
    using QAbstractTableModel::QAbstractTableModel;

    void setComparison(RunsComparison comparison);
    const RunsComparison& comparison() const { return m_comparison; }
    const ComparedOp* op(int row) const;
    int deltaColumn() const { return FirstTime + static_cast<int>(m_comparison.runs.size()); }
    int relativeColumn() const { return deltaColumn() + 1; }
    int whyColumn() const { return deltaColumn() + 2; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Delta sorts by its size, whatever its sign.
    static constexpr int kSortRole = Qt::UserRole;

private:
    QVariant deltaData(const ComparedOp& op, int column, int role) const;
    QString placementText(const ComparedOp& op) const;

    RunsComparison m_comparison;
    double m_largest = 0;
};

/// "+1.234 µs", "−1.234 µs", "0 ns"
QString signedTimeText(double ns);
QString shownTitle(const RunInfo& run); ///< "run 3, as it was".
/// "A", "B" where two are compared, else "run 3".
QString comparedName(const RunsComparison& comparison, std::size_t run);

} // namespace pim::views
