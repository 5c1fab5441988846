// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a report says about a plan for a dual-mode chip, in addition to what it says about every plan, and what makes its resources
/// faster, and what they can do at most.
#include "core/plan/report_facet.h"

namespace pim {

/// That ops on the host are taken in: the chip's type where it can.
DataType dualModeHostType(const Host& host);

class DualModeReportFacet final : public ReportFacet {
public:
    explicit DualModeReportFacet(std::shared_ptr<const HostModel> hostModel)
        : m_hostModel(std::move(hostModel)) {}
    std::vector<report::Section> sections(const Plan& plan) const override;
    std::vector<SpeedUp> speedUps(const Target& target) const override;
    /// Arrays. Chips are only a number of them.
    std::vector<SpeedUp> multiples(const Target& target) const override;
    /// All arrays computing, or all as memory, the bus and the vector unit. An op has the time in which anything works on it, its weights
    /// on their way included.
    Result<Roofline> roofline(const Plan& plan, const Simulation& simulation) const override;

private:
    std::shared_ptr<const HostModel> m_hostModel;
};

} // namespace pim
