// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How a predictor learns one form of kernel: mean error round by round, of the drafts it learned and of those of kernels held
/// out.
#include "core/predict/learned_predictor.h"
#include "views/common/plot.h"

namespace pim::views {

class LearningPlot : public Plot {
    Q_OBJECT
public:
    explicit LearningPlot(QWidget* parent = nullptr);

    void setCurve(const LearningCurve& curve);
    const LearningCurve& curve() const { return m_curve; }
    QString tipAt(const QPoint& position) const; ///< Of the round there.

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void style();

    LearningCurve m_curve;
    QCPGraph *m_trained, *m_heldOut;
};

} // namespace pim::views
