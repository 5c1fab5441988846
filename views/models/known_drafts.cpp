// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/known_drafts.h"

#include "core/project/known_drafts.h"
#include "views/models/workspace.h"

namespace pim::views {
namespace {

Result<KnownDraftsRead> readFrom(const std::filesystem::path& file) {
    KnownDraftsRead found;
    PIM_TRY(const auto project, Project::open(file, Project::Mode::ReadOnly));
    PIM_TRY(found.stored, project->knownDrafts());
    if (const auto bytes = knownDraftsBytes(file))
        found.bytes = *bytes;
    return found;
}

} // namespace

KnownDrafts::KnownDrafts(Workspace& workspace, std::function<void()> clear)
    : QObject(&workspace), m_workspace(workspace), m_clear(std::move(clear)) {}

KnownDrafts& KnownDrafts::of(const Workspace& workspace) {
    auto* found = workspace.findChild<KnownDrafts*>(QString(), Qt::FindDirectChildrenOnly);
    PIM_ASSERT(found, "every workspace has its known drafts");
    return *found;
}

void KnownDrafts::read(Deliver deliver) {
    m_workspace.tasks()->start(tr("Reading known drafts"),
                               [this, file = m_workspace.project()->file(),
                                deliver = std::move(deliver)](const TaskContext&) -> std::function<void()> {
                                   return [this, file, deliver, found = readFrom(file)] {
                                       if (m_workspace.project() && m_workspace.project()->file() == file)
                                           deliver(found);
                                   };
                               });
}

QString KnownDrafts::whyNotShown() const {
    return m_workspace.project() ? QString() : tr("Save the project first: known drafts are kept in it.");
}

QString KnownDrafts::whyNotCleared() const {
    if (QString reason = whyNotShown(); !reason.isEmpty())
        return reason;
    return m_workspace.project()->readOnly() ? tr("The project is read-only here: its drafts can be cleared "
                                                  "only where it is open for writing.")
                                             : QString();
}

void KnownDrafts::clear() {
    if (const QString reason = whyNotCleared(); !reason.isEmpty())
        return emit m_workspace.failed(reason.chopped(1), {});
    m_clear();
}

} // namespace pim::views
