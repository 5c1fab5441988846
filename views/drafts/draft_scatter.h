// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// All drafts of an op as dots over two figures to choose, with the Pareto front, the draft in force, the one
/// selected and what was simulated. Rejected drafts have no time; over figures of shape they are shown too,
/// greyed.
#include "views/models/draft_board.h"

#include <QWidget>

class QComboBox;
class QCPGraph;
class QCustomPlot;
class QToolButton;

namespace pim::views {

/// What an axis measures. Times come first: simulations are known for them.
enum class DraftAxis : std::uint8_t {
    Total,
    Compute,
    Rearrangement,
    Input,
    Output,
    ModeSwitch,
    Memory,
    MovedBytes,
    Cores
};
inline constexpr int kDraftAxes = 9;
inline bool isTime(DraftAxis axis) {
    return axis <= DraftAxis::ModeSwitch;
}
double timeOn(DraftAxis axis, const CostSplit& cost);

/// Positions that no other draft beats in both \p x and \p y, by x ascending. Smaller is better.
std::vector<std::size_t> paretoFront(const std::vector<double>& x, const std::vector<double>& y);

class DraftScatter : public QWidget {
    Q_OBJECT
public:
    explicit DraftScatter(DraftBoard& board, QWidget* parent = nullptr);

    void setExploration(std::shared_ptr<const Exploration> exploration);
    /// Positions in the exploration: kept ones, then rejected ones; absent: none.
    void setMarked(std::optional<std::size_t> inForce, std::optional<std::size_t> selected);
    void setAxes(DraftAxis x, DraftAxis y);
    DraftAxis axis(Qt::Orientation orientation) const {
        return m_axes[orientation == Qt::Horizontal ? 0 : 1];
    }
    const std::vector<std::size_t>& front() const { return m_front; }
    QPointF pixelOf(std::size_t position) const; ///< In coordinates of plot().
    QCustomPlot* plot() const { return m_plot; }
    QComboBox* axisBox(Qt::Orientation orientation) const {
        return m_boxes[orientation == Qt::Horizontal ? 0 : 1];
    }

signals:
    void picked(std::size_t position);
    void axesChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refill();
    void refillSimulated();
    void style();
    void labelAxes();
    void pick(const QPoint& position);
    std::vector<std::size_t> walked() const;
    void walkFront(int step);
    QString tip(std::size_t position) const;
    std::optional<std::size_t> nearest(const QPointF& position) const;
    /// Of all drafts; empty while the figure is worked out. Rejected ones have none for a time.
    std::vector<double> figures(DraftAxis axis) const;

    DraftBoard& m_board;
    std::shared_ptr<const Exploration> m_exploration;
    std::array<DraftAxis, 2> m_axes{DraftAxis::Compute, DraftAxis::Rearrangement};
    std::array<QComboBox*, 2> m_boxes{};
    std::array<std::vector<double>, 2>
        m_values; ///< As figures() of both axes, not below what a logarithm takes.
    std::vector<std::size_t> m_front;
    std::optional<std::size_t> m_inForce, m_selectedAt;
    QCustomPlot* m_plot;
    QCPGraph *m_rejected, *m_points, *m_frontLine, *m_simulated, *m_current, *m_selected;
};

} // namespace pim::views
