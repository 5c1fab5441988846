// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/share_bars.h"

#include "core/base/number_text.h"
#include "views/common/canvas_items.h"
#include "views/common/text.h"
#include "views/common/tool_tips.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace pim::views {
namespace {

constexpr double kSide = 10, kSwatch = 10, kLegendGap = 14;
/// Cycles from one instruction of a tasklet to its next, at least [PrIM, arXiv:2105.03814].
constexpr double kRevolver = 11;

QString shareText(std::int64_t cycles, std::int64_t all) {
    return text(percentText(all > 0 ? double(cycles) / double(all) : 0));
}

} // namespace

double ipcCeiling(int tasklets) {
    return std::min(1.0, tasklets / kRevolver);
}

ShareBar pipelineShares(const upmem::OpOnDpu& run) {
    const upmem::DpuRun& of = run.run;
    ShareBar bar{ShareBars::tr("pipeline"), {}, of.cycles};
    bar.parts = {
        {ShareBars::tr("issued"), ShareBars::tr("an instruction of some tasklet was issued"),
         color(Role::Compute), of.issued},
        {ShareBars::tr("waited for DMA"), ShareBars::tr("no tasklet could issue, one waits for a DMA"),
         color(Role::MemoryIn), of.waitedDma},
        {ShareBars::tr("waited else"),
         ShareBars::tr("no tasklet could issue: within 11 cycles of its last instruction, or asleep"),
         color(Role::OtherWork), of.waitedElse},
        {ShareBars::tr("register banks"), ShareBars::tr("held up: two registers of one bank were read"),
         color(Role::Rewriting), of.heldUp}};
    return bar;
}

std::vector<ShareBar> taskletShares(const upmem::OpOnDpu& run) {
    std::vector<ShareBar> bars;
    for (const upmem::TaskletTime& time : run.run.tasklets) {
        ShareBar bar{ShareBars::tr("tasklet %1").arg(bars.size()), {}, run.run.cycles};
        bar.parts = {
            {ShareBars::tr("issued"), ShareBars::tr("its instructions, a cycle each"), color(Role::Compute),
             time.issued},
            {ShareBars::tr("revolver"), ShareBars::tr("within 11 cycles of its last instruction"),
             color(Role::Transfer), time.revolver},
            {ShareBars::tr("ready"),
             ShareBars::tr("could have issued: another tasklet did, or the pipeline was held up"),
             color(Role::VectorUnit), time.ready},
            {ShareBars::tr("DMA"), ShareBars::tr("waited for its DMA"), color(Role::MemoryIn), time.dma},
            {ShareBars::tr("asleep"), ShareBars::tr("at a lock or barrier, not begun, or ended"),
             color(Role::OtherWork), time.asleep}};
        bars.push_back(std::move(bar));
    }
    return bars;
}

ShareBars::ShareBars(QWidget* parent) : QAbstractScrollArea(parent) {
    setAccessibleName(tr("Where the cycles went"));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    installPlotExport(this, exportSource());
    setCanvasItems(
        this, this,
        {[this] { return int(m_bars.size()); },
         [this](int bar) {
             return CanvasItem{m_bars[std::size_t(bar)].name, describe(bar), barRect(bar), bar == m_current};
         },
         [this] { return m_current; }, [this](int bar) { choose(bar); }});
}

void ShareBars::setRun(std::shared_ptr<const upmem::OpOnDpu> run) {
    m_run = std::move(run);
    m_bars.clear();
    if (m_run) {
        m_bars.push_back(pipelineShares(*m_run));
        for (ShareBar& bar : taskletShares(*m_run))
            m_bars.push_back(std::move(bar));
    }
    if (m_current >= int(m_bars.size()))
        m_current = -1;
    announceItems(this);
    relayout();
}

void ShareBars::setCurrent(int bar) {
    m_current = bar >= 0 && bar < int(m_bars.size()) ? bar : -1;
    if (m_current >= 0) {
        const QRectF where = barRect(m_current);
        if (where.top() < 0 || where.bottom() > viewport()->height())
            verticalScrollBar()->setValue(
                int(topOf(m_current, viewport()->width()) - viewport()->height() / 2.0));
        setAccessibleDescription(describe(m_current));
    }
    announceCurrent(this);
    viewport()->update();
}

void ShareBars::choose(int bar) {
    setCurrent(std::clamp(bar, 0, int(m_bars.size()) - 1));
    emit chosen(m_current);
}

double ShareBars::lineHeight() const {
    return fontMetrics().height() + 6;
}

double ShareBars::labelWidth() const {
    return fontMetrics().horizontalAdvance(tr("tasklet %1").arg(QStringLiteral("00"))) + 8;
}

int ShareBars::legendHeight(const std::vector<SharePart>& parts, int width) const {
    double x = kSide;
    int lines = 1;
    for (const SharePart& part : parts) {
        const double wide = kSwatch + 4 + fontMetrics().horizontalAdvance(part.name) + kLegendGap;
        if (x + wide > width && x > kSide) {
            x = kSide;
            ++lines;
        }
        x += wide;
    }
    return int(lines * lineHeight());
}

/// First how many instructions a cycle, then the pipeline and the tasklets, each below what its colours mean.
double ShareBars::topOf(int bar, int width) const {
    const double line = lineHeight();
    double top = 4 + 2 * line + 4 + legendHeight(m_bars.front().parts, width);
    if (bar == 0)
        return top;
    top += line + 8 + legendHeight(m_bars[1].parts, width);
    return top + (bar - 1) * line;
}

int ShareBars::contentHeight(int width) const {
    if (m_bars.size() < 2)
        return 0;
    return int(topOf(int(m_bars.size()), width) + 6);
}

QRectF ShareBars::barRect(int bar) const {
    const double top = topOf(bar, viewport()->width()) - verticalScrollBar()->value();
    return {kSide, top, viewport()->width() - 2 * kSide, lineHeight()};
}

void ShareBars::paintIpc(QPainter& painter, const QRectF& rect) const {
    const double ipc = m_run->run.ipc(), most = ipcCeiling(m_run->tasklets), line = lineHeight();
    painter.setPen(color(Role::NodeText));
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    const QString head = tr("%1 instructions a cycle").arg(ipc, 0, 'f', 3);
    painter.drawText(QRectF(rect.left(), rect.top(), rect.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                     head);
    const double used = QFontMetricsF(bold).horizontalAdvance(head) + 8;
    painter.setFont(font());
    painter.setPen(color(Role::Muted));
    const QString rest = tr("at most %1 with %2 tasklets").arg(most, 0, 'f', 3).arg(m_run->tasklets);
    painter.drawText(QRectF(rect.left() + used, rect.top(), std::max(0.0, rect.width() - used), line),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(rest, Qt::ElideRight, int(std::max(0.0, rect.width() - used))));
    const QRectF gauge(rect.left(), rect.top() + line + 2, rect.width(), line - 8);
    painter.fillRect(gauge, mix(QGuiApplication::palette().color(QPalette::Base), color(Role::Idle), 0.5));
    painter.fillRect(QRectF(gauge.left(), gauge.top(), gauge.width() * std::min(1.0, ipc), gauge.height()),
                     color(Role::Compute));
    const double x = gauge.left() + gauge.width() * most;
    painter.setPen(QPen(color(Role::Selection), 2));
    painter.drawLine(QPointF(x - (most >= 1 ? 1 : 0), gauge.top() - 3),
                     QPointF(x - (most >= 1 ? 1 : 0), gauge.bottom() + 3));
}

void ShareBars::paintLegend(QPainter& painter, const std::vector<SharePart>& parts, double top,
                            int width) const {
    double x = kSide;
    for (const SharePart& part : parts) {
        const double wide = kSwatch + 4 + fontMetrics().horizontalAdvance(part.name) + kLegendGap;
        if (x + wide > width && x > kSide) {
            x = kSide;
            top += lineHeight();
        }
        painter.fillRect(QRectF(x, top + (lineHeight() - kSwatch) / 2, kSwatch, kSwatch), part.color);
        painter.setPen(color(Role::Muted));
        painter.drawText(QRectF(x + kSwatch + 4, top, wide, lineHeight()), Qt::AlignLeft | Qt::AlignVCenter,
                         part.name);
        x += wide;
    }
}

void ShareBars::paintBar(QPainter& painter, int number, const QRectF& rect) const {
    const ShareBar& bar = m_bars[std::size_t(number)];
    painter.setPen(color(Role::NodeText));
    painter.drawText(QRectF(rect.left(), rect.top(), labelWidth(), rect.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, bar.name);
    const QRectF track = rect.adjusted(labelWidth(), 2, 0, -2);
    double x = track.left();
    for (const SharePart& part : bar.parts) {
        const double wide = bar.cycles > 0 ? track.width() * double(part.cycles) / double(bar.cycles) : 0;
        const QRectF where(x, track.top(), wide, track.height());
        painter.fillRect(where, part.color);
        const QString share = shareText(part.cycles, bar.cycles);
        if (fontMetrics().horizontalAdvance(share) + 6 < wide) {
            painter.setPen(textOn(part.color));
            painter.drawText(where, Qt::AlignCenter, share);
        }
        x += wide;
    }
    if (number == m_current) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color(Role::Selection), 2));
        painter.drawRect(track.adjusted(-1, -1, 1, 1));
    }
}

void ShareBars::paintContent(QPainter& painter, int width) const {
    painter.setFont(font());
    painter.fillRect(QRect(0, 0, width, std::max(contentHeight(width), viewport()->height())),
                     QGuiApplication::palette().color(QPalette::Base));
    if (m_bars.size() < 2)
        return;
    paintIpc(painter, QRectF(kSide, 4, width - 2 * kSide, 2 * lineHeight()));
    for (int bar = 0; bar < int(m_bars.size()); ++bar)
        paintBar(painter, bar, QRectF(kSide, topOf(bar, width), width - 2 * kSide, lineHeight()));
    for (const int bar : {0, 1}) {
        const auto& parts = m_bars[std::size_t(bar)].parts;
        paintLegend(painter, parts, topOf(bar, width) - legendHeight(parts, width), width);
    }
}

void ShareBars::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.translate(0, -verticalScrollBar()->value());
    paintContent(painter, viewport()->width());
    painter.resetTransform();
    if (hasFocus()) {
        painter.setPen(QPen(color(Role::Accent), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

void ShareBars::relayout() {
    const int over = contentHeight(viewport()->width()) - viewport()->height();
    verticalScrollBar()->setRange(0, std::max(0, over));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(int(lineHeight()));
    viewport()->update();
}

void ShareBars::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    relayout();
}

QString ShareBars::describe(int number) const {
    const ShareBar& bar = m_bars[std::size_t(number)];
    QStringList parts;
    for (const SharePart& part : bar.parts)
        parts << tr("%1 %2 (%3 cycles)")
                     .arg(part.name, shareText(part.cycles, bar.cycles), text(exactText(part.cycles)));
    return tr("%1: %2").arg(bar.name, parts.join(QStringLiteral(" · ")));
}

QString ShareBars::tipAt(const QPoint& position) const {
    for (int number = 0; number < int(m_bars.size()); ++number) {
        const QRectF where = barRect(number);
        if (!where.contains(position))
            continue;
        const ShareBar& bar = m_bars[std::size_t(number)];
        QStringList lines{bar.name};
        for (const SharePart& part : bar.parts)
            lines << tr("%1: %2 of %3 cycles, %4 — %5")
                         .arg(part.name, text(exactText(part.cycles)), text(exactText(bar.cycles)),
                              shareText(part.cycles, bar.cycles), part.meaning);
        return lines.join(u'\n');
    }
    return {};
}

bool ShareBars::viewportEvent(QEvent* event) {
    if (answerToolTip(event, viewport(), [this](const QPoint& at) { return tipAt(at); }))
        return true;
    return QAbstractScrollArea::viewportEvent(event);
}

void ShareBars::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return event->ignore();
    for (int bar = 0; bar < int(m_bars.size()); ++bar)
        if (barRect(bar).contains(event->position()))
            return choose(bar);
}

void ShareBars::keyPressEvent(QKeyEvent* event) {
    if (m_bars.empty())
        return QAbstractScrollArea::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Up:
        return choose(m_current - 1);
    case Qt::Key_Down:
        return choose(m_current + 1);
    case Qt::Key_Home:
        return choose(0);
    case Qt::Key_End:
        return choose(int(m_bars.size()) - 1);
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void ShareBars::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        setRun(m_run); // colours stand in the bars
    if (event->type() == QEvent::FontChange)
        relayout();
    QAbstractScrollArea::changeEvent(event);
}

QString ShareBars::csv() const {
    QString lines = csvLine({QStringLiteral("unit"), QStringLiteral("part"), QStringLiteral("cycles"),
                             QStringLiteral("share")}) +
                    u'\n';
    for (const ShareBar& bar : m_bars)
        for (const SharePart& part : bar.parts)
            lines += csvLine({bar.name, part.name, QString::number(part.cycles),
                              exactNumber(bar.cycles > 0 ? double(part.cycles) / double(bar.cycles) : 0)}) +
                     u'\n';
    return lines;
}

ExportSource ShareBars::exportSource() {
    return {
        QStringLiteral("tasklet_cycles"),
        [this] {
            return m_bars.empty() ? QSize() : QSize(viewport()->width(), contentHeight(viewport()->width()));
        },
        [this](QPainter& painter) { paintContent(painter, viewport()->width()); }, [this] { return csv(); }};
}

} // namespace pim::views
