// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Facet of machines about which more can be said than about every machine: sections of a report on a plan, which values of the
/// target would make a resource faster or more, and what its resources can do at most. Flow: Plan -> [ReportFacet] -> report; Target ->
/// [ReportFacet] -> whatIf; Plan + Simulation -> [ReportFacet] -> rooflines.
#include "core/plan/document.h"
#include "core/plan/roofline.h"
#include "core/plan/simulation.h"
#include "core/plan/speed_up.h"

namespace pim {

class ReportFacet {
public:
    virtual ~ReportFacet() = default;
    /// In the order in which they are shown, after the operators; none where there is nothing more to say.
    virtual std::vector<report::Section> sections(const Plan& /*plan*/) const { return {}; }
    /// Empty: it has no single values that do that.
    virtual std::vector<SpeedUp> speedUps(const Target& /*target*/) const { return {}; }
    /// Units there could be more of, and what has to change with their number. Where that is not enough (address bits, wiring), the
    /// changed target says why it is none.
    virtual std::vector<SpeedUp> multiples(const Target& /*target*/) const { return {}; }
    /// Every op under the ceilings of machine and host. \param simulation of \p plan.
    /// Errors: Unsupported (nothing is known of its ceilings), those of reading its target.
    virtual Result<Roofline> roofline(const Plan& plan, const Simulation& simulation) const;
};

} // namespace pim
