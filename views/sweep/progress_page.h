// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How a sweep or a search got on: the best of each objective after each point, in the order they were computed, and the hypervolume of the front
/// (core/compile/search/best_so_far.h). A plot for each, side by side where there is room, with a curve for each network.
#include "core/compile/search/best_so_far.h"
#include "views/sweep/point_brushes.h"

#include <QWidget>

class QComboBox;
class QCPAxisRect;
class QCustomPlot;
class QLabel;

namespace pim::views {

class ProgressPage : public QWidget {
    Q_OBJECT
public:
    explicit ProgressPage(QWidget* parent = nullptr);

    /// How one network got on.
    struct Network {
        QString name;       ///< Empty where there is one.
        BestSoFar progress; ///< Of its points; less is better: what is to be large has its sign changed.
    };

    /// The objectives among \p columns. \p turns of each row: how many were computed before it.
    void setPoints(const std::vector<PointColumn>& columns, const std::vector<std::int64_t>& turns);
    const std::vector<Network>& networks() const { return m_networks; }
    QCustomPlot* plot() const { return m_plot; }
    QComboBox* choice() const { return m_choice; } ///< "All", the objectives, and the hypervolume.
    QLabel* header() const { return m_header; }
    QString csv() const; ///< A line each time a curve has a step.

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Line {
        std::size_t network;
        std::vector<ProgressStep> steps; ///< As shown.
    };
    struct Curve {
        QString name;
        bool isVolume;
        std::vector<Line> lines; ///< Of networks that have a result.
    };
    void drawCurve(const Curve& curve, QCPAxisRect* rect, QSize room);
    bool areSeveral() const { return m_networks.size() > 1; }
    void fillChoice();
    void draw();
    void fillHeader();
    QString bestText(std::size_t network) const;

    std::vector<Network> m_networks;
    std::vector<Curve> m_curves;
    bool m_hasNoVolume = false; ///< For there are too many objectives.
    QLabel* m_header;
    QComboBox* m_choice;
    QCustomPlot* m_plot;
};

} // namespace pim::views
