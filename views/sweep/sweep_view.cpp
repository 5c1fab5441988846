// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/sweep_view.h"

#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/common/plot.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/sweep/effect_page.h"
#include "views/sweep/parallel_plot.h"
#include "views/sweep/progress_page.h"
#include "views/sweep/scatter_matrix.h"
#include "views/sweep/series_look.h"

#include <QAbstractTableModel>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace pim::views {
namespace {

/// "51.20 GMAC/s"
QString rateText(double macsPerSecond) {
    const QString count = text(countText(macsPerSecond));
    return count + (count.contains(QLatin1Char(' ')) ? QStringLiteral("MAC/s") : QStringLiteral(" MAC/s"));
}

enum Column { kTime, kBaseline, kSpeedup, kRate, kMark, kFigures };

} // namespace

class SweepModel : public QAbstractTableModel {
public:
    explicit SweepModel(const SweepData& data, QObject* parent) : QAbstractTableModel(parent), m_data(data) {}
    /// \p now takes the place of \p mine, which is what this model shows; the selection stays where rows only came.
    void replace(SweepData& mine, SweepData now) {
        const int before = rowCount(), after = static_cast<int>(now.rows.size());
        // Points of a campaign come from many at once: some may have found their place between others.
        const auto onlyAppends = [&] {
            return std::equal(mine.rows.begin(), mine.rows.end(), now.rows.begin(),
                              [](const SweepRow& a, const SweepRow& b) { return a.turn == b.turn; });
        };
        if (m_shown || now.names != mine.names || now.figures != mine.figures || after < before ||
            before == 0 || !onlyAppends()) {
            beginResetModel();
            m_shown.reset();
            mine = std::move(now);
            endResetModel();
            return;
        }
        std::vector<SweepRow> all = std::move(now.rows);
        now.rows.assign(all.begin(), all.begin() + before);
        mine = std::move(now);
        if (after > before) {
            beginInsertRows({}, before, after - 1);
            mine.rows = std::move(all);
            endInsertRows();
        }
        emit dataChanged(index(0, 0), index(before - 1, columnCount() - 1)); // marks move on
    }
    /// These rows of the data only; nothing: all.
    void show(std::optional<std::vector<int>> rows) {
        if (rows == m_shown)
            return;
        beginResetModel();
        m_shown = std::move(rows);
        endResetModel();
    }
    /// Row of the data that a row of the table is.
    int dataRow(int row) const { return m_shown ? (*m_shown)[static_cast<std::size_t>(row)] : row; }
    /// Row of the table; -1: it is not shown.
    int tableRow(int dataRow) const {
        if (!m_shown)
            return dataRow;
        const auto found = std::ranges::lower_bound(*m_shown, dataRow); // ascending
        return found != m_shown->end() && *found == dataRow ? int(found - m_shown->begin()) : -1;
    }
    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_shown ? m_shown->size() : m_data.rows.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : dimensions() + kFigures + static_cast<int>(m_data.figures.size());
    }
    QVariant data(const QModelIndex& index, int role) const override {
        if (!index.isValid() || index.row() >= rowCount())
            return {};
        const SweepRow& row = m_data.rows[static_cast<std::size_t>(dataRow(index.row()))];
        const int column = index.column() - dimensions();
        switch (role) {
        case Qt::TextAlignmentRole:
            return int((column == kMark ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        case Qt::ToolTipRole:
            return column < 0 ? QVariant(row.values.value(index.column())) : tip(row, column);
        case Qt::ForegroundRole:
            return row.error.isEmpty() ? QVariant()
                                       : QVariant(color(row.isLeftOut ? Role::Muted : Role::Bad));
        case Qt::FontRole: {
            QFont bold;
            bold.setBold(true);
            return row.isBest ? QVariant(bold) : QVariant();
        }
        case Qt::DisplayRole:
        case Qt::EditRole:
            return cell(row, index.column(), role == Qt::EditRole);
        default:
            return {};
        }
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
            return {};
        const int column = section - dimensions();
        if (role == Qt::TextAlignmentRole)
            return int((column == kMark ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        if (role == Qt::ToolTipRole)
            return headerTip(column);
        if (role != Qt::DisplayRole && role != Qt::EditRole)
            return {};
        if (column < 0) {
            QString name = m_data.names.at(section);
            if (role == Qt::EditRole)
                return name.replace(QLatin1Char(' '), QLatin1Char('_'));
            name[0] = name.at(0).toUpper();
            return name;
        }
        if (column >= kFigures) {
            const SweepFigure& figure = m_data.figures[static_cast<std::size_t>(column - kFigures)];
            return role == Qt::EditRole ? text(figure.key) : figure.title;
        }
        static const char* const kExact[] = {"total_ns", "baseline_ns", "speedup", "macs_per_s", "marks"};
        static const std::array kShown{QT_TRANSLATE_NOOP("pim::views::SweepView", "Time"),
                                       QT_TRANSLATE_NOOP("pim::views::SweepView", "Baseline"),
                                       QT_TRANSLATE_NOOP("pim::views::SweepView", "Speed-up"),
                                       QT_TRANSLATE_NOOP("pim::views::SweepView", "Work per second"),
                                       QT_TRANSLATE_NOOP("pim::views::SweepView", "Marks")};
        return role == Qt::EditRole ? QString::fromLatin1(kExact[column])
                                    : SweepView::tr(kShown[static_cast<std::size_t>(column)]);
    }

private:
    int dimensions() const { return static_cast<int>(m_data.names.size()); }
    QVariant cell(const SweepRow& row, int section, bool exact) const {
        const int column = section - dimensions();
        if (column < 0) {
            const QString value = row.values.value(section);
            bool isNumber = false;
            const double number = value.toDouble(&isNumber);
            return exact && isNumber ? QVariant(number) : QVariant(value);
        }
        if (!row.error.isEmpty()) {
            if (column == kMark)
                return exact           ? row.error
                       : row.isLeftOut ? SweepView::tr("left out")
                                       : SweepView::tr("failed");
            return exact ? QVariant() : QVariant(QStringLiteral("–"));
        }
        switch (column) {
        case kTime:
            return exact ? QVariant(row.ns) : QVariant(text(timeText(row.ns)));
        case kBaseline:
            return exact ? QVariant(row.baselineNs) : QVariant(text(timeText(row.baselineNs)));
        case kSpeedup:
            return exact ? QVariant(row.speedup()) : QVariant(text(ratioText(row.speedup())));
        case kRate:
            return exact ? QVariant(row.macsPerSecond) : QVariant(rateText(row.macsPerSecond));
        case kMark:
            return markText(row);
        default:
            return figureCell(row, static_cast<std::size_t>(column - kFigures), exact);
        }
    }
    QVariant figureCell(const SweepRow& row, std::size_t at, bool exact) const {
        const double value = at < row.figures.size() ? row.figures[at] : std::nan("");
        if (std::isnan(value))
            return exact ? QVariant() : QVariant(QStringLiteral("–"));
        if (exact)
            return value;
        return text(m_data.figures[at].isShare ? percentText(value) : countText(value));
    }
    static QString markText(const SweepRow& row) {
        QStringList marks;
        if (row.isBest)
            marks << SweepView::tr("best");
        if (row.isOnFront)
            marks << SweepView::tr("front");
        return marks.join(QStringLiteral(", "));
    }
    static QVariant tip(const SweepRow& row, int column) {
        if (!row.error.isEmpty())
            return row.error;
        switch (column) {
        case kTime:
            return SweepView::tr("%1 ns").arg(row.ns, 0, 'g', 17);
        case kBaseline:
            return SweepView::tr("%1 ns").arg(row.baselineNs, 0, 'g', 17);
        case kSpeedup:
            return QString::number(row.speedup(), 'g', 17);
        case kRate:
            return SweepView::tr("%1 multiply-accumulates per second").arg(row.macsPerSecond, 0, 'g', 17);
        default:
            return {};
        }
    }
    QVariant headerTip(int column) const {
        switch (column) {
        case kBaseline:
            return m_data.baseline;
        case kRate:
            return SweepView::tr("Multiply-accumulates of the network, divided by its time");
        case kMark:
            return SweepView::tr(
                "Best: the least time of all with the same model and sizes; where only sizes "
                "vary, the most work per second.\n"
                "Front: no other of the model is at least as good in all objectives and "
                "better in one.");
        default:
            return {};
        }
    }
    const SweepData& m_data;
    std::optional<std::vector<int>> m_shown; ///< Rows of the data; nothing: all.
};

namespace {

/// Where values double from one to the next, a logarithmic axis spreads them evenly.
bool wantsLog(const std::map<double, QString>& values) {
    return values.size() > 2 && values.begin()->first > 0 &&
           values.rbegin()->first / values.begin()->first >= 8;
}

} // namespace

SweepView::SweepView(QWidget* parent)
    : QWidget(parent), m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("compare"))),
      m_page(new QWidget), m_title(new LineLabel), m_speedup(new Plot), m_figure(new Plot), m_front(new Plot),
      m_parallel(new ParallelPlot(m_points)), m_scatter(new ScatterMatrix(m_points)),
      m_progress(new ProgressPage), m_effects(new EffectPage), m_plots(new QTabWidget),
      m_table(new TableView), m_model(new SweepModel(m_data, this)) {
    setObjectName(QStringLiteral("SweepView"));
    setAccessibleName(tr("Sweep"));
    m_empty->setText(tr("Nothing swept yet"),
                     tr("Sweep over sequence length, batch or target; the time of each appears here."));
    m_title->setTextFormat(Qt::RichText);
    m_title->setContentsMargins(12, 5, 6, 3);
    m_title->setAccessibleName(tr("What was swept"));
    m_speedup->setAccessibleName(tr("Speed-up over the swept values"));
    m_figure->setAccessibleName(tr("Figure of the hardware over the swept values"));
    m_front->setAccessibleName(tr("Time and work per second of every point, with the Pareto front"));
    m_plots->setAccessibleName(tr("Plots of the sweep"));
    m_plots->setDocumentMode(true);
    m_table->setAccessibleName(tr("Table of the sweep"));
    m_table->setExportName(QStringLiteral("sweep"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    connect(m_table, &QAbstractItemView::activated, this,
            [this](const QModelIndex& index) { emit rowActivated(m_model->dataRow(index.row())); });
    auto* overValues = new QSplitter(Qt::Vertical);
    for (QCustomPlot* plot : {m_speedup, m_figure, m_front}) {
        plot->setMinimumSize(200, 60);
        plot->axisRect()->setMinimumMargins(QMargins(64, 12, 16, 12)); // both x axes start at the same place
        plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    }
    overValues->addWidget(m_speedup);
    overValues->addWidget(m_figure);
    m_overValues = overValues;
    m_overValues->installEventFilter(this);
    m_plots->addTab(overValues, tr("Values"));
    m_plots->addTab(m_front, tr("Time and work"));
    m_plots->addTab(m_parallel, tr("All axes"));
    m_plots->addTab(m_scatter, tr("Pairs"));
    m_plots->addTab(m_progress, tr("Progress"));
    m_plots->addTab(m_effects, tr("Sensitivity"));
    const QString tips[] = {tr("Speed-up and a figure of the machine over the first axis"),
                            tr("What the Pareto front is by"),
                            tr("Every point as a line over all axes and figures"),
                            tr("Scatter matrix: axes and figures set against each other in pairs"),
                            tr("The best so far after each point, and the hypervolume of the front"),
                            tr("How much each axis moves each figure")};
    for (int page = 0; page < m_plots->count(); ++page)
        m_plots->setTabToolTip(page, tips[page]);
    m_plots->setUsesScrollButtons(true);
    connect(m_plots, &QTabWidget::currentChanged, this, &SweepView::fillPage);
    connect(&m_points, &PointBrushes::brushed, this, &SweepView::showBrushed);
    connect(m_scatter, &ScatterMatrix::rowChosen, this, &SweepView::selectRow);
    connect(m_scatter, &ScatterMatrix::rowActivated, this, &SweepView::rowActivated);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                m_scatter->setCurrentRow(index.isValid() ? m_model->dataRow(index.row()) : -1);
            });
    overValues->setChildrenCollapsible(false);
    auto* across = new QSplitter(Qt::Horizontal);
    across->setChildrenCollapsible(false);
    across->addWidget(m_plots);
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
    installPlotExport(m_figure, QStringLiteral("sweep_figure"));
    installPlotExport(m_front, QStringLiteral("sweep_front"));
}

void SweepView::setEmptyText(const QString& missing, const QString& whatToDo) {
    m_empty->setText(missing, whatToDo);
}

SweepView::~SweepView() {
    m_table->setModel(nullptr); // what it shows goes before the table does
}

void SweepView::setData(SweepData data) {
    const bool wasEmpty = m_data.rows.empty() || m_data.names != data.names;
    const QModelIndex current = m_table->currentIndex();
    const std::optional<std::int64_t> chosen =
        !wasEmpty && current.isValid()
            ? std::optional(m_data.rows[static_cast<std::size_t>(m_model->dataRow(current.row()))].turn)
            : std::nullopt;
    m_model->replace(m_data, std::move(data));
    const bool any = !m_data.rows.empty() && !m_data.names.empty();
    m_pages->setCurrentWidget(any ? m_page : static_cast<QWidget*>(m_empty));
    if (!any)
        return;
    // While the first come, wider words may come with them.
    constexpr std::size_t kFirst = 64;
    if (wasEmpty || m_data.rows.size() <= kFirst)
        m_table->fitColumns();
    m_title->setText(titleText());
    const SweepFigure* const against =
        m_data.against < 0 ? nullptr : &m_data.figures[static_cast<std::size_t>(m_data.against)];
    m_plots->setTabText(m_plots->indexOf(m_front),
                        against ? tr("Time and %1").arg(against->axis.section(u',', 0, 0))
                                : tr("Time and work"));
    std::vector<bool> front;
    front.reserve(m_data.rows.size());
    for (const SweepRow& row : m_data.rows)
        front.push_back(row.isOnFront);
    m_points.setPoints(pointColumns(m_data), std::move(front));
    if (m_points.isBrushed())
        showBrushed();
    m_filled.clear();
    fillPage();
    if (chosen && !m_table->currentIndex().isValid()) // the same point, wherever it is now
        if (const auto row = std::ranges::find(m_data.rows, *chosen, &SweepRow::turn);
            row != m_data.rows.end())
            selectRow(static_cast<int>(row - m_data.rows.begin()));
}

void SweepView::fillPage() {
    if (m_data.rows.empty() || m_data.names.empty())
        return;
    const QWidget* const page = m_plots->currentWidget();
    if (!m_filled.insert(page).second)
        return;
    if (page == m_overValues)
        fillOverValues();
    else if (page == m_front)
        fillFront();
    else if (page == m_effects)
        m_effects->setPoints(m_points.columns(), std::ssize(m_data.rows), m_data.size);
    else if (page == m_progress) {
        std::vector<std::int64_t> turns;
        turns.reserve(m_data.rows.size());
        for (const SweepRow& row : m_data.rows)
            turns.push_back(row.turn);
        m_progress->setPoints(m_points.columns(), turns);
    }
}

void SweepView::fillOverValues() {
    fill(m_speedup, tr("speed-up"), [](const SweepRow& row) { return row.speedup(); });
    fitFigure();
    if (!m_data.figures.empty())
        fill(m_figure, m_data.figures.front().axis,
             [scale = m_data.figures.front().isShare ? 100.0 : 1.0](const SweepRow& row) {
                 return row.figures.empty() ? std::nan("") : row.figures.front() * scale;
             });
    style();
}

void SweepView::fitFigure() {
    constexpr int kLeastForTwo = 220; // pixels: each with its axis and three ticks
    m_figure->setVisible(!m_data.figures.empty() && m_overValues->height() >= kLeastForTwo);
}

bool SweepView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_overValues && event->type() == QEvent::Resize)
        fitFigure();
    return QWidget::eventFilter(watched, event);
}

QString SweepView::titleText() const {
    double low = HUGE_VAL, high = 0, product = 0;
    int good = 0, best = 0, leftOut = 0;
    const SweepRow* first = nullptr; ///< The only best one.
    for (const SweepRow& row : m_data.rows) {
        leftOut += row.isLeftOut ? 1 : 0;
        if (!row.error.isEmpty())
            continue;
        ++good;
        const double speedup = row.speedup();
        low = std::min(low, speedup);
        high = std::max(high, speedup);
        product += std::log(std::max(speedup, 1e-300));
        if (row.isBest && best++ == 0)
            first = &row;
    }
    QString line =
        m_data.what.isEmpty() ? QString() : QStringLiteral("<b>%1</b> · ").arg(m_data.what.toHtmlEscaped());
    if (good > 0)
        line += tr("<b>%1</b> over %2 (geometric mean of %3, %4 to %5)")
                    .arg(text(ratioText(std::exp(product / good))),
                         m_data.baseline.isEmpty() ? tr("the baseline") : m_data.baseline.toHtmlEscaped())
                    .arg(good)
                    .arg(text(ratioText(low)), text(ratioText(high)));
    if (best == 1)
        line += tr(" · best %1: %2")
                    .arg(first->values.join(QStringLiteral(", ")).toHtmlEscaped(), text(timeText(first->ns)));
    if (good + leftOut < static_cast<int>(m_data.rows.size()))
        line += tr(" · %1 failed").arg(static_cast<int>(m_data.rows.size()) - good - leftOut);
    if (leftOut > 0)
        line += tr(" · %1 left out by conditions").arg(leftOut);
    return line;
}

void SweepView::fillFront() {
    m_front->clearPlottables();
    const SweepFigure* const against =
        m_data.against < 0 ? nullptr : &m_data.figures[static_cast<std::size_t>(m_data.against)];
    const auto figureOf = [&](const SweepRow& row) {
        return against ? row.figures[static_cast<std::size_t>(m_data.against)] : row.macsPerSecond / 1e9;
    };
    std::vector<QString> networks; // in the order they came
    std::map<QString, std::vector<const SweepRow*>> rowsOf;
    double least = HUGE_VAL, longest = 0, lowest = HUGE_VAL, most = 0;
    for (const SweepRow& row : m_data.rows) {
        if (!row.error.isEmpty() || row.ns <= 0)
            continue;
        const QString network = m_data.network < 0 ? QString() : row.values.value(m_data.network);
        std::vector<const SweepRow*>& its = rowsOf[network];
        if (its.empty())
            networks.push_back(network);
        its.push_back(&row);
        least = std::min(least, row.ns / 1e3);
        longest = std::max(longest, row.ns / 1e3);
        lowest = std::min(lowest, figureOf(row));
        most = std::max(most, figureOf(row));
    }
    for (const QString& network : networks) {
        std::vector<const SweepRow*>& its = rowsOf[network];
        std::ranges::stable_sort(its, {}, &SweepRow::ns);
        QVector<double> ns, rate, frontNs, frontRate; // rate: the figure of the y axis
        for (const SweepRow* row : its) {
            ns.append(row->ns / 1e3);
            rate.append(figureOf(*row));
            if (row->isOnFront) {
                frontNs.append(ns.back());
                frontRate.append(rate.back());
            }
        }
        QCPGraph* all = m_front->addGraph();
        all->setName(networks.size() > 1 ? network : tr("all"));
        all->setLineStyle(QCPGraph::lsNone);
        all->setData(ns, rate);
        QCPGraph* best = m_front->addGraph();
        best->setName(tr("Pareto front"));
        best->setLineStyle(QCPGraph::lsStepLeft);
        best->setData(frontNs, frontRate);
        if (networks.size() > 1) // a line between its points
            best->removeFromLegend();
    }
    m_front->legend->setVisible(!networks.empty());
    m_front->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignBottom | Qt::AlignRight);
    m_front->xAxis->setLabel(tr("time, µs"));
    m_front->yAxis->setLabel(against ? against->axis : tr("work per second, GMAC/s"));
    const bool any = !networks.empty(), logarithmic = any && longest / least >= 8;
    m_front->xAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m_front->xAxis->setTicker(logarithmic ? QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog)
                                          : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    const double margin = std::max(longest - least, longest * 0.1) * 0.1;
    if (any)
        m_front->xAxis->setRange(logarithmic ? least / 1.3 : least - margin,
                                 logarithmic ? longest * 1.3 : longest + margin);
    // Networks may be far apart.
    const bool isFar = networks.size() > 1 && lowest > 0 && most / lowest >= 8;
    m_front->yAxis->setScaleType(isFar ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m_front->yAxis->setTicker(isFar ? QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog)
                                    : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    m_front->yAxis->setRange(isFar ? lowest / 1.3 : 0, isFar ? most * 1.3 : most > 0 ? most * 1.12 : 1);
    style();
}

/// The table has the points that are within the brushes.
void SweepView::showBrushed() {
    if (!m_points.isBrushed())
        return m_model->show(std::nullopt);
    std::vector<int> rows;
    for (int row = 0; row < m_points.rows(); ++row)
        if (m_points.isWithin(row))
            rows.push_back(row);
    m_model->show(std::move(rows));
}

QList<int> SweepView::shownRows() const {
    QList<int> rows;
    for (int row = 0; row < m_model->rowCount(); ++row)
        rows << m_model->dataRow(row);
    return rows;
}

void SweepView::selectRow(int row) {
    if (const int at = m_model->tableRow(row); at >= 0) {
        m_table->selectRow(at);
        m_table->scrollTo(m_model->index(at, 0));
    }
}

void SweepView::fill(QCustomPlot* plot, const QString& label,
                     const std::function<double(const SweepRow&)>& value) {
    plot->clearPlottables();
    const Places places(m_data);
    std::map<QStringList, std::size_t> lineOf;
    // in the order they came
    std::vector<std::pair<QStringList, std::pair<QVector<double>, QVector<double>>>> lines;
    std::map<double, QString> swept;
    double most = 0;
    for (const SweepRow& row : m_data.rows) {
        if (row.values.size() != m_data.names.size() || row.values.isEmpty() || !row.error.isEmpty())
            continue;
        const double y = value(row);
        if (std::isnan(y))
            continue;
        const QStringList others = row.values.mid(1);
        const auto [found, isNew] = lineOf.try_emplace(others, lines.size());
        if (isNew)
            lines.push_back({others, {}});
        const double x = places.of(row.values.front());
        auto& [xs, ys] = lines[found->second].second;
        xs.append(x);
        ys.append(y);
        swept.emplace(x, row.values.front());
        most = std::max(most, y);
    }
    for (const auto& [others, points] : lines) {
        QCPGraph* graph = plot->addGraph();
        graph->setData(points.first, points.second);
        // nothing lies between two words
        graph->setLineStyle(places.isNumeric() ? QCPGraph::lsLine : QCPGraph::lsNone);
        QStringList name;
        for (int i = 0; i < others.size(); ++i)
            name << QStringLiteral("%1 %2").arg(m_data.names[i + 1], others[i]);
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
    for (const auto& [x, word] : swept)
        ticker->addTick(x, word);
    plot->xAxis->setTicker(ticker);
    const bool logarithmic = places.isNumeric() && wantsLog(swept);
    plot->xAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (!swept.empty()) {
        const double low = swept.begin()->first, high = swept.rbegin()->first,
                     margin = std::max(1e-9, (high - low) * (places.isNumeric() ? 0.04 : 0.2));
        if (logarithmic)
            plot->xAxis->setRange(low / 1.15, high * 1.15);
        else
            plot->xAxis->setRange(low - (swept.size() > 1 ? margin : 1),
                                  high + (swept.size() > 1 ? margin : 1));
    }
    plot->yAxis->setRange(0, most > 0 ? most * 1.12 : 1);
}

void SweepView::style() {
    for (QCustomPlot* plot : {m_speedup, m_figure, m_front}) {
        stylePlot(plot);
        // Points and front of each network.
        const bool arePairs = plot == m_front && plot->graphCount() > 2;
        for (int i = 0; i < plot->graphCount(); ++i)
            styleSeries(plot->graph(i), static_cast<std::size_t>(arePairs ? i / 2 : i));
        plot->replot(QCustomPlot::rpQueuedReplot);
    }
}

void SweepView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        style();
    QWidget::changeEvent(event);
}

} // namespace pim::views
