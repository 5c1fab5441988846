// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// When the commands of a tile on HBM-PIM go out. Price and code are made from the same clocks: the code has to put row commands
/// between the reads that they hide behind, as commands go out in the order of the program.
///
/// Visits (a codebook, or a part of one, for all sums) alternate between even and odd banks. The banks that are not read in a visit
/// may change their row meanwhile.
#include "backends/hbm_pim/hbm_pim_machine.h"

#include <vector>

namespace pim::dram {

/// Of one visit: how many of its reads go out before the other banks' row closes, and before their next one opens.
struct HbmRowChange {
    std::int64_t readsBeforeClose = 0, readsBeforeOpen = 0;
    friend bool operator==(const HbmRowChange&, const HbmRowChange&) = default;
};

class HbmTileClocks {
public:
    /// \param sums reads of a visit. \param codebooksOfRow visits of a row of a bank.
    HbmTileClocks(const hbm::Distances& distances, std::int64_t sums, std::int64_t codebooksOfRow);

    /// The same for all visits that lie a whole number of periods apart, the first period left out.
    HbmRowChange change(std::int64_t visit) const { return m_visits[known(visit)].change; }
    /// Clock of the last read of a visit, from the first command of the tile on.
    std::int64_t lastRead(std::int64_t visit) const;

private:
    struct Visit {
        std::int64_t firstRead = 0;
        HbmRowChange change;
    };
    std::size_t known(std::int64_t visit) const;

    std::int64_t m_period, m_lastAfterFirst;
    std::vector<Visit> m_visits; ///< Of the first periods, until they are alike.
};

} // namespace pim::dram
