// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// All notes of the document: read, added to the selected operator, edited, removed, gone to.
#include <QWidget>

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QStackedWidget;
class QToolButton;

namespace pim::views {

class NotesModel;
class TableView;
class Workspace;

class NotesPanel : public QWidget {
    Q_OBJECT
public:
    /// \p workspace outlives it.
    explicit NotesPanel(Workspace& workspace, QWidget* parent = nullptr);

    void showNote(qint64 id); ///< Selects it, past the filter if need be.
    TableView* table() const { return m_table; }
    QLineEdit* filterField() const { return m_filter; }
    QLineEdit* newField() const { return m_new; }
    QToolButton* goButton() const { return m_go; }
    QToolButton* removeButton() const { return m_remove; }

signals:
    /// \p timeline as Note::timeline. The op, if there is one, has been selected already.
    void stretchRequested(const QString& timeline, double fromNs, double toNs);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildTable();
    void takeSelection();
    void add();
    void goTo();
    void remove();
    int currentRow() const; ///< Of the model; -1: none.

    Workspace& m_workspace;
    NotesModel* m_model;
    QSortFilterProxyModel* m_shown;
    QStackedWidget* m_pages;
    TableView* m_table;
    QLineEdit* m_filter;
    QLineEdit* m_new;
    QToolButton* m_add;
    QToolButton* m_go;
    QToolButton* m_remove;
};

} // namespace pim::views
