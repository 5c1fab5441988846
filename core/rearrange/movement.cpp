// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rearrange/movement.h"

#include <algorithm>
#include <cmath>

namespace pim {
namespace {

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return b > 0 ? (a + b - 1) / b : 0;
}

const TensorShare& shareOf(const DraftSummary& draft, int tensor) {
    return draft.tensors[static_cast<std::size_t>(tensor)];
}

/// Bursts of one tile. A run that is contiguous in the host's tensor is moved in whole bursts, however short it is.
std::int64_t burstsOf(const MovementMachine& machine, std::int64_t elements, std::int64_t run,
                      std::int64_t elementBytes) {
    run = std::clamp<std::int64_t>(run, 1, std::max<std::int64_t>(1, elements));
    return elements / run * ceilDiv(run * elementBytes, machine.burstBytes) +
           ceilDiv(elements % run * elementBytes, machine.burstBytes);
}

/// Bus and banks work at the same time; the slower one sets the pace.
void setTime(const MovementMachine& machine, Movement& movement) {
    if (movement.busBursts == 0)
        return;
    const double rows =
        static_cast<double>(ceilDiv(movement.coreBursts * machine.burstBytes, machine.rowBytes));
    const double bus = static_cast<double>(movement.busBursts) * machine.burstNs;
    const double core =
        static_cast<double>(movement.coreBursts) * machine.coreBurstNs + (rows - 1) * machine.rowSwitchNs;
    // Blocks of B = on-chip memory / N channels: N sequential reads, then N parallel writes. [DCC §IV-C I]
    const std::int64_t blockBytes = machine.hostOnChipBytes / std::max<std::int64_t>(1, machine.groups);
    movement.blocks = blockBytes > 0 ? ceilDiv(movement.bytes(machine), blockBytes) : 1;
    movement.ns = machine.withRefreshNs(std::max(bus, core)) +
                  static_cast<double>(movement.blocks) * machine.firstAccessNs;
}

double hostMergeNs(const MovementMachine& machine, double additions) {
    return machine.hostAddsPerNs > 0 ? additions / machine.hostAddsPerNs : 0;
}

} // namespace

double MovementMachine::withRefreshNs(double workNs) const {
    const double between = refreshIntervalNs - refreshNs;
    return refreshNs > 0 && between > 0 ? workNs + std::floor(workNs / between) * refreshNs : workNs;
}

MovementMachine movementMachine(const Target& target) {
    MovementMachine machine;
    const Level* const group = target.level("group");
    const Level* const core = target.level("core");
    const auto time = [&target](const char* parameter) { return target.timeNs(parameter).value_or(0); };
    if (group) {
        machine.groups = target.instances("group");
        machine.burstBytes = std::max<std::int64_t>(1, group->bus.burstBytes);
        machine.broadcast = group->bus.broadcast;
        if (group->bus.bytesPerNs > 0)
            machine.burstNs = static_cast<double>(machine.burstBytes) / group->bus.bytesPerNs;
    }
    machine.coreBurstNs = machine.burstNs;
    if (core && core->bus.bytesPerNs > 0)
        machine.coreBurstNs = static_cast<double>(machine.burstBytes) / core->bus.bytesPerNs;
    machine.rowBytes = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(target.number("organisation.rowBytes", "B").value_or(1024)));
    // The last write of a row must be in the cells before the row closes: nCWL + nBL + nWR, then nRP, then nRCDWR. The
    // distance to the write itself is one burst already counted.
    machine.rowSwitchNs = std::max(0.0, time("timing.nCWL") + time("timing.nBL") + time("timing.nWR") +
                                            time("timing.nRP") + time("timing.nRCDWR") - machine.coreBurstNs);
    machine.firstAccessNs = time("timing.nRCDRD") + time("timing.nCL") + time("timing.nBL") +
                            time("timing.nRCDWR") + time("timing.nCWL") + time("timing.nBL");
    if (target.isOn("policy.refresh")) {
        machine.refreshNs = time("timing.nRFC");
        machine.refreshIntervalNs = time("timing.nREFI");
    }
    const Host& host = target.host;
    machine.hostOnChipBytes = host.l1BytesPerCore * host.cores;
    if (const auto peak = host.peakFlopsPerNs.find(DataType::F32); peak != host.peakFlopsPerNs.end())
        machine.hostAddsPerNs = peak->second * host.flopsEfficiency; // plain adds, no matrix units
    return machine;
}

Movement writeTiles(const MovementMachine& machine, const DraftSummary& draft, int tensor,
                    std::int64_t elementBytes, bool padded) {
    const TensorShare& share = shareOf(draft, tensor);
    Movement movement;
    const std::int64_t copies = machine.broadcast ? std::max<std::int64_t>(1, share.coresPerCopy) : 1;
    movement.tiles = ceilDiv(draft.coresUsed, copies);
    movement.coreBursts = burstsOf(machine, share.tileElements, share.contiguousElements, elementBytes);
    movement.busBursts = movement.tiles * movement.coreBursts;
    if (!padded && !draft.uniform) { // bank-level commands need no padding
        const std::int64_t writes = machine.broadcast ? 1 : std::max<std::int64_t>(1, share.coresPerCopy);
        movement.busBursts = std::clamp(
            burstsOf(machine, share.groupElements * writes, share.contiguousElements, elementBytes),
            movement.coreBursts, movement.busBursts);
    }
    setTime(machine, movement);
    return movement;
}

Movement readTiles(const MovementMachine& machine, const DraftSummary& draft, int tensor,
                   std::int64_t elementBytes, std::int64_t copiesPerElement) {
    const TensorShare& share = shareOf(draft, tensor);
    Movement movement;
    movement.tiles = draft.coresUsed;
    movement.coreBursts =
        burstsOf(machine, share.tileElements, share.contiguousElements, elementBytes * copiesPerElement);
    movement.busBursts = movement.tiles * movement.coreBursts;
    setTime(machine, movement);
    const double results = static_cast<double>(share.groupElements) * static_cast<double>(draft.groupsUsed) /
                           static_cast<double>(std::max<std::int64_t>(1, share.partialGroups));
    const double words = static_cast<double>(share.partialCores * share.partialGroups * copiesPerElement);
    movement.ns += hostMergeNs(machine, results * (words - 1));
    return movement;
}

Movement readMerged(const MovementMachine& machine, const DraftSummary& draft, int tensor,
                    std::int64_t elementBytes) {
    const TensorShare& share = shareOf(draft, tensor);
    Movement movement;
    movement.tiles = 1;
    movement.busBursts = burstsOf(machine, share.groupElements, share.groupElements, elementBytes);
    setTime(machine, movement); // from one buffer, so no bank holds it back
    const double results = static_cast<double>(share.groupElements) * static_cast<double>(draft.groupsUsed) /
                           static_cast<double>(std::max<std::int64_t>(1, share.partialGroups));
    movement.ns += hostMergeNs(machine, results * static_cast<double>(share.partialGroups - 1));
    return movement;
}

} // namespace pim
