// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/line_label.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace pim::views {

LineLabel::LineLabel(QWidget* parent) : QLabel(parent) {
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

bool LineLabel::isCut() const {
    return sizeHint().width() > width();
}

bool LineLabel::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && toolTip().isEmpty() && isCut()) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
        return true;
    }
    return QLabel::event(event);
}

void LineLabel::paintEvent(QPaintEvent* event) {
    QLabel::paintEvent(event);
    if (!isCut())
        return;
    // Rich text cannot be elided as a string is: the dots take the place of its end.
    const QString dots = QStringLiteral("…");
    const QRect inside = contentsRect();
    const int room = fontMetrics().horizontalAdvance(dots) + 2;
    const QRect tail(inside.right() + 1 - room, inside.top(), room, inside.height());
    QPainter painter(this);
    painter.fillRect(tail, palette().brush(backgroundRole()));
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(tail, Qt::AlignRight | Qt::AlignVCenter, dots);
}

} // namespace pim::views
