// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// All calibrations of a network as dots, accuracy over what they cost: time or energy of a request on the machine, or the size of
/// their tables. With the Pareto front; a click shows a calibration. Sliders tell what other sizes would cost before anything is
/// calibrated.
#include "views/models/lut_plans.h"

#include <QWidget>

#include <vector>

class QCPGraph;
class QComboBox;
class QCustomPlot;
class QLabel;

namespace pim::views {

class LutCalibration;
class LutWhatIf;
class Plot;
class Workspace;
struct LutOutcome;

/// Positions that no other has both less cost and more accuracy than, by cost ascending.
std::vector<std::size_t> lutFront(const std::vector<double>& cost, const std::vector<double>& accuracy);

class LutFront : public QWidget {
    Q_OBJECT
public:
    explicit LutFront(Workspace& workspace, QWidget* parent = nullptr);

    enum class Cost { Time, Energy, Bytes };
    Cost cost() const;
    QComboBox* costBox() const { return m_costs; }
    QCustomPlot* plot() const;
    QLabel* status() const { return m_status; }
    LutWhatIf* whatIf() const { return m_whatIf; }
    /// What is drawn: position among the outcomes, cost in nanoseconds, picojoules or bytes, accuracy.
    struct Dot {
        int outcome = 0;
        double cost = 0, accuracy = 0;
        bool isOnFront = false;
    };
    const std::vector<Dot>& dots() const { return m_dots; }
    QPointF pixelOf(const Dot& dot) const; ///< In coordinates of plot().
    QString tip(const Dot& dot) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void takeMachine();
    void refill();
    void mark();
    void fit();
    void style();
    /// Nothing: not known yet, or never, with \p why set.
    std::optional<double> costOf(const LutSizes& sizes, QString& why);
    void drawWhatIf();
    void showLegend(bool isWanted);
    const Dot* nearest(const QPointF& position) const; ///< Null: none near.

    Workspace& m_workspace;
    LutCalibration* m_calibration;
    QComboBox* m_costs;
    QLabel* m_status;
    Plot* m_plot;
    LutPlans* m_plans;
    LutWhatIf* m_whatIf;
    QCPGraph *m_others, *m_front, *m_dense, *m_marked, *m_asked;
    std::vector<Dot> m_dots;
};

} // namespace pim::views
