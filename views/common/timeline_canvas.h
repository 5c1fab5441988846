// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What every array, bank or bus did when: tracks on y, time on x. Draws from TimelineLevels, so a frame
/// costs the same whether a pixel holds one span or thousands.
#include "core/timeline/limits.h"
#include "views/common/canvas_items.h"
#include "views/common/palette.h"
#include "views/common/timeline_rows.h"

#include <QImage>
#include <QStaticText>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>

class QMenu;
class QPainter;
class QScrollBar;

namespace pim::views {

struct ExportSource;
class TimelineLevels;
class TimelinePart;

/// Colour of what a span does.
Role roleOf(SpanRole role);

/// What the parts of a timeline are called, and which of them are of use.
struct TimelineStyle {
    QString marks;           ///< Name of the strip of marks: "switches"; no strip without a name.
    QString cycle, cycles;   ///< Unit of times in cycles: "cycle", "cycles".
    bool showsShares = true; ///< How busy the tracks are: rings under the bands, figures in the legend.
    double leastRow = 0;     ///< Height no row goes below; 0: as flat as needed.
    int leastForLegend = 0;  ///< Height below which the rows get the room of the legend.
    Qt::TextElideMode elide = Qt::ElideLeft; ///< Which end of a span's name goes where there is no room.
};

/// A stretch of time over some tracks: those shown from the first to the last, both included.
struct TimelineArea {
    double fromNs = 0, toNs = 0;
    int firstTrack = 0, lastTrack = 0;
};

/// Something written down about a stretch of time.
struct TimelineFlag {
    std::int64_t id = 0;
    double fromNs = 0, toNs = 0;
    QString text;
};

class TimelineCanvas : public QWidget {
    Q_OBJECT
public:
    explicit TimelineCanvas(QWidget* parent = nullptr);
    ~TimelineCanvas() override;

    void setStyle(TimelineStyle style);
    /// More about a span, name and value, instead of its label, for the tip and the line below.
    using SpanFacts = std::vector<std::pair<QString, QString>>;
    void setSpanFacts(std::function<SpanFacts(std::size_t span)> facts) { m_facts = std::move(facts); }
    /// Shows all of it. Null: nothing. \p levels: made of it beforehand, where that took long; null: made
    /// here.
    void setTimeline(std::shared_ptr<const Timeline> timeline,
                     std::shared_ptr<const TimelineLevels> levels = nullptr);
    const Timeline* timeline() const { return m_timeline.get(); }
    /// Length of a cycle; 0: the machine has no clock of its own.
    void setCycleNs(double ns);
    double cycleNs() const { return m_cycleNs; }
    void setShowsCycles(bool on);
    bool showsCycles() const { return m_showsCycles && m_cycleNs > 0; }
    QString timeLabel(double ns) const; ///< In ns, µs, … or in cycles.

    double fromNs() const { return m_fromNs; }
    double toNs() const { return m_toNs; }
    void setWindow(double fromNs, double toNs); ///< Clamped to the timeline and to what can be told apart.
    void zoomAt(double ns, double factor);      ///< factor 2: half the time is shown.
    void zoomTracks(double factor, double y);   ///< y: canvas position that stays.
    void setTrackScroll(double top);
    double trackZoom() const { return m_trackZoom; }
    void fit();

    /// Position of the graph op whose spans stand out, -1: none. Emits nothing.
    void setSelectedOp(int op);
    int selectedOp() const { return m_selectedOp; }
    std::optional<std::size_t> currentSpan() const { return m_current; }
    void setCurrentSpan(std::optional<std::size_t> span, bool scroll = true);
    bool goToSwitch(bool backwards); ///< From the current span or the middle of the view.
    bool goAlongTrack(bool backwards);
    bool goAlongPath(bool backwards); ///< False where none is shown, or at its end.
    bool goToRow(bool up);
    /// Which lanes have a row, and where. Stays when another timeline is shown.
    const LaneArrangement& lanes() const { return m_rows.arrangement(); }
    void setLanes(LaneArrangement lanes);
    void setLaneFilter(const QString& words);
    void setPinned(std::size_t track, bool pinned);
    bool isPinned(std::size_t track) const { return m_rows.isPinned(track); }
    bool moveLane(std::size_t track, bool up);  ///< As TimelineRows.
    bool moveGroup(std::size_t track, bool up); ///< As TimelineRows.
    /// Hides or brings back the tracks of a group but the one that heads it.
    void setFolded(const std::string& group, bool folded);
    void setAllFolded(bool folded);
    bool isFolded(const std::string& group) const { return m_rows.isFolded(group); }
    bool canFold() const { return m_rows.canFold(); }
    /// The lane that keys act on: that of the current span, else the one under the pointer, else the first.
    std::optional<std::size_t> currentLane() const;
    const std::optional<TimelineArea>& area() const { return m_area; }
    void setArea(std::optional<TimelineArea> area);
    std::vector<std::uint32_t> areaTracks() const; ///< In the order they are shown.
    /// Stretch of the area, else of the current span.
    std::optional<std::pair<double, double>> chosenStretch() const;
    void setFlags(std::vector<TimelineFlag> flags);
    const std::vector<TimelineFlag>& flags() const { return m_flags; }
    QRectF flagsRect() const; ///< Empty while there are none.
    /// Spans that stand out while no op is selected, the others dimmed; null: none are dimmed. Made by
    /// partOf() of the timeline shown.
    void setBrightPart(std::shared_ptr<const TimelinePart> part);
    /// The chain of work that sets the length of the run: its spans stand out from all others and are joined by a line. Both null: not shown.
    /// \param pieces ascending in time. \param part of them, as partOf() makes it.
    void setPath(std::shared_ptr<const std::vector<PathPiece>> pieces,
                 std::shared_ptr<const TimelinePart> part);
    bool showsPath() const { return m_path != nullptr; }
    /// Spans that stand out; null: all do.
    const TimelinePart* brightPart() const {
        return m_pathPart ? m_pathPart.get() : m_opPart ? m_opPart.get() : m_brightPart.get();
    }
    /// What can be done with the lane at a place, and with notes there.
    void addActions(QMenu* menu, const QPointF& position);
    /// These, and the export of what is drawn, on the right mouse button.
    void installMenu(const ExportSource& source);

    QRectF lanesRect() const; ///< Where tracks are drawn.
    QRectF bandsRect() const; ///< Names of the segments.
    QRectF overviewRect() const;
    double xOf(double ns) const;
    double nsAt(double x) const;
    /// May be less than a pixel high; empty for a track that has no row now.
    QRectF trackRect(std::size_t track) const;
    /// Where a span is drawn: once for each row that shows it.
    std::vector<QRectF> spanRects(std::size_t span) const;
    int trackAt(double y) const; ///< -1: none.
    std::optional<std::size_t> spanAt(const QPointF& position) const;
    int bandAt(const QPointF& position) const;                      ///< In the strip of names; -1: none.
    QString spanText(std::size_t span) const;                       ///< One line, with units.
    std::size_t laneCount() const { return m_rows.lanes().size(); } ///< Folded away or not.
    QString tipAt(const QPointF& position) const;

    /// Time of each kind over the window and all tracks, ns; one entry per kind.
    const std::vector<double>& visibleBusyNs() const;
    /// Of each kind, how many lanes ever do it: what its time is a share of.
    const std::vector<int>& lanesOfKinds() const;
    QColor kindColor(std::size_t kind) const;
    /// Shares of compute and memory of the largest group of tracks in a band, 0..1.
    struct BandShare {
        float compute = 0, memory = 0, other = 0;
    };
    BandShare bandShare(std::size_t band) const { return m_bandShares[band]; }

    ExportSource exportSource();
    QSize minimumSizeHint() const override { return {360, 220}; }
    QSize sizeHint() const override { return {900, 480}; }

signals:
    void opClicked(int op); ///< -1: a click on nothing.
    void windowChanged();
    void areaChanged();
    void currentSpanChanged();
    void lanesChanged(); ///< By the user.
    void flagClicked(qint64 id);
    void noteRequested(); ///< About chosenStretch().
    void keysRequested();
    void filterRequested();
    void pathRequested(); ///< To be shown, or no longer.

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    using Group = TimelineRows::Group;
    struct Places {
        double legendTop = 0, axisTop = 0, bandsTop = 0, sharesTop = 0, flagsTop = 0, marksTop = 0,
               lanesTop = 0, lanesBottom = 0, overviewTop = 0;
        double left = 0, right = 0;
        double legendHeight = 0, sharesHeight = 0, flagsHeight = 0, marksHeight = 0, bandsHeight = 0;
    };
    enum class Drag { None, Pan, Area, Overview, Lane };

    void prepare();
    void prepareSharedRows();
    void rowsChanged(bool byUser);
    /// Share of the row's height above which nothing is drawn over it; 0: nothing lies under it.
    double overTop(std::size_t track) const;
    std::optional<std::size_t> spanNear(std::size_t track, double ns, double reach) const;
    std::optional<std::size_t> spanNear(const std::vector<std::uint32_t>& tracks, double ns,
                                        double reach) const;
    double distance(std::size_t span, double ns) const; ///< 0 inside of it.
    int headAt(const QPointF& position) const; ///< Lane in the gutter there that others fold under; -1: none.
    int flagAt(const QPointF& position) const; ///< In m_flags; -1: none.
    void pressKey(QKeyEvent* event);
    bool pressWindowKey(const QKeyEvent& event);
    bool giveUpChosen();
    bool moveKey(QKeyEvent* event);
    bool areaKey(QKeyEvent* event);
    void zoomToChosen();
    void dragLane();
    void dragArea();
    void relayout();
    double legendHeight() const;
    double gutterWidth() const;
    void invalidate();
    void refreshRaster();
    void fillRaster(const TimelineLevels& levels, double strength, bool over);
    void drawOver(const TimelineLevels& levels);
    void drawBorders();
    void refreshOverview();
    void showCurrentSpan();
    void setHover(const QPointF& position);
    double shortestWindow() const;

    void paintLegend(QPainter& painter);
    void paintAxis(QPainter& painter);
    void paintBands(QPainter& painter);
    void paintShares(QPainter& painter);
    void paintShareColumn(QPainter& painter, double x, double width, const BandShare& share);
    void paintShareRing(QPainter& painter, double left, double right, double words, const BandShare& share);
    void paintMarks(QPainter& painter);
    void paintFlags(QPainter& painter);
    void paintPinnedEdge(QPainter& painter);
    void paintLaneNames(QPainter& painter, const Group& group);
    void paintArea(QPainter& painter);
    void paintGutter(QPainter& painter);
    void paintSpanTexts(QPainter& painter);
    const QStaticText& spanName(const TimelineSpan& span, double width, const QFontMetricsF& metrics);
    void paintOverview(QPainter& painter);
    void paintOverlay(QPainter& painter);
    void paintPath(QPainter& painter);
    /// Of the chain shown; null: the span is not on it.
    const PathPiece* pieceOf(std::size_t span) const;
    double pathY(std::uint32_t track) const;     ///< In its row; NaN where it has none now.
    CanvasItem spokenRow(std::size_t row) const; ///< Of a track that has a row.
    CanvasItem spokenSpan() const;               ///< The current one.
    QString pathText(std::size_t span) const;    ///< Empty where the span is not on it.

    std::shared_ptr<const Timeline> m_timeline;
    std::shared_ptr<const TimelineLevels> m_levels;
    std::shared_ptr<const TimelinePart> m_opPart; ///< The spans of the selected op alone.
    std::shared_ptr<const TimelinePart> m_brightPart;
    std::shared_ptr<const std::vector<PathPiece>> m_path;
    std::shared_ptr<const TimelinePart> m_pathPart;
    std::vector<std::uint32_t> m_pathTracks; ///< Of each piece of the path: its span lies far away in memory.
    std::vector<std::uint32_t> m_switches;   ///< Spans that switch a mode, by start.
    std::vector<std::size_t> m_bandOrder;    ///< By start.
    std::vector<double> m_bandEnds;          ///< Latest end of the bands up to there, in that order.
    std::vector<BandShare> m_bandShares;
    std::string m_sharesOf; ///< Group of tracks that they tell about.
    TimelineRows m_rows;
    std::vector<std::vector<std::uint32_t>>
        m_under; ///< Tracks whose spans a row shows, what is over them left out.
    std::vector<std::vector<std::uint32_t>> m_rowsOf; ///< Rows that show a track, where not just its own.
    std::vector<TimelineFlag> m_flags;                ///< By start.
    TimelineStyle m_style;
    std::function<SpanFacts(std::size_t)> m_facts;
    Places m_places;
    double m_cycleNs = 0;
    bool m_showsCycles = false;
    double m_fromNs = 0, m_toNs = 1;
    double m_trackZoom = 1, m_trackScroll = 0;
    int m_selectedOp = -1;
    std::optional<std::size_t> m_current, m_hovered;
    std::size_t m_currentLane = 0; ///< That m_current is looked at in: several may show it.
    int m_hoveredBand = -1, m_hoveredFlag = -1;
    std::optional<TimelineArea> m_area;
    mutable std::vector<double> m_busy;     ///< visibleBusyNs(); empty: not known.
    mutable std::vector<int> m_lanesOfKind; ///< lanesOfKinds(); empty: not known.
    QImage m_raster;
    bool m_rasterIsOld = true;
    QImage m_overview;
    std::unordered_map<std::uint64_t, QStaticText> m_spanNames; ///< By name and room for it.
    QScrollBar* m_scroll;
    Drag m_drag = Drag::None;
    QPointF m_pressed, m_mouse;
    double m_pressedFromNs = 0, m_pressedScroll = 0;
    int m_draggedLane = -1;
    bool m_moved = false;
};

} // namespace pim::views
