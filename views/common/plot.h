// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A plot that draws itself once an event-loop turn, however often it was resized or refilled in it, and leaves showing
/// that to the next repaint of the window instead of repainting the window at once. A legend within the axes goes where it would cover them.
#include <qcustomplot.h>

namespace pim::views {

class Plot : public QCustomPlot {
    Q_OBJECT
public:
    explicit Plot(QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitLegend();
};

} // namespace pim::views
