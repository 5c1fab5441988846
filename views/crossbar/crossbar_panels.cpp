// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/crossbar/crossbar_panels.h"

#include "views/crossbar/chip_map_view.h"
#include "views/crossbar/crossbar_figures.h"

#include <QCoreApplication>

namespace pim::views {
namespace {

struct CrossbarPanels {
    Q_DECLARE_TR_FUNCTIONS(pim::views::CrossbarPanels)
};

PanelColumns columns() {
    PanelColumns columns;
    columns[Question::WhereTimeGoes] = {
        {70, {{45, {"graph"}}, {55, {"timeline", "breakdown", "limits", "pipeline"}}}},
        factsColumn(30),
    };
    columns[Question::WhyThisDraft] = {
        {72, {{62, {"chips"}}, {38, {"timeline", "graph"}}}, 60},
        besides(28, {"inspector", "hardware"}, 0),
    };
    columns[Question::WhatIf] = {
        {25, {{55, {"decisions"}}, {45, {"history", "messages"}}}},
        {48, {{45, {"runs", "sweep", "which", "systems", "breakdown", "sql"}}, {55, {"chips"}}}, 60},
        besides(27, {"inspector", "graph"}, 0),
    };
    return columns;
}

} // namespace

FamilyPanels crossbarPanels() {
    using Shows = StageWords::Shows;
    FamilyPanels family;
    family.backends = {"crossbar"};
    family.layoutKey = QStringLiteral("-chips");
    family.panels = {{"chips", CrossbarPanels::tr("Chips"),
                      [](Workspace& workspace, const PanelLinks&) { return new ChipMapView(workspace); }}};
    family.columns = columns();
    family.whyText = CrossbarPanels::tr("Why This &Mapping");
    family.whyTip = CrossbarPanels::tr("Why this mapping? Chips, timeline, hardware");
    family.sweepFigures = {{"samples_per_second", CrossbarPanels::tr("Samples per second"),
                            CrossbarPanels::tr("samples per second"), false},
                           {"arrays_busy_share", CrossbarPanels::tr("Products at work"),
                            CrossbarPanels::tr("products at work, %"), true}};
    family.stages = {
        {"layers",
         CrossbarPanels::tr("Finds the layers whose weights arrays hold, and the ops that go with each"),
         Shows::Ops},
        {"mapping",
         CrossbarPanels::tr("Decides how many copies of each layer there are, and in which cores")},
        {"schedule", CrossbarPanels::tr("Writes what every core does and when it waits for another")},
        {"profile",
         CrossbarPanels::tr("Times the program on the cores, their memories and the network between them"),
         Shows::Times},
    };
    family.arrays = crossbarFigures();
    return family;
}

} // namespace pim::views
