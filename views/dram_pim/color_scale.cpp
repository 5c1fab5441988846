// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dram_pim/color_scale.h"

#include "core/base/number_text.h"
#include "views/common/palette.h"

#include <QPainter>

namespace pim::views {
namespace {

constexpr double kBarHeight = 10, kMostBar = 160;

QString numberText(qint64 value) {
    return QString::fromStdString(exactText(value));
}

} // namespace

ColorScale::ColorScale(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize ColorScale::sizeHint() const {
    return {140, fontMetrics().height() + 4};
}

void ColorScale::setRange(qint64 least, qint64 greatest) {
    m_least = least;
    m_greatest = greatest;
    setAccessibleName(tr("Colours from %1 to %2").arg(least).arg(greatest));
    update();
}

void ColorScale::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QString from = numberText(m_least), to = numberText(m_greatest);
    const double left = fontMetrics().horizontalAdvance(from) + 8;
    const double width = std::min(kMostBar, this->width() - left - fontMetrics().horizontalAdvance(to) - 8);
    if (width < 8)
        return;
    const double top = (height() - kBarHeight) / 2;
    for (int x = 0; x < int(width); ++x)
        painter.fillRect(QRectF(left + x, top, 1, kBarHeight),
                         sequential(m_greatest > m_least ? x / (width - 1) : 0.5));
    painter.setPen(color(Role::Muted));
    painter.drawText(QRectF(0, 0, left - 4, height()), Qt::AlignRight | Qt::AlignVCenter, from);
    painter.drawText(QRectF(left + width + 4, 0, this->width(), height()), Qt::AlignLeft | Qt::AlignVCenter,
                     to);
}

} // namespace pim::views
