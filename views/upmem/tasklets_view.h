// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the tasklets of a DPU did when, and where their cycles and those of the pipeline went.
#include "views/upmem/op_panel.h"

class QSplitter;
class QToolButton;

namespace pim::views {

class ShareBars;
class TimelineCanvas;

class TaskletsView : public OpPanel {
    Q_OBJECT
public:
    explicit TaskletsView(QWidget* parent = nullptr);
    explicit TaskletsView(Workspace& workspace, QWidget* parent = nullptr);

    TimelineCanvas* canvas() const { return m_canvas; }
    ShareBars* bars() const { return m_bars; }
    QToolButton* cyclesButton() const { return m_cycles; }

protected:
    void showRun(const OpShown* shown) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void tell();

    QSplitter* m_split;
    TimelineCanvas* m_canvas;
    ShareBars* m_bars;
    QToolButton* m_cycles;
};

} // namespace pim::views
