// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where the time goes, as bars: the network beside host only, the most expensive ops, each in its parts; or
/// all ops as a table.
#include "core/plan/simulation.h"

#include <QWidget>

#include <functional>

class QBoxLayout;
class QButtonGroup;
class QLabel;
class QLineEdit;
class QSpinBox;
class QStackedWidget;
class QToolButton;

namespace pim::views {

class BreakdownModel;
class EmptyState;
class PassingRows;
struct ExportSource;
class StackedBars;
class TableView;
class Workspace;

class BreakdownView : public QWidget {
    Q_OBJECT
public:
    explicit BreakdownView(QWidget* parent = nullptr);
    explicit BreakdownView(Workspace& workspace, QWidget* parent = nullptr);

    void setPlan(std::shared_ptr<const Plan> plan, bool isStale = false); ///< Null: nothing compiled yet.
    /// \p plan: what it ran; taken if that is the plan shown. Null: there is none (yet).
    /// \p limit: the sentence of what limits it; may be empty.
    void setSimulation(std::shared_ptr<const Simulation> simulation, const std::shared_ptr<const Plan>& plan,
                       const QString& limit = {});
    /// What sets the time of an op of the simulation; null: nobody knows.
    void setOpSentences(std::function<QString(OpId)> sentenceOf);
    /// Only these ops are shown, one entry per op; empty: all.
    void setPassing(std::vector<bool> passes);
    /// The plan shown becomes what later ones are compared with; \p on false: none is.
    void keepPlan(bool on);
    void setSelectedOp(OpId op);

    StackedBars* bars() const { return m_bars; }
    TableView* table() const { return m_table; }
    QLineEdit* filterLine() const { return m_filter; }
    QSpinBox* count() const { return m_count; }
    QLabel* title() const { return m_title; }
    QLabel* facts() const { return m_facts; }
    bool showsTable() const;
    void setShowsTable(bool on);
    ExportSource exportSource() const;

signals:
    void opSelected(pim::OpId op);
    void inspectRequested(pim::OpId op);

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildBar(QBoxLayout* into);
    void rebuild();
    void updateTitle();
    void updateFacts();
    bool passes(std::size_t op) const { return m_passes.empty() || (op < m_passes.size() && m_passes[op]); }
    void showSelectionInTable();
    QString csv() const;

    std::shared_ptr<const Plan> m_plan;
    QString m_limit;
    std::function<QString(OpId)> m_sentenceOf;
    std::shared_ptr<const Plan> m_kept; ///< Compared with.
    std::shared_ptr<const Simulation> m_simulation;
    std::vector<bool> m_passes;
    bool m_isStale = false;
    OpId m_selected;
    BreakdownModel* m_model;
    PassingRows* m_sorted;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_content;
    QStackedWidget* m_modes;
    QLabel* m_title;
    QLabel* m_facts;
    StackedBars* m_bars;
    TableView* m_table;
    QSpinBox* m_count;
    QLabel* m_countLabel;
    QLineEdit* m_filter;
    QButtonGroup* m_mode;
    QToolButton* m_keep;
};

} // namespace pim::views
