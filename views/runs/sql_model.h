// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The answer to a query as rows: units in the headers, numbers short on the screen and unrounded in copies.
#include "core/project/query.h"

#include <QAbstractTableModel>

namespace pim::views {

class SqlModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void setResult(QueryResult result);
    const QueryResult& result() const { return m_result; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const QueryValue& value(const QModelIndex& index) const;

    QueryResult m_result;
};

} // namespace pim::views
