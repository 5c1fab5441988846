// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The best drafts that the open project knows: which kernels are answered without a search, and a way to
/// forget them. Follows the workspace while it is open.
#include "views/models/known_drafts.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QStackedWidget;

namespace pim::views {
class EmptyState;
class FiguresModel;
class TableView;
} // namespace pim::views

namespace pim::studio {

class KnownDraftsDialog : public QDialog {
    Q_OBJECT
public:
    explicit KnownDraftsDialog(views::Workspace& workspace, QWidget* parent = nullptr);

    views::TableView* table() const { return m_table; }
    QString summary() const;   ///< How many, how large, what is wrong with them.
    QString emptyText() const; ///< Why there is nothing in the table; empty: there is.
    QPushButton* clearButton() const { return m_clear; }

private:
    void readAgain();
    void take(const Result<views::KnownDraftsRead>& found);
    void showNothing(const QString& missing, const QString& whatToDo);
    void askToClear();

    views::Workspace& m_workspace;
    views::KnownDrafts& m_drafts;
    std::int64_t m_count = 0, m_simulated = 0; ///< Drafts there are, and those simulated to find them.
    QLabel* m_summary;
    QStackedWidget* m_pages;
    views::EmptyState* m_empty;
    views::FiguresModel* m_model;
    views::TableView* m_table;
    QLabel* m_whyNot;
    QPushButton* m_clear;
};

} // namespace pim::studio
