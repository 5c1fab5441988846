// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A plan for crossbar cores: the chip from above, its layers in a table with what the user may decide about
/// them, and how the search came there. Decisions leave as signals; what is shown is the plan that came of
/// them.
#include "backends/crossbar/occupancy.h"
#include "core/plan/plan.h"
#include "views/common/choice_box.h"
#include "views/crossbar/chip_canvas.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QSpinBox;
class QStackedWidget;
class QTabWidget;
class QToolButton;

namespace pim::views {

class EmptyState;
class FiguresModel;
class MemoryPanel;
class SearchPanel;
class TableView;
class Workspace;

class ChipMapView : public QWidget {
    Q_OBJECT
public:
    explicit ChipMapView(QWidget* parent = nullptr);
    explicit ChipMapView(Workspace& workspace, QWidget* parent = nullptr);

    void setPlan(std::shared_ptr<const Plan> plan,
                 bool isStale = false); ///< Null, or of another kind: nothing to show.
    void setSelectedOp(OpId op);
    /// Verdict for a decision before it is made; empty if it is legal.
    using Check = std::function<QString(const QString& op, const QString& field, const QString& value)>;
    void setCheck(Check check);
    /// What occupancyWanted() asked for; ignored if the plan is another by now.
    void setOccupancy(const std::shared_ptr<const Plan>& plan,
                      std::shared_ptr<const MemoryOccupancy> occupancy);

    ChipCanvas* canvas() const { return m_canvas; }
    MemoryPanel* memory() const { return m_memory; }
    SearchPanel* search() const { return m_search; }
    QTabWidget* tabs() const { return m_tabs; }
    TableView* table() const { return m_table; }
    QSpinBox* replicasBox() const { return m_replicas; }
    ChoiceBox* unfoldingBox() const { return m_unfolding; }
    QToolButton* resetButton() const { return m_reset; }
    QLabel* verdict() const { return m_verdict; }

signals:
    void decisionRequested(const QString& op, const QString& field, const QString& value);
    void decisionsCleared(const QString& op, const QStringList& fields);
    void opSelected(pim::OpId op);
    /// Memory over time is looked at: a moment's work, not for this thread.
    void occupancyWanted(std::shared_ptr<const pim::Plan> plan);

private:
    void buildEditor(QWidget* into);
    void fillTable();
    void showRow();
    void updateEditor();
    void choose(int entry);
    const ChipLayer* chosen() const;
    QString pinned(const QString& op) const; ///< Value of its decision "cores"; empty: none.
    void showVerdict(const QString& text, bool isBad);

    std::shared_ptr<const Plan> m_plan;
    std::shared_ptr<const ChipFacts> m_facts;
    Check m_check;
    int m_entry = -1;
    bool m_isStale = false;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QLabel* m_headline;
    QComboBox* m_measure;
    ChipCanvas* m_canvas;
    QTabWidget* m_tabs;
    FiguresModel* m_layers;
    TableView* m_table;
    SearchPanel* m_search;
    MemoryPanel* m_memory;
    QLabel* m_layer;
    ChoiceBox* m_unfolding;
    QSpinBox* m_replicas;
    QToolButton* m_reset;
    QLabel* m_verdict;
};

} // namespace pim::views
