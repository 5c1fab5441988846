// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What lies where in MRAM and WRAM of the DPU of the selected op: two strips and one table of all pieces.
#include "views/upmem/memory_strip.h"
#include "views/upmem/op_panel.h"

namespace pim::views {

class FiguresModel;
class TableView;

class DpuMemoryView : public OpPanel {
    Q_OBJECT
public:
    explicit DpuMemoryView(QWidget* parent = nullptr);
    explicit DpuMemoryView(Workspace& workspace, QWidget* parent = nullptr);

    MemoryStrip* mram() const { return m_mram; }
    MemoryStrip* wram() const { return m_wram; }
    TableView* table() const { return m_table; }

protected:
    void showRun(const OpShown* shown) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fillTable();
    void tell(const MemoryStrip* strip, int piece);
    void choose(const MemoryStrip* strip, int piece);

    MemoryStrip* m_mram;
    MemoryStrip* m_wram;
    QLabel* m_mramTitle;
    QLabel* m_wramTitle;
    TableView* m_table;
    FiguresModel* m_rows;
};

} // namespace pim::views
