// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a report says about a plan for a dual-mode chip, in addition to what it says about every plan, and what makes its resources
/// faster.
#include "core/plan/report_facet.h"

namespace pim {

class DualModeReportFacet final : public ReportFacet {
public:
    std::vector<report::Section> sections(const Plan& plan) const override;
    std::vector<SpeedUp> speedUps(const Target& target) const override;
};

} // namespace pim
