// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/panels.h"

#include "app/studio/settings.h"
#include "views/models/family_panels.h"

#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QLibraryInfo>
#include <QMainWindow>
#include <QTabBar>
#include <QVersionNumber>

#include <algorithm>

namespace pim::studio {
namespace {

constexpr QSize kSmallestPanel(240, 110);
/// Raise when panels are added or renamed: older layouts are then not restored.
constexpr int kLayoutVersion = 10;

QString key(Question question, const views::FamilyPanels& family) {
    return QStringLiteral("question%1%2").arg(static_cast<int>(question)).arg(family.layoutKey);
}

} // namespace

Panels::Panels(QMainWindow& window, Settings& settings, const views::FamilyPanels& family)
    : QObject(&window), m_window(window), m_settings(settings), m_family(&family) {
    m_window.installEventFilter(this);
    window.setDockNestingEnabled(true);
    window.setAnimated(false); // each step of it would lay out every panel again
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    m_locked = settings.layout(QStringLiteral("locked")) == "1";
}

QDockWidget* Panels::add(const QString& id, const QString& title, QWidget* content) {
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(id);
    dock->setAccessibleName(title);
    // Several panels stand side by side on a small screen; none may push the window beyond it.
    if (content->minimumWidth() == 0) // else it knows what it needs
        content->setMinimumWidth(
            std::min(kSmallestPanel.width(), std::max(1, content->minimumSizeHint().width())));
    if (content->minimumHeight() == 0)
        content->setMinimumHeight(
            std::min(kSmallestPanel.height(), std::max(1, content->minimumSizeHint().height())));
    dock->setWidget(content);
    m_window.addDockWidget(Qt::LeftDockWidgetArea, dock);
    dock->hide();
    m_docks[id] = dock;
    return dock;
}

void Panels::show(Question question) {
    if (m_shown && question == m_question)
        return;
    if (m_shown)
        layout() = state();
    m_question = question;
    m_shown = true;
    apply();
    emit questionChanged(question);
}

void Panels::setFamily(const views::FamilyPanels& family) {
    if (&family == m_family)
        return;
    if (m_shown)
        layout() = state();
    m_family = &family;
    if (m_shown)
        apply();
}

QByteArray& Panels::layout() {
    const QString name = key(m_question, *m_family);
    const auto [found, isNew] = m_layouts.try_emplace(name);
    if (isNew)
        found->second = m_settings.layout(name);
    return found->second;
}

void Panels::showAgain() {
    if (!m_shown) {
        m_shown = true;
        apply();
    }
}

void Panels::hideAll() {
    if (m_shown)
        layout() = state();
    m_shown = false;
    for (const auto& [id, dock] : m_docks)
        dock->hide();
}

void Panels::apply() {
    if (layout().isEmpty() || !m_window.restoreState(layout(), kLayoutVersion)) {
        const int line = m_window.fontMetrics().lineSpacing();
        arrange(m_window, m_docks,
                fittedArrangement(m_family->columns.at(m_question), m_window.width() / line,
                                  m_window.height() / line));
    }
    setLocked(m_locked);
    nameTabBars();
    emit layoutApplied();
}

QByteArray Panels::state() const {
    return m_window.saveState(kLayoutVersion);
}

bool Panels::applyState(Question question, const QByteArray& state) {
    show(question);
    const QByteArray before = this->state();
    if (!m_window.restoreState(state, kLayoutVersion)) {
        m_window.restoreState(before, kLayoutVersion);
        return false;
    }
    setLocked(m_locked);
    nameTabBars();
    emit layoutApplied();
    return true;
}

void Panels::dockAll() {
    for (const auto& [id, dock] : m_docks)
        dock->setFloating(false);
}

void Panels::reset() {
    m_layouts.clear();
    m_settings.clearLayouts();
    if (m_shown)
        apply();
}

bool Panels::canFloat(const QString& platform) {
    // A panel that floats cannot be docked again on Wayland before Qt 6.5.4. [QTBUG-87332]
    return !platform.startsWith(QStringLiteral("wayland")) ||
           QLibraryInfo::version() >= QVersionNumber(6, 5, 4);
}

void Panels::setLocked(bool locked) {
    m_locked = locked;
    QDockWidget::DockWidgetFeatures features = QDockWidget::DockWidgetClosable;
    if (!locked) {
        features |= QDockWidget::DockWidgetMovable;
        if (canFloat(QGuiApplication::platformName()))
            features |= QDockWidget::DockWidgetFloatable;
    }
    for (const auto& [id, dock] : m_docks)
        dock->setFeatures(features);
}

void Panels::save() {
    if (m_shown)
        layout() = state();
    for (const auto& [name, state] : m_layouts)
        m_settings.setLayout(name, state);
    m_settings.setLayout(QStringLiteral("locked"), m_locked ? "1" : "0");
}

QString Panels::panelWithFocus() const {
    for (const QWidget* widget = QApplication::focusWidget(); widget; widget = widget->parentWidget())
        if (qobject_cast<const QDockWidget*>(widget))
            return widget->objectName();
    return {};
}

/// Qt makes the bars of tabbed panels when it likes; each gets its name as it comes.
bool Panels::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_window &&
        (event->type() == QEvent::ChildPolished || event->type() == QEvent::LayoutRequest))
        nameTabBars();
    return QObject::eventFilter(watched, event);
}

void Panels::nameTabBars() {
    for (QTabBar* bar : m_window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (!bar->accessibleName().isEmpty())
            continue;
        bar->setAccessibleName(tr("Panels in the same place"));
        bar->setDocumentMode(true);
    }
}

} // namespace pim::studio
