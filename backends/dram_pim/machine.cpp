// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/machine.h"

#include "backends/dram_pim/dot_products.h"
#include "core/hardware/plausibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace pim::dram {

TilingResources tilingResources(const Target& target) {
    TilingResources resources;
    const Level* const core = target.level("core");
    if (!core)
        return resources;
    resources.groups = static_cast<int>(std::max<std::int64_t>(1, target.instances("group")));
    resources.coresPerGroup = std::max(1, core->count);
    if (!core->units.empty())
        resources.simdLanes = std::max(1, core->units.front().lanes);
    if (const Memory* bank = core->memory("bank"))
        resources.coreBytes = bank->bytes;
    return resources;
}

Diagnostics checkTarget(const Target& target, std::span<const char* const> cycles) {
    Diagnostics problems;
    const auto error = [&problems](std::string object, std::string message, std::string hint) {
        problems.push_back({Severity::Error, std::move(object), std::move(message), std::move(hint)});
    };
    static constexpr std::array<std::string_view, 3> kLevels{"device", "group", "core"};
    problems = checkLevelOrder(target, kLevels, "a DRAM-PIM target", OtherLevels::Allowed);
    if (const Level* core = target.level("core")) {
        if (core->units.empty())
            error("/levels/core/units", "the cores have no unit that computes", "name at least one unit");
        if (!core->memory("bank"))
            error("/levels/core/memories", "the cores have no memory \"bank\"",
                  "say how much a core can address");
    }
    for (const Level& level : target.levels)
        if (level.bus.bytesPerNs <= 0)
            error(fmt::format("/levels/{}/bus", level.id),
                  fmt::format("the bus of a {} has no bandwidth", level.name), "give bus.bandwidth");
    if (target.host.memoryBytesPerNs <= 0)
        error("/host", "the host has no memory bandwidth", "choose another host");
    if (!target.timeNs("timing.tCK"))
        error("/parameters/timing.tCK", "the clock is missing", "give timing.tCK in ns");
    for (const char* parameter : cycles)
        if (!target.parameters.contains(parameter))
            error(fmt::format("/parameters/{}", parameter), "the timing is missing", "give it in cycles");
        else if (target.numberOr(parameter, 0) < 0)
            error(fmt::format("/parameters/{}", parameter), "the timing is negative",
                  "give 0 or more cycles");
    return problems;
}

Result<void> needOperation(const Target& target, std::string_view levelId, std::string_view operation,
                           const Kernel& kernel) {
    const Level* const level = target.level(levelId);
    std::string offered;
    if (level)
        for (const Unit& unit : level->units)
            for (const std::string& other : unit.operations)
                offered += fmt::format("{}{}", offered.empty() ? "" : ", ", other);
    const Unit* const unit = level ? level->unitFor(operation) : nullptr;
    if (!unit)
        return fail(ErrorCode::Unsupported,
                    fmt::format("the {} units of {} have no {} (they offer {})", levelId, target.id,
                                operation, offered.empty() ? "nothing" : offered),
                    kernel.name);
    for (const KernelTensor& tensor : kernel.tensors)
        if (std::find(unit->types.begin(), unit->types.end(), tensor.dtype) == unit->types.end())
            return fail(
                ErrorCode::Unsupported,
                fmt::format("the {} of {} does not compute in {}", unit->name, target.id, name(tensor.dtype)),
                kernel.name);
    return {};
}

Result<void> needProduct(const Target& target, const Kernel& kernel, std::string_view why) {
    PIM_CHECK(needOperation(target, "core", "mac", kernel));
    if (DotOperands(kernel, std::vector<bool>(kernel.tensors.size(), false)).buffer() < 0)
        return fail(ErrorCode::Unsupported, std::string(why), kernel.name);
    return {};
}

Result<void> needReduction(const Target& target, const Kernel& kernel) {
    return needOperation(target, "core", kernel.function == "add" ? "sum" : kernel.function, kernel);
}

std::vector<bool> residentOnes(const std::vector<Residency>& residency) {
    std::vector<bool> resident;
    for (const Residency r : residency)
        resident.push_back(r == Residency::Resident);
    return resident;
}

double withRefresh(const Cycles& cycles, bool refreshes, double work) {
    const double refresh = cycles("timing.nRFC"), between = cycles("timing.nREFI") - refresh;
    return refreshes && refresh > 0 && between > 0 ? work + std::floor(work / between) * refresh : work;
}

double bankLevelCycles(const Target& target, double groupCycles, double perCore, double cores) {
    return std::max(groupCycles,
                    perCore * cores / std::max(1.0, target.numberOr("controller.issueSlots", 1)));
}

double loadNs(const MovementMachine& machine, const Target& target, const DraftSummary& draft, int tensor,
              std::int64_t elementBytes, bool padded) {
    const TensorShare& share = draft.tensors[static_cast<std::size_t>(tensor)];
    const double elements = static_cast<double>(share.groupElements) * static_cast<double>(draft.groupsUsed) /
                            static_cast<double>(std::max<std::int64_t>(1, share.groupsPerCopy));
    const double hostBytesPerNs = target.host.memoryBytesPerNs * target.host.memoryEfficiency;
    return writeTiles(machine, draft, tensor, elementBytes, padded).ns +
           (hostBytesPerNs > 0 ? elements * static_cast<double>(elementBytes) / hostBytesPerNs : 0);
}

} // namespace pim::dram
