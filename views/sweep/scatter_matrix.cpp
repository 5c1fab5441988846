// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/scatter_matrix.h"

#include "core/base/parallel.h"
#include "core/compile/pareto.h"

#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/tool_tips.h"

#include <QEvent>
#include <QImage>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPaintEngine>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace pim::views {
namespace {

constexpr double kBorder = 6, kBetween = 5; ///< Pixels around all, and between cells.
constexpr double kRoom = 5;                 ///< Between the frame of a cell and its outermost points.
constexpr double kNear = 7;                 ///< Pixels within which a point is meant.
constexpr double kDragged = 4;              ///< Less is a click.
constexpr std::uint16_t kNowhere = 65535, kLast = 65534;

enum DotKind { kOutOfBrush, kInBrush, kOnFront, kDotKinds };

QColor inkOfDots(int kind, double dots) {
    QColor ink = kind == kOutOfBrush ? mix(color(Role::Canvas), color(Role::Muted), 0.45)
                 : kind == kInBrush  ? color(Role::Transfer)
                                     : color(Role::Accent);
    constexpr double kStrongest = 6; // 63 points of a pixel and more look alike
    const double many = std::min(1.0, std::log2(1 + dots) / kStrongest);
    ink.setAlphaF(float(kind == kOnFront ? 1.0 : kind == kOutOfBrush ? 0.3 + 0.3 * many : 0.4 + 0.6 * many));
    return ink;
}

/// Whether the pair has a front: what is swept over is neither good nor bad.
bool areJudged(const PointColumn& a, const PointColumn& b) {
    return a.better != PointColumn::Better::Unknown && b.better != PointColumn::Better::Unknown;
}

} // namespace

ScatterMatrix::ScatterMatrix(PointBrushes& points, QWidget* parent)
    : QWidget(parent), m_points(points), m_choose(new QToolButton(this)), m_menu(new QMenu(m_choose)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Axes and figures of the sweep in pairs"));
    setAccessibleDescription(tr(
        "Left and Right go from point to point, Esc takes all brushes away, Enter opens the chosen point"));
    m_choose->setText(tr("Columns"));
    m_choose->setAccessibleName(tr("Columns of the scatter matrix"));
    m_choose->setToolTip(tr("Which axes and figures are set against each other, up to %1").arg(kMostColumns));
    m_choose->setPopupMode(QToolButton::InstantPopup);
    m_choose->setMenu(m_menu);
    connect(m_menu, &QMenu::aboutToShow, this, &ScatterMatrix::fillMenu);
    installPlotExport(this, {QStringLiteral("sweep_scatter"), [this] { return size(); },
                             [this](QPainter& painter) { paint(painter, size()); },
                             [this] { return m_points.csv(); }});
    setCanvasItems(this, this,
                   {[this] { return m_points.rows(); }, [this](int row) { return spokenRow(row); },
                    [this] { return m_current; },
                    [this](int row) {
                        setCurrentRow(row);
                        emit rowChosen(row);
                    },
                    [this](const QPointF& at) { return rowAt(at); }});
    connect(&points, &PointBrushes::pointsChanged, this, [this] {
        m_isPlaced = m_isSorted = false;
        announceItems(this);
        forget();
    });
    connect(&points, &PointBrushes::brushed, this, [this] {
        m_isSorted = false;
        forget();
    });
}

/// Which dot is of which kind.
void ScatterMatrix::sort() {
    if (std::exchange(m_isSorted, true))
        return;
    m_kinds.resize(static_cast<std::size_t>(m_points.rows()));
    for (int row = 0; row < m_points.rows(); ++row)
        m_kinds[static_cast<std::size_t>(row)] = std::uint8_t(!m_points.isWithin(row)  ? kOutOfBrush
                                                              : m_points.isMarked(row) ? kOnFront
                                                                                       : kInBrush);
}

void ScatterMatrix::forget() {
    m_picture = {};
    update();
}

// ---- which columns ----

std::vector<int> ScatterMatrix::usual() const {
    constexpr int kFigures = 3;
    std::vector<int> columns;
    int others = 0;
    for (int c = 0; c < m_points.count(); ++c) {
        const PointColumn& column = m_points.column(c);
        const auto [low, high] = column.extent();
        if (column.isAxis || (!column.isObjective && (high <= low || others == kFigures)))
            continue;
        others += column.isObjective ? 0 : 1;
        columns.push_back(c);
    }
    // Two figures alone have one cell: what varies says where its points come from.
    for (int c = 0; c < m_points.count() && std::ssize(columns) < 3; ++c)
        if (m_points.column(c).isAxis)
            columns.push_back(c);
    std::ranges::sort(columns);
    columns.resize(std::min<std::size_t>(columns.size(), kMostColumns));
    return columns;
}

const std::vector<int>& ScatterMatrix::shown() {
    place();
    return m_shown;
}

void ScatterMatrix::setShown(const std::vector<int>& columns) {
    m_chosen.clear();
    for (const int column : columns)
        m_chosen << m_points.column(column).name;
    m_isPlaced = false;
    forget();
}

void ScatterMatrix::fillMenu() {
    place();
    m_menu->clear();
    for (int c = 0; c < m_points.count(); ++c) {
        QAction* const action = m_menu->addAction(m_points.column(c).name);
        action->setCheckable(true);
        const bool isShown = std::ranges::find(m_shown, c) != m_shown.end();
        action->setChecked(isShown);
        action->setEnabled(isShown ? m_shown.size() > 2 : m_shown.size() < kMostColumns);
        connect(action, &QAction::toggled, this, [this, c](bool isWanted) {
            std::vector<int> columns = m_shown;
            if (isWanted)
                columns.push_back(c);
            else
                std::erase(columns, c);
            std::ranges::sort(columns);
            setShown(columns);
        });
    }
    m_menu->addSeparator();
    connect(m_menu->addAction(tr("Objectives and Figures That Vary")), &QAction::triggered, this,
            [this] { setShown({}); });
}

void ScatterMatrix::place() {
    if (m_isPlaced)
        return;
    m_isPlaced = true;
    m_pressed = -1;
    m_shown.clear();
    for (int c = 0; c < m_points.count(); ++c)
        if (m_chosen.contains(m_points.column(c).name))
            m_shown.push_back(c);
    if (m_shown.size() < 2)
        m_shown = usual();
    const auto columns = m_shown.size(), rows = static_cast<std::size_t>(m_points.rows());
    m_current = m_current < m_points.rows() ? m_current : -1;
    m_extents.resize(columns);
    m_places.assign(columns, {});
    parallelFor(columns, 0, [&](std::size_t c) {
        const PointColumn& column = columnAt(static_cast<int>(c));
        m_extents[c] = column.extent();
        m_places[c].resize(rows);
        for (std::size_t row = 0; row < rows; ++row) {
            const double share = column.share(column.values[row], m_extents[c]);
            m_places[c][row] = std::isfinite(share)
                                   ? std::uint16_t(std::lround(std::clamp(share, 0.0, 1.0) * kLast))
                                   : kNowhere;
        }
    });
    m_pairs.clear();
    for (int y = 1; y < static_cast<int>(columns); ++y)
        for (int x = 0; x < y; ++x)
            m_pairs.push_back({x, y, {}, {}});
    const auto networks = rowsByNetwork(m_points.columns(), rows);
    parallelFor(m_pairs.size(), 0, [&](std::size_t p) {
        Pair& pair = m_pairs[p];
        const PointColumn &a = columnAt(pair.x), &b = columnAt(pair.y);
        if (!areJudged(a, b))
            return;
        constexpr int kStep = kLast / 4096; // finer than any cell's pixels
        const auto &xs = m_places[static_cast<std::size_t>(pair.x)],
                   &ys = m_places[static_cast<std::size_t>(pair.y)];
        const auto areApart = [&](int one, int other) {
            const auto i = static_cast<std::size_t>(one), j = static_cast<std::size_t>(other);
            return std::abs(xs[i] - xs[j]) >= kStep || std::abs(ys[i] - ys[j]) >= kStep;
        };
        const auto least = [](const PointColumn& column, std::size_t row) {
            return column.better == PointColumn::Better::Less ? column.values[row] : -column.values[row];
        };
        for (const std::vector<std::size_t>& its : networks) {
            std::vector<double> leastA, leastB;
            leastA.reserve(its.size());
            leastB.reserve(its.size());
            for (const std::size_t row : its) {
                leastA.push_back(least(a, row));
                leastB.push_back(least(b, row));
            }
            std::vector<int> placed;
            for (const std::size_t i : paretoFrontInOrder(leastA, leastB))
                placed.push_back(static_cast<int>(its[i]));
            if (a.better == PointColumn::Better::More) // the best is on the right
                std::ranges::reverse(placed);
            std::vector<int>& line = pair.lines.emplace_back();
            for (const int row : placed)
                if (line.empty() || row == placed.back() || areApart(line.back(), row))
                    line.push_back(row);
            pair.front.insert(pair.front.end(), placed.begin(), placed.end());
        }
    });
}

std::vector<int> ScatterMatrix::front(int x, int y) {
    place();
    for (const Pair& pair : m_pairs)
        if (pair.x == x && pair.y == y)
            return pair.front;
    return {};
}

// ---- where things are ----

QRectF ScatterMatrix::cell(int x, int y, QSize size) const {
    const auto count = double(std::max<std::size_t>(1, m_shown.size()));
    const double width = (size.width() - 2 * kBorder - (count - 1) * kBetween) / count,
                 height = (size.height() - 2 * kBorder - (count - 1) * kBetween) / count;
    return {std::round(kBorder + x * (width + kBetween)), std::round(kBorder + y * (height + kBetween)),
            std::max(8.0, std::floor(width)), std::max(8.0, std::floor(height))};
}

QRectF ScatterMatrix::cell(int x, int y) {
    place();
    return cell(x, y, size());
}

QPointF ScatterMatrix::at(const Pair& pair, int row, QSize size) const {
    const QRectF inside = cell(pair.x, pair.y, size).adjusted(kRoom, kRoom, -kRoom, -kRoom);
    const double x = m_places[static_cast<std::size_t>(pair.x)][static_cast<std::size_t>(row)],
                 y = m_places[static_cast<std::size_t>(pair.y)][static_cast<std::size_t>(row)];
    return {inside.left() + inside.width() * x / kLast, inside.bottom() - inside.height() * y / kLast};
}

QPointF ScatterMatrix::pointAt(int x, int y, int row) {
    place();
    return at({x, y, {}, {}}, row, size());
}

const ScatterMatrix::Pair* ScatterMatrix::pairAt(QPointF position) const {
    const auto found = std::ranges::find_if(
        m_pairs, [&](const Pair& pair) { return cell(pair.x, pair.y, size()).contains(position); });
    return found != m_pairs.end() ? &*found : nullptr;
}

double ScatterMatrix::valueAt(int place, double share) const {
    return columnAt(place).valueAt(share, m_extents[static_cast<std::size_t>(place)]);
}

int ScatterMatrix::nearest(const Pair& pair, QPointF position) const {
    int best = -1;
    double least = kNear * kNear;
    const auto &xs = m_places[static_cast<std::size_t>(pair.x)],
               &ys = m_places[static_cast<std::size_t>(pair.y)];
    for (std::size_t row = 0; row < xs.size(); ++row) {
        if (xs[row] == kNowhere || ys[row] == kNowhere || !m_points.isWithin(static_cast<int>(row)))
            continue;
        const QPointF away = at(pair, static_cast<int>(row), size()) - position;
        const double distance = QPointF::dotProduct(away, away);
        if (distance < least) {
            least = distance;
            best = static_cast<int>(row);
        }
    }
    return best;
}

int ScatterMatrix::rowAt(QPointF position) {
    place();
    const Pair* const pair = pairAt(position);
    return pair ? nearest(*pair, position) : -1;
}

void ScatterMatrix::setCurrentRow(int row) {
    if (row == m_current)
        return;
    m_current = row;
    announceCurrent(this);
    forget();
}

// ---- painting ----

void ScatterMatrix::paintDots(QPainter& painter, const Pair& pair, QSize size) const {
    painter.setPen(Qt::NoPen);
    for (int kind = 0; kind < kDotKinds; ++kind) {
        painter.setBrush(inkOfDots(kind, 8));
        for (int row = 0; row < m_points.rows(); ++row) {
            const auto at = static_cast<std::size_t>(row);
            if (m_kinds[at] == kind && m_places[static_cast<std::size_t>(pair.x)][at] != kNowhere &&
                m_places[static_cast<std::size_t>(pair.y)][at] != kNowhere)
                painter.drawEllipse(this->at(pair, row, size), kind == kOnFront ? 3.0 : 2.2,
                                    kind == kOnFront ? 3.0 : 2.2);
        }
    }
    painter.setBrush(Qt::NoBrush);
}

QImage ScatterMatrix::pictureOf(const Pair& pair, QSize pixels, double dot) const {
    const int width = pixels.width(), height = pixels.height();
    const auto wide = static_cast<std::size_t>(width), area = wide * static_cast<std::size_t>(height);
    std::vector<std::uint32_t> counts(area * kDotKinds);
    const std::uint16_t *const xs = m_places[static_cast<std::size_t>(pair.x)].data(),
                               *const ys = m_places[static_cast<std::size_t>(pair.y)].data();
    const std::uint32_t right = std::uint32_t(width - 1), bottom = std::uint32_t(height - 1);
    std::uint32_t* const first = counts.data();
    const std::uint8_t* const kinds = m_kinds.data();
    for (std::size_t row = 0; row < m_kinds.size(); ++row)
        if (xs[row] != kNowhere && ys[row] != kNowhere)
            ++first[kinds[row] * area + ((kLast - ys[row]) * bottom >> 16) * wide + (xs[row] * right >> 16)];
    QImage image(pixels, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    const int reach = std::max(1, int(std::lround(dot))); // a point is a square of so many pixels
    constexpr int kTones = 64;
    for (int kind = 0; kind < kDotKinds; ++kind) {
        const std::uint32_t* const of = first + static_cast<std::size_t>(kind) * area;
        std::array<QRgb, kTones> tones{};
        for (int tone = 0; tone < kTones; ++tone)
            tones[static_cast<std::size_t>(tone)] = qPremultiply(inkOfDots(kind, tone).rgba());
        for (int y = 0; y < height; ++y) {
            auto* const line = reinterpret_cast<QRgb*>(image.scanLine(y));
            for (int x = 0; x < width; ++x) {
                std::uint32_t dots = 0;
                for (int dy = 0; dy < reach && dy <= y; ++dy)
                    for (int dx = 0; dx < reach && dx <= x; ++dx)
                        dots +=
                            of[static_cast<std::size_t>(y - dy) * wide + static_cast<std::size_t>(x - dx)];
                if (dots == 0)
                    continue;
                const QRgb over = tones[std::min<std::uint32_t>(kTones - 1, dots)];
                const int rest = 255 - qAlpha(over);
                const QRgb under = line[x];
                line[x] =
                    qRgba(qRed(over) + qRed(under) * rest / 255, qGreen(over) + qGreen(under) * rest / 255,
                          qBlue(over) + qBlue(under) * rest / 255, qAlpha(over) + qAlpha(under) * rest / 255);
            }
        }
    }
    return image;
}

void ScatterMatrix::paintFront(QPainter& painter, const Pair& pair, QSize size) const {
    if (pair.front.empty())
        return;
    // Between two points of the front nothing is known: a step, through the worse corner.
    const bool isLess = columnAt(pair.x).better == PointColumn::Better::Less;
    painter.setPen(QPen(color(Role::NodeText), 1.2));
    for (const std::vector<int>& rows : pair.lines) {
        QPolygonF line;
        for (const int row : rows) {
            const QPointF next = at(pair, row, size);
            if (!line.isEmpty()) {
                const QPointF before = line.back();
                if (QLineF(before, next).length() < 0.5)
                    continue; // no pixel of its own
                line << (isLess ? QPointF(next.x(), before.y()) : QPointF(before.x(), next.y()));
            }
            line << next;
        }
        painter.drawPolyline(line);
    }
}

void ScatterMatrix::paintBrush(QPainter& painter, const Pair& pair, QSize size) const {
    const auto &x = m_points.brush(m_shown[static_cast<std::size_t>(pair.x)]),
               &y = m_points.brush(m_shown[static_cast<std::size_t>(pair.y)]);
    if (!x && !y)
        return;
    const QRectF frame = cell(pair.x, pair.y, size), inside = frame.adjusted(kRoom, kRoom, -kRoom, -kRoom);
    const auto shareOf = [&](int place, double value) {
        const auto& extent = m_extents[static_cast<std::size_t>(place)];
        // Points that came later may have moved the axis away from the brush.
        return columnAt(place).share(std::clamp(value, extent.first, extent.second), extent);
    };
    QRectF box = frame;
    if (x) {
        box.setLeft(inside.left() + inside.width() * shareOf(pair.x, x->first));
        box.setRight(inside.left() + inside.width() * shareOf(pair.x, x->second));
    }
    if (y) {
        box.setTop(inside.bottom() - inside.height() * shareOf(pair.y, y->second));
        box.setBottom(inside.bottom() - inside.height() * shareOf(pair.y, y->first));
    }
    QColor fill = color(Role::Selection);
    fill.setAlphaF(x && y ? 0.3F : 0.15F);
    painter.fillRect(box, fill);
    painter.setPen(QPen(color(Role::Accent), x && y ? 1.2 : 0.6));
    painter.drawRect(box);
}

/// On the diagonal: what a row upwards and a column to the right have.
void ScatterMatrix::paintNames(QPainter& painter, QSize size) const {
    const QFontMetrics metrics = fontMetrics();
    for (int place = 0; place < static_cast<int>(m_shown.size()); ++place) {
        const PointColumn& column = columnAt(place);
        const QRectF frame = cell(place, place, size);
        painter.fillRect(frame, mix(color(Role::Canvas), color(Role::GridLine), 0.35));
        const auto [low, high] = m_extents[static_cast<std::size_t>(place)];
        const QRectF inside = frame.adjusted(4, 1, -4, -1);
        const bool hasRoom = inside.height() >= 2 * metrics.height();
        const QString range =
            low == high ? column.text(low) : tr("%1 to %2").arg(column.text(low), column.text(high));
        QFont bold = font();
        bold.setBold(column.isObjective);
        painter.setFont(bold);
        painter.setPen(color(Role::NodeText));
        const QString name =
            QFontMetrics(bold).elidedText(column.name, Qt::ElideMiddle, static_cast<int>(inside.width()));
        const QRectF upper(inside.left(),
                           inside.center().y() - (hasRoom ? metrics.height() : metrics.height() / 2.0),
                           inside.width(), metrics.height());
        painter.drawText(upper, Qt::AlignCenter, name);
        painter.setFont(font());
        if (hasRoom) {
            painter.setPen(color(Role::Muted));
            painter.drawText(upper.translated(0, metrics.height()), Qt::AlignCenter,
                             metrics.elidedText(range, Qt::ElideMiddle, static_cast<int>(inside.width())));
        }
    }
}

/// In the empty corner: how many points there are, and what the chosen one is.
void ScatterMatrix::paintSaid(QPainter& painter, QSize size) const {
    const QFontMetrics metrics = fontMetrics();
    const auto last = static_cast<int>(m_shown.size()) - 1;
    const QRectF corner = cell(last, 0, size);
    double top = m_choose->height() + 6.0;
    const auto say = [&](const QString& text, const QColor& ink) {
        // As far as the diagonal leaves room.
        const int row =
            std::min(last - 1, static_cast<int>((top + metrics.height()) / (corner.height() + kBetween)));
        const double left = cell(row + 1, 0, size).left();
        if (top + metrics.height() > cell(0, last, size).top() || corner.right() - left < 40)
            return;
        painter.setPen(ink);
        painter.drawText(QRectF(left, top, corner.right() - left, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideLeft, static_cast<int>(corner.right() - left)));
        top += metrics.height();
    };
    QString all = m_points.isBrushed() ? tr("%1 of %2 points").arg(m_points.kept()).arg(m_points.rows())
                                       : tr("%1 points; drag to keep some").arg(m_points.rows());
    if (!m_points.isBrushed() && metrics.horizontalAdvance(all) > corner.width())
        all = tr("%1 points").arg(m_points.rows());
    say(all, color(Role::Muted));
    if (m_current < 0)
        return;
    for (const PointColumn& column : m_points.columns()) {
        const double value = column.values[static_cast<std::size_t>(m_current)];
        if (!std::isnan(value))
            say(QStringLiteral("%1: %2").arg(column.name, column.text(value)), color(Role::NodeText));
    }
}

void ScatterMatrix::paint(QPainter& painter, QSize size) {
    place();
    sort();
    painter.fillRect(QRect(QPoint(), size), color(Role::Canvas));
    painter.setFont(font());
    if (m_shown.size() < 2 || m_points.rows() == 0) {
        painter.setPen(color(Role::Muted));
        painter.drawText(QRect(QPoint(), size), Qt::AlignCenter, tr("Nothing to compare yet"));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    // Few points stay shapes, also in a vector file; of many, a picture of how many share a pixel.
    constexpr int kFew = 200, kFewInAFile = 5000;
    const bool isScreen = painter.paintEngine()->type() == QPaintEngine::Raster;
    const bool areFew = m_points.rows() <= (isScreen ? kFew : kFewInAFile);
    const double ratio = isScreen ? painter.device()->devicePixelRatioF() : 2;
    const auto insideOf = [&](const Pair& pair) {
        return cell(pair.x, pair.y, size).adjusted(kRoom, kRoom, 1 - kRoom, 1 - kRoom);
    };
    std::vector<QImage> pictures(areFew ? 0 : m_pairs.size());
    parallelFor(pictures.size(), 0, [&](std::size_t p) {
        constexpr double kDot = 2, kMany = 100'000; // many points are no dots but a cloud
        const double dot = m_points.rows() < kMany ? kDot * ratio : ratio;
        pictures[p] = pictureOf(m_pairs[p], (insideOf(m_pairs[p]).size() * ratio).toSize(), dot);
        pictures[p].setDevicePixelRatio(ratio);
    });
    for (std::size_t p = 0; p < m_pairs.size(); ++p) {
        const Pair& pair = m_pairs[p];
        painter.setPen(QPen(color(Role::GridLine), 1));
        painter.drawRect(cell(pair.x, pair.y, size));
        paintBrush(painter, pair, size);
        if (areFew)
            paintDots(painter, pair, size);
        else
            painter.drawImage(insideOf(pair).topLeft(), pictures[p]);
        paintFront(painter, pair, size);
        const auto isHere = [&](int place) {
            return m_places[static_cast<std::size_t>(place)][static_cast<std::size_t>(m_current)] != kNowhere;
        };
        if (m_current >= 0 && isHere(pair.x) && isHere(pair.y)) {
            painter.setPen(QPen(color(Role::NodeText), 1.8));
            painter.drawEllipse(at(pair, m_current, size), 5.5, 5.5);
        }
    }
    paintNames(painter, size);
    paintSaid(painter, size);
}

void ScatterMatrix::paintEvent(QPaintEvent*) {
    if (m_picture.isNull() || m_picture.size() != size() * devicePixelRatioF()) {
        m_picture = QPixmap(size() * devicePixelRatioF());
        m_picture.setDevicePixelRatio(devicePixelRatioF());
        QPainter painter(&m_picture);
        paint(painter, size());
    }
    QPainter(this).drawPixmap(0, 0, m_picture);
}

void ScatterMatrix::resizeEvent(QResizeEvent* event) {
    m_choose->adjustSize();
    m_choose->move(width() - m_choose->width() - int(kBorder), int(kBorder) - 3);
    m_picture = {};
    QWidget::resizeEvent(event);
}

void ScatterMatrix::changeEvent(QEvent* event) {
    forget();
    QWidget::changeEvent(event);
}

// ---- choosing ----

void ScatterMatrix::mousePressEvent(QMouseEvent* event) {
    place();
    const Pair* const pair = event->button() == Qt::LeftButton ? pairAt(event->position()) : nullptr;
    if (!pair)
        return QWidget::mousePressEvent(event);
    m_pressed = static_cast<int>(pair - m_pairs.data());
    m_pressedAt = event->position();
    m_isDragged = false;
}

void ScatterMatrix::mouseMoveEvent(QMouseEvent* event) {
    place();
    if (m_pressed < 0)
        return setCursor(pairAt(event->position()) ? Qt::CrossCursor : Qt::ArrowCursor);
    m_isDragged = m_isDragged || QLineF(event->position(), m_pressedAt).length() >= kDragged;
    if (!m_isDragged)
        return;
    const Pair& pair = m_pairs[static_cast<std::size_t>(m_pressed)];
    const QRectF inside = cell(pair.x, pair.y, size()).adjusted(kRoom, kRoom, -kRoom, -kRoom);
    const auto across = [&](QPointF position) {
        return valueAt(pair.x, (position.x() - inside.left()) / inside.width());
    };
    const auto upward = [&](QPointF position) {
        return valueAt(pair.y, (inside.bottom() - position.y()) / inside.height());
    };
    m_points.setBrushes({{m_shown[static_cast<std::size_t>(pair.x)],
                          std::pair(across(m_pressedAt), across(event->position()))},
                         {m_shown[static_cast<std::size_t>(pair.y)],
                          std::pair(upward(m_pressedAt), upward(event->position()))}});
}

void ScatterMatrix::mouseReleaseEvent(QMouseEvent* event) {
    const int pressed = std::exchange(m_pressed, -1);
    if (pressed < 0 || m_isDragged)
        return;
    const Pair& pair = m_pairs[static_cast<std::size_t>(pressed)];
    if (const int row = nearest(pair, event->position()); row >= 0) {
        setCurrentRow(row);
        emit rowChosen(row);
        return;
    }
    const int x = m_shown[static_cast<std::size_t>(pair.x)], y = m_shown[static_cast<std::size_t>(pair.y)];
    if (m_points.brush(x) || m_points.brush(y)) // a click beside all points takes the brush away
        m_points.setBrushes({{x, std::nullopt}, {y, std::nullopt}});
}

void ScatterMatrix::mouseDoubleClickEvent(QMouseEvent* event) {
    m_pressed = -1;
    if (const int row = rowAt(event->position()); row >= 0)
        emit rowActivated(row);
}

void ScatterMatrix::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m_points.isBrushed())
        return m_points.clear();
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_current >= 0)
        return emit rowActivated(m_current);
    if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
        if (const int row = rowBeside(event->key() == Qt::Key_Right ? 1 : -1); row >= 0) {
            setCurrentRow(row);
            emit rowChosen(row);
        }
        return;
    }
    QWidget::keyPressEvent(event);
}

int ScatterMatrix::rowBeside(int by) {
    if (shown().empty())
        return -1;
    // Rows of the same value one after the other.
    const std::vector<double>& values = columnAt(0).values;
    const auto comesBefore = [&](int a, int b) {
        return std::pair(values[static_cast<std::size_t>(a)], a) <
               std::pair(values[static_cast<std::size_t>(b)], b);
    };
    int found = -1;
    for (int row = 0; row < m_points.rows(); ++row) {
        if (!m_points.isWithin(row) || std::isnan(values[static_cast<std::size_t>(row)]))
            continue;
        const bool isBeyond =
            m_current < 0 || (by > 0 ? comesBefore(m_current, row) : comesBefore(row, m_current));
        if (isBeyond && (found < 0 || (by > 0 ? comesBefore(row, found) : comesBefore(found, row))))
            found = row;
    }
    return found;
}

QStringList ScatterMatrix::facts(int row) const {
    QStringList lines;
    for (const PointColumn& column : m_points.columns())
        if (row >= 0 && !std::isnan(column.values[static_cast<std::size_t>(row)]))
            lines << QStringLiteral("%1: %2").arg(column.name,
                                                  column.text(column.values[static_cast<std::size_t>(row)]));
    return lines;
}

CanvasItem ScatterMatrix::spokenRow(int row) {
    QRectF place;
    if (shown().size() > 1) {
        constexpr double kAround = 4; // pixels
        const QPointF at = pointAt(0, 1, row), corner(kAround, kAround);
        place = QRectF(at - corner, at + corner);
    }
    QStringList parts = facts(row);
    if (m_points.isMarked(row))
        parts << tr("on the front");
    if (!m_points.isWithin(row))
        parts << tr("not within the brushes");
    return {tr("point %1").arg(row + 1), parts.join(QStringLiteral(", ")), place, row == m_current};
}

bool ScatterMatrix::event(QEvent* event) {
    return answerToolTip(event, this,
                         [this](QPoint position) { return facts(rowAt(position)).join(u'\n'); }) ||
           QWidget::event(event);
}

} // namespace pim::views
