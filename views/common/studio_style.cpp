// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/studio_style.h"

#include "views/common/icons.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QPainter>
#include <QStyleOptionComboBox>

#include <algorithm>

namespace pim::views {
namespace {

/// A tab says its title already.
bool isTab(const QWidget* widget) {
    auto* dock = qobject_cast<QDockWidget*>(const_cast<QWidget*>(widget));
    const auto* window = dock ? qobject_cast<const QMainWindow*>(dock->parentWidget()) : nullptr;
    if (!window || dock->isFloating())
        return false;
    const QList<QDockWidget*> others = window->tabifiedDockWidgets(dock);
    return std::any_of(others.begin(), others.end(),
                       [](const QDockWidget* other) { return !other->isHidden(); });
}

} // namespace

StudioStyle::StudioStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void StudioStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const {
    if (const auto* dock = element == CE_DockWidgetTitle
                               ? qstyleoption_cast<const QStyleOptionDockWidget*>(option)
                               : nullptr;
        dock && isTab(widget)) {
        QStyleOptionDockWidget untitled(*dock);
        untitled.title.clear();
        return QProxyStyle::drawControl(element, &untitled, painter, widget);
    }
    const auto* box =
        element == CE_ComboBoxLabel ? qstyleoption_cast<const QStyleOptionComboBox*>(option) : nullptr;
    if (!box || box->editable)
        return QProxyStyle::drawControl(element, option, painter, widget);
    constexpr int kMargin = 4; // Fusion leaves so much before and after the text
    int room = subControlRect(CC_ComboBox, box, SC_ComboBoxEditField, widget).width() - kMargin;
    if (!box->currentIcon.isNull())
        room -= box->iconSize.width() + kMargin;
    QStyleOptionComboBox fitting(*box);
    fitting.currentText = box->fontMetrics.elidedText(box->currentText, Qt::ElideRight, room);
    QProxyStyle::drawControl(element, &fitting, painter, widget);
}

void StudioStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const {
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element != PE_FrameLineEdit || option->state.testFlag(State_HasFocus) ||
        currentTheme() != Theme::Dark)
        return;
    painter->save(); // its own edge is darker than the window: none to be seen
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(option->palette.color(QPalette::Mid));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    painter->restore();
}

QIcon StudioStyle::standardIcon(StandardPixmap which, const QStyleOption* option,
                                const QWidget* widget) const {
    switch (which) {
    case SP_TitleBarCloseButton:
    case SP_DockWidgetCloseButton:
        return icon(QStringLiteral("cancel"));
    case SP_TitleBarNormalButton:
        return icon(QStringLiteral("float"));
    default:
        return QProxyStyle::standardIcon(which, option, widget);
    }
}

} // namespace pim::views
