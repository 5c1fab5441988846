// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/upmem_panels.h"

#include "backends/upmem/code_demands.h"
#include "views/upmem/code_view.h"
#include "views/upmem/dpu_memory_view.h"
#include "views/upmem/dpus_view.h"
#include "views/upmem/lut_mappings_view.h"
#include "views/upmem/roofline_view.h"
#include "views/upmem/tasklets_view.h"

#include <QCoreApplication>

namespace pim::views {
namespace {

struct UpmemPanels {
    Q_DECLARE_TR_FUNCTIONS(pim::views::UpmemPanels)
};

template <class View>
FamilyPanel panel(const char* id, const QString& title) {
    return {id,
            title,
            [](Workspace& workspace, const PanelLinks&) { return new View(workspace); },
            [](QWidget& view, bool isSeen) { static_cast<View&>(view).setSeen(isSeen); },
            {}};
}

PanelColumns columns() {
    PanelColumns columns;
    columns[Question::WhereTimeGoes] = {
        {70,
         {{50, {"graph", "dpus"}},
          {50, {"breakdown", "limits", "tasklets", "dpu_roofline", "timeline", "pipeline"}}}},
        factsColumn(30),
    };
    columns[Question::WhyThisDraft] = {
        besides(24, {"inspector", "graph", "dpu_roofline"}, 1),
        {50,
         {{50, {"drafts", "dpu_code", "lut_mappings", "tiles", "compare", "predictor", "program", "levels"}},
          {50, {"tasklets", "dpu_memory"}}}},
        {26, {{100, {"hardware", "dpus"}}}},
    };
    columns[Question::WhatIf] = {
        {27, {{55, {"decisions"}}, {45, {"history", "messages"}}}},
        {45,
         {{55, {"runs", "which", "systems", "lut", "codebooks", "sql", "breakdown"}},
          {45, {"dpus", "dpu_roofline"}}},
         60},
        besides(28, {"inspector", "graph", "hardware"}, 0),
    };
    return columns;
}

} // namespace

FamilyPanels upmemPanels() {
    FamilyPanels family;
    family.backends = {"upmem"};
    family.layoutKey = QStringLiteral("-dpus");
    family.panels = {panel<DpusView>("dpus", UpmemPanels::tr("DPUs")),
                     panel<DpuMemoryView>("dpu_memory", UpmemPanels::tr("DPU Memory")),
                     panel<TaskletsView>("tasklets", UpmemPanels::tr("Tasklets")),
                     panel<DpuCodeView>("dpu_code", UpmemPanels::tr("DPU Code")),
                     panel<LutMappingsView>("lut_mappings", UpmemPanels::tr("LUT Mappings")),
                     panel<RooflineView>("dpu_roofline", UpmemPanels::tr("DPU Roofline"))};
    family.columns = columns();
    const QString decisions = QStringLiteral("upmem#your-decisions");
    for (const std::string_view field : upmem::kCodeFields)
        family.fieldHelp.emplace_back(QString::fromUtf8(field.data(), qsizetype(field.size())), decisions);
    return family;
}

} // namespace pim::views
