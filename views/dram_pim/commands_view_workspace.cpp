// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the commands meet the workspace.
#include "core/base/number_text.h"
#include "core/plan/command_facet.h"
#include "views/common/timeline_canvas.h"
#include "views/common/timeline_tools.h"
#include "views/dram_pim/command_picture.h"
#include "views/dram_pim/commands_view.h"
#include "views/models/op_source.h"
#include "views/models/workspace.h"

#include <QLineEdit>

namespace pim::views {
namespace {

const QString kStateName = QStringLiteral("commands");

struct ShownCommands {
    std::shared_ptr<const CommandPicture> picture;
    QString channels;
};

Result<std::shared_ptr<const void>> commandsOf(const Backend& backend,
                                               const std::shared_ptr<const Plan>& plan, OpId op,
                                               const TaskContext& task) {
    PIM_TRY(const CommandFacet* commands, pim::commandsOf(backend));
    PIM_TRY(auto trace, commands->trace(*plan, op, task));
    auto shown = std::make_shared<ShownCommands>();
    PIM_TRY(shown->picture, CommandPicture::draw(std::move(trace), task));
    // One channel is simulated; the others run the same commands on other data.
    if (const auto places = commands->places(*plan, op))
        shown->channels = CommandsView::tr("1 of %1 equal channels")
                              .arg(QString::fromStdString(exactText((*places)->groups)));
    return shown;
}

/// Name in notes of the timeline shown.
std::string timelineName(const CommandsView& view) {
    return "commands/" + view.opName().toStdString();
}

} // namespace

CommandsView::CommandsView(Workspace& workspace, QWidget* parent) : CommandsView(parent) {
    joinOpView(this, workspace, tr("Timing the commands of %1"), commandsOf,
               {tr("No commands yet"), tr("They are being timed."), tr("No commands to show")},
               [this](const OpSource& source) {
                   const auto result = source.result<ShownCommands>();
                   setPicture(result ? result->picture : nullptr, result ? result->channels : QString());
               });

    const auto takeNotes = [this, &workspace] {
        std::vector<TimelineFlag> flags;
        for (const Note& note : workspace.notes())
            if (note.timeline == timelineName(*this))
                flags.push_back({note.id, note.fromNs, note.toNs, QString::fromStdString(note.text)});
        m_canvas->setFlags(std::move(flags));
    };
    connect(&workspace, &Workspace::notesChanged, this, takeNotes);
    connect(this, &CommandsView::pictureChanged, this, takeNotes);
    connect(
        m_note, &NoteLine::noteEntered, &workspace,
        [this, &workspace](double from, double to, const QString& text) {
            workspace.addNote({0, opName().toStdString(), timelineName(*this), from, to, text.toStdString()});
        });

    const auto takeLanes = [this, &workspace] {
        LaneArrangement first;
        first.foldsOthers = true;
        const QJsonObject state = workspace.viewState(kStateName);
        m_canvas->setLanes(state.isEmpty() ? std::move(first) : LaneArrangement::fromJson(state));
        m_laneFilter->setText(m_canvas->lanes().filter);
    };
    connect(&workspace, &Workspace::viewStatesLoaded, this, takeLanes);
    connect(m_canvas, &TimelineCanvas::lanesChanged, &workspace,
            [this, &workspace] { workspace.setViewState(kStateName, m_canvas->lanes().json()); });
    takeLanes();
}

} // namespace pim::views
