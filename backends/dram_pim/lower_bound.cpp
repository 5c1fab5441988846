// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/lower_bound.h"

#include <algorithm>
#include <cmath>

namespace pim::dram {
namespace {

/// Every index one loop as it is, each loop once, however often the tensor is accessed.
bool isPlain(const Kernel& kernel, std::size_t tensor) {
    const TensorAccess* first = nullptr;
    for (const TensorAccess& access : kernel.accesses) {
        if (access.tensor != static_cast<int>(tensor))
            continue;
        if (first && access.index != first->index)
            return false;
        first = &access;
        std::vector<bool> seen(kernel.loops.size(), false);
        for (const AffineExpr& expr : access.index) {
            if (expr.terms.empty() && expr.constant == 0)
                continue;
            if (expr.terms.size() != 1 || expr.constant != 0 || expr.terms.front().coefficient != 1)
                return false;
            const auto loop = static_cast<std::size_t>(expr.terms.front().loop);
            if (seen[loop])
                return false;
            seen[loop] = true;
        }
    }
    return true;
}

} // namespace

UnavoidableTraffic::UnavoidableTraffic(const TilingSpace& space, const std::vector<Residency>& residency,
                                       std::int64_t burstBytes)
    : m_space(space), m_residency(residency), m_burstBytes(std::max<std::int64_t>(1, burstBytes)) {
    for (std::size_t t = 0; t < space.kernel().tensors.size(); ++t)
        m_exact = m_exact && isPlain(space.kernel(), t);
}

bool UnavoidableTraffic::isStreamed(int tensor) const {
    return m_space.kernel().tensors[static_cast<std::size_t>(tensor)].role != TensorRole::Output &&
           m_residency[static_cast<std::size_t>(tensor)] != Residency::Resident &&
           m_residency[static_cast<std::size_t>(tensor)] != Residency::InPlace;
}

double UnavoidableTraffic::bursts(const DraftSummary& draft, int tensor, bool ofGroup) const {
    if (!m_exact || tensor < 0)
        return 0;
    const TensorShare& share = draft.tensors[static_cast<std::size_t>(tensor)];
    const std::int64_t elements = ofGroup ? share.groupElements : share.tileElements;
    const std::int64_t bytes =
        elements * bytesOf(m_space.kernel().tensors[static_cast<std::size_t>(tensor)].dtype);
    return static_cast<double>(ceilDiv(bytes, m_burstBytes));
}

double UnavoidableTraffic::inputBursts(const DraftSummary& draft) const {
    double all = 0;
    for (int t = 0; t < static_cast<int>(m_residency.size()); ++t)
        all += isStreamed(t) ? groupBursts(draft, t) : 0;
    return all;
}

double UnavoidableTraffic::outputBursts(const DraftSummary& draft) const {
    double all = 0;
    for (int t = 0; t < static_cast<int>(m_residency.size()); ++t)
        if (m_space.kernel().tensors[static_cast<std::size_t>(t)].role != TensorRole::Input &&
            m_residency[static_cast<std::size_t>(t)] != Residency::InPlace)
            all += groupBursts(draft, t);
    return all;
}

UnavoidableRefresh::UnavoidableRefresh(const Cycles& cycles, bool refreshes) {
    const double refresh = cycles("timing.nRFC"), interval = cycles("timing.nREFI");
    if (refreshes && refresh > 0 && interval > refresh) {
        m_refresh = refresh;
        m_interval = interval;
    }
}

double UnavoidableRefresh::with(double work) const {
    if (m_refresh <= 0)
        return work;
    const double due = std::floor(work / (m_interval - m_refresh));
    return work + std::max(0.0, due - 4) * m_refresh;
}

} // namespace pim::dram
