// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Facet of machines about whose plans a report says more than about every plan. Flow: Plan -> [ReportFacet] -> sections of a
/// report.
#include "core/plan/document.h"
#include "core/plan/plan.h"

namespace pim {

class ReportFacet {
public:
    virtual ~ReportFacet() = default;
    /// In the order in which they are shown, after the operators; none where there is nothing more to say.
    virtual std::vector<report::Section> sections(const Plan& plan) const = 0;
};

} // namespace pim
