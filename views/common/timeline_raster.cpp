// SPDX-License-Identifier: GPL-3.0-or-later
// Tracks go into one raster, a row of pixels at a time, that is kept until the window moves.
#include "views/common/timeline_canvas.h"

#include "views/common/timeline_levels.h"
#include "views/common/timeline_paint.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>

namespace pim::views {
namespace {

using timeline::baseColor;
using timeline::idleColor;

constexpr std::size_t kShades = 16;
constexpr double kLeastSplit = 6; ///< Rows lower than that show either what is over or what is under.

/// Cells of several tracks together: what fills most of them.
class RowSampler {
public:
    /// \param over whether the rows show what is drawn over them as well.
    RowSampler(const TimelineLevels& levels, const Timeline& line, bool over, double fromNs, double stepNs,
               int count)
        : m_levels(levels), m_line(line), m_over(over),
          m_kinds(std::min<std::size_t>(line.kinds.size(), TimelineCell::kKinds)),
          m_columns(fromNs, stepNs, count), m_cells(static_cast<std::size_t>(count)),
          m_more(static_cast<std::size_t>(count)) {}

    const std::vector<TimelineCell>& row(std::span<const std::uint32_t> tracks) {
        if (tracks.size() > 2) {
            many(tracks);
            return m_cells;
        }
        sample(tracks[0], m_cells);
        if (tracks.size() == 2) {
            sample(tracks[1], m_more);
            for (std::size_t i = 0; i < m_cells.size(); ++i)
                if (m_cells[i].bits() != m_more[i].bits())
                    m_cells[i] = TimelineCell::joined(m_cells[i], m_more[i]);
        }
        return m_cells;
    }

private:
    void sample(std::size_t track, std::vector<TimelineCell>& cells) {
        const TimelineTrack& row = m_line.tracks[track];
        m_levels.sample(row.shows.empty() ? track : row.shows.front(), m_columns, cells.data());
        for (std::size_t i = 1; i < row.shows.size(); ++i)
            lay(row.shows[i], cells);
        if (m_over)
            for (const std::uint32_t over : row.over)
                lay(over, cells);
    }
    void lay(std::uint32_t track, std::vector<TimelineCell>& cells) {
        if (!m_levels.hasSpans(track, track + 1))
            return;
        m_above.resize(cells.size());
        m_levels.sample(track, m_columns, m_above.data());
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (!m_above[i].empty())
                cells[i] = m_above[i];
    }
    void many(std::span<const std::uint32_t> tracks) {
        const std::size_t count = m_cells.size();
        m_sums.assign(count * m_kinds, 0);
        m_marks.assign(count, 0);
        for (const std::uint32_t track : tracks) {
            sample(track, m_more);
            for (std::size_t i = 0; i < count; ++i) {
                const TimelineCell cell = m_more[i];
                m_sums[i * m_kinds + static_cast<std::size_t>(cell.kind())] +=
                    static_cast<std::uint32_t>(cell.coverage());
                m_marks[i] |= cell.mark();
            }
        }
        const double all = 255.0 * static_cast<double>(tracks.size());
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t* sum = &m_sums[i * m_kinds];
            std::size_t best = 0;
            std::uint32_t total = 0;
            for (std::size_t kind = 0; kind < m_kinds; ++kind) {
                total += sum[kind];
                if (sum[kind] > sum[best])
                    best = kind;
            }
            m_cells[i] = TimelineCell(static_cast<int>(best), total / all, m_marks[i] != 0);
        }
    }

    const TimelineLevels& m_levels;
    const Timeline& m_line;
    bool m_over;
    std::size_t m_kinds;
    TimelineColumns m_columns;
    std::vector<TimelineCell> m_cells, m_more, m_above;
    std::vector<std::uint32_t> m_sums;
    std::vector<std::uint8_t> m_marks;
};

/// Colour of every kind at every busy share; \p strength below 1 dims.
std::vector<QRgb> shadesOf(const TimelineCanvas& canvas, double strength) {
    std::vector<QRgb> shades;
    for (std::size_t kind = 0; kind < canvas.timeline()->kinds.size(); ++kind)
        for (std::size_t shade = 0; shade < kShades; ++shade) {
            // Even a little work must be seen, so shades start well above idle.
            const double share = 0.35 + 0.65 * (static_cast<double>(shade) + 1) / kShades;
            shades.push_back(mix(idleColor(), canvas.kindColor(kind), share * strength).rgb());
        }
    return shades;
}

std::size_t shadeOf(TimelineCell cell) {
    return static_cast<std::size_t>(cell.kind()) * kShades + static_cast<std::size_t>(cell.coverage() / 16);
}

/// One line of pixels; a cell is \p grain of them.
void paintCells(const std::vector<TimelineCell>& cells, const std::vector<QRgb>& shades, QRgb nothing,
                std::size_t grain, std::vector<QRgb>& line) {
    for (std::size_t x = 0; x < line.size(); x += grain) {
        const TimelineCell cell = cells[x / grain];
        std::fill_n(line.begin() + static_cast<std::ptrdiff_t>(x), std::min(grain, line.size() - x),
                    cell.empty() ? nothing : shades[shadeOf(cell)]);
    }
}

/// The line with a mark wherever a switch is too short to be seen, at least \p apart pixels from one to the next;
/// empty if there is none.
std::vector<QRgb> withNotches(const std::vector<QRgb>& line, const std::vector<TimelineCell>& cells,
                              const std::vector<char>& isSwitch, QRgb markColor, std::size_t apart) {
    std::vector<QRgb> notched;
    std::size_t free = 0; // marks that would touch are one
    for (std::size_t x = 0; x < cells.size(); ++x) {
        if (!cells[x].mark() || isSwitch[static_cast<std::size_t>(cells[x].kind())] || x < free)
            continue;
        if (notched.empty())
            notched = line;
        notched[x] = markColor;
        free = x + apart;
    }
    return notched;
}

} // namespace

void TimelineCanvas::fillRaster(const TimelineLevels& levels, double strength, bool over) {
    const double ratio = m_raster.devicePixelRatio();
    const int width = m_raster.width(), height = m_raster.height();
    const std::vector<QRgb> shades = shadesOf(*this, strength);
    const QRgb idle = idleColor().rgb(), between = baseColor().rgb();
    std::vector<QRgb> line(static_cast<std::size_t>(width)), notched; // notched: empty without marks
    // The colour of a switch, for marks where it is too short to be seen.
    QRgb markColor = color(Role::Switching).rgb();
    if (strength < 1)
        markColor = mix(idleColor(), color(Role::Switching), strength).rgb();
    std::vector<char> isSwitch(m_timeline->kinds.size());
    for (std::size_t kind = 0; kind < isSwitch.size(); ++kind)
        isSwitch[kind] = m_timeline->kinds[kind].role == SpanRole::Switching;
    const auto apart = static_cast<std::size_t>(4 * ratio);

    for (const Group& group : m_rows.groups()) {
        const std::span<const std::uint32_t> rows(m_rows.rows().data() + group.first, group.count);
        const double step = group.height * ratio, top = m_rows.top(group, m_trackScroll) * ratio;
        // Where tracks are smaller than pixels, columns of two pixels show as much and cost half.
        // What is dimmed is a backdrop: half of that is enough.
        const int grain = step >= 1 ? 1 : strength < 1 ? 4 : 2;
        RowSampler sampler(levels, *m_timeline, step < kLeastSplit * ratio, m_fromNs,
                           (m_toNs - m_fromNs) / width * grain, (width + grain - 1) / grain);
        std::size_t lastFirst = SIZE_MAX;
        const int begin = std::max(static_cast<int>(std::lround(m_rows.clipTop(group) * ratio)),
                                   static_cast<int>(std::lround(top)));
        const int end =
            std::min(height, static_cast<int>(std::lround(top + step * static_cast<double>(group.count))));
        for (int y = begin; y < end; ++y) {
            // Every track belongs to exactly one row, or to several rows of its own.
            const auto trackOf = [&](double at) {
                return static_cast<std::size_t>(
                    std::clamp(std::floor((at - top) / step), 0.0, static_cast<double>(group.count)));
            };
            const std::size_t first = std::min(trackOf(y + (step >= 1 ? 0.5 : 0)), group.count - 1);
            const std::size_t last =
                step >= 1 ? first + 1 : std::clamp(trackOf(y + 1), first + 1, group.count);
            auto* out = reinterpret_cast<QRgb*>(m_raster.scanLine(y));
            const double within = y + 0.5 - top - step * static_cast<double>(first);
            if (!over && step >= 5 * ratio && within >= step - ratio) {
                std::fill(out, out + width, between);
                continue;
            }
            if (over &&
                ((step >= 5 * ratio && within >= step - ratio) ||
                 std::none_of(rows.begin() + static_cast<std::ptrdiff_t>(first),
                              rows.begin() + static_cast<std::ptrdiff_t>(last),
                              [&](std::uint32_t track) { return levels.hasSpans(track, track + 1); })))
                continue;
            if (first != lastFirst) {
                lastFirst = first;
                const std::vector<TimelineCell>& cells = sampler.row(rows.subspan(first, last - first));
                paintCells(cells, shades, over ? 0 : idle, static_cast<std::size_t>(grain), line);
                notched.clear();
                if (!over && step >= 2.5 * ratio)
                    notched = withNotches(line, cells, isSwitch, markColor, apart);
            }
            if (over) {
                for (int x = 0; x < width; ++x)
                    if (line[static_cast<std::size_t>(x)] != 0)
                        out[x] = line[static_cast<std::size_t>(x)];
                continue;
            }
            const bool inNotch = !notched.empty() && within < std::max(ratio, step * 0.4);
            std::copy_n(inNotch ? notched.data() : line.data(), width, out);
        }
    }
}

void TimelineCanvas::drawOver(const TimelineLevels& levels) {
    const double ratio = m_raster.devicePixelRatio();
    const int width = m_raster.width(), height = m_raster.height();
    const auto columns = static_cast<std::size_t>(width);
    TimelineColumns sampled(m_fromNs, (m_toNs - m_fromNs) / width, width);
    std::unordered_map<std::uint32_t, std::vector<TimelineCell>> cellsOf; // rows share what lies over them
    const std::vector<QRgb> shades = shadesOf(*this, 1);
    std::vector<TimelineCell> cells;
    for (const Group& group : m_rows.groups())
        for (std::size_t row = 0; row < group.count; ++row) {
            const std::size_t track = m_rows.rows()[group.first + row];
            const std::vector<std::uint32_t>& over = m_timeline->tracks[track].over;
            if (over.empty() || group.height < kLeastSplit)
                continue;
            const double top =
                (m_rows.top(group, m_trackScroll) + group.height * static_cast<double>(row)) * ratio;
            const int from =
                std::max(static_cast<int>(std::lround(m_rows.clipTop(group) * ratio)),
                         static_cast<int>(std::lround(top + group.height * overTop(track) * ratio)));
            const int to = std::min(height, static_cast<int>(std::lround(top + (group.height - 1) * ratio)));
            if (from >= to)
                continue;
            cells.assign(columns, TimelineCell());
            for (const std::uint32_t on : over) {
                std::vector<TimelineCell>& made = cellsOf[on];
                if (made.empty()) {
                    made.resize(columns);
                    levels.sample(on, sampled, made.data());
                }
                for (std::size_t x = 0; x < columns; ++x)
                    if (made[x].coverage() > cells[x].coverage())
                        cells[x] = made[x];
            }
            for (int y = from; y < to; ++y) {
                auto* out = reinterpret_cast<QRgb*>(m_raster.scanLine(y));
                for (std::size_t x = 0; x < columns; ++x)
                    if (!cells[x].empty())
                        out[x] = shades[shadeOf(cells[x])];
            }
        }
}

void TimelineCanvas::refreshRaster() {
    const QSizeF size = lanesRect().size();
    const double ratio = devicePixelRatioF();
    const QSize pixels(std::max(1, static_cast<int>(std::lround(size.width() * ratio))),
                       std::max(1, static_cast<int>(std::lround(size.height() * ratio))));
    if (m_raster.size() != pixels)
        m_raster = QImage(pixels, QImage::Format_RGB32);
    m_raster.setDevicePixelRatio(ratio);
    m_raster.fill(baseColor());
    const TimelinePart* bright = brightPart();
    fillRaster(*m_levels, bright ? 0.4 : 1, false); // what is dimmed is still told from idle
    if (bright)
        fillRaster(bright->levels(), 1, true);
    drawOver(*m_levels);
    drawBorders();
    m_rasterIsOld = false;
}

void TimelineCanvas::drawBorders() {
    // Where segments are wide enough not to be veiled by them. Into the raster: a hundred translucent lines
    // are slow to paint one by one.
    const double ratio = m_raster.devicePixelRatio();
    const int bottom = std::min(
        m_raster.height(), static_cast<int>(std::lround((m_rows.contentHeight() - m_trackScroll) * ratio)));
    const QRgb ink = color(Role::NodeText).rgb();
    const auto blend = [](int under, int over) { return (under * 186 + over * 70) / 256; };
    for (auto at = std::upper_bound(m_bandEnds.begin(), m_bandEnds.end(), m_fromNs) - m_bandEnds.begin();
         at < static_cast<std::ptrdiff_t>(m_bandOrder.size()); ++at) {
        const TimelineBand& band = m_timeline->bands[m_bandOrder[static_cast<std::size_t>(at)]];
        if (band.startNs >= m_toNs)
            break;
        const double from = xOf(band.startNs) - m_places.left;
        const int x = static_cast<int>(std::lround(std::round(from) * ratio));
        if (xOf(band.endNs) - m_places.left - from < 12 || x <= 0 || x >= m_raster.width())
            continue;
        for (int y = 0; y < bottom; ++y) {
            QRgb& pixel = reinterpret_cast<QRgb*>(m_raster.scanLine(y))[x];
            pixel = qRgb(blend(qRed(pixel), qRed(ink)), blend(qGreen(pixel), qGreen(ink)),
                         blend(qBlue(pixel), qBlue(ink)));
        }
    }
}

void TimelineCanvas::refreshOverview() {
    const double ratio = devicePixelRatioF();
    const QRectF rect = overviewRect();
    const auto rows = static_cast<std::size_t>(std::max(1L, std::lround(rect.height() * ratio)));
    const int width = std::max(1, static_cast<int>(std::lround(rect.width() * ratio)));
    m_overview = QImage(width, static_cast<int>(rows), QImage::Format_RGB32);
    m_overview.setDevicePixelRatio(ratio);
    m_overview.fill(idleColor());
    const std::span<const std::uint32_t> lanes(m_rows.lanes());
    const std::size_t tracks = lanes.size();
    if (tracks == 0 || m_timeline->endNs <= 0)
        return;
    const std::vector<QRgb> shades = shadesOf(*this, 0.8);
    const QRgb idle = idleColor().rgb();
    RowSampler sampler(*m_levels, *m_timeline, true, 0, m_timeline->endNs / width, width);
    for (std::size_t y = 0; y < rows; ++y) {
        const std::size_t first = std::min(tracks - 1, y * tracks / rows),
                          last = std::max(first + 1, (y + 1) * tracks / rows);
        const std::vector<TimelineCell>& cells = sampler.row(lanes.subspan(first, last - first));
        auto* out = reinterpret_cast<QRgb*>(m_overview.scanLine(static_cast<int>(y)));
        for (std::size_t x = 0; x < cells.size(); ++x)
            out[x] = cells[x].empty() ? idle : shades[shadeOf(cells[x])];
    }
}

} // namespace pim::views
