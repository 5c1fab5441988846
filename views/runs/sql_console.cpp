// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/sql_console.h"

#include "core/base/number_text.h"
#include "views/common/core_words.h"
#include "views/common/empty_state.h"
#include "views/common/icons.h"
#include "views/common/palette.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/runs/sql_editor.h"
#include "views/runs/sql_model.h"
#include "views/runs/sql_plot.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTreeWidget>

namespace pim::views {
namespace {

constexpr qsizetype kHistory = 50;
constexpr std::size_t kMoreFactor = 10;

} // namespace

SqlConsole::SqlConsole(QWidget* parent)
    : QWidget(parent), m_model(new SqlModel(this)), m_sorted(new QSortFilterProxyModel(this)),
      m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("table"))),
      m_schema(new QTreeWidget), m_editor(new SqlEditor), m_run(new QPushButton(tr("Run"))),
      m_stopButton(new QPushButton(tr("Stop"))), m_more(new QPushButton(tr("More Rows"))),
      m_examples(new QMenu(this)), m_historyMenu(new QMenu(this)), m_savedMenu(new QMenu(this)),
      m_status(new QLabel), m_table(new TableView), m_plot(new SqlPlot) {
    setObjectName(QStringLiteral("SqlConsole"));
    setAccessibleName(tr("SQL console"));
    m_schema->setHeaderLabels({tr("Table, column"), tr("Type"), tr("Unit")});
    m_schema->setAccessibleName(tr("Tables, views and columns"));
    m_schema->setToolTip(tr("Enter or double-click puts the name into the query"));
    m_schema->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    connect(m_schema, &QTreeWidget::itemActivated, this, &SqlConsole::insertName);

    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(Qt::EditRole);
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder); // as the query has them, until a header is clicked
    m_table->setAccessibleName(tr("Answer"));
    m_table->setExportName(QStringLiteral("query"));

    auto* right = new QSplitter(Qt::Vertical);
    right->addWidget(buildEditor());
    auto* answer = new QTabWidget;
    answer->setDocumentMode(true);
    answer->setAccessibleName(tr("The answer as a table or as a plot"));
    answer->addTab(m_table, tr("Table"));
    answer->addTab(m_plot, tr("Plot"));
    right->addWidget(answer);
    right->setChildrenCollapsible(false);
    right->setStretchFactor(1, 3);
    auto* splitter = new QSplitter;
    splitter->addWidget(m_schema);
    splitter->addWidget(right);
    splitter->setStretchFactor(1, 3);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(splitter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    connect(m_empty, &EmptyState::actionTriggered, this, &SqlConsole::saveRequested);
    m_empty->setText(tr("No project"), tr("Save the project to query its runs in SQL."));
    m_empty->setAction(tr("Save Project…"));
    updateButtons();
}

QWidget* SqlConsole::buildEditor() {
    m_editor->setAccessibleName(tr("Query"));
    m_editor->setPlaceholderText(
        tr("SELECT … (Ctrl+Enter runs it, Ctrl+Space completes; the project is only read)"));
    m_editor->setTabChangesFocus(true);
    connect(m_editor, &QPlainTextEdit::textChanged, this, [this] {
        m_editor->setExtraSelections({});
        updateButtons();
    });
    connect(m_editor, &SqlEditor::runRequested, this, &SqlConsole::run);
    for (const int key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto* shortcut = new QShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(key)), this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, &SqlConsole::run);
    }
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(8, 8, 8, 4);
    layout->addWidget(m_editor, 1);
    layout->addWidget(buildButtons());
    m_status->setAccessibleName(tr("Result of the query"));
    m_status->setWordWrap(true);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_status);
    return box;
}

QWidget* SqlConsole::buildButtons() {
    m_run->setIcon(icon(QStringLiteral("play")));
    m_run->setToolTip(tr("Run the query (Ctrl+Enter)"));
    m_stopButton->setIcon(icon(QStringLiteral("stop")));
    m_stopButton->setToolTip(tr("Stop the query"));
    m_more->setToolTip(tr("Run it again and read ten times as many rows"));
    connect(m_run, &QPushButton::clicked, this, &SqlConsole::run);
    connect(m_stopButton, &QPushButton::clicked, this, &SqlConsole::stop);
    connect(m_more, &QPushButton::clicked, this, &SqlConsole::showMore);
    auto* examples = new QPushButton(tr("Examples"));
    examples->setToolTip(tr("Example queries; one click runs them"));
    examples->setMenu(m_examples);
    for (const QueryExample& example : queryExamples())
        m_examples->addAction(coreWord(example.title), this, [this, sql = text(example.sql)] {
            setQuery(sql);
            run();
        });
    auto* before = new QPushButton(tr("Earlier"));
    before->setToolTip(tr("Queries of this project, newest first"));
    before->setMenu(m_historyMenu);
    connect(m_historyMenu, &QMenu::aboutToShow, this, &SqlConsole::fillHistory);
    auto* saved = new QPushButton(tr("Saved"));
    saved->setToolTip(tr("Queries of this project that have a name"));
    saved->setMenu(m_savedMenu);
    connect(m_savedMenu, &QMenu::aboutToShow, this, &SqlConsole::fillSaved);
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    for (QPushButton* each : {m_run, m_stopButton, examples, before, saved, m_more}) {
        each->setAutoDefault(false);
        layout->addWidget(each);
    }
    layout->addStretch(1);
    return row;
}

void SqlConsole::setProject(bool hasProject, const std::vector<SchemaTable>& schema, Ask ask) {
    stop();
    m_ask = std::move(ask);
    m_pages->setCurrentIndex(hasProject ? 1 : 0);
    m_schema->clear();
    m_editor->setSchema(schema);
    for (const SchemaTable& table : schema) {
        auto* item = new QTreeWidgetItem(
            m_schema, {text(table.name), table.isView ? tr("view") : tr("table"), QString()});
        for (const SchemaColumn& column : table.columns)
            new QTreeWidgetItem(item, {text(column.name), text(column.type), text(column.unit)});
    }
    m_model->setResult({});
    m_plot->setResult(m_model->result());
    m_status->clear();
    updateButtons();
}

void SqlConsole::setQuery(const QString& sql) {
    m_editor->setPlainText(sql);
}

QString SqlConsole::query() const {
    return m_editor->toPlainText();
}

QString SqlConsole::status() const {
    return m_status->text();
}

void SqlConsole::run() {
    start(ProjectQuery::kRows);
}

void SqlConsole::showMore() {
    if (!m_model->result().more)
        return;
    setQuery(m_lastSql);
    start(m_rows * kMoreFactor);
}

void SqlConsole::start(std::size_t maxRows) {
    const QString sql = query();
    if (!m_ask || sql.trimmed().isEmpty())
        return;
    stop();
    m_rows = maxRows;
    m_lastSql = sql;
    remember(sql);
    m_status->setText(tr("Running…"));
    m_isRunning = true;
    m_stop = m_ask(sql, maxRows, [this, request = ++m_request, sql](SqlAnswer answer) {
        if (request != m_request)
            return;
        m_isRunning = false;
        take(sql, std::move(answer));
    });
    updateButtons();
}

void SqlConsole::stop() {
    if (!m_isRunning)
        return;
    ++m_request;
    m_isRunning = false;
    m_stop();
    m_status->setText(tr("Stopped."));
    updateButtons();
}

void SqlConsole::take(const QString& sql, SqlAnswer answer) {
    if (!answer.result) {
        showError(sql, answer);
    } else {
        const QString time = QString::fromStdString(timeText(answer.result->milliseconds * 1e6));
        m_table->sortByColumn(-1, Qt::AscendingOrder);
        m_model->setResult(std::move(*answer.result));
        m_table->fitColumns();
        m_plot->setResult(m_model->result());
        const QueryResult& result = m_model->result();
        const int rows = m_model->rowCount();
        m_status->setText(result.more ? tr("%1; there are more. %2").arg(text(result.stoppedBy), time)
                          : rows == 1 ? tr("1 row, %1").arg(time)
                                      : tr("%1 rows, %2").arg(rows).arg(time));
    }
    updateButtons();
}

void SqlConsole::showError(const QString& sql, const SqlAnswer& answer) {
    const Error& error = answer.result.error();
    m_status->setText(error.code == ErrorCode::Cancelled ? tr("Stopped.") : text(error.text()));
    if (!answer.errorOffset || query() != sql)
        return;
    // Bytes of UTF-8 are not characters of the editor.
    const auto at = static_cast<int>(
        QString::fromUtf8(sql.toUtf8().left(static_cast<qsizetype>(*answer.errorOffset))).size());
    QTextEdit::ExtraSelection mark;
    mark.cursor = m_editor->textCursor();
    mark.cursor.setPosition(std::min(at, static_cast<int>(sql.size())));
    m_editor->setTextCursor(mark.cursor);
    mark.cursor.movePosition(QTextCursor::EndOfWord, QTextCursor::KeepAnchor);
    if (!mark.cursor.hasSelection())
        mark.cursor.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor);
    mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    mark.format.setUnderlineColor(color(Role::Bad));
    mark.format.setFontWeight(QFont::Bold);
    m_editor->setExtraSelections({mark});
}

void SqlConsole::setHistory(const QStringList& history) {
    m_history = history.mid(0, kHistory);
}

void SqlConsole::remember(const QString& sql) {
    const QString trimmed = sql.trimmed();
    if (!m_history.isEmpty() && m_history.front() == trimmed)
        return;
    m_history.removeAll(trimmed);
    m_history.prepend(trimmed);
    m_history = m_history.mid(0, kHistory);
    emit historyChanged();
}

void SqlConsole::fillHistory() {
    m_historyMenu->clear();
    constexpr qsizetype kShown = 80;
    for (const QString& sql : m_history) {
        const QString line = sql.simplified();
        QString title = line.size() > kShown ? line.left(kShown - 1) + QStringLiteral("…") : line;
        m_historyMenu->addAction(title.replace(QLatin1Char('&'), QStringLiteral("&&")), this,
                                 [this, sql] { setQuery(sql); });
    }
    if (m_history.isEmpty())
        m_historyMenu->addAction(tr("No queries yet"))->setEnabled(false);
}

void SqlConsole::saveAs(const QString& name) {
    const QString trimmed = name.trimmed(), sql = query().trimmed();
    if (trimmed.isEmpty() || sql.isEmpty())
        return;
    m_saved[trimmed] = sql;
    emit savedChanged();
}

void SqlConsole::removeSaved(const QString& name) {
    if (m_saved.erase(name) > 0)
        emit savedChanged();
}

void SqlConsole::askForName() {
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save Query"));
    dialog->setLabelText(tr("Name of the query; one of that name is replaced:"));
    connect(dialog, &QInputDialog::textValueSelected, this, &SqlConsole::saveAs);
    dialog->open();
}

void SqlConsole::fillSaved() {
    m_savedMenu->clear();
    const auto shown = [](QString name) { return name.replace(u'&', QStringLiteral("&&")); };
    for (const auto& [name, sql] : m_saved) {
        QAction* const entry = m_savedMenu->addAction(shown(name), this, [this, sql = sql] {
            setQuery(sql);
            run();
        });
        entry->setToolTip(sql);
    }
    m_savedMenu->setToolTipsVisible(true);
    m_savedMenu->addSeparator();
    m_savedMenu->addAction(tr("Save This Query…"), this, &SqlConsole::askForName)
        ->setEnabled(!query().trimmed().isEmpty());
    QMenu* const remove = m_savedMenu->addMenu(tr("Remove"));
    for (const auto& [name, sql] : m_saved)
        remove->addAction(shown(name), this, [this, name = name] { removeSaved(name); });
    remove->setEnabled(!m_saved.empty());
}

void SqlConsole::insertName(QTreeWidgetItem* item) {
    const QString name = item->text(0);
    if (!item->parent() && query().trimmed().isEmpty())
        setQuery(QStringLiteral("SELECT * FROM %1").arg(name));
    else
        m_editor->insertPlainText(name);
    m_editor->setFocus();
}

void SqlConsole::updateButtons() {
    m_run->setEnabled(m_ask && !m_isRunning && !query().trimmed().isEmpty());
    m_stopButton->setEnabled(m_isRunning);
    m_more->setEnabled(!m_isRunning && m_model->result().more);
}

} // namespace pim::views
