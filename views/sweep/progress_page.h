// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How a sweep or a search got on: the best of each objective after each point, in the order they were computed, and the hypervolume of the front
/// (core/compile/search/best_so_far.h). One curve a plot, side by side where there is room.
#include "core/compile/search/best_so_far.h"
#include "views/sweep/point_brushes.h"

#include <QWidget>

class QComboBox;
class QCustomPlot;
class QLabel;

namespace pim::views {

class ProgressPage : public QWidget {
    Q_OBJECT
public:
    explicit ProgressPage(QWidget* parent = nullptr);

    /// The objectives among \p columns. \p turns of each row: how many were computed before it.
    void setPoints(const std::vector<PointColumn>& columns, const std::vector<std::int64_t>& turns);
    const BestSoFar& progress() const {
        return m_progress;
    } ///< Less is better: what is to be large has its sign changed.
    QCustomPlot* plot() const { return m_plot; }
    QComboBox* choice() const { return m_choice; } ///< "All", the objectives, and the hypervolume.
    QLabel* header() const { return m_header; }
    QString csv() const; ///< A line each time a curve has a step.

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Curve {
        QString name;
        std::vector<ProgressStep> steps; ///< As shown.
        bool isVolume = false;
    };
    void fillChoice();
    void draw();
    QString headerText() const;

    BestSoFar m_progress;
    std::vector<Curve> m_curves;
    QLabel* m_header;
    QComboBox* m_choice;
    QCustomPlot* m_plot;
};

} // namespace pim::views
