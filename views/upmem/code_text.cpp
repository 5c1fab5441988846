// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/code_text.h"

#include "core/base/number_text.h"
#include "views/common/palette.h"
#include "views/common/text.h"
#include "views/common/tool_tips.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QMenu>
#include <QPaintEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSyntaxHighlighter>
#include <QTextBlock>

#include <algorithm>

namespace pim::views {
namespace {

constexpr int kBarWidth = 54;

/// Words of C, types, macros, numbers, comments.
class CHighlighter final : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& line) override {
        static const QRegularExpression word(
            QStringLiteral("\\b(if|else|for|while|do|return|break|continue|switch|case|static|const|volatile|"
                           "extern|struct|sizeof|"
                           "void|int|unsigned|char|short|long|u?int(8|16|32|64)_t)\\b"));
        static const QRegularExpression number(QStringLiteral("\\b(0x[0-9a-fA-F]+|\\d+)[uUlL]*\\b"));
        static const QRegularExpression macro(QStringLiteral("\\b[A-Z][A-Z0-9_]{2,}\\b"));
        static const QRegularExpression directive(QStringLiteral("^\\s*#\\s*\\w+"));
        static const QRegularExpression comment(QStringLiteral("//.*$"));
        static const QRegularExpression text(QStringLiteral("\"(?:[^\"\\\\]|\\\\.)*\""));
        paint(line, number, Role::Accent, false);
        paint(line, macro, Role::OnPim, false);
        paint(line, word, Role::NodeText, true);
        paint(line, directive, Role::ModeSwitch, true);
        paint(line, text, Role::OutputRearrangement, false);
        paint(line, comment, Role::Muted, false);
        paintLongComments(line);
    }

private:
    static QTextCharFormat formatOf(Role role, bool bold) {
        // Some roles are colours of areas: as text they are drawn towards the colour of text until they can be read.
        const QColor base = QGuiApplication::palette().color(QPalette::Base);
        QColor shown = color(role);
        for (double share = 0.1; contrast(shown, base) < 4.5 && share < 1; share += 0.1)
            shown = mix(color(role), color(Role::NodeText), share);
        QTextCharFormat format;
        format.setForeground(shown);
        format.setFontWeight(bold ? QFont::Bold : QFont::Normal);
        return format;
    }
    void paint(const QString& line, const QRegularExpression& what, Role role, bool bold) {
        for (auto it = what.globalMatch(line); it.hasNext();) {
            const auto match = it.next();
            setFormat(int(match.capturedStart()), int(match.capturedLength()), formatOf(role, bold));
        }
    }
    /// State 1: inside one that a line before began.
    void paintLongComments(const QString& line) {
        setCurrentBlockState(0);
        qsizetype from = previousBlockState() == 1 ? 0 : line.indexOf(QLatin1String("/*"));
        while (from >= 0) {
            const qsizetype end = line.indexOf(QLatin1String("*/"), from);
            const qsizetype length = end < 0 ? line.size() - from : end + 2 - from;
            if (end < 0)
                setCurrentBlockState(1);
            setFormat(int(from), int(length), formatOf(Role::Muted, false));
            from = end < 0 ? -1 : line.indexOf(QLatin1String("/*"), from + length);
        }
    }
};

} // namespace

/// Left of the text: number of the line, instructions, share, bar.
class CodeText::Gutter : public QWidget {
public:
    explicit Gutter(CodeText& text) : QWidget(&text), m_text(text) {}

protected:
    void paintEvent(QPaintEvent* event) override { m_text.paintGutter(event); }
    bool event(QEvent* event) override {
        return answerToolTip(event, this, [this](const QPoint& at) { return m_text.gutterTip(at.y()); }) ||
               QWidget::event(event);
    }

private:
    CodeText& m_text;
};

CodeText::CodeText(QWidget* parent) : QPlainTextEdit(parent), m_gutter(new Gutter(*this)) {
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setLineWrapMode(NoWrap);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setFrameShape(QFrame::NoFrame);
    new CHighlighter(document());
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
        if (dy)
            m_gutter->scroll(0, dy);
        else
            m_gutter->update(0, rect.y(), m_gutter->width(), rect.height());
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, &CodeText::showCurrentLine);
    layOutGutter();
    showCurrentLine();
}

void CodeText::setCode(const QString& code, std::vector<std::int64_t> issued, std::int64_t all) {
    m_issued = std::move(issued);
    m_all = all;
    m_most = 0;
    for (std::size_t line = 0; line < m_issued.size(); ++line)
        m_most = std::max(m_most, share(int(line)));
    m_marked.clear();
    setPlainText(code);
    layOutGutter();
    showCurrentLine();
}

double CodeText::share(int line) const {
    const bool has = line >= 0 && line < int(m_issued.size()) && m_issued[std::size_t(line)] > 0 && m_all > 0;
    return has ? double(m_issued[std::size_t(line)]) / double(m_all) : 0;
}

void CodeText::goToLine(int line) {
    setTextCursor(QTextCursor(document()->findBlockByNumber(line)));
    centerCursor();
}

void CodeText::setMarkedLines(std::vector<int> lines) {
    m_marked = std::move(lines);
    m_gutter->update();
}

bool CodeText::findNext(const QString& words, bool backwards) {
    if (words.isEmpty())
        return true;
    const auto flags = backwards ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    if (find(words, flags))
        return true;
    const QTextCursor before = textCursor();
    moveCursor(backwards ? QTextCursor::End : QTextCursor::Start);
    if (find(words, flags))
        return true;
    setTextCursor(before);
    return false;
}

QString CodeText::withFigures() const {
    QString lines = tr("line\tinstructions\tshare\tcode\n");
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        const int line = block.blockNumber();
        const bool has = line < int(m_issued.size()) && m_issued[std::size_t(line)] >= 0;
        lines += QStringLiteral("%1\t%2\t%3\t%4\n")
                     .arg(line + 1)
                     .arg(has ? QString::number(m_issued[std::size_t(line)]) : QString(),
                          has ? QString::number(share(line)) : QString(), block.text());
    }
    return lines;
}

void CodeText::layOutGutter() {
    std::int64_t most = 0;
    for (const std::int64_t issued : m_issued)
        most = std::max(most, issued);
    const int digits = int(QString::number(std::max(1, blockCount())).size());
    const int width = fontMetrics().horizontalAdvance(u'9') * (digits + 1) +
                      fontMetrics().horizontalAdvance(text(exactText(most)) + QStringLiteral("  100.0 %  ")) +
                      kBarWidth + 12;
    setViewportMargins(width, 0, 0, 0);
    const QRect inner = contentsRect();
    m_gutter->setGeometry(inner.left(), inner.top(), width, inner.height());
}

void CodeText::paintGutter(QPaintEvent* event) {
    QPainter painter(m_gutter);
    painter.fillRect(event->rect(), palette().color(QPalette::Window));
    painter.setFont(font());
    const double digit = fontMetrics().horizontalAdvance(u'9');
    const double numbers = digit * (int(QString::number(std::max(1, blockCount())).size()) + 1);
    const double bars = m_gutter->width() - kBarWidth - 6, shares = bars - digit * 9;
    QTextBlock block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    for (; block.isValid() && top <= event->rect().bottom(); block = block.next()) {
        const double height = blockBoundingRect(block).height();
        const int line = block.blockNumber();
        const bool isCurrent = line == currentLine();
        if (std::ranges::find(m_marked, line) != m_marked.end())
            painter.fillRect(QRectF(m_gutter->width() - 3, top, 3, height), color(Role::Accent));
        painter.setPen(isCurrent ? palette().color(QPalette::WindowText) : color(Role::Muted));
        painter.drawText(QRectF(0, top, numbers - digit / 2, height), Qt::AlignRight | Qt::AlignVCenter,
                         QString::number(line + 1));
        if (line < int(m_issued.size()) && m_issued[std::size_t(line)] >= 0) {
            const double part = share(line);
            painter.setPen(part > 0 ? palette().color(QPalette::WindowText) : color(Role::Muted));
            painter.drawText(QRectF(numbers, top, shares - numbers, height),
                             Qt::AlignRight | Qt::AlignVCenter, text(exactText(m_issued[std::size_t(line)])));
            painter.drawText(QRectF(shares, top, digit * 8, height), Qt::AlignRight | Qt::AlignVCenter,
                             part > 0 && part < 0.0005 ? QStringLiteral("<0.1 %") : text(percentText(part)));
            const double wide = m_most > 0 ? kBarWidth * part / m_most : 0;
            if (part > 0)
                painter.fillRect(QRectF(bars, top + 3, std::max(1.0, wide), height - 6),
                                 sequential(m_most > 0 ? 0.15 + 0.75 * part / m_most : 0));
        }
        top += height;
    }
}

QString CodeText::gutterTip(int y) const {
    const int line = cursorForPosition(QPoint(0, y)).blockNumber();
    if (line >= int(m_issued.size()) || m_issued[std::size_t(line)] < 0)
        return tr("Line %1: no instructions of its own").arg(line + 1);
    return tr("Line %1: %2 of %3 instructions issued by all tasklets, %4")
        .arg(line + 1)
        .arg(text(exactText(m_issued[std::size_t(line)])), text(exactText(m_all)),
             text(percentText(share(line))));
}

void CodeText::showCurrentLine() {
    QTextEdit::ExtraSelection current;
    current.cursor = textCursor();
    current.cursor.clearSelection();
    current.format.setBackground(mix(palette().color(QPalette::Base), color(Role::Selection), 0.18));
    current.format.setProperty(QTextFormat::FullWidthSelection, true);
    setExtraSelections({current});
    m_gutter->update();
}

void CodeText::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    layOutGutter();
}

void CodeText::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !m_gutter)
        return;
    if (auto* highlighter = document()->findChild<QSyntaxHighlighter*>())
        highlighter->rehighlight();
    showCurrentLine();
}

void CodeText::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Find) || event->key() == Qt::Key_Slash)
        return emit findRequested();
    QPlainTextEdit::keyPressEvent(event);
}

void CodeText::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = createStandardContextMenu();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addSeparator();
    menu->addAction(tr("Copy With Figures"), this,
                    [this] { QGuiApplication::clipboard()->setText(withFigures()); });
    menu->addAction(tr("Find…"), this, &CodeText::findRequested);
    menu->addAction(tr("Save as C…"), this, [this] {
        const QString path = QFileDialog::getSaveFileName(window(), tr("Save Code"), QStringLiteral("dpu.c"));
        QSaveFile file(path);
        if (!path.isEmpty() && file.open(QIODevice::WriteOnly) && file.write(toPlainText().toUtf8()) >= 0)
            file.commit();
    });
    menu->popup(event->globalPos());
}

} // namespace pim::views
