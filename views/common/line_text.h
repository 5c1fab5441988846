// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Text to read by lines: numbers beside them, the current line set off, other lines marked.
#include <QPlainTextEdit>
#include <QSyntaxHighlighter>

#include <memory>
#include <vector>

class QRegularExpression;

namespace pim::views {

enum class Role;

/// Words in the colours of the theme, readable on the canvas.
class LineHighlighter : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    /// Group \p group of every place \p what matches.
    void paint(const QString& line, const QRegularExpression& what, int group, Role role, bool bold);
};

/// The colour of a role, drawn towards that of text until it can be read as text on the canvas.
QColor readable(Role role);

class LineText : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit LineText(QWidget* parent = nullptr);

    int currentLine() const { return textCursor().blockNumber(); } ///< From 0.
    void goToLine(int line);
    /// Shows another document, whose layout is a QPlainTextDocumentLayout.
    void takeDocument(std::unique_ptr<QTextDocument> document);
    /// Lines set off besides the current one, ascending.
    void setMarkedLines(std::vector<int> lines);
    const std::vector<int>& markedLines() const { return m_marked; }
    /// Lines that are new or other than before, ascending: a bar beside their number.
    void setChangedLines(std::vector<int> lines);
    const std::vector<int>& changedLines() const { return m_changed; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    /// How strongly the marked lines are filled; 0: a bar beside their number alone.
    double m_markShare = 0;

private:
    class Margin;
    void layOutMargin();
    void paintMargin(QPaintEvent* event);
    void showLines();

    Margin* m_margin;
    std::vector<int> m_marked, m_changed;
};

} // namespace pim::views
