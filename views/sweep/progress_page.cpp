// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/progress_page.h"

#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/common/plot.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/sweep/series_look.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace pim::views {

ProgressPage::ProgressPage(QWidget* parent)
    : QWidget(parent), m_header(new LineLabel), m_choice(new QComboBox), m_plot(new Plot) {
    setAccessibleName(tr("How far the sweep got with each point"));
    m_header->setAccessibleName(tr("Best so far"));
    m_header->setTextFormat(Qt::PlainText);
    m_choice->setAccessibleName(tr("Objective shown"));
    m_choice->setToolTip(tr("Which of the curves are drawn"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_plot->setAccessibleName(tr("Best so far after each point"));
    m_plot->setMinimumSize(200, 90);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->legend->setVisible(false);
    ExportSource source = exportSource(m_plot, QStringLiteral("sweep_progress"));
    source.csv = [this] { return csv(); };
    installPlotExport(m_plot, source);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 6, 0);
    row->addWidget(m_header, 1);
    row->addWidget(m_choice);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(row);
    column->addWidget(m_plot, 1);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &ProgressPage::draw);
}

void ProgressPage::setPoints(const std::vector<PointColumn>& columns,
                             const std::vector<std::int64_t>& turns) {
    std::vector<const PointColumn*> objectives;
    for (const PointColumn& column : columns)
        if (column.isObjective)
            objectives.push_back(&column);
    const auto signOf = [](const PointColumn& column) {
        return column.better == PointColumn::Better::More ? -1.0 : 1.0;
    };
    const auto apart = std::ranges::find(columns, true, &PointColumn::isNetwork);
    m_networks.clear();
    for (std::vector<std::size_t>& rows : rowsByNetwork(columns, turns.size())) {
        std::ranges::sort(rows, {}, [&](std::size_t row) { return std::pair(turns[row], row); });
        std::vector<std::vector<double>> figures;
        figures.reserve(rows.size());
        for (const std::size_t row : rows) {
            std::vector<double>& of = figures.emplace_back();
            for (const PointColumn* objective : objectives)
                of.push_back(objective->values[row] * signOf(*objective));
        }
        m_networks.push_back(
            {apart == columns.end() ? QString() : apart->words[std::ssize(m_networks)], bestSoFar(figures)});
    }
    m_curves.clear();
    const auto add = [&](const QString& name, bool isVolume, double scale, const auto& stepsOf) {
        Curve curve{name, isVolume, {}};
        for (std::size_t n = 0; n < m_networks.size(); ++n) {
            Line line{n, stepsOf(m_networks[n].progress)};
            for (ProgressStep& step : line.steps)
                step.value *= scale;
            if (!line.steps.empty())
                curve.lines.push_back(std::move(line));
        }
        if (!curve.lines.empty())
            m_curves.push_back(std::move(curve));
    };
    for (std::size_t o = 0; o < objectives.size(); ++o)
        add(objectives[o]->name, false, signOf(*objectives[o]), [o](const BestSoFar& progress) {
            return progress.best.empty() ? std::vector<ProgressStep>() : progress.best[o];
        });
    add(tr("hypervolume, %"), true, 100, [](const BestSoFar& progress) { return progress.volume; });
    m_hasNoVolume = objectives.size() > kMostVolumeObjectives;
    fillChoice();
    draw();
}

void ProgressPage::fillChoice() {
    QStringList names{tr("All curves")};
    for (const Curve& curve : m_curves)
        names << curve.name;
    QStringList there;
    for (int i = 0; i < m_choice->count(); ++i)
        there << m_choice->itemText(i);
    if (names == there)
        return;
    const QSignalBlocker quiet(m_choice);
    const QString chosen = m_choice->currentText();
    m_choice->clear();
    m_choice->addItems(names);
    m_choice->setCurrentIndex(std::max(0, m_choice->findText(chosen)));
    m_choice->setVisible(m_curves.size() > 1);
}

QString ProgressPage::bestText(std::size_t network) const {
    QStringList said;
    const PointColumn plain; // its numbers are as those of a column
    for (const Curve& curve : m_curves)
        if (const auto line = std::ranges::find(curve.lines, network, &Line::network);
            line != curve.lines.end()) {
            const ProgressStep& last = line->steps.back();
            said << (curve.isVolume ? tr("front last grew by point %1").arg(last.points)
                                    : tr("best %1: %2 by point %3")
                                          .arg(curve.name, plain.text(last.value))
                                          .arg(last.points));
        }
    return said.isEmpty() ? tr("no point with a result") : said.join(QStringLiteral(" · "));
}

void ProgressPage::fillHeader() {
    std::int64_t points = 0, refused = 0;
    for (const Network& network : m_networks) {
        points += network.progress.points;
        refused += network.progress.refused;
    }
    QString line = m_curves.empty() ? tr("No point with a result yet") : tr("%1 points").arg(points);
    if (!m_curves.empty() && refused > 0)
        line += tr(", %1 without a result").arg(refused);
    QString tip;
    for (std::size_t n = 0; n < m_networks.size() && !m_curves.empty(); ++n) {
        const QString& name = m_networks[n].name;
        line += QStringLiteral(" · ") +
                (areSeveral() ? seriesMark(n) + u' ' + name.toHtmlEscaped() : bestText(n));
        tip += (areSeveral()
                    ? tr("%1, %2 points: %3").arg(name).arg(m_networks[n].progress.points).arg(bestText(n))
                    : line) +
               u'\n';
    }
    if (m_hasNoVolume)
        line += tr(" · no hypervolume for more than %1 objectives").arg(kMostVolumeObjectives);
    m_header->setTextFormat(areSeveral() ? Qt::RichText : Qt::PlainText);
    m_header->setText(line);
    m_header->setToolTip(tip +
                         tr("Points in the order they were computed, or came into a folder; those without a "
                            "result count too.\n"
                            "Hypervolume: the part of the box between the best and the worst of all "
                            "objectives that some point is at "
                            "least as good as; it grows while the front moves."));
}

void ProgressPage::draw() {
    fillHeader(); // its marks have colours of the theme
    QCPLayoutGrid* grid = m_plot->plotLayout();

    m_plot->clearPlottables();
    grid->clear();
    grid->simplify();
    std::vector<const Curve*> shown;
    for (const Curve& curve : m_curves)
        if (m_choice->currentIndex() <= 0 || curve.name == m_choice->currentText())
            shown.push_back(&curve);
    // As many in a row as can be read, more where there is no height for another row.
    constexpr int kWidth = 230, kHeight = 90;
    const int count = std::max(1, static_cast<int>(shown.size())),
              fitting = std::max(1, m_plot->height() / kHeight);
    int across = std::clamp(m_plot->width() / kWidth, (count + fitting - 1) / fitting, count);
    const int rows = (count + across - 1) / across;
    across = (count + rows - 1) / rows;
    const QSize room(m_plot->width() / across, m_plot->height() / rows);
    for (std::size_t c = 0; c < shown.size(); ++c) {
        auto* rect = new QCPAxisRect(m_plot);
        grid->addElement(static_cast<int>(c) / across, static_cast<int>(c) % across, rect);
        drawCurve(*shown[c], rect, room);
    }
    stylePlot(m_plot);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ProgressPage::drawCurve(const Curve& curve, QCPAxisRect* rect, QSize room) {
    constexpr int kLow = 130; // pixels, below which there is no room for a label
    const bool isLow = room.height() < kLow;
    rect->setMinimumMargins(QMargins(40, 6, 10, 4));
    QCPAxis *x = rect->axis(QCPAxis::atBottom), *y = rect->axis(QCPAxis::atLeft);
    if (!isLow)
        x->setLabel(areSeveral() ? tr("points of the model computed") : tr("points computed"));
    for (QCPAxis* axis : {x, y}) {
        axis->setLayer(QStringLiteral("axes"));
        axis->grid()->setLayer(QStringLiteral("grid"));
    }
    x->ticker()->setTickCount(std::max(2, room.width() / 70)); // pixels of a number and its room
    double least = HUGE_VAL, most = -HUGE_VAL, end = 0;
    for (const Line& line : curve.lines) {
        QVector<double> points, values;
        for (const ProgressStep& step : line.steps) {
            points.append(static_cast<double>(step.points));
            values.append(step.value);
        }
        const auto [low, high] = std::ranges::minmax(values);
        const auto last = static_cast<double>(m_networks[line.network].progress.points);
        least = std::min(least, low);
        most = std::max(most, high);
        end = std::max(end, last);
        QCPGraph* steps = m_plot->addGraph(x, y);
        steps->setName(areSeveral() ? m_networks[line.network].name : curve.name);
        styleSeries(steps, line.network);
        if (!areSeveral() && curve.isVolume) {
            const QColor ink = color(Role::Accent);
            steps->setPen(QPen(ink, 2));
            steps->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, ink, ink, 8));
        }
        steps->setLineStyle(QCPGraph::lsStepLeft);
        steps->setData(points, values);
        // What was best stays so to the end.
        QCPGraph* rest = m_plot->addGraph(x, y);
        rest->setPen(steps->pen());
        rest->setData({points.back(), last}, {values.back(), values.back()});
        constexpr qsizetype kMarked = 40; // more would hide the line
        if (points.size() > kMarked)
            steps->setScatterStyle(QCPScatterStyle::ssNone);
    }
    QCPAxis* const above = rect->axis(QCPAxis::atTop); // where no curve can run through its name
    above->setVisible(true);
    above->setTicks(false);
    above->setTickLabels(false);
    above->setLabel(fontMetrics().elidedText(curve.name, Qt::ElideMiddle, std::max(40, room.width() - 60)));
    x->setRange(0, std::max(1.0, end * 1.02));
    if (curve.isVolume) {
        y->ticker()->setTickCount(isLow ? 2 : 4);
        y->setRange(0, 105);
        return;
    }
    constexpr double kWide = 8;
    const bool isLogarithmic = least > 0 && most / least >= kWide;
    y->setScaleType(isLogarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (isLogarithmic)
        y->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
    y->ticker()->setTickCount(isLow ? 2 : 4);
    const double margin = most > least ? (most - least) * 0.1 : std::max(1e-9, std::abs(most) * 0.1);
    y->setRange(isLogarithmic ? least / 1.3 : least - margin, isLogarithmic ? most * 1.3 : most + margin);
}

QString ProgressPage::csv() const {
    QStringList names{QStringLiteral("points")};
    std::set<std::int64_t> points;
    std::vector<std::map<std::int64_t, double>> values;
    for (const Curve& curve : m_curves)
        for (const Line& line : curve.lines) {
            names << (areSeveral() ? QStringLiteral("%1: %2").arg(m_networks[line.network].name, curve.name)
                                   : curve.name);
            auto& of = values.emplace_back();
            for (const ProgressStep& step : line.steps) {
                points.insert(step.points);
                of[step.points] = step.value;
            }
        }
    for (const Network& network : m_networks)
        points.insert(network.progress.points);
    QString all = csvLine(names) + u'\n';
    for (const std::int64_t at : points) {
        QStringList fields{QString::number(at)};
        for (const auto& of : values) {
            const auto next = of.upper_bound(at);
            fields << (next == of.begin() ? QString() : exactNumber(std::prev(next)->second));
        }
        all += csvLine(fields) + u'\n';
    }
    return all;
}

void ProgressPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        draw();
    QWidget::changeEvent(event);
}

void ProgressPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (!m_curves.empty())
        draw();
}

} // namespace pim::views
