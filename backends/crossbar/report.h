// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What makes the resources of a crossbar chip faster. Its plans have no sections of their own in a report.
#include "core/plan/report_facet.h"

namespace pim {

class CrossbarReportFacet final : public ReportFacet {
public:
    std::vector<report::Section> sections(const Plan&) const override { return {}; }
    std::vector<SpeedUp> speedUps(const Target& target) const override;
};

} // namespace pim
