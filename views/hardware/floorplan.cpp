// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hardware/floorplan.h"

#include "core/base/number_text.h"
#include "views/common/palette.h"

#include <QDragEnterEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr double kHostShare = 0.2;  ///< Width of the host box; the rest is the machine.
constexpr double kPad = 6;
constexpr double kMinCell = 3;      ///< Pixels below which children are not drawn one by one.

/// Columns that make the cells of a grid closest to the wanted width : height.
int gridColumns(int count, double width, double height, double wantedAspect) {
    int best = 1;
    double bestError = HUGE_VAL;
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const double aspect = (width / columns) / (height / rows);
        // Unused cells of the last row look like missing hardware, so they cost extra.
        const double error = std::abs(std::log(aspect / wantedAspect)) + 0.8 * (columns * rows - count) / count;
        if (error < bestError) {
            bestError = error;
            best = columns;
        }
    }
    return best;
}

QString text(const std::string& s) { return QString::fromStdString(s); }

/// Header strip of a box: room for one line where the box is large enough to carry it.
double headerOf(const QRectF& rect, const QFontMetrics& metrics) {
    return rect.height() > 3.2 * metrics.height() && rect.width() > 8 * metrics.averageCharWidth() ? metrics.height() + 4 : 0;
}

} // namespace

Floorplan::Floorplan(QWidget* parent) : QWidget(parent) {
    setAcceptDrops(true);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(240, 150);
    setObjectName(QStringLiteral("Floorplan"));
    setAccessibleName(tr("Hardware floorplan"));
    setAccessibleDescription(tr("Drop an op on the host or on a device to place it there"));
}

void Floorplan::setTarget(std::shared_ptr<const Target> target) {
    if (m_target == target)
        return;
    m_target = std::move(target);
    m_load.clear();
    m_highlight = {};
    zoomToFit();
}

void Floorplan::setLoad(std::vector<float> load, const QString& legend) {
    m_load = std::move(load);
    m_legend = legend;
    update();
}

void Floorplan::setHostNote(const QString& note) {
    m_hostNote = note;
    update();
}

void Floorplan::setHighlight(HardwareSpot spot) {
    m_highlight = std::move(spot);
    update();
}

void Floorplan::setVerdict(std::function<DropVerdict(const QString&, const QString&, const HardwareSpot&)> verdict) {
    m_verdict = std::move(verdict);
}

void Floorplan::zoomToFit() {
    m_zoom = 1;
    m_offset = {};
    update();
}

QRectF Floorplan::hostRect() const {
    const double w = width() * m_zoom, h = height() * m_zoom;
    return QRectF(m_offset.x() + kPad, m_offset.y() + kPad, w * kHostShare - kPad, h - 2 * kPad - fontMetrics().height());
}

QRectF Floorplan::machineRect() const {
    const double w = width() * m_zoom, h = height() * m_zoom;
    const double left = w * kHostShare + 4 * kPad;
    return QRectF(m_offset.x() + left, m_offset.y() + kPad, w - left - kPad, h - 2 * kPad - fontMetrics().height());
}

Floorplan::Grid Floorplan::gridIn(const QRectF& parent, std::size_t level) const {
    const int count = m_target->levels[level].count;
    const double header = level == 0 ? 0 : headerOf(parent, fontMetrics());
    const double margin = level == 0 ? 0 : std::min(4.0, parent.width() * 0.04);
    Grid grid;
    grid.area = parent.adjusted(margin, margin + header, -margin, -margin);
    const bool leaf = level + 1 == m_target->levels.size();
    grid.columns = gridColumns(count, grid.area.width(), grid.area.height(), leaf ? 1.0 : level == 0 ? 0.9 : 1.4);
    grid.rows = (count + grid.columns - 1) / grid.columns;
    const double w = grid.area.width() / grid.columns, h = grid.area.height() / grid.rows;
    grid.gap = leaf ? std::min({1.0, w * 0.12, h * 0.12}) : std::min({4.0, w * 0.06, h * 0.06});
    return grid;
}

QRectF Floorplan::Grid::cell(int child) const {
    const double w = area.width() / columns, h = area.height() / rows;
    return QRectF(area.x() + (child % columns) * w + gap / 2, area.y() + (child / columns) * h + gap / 2, w - gap, h - gap);
}

QRectF Floorplan::rectOf(const HardwareSpot& spot) const {
    if (spot.kind == HardwareSpot::Kind::Host)
        return hostRect();
    if (spot.kind != HardwareSpot::Kind::Machine || !m_target)
        return {};
    QRectF rect = machineRect();
    for (std::size_t level = 0; level < spot.path.size() && level < m_target->levels.size(); ++level)
        rect = gridIn(rect, level).cell(spot.path[level]);
    return rect;
}

HardwareSpot Floorplan::spotAt(const QPointF& position) const {
    if (!m_target)
        return {};
    if (hostRect().contains(position))
        return {HardwareSpot::Kind::Host, {}};
    QRectF rect = machineRect();
    if (!rect.contains(position))
        return {};
    HardwareSpot spot{HardwareSpot::Kind::Machine, {}};
    for (std::size_t level = 0; level < m_target->levels.size(); ++level) {
        const Grid grid = gridIn(rect, level);
        const int column = static_cast<int>((position.x() - grid.area.x()) / grid.area.width() * grid.columns);
        const int row = static_cast<int>((position.y() - grid.area.y()) / grid.area.height() * grid.rows);
        const int hit = row * grid.columns + column;
        if (column < 0 || row < 0 || column >= grid.columns || hit >= m_target->levels[level].count || !grid.cell(hit).contains(position))
            break;
        rect = grid.cell(hit);
        if (rect.width() < kMinCell)
            break;
        spot.path.push_back(hit);
    }
    return spot;
}

void Floorplan::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), color(Role::Canvas));
    if (!m_target) {
        painter.setPen(color(Role::NodeText));
        painter.drawText(rect(), Qt::AlignCenter, tr("Choose a target to see its hardware"));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    // The bus between host and machine.
    const QRectF host = hostRect(), machine = machineRect();
    painter.setPen(QPen(color(Role::Edge), 3));
    painter.drawLine(QPointF(host.right(), host.center().y()), QPointF(machine.left(), host.center().y()));
    paintHost(painter);
    paintLevel(painter, machine, 0, 0);
    if (const QRectF marked = rectOf(m_highlight); m_highlight.kind != HardwareSpot::Kind::None && !marked.isEmpty()) {
        painter.setPen(QPen(color(Role::Selection), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(marked.adjusted(-1, -1, 1, 1));
    }
    // Legend on one line at the bottom, whatever the zoom.
    const QRectF strip(kPad, height() - fontMetrics().height() - 2, width() - 2 * kPad, fontMetrics().height() + 2);
    painter.fillRect(strip.adjusted(-kPad, 0, kPad, 2), color(Role::Canvas));
    double x = strip.left();
    painter.setPen(Qt::NoPen);
    if (!m_load.empty()) {
        for (int i = 0; i < 60; ++i)
            painter.fillRect(QRectF(x + i, strip.top() + 4, 1.5, strip.height() - 8), sequential(i / 59.0));
        x += 68;
    }
    painter.setPen(color(Role::NodeText));
    painter.drawText(QRectF(x, strip.top(), strip.right() - x, strip.height()), Qt::AlignVCenter | Qt::AlignLeft,
                     fontMetrics().elidedText(m_load.empty() ? tr("No draft on this hardware for the selected op") : m_legend,
                                              Qt::ElideRight, static_cast<int>(strip.right() - x)));
    paintDrop(painter);
}

void Floorplan::paintHost(QPainter& painter) const {
    const QRectF rect = hostRect();
    QColor fill = color(Role::OnHost);
    fill.setAlphaF(0.25F);
    painter.setPen(QPen(color(Role::NodeBorder), 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(rect, 5, 5);
    painter.setPen(color(Role::NodeText));
    QRectF inner = rect.adjusted(6, 6, -6, -6);
    painter.save();
    painter.setClipRect(rect);
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    QRectF used;
    const bool narrow = rect.width() < 18 * fontMetrics().averageCharWidth();
    painter.drawText(inner, Qt::AlignTop | Qt::TextWordWrap, tr("Host %1").arg(text(narrow ? m_target->host.id : m_target->host.name)), &used);
    painter.setFont(font());
    inner.setTop(used.bottom() + 6);
    QStringList lines;
    const Host& host = m_target->host;
    if (const auto peak = host.peakFlopsPerNs.find(DataType::F16); peak != host.peakFlopsPerNs.end())
        lines << tr("%1FLOP/s F16").arg(text(countText(peak->second * 1e9)));
    lines << tr("Memory %1, %2").arg(text(bytesText(static_cast<double>(host.memoryBytes))), text(bandwidthText(host.memoryBytesPerNs)));
    if (!m_hostNote.isEmpty())
        lines << m_hostNote;
    painter.drawText(inner, Qt::AlignTop | Qt::TextWordWrap, lines.join('\n'));
    painter.restore();
}

void Floorplan::paintLevel(QPainter& painter, const QRectF& rect, std::size_t level, std::int64_t first) const {
    const Level& what = m_target->levels[level];
    const bool leaf = level + 1 == m_target->levels.size();
    std::int64_t leaves = 1; // innermost instances below one child
    for (std::size_t below = level + 1; below < m_target->levels.size(); ++below)
        leaves *= m_target->levels[below].count;
    const QRectF visible = this->rect();
    const Grid grid = gridIn(rect, level);
    for (int child = 0; child < what.count; ++child) {
        const QRectF box = grid.cell(child);
        if (!box.intersects(visible))
            continue;
        const std::int64_t begin = first + child * leaves;
        const bool tooSmall = leaf || box.width() < kMinCell * 3 || box.height() < kMinCell * 3;
        if (tooSmall) {
            // One colour for all cores inside: the busiest counts, an idle one must not hide it.
            float load = -1;
            for (std::int64_t i = begin; i < begin + leaves && i < static_cast<std::int64_t>(m_load.size()); ++i)
                load = std::max(load, m_load[static_cast<std::size_t>(i)]);
            QColor fill = load >= 0 ? sequential(0.15 + 0.85 * load) : color(Role::GridLine);
            painter.fillRect(box, fill);
            if (leaf && box.height() > fontMetrics().height() && box.width() > fontMetrics().averageCharWidth() * 4) {
                painter.setPen(textOn(fill));
                painter.drawText(box, Qt::AlignCenter, QString::number(child));
            }
            continue;
        }
        painter.setPen(QPen(color(Role::NodeBorder), level == 0 ? 1.4 : 0.8));
        QColor fill = color(Role::OnPim);
        fill.setAlphaF(level == 0 ? 0.10F : 0.14F);
        painter.setBrush(fill);
        painter.drawRoundedRect(box, 4, 4);
        if (headerOf(box, fontMetrics()) > 0) {
            painter.setPen(color(Role::NodeText));
            QString label = QStringLiteral("%1 %2").arg(text(what.name)).arg(child);
            if (fontMetrics().horizontalAdvance(label) > box.width() - 10)
                label = QString::number(child); // the number tells more than half a name
            painter.drawText(box.adjusted(6, 3, -4, 0), Qt::AlignTop | Qt::AlignLeft,
                             fontMetrics().elidedText(label, Qt::ElideRight, static_cast<int>(box.width()) - 10));
        }
        paintLevel(painter, box, level + 1, begin);
    }
}

void Floorplan::paintDrop(QPainter& painter) const {
    if (m_dragMime.isEmpty())
        return;
    const QColor tone = color(m_dragVerdict.legal ? Role::Good : Role::Bad);
    QColor veil = tone;
    veil.setAlphaF(0.22F);
    QRectF zone;
    if (m_dragMime == QLatin1String(kMimeDimension)) {
        zone = rectOf(m_dragSpot);
    } else {
        HardwareSpot whole = m_dragSpot;
        whole.path.clear();
        zone = rectOf(whole);
    }
    if (!zone.isEmpty()) {
        painter.setPen(QPen(tone, 2.5, m_dragVerdict.legal ? Qt::SolidLine : Qt::DashLine));
        painter.setBrush(veil);
        painter.drawRoundedRect(zone, 6, 6);
    }
    const QString line = (m_dragVerdict.legal ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) + m_dragVerdict.text;
    QRectF bubble = fontMetrics().boundingRect(QRect(0, 0, std::max(width() - 40, 100), 1000), Qt::TextWordWrap, line);
    bubble.adjust(-8, -5, 8, 5);
    bubble.moveCenter(QPointF(width() / 2.0, height() - bubble.height() / 2 - 24));
    painter.setPen(QPen(tone, 1.5));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(bubble, 5, 5);
    painter.setPen(color(Role::NodeText));
    painter.drawText(bubble, Qt::AlignCenter | Qt::TextWordWrap, line);
}

QString Floorplan::describe(const HardwareSpot& spot) const {
    if (!m_target || spot.kind == HardwareSpot::Kind::None)
        return {};
    if (spot.kind == HardwareSpot::Kind::Host)
        return tr("%1: %2 at %3, %4 of memory").arg(text(m_target->host.name), text(bandwidthText(m_target->host.memoryBytesPerNs)),
                                                   tr("memory bandwidth"), text(bytesText(static_cast<double>(m_target->host.memoryBytes))));
    QStringList names;
    for (std::size_t level = 0; level < spot.path.size(); ++level)
        names << QStringLiteral("%1 %2").arg(text(m_target->levels[level].name)).arg(spot.path[level]);
    QStringList facts;
    if (!spot.path.empty()) {
        const Level& level = m_target->levels[spot.path.size() - 1];
        for (const Memory& memory : level.memories)
            facts << QStringLiteral("%1 %2").arg(text(memory.name), text(bytesText(static_cast<double>(memory.bytes))));
        for (const Unit& unit : level.units)
            facts << tr("%1, %2 lanes").arg(text(unit.name)).arg(unit.lanes);
        if (level.bus.bytesPerNs > 0)
            facts << tr("bus %1").arg(text(bandwidthText(level.bus.bytesPerNs)));
        if (spot.path.size() == m_target->levels.size() && !m_load.empty()) {
            std::int64_t at = 0;
            for (std::size_t i = 0; i < spot.path.size(); ++i)
                at = at * m_target->levels[i].count + spot.path[i];
            const float load = at < static_cast<std::int64_t>(m_load.size()) ? m_load[static_cast<std::size_t>(at)] : -1;
            facts << (load < 0 ? tr("idle under this draft") : tr("load %1").arg(text(percentText(load))));
        }
    }
    return names.join(QStringLiteral(" › ")) + (facts.isEmpty() ? QString() : QStringLiteral("\n") + facts.join(QStringLiteral(" · ")));
}

bool Floorplan::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = describe(spotAt(help->pos()));
        tip.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), tip, this);
        return true;
    }
    return QWidget::event(event);
}

void Floorplan::resizeEvent(QResizeEvent* event) {
    // Keep what was in the middle in the middle.
    if (event->oldSize().isValid() && m_zoom > 1)
        m_offset = QPointF(m_offset.x() * width() / std::max(1, event->oldSize().width()),
                           m_offset.y() * height() / std::max(1, event->oldSize().height()));
}

void Floorplan::zoomAt(const QPointF& position, double factor) {
    const double zoom = std::clamp(m_zoom * factor, 1.0, 60.0);
    m_offset = position - (position - m_offset) * (zoom / m_zoom);
    m_zoom = zoom;
    // Never lose the picture: it covers the widget at every zoom.
    m_offset.setX(std::clamp(m_offset.x(), width() * (1 - zoom), 0.0));
    m_offset.setY(std::clamp(m_offset.y(), height() * (1 - zoom), 0.0));
    update();
}

void Floorplan::wheelEvent(QWheelEvent* event) {
    zoomAt(event->position(), std::pow(1.0015, event->angleDelta().y()));
    event->accept();
}

void Floorplan::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->position();
    m_panning = false;
}

void Floorplan::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & (Qt::LeftButton | Qt::MiddleButton)))
        return;
    if (!m_panning && (event->position() - m_pressed).manhattanLength() < 4)
        return;
    m_panning = true;
    m_offset += event->position() - m_pressed;
    m_pressed = event->position();
    zoomAt(event->position(), 1);
}

void Floorplan::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_panning && event->button() == Qt::LeftButton)
        emit clicked(spotAt(event->position()));
}

void Floorplan::mouseDoubleClickEvent(QMouseEvent* event) {
    m_zoom > 1.01 ? zoomToFit() : zoomAt(event->position(), 6);
}

void Floorplan::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Plus: zoomAt(rect().center(), 1.3); break;
    case Qt::Key_Minus: zoomAt(rect().center(), 1 / 1.3); break;
    case Qt::Key_F: zoomToFit(); break;
    default: QWidget::keyPressEvent(event);
    }
}

void Floorplan::trackDrag(const QString& mime, const QString& payload, const QPointF& position) {
    const HardwareSpot spot = spotAt(position);
    if (mime == m_dragMime && payload == m_dragPayload && spot == m_dragSpot)
        return;
    m_dragMime = mime;
    m_dragPayload = payload;
    m_dragSpot = spot;
    m_dragVerdict = spot.kind == HardwareSpot::Kind::None ? DropVerdict{false, tr("Move over the host or a device")}
                    : m_verdict                           ? m_verdict(mime, payload, spot)
                                                          : DropVerdict{};
    update();
}

void Floorplan::dragEnterEvent(QDragEnterEvent* event) {
    for (const char* mime : {kMimeOp, kMimeDimension})
        if (event->mimeData()->hasFormat(QLatin1String(mime))) {
            trackDrag(QLatin1String(mime), QString::fromUtf8(event->mimeData()->data(QLatin1String(mime))), event->position());
            event->acceptProposedAction();
        }
}

void Floorplan::dragMoveEvent(QDragMoveEvent* event) {
    if (m_dragMime.isEmpty())
        return;
    trackDrag(m_dragMime, m_dragPayload, event->position());
    m_dragVerdict.legal ? event->acceptProposedAction() : event->ignore();
}

void Floorplan::dragLeaveEvent(QDragLeaveEvent*) {
    m_dragMime.clear();
    update();
}

void Floorplan::dropEvent(QDropEvent* event) {
    trackDrag(m_dragMime, m_dragPayload, event->position());
    const bool legal = m_dragVerdict.legal;
    const QString mime = m_dragMime, payload = m_dragPayload;
    m_dragMime.clear();
    update();
    if (!legal)
        return;
    event->acceptProposedAction();
    emit dropped(mime, payload, m_dragSpot);
}

} // namespace pim::views
