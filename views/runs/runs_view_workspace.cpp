// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the run history meets the workspace.
#include "views/models/workspace.h"
#include "views/runs/runs_view.h"

namespace pim::views {

RunsView::RunsView(Workspace& workspace, QWidget* parent) : RunsView(parent) {
    const auto takeRuns = [this, &workspace] {
        Project* project = workspace.project();
        if (!project) {
            setRuns({}, {}, false);
            return;
        }
        auto runs = project->runs();
        if (!runs) {
            emit failed(QString::fromStdString(runs.error().text()));
            return;
        }
        setRuns(std::move(*runs), [&workspace](std::int64_t id) -> Result<std::vector<RunOp>> {
            Project* open = workspace.project();
            return open ? open->runOps(id) : fail(ErrorCode::NotFound, "no project is open");
        });
    };
    connect(&workspace, &Workspace::projectChanged, this, takeRuns);
    connect(this, &RunsView::opChosen, &workspace, [&workspace](const QString& name) {
        const auto graph = workspace.graph();
        if (const OpId op = graph ? graph->findOp(name.toStdString()) : OpId(); op.valid())
            workspace.selectOp(op);
    });
    connect(this, &RunsView::failed, &workspace,
            [&workspace](const QString& message) { emit workspace.failed(message, {}); });
    takeRuns();
}

} // namespace pim::views
