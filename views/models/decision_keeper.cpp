// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/decision_keeper.h"

#include <QJsonDocument>
#include <QLockFile>

#include <algorithm>

namespace pim::views {
namespace {

constexpr int kViewsDelayMs = 2000; ///< Scrolling must not write a file at every step.

DecisionState stateOf(const DecisionKeeper::Snapshot& snapshot) {
    DecisionState state = stateOf(*snapshot.decisions);
    state.lastNote = snapshot.lastNote;
    for (const auto& [view, json] : snapshot.viewStates)
        state.viewStates[view.toStdString()] =
            QJsonDocument(json).toJson(QJsonDocument::Compact).toStdString();
    return state;
}

std::vector<std::string> namesOf(const std::vector<Variant>& variants) {
    std::vector<std::string> names;
    for (const Variant& variant : variants)
        names.push_back(variant.name);
    return names;
}

} // namespace

void DecisionKeeper::init() {
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &DecisionKeeper::saveProject);
    connect(&m_autosave, &QTimer::timeout, this, &DecisionKeeper::saveRecovery);
}

DecisionKeeper::~DecisionKeeper() {
    m_writing.wait();
}

void DecisionKeeper::setProject(const std::filesystem::path& project,
                                const std::shared_ptr<const Decisions>& known) {
    m_writing.wait(); // what was under way belongs to the old one
    m_soon.stop();
    m_project = project;
    m_readOnlyProject.clear();
    m_storedVariants = known ? namesOf(known->variants) : std::vector<std::string>();
    m_stored = known;
    m_isDirty = false;
}

void DecisionKeeper::setRecovery(const QString& folder, std::chrono::milliseconds interval) {
    m_folder = folder;
    m_autosave.start(interval);
}

void DecisionKeeper::adopt(std::unique_ptr<RecoverySession> session) {
    m_session = std::move(session);
    m_recovered.reset();
}

void DecisionKeeper::forget() {
    m_writing.wait();
    if (m_session)
        m_session->remove();
    m_session.reset();
    m_recovered.reset();
}

void DecisionKeeper::decisionsChanged() {
    if (m_project.empty())
        return;
    m_isDirty = true;
    m_soon.start(0);
}

void DecisionKeeper::viewsChanged() {
    if (m_project.empty())
        return;
    m_isDirty = true;
    if (!m_soon.isActive())
        m_soon.start(kViewsDelayMs);
}

void DecisionKeeper::planned() {
    saveRecovery();
}

std::vector<std::string> DecisionKeeper::removedVariants(const Decisions& now) const {
    std::vector<std::string> removed;
    for (const std::string& name : m_storedVariants)
        if (std::ranges::find(now.variants, name, &Variant::name) == now.variants.end())
            removed.push_back(name);
    return removed;
}

Result<void> DecisionKeeper::write(const Snapshot& snapshot, const std::filesystem::path& project,
                                   const std::vector<std::string>& removed) const {
    PIM_TRY(const std::unique_ptr<Project> file, Project::open(project));
    return file->saveDecisions(stateOf(snapshot), removed);
}

void DecisionKeeper::saveProject() {
    if (!m_isDirty || m_isWriting || m_project.empty())
        return; // what is being written is followed by the newest
    const Snapshot snapshot = m_take();
    if (!snapshot.decisions->graph || !snapshot.decisions->target)
        return;
    m_isDirty = false;
    m_isWriting = true;
    if (snapshot.decisions != m_stored)
        emit replacing();
    m_writing.start([this, snapshot, project = m_project, removed = removedVariants(*snapshot.decisions)] {
        const Result<void> written = write(snapshot, project, removed);
        QMetaObject::invokeMethod(
            this,
            [this, snapshot, project, written] {
                m_isWriting = false;
                if (project == m_project && !written) {
                    m_isDirty = true; // tried again with the next change, and at the end
                    emit failed(written.error());
                    return;
                }
                if (project == m_project) {
                    m_storedVariants = namesOf(snapshot.decisions->variants);
                    m_stored = snapshot.decisions;
                    emit stored(snapshot.decisions);
                }
                saveProject();
            },
            Qt::QueuedConnection);
    });
}

void DecisionKeeper::saveRecovery() {
    if (!m_project.empty() || m_folder.isEmpty())
        return;
    const Snapshot snapshot = m_take();
    if (!snapshot.isModified)
        return forget();
    if (snapshot.decisions == m_recovered || !snapshot.decisions->graph || !snapshot.decisions->target)
        return;
    if (!m_session) {
        auto session = RecoverySession::begin(m_folder);
        if (!session) {
            m_folder.clear(); // told once
            emit failed(session.error());
            return;
        }
        m_session = std::move(*session);
    }
    m_recovered = snapshot.decisions;
    m_writing.start(
        [this, snapshot, project = m_readOnlyProject, session = m_session.get()] { // forget() waits for us
            if (const auto saved = session->save(stateOf(snapshot), project); !saved)
                QMetaObject::invokeMethod(
                    this, [this, error = saved.error()] { emit failed(error); }, Qt::QueuedConnection);
        });
}

void DecisionKeeper::flush() {
    m_writing.wait();
    m_soon.stop();
    if (!m_isDirty || m_project.empty())
        return;
    const Snapshot snapshot = m_take();
    if (!snapshot.decisions->graph || !snapshot.decisions->target)
        return;
    m_isDirty = false;
    if (const auto written = write(snapshot, m_project, removedVariants(*snapshot.decisions)); !written)
        emit failed(written.error());
    else
        emit stored(snapshot.decisions);
}

void DecisionKeeper::leave() {
    flush();
    m_writing.wait();
    m_session.reset();
    m_recovered.reset();
}

void DecisionKeeper::close() {
    flush();
    forget();
}

} // namespace pim::views
