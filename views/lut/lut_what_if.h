// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Sliders for sub-vectors and centroids of one layer or of all of the calibration that is shown: what a request would cost, before
/// anything is calibrated. Whether it would still be right only a calibration tells; one button away.
#include "views/models/lut_plans.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QSlider;

namespace pim::views {

class LutCalibration;
class Workspace;

class LutWhatIf : public QWidget {
    Q_OBJECT
public:
    explicit LutWhatIf(Workspace& workspace, QWidget* parent = nullptr);

    /// Of all layers, with what was turned; empty: no calibration is shown.
    const LutSizes& sizes() const { return m_sizes; }
    bool isTouched() const; ///< Otherwise than in the calibration that is shown.
    double tableBytes() const;
    /// Says what sizes() cost. \param cost null: not known yet.
    void tell(const Result<LutCost>* cost);

    QComboBox* layerBox() const { return m_layer; }
    QSlider* lengthSlider() const { return m_length; }
    QSlider* centroidsSlider() const { return m_centroids; }
    QPushButton* calibrateButton() const { return m_calibrate; }
    QLabel* answer() const { return m_answer; }

signals:
    void changed();

private:
    void takeShown();
    void takeSelection();
    void takeLayer();
    void turn();
    void calibrate();

    Workspace& m_workspace;
    LutCalibration* m_calibration;
    QComboBox* m_layer;
    QSlider *m_length, *m_centroids;
    QLabel *m_lengthText, *m_centroidsText, *m_answer;
    QPushButton* m_calibrate;
    LutSizes m_sizes, m_shown;
    int m_index = -2; ///< Of the calibration that is shown.
};

} // namespace pim::views
