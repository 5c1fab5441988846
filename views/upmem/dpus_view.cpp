// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/dpus_view.h"

#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/figures_model.h"
#include "views/common/line_label.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/upmem/dpu_canvas.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScopeGuard>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>

namespace pim::views {
namespace {

constexpr int kTableWidth = 410;     ///< All columns are seen.
constexpr int kLeastForTable = 1000; ///< Pixels of the panel below which the floor plan gets all of the room.

QComboBox* newBox(const QString& name) {
    auto* box = new QComboBox;
    box->setAccessibleName(name);
    box->setToolTip(name);
    return box;
}

} // namespace

DpusView::DpusView(QWidget* parent)
    : QWidget(parent), m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("target"))),
      m_page(new QWidget), m_split(new QSplitter(Qt::Horizontal)), m_canvas(new DpuCanvas),
      m_table(new TableView), m_sorted(new QSortFilterProxyModel(this)),
      m_figures(newBox(tr("Figure that colours the DPUs"))),
      m_scopes(newBox(tr("Operators the figures are of"))), m_title(new LineLabel), m_status(new LineLabel) {
    setObjectName(QStringLiteral("DpusView"));
    setAccessibleName(tr("DPUs"));
    setProperty("helpTopic", QStringLiteral("upmem#panels"));
    buildTable();
    auto* layout = new QVBoxLayout(m_page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* bar = new QWidget;
    buildBar(bar);
    layout->addWidget(bar);
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(m_canvas);
    m_split->addWidget(m_table);
    m_split->setStretchFactor(0, 1);
    m_split->setStretchFactor(1, 0);
    m_split->setSizes({900, kTableWidth});
    layout->addWidget(m_split, 1);
    m_status->setContentsMargins(10, 2, 10, 3);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_status->setAccessibleName(tr("DPU under the pointer, or the chosen one"));
    layout->addWidget(m_status);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);

    connect(m_canvas, &DpuCanvas::hovered, this, &DpusView::tell);
    connect(m_canvas, &DpuCanvas::chosen, this, [this](int dpu) {
        showRow(dpu);
        tell(dpu);
        emit dpuChosen(dpu);
    });
    connect(m_figures, &QComboBox::currentIndexChanged, this, [this](int row) {
        m_canvas->setFigure(DpuFigure(row));
        m_figures->setToolTip(meaning(DpuFigure(row)));
    });
    connect(m_scopes, &QComboBox::currentIndexChanged, this, &DpusView::scopeChanged);
    setFacts(nullptr);
}

void DpusView::buildBar(QWidget* into) {
    auto* bar = new QHBoxLayout(into);
    bar->setContentsMargins(10, 4, 8, 2);
    bar->setSpacing(6);
    m_title->setTextFormat(Qt::RichText);
    m_title->setAccessibleName(tr("DPUs at work"));
    bar->addWidget(m_title, 1);
    for (int i = 0; i < int(DpuFigure::Count_); ++i)
        m_figures->addItem(views::title(DpuFigure(i)));
    m_scopes->addItems({tr("All operators"), tr("Selected operator")});
    for (const auto& [name, box] : {std::pair(tr("Colour"), m_figures), std::pair(tr("Of"), m_scopes)}) {
        auto* label = new QLabel(name);
        label->setBuddy(box);
        bar->addWidget(label);
        bar->addWidget(box);
    }
}

void DpusView::buildTable() {
    m_rows = new FiguresModel(
        {{tr("DPU"), QStringLiteral("dpu"), true, {}},
         {tr("Rank"), QStringLiteral("rank"), true, {}},
         {tr("Chip"), QStringLiteral("chip"), true, tr("Of the rank")},
         {tr("Busy"), QStringLiteral("busy (share)"), true, meaning(DpuFigure::Busy)},
         {tr("Kept"), QStringLiteral("mram kept (B)"), true, meaning(DpuFigure::MramKept)},
         {tr("At most"), QStringLiteral("mram at most (B)"), true, meaning(DpuFigure::MramPeak)}},
        this);
    m_sorted->setSourceModel(m_rows);
    m_sorted->setSortRole(Qt::EditRole);
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(0, Qt::AscendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    m_table->setAccessibleName(tr("Figures of all DPUs"));
    m_table->setExportName(QStringLiteral("dpus"));
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (!row.isValid() || m_isTold)
                    return;
                const int dpu = m_sorted->mapToSource(row).row();
                m_canvas->setCurrent(dpu);
                tell(dpu);
                emit dpuChosen(dpu);
            });
}

void DpusView::setFacts(std::shared_ptr<const DpuFacts> facts) {
    m_facts = facts && facts->dpus() > 0 ? std::move(facts) : nullptr;
    m_pages->setCurrentIndex(m_facts ? 1 : 0);
    m_canvas->setFacts(m_facts);
    std::vector<std::vector<Figure>> rows;
    for (int dpu = 0; m_facts && dpu < m_facts->dpus(); ++dpu) {
        const auto bytes = [&](DpuFigure figure) {
            return Figure{m_facts->valueText(dpu, figure), qint64(m_facts->value(dpu, figure)), {}};
        };
        rows.push_back({countFigure(dpu), countFigure(m_facts->rankOf(dpu)),
                        countFigure(m_facts->chipOf(dpu)), shareFigure(m_facts->value(dpu, DpuFigure::Busy)),
                        bytes(DpuFigure::MramKept), bytes(DpuFigure::MramPeak)});
    }
    m_rows->setRows(std::move(rows));
    m_table->fitColumns(130);
    updateTitle();
    m_page->setEnabled(true);
    showRow(m_canvas->current());
    tell(-1);
}

void DpusView::setEmptyText(const QString& missing, const QString& whatToDo) {
    m_empty->setText(missing, whatToDo);
}

QString DpusView::emptyText() const {
    return m_empty->text();
}

void DpusView::setNote(const QString& note) {
    m_note = note;
    updateTitle();
}

void DpusView::updateTitle() {
    const QString before =
        m_note.isEmpty() ? QString() : QStringLiteral("<i>%1</i> ").arg(m_note.toHtmlEscaped());
    m_title->setText(m_facts ? before + m_facts->headline() : QString());
}

void DpusView::setStale(bool stale) {
    m_page->setEnabled(!stale);
}

void DpusView::setSeen(bool seen) {
    emit seenChanged(seen);
}

bool DpusView::isOfSelectedOp() const {
    return m_scopes->currentIndex() == 1;
}

void DpusView::setCurrent(int dpu) {
    m_canvas->setCurrent(dpu);
    showRow(m_canvas->current());
    tell(-1);
}

void DpusView::showRow(int dpu) {
    m_isTold = true;
    const auto done = qScopeGuard([this] { m_isTold = false; });
    if (!m_facts || dpu < 0)
        return m_table->selectionModel()->clear();
    const QModelIndex row = m_sorted->mapFromSource(m_rows->index(dpu, 0));
    m_table->selectionModel()->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect |
                                                        QItemSelectionModel::Rows);
    m_table->scrollTo(row);
}

void DpusView::tell(int dpu) {
    const int shown = dpu >= 0 ? dpu : m_canvas->current();
    m_status->setText(!m_facts ? QString()
                      : shown >= 0
                          ? m_facts->describe(shown)
                          : tr("Point at a DPU, click to select it · wheel zooms, drag moves, F shows all"));
}

void DpusView::resizeEvent(QResizeEvent* event) {
    m_table->setVisible(width() >= kLeastForTable);
    QWidget::resizeEvent(event);
}

} // namespace pim::views
