// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/sql_plot.h"

#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/palette.h"
#include "views/common/plot.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/plot_ticks.h"
#include "views/common/text.h"
#include "views/common/tool_tips.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr qsizetype kMostSeries = kCategories; ///< As many as there are colours to tell them apart.
constexpr int kMostNames = 40;                 ///< Of ticks; of more every so many-th is there.
constexpr qsizetype kNameLength = 24;
constexpr double kNamesShare = 0.35; ///< Of the height that names below the axis may take.
constexpr int kNameDegrees = 35;     ///< By which they are turned.

/// A figure with its unit as people say it: times in ns, bytes; others as they are.
std::function<QString(double)> figureText(const QString& unit) {
    static const std::pair<const char*, double> kTimes[] = {
        {"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    for (const auto& [name, ns] : kTimes)
        if (unit == QString::fromUtf8(name))
            return [factor = ns](double value) { return text(timeText(value * factor)); };
    if (unit == QStringLiteral("B"))
        return [](double value) { return text(bytesText(value)); };
    if (unit == QStringLiteral("pJ"))
        return [](double value) { return text(energyText(value)); };
    return [unit](double value) {
        const QString number = QString::number(value, 'g', 6);
        return unit.isEmpty() ? number : QStringLiteral("%1 %2").arg(number, unit);
    };
}

QSharedPointer<FigureTicker> tickerOf(const QString& unit) {
    return QSharedPointer<FigureTicker>::create(figureText(unit), unit == QStringLiteral("B") ? 2 : 10);
}

QString withUnit(const QString& name, const QString& unit) {
    return unit.isEmpty() ? name : QStringLiteral("%1 [%2]").arg(name, unit);
}

QString shortName(const QString& name) {
    const QString line = name.simplified();
    return line.size() > kNameLength ? line.left(kNameLength - 1) + u'…' : line;
}

} // namespace

SqlPlot::SqlPlot(QWidget* parent)
    : QWidget(parent), m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("table"))),
      m_xBox(new QComboBox), m_kindBox(new QComboBox), m_yButton(new QToolButton), m_yMenu(new QMenu(this)),
      m_remark(new QLabel), m_plot(new Plot) {
    setObjectName(QStringLiteral("SqlPlot"));
    setAccessibleName(tr("Plot of the answer"));
    m_plot->setMinimumSize(200, 120);
    m_plot->setAccessibleName(tr("Plot of the answer"));
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->installEventFilter(this);
    m_plot->setAutoAddPlottableToLegend(false);
    m_plot->plotLayout()->insertRow(0); // in a row of its own: inside, it would hide bars
    m_plot->plotLayout()->setRowStretchFactor(0, 0.001);
    m_plot->axisRect()->insetLayout()->take(m_plot->legend);
    m_plot->legend->setWrap(4);
    m_plot->legend->setFillOrder(QCPLegend::foColumnsFirst, true);
    connect(m_plot, &QCustomPlot::mouseDoubleClick, this, &SqlPlot::fit);
    ExportSource source = exportSource(m_plot, QStringLiteral("query"));
    source.csv = [this] { return csv(); };
    installPlotExport(static_cast<QWidget*>(m_plot), source);
    m_remark->setWordWrap(true);
    m_remark->setContentsMargins(8, 0, 8, 0);
    m_remark->setAccessibleName(tr("What the plot leaves out"));
    auto* drawn = new QWidget;
    auto* column = new QVBoxLayout(drawn);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(buildControls());
    column->addWidget(m_remark);
    column->addWidget(m_plot, 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(drawn);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(m_pages);
    static const QueryResult kNothing;
    setResult(kNothing);
}

QWidget* SqlPlot::buildControls() {
    m_xBox->setAccessibleName(tr("Column of the horizontal axis"));
    m_xBox->setToolTip(tr("Column of the horizontal axis"));
    m_yButton->setPopupMode(QToolButton::InstantPopup);
    m_yButton->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_yButton->setMenu(m_yMenu);
    m_yButton->setAccessibleName(tr("Columns of the vertical axis"));
    m_yButton->setToolTip(tr("Columns of the vertical axis; several may be chosen"));
    m_kindBox->setAccessibleName(tr("Kind of plot"));
    m_kindBox->addItem(tr("Line"), static_cast<int>(Kind::Line));
    m_kindBox->addItem(tr("Points"), static_cast<int>(Kind::Points));
    m_kindBox->addItem(tr("Bars"), static_cast<int>(Kind::Bars));
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(8, 4, 8, 0);
    layout->addWidget(new QLabel(tr("Across")));
    layout->addWidget(m_xBox);
    layout->addWidget(new QLabel(tr("Up")));
    layout->addWidget(m_yButton);
    layout->addWidget(m_kindBox);
    layout->addStretch(1);
    connect(m_xBox, &QComboBox::activated, this,
            [this] { choose(m_xBox->currentData().toString(), m_ys, m_kind); });
    connect(m_kindBox, &QComboBox::activated, this,
            [this] { choose(m_x, m_ys, static_cast<Kind>(m_kindBox->currentData().toInt())); });
    return row;
}

int SqlPlot::columnOf(const QString& name) const {
    const auto found = std::ranges::find(m_columns, name, &PlotColumn::name);
    return found == m_columns.end() ? -1 : found->index;
}

void SqlPlot::setResult(const QueryResult& result) {
    QStringList before, now;
    for (const PlotColumn& column : m_columns)
        before << column.name;
    m_result = &result;
    m_columns = plotColumns(result);
    for (const PlotColumn& column : m_columns)
        now << column.name;
    if (const QString why = whyNoPlot(result); !why.isEmpty()) {
        m_empty->setText(tr("No plot"), why);
        m_pages->setCurrentIndex(0);
        return;
    }
    m_pages->setCurrentIndex(1);
    if (before == now && !m_ys.isEmpty())
        choose(m_x, m_ys, m_kind);
    else
        chooseUsual();
}

/// Names along x as bars; else the first column of figures along x, if there is another for y.
void SqlPlot::chooseUsual() {
    const auto names = std::ranges::find_if(m_columns, &PlotColumn::isNames);
    std::vector<const PlotColumn*> figures;
    for (const PlotColumn& column : m_columns)
        if (column.isFigure())
            figures.push_back(&column);
    if (names != m_columns.end())
        // numbers of rows in a table, as id and run are, come before what was measured
        choose(names->name, {figures.back()->name}, Kind::Bars);
    else if (figures.size() > 1)
        choose(figures.front()->name, {figures[1]->name}, Kind::Line);
    else
        choose({}, {figures.front()->name}, Kind::Line);
}

void SqlPlot::choose(const QString& x, const QStringList& ys, Kind kind) {
    m_x = columnOf(x) >= 0 ? x : QString();
    QStringList known;
    for (const QString& y : ys)
        if (const int column = columnOf(y); column >= 0 &&
                                            m_columns[static_cast<std::size_t>(column)].isFigure() &&
                                            !known.contains(y) && known.size() < kMostSeries)
            known << y;
    if (known.isEmpty()) // something has to be drawn
        if (const auto first = std::ranges::find_if(m_columns, &PlotColumn::isFigure);
            first != m_columns.end())
            known << first->name;
    m_ys = known;
    m_kind = kind;
    fillControls();
    draw();
}

void SqlPlot::fillControls() {
    m_xBox->clear();
    m_xBox->addItem(tr("row"), QString());
    m_yMenu->clear();
    for (const PlotColumn& column : m_columns) {
        if (column.numbers + column.texts > 0)
            m_xBox->addItem(column.name, column.name);
        if (!column.isFigure())
            continue;
        QAction* const entry = m_yMenu->addAction(QString(column.name).replace(u'&', QStringLiteral("&&")));
        entry->setCheckable(true);
        entry->setChecked(m_ys.contains(column.name));
        entry->setEnabled(entry->isChecked() || m_ys.size() < kMostSeries);
        connect(entry, &QAction::triggered, this, [this, name = column.name](bool isOn) {
            QStringList ys = m_ys;
            if (isOn)
                ys << name;
            else if (ys.size() > 1)
                ys.removeAll(name);
            // once the menu is gone, as its entries are made anew
            QMetaObject::invokeMethod(
                this, [this, ys] { choose(m_x, ys, m_kind); }, Qt::QueuedConnection);
        });
    }
    m_xBox->setCurrentIndex(std::max(0, m_xBox->findData(m_x)));
    m_kindBox->setCurrentIndex(m_kindBox->findData(static_cast<int>(m_kind)));
    m_yButton->setText(m_ys.size() == 1
                           ? shortName(m_ys.front())
                           : tr("%1 and %2 more").arg(shortName(m_ys.front())).arg(m_ys.size() - 1));
}

void SqlPlot::draw() {
    std::vector<int> ys;
    for (const QString& y : m_ys)
        ys.push_back(columnOf(y));
    m_data = plotSeries(*m_result, m_x.isEmpty() ? -1 : columnOf(m_x), ys);
    QStringList units;
    for (const PlotSeries& series : m_data.series)
        if (!units.contains(series.unit))
            units << series.unit;
    QStringList remarks;
    if (!m_data.remark.isEmpty())
        remarks << m_data.remark;
    if (units.size() > 1)
        remarks << tr("The columns have different units and share one axis.");
    m_remark->setText(remarks.join(u' '));
    m_remark->setVisible(!remarks.isEmpty());
    drawSeries();
    labelAxes();
    style();
    fit();
}

void SqlPlot::drawSeries() {
    m_plot->clearPlottables();
    delete m_group;
    m_group = new QCPBarsGroup(m_plot);
    m_group->setSpacing(0);
    for (std::size_t i = 0; i < m_data.series.size(); ++i) {
        if (m_kind == Kind::Bars) {
            drawBars(i);
            continue;
        }
        const PlotSeries& series = m_data.series[i];
        QCPGraph* const graph = m_plot->addGraph();
        graph->setName(withUnit(series.name, series.unit));
        graph->setData(QVector<double>(series.x.begin(), series.x.end()),
                       QVector<double>(series.y.begin(), series.y.end()));
        graph->setLineStyle(m_kind == Kind::Line ? QCPGraph::lsLine : QCPGraph::lsNone);
    }
    const bool isSeveral = m_data.series.size() > 1;
    for (int i = 0; isSeveral && i < m_plot->plottableCount(); ++i)
        m_plot->plottable(i)->addToLegend();
    m_plot->legend->setVisible(isSeveral);
    // Only while it has something to say: the width of an empty one would be that of the plot.
    QCPLayoutGrid* const grid = m_plot->plotLayout();
    if (isSeveral && !grid->hasElement(0, 0))
        grid->addElement(0, 0, m_plot->legend);
    else if (!isSeveral && grid->hasElement(0, 0))
        grid->take(m_plot->legend);
}

void SqlPlot::drawBars(std::size_t series) {
    const PlotSeries& shown = m_data.series[series];
    std::vector<double> places = shown.x;
    std::ranges::sort(places);
    double least = 1;
    if (m_data.categories.isEmpty()) {
        least = HUGE_VAL;
        for (std::size_t i = 1; i < places.size(); ++i)
            if (places[i] > places[i - 1])
                least = std::min(least, places[i] - places[i - 1]);
        least = std::isfinite(least) ? least : 1;
    }
    const double width = 0.8 * least / static_cast<double>(m_data.series.size());
    auto* const bars = new QCPBars(m_plot->xAxis, m_plot->yAxis);
    bars->setName(withUnit(shown.name, shown.unit));
    bars->setWidth(width);
    bars->setData(QVector<double>(shown.x.begin(), shown.x.end()),
                  QVector<double>(shown.y.begin(), shown.y.end()));
    m_group->append(bars);
}

/// Names end in what tells them apart: "…/mlp/fc1".
QString SqlPlot::tickName(const QString& name) const {
    const QString line = name.simplified();
    const double letter = fontMetrics().averageCharWidth() * std::sin(kNameDegrees * 3.14159 / 180);
    const auto most = std::clamp(static_cast<qsizetype>(kNamesShare * m_plot->height() / letter),
                                 qsizetype{5}, kNameLength);
    return line.size() > most ? u'…' + line.right(most - 1) : line;
}

void SqlPlot::labelAxes() {
    const PlotSeries& first = m_data.series.front();
    const bool isOneUnit =
        std::ranges::all_of(m_data.series, [&](const PlotSeries& each) { return each.unit == first.unit; });
    QStringList names;
    for (const PlotSeries& series : m_data.series)
        names << shortName(series.name);
    const QString unit = isOneUnit ? first.unit : QString();
    m_plot->xAxis->setLabel(withUnit(m_data.xName, m_data.xUnit));
    m_plot->yAxis->setLabel(withUnit(names.join(QStringLiteral(", ")), unit));
    m_plot->yAxis->setTicker(tickerOf(unit));
    if (m_data.categories.isEmpty()) {
        m_plot->xAxis->setTicker(tickerOf(m_data.xUnit));
        m_plot->xAxis->setTickLabelRotation(0);
    } else {
        const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
        const auto step = (m_data.categories.size() + kMostNames - 1) / kMostNames;
        for (qsizetype i = 0; i < m_data.categories.size(); i += step)
            ticker->addTick(static_cast<double>(i), tickName(m_data.categories[i]));
        m_plot->xAxis->setTicker(ticker);
        m_plot->xAxis->setTickLabelRotation(m_data.categories.size() > 4 ? -kNameDegrees : 0);
    }
    m_plot->setAccessibleName(tr("%1 over %2").arg(names.join(QStringLiteral(", ")), m_data.xName));
}

void SqlPlot::fit() {
    m_plot->rescaleAxes();
    constexpr double kAround = 1.08;
    QCPRange y = m_plot->yAxis->range();
    if (m_kind == Kind::Bars) // from zero, or their lengths say nothing
        y.expand(0);
    m_plot->yAxis->setRange(y);
    m_plot->yAxis->scaleRange(kAround);
    if (m_kind == Kind::Bars && y.lower >= 0)
        m_plot->yAxis->setRangeLower(0);
    if (m_data.categories.isEmpty())
        m_plot->xAxis->scaleRange(kAround);
    else
        m_plot->xAxis->setRange(-0.6, static_cast<double>(m_data.categories.size()) - 0.4);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void SqlPlot::style() {
    stylePlot(m_plot);
    for (int i = 0; i < m_plot->plottableCount(); ++i) {
        QCPAbstractPlottable* const drawn = m_plot->plottable(i);
        const QColor own = m_plot->plottableCount() == 1 ? color(Role::Compute) : category(i);
        if (auto* const graph = qobject_cast<QCPGraph*>(drawn)) {
            graph->setPen(QPen(own, 1.8));
            constexpr int kMostDots = 200; // on a line; more of them are the line
            if (m_kind == Kind::Points || graph->dataCount() <= kMostDots)
                graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, own, own, 6));
        } else {
            drawn->setPen(QPen(own, 1));
            drawn->setBrush(own);
        }
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QString SqlPlot::message() const {
    return m_pages->currentIndex() == 0 ? m_empty->text() : m_remark->text();
}

QString SqlPlot::tipAt(const QPoint& position) const {
    int at = -1;
    QCPAbstractPlottable* const drawn = m_plot->plottableAt(position, false, &at);
    auto* const figures = drawn ? drawn->interface1D() : nullptr;
    if (!figures || at < 0 || at >= figures->dataCount())
        return {};
    std::size_t index = 0;
    while (index + 1 < m_data.series.size() && m_plot->plottable(static_cast<int>(index)) != drawn)
        ++index;
    const PlotSeries& series = m_data.series[index];
    const double key = figures->dataMainKey(at);
    const auto name = static_cast<qsizetype>(std::lround(key));
    const QString where = !m_data.categories.isEmpty() && name >= 0 && name < m_data.categories.size()
                              ? m_data.categories[name]
                              : figureText(m_data.xUnit)(key);
    return QStringLiteral("%1: %2\n%3: %4")
        .arg(m_data.xName, where, series.name, figureText(series.unit)(figures->dataMainValue(at)));
}

QString SqlPlot::csv() const {
    QString text = csvLine({QStringLiteral("series"), m_data.xName, QStringLiteral("value")}) + u'\n';
    for (const PlotSeries& series : m_data.series)
        for (std::size_t i = 0; i < series.x.size(); ++i)
            text +=
                csvLine({series.name,
                         m_data.categories.isEmpty() ? exactNumber(series.x[i])
                                                     : m_data.categories[static_cast<qsizetype>(series.x[i])],
                         exactNumber(series.y[i])}) +
                u'\n';
    return text;
}

bool SqlPlot::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && !m_data.categories.isEmpty())
        labelAxes(); // the plot draws itself once it is resized
    return answerToolTip(event, m_plot, [this](const QPoint& at) { return tipAt(at); }) ||
           QWidget::eventFilter(watched, event);
}

void SqlPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_data.series.empty())
        style();
}

} // namespace pim::views
