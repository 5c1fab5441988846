// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What makes parts of UPMEM modules, and the host beside them, faster. Flow: Target -> [UpmemReportFacet] -> whatIf.
#include "core/plan/report_facet.h"

namespace pim {

class UpmemReportFacet final : public ReportFacet {
public:
    std::vector<SpeedUp> speedUps(const Target& target) const override;
};

} // namespace pim
