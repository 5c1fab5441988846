// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/lut/hbm_clocks.h"

#include <algorithm>
#include <array>

namespace pim::dram {
namespace {

constexpr std::int64_t kPeriods = 6; ///< After which visits repeat themselves.

} // namespace

HbmTileClocks::HbmTileClocks(const hbm::Distances& d, std::int64_t sums, std::int64_t codebooksOfRow)
    : m_period(2 * codebooksOfRow), m_lastAfterFirst((sums - 1) * d.column) {
    const std::int64_t window = d.allBankWindow, ready = d.openToRead + window;
    // The odd banks open the row of registers, the program is started, the even banks open their first row.
    const std::int64_t start = d.openToWrite + window, openEven = std::max(d.openAllToOpen(), start + 1);
    std::array<std::int64_t, 2> opened{openEven, 0};
    std::array<std::int64_t, 2> mayClose{0, start + d.writeToClose};
    std::int64_t lastOpened = openEven;
    std::int64_t first = std::max(openEven + ready, start + d.writeToRead);
    const auto readsBefore = [&](std::int64_t clock) {
        return clock < first ? 0 : std::min((clock - first) / d.column + 1, sums);
    };
    for (std::int64_t visit = 0; visit < (kPeriods + 1) * m_period; ++visit) {
        const auto bank = std::size_t(visit % 2), other = 1 - bank;
        const std::int64_t last = first + m_lastAfterFirst;
        const std::int64_t close = std::max(mayClose[other], opened[other] + d.openToClose + window);
        const std::int64_t open = std::max(
            {close + d.closeToOpen, lastOpened + d.openAllToOpen(), opened[other] + d.openAgain + window});
        m_visits.push_back({first, {readsBefore(close), readsBefore(open)}});
        mayClose[bank] = last + d.readToClose;
        first = last + d.column;
        const bool changes = visit == 0 || (visit - 1) / m_period != (visit + 1) / m_period;
        if (changes) {
            opened[other] = lastOpened = open;
            first = std::max(first, open + ready);
        }
    }
}

std::size_t HbmTileClocks::known(std::int64_t visit) const {
    return std::size_t(visit < m_period ? visit : kPeriods * m_period + visit % m_period);
}

std::int64_t HbmTileClocks::lastRead(std::int64_t visit) const {
    const std::int64_t beyond = visit / m_period - kPeriods;
    if (beyond <= 0)
        return m_visits[std::size_t(visit)].firstRead + m_lastAfterFirst;
    const std::int64_t length = m_visits[std::size_t(kPeriods * m_period)].firstRead -
                                m_visits[std::size_t((kPeriods - 1) * m_period)].firstRead;
    return m_visits[known(visit)].firstRead + beyond * length + m_lastAfterFirst;
}

} // namespace pim::dram
