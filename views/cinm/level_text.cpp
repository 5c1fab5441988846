// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cinm/level_text.h"

#include "views/common/palette.h"

#include <QPlainTextDocumentLayout>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextLayout>

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace pim::views {
namespace {

/// Text colours of one line.
QList<QTextLayout::FormatRange> coloursOf(const QString& line) {
    static const QRegularExpression type(QStringLiteral("(?:tensor|memref|!\\w+\\.\\w+)<[^>]*>"));
    static const QRegularExpression value(QStringLiteral("%\\w+(?:#\\d+)?"));
    static const QRegularExpression op(QStringLiteral("\"([a-z]+\\.\\w+)\"\\("));
    static const QRegularExpression location(QStringLiteral(" loc\\(.*$|^//.*$"));
    QList<QTextLayout::FormatRange> ranges;
    const auto paint = [&](const QRegularExpression& what, int group, Role role, bool bold) {
        QTextCharFormat format;
        format.setForeground(readable(role));
        format.setFontWeight(bold ? QFont::Bold : QFont::Normal);
        for (auto it = what.globalMatch(line); it.hasNext();) {
            const auto match = it.next();
            ranges.append({int(match.capturedStart(group)), int(match.capturedLength(group)), format});
        }
    };
    paint(type, 0, Role::OutputRearrangement, false);
    paint(value, 0, Role::Accent, false);
    paint(op, 1, Role::OnPim, true);
    paint(location, 0, Role::Muted, false); // last: it lies over what it contains
    return ranges;
}

} // namespace

std::unique_ptr<QTextDocument> textDocument(const std::string& text, QThread* thread) {
    auto document = std::make_unique<QTextDocument>();
    document->setDocumentLayout(new QPlainTextDocumentLayout(document.get()));
    document->setUndoRedoEnabled(false);
    document->setPlainText(QString::fromStdString(text));
    document->moveToThread(thread);
    return document;
}

namespace {

/// "%12 = "cinm.add"(%3, %4) : … loc(…)" without what counts: what it says.
std::string whatItSays(std::string_view line) {
    std::string said;
    if (const std::size_t place = line.find(" loc("); place != std::string_view::npos)
        line = line.substr(0, place);
    for (std::size_t i = 0; i < line.size(); ++i) {
        said += line[i];
        if (line[i] == '%')
            while (i + 1 < line.size() && (std::isalnum(static_cast<unsigned char>(line[i + 1])) != 0))
                ++i;
    }
    return said;
}

template <class Visit>
void forEachLine(const std::string& text, Visit visit) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        visit(std::string_view(text).substr(begin, end - begin));
        begin = end + 1;
    }
}

} // namespace

std::vector<int> changedLines(const std::string& before, const std::string& after) {
    std::unordered_map<std::string, int> known;
    forEachLine(before, [&](std::string_view line) { ++known[whatItSays(line)]; });
    std::vector<int> changed;
    int number = 0;
    forEachLine(after, [&](std::string_view line) {
        if (--known[whatItSays(line)] < 0)
            changed.push_back(number);
        ++number;
    });
    return changed;
}

LevelText::LevelText(QWidget* parent) : LineText(parent) {
    m_markShare = 0.12;
}

void LevelText::setLevel(const ir::Level& level, std::unique_ptr<QTextDocument> document) {
    m_module = level.module;
    m_lines = level.printed.lines;
    m_opOfLine.assign(static_cast<std::size_t>(level.printed.lineCount), {});
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const ir::OperationId op(static_cast<std::int64_t>(i));
        m_opOfLine[static_cast<std::size_t>(m_lines[i].first)] = op;
        m_opOfLine[static_cast<std::size_t>(m_lines[i].last)] = op;
    }
    setMarkedLines({});
    takeDocument(std::move(document));
    colourVisible();
}

void LevelText::scrollContentsBy(int dx, int dy) {
    LineText::scrollContentsBy(dx, dy);
    colourVisible();
}

void LevelText::resizeEvent(QResizeEvent* event) {
    LineText::resizeEvent(event);
    colourVisible();
}

void LevelText::changeEvent(QEvent* event) {
    LineText::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        colourVisible();
}

void LevelText::colourVisible() {
    const int theme = 1 + static_cast<int>(currentTheme()); // what a line is coloured for
    const int last =
        firstVisibleBlock().blockNumber() + viewport()->height() / std::max(1, fontMetrics().height()) + 1;
    for (QTextBlock block = firstVisibleBlock(); block.isValid() && block.blockNumber() <= last;
         block = block.next()) {
        if (block.userState() == theme)
            continue;
        block.setUserState(theme);
        block.layout()->setFormats(coloursOf(block.text()));
        document()->markContentsDirty(block.position(), block.length());
    }
}

ir::OperationId LevelText::opAt(int line) const {
    return line >= 0 && static_cast<std::size_t>(line) < m_opOfLine.size()
               ? m_opOfLine[static_cast<std::size_t>(line)]
               : ir::OperationId();
}

int LevelText::lineOf(ir::OperationId op) const {
    return op.valid() && op.index() < m_lines.size() ? m_lines[op.index()].first : 0;
}

void LevelText::markOps(const std::vector<ir::OperationId>& ops) {
    std::vector<int> lines;
    for (const ir::OperationId op : ops) {
        lines.push_back(m_lines[op.index()].first);
        lines.push_back(m_lines[op.index()].last);
    }
    std::ranges::sort(lines);
    lines.erase(std::ranges::unique(lines).begin(), lines.end());
    setMarkedLines(std::move(lines));
}

} // namespace pim::views
