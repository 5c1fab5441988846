// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/recovery.h"

#include <QCoreApplication>
#include <QDir>
#include <QLockFile>
#include <QStandardPaths>

#include <algorithm>
#include <atomic>

namespace pim::views {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".pimproj";
constexpr const char* kProjectKey = "recovery.project";

std::shared_ptr<QLockFile> lockSession(const QString& folder, const QString& id) {
    auto lock = std::make_shared<QLockFile>(QDir(folder).filePath(id + QStringLiteral(".lock")));
    lock->setStaleLockTime(0); // a holder that died is noticed by its process id
    return lock->tryLock(0) ? lock : nullptr;
}

void removeFile(const fs::path& file) {
    std::error_code ignored;
    for (const char* suffix : {"", "-wal", "-shm"})
        fs::remove(file.string() + suffix, ignored);
}

/// An id from outside is one of the files of the folder or nothing.
bool isSession(const QString& folder, const QString& id) {
    return !id.contains(u'/') && !id.startsWith(u'.') && fs::exists(sessionFile(folder, id));
}

RecoverableSession describeSession(const QString& folder, const QString& id) {
    RecoverableSession session;
    session.id = id;
    const fs::path file = sessionFile(folder, id);
    for (const char* suffix : {"", "-wal"})
        if (const QFileInfo info(QString::fromStdString(file.string() + suffix)); info.exists())
            session.when =
                session.when.isValid() ? std::max(session.when, info.lastModified()) : info.lastModified();
    const auto read = [&]() -> Result<void> {
        PIM_TRY(const std::unique_ptr<Project> project, Project::open(file));
        PIM_TRY(const std::optional<DecisionState> state, project->decisions());
        if (!state)
            return {}; // killed before anything was
        session.modelPath = QString::fromStdString(state->modelPath.string());
        session.target = QString::fromStdString(state->target->id);
        session.project = QString::fromStdString(project->value(kProjectKey).value_or(""));
        session.notes = std::ssize(state->notes);
        session.variants = std::ssize(state->variants);
        for (const Variant& variant : state->variants)
            session.decisions += static_cast<std::int64_t>(variant.overrides.size());
        PIM_TRY(const auto runs, project->runs());
        session.runs = std::ssize(runs);
        PIM_TRY(const auto sweeps, project->sweeps());
        session.sweeps = std::ssize(sweeps);
        if (!fs::exists(state->modelPath))
            return fail(ErrorCode::NotFound, "its model no longer exists", state->modelPath.string());
        return {};
    };
    if (const auto done = read(); !done)
        session.problem = QString::fromStdString(done.error().text());
    return session;
}

/// One run is there as soon as a model is opened.
bool isWorthAnything(const RecoverableSession& session) {
    return session.decisions + session.notes + session.sweeps > 0 || session.variants > 1 || session.runs > 1;
}

struct LockedFile {
    fs::path file;
    std::shared_ptr<QLockFile> lock;
};
Result<LockedFile> newSession(const QString& folder) {
    static std::atomic<int> counter = 0;
    if (!QDir().mkpath(folder))
        return fail(ErrorCode::Io,
                    "the folder for recovery cannot be made, so a crash would lose what is not saved",
                    folder.toStdString(), "save the project");
    const QString id = QStringLiteral("%1-%2-%3")
                           .arg(QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss")))
                           .arg(QCoreApplication::applicationPid())
                           .arg(++counter);
    auto lock = lockSession(folder, id);
    if (!lock)
        return fail(ErrorCode::Io,
                    "the file for recovery cannot be locked, so a crash would lose what is not saved",
                    folder.toStdString(), "save the project");
    return LockedFile{sessionFile(folder, id), std::move(lock)};
}

} // namespace

fs::path sessionFile(const QString& folder, const QString& id) {
    return fs::path(QDir(folder).filePath(id).toStdString() + kEnding);
}

QString recoveryFolder() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation))
        .filePath(QStringLiteral("recovery"));
}

QList<RecoverableSession> recoverableSessions(const QString& folder) {
    QList<RecoverableSession> sessions;
    for (const QString& name :
         QDir(folder).entryList({QStringLiteral("*") + QLatin1String(kEnding)}, QDir::Files)) {
        const QString id = name.chopped(int(std::string_view(kEnding).size()));
        const auto lock = lockSession(folder, id);
        if (!lock)
            continue; // its window lives
        RecoverableSession session = describeSession(folder, id);
        if (session.problem.isEmpty() && !isWorthAnything(session))
            removeFile(sessionFile(folder, id));
        else
            sessions.append(std::move(session));
    }
    std::sort(sessions.begin(), sessions.end(),
              [](const auto& a, const auto& b) { return a.when != b.when ? a.when > b.when : a.id < b.id; });
    return sessions;
}

Result<void> discardSession(const QString& folder, const QString& id) {
    if (!isSession(folder, id))
        return fail(ErrorCode::NotFound, "there is no such session to discard", id.toStdString());
    const auto lock = lockSession(folder, id);
    if (!lock)
        return fail(ErrorCode::Io, "the session cannot be discarded: its window is open", id.toStdString(),
                    "close that window");
    removeFile(sessionFile(folder, id));
    return {};
}

Result<OpenedDocument> readSession(const QString& folder, const QString& id, const TaskContext& task) {
    if (!isSession(folder, id))
        return fail(ErrorCode::NotFound, "there is no such session to recover", id.toStdString());
    auto lock = lockSession(folder, id);
    if (!lock)
        return fail(ErrorCode::Io, "the session cannot be recovered: another window has it", id.toStdString(),
                    "look for that window");
    PIM_TRY(std::unique_ptr<Project> project, Project::open(sessionFile(folder, id)));
    PIM_TRY(OpenedDocument document, readDecisionsOf(*project, task));
    PIM_TRY(StoredDrafts stored, project->knownDrafts());
    document.knownDrafts = std::move(stored.drafts);
    document.project = std::move(project);
    document.lock = std::move(lock);
    document.isUnsaved = document.isRecovered = true;
    return document;
}

Result<std::unique_ptr<RecoverySession>> RecoverySession::begin(const QString& folder) {
    PIM_TRY(LockedFile fresh, newSession(folder));
    return std::make_unique<RecoverySession>(fresh.file, std::move(fresh.lock));
}

Result<CreatedProject> beginSession(const QString& folder) {
    PIM_TRY(LockedFile fresh, newSession(folder));
    PIM_TRY(std::unique_ptr<Project> project, Project::open(fresh.file));
    return CreatedProject{std::move(project), std::move(fresh.lock)};
}

RecoverySession::RecoverySession(fs::path file, std::shared_ptr<QLockFile> lock)
    : m_file(std::move(file)), m_lock(std::move(lock)) {}

Result<void> RecoverySession::save(const DecisionState& state, const fs::path& project) {
    PIM_TRY(const std::unique_ptr<Project> file, Project::open(m_file));
    PIM_TRY(const auto stored, file->variants()); // the file is ours alone: what we do not have is gone
    std::vector<std::string> removed;
    for (const VariantInfo& variant : stored)
        if (std::ranges::find(state.variants, variant.name, &Variant::name) == state.variants.end())
            removed.push_back(variant.name);
    PIM_CHECK(file->setValue(kProjectKey, project.string()));
    return file->saveDecisions(state, removed);
}

void RecoverySession::remove() {
    removeFile(m_file);
}

} // namespace pim::views
