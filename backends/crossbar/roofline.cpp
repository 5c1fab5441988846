// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/report.h"

#include "backends/crossbar/plan/plan.h"
#include "core/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

/// Weights of all crossbars of the machine; products of all of them go on side by side.
double cellsOf(const CrossbarChip& chip) {
    double cells = 0;
    for (const CoreId core : FirstIds<CoreId>(chip.cores()))
        for (const CrossbarGroup& group : chip.arraysOf(core))
            cells += double(group.rows) * group.columns * group.count;
    return cells;
}

/// Links of a grid, one each way.
double linksOf(int x, int y) {
    return 2.0 * ((x - 1.0) * y + x * (y - 1.0));
}

/// Where the amounts of layers go; -1: the chip has no such thing.
struct CrossbarRoofs {
    std::size_t arrays = 0, vector = 0, global = 0, local = 0;
    int network = -1, offChip = -1;
};

CrossbarRoofs addRoofs(Roofline& roofline, const CrossbarChip& chip) {
    const double cores = chip.cores(), chips = chip.chips();
    CrossbarRoofs at;
    at.arrays = roofline.ceiling(
        {"crossbars", false, false, 2 * cellsOf(chip) / chip.mvmNs,
         fmt::format("{} crossbars, {} weights, a product every {:g} ns", exactText(chip.logicalArrays()),
                     exactText(chip.weights()), chip.mvmNs)});
    at.vector = roofline.ceiling(
        {"vector units", false, false,
         cores * chip.vectorUnits * chip.vectorBytes / chip.activationBytes() / chip.vectorNs,
         fmt::format("{} of {:g} bytes in {:g} ns", exactText(std::int64_t(cores) * chip.vectorUnits),
                     chip.vectorBytes, chip.vectorNs)});
    at.global = roofline.ceiling({"global memory", true, false, chips * chip.globalBytesPerNs,
                                  fmt::format("{:g} of {}", chips, bandwidthText(chip.globalBytesPerNs))});
    at.local = roofline.ceiling(
        {"local memories", true, false, 2 * cores * chip.localBytesPerNs,
         fmt::format("{:g} of two ports, {} each", cores, bandwidthText(chip.localBytesPerNs))});
    const double links = chip.connection == CrossbarConnection::Bus ? chips
                         : chip.connection == CrossbarConnection::Mesh
                             ? chips * linksOf(chip.coresX, chip.coresY)
                             : 0;
    if (links > 0 && chip.connectionBytesPerNs > 0)
        at.network = int(roofline.ceiling(
            {chip.connection == CrossbarConnection::Bus ? "buses of the chips" : "links of the mesh", true,
             false, links * chip.connectionBytesPerNs,
             fmt::format("{:g} of {}", links, bandwidthText(chip.connectionBytesPerNs))}));
    if (const double between = linksOf(chip.chipsX, chip.chipsY); between > 0 && chip.offChipBytesPerNs > 0)
        at.offChip = int(
            roofline.ceiling({"links between chips", true, false, between * chip.offChipBytesPerNs,
                              fmt::format("{:g} of {}", between, bandwidthText(chip.offChipBytesPerNs))}));
    return at;
}

/// Crossbars with weights of a layer, and how full they are.
std::string cellsText(const CrossbarPlan& plan, LayerId layer, const LayerProfile& profile, double ns) {
    for (const LayerMapping& mapping : plan.mapping.layers) {
        if (mapping.partition.layer != layer)
            continue;
        const double used = double(mapping.partition.crossbars()) * mapping.replicas;
        return fmt::format(
            "its weights are there {} times, in {} of {} crossbars, which compute {} of its time",
            mapping.replicas, exactText(std::int64_t(used)), exactText(plan.arrays()),
            percentText(used > 0 ? profile.arrayNs / used / ns : 0));
    }
    return {};
}

/// All layers are under way at once: who waits for something shared, waits for what others have of it.
std::string sharedText(const CrossbarProfile& profile) {
    const auto busiest = std::ranges::max_element(profile.servers, {}, &SharedServer::busyNs);
    return busiest == profile.servers.end() || profile.endNs <= 0
               ? std::string()
               : fmt::format("{}, which layers share, is busy {} of the run", busiest->name(),
                             percentText(busiest->busyNs / profile.endNs));
}

} // namespace

Result<Roofline> CrossbarReportFacet::roofline(const Plan& plan, const Simulation&) const {
    Roofline roofline;
    addHost(
        roofline, plan, *m_hostModel, [&](const OpPlan&) { return crossbarHostType(plan.target->host); },
        [](const OpPlan& op) { return op.cost.hostNs; });
    const auto* crossbar = dynamic_cast<const CrossbarPlan*>(plan.detail.get());
    PIM_ASSERT(crossbar != nullptr, "a plan of this backend");
    const CrossbarChip& chip = crossbar->chip;
    const CrossbarRoofs at = addRoofs(roofline, chip);
    const auto& layers = crossbar->network->layers;
    const std::string shared = sharedText(*crossbar->profile);
    for (std::size_t l = 0; l < layers.size() && l < crossbar->profile->layers.size(); ++l) {
        const CrossbarLayer& layer = layers[l];
        const LayerProfile& profile = crossbar->profile->layers[l];
        const double ns = profile.lastNs - profile.firstNs;
        if (layer.ops.empty() || layer.as<HostWork>() || ns <= 0)
            continue; // inputs of the network, and what the host computes
        OpUnderRoof op{layer.ops.front(), false, ns, 0, {}, {}};
        op.amounts.assign(roofline.ceilings.size(), 0);
        const double elements = double(profile.vectorBytes) / chip.activationBytes();
        for (const OpId id : layer.ops)
            op.operations += 2.0 * double(plan.graph->op(id).work.macs);
        op.amounts[at.arrays] = layer.matrix() ? op.operations : 0;
        if (!layer.matrix())
            op.operations = elements;
        op.amounts[at.vector] = elements;
        op.amounts[at.global] = double(profile.globalBytes);
        op.amounts[at.local] = double(profile.portBytes);
        if (at.network >= 0)
            op.amounts[std::size_t(at.network)] = double(profile.networkByteHops);
        if (at.offChip >= 0)
            op.amounts[std::size_t(at.offChip)] = double(profile.offChipByteHops);
        op.why = cellsText(*crossbar, LayerId(std::int64_t(l)), profile, ns);
        if (!shared.empty())
            op.why += (op.why.empty() ? "" : "; ") + shared;
        roofline.ops.push_back(std::move(op));
    }
    std::ranges::sort(roofline.ops, {}, [](const OpUnderRoof& op) { return op.op.index(); });
    return roofline;
}

} // namespace pim
