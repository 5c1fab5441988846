// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_text.h"

#include "views/common/palette.h"

#include <QContextMenuEvent>
#include <QFileDialog>
#include <QMenu>
#include <QRegularExpression>
#include <QSaveFile>

namespace pim::views {
namespace {

/// Section words, opcodes, operand names, numbers, texts. Both forms of code are made of these.
class CodeHighlighter final : public LineHighlighter {
public:
    using LineHighlighter::LineHighlighter;

protected:
    void highlightBlock(const QString& line) override {
        static const QRegularExpression number(QStringLiteral("\\b\\d+(\\.\\d+)?\\b"));
        static const QRegularExpression opcode(QStringLiteral("^\\s*(?:opcode )?([A-Z][A-Z0-9_]*)\\b"));
        static const QRegularExpression operand(QStringLiteral("\\b([a-z_]+)="));
        static const QRegularExpression keyword(
            QStringLiteral("^\\s*(pim-program|cim-flow|op|target|draft|opcode|phase|stream|loop|for|segment|"
                           "repeat|end)\\b"));
        static const QRegularExpression text(QStringLiteral("\"(?:[^\"\\\\]|\\\\.)*\""));
        paint(line, number, 0, Role::Accent, false);
        paint(line, operand, 1, Role::Muted, false);
        paint(line, opcode, 1, Role::OnPim, true);
        paint(line, keyword, 1, Role::NodeText, true);
        paint(line, text, 0, Role::OutputRearrangement, false);
    }
};

} // namespace

ProgramText::ProgramText(QWidget* parent) : LineText(parent) {
    new CodeHighlighter(document());
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
