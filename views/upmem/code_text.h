// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// C code to read, with the instructions that each line issued beside it: number, share, and a bar as hot as the share.
#include <QPlainTextEdit>

#include <vector>

namespace pim::views {

class CodeText : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit CodeText(QWidget* parent = nullptr);

    /// \param issued one a line; -1: the line is no statement of its own. \param all instructions of the run.
    void setCode(const QString& code, std::vector<std::int64_t> issued, std::int64_t all);
    int currentLine() const { return textCursor().blockNumber(); } ///< From 0.
    void goToLine(int line);
    void setMarkedLines(std::vector<int> lines); ///< Of the same statement as the current one.
    /// Of the next place after the cursor, around the end; false: there is none.
    bool findNext(const QString& words, bool backwards = false);
    QString withFigures() const; ///< Line, instructions, share and text of all lines, as TSV.

signals:
    void findRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    class Gutter;
    void layOutGutter();
    void paintGutter(QPaintEvent* event);
    void showCurrentLine();
    QString gutterTip(int y) const;
    double share(int line) const;

    Gutter* m_gutter;
    std::vector<std::int64_t> m_issued;
    std::vector<int> m_marked;
    std::int64_t m_all = 0;
    double m_most = 0; ///< Share of the hottest line.
};

} // namespace pim::views
