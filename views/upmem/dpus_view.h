// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// All DPUs of the machine: what keeps them busy and what lies in their MRAM, as a floor plan and as a table.
#include "views/upmem/dpu_facts.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QSortFilterProxyModel;
class QSplitter;
class QStackedWidget;

namespace pim::views {

class DpuCanvas;
class EmptyState;
class FiguresModel;
class TableView;
class Workspace;

class DpusView : public QWidget {
    Q_OBJECT
public:
    explicit DpusView(QWidget* parent = nullptr);
    explicit DpusView(Workspace& workspace, QWidget* parent = nullptr);

    void setFacts(std::shared_ptr<const DpuFacts> facts); ///< Null: nothing.
    void setEmptyText(const QString& missing, const QString& whatToDo);
    QString emptyText() const;
    void setNote(const QString& note); ///< Before the headline: why it is not what was asked for.
    void setStale(bool stale);
    void setSeen(bool seen);
    void setCurrent(int dpu);    ///< Emits nothing.
    bool isOfSelectedOp() const; ///< What is asked for: figures of the selected op alone.

    DpuCanvas* canvas() const { return m_canvas; }
    TableView* table() const { return m_table; }
    QComboBox* figureBox() const { return m_figures; }
    QComboBox* scopeBox() const { return m_scopes; }
    QLabel* status() const { return m_status; }
    QLabel* title() const { return m_title; }

signals:
    void dpuChosen(int dpu);
    void scopeChanged();
    void seenChanged(bool seen);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildBar(QWidget* into);
    void buildTable();
    void updateTitle();
    void tell(int dpu); ///< In the line below; -1: the current one.
    void showRow(int dpu);

    std::shared_ptr<const DpuFacts> m_facts;
    QString m_note;
    bool m_isTold = false; ///< The row is chosen from outside.
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_page;
    QSplitter* m_split;
    DpuCanvas* m_canvas;
    TableView* m_table;
    FiguresModel* m_rows;
    QSortFilterProxyModel* m_sorted;
    QComboBox* m_figures;
    QComboBox* m_scopes;
    QLabel* m_title;
    QLabel* m_status;
};

} // namespace pim::views
