// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The features that the trees of a predictor gained most by, as bars, the greatest on top.
#include "core/predict/learned_predictor.h"
#include "views/common/plot.h"

namespace pim::views {

class GainPlot : public Plot {
    Q_OBJECT
public:
    explicit GainPlot(QWidget* parent = nullptr);

    void setGains(std::vector<FeatureGain> gains); ///< The greatest first.
    const std::vector<FeatureGain>& gains() const { return m_gains; }
    QString tipAt(const QPoint& position) const; ///< What the feature there is.

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void style();

    std::vector<FeatureGain> m_gains;
    QCPBars* m_bars;
};

} // namespace pim::views
