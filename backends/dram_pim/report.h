// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What makes parts of a DRAM with processing units, and the host beside it, faster. Flow: Target -> [DramPimReportFacet] -> whatIf.
#include "core/plan/report_facet.h"

namespace pim {

class DramPimReportFacet final : public ReportFacet {
public:
    /// "PIM clock" makes everything faster, the others what they name; the latencies stay whole cycles.
    std::vector<SpeedUp> speedUps(const Target& target) const override;
};

} // namespace pim
