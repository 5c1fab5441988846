// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dual_mode/dual_mode_panels.h"

#include "backends/dual_mode/plan.h"
#include "views/dual_mode/dual_mode_figures.h"
#include "views/dual_mode/segment_editor.h"
#include "views/dual_mode/speed_map_view.h"

#include <QCoreApplication>

namespace pim::views {
namespace {

struct DualModePanels {
    Q_DECLARE_TR_FUNCTIONS(pim::views::DualModePanels)
};

/// The segments that run pieces of an op.
QString whereOpRuns(const Plan& plan, OpId op) {
    const auto* dualMode = dynamic_cast<const DualModePlan*>(plan.detail.get());
    if (!dualMode)
        return {};
    QStringList found;
    for (std::size_t s = 0; s < dualMode->segmentation.segments.size(); ++s)
        for (int sub = dualMode->segmentation.segments[s].first;
             sub <= dualMode->segmentation.segments[s].last; ++sub)
            if (const int matrix = dualMode->subOps[std::size_t(sub)].op;
                dualMode->workload->ops[std::size_t(matrix)].op == op)
                found.append(DualModePanels::tr("segment %1").arg(s + 1));
    found.removeDuplicates();
    return found.isEmpty() ? DualModePanels::tr("beside the arrays") : found.join(QStringLiteral(", "));
}

PanelColumns columns() {
    PanelColumns columns;
    columns[Question::WhereTimeGoes] = {
        {70, {{45, {"graph"}}, {55, {"timeline", "breakdown", "limits", "pipeline"}}}},
        factsColumn(30),
    };
    columns[Question::WhyThisDraft] = {
        {70, {{52, {"segments"}}, {48, {"timeline"}}}},
        {30, {{52, {"inspector", "graph"}}, {48, {"speed", "hardware"}}}},
    };
    columns[Question::WhatIf] = {
        {25, {{55, {"decisions"}}, {45, {"history", "messages"}}}},
        // Runs are compared in words, bars and a table: with segments below that takes a high window.
        {48, {{55, {"runs", "sweep", "which", "systems", "breakdown", "sql"}}, {45, {"segments"}}}, 90},
        besides(27, {"inspector", "graph"}, 0),
    };
    return columns;
}

} // namespace

FamilyPanels dualModePanels() {
    using Shows = StageWords::Shows;
    const QString segment = QStringLiteral("concepts#segment"),
                  array = QStringLiteral("concepts#dual-mode-array");
    FamilyPanels family;
    family.backends = {"dual_mode"};
    family.layoutKey = QStringLiteral("-segments");
    family.panels = {
        {"segments", DualModePanels::tr("Segments"),
         [](Workspace& workspace, const PanelLinks&) { return new SegmentEditor(workspace); }},
        {"speed", DualModePanels::tr("Array Counts"),
         [](Workspace& workspace, const PanelLinks&) { return new SpeedMapView(workspace); }},
    };
    family.columns = columns();
    family.whyText = DualModePanels::tr("Why These Se&gments");
    family.whyTip = DualModePanels::tr("Why these segments? Segments, timeline, array counts");
    family.stages = {
        {"operators",
         DualModePanels::tr("Finds the matrix operators and cuts them to the size of the arrays"),
         Shows::Ops},
        {"segments",
         DualModePanels::tr(
             "Cuts the network into segments and gives each arrays that compute and arrays that store"),
         Shows::Times},
    };
    family.whereOpRuns = whereOpRuns;
    family.arrays = dualModeFigures();
    family.cellColors = {Role::Compute, Role::Compute, Role::MemoryIn}; // a third of the arrays, as memory
    family.sweepFigures = {
        {"memory_share", DualModePanels::tr("Memory share"), DualModePanels::tr("memory arrays, %"), true}};
    family.partsHeading = DualModePanels::tr("Arrays and segments");
    family.fieldHelp = {{QStringLiteral("segment"), segment},
                        {QStringLiteral("strategy"), segment},
                        {QStringLiteral("border"), segment},
                        {QStringLiteral("compute"), array},
                        {QStringLiteral("memory"), array}};
    return family;
}

} // namespace pim::views
