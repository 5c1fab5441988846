// SPDX-License-Identifier: GPL-3.0-or-later
// How the floorplan looks.
#include "core/base/number_text.h"
#include "views/common/core_words.h"
#include "views/common/palette.h"
#include "views/common/text.h"
#include "views/hardware/floorplan.h"

#include <QPainter>

#include <algorithm>

namespace pim::views {
namespace {

constexpr double kTooSmall = 9; ///< Pixels below which the children of a box are not drawn one by one.
constexpr double kBarHeight = 4;

/// Colour of one figure: of its kind, or on a scale.
QColor fillOf(const CoreFigures* figures, double value) {
    if (!figures || value < 0)
        return color(Role::GridLine);
    if (const FigureKind* kind = figures->kind(value))
        return color(kind->color);
    return sequential(0.15 + 0.85 * (figures->most > 0 ? std::min(1.0, value / figures->most) : 0));
}

} // namespace

void Floorplan::paintEvent(QPaintEvent*) {
    const QSize pixels = (QSizeF(size()) * devicePixelRatioF()).toSize();
    if (m_machine.size() != pixels) {
        m_machine = QPixmap(pixels);
        m_machine.setDevicePixelRatio(devicePixelRatioF());
        QPainter machine(&m_machine);
        paintMachine(machine);
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_machine);
    paintMarks(painter);
    if (hasFocus()) {
        painter.setPen(QPen(color(Role::Selection), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void Floorplan::paint(QPainter& painter) const {
    paintMachine(painter);
    paintMarks(painter);
}

void Floorplan::paintMachine(QPainter& painter) const {
    painter.fillRect(rect(), color(Role::Canvas));
    painter.setFont(font());
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
}

void Floorplan::paintMarks(QPainter& painter) const {
    if (!m_target)
        return;
    painter.setFont(font());
    painter.setRenderHint(QPainter::Antialiasing);
    if (const QRectF marked = rectOf(m_highlight);
        m_highlight.kind != HardwareSpot::Kind::None && !marked.isEmpty()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color(Role::Canvas), 4));
        painter.drawRect(marked.adjusted(-1, -1, 1, 1));
        painter.setPen(QPen(color(Role::Selection), 2));
        painter.drawRect(marked.adjusted(-1, -1, 1, 1));
    }
    paintLegend(painter);
    paintDrop(painter);
}

void Floorplan::paintHost(QPainter& painter) const {
    const QRectF rect = hostRect();
    painter.setPen(QPen(color(Role::NodeBorder), 1));
    painter.setBrush(mix(color(Role::Canvas), color(Role::OnHost), 0.25));
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
    painter.drawText(inner, Qt::AlignTop | Qt::TextWordWrap,
                     tr("Host %1").arg(text(narrow ? m_target->host.id : m_target->host.name)), &used);
    painter.setFont(font());
    inner.setTop(used.bottom() + 6);
    QStringList lines;
    const Host& host = m_target->host;
    if (const auto peak = host.peakFlopsPerNs.find(DataType::F16); peak != host.peakFlopsPerNs.end())
        lines << tr("%1FLOP/s F16").arg(text(countText(peak->second * 1e9)));
    lines << tr("Memory %1").arg(text(bytesText(static_cast<double>(host.memoryBytes))))
          << text(bandwidthText(host.memoryBytesPerNs));
    if (!m_hostNote.isEmpty())
        lines << m_hostNote;
    lines.replaceInStrings(QStringLiteral("/"), QStringLiteral("/\u2060")); // no line ends inside a unit
    const auto height = [&] {
        return painter
            .boundingRect(QRectF(inner.topLeft(), QSizeF(inner.width(), 1e4)), Qt::TextWordWrap,
                          lines.join('\n'))
            .height();
    };
    while (lines.size() > 1 && height() > inner.height()) // half a line says nothing; the tip has them all
        lines.removeLast();
    painter.drawText(inner, Qt::AlignTop | Qt::TextWordWrap, lines.join('\n'));
    painter.restore();
}

void Floorplan::paintLevel(QPainter& painter, const QRectF& rect, std::size_t level,
                           std::int64_t first) const {
    const bool leaf = level + 1 == m_target->levels.size();
    std::int64_t leaves = 1; // innermost instances below one child
    for (std::size_t below = level + 1; below < m_target->levels.size(); ++below)
        leaves *= m_target->levels[below].count;
    const Grid grid = gridIn(rect, level);
    for (int child = 0; child < m_target->levels[level].count; ++child) {
        const QRectF box = grid.cell(child);
        if (!box.intersects(this->rect()))
            continue;
        const CoreRange cores{first + child * leaves, leaves};
        if (leaf || box.width() < kTooSmall || box.height() < kTooSmall) {
            paintCores(painter, box, cores, leaf ? QString::number(child) : QString());
        } else {
            paintBox(painter, box, level, child, cores);
            paintLevel(painter, box, level + 1, cores.first);
        }
    }
}

void Floorplan::paintCores(QPainter& painter, const QRectF& box, const CoreRange& cores,
                           const QString& label) const {
    // One colour for all cores inside: the busiest counts, an idle one must not hide it.
    double value = -1;
    if (m_figures)
        for (std::int64_t i = cores.first; i < cores.first + cores.count && i < std::ssize(m_figures->values);
             ++i)
            value = std::max(value, m_figures->values[static_cast<std::size_t>(i)]);
    const QColor fill = fillOf(m_figures.get(), value);
    // thousands of them: soft edges cost more than they show
    const bool tiny = box.width() < 8 || box.height() < 8;
    painter.setRenderHint(QPainter::Antialiasing, !tiny);
    painter.fillRect(box, fill);
    painter.setRenderHint(QPainter::Antialiasing);
    const FigureKind* const kind = m_figures ? m_figures->kind(value) : nullptr;
    if (kind && kind->isHatched && box.width() > 5)
        painter.fillRect(box, QBrush(mix(fill, textOn(fill), 0.5), Qt::BDiagPattern));
    const double line = fontMetrics().height();
    if (label.isEmpty() || box.height() <= line || box.width() <= fontMetrics().averageCharWidth() * 4)
        return;
    painter.setPen(textOn(fill));
    const QString sign = kind ? tr("%1 %2").arg(label, kind->letter) : label;
    if (kind && kind->isHatched)
        painter.fillRect(QRectF(fontMetrics().boundingRect(sign))
                             .translated(box.center() - QRectF(fontMetrics().boundingRect(sign)).center())
                             .adjusted(-2, 0, 2, 0),
                         fill);
    painter.drawText(box, Qt::AlignCenter, sign);
    const MemoryUse use = m_use.of({cores.first, 1});
    if (use.capacity > 0 && box.height() > 2 * line && box.width() > 24)
        paintBar(painter, QRectF(box.left() + 3, box.bottom() - kBarHeight - 3, box.width() - 6, kBarHeight),
                 use);
}

void Floorplan::paintBar(QPainter& painter, const QRectF& bar, const MemoryUse& use) const {
    const double capacity = static_cast<double>(std::max<std::int64_t>(1, use.capacity));
    const double others = bar.width() * std::min(1.0, static_cast<double>(use.others) / capacity);
    const double ofOp =
        std::min(bar.width() - others, bar.width() * static_cast<double>(use.ofOp) / capacity);
    painter.fillRect(bar.adjusted(-1, -1, 1, 1), color(Role::Canvas));
    painter.fillRect(bar, color(Role::GridLine));
    painter.fillRect(QRectF(bar.left(), bar.top(), others, bar.height()), color(Role::OnPim));
    if (use.ofOp > 0)
        painter.fillRect(QRectF(bar.left() + others, bar.top(), std::max(1.5, ofOp), bar.height()),
                         color(Role::Selection));
}

void Floorplan::paintBox(QPainter& painter, const QRectF& box, std::size_t level, int child,
                         const CoreRange& cores) const {
    painter.setPen(QPen(color(Role::NodeBorder), level == 0 ? 1.4 : 0.8));
    const QColor fill = mix(color(Role::Canvas), color(Role::OnPim), level == 0 ? 0.10 : 0.18);
    painter.setBrush(fill);
    painter.drawRoundedRect(box, 4, 4);
    const double line = fontMetrics().height();
    if (gridIn(box, level + 1).area.top() - box.top() < line) // no strip for a name
        return;
    painter.setPen(color(Role::NodeText));
    const double room = box.width() - 10;
    QString label = QStringLiteral("%1 %2").arg(text(m_target->levels[level].name)).arg(child);
    if (fontMetrics().horizontalAdvance(label) > room)
        label = QString::number(child); // the number tells more than half a name
    painter.drawText(QRectF(box.left() + 6, box.top() + 2, room, line), Qt::AlignVCenter | Qt::AlignLeft,
                     label);
    const MachineUse& shown = m_held && m_held->verdict.after ? *m_held->verdict.after : m_use;
    const MemoryUse use = shown.of(cores);
    if (use.capacity <= 0)
        return;
    const QString free = tr("%1 free").arg(text(bytesText(static_cast<double>(use.free()))));
    if (fontMetrics().horizontalAdvance(label + free) + 12 < room)
        painter.drawText(QRectF(box.left() + 5, box.top() + 2, room, line), Qt::AlignVCenter | Qt::AlignRight,
                         free);
    paintBar(painter, QRectF(box.left() + 5, box.top() + line + 3, room, kBarHeight), use);
}

void Floorplan::paintLegend(QPainter& painter) const {
    // One line at the bottom, whatever the zoom.
    const double line = fontMetrics().height();
    const QRectF strip(kPad, height() - line - 4, width() - 2 * kPad, line + 2);
    painter.fillRect(strip.adjusted(-kPad, 0, kPad, 4), color(Role::Canvas));
    double x = strip.left();
    const auto put = [&](const QString& words) {
        const QString fitting = fontMetrics().elidedText(words, Qt::ElideRight,
                                                         static_cast<int>(std::max(0.0, strip.right() - x)));
        painter.setPen(color(Role::NodeText));
        painter.drawText(QRectF(x, strip.top(), strip.right() - x, strip.height()),
                         Qt::AlignVCenter | Qt::AlignLeft, fitting);
        x += fontMetrics().horizontalAdvance(fitting) + 10;
    };
    const auto key = [&](const QColor& fill, const QString& words, bool hatched = false) {
        if (x + fontMetrics().horizontalAdvance(words) + 14 > strip.right())
            return; // a key cut in half says nothing
        const QRectF box(x, strip.top() + 3, line - 4, strip.height() - 6);
        painter.fillRect(box, fill);
        if (hatched)
            painter.fillRect(box, QBrush(mix(fill, textOn(fill), 0.5), Qt::BDiagPattern));
        x += line;
        put(words);
    };
    if (!m_figures || m_figures->values.empty()) {
        put(m_figures && !m_figures->note.isEmpty() ? m_figures->note
                                                    : tr("Nothing planned for this hardware yet"));
    } else if (!m_figures->kinds.empty()) {
        for (const FigureKind& kind : m_figures->kinds)
            key(color(kind.color), tr("%1: %2").arg(kind.letter, kind.words), kind.isHatched);
        key(color(Role::GridLine), tr("not this op's"));
    } else {
        put(QStringLiteral("0"));
        for (int i = 0; i < 50; ++i)
            painter.fillRect(QRectF(x - 6 + i, strip.top() + 4, 1.5, strip.height() - 8),
                             sequential(0.15 + 0.85 * i / 49.0));
        x += 50;
        put(tr("%1, %2").arg(m_figures->text(m_figures->most), amidSentence(m_figures->choice.name)));
        key(color(Role::GridLine), tr("idle"));
    }
    if (m_use.isKnown()) {
        key(color(Role::OnPim), tr("other ops"));
        key(color(Role::Selection), tr("this op"));
    }
}

void Floorplan::paintDrop(QPainter& painter) const {
    if (!m_held)
        return;
    const DropVerdict& verdict = m_held->verdict;
    const QColor tone = color(verdict.legal ? Role::Good : Role::Bad);
    QColor veil = tone;
    veil.setAlphaF(0.22F);
    HardwareSpot spot = m_held->spot;
    if (m_held->mime == QLatin1String(kMimeOp))
        spot.path.clear(); // an op takes the machine as a whole
    if (const QRectF zone = rectOf(spot); !zone.isEmpty()) {
        painter.setPen(QPen(tone, 2.5, verdict.legal ? Qt::SolidLine : Qt::DashLine));
        painter.setBrush(veil);
        painter.drawRoundedRect(zone, 6, 6);
    }
    const QString words = (verdict.legal ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) + verdict.text;
    QRectF bubble =
        fontMetrics().boundingRect(QRect(0, 0, std::max(width() - 40, 100), 1000), Qt::TextWordWrap, words);
    bubble.adjust(-8, -5, 8, 5);
    bubble.moveCenter(QPointF(width() / 2.0, height() - bubble.height() / 2 - legendHeight() - 4));
    if (const QRectF place = rectOf(m_held->spot);
        m_held->spot.path.size() > 0 && place.center().y() > bubble.top() - 20)
        bubble.moveTop(6); // never over the place it speaks of
    painter.setPen(QPen(tone, 1.5));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(bubble, 5, 5);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(bubble, Qt::AlignCenter | Qt::TextWordWrap, words);
}

} // namespace pim::views
