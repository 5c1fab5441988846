// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/code_view.h"

#include "core/base/number_text.h"
#include "views/common/figures_model.h"
#include "views/common/icons.h"
#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/upmem/code_text.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QShortcut>
#include <QSplitter>
#include <QToolButton>

#include <algorithm>
#include <numeric>

namespace pim::views {
namespace {

constexpr int kLeastBesideCode = 720; ///< Pixels of the panel from which instructions stand beside the code.

} // namespace

std::vector<int> instructionsOf(const upmem::OpOnDpu& run, int statement) {
    std::vector<int> places;
    const upmem::TaskletProgram& program = run.program;
    for (std::size_t i = 0; i < program.program.code.size(); ++i)
        if ((i < program.statementAt.size() ? program.statementAt[i] : -1) == statement)
            places.push_back(int(i));
    return places;
}

CodeListing listingOf(const upmem::OpOnDpu& run) {
    CodeListing listing;
    if (run.c.empty()) {
        listing.isC = false;
        listing.statementOfLine = run.program.statementAt;
        listing.issued = run.run.issuedAt;
        for (const upmem::DpuInstruction& instruction : run.program.program.code)
            listing.text += text(upmem::text(instruction)) + u'\n';
        return listing;
    }
    listing.text = text(run.c);
    listing.statementOfLine = run.statementOfLine;
    listing.issued.assign(run.statementOfLine.size(), -1);
    std::vector<bool> told(run.issuedOfStatement.size());
    for (std::size_t line = 0; line < listing.issued.size(); ++line) {
        const int statement = run.statementOfLine[line];
        if (statement < 0 || std::size_t(statement) >= told.size() || told[std::size_t(statement)])
            continue;
        told[std::size_t(statement)] = true;
        listing.issued[line] = run.issuedOfStatement[std::size_t(statement)];
    }
    return listing;
}

DpuCodeView::DpuCodeView(QWidget* parent)
    : OpPanel(QStringLiteral("DpuCodeView"), tr("Code of a DPU"), QStringLiteral("table"), parent),
      m_code(new CodeText), m_table(new TableView),
      m_rows(new FiguresModel(
          {{tr("Place"), QStringLiteral("place"), true, tr("Of the instruction in the program")},
           {tr("Instruction"), QStringLiteral("instruction"), false, {}},
           {tr("Issued"), QStringLiteral("issued (instructions)"), true,
            tr("How often, by all tasklets together")},
           {tr("Share"), QStringLiteral("share"), true, tr("Of all instructions of the run")}},
          this)),
      m_find(new QLineEdit), m_statement(new LineLabel) {
    m_code->setAccessibleName(tr("C code of every tasklet"));
    m_find->setPlaceholderText(tr("Find"));
    m_find->setAccessibleName(tr("Find in the code"));
    m_find->setToolTip(
        tr("Find in the code (Ctrl+F): Enter goes to the next place, Shift+Enter to the one before"));
    m_find->setClearButtonEnabled(true);
    m_find->setMaximumWidth(160);
    m_find->setMinimumWidth(70);
    bar()->addWidget(m_find);
    auto* hottest = toolButton(QStringLiteral("search"), tr("Go to the hottest line"));
    bar()->addWidget(hottest);

    m_table->setModel(m_rows);
    m_table->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    m_table->setAccessibleName(tr("Instructions of the current line"));
    m_table->setExportName(QStringLiteral("instructions"));
    m_statement->setContentsMargins(8, 3, 8, 3);
    m_statement->setAccessibleName(tr("What the instructions are of"));
    auto* side = new QWidget;
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_statement);
    column->addWidget(m_table, 1);
    auto* split = new QSplitter(Qt::Horizontal);
    split->setObjectName(QStringLiteral("split"));
    split->setChildrenCollapsible(false);
    split->addWidget(m_code);
    split->addWidget(side);
    split->setStretchFactor(0, 5);
    split->setStretchFactor(1, 2);
    body()->addWidget(split, 1);
    setFocusProxy(m_code);

    connect(m_code, &QPlainTextEdit::cursorPositionChanged, this, &DpuCodeView::takeLine);
    connect(m_code, &CodeText::findRequested, this, [this] {
        m_find->setFocus();
        m_find->selectAll();
    });
    connect(m_find, &QLineEdit::returnPressed, this, [this] { search(false); });
    auto* before = new QShortcut(Qt::SHIFT | Qt::Key_Return, m_find, nullptr, nullptr, Qt::WidgetShortcut);
    connect(before, &QShortcut::activated, this, [this] { search(true); });
    auto* next = new QShortcut(Qt::Key_F3, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    connect(next, &QShortcut::activated, this, [this] { search(false); });
    connect(hottest, &QToolButton::clicked, this, [this] {
        if (!m_listing.issued.empty())
            m_code->goToLine(int(std::ranges::max_element(m_listing.issued) - m_listing.issued.begin()));
    });
    setEmptyText(tr("No code to show"), tr("Select an operator that runs on DPUs."));
    setShown(nullptr);
}

DpuCodeView::DpuCodeView(Workspace& workspace, QWidget* parent) : DpuCodeView(parent) {
    joinOpRuns(this, workspace);
}

void DpuCodeView::search(bool backwards) {
    const bool found = m_code->findNext(m_find->text(), backwards);
    QPalette colours = palette();
    if (!found)
        colours.setColor(QPalette::Text, color(Role::Bad));
    m_find->setPalette(colours);
    if (!found)
        status()->setText(tr("“%1” is nowhere in the code").arg(m_find->text()));
}

void DpuCodeView::showRun(const OpShown* shown) {
    m_listing = shown ? listingOf(*shown->run) : CodeListing();
    const auto& issued = m_listing.issued;
    m_code->setCode(m_listing.text, issued, shown ? shown->run->run.instructions : 0);
    m_rows->setRows({});
    if (!shown)
        return;
    const upmem::OpOnDpu& run = *shown->run;
    std::int64_t besides = 0;
    for (const int place : instructionsOf(run, -1))
        besides += std::size_t(place) < run.run.issuedAt.size() ? run.run.issuedAt[std::size_t(place)] : 0;
    title()->setText(
        tr("<b>%1</b> · %2 instructions issued, %3 of them by start and routines · program of %4")
            .arg(text(run.op).toHtmlEscaped(), text(exactText(run.run.instructions)),
                 text(percentText(run.run.instructions > 0 ? double(besides) / double(run.run.instructions)
                                                           : 0)),
                 text(exactText(std::ssize(run.program.program.code)))));
    m_code->goToLine(int(std::ranges::max_element(issued) - issued.begin()));
    takeLine();
}

int DpuCodeView::statementAt(int line) const {
    const auto& lines = m_listing.statementOfLine;
    return line >= 0 && std::size_t(line) < lines.size() ? lines[std::size_t(line)] : -1;
}

void DpuCodeView::takeLine() {
    if (!run())
        return;
    const int line = m_code->currentLine(), statement = statementAt(line);
    std::vector<int> marked;
    for (int other = 0; statement >= 0 && other < int(m_listing.statementOfLine.size()); ++other)
        if (statementAt(other) == statement)
            marked.push_back(other);
    m_code->setMarkedLines(std::move(marked));
    const auto all = run()->run.instructions;
    std::vector<std::vector<Figure>> rows;
    std::int64_t issued = 0;
    // A line that is no statement shows what no statement has: the start and the routines.
    for (const int place : instructionsOf(*run(), statement)) {
        const std::int64_t times =
            std::size_t(place) < run()->run.issuedAt.size() ? run()->run.issuedAt[std::size_t(place)] : 0;
        issued += times;
        rows.push_back({countFigure(place),
                        {text(upmem::text(run()->program.program.code[std::size_t(place)])), {}, {}},
                        countFigure(times),
                        shareFigure(all > 0 ? double(times) / double(all) : 0)});
    }
    const QString what = statement >= 0 ? tr("Line %1").arg(line + 1) : tr("Start and routines");
    m_statement->setText(tr("%1: %2 instructions, issued %3 times")
                             .arg(what, text(exactText(std::ssize(rows))), text(exactText(issued))));
    status()->setText(tr("%1 · %2 of %3 instructions issued, %4")
                          .arg(what, text(exactText(issued)), text(exactText(all)),
                               text(percentText(all > 0 ? double(issued) / double(all) : 0))));
    m_rows->setRows(std::move(rows));
    m_table->fitColumns(260);
}

void DpuCodeView::resizeEvent(QResizeEvent* event) {
    findChild<QSplitter*>(QStringLiteral("split"))
        ->setOrientation(width() >= kLeastBesideCode ? Qt::Horizontal : Qt::Vertical);
    OpPanel::resizeEvent(event);
}

} // namespace pim::views
