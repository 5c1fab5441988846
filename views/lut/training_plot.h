// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The curve of a training: loss of every step and its means on the left, agreement with the unconverted network and accuracies
/// on the right.
#include "core/lut/network/conversion.h"
#include "views/common/plot.h"

namespace pim::views {

struct TrainingCurve {
    std::vector<lut::CalibrationStep> steps; ///< One by one, as far as they are known.
    std::vector<lut::CalibrationStep> means; ///< Of several steps each.
    int lastStep = 0;                        ///< Of the training; 0: not known.
    std::optional<double> dense, converted;  ///< Accuracies on the test samples.
};

class TrainingPlot : public Plot {
    Q_OBJECT
public:
    explicit TrainingPlot(QWidget* parent = nullptr);

    void setCurve(TrainingCurve curve);
    const TrainingCurve& curve() const { return m_curve; }
    bool isEmpty() const { return m_curve.steps.empty() && m_curve.means.empty(); }
    QString tipAt(const QPoint& position) const; ///< Of the step there.

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void style();

    TrainingCurve m_curve;
    QCPGraph *m_loss, *m_meanLoss, *m_agreement, *m_meanAgreement, *m_dense, *m_converted;
};

} // namespace pim::views
