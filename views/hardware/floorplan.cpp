// SPDX-License-Identifier: GPL-3.0-or-later
// Places, keys, mouse and drags; floorplan_paint.cpp draws.
#include "views/hardware/floorplan.h"

#include "core/base/number_text.h"
#include "views/common/text.h"
#include "views/common/tool_tips.h"

#include <QClipboard>
#include <QDragEnterEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr double kHostShare = 0.2; ///< Width of the host box; the rest is the machine.
constexpr double kMinCell = 3;     ///< Pixels below which children are not told apart.

/// Columns that make the cells of a grid closest to the wanted width : height.
int gridColumns(int count, double width, double height, double wantedAspect) {
    int best = 1;
    double bestError = HUGE_VAL;
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const double aspect = (width / columns) / (height / rows);
        // Unused cells of the last row look like missing hardware, so they cost extra.
        const double error =
            std::abs(std::log(aspect / wantedAspect)) + 0.8 * (columns * rows - count) / count;
        if (error < bestError) {
            bestError = error;
            best = columns;
        }
    }
    return best;
}

/// Header strip of a box: room for one line and a bar where the box is large enough to carry them.
double headerOf(const QRectF& rect, const QFontMetrics& metrics) {
    return rect.height() > 3.2 * metrics.height() && rect.width() > 8 * metrics.averageCharWidth()
               ? metrics.height() + 9
               : 0;
}

} // namespace

std::pair<QString, QString> carriedBy(const QMimeData* data) {
    for (const char* mime : {kMimeOp, kMimeDimension})
        if (data && data->hasFormat(QLatin1String(mime)))
            return {QLatin1String(mime), QString::fromUtf8(data->data(QLatin1String(mime)))};
    return {};
}

Floorplan::Floorplan(QWidget* parent) : QWidget(parent) {
    setAcceptDrops(true);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(240, 150);
    setObjectName(QStringLiteral("Floorplan"));
    setAccessibleName(tr("Hardware floorplan"));
    setAccessibleDescription(tr("Drop an op on the host or on a device to place it there; or cut it, choose "
                                "a place with the arrow keys and paste"));
    installPlotExport(this, exportSource());
    setCanvasItems(this, this,
                   {[this] { return spots(); }, [this](int item) { return spokenSpot(spotOfItem(item)); },
                    [this] { return itemOfSpot(isCarrying() ? m_held->spot : m_highlight); },
                    [this](int item) { moveTo(spotOfItem(item)); },
                    [this](const QPointF& at) { return itemOfSpot(spotAt(at)); }});
}

/// Host, machine, then the instances of each level, outer levels first.
int Floorplan::spots() const {
    if (!m_target)
        return 0;
    int count = 2, instances = 1;
    for (const Level& level : m_target->levels)
        count += instances *= level.count;
    return count;
}

HardwareSpot Floorplan::spotOfItem(int item) const {
    if (item < 2)
        return {item == 0 ? HardwareSpot::Kind::Host : HardwareSpot::Kind::Machine, {}};
    int first = 2, instances = 1;
    for (std::size_t level = 0; level < m_target->levels.size(); ++level) {
        instances *= m_target->levels[level].count;
        if (item < first + instances)
            return spotOf(*m_target, level, item - first);
        first += instances;
    }
    return {};
}

int Floorplan::itemOfSpot(const HardwareSpot& spot) const {
    if (!m_target || spot.kind == HardwareSpot::Kind::None)
        return -1;
    if (spot.path.empty())
        return spot.kind == HardwareSpot::Kind::Host ? 0 : 1;
    int first = 2, instances = 1, index = 0;
    for (std::size_t level = 0; level < spot.path.size(); ++level) {
        first += level > 0 ? instances : 0;
        instances *= m_target->levels[level].count;
        index = index * m_target->levels[level].count + spot.path[level];
    }
    return first + index;
}

CanvasItem Floorplan::spokenSpot(const HardwareSpot& spot) const {
    QString facts = describe(spot);
    if (m_held && m_held->spot == spot)
        facts.prepend(m_held->verdict.text + QStringLiteral("; "));
    return {spotName(*m_target, spot), facts, rectOf(spot), spot == m_highlight};
}

void Floorplan::setTarget(std::shared_ptr<const Target> target) {
    if (m_target == target)
        return;
    m_target = std::move(target);
    m_figures.reset();
    m_use = {};
    m_highlight = {};
    m_held.reset();
    announceItems(this);
    zoomToFit();
}

void Floorplan::setUse(const MachineUse& use) {
    m_use = use;
    redraw();
}

void Floorplan::setFigures(std::shared_ptr<const CoreFigures> figures) {
    m_figures = std::move(figures);
    redraw();
}

void Floorplan::setHostNote(const QString& note) {
    m_hostNote = note;
    redraw();
}

void Floorplan::setHighlight(HardwareSpot spot) {
    m_highlight = std::move(spot);
    announceCurrent(this);
    update();
}

void Floorplan::setVerdict(
    std::function<DropVerdict(const QString&, const QString&, const HardwareSpot&)> verdict) {
    m_verdict = std::move(verdict);
}

void Floorplan::redraw() {
    m_machine = {};
    update();
}

void Floorplan::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        redraw();
}

void Floorplan::zoomToFit() {
    m_zoom = 1;
    m_offset = {};
    redraw();
}

double Floorplan::legendHeight() const {
    return fontMetrics().height() + 4;
}

QRectF Floorplan::hostRect() const {
    const double w = width() * m_zoom, h = height() * m_zoom;
    return QRectF(m_offset.x() + kPad, m_offset.y() + kPad, w * kHostShare - kPad,
                  h - 2 * kPad - legendHeight());
}

QRectF Floorplan::machineRect() const {
    const double w = width() * m_zoom, h = height() * m_zoom;
    const double left = w * kHostShare + 4 * kPad;
    return QRectF(m_offset.x() + left, m_offset.y() + kPad, w - left - kPad, h - 2 * kPad - legendHeight());
}

Floorplan::Grid Floorplan::gridIn(const QRectF& parent, std::size_t level) const {
    const int count = m_target->levels[level].count;
    const double header = level == 0 ? 0 : headerOf(parent, fontMetrics());
    const double margin = level == 0 ? 0 : std::min(4.0, parent.width() * 0.04);
    Grid grid;
    grid.area = parent.adjusted(margin, margin + header, -margin, -margin);
    const bool leaf = level + 1 == m_target->levels.size();
    grid.columns = gridColumns(count, grid.area.width(), grid.area.height(),
                               leaf         ? 1.0
                               : level == 0 ? 0.9
                                            : 1.4);
    grid.rows = (count + grid.columns - 1) / grid.columns;
    const double w = grid.area.width() / grid.columns, h = grid.area.height() / grid.rows;
    grid.gap = leaf ? std::min({1.0, w * 0.12, h * 0.12}) : std::min({4.0, w * 0.06, h * 0.06});
    return grid;
}

QRectF Floorplan::Grid::cell(int child) const {
    const double w = area.width() / columns, h = area.height() / rows;
    return QRectF(area.x() + (child % columns) * w + gap / 2, area.y() + (child / columns) * h + gap / 2,
                  w - gap, h - gap);
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
        const int column =
            static_cast<int>((position.x() - grid.area.x()) / grid.area.width() * grid.columns);
        const int row = static_cast<int>((position.y() - grid.area.y()) / grid.area.height() * grid.rows);
        const int hit = row * grid.columns + column;
        if (column < 0 || row < 0 || column >= grid.columns || hit >= m_target->levels[level].count ||
            !grid.cell(hit).contains(position))
            break;
        rect = grid.cell(hit);
        if (rect.width() < kMinCell)
            break;
        spot.path.push_back(hit);
    }
    return spot;
}

HardwareSpot Floorplan::neighbour(const HardwareSpot& spot, int dx, int dy) const {
    if (!m_target)
        return {};
    const HardwareSpot host{HardwareSpot::Kind::Host, {}};
    if (spot.kind != HardwareSpot::Kind::Machine)
        return spot.kind == HardwareSpot::Kind::Host && dx <= 0
                   ? host
                   : HardwareSpot{HardwareSpot::Kind::Machine, {0}};
    if (spot.path.empty())
        return dx < 0 ? host : spot;
    const std::size_t level = spot.path.size() - 1;
    HardwareSpot above = spot;
    above.path.pop_back();
    const Grid grid = gridIn(rectOf(above), level);
    const int count = m_target->levels[level].count;
    const int column = spot.path.back() % grid.columns + dx, row = spot.path.back() / grid.columns + dy;
    HardwareSpot next = spot;
    if (column >= 0 && column < grid.columns && row >= 0 && row * grid.columns + column < count) {
        next.path.back() = row * grid.columns + column;
        return next;
    }
    if (level == 0)
        return dx < 0 ? host : spot;
    // Out of this box: into the next one, on the side that faces us.
    next = neighbour(above, dx, dy);
    if (next.kind == HardwareSpot::Kind::Host || next == above || next.path.size() != above.path.size())
        return next.kind == HardwareSpot::Kind::Host ? next : spot;
    const Grid beyond = gridIn(rectOf(next), level);
    const int toColumn = dx > 0 ? 0 : dx < 0 ? beyond.columns - 1 : std::min(column, beyond.columns - 1);
    const int toRow = dy > 0 ? 0 : dy < 0 ? beyond.rows - 1 : std::min(row, beyond.rows - 1);
    next.path.push_back(std::min(count - 1, toRow * beyond.columns + toColumn));
    return next;
}

QString Floorplan::describe(const HardwareSpot& spot) const {
    if (!m_target || spot.kind == HardwareSpot::Kind::None)
        return {};
    if (spot.kind == HardwareSpot::Kind::Host)
        return tr("%1: %2 of memory at %3")
            .arg(text(m_target->host.name), text(bytesText(static_cast<double>(m_target->host.memoryBytes))),
                 text(bandwidthText(m_target->host.memoryBytesPerNs)));
    QStringList facts;
    const CoreRange cores = coresOf(*m_target, spot);
    if (const MemoryUse use = m_use.of(cores); use.capacity > 0)
        facts << memoryText(use);
    if (m_figures && !m_figures->values.empty() && cores.count == 1 &&
        cores.first < std::ssize(m_figures->values)) {
        const double value = m_figures->values[static_cast<std::size_t>(cores.first)];
        facts << (value < 0 ? tr("idle") : m_figures->text(value));
    }
    if (!spot.path.empty()) {
        const Level& level = m_target->levels[spot.path.size() - 1];
        for (const Memory& memory : level.memories)
            facts << QStringLiteral("%1 %2").arg(text(memory.name),
                                                 text(bytesText(static_cast<double>(memory.bytes))));
        for (const Unit& unit : level.units)
            facts << tr("%1, %2 lanes").arg(text(unit.name)).arg(unit.lanes);
        if (level.bus.bytesPerNs > 0)
            facts << tr("bus %1").arg(text(bandwidthText(level.bus.bytesPerNs)));
    }
    return spotName(*m_target, spot) +
           (facts.isEmpty() ? QString() : QStringLiteral(": ") + facts.join(QStringLiteral(" · ")));
}

QString Floorplan::csv() const {
    if (!m_target)
        return {};
    QString all = csvLine({tr("place"), m_figures ? m_figures->choice.name : tr("figure"), tr("used (B)"),
                           tr("free (B)")}) +
                  u'\n';
    const HardwareSpot whole{HardwareSpot::Kind::Machine, {}};
    for (std::int64_t i = 0; i < coresOf(*m_target, whole).count; ++i) {
        const MemoryUse use = m_use.of({i, 1});
        const bool known = m_figures && i < std::ssize(m_figures->values);
        all += csvLine({spotName(*m_target, spotOf(*m_target, m_target->levels.size() - 1, i)),
                        known ? exactNumber(m_figures->values[static_cast<std::size_t>(i)]) : QString(),
                        QString::number(use.others + use.ofOp), QString::number(use.free())}) +
               u'\n';
    }
    return all;
}

ExportSource Floorplan::exportSource() {
    return {QStringLiteral("floorplan"), [this] { return m_target ? size() : QSize(); },
            [this](QPainter& painter) { paint(painter); }, [this] { return csv(); }};
}

bool Floorplan::event(QEvent* event) {
    if (answerToolTip(event, this, [this](const QPoint& at) { return describe(spotAt(at)); }))
        return true;
    // ours while the focus is here, whatever the menus do with them
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Cut) || key->matches(QKeySequence::Paste) ||
            (key->key() == Qt::Key_Escape && m_held)) {
            event->accept();
            return true;
        }
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
    redraw();
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
        moveTo(spotAt(event->position()));
}

void Floorplan::mouseDoubleClickEvent(QMouseEvent* event) {
    m_zoom > 1.01 ? zoomToFit() : zoomAt(event->position(), 6);
}

void Floorplan::moveTo(const HardwareSpot& spot) {
    setHighlight(spot);
    if (isCarrying())
        hold(m_held->mime, m_held->payload, spot, true);
    announceCurrent(this);
    emit clicked(spot);
    // Bring it on screen.
    const QRectF rect = rectOf(spot);
    if (m_zoom > 1 && !rect.isEmpty() && !QRectF(this->rect()).contains(rect.center())) {
        m_offset += QRectF(this->rect()).center() - rect.center();
        zoomAt({}, 1);
    }
}

void Floorplan::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Cut)) {
        emit cutRequested();
        return;
    }
    if (event->matches(QKeySequence::Paste)) {
        place();
        return;
    }
    HardwareSpot spot = isCarrying() ? m_held->spot : m_highlight;
    const bool deeper = event->modifiers().testFlag(Qt::ControlModifier);
    switch (event->key()) {
    case Qt::Key_Left:
        moveTo(neighbour(spot, -1, 0));
        break;
    case Qt::Key_Right:
        moveTo(neighbour(spot, 1, 0));
        break;
    case Qt::Key_Up:
        if (!deeper) {
            moveTo(neighbour(spot, 0, -1));
            break;
        }
        [[fallthrough]];
    case Qt::Key_PageUp: // out of the box
        if (!spot.path.empty())
            spot.path.pop_back();
        moveTo(spot);
        break;
    case Qt::Key_Down:
        if (!deeper) {
            moveTo(neighbour(spot, 0, 1));
            break;
        }
        [[fallthrough]];
    case Qt::Key_PageDown: // into it
        if (m_target && spot.kind == HardwareSpot::Kind::Machine &&
            spot.path.size() < m_target->levels.size())
            spot.path.push_back(0);
        moveTo(spot);
        break;
    case Qt::Key_Home:
        moveTo({HardwareSpot::Kind::Host, {}});
        break;
    case Qt::Key_End:
        moveTo({HardwareSpot::Kind::Machine, {}});
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (isCarrying())
            place();
        else
            QWidget::keyPressEvent(event);
        break;
    case Qt::Key_Escape:
        if (m_held)
            endHover();
        else
            QWidget::keyPressEvent(event);
        break;
    case Qt::Key_Plus:
        zoomAt(rect().center(), 1.3);
        break;
    case Qt::Key_Minus:
        zoomAt(rect().center(), 1 / 1.3);
        break;
    case Qt::Key_F:
        zoomToFit();
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

const DropVerdict& Floorplan::verdict() const {
    static const DropVerdict none;
    return m_held ? m_held->verdict : none;
}

void Floorplan::hold(const QString& mime, const QString& payload, const HardwareSpot& spot, bool byKeys) {
    if (m_held && m_held->mime == mime && m_held->payload == payload && m_held->spot == spot &&
        m_held->byKeys == byKeys)
        return;
    DropVerdict verdict;
    if (spot.kind == HardwareSpot::Kind::None)
        verdict.text = byKeys ? tr("Choose the host or a device with the arrow keys")
                              : tr("Move over the host or a device");
    else if (m_verdict)
        verdict = m_verdict(mime, payload, spot);
    hold(Held{mime, payload, spot, std::move(verdict), byKeys});
}

void Floorplan::hold(std::optional<Held> held) {
    const auto bars = [](const std::optional<Held>& by) { return by ? by->verdict.after : std::nullopt; };
    if (bars(held) != bars(m_held))
        redraw();
    m_held = std::move(held);
    update();
    emit verdictChanged();
}

bool Floorplan::hover(const QString& mime, const QString& payload, const HardwareSpot& spot) {
    if (mime.isEmpty())
        return false;
    hold(mime, payload, spot, false);
    return m_held->verdict.legal;
}

void Floorplan::endHover() {
    hold(std::nullopt);
}

void Floorplan::carry(const QString& mime, const QString& payload) {
    hold(mime, payload, m_highlight, true);
    setFocus(Qt::OtherFocusReason);
}

void Floorplan::place() {
    if (!isCarrying()) {
        const auto [mime, payload] = carriedBy(QGuiApplication::clipboard()->mimeData());
        if (mime.isEmpty())
            return;
        hold(mime, payload, m_highlight, true);
    }
    if (!m_held->verdict.legal) {
        emit verdictChanged(); // said once more
        return;
    }
    const Held held = *m_held;
    endHover();
    emit dropped(held.mime, held.payload, held.spot);
}

void Floorplan::dragEnterEvent(QDragEnterEvent* event) {
    const auto [mime, payload] = carriedBy(event->mimeData());
    if (mime.isEmpty())
        return;
    hover(mime, payload, spotAt(event->position()));
    event->acceptProposedAction();
}

void Floorplan::dragMoveEvent(QDragMoveEvent* event) {
    const auto [mime, payload] = carriedBy(event->mimeData());
    hover(mime, payload, spotAt(event->position())) ? event->acceptProposedAction() : event->ignore();
}

void Floorplan::dragLeaveEvent(QDragLeaveEvent*) {
    endHover();
}

void Floorplan::dropEvent(QDropEvent* event) {
    const auto [mime, payload] = carriedBy(event->mimeData());
    const HardwareSpot spot = spotAt(event->position());
    const bool legal = hover(mime, payload, spot);
    endHover();
    if (!legal) {
        event->ignore();
        return;
    }
    event->acceptProposedAction();
    emit dropped(mime, payload, spot);
}

} // namespace pim::views
