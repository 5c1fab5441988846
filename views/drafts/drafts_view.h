// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Why this draft: all drafts of the selected op as a table and as a scatter of compute against rearrangement, with the
/// rejected ones and the rule that removed them.
#include "views/drafts/drafts_model.h"

#include <QWidget>

class QCheckBox;
class QCPGraph;
class QCPItemTracer;
class QCustomPlot;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace pim::views {

class EmptyState;
class Workspace;

class DraftsView : public QWidget {
    Q_OBJECT
public:
    explicit DraftsView(Workspace& workspace, QWidget* parent = nullptr);

    QTableView* table() const { return m_table; }
    DraftsModel* model() const { return m_model; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void labelPlot();
    void showExploration();
    void showSelection();
    void updateTitle();
    void updatePlot();
    void styleGraphs();
    void markInPlot(const Draft* draft);
    void applyFilter();
    void useSelected();
    void pickInPlot(const QPoint& position);
    const Draft* selectedDraft() const;

    Workspace& m_workspace;
    DraftsModel* m_model;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QLabel* m_title;
    QLabel* m_counts;
    QLineEdit* m_filter;
    QCheckBox* m_rejected;
    QTableView* m_table;
    QCustomPlot* m_plot;
    QCPGraph* m_points = nullptr;
    QCPGraph* m_front = nullptr;
    QCPGraph* m_current = nullptr;
    QCPGraph* m_selected = nullptr;
    QPushButton* m_use;
    QPushButton* m_reset;
    QLabel* m_why;
};

} // namespace pim::views
