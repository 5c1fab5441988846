// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/upmem.h"

#include "backends/upmem/draft_price.h"

#include "core/hardware/plausibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace pim {
namespace {

using namespace upmem;

/// Soft floats are called, not written out: the program has the structure in int32.
Result<Tile> withoutFloats(const Tile& tile) {
    if (computes(tile.shape().type))
        return tile;
    TileShape shape = tile.shape();
    shape.type = DataType::I32;
    return Tile::with(shape, tile.blocks());
}

} // namespace

namespace upmem {

Machine machineOf(const Target& target) {
    Machine machine;
    const double cycleNs = target.timeNs("timing.tCK").value_or(1000.0 / 350);
    machine.timing = dpuTiming(DpuPreset::Hardware, 1000 / std::max(cycleNs, 1e-3));
    machine.timing.readCycles = target.number("dma.read", "cycles").value_or(machine.timing.readCycles);
    machine.timing.writeCycles = target.number("dma.write", "cycles").value_or(machine.timing.writeCycles);
    machine.timing.engineCycles = target.number("dma.engine", "cycles").value_or(machine.timing.engineCycles);
    if (const auto perCycle = target.number("dma.bandwidth", "B/cycle"); perCycle && *perCycle > 0)
        machine.timing.cyclesPerByte = 1 / *perCycle;
    machine.dpus = int(std::clamp<std::int64_t>(target.instances("group"), 1, 1 << 20));
    if (const Level* const core = target.level("core"))
        machine.tasklets = std::clamp(core->count, 1, kMaxTasklets);
    HostLink& link = machine.link;
    link.dpusPerRank = std::max(1, int(target.number("link.dpusPerRank", "count").value_or(64)));
    link.ranks = std::max(1, (machine.dpus + link.dpusPerRank - 1) / link.dpusPerRank);
    const auto gbps = [&](const char* name, double& value) {
        value = target.number(name, "GB/s").value_or(value);
    };
    gbps("link.parallelTo", link.parallelToGbps);
    gbps("link.parallelFrom", link.parallelFromGbps);
    gbps("link.broadcast", link.broadcastGbps);
    gbps("link.serialTo", link.serialToGbps);
    gbps("link.serialFrom", link.serialFromGbps);
    gbps("link.most", link.mostGbps);
    link.callNs = target.number("link.call", "ns").value_or(link.callNs);
    link.launchNs = target.number("link.launch", "ns").value_or(link.launchNs);
    if (target.number("link.pimDl", "switch").value_or(0) != 0)
        link.reading = LinkReading::PimDl;
    return machine;
}

} // namespace upmem

Diagnostics UpmemBackend::checkTarget(const Target& target) const {
    static constexpr std::array<std::string_view, 3> kLevels{"device", "group", "core"};
    Diagnostics problems = checkLevelOrder(target, kLevels, "an UPMEM target", OtherLevels::Allowed);
    const auto error = [&](std::string object, std::string message, std::string hint) {
        problems.push_back({Severity::Error, std::move(object), std::move(message), std::move(hint)});
    };
    if (const Level* const core = target.level("core")) {
        if (core->count > kMaxTasklets)
            error("/levels/core/count",
                  fmt::format("is {} tasklets, a DPU has 1 to {}", core->count, kMaxTasklets),
                  "11 keep its pipeline full, 16 are usual");
        if (core->units.empty())
            error("/levels/core/units", "the tasklets have no unit that computes", "name the pipeline");
        if (const Memory* const mram = core->memory("bank"); !mram)
            error("/levels/core/memories", "the tasklets have no memory \"bank\"",
                  "say what share of the MRAM each has");
        else if (mram->bytes * core->count > kMramBytes)
            error("/levels/core/memories",
                  fmt::format("{} tasklets of {} B are {} B, the MRAM of a DPU has {} B", core->count,
                              mram->bytes, mram->bytes * core->count, kMramBytes),
                  "give each its share");
    }
    if (target.instances("group") < 1)
        error("/levels/group", "there is no DPU", "count at least one");
    const auto clock = target.timeNs("timing.tCK");
    if (!clock || !(*clock > 0.01 && *clock < 1000))
        error("/parameters/timing.tCK", "the clock of the DPU is missing or no clock",
              "give timing.tCK in ns: 2.857 for 350 MHz");
    for (const char* const speed : {"link.parallelTo", "link.parallelFrom", "link.broadcast"})
        if (const auto gbps = target.number(speed, "GB/s"); !gbps || !(*gbps > 0))
            error(fmt::format("/parameters/{}", speed), "is missing or not more than 0",
                  "give it in GB/s, of one rank");
    return problems;
}

Result<void> UpmemBackend::supports(const Kernel& kernel, const Target&) const {
    return canRun(kernel);
}

TilingResources UpmemBackend::resources(const Target& target) const {
    const Machine machine = machineOf(target);
    TilingResources resources;
    resources.groups = machine.dpus;
    resources.coresPerGroup = machine.tasklets;
    resources.coreBytes = kMramBytes; // tasklets share the MRAM of their DPU
    resources.hasCodeChoices = true;
    resources.looksUp = true;
    return resources;
}

std::unique_ptr<KernelPricer> UpmemBackend::pricer(const TilingSpace& space, const Target& target,
                                                   const std::vector<Residency>& residency,
                                                   const CompileOptions&) const {
    return draftPricer(space, target, residency);
}

Result<std::unique_ptr<DraftMeasurer>> UpmemBackend::measurer(const Target& target,
                                                              const CompileOptions&) const {
    return draftMeasurer(target);
}

Result<std::int64_t> UpmemBackend::codeBytes(const TilingSpace& space, const Draft& draft,
                                             const Target& target, const std::vector<Residency>&,
                                             const CodePasses&) const {
    const Machine machine = machineOf(target);
    PIM_TRY(const KernelTile tile, tileOf(space.kernel(), space.summarize(draft), machine.timing));
    return tile.tile.mramBytes();
}

Result<Program> UpmemBackend::lowerKernel(const TilingSpace& space, const Draft& draft, const Target& target,
                                          const std::vector<Residency>& residency, const CodePasses&) const {
    const Machine machine = machineOf(target);
    const DraftSummary summary = space.summarize(draft);
    PIM_TRY(const KernelTile tile, tileOf(space.kernel(), summary, machine.timing));
    PIM_TRY(const Tile structure, withoutFloats(tile.tile));
    PIM_TRY(const TaskletProgram code, structure.program());
    Program program = upmem::programOf(space.kernel(), summary, residency, tile, code.program);
    canonicalize(program);
    return program;
}

} // namespace pim
