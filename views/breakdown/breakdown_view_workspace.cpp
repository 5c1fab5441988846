// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the breakdown meets the workspace.
#include "core/timeline/limits.h"
#include "views/breakdown/breakdown_view.h"
#include "views/common/core_sentences.h"
#include "views/common/text.h"
#include "views/models/filter_stack.h"
#include "views/models/simulation_source.h"
#include "views/models/workspace.h"

namespace pim::views {

BreakdownView::BreakdownView(Workspace& workspace, QWidget* parent) : BreakdownView(parent) {
    setOpSentences([&workspace](OpId op) { return workspace.simulations()->sentenceOf(op); });
    const auto takeSimulation = [this, &workspace] {
        if (const SimulationSource* source = workspace.simulations())
            setSimulation(source->simulation(), source->plan(),
                          source->limits() ? coreSentence(source->limits()->sentence) : QString());
    };
    const auto takePlan = [this, &workspace, takeSimulation] {
        setPlan(workspace.plan(), workspace.isStale());
        takeSimulation();
    };
    const auto takeFilters = [this, &workspace] {
        const FilterStack& filters = *workspace.filters();
        std::vector<bool> passes;
        if (workspace.graph() && !filters.isEmpty())
            for (std::size_t i = 0; i < workspace.graph()->ops.size(); ++i)
                passes.push_back(filters.passes(OpId(static_cast<std::int64_t>(i))));
        setPassing(std::move(passes));
    };
    connect(workspace.filters(), &FilterStack::changed, this, takeFilters);
    connect(workspace.simulations(), &SimulationSource::changed, this, takeSimulation);
    const auto takeSelection = [this, &workspace] { setSelectedOp(workspace.selection().op); };
    connect(&workspace, &Workspace::planChanged, this, takePlan);
    connect(&workspace, &Workspace::selectionChanged, this, takeSelection);
    connect(this, &BreakdownView::opSelected, &workspace, &Workspace::selectOp);
    takePlan();
    takeFilters();
    takeSelection();
}

} // namespace pim::views
