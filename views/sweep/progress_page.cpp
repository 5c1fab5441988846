// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/progress_page.h"

#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/common/plot.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"

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
    std::vector<std::size_t> order(turns.size());
    for (std::size_t row = 0; row < order.size(); ++row)
        order[row] = row;
    std::ranges::sort(order, {}, [&](std::size_t row) { return std::pair(turns[row], row); });
    std::vector<std::vector<double>> figures;
    figures.reserve(order.size());
    const auto signOf = [](const PointColumn& column) {
        return column.better == PointColumn::Better::More ? -1.0 : 1.0;
    };
    for (const std::size_t row : order) {
        std::vector<double>& of = figures.emplace_back();
        for (const PointColumn* objective : objectives)
            of.push_back(objective->values[row] * signOf(*objective));
    }
    m_progress = bestSoFar(figures);
    m_curves.clear();
    for (std::size_t o = 0; o < m_progress.best.size(); ++o) {
        Curve& curve = m_curves.emplace_back(Curve{objectives[o]->name, m_progress.best[o], false});
        for (ProgressStep& step : curve.steps)
            step.value *= signOf(*objectives[o]);
    }
    if (!m_progress.volume.empty()) {
        Curve& curve = m_curves.emplace_back(Curve{tr("hypervolume, %"), m_progress.volume, true});
        for (ProgressStep& step : curve.steps)
            step.value *= 100;
    }
    fillChoice();
    m_header->setText(headerText());
    m_header->setToolTip(m_header->text() + u'\n' +
                         tr("Points in the order they were computed, or came into a folder; those without a "
                            "result count too.\n"
                            "Hypervolume: the part of the box between the best and the worst of all "
                            "objectives that some point is at "
                            "least as good as; it grows while the front moves."));
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

QString ProgressPage::headerText() const {
    if (m_curves.empty())
        return tr("No point with a result yet");
    QString line = tr("%1 points").arg(m_progress.points);
    if (m_progress.refused > 0)
        line += tr(", %1 without a result").arg(m_progress.refused);
    for (const Curve& curve : m_curves) {
        const ProgressStep& last = curve.steps.back();
        const PointColumn plain; // its numbers are as those of a column
        line +=
            QStringLiteral(" · ") +
            (curve.isVolume
                 ? tr("front last grew by point %1").arg(last.points)
                 : tr("best %1: %2 by point %3").arg(curve.name, plain.text(last.value)).arg(last.points));
    }
    if (m_progress.best.size() > kMostVolumeObjectives)
        line += tr(" · no hypervolume for more than %1 objectives").arg(kMostVolumeObjectives);
    return line;
}

void ProgressPage::draw() {
    QCPLayoutGrid* grid = m_plot->plotLayout();

    m_plot->clearItems();
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
    const bool isLow = m_plot->height() / rows < kHeight + 40;
    for (std::size_t c = 0; c < shown.size(); ++c) {
        const Curve& curve = *shown[c];
        auto* rect = new QCPAxisRect(m_plot);
        grid->addElement(static_cast<int>(c) / across, static_cast<int>(c) % across, rect);
        rect->setMinimumMargins(QMargins(40, 6, 10, 4));
        QCPAxis *x = rect->axis(QCPAxis::atBottom), *y = rect->axis(QCPAxis::atLeft);
        if (!isLow)
            x->setLabel(tr("points computed"));
        for (QCPAxis* axis : {x, y}) {
            axis->setLayer(QStringLiteral("axes"));
            axis->grid()->setLayer(QStringLiteral("grid"));
        }
        x->ticker()->setTickCount(
            std::max(2, m_plot->width() / across / 70)); // pixels of a number and its room
        y->ticker()->setTickCount(isLow ? 2 : 4);
        QVector<double> points, values;
        for (const ProgressStep& step : curve.steps) {
            points.append(static_cast<double>(step.points));
            values.append(step.value);
        }
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        const double least = *low, most = *high;
        const QColor ink = color(curve.isVolume ? Role::Accent : Role::Compute);
        QCPGraph* line = m_plot->addGraph(x, y);
        line->setName(curve.name);
        line->setLineStyle(QCPGraph::lsStepLeft);
        line->setPen(QPen(ink, 2));
        constexpr qsizetype kMarked = 40; // more would hide the line
        if (points.size() <= kMarked)
            line->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, ink, ink, 6));
        line->setData(points, values);
        // What was best stays so to the end.
        QCPGraph* rest = m_plot->addGraph(x, y);
        rest->setPen(QPen(ink, 2));
        rest->setData({points.back(), static_cast<double>(m_progress.points)},
                      {values.back(), values.back()});
        // Named where the curve is not: one that falls leaves the upper right corner.
        const bool isRising = values.back() > values.front() || curve.isVolume;
        auto* title = new QCPItemText(m_plot);
        title->position->setAxisRect(rect);
        title->position->setType(QCPItemPosition::ptAxisRectRatio);
        title->position->setCoords(0.98, isRising ? 0.97 : 0.03);
        title->setPositionAlignment(Qt::AlignRight | (isRising ? Qt::AlignBottom : Qt::AlignTop));
        title->setClipAxisRect(rect);
        title->setText(fontMetrics().elidedText(curve.name, Qt::ElideMiddle,
                                                std::max(40, m_plot->width() / across - 60)));
        title->setColor(color(Role::NodeText));
        title->setFont(font());
        x->setRange(0, std::max(1.0, static_cast<double>(m_progress.points) * 1.02));
        if (curve.isVolume) {
            y->setRange(0, 105);
            continue;
        }
        constexpr double kWide = 8;
        const bool isLogarithmic = least > 0 && most / least >= kWide;
        y->setScaleType(isLogarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
        if (isLogarithmic)
            y->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
        y->ticker()->setTickCount(isLow ? 2 : 4);
        const double room = most > least ? (most - least) * 0.1 : std::max(1e-9, std::abs(most) * 0.1);
        y->setRange(isLogarithmic ? least / 1.3 : least - room, isLogarithmic ? most * 1.3 : most + room);
    }
    stylePlot(m_plot);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QString ProgressPage::csv() const {
    QStringList names{QStringLiteral("points")};
    std::set<std::int64_t> points;
    std::vector<std::map<std::int64_t, double>> values;
    for (const Curve& curve : m_curves) {
        names << curve.name;
        auto& of = values.emplace_back();
        for (const ProgressStep& step : curve.steps) {
            points.insert(step.points);
            of[step.points] = step.value;
        }
    }
    points.insert(m_progress.points);
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
