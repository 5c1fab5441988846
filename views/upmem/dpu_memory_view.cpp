// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/dpu_memory_view.h"

#include "core/base/number_text.h"
#include "views/common/figures_model.h"
#include "views/common/icons.h"
#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/common/plot_ticks.h"
#include "views/common/table_view.h"
#include "views/common/text.h"

#include <QEvent>
#include <QHeaderView>
#include <QResizeEvent>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace pim::views {
namespace {

constexpr int kLeastHeightForTable = 250;

} // namespace

DpuMemoryView::DpuMemoryView(QWidget* parent)
    : OpPanel(QStringLiteral("DpuMemoryView"), tr("Memory of a DPU"), QStringLiteral("table"), parent),
      m_mram(new MemoryStrip(tr("MRAM from its first byte to its last"))),
      m_wram(new MemoryStrip(tr("WRAM from its first byte to its last"))), m_mramTitle(new LineLabel),
      m_wramTitle(new LineLabel), m_table(new TableView),
      m_rows(new FiguresModel(
          {{tr("Memory"), QStringLiteral("memory"), false, {}},
           {tr("Name"), QStringLiteral("name"), false, tr("Of the array or buffer in the code")},
           {tr("Tensor"), QStringLiteral("tensor"), false, tr("Of the network")},
           {tr("Tasklet"), QStringLiteral("tasklet"), true, tr("That it belongs to")},
           {tr("From byte"), QStringLiteral("begin (B)"), true, {}},
           {tr("Size"), QStringLiteral("size (B)"), true, {}},
           {tr("Share"), QStringLiteral("share of the memory"), true, {}},
           {tr("What"), QStringLiteral("what"), false, {}}},
          this)) {
    auto* strips = new QWidget;
    auto* layout = new QVBoxLayout(strips);
    layout->setContentsMargins(0, 2, 0, 0);
    layout->setSpacing(1);
    for (const auto& [title, strip, name] : {std::tuple(m_mramTitle, m_mram, tr("MRAM in use")),
                                             std::tuple(m_wramTitle, m_wram, tr("WRAM in use"))}) {
        title->setTextFormat(Qt::RichText);
        title->setContentsMargins(10, 0, 8, 0);
        title->setAccessibleName(name);
        layout->addWidget(title);
        layout->addWidget(strip, 1);
        connect(strip, &MemoryStrip::hovered, this, [this, strip = strip](int piece) { tell(strip, piece); });
        connect(strip, &MemoryStrip::chosen, this,
                [this, strip = strip](int piece) { choose(strip, piece); });
    }
    auto* all = toolButton(QStringLiteral("zoom-fit"), tr("Show all of both memories (F)"));
    auto* taken = toolButton(QStringLiteral("zoom-selection"), tr("Show what is taken of both memories (T)"));
    bar()->addWidget(taken);
    bar()->addWidget(all);
    for (MemoryStrip* strip : {m_mram, m_wram}) {
        connect(all, &QToolButton::clicked, strip, &MemoryStrip::fit);
        connect(taken, &QToolButton::clicked, strip, &MemoryStrip::fitTaken);
    }
    installPlotExport(m_mram, m_mram->exportSource(QStringLiteral("mram")));
    installPlotExport(m_wram, m_wram->exportSource(QStringLiteral("wram")));
    m_table->setModel(m_rows);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setAccessibleName(tr("Pieces of both memories"));
    m_table->setExportName(QStringLiteral("dpu_memory"));
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (!row.isValid())
                    return;
                const int first = int(m_mram->memory().pieces.size());
                const bool isMram = row.row() < first;
                m_mram->setCurrent(isMram ? row.row() : -1);
                m_wram->setCurrent(isMram ? -1 : row.row() - first);
                tell(isMram ? m_mram : m_wram, -1);
            });
    auto* split = new QSplitter(Qt::Vertical);
    split->setChildrenCollapsible(false);
    split->addWidget(strips);
    split->addWidget(m_table);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    body()->addWidget(split, 1);
    setEmptyText(tr("No memory to show"), tr("Select an operator that runs on DPUs."));
    setShown(nullptr);
}

DpuMemoryView::DpuMemoryView(Workspace& workspace, QWidget* parent) : DpuMemoryView(parent) {
    joinOpRuns(this, workspace);
}

void DpuMemoryView::showRun(const OpShown* shown) {
    m_mram->setPieces(shown ? mramPieces(*shown->run) : MemoryPieces());
    m_wram->setPieces(shown ? wramPieces(*shown->run) : MemoryPieces());
    m_mramTitle->setText(shown ? m_mram->memory().headline() : QString());
    m_wramTitle->setText(shown ? m_wram->memory().headline() : QString());
    if (shown)
        title()->setText(tr("<b>%1</b> · %2 tasklets")
                             .arg(text(shown->run->op).toHtmlEscaped())
                             .arg(shown->run->tasklets));
    fillTable();
    tell(m_mram, -1);
}

void DpuMemoryView::fillTable() {
    std::vector<std::vector<Figure>> rows;
    for (const MemoryStrip* strip : {m_mram, m_wram})
        for (const MemoryPiece& piece : strip->memory().pieces) {
            const double share =
                strip->memory().capacity > 0 ? double(piece.bytes) / double(strip->memory().capacity) : 0;
            QString what = views::title(piece.kind);
            if (!piece.what.isEmpty() && piece.kind != MemoryPiece::Kind::Free)
                what += QStringLiteral(" · ") + piece.what;
            if (strip->memory().beyond(piece) > 0)
                what = tr("does not fit · ") + what;
            rows.push_back({{strip->memory().name, {}, {}},
                            {piece.name, {}, colorOf(piece)},
                            {piece.tensor, {}, {}},
                            piece.tasklet < 0 ? Figure{} : countFigure(piece.tasklet),
                            countFigure(piece.begin),
                            {text(bytesText(double(piece.bytes))), qint64(piece.bytes), {}},
                            shareFigure(share),
                            {what, {}, {}}});
        }
    m_rows->setRows(std::move(rows));
    m_table->fitColumns(220);
}

void DpuMemoryView::choose(const MemoryStrip* strip, int piece) {
    const int row = strip == m_mram ? piece : int(m_mram->memory().pieces.size()) + piece;
    const QModelIndex index = m_rows->index(row, 0);
    m_table->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect |
                                                          QItemSelectionModel::Rows);
    m_table->scrollTo(index);
    tell(strip, -1);
}

void DpuMemoryView::tell(const MemoryStrip* strip, int piece) {
    if (piece < 0) {
        strip = m_mram->current() >= 0 ? m_mram : m_wram;
        piece = strip->current();
    }
    status()->setText(piece >= 0 ? strip->memory().describe(strip->memory().pieces[std::size_t(piece)])
                                 : tr("Point at a piece · wheel zooms, drag moves, double click shows one "
                                      "piece or all, T what is taken"));
}

void DpuMemoryView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && run()) { // colours stand in the table and in the titles
        fillTable();
        m_mramTitle->setText(m_mram->memory().headline());
        m_wramTitle->setText(m_wram->memory().headline());
    }
    OpPanel::changeEvent(event);
}

void DpuMemoryView::resizeEvent(QResizeEvent* event) {
    m_table->setVisible(height() >= kLeastHeightForTable);
    OpPanel::resizeEvent(event);
}

} // namespace pim::views
