// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/dpu_canvas.h"

#include "core/base/number_text.h"
#include "views/common/canvas_items.h"
#include "views/common/palette.h"
#include "views/common/plot_ticks.h"
#include "views/common/text.h"
#include "views/common/tool_tips.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

// In cells.
constexpr double kChipGap = 0.25, kRankGap = 0.9, kModuleMargin = 0.6, kModuleGap = 0.8, kTitle = 1.5;
constexpr double kLegendHeight = 26, kEdge = 6; // pixels
constexpr double kMostZoom = 60, kDragStart = 4;
constexpr int kLeastTitle = 9; ///< Pixels of a font that can be read.

/// On whole pixels, so that all gaps are equally wide.
QRectF snapped(const QRectF& cell, double gap) {
    const QPointF to(std::round(cell.right()) - gap, std::round(cell.bottom()) - gap);
    return {QPointF(std::round(cell.left()), std::round(cell.top())), to};
}

} // namespace

DpuCanvas::DpuCanvas(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("DPUs of the machine"));
    setWhatsThis(tr("Arrow keys go from DPU to DPU, Page Up and Page Down from module to module, + and - "
                    "zoom, F shows all."));
    installPlotExport(this, exportSource());
    setCanvasItems(
        this, this,
        {[this] { return m_facts ? m_facts->dpus() : 0; },
         [this](int dpu) {
             return CanvasItem{m_facts->place(dpu), m_facts->describe(dpu), rectOf(dpu), dpu == m_current};
         },
         [this] { return m_current; }, [this](int dpu) { choose(dpu); },
         [this](const QPointF& at) { return dpuAt(at); }});
}

void DpuCanvas::setFacts(std::shared_ptr<const DpuFacts> facts) {
    const bool isOther = !m_facts || !facts || m_facts->dpus() != facts->dpus() ||
                         m_facts->ranksPerModule != facts->ranksPerModule;
    m_facts = std::move(facts);
    if (!m_facts || m_current >= m_facts->dpus())
        m_current = -1;
    if (isOther) {
        m_zoom = 1;
        m_left = {};
    }
    arrange();
    announceItems(this);
    update();
}

void DpuCanvas::setFigure(DpuFigure figure) {
    m_figure = figure;
    update();
}

QRectF DpuCanvas::area() const {
    return QRectF(rect()).adjusted(kEdge, kEdge, -kEdge, -kEdge - kLegendHeight);
}

QSizeF DpuCanvas::moduleSize() const {
    const double rank = m_facts->chipsPerRank() * (1 + kChipGap) - kChipGap;
    return {m_facts->ranksPerModule * (rank + kRankGap) - kRankGap + 2 * kModuleMargin,
            m_facts->load.dpusPerChip + kTitle + kModuleMargin};
}

/// So many modules side by side that a cell gets as large as it can.
void DpuCanvas::arrange() {
    if (!m_facts || m_facts->dpus() == 0)
        return;
    const QSizeF module = moduleSize();
    const QRectF room = area();
    m_unit = 0;
    for (int columns = 1; columns <= m_facts->modules(); ++columns) {
        const int rows = (m_facts->modules() + columns - 1) / columns;
        const double unit = std::min(room.width() / (columns * (module.width() + kModuleGap) - kModuleGap),
                                     room.height() / (rows * (module.height() + kModuleGap) - kModuleGap));
        if (unit > m_unit) {
            m_unit = unit;
            m_columns = columns;
        }
    }
    m_unit = std::max(m_unit, 0.5);
    clampView();
}

void DpuCanvas::clampView() {
    if (!m_facts)
        return;
    m_zoom = std::clamp(m_zoom, 1.0, kMostZoom);
    const QSizeF module = moduleSize();
    const int rows = (m_facts->modules() + m_columns - 1) / m_columns;
    const double width = m_columns * (module.width() + kModuleGap) - kModuleGap,
                 height = rows * (module.height() + kModuleGap) - kModuleGap;
    const double unit = m_unit * m_zoom;
    const auto clamped = [](double left, double all, double seen) {
        return all <= seen ? (all - seen) / 2 : std::clamp(left, 0.0, all - seen);
    };
    m_left = {clamped(m_left.x(), width, area().width() / unit),
              std::min(clamped(m_left.y(), height, area().height() / unit), m_zoom > 1 ? HUGE_VAL : 0.0)};
}

QPointF DpuCanvas::moduleAt(int module) const {
    const QSizeF size = moduleSize();
    return {(module % m_columns) * (size.width() + kModuleGap),
            (module / m_columns) * (size.height() + kModuleGap)};
}

QRectF DpuCanvas::cellOf(int dpu) const {
    const int rank = m_facts->rankOf(dpu), at = dpu % m_facts->load.dpusPerRank;
    const QPointF module = moduleAt(rank / m_facts->ranksPerModule);
    const double rankWidth = m_facts->chipsPerRank() * (1 + kChipGap) - kChipGap;
    return {module.x() + kModuleMargin + (rank % m_facts->ranksPerModule) * (rankWidth + kRankGap) +
                (at / m_facts->load.dpusPerChip) * (1 + kChipGap),
            module.y() + kTitle + at % m_facts->load.dpusPerChip, 1, 1};
}

QRectF DpuCanvas::toWidget(const QRectF& cells) const {
    const double unit = m_unit * m_zoom;
    return {area().left() + (cells.left() - m_left.x()) * unit,
            area().top() + (cells.top() - m_left.y()) * unit, cells.width() * unit, cells.height() * unit};
}

QRectF DpuCanvas::rectOf(int dpu) const {
    return m_facts ? toWidget(cellOf(dpu)) : QRectF();
}

int DpuCanvas::dpuAt(const QPointF& position) const {
    if (!m_facts || m_facts->dpus() == 0 || !area().contains(position))
        return -1;
    const double unit = m_unit * m_zoom;
    const QPointF at = m_left + (position - area().topLeft()) / unit;
    const QSizeF size = moduleSize();
    const int column = int(std::floor(at.x() / (size.width() + kModuleGap))),
              row = int(std::floor(at.y() / (size.height() + kModuleGap)));
    if (column < 0 || row < 0 || column >= m_columns)
        return -1;
    const int perModule = m_facts->ranksPerModule * m_facts->load.dpusPerRank;
    const int first = (row * m_columns + column) * perModule;
    for (int dpu = first; dpu < std::min(first + perModule, m_facts->dpus()); ++dpu)
        if (cellOf(dpu).contains(at))
            return dpu;
    return -1;
}

void DpuCanvas::setCurrent(int dpu) {
    m_current = m_facts && dpu >= 0 && dpu < m_facts->dpus() ? dpu : -1;
    if (m_current >= 0 && !area().contains(rectOf(m_current))) {
        const double unit = m_unit * m_zoom;
        m_left = cellOf(m_current).center() - QPointF(area().width(), area().height()) / unit / 2;
        clampView();
    }
    announceCurrent(this);
    update();
}

void DpuCanvas::choose(int dpu) {
    setCurrent(dpu);
    if (m_current >= 0)
        emit chosen(m_current);
}

void DpuCanvas::zoomAt(const QPointF& position, double factor) {
    if (!m_facts)
        return;
    const QPointF from = position - area().topLeft();
    const QPointF fixed = m_left + from / (m_unit * m_zoom);
    m_zoom = std::clamp(m_zoom * factor, 1.0, kMostZoom);
    m_left = fixed - from / (m_unit * m_zoom);
    clampView();
    update();
}

void DpuCanvas::fit() {
    m_zoom = 1;
    m_left = {};
    clampView();
    update();
}

void DpuCanvas::pan(double dx, double dy) {
    m_left += QPointF(dx, dy);
    clampView();
    update();
}

void DpuCanvas::paintModules(QPainter& painter) const {
    const QSizeF size = moduleSize();
    const double unit = m_unit * m_zoom;
    QFont small = font();
    small.setPixelSize(std::clamp(int(kTitle * unit * 0.8), 1, QFontInfo(small).pixelSize()));
    painter.setFont(small);
    const QFontMetricsF metrics(small);
    const bool hasTitle = small.pixelSize() >= kLeastTitle;
    for (int module = 0; module < m_facts->modules(); ++module) {
        const QRectF box = toWidget({moduleAt(module), size});
        if (!box.intersects(area()))
            continue;
        painter.setPen(QPen(color(Role::NodeBorder), 1));
        painter.setBrush(QGuiApplication::palette().color(QPalette::Base));
        painter.drawRoundedRect(box, 2, 2);
        if (!hasTitle)
            continue;
        const int first = module * m_facts->ranksPerModule;
        painter.setPen(color(Role::NodeText));
        const QString full = m_facts->ranksPerModule > 1 ? tr("module %1 · ranks %2 and %3")
                                                               .arg(module)
                                                               .arg(first)
                                                               .arg(first + m_facts->ranksPerModule - 1)
                                                         : tr("module %1").arg(module);
        const QString shown =
            metrics.horizontalAdvance(full) < box.width() - 6 ? full : QString::number(module);
        painter.drawText(QRectF(box.left() + kModuleMargin * unit, box.top(), box.width(), kTitle * unit),
                         Qt::AlignLeft | Qt::AlignVCenter, shown);
    }
}

void DpuCanvas::paintDpus(QPainter& painter) const {
    const double scale = m_facts->scale(m_figure), unit = m_unit * m_zoom;
    const double gap = unit > 3.5 ? 1 : 0;
    const QFontMetricsF metrics(painter.font());
    const bool hasRoom = unit > metrics.height() + 2;
    for (int dpu = 0; dpu < m_facts->dpus(); ++dpu) {
        const QRectF cell = snapped(rectOf(dpu), gap);
        if (!cell.intersects(area()))
            continue;
        const double value = m_facts->value(dpu, m_figure);
        const bool isOver = m_facts->overflows(dpu);
        const QColor fill =
            isOver       ? color(Role::Bad)
            : value <= 0 ? mix(QGuiApplication::palette().color(QPalette::Base), color(Role::Idle), 0.6)
                         : sequential(std::min(1.0, value / scale));
        painter.fillRect(cell, fill);
        if (isOver && unit > 5) { // a second cue beside the colour
            painter.setPen(QPen(textOn(fill), 1));
            painter.drawLine(cell.topLeft(), cell.bottomRight());
            painter.drawLine(cell.bottomLeft(), cell.topRight());
        }
        if (!hasRoom)
            continue;
        painter.setPen(textOn(fill));
        const QString words = m_facts->valueText(dpu, m_figure);
        if (metrics.horizontalAdvance(words) + 4 < cell.width())
            painter.drawText(
                cell, Qt::AlignCenter,
                2 * metrics.height() < cell.height() ? QStringLiteral("%1\n%2").arg(dpu).arg(words) : words);
    }
}

void DpuCanvas::paintLegend(QPainter& painter, const QRectF& rect) const {
    const QFontMetricsF metrics(painter.font());
    double x = rect.left();
    const auto write = [&](const QString& words) {
        painter.setPen(color(Role::NodeText));
        const double room = std::max(0.0, rect.right() - x);
        const QString shown = metrics.elidedText(words, Qt::ElideRight, room);
        painter.drawText(QRectF(x, rect.top(), room, rect.height()), Qt::AlignLeft | Qt::AlignVCenter, shown);
        x += metrics.horizontalAdvance(shown) + 6;
    };
    const auto swatch = [&](const QColor& fill) {
        painter.fillRect(QRectF(x, rect.center().y() - 5, 12, 10), fill);
        x += 16;
    };
    const auto round = [&](double value) {
        return value > 0                     ? withoutTrailingZeros(m_facts->text(value, m_figure))
               : m_figure == DpuFigure::Busy ? QStringLiteral("0 %")
                                             : QStringLiteral("0 B");
    };
    write(title(m_figure) + u':');
    write(round(0));
    constexpr int kSteps = 60;
    for (int i = 0; i < kSteps; ++i)
        painter.fillRect(QRectF(x + i * 2, rect.center().y() - 5, 2.5, 10),
                         sequential(double(i) / (kSteps - 1)));
    x += 2 * kSteps + 6;
    const double scale = m_facts->scale(m_figure);
    const double all = m_figure == DpuFigure::Busy ? 1 : double(m_facts->mramBytes);
    write(scale < all ? tr("%1 (of %2)").arg(round(scale), round(all)) : round(scale));
    x += 8;
    swatch(mix(QGuiApplication::palette().color(QPalette::Base), color(Role::Idle), 0.6));
    write(tr("none"));
    if (m_facts->overflowing() > 0) {
        x += 8;
        swatch(color(Role::Bad));
        write(tr("more than its MRAM holds"));
    }
}

void DpuCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), color(Role::Canvas));
    if (!m_facts || m_facts->dpus() == 0)
        return;
    painter.save();
    painter.setClipRect(area().adjusted(-1, -1, 1, 1));
    paintModules(painter);
    painter.setFont(font());
    paintDpus(painter);
    if (m_current >= 0) {
        const QRectF cell = rectOf(m_current);
        const double least = 7;
        const QRectF box = cell.width() >= least
                               ? cell
                               : QRectF(cell.center() - QPointF(least, least) / 2, QSizeF(least, least));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(QGuiApplication::palette().color(QPalette::Base), 4));
        painter.drawRect(box);
        painter.setPen(QPen(color(Role::Selection), 2));
        painter.drawRect(box);
    }
    painter.restore();
    paintLegend(painter, QRectF(kEdge, height() - kLegendHeight - 2, width() - 2 * kEdge, kLegendHeight));
    if (hasFocus()) {
        painter.setPen(QPen(color(Role::Accent), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

QString DpuCanvas::csv() const {
    QString lines =
        csvLine({QStringLiteral("dpu"), QStringLiteral("module"), QStringLiteral("rank"),
                 QStringLiteral("chip"), QStringLiteral("busy (ns)"), QStringLiteral("busy (share)"),
                 QStringLiteral("mram kept (B)"), QStringLiteral("mram at most (B)")}) +
        u'\n';
    for (int dpu = 0; m_facts && dpu < m_facts->dpus(); ++dpu)
        lines +=
            csvLine({QString::number(dpu), QString::number(m_facts->rankOf(dpu) / m_facts->ranksPerModule),
                     QString::number(m_facts->rankOf(dpu)), QString::number(m_facts->chipOf(dpu)),
                     exactNumber(m_facts->load.busyNs[std::size_t(dpu)]),
                     exactNumber(m_facts->value(dpu, DpuFigure::Busy)),
                     exactNumber(m_facts->value(dpu, DpuFigure::MramKept)),
                     exactNumber(m_facts->value(dpu, DpuFigure::MramPeak))}) +
            u'\n';
    return lines;
}

ExportSource DpuCanvas::exportSource() {
    return {QStringLiteral("dpus"), [this] { return m_facts ? size() : QSize(); },
            [this](QPainter& painter) { render(&painter, QPoint(), QRegion(), DrawWindowBackground); },
            [this] { return csv(); }};
}

bool DpuCanvas::event(QEvent* event) {
    const auto tip = [this](const QPoint& at) {
        const int dpu = dpuAt(at);
        return dpu < 0 ? QString()
                       : m_facts->describe(dpu).replace(QStringLiteral(" · "), QStringLiteral("\n"));
    };
    return answerToolTip(event, this, tip) || QWidget::event(event);
}

void DpuCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        update();
    QWidget::changeEvent(event);
}

void DpuCanvas::resizeEvent(QResizeEvent* event) {
    arrange();
    QWidget::resizeEvent(event);
}

void DpuCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_facts)
        return event->ignore();
    m_isDown = true;
    m_moved = false;
    m_pressed = event->position();
    m_pressedLeft = m_left;
}

void DpuCanvas::mouseMoveEvent(QMouseEvent* event) {
    const QPointF by = event->position() - m_pressed;
    if (m_isDown && (m_moved || by.manhattanLength() >= kDragStart)) {
        m_moved = true;
        m_left = m_pressedLeft - by / (m_unit * m_zoom);
        clampView();
        return update();
    }
    emit hovered(dpuAt(event->position()));
}

void DpuCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return event->ignore();
    m_isDown = false;
    if (const int dpu = dpuAt(event->position()); dpu >= 0 && !m_moved)
        choose(dpu);
}

void DpuCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (dpuAt(event->position()) < 0)
        return fit();
    zoomAt(event->position(), 3);
}

void DpuCanvas::wheelEvent(QWheelEvent* event) {
    event->accept();
    zoomAt(event->position(), std::pow(1.25, event->angleDelta().y() / 120.0));
}

/// Across the borders of ranks and modules, as it looks.
void DpuCanvas::step(int dx, int dy) {
    if (m_current < 0)
        return choose(0);
    const QPointF from = cellOf(m_current).center();
    int nearest = -1;
    double least = HUGE_VAL;
    for (int dpu = 0; dpu < m_facts->dpus(); ++dpu) {
        const QPointF by = cellOf(dpu).center() - from;
        const double along = by.x() * dx + by.y() * dy,
                     beside = std::abs(by.x() * dy) + std::abs(by.y() * dx);
        if (along > 0.5 && along + 4 * beside < least) {
            least = along + 4 * beside;
            nearest = dpu;
        }
    }
    if (nearest >= 0)
        choose(nearest);
}

void DpuCanvas::keyPressEvent(QKeyEvent* event) {
    if (!m_facts || m_facts->dpus() == 0 ||
        (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)))
        return QWidget::keyPressEvent(event);
    const int perModule = m_facts->ranksPerModule * m_facts->load.dpusPerRank, last = m_facts->dpus() - 1;
    const QPointF middle = m_current >= 0 ? rectOf(m_current).center() : area().center();
    const double far = 0.15 * area().width() / (m_unit * m_zoom);
    switch (event->key()) {
    case Qt::Key_Left:
        return step(-1, 0);
    case Qt::Key_Right:
        return step(1, 0);
    case Qt::Key_Up:
        return step(0, -1);
    case Qt::Key_Down:
        return step(0, 1);
    case Qt::Key_PageUp:
        return choose(std::max(0, m_current - perModule));
    case Qt::Key_PageDown:
        return choose(std::min(last, std::max(0, m_current) + perModule));
    case Qt::Key_Home:
        return choose(0);
    case Qt::Key_End:
        return choose(last);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_W:
        return zoomAt(middle, 1.5);
    case Qt::Key_Minus:
    case Qt::Key_S:
        return zoomAt(middle, 1 / 1.5);
    case Qt::Key_A:
        return pan(-far, 0);
    case Qt::Key_D:
        return pan(far, 0);
    case Qt::Key_F:
        return fit();
    default:
        QWidget::keyPressEvent(event);
    }
}

void DpuCanvas::leaveEvent(QEvent*) {
    emit hovered(-1);
}

} // namespace pim::views
