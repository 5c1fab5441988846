// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel and keys of the canvas.
#include "views/common/timeline_canvas.h"

#include "views/common/core_words.h"
#include "views/common/plot_export.h"
#include "views/common/tool_tips.h"

#include <QAction>
#include <QEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr double kDragDistance = 4;
constexpr double kGap = 6; ///< No gap between rows is larger.

} // namespace

int TimelineCanvas::headAt(const QPointF& position) const {
    const int track = position.x() < m_places.left ? trackAt(position.y()) : -1;
    return track >= 0 && m_rows.canFold(static_cast<std::size_t>(track)) ? track : -1;
}

int TimelineCanvas::flagAt(const QPointF& position) const {
    if (!flagsRect().contains(position))
        return -1;
    // The last one drawn there is on top; a short one is hit beside its stretch too, where its text is.
    constexpr double kReach = 12;
    for (std::size_t flag = m_flags.size(); flag-- > 0;)
        if (position.x() >= xOf(m_flags[flag].fromNs) - 2 &&
            position.x() <= std::max(xOf(m_flags[flag].toNs), xOf(m_flags[flag].fromNs) + kReach))
            return static_cast<int>(flag);
    return -1;
}

void TimelineCanvas::addActions(QMenu* menu, const QPointF& position) {
    if (!m_timeline)
        return;
    const int at = trackAt(position.y());
    if (at >= 0) {
        const auto track = static_cast<std::size_t>(at);
        const QString name = coreWord(m_timeline->tracks[track].name);
        const bool pinned = isPinned(track);
        connect(menu->addAction(pinned ? tr("Unpin %1\tP").arg(name) : tr("Pin %1 to the Top\tP").arg(name)),
                &QAction::triggered, this, [this, track, pinned] { setPinned(track, !pinned); });
        for (const bool up : {true, false})
            connect(menu->addAction(up ? tr("Move Up\tAlt+Up") : tr("Move Down\tAlt+Down")),
                    &QAction::triggered, this, [this, track, up] { moveLane(track, up); });
        if (!pinned && m_rows.groups().size() > 1 && !m_timeline->tracks[track].group.empty())
            for (const bool up : {true, false})
                connect(menu->addAction(up ? tr("Move Group Up\tAlt+Shift+Up")
                                           : tr("Move Group Down\tAlt+Shift+Down")),
                        &QAction::triggered, this, [this, track, up] { moveGroup(track, up); });
    }
    if (canFold()) {
        const bool folds = !m_rows.isAnyFolded();
        connect(menu->addAction(folds ? tr("Fold All\tE") : tr("Unfold All\tE")), &QAction::triggered, this,
                [this, folds] { setAllFolded(folds); });
    }
    connect(menu->addAction(tr("Arrange as at First")), &QAction::triggered, this, [this] {
        LaneArrangement first;
        first.foldsOthers = lanes().foldsOthers;
        setLanes(std::move(first));
        emit lanesChanged();
    });
    QAction* note = menu->addAction(tr("Add Note…\tM"));
    note->setEnabled(chosenStretch().has_value());
    connect(note, &QAction::triggered, this, &TimelineCanvas::noteRequested);
    menu->addSeparator();
}

void TimelineCanvas::installMenu(const ExportSource& source) {
    setContextMenuPolicy(Qt::CustomContextMenu);
    connect(this, &QWidget::customContextMenuRequested, this, [this, source](const QPoint& at) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        addActions(menu, at);
        addExportActions(menu, this, source);
        menu->popup(mapToGlobal(at));
    });
}

bool TimelineCanvas::event(QEvent* event) {
    if (answerToolTip(event, this, [this](const QPoint& at) { return tipAt(at); }))
        return true;
    return QWidget::event(event);
}

void TimelineCanvas::resizeEvent(QResizeEvent*) {
    relayout();
}

void TimelineCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_overview = {};
        m_spanNames.clear();
        relayout();
    }
    QWidget::changeEvent(event);
}

void TimelineCanvas::leaveEvent(QEvent*) {
    m_hovered.reset();
    m_hoveredBand = -1;
    update();
}

void TimelineCanvas::setHover(const QPointF& position) {
    const auto span = spanAt(position);
    const int band = bandAt(position);
    const int flag = flagAt(position);
    if (span == m_hovered && band == m_hoveredBand && flag == m_hoveredFlag)
        return;
    m_hoveredFlag = flag;
    m_hovered = span;
    m_hoveredBand = band;
    setCursor(span || band >= 0 || flag >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_timeline) {
        event->ignore();
        return;
    }
    m_pressed = m_mouse = event->position();
    m_pressedFromNs = m_fromNs;
    m_pressedScroll = m_trackScroll;
    m_moved = false;
    if (overviewRect().adjusted(0, -3, 0, 4).contains(m_pressed)) {
        m_drag = Drag::Overview;
        mouseMoveEvent(event);
    } else if (event->modifiers() & Qt::ShiftModifier) {
        m_drag = m_pressed.x() >= m_places.left ? Drag::Area : Drag::None;
    } else {
        m_draggedLane = m_pressed.x() < m_places.left ? trackAt(m_pressed.y()) : -1;
        m_drag = m_draggedLane >= 0 ? Drag::Lane : Drag::Pan;
    }
}

void TimelineCanvas::dragLane() {
    setCursor(Qt::ClosedHandCursor);
    // A step for each row passed: the lane follows the pointer through its group.
    for (int step = 0; step < 64; ++step) {
        const QRectF own = trackRect(static_cast<std::size_t>(m_draggedLane));
        const bool up = m_mouse.y()<own.top(), down = m_mouse.y()> own.bottom();
        if ((!up && !down) || !moveLane(static_cast<std::size_t>(m_draggedLane), up))
            return;
        const QRectF now = trackRect(static_cast<std::size_t>(m_draggedLane));
        if (up ? now.top() < m_mouse.y() - now.height() : now.bottom() > m_mouse.y() + now.height()) {
            moveLane(static_cast<std::size_t>(m_draggedLane), !up); // past it: a higher neighbour
            return;
        }
    }
}

void TimelineCanvas::dragArea() {
    const auto at = [this](double y) {
        // Above and below the tracks count as the first and the last that is seen; so does a gap.
        for (double shift = 0; shift <= kGap; ++shift)
            if (const int track = trackAt(std::clamp(y - shift, m_places.lanesTop, m_places.lanesBottom - 1));
                track >= 0)
                return track;
        return m_rows.lanes().empty() ? -1 : static_cast<int>(m_rows.lanes().back());
    };
    m_area = TimelineArea{std::clamp(nsAt(std::min(m_pressed.x(), m_mouse.x())), m_fromNs, m_toNs),
                          std::clamp(nsAt(std::max(m_pressed.x(), m_mouse.x())), m_fromNs, m_toNs),
                          at(std::min(m_pressed.y(), m_mouse.y())), at(std::max(m_pressed.y(), m_mouse.y()))};
    update();
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
    m_mouse = event->position();
    if (m_drag == Drag::None) {
        setHover(m_mouse);
        return;
    }
    const QPointF by = m_mouse - m_pressed;
    if (m_drag == Drag::Overview) {
        const double width = m_toNs - m_fromNs;
        const double middle =
            (m_mouse.x() - overviewRect().left()) / overviewRect().width() * m_timeline->endNs;
        setWindow(middle - width / 2, middle + width / 2);
        return;
    }
    if (!m_moved && by.manhattanLength() < kDragDistance)
        return;
    m_moved = true;
    if (m_drag == Drag::Pan) {
        const double width = m_toNs - m_fromNs;
        const double from = m_pressedFromNs - by.x() / lanesRect().width() * width;
        setWindow(from, from + width);
        setTrackScroll(m_pressedScroll - by.y());
        setCursor(Qt::ClosedHandCursor);
    } else if (m_drag == Drag::Lane) {
        dragLane();
    } else {
        dragArea();
    }
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    const Drag drag = m_drag;
    m_drag = Drag::None;
    setCursor(Qt::ArrowCursor);
    if (drag == Drag::Area && m_moved) {
        setArea(m_area);
        return;
    }
    if ((drag != Drag::Pan && drag != Drag::Lane) || m_moved)
        return;
    if (const int head = headAt(m_pressed); head >= 0) {
        const std::string name = m_timeline->tracks[static_cast<std::size_t>(head)].group;
        setFolded(name, !isFolded(name));
        return;
    }
    if (const int flag = flagAt(m_pressed); flag >= 0) {
        emit flagClicked(m_flags[static_cast<std::size_t>(flag)].id);
        return;
    }
    if (m_pressed.y() < m_places.lanesTop || m_pressed.x() < m_places.left)
        return;
    const auto span = spanAt(m_pressed);
    setCurrentSpan(span, false);
    const std::uint32_t label = span ? m_timeline->spans[*span].label : 0;
    const int op = span && label < m_timeline->labelOps.size() ? m_timeline->labelOps[label] : -1;
    setSelectedOp(op);
    emit opClicked(op);
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_timeline)
        return;
    const auto zoomTo = [this](double from, double to) {
        const double margin = (to - from) * 0.02;
        setWindow(from - margin, to + margin);
    };
    if (const int band = bandAt(event->position()); band >= 0) {
        const TimelineBand& b = m_timeline->bands[static_cast<std::size_t>(band)];
        zoomTo(b.startNs, b.endNs);
    } else if (const auto span = spanAt(event->position())) {
        const TimelineSpan& s = m_timeline->spans[*span];
        const double around = std::max<double>(s.durationNs, shortestWindow() / 4);
        setWindow(s.startNs - around, s.startNs + s.durationNs + around);
    }
}

void TimelineCanvas::wheelEvent(QWheelEvent* event) {
    // Alt turns a vertical wheel into a horizontal one on most platforms.
    const QPoint angle = event->angleDelta();
    const bool alt = event->modifiers() & Qt::AltModifier;
    const double steps = (alt && angle.y() == 0 ? angle.x() : angle.y() != 0 ? angle.y() : angle.x()) / 120.0;
    const bool sideways = angle.y() == 0 && angle.x() != 0 && !alt;
    event->accept();
    if (!m_timeline || steps == 0)
        return;
    const double width = m_toNs - m_fromNs;
    if (event->modifiers() & Qt::ControlModifier)
        zoomAt(nsAt(std::clamp(event->position().x(), m_places.left, m_places.right)), std::pow(1.25, steps));
    else if (alt)
        zoomTracks(std::pow(1.25, steps), event->position().y());
    else if (sideways || (event->modifiers() & Qt::ShiftModifier) || !m_scroll->isVisibleTo(this))
        setWindow(m_fromNs - steps * width * 0.1, m_fromNs - steps * width * 0.1 + width);
    else
        setTrackScroll(m_trackScroll - steps * 60);
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
    if (event->text() == QLatin1String("?")) {
        emit keysRequested();
        return;
    }
    if (m_timeline && (moveKey(event) || areaKey(event)))
        return;
    if (!m_timeline || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))) {
        QWidget::keyPressEvent(event);
        return;
    }
    pressKey(event);
}

/// Alt and an arrow move the current lane, with Shift its group.
bool TimelineCanvas::moveKey(QKeyEvent* event) {
    const bool up = event->key() == Qt::Key_Up;
    const auto lane = currentLane();
    if (!(event->modifiers() & Qt::AltModifier) || (!up && event->key() != Qt::Key_Down) || !lane)
        return false;
    if (event->modifiers() & Qt::ShiftModifier)
        moveGroup(*lane, up);
    else
        moveLane(*lane, up);
    return true;
}

/// Shift and an arrow make an area of the current span and move its end or its last row.
bool TimelineCanvas::areaKey(QKeyEvent* event) {
    const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    const bool upright = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
    const auto lane = currentLane();
    if (event->modifiers() != Qt::ShiftModifier || (!sideways && !upright) || !lane)
        return false;
    TimelineArea area;
    if (m_area) {
        area = *m_area;
    } else {
        const auto [from, to] = chosenStretch().value_or(std::pair(m_fromNs, (m_fromNs + m_toNs) / 2));
        area = {from, to, static_cast<int>(*lane), static_cast<int>(*lane)};
    }
    const double step = (m_toNs - m_fromNs) / 50;
    if (sideways)
        area.toNs = std::max(area.fromNs, area.toNs + (event->key() == Qt::Key_Right ? step : -step));
    const int first = m_rows.rowOf(static_cast<std::size_t>(area.firstTrack)),
              last = m_rows.rowOf(static_cast<std::size_t>(area.lastTrack));
    const int next = last + (event->key() == Qt::Key_Down ? 1 : -1);
    if (upright && last >= 0 && next >= first && next < static_cast<int>(m_rows.rows().size()))
        area.lastTrack = static_cast<int>(m_rows.rows()[static_cast<std::size_t>(next)]);
    setArea(area);
    return true;
}

void TimelineCanvas::zoomToChosen() {
    if (m_area) {
        setWindow(m_area->fromNs, m_area->toNs);
    } else if (m_current) {
        const TimelineSpan& span = m_timeline->spans[*m_current];
        const double around = std::max<double>(span.durationNs, shortestWindow() / 4);
        setWindow(span.startNs - around, span.startNs + span.durationNs + around);
    }
}

/// Keys that move the window; false for any other.
bool TimelineCanvas::pressWindowKey(const QKeyEvent& event) {
    const double width = m_toNs - m_fromNs;
    const bool mouseInside = underMouse() && m_mouse.x() >= m_places.left && m_mouse.x() <= m_places.right;
    const double anchor =
        m_current && m_timeline->spans[*m_current].startNs >= m_fromNs &&
                m_timeline->spans[*m_current].startNs <= m_toNs
            ? m_timeline->spans[*m_current].startNs + m_timeline->spans[*m_current].durationNs / 2
        : mouseInside ? nsAt(m_mouse.x())
                      : (m_fromNs + m_toNs) / 2;
    const auto pan = [&](double share) {
        setWindow(m_fromNs + share * width, m_fromNs + share * width + width);
    };
    switch (event.key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomAt(std::clamp(anchor, m_fromNs, m_toNs), 1.5);
        return true;
    case Qt::Key_S:
    case Qt::Key_Minus:
        zoomAt(std::clamp(anchor, m_fromNs, m_toNs), 1 / 1.5);
        return true;
    case Qt::Key_A:
        pan(-0.15);
        return true;
    case Qt::Key_D:
        pan(0.15);
        return true;
    case Qt::Key_F:
        fit();
        return true;
    case Qt::Key_Home:
        setWindow(0, width);
        return true;
    case Qt::Key_End:
        setWindow(m_timeline->endNs - width, m_timeline->endNs);
        return true;
    case Qt::Key_PageUp:
        setTrackScroll(m_trackScroll - lanesRect().height() * 0.8);
        return true;
    case Qt::Key_PageDown:
        setTrackScroll(m_trackScroll + lanesRect().height() * 0.8);
        return true;
    case Qt::Key_Z:
        zoomToChosen();
        return true;
    default:
        return false;
    }
}

/// Gives up the latest thing that was chosen: area, then span and op. False if there is none.
bool TimelineCanvas::giveUpChosen() {
    if (m_drag == Drag::Area)
        m_drag = Drag::None;
    if (m_area) {
        setArea({});
        return true;
    }
    if (!m_current && m_selectedOp < 0)
        return false;
    setCurrentSpan({});
    setSelectedOp(-1);
    emit opClicked(-1);
    return true;
}

void TimelineCanvas::pressKey(QKeyEvent* event) {
    if (pressWindowKey(*event))
        return;
    switch (event->key()) {
    case Qt::Key_N:
        goToSwitch(event->modifiers() & Qt::ShiftModifier);
        break;
    case Qt::Key_Period:
    case Qt::Key_Right:
        goAlongTrack(false);
        break;
    case Qt::Key_Comma:
    case Qt::Key_Left:
        goAlongTrack(true);
        break;
    case Qt::Key_Up:
    case Qt::Key_Down:
        goToRow(event->key() == Qt::Key_Up);
        break;
    case Qt::Key_BracketRight:
    case Qt::Key_BracketLeft:
        goAlongPath(event->key() == Qt::Key_BracketLeft);
        break;
    case Qt::Key_C:
        emit pathRequested();
        break;
    case Qt::Key_E:
        if (canFold())
            setAllFolded(!m_rows.isAnyFolded());
        break;
    case Qt::Key_P:
        if (const auto lane = currentLane())
            setPinned(*lane, !isPinned(*lane));
        break;
    case Qt::Key_M:
        if (chosenStretch())
            emit noteRequested();
        break;
    case Qt::Key_Slash:
        emit filterRequested();
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current && m_timeline->spans[*m_current].label < m_timeline->labelOps.size()) {
            const int op = m_timeline->labelOps[m_timeline->spans[*m_current].label];
            setSelectedOp(op);
            emit opClicked(op);
        }
        break;
    case Qt::Key_Escape:
        if (!giveUpChosen())
            QWidget::keyPressEvent(event);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace pim::views
