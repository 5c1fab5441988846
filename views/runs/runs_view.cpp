// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/runs_view.h"

#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/stacked_bars.h"
#include "views/common/table_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>

#include <algorithm>

namespace pim::views {
namespace {

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

QString runText(const RunInfo& run) {
    return run.label.empty() ? RunsView::tr("run %1").arg(run.id)
                             : RunsView::tr("run %1, %2").arg(run.id).arg(text(run.label));
}

} // namespace

RunsView::RunsView(QWidget* parent)
    : QWidget(parent), m_model(new RunsModel(this)), m_sorted(new QSortFilterProxyModel(this)),
      m_deltaModel(new DeltaModel(this)), m_deltaSorted(new QSortFilterProxyModel(this)),
      m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("history"))), m_runs(new TableView),
      m_lower(new QStackedWidget), m_hint(new EmptyState(QStringLiteral("compare"))), m_badge(new QLabel),
      m_summary(new QLabel), m_differences(new QLabel), m_bars(new StackedBars), m_deltas(new TableView) {
    setObjectName(QStringLiteral("RunsView"));
    setAccessibleName(tr("Run history"));
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(Qt::EditRole);
    m_runs->setModel(m_sorted);
    m_runs->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_runs->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_runs->setSortingEnabled(true);
    m_runs->sortByColumn(RunsModel::Id, Qt::DescendingOrder);
    m_runs->setAccessibleName(tr("Table of runs"));
    m_runs->setExportName(QStringLiteral("runs"));
    m_runs->horizontalHeader()->setStretchLastSection(true);

    m_lower->addWidget(m_hint);
    m_lower->addWidget(buildComparison());
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(m_runs);
    splitter->addWidget(m_lower);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 5);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(splitter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);

    connect(m_runs->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsView::takeSelection);
    connect(m_empty, &EmptyState::actionTriggered, this, &RunsView::saveRequested);
    setRuns({}, {}, false);
}

QWidget* RunsView::buildComparison() {
    m_deltaSorted->setSourceModel(m_deltaModel);
    m_deltaSorted->setSortRole(DeltaModel::kSortRole);
    m_deltas->setModel(m_deltaSorted);
    m_deltas->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_deltas->setSortingEnabled(true);
    m_deltas->sortByColumn(DeltaModel::Delta, Qt::DescendingOrder);
    m_deltas->setAccessibleName(tr("Difference of every op"));
    m_deltas->setExportName(QStringLiteral("comparison"));
    m_deltas->horizontalHeader()->setStretchLastSection(true);
    m_bars->setAccessibleName(tr("Times of both runs in their parts"));
    m_bars->setCompact(true);
    installPlotExport(
        m_bars, {QStringLiteral("comparison"),
                 [this] { return m_bars->contentSize(); },
                 [this](QPainter& painter) { m_bars->paintContent(painter, m_bars->contentSize().width()); },
                 {}});
    m_badge->setAccessibleName(tr("Are the runs comparable"));
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_summary->setAccessibleName(tr("Summary of the comparison"));
    m_differences->setWordWrap(true);
    m_differences->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_differences->setAccessibleName(tr("What differs between the runs"));

    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(8, 8, 8, 0);
    layout->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->addWidget(m_badge, 0, Qt::AlignTop);
    head->addWidget(m_summary, 1);
    layout->addLayout(head);
    layout->addWidget(m_differences);
    layout->addWidget(m_bars);
    layout->addWidget(m_deltas, 1);
    connect(m_deltas->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (const OpDelta* op =
                        row.isValid() ? m_deltaModel->op(m_deltaSorted->mapToSource(row).row()) : nullptr)
                    emit opChosen(op->name);
            });
    return page;
}

void RunsView::setRuns(std::vector<RunInfo> runs, LoadOps loadOps, bool hasProject) {
    m_loadOps = std::move(loadOps);
    std::vector<std::int64_t> chosen;
    for (const QModelIndex& row : m_runs->selectionModel()->selectedRows())
        if (const RunInfo* run = m_model->run(m_sorted->mapToSource(row).row()))
            chosen.push_back(run->id);
    const bool wasEmpty = m_model->rowCount() == 0;
    {
        const QSignalBlocker quiet(m_runs->selectionModel());
        m_model->setRuns(std::move(runs));
    }
    m_pages->setCurrentIndex(m_model->rowCount() > 0 ? 1 : 0);
    if (m_model->rowCount() == 0) {
        m_comparison.reset();
        m_empty->setText(hasProject ? tr("No runs yet") : tr("No project"),
                         hasProject ? tr("Every compile from now on is kept here as a run.")
                                    : tr("Save the project: from then on every compile is kept as a run."));
        m_empty->setAction(hasProject ? QString() : tr("Save Project…"));
        return;
    }
    if (wasEmpty)
        m_runs->fitColumns();
    for (const std::int64_t id : chosen)
        if (const int row = m_model->rowOf(id); row >= 0)
            m_runs->selectionModel()->select(m_sorted->mapFromSource(m_model->index(row, 0)),
                                             QItemSelectionModel::Select | QItemSelectionModel::Rows);
    takeSelection();
}

void RunsView::compare(std::int64_t a, std::int64_t b) {
    m_runs->clearSelection();
    for (const std::int64_t id : {a, b})
        if (const int row = m_model->rowOf(id); row >= 0)
            m_runs->selectionModel()->select(m_sorted->mapFromSource(m_model->index(row, 0)),
                                             QItemSelectionModel::Select | QItemSelectionModel::Rows);
}

void RunsView::showHint(const QString& missing, const QString& whatToDo) {
    m_comparison.reset();
    m_hint->setText(missing, whatToDo);
    m_lower->setCurrentIndex(0);
}

void RunsView::takeSelection() {
    const QModelIndexList rows = m_runs->selectionModel()->selectedRows();
    if (rows.size() != 2) {
        showHint(rows.size() > 2 ? tr("%1 runs are selected").arg(rows.size()) : tr("Compare two runs"),
                 m_model->rowCount() < 2
                     ? tr("There is only one run so far: change a decision and compile again.")
                     : tr("Select two runs: click one, then Ctrl+click another."));
        return;
    }
    RunInfo a = *m_model->run(m_sorted->mapToSource(rows[0]).row());
    RunInfo b = *m_model->run(m_sorted->mapToSource(rows[1]).row());
    if (a.id > b.id)
        std::swap(a, b);
    const auto opsA = m_loadOps(a.id);
    const auto opsB = m_loadOps(b.id);
    if (!opsA || !opsB) {
        const QString message = text((opsA ? opsB : opsA).error().text());
        showHint(tr("The runs cannot be read"), message);
        emit failed(message);
        return;
    }
    m_comparison = compareRuns(a, *opsA, b, *opsB);
    showComparison();
}

QString RunsView::badge() const {
    return m_badge->text();
}

void RunsView::showComparison() {
    const RunComparison& c = *m_comparison;
    m_lower->setCurrentIndex(1);
    m_badge->setText(c.sameModelAndTarget ? tr("✓ same model and target")
                                          : tr("≠ not the same model and target"));
    styleBadge();
    const double a = c.totalA.totalNs(), b = c.totalB.totalNs();
    m_summary->setText(tr("<b>A</b> %1 · <b>B</b> %2 · <b>Δ %3</b>%4<br>B is %5.")
                           .arg(runText(c.a).toHtmlEscaped(), runText(c.b).toHtmlEscaped(),
                                signedTimeText(b - a),
                                a > 0 ? QStringLiteral(" (%1%2)").arg(b > a ? QStringLiteral("+") : QString(),
                                                                      text(percentText((b - a) / a)))
                                      : QString(),
                                text(explainDifference(c.totalA, c.totalB)).toHtmlEscaped()));
    m_differences->setText(c.differences.isEmpty()
                               ? tr("Nothing that decides the outcome differs.")
                               : tr("Differs: %1.").arg(c.differences.join(QStringLiteral(". "))));
    const auto bar = [](const QString& name, const RunInfo& run, const CostSplit& cost) {
        const double speedup = cost.totalNs() > 0 ? run.hostOnlyNs / cost.totalNs() : 0;
        return StackedBar{
            -1, name, QStringLiteral("%1 on %2").arg(text(run.modelName), text(run.targetId)), cost,
            speedup > 0 ? tr("%1 over %2").arg(text(ratioText(speedup)), text(run.host)) : QString()};
    };
    m_bars->setSections(
        {BarSection{{}, {bar(QStringLiteral("A"), c.a, c.totalA), bar(QStringLiteral("B"), c.b, c.totalB)}}});
    m_deltaModel->setOps(c.ops);
    m_deltas->fitColumns();
}

void RunsView::styleBadge() {
    if (!m_comparison)
        return;
    m_badge->setStyleSheet(
        QStringLiteral("QLabel { color: %1; border: 1px solid %1; border-radius: 9px; padding: 1px 8px; }")
            .arg(color(m_comparison->sameModelAndTarget ? Role::Good : Role::Bad).name()));
}

void RunsView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        styleBadge();
    QWidget::changeEvent(event);
}

} // namespace pim::views
