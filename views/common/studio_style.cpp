// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/studio_style.h"

#include "views/common/icons.h"
#include "views/common/palette.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QPainter>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace pim::views {
namespace {

bool g_reducedMotion = false;

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

/// What the edges of Fusion are: a little darker than the window. On black nobody sees them.
bool hasEdge(QStyle::PrimitiveElement element, const QStyleOption* option) {
    switch (element) {
    case QStyle::PE_FrameLineEdit:
    case QStyle::PE_FrameGroupBox:
    case QStyle::PE_FrameTabWidget:
    case QStyle::PE_FrameMenu:
    case QStyle::PE_PanelButtonCommand:
    case QStyle::PE_PanelTipLabel:
    case QStyle::PE_IndicatorCheckBox:
    case QStyle::PE_IndicatorItemViewItemCheck:
        return true;
    case QStyle::PE_PanelButtonTool:
        return option->state & (QStyle::State_On | QStyle::State_Sunken | QStyle::State_MouseOver);
    default:
        return false;
    }
}

void drawEdge(const QRect& rect, const QStyleOption* option, QPainter* painter) {
    const bool isEnabled = option->state & QStyle::State_Enabled;
    const bool hasKeys = isEnabled && (option->state & QStyle::State_HasFocus);
    const QColor ink = hasKeys ? color(Role::Selection)
                               : option->palette.color(isEnabled ? QPalette::Active : QPalette::Disabled,
                                                       QPalette::WindowText);
    const double width = hasKeys ? 2 : 1;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(QPen(ink, width));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(QRectF(rect).adjusted(width / 2, width / 2, -width / 2, -width / 2));
    painter->restore();
}

/// What is on: Fusion only makes it a little darker, which nobody sees on a dark window.
void drawOn(const QStyleOption* option, QPainter* painter) {
    const bool isEnabled = option->state & QStyle::State_Enabled;
    QColor ink =
        isEnabled ? color(Role::Selection) : option->palette.color(QPalette::Disabled, QPalette::WindowText);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(ink);
    ink.setAlphaF(0.2F);
    painter->setBrush(ink);
    painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    painter->restore();
}

/// The tab that is chosen has edges and a thick line, the others none.
void drawTabEdges(const QStyleOption* option, QPainter* painter) {
    if (!(option->state & QStyle::State_Selected))
        return;
    const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
    const bool isBelow =
        tab && (tab->shape == QTabBar::RoundedSouth || tab->shape == QTabBar::TriangularSouth);
    drawEdge(option->rect, option, painter);
    const QRect& rect = option->rect;
    painter->fillRect(QRect(rect.left(), isBelow ? rect.bottom() - 2 : rect.top(), rect.width(), 3),
                      color(Role::Selection));
}

} // namespace

void setReducedMotion(bool reduced) {
    static constexpr std::array kEffects{Qt::UI_AnimateMenu, Qt::UI_FadeMenu, Qt::UI_AnimateCombo,
                                         Qt::UI_AnimateTooltip, Qt::UI_FadeTooltip};
    // As the platform has them, to go back to.
    static const auto usual = [] {
        std::array<bool, kEffects.size()> on{};
        for (std::size_t i = 0; i < kEffects.size(); ++i)
            on[i] = QApplication::isEffectEnabled(kEffects[i]);
        return on;
    }();
    g_reducedMotion = reduced;
    for (std::size_t i = 0; i < kEffects.size(); ++i)
        QApplication::setEffectEnabled(kEffects[i], usual[i] && !reduced);
}

bool reducedMotion() {
    return g_reducedMotion;
}

StudioStyle::StudioStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void StudioStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    auto* const button = qobject_cast<QToolButton*>(widget);
    const QAction* const action = button ? button->defaultAction() : nullptr;
    if (action && action->objectName() == QLatin1String("_q_qlineeditclearaction")) // as Qt 6 calls it
        button->setAccessibleName(tr("Clear"));
}

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
    if (element == CE_TabBarTabShape && currentTheme() == Theme::HighContrast) {
        QProxyStyle::drawControl(element, option, painter, widget);
        drawTabEdges(option, painter);
        return;
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
    if (currentTheme() == Theme::HighContrast && hasEdge(element, option))
        return drawEdge(option->rect, option, painter);
    if (element == PE_PanelButtonTool && option->state.testFlag(State_On))
        return drawOn(option, painter);
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

void StudioStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                     QPainter* painter, const QWidget* widget) const {
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (currentTheme() != Theme::HighContrast)
        return;
    if (control == CC_ComboBox || control == CC_SpinBox)
        drawEdge(option->rect, option, painter);
    else if (control == CC_ScrollBar)
        drawEdge(proxy()->subControlRect(control, option, SC_ScrollBarSlider, widget), option, painter);
    else if (control == CC_Slider)
        drawEdge(proxy()->subControlRect(control, option, SC_SliderHandle, widget), option, painter);
}

int StudioStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                           QStyleHintReturn* returned) const {
    if (g_reducedMotion && (hint == SH_Widget_Animation_Duration || hint == SH_Widget_Animate))
        return 0;
    return QProxyStyle::styleHint(hint, option, widget, returned);
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
