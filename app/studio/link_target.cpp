// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/link_target.h"

#include "views/models/workspace.h"

#include <utility>

namespace pim::studio {
namespace {

using views::Workspace;
namespace fs = std::filesystem;

bool isOpen(const Workspace& workspace, const fs::path& project) {
    std::error_code error;
    return workspace.project() && fs::equivalent(workspace.project()->file(), project, error);
}

} // namespace

LinkTarget::LinkTarget(Workspace& workspace, QObject* parent) : QObject(parent), m_workspace(workspace) {
    connect(&workspace, &Workspace::projectChanged, this, [this] {
        if (m_project && isOpen(m_workspace, m_project->project))
            follow();
    });
    connect(&workspace, &Workspace::planChanged, this, &LinkTarget::selectOp);
}

void LinkTarget::open(const QString& link) {
    auto parsed = parseLink(link.toStdString());
    if (!parsed)
        return emit m_workspace.failed(
            tr("This link cannot be opened: %1").arg(QString::fromStdString(parsed.error().message)),
            QString::fromStdString(parsed.error().text()));
    std::error_code error;
    parsed->project = fs::absolute(parsed->project, error);
    m_draft.reset();
    m_project = std::move(*parsed);
    if (isOpen(m_workspace, m_project->project))
        return follow();
    if (!fs::is_regular_file(m_project->project, error)) {
        const QString path = QString::fromStdString(m_project->project.string());
        m_project.reset();
        return emit m_workspace.failed(tr("The project of this link does not exist: %1. It may have been "
                                          "moved; open it from its new place.")
                                           .arg(path),
                                       link);
    }
    m_workspace.openProject(QString::fromStdString(m_project->project.string()));
}

void LinkTarget::follow() {
    const RunLink link = *std::exchange(m_project, std::nullopt);
    if (link.run == 0)
        return;
    const auto run = m_workspace.project()->run(link.run);
    if (!run)
        return emit m_workspace.failed(
            tr("The project has no run %1; %2.").arg(link.run).arg(QString::fromStdString(run.error().hint)),
            QString::fromStdString(run.error().text()));
    emit arrived(link.run);
    if (link.op.empty())
        return;
    m_draft = link;
    selectOp();
}

void LinkTarget::selectOp() {
    if (!m_draft || !m_workspace.graph())
        return;
    const OpId op = m_workspace.graph()->findOp(m_draft->op);
    if (!op.valid()) {
        emit m_workspace.failed(tr("The model that is open has no op %1. Open run %2 to see it.")
                                    .arg(QString::fromStdString(m_draft->op))
                                    .arg(m_draft->run),
                                {});
        return m_draft.reset();
    }
    m_workspace.selectOp(op);
    const auto plan = m_workspace.plan();
    if (!m_draft->draft.empty() && (!plan || m_workspace.isStale()))
        return; // the plan comes, and with it the drafts
    const RunLink link = *std::exchange(m_draft, std::nullopt);
    if (link.draft.empty())
        return;
    const auto& space = plan->opPlan(op).space;
    const auto draft = space ? space->draftFromText(link.draft)
                             : fail(ErrorCode::NotFound, "the op has no drafts on this target");
    if (!draft)
        return emit m_workspace.failed(
            tr("The draft of this link does not fit %1 as it is planned now. Open run %2 to see it.")
                .arg(QString::fromStdString(link.op))
                .arg(link.run),
            QString::fromStdString(draft.error().text()));
    views::Selection selection;
    selection.op = op;
    selection.draft = *draft;
    m_workspace.select(selection);
}

QString LinkTarget::whyNoLink(const Workspace& workspace) {
    if (!workspace.savedProject())
        return tr("A link leads into a project: save it first.");
    if (workspace.lastRun() == 0)
        return tr("The plan is not stored as a run yet.");
    return {};
}

QString LinkTarget::linkToSelection(const Workspace& workspace) {
    if (!whyNoLink(workspace).isEmpty())
        return {};
    std::error_code error;
    RunLink link{fs::absolute(workspace.project()->file(), error), workspace.lastRun(), {}, {}};
    const views::Selection& selection = workspace.selection();
    if (selection.op.valid() && workspace.graph())
        link.op = workspace.graph()->op(selection.op).name;
    if (const auto plan = workspace.plan();
        plan && selection.op.valid() && selection.draft && plan->opPlan(selection.op).space)
        link.draft = plan->opPlan(selection.op).space->draftText(*selection.draft);
    return QString::fromStdString(formatLink(link));
}

} // namespace pim::studio
