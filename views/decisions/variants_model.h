// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The variants as a tree of branches, flattened: each below the one it was branched from, with what it
/// costs.
#include "views/decisions/variant_totals.h"

#include <QAbstractTableModel>

namespace pim::views {

class VariantsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Decisions, Value, ToParent, kColumns };
    VariantsModel(Workspace& workspace, const VariantTotals& totals, QObject* parent = nullptr);

    void setMetric(VariantMetric metric);
    VariantMetric metric() const { return m_metric; }
    QString nameAt(int row) const;
    int rowOf(const QString& name) const; ///< -1: none.
    QString best() const; ///< Least of the metric among those where it is known; empty: fewer than two are.

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override; ///< Renames.

private:
    struct Row {
        Variant variant;
        int depth = 0;
        std::optional<double> value, toParent; ///< toParent: difference as a fraction.
        QString problem;
        std::int64_t stale = 0; ///< Decisions of it that do not fit.
        bool isKnown = false;
    };
    void refresh();
    void add(const std::vector<Variant>& all, const std::string& parent, int depth);
    QString text(const Row& row, int column) const;
    QString tip(const Row& row, int column) const;

    Workspace& m_workspace;
    const VariantTotals& m_totals;
    VariantMetric m_metric = VariantMetric::TotalTime;
    std::vector<Row> m_rows;
    std::string m_best;
};

} // namespace pim::views
