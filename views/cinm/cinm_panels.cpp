// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cinm/cinm_panels.h"

#include "views/cinm/levels_view.h"

namespace pim::views {

FamilyPanels cinmPanels() {
    FamilyPanels family;
    family.layoutKey = QStringLiteral("-levels");
    family.panels = {{"levels",
                      LevelsView::tr("Levels"),
                      [](Workspace& workspace, const PanelLinks&) { return new LevelsView(workspace); },
                      [](QWidget& view, bool isSeen) { static_cast<LevelsView&>(view).setSeen(isSeen); },
                      {}}};
    return family;
}

} // namespace pim::views
