// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One value for every core as a map of cells, groups down and cores across, with a scale. Cells without a
/// value (NaN) stay empty. The cell under the pointer or the keyboard's cursor is told; a click or Enter
/// chooses it.
#include <QPoint>
#include <QWidget>

#include <limits>
#include <vector>

class QCPColorScale;
class QCPItemRect;
class QCustomPlot;

namespace pim::views {

class CellMap;
class Cells;

inline constexpr double kNoCell = std::numeric_limits<double>::quiet_NaN();

class Heatmap : public QWidget {
    Q_OBJECT
public:
    enum class Scale { Sequential, Diverging }; ///< Diverging: centred on 0, for differences.

    /// \param name of files it is exported to.
    Heatmap(const QString& accessibleName, const QString& name, QWidget* parent = nullptr);

    /// \param values [group][core], row-major. \param unit labels the scale: "bytes".
    void setValues(int groups, int cores, const std::vector<double>& values, const QString& unit,
                   Scale scale = Scale::Sequential);
    double value(int group, int core) const;
    Scale scale() const { return m_scaleKind; }
    std::pair<double, double> range() const; ///< Of the scale.
    void setSelected(int group, int core);   ///< -1: none. Emits nothing.
    void fit();                              ///< Shows all cells.
    QCustomPlot* plot() const { return m_plot; }
    QPoint pixelOf(int group, int core) const; ///< Middle of a cell, in coordinates of plot().

signals:
    void hovered(int group, int core);
    void chosen(int group, int core);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void style();
    bool cellAt(const QPoint& position, int& group, int& core) const;
    bool moveCursor(int key);

    QCustomPlot* m_plot;
    CellMap* m_map;
    Cells* m_cells = nullptr; ///< Owned by m_map.
    QCPColorScale* m_bar;
    QCPItemRect* m_frame;
    int m_groups = 0, m_cores = 0;
    int m_group = -1, m_core = -1;
    QString m_unit;
    QPoint m_pressed;
    Scale m_scaleKind = Scale::Sequential;
};

} // namespace pim::views
