// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dual_mode/speed_map_view.h"

#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/common/plot.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"

#include <QEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pim::views {
namespace {

constexpr int kSizes = 4; ///< Steps of the size of a mark.

QString percent(double share) {
    return QString::fromStdString(percentText(share));
}

} // namespace

float SpeedGrid::at(int x, int y) const {
    const int column = x - firstX, row = y - firstY;
    if (column < 0 || row < 0 || column >= width || row >= height)
        return std::numeric_limits<float>::quiet_NaN();
    return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(column)];
}

SpeedMapView::SpeedMapView(QWidget* parent)
    : QWidget(parent), m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("target"))),
      m_page(new QWidget), m_title(new LineLabel), m_hover(new LineLabel), m_plot(new Plot),
      m_map(new QCPColorMap(m_plot->xAxis, m_plot->yAxis)), m_scale(new QCPColorScale(m_plot)),
      m_frame(new QCPItemRect(m_plot)) {
    setObjectName(QStringLiteral("SpeedMapView"));
    setAccessibleName(tr("Speed over compute and memory arrays"));
    m_empty->setText(tr("There is no speed map yet"),
                     tr("Open a model and choose a target whose arrays switch between compute and memory."));
    m_plot->setAccessibleName(tr("Heatmap of the speed over counts of compute and memory arrays"));
    m_plot->setMinimumSize(200, 120);
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_map->setInterpolate(false);
    m_map->setTightBoundary(false); // whole cells at the edges
    m_map->removeFromLegend();
    m_scale->setType(QCPAxis::atRight);
    m_scale->setBarWidth(14);
    m_plot->plotLayout()->addElement(0, 1, m_scale);
    m_map->setColorScale(m_scale);
    auto* margins = new QCPMarginGroup(m_plot);
    m_plot->axisRect()->setMarginGroup(QCP::msBottom | QCP::msTop, margins);
    m_scale->setMarginGroup(QCP::msBottom | QCP::msTop, margins);
    for (int i = 0; i <= kSizes; ++i) {
        m_marks.push_back(m_plot->addGraph());
        m_marks.back()->setLineStyle(QCPGraph::lsNone);
        m_marks.back()->setAdaptiveSampling(false);
        if (i > 0 && i < kSizes)
            m_marks.back()->removeFromLegend();
    }
    m_marks.front()->setName(tr("segments of the plan"));
    m_marks.back()->setName(tr("best mix"));
    m_plot->legend->setVisible(true);
    m_plot->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
    m_title->setTextFormat(Qt::RichText);
    m_title->setAccessibleName(tr("Best mix of arrays"));
    m_hover->setAccessibleName(tr("What is under the pointer"));

    auto* layout = new QVBoxLayout(m_page);
    layout->setContentsMargins(12, 5, 6, 4);
    layout->addWidget(m_title);
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_hover);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);
    installPlotExport(m_plot, QStringLiteral("speed_map"));
    m_plot->setFocusPolicy(Qt::StrongFocus);
    m_plot->setAccessibleDescription(tr("Arrow keys go from mix to mix, Home to the best one"));
    m_frame->setBrush(Qt::NoBrush);
    m_frame->setVisible(false);
    setCanvasItems(
        m_plot, this,
        {[this] { return m_grid.width * m_grid.height; },
         [this](int item) {
             const Mix at = mixOf(item);
             const QPointF topLeft(m_plot->xAxis->coordToPixel(at.x - 0.5),
                                   m_plot->yAxis->coordToPixel(at.y + 0.5)),
                 bottomRight(m_plot->xAxis->coordToPixel(at.x + 0.5),
                             m_plot->yAxis->coordToPixel(at.y - 0.5));
             return CanvasItem{tr("%1 %2, %3 %4").arg(at.x).arg(m_grid.xName).arg(at.y).arg(m_grid.yName),
                               wordsOf(at), QRectF(topLeft, bottomRight), m_at == at};
         },
         [this] { return m_at ? itemOf(*m_at) : -1; }, [this](int item) { goTo(mixOf(item)); },
         [this](const QPointF& at) {
             return m_plot->axisRect()->rect().contains(at.toPoint())
                        ? itemOf({static_cast<int>(std::lround(m_plot->xAxis->pixelToCoord(at.x()))),
                                  static_cast<int>(std::lround(m_plot->yAxis->pixelToCoord(at.y())))})
                        : -1;
         }});
    style();
}

SpeedMapView::Mix SpeedMapView::mixOf(int item) const {
    return {m_grid.firstX + item % m_grid.width, m_grid.firstY + item / m_grid.width};
}

int SpeedMapView::itemOf(const Mix& mix) const {
    const int column = mix.x - m_grid.firstX, row = mix.y - m_grid.firstY;
    return column < 0 || row < 0 || column >= m_grid.width || row >= m_grid.height
               ? -1
               : row * m_grid.width + column;
}

void SpeedMapView::goTo(const Mix& mix) {
    m_at = mix;
    m_frame->setVisible(true);
    m_frame->topLeft->setCoords(mix.x - 0.5, mix.y + 0.5);
    m_frame->bottomRight->setCoords(mix.x + 0.5, mix.y - 0.5);
    m_hover->setText(wordsOf(mix));
    announceCurrent(m_plot);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

bool SpeedMapView::moveBy(int key) {
    if (m_grid.width == 0)
        return false;
    const Mix best = m_grid.bestX >= 0 ? Mix{m_grid.bestX, m_grid.bestY} : mixOf(0);
    const int right = key == Qt::Key_Right  ? 1
                      : key == Qt::Key_Left ? -1
                                            : 0,
              up = key == Qt::Key_Up     ? 1
                   : key == Qt::Key_Down ? -1
                                         : 0;
    if (key != Qt::Key_Home && right == 0 && up == 0)
        return false;
    Mix to = m_at.value_or(best);
    if (key == Qt::Key_Home)
        to = best;
    else if (m_at)
        to = {std::clamp(to.x + right, m_grid.firstX, m_grid.firstX + m_grid.width - 1),
              std::clamp(to.y + up, m_grid.firstY, m_grid.firstY + m_grid.height - 1)};
    goTo(to);
    return true;
}

void SpeedMapView::setEmptyText(const QString& missing, const QString& whatToDo) {
    m_empty->setText(missing, whatToDo);
}

void SpeedMapView::setGrid(SpeedGrid grid, std::vector<OperatingPoint> points) {
    m_grid = std::move(grid);
    m_points = std::move(points);
    const bool any = m_grid.width > 0 && m_grid.height > 0 &&
                     m_grid.values.size() ==
                         static_cast<std::size_t>(m_grid.width) * static_cast<std::size_t>(m_grid.height);
    if (!any)
        m_grid = {};
    m_at.reset();
    m_frame->setVisible(false);
    announceItems(m_plot);
    m_pages->setCurrentWidget(any ? m_page : static_cast<QWidget*>(m_empty));
    if (!any)
        return;
    QCPColorMapData* cells = m_map->data();
    cells->clear();
    cells->setSize(m_grid.width, m_grid.height);
    const int lastX = m_grid.firstX + m_grid.width - 1, lastY = m_grid.firstY + m_grid.height - 1;
    cells->setRange(QCPRange(m_grid.firstX, lastX), QCPRange(m_grid.firstY, lastY));
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int y = 0; y < m_grid.height; ++y)
        for (int x = 0; x < m_grid.width; ++x) {
            const double value = m_grid.at(m_grid.firstX + x, m_grid.firstY + y);
            if (std::isfinite(value)) {
                cells->setCell(x, y, value);
                low = std::min(low, value);
                high = std::max(high, value);
            } else {
                cells->setCell(x, y, 0);
                cells->setAlpha(x, y, 0); // no such mix: nothing, not a small value
            }
        }
    // From nothing: a share of the best speed is read as a share.
    m_map->setDataRange(QCPRange(std::min(0.0, low), high > 0 ? high : 1));
    m_scale->axis()->setLabel(m_grid.valueName);
    m_plot->xAxis->setLabel(m_grid.xName);
    m_plot->yAxis->setLabel(m_grid.yName);
    m_plot->xAxis->setRange(m_grid.firstX - 1.5, lastX + 1.5);
    m_plot->yAxis->setRange(m_grid.firstY - 2.5, lastY + 0.5); // marks on the edge stay whole

    double heaviest = 0;
    for (const OperatingPoint& point : m_points)
        heaviest = std::max(heaviest, point.weight);
    std::vector<QVector<double>> xs(kSizes + 1), ys(kSizes + 1);
    for (const OperatingPoint& point : m_points) {
        const double share = heaviest > 0 ? std::sqrt(std::max(0.0, point.weight) / heaviest) : 0;
        const auto size =
            static_cast<std::size_t>(std::clamp(static_cast<int>(share * kSizes), 0, kSizes - 1));
        xs[size].append(point.x);
        ys[size].append(point.y);
    }
    if (m_grid.bestX >= 0 && m_grid.bestY >= 0) {
        xs.back().append(m_grid.bestX);
        ys.back().append(m_grid.bestY);
    }
    for (std::size_t i = 0; i < m_marks.size(); ++i)
        m_marks[i]->setData(xs[i], ys[i]);
    QString line =
        m_grid.what.isEmpty() ? QString() : QStringLiteral("<b>%1</b> · ").arg(m_grid.what.toHtmlEscaped());
    if (m_grid.bestX >= 0)
        line += tr("best with <b>%1</b> %2 and <b>%3</b> %4")
                    .arg(m_grid.bestX)
                    .arg(m_grid.xName)
                    .arg(m_grid.bestY)
                    .arg(m_grid.yName);
    m_title->setText(line);
    m_hover->setText(tr("Point at a cell; drag and wheel move and zoom, double click shows all"));
    style();
}

QString SpeedMapView::describe(const QPointF& position) const {
    if (m_grid.width == 0 || !m_plot->axisRect()->rect().contains(position.toPoint()))
        return {};
    const double atX = m_plot->xAxis->pixelToCoord(position.x()),
                 atY = m_plot->yAxis->pixelToCoord(position.y());
    // A mark of the plan goes before the cell under it.
    const OperatingPoint* nearest = nullptr;
    double distance = 8;
    for (const OperatingPoint& point : m_points) {
        const double off = std::hypot(m_plot->xAxis->coordToPixel(point.x) - position.x(),
                                      m_plot->yAxis->coordToPixel(point.y) - position.y());
        if (off < distance) {
            nearest = &point;
            distance = off;
        }
    }
    return nearest ? wordsOf(Mix{nearest->x, nearest->y})
                   : wordsOf(Mix{static_cast<int>(std::lround(atX)), static_cast<int>(std::lround(atY))});
}

QString SpeedMapView::wordsOf(const Mix& mix) const {
    const auto [x, y] = mix;
    const float value = m_grid.at(x, y);
    QString line = tr("%1 %2, %3 %4").arg(x).arg(m_grid.xName).arg(y).arg(m_grid.yName);
    line += std::isfinite(value) ? tr(": %1 %2").arg(percent(value), m_grid.valueName)
                                 : tr(": more than there are");
    QStringList others;
    for (const OperatingPoint& point : m_points)
        if (point.x == x && point.y == y)
            others << point.name;
    if (!others.isEmpty()) {
        double weight = 0;
        for (const OperatingPoint& point : m_points)
            weight += point.x == mix.x && point.y == mix.y ? point.weight : 0;
        const QString names =
            others.size() > 4
                ? tr("%1 and %2 more").arg(others.mid(0, 3).join(QStringLiteral(", "))).arg(others.size() - 3)
                : others.join(QStringLiteral(", "));
        line += tr(" · %1, %2 of the time").arg(names, percent(weight));
    }
    return line;
}

bool SpeedMapView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_plot && event->type() == QEvent::KeyPress &&
        moveBy(static_cast<QKeyEvent*>(event)->key()))
        return true;
    if (watched == m_plot && event->type() == QEvent::MouseMove) {
        if (const QString line = describe(static_cast<QMouseEvent*>(event)->position()); !line.isEmpty())
            m_hover->setText(line);
    } else if (watched == m_plot && event->type() == QEvent::MouseButtonDblClick && m_grid.width > 0) {
        m_plot->xAxis->setRange(m_grid.firstX - 1.5, m_grid.firstX + m_grid.width + 0.5);
        m_plot->yAxis->setRange(m_grid.firstY - 2.5, m_grid.firstY + m_grid.height - 0.5);
        m_plot->replot(QCustomPlot::rpQueuedReplot);
    }
    // In a small plot the legend would hide the map; the line below says the same.
    if (watched == m_plot && event->type() == QEvent::Resize)
        m_plot->legend->setVisible(m_plot->width() > 380 && m_plot->height() > 260);
    return QWidget::eventFilter(watched, event);
}

void SpeedMapView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        style();
    QWidget::changeEvent(event);
}

void SpeedMapView::style() {
    stylePlot(m_plot);
    QCPColorGradient gradient;
    gradient.clearColorStops();
    for (int i = 0; i <= 16; ++i)
        gradient.setColorStopAt(i / 16.0, sequential(i / 16.0));
    m_map->setGradient(gradient);
    m_frame->setPen(QPen(color(Role::Selection), 2));
    for (std::size_t i = 0; i < m_marks.size(); ++i) {
        const bool isBest = i + 1 == m_marks.size();
        // White with a dark rim stands out on every colour of the map.
        m_marks[i]->setScatterStyle(isBest ? QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(Qt::black, 1.5),
                                                             QBrush(color(Role::Selection)), 15)
                                           : QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(Qt::black, 1.2),
                                                             QBrush(Qt::white),
                                                             7.0 + 2.5 * static_cast<double>(i)));
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace pim::views
