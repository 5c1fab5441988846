// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// All calibrations of a network as dots, accuracy over what they cost: the size of their tables, or the time a family of hardware
/// predicts for them. With the Pareto front; a click shows a calibration.
#include "core/base/result.h"

#include <QWidget>

#include <map>
#include <string>
#include <vector>

class QCPGraph;
class QComboBox;
class QCustomPlot;
class QLabel;

namespace pim::views {

class LutCalibration;
class Plot;
class Workspace;
struct LutOutcome;

/// Positions that no other has both less cost and more accuracy than, by cost ascending.
std::vector<std::size_t> lutFront(const std::vector<double>& cost, const std::vector<double>& accuracy);

class LutFront : public QWidget {
    Q_OBJECT
public:
    explicit LutFront(Workspace& workspace, QWidget* parent = nullptr);

    enum class Cost { Time, Bytes };
    Cost cost() const;
    QComboBox* costBox() const { return m_costs; }
    QCustomPlot* plot() const;
    QLabel* status() const { return m_status; }
    /// What is drawn: position among the outcomes, cost in seconds or bytes, accuracy.
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
    /// Predicted time of an outcome; asked of the family once for each set of layers.
    Result<double> secondsOf(const LutOutcome& outcome);
    const Dot* nearest(const QPointF& position) const; ///< Null: none near.

    Workspace& m_workspace;
    LutCalibration* m_calibration;
    QComboBox* m_costs;
    QLabel* m_status;
    Plot* m_plot;
    QCPGraph *m_others, *m_front, *m_dense, *m_marked;
    std::vector<Dot> m_dots;
    std::map<std::string, Result<double>> m_seconds; ///< By layers with their sizes.
};

} // namespace pim::views
