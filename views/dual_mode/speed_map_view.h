// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How fast a network could be with so many arrays computing and so many holding data, as a heatmap (CMSwitch
/// Fig. 5), with the best mix and what the plan does in its segments marked on it.
#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

class QCPColorMap;
class QCPColorScale;
class QCPGraph;
class QCPItemRect;
class QCustomPlot;
class QLabel;
class QStackedWidget;

namespace pim::views {

class EmptyState;
class Workspace;

/// Values over two counts. A cell without a value (more arrays than the chip has) is NaN.
struct SpeedGrid {
    int width = 0, height = 0;       ///< Cells along x and y.
    int firstX = 0, firstY = 0;      ///< Count of the first cell.
    std::vector<float> values;       ///< [y][x]
    QString xName, yName, valueName; ///< "compute arrays", "memory arrays", "share of the best speed"
    int bestX = -1, bestY = -1;      ///< Counts; -1: none.
    QString what;                    ///< "ResNet-18 on dynaplasia"

    float at(int x, int y) const; ///< By counts; NaN outside.
};

/// Where the plan is: a segment.
struct OperatingPoint {
    int x = 0, y = 0;
    double weight = 1; ///< Share of the time spent there, 0..1: size of the mark.
    QString name;      ///< "segment 3"
};

class SpeedMapView : public QWidget {
    Q_OBJECT
public:
    explicit SpeedMapView(QWidget* parent = nullptr);
    /// Of the selected operator, else of the network; the plan's segments are marked.
    explicit SpeedMapView(Workspace& workspace, QWidget* parent = nullptr);

    /// An empty grid: nothing to show.
    void setGrid(SpeedGrid grid, std::vector<OperatingPoint> points = {});
    void setEmptyText(const QString& missing, const QString& whatToDo);
    const SpeedGrid& grid() const { return m_grid; }
    QCustomPlot* plot() const { return m_plot; }
    QLabel* title() const { return m_title; }
    QLabel* hover() const { return m_hover; }
    /// What is at a point of the plot, in words; for the line below it.
    QString describe(const QPointF& position) const;

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Mix {
        int x = 0, y = 0; ///< Counts.
        friend bool operator==(const Mix&, const Mix&) = default;
    };
    QString wordsOf(const Mix& mix) const;
    Mix mixOf(int item) const;
    int itemOf(const Mix& mix) const; ///< -1: not on the map.
    void goTo(const Mix& mix);
    bool moveBy(int key);
    void style();

    SpeedGrid m_grid;
    std::vector<OperatingPoint> m_points;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_page;
    QLabel* m_title;
    QLabel* m_hover;
    QCustomPlot* m_plot;
    QCPColorMap* m_map;
    QCPColorScale* m_scale;
    QCPItemRect* m_frame;           ///< Around m_at.
    std::optional<Mix> m_at;        ///< Where the keys are.
    std::vector<QCPGraph*> m_marks; ///< Of the plan, by size; the best point is the last.
};

} // namespace pim::views
