// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session.h"

#include "app/studio/main_window.h"
#include "app/studio/message_bar.h"
#include "views/models/workspace.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QLoggingCategory>
#include <QSettings>

#include <algorithm>

namespace pim::studio {
namespace {

Q_LOGGING_CATEGORY(sessionLog, "pim.session", QtInfoMsg)

const QString kSession = QStringLiteral("session");
const QString kWanted = QStringLiteral("restoreSession");

QJsonObject storedSession() {
    return QJsonDocument::fromJson(QSettings().value(kSession).toByteArray()).object();
}

} // namespace

Session::Session(MainWindow& window, views::Workspace& workspace)
    : QObject(&window), m_window(window), m_workspace(workspace) {
    connect(&workspace, &views::Workspace::projectChanged, this, &Session::save);
}

bool Session::isThere() {
    return !storedSession().isEmpty();
}
void Session::forget() {
    QSettings().remove(kSession);
}
bool Session::isWanted() {
    return QSettings().value(kWanted, true).toBool();
}
void Session::setWanted(bool wanted) {
    QSettings().setValue(kWanted, wanted);
}

void Session::save() const {
    const auto graph = m_workspace.graph();
    if (!graph)
        return forget();
    QJsonObject session{{QStringLiteral("question"), static_cast<int>(m_window.panels().question())}};
    if (const Project* project = m_workspace.savedProject())
        session[u"project"] = QString::fromStdString(project->file().string());
    else
        session[u"model"] = m_workspace.modelPath();
    if (const auto target = m_workspace.target()) {
        session[u"target"] = QString::fromStdString(target->id);
        session[u"host"] = QString::fromStdString(target->host.id);
    }
    QJsonObject bindings;
    for (const auto& [symbol, value] : m_workspace.graphOptions().bindings)
        bindings[QString::fromStdString(symbol)] = static_cast<qint64>(value);
    session[u"bindings"] = bindings;
    if (const OpId op = m_workspace.selection().op; op.valid())
        session[u"op"] = QString::fromStdString(graph->op(op).name);
    QJsonObject states;
    for (const auto& [view, state] : m_workspace.viewStates())
        states[view] = state;
    session[u"views"] = states;
    QSettings().setValue(kSession, QJsonDocument(session).toJson(QJsonDocument::Compact));
}

bool Session::restore() {
    const QJsonObject session = storedSession();
    const QString project = session[u"project"].toString(),
                  path = project.isEmpty() ? session[u"model"].toString() : project;
    if (path.isEmpty())
        return false;
    if (!QFileInfo::exists(path)) {
        m_window.messageBar()->showError(
            tr("%1, which was open last, no longer exists. Open it from its new place.")
                .arg(QFileInfo(path).fileName()),
            path);
        return false;
    }
    qCInfo(sessionLog, "goes on with %s", qUtf8Printable(path));
    // Once, and only if it is this document that opens.
    auto* once = new QObject(this);
    connect(&m_workspace, &views::Workspace::viewStatesLoaded, once, [this, once, session, project] {
        once->deleteLater();
        disconnect(&m_workspace, nullptr, once, nullptr);
        if (project.isEmpty() ? m_workspace.modelPath() == session[u"model"].toString()
                              : m_workspace.savedProject() != nullptr)
            applyLook(session);
    });
    const QString target = session[u"target"].toString(), host = session[u"host"].toString();
    const bool isKnown =
        !target.isEmpty() && m_workspace.catalog().find(target.toStdString(), host.toStdString());
    if (!project.isEmpty()) {
        m_workspace.openProject(project);
    } else {
        std::map<std::string, std::int64_t> bindings;
        const QJsonObject values = session[u"bindings"].toObject();
        for (auto it = values.begin(); it != values.end(); ++it)
            bindings[it.key().toStdString()] = it->toInteger(1);
        if (isKnown) // before the model, so that it is no step of the history
            m_workspace.setTarget(target, host);
        m_workspace.openModel(path, bindings);
    }
    return true;
}

void Session::applyLook(const QJsonObject& look) {
    m_window.panels().show(static_cast<Question>(std::clamp(look[u"question"].toInt(), 0, kQuestions - 1)));
    // A project brings its own; without one they are ours to bring back.
    if (const QJsonObject states = look[u"views"].toObject();
        !m_workspace.savedProject() && !states.isEmpty()) {
        for (auto it = states.begin(); it != states.end(); ++it)
            m_workspace.setViewState(it.key(), it->toObject());
        emit m_workspace.viewStatesLoaded();
    }
    if (const OpId op = m_workspace.graph()->findOp(look[u"op"].toString().toStdString()); op.valid())
        m_workspace.selectOp(op);
}

} // namespace pim::studio
