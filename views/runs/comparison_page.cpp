// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/comparison_page.h"

#include "core/base/number_text.h"
#include "views/common/icons.h"
#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/stacked_bars.h"
#include "views/common/table_view.h"
#include "views/common/text.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include <algorithm>

namespace pim::views {
namespace {

constexpr std::size_t kExplained = 3; ///< Runs whose difference is told in words; the table tells all.

QString barsCsv(const RunsComparison& c) {
    QStringList header{QStringLiteral("run"), QStringLiteral("model"), QStringLiteral("target")};
    for (const CostPartInfo& part : kCostSplitParts)
        header << QStringLiteral("%1_ns").arg(
            QString::fromLatin1(part.key.data(), static_cast<qsizetype>(part.key.size())));
    QString csv = csvLine(header) + QLatin1Char('\n');
    for (std::size_t run = 0; run < c.runs.size(); ++run) {
        QStringList line{QString::number(c.runs[run].id), text(c.runs[run].modelName),
                         text(c.runs[run].targetId)};
        for (const CostPartInfo& part : kCostSplitParts)
            line << exactNumber(c.totals[run].*part.ns);
        csv += csvLine(line) + QLatin1Char('\n');
    }
    return csv;
}

} // namespace

ComparisonPage::ComparisonPage(QWidget* parent)
    : QWidget(parent), m_model(new DeltaModel(this)), m_sorted(new QSortFilterProxyModel(this)),
      m_badge(new QLabel), m_choice(new QComboBox),
      m_swap(toolButton(QStringLiteral("compare"), tr("Swap A and B"))), m_summary(new QLabel),
      m_bars(new StackedBars), m_table(new TableView) {
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(DeltaModel::kSortRole);
    m_table->setModel(m_sorted);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSortingEnabled(true);
    m_table->setAccessibleName(tr("Difference of every op"));
    m_table->setExportName(QStringLiteral("comparison"));
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_bars->setAccessibleName(tr("Time of the runs by part"));
    m_bars->setCompact(true);
    installPlotExport(
        m_bars, {QStringLiteral("comparison"), [this] { return m_bars->contentSize(); },
                 [this](QPainter& painter) { m_bars->paintContent(painter, m_bars->contentSize().width()); },
                 [this] { return barsCsv(comparison()); }});
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_summary->setAccessibleName(tr("Summary of the comparison"));
    constexpr int kRowsAtLeast = 5;
    m_table->setMinimumHeight(kRowsAtLeast * m_table->verticalHeader()->defaultSectionSize());

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 0);
    layout->setSpacing(6);
    layout->addWidget(buildHead());
    layout->addWidget(m_summary);
    layout->addWidget(m_bars);
    layout->addWidget(m_table, 1);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (const ComparedOp* op =
                        row.isValid() ? m_model->op(m_sorted->mapToSource(row).row()) : nullptr)
                    emit opChosen(text(op->name));
            });
}

QWidget* ComparisonPage::buildHead() {
    m_badge->setAccessibleName(tr("Are the runs comparable"));
    m_choice->setAccessibleName(tr("Baseline"));
    m_choice->setToolTip(tr("The run the others are compared with"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_choice->setMinimumContentsLength(12);
    connect(m_choice, &QComboBox::activated, this,
            [this](int row) { setBaseline(m_choice->itemData(row).toLongLong()); });
    connect(m_swap, &QToolButton::clicked, this, [this] {
        if (m_runs.size() == 2)
            setBaseline(m_runs[1 - comparison().baseline].id);
    });
    auto* label = new QLabel(tr("&Baseline:"));
    label->setBuddy(m_choice);
    auto* head = new QWidget;
    auto* layout = new QHBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_badge);
    layout->addStretch(1);
    layout->addWidget(label);
    layout->addWidget(m_choice);
    layout->addWidget(m_swap);
    return head;
}

void ComparisonPage::setRuns(std::vector<RunInfo> runs, std::vector<std::vector<RunOp>> ops) {
    m_runs = std::move(runs);
    m_ops = std::move(ops);
    m_choice->clear();
    for (const RunInfo& run : m_runs)
        m_choice->addItem(shownTitle(run), static_cast<qlonglong>(run.id));
    m_swap->setVisible(m_runs.size() == 2);
    compare();
}

void ComparisonPage::setBaseline(std::int64_t run) {
    m_baseline = run;
    compare();
}

void ComparisonPage::compare() {
    if (m_runs.empty())
        return;
    auto chosen = std::find_if(m_runs.begin(), m_runs.end(),
                               [this](const RunInfo& run) { return run.id == m_baseline; });
    if (chosen == m_runs.end())
        chosen = std::min_element(m_runs.begin(), m_runs.end(),
                                  [](const RunInfo& a, const RunInfo& b) { return a.id < b.id; });
    const auto baseline = static_cast<std::size_t>(chosen - m_runs.begin());
    m_choice->setCurrentIndex(static_cast<int>(baseline));
    m_model->setComparison(compareRuns(m_runs, m_ops, baseline));
    m_sorted->setSortRole(DeltaModel::kSortRole);
    m_table->sortByColumn(m_model->deltaColumn(), Qt::DescendingOrder);
    m_table->fitColumns();
    show(m_model->comparison());
}

QString ComparisonPage::badge() const {
    return m_badge->text();
}

QString ComparisonPage::summary(const RunsComparison& c) const {
    QStringList lines;
    std::size_t told = 0;
    for (std::size_t run = 0; run < c.runs.size(); ++run) {
        if (run == c.baseline)
            continue;
        if (told++ == kExplained) {
            lines << tr("%1 more: see the bars and the table.").arg(c.runs.size() - 1 - kExplained);
            break;
        }
        const double delta = c.totals[run].totalNs() - c.totals[c.baseline].totalNs(),
                     base = c.totals[c.baseline].totalNs();
        const QString share = base > 0 && c.runs[run].inFlight == c.runs[c.baseline].inFlight
                                  ? QStringLiteral(" (%1%2)").arg(delta > 0 ? QStringLiteral("+") : QString(),
                                                                  text(percentText(delta / base)))
                                  : QString();
        QStringList differences;
        for (const std::string& difference : c.differences[run])
            differences << text(difference);
        const QString why = text(c.why(run)).split(QLatin1Char('\n')).join(QLatin1Char(' '));
        lines
            << tr("<b>%1</b> (%2) against <b>%3</b> (%4): <b>%5</b>%6. %7<br>%8")
                   .arg(comparedName(c, run), shownTitle(c.runs[run]).toHtmlEscaped(),
                        comparedName(c, c.baseline), shownTitle(c.runs[c.baseline]).toHtmlEscaped(),
                        signedTimeText(delta), share, why.toHtmlEscaped(),
                        differences.isEmpty()
                            ? tr("Nothing that decides the outcome differs.")
                            : tr("Differs: %1.").arg(differences.join(QStringLiteral(". "))).toHtmlEscaped());
    }
    return lines.join(QStringLiteral("<br>"));
}

void ComparisonPage::show(const RunsComparison& c) {
    m_badge->setText(!c.sameClock             ? tr("≠ times of samples and times between samples")
                     : c.sameModelAndTarget() ? tr("✓ same model and target")
                     : c.sameModel            ? tr("≠ same model, other target")
                     : c.sameTarget           ? tr("≠ other model or dimensions, same target")
                                              : tr("≠ not the same model and target"));
    styleBadge();
    m_summary->setText(summary(c));
    BarSection section;
    for (std::size_t run = 0; run < c.runs.size(); ++run) {
        const RunInfo& info = c.runs[run];
        const double overHost = c.totals[run].totalNs() > 0 ? info.hostOnlyNs / c.totals[run].totalNs() : 0;
        QStringList note;
        if (run != c.baseline && c.speedup(run) > 0)
            note << tr("%1 over %2").arg(text(ratioText(c.speedup(run))), comparedName(c, c.baseline));
        if (overHost > 0)
            note << tr("%1 over %2").arg(text(ratioText(overHost)), text(info.host));
        section.bars.push_back({-1, comparedName(c, run),
                                tr("%1 on %2").arg(text(info.modelName), text(info.targetId)), c.totals[run],
                                note.join(QStringLiteral(" · "))});
    }
    m_bars->setSections({section});
}

void ComparisonPage::styleBadge() {
    m_badge->setStyleSheet(
        QStringLiteral("QLabel { color: %1; border: 1px solid %1; border-radius: 9px; padding: 1px 8px; }")
            .arg(color(comparison().sameModelAndTarget() && comparison().sameClock ? Role::Good : Role::Bad)
                     .name()));
}

void ComparisonPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && !m_runs.empty())
        styleBadge();
    QWidget::changeEvent(event);
}

} // namespace pim::views
