// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Commands as text to read: line numbers, colours for words, opcodes and numbers, the current line set off.
#include <QPlainTextEdit>

namespace pim::views {

class ProgramText : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit ProgramText(QWidget* parent = nullptr);

    int currentLine() const { return textCursor().blockNumber(); } ///< From 0.
    void goToLine(int line);
    /// Lines set off beside the current one: those of the selected phase.
    void setMarkedLines(int first, int last); ///< -1, -1: none.

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    class Margin;
    void layOutMargin();
    void paintMargin(QPaintEvent* event);
    void showCurrentLine();

    Margin* m_margin;
    int m_firstMarked = -1, m_lastMarked = -1;
};

} // namespace pim::views
