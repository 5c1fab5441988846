// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The network down the levels of CINM: a strip of levels, their texts side by side with the selected op set off in all of
/// them, and what every product costs on memristor tiles for the order of loops that is chosen.
#include "backends/cinm/flow.h"
#include "views/models/workspace.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QSpinBox;
class QSplitter;
class QToolButton;

namespace pim::views {

class ChoiceBox;
class EmptyState;
class FiguresModel;
class LevelText;
class TableView;

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
    ChoiceBox* elements() const { return m_elements; }
    ChoiceBox* order() const { return m_order; }
    QSpinBox* tileSize() const { return m_size; }
    QLabel* summary() const { return m_summary; }

private:
    void buildBar();
    void lower();
    void showFlow(std::shared_ptr<const cinm::Flow> flow, const QString& problem);
    void showLevels();
    void showProducts();
    void followSelection();
    void takeLine(std::size_t level);
    void mark(const std::string& graphOp);

    Workspace& m_workspace;
    std::shared_ptr<const cinm::Flow> m_flow;
    QHBoxLayout* m_bar;
    ChoiceBox *m_elements, *m_order, *m_goal;
    QSpinBox *m_size, *m_tiles;
    QHBoxLayout* m_strip;
    QSplitter *m_panes, *m_split;
    std::vector<QToolButton*> m_chips;
    std::vector<LevelText*> m_texts;
    TableView* m_table;
    FiguresModel* m_rows;
    QLabel* m_summary;
    EmptyState* m_empty;
    std::string m_marked;
    int m_task = 0;
    bool m_seen = false, m_isCurrent = false, m_following = false;
};

} // namespace pim::views
