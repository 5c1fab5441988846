// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the commands meet the workspace.
#include "core/base/number_text.h"
#include "views/commands/command_picture.h"
#include "views/commands/commands_view.h"
#include "views/models/op_source.h"
#include "views/models/workspace.h"

namespace pim::views {
namespace {

struct ShownCommands {
    std::shared_ptr<const CommandPicture> picture;
    QString channels;
};

Result<std::shared_ptr<const void>> commandsOf(const Backend& backend,
                                               const std::shared_ptr<const Plan>& plan, OpId op,
                                               const TaskContext& task) {
    PIM_TRY(auto trace, backend.trace(*plan, op, task));
    auto shown = std::make_shared<ShownCommands>();
    PIM_TRY(shown->picture, CommandPicture::draw(std::move(trace), task));
    // One channel is simulated; the others run the same commands on other data.
    if (const auto places = backend.places(*plan, op))
        shown->channels = CommandsView::tr("1 of %1 equal channels")
                              .arg(QString::fromStdString(exactText((*places)->groups)));
    return shown;
}

} // namespace

CommandsView::CommandsView(Workspace& workspace, QWidget* parent) : CommandsView(parent) {
    auto* source = new OpSource(workspace, tr("Timing the commands of %1"), commandsOf, this);
    const auto takeOps = [this, &workspace] {
        if (const auto plan = workspace.plan(); !plan || !workspace.isStale())
            setOps(plan ? pimOps(*plan) : std::vector<std::pair<OpId, QString>>());
        setSelectedOp(workspace.selection().op);
    };
    connect(&workspace, &Workspace::planChanged, this, takeOps);
    connect(&workspace, &Workspace::selectionChanged, this, takeOps);
    connect(this, &CommandsView::opChosen, &workspace, &Workspace::selectOp);
    connect(this, &CommandsView::seenChanged, source, &OpSource::setWanted);
    connect(source, &OpSource::changed, this, [this, source] {
        if (source->isStale()) { // the older one stays until the next is there
            setEmptyText(tr("No commands yet"), tr("They are being timed."));
            return setStale(true);
        }
        const auto result = source->result<ShownCommands>();
        setPicture(result ? result->picture : nullptr, result ? result->channels : QString());
        if (!result)
            setEmptyText(tr("No commands to show"), source->note());
    });
    takeOps();
}

} // namespace pim::views
