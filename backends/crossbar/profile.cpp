// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/profile.h"

#include "backends/crossbar/profile_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace pim {
namespace {

std::optional<double> priced(std::int64_t amount, const std::optional<double>& pj) {
    if (amount == 0)
        return 0.0; // what did not happen costs nothing, whatever it would cost
    return pj ? std::optional(double(amount) * *pj) : std::nullopt;
}

/// 1 mW over 1 ns is 1 pJ. The whole machine leaks, idle cores and arrays too.
std::optional<double> leakagePj(const CrossbarChip& chip, double ns) {
    const CrossbarEnergy& energy = chip.energy;
    if (!energy.arrayLeakageMw || !energy.coreLeakageMw || !energy.chipLeakageMw)
        return std::nullopt;
    return ns * (double(chip.logicalArrays()) * *energy.arrayLeakageMw +
                 chip.cores() * *energy.coreLeakageMw + chip.chips() * *energy.chipLeakageMw);
}

CrossbarEnergyParts energyOf(const CrossbarChip& chip, const ProfileEngine::Totals& totals) {
    CrossbarEnergyParts parts;
    parts.arrays = priced(totals.activations, chip.energy.mvmPj);
    parts.vector = priced(totals.vectorBytes, chip.energy.vectorPjPerByte);
    parts.local = priced(totals.localBytes, chip.energy.localPjPerByte);
    parts.global = priced(totals.globalBytes, chip.energy.globalPjPerByte);
    parts.network = priced(totals.networkByteHops, chip.energy.networkPjPerByteHop);
    parts.offChip = priced(totals.offChipByteHops, chip.energy.offChipPjPerByte);
    parts.leakage = leakagePj(chip, totals.endNs);
    return parts;
}

SpanRole roleOf(CrossbarLimit kind) {
    switch (kind) {
    case CrossbarLimit::Arrays:
        return SpanRole::Compute;
    case CrossbarLimit::Vector:
        return SpanRole::Vector;
    case CrossbarLimit::Local:
        return SpanRole::Other;
    case CrossbarLimit::Memory:
        return SpanRole::MemoryIn;
    default:
        return SpanRole::Transfer;
    }
}

/// Tracks that have spans, cores first, each with its units; a label a layer.
Timeline timelineOf(const ProfileEngine& engine, const CrossbarChip& chip, const ProfileOptions& options) {
    Timeline timeline;
    for (int kind = 0; kind < int(CrossbarLimit::Idle); ++kind)
        timeline.kinds.push_back({.name = std::string(name(CrossbarLimit(kind))),
                                  .role = roleOf(CrossbarLimit(kind)),
                                  .inLegend = CrossbarLimit(kind) != CrossbarLimit::Wait});
    timeline.labels = {""};
    timeline.labelOps = {-1};
    for (std::size_t layer = 0; layer < engine.layers.size(); ++layer) {
        timeline.labels.push_back(layer < options.layerNames.size() ? options.layerNames[layer]
                                                                    : fmt::format("layer {}", layer));
        timeline.labelOps.push_back(layer < options.layerOps.size() ? options.layerOps[layer] : -1);
    }
    std::map<std::uint32_t, std::uint32_t> tracks; // of the engine -> of the timeline
    for (const ProfileEngine::Span& span : engine.spans)
        tracks.emplace(span.track, 0);
    const std::uint32_t firstServer = engine.serverTrack(0);
    const int units = 2 + chip.vectorUnits;
    for (auto& [from, to] : tracks) {
        to = std::uint32_t(timeline.tracks.size());
        if (from >= firstServer) {
            const SharedServer& server = engine.interconnect().servers()[from - firstServer];
            timeline.tracks.push_back(
                {.name = server.name(),
                 .group = server.kind == SharedServer::Kind::Memory ? "global memory" : "network"});
            continue;
        }
        const int core = int(from) / units, unit = int(from) % units;
        const std::string which =
            unit > 1 && chip.vectorUnits > 1 ? fmt::format(" {}", unit - 2) : std::string();
        timeline.tracks.push_back({.name = fmt::format("core {} {}{}", core,
                                                       unit == 0   ? "arrays"
                                                       : unit == 1 ? "copies"
                                                                   : "vector",
                                                       which),
                                   .group = unit == 0   ? "products"
                                            : unit == 1 ? "copies"
                                                        : "vector units"});
    }
    // Where spans are left out the picture ends with the last time that has all of them.
    const double endNs = std::min(engine.spansEndNs, engine.totals.endNs);
    timeline.spans.reserve(engine.spans.size());
    for (const ProfileEngine::Span& span : engine.spans)
        timeline.spans.push_back({span.startNs, float(std::min(span.endNs, endNs) - span.startNs),
                                  tracks[span.track], std::uint16_t(span.kind), 0xffff, span.layer + 1});
    timeline.finish();
    timeline.endNs = endNs;
    if (engine.spansCut)
        timeline.runNs = engine.totals.endNs;
    return timeline;
}

} // namespace

std::string_view name(CrossbarLimit limit) {
    constexpr std::array<std::string_view, std::size_t(CrossbarLimit::Count_)> kNames{
        "wait", "arrays", "vector", "local", "memory", "network", "idle"};
    return kNames[std::size_t(limit)];
}

CrossbarLimit CoreProfile::limit() const {
    const auto last = spentNs.begin() + int(CrossbarLimit::Idle);
    const auto most = std::max_element(spentNs.begin(), last);
    return *most > 0 ? CrossbarLimit(most - spentNs.begin()) : CrossbarLimit::Idle;
}

std::optional<double> CrossbarEnergyParts::total() const {
    double sum = 0;
    for (const std::optional<double>& part : {arrays, vector, local, global, network, offChip, leakage}) {
        if (!part)
            return std::nullopt;
        sum += *part;
    }
    return sum;
}

Result<CrossbarProfile> profileCrossbar(const CrossbarProgram& program, const CrossbarChip& chip,
                                        const ProfileOptions& options, const TaskContext& task) {
    if (!options.isChecked)
        PIM_CHECK(checkCrossbarProgram(program, chip));
    ProfileEngine engine(program, chip, options);
    PIM_CHECK(engine.run(task));
    const ProfileEngine::Totals& totals = engine.totals;
    CrossbarProfile profile;
    profile.endNs = totals.endNs;
    profile.latencyNs = totals.firstRunNs;
    profile.periodNs =
        options.samples > 1 ? (totals.endNs - totals.firstRunNs) / (options.samples - 1) : totals.endNs;
    profile.firstBatchNs = profile.periodNs * std::max(1, options.pipelineDepth);
    profile.instructions = totals.instructions;
    profile.products = totals.products;
    profile.activations = totals.activations;
    profile.loadBytes = totals.loadBytes;
    profile.storeBytes = totals.storeBytes;
    profile.networkBytes = totals.networkBytes;
    profile.networkByteHops = totals.networkByteHops;
    profile.offChipBytes = totals.offChipBytes;
    profile.localBytes = totals.localBytes;
    profile.arraysUsed = totals.arraysUsed;
    profile.arrays = chip.logicalArrays();
    if (totals.endNs > 0 && totals.arraysUsed > 0)
        profile.arrayBusy = totals.arrayNs / (double(totals.arraysUsed) * totals.endNs);
    profile.energy = energyOf(chip, totals);
    for (const SharedServer& server : engine.interconnect().servers())
        if (server.bytes > 0)
            profile.servers.push_back(server);
    if (options.timeline)
        profile.timeline = timelineOf(engine, chip, options);
    if (options.times)
        profile.times = std::move(engine.times);
    profile.cores = std::move(engine.cores);
    for (CoreProfile& core : profile.cores) {
        double& idle = core.spentNs[std::size_t(CrossbarLimit::Idle)];
        idle = 0;
        idle = totals.endNs - std::accumulate(core.spentNs.begin(), core.spentNs.end(), 0.0);
    }
    profile.layers = std::move(engine.layers);
    for (LayerProfile& layer : profile.layers)
        if (std::isinf(layer.firstNs))
            layer.firstNs = 0;
    return profile;
}

} // namespace pim
