// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A table of figures that are worked out elsewhere: each cell has what is shown and, for copies, what it is
/// exactly.
#include <QAbstractTableModel>
#include <QColor>

#include <vector>

namespace pim::views {

struct FigureColumn {
    QString shown, exact; ///< Headers: for people, and for copies (with the unit).
    bool isNumber = true;
    QString tip;
};

struct Figure {
    QString shown;
    QVariant exact; ///< Invalid: as shown.
    QColor color;   ///< Swatch in front; invalid: none.
};

class FiguresModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit FiguresModel(std::vector<FigureColumn> columns, QObject* parent = nullptr);

    /// Each as long as there are columns.
    void setRows(std::vector<std::vector<Figure>> rows);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<FigureColumn> m_columns;
    std::vector<std::vector<Figure>> m_rows;
};

/// "3 858 432", exact as a number.
Figure countFigure(qint64 value);
/// "31.4 %" of a share in 0 … 1; what is not nothing never reads "0.0 %".
Figure shareFigure(double share);

} // namespace pim::views
