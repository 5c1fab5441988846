// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/line_text.h"

#include "views/common/palette.h"

#include <QFontDatabase>
#include <QPaintEvent>
#include <QPainter>
#include <QPointer>
#include <QRegularExpression>
#include <QTextBlock>

#include <algorithm>

namespace pim::views {

/// Some roles are colours of areas.
QColor readable(Role role) {
    const QColor base = color(Role::Canvas);
    QColor shown = color(role);
    for (double share = 0.1; contrast(shown, base) < 4.5 && share < 1; share += 0.1)
        shown = mix(color(role), color(Role::NodeText), share);
    return shown;
}

void LineHighlighter::paint(const QString& line, const QRegularExpression& what, int group, Role role,
                            bool bold) {
    QTextCharFormat format;
    format.setForeground(readable(role));
    format.setFontWeight(bold ? QFont::Bold : QFont::Normal);
    for (auto it = what.globalMatch(line); it.hasNext();) {
        const auto match = it.next();
        setFormat(int(match.capturedStart(group)), int(match.capturedLength(group)), format);
    }
}

/// Line numbers, left of the text.
class LineText::Margin : public QWidget {
public:
    explicit Margin(LineText& text) : QWidget(&text), m_text(text) {}

protected:
    void paintEvent(QPaintEvent* event) override { m_text.paintMargin(event); }

private:
    LineText& m_text;
};

LineText::LineText(QWidget* parent) : QPlainTextEdit(parent), m_margin(new Margin(*this)) {
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setLineWrapMode(NoWrap);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setFrameShape(QFrame::NoFrame);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &LineText::layOutMargin);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
        if (dy)
            m_margin->scroll(0, dy);
        else
            m_margin->update(0, rect.y(), m_margin->width(), rect.height());
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, &LineText::showLines);
    layOutMargin();
    showLines();
}

void LineText::takeDocument(std::unique_ptr<QTextDocument> document) {
    const QPointer<QTextDocument> before = this->document();
    document->setParent(this);
    document->setDefaultFont(font());
    setDocument(document.release());
    if (before && before->parent() == this) // the first is the editor's own, and gone
        delete before;
    layOutMargin();
}

void LineText::goToLine(int line) {
    QTextCursor cursor(document()->findBlockByNumber(line));
    setTextCursor(cursor);
    centerCursor();
}

void LineText::setMarkedLines(std::vector<int> lines) {
    m_marked = std::move(lines);
    showLines();
}

void LineText::setChangedLines(std::vector<int> lines) {
    m_changed = std::move(lines);
    m_margin->update();
}

void LineText::layOutMargin() {
    const int digits = int(QString::number(std::max(1, blockCount())).size());
    const int width = fontMetrics().horizontalAdvance(u'9') * (digits + 2);
    setViewportMargins(width, 0, 0, 0);
    const QRect inner = contentsRect();
    m_margin->setGeometry(inner.left(), inner.top(), width, inner.height());
}

void LineText::paintMargin(QPaintEvent* event) {
    QPainter painter(m_margin);
    painter.fillRect(event->rect(), palette().color(QPalette::Window));
    painter.setFont(font());
    QTextBlock block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    for (; block.isValid() && top <= event->rect().bottom(); block = block.next()) {
        const double height = blockBoundingRect(block).height();
        const int line = block.blockNumber();
        if (std::ranges::binary_search(m_changed, line))
            painter.fillRect(QRectF(0, top, 3, height), color(Role::OutputRearrangement));
        if (std::ranges::binary_search(m_marked, line))
            painter.fillRect(QRectF(m_margin->width() - 3, top, 3, height), color(Role::Accent));
        painter.setPen(line == currentLine() ? palette().color(QPalette::WindowText) : color(Role::Muted));
        painter.drawText(QRectF(0, top, m_margin->width() - fontMetrics().horizontalAdvance(u'9'), height),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(line + 1));
        top += height;
    }
}

void LineText::showLines() {
    QList<QTextEdit::ExtraSelection> shown;
    const auto add = [&](const QTextCursor& cursor, double share) {
        QTextEdit::ExtraSelection& line = shown.emplace_back();
        line.cursor = cursor;
        line.cursor.clearSelection();
        line.format.setBackground(mix(palette().color(QPalette::Base), color(Role::Selection), share));
        line.format.setProperty(QTextFormat::FullWidthSelection, true);
    };
    for (const int line : m_marked)
        if (m_markShare > 0 && line != currentLine())
            add(QTextCursor(document()->findBlockByNumber(line)), m_markShare);
    add(textCursor(), 0.18 + m_markShare);
    setExtraSelections(shown);
    m_margin->update();
}

void LineText::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    layOutMargin();
}

void LineText::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !m_margin)
        return;
    if (auto* highlighter = document()->findChild<QSyntaxHighlighter*>())
        highlighter->rehighlight();
    showLines();
}

} // namespace pim::views
