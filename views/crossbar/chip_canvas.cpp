// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/crossbar/chip_canvas.h"

#include "views/common/palette.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>

namespace pim::views {
namespace {

constexpr double kLegend = 30; ///< Height below the chips.
constexpr double kMargin = 6;

/// Layers next to each other in the network get different colours; there are more layers than colours.
QColor colorOf(int entry) {
    const QColor base = category(entry);
    const int round = entry / kCategories;
    return round % 2 == 0 ? base : mix(base, color(Role::Canvas), 0.35);
}

/// Arrays without weights stay behind those with.
QColor freeColor() {
    return mix(color(Role::Canvas), color(Role::Idle), 0.45);
}

} // namespace

ChipCanvas::ChipCanvas(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Chips, cores and arrays"));
    setWhatsThis(tr("Arrow keys go from core to core, Page Up and Page Down from array group to array group, "
                    "Ctrl+X picks "
                    "one up, Ctrl+V puts it down, Esc cancels."));
    installPlotExport(this, exportSource());
    setCanvasItems(this, this,
                   {[this] { return m_facts ? int(m_facts->cores.size()) : 0; },
                    [this](int core) { return spokenCore(core); },
                    [this] { return m_held ? m_held->over : m_core; }, [this](int core) { setCore(core); },
                    [this](const QPointF& at) { return coreAt(at); }});
}

void ChipCanvas::setFacts(std::shared_ptr<const ChipFacts> facts) {
    m_facts = std::move(facts);
    const int cores = m_facts ? int(m_facts->cores.size()) : 0;
    if (m_core >= cores)
        m_core = cores > 0 ? 0 : -1;
    if (m_facts && m_highlight >= int(m_facts->layers.size()))
        m_highlight = -1;
    m_chosen = 0;
    m_pressed.reset();
    hold(std::nullopt);
    announceItems(this);
    update();
}

void ChipCanvas::setMeasure(ChipMeasure measure) {
    m_measure = measure;
    update();
}

void ChipCanvas::setHighlight(int entry) {
    m_highlight = entry;
    update();
}

void ChipCanvas::setCore(int core) {
    if (!m_facts || core < 0 || core >= int(m_facts->cores.size()) || core == m_core)
        return;
    m_core = core;
    m_chosen = 0;
    announceCurrent(this);
    update();
    emit coreChosen(core);
}

CanvasItem ChipCanvas::spokenCore(int core) const {
    QStringList facts;
    if (m_held && m_held->over == core)
        facts << m_verdictText;
    if (const auto chosen = core == m_core ? group() : std::nullopt)
        facts << tr("array group %1 of %2")
                     .arg(chosen->group + 1)
                     .arg(m_facts->layers[std::size_t(chosen->entry)].name);
    facts << spoken(m_facts->describe(core));
    return {tr("Core %1").arg(core), facts.join(QStringLiteral("; ")), rectOf(core), core == m_core};
}

std::optional<ChipGroup> ChipCanvas::group() const {
    if (!m_facts || m_core < 0)
        return std::nullopt;
    const auto& groups = m_facts->cores[std::size_t(m_core)].groups;
    return m_chosen < groups.size() ? std::optional(groups[m_chosen]) : std::nullopt;
}

QRectF ChipCanvas::drawingArea() const {
    return QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
}

QRectF ChipCanvas::chipRect(int chip, const QRectF& area) const {
    const QRectF room = area.adjusted(0, 0, 0, -kLegend);
    const double gap = m_facts->chipsX * m_facts->chipsY > 1 ? 8 : 0;
    const double width = (room.width() - gap * (m_facts->chipsX - 1)) / m_facts->chipsX;
    const double height = (room.height() - gap * (m_facts->chipsY - 1)) / m_facts->chipsY;
    const int x = chip % m_facts->chipsX, y = chip / m_facts->chipsX;
    return {room.left() + x * (width + gap), room.top() + y * (height + gap), width, height};
}

QRectF ChipCanvas::coreRect(int core, const QRectF& area) const {
    const QRectF chip = chipRect(core / m_facts->coresPerChip(), area).adjusted(3, 3, -3, -3);
    const int at = core % m_facts->coresPerChip();
    const double width = chip.width() / m_facts->coresX, height = chip.height() / m_facts->coresY;
    const double gap = std::min(width, height) > 14 ? 1.5 : 0.5;
    return QRectF(chip.left() + (at % m_facts->coresX) * width, chip.top() + (at / m_facts->coresX) * height,
                  width, height)
        .adjusted(gap, gap, -gap, -gap);
}

QRectF ChipCanvas::cellRect(int core, int cell, const QRectF& rect) const {
    const int arrays = std::max(1, m_facts->cores[std::size_t(core)].arrays);
    const int columns =
        std::max(1, int(std::lround(std::sqrt(arrays * rect.width() / std::max(1.0, rect.height())))));
    const int rows = (arrays + columns - 1) / columns;
    const double width = rect.width() / columns, height = rect.height() / rows;
    return {rect.left() + (cell % columns) * width, rect.top() + (cell / columns) * height, width, height};
}

QRectF ChipCanvas::rectOf(int core) const {
    return m_facts ? coreRect(core, drawingArea()) : QRectF();
}

int ChipCanvas::coreAt(const QPointF& position) const {
    if (!m_facts)
        return -1;
    const QRectF area = drawingArea();
    for (int chip = 0; chip < m_facts->chipsX * m_facts->chipsY; ++chip) {
        const QRectF inside = chipRect(chip, area).adjusted(3, 3, -3, -3);
        if (!inside.contains(position))
            continue;
        const int x = std::min(m_facts->coresX - 1,
                               int((position.x() - inside.left()) / inside.width() * m_facts->coresX));
        const int y = std::min(m_facts->coresY - 1,
                               int((position.y() - inside.top()) / inside.height() * m_facts->coresY));
        return chip * m_facts->coresPerChip() + y * m_facts->coresX + x;
    }
    return -1;
}

std::optional<ChipGroup> ChipCanvas::groupAt(const QPointF& position) const {
    const int core = coreAt(position);
    if (core < 0)
        return std::nullopt;
    const QRectF rect = coreRect(core, drawingArea());
    int cell = 0;
    for (const ChipGroup& group : m_facts->cores[std::size_t(core)].groups)
        for (int i = 0; i < group.arrays; ++i, ++cell)
            if (cellRect(core, cell, rect).contains(position))
                return group;
    return std::nullopt;
}

void ChipCanvas::paintCore(QPainter& painter, int core, const QRectF& rect) const {
    const ChipCore& facts = m_facts->cores[std::size_t(core)];
    if (m_measure != ChipMeasure::Layer) {
        const double largest = m_facts->largest(m_measure);
        painter.fillRect(rect, facts.used == 0 && m_measure != ChipMeasure::Traffic &&
                                       m_measure != ChipMeasure::Memory
                                   ? color(Role::Idle)
                                   : sequential(largest > 0 ? m_facts->value(core, m_measure) / largest : 0));
        if (m_highlight >= 0 &&
            std::ranges::any_of(facts.groups, [&](const ChipGroup& g) { return g.entry == m_highlight; })) {
            painter.setPen(QPen(color(Role::EdgeSelected), 2));
            painter.drawRect(rect.adjusted(1, 1, -1, -1));
        }
        return;
    }
    painter.fillRect(rect, freeColor());
    const bool hasLines = cellRect(core, 0, rect).width() > 6 && cellRect(core, 0, rect).height() > 6;
    int cell = 0;
    for (const ChipGroup& group : facts.groups) {
        // All others fade to nearly the same, so that pale and repeated colours still tell the layer from them.
        const QColor fill = m_highlight < 0 || group.entry == m_highlight
                                ? colorOf(group.entry)
                                : mix(colorOf(group.entry), freeColor(), 0.8);
        for (int i = 0; i < group.arrays; ++i, ++cell)
            painter.fillRect(
                cellRect(core, cell, rect).adjusted(0, 0, hasLines ? -0.8 : 0, hasLines ? -0.8 : 0), fill);
    }
}

void ChipCanvas::paintLegend(QPainter& painter, const QRectF& rect) const {
    const QFontMetricsF metrics(painter.font());
    painter.setPen(palette().color(QPalette::WindowText));
    if (m_measure == ChipMeasure::Layer) {
        double x = rect.left();
        const auto entry = [&](const QColor& fill, const QString& text) {
            const double width = 14 + metrics.horizontalAdvance(text) + 14;
            if (x + width > rect.right())
                return false;
            painter.fillRect(QRectF(x, rect.center().y() - 5, 10, 10), fill);
            painter.drawText(QRectF(x + 14, rect.top(), width, rect.height()),
                             Qt::AlignLeft | Qt::AlignVCenter, text);
            x += width;
            return true;
        };
        if (m_highlight >= 0 && m_highlight < int(m_facts->layers.size()))
            entry(colorOf(m_highlight), m_facts->layers[std::size_t(m_highlight)].name);
        entry(freeColor(), tr("free array"));
        for (int i = 0; i < int(m_facts->layers.size()); ++i)
            if (i != m_highlight && !entry(colorOf(i), m_facts->layers[std::size_t(i)].name)) {
                if (x + metrics.horizontalAdvance(QStringLiteral("…")) <= rect.right())
                    painter.drawText(QRectF(x, rect.top(), 20, rect.height()),
                                     Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("…"));
                break;
            }
        return;
    }
    const QString from = QStringLiteral("0 "), to = QStringLiteral(" ") + m_facts->scaleText(m_measure) +
                                                    QStringLiteral(" · ") + title(m_measure);
    double x = rect.left();
    painter.drawText(QRectF(x, rect.top(), 40, rect.height()), Qt::AlignLeft | Qt::AlignVCenter, from);
    x += metrics.horizontalAdvance(from);
    constexpr int kSteps = 60;
    for (int i = 0; i < kSteps; ++i)
        painter.fillRect(QRectF(x + i * 2, rect.center().y() - 5, 2.5, 10),
                         sequential(double(i) / (kSteps - 1)));
    x += kSteps * 2;
    painter.drawText(QRectF(x, rect.top(), rect.right() - x, rect.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(to, Qt::ElideRight, rect.right() - x));
}

void ChipCanvas::paintOn(QPainter& painter, const QRectF& area) const {
    for (int chip = 0; chip < m_facts->chipsX * m_facts->chipsY; ++chip) {
        painter.setPen(QPen(color(Role::NodeBorder), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(chipRect(chip, area), 3, 3);
    }
    for (int core = 0; core < int(m_facts->cores.size()); ++core)
        paintCore(painter, core, coreRect(core, area));
    paintLegend(painter, QRectF(area.left(), area.bottom() - kLegend + 4, area.width(), kLegend - 4));
}

void ChipCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), color(Role::Canvas));
    if (!m_facts)
        return;
    const QRectF area = drawingArea();
    paintOn(painter, area);
    painter.setBrush(Qt::NoBrush);
    if (m_core >= 0) {
        painter.setPen(QPen(color(Role::EdgeSelected), hasFocus() ? 2.5 : 1.5));
        painter.drawRect(coreRect(m_core, area));
    }
    if (m_held && m_held->over >= 0) {
        painter.setPen(QPen(color(m_held->isLegal ? Role::Good : Role::Bad), 3,
                            m_held->isLegal ? Qt::SolidLine : Qt::DashLine));
        painter.drawRect(coreRect(m_held->over, area));
    }
}

void ChipCanvas::hold(std::optional<Held> held) {
    m_held = held;
    m_verdictText.clear();
    if (m_held && m_held->over >= 0) {
        const QString layer = m_facts->layers[std::size_t(m_held->group.entry)].name;
        const QString refused = m_held->over == m_held->from ? tr("it is already there")
                                : m_verdict                  ? m_verdict(m_held->group, m_held->over)
                                                             : QString();
        m_held->isLegal = refused.isEmpty();
        m_verdictText = refused.isEmpty() ? tr("Move array group %1 of %2, replica %3, to core %4")
                                                .arg(m_held->group.group)
                                                .arg(layer)
                                                .arg(m_held->group.replica)
                                                .arg(m_held->over)
                                          : refused;
    }
    setCursor(m_held ? m_held->isLegal ? Qt::DragMoveCursor : Qt::ForbiddenCursor : Qt::ArrowCursor);
    announceCurrent(this);
    update();
    emit verdictChanged();
}

void ChipCanvas::moveOver(int core) {
    if (!m_held || core == m_held->over)
        return;
    Held held = *m_held;
    held.over = core;
    held.isLegal = false;
    hold(held);
}

void ChipCanvas::letGo() {
    const std::optional<Held> held = m_held;
    hold(std::nullopt);
    if (held && held->isLegal)
        emit moveRequested(held->group, held->over);
}

void ChipCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_facts)
        return QWidget::mousePressEvent(event);
    m_pressed.reset();
    if (const auto group = groupAt(event->position())) {
        m_pressed.emplace(event->position(), *group);
        emit entryChosen(group->entry);
    }
    if (const int core = coreAt(event->position()); core >= 0) {
        setCore(core);
        const auto& groups = m_facts->cores[std::size_t(core)].groups;
        for (std::size_t i = 0; m_pressed && i < groups.size(); ++i)
            if (groups[i].entry == m_pressed->second.entry &&
                groups[i].replica == m_pressed->second.replica && groups[i].group == m_pressed->second.group)
                m_chosen = i;
    }
}

void ChipCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (m_held && !m_held->byKeys)
        return moveOver(coreAt(event->position()));
    if (m_pressed && (event->buttons() & Qt::LeftButton) &&
        (event->position() - m_pressed->first).manhattanLength() >= QApplication::startDragDistance())
        hold(Held{m_pressed->second, m_core, coreAt(event->position()), false, false});
}

void ChipCanvas::mouseReleaseEvent(QMouseEvent*) {
    m_pressed.reset();
    if (m_held && !m_held->byKeys)
        letGo();
}

void ChipCanvas::step(int dx, int dy) {
    const int from = m_held ? m_held->over : m_core;
    const int perChip = m_facts->coresPerChip();
    const int chip = from / perChip, at = from % perChip;
    int x = (chip % m_facts->chipsX) * m_facts->coresX + at % m_facts->coresX + dx;
    int y = (chip / m_facts->chipsX) * m_facts->coresY + at / m_facts->coresX + dy;
    x = std::clamp(x, 0, m_facts->chipsX * m_facts->coresX - 1);
    y = std::clamp(y, 0, m_facts->chipsY * m_facts->coresY - 1);
    const int core = ((y / m_facts->coresY) * m_facts->chipsX + x / m_facts->coresX) * perChip +
                     (y % m_facts->coresY) * m_facts->coresX + x % m_facts->coresX;
    if (m_held)
        moveOver(core);
    else
        setCore(core);
}

void ChipCanvas::keyPressEvent(QKeyEvent* event) {
    if (!m_facts || m_facts->cores.empty())
        return QWidget::keyPressEvent(event);
    if (m_core < 0)
        setCore(0);
    const auto choose = [&](int by) {
        const auto& groups = m_facts->cores[std::size_t(m_core)].groups;
        if (groups.empty())
            return;
        m_chosen = (m_chosen + groups.size() + std::size_t(by)) % groups.size();
        emit entryChosen(groups[m_chosen].entry);
        announceCurrent(this);
        update();
    };
    if (event->matches(QKeySequence::Cut)) {
        if (const auto taken = group())
            hold(Held{*taken, m_core, m_core, true, false});
    } else if (m_held && (event->matches(QKeySequence::Paste) || event->key() == Qt::Key_Return ||
                          event->key() == Qt::Key_Enter)) {
        letGo();
    } else if (m_held && event->key() == Qt::Key_Escape) {
        hold(std::nullopt);
    } else if (event->key() == Qt::Key_Left) {
        step(-1, 0);
    } else if (event->key() == Qt::Key_Right) {
        step(1, 0);
    } else if (event->key() == Qt::Key_Up) {
        step(0, -1);
    } else if (event->key() == Qt::Key_Down) {
        step(0, 1);
    } else if (event->key() == Qt::Key_PageDown) {
        choose(1);
    } else if (event->key() == Qt::Key_PageUp) {
        choose(-1);
    } else {
        QWidget::keyPressEvent(event);
    }
}

bool ChipCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && m_facts) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const int core = coreAt(help->pos()); core >= 0)
            QToolTip::showText(help->globalPos(), m_facts->describe(core), this,
                               coreRect(core, drawingArea()).toRect());
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void ChipCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        update();
    QWidget::changeEvent(event);
}

void ChipCanvas::focusInEvent(QFocusEvent*) {
    update();
}
void ChipCanvas::focusOutEvent(QFocusEvent*) {
    if (m_held)
        hold(std::nullopt);
    update();
}

QString ChipCanvas::csv() const {
    QString text = csvLine({tr("core"), tr("arrays"), tr("arrays used"), tr("busy (ns)"), tr("waiting (ns)"),
                            tr("traffic (bytes)"), tr("local memory (bytes)"), tr("layers")}) +
                   u'\n';
    for (std::size_t core = 0; m_facts && core < m_facts->cores.size(); ++core) {
        const ChipCore& facts = m_facts->cores[core];
        QStringList layers;
        for (const ChipGroup& group : facts.groups)
            if (const QString name = m_facts->layers[std::size_t(group.entry)].name; !layers.contains(name))
                layers << name;
        text +=
            csvLine({QString::number(core), QString::number(facts.arrays), QString::number(facts.used),
                     exactNumber(facts.busyNs), exactNumber(facts.waitNs), exactNumber(facts.trafficBytes),
                     exactNumber(facts.memoryBytes), layers.join(u' ')}) +
            u'\n';
    }
    return text;
}

ExportSource ChipCanvas::exportSource() {
    return {QStringLiteral("chip-map"), [this] { return m_facts ? size() : QSize(); },
            [this](QPainter& painter) {
                painter.fillRect(rect(), color(Role::Canvas));
                if (m_facts)
                    paintOn(painter, drawingArea());
            },
            [this] { return csv(); }};
}

} // namespace pim::views
