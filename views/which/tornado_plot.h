// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A tornado: for each thing that may be otherwise a bar from the least to the largest lead of the machine that is first as things are, on
/// a logarithmic axis, the longest on top. Left of 1 another machine is first.
#include "core/compile/sensitivity.h"
#include "views/common/plot.h"

namespace pim::views {

class TornadoPlot : public Plot {
    Q_OBJECT
public:
    explicit TornadoPlot(QWidget* parent = nullptr);

    void setAnswer(const Sensitivity& answer);
    /// Bars, the longest first.
    int bars() const { return int(m_bars.size()); }

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Bar {
        double low = 1, high = 1; ///< Leads that are shown: within the axis.
        QCPItemText *lowText = nullptr, *highText = nullptr;
    };
    void style();

    QCPGraph *m_ahead, *m_behind, *m_now, *m_even;
    std::vector<Bar> m_bars;
};

} // namespace pim::views
