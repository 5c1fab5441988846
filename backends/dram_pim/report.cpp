// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/report.h"

namespace pim {
/// Values as core/dram_pim and core/dram read them, of all machines; each has some.
std::vector<SpeedUp> DramPimReportFacet::speedUps(const Target& target) const {
    using Kind = TargetValue::Kind;
    std::vector<SpeedUp> all;
    addHostSpeedUps(all, target);
    addSpeedUp(all, target, "PIM clock", Kind::Time, {"timing.tCK"});
    addSpeedUp(all, target, "column commands", Kind::Time,
               {"timing.nCCDS", "timing.nCCDL", "timing.nCCDAB", "timing.nCCDSB", "timing.nCCDAB.unlimited",
                "timing.nCCDSB.unlimited", "timing.nBL"});
    addSpeedUp(all, target, "opening rows", Kind::Time,
               {"timing.nRCDRD", "timing.nRCDWR", "timing.nRCDMAC", "timing.nRCDAF", "timing.nRCDEWMUL",
                "timing.nRCDRDCP", "timing.nRCDWRCP", "timing.nRP", "timing.nRAS", "timing.nRC",
                "timing.nFAW", "timing.nRRDS", "timing.nRRDL", "timing.nACTAB"});
    addSpeedUp(all, target, "refresh", Kind::Time, {"timing.nRFC", "timing.nRFCSB"});
    return all;
}

std::vector<SpeedUp> DramPimReportFacet::multiples(const Target& target) const {
    std::vector<SpeedUp> all;
    addMultiple(all, target, "device");
    addMultiple(all, target, "group", {wholeCapacityValue(target)});
    addMultiple(all, target, "core", {wholeCapacityValue(target)});
    return all;
}

} // namespace pim
