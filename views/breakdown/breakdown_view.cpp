// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/breakdown/breakdown_view.h"

#include "core/base/number_text.h"
#include "views/breakdown/breakdown_model.h"
#include "views/common/empty_state.h"
#include "views/common/icons.h"
#include "views/common/plot_export.h"
#include "views/common/stacked_bars.h"
#include "views/common/table_view.h"

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

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

QString originText(Origin origin) {
    return origin == Origin::Simulated ? BreakdownView::tr("simulated") : BreakdownView::tr("predicted");
}

} // namespace

BreakdownView::BreakdownView(QWidget* parent)
    : QWidget(parent), m_model(new BreakdownModel(this)), m_sorted(new QSortFilterProxyModel(this)),
      m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("bars"))), m_content(new QWidget),
      m_modes(new QStackedWidget), m_title(new QLabel), m_bars(new StackedBars), m_table(new TableView),
      m_count(new QSpinBox), m_countLabel(new QLabel(tr("Top"))), m_filter(new QLineEdit),
      m_mode(new QButtonGroup(this)) {
    setObjectName(QStringLiteral("BreakdownView"));
    setAccessibleName(tr("Breakdown of the time"));
    m_empty->setText(tr("Nothing is compiled yet"),
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
        emit opSelected(m_selected);
    });
    connect(m_bars, &StackedBars::barActivated, this, [this](int id) { emit inspectRequested(OpId(id)); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                const OpId op(m_sorted->mapToSource(row).row());
                if (!row.isValid() || op == m_selected)
                    return;
                m_selected = op;
                emit opSelected(op);
            });
    connect(m_table, &QAbstractItemView::activated, this, [this](const QModelIndex& row) {
        emit inspectRequested(OpId(m_sorted->mapToSource(row).row()));
    });
}

void BreakdownView::buildBar(QBoxLayout* into) {
    m_title->setTextFormat(Qt::RichText);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
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

void BreakdownView::updateTitle() {
    const QString host = m_plan->target ? text(m_plan->target->host.id) : tr("host");
    QString line =
        tr("<b>%1</b> %2").arg(text(timeText(m_plan->total.totalNs())), originText(m_plan->origin));
    if (m_plan->hostOnlyNs > 0 && m_plan->total.totalNs() > 0)
        line += tr(" · <b>%1</b> over host only (%2 on %3)")
                    .arg(text(ratioText(m_plan->speedup())), text(timeText(m_plan->hostOnlyNs)),
                         host.toHtmlEscaped());
    if (m_plan->residentLoadNs > 0)
        line += tr(" · weights loaded once: %1").arg(text(timeText(m_plan->residentLoadNs)));
    if (m_isStale)
        line = QStringLiteral("<i>%1</i> · ").arg(tr("being recomputed")) + line;
    m_title->setText(line);
    m_title->setToolTip(tr("Total of the network: %1 ns (%2)\nAll ops on %3: %4 ns")
                            .arg(exactNumber(m_plan->total.totalNs()), originText(m_plan->origin), host,
                                 exactNumber(m_plan->hostOnlyNs)));
}

void BreakdownView::rebuild() {
    if (!m_plan)
        return;
    const QString host = m_plan->target ? text(m_plan->target->host.id) : tr("host");
    BarSection network{tr("Network (%1)").arg(originText(m_plan->origin)), {}};
    network.bars.push_back({-1, tr("this plan"), {}, m_plan->total, text(ratioText(m_plan->speedup()))});
    CostSplit hostOnly;
    hostOnly.hostNs = m_plan->hostOnlyNs;
    network.bars.push_back({-1, tr("host only"), host, hostOnly, {}});

    std::vector<int> order(m_plan->ops.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<int>(i);
    const auto total = [&](int i) { return m_plan->ops[static_cast<std::size_t>(i)].cost.totalNs(); };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return total(a) > total(b); });
    const auto shown = std::min(order.size(), static_cast<std::size_t>(m_count->value()));
    BarSection ops{tr("Most expensive ops: %1 of %2").arg(shown).arg(order.size()), {}};
    double covered = 0;
    for (std::size_t k = 0; k < shown; ++k) {
        const auto i = static_cast<std::size_t>(order[k]);
        const double share = m_plan->total.totalNs() > 0 ? total(order[k]) / m_plan->total.totalNs() : 0;
        covered += share;
        ops.bars.push_back({order[k], text(m_plan->graph->ops[i].name), text(m_plan->graph->ops[i].type),
                            m_plan->ops[i].cost, text(percentText(share))});
    }
    ops.title += tr(", %1 of the time").arg(text(percentText(covered)));
    m_bars->setSections({std::move(network), std::move(ops)});
}

void BreakdownView::setSelectedOp(OpId op) {
    if (op == m_selected)
        return;
    m_selected = op;
    m_bars->setSelected(op.value);
    showSelectionInTable();
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
