// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What makes parts of UPMEM modules, and the host beside them, faster, and what they can do at most. Flow: Target ->
/// [UpmemReportFacet] -> whatIf; Plan + Simulation -> [UpmemReportFacet] -> rooflines.
#include "core/plan/report_facet.h"

namespace pim {

class UpmemBackend;

class UpmemReportFacet final : public ReportFacet {
public:
    explicit UpmemReportFacet(const UpmemBackend& backend) : m_backend(backend) {}
    std::vector<SpeedUp> speedUps(const Target& target) const override;
    /// Modules, DPUs and tasklets. The link stays; more DPUs are more memory in a module, more tasklets share the MRAM of their DPU.
    std::vector<SpeedUp> multiples(const Target& target) const override;
    /// All pipelines, an operation an instruction; the DMA engines between MRAM and WRAM; the link to the host. WRAM is no roof of its own:
    /// every access to it is an instruction.
    Result<Roofline> roofline(const Plan& plan, const Simulation& simulation) const override;

private:
    const UpmemBackend& m_backend;
};

} // namespace pim
