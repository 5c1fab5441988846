// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/sql_editor.h"

#include "views/common/line_text.h"
#include "views/common/palette.h"
#include "views/common/text.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStringListModel>

#include <algorithm>

namespace pim::views {
namespace {

/// What a query that only reads is made of. [sqlite.org/lang_keywords.html]
const QStringList& sqlWords() {
    static const QStringList words =
        QStringLiteral(
            "ALL AND AS ASC BETWEEN BY CASE CAST COLLATE CROSS DESC DISTINCT ELSE END ESCAPE "
            "EXCEPT EXISTS EXPLAIN FILTER FROM FULL GLOB GROUP HAVING IN INNER INTERSECT IS JOIN "
            "LEFT LIKE LIMIT NATURAL NOT NULL NULLS OFFSET ON OR ORDER OUTER OVER PARTITION RIGHT "
            "SELECT THEN UNION USING VALUES WHEN WHERE WINDOW WITH "
            "ABS AVG COALESCE COUNT GROUP_CONCAT IIF LENGTH LOWER MAX MIN PRINTF REPLACE ROUND SUBSTR "
            "SUM TOTAL UPPER")
            .split(u' ');
    return words;
}

QRegularExpression anyOf(const QStringList& words) {
    return QRegularExpression(QStringLiteral("\\b(?:%1)\\b").arg(words.join(u'|')),
                              QRegularExpression::CaseInsensitiveOption);
}

constexpr int kMostShown = 12; ///< Lines of the list.
constexpr int kLettersBefore = 2;

} // namespace

class SqlEditor::Highlighter final : public LineHighlighter {
public:
    using LineHighlighter::LineHighlighter;
    void setNames(QStringList names) {
        for (QString& name : names)
            name = QRegularExpression::escape(name);
        m_names = anyOf(names);
        m_hasNames = !names.isEmpty();
        rehighlight();
    }

protected:
    void highlightBlock(const QString& line) override {
        static const QRegularExpression number(QStringLiteral("\\b\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?\\b")),
            words = anyOf(sqlWords()), quoted(QStringLiteral("'(?:[^']|'')*'?")),
            remark(QStringLiteral("--.*$"));
        if (m_hasNames)
            paint(line, m_names, 0, Role::OnPim, false);
        paint(line, number, 0, Role::Good, false);
        paint(line, words, 0, Role::Accent, true);
        paint(line, quoted, 0, Role::ModeSwitch, false);
        paint(line, remark, 0, Role::Muted, false);
    }

private:
    QRegularExpression m_names;
    bool m_hasNames = false;
};

SqlEditor::SqlEditor(QWidget* parent)
    : QPlainTextEdit(parent), m_highlighter(new Highlighter(document())), m_words(new QStringListModel(this)),
      m_completer(new QCompleter(m_words, this)) {
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_completer->setWidget(this);
    m_completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_completer->setModelSorting(QCompleter::CaseInsensitivelySortedModel);
    m_completer->setMaxVisibleItems(kMostShown);
    m_completer->popup()->setFont(font());
    m_completer->popup()->setAccessibleName(tr("What the word may become"));
    m_completer->popup()->installEventFilter(this); // asked before the completer is
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this,
            &SqlEditor::insertCompletion);
    setSchema({});
}

void SqlEditor::setSchema(const std::vector<SchemaTable>& schema) {
    QStringList names;
    m_columns.clear();
    for (const SchemaTable& table : schema) {
        names.append(text(table.name));
        QStringList& columns = m_columns[text(table.name).toLower()];
        for (const SchemaColumn& column : table.columns)
            columns.append(text(column.name));
        names += columns;
        columns.sort(Qt::CaseInsensitive);
    }
    names.removeDuplicates();
    m_highlighter->setNames(names);
    m_all = names + sqlWords();
    m_all.removeDuplicates();
    m_all.sort(Qt::CaseInsensitive);
}

QString SqlEditor::wordBeforeCursor() const {
    const QString line = textCursor().block().text().left(textCursor().positionInBlock());
    static const QRegularExpression word(QStringLiteral("[A-Za-z_][A-Za-z0-9_]*$"));
    return word.match(line).captured();
}

QStringList SqlEditor::complete(bool isAsked) {
    m_completer->popup()->hide();
    const QString word = wordBeforeCursor();
    const QString line = textCursor().block().text().left(textCursor().positionInBlock());
    const QString before = line.chopped(word.size());
    if (before.count(u'\'') % 2 == 1 || before.contains(QStringLiteral("--"))) // words of the person's own
        return {};
    static const QRegularExpression table(QStringLiteral("([A-Za-z_][A-Za-z0-9_]*)\\.$"));
    const auto columns = m_columns.find(table.match(before).captured(1).toLower());
    const bool isColumn = columns != m_columns.end();
    if (!isAsked && !isColumn && word.size() < kLettersBefore)
        return {};
    m_words->setStringList(isColumn ? columns->second : m_all);
    m_completer->setCompletionPrefix(word);
    QStringList found;
    for (int row = 0; m_completer->setCurrentRow(row); ++row)
        found.append(m_completer->currentCompletion());
    // A word that is all there is done: Enter ends the line then.
    if (found.isEmpty() || (!isAsked && found.contains(word, Qt::CaseInsensitive)))
        return {};
    QAbstractItemView* const list = m_completer->popup();
    list->setCurrentIndex(m_completer->completionModel()->index(0, 0));
    QRect place = cursorRect();
    place.setWidth(list->sizeHintForColumn(0) + list->verticalScrollBar()->sizeHint().width() + 8);
    m_completer->complete(place);
    return found;
}

void SqlEditor::insertCompletion(const QString& word) {
    QTextCursor cursor = textCursor();
    cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, int(wordBeforeCursor().size()));
    cursor.insertText(word);
    setTextCursor(cursor);
}

void SqlEditor::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier) {
        complete(true);
        return;
    }
    // The list asks the editor first; these are its own.
    if (m_completer->popup()->isVisible())
        for (const int key : {Qt::Key_Return, Qt::Key_Enter, Qt::Key_Tab, Qt::Key_Backtab, Qt::Key_Escape})
            if (event->key() == key)
                return event->ignore();
    QPlainTextEdit::keyPressEvent(event);
    const QString typed = event->text();
    const bool isPartOfAWord =
        !typed.isEmpty() && (typed.at(0).isLetterOrNumber() || typed.at(0) == u'_' || typed.at(0) == u'.');
    const bool isShorter = event->key() == Qt::Key_Backspace && m_completer->popup()->isVisible();
    if (isPartOfAWord || isShorter)
        complete(false);
    else if (!typed.isEmpty())
        m_completer->popup()->hide();
}

bool SqlEditor::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_completer->popup() || event->type() != QEvent::KeyPress)
        return QPlainTextEdit::eventFilter(watched, event);
    const auto* const key = static_cast<QKeyEvent*>(event);
    const bool isEnter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (!isEnter || !(key->modifiers() & Qt::ControlModifier))
        return false;
    m_completer->popup()->hide();
    emit runRequested();
    return true;
}

bool SqlEditor::focusNextPrevChild(bool next) {
    return !m_completer->popup()->isVisible() && QPlainTextEdit::focusNextPrevChild(next);
}

void SqlEditor::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        m_highlighter->rehighlight();
    QPlainTextEdit::changeEvent(event);
}

} // namespace pim::views
