// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/screenshots.h"

#include "app/studio/main_window.h"
#include "views/models/workspace.h"
#include "views/runs/runs_view.h"

#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QUndoStack>

#include <map>

namespace pim::studio {
namespace {

constexpr int kPollMs = 150;  ///< Also lets a panel ask for what it shows before it is pictured.
constexpr int kSettleMs = 10; ///< For one that was pictured before: it has that, and is only laid out anew.
constexpr int kGiveUpMs = 10 * 60'000;

QString themeName(views::Theme theme) {
    return theme == views::Theme::Light  ? QStringLiteral("light")
           : theme == views::Theme::Dark ? QStringLiteral("dark")
                                         : QStringLiteral("high-contrast");
}
const char* questionName(Question question) {
    switch (question) {
    case Question::WhereTimeGoes:
        return "where-time-goes";
    case Question::WhyThisDraft:
        return "why-this-draft";
    case Question::WhatIf:
        return "what-if";
    }
    return "";
}

} // namespace

Screenshots::Screenshots(MainWindow& window, views::Workspace& workspace, QString folder)
    : QObject(&window), m_window(window), m_workspace(workspace), m_folder(std::move(folder)) {
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)})
        for (const views::Theme theme : {views::Theme::Light, views::Theme::Dark, views::Theme::HighContrast})
            for (int question = 0; question < kQuestions; ++question)
                m_shots.append({size, theme, static_cast<Question>(question)});
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)})
        for (const views::Theme theme : {views::Theme::Light, views::Theme::Dark, views::Theme::HighContrast})
            m_shots.append({size, theme, std::nullopt});
    m_timer.setInterval(kPollMs);
    connect(&m_timer, &QTimer::timeout, this, &Screenshots::step);
    connect(&workspace, &views::Workspace::failed, this,
            [this](const QString& message, const QString& details) {
                m_failure = details.isEmpty() ? message : details;
            });
}

void Screenshots::start() {
    if (!QDir().mkpath(m_folder))
        return finish(tr("the folder %1 cannot be made").arg(m_folder));
    m_clock.start();
    m_timer.start();
}

bool Screenshots::isQuiet() const {
    return m_workspace.plan() && !m_workspace.isStale() && m_workspace.tasks()->entries().isEmpty();
}

void Screenshots::step() {
    m_timer.setInterval(kPollMs);
    if (!m_workspace.plan() && !m_failure.isEmpty())
        return finish(m_failure);
    if (m_clock.elapsed() > kGiveUpMs)
        return finish(tr("still not finished after %1 s").arg(kGiveUpMs / 1000));
    if (!isQuiet())
        return;
    // A machine that is planned as a whole has no drafts to wait for.
    const bool searched = m_workspace.exploration() != nullptr || m_workspace.plan()->detail != nullptr;
    switch (m_stage) {
    case 0:
        m_workspace.saveProject(m_projectFolder.filePath(
            QFileInfo(m_workspace.modelPath()).completeBaseName() + QStringLiteral(".pimproj")));
        selectCostliest();
        ++m_stage;
        return;
    case 1:
        if (!m_workspace.selection().op.valid())
            return finish(tr("no op is placed on PIM"));
        if (m_workspace.lastRun() == 0 && !m_failure.isEmpty())
            return finish(m_failure); // the project could not be saved
        if (!searched || m_workspace.lastRun() == 0)
            return;
        m_stepsBefore = m_workspace.undoStack()->index();
        decide();
        ++m_stage;
        return;
    case 2:
        if (m_workspace.undoStack()->index() == m_stepsBefore)
            return finish(m_failure.isEmpty() ? tr("no decision could be made") : m_failure);
        if (!searched || m_workspace.lastRun() < 2)
            return;
        compareRuns();
        ++m_stage;
        return;
    default:
        if (m_shots.isEmpty())
            return finish({});
        if (!m_prepared)
            return prepare(m_shots.front());
        if (!take(m_shots.front()))
            return;
        m_shots.removeFirst();
        m_prepared = false;
    }
}

void Screenshots::selectCostliest() {
    // Layers repeat: what counts is the kernel that costs most over all of them, and the layer in the middle shows it
    // best. On PIM if anything is; a small network may stay on the host as a whole.
    std::map<std::pair<const TilingSpace*, bool>, std::pair<double, std::vector<OpId>>> kernels;
    for (const OpPlan& op : m_workspace.plan()->ops)
        if (op.draft || (m_workspace.plan()->detail && op.cost.totalNs() > 0)) {
            auto& [ns, ops] = kernels[{op.space.get(), !op.onHost()}];
            ns += op.cost.totalNs();
            ops.push_back(op.op);
        }
    OpId costliest;
    std::pair<bool, double> most{false, -1};
    for (const auto& [kernel, cost] : kernels)
        if (std::pair(kernel.second, cost.first) > most) {
            most = {kernel.second, cost.first};
            costliest = cost.second[cost.second.size() / 2];
        }
    m_workspace.selectOp(costliest);
}

void Screenshots::decide() {
    const auto plan = m_workspace.plan();
    const OpPlan& op = plan->opPlan(m_workspace.selection().op);
    if (const auto exploration = m_workspace.exploration())
        for (const Draft& draft : exploration->drafts)
            if (draft != op.draft) {
                m_workspace.applyOverride({plan->graph->op(op.op).name, "draft", op.space->draftText(draft)});
                return;
            }
    // No other draft came near: whatever can be decided and is not what the compiler chose, about the op or else about all.
    for (const auto& [id, name] :
         {std::pair(op.op, plan->graph->op(op.op).name), std::pair(OpId(), std::string())})
        for (const OverrideField& field : m_workspace.backendOf(*plan->target)->overrideFields(*plan, id))
            for (const LegalValue& value : field.values)
                if (value.legal && value.value != field.current && value.value != "auto" &&
                    m_workspace.undoStack()->index() == m_stepsBefore)
                    m_workspace.applyOverride({name, field.field, value.value});
}

void Screenshots::compareRuns() {
    if (auto* runs = m_window.findChild<views::RunsView*>())
        runs->compare(m_workspace.lastRun() - 1, m_workspace.lastRun());
}

void Screenshots::prepare(const Shot& shot) {
    views::applyTheme(shot.theme);
    m_window.resize(shot.size);
    if (shot.question) {
        m_window.panels().show(*shot.question);
        m_window.panels().reset(); // sized for this window, not for the one before
    } else {
        m_window.panels().hideAll();
        m_window.centralWidget()->show();
    }
    m_prepared = true;
}

bool Screenshots::take(const Shot& shot) {
    const QString suffix = QStringLiteral("-%1x%2-%3.png")
                               .arg(shot.size.width())
                               .arg(shot.size.height())
                               .arg(themeName(shot.theme));
    if (const QString name =
            QStringLiteral("window-") +
            (shot.question ? QString::fromLatin1(questionName(*shot.question)) : QStringLiteral("welcome")) +
            suffix;
        !m_written.contains(name))
        save(&m_window, name);
    for (const auto& [id, dock] : m_window.panels().docks()) {
        const QString name = QStringLiteral("panel-") + id + suffix;
        if (!dock->isVisible() || m_written.contains(name))
            continue;
        if (dock->visibleRegion().isEmpty() && m_raised != dock) {
            dock->raise();
            m_raised = dock;
            // from now on: saving those before took its time
            m_timer.start(m_known.contains(id) ? kSettleMs : kPollMs);
            return false;
        }
        save(dock, name);
        m_known.insert(id);
    }
    m_raised = nullptr;
    return true;
}

void Screenshots::save(QWidget* widget, const QString& name) {
    const QString path = QDir(m_folder).filePath(name);
    if (!widget->grab().save(path))
        m_failure = tr("%1 cannot be written").arg(path);
    else
        m_written.append(name);
}

void Screenshots::finish(const QString& problem) {
    m_timer.stop();
    if (!problem.isEmpty())
        emit finished(false, problem);
    else
        emit finished(true, tr("%1 pictures in %2").arg(m_written.size()).arg(m_folder));
}

} // namespace pim::studio
