// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the segment editor meets the workspace.
#include "views/dual_mode/segment_canvas.h"
#include "views/dual_mode/segment_editor.h"
#include "views/models/filter_stack.h"
#include "views/models/workspace.h"

namespace pim::views {
namespace {

/// Decisions that are collected until their step ends, to be undone as one.
struct Step {
    std::optional<Overrides> overrides;
    QString text;
};

} // namespace

SegmentEditor::SegmentEditor(Workspace& workspace, QWidget* parent) : SegmentEditor(parent) {
    const auto takePlan = [this, &workspace] {
        const auto plan = workspace.plan();
        setPlan(plan ? dynamic_cast<const DualModePlan*>(plan->detail.get()) : nullptr,
                plan ? plan->graph.get() : nullptr, workspace.isStale());
    };
    const auto takeSelection = [this, &workspace] { setSelectedOp(workspace.selection().op); };
    connect(&workspace, &Workspace::planChanged, this, takePlan);
    connect(&workspace, &Workspace::selectionChanged, this, takeSelection);
    connect(this, &SegmentEditor::opSelected, &workspace, &Workspace::selectOp);
    setCheck([&workspace](const QString& op, const QString& field, const QString& value) {
        const auto legal = workspace.check({op.toStdString(), field.toStdString(), value.toStdString()});
        return legal ? QString() : QString::fromStdString(legal.error().message);
    });
    const auto step = std::make_shared<Step>();
    connect(this, &SegmentEditor::stepBegan, this, [&workspace, step](const QString& text) {
        step->overrides = workspace.overrides();
        step->text = text;
    });
    connect(this, &SegmentEditor::decisionRequested, this,
            [&workspace, step](const QString& op, const QString& field, const QString& value) {
                const Override decision{op.toStdString(), field.toStdString(), value.toStdString()};
                if (step->overrides)
                    step->overrides->set(decision);
                else
                    workspace.applyOverride(decision);
            });
    connect(this, &SegmentEditor::decisionCleared, this,
            [&workspace, step](const QString& op, const QString& field) {
                if (step->overrides)
                    step->overrides->clear(op.toStdString(), field.toStdString());
                else
                    workspace.clearOverride(op.toStdString(), field.toStdString());
            });
    connect(this, &SegmentEditor::stepEnded, this, [&workspace, step] {
        const std::optional<Overrides> wanted = std::exchange(step->overrides, std::nullopt);
        if (wanted)
            workspace.replaceOverrides(*wanted, step->text);
    });
    const auto takeFilters = [this, filters = workspace.filters()] {
        m_canvas->setFilter(
            [filters](int op) { return filters->isEmpty() || filters->passes(op < 0 ? OpId() : OpId(op)); });
    };
    connect(workspace.filters(), &FilterStack::changed, this, takeFilters);
    takePlan();
    takeSelection();
    takeFilters();
}

} // namespace pim::views
