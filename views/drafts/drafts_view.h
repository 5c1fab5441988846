// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Why this draft: all drafts of the selected op as a table and as a scatter over figures to choose, with the
/// rejected ones and why they went; prediction and simulation side by side.
#include "views/drafts/drafts_model.h"

#include <QWidget>

class QBoxLayout;
class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace pim::views {

class DraftBoard;
class DraftScatter;
class EmptyState;
class TableView;
class Workspace;

class DraftsView : public QWidget {
    Q_OBJECT
public:
    explicit DraftsView(Workspace& workspace, QWidget* parent = nullptr);

    QTableView* table() const;
    DraftsModel* model() const { return m_model; }
    DraftScatter* scatter() const { return m_scatter; }
    QLabel* why() const { return m_why; }
    QLabel* legend() const { return m_legend; }
    QToolButton* simulateButton() const { return m_simulate; }
    QCheckBox* rejectedBox() const { return m_rejected; }
    void simulateSelected(); ///< Of nothing selected: the best.
    void simulateBest(int count);
    void simulateFront();

signals:
    void compareRequested(); ///< A was chosen: B comes next.

private:
    QWidget* buildPage();
    void buildActions(QBoxLayout* into);
    void takeViewState();
    void keepViewState();
    void showExploration();
    void showSelection();
    void showBoard();
    void updateTitle();
    void applyFilter();
    void useSelected();
    void choose(std::size_t position);
    void sayWhy(int row, const Draft* inForce);
    QString sayLearned(std::size_t position) const;
    void askWhyRejected(const Draft& draft);
    std::optional<std::size_t> positionOf(const Draft& draft) const; ///< Of kept and rejected ones.
    const Draft* selectedDraft() const;

    Workspace& m_workspace;
    DraftBoard& m_board;
    DraftsModel* m_model;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QLabel* m_title;
    QLabel* m_counts;
    QLabel* m_legend;
    QLineEdit* m_filter;
    QCheckBox* m_rejected;
    TableView* m_table;
    DraftScatter* m_scatter;
    QPushButton* m_use;
    QPushButton* m_reset;
    QPushButton* m_keepA;
    QToolButton* m_simulate;
    QLabel* m_why;
    int m_whyTask = 0;
    int m_setsShown = 0;             ///< Dimension sets the columns of the table were put in order for.
    std::optional<Draft> m_askedWhy; ///< Rejected draft that m_answer is about.
    QString m_answer;                ///< Empty while it is worked out.
};

} // namespace pim::views
