// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The network down the levels of CINM: a strip of levels and the C code, their texts side by side with the selected op set off in
/// all of them, which machine each op is on and why, what it takes there, and the loops it became.
#include "backends/cinm/flow.h"
#include "views/models/workspace.h"

#include <QWidget>

class QLabel;
class QSpinBox;
class QSplitter;
class QToolButton;

namespace pim::views {

class ChoiceBox;
class EmptyState;
class FiguresModel;
class FlowLayout;
class LevelText;
class LineText;
class ProgramBox;
class TableView;
class TilesInTime;

class LevelsView : public QWidget {
    Q_OBJECT
public:
    explicit LevelsView(Workspace& workspace, QWidget* parent = nullptr);

    /// It works only while it is seen.
    void setSeen(bool seen);
    const cinm::Flow* flow() const { return m_flow.get(); } ///< Null while there is none.
    const std::vector<LevelText*>& texts() const { return m_texts; }
    const std::vector<QToolButton*>& chips() const { return m_chips; }
    TableView* table() const { return m_table; }
    QToolButton* codeChip() const { return m_codeChip; }
    LineText* code() const { return m_code; }
    TilesInTime* tiles() const { return m_tiles; }
    LineText* loops() const { return m_loops; }   ///< Of the selected op.
    LineText* source() const { return m_source; } ///< A program that cannot be read.
    ProgramBox* program() const { return m_program; }
    ChoiceBox* machines() const { return m_machines; }
    ChoiceBox* elements() const { return m_elements; }
    ChoiceBox* order() const { return m_order; }
    ChoiceBox* rows() const { return m_rows; }
    ChoiceBox* unroll() const { return m_unroll; }
    QSpinBox* tileSize() const { return m_sizeBox; }
    QSpinBox* tileCount() const { return m_tilesBox; }
    /// The user wants an op on "host", "memristor", "upmem"; empty: wherever the choice above says.
    void pin(const std::string& op, const std::string& machine);
    QLabel* summary() const { return m_summary; }

private:
    struct Outcome;
    void buildBar();
    void connectTiles();
    void showFields();
    cinm::FlowOptions options() const;
    void lower();
    void showFlow(std::shared_ptr<Outcome> outcome);
    void showLevels(Outcome& outcome);
    void showCode();
    void showOps();
    void showTotals();
    void showLoops();
    void openMenu(const QPoint& at);
    void followSelection();
    void followTarget();
    void takeLine(std::size_t level);
    void mark(const std::string& graphOp);
    void markFrom(ir::OperationId op);
    void setMarked(const std::vector<std::vector<ir::OperationId>>& ofLevels);
    void selectRow(std::string_view op);
    void showProblem(Outcome& outcome);
    /// The row of the table that is current, or null.
    const cinm::PlacedOp* currentOp() const;

    Workspace& m_workspace;
    std::shared_ptr<const cinm::Flow> m_flow;
    FlowLayout *m_bar, *m_strip;
    ChoiceBox *m_machines, *m_elements, *m_order, *m_rows, *m_unroll, *m_goal, *m_schedule, *m_spread;
    ProgramBox* m_program;
    QSpinBox *m_sizeBox, *m_tilesBox;
    std::vector<std::pair<QWidget*, QWidget*>> m_fields; ///< With its label, and the field alone.
    QSplitter *m_panes, *m_split, *m_below;
    QToolButton* m_codeChip;
    LineText *m_code, *m_loops, *m_source;
    TilesInTime* m_tiles;
    std::vector<QToolButton*> m_chips;
    std::vector<LevelText*> m_texts;
    TableView* m_table;
    FiguresModel* m_figures;
    QLabel* m_summary;
    EmptyState* m_empty;
    std::string m_marked, m_failedOp;
    std::vector<std::pair<std::string, std::string>> m_pins; ///< As FlowOptions::pins.
    QString m_before;                                        ///< Totals before the last change of a choice.
    QString m_totals;
    int m_task = 0;
    bool m_seen = false, m_isCurrent = false, m_following = false, m_isMachineChosen = false;
};

} // namespace pim::views
