// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the SQL console meets the workspace.
#include "views/models/workspace.h"
#include "views/runs/sql_console.h"

#include <QJsonArray>
#include <QPointer>

namespace pim::views {
namespace {

const QString kView = QStringLiteral("sql");
const QString kHistoryKey = QStringLiteral("history"), kSavedKey = QStringLiteral("saved");

/// Every query has a connection of its own, on the thread it runs on.
SqlAnswer answer(const std::filesystem::path& file, const std::string& sql, std::size_t maxRows,
                 const TaskContext& task) {
    auto project = ProjectQuery::open(file);
    if (!project)
        return {tl::unexpected<Error>(project.error()), {}};
    auto result = project->run(sql, maxRows, task);
    return {std::move(result), project->errorOffset()};
}

SqlConsole::Ask askerOf(Workspace& workspace, SqlConsole* owner) {
    return [&workspace, console = QPointer(owner), file = workspace.project()->file()](
               const QString& sql, std::size_t maxRows,
               const std::function<void(SqlAnswer)>& deliver) -> std::function<void()> {
        const int id = workspace.tasks()->start(
            SqlConsole::tr("Query"),
            [console, deliver, file, query = sql.toStdString(),
             maxRows](const TaskContext& task) -> std::function<void()> {
                return [console, deliver, found = answer(file, query, maxRows, task)] {
                    if (console)
                        deliver(found);
                };
            },
            [console, deliver] { // by the button of the task list, too
                if (console)
                    deliver({TaskContext::cancelledError("the query"), {}});
            });
        return [tasks = QPointer(workspace.tasks()), id] {
            if (tasks)
                tasks->cancel(id);
        };
    };
}

Result<std::vector<SchemaTable>> schemaOf(const std::filesystem::path& file) {
    PIM_TRY(const ProjectQuery query, ProjectQuery::open(file));
    return query.schema();
}

} // namespace

SqlConsole::SqlConsole(Workspace& workspace, QWidget* parent) : SqlConsole(parent) {
    auto takeProject = [this, &workspace, shown = std::filesystem::path()]() mutable {
        const auto file = workspace.project() ? workspace.project()->file() : std::filesystem::path();
        if (shown == file)
            return; // a run more changes neither tables nor columns
        shown = file;
        if (file.empty())
            return setProject(false, {}, {});
        auto schema = schemaOf(file);
        if (!schema)
            emit workspace.failed(QString::fromStdString(schema.error().message),
                                  QString::fromStdString(schema.error().text()));
        setProject(true, schema ? std::move(*schema) : std::vector<SchemaTable>(), askerOf(workspace, this));
    };
    connect(&workspace, &Workspace::projectChanged, this, takeProject);
    connect(&workspace, &Workspace::viewStatesLoaded, this, [this, &workspace] {
        QStringList history;
        for (const QJsonValue sql : workspace.viewState(kView)[kHistoryKey].toArray())
            history << sql.toString();
        setHistory(history);
        Saved saved;
        const QJsonObject named = workspace.viewState(kView)[kSavedKey].toObject();
        for (auto it = named.begin(); it != named.end(); ++it)
            saved[it.key()] = it->toString();
        setSaved(std::move(saved));
    });
    const auto keep = [this, &workspace] {
        QJsonObject named;
        for (const auto& [name, sql] : m_saved)
            named[name] = sql;
        workspace.setViewState(kView,
                               {{kHistoryKey, QJsonArray::fromStringList(m_history)}, {kSavedKey, named}});
    };
    connect(this, &SqlConsole::historyChanged, &workspace, keep);
    connect(this, &SqlConsole::savedChanged, &workspace, keep);
    takeProject();
}

} // namespace pim::views
