// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/panels.h"

#include "app/studio/settings.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QEvent>
#include <QTabBar>

#include <algorithm>

namespace pim::studio {
namespace {

constexpr QSize kSmallestPanel(240, 110);
constexpr int kLayoutVersion = 3; ///< Raise when panels are added or renamed: older layouts are then not restored.

QString key(const std::pair<Question, PlanKind>& layout) {
    return QStringLiteral("question%1%2").arg(static_cast<int>(layout.first)).arg(layout.second == PlanKind::Segments ? QStringLiteral("-segments") : QString());
}

/// Places docks in a window by their ids.
class Arrangement {
public:
    Arrangement(QMainWindow& window, const std::map<QString, QDockWidget*>& docks) : m_window(window), m_docks(docks) {
        for (const auto& [id, dock] : docks) {
            dock->setFloating(false);
            window.removeDockWidget(dock);
        }
    }
    QDockWidget* at(const char* id) const { return m_docks.at(QString::fromLatin1(id)); }
    void first(const char* id) { m_window.addDockWidget(Qt::LeftDockWidgetArea, at(id)); }
    void right(const char* of, const char* id) { m_window.splitDockWidget(at(of), at(id), Qt::Horizontal); }
    void below(const char* of, const char* id) { m_window.splitDockWidget(at(of), at(id), Qt::Vertical); }
    void tabs(const char* front, std::initializer_list<const char*> others) {
        for (const char* id : others)
            m_window.tabifyDockWidget(at(front), at(id));
    }
    void sizes(Qt::Orientation orientation, std::initializer_list<std::pair<const char*, int>> shares) {
        const int whole = orientation == Qt::Horizontal ? m_window.width() : m_window.height();
        QList<QDockWidget*> docks;
        QList<int> pixels;
        for (const auto& [id, percent] : shares) {
            docks.append(at(id));
            pixels.append(whole * percent / 100);
        }
        m_window.resizeDocks(docks, pixels, orientation);
    }
    void reveal(std::initializer_list<const char*> visible) {
        for (const char* id : visible)
            at(id)->show();
    }

private:
    QMainWindow& m_window;
    const std::map<QString, QDockWidget*>& m_docks;
};

} // namespace

Panels::Panels(QMainWindow& window, Settings& settings) : QObject(&window), m_window(window), m_settings(settings) {
    m_window.installEventFilter(this);
    window.setDockNestingEnabled(true);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    for (int i = 0; i < kQuestions; ++i)
        for (const PlanKind kind : {PlanKind::Drafts, PlanKind::Segments})
            m_layouts[{static_cast<Question>(i), kind}] = settings.layout(key({static_cast<Question>(i), kind}));
    m_locked = settings.layout(QStringLiteral("locked")) == "1";
}

QDockWidget* Panels::add(const QString& id, const QString& title, QWidget* content) {
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(id);
    dock->setAccessibleName(title);
    // Several panels stand side by side on a small screen; none may push the window beyond it.
    if (content->minimumWidth() == 0) // else it knows what it needs
        content->setMinimumWidth(std::min(kSmallestPanel.width(), std::max(1, content->minimumSizeHint().width())));
    if (content->minimumHeight() == 0)
        content->setMinimumHeight(std::min(kSmallestPanel.height(), std::max(1, content->minimumSizeHint().height())));
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
        layout() = m_window.saveState(kLayoutVersion);
    m_question = question;
    m_shown = true;
    apply();
    emit questionChanged(question);
}

void Panels::setPlanKind(PlanKind kind) {
    if (kind == m_kind)
        return;
    if (m_shown)
        layout() = m_window.saveState(kLayoutVersion);
    m_kind = kind;
    if (m_shown)
        apply();
}

void Panels::showAgain() {
    if (!m_shown) {
        m_shown = true;
        apply();
    }
}

void Panels::hideAll() {
    if (m_shown)
        layout() = m_window.saveState(kLayoutVersion);
    m_shown = false;
    for (const auto& [id, dock] : m_docks)
        dock->hide();
}

void Panels::apply() {
    if (layout().isEmpty() || !m_window.restoreState(layout(), kLayoutVersion)) {
        if (m_kind == PlanKind::Segments)
            applyDefaultForSegments();
        else
            applyDefault();
    }
    setLocked(m_locked);
    nameTabBars();
    emit layoutApplied();
}

void Panels::applyDefault() {
    Arrangement panels(m_window, m_docks);
    switch (m_question) {
    case Question::WhereTimeGoes:
        panels.first("graph");
        panels.right("graph", "inspector");
        panels.below("graph", "breakdown");
        panels.tabs("breakdown", {"timeline", "commands"});
        panels.tabs("inspector", {"model", "problems", "passes"});
        panels.reveal({"graph", "inspector", "breakdown", "timeline", "commands", "model", "problems", "passes"});
        panels.sizes(Qt::Horizontal, {{"graph", 70}, {"inspector", 30}});
        panels.sizes(Qt::Vertical, {{"graph", 55}, {"breakdown", 45}});
        panels.at("breakdown")->raise();
        break;
    case Question::WhyThisDraft:
        panels.first("inspector");
        panels.right("inspector", "drafts");
        panels.right("drafts", "hardware");
        panels.below("drafts", "tiles");
        panels.tabs("tiles", {"layout"});
        panels.tabs("inspector", {"graph"});
        panels.reveal({"inspector", "graph", "drafts", "hardware", "tiles", "layout"});
        panels.sizes(Qt::Horizontal, {{"inspector", 28}, {"drafts", 40}, {"hardware", 32}});
        panels.sizes(Qt::Vertical, {{"drafts", 55}, {"tiles", 45}});
        panels.at("tiles")->raise();
        break;
    case Question::WhatIf:
        panels.first("decisions");
        panels.right("decisions", "runs");
        panels.right("runs", "inspector");
        panels.below("decisions", "history");
        panels.below("runs", "breakdown");
        panels.tabs("inspector", {"graph", "hardware"});
        panels.reveal({"decisions", "history", "runs", "breakdown", "inspector", "graph", "hardware"});
        panels.sizes(Qt::Horizontal, {{"decisions", 27}, {"runs", 45}, {"inspector", 28}});
        panels.sizes(Qt::Vertical, {{"decisions", 55}, {"history", 45}});
        panels.sizes(Qt::Vertical, {{"runs", 55}, {"breakdown", 45}});
        break;
    }
    panels.at("inspector")->raise();
}

void Panels::applyDefaultForSegments() {
    Arrangement panels(m_window, m_docks);
    switch (m_question) {
    case Question::WhereTimeGoes:
        panels.first("graph");
        panels.right("graph", "inspector");
        panels.below("graph", "timeline");
        panels.tabs("timeline", {"breakdown"});
        panels.tabs("inspector", {"model", "problems", "passes"});
        panels.reveal({"graph", "inspector", "timeline", "breakdown", "model", "problems", "passes"});
        panels.sizes(Qt::Horizontal, {{"graph", 70}, {"inspector", 30}});
        panels.sizes(Qt::Vertical, {{"graph", 45}, {"timeline", 55}});
        panels.at("timeline")->raise();
        break;
    case Question::WhyThisDraft:
        panels.first("segments");
        panels.right("segments", "inspector");
        panels.below("segments", "timeline");
        panels.below("inspector", "speed");
        panels.tabs("inspector", {"graph"});
        panels.tabs("speed", {"hardware"});
        panels.reveal({"segments", "inspector", "timeline", "graph", "speed", "hardware"});
        panels.sizes(Qt::Horizontal, {{"segments", 70}, {"inspector", 30}});
        panels.sizes(Qt::Vertical, {{"segments", 52}, {"timeline", 48}});
        panels.sizes(Qt::Vertical, {{"inspector", 52}, {"speed", 48}});
        panels.at("speed")->raise();
        break;
    case Question::WhatIf:
        panels.first("decisions");
        panels.right("decisions", "segments");
        panels.right("segments", "inspector");
        panels.below("decisions", "history");
        panels.below("segments", "runs");
        panels.tabs("runs", {"sweep", "breakdown"});
        panels.tabs("inspector", {"graph"});
        panels.reveal({"decisions", "history", "segments", "runs", "sweep", "breakdown", "inspector", "graph"});
        panels.sizes(Qt::Horizontal, {{"decisions", 22}, {"segments", 50}, {"inspector", 28}});
        panels.sizes(Qt::Vertical, {{"decisions", 55}, {"history", 45}});
        panels.sizes(Qt::Vertical, {{"segments", 55}, {"runs", 45}});
        panels.at("runs")->raise();
        break;
    }
    panels.at("inspector")->raise();
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
        layout() = m_window.saveState(kLayoutVersion);
    for (const auto& [which, state] : m_layouts)
        m_settings.setLayout(key(which), state);
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
