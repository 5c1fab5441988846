// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/drafts/drafts_view.h"

#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/table_view.h"
#include "views/drafts/draft_filter.h"
#include "views/models/workspace.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <cmath>

namespace pim::views {
namespace {

double rearrangementNs(const CostSplit& cost) { return cost.inputNs + cost.outputNs; }

/// Drafts no other draft beats in both compute and rearrangement, by compute ascending.
/// \p order: positions sorted by (compute, rearrangement).
std::vector<std::size_t> paretoFront(const Exploration& exploration) {
    std::vector<std::size_t> order(exploration.drafts.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const CostSplit &x = exploration.costs[a], &y = exploration.costs[b];
        return std::pair(x.computeNs, rearrangementNs(x)) < std::pair(y.computeNs, rearrangementNs(y));
    });
    std::vector<std::size_t> front;
    double lowest = HUGE_VAL;
    for (const std::size_t i : order)
        if (rearrangementNs(exploration.costs[i]) < lowest) {
            lowest = rearrangementNs(exploration.costs[i]);
            front.push_back(i);
        }
    return front;
}

/// A million overlapping dots tell no more than one a pixel: keep the first draft of every cell of a fine grid.
std::vector<std::size_t> onePerPixel(const Exploration& exploration) {
    constexpr int kCells = 600;
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (const CostSplit& cost : exploration.costs) {
        const double at[2] = {cost.computeNs, rearrangementNs(cost)};
        for (int axis = 0; axis < 2; ++axis) {
            low[axis] = std::min(low[axis], at[axis]);
            high[axis] = std::max(high[axis], at[axis]);
        }
    }
    const auto cell = [&](double value, int axis) {
        const double range = std::log(std::max(high[axis], 1e-3)) - std::log(std::max(low[axis], 1e-3));
        return range > 0 ? static_cast<int>((std::log(std::max(value, 1e-3)) - std::log(std::max(low[axis], 1e-3))) / range * (kCells - 1)) : 0;
    };
    std::vector<bool> taken(kCells * kCells);
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < exploration.costs.size(); ++i) {
        const auto at = static_cast<std::size_t>(cell(exploration.costs[i].computeNs, 0) * kCells +
                                                 cell(rearrangementNs(exploration.costs[i]), 1));
        if (!taken[at]) {
            taken[at] = true;
            shown.push_back(i);
        }
    }
    return shown;
}

} // namespace

DraftsView::DraftsView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(new DraftsModel(this)), m_pages(new QStackedWidget),
      m_empty(new EmptyState(QStringLiteral("search"))), m_title(new QLabel), m_counts(new QLabel), m_filter(new QLineEdit), m_rejected(new QCheckBox),
      m_table(new TableView), m_plot(new QCustomPlot), m_use(new QPushButton(tr("Use This Draft"))),
      m_reset(new QPushButton(tr("Compiler's Choice"))), m_why(new QLabel) {
    setObjectName(QStringLiteral("DraftsView"));
    setAccessibleName(tr("Drafts of the selected op"));

    m_title->setTextFormat(Qt::RichText);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_counts->setWordWrap(true);
    m_why->setWordWrap(true);
    m_filter->setPlaceholderText(tr("Filter: total<10us groups>=4 b+1"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setAccessibleName(tr("Filter of the drafts"));
    m_rejected->setText(tr("Show rejected"));
    m_rejected->setToolTip(tr("Also list drafts that were pruned, with the rule (the first %1 of each rule)").arg(Exploration::kRejectedShown));
    m_rejected->setAccessibleName(m_rejected->text());

    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setAlternatingRowColors(true);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 6);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setAccessibleName(tr("Table of drafts"));
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);

    m_use->setToolTip(tr("Make the selected draft the one the compiler must use for this op (undoable)"));
    m_reset->setToolTip(tr("Drop the override and let the compiler choose again"));
    m_use->setAccessibleName(m_use->text());
    m_reset->setAccessibleName(m_reset->text());

    m_plot->setAccessibleName(tr("Scatter of compute time against rearrangement time"));
    m_plot->setMinimumHeight(140);
    m_plot->setMinimumWidth(180);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_points = m_plot->addGraph();
    m_front = m_plot->addGraph();
    m_current = m_plot->addGraph();
    m_selected = m_plot->addGraph();
    m_points->setName(tr("drafts"));
    m_front->setName(tr("Pareto front"));
    m_current->setName(tr("in force"));
    m_selected->setName(tr("selected"));
    m_plot->legend->setVisible(true);
    // In a row of its own above the points: inside, it would hide the slow drafts.
    m_plot->plotLayout()->insertRow(0);
    m_plot->plotLayout()->addElement(0, 0, m_plot->legend);
    m_plot->plotLayout()->setRowStretchFactor(0, 0.001);
    m_plot->legend->setWrap(2);
    m_plot->legend->setFillOrder(QCPLegend::foRowsFirst);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
        axis->setNumberFormat(QStringLiteral("gbc"));
        axis->setNumberPrecision(3);
    }
    m_plot->installEventFilter(this);
    labelPlot();
    installPlotExport(m_plot, QStringLiteral("drafts"));

    auto* bar = new QHBoxLayout;
    bar->addWidget(m_filter, 1);
    bar->addWidget(m_rejected);
    auto* actions = new QHBoxLayout;
    actions->addWidget(m_use);
    actions->addWidget(m_reset);
    actions->addStretch(1);
    auto* left = new QWidget;
    auto* leftLayout = new QVBoxLayout(left);
    leftLayout->setContentsMargins(0, 0, 0, 0);
    leftLayout->addLayout(bar);
    leftLayout->addWidget(m_table, 1);
    leftLayout->addLayout(actions);
    auto* splitter = new QSplitter;
    splitter->addWidget(left);
    splitter->addWidget(m_plot);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({330, 220});
    splitter->setChildrenCollapsible(false);
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    layout->addWidget(m_title);
    layout->addWidget(m_counts);
    layout->addWidget(splitter, 1);
    layout->addWidget(m_why);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);

    connect(&workspace, &Workspace::explorationChanged, this, &DraftsView::showExploration);
    connect(&workspace, &Workspace::selectionChanged, this, &DraftsView::showSelection);
    connect(&workspace, &Workspace::planChanged, this, &DraftsView::showSelection);
    connect(m_rejected, &QCheckBox::toggled, this, [this](bool on) {
        m_model->setShowRejected(on);
        showSelection();
    });
    connect(m_filter, &QLineEdit::textChanged, this, &DraftsView::applyFilter);
    connect(m_use, &QPushButton::clicked, this, &DraftsView::useSelected);
    connect(m_table, &QAbstractItemView::doubleClicked, this, &DraftsView::useSelected);
    connect(m_reset, &QPushButton::clicked, this, [this] {
        if (const OpId op = m_workspace.selection().op; op.valid() && m_workspace.graph())
            m_workspace.clearOverride(m_workspace.graph()->op(op).name, "draft");
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        Selection selection = m_workspace.selection();
        const Draft* draft = m_model->draftAt(row.row());
        if (!draft || selection.draft == *draft)
            return;
        selection.draft = *draft;
        m_workspace.select(selection);
    });
    connect(m_plot, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        if (event->button() == Qt::LeftButton)
            pickInPlot(event->pos());
    });
    styleGraphs();
    showExploration();
}

/// What is cut off says nothing: a narrow plot has a narrow legend and short labels.
void DraftsView::labelPlot() {
    const bool narrow = m_plot->width() < 330;
    m_plot->legend->setWrap(narrow ? 1 : 2);
    m_plot->xAxis->setLabel(narrow ? tr("compute, ns") : tr("compute, ns (predicted)"));
    m_plot->yAxis->setLabel(narrow || m_plot->height() < 330 ? tr("rearrangement, ns") : tr("rearrangement in + out, ns (predicted)"));
    const bool legend = !narrow || m_plot->height() > 330;
    m_plot->legend->setVisible(legend);
    // What is not seen takes no room either. 0 would mean: as much as its content wants.
    m_plot->legend->setMinimumSize(legend ? QSize(0, 0) : QSize(1, 1));
    m_plot->legend->setMaximumSize(QWIDGETSIZE_MAX, legend ? QWIDGETSIZE_MAX : 1);
}

bool DraftsView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_plot && event->type() == QEvent::Resize)
        labelPlot();
    return QWidget::eventFilter(watched, event);
}

void DraftsView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        styleGraphs();
    QWidget::changeEvent(event);
}

void DraftsView::styleGraphs() {
    stylePlot(m_plot);
    const auto dots = [](QCPGraph* graph, QCPScatterStyle::ScatterShape shape, Role role, double size) {
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setScatterStyle(QCPScatterStyle(shape, QPen(color(role), 1.6), Qt::NoBrush, size));
    };
    dots(m_points, QCPScatterStyle::ssDisc, Role::Muted, 3);
    dots(m_current, QCPScatterStyle::ssDiamond, Role::Accent, 13);
    dots(m_selected, QCPScatterStyle::ssCircle, Role::Selection, 13);
    m_front->setLineStyle(QCPGraph::lsStepLeft);
    m_front->setPen(QPen(color(Role::Compute), 1.5));
    m_front->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, color(Role::Compute), 5));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void DraftsView::showExploration() {
    const auto exploration = m_workspace.exploration();
    m_model->setExploration(exploration);
    if (!exploration) {
        const QString note = m_workspace.explorationNote();
        m_empty->setText(tr("No drafts to show"), note.isEmpty() ? tr("Select an op in the graph to see its drafts") : note);
        m_pages->setCurrentIndex(0);
        return;
    }
    m_pages->setCurrentIndex(1);
    applyFilter();
    for (int column = 0; column < m_model->columnCount(); ++column)
        m_table->resizeColumnToContents(column);
    updateTitle();
    updatePlot();
    showSelection();
}

void DraftsView::updateTitle() {
    const Exploration& exploration = *m_workspace.exploration();
    const Kernel& kernel = exploration.space->kernel();
    QStringList sets;
    for (const DimensionSet& set : exploration.space->sets())
        sets << QString::fromStdString(set.text);
    m_title->setText(QStringLiteral("<b>%1</b> &nbsp;<code>%2</code>")
                         .arg(QString::fromStdString(kernel.name).toHtmlEscaped(), QString::fromStdString(kernel.statement).toHtmlEscaped()));
    m_title->setToolTip(tr("Dimension sets: %1").arg(sets.join(QStringLiteral(", "))));
    const EnumerationCounts& counts = exploration.counts;
    QStringList removed;
    for (int rule = 1; rule < kPruneRules; ++rule)
        if (const std::int64_t n = counts.byRule[static_cast<std::size_t>(rule)]; n > 0) {
            const std::string_view text = name(static_cast<PruneRule>(rule));
            removed << tr("%1 %2").arg(QString::fromStdString(exactText(n)), QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
        }
    QString line = tr("%1 drafts enumerated, %2 kept, in %3")
                       .arg(QString::fromStdString(exactText(counts.enumerated)),
                            QString::fromStdString(exactText(counts.byRule[0])),
                            QString::fromStdString(timeText(exploration.milliseconds * 1e6)));
    if (!removed.isEmpty())
        line += tr("; removed: %1").arg(removed.join(QStringLiteral(", ")));
    if (counts.rule2Skipped)
        line += tr("; rule 2 not applied: no draft meets it");
    if (counts.truncated)
        line += tr("; list truncated");
    m_counts->setText(line);
}

void DraftsView::updatePlot() {
    const Exploration& exploration = *m_workspace.exploration();
    const auto fill = [&](QCPGraph* graph, const std::vector<std::size_t>& positions) {
        QVector<double> x, y;
        for (const std::size_t i : positions) {
            x << std::max(exploration.costs[i].computeNs, 1e-3);
            y << std::max(rearrangementNs(exploration.costs[i]), 1e-3);
        }
        graph->setData(x, y);
    };
    fill(m_points, onePerPixel(exploration));
    fill(m_front, paretoFront(exploration));
    m_plot->rescaleAxes();
    m_plot->xAxis->scaleRange(1.15);
    m_plot->yAxis->scaleRange(1.15);
    // Drafts that differ in one figure only would leave the other axis without extent.
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis})
        if (axis->range().upper < axis->range().lower * 1.5)
            axis->setRange(axis->range().lower / 1.5, axis->range().upper * 1.5);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

const Draft* DraftsView::selectedDraft() const {
    const auto& selected = m_workspace.selection().draft;
    return selected ? &*selected : nullptr;
}

void DraftsView::markInPlot(const Draft* draft) {
    m_current->setData({}, {});
    m_selected->setData({}, {});
    const auto exploration = m_workspace.exploration();
    const auto plan = m_workspace.plan();
    const OpId op = m_workspace.selection().op;
    const auto mark = [&](QCPGraph* graph, const Draft& wanted) {
        const auto at = std::find(exploration->drafts.begin(), exploration->drafts.end(), wanted);
        if (at == exploration->drafts.end())
            return;
        const CostSplit& cost = exploration->costs[static_cast<std::size_t>(at - exploration->drafts.begin())];
        graph->setData({std::max(cost.computeNs, 1e-3)}, {std::max(rearrangementNs(cost), 1e-3)});
    };
    if (plan && op.valid() && op.index() < plan->ops.size() && plan->opPlan(op).draft)
        mark(m_current, *plan->opPlan(op).draft);
    if (draft)
        mark(m_selected, *draft);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void DraftsView::showSelection() {
    const auto exploration = m_workspace.exploration();
    if (!exploration)
        return;
    const auto plan = m_workspace.plan();
    const OpId op = m_workspace.selection().op;
    const OpPlan* opPlan = plan && op.valid() && op.index() < plan->ops.size() ? &plan->opPlan(op) : nullptr;
    const std::optional<Draft> inForce = opPlan ? opPlan->draft : std::nullopt;
    m_model->setCurrent(inForce);
    const Draft* shown = selectedDraft() ? selectedDraft() : inForce ? &*inForce : nullptr;
    const int row = shown ? m_model->rowOf(*shown) : -1;
    if (row >= 0 && m_table->currentIndex().row() != row) {
        const QSignalBlocker quiet(m_table->selectionModel());
        m_table->setCurrentIndex(m_model->index(row, 0));
        m_table->viewport()->update();
    }
    markInPlot(selectedDraft());
    m_reset->setEnabled(opPlan && opPlan->draftOverridden);
    m_use->setEnabled(selectedDraft() && row >= 0 && !m_model->isRejected(row) && (!inForce || !(*selectedDraft() == *inForce)));

    QString why;
    if (row >= 0 && m_model->isRejected(row)) {
        const auto reason = explain(*exploration->space, m_workspace.options().tiling, *shown);
        if (reason) {
            why = QString::fromStdString(reason->text);
            if (reason->keptInstead)
                why += tr(" Kept instead: %1").arg(QString::fromStdString(exploration->space->draftText(*reason->keptInstead)));
        }
    } else if (row >= 0 && m_model->costAt(row) && inForce && !(*shown == *inForce)) {
        const int currentRow = m_model->rowOf(*inForce);
        if (const CostSplit* current = m_model->costAt(currentRow))
            why = tr("Against the draft in force: %1").arg(QString::fromStdString(explainDifference(*m_model->costAt(row), *current)));
    }
    m_why->setText(why);
    m_why->setVisible(!why.isEmpty());
}

void DraftsView::applyFilter() {
    const auto exploration = m_workspace.exploration();
    if (!exploration)
        return;
    auto filter = parseDraftFilter(m_filter->text(), exploration->space);
    QPalette palette = this->palette();
    if (!filter) {
        palette.setColor(QPalette::Text, color(Role::Bad));
        m_filter->setToolTip(QString::fromStdString(filter.error().text()));
    } else {
        m_filter->setToolTip(tr("Figures: groups, cores, input, compute, output, switch, total, tobest; other words must occur in the draft"));
        m_model->setFilter(std::move(*filter));
        showSelection();
    }
    m_filter->setPalette(palette);
}

void DraftsView::useSelected() {
    const auto exploration = m_workspace.exploration();
    const OpId op = m_workspace.selection().op;
    if (!exploration || !op.valid() || !selectedDraft() || !m_workspace.graph())
        return;
    m_workspace.applyOverride({m_workspace.graph()->op(op).name, "draft", exploration->space->draftText(*selectedDraft())});
}

void DraftsView::pickInPlot(const QPoint& position) {
    const auto exploration = m_workspace.exploration();
    if (!exploration)
        return;
    double nearest = 12 * 12; // pixels, squared
    std::size_t hit = exploration->drafts.size();
    for (std::size_t i = 0; i < exploration->drafts.size(); ++i) {
        const double dx = m_plot->xAxis->coordToPixel(std::max(exploration->costs[i].computeNs, 1e-3)) - position.x();
        const double dy = m_plot->yAxis->coordToPixel(std::max(rearrangementNs(exploration->costs[i]), 1e-3)) - position.y();
        if (dx * dx + dy * dy < nearest) {
            nearest = dx * dx + dy * dy;
            hit = i;
        }
    }
    if (hit == exploration->drafts.size())
        return;
    Selection selection = m_workspace.selection();
    selection.draft = exploration->drafts[hit];
    m_workspace.select(selection);
    if (const int row = m_model->rowOf(*selection.draft); row >= 0)
        m_table->scrollTo(m_model->index(row, 0), QAbstractItemView::PositionAtCenter);
}

} // namespace pim::views
