// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/report.h"

namespace pim {

/// Values as machineOf() reads them.
std::vector<SpeedUp> UpmemReportFacet::speedUps(const Target& target) const {
    using Kind = TargetValue::Kind;
    std::vector<SpeedUp> all;
    addHostSpeedUps(all, target);
    addSpeedUp(all, target, "DPU clock", Kind::Time, {"timing.tCK"});
    addSpeedUp(
        all, "MRAM DMA",
        {parameterValue(target, "dma.bandwidth", Kind::Rate), parameterValue(target, "dma.read", Kind::Time),
         parameterValue(target, "dma.write", Kind::Time), parameterValue(target, "dma.engine", Kind::Time)});
    addSpeedUp(all, target, "transfers", Kind::Rate,
               {"link.broadcast", "link.most", "link.parallelFrom", "link.parallelTo", "link.serialFrom",
                "link.serialTo"});
    addSpeedUp(all, target, "calls and launches", Kind::Time, {"link.call", "link.launch"});
    return all;
}

std::vector<SpeedUp> UpmemReportFacet::multiples(const Target& target) const {
    std::vector<SpeedUp> all;
    addMultiple(all, target, "device");
    addMultiple(all, target, "group", {wholeCapacityValue(target)});
    addMultiple(all, target, "core", {capacityValue(target, "core", "bank", TargetValue::Kind::Time)});
    return all;
}

} // namespace pim
