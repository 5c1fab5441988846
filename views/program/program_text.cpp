// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_text.h"

#include "views/common/palette.h"

#include <QContextMenuEvent>
#include <QFileDialog>
#include <QFontDatabase>
#include <QMenu>
#include <QPaintEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSyntaxHighlighter>
#include <QTextBlock>

namespace pim::views {
namespace {

/// Section words, opcodes, operand names, numbers, texts. Both forms of code are made of these.
class CodeHighlighter final : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& line) override {
        static const QRegularExpression number(QStringLiteral("\\b\\d+(\\.\\d+)?\\b"));
        static const QRegularExpression opcode(QStringLiteral("^\\s*(?:opcode )?([A-Z][A-Z0-9_]*)\\b"));
        static const QRegularExpression operand(QStringLiteral("\\b([a-z_]+)="));
        static const QRegularExpression keyword(
            QStringLiteral("^\\s*(pim-program|pim-flow|op|target|draft|opcode|phase|stream|loop|for|segment|"
                           "repeat|end)\\b"));
        static const QRegularExpression text(QStringLiteral("\"(?:[^\"\\\\]|\\\\.)*\""));
        paint(line, number, 0, Role::Accent, false);
        paint(line, operand, 1, Role::Muted, false);
        paint(line, opcode, 1, Role::OnPim, true);
        paint(line, keyword, 1, Role::NodeText, true);
        paint(line, text, 0, Role::OutputRearrangement, false);
    }

private:
    void paint(const QString& line, const QRegularExpression& what, int group, Role role, bool bold) {
        QTextCharFormat format;
        format.setForeground(readable(role));
        format.setFontWeight(bold ? QFont::Bold : QFont::Normal);
        for (auto it = what.globalMatch(line); it.hasNext();) {
            const auto match = it.next();
            setFormat(int(match.capturedStart(group)), int(match.capturedLength(group)), format);
        }
    }
    /// Some roles are colours of areas: as text they are drawn towards the colour of text until they can be
    /// read.
    static QColor readable(Role role) {
        const QColor base = color(Role::Canvas);
        QColor shown = color(role);
        for (double share = 0.1; contrast(shown, base) < 4.5 && share < 1; share += 0.1)
            shown = mix(color(role), color(Role::NodeText), share);
        return shown;
    }
};

} // namespace

/// Line numbers, left of the text.
class ProgramText::Margin : public QWidget {
public:
    explicit Margin(ProgramText& text) : QWidget(&text), m_text(text) {}

protected:
    void paintEvent(QPaintEvent* event) override { m_text.paintMargin(event); }

private:
    ProgramText& m_text;
};

ProgramText::ProgramText(QWidget* parent) : QPlainTextEdit(parent), m_margin(new Margin(*this)) {
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setLineWrapMode(NoWrap);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setFrameShape(QFrame::NoFrame);
    new CodeHighlighter(document());
    connect(this, &QPlainTextEdit::blockCountChanged, this, &ProgramText::layOutMargin);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
        if (dy)
            m_margin->scroll(0, dy);
        else
            m_margin->update(0, rect.y(), m_margin->width(), rect.height());
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, &ProgramText::showCurrentLine);
    layOutMargin();
    showCurrentLine();
}

void ProgramText::goToLine(int line) {
    QTextCursor cursor(document()->findBlockByNumber(line));
    setTextCursor(cursor);
    centerCursor();
}

void ProgramText::setMarkedLines(int first, int last) {
    m_firstMarked = first;
    m_lastMarked = last;
    m_margin->update();
}

void ProgramText::layOutMargin() {
    const int digits = int(QString::number(std::max(1, blockCount())).size());
    const int width = fontMetrics().horizontalAdvance(u'9') * (digits + 2);
    setViewportMargins(width, 0, 0, 0);
    const QRect inner = contentsRect();
    m_margin->setGeometry(inner.left(), inner.top(), width, inner.height());
}

void ProgramText::paintMargin(QPaintEvent* event) {
    QPainter painter(m_margin);
    painter.fillRect(event->rect(), palette().color(QPalette::Window));
    painter.setFont(font());
    QTextBlock block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    for (; block.isValid() && top <= event->rect().bottom(); block = block.next()) {
        const double height = blockBoundingRect(block).height();
        const int line = block.blockNumber();
        if (line >= m_firstMarked && line <= m_lastMarked)
            painter.fillRect(QRectF(m_margin->width() - 3, top, 3, height), color(Role::Accent));
        painter.setPen(line == currentLine() ? palette().color(QPalette::WindowText) : color(Role::Muted));
        painter.drawText(QRectF(0, top, m_margin->width() - fontMetrics().horizontalAdvance(u'9'), height),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(line + 1));
        top += height;
    }
}

void ProgramText::showCurrentLine() {
    QTextEdit::ExtraSelection current;
    current.cursor = textCursor();
    current.cursor.clearSelection();
    current.format.setBackground(mix(palette().color(QPalette::Base), color(Role::Selection), 0.18));
    current.format.setProperty(QTextFormat::FullWidthSelection, true);
    setExtraSelections({current});
    m_margin->update();
}

void ProgramText::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    layOutMargin();
}

void ProgramText::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !m_margin)
        return;
    if (auto* highlighter = document()->findChild<QSyntaxHighlighter*>())
        highlighter->rehighlight();
    showCurrentLine();
}

void ProgramText::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = createStandardContextMenu();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addSeparator();
    menu->addAction(tr("Save as Text…"), this, [this] {
        const QString path =
            QFileDialog::getSaveFileName(window(), tr("Save Program"), QStringLiteral("program.pim"));
        QSaveFile file(path);
        if (!path.isEmpty() && file.open(QIODevice::WriteOnly) && file.write(toPlainText().toUtf8()) >= 0)
            file.commit();
    });
    menu->popup(event->globalPos());
}

} // namespace pim::views
