// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What makes the resources of a crossbar chip faster, and what they can do at most. Its plans have no sections of their own in a report.
#include "core/plan/report_facet.h"

namespace pim {

/// That ops on the host are taken in: half precision where it can.
DataType crossbarHostType(const Host& host);

class CrossbarReportFacet final : public ReportFacet {
public:
    explicit CrossbarReportFacet(std::shared_ptr<const HostModel> hostModel)
        : m_hostModel(std::move(hostModel)) {}
    std::vector<report::Section> sections(const Plan&) const override { return {}; }
    std::vector<SpeedUp> speedUps(const Target& target) const override;
    /// Chips and cores, which their mesh grows with (along its shorter side), crossbars and vector units of a core.
    std::vector<SpeedUp> multiples(const Target& target) const override;
    /// All crossbars, vector units, global and local memories, and what connects cores and chips. An op is a layer with all that is done
    /// with it, from its first instruction to its last; bytes are those of the program that was timed.
    Result<Roofline> roofline(const Plan& plan, const Simulation& simulation) const override;

private:
    std::shared_ptr<const HostModel> m_hostModel;
};

} // namespace pim
