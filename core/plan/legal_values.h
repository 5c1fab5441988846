// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Every value that something may be decided to, with the verdict of the backend: what editors offer. Flow:
/// Plan + Backend
/// -> [values with verdicts] -> inspector, draft editor, `pimc inspect`. No verdict is made here: what is
/// listed as legal is what Backend::checkOverride lets pass.
#include "core/plan/backend.h"

namespace pim {

/// \p field of \p op ("": the network) with the verdict on each value that it lists, and the reason of each
/// refusal.
OverrideField judged(const Backend& backend, const Plan& plan, const std::string& op, OverrideField field);

/// The two resources that a draft splits a dimension over.
enum class SplitLevel : std::uint8_t { Groups, Cores };

/// Over how many groups, or cores of a group, one dimension could be split while the others stay.
struct SplitValue {
    int count = 1;
    bool legal = true;
    PruneRule rule = PruneRule::Kept; ///< Legal, but the search passes it over by this rule.
    std::string
        reason; ///< Why it is refused or passed over, with numbers; empty for a draft the search keeps.
};

/// A dimension set of an op that PIM can run, over groups or cores.
struct SplitPlace {
    OpId op;
    int set = 0;
    SplitLevel level = SplitLevel::Groups;
};

/// \param draft of the space of the op. \returns one value for every count up to what
/// the machine has, ascending; empty where there is no such op or dimension set.
std::vector<SplitValue> splitValues(const Backend& backend, const Plan& plan, const SplitPlace& place,
                                    const Draft& draft, const TilingOptions& options = {});

/// The same in no time, without asking for commands: for a list that is shown while splitValues() works. What it lists as
/// legal can still be refused.
std::vector<SplitValue> quickSplitValues(const TilingSpace& space, const Draft& draft, int set,
                                         SplitLevel level, const TilingOptions& options = {});

/// \p draft with dimension set \p set over as many groups or cores as the others leave it and it has elements
/// for. Error::IllegalOverride where that changes nothing, with what takes the rest.
Result<Draft> spreadOut(const TilingSpace& space, const Draft& draft, int set, SplitLevel level);

} // namespace pim
