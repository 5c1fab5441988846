// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/speed_map/sweep_view.h"

#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/table_view.h"

#include <QAbstractTableModel>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace pim::views {
namespace {

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

QString valueText(double value) {
    return QString::number(value, 'g', 10);
}

class SweepModel : public QAbstractTableModel {
public:
    explicit SweepModel(const SweepData& data, QObject* parent) : QAbstractTableModel(parent), m_data(data) {}
    void refresh() {
        beginResetModel();
        endResetModel();
    }
    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_data.rows.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : dimensions() + 4;
    }
    QVariant data(const QModelIndex& index, int role) const override {
        if (!index.isValid() || index.row() >= rowCount())
            return {};
        const SweepRow& row = m_data.rows[static_cast<std::size_t>(index.row())];
        if (role == Qt::TextAlignmentRole)
            return int(Qt::AlignRight | Qt::AlignVCenter);
        if (role == Qt::ToolTipRole && !row.error.isEmpty())
            return row.error;
        if (role == Qt::ForegroundRole && !row.error.isEmpty())
            return color(Role::Bad);
        if (role != Qt::DisplayRole && role != Qt::EditRole)
            return {};
        const bool exact = role == Qt::EditRole;
        const int column = index.column() - dimensions();
        if (column < 0) {
            const auto at = static_cast<std::size_t>(index.column());
            if (at >= row.values.size())
                return {};
            return exact ? QVariant(row.values[at]) : QVariant(valueText(row.values[at]));
        }
        if (!row.error.isEmpty())
            return exact ? QVariant() : QVariant(column == 0 ? SweepView::tr("failed") : QStringLiteral("–"));
        switch (column) {
        case 0:
            return exact ? QVariant(row.cycles) : QVariant(text(countText(row.cycles)));
        case 1:
            return exact ? QVariant(row.baselineCycles) : QVariant(text(countText(row.baselineCycles)));
        case 2:
            return exact ? QVariant(row.speedup()) : QVariant(text(ratioText(row.speedup())));
        default:
            return exact ? QVariant(row.memoryShare) : QVariant(text(percentText(row.memoryShare)));
        }
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
            return {};
        if (role == Qt::TextAlignmentRole)
            return int(Qt::AlignRight | Qt::AlignVCenter);
        const int column = section - dimensions();
        if (role == Qt::ToolTipRole && column == 1)
            return m_data.baseline;
        if (role != Qt::DisplayRole && role != Qt::EditRole)
            return {};
        if (column < 0) {
            QString name = m_data.names[static_cast<std::size_t>(section)];
            if (role == Qt::EditRole)
                return name.replace(QLatin1Char(' '), QLatin1Char('_'));
            name[0] = name.at(0).toUpper();
            return name;
        }
        static const char* const kExact[] = {"cycles", "baseline_cycles", "speedup", "memory_share"};
        static const std::array kShown{QT_TRANSLATE_NOOP("pim::views::SweepView", "Cycles"),
                                       QT_TRANSLATE_NOOP("pim::views::SweepView", "Baseline cycles"),
                                       QT_TRANSLATE_NOOP("pim::views::SweepView", "Speed-up"),
                                       QT_TRANSLATE_NOOP("pim::views::SweepView", "Memory share")};
        return role == Qt::EditRole ? QString::fromLatin1(kExact[column])
                                    : SweepView::tr(kShown[static_cast<std::size_t>(column)]);
    }

private:
    int dimensions() const { return static_cast<int>(m_data.names.size()); }
    const SweepData& m_data;
};

/// Where values double from one to the next, a logarithmic axis spreads them evenly.
bool wantsLog(const std::set<double>& values) {
    return values.size() > 2 && *values.begin() > 0 && *values.rbegin() / *values.begin() >= 8;
}

} // namespace

SweepView::SweepView(QWidget* parent)
    : QWidget(parent), m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("compare"))),
      m_page(new QWidget), m_title(new QLabel), m_speedup(new QCustomPlot), m_memory(new QCustomPlot),
      m_table(new TableView), m_model(new SweepModel(m_data, this)) {
    setObjectName(QStringLiteral("SweepView"));
    setAccessibleName(tr("Sweep"));
    m_empty->setText(
        tr("Nothing was swept yet"),
        tr("Sweep over sequence length or batch; speed-up and memory share of each appear here."));
    m_title->setTextFormat(Qt::RichText);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_title->setContentsMargins(12, 5, 6, 3);
    m_title->setAccessibleName(tr("What was swept"));
    m_speedup->setAccessibleName(tr("Speed-up over the swept values"));
    m_memory->setAccessibleName(tr("Share of memory arrays over the swept values"));
    m_table->setAccessibleName(tr("Table of the sweep"));
    m_table->setExportName(QStringLiteral("sweep"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    connect(m_table, &QAbstractItemView::activated, this,
            [this](const QModelIndex& index) { emit rowActivated(index.row()); });
    auto* plots = new QSplitter(Qt::Vertical);
    for (QCustomPlot* plot : {m_speedup, m_memory}) {
        plot->setMinimumSize(200, 130);
        plot->axisRect()->setMinimumMargins(QMargins(64, 12, 16, 12)); // both x axes start at the same place
        plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
        plots->addWidget(plot);
    }
    plots->setChildrenCollapsible(false);
    auto* across = new QSplitter(Qt::Horizontal);
    across->setChildrenCollapsible(false);
    across->addWidget(plots);
    across->addWidget(m_table);
    across->setStretchFactor(0, 3);
    across->setStretchFactor(1, 2);
    across->setSizes({600, 480}); // scaled to the width there is
    auto* layout = new QVBoxLayout(m_page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_title);
    layout->addWidget(across, 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);
    installPlotExport(m_speedup, QStringLiteral("sweep_speedup"));
    installPlotExport(m_memory, QStringLiteral("sweep_memory_share"));
}

void SweepView::setEmptyText(const QString& missing, const QString& whatToDo) {
    m_empty->setText(missing, whatToDo);
}

void SweepView::setData(SweepData data) {
    m_data = std::move(data);
    static_cast<SweepModel*>(m_model)->refresh();
    const bool any = !m_data.rows.empty() && !m_data.names.empty();
    m_pages->setCurrentWidget(any ? m_page : static_cast<QWidget*>(m_empty));
    if (!any)
        return;
    m_table->fitColumns();
    double low = HUGE_VAL, high = 0, product = 0;
    int good = 0;
    for (const SweepRow& row : m_data.rows)
        if (const double speedup = row.speedup(); speedup > 0) {
            low = std::min(low, speedup);
            high = std::max(high, speedup);
            product += std::log(speedup);
            ++good;
        }
    QString line =
        m_data.what.isEmpty() ? QString() : QStringLiteral("<b>%1</b> · ").arg(m_data.what.toHtmlEscaped());
    if (good > 0)
        line += tr("<b>%1</b> over %2 (geometric mean of %3, %4 to %5)")
                    .arg(text(ratioText(std::exp(product / good))),
                         m_data.baseline.isEmpty() ? tr("the baseline") : m_data.baseline.toHtmlEscaped())
                    .arg(good)
                    .arg(text(ratioText(low)), text(ratioText(high)));
    if (good < static_cast<int>(m_data.rows.size()))
        line += tr(" · %1 failed").arg(static_cast<int>(m_data.rows.size()) - good);
    m_title->setText(line);
    fill(m_speedup, tr("speed-up"), [](const SweepRow& row) { return row.speedup(); });
    fill(m_memory, tr("memory arrays, %"), [](const SweepRow& row) { return row.memoryShare * 100; });
    style();
}

void SweepView::fill(QCustomPlot* plot, const QString& label, double (*value)(const SweepRow&)) {
    plot->clearPlottables();
    std::map<std::vector<double>, std::pair<QVector<double>, QVector<double>>> lines;
    std::set<double> swept;
    double most = 0;
    for (const SweepRow& row : m_data.rows) {
        if (row.values.size() != m_data.names.size() || !row.error.isEmpty())
            continue;
        auto& line = lines[std::vector<double>(row.values.begin() + 1, row.values.end())];
        line.first.append(row.values.front());
        line.second.append(value(row));
        swept.insert(row.values.front());
        most = std::max(most, value(row));
    }
    for (const auto& [others, points] : lines) {
        QCPGraph* graph = plot->addGraph();
        graph->setData(points.first, points.second);
        QStringList name;
        for (std::size_t i = 0; i < others.size(); ++i)
            name << QStringLiteral("%1 %2").arg(m_data.names[i + 1], valueText(others[i]));
        graph->setName(name.join(QStringLiteral(", ")));
        if (name.isEmpty())
            graph->removeFromLegend();
    }
    plot->legend->setVisible(lines.size() > 1);
    // Below the lines where the axis leaves room there.
    plot->axisRect()->insetLayout()->setInsetAlignment(
        0, (plot == m_speedup ? Qt::AlignBottom : Qt::AlignTop) | Qt::AlignRight);
    plot->xAxis->setLabel(m_data.names.front());
    plot->yAxis->setLabel(label);
    // A tick at every value that was swept, and at no other.
    auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    for (const double x : swept)
        ticker->addTick(x, valueText(x));
    plot->xAxis->setTicker(ticker);
    const bool logarithmic = wantsLog(swept);
    plot->xAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (!swept.empty()) {
        const double low = *swept.begin(), high = *swept.rbegin(),
                     margin = std::max(1e-9, (high - low) * 0.04);
        if (logarithmic)
            plot->xAxis->setRange(low / 1.15, high * 1.15);
        else
            plot->xAxis->setRange(low - (swept.size() > 1 ? margin : 1),
                                  high + (swept.size() > 1 ? margin : 1));
    }
    plot->yAxis->setRange(0, most > 0 ? most * 1.12 : 1);
}

void SweepView::style() {
    for (QCustomPlot* plot : {m_speedup, m_memory}) {
        stylePlot(plot);
        static const std::array kShapes{QCPScatterStyle::ssDisc, QCPScatterStyle::ssSquare,
                                        QCPScatterStyle::ssDiamond, QCPScatterStyle::ssTriangle,
                                        QCPScatterStyle::ssCross};
        // Told apart by shape as well as by colour.
        static const std::array kRoles{Role::Compute, Role::MemoryIn, Role::Transfer, Role::Switching,
                                       Role::Rewriting};
        for (int i = 0; i < plot->graphCount(); ++i) {
            const QColor ink = color(kRoles[static_cast<std::size_t>(i) % kRoles.size()]);
            plot->graph(i)->setPen(QPen(ink, 2));
            plot->graph(i)->setScatterStyle(
                QCPScatterStyle(kShapes[static_cast<std::size_t>(i) % kShapes.size()], ink, ink, 8));
        }
        plot->replot(QCustomPlot::rpQueuedReplot);
    }
}

void SweepView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        style();
    QWidget::changeEvent(event);
}

} // namespace pim::views
