// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tiles/heatmap.h"

#include "core/base/number_text.h"
#include "core/base/result.h"
#include "views/common/canvas_items.h"
#include "views/common/palette.h"
#include "views/common/plot.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/plot_ticks.h"

#include <QEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace pim::views {

/// Takes all values at once: setCell() checks and counts for each of millions.
class Cells : public QCPColorMapData {
public:
    Cells(int cores, int groups)
        : QCPColorMapData(cores, groups, QCPRange(0, std::max(cores - 1, 1)),
                          QCPRange(0, std::max(groups - 1, 1))) {}
    void assign(const std::vector<double>& values) {
        std::copy(values.begin(), values.end(), mData); // row-major in both
        mDataModified = true;
    }
    const double* row(int group) const { return mData + static_cast<std::ptrdiff_t>(group) * mKeySize; }
};

/// A colour map that paints its picture as it is. The one of QCustomPlot copies it, turned over, for every
/// frame, because groups run downwards; files still get that one, which draws few cells sharp.
class CellMap : public QCPColorMap {
public:
    using QCPColorMap::QCPColorMap;
    void cellsChanged() { m_isStale = true; }

protected:
    void draw(QCPPainter* painter) override {
        if (data()->isEmpty())
            return;
        if (painter->modes().testFlag(QCPPainter::pmVectorized)) {
            m_forFile = true;
            QCPColorMap::draw(painter);
            m_forFile = false;
            m_isStale = true; // the picture of the file took the flag
            return;
        }
        if (m_isStale || mMapImageInvalidated)
            renew();
        const QPointF first = coordsToPixels(-0.5, -0.5);
        const QPointF last = coordsToPixels(data()->keySize() - 0.5, data()->valueSize() - 0.5);
        painter->setRenderHint(QPainter::SmoothPixmapTransform, false);
        painter->drawImage(QRectF(first, last), m_image);
    }
    void updateMapImage() override {
        if (m_forFile)
            QCPColorMap::updateMapImage();
    }

private:
    void renew() {
        constexpr int kSteps = 1024;
        const QRgb nothing = QGuiApplication::palette().color(QPalette::Base).rgb(); // as behind the map
        std::array<QRgb, kSteps> colors;
        QCPColorGradient steps = gradient();
        for (int i = 0; i < kSteps; ++i)
            colors[static_cast<std::size_t>(i)] = steps.color(i, QCPRange(0, kSteps - 1)) | 0xff000000;
        const auto& cells = static_cast<const Cells&>(*data());
        const QSize size(cells.keySize(), cells.valueSize());
        if (m_image.size() != size)
            m_image = QImage(size, QImage::Format_RGB32);
        const double low = dataRange().lower, factor = (kSteps - 1) / std::max(dataRange().size(), 1e-300);
        for (int group = 0; group < size.height(); ++group) {
            const double* from = cells.row(group);
            auto* to = reinterpret_cast<QRgb*>(m_image.scanLine(group));
            for (int core = 0; core < size.width(); ++core) {
                const double step = (from[core] - low) * factor + 0.5;
                to[core] = step >= 0 ? colors[static_cast<std::size_t>(std::min(step, kSteps - 1.0))]
                                     : nothing; // NaN
            }
        }
        m_isStale = mMapImageInvalidated = false;
    }

    QImage m_image;
    bool m_isStale = true, m_forFile = false;
};

namespace {

std::pair<double, double> finiteRange(const std::vector<double>& values) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const double value : values) { // NaN is neither smaller nor larger
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    return low <= high ? std::pair(low, high) : std::pair(0.0, 0.0);
}

} // namespace

Heatmap::Heatmap(const QString& accessibleName, const QString& name, QWidget* parent)
    : QWidget(parent), m_plot(new Plot) {
    m_plot->setAccessibleName(accessibleName);
    m_plot->setAccessibleDescription(tr("Arrow keys move over cores, Enter chooses one, Home shows all"));
    m_plot->setMinimumSize(150, 100);
    m_plot->setMouseTracking(true);
    m_plot->setFocusPolicy(Qt::StrongFocus);
    m_plot->installEventFilter(this);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_map = new CellMap(m_plot->xAxis, m_plot->yAxis);
    m_map->setInterpolate(false);
    m_map->setTightBoundary(true);
    m_bar = new QCPColorScale(m_plot);
    m_bar->setType(QCPAxis::atRight);
    m_bar->setBarWidth(10);
    m_bar->axis()->setSubTicks(false);
    m_plot->plotLayout()->addElement(0, 1, m_bar);
    m_map->setColorScale(m_bar);
    auto* margins = new QCPMarginGroup(m_plot);
    m_plot->axisRect()->setMarginGroup(QCP::msBottom | QCP::msTop, margins);
    m_bar->setMarginGroup(QCP::msBottom | QCP::msTop, margins);
    m_plot->yAxis->setRangeReversed(true);
    m_plot->xAxis->setLabel(tr("core"));
    m_plot->yAxis->setLabel(tr("group"));
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        auto ticker = QSharedPointer<QCPAxisTicker>::create();
        ticker->setTickCount(3); // panels are narrow
        axis->setTicker(ticker);
        axis->setNumberFormat(QStringLiteral("f"));
        axis->setNumberPrecision(0);
    }
    m_frame = new QCPItemRect(m_plot);
    m_frame->setBrush(Qt::NoBrush);
    m_frame->setVisible(false);
    installPlotExport(m_plot, name);
    setCanvasItems(
        m_plot, this,
        {[this] { return m_groups * m_cores; },
         [this](int cell) {
             const int group = cell / m_cores, core = cell % m_cores;
             const QRectF place(
                 QPointF(m_plot->xAxis->coordToPixel(core - 0.5), m_plot->yAxis->coordToPixel(group - 0.5)),
                 QPointF(m_plot->xAxis->coordToPixel(core + 0.5), m_plot->yAxis->coordToPixel(group + 0.5)));
             const double shown = value(group, core);
             const bool isBytes = m_unit.endsWith(tr("bytes"));
             return CanvasItem{
                 tr("group %1, core %2").arg(group).arg(core),
                 std::isnan(shown) ? tr("no value")
                 : isBytes         ? QString::fromStdString(bytesText(shown))
                           : QStringLiteral("%1 %2").arg(QString::fromStdString(countText(shown)), m_unit),
                 place, group == m_group && core == m_core};
         },
         [this] { return m_group >= 0 && m_core >= 0 ? m_group * m_cores + m_core : -1; },
         [this](int cell) {
             setSelected(cell / m_cores, cell % m_cores);
             emit chosen(m_group, m_core);
         },
         [this](const QPointF& at) {
             int group = 0, core = 0;
             return cellAt(at.toPoint(), group, core) ? group * m_cores + core : -1;
         }});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    style();
}

void Heatmap::setValues(int groups, int cores, const std::vector<double>& values, const QString& unit,
                        Scale scale) {
    const bool sameCells = groups == m_groups && cores == m_cores;
    PIM_ASSERT(values.size() == static_cast<std::size_t>(groups) * static_cast<std::size_t>(cores),
               "one value per core");
    m_groups = groups;
    m_cores = cores;
    if (scale != m_scaleKind) {
        m_scaleKind = scale;
        style();
    }
    if (!sameCells) {
        m_cells = new Cells(cores, groups);
        m_map->setData(m_cells, false);
    }
    m_cells->assign(values);
    m_map->cellsChanged();
    const auto [low, high] = finiteRange(values);
    if (scale == Scale::Diverging) {
        const double most = std::max(std::abs(low), std::abs(high));
        m_map->setDataRange(QCPRange(most > 0 ? -most : -1, most > 0 ? most : 1));
    } else {
        // Equal tiles: a scale from nothing, not one that magnifies a difference that is not there.
        m_map->setDataRange(high > low ? QCPRange(low, high) : QCPRange(0, std::max(high, 1.0)));
    }
    m_unit = unit;
    const bool isBytes = unit.endsWith(tr("bytes")); // each tick tells its own unit
    m_bar->axis()->setLabel(isBytes ? unit.chopped(tr("bytes").size()).trimmed() : unit);
    m_bar->axis()->setTicker(QSharedPointer<FigureTicker>::create(
        [isBytes](double value) {
            return QString::fromStdString(isBytes ? bytesText(value) : countText(value));
        },
        isBytes ? 2 : 10));
    if (!sameCells) {
        fit();
        announceItems(m_plot);
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

double Heatmap::value(int group, int core) const {
    return m_cells ? m_cells->cell(core, group) : kNoCell;
}

std::pair<double, double> Heatmap::range() const {
    return {m_map->dataRange().lower, m_map->dataRange().upper};
}

void Heatmap::setSelected(int group, int core) {
    m_group = group;
    m_core = core;
    m_frame->setVisible(group >= 0 && core >= 0 && group < m_groups && core < m_cores);
    m_frame->topLeft->setCoords(core - 0.5, group - 0.5);
    m_frame->bottomRight->setCoords(core + 0.5, group + 0.5);
    announceCurrent(m_plot);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void Heatmap::fit() {
    m_plot->xAxis->setRange(-0.5, m_cores - 0.5);
    m_plot->yAxis->setRange(-0.5, m_groups - 0.5);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QPoint Heatmap::pixelOf(int group, int core) const {
    return {static_cast<int>(m_plot->xAxis->coordToPixel(core)),
            static_cast<int>(m_plot->yAxis->coordToPixel(group))};
}

bool Heatmap::cellAt(const QPoint& position, int& group, int& core) const {
    if (!m_plot->axisRect()->rect().contains(position))
        return false;
    core = static_cast<int>(std::lround(m_plot->xAxis->pixelToCoord(position.x())));
    group = static_cast<int>(std::lround(m_plot->yAxis->pixelToCoord(position.y())));
    return core >= 0 && group >= 0 && core < m_cores && group < m_groups;
}

bool Heatmap::moveCursor(int key) {
    if (m_groups == 0)
        return false;
    if (key == Qt::Key_Home) {
        fit();
        return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        if (m_group >= 0 && m_core >= 0)
            emit chosen(m_group, m_core);
        return true;
    }
    const int down = key == Qt::Key_Down ? 1
                     : key == Qt::Key_Up ? -1
                                         : 0,
              right = key == Qt::Key_Right  ? 1
                      : key == Qt::Key_Left ? -1
                                            : 0;
    if (down == 0 && right == 0)
        return false;
    setSelected(std::clamp(m_group + down, 0, m_groups - 1), std::clamp(m_core + right, 0, m_cores - 1));
    emit hovered(m_group, m_core);
    return true;
}

bool Heatmap::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_plot)
        return QWidget::eventFilter(watched, event);
    int group = 0, core = 0;
    switch (event->type()) {
    case QEvent::KeyPress:
        return moveCursor(static_cast<QKeyEvent*>(event)->key());
    case QEvent::MouseButtonPress:
        m_pressed = static_cast<QMouseEvent*>(event)->pos();
        break;
    case QEvent::MouseMove:
        if (cellAt(static_cast<QMouseEvent*>(event)->pos(), group, core))
            emit hovered(group, core);
        break;
    case QEvent::MouseButtonRelease: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        // the map was moved, nothing was meant
        const bool dragged = (mouse->pos() - m_pressed).manhattanLength() > 4;
        if (mouse->button() == Qt::LeftButton && !dragged && cellAt(mouse->pos(), group, core)) {
            emit hovered(group, core);
            emit chosen(group, core);
        }
        break;
    }
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

void Heatmap::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        style();
    QWidget::changeEvent(event);
}

void Heatmap::style() {
    stylePlot(m_plot);
    QCPColorGradient gradient;
    gradient.clearColorStops();
    for (int i = 0; i <= 16; ++i)
        gradient.setColorStopAt(i / 16.0, m_scaleKind == Scale::Diverging ? diverging(i / 8.0 - 1)
                                                                          : sequential(i / 16.0));
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    m_map->setGradient(gradient);
    if (m_cells)
        m_map->cellsChanged(); // empty ones are as the background
    QCPAxis* axis = m_bar->axis();
    axis->setTickLabelColor(color(Role::NodeText));
    axis->setLabelColor(color(Role::NodeText));
    axis->setBasePen(QPen(color(Role::GridLine)));
    m_frame->setPen(QPen(color(Role::Selection), 2));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace pim::views
