// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/effect_page.h"

#include "core/base/number_text.h"

#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/text.h"
#include "views/common/tool_tips.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr double kMargin = 8, kAbove = 4;
constexpr double kNameShare = 0.36; ///< Of the width of the bars: what names may take.

QString plainNumber(double value) {
    return PointColumn().text(value);
}

} // namespace

std::vector<ShownEffect> effectsOn(const std::vector<PointColumn>& columns, const PointColumn& figure) {
    std::vector<ShownEffect> all;
    for (const PointColumn& axis : columns) {
        if (!axis.isAxis)
            continue;
        ShownEffect& shown = all.emplace_back(ShownEffect{axis.name, axis.words, {}});
        std::vector<double> values;
        if (axis.words.isEmpty()) {
            for (const double value : axis.values)
                if (!std::isnan(value))
                    values.push_back(value);
            std::ranges::sort(values);
            values.erase(std::ranges::unique(values).begin(), values.end());
            for (const double value : values)
                shown.values << axis.text(value);
        }
        std::vector<int> places;
        places.reserve(axis.values.size());
        for (const double value : axis.values)
            places.push_back(std::isnan(value) ? -1
                             : axis.words.isEmpty()
                                 ? int(std::ranges::lower_bound(values, value) - values.begin())
                                 : int(value));
        shown.effect = axisEffect(places, static_cast<int>(shown.values.size()), figure.values);
    }
    std::ranges::stable_sort(all, std::ranges::greater(),
                             [](const ShownEffect& shown) { return shown.effect.share; });
    return all;
}

// ---- the picture ----

EffectPlot::EffectPlot(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("How much each axis moves the figure"));
    setAccessibleDescription(tr("Up and down choose an axis; its values are drawn beside the bars"));
    setCanvasItems(this, this,
                   {[this] { return static_cast<int>(m_effects.size()); },
                    [this](int axis) { return spokenAxis(axis); }, [this] { return shown(); },
                    [this](int axis) { choose(axis); }, [this](const QPointF& at) { return axisAt(at); }});
}

void EffectPlot::setEffects(QString figure, std::vector<ShownEffect> effects, bool isWhole) {
    m_figure = std::move(figure);
    m_effects = std::move(effects);
    m_isWhole = isWhole;
    m_hovered = m_hovered < static_cast<int>(m_effects.size()) ? m_hovered : -1;
    announceItems(this);
    updateGeometry();
    update();
}

QSize EffectPlot::minimumSizeHint() const {
    return {360, int(2 * kAbove + rowHeight() * double(std::max<std::size_t>(3, m_effects.size())))};
}

double EffectPlot::rowHeight() const {
    return fontMetrics().height() + 4;
}

double EffectPlot::barsWidth(QSize size) const {
    return size.width() * 0.5;
}

QRectF EffectPlot::barRect(int axis) const {
    return {0, kAbove + rowHeight() * axis, barsWidth(size()), rowHeight()};
}

int EffectPlot::axisAt(QPointF position) const {
    for (int axis = 0; axis < static_cast<int>(m_effects.size()); ++axis)
        if (barRect(axis).contains(position))
            return axis;
    return -1;
}

int EffectPlot::shown() const {
    if (m_hovered >= 0)
        return m_hovered;
    const auto found = std::ranges::find(m_effects, m_chosen, &ShownEffect::name);
    return found != m_effects.end() ? int(found - m_effects.begin()) : m_effects.empty() ? -1 : 0;
}

void EffectPlot::choose(int axis) {
    m_chosen = m_effects[static_cast<std::size_t>(axis)].name;
    announceCurrent(this);
    update();
}

void EffectPlot::hover(int axis) {
    if (axis != m_hovered)
        update();
    m_hovered = axis;
}

QRectF EffectPlot::valuesField(QSize size) const {
    const QFontMetrics metrics = fontMetrics();
    const double left = barsWidth(size) + kMargin + metrics.horizontalAdvance(QStringLiteral("0.00000")) + 12;
    const double top = kAbove + metrics.height() + 2, bottom = metrics.height() + 8.0;
    return {left, top, std::max(1.0, size.width() - left - 2 * kMargin - 6),
            std::max(1.0, size.height() - top - bottom)};
}

double EffectPlot::valueX(std::size_t value, QSize size) const {
    const QRectF field = valuesField(size);
    const auto count = m_effects[static_cast<std::size_t>(shown())].effect.values.size();
    return field.left() + field.width() * (double(value) + 0.5) / double(count);
}

void EffectPlot::paintBars(QPainter& painter, QSize size) const {
    const QFontMetrics metrics = fontMetrics();
    const double width = barsWidth(size);
    double names = 40, texts = 0;
    const auto figuresOf = [&](const ShownEffect& shown) {
        return tr("%1, range %2").arg(text(percentText(shown.effect.share)), plainNumber(shown.effect.range));
    };
    for (const ShownEffect& shown : m_effects) {
        names = std::max(names, metrics.horizontalAdvance(shown.name) + 8.0); // rounded down
        texts = std::max(texts, metrics.horizontalAdvance(figuresOf(shown)) + 6.0);
    }
    names = std::min(names, width * kNameShare);
    // Where there is no room for both, the tip has the range.
    const bool isShort = width - names - texts - 3 * kMargin < 60;
    if (isShort)
        texts = metrics.horizontalAdvance(QStringLiteral("100.0 %")) + 6.0;
    const double left = kMargin + names, room = std::max(10.0, width - left - texts - 2 * kMargin);
    for (int axis = 0; axis < static_cast<int>(m_effects.size()); ++axis) {
        const ShownEffect& shown = m_effects[static_cast<std::size_t>(axis)];
        const QRectF row(0, kAbove + rowHeight() * axis, width, rowHeight());
        if (axis == this->shown()) {
            QColor fill = color(Role::Selection);
            fill.setAlphaF(0.35F);
            painter.fillRect(row.adjusted(2, 0, -2, 0), fill);
        }
        painter.setPen(color(Role::NodeText));
        painter.drawText(QRectF(kMargin, row.top(), names - 6, row.height()),
                         Qt::AlignVCenter | Qt::AlignLeft,
                         metrics.elidedText(shown.name, Qt::ElideMiddle, int(names - 6)));
        const QRectF track(left, row.top() + 3, room, row.height() - 6);
        painter.fillRect(track, mix(color(Role::Canvas), color(Role::GridLine), 0.6));
        painter.fillRect(
            QRectF(track.left(), track.top(), track.width() * shown.effect.share, track.height()),
            color(Role::Compute));
        if (!m_isWhole && shown.effect.points > 1) {
            const double x = track.left() + track.width() * shown.effect.chance;
            painter.setPen(QPen(color(Role::NodeText), 1.5, Qt::DashLine));
            painter.drawLine(QPointF(x, track.top() - 2), QPointF(x, track.bottom() + 2));
        }
        painter.setPen(color(Role::NodeText));
        painter.drawText(QRectF(track.right() + kMargin, row.top(), texts, row.height()),
                         Qt::AlignVCenter | Qt::AlignLeft,
                         isShort ? text(percentText(shown.effect.share)) : figuresOf(shown));
    }
    const QRectF foot(kMargin, kAbove + rowHeight() * double(m_effects.size()), width - kMargin, rowHeight());
    if (!m_isWhole && !m_effects.empty() && foot.bottom() <= size.height()) {
        painter.setPen(color(Role::Muted));
        painter.drawText(foot, Qt::AlignVCenter | Qt::AlignLeft,
                         metrics.elidedText(tr("dashed: what an axis without effect would have by chance"),
                                            Qt::ElideRight, int(foot.width())));
    }
}

void EffectPlot::paintValues(QPainter& painter, QSize size) const {
    const ShownEffect& of = m_effects[static_cast<std::size_t>(shown())];
    const QFontMetrics metrics = fontMetrics();
    const QRectF field = valuesField(size);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const ValueMean& value : of.effect.values)
        if (value.points > 0) {
            low = std::min(low, value.least);
            high = std::max(high, value.most);
        }
    painter.setPen(color(Role::NodeText));
    painter.drawText(
        QRectF(field.left() - 40, kAbove - 2, field.width() + 40, metrics.height()),
        Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(tr("%1 over %2: mean, deviation, least and most").arg(m_figure, of.name),
                           Qt::ElideRight, int(field.width() + 40)));
    if (!(low <= high))
        return;
    const double extent = high - low;
    const auto y = [&](double value) {
        return extent > 0 ? field.bottom() - 4 - (field.height() - 8) * (value - low) / extent
                          : field.center().y();
    };
    painter.setPen(QPen(color(Role::GridLine), 1));
    painter.drawRect(field);
    const auto tick = [&](double value) {
        painter.setPen(QPen(color(Role::GridLine), 1));
        painter.drawLine(QPointF(field.left(), y(value)), QPointF(field.right(), y(value)));
        painter.setPen(color(Role::Muted));
        painter.drawText(QRectF(barsWidth(size), y(value) - metrics.height() / 2.0,
                                field.left() - barsWidth(size) - 5, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, plainNumber(value));
    };
    tick(low);
    if (extent > 0) {
        tick(high);
        if (field.height() > metrics.height() * 4.0)
            tick((low + high) / 2);
    }
    const auto count = of.effect.values.size();
    const double each = field.width() / double(count), half = std::min(9.0, each * 0.3);
    double labelled = -HUGE_VAL;
    QPainterPath means;
    for (std::size_t v = 0; v < count; ++v) {
        const ValueMean& value = of.effect.values[v];
        const double x = valueX(v, size);
        const QString word =
            metrics.elidedText(of.values.value(int(v)), Qt::ElideRight, int(std::max(each * 2, 60.0)));
        const double wide = metrics.horizontalAdvance(word);
        if (x - wide / 2 > labelled + 6) { // those that have room
            painter.setPen(value.points > 0 ? color(Role::NodeText) : color(Role::Muted));
            const double at = std::min(x - wide / 2, size.width() - wide - 2);
            painter.drawText(QPointF(at, field.bottom() + 4 + metrics.ascent()), word);
            labelled = at + wide;
        }
        if (value.points == 0)
            continue;
        painter.setPen(QPen(color(Role::Muted), 1));
        painter.drawLine(QPointF(x, y(value.least)), QPointF(x, y(value.most)));
        QColor fill = color(Role::Compute);
        fill.setAlphaF(0.45F);
        const double top = y(std::min(value.most, value.mean + value.deviation)),
                     bottom = y(std::max(value.least, value.mean - value.deviation));
        painter.fillRect(QRectF(x - half, top, 2 * half, std::max(1.0, bottom - top)), fill);
        const QPointF mean(x, y(value.mean));
        if (means.elementCount() == 0)
            means.moveTo(mean);
        else
            means.lineTo(mean);
    }
    painter.setPen(QPen(color(Role::Accent), 1.6));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(means);
    painter.setBrush(color(Role::Accent));
    painter.setPen(Qt::NoPen);
    constexpr int kDots = 60; // more touch each other
    for (int e = 0; e < means.elementCount() && (count <= kDots || means.elementCount() == 1); ++e)
        painter.drawEllipse(QPointF(means.elementAt(e)), 3.2, 3.2);
    painter.setBrush(Qt::NoBrush);
}

void EffectPlot::paint(QPainter& painter, QSize size) const {
    painter.fillRect(QRect(QPoint(), size), color(Role::Canvas));
    painter.setFont(font());
    painter.setRenderHint(QPainter::Antialiasing, true);
    if (m_effects.empty() || m_effects.front().effect.points == 0) {
        painter.setPen(color(Role::Muted));
        painter.drawText(QRect(QPoint(), size), Qt::AlignCenter,
                         m_effects.empty() ? tr("Nothing varies yet") : tr("No point has this figure"));
        return;
    }
    paintBars(painter, size);
    paintValues(painter, size);
}

QString EffectPlot::axisTip(int axis) const {
    const ShownEffect& shown = m_effects[static_cast<std::size_t>(axis)];
    QString tip =
        tr("%1\n%2 of the variance of %3 lies between the means of its values.\nThe means differ by %4.")
            .arg(shown.name, text(percentText(shown.effect.share)), m_figure,
                 plainNumber(shown.effect.range));
    if (!m_isWhole)
        tip += u'\n' + tr("An axis without effect would have %1 by chance, with %2 points.")
                           .arg(text(percentText(shown.effect.chance)))
                           .arg(shown.effect.points);
    return tip;
}

QString EffectPlot::tipAt(QPointF position) const {
    if (const int axis = axisAt(position); axis >= 0)
        return axisTip(axis);
    if (m_effects.empty() || !valuesField(size()).contains(position))
        return {};
    const ShownEffect& of = m_effects[static_cast<std::size_t>(shown())];
    const QRectF field = valuesField(size());
    const auto count = of.effect.values.size();
    const auto at = std::min(
        count - 1, static_cast<std::size_t>((position.x() - field.left()) / field.width() * double(count)));
    const ValueMean& value = of.effect.values[at];
    if (value.points == 0)
        return tr("%1 %2: no point with a result").arg(of.name, of.values.value(int(at)));
    return tr("%1 %2: %n point(s)\nmean %3, deviation %4\n%5 to %6", nullptr, static_cast<int>(value.points))
        .arg(of.name, of.values.value(int(at)), plainNumber(value.mean), plainNumber(value.deviation),
             plainNumber(value.least), plainNumber(value.most));
}

void EffectPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paint(painter, size());
    if (hasFocus() && shown() >= 0) {
        painter.setPen(QPen(color(Role::Accent), 1));
        painter.drawRect(barRect(shown()).adjusted(2, 0, -2, -1));
    }
}

void EffectPlot::mouseMoveEvent(QMouseEvent* event) {
    hover(axisAt(event->position()));
}

void EffectPlot::mousePressEvent(QMouseEvent* event) {
    if (const int axis = axisAt(event->position()); event->button() == Qt::LeftButton && axis >= 0)
        return choose(axis);
    QWidget::mousePressEvent(event);
}

void EffectPlot::leaveEvent(QEvent* event) {
    hover(-1);
    QWidget::leaveEvent(event);
}

void EffectPlot::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Up ? -1 : event->key() == Qt::Key_Down ? 1 : 0;
    if (step == 0 || m_effects.empty())
        return QWidget::keyPressEvent(event);
    m_hovered = -1;
    choose(std::clamp(shown() + step, 0, static_cast<int>(m_effects.size()) - 1));
}

bool EffectPlot::event(QEvent* event) {
    return answerToolTip(event, this, [this](QPoint at) { return tipAt(at); }) || QWidget::event(event);
}

CanvasItem EffectPlot::spokenAxis(int axis) const {
    const QString tip = axisTip(axis);
    return {tip.section(u'\n', 0, 0), spoken(tip.section(u'\n', 1)), barRect(axis), axis == shown()};
}

// ---- the page ----

EffectPage::EffectPage(QWidget* parent)
    : QWidget(parent), m_header(new LineLabel), m_choice(new QComboBox), m_plot(new EffectPlot) {
    setAccessibleName(tr("Sensitivity of each axis"));
    m_header->setAccessibleName(tr("What the bars say"));
    m_header->setTextFormat(Qt::PlainText);
    m_choice->setAccessibleName(tr("Figure that is moved"));
    m_choice->setToolTip(tr("The figure whose variance is shared out"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    installPlotExport(m_plot, {QStringLiteral("sweep_sensitivity"), [this] { return m_plot->size(); },
                               [this](QPainter& painter) { m_plot->paint(painter, m_plot->size()); },
                               [this] { return csv(); }});
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 6, 0);
    row->addWidget(m_header, 1);
    row->addWidget(m_choice);
    auto* scroll = new QScrollArea; // of many axes
    scroll->setAccessibleName(tr("Bars of all axes"));
    scroll->setWidget(m_plot);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(row);
    column->addWidget(scroll, 1);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &EffectPage::show);
}

void EffectPage::setPoints(const std::vector<PointColumn>& columns, std::int64_t rows, std::int64_t size) {
    m_columns = columns;
    m_rows = rows;
    m_size = size;
    QStringList names, there;
    for (const PointColumn& column : m_columns) // objectives first
        if (column.isObjective)
            names << column.name;
    for (const PointColumn& column : m_columns)
        if (!column.isAxis && !column.isObjective)
            names << column.name;
    for (int i = 0; i < m_choice->count(); ++i)
        there << m_choice->itemText(i);
    if (names != there) {
        const QSignalBlocker quiet(m_choice);
        const QString chosen = m_choice->currentText();
        m_choice->clear();
        m_choice->addItems(names);
        m_choice->setCurrentIndex(names.isEmpty() ? -1 : std::max(0, m_choice->findText(chosen)));
    }
    show();
}

void EffectPage::show() {
    const auto figure = std::ranges::find(m_columns, m_choice->currentText(), &PointColumn::name);
    if (figure == m_columns.end())
        return m_plot->setEffects({}, {}, false);
    std::vector<ShownEffect> effects = effectsOn(m_columns, *figure);
    const std::int64_t points = effects.empty() ? 0 : effects.front().effect.points;
    const bool isWhole = points == m_size;
    double sum = 0;
    for (const ShownEffect& shown : effects)
        sum += shown.effect.share;
    QString line = tr("Main effect: variance of means over all variance; n = %1").arg(points);
    if (const auto [low, high] = figure->extent(); low == high && points > 0)
        line = tr("%1 is the same for all %2 points").arg(figure->name).arg(points);
    else if (isWhole)
        line += tr(", all: first-order Sobol index, interactions have the other %1")
                    .arg(text(percentText(std::max(0.0, 1 - sum))));
    else
        line += tr(" of %1").arg(m_size);
    if (points < m_rows)
        line += tr(", %1 without a result left out").arg(m_rows - points);
    m_header->setText(line);
    m_header->setToolTip(tr(
        "Share of the variance of the figure that lies between the means of an axis' values, each weighted "
        "by its "
        "points (correlation ratio). Where every combination is there, it is the first-order Sobol index, "
        "and what "
        "all shares lack to 100 % is what axes do only together. Points that are a part of all, or that a "
        "search "
        "chose, are not evenly spread: an axis may then seem to do what another does that changed with it."));
    m_plot->setEffects(figure->name, std::move(effects), isWhole);
}

QString EffectPage::csv() const {
    QString all =
        csvLine({QStringLiteral("axis"), QStringLiteral("share of variance"),
                 QStringLiteral("share by chance"), QStringLiteral("range of means"), QStringLiteral("value"),
                 QStringLiteral("points"), tr("mean of %1").arg(m_choice->currentText()),
                 QStringLiteral("deviation"), QStringLiteral("least"), QStringLiteral("most")}) +
        u'\n';
    for (const ShownEffect& shown : m_plot->effects())
        for (std::size_t v = 0; v < shown.effect.values.size(); ++v) {
            const ValueMean& value = shown.effect.values[v];
            QStringList fields{shown.name,
                               exactNumber(shown.effect.share),
                               exactNumber(shown.effect.chance),
                               exactNumber(shown.effect.range),
                               shown.values.value(int(v)),
                               QString::number(value.points)};
            for (const double number : {value.mean, value.deviation, value.least, value.most})
                fields << (value.points > 0 ? exactNumber(number) : QString());
            all += csvLine(fields) + u'\n';
        }
    return all;
}

} // namespace pim::views
