// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/lut_plans.h"

#include "core/compile/compiler.h"
#include "core/compile/request_price.h"
#include "views/models/workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pim::views {
namespace {

constexpr const char* kLookUpPass = "look_up_tables";

std::string optionsText(const LutSizes& sizes) {
    std::string text;
    for (const auto& [layer, size] : sizes)
        text += fmt::format("{}={}/{},", layer, size.length, size.centroids);
    return text;
}

/// Options of the pass that convert exactly these: it takes parts of names, of which the last that fits decides.
OptionTexts passOptionsOf(const LutSizes& sizes, const Graph& graph) {
    std::vector<std::string> names;
    for (const auto& [layer, size] : sizes)
        names.push_back(layer);
    std::ranges::stable_sort(names, {}, &std::string::size); // a name that is part of another comes before it
    std::string layers, rules;
    for (const std::string& layer : names) {
        layers += (layers.empty() ? "" : ",") + layer;
        const LutLayerSize& size = sizes.at(layer);
        rules += fmt::format("{}{}={}/{}", rules.empty() ? "" : ",", layer, size.length, size.centroids);
    }
    for (const Op& op : graph.ops)
        if (!sizes.contains(op.name) && std::ranges::any_of(names, [&](const std::string& name) {
                return op.name.find(name) != std::string::npos;
            }))
            rules += fmt::format(",{}=off", op.name);
    return {{"v", "1"}, {"layers", layers}, {"sizes", rules}};
}

Result<LutCost> computed(const BackendList& backends, const ImportedModel& model, GraphOptions options,
                         PlanRequest request, const LutSizes& sizes, const TaskContext& task) {
    options.passOptions.erase(kLookUpPass);
    if (!sizes.empty()) {
        PIM_TRY(const auto plain, buildGraph(model, options, task));
        options.passOptions[kLookUpPass] = passOptionsOf(sizes, *plain);
    }
    PIM_TRY(request.graph, buildGraph(model, options, task));
    PIM_TRY(const auto plan, compile(backends, request, nullptr, task));
    PIM_TRY(const Backend* const backend, backends.find(request.target->backend));
    PIM_TRY(const RequestPrice price, requestPrice(*backend, *plan, true, task));
    LutCost cost;
    cost.simulated = price.origin == Origin::Simulated;
    cost.ns = price.ns;
    if (!price.energy.budget.empty())
        cost.energyPj = price.energy.budget.total() / measure::kPicojoule;
    return cost;
}

} // namespace

LutPlans* LutPlans::of(Workspace& workspace) {
    if (auto* known = workspace.findChild<LutPlans*>(QString(), Qt::FindDirectChildrenOnly))
        return known;
    return new LutPlans(workspace);
}

LutPlans::LutPlans(Workspace& workspace) : QObject(&workspace), m_workspace(workspace) {
    connect(&workspace, &Workspace::graphChanged, this, &LutPlans::forget);
    connect(&workspace, &Workspace::targetChanged, this, &LutPlans::forget);
    connect(&workspace, &Workspace::planChanged, this, [this] {
        if (!m_options.empty() && m_options != optionsJson(m_workspace.options()))
            forget();
    });
}

void LutPlans::forget() {
    ++m_revision;
    if (m_task != 0)
        m_workspace.tasks()->cancel(std::exchange(m_task, 0));
    m_known.clear();
    m_waiting.clear();
    m_options.clear();
    emit changed();
}

const Result<LutCost>* LutPlans::costOf(const LutSizes& sizes) {
    const std::string key = optionsText(sizes);
    if (const auto known = m_known.find(key); known != m_known.end())
        return &known->second;
    const bool asked =
        (m_task != 0 && m_current == key) ||
        std::ranges::find(m_waiting, key, &std::pair<std::string, LutSizes>::first) != m_waiting.end();
    if (!asked && m_workspace.importedModel() && m_workspace.target()) {
        m_waiting.emplace_back(key, sizes);
        beginNext();
    }
    return nullptr;
}

void LutPlans::beginNext() {
    if (m_task != 0 || m_waiting.empty())
        return;
    auto [key, sizes] = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_current = key;
    PlanRequest request;
    request.target = m_workspace.target();
    request.options = m_workspace.options();
    m_options = optionsJson(request.options);
    m_task = m_workspace.tasks()->start(
        tr("Planning with look-up tables"),
        [this, key = key, sizes = sizes, request = std::move(request), revision = m_revision,
         &backends = m_workspace.backends(), model = m_workspace.importedModel(),
         options = m_workspace.graphOptions()](const TaskContext& task) -> std::function<void()> {
            auto cost = computed(backends, *model, options, request, sizes, task);
            return [this, key, revision, cost = std::move(cost)] {
                if (revision != m_revision)
                    return;
                m_task = 0;
                m_known.emplace(key, cost);
                beginNext();
                emit changed();
            };
        },
        [this, revision = m_revision, key = key] { // stopped by the user: not asked again by itself
            if (revision != m_revision)
                return;
            m_task = 0;
            m_waiting.clear();
            m_known.emplace(key, fail(ErrorCode::Cancelled, "planning was stopped"));
            emit changed();
        });
}

} // namespace pim::views
