// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Questions to the project in SQL: tables and columns to pick from, examples, the questions asked before, those kept under a name,
/// answers as a table and as a plot. Reads only, and can be stopped.
#include "core/project/query.h"

#include <QStringList>
#include <QWidget>

#include <functional>
#include <map>

class QLabel;
class QMenu;
class QPushButton;
class QSortFilterProxyModel;
class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace pim::views {

class EmptyState;
class SqlEditor;
class SqlModel;
class SqlPlot;
class TableView;
class Workspace;

/// What came of a query.
struct SqlAnswer {
    Result<QueryResult> result;
    std::optional<std::size_t> errorOffset; ///< In bytes of the query.
};

class SqlConsole : public QWidget {
    Q_OBJECT
public:
    /// Starts a query and delivers on this thread, now or later; \returns what stops it.
    using Ask = std::function<std::function<void()>(const QString& sql, std::size_t maxRows,
                                                    std::function<void(SqlAnswer)> deliver)>;

    explicit SqlConsole(QWidget* parent = nullptr);
    explicit SqlConsole(Workspace& workspace, QWidget* parent = nullptr);

    void setProject(bool hasProject, const std::vector<SchemaTable>& schema, Ask ask);
    void setQuery(const QString& sql);
    QString query() const;
    void setHistory(const QStringList& history); ///< Newest first.
    const QStringList& history() const { return m_history; }

    /// Queries with names, by name.
    using Saved = std::map<QString, QString>;
    void setSaved(Saved saved) { m_saved = std::move(saved); }
    const Saved& saved() const { return m_saved; }
    void saveAs(const QString& name); ///< What is in the editor; in place of one of that name.
    void removeSaved(const QString& name);

    TableView* table() const { return m_table; }
    SqlEditor* editor() const { return m_editor; }
    SqlPlot* plot() const { return m_plot; }
    QTreeWidget* schemaTree() const { return m_schema; }
    QString status() const;
    bool isRunning() const { return m_isRunning; }

public slots:
    void run();
    void stop();
    void showMore(); ///< The same query again, with ten times as many rows.

signals:
    void historyChanged();
    void savedChanged();
    void saveRequested(); ///< From the page shown without a project.

private:
    QWidget* buildEditor();
    QWidget* buildButtons();
    void start(std::size_t maxRows);
    void take(const QString& sql, SqlAnswer answer);
    void showError(const QString& sql, const SqlAnswer& answer);
    void remember(const QString& sql);
    void fillHistory();
    void fillSaved();
    void askForName();
    void insertName(QTreeWidgetItem* item);
    void updateButtons();

    Ask m_ask;
    bool m_isRunning = false;
    std::function<void()> m_stop; ///< Of the query that runs.
    int m_request = 0;            ///< Counts the queries, so that what a stopped one still brings is dropped.
    QString m_lastSql;
    std::size_t m_rows = ProjectQuery::kRows;
    QStringList m_history;
    Saved m_saved;
    SqlModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QTreeWidget* m_schema;
    SqlEditor* m_editor;
    QPushButton *m_run, *m_stopButton, *m_more;
    QMenu *m_examples, *m_historyMenu, *m_savedMenu;
    QLabel* m_status;
    TableView* m_table;
    SqlPlot* m_plot;
};

} // namespace pim::views
