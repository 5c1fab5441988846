// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The points of a sweep as columns of numbers, and which of them were chosen by ranges of their columns (brushes). All pictures of a sweep share one: a brush made in
/// one chooses the same points in the others and in the table.
#include <QObject>
#include <QStringList>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pim::views {

/// One thing that varies, or one figure, with the value of each row.
struct PointColumn {
    QString name;               ///< With its unit.
    std::vector<double> values; ///< By row; NaN: the row has none, so no line and no place in a brush.
    QStringList words;          ///< Of the values 0, 1, …; empty: the values are numbers.
    bool isLogarithmic = false;
    enum class Better { Unknown, Less, More };
    Better better = Better::Unknown; ///< Figures only.
    bool isAxis = true;              ///< Swept over; else a figure that came out.
    bool isObjective = false;        ///< The front of the sweep is by it.
    bool isNetwork = false;          ///< An axis of words; points that differ in it do not compare.
    friend bool operator==(const PointColumn&, const PointColumn&) = default;

    std::pair<double, double> extent() const; ///< Least and largest number; 0 and 1 if there is none.
    /// 0 at the least value, 1 at the largest of \p extent; 0.5 where all are the same; NaN of NaN.
    double share(double value, std::pair<double, double> extent) const;
    double valueAt(double share, std::pair<double, double> extent) const;
    QString text(double value) const; ///< Four digits, or the word.
};

/// Rows of each network, in the order of its words; all of them together where there is one network.
std::vector<std::vector<std::size_t>> rowsByNetwork(const std::vector<PointColumn>& columns,
                                                    std::size_t rows);

class PointBrushes : public QObject {
    Q_OBJECT
public:
    using Range = std::optional<std::pair<double, double>>;

    explicit PointBrushes(QObject* parent = nullptr) : QObject(parent) {}

    /// \p marked by row: the Pareto front. Brushes stay where the names of the columns do.
    void setPoints(std::vector<PointColumn> columns, std::vector<bool> marked);
    const std::vector<PointColumn>& columns() const { return m_columns; }
    const PointColumn& column(int at) const { return m_columns[static_cast<std::size_t>(at)]; }
    int count() const { return static_cast<int>(m_columns.size()); } ///< Of columns.
    int rows() const { return static_cast<int>(m_marked.size()); }
    bool isMarked(int row) const { return m_marked[static_cast<std::size_t>(row)]; }

    /// Keeps rows between the two values of a column; nothing: all.
    void setBrush(int column, Range range) { setBrushes({{column, range}}); }
    void setBrushes(const std::vector<std::pair<int, Range>>& brushes); ///< At once; others stay.
    void clear();
    const Range& brush(int column) const { return m_brushes[static_cast<std::size_t>(column)]; }
    bool isBrushed() const;
    bool isWithin(int row) const { return m_within[static_cast<std::size_t>(row)]; }
    int kept() const { return m_kept; } ///< Rows within all brushes.
    QString csv() const;                ///< Rows within all brushes, unrounded, with whether they are marked.

signals:
    void pointsChanged(); ///< The brushes may have changed with them.
    void brushed();

private:
    void filter();

    std::vector<PointColumn> m_columns;
    std::vector<bool> m_marked, m_within;
    std::vector<Range> m_brushes;
    int m_kept = 0;
};

} // namespace pim::views
