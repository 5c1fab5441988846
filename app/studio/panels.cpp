// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/panels.h"

#include "app/studio/settings.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QEvent>
#include <QTabBar>

namespace pim::studio {
namespace {

constexpr int kLayoutVersion = 1; ///< Raise when panels are added or renamed: older layouts are then not restored.

QString key(Question question) { return QStringLiteral("question%1").arg(static_cast<int>(question)); }

} // namespace

Panels::Panels(QMainWindow& window, Settings& settings) : QObject(&window), m_window(window), m_settings(settings) {
    m_window.installEventFilter(this);
    window.setDockNestingEnabled(true);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    for (int i = 0; i < kQuestions; ++i)
        m_layouts[static_cast<Question>(i)] = settings.layout(key(static_cast<Question>(i)));
    m_locked = settings.layout(QStringLiteral("locked")) == "1";
}

QDockWidget* Panels::add(const QString& id, const QString& title, QWidget* content) {
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(id);
    dock->setAccessibleName(title);
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
        m_layouts[m_question] = m_window.saveState(kLayoutVersion);
    m_question = question;
    m_shown = true;
    apply();
    emit questionChanged(question);
}

void Panels::showAgain() {
    if (!m_shown) {
        m_shown = true;
        apply();
    }
}

void Panels::hideAll() {
    if (m_shown)
        m_layouts[m_question] = m_window.saveState(kLayoutVersion);
    m_shown = false;
    for (const auto& [id, dock] : m_docks)
        dock->hide();
}

void Panels::apply() {
    if (m_layouts[m_question].isEmpty() || !m_window.restoreState(m_layouts[m_question], kLayoutVersion))
        applyDefault();
    setLocked(m_locked);
    nameTabBars();
    emit layoutApplied();
}

void Panels::applyDefault() {
    for (const auto& [id, dock] : m_docks) {
        dock->setFloating(false);
        m_window.removeDockWidget(dock);
    }
    const auto at = [this](const char* id) { return m_docks.at(QString::fromLatin1(id)); };
    const auto first = [&](const char* id) { m_window.addDockWidget(Qt::LeftDockWidgetArea, at(id)); };
    const auto right = [&](const char* of, const char* id) { m_window.splitDockWidget(at(of), at(id), Qt::Horizontal); };
    const auto below = [&](const char* of, const char* id) { m_window.splitDockWidget(at(of), at(id), Qt::Vertical); };
    const auto tabs = [&](const char* front, std::initializer_list<const char*> others) {
        for (const char* id : others)
            m_window.tabifyDockWidget(at(front), at(id));
    };
    const auto sizes = [&](Qt::Orientation orientation, std::initializer_list<std::pair<const char*, int>> shares) {
        const int whole = orientation == Qt::Horizontal ? m_window.width() : m_window.height();
        QList<QDockWidget*> docks;
        QList<int> pixels;
        for (const auto& [id, percent] : shares) {
            docks.append(at(id));
            pixels.append(whole * percent / 100);
        }
        m_window.resizeDocks(docks, pixels, orientation);
    };
    const auto reveal = [&](std::initializer_list<const char*> visible) {
        for (const char* id : visible)
            at(id)->show();
    };
    switch (m_question) {
    case Question::WhereTimeGoes:
        first("graph");
        right("graph", "inspector");
        below("graph", "breakdown");
        tabs("inspector", {"model", "problems", "passes"});
        reveal({"graph", "inspector", "breakdown", "model", "problems", "passes"});
        sizes(Qt::Horizontal, {{"graph", 70}, {"inspector", 30}});
        sizes(Qt::Vertical, {{"graph", 55}, {"breakdown", 45}});
        break;
    case Question::WhyThisDraft:
        first("inspector");
        right("inspector", "drafts");
        right("drafts", "hardware");
        below("drafts", "tiles");
        tabs("inspector", {"graph"});
        reveal({"inspector", "graph", "drafts", "hardware", "tiles"});
        sizes(Qt::Horizontal, {{"inspector", 23}, {"drafts", 43}, {"hardware", 34}});
        sizes(Qt::Vertical, {{"drafts", 55}, {"tiles", 45}});
        break;
    case Question::WhatIf:
        first("decisions");
        right("decisions", "runs");
        right("runs", "inspector");
        below("decisions", "history");
        below("runs", "breakdown");
        tabs("inspector", {"graph", "hardware"});
        reveal({"decisions", "history", "runs", "breakdown", "inspector", "graph", "hardware"});
        sizes(Qt::Horizontal, {{"decisions", 30}, {"runs", 44}, {"inspector", 26}});
        sizes(Qt::Vertical, {{"decisions", 55}, {"history", 45}});
        sizes(Qt::Vertical, {{"runs", 55}, {"breakdown", 45}});
        break;
    }
    at("inspector")->raise();
}

void Panels::reset() {
    m_layouts.clear();
    m_settings.clearLayouts();
    if (m_shown)
        apply();
}

void Panels::setLocked(bool locked) {
    m_locked = locked;
    QDockWidget::DockWidgetFeatures features = QDockWidget::DockWidgetClosable;
    if (!locked) {
        features |= QDockWidget::DockWidgetMovable;
        // A panel that floats cannot be docked again on Wayland before Qt 6.5.4. [QTBUG-87332]
        if (!QGuiApplication::platformName().startsWith(QStringLiteral("wayland")))
            features |= QDockWidget::DockWidgetFloatable;
    }
    for (const auto& [id, dock] : m_docks)
        dock->setFeatures(features);
}

void Panels::save() {
    if (m_shown)
        m_layouts[m_question] = m_window.saveState(kLayoutVersion);
    for (const auto& [question, state] : m_layouts)
        m_settings.setLayout(key(question), state);
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
    if (watched == &m_window && (event->type() == QEvent::ChildPolished || event->type() == QEvent::LayoutRequest))
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
