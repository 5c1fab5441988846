// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/breakdown/breakdown_view.h"

#include "core/base/number_text.h"
#include "core/compile/compare.h"
#include "core/compile/explain.h"
#include "core/compile/predictions.h"
#include "views/breakdown/breakdown_model.h"
#include "views/common/core_sentences.h"
#include "views/common/empty_state.h"
#include "views/common/icons.h"
#include "views/common/line_label.h"
#include "views/common/origin_style.h"
#include "views/common/plot_export.h"
#include "views/common/stacked_bars.h"
#include "views/common/table_view.h"
#include "views/common/text_label.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>

namespace pim::views {
namespace {

QString originText(Origin origin) {
    return origin == Origin::Simulated ? BreakdownView::tr("simulated") : BreakdownView::tr("predicted");
}

/// "compares with a plan of another model": why two plans cannot be set side by side; empty if they can.
QString refusalOf(const Plan& a, const Plan& b) {
    if (a.graph->name != b.graph->name || a.graph->source.structureHash != b.graph->source.structureHash)
        return BreakdownView::tr("the kept plan is of another model (%1)")
            .arg(QString::fromStdString(a.graph->name));
    if (a.firstSampleNs().has_value() != b.firstSampleNs().has_value())
        return BreakdownView::tr(
            "one plan's time is a sample's, the other's is the time between two samples in flight");
    return {};
}

} // namespace

/// Rows of ops that pass the filters of the workspace and the words of the table.
class PassingRows : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setPassing(std::vector<bool> passes) {
        m_passes = std::move(passes);
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const auto at = static_cast<std::size_t>(row);
        return (m_passes.empty() || (at < m_passes.size() && m_passes[at])) &&
               QSortFilterProxyModel::filterAcceptsRow(row, parent);
    }

private:
    std::vector<bool> m_passes;
};

BreakdownView::BreakdownView(QWidget* parent)
    : QWidget(parent), m_model(new BreakdownModel(this)), m_sorted(new PassingRows(this)),
      m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("bars"))), m_content(new QWidget),
      m_modes(new QStackedWidget), m_title(new LineLabel), m_facts(new TextLabel), m_bars(new StackedBars),
      m_table(new TableView), m_count(new QSpinBox), m_countLabel(new QLabel(tr("Top"))),
      m_filter(new QLineEdit), m_mode(new QButtonGroup(this)), m_keep(new QToolButton) {
    setObjectName(QStringLiteral("BreakdownView"));
    setAccessibleName(tr("Breakdown of the time"));
    m_empty->setText(tr("Nothing compiled yet"),
                     tr("Open a model and choose a target; the times of its ops appear here."));
    m_bars->setAccessibleName(tr("Bars of the most expensive ops"));
    installPlotExport(m_bars, exportSource());

    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(Qt::EditRole);
    m_sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_sorted->setFilterKeyColumn(-1);
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(BreakdownModel::Total, Qt::DescendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setAccessibleName(tr("Table of all ops"));
    m_table->setExportName(QStringLiteral("breakdown"));
    m_table->horizontalHeader()->setStretchLastSection(true);

    m_modes->addWidget(m_bars);
    m_modes->addWidget(m_table);
    auto* layout = new QVBoxLayout(m_content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    buildBar(layout);
    m_facts->setTextFormat(Qt::RichText);
    m_facts->setContentsMargins(12, 0, 6, 2);
    m_facts->setAccessibleName(tr("Simulated time, error of the prediction, idle time"));
    layout->addWidget(m_facts);
    layout->addWidget(m_modes, 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_content);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);

    connect(m_count, &QSpinBox::valueChanged, this, &BreakdownView::rebuild);
    connect(m_filter, &QLineEdit::textChanged, m_sorted, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_bars, &StackedBars::barClicked, this, [this](int id) {
        m_selected = OpId(id);
        updateFacts();
        emit opSelected(m_selected);
    });
    connect(m_bars, &StackedBars::barActivated, this, [this](int id) { emit inspectRequested(OpId(id)); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                const OpId op(m_sorted->mapToSource(row).row());
                if (!row.isValid() || op == m_selected)
                    return;
                m_selected = op;
                updateFacts();
                emit opSelected(op);
            });
    connect(m_table, &QAbstractItemView::activated, this, [this](const QModelIndex& row) {
        emit inspectRequested(OpId(m_sorted->mapToSource(row).row()));
    });
}

void BreakdownView::buildBar(QBoxLayout* into) {
    m_title->setTextFormat(Qt::RichText);
    m_title->setAccessibleName(tr("Total"));
    m_count->setRange(1, 500);
    m_count->setValue(20);
    m_count->setSuffix(tr(" ops"));
    m_count->setAccessibleName(tr("Number of ops shown"));
    m_count->setToolTip(tr("How many of the most expensive ops are shown"));
    m_countLabel->setBuddy(m_count);
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setAccessibleName(tr("Filter of the table"));
    m_filter->setMaximumWidth(220);
    m_filter->hide();

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(12, 5, 6, 3);
    bar->setSpacing(6);
    bar->addWidget(m_title, 1);
    bar->addWidget(m_filter);
    bar->addWidget(m_countLabel);
    bar->addWidget(m_count);
    const auto mode = [&](int id, const QString& iconName, const QString& name) {
        auto* button = new QToolButton;
        button->setIcon(icon(iconName));
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setChecked(id == 0);
        button->setToolTip(name);
        button->setAccessibleName(name);
        m_mode->addButton(button, id);
        bar->addWidget(button);
    };
    m_keep->setIcon(icon(QStringLiteral("compare")));
    m_keep->setCheckable(true);
    m_keep->setAutoRaise(true);
    m_keep->setToolTip(tr("Keep this plan as A: later plans are shown beside it with their differences"));
    m_keep->setAccessibleName(tr("Keep this plan to compare with"));
    connect(m_keep, &QToolButton::toggled, this, &BreakdownView::keepPlan);
    bar->addWidget(m_keep);
    mode(0, QStringLiteral("bars"), tr("Bars of the most expensive ops"));
    mode(1, QStringLiteral("table"), tr("Table of all ops"));
    connect(m_mode, &QButtonGroup::idClicked, this, [this](int id) { setShowsTable(id == 1); });
    into->addLayout(bar);
}

bool BreakdownView::showsTable() const {
    return m_modes->currentWidget() == m_table;
}

void BreakdownView::setShowsTable(bool on) {
    m_mode->button(on ? 1 : 0)->setChecked(true);
    m_modes->setCurrentIndex(on ? 1 : 0);
    m_filter->setVisible(on);
    m_count->setVisible(!on);
    m_countLabel->setVisible(!on);
    showSelectionInTable();
}

void BreakdownView::setPlan(std::shared_ptr<const Plan> plan, bool isStale) {
    const bool sameRows = plan && m_plan && plan->graph == m_plan->graph;
    m_plan = std::move(plan);
    m_isStale = isStale;
    if (!sameRows)
        m_selected = {};
    m_simulation.reset();
    m_limit.clear();
    m_model->setPlan(m_plan);
    m_pages->setCurrentWidget(m_plan ? m_content : static_cast<QWidget*>(m_empty));
    if (!m_plan)
        return;
    if (!sameRows)
        m_table->fitColumns();
    updateTitle();
    rebuild();
    m_bars->setSelected(m_selected.value);
}

void BreakdownView::setSimulation(std::shared_ptr<const Simulation> simulation,
                                  const std::shared_ptr<const Plan>& plan, const QString& limit) {
    m_limit = plan && plan == m_plan && simulation ? limit : QString();
    m_simulation = plan && plan == m_plan ? std::move(simulation) : nullptr;
    m_model->setSimulation(m_simulation);
    if (!m_plan)
        return;
    updateTitle();
    rebuild();
}

void BreakdownView::setOpSentences(std::function<QString(OpId)> sentenceOf) {
    m_sentenceOf = std::move(sentenceOf);
}

void BreakdownView::setPassing(std::vector<bool> passes) {
    m_passes = std::move(passes);
    m_sorted->setPassing(m_passes);
    rebuild();
}

void BreakdownView::keepPlan(bool on) {
    const QSignalBlocker quiet(m_keep);
    m_keep->setChecked(on);
    m_kept = on ? m_plan : nullptr;
    if (!m_plan)
        return;
    updateFacts();
    rebuild();
}

/// What the header has no room for: simulated, how far predictions are off, how long PIM waits, and the plan kept.
void BreakdownView::updateFacts() {
    QStringList lines;
    if (!m_limit.isEmpty())
        lines << tr("<b>What limits this:</b> %1.").arg(m_limit.toHtmlEscaped());
    if (const QString sentence =
            m_selected.valid() && m_simulation && m_sentenceOf ? m_sentenceOf(m_selected) : QString();
        !sentence.isEmpty())
        lines << tr("<b>%1:</b> %2.")
                     .arg(QString::fromStdString(m_plan->graph->op(m_selected).name).toHtmlEscaped(),
                          sentence.toHtmlEscaped());
    QString line;
    if (m_simulation) {
        line = totalTime(*m_plan, m_simulation.get()).predictedNs
                   ? tr("bars are <i>≈ predicted</i>")
                   : tr("<b>%1</b> simulated").arg(QString::fromStdString(timeText(m_simulation->totalNs)));
        if (const auto error = predictionError(simulatedPairs(*m_simulation)))
            line += tr(" · <i>≈ predictions</i> are off by %1")
                        .arg(coreSentence(
                            errorText(*error, m_simulation->phaseWord + (error->count == 1 ? "" : "s"))));
    } else {
        line = tr("<i>≈ predicted</i>: its error is unknown until the plan is simulated");
    }
    if (const double total = m_plan->total.totalNs(); total > 0) {
        const double busy = m_plan->total.computeNs / total;
        const QString computing = figureText(m_plan->origin, percentText(busy)),
                      rest = figureText(m_plan->origin, percentText(1 - busy));
        line += m_plan->detail && m_plan->detail->isSharedOut()
                    ? tr(" · parts work side by side: the time is shared out by what keeps components busy, "
                         "%1 of it to computing")
                          .arg(computing)
                    : tr(" · PIM units compute %1 of the time and idle %2").arg(computing, rest);
    }
    lines << line;
    if (m_kept && m_kept != m_plan) {
        const QString refusal = refusalOf(*m_kept, *m_plan);
        const bool sameTarget = m_kept->target->hash == m_plan->target->hash;
        if (!refusal.isEmpty())
            lines << tr("✗ not compared: %1").arg(refusal.toHtmlEscaped());
        else
            lines << tr("%1. %2").arg(
                sameTarget ? tr("✓ same model and target")
                           : tr("same model, other target: %1 → %2")
                                 .arg(QString::fromStdString(m_kept->target->id),
                                      QString::fromStdString(m_plan->target->id)),
                QString::fromStdString(
                    explainCosts(m_kept->total, m_plan->total, {}, {}, "the kept plan", "This plan").text())
                    .toHtmlEscaped()
                    .replace(QLatin1Char('\n'), QLatin1Char(' ')));
    } else if (m_kept) {
        lines << tr("This plan is kept; change a decision to see what differs.");
    }
    m_facts->setText(lines.join(QStringLiteral("<br>")));
}

void BreakdownView::updateTitle() {
    const QString host = m_plan->target ? QString::fromStdString(m_plan->target->host.id) : tr("host");
    const TotalTime total = totalTime(*m_plan, m_simulation.get());
    const double ns = total.ns;
    QString line =
        total.predictedNs
            ? tr("<b>%1</b> simulated · <small>%2 of %3 predicted</small>")
                  .arg(QString::fromStdString(timeText(ns)),
                       QString::fromStdString(ratioText(ns / *total.predictedNs)),
                       figureHtml(m_plan->origin, timeText(*total.predictedNs)))
            : tr("<b>%1</b> %2").arg(figureHtml(m_plan->origin, timeText(ns)), originText(m_plan->origin));
    if (const auto first = m_plan->firstSampleNs())
        line += tr(" from one sample to the next, the first after %1")
                    .arg(QString::fromStdString(timeText(*first)));
    if (m_plan->hostOnlyNs > 0 && ns > 0)
        line += tr(" · <b>%1</b> over host only (%2 on %3)")
                    .arg(QString::fromStdString(ratioText(m_plan->hostOnlyNs / ns)),
                         QString::fromStdString(timeText(m_plan->hostOnlyNs)), host.toHtmlEscaped());
    if (m_plan->residentLoadNs > 0)
        line +=
            tr(" · weights loaded once: %1").arg(QString::fromStdString(timeText(m_plan->residentLoadNs)));
    if (m_isStale)
        line = QStringLiteral("<i>%1</i> · ").arg(tr("being recomputed")) + line;
    m_title->setText(line);
    updateFacts();
    m_title->setToolTip(tr("Total of the network: %1 ns (%2)\nAll ops on %3: %4 ns")
                            .arg(exactNumber(m_plan->total.totalNs()), originText(m_plan->origin), host,
                                 exactNumber(m_plan->hostOnlyNs)));
}

void BreakdownView::rebuild() {
    if (!m_plan)
        return;
    const QString host = m_plan->target ? QString::fromStdString(m_plan->target->host.id) : tr("host");
    const bool predicted = m_plan->origin == Origin::Predicted;
    const bool comparable = m_kept && m_kept != m_plan && refusalOf(*m_kept, *m_plan).isEmpty();
    BarSection network{tr("Network (%1)").arg(originText(m_plan->origin)), {}};
    if (comparable)
        network.bars.push_back({-1, tr("A: kept plan"), QString::fromStdString(m_kept->target->id),
                                m_kept->total, QString::fromStdString(ratioText(m_kept->speedup())),
                                predicted});
    network.bars.push_back({-1,
                            tr("this plan"),
                            {},
                            m_plan->total,
                            QString::fromStdString(ratioText(m_plan->speedup())),
                            predicted});
    if (m_simulation && !m_simulation->ops.empty()) {
        CostSplit simulated;
        for (const SimulatedOp& op : m_simulation->ops)
            simulated += op.cost;
        const double off = simulated.totalNs() / std::max(1e-9, m_plan->total.totalNs()) - 1;
        network.bars.push_back({-1,
                                tr("simulated"),
                                {},
                                simulated,
                                tr("%1%2").arg(off < 0 ? QStringLiteral("−") : QStringLiteral("+"),
                                               QString::fromStdString(percentText(std::abs(off)))),
                                false});
    }
    CostSplit hostOnly;
    hostOnly.hostNs = m_plan->hostOnlyNs;
    network.bars.push_back({-1, tr("host only"), host, hostOnly, {}, predicted});

    std::vector<int> order;
    CostSplit passing;
    for (std::size_t i = 0; i < m_plan->ops.size(); ++i)
        if (passes(i)) {
            order.push_back(static_cast<int>(i));
            passing += m_plan->ops[i].cost;
        }
    const double all = m_plan->total.totalNs();
    if (!m_passes.empty())
        network.bars.push_back(
            {-1, tr("ops that pass the filters"), tr("%1 of %2").arg(order.size()).arg(m_plan->ops.size()),
             passing, all > 0 ? QString::fromStdString(percentText(passing.totalNs() / all)) : QString(),
             predicted});
    const auto total = [&](int i) { return m_plan->ops[static_cast<std::size_t>(i)].cost.totalNs(); };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return total(a) > total(b); });
    const auto shown = std::min(order.size(), static_cast<std::size_t>(m_count->value()));
    BarSection ops{
        m_passes.empty()
            ? tr("Most expensive ops: %1 of %2").arg(shown).arg(order.size())
            : tr("Most expensive ops that pass the filters: %1 of %2").arg(shown).arg(order.size()),
        {}};
    double covered = 0;
    for (std::size_t k = 0; k < shown; ++k) {
        const auto i = static_cast<std::size_t>(order[k]);
        const double share = all > 0 ? total(order[k]) / all : 0;
        covered += share;
        ops.bars.push_back({order[k], QString::fromStdString(m_plan->graph->ops[i].name),
                            QString::fromStdString(m_plan->graph->ops[i].type), m_plan->ops[i].cost,
                            QString::fromStdString(percentText(share)), predicted});
    }
    ops.title += tr(", %1 of the time").arg(QString::fromStdString(percentText(covered)));
    m_bars->setSections({std::move(network), std::move(ops)});
}

void BreakdownView::setSelectedOp(OpId op) {
    if (op == m_selected)
        return;
    m_selected = op;
    m_bars->setSelected(op.value);
    showSelectionInTable();
    if (m_plan)
        updateFacts();
}

void BreakdownView::showSelectionInTable() {
    const QSignalBlocker quiet(m_table->selectionModel());
    const QModelIndex row =
        m_selected.valid() ? m_sorted->mapFromSource(m_model->index(m_selected.value, 0)) : QModelIndex();
    if (!row.isValid()) {
        m_table->clearSelection();
    } else if (m_table->currentIndex().row() != row.row()) {
        m_table->selectRow(row.row());
        m_table->scrollTo(row);
    }
    m_table->viewport()->update(); // the signals that would do it are blocked
}

QString BreakdownView::csv() const {
    if (!m_plan)
        return {};
    QStringList header{QStringLiteral("op"), QStringLiteral("type")};
    for (const CostPart& part : costParts())
        header << QString(part.name).replace(QLatin1Char(' '), QLatin1Char('_')) + QStringLiteral("_ns");
    header << QStringLiteral("total_ns");
    QString result = csvLine(header) + QLatin1Char('\n');
    for (const BarSection& section : m_bars->sections())
        for (const StackedBar& bar : section.bars) {
            QStringList fields{bar.label, bar.detail};
            for (const CostPart& part : costParts())
                fields << exactNumber(bar.cost.*part.ns);
            fields << exactNumber(bar.cost.totalNs());
            result += csvLine(fields) + QLatin1Char('\n');
        }
    return result;
}

ExportSource BreakdownView::exportSource() const {
    return {QStringLiteral("breakdown"), [this] { return m_bars->contentSize(); },
            [this](QPainter& painter) { m_bars->paintContent(painter, m_bars->contentSize().width()); },
            [this] { return csv(); }};
}

void BreakdownView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        m_table->viewport()->update();
    QWidget::changeEvent(event);
}

} // namespace pim::views
