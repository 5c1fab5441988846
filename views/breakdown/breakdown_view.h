// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where the time goes, as bars: the network beside host only, the most expensive ops, each in its parts; or
/// all ops as a table.
#include "core/compile/plan.h"

#include <QWidget>

class QBoxLayout;
class QButtonGroup;
class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QSpinBox;
class QStackedWidget;

namespace pim::views {

class BreakdownModel;
class EmptyState;
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
    void setSelectedOp(OpId op);

    StackedBars* bars() const { return m_bars; }
    TableView* table() const { return m_table; }
    QLineEdit* filterLine() const { return m_filter; }
    QSpinBox* count() const { return m_count; }
    QLabel* title() const { return m_title; }
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
    void showSelectionInTable();
    QString csv() const;

    std::shared_ptr<const Plan> m_plan;
    bool m_isStale = false;
    OpId m_selected;
    BreakdownModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_content;
    QStackedWidget* m_modes;
    QLabel* m_title;
    StackedBars* m_bars;
    TableView* m_table;
    QSpinBox* m_count;
    QLabel* m_countLabel;
    QLineEdit* m_filter;
    QButtonGroup* m_mode;
};

} // namespace pim::views
