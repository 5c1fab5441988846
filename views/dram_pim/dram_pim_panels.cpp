// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dram_pim/dram_pim_panels.h"

#include "views/dram_pim/commands_view.h"
#include "views/dram_pim/layout_view.h"

#include <QCoreApplication>

namespace pim::views {
namespace {

struct DramPimPanels {
    Q_DECLARE_TR_FUNCTIONS(pim::views::DramPimPanels)
};

FamilyPanel commandsPanel() {
    return {"commands", DramPimPanels::tr("Commands"),
            [](Workspace& workspace, const PanelLinks& links) {
                auto* view = new CommandsView(workspace);
                QObject::connect(view, &CommandsView::noteClicked, view, links.showNote);
                return view;
            },
            [](QWidget& panel, bool isSeen) { static_cast<CommandsView&>(panel).setSeen(isSeen); },
            [](QWidget& panel, const QString& name, double fromNs, double toNs) {
                static_cast<CommandsView&>(panel).showStretch(name, fromNs, toNs);
            }};
}

FamilyPanel layoutPanel() {
    return {"layout", DramPimPanels::tr("Memory Layout"),
            [](Workspace& workspace, const PanelLinks&) { return new LayoutView(workspace); },
            [](QWidget& panel, bool isSeen) { static_cast<LayoutView&>(panel).setSeen(isSeen); }};
}

} // namespace

FamilyPanels dramPimPanels() {
    FamilyPanels family;
    family.backends = {"aim", "attacc", "hbm_pim"};
    family.layoutKey.clear(); // stored from the time when there was no other family
    family.panels = {commandsPanel(), layoutPanel()};
    family.columns[Question::WhereTimeGoes] = {
        {70, {{55, {"graph"}}, {45, {"breakdown", "limits", "timeline", "commands", "pipeline"}}}},
        factsColumn(30),
    };
    family.columns[Question::WhyThisDraft] = {
        besides(26, {"inspector", "graph"}, 2),
        {44, {{55, {"drafts"}}, {45, {"tiles", "compare", "predictor", "layout", "program", "levels"}}}},
        {30, {{100, {"hardware"}}}},
    };
    return family;
}

} // namespace pim::views
