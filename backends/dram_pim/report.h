// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What makes parts of a DRAM with processing units, and the host beside it, faster, and what they can do at most. Flow: Target ->
/// [DramPimReportFacet] -> whatIf; Plan + Simulation -> [DramPimReportFacet] -> rooflines.
#include "core/plan/report_facet.h"

namespace pim {

class DramPimBackend;

class DramPimReportFacet final : public ReportFacet {
public:
    explicit DramPimReportFacet(const DramPimBackend& backend) : m_backend(backend) {}
    /// "PIM clock" makes everything faster, the others what they name; the latencies stay whole cycles.
    std::vector<SpeedUp> speedUps(const Target& target) const override;
    /// Devices, channels and cores. More channels or cores are more memory in a device; cores also need banks, which the device gives.
    std::vector<SpeedUp> multiples(const Target& target) const override;
    /// The units, as often as the device lets them compute; their banks and the buses of the channels, as wide as the target says. Bytes are
    /// those of the commands that were simulated.
    Result<Roofline> roofline(const Plan& plan, const Simulation& simulation) const override;

private:
    const DramPimBackend& m_backend;
};

} // namespace pim
