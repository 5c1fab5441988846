// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cinm/level_text.h"

#include "views/common/palette.h"

#include <QRegularExpression>

#include <algorithm>

namespace pim::views {
namespace {

/// Beyond it colours would be felt when a level is opened.
constexpr int kMostColouredLines = 20000;

class LevelHighlighter final : public LineHighlighter {
public:
    using LineHighlighter::LineHighlighter;

protected:
    void highlightBlock(const QString& line) override {
        static const QRegularExpression location(QStringLiteral(" loc\\(.*$|^//.*$"));
        static const QRegularExpression value(QStringLiteral("%\\w+(?:#\\d+)?"));
        static const QRegularExpression op(QStringLiteral("\"([a-z]+\\.\\w+)\"\\("));
        static const QRegularExpression type(QStringLiteral("(?:tensor|memref|!\\w+\\.\\w+)<[^>]*>"));
        paint(line, type, 0, Role::OutputRearrangement, false);
        paint(line, value, 0, Role::Accent, false);
        paint(line, op, 1, Role::OnPim, true);
        paint(line, location, 0, Role::Muted, false);
    }
};

} // namespace

LevelText::LevelText(QWidget* parent) : LineText(parent) {
    m_markShare = 0.12;
}

void LevelText::setLevel(const ir::Level& level) {
    m_module = level.module;
    m_lines = level.printed.lines;
    m_opOfLine.assign(static_cast<std::size_t>(level.printed.lineCount), {});
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const ir::OperationId op(static_cast<std::int64_t>(i));
        m_opOfLine[static_cast<std::size_t>(m_lines[i].first)] = op;
        m_opOfLine[static_cast<std::size_t>(m_lines[i].last)] = op;
    }
    setMarkedLines({});
    auto* highlighter = document()->findChild<QSyntaxHighlighter*>();
    if (level.printed.lineCount > kMostColouredLines)
        delete highlighter;
    else if (!highlighter)
        new LevelHighlighter(document());
    setPlainText(QString::fromStdString(level.printed.text));
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
