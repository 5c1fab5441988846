// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/crossbar.h"
#include "backends/crossbar/decide.h"

#include "backends/crossbar/bundle/bundle_files.h"
#include "backends/crossbar/option_text.h"
#include "backends/crossbar/plan/decisions.h"
#include "backends/crossbar/plan/planner.h"
#include "core/base/number_text.h"
#include "core/base/stopwatch.h"
#include "core/graph/unsized.h"
#include "core/plan/plan_totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace pim {
namespace {

/// Everything the mapping without wishes depends on.
std::string keyOf(const PlanRequest& request, const CrossbarOptions& options) {
    std::string key = fmt::format("crossbar\n{}\n{}\n{}\n{}", fmt::ptr(request.graph.get()),
                                  request.graph->source.structureHash, fmt::ptr(request.target.get()),
                                  request.options.seed);
    for (const auto& [name, value] : crossbarOptionTable().write(options))
        key += fmt::format("\n{}={}", name, value);
    return key;
}

/// Everything a mapping depends on that is kept for other schedules: other numbers of layers per stage, other tiles. One that was
/// searched for a number of layers per stage serves another number, but not who asks the search for the number.
std::string mappingKeyOf(const PlanRequest& request, CrossbarOptions options) {
    const bool mapped = options.layersAStage == kMappedStages;
    options.layersAStage = kMappedStages;
    options.tilesFromRows = kMappedTiles;
    return keyOf(request, options) + (mapped ? "" : "\nof another number of layers per stage");
}

/// A plan whose mapping \p options need not search again, as they differ in layers per stage or tiles alone: those change
/// nothing but the schedule. It is kept once more, as the plans built on it would push it out. Null: none.
std::shared_ptr<const CrossbarPlan> sameMapping(const PlanRequest& request, const CrossbarOptions& options,
                                                PlanCache& cache) {
    if (options.layersAStage == kMappedStages && options.tilesFromRows == kMappedTiles)
        return nullptr;
    CrossbarOptions mapped = options;
    mapped.layersAStage = kMappedStages;
    for (const std::string& key : {mappingKeyOf(request, mapped), mappingKeyOf(request, options)})
        if (auto found = std::dynamic_pointer_cast<const CrossbarPlan>(cache.find(key));
            found &&
            (found->options.tilesFromRows == kMappedTiles || options.tilesFromRows != kMappedTiles)) {
            cache.keep(key, request, found);
            return found;
        }
    return nullptr;
}

std::string reasonFor(const CrossbarPlan& plan, std::size_t entry) {
    const LayerMapping& layer = plan.mapping.layers[entry];
    const std::set<CoreId> cores(layer.cores.begin(), layer.cores.end());
    const MatrixWork& work = *plan.network->layers[layer.partition.layer.index()].matrix();
    const int phases = work.window.phases();
    const std::int64_t products =
        productsOfGroup(*plan.network, layer.partition.layer, layer.partition.unfolding);
    const int arrays = layer.partition.crossbars();
    const std::int64_t each = (products + layer.replicas - 1) / layer.replicas;
    const LayerProfile& profile = plan.profile->layers[layer.partition.layer.index()];
    const double busy = double(profile.products) / (double(layer.replicas) * layer.groups()) *
                        plan.chip.mvmNs / plan.sampleNs();
    return fmt::format("{} replica{} of {} array{} in {} core{}, {} {}{} each{}, arrays busy {}, unfolded {}",
                       layer.replicas, layer.replicas == 1 ? "" : "s", arrays, arrays == 1 ? "" : "s",
                       cores.size(), cores.size() == 1 ? "" : "s", each,
                       spansWindows(work, layer.partition.unfolding) ? "product" : "window",
                       each == 1 ? "" : "s", phases > 1 ? fmt::format(" in {} phases", phases) : "",
                       percentText(busy), name(layer.partition.unfolding));
}

Diagnostic apartNote(const CrossbarNetwork& network, const std::vector<LayerId>& apart) {
    return {Severity::Note, network.at(apart.front()).name,
            fmt::format("{} layer{} begin{} a stage of {} own: local memories have no room for rows they "
                        "would take from the "
                        "layers before within a round",
                        apart.size(), apart.size() == 1 ? "" : "s", apart.size() == 1 ? "s" : "",
                        apart.size() == 1 ? "its" : "their"),
            "use cores with more local memory, or fewer layers per stage"};
}

/// The time of a sample shared out to layers by how long each keeps components busy; the parts of a layer
/// likewise. Layers work side by side, so a layer's own time is no part of the sample's.
std::vector<CostSplit> shareOutSample(const CrossbarPlan& plan) {
    std::vector<CostSplit> shares(plan.network->layers.size());
    double sum = 0;
    for (std::size_t layer = 0; layer < shares.size(); ++layer) {
        if (layer >= plan.profile->layers.size())
            break; // the last layers have no instructions
        const CrossbarLayer& done = plan.network->layers[layer];
        if (done.ops.empty() || done.as<HostWork>())
            continue; // inputs: their loads are counted by who reads them
        const LayerProfile& busy = plan.profile->layers[layer];
        const std::int64_t bytes = busy.loadBytes + busy.storeBytes;
        const double loads = bytes > 0 ? double(busy.loadBytes) / double(bytes) : 0;
        shares[layer].computeNs = double(busy.products) * plan.chip.mvmIssueNs + busy.vectorNs;
        shares[layer].inputNs = busy.localNs + busy.memoryNs * loads + busy.networkNs / 2;
        shares[layer].outputNs = busy.memoryNs * (1 - loads) + busy.networkNs / 2;
        sum += shares[layer].totalNs();
    }
    const double scale = sum > 0 ? plan.sampleNs() / sum : 0;
    for (CostSplit& share : shares) {
        share.computeNs *= scale;
        share.inputNs *= scale;
        share.outputNs *= scale;
    }
    return shares;
}

/// The plan made last, whatever it was of: in a sweep, of the point before.
constexpr std::string_view kLatestKey = "crossbar\nlatest";

/// The plan for one network on one chip with all wishes, and without them where \p cache can keep it: what the next decision
/// changes is then that decision's doing.
Result<std::shared_ptr<const CrossbarPlan>> planWithWishes(const PlanRequest& request,
                                                           CrossbarPlanRequest asked, PlanCache* cache,
                                                           const TaskContext& task) {
    const std::vector<LayerWish> wishes = std::exchange(asked.wishes, {});
    const std::string key = keyOf(request, asked.options);
    auto detail = cache ? std::dynamic_pointer_cast<const CrossbarPlan>(cache->find(key)) : nullptr;
    if (!detail && (wishes.empty() || cache)) {
        // How many layers share a stage changes the schedule alone.
        const auto base = cache ? sameMapping(request, asked.options, *cache) : nullptr;
        asked.base = base.get();
        const auto latest =
            cache ? std::dynamic_pointer_cast<const CrossbarPlan>(cache->find(std::string(kLatestKey)))
                  : nullptr;
        asked.neighbour = latest.get();
        PIM_TRY(detail, planCrossbar(asked, task));
        if (cache && !base)
            cache->keep(mappingKeyOf(request, asked.options), request, detail);
        for (const std::string& known : {key, std::string(kLatestKey)})
            if (cache)
                cache->keep(known, request, detail);
        asked.neighbour = nullptr;
    }
    if (wishes.empty())
        return detail;
    asked.wishes = wishes;
    asked.base = detail.get();
    return planCrossbar(asked, task);
}

/// What each op takes and why, by the layer it belongs to.
void fillOps(Plan& plan, const CrossbarPlan& detail) {
    const CrossbarNetwork& network = *detail.network;
    const std::vector<CostSplit> shares = shareOutSample(detail);
    const bool isIdle = detail.schedule->program.size() == 0;
    for (OpPlan& op : plan.ops)
        op.origin = Origin::Simulated;
    for (const OpId id : network.unsized) {
        OpPlan& op = plan.ops[id.index()];
        op.pimVerdict = kUnsizedReason;
        op.reason = std::string("host: ") + kUnsizedReason;
        op.cost.hostNs = op.hostNs;
    }
    for (std::size_t layer = 0; layer < network.layers.size(); ++layer) {
        const CrossbarLayer& done = network.layers[layer];
        for (std::size_t i = 0; i < done.ops.size(); ++i) {
            OpPlan& op = plan.ops[done.ops[i].index()];
            if (const auto* host = done.as<HostWork>()) {
                op.pimVerdict = host->reason;
                op.reason = i == 0 ? "host: " + host->reason
                                   : fmt::format("the host writes the result of {} that way", done.name);
                op.cost.hostNs = i == 0 ? op.hostNs : 0; // what follows the op itself only moves its result
                continue;
            }
            if (isIdle) { // slices and reshapes of inputs
                op.pimVerdict = "nothing on the chip reads its result";
                op.reason = "host: " + op.pimVerdict;
                op.cost.hostNs = op.hostNs;
                continue;
            }
            op.placement = DeviceId::first();
            op.pimCost = i == 0 ? shares[layer] : CostSplit();
            op.cost = *op.pimCost;
            const auto entry = std::ranges::find(network.matrixLayers, LayerId(std::int64_t(layer))) -
                               network.matrixLayers.begin();
            op.reason = i > 0 || done.as<InputWork>() ? fmt::format("done with {}", done.name)
                        : done.matrix()               ? reasonFor(detail, std::size_t(entry))
                                                      : "vector units of the cores that have its input";
        }
    }
}

} // namespace

CrossbarBackend::CrossbarBackend(std::shared_ptr<const HostModel> hostModel)
    : m_hostModel(std::move(hostModel)), m_report(m_hostModel) {}

DataType crossbarHostType(const Host& host) {
    for (const DataType type : {DataType::F16, DataType::F32})
        if (host.peakFlopsPerNs.contains(type))
            return type;
    return host.peakFlopsPerNs.empty() ? DataType::F32 : host.peakFlopsPerNs.begin()->first;
}

const OptionTable* CrossbarBackend::options() const {
    return &crossbarOptionTable();
}

Diagnostics CrossbarBackend::checkTarget(const Target& target) const {
    return crossbarChipProblems(target);
}

Result<std::shared_ptr<const Plan>> CrossbarBackend::plan(const PlanRequest& request, PlanCache* cache,
                                                          const TaskContext& task) const {
    const Graph& graph = *request.graph;
    const Target& target = *request.target;
    const Stopwatch networkTime;
    PIM_TRY(const CrossbarChip chip, crossbarChip(target));
    PIM_TRY(CrossbarNetwork layers, crossbarNetwork(request.graph, chip));
    const auto network = std::make_shared<const CrossbarNetwork>(std::move(layers));
    PIM_TRY(const auto decisions, crossbarDecisions(graph, request.overrides));
    PIM_TRY(CrossbarOptions options, crossbarOptionTable().read(request.options.of(id())));
    PIM_TRY(const auto wishes, crossbarWishes(*network, chip, decisions, options));

    auto plan = std::make_shared<Plan>();
    plan->graph = request.graph;
    plan->target = request.target;
    plan->overrides = request.overrides;
    plan->computeType = chip.weightBits <= 8 ? DataType::I8 : DataType::I16;
    plan->problems = crossbarChipProblems(target); // warnings: with an error it would not come to this
    plan->problems.insert(plan->problems.end(), network->problems.begin(), network->problems.end());
    plan->stages.push_back({"layers", networkTime.milliseconds(), std::ssize(network->layers), "layers"});

    PIM_TRY(const auto detail, planWithWishes(request,
                                              {.network = network,
                                               .chip = chip,
                                               .options = options,
                                               .wishes = wishes,
                                               .seed = unsigned(request.options.seed) + 1,
                                               .threads = request.options.threads},
                                              cache, task));
    plan->detail = detail;
    if (const auto& apart = detail->schedule->apart; !apart.empty())
        plan->problems.push_back(apartNote(*network, apart));
    plan->stages.push_back(
        {"mapping", detail->mapMs, std::ssize(detail->mapping.layers), "layers with weights"});
    plan->stages.push_back(
        {"schedule", detail->scheduleMs, std::int64_t(detail->schedule->program.size()), "instructions"});
    plan->stages.push_back(
        {"profile", detail->profileMs, std::int64_t(detail->schedule->program.size()), "instructions"});

    priceOnHost(*plan, *m_hostModel, crossbarHostType(target.host));
    fillOps(*plan, *detail);
    for (const LayerMapping& layer : detail->mapping.layers) {
        const MatrixWork& work = *network->layers[layer.partition.layer.index()].matrix();
        plan->residentBytes += std::int64_t(work.window.kernelY) * work.window.kernelX * work.inOfGroup() *
                               work.outChannels * layer.replicas * chip.weightBits / 8;
    }
    plan->origin = Origin::Simulated;
    addUp(*plan);
    return plan;
}

Result<std::vector<CodeFile>> CrossbarBackend::lower(const Plan& plan, OpId only,
                                                     const TaskContext& task) const {
    const CrossbarPlan* crossbar = crossbarPlan(plan);
    PIM_ASSERT(crossbar != nullptr, "a plan of this backend");
    if (!only.valid() && crossbar->schedule->program.size() == 0)
        return std::vector<CodeFile>{}; // all of it is on the host
    task.report("writing the program");
    CodeFile file{"network.xbar", {}, {}, {}};
    CrossbarProgram part;
    const CrossbarProgram* program = &crossbar->schedule->program;
    if (only.valid()) {
        const auto& layers = crossbar->network->layers;
        const auto found = std::ranges::find_if(layers, [&](const CrossbarLayer& layer) {
            return std::ranges::find(layer.ops, only) != layer.ops.end();
        });
        if (found == layers.end() || plan.ops[only.index()].onHost())
            return fail(ErrorCode::Unsupported,
                        "it runs on the host, so there are no instructions for the cores",
                        plan.graph->op(only).name);
        part = instructionsOf(*program, std::uint32_t(found - layers.begin()));
        program = &part;
        file.ops = {only};
    } else {
        for (const OpPlan& op : plan.ops)
            if (!op.onHost())
                file.ops.push_back(op.op);
    }
    file.summary =
        fmt::format("{} instructions in {} cores", exactText(std::int64_t(program->size())),
                    std::ranges::count_if(program->cores, [](const auto& core) { return !core.empty(); }));
    file.text = crossbarText(*program);
    return std::vector<CodeFile>{std::move(file)};
}

} // namespace pim
