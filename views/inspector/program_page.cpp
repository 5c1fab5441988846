// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/program_page.h"

#include "views/common/palette.h"
#include "views/models/workspace.h"

#include <QEvent>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPointer>
#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <QVBoxLayout>

namespace pim::views {
namespace {

constexpr qsizetype kShownCharacters = 2'000'000; ///< More is of no use on a screen; the bundle has all of it.

/// Section words, loops, opcodes, numbers, comments.
class ProgramHighlighter final : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& line) override {
        static const QRegularExpression number(QStringLiteral("\\b\\d+\\b"));
        static const QRegularExpression opcode(QStringLiteral("\\b[A-Z][A-Z0-9_]+\\b"));
        static const QRegularExpression keyword(QStringLiteral("^\\s*(program|opcode|phase|stream|repeat|loop|for|end|op|target|draft)\\b"));
        const auto paint = [&](const QRegularExpression& what, Role role, bool bold) {
            QTextCharFormat format;
            format.setForeground(color(role));
            format.setFontWeight(bold ? QFont::Bold : QFont::Normal);
            for (auto it = what.globalMatch(line); it.hasNext();) {
                const auto match = it.next();
                setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()), format);
            }
        };
        paint(number, Role::Accent, false);
        paint(opcode, Role::OnPim, true);
        paint(keyword, Role::Muted, true);
    }
};

} // namespace

ProgramPage::ProgramPage(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_summary(new QLabel), m_text(new QPlainTextEdit) {
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_summary->setAccessibleName(tr("Command counts"));
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setAccessibleName(tr("Program of the selected op"));
    new ProgramHighlighter(m_text->document());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->addWidget(m_summary);
    layout->addWidget(m_text, 1);
    connect(&workspace, &Workspace::planChanged, this, &ProgramPage::refresh);
    connect(&workspace, &Workspace::selectionChanged, this, &ProgramPage::refresh);
}

QString ProgramPage::text() const { return m_text->toPlainText(); }

void ProgramPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void ProgramPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        if (auto* highlighter = m_text->document()->findChild<QSyntaxHighlighter*>())
            highlighter->rehighlight();
}

void ProgramPage::show(const QString& summary, const QString& program) {
    m_summary->setText(summary);
    m_text->setPlainText(program);
    m_text->setVisible(!program.isEmpty());
}

void ProgramPage::refresh() {
    if (!isVisible() || m_workspace.isStale())
        return;
    const auto plan = m_workspace.plan();
    const OpId op = m_workspace.selection().op;
    if (plan == m_plan && op.value == m_op)
        return;
    if (m_task)
        m_workspace.tasks()->cancel(std::exchange(m_task, 0));
    m_plan = plan;
    m_op = op.value;
    const Backend* backend = m_workspace.backend();
    if (!plan || !op.valid() || !backend)
        return show(tr("Select an op placed on PIM to see its commands."), {});
    if (plan->opPlan(op).placement != Placement::Pim)
        return show(tr("This op runs on the host: it has no PIM commands."), {});
    show(tr("Lowering…"), {});
    m_task = m_workspace.tasks()->start(
        tr("Lowering %1").arg(QString::fromStdString(plan->graph->op(op).name)),
        [this, plan, op, backend](const TaskContext& task) -> std::function<void()> {
            QString summary, text;
            if (const auto files = backend->lower(*plan, op, task)) {
                summary = QString::fromStdString(files->front().summary);
                text = QString::fromStdString(files->front().text);
                if (text.size() > kShownCharacters)
                    text = text.left(kShownCharacters) + tr("\n… export the bundle for the rest");
            } else {
                summary = QString::fromStdString(files.error().text());
            }
            return [page = QPointer<ProgramPage>(this), summary, text] {
                if (!page)
                    return;
                page->m_task = 0;
                page->show(summary, text);
            };
        });
}

} // namespace pim::views
