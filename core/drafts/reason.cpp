// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"
#include "core/drafts/opwise_planner.h"

#include <fmt/format.h>

namespace pim {
namespace {

std::string character(const ReasonFacts& facts) {
    if (facts.host.computeNs <= 0 && facts.host.memoryNs <= 0)
        return {};
    return fmt::format(": {}-bound, AI {:.1f} FLOP/B", facts.host.memoryBound() ? "memory" : "compute",
                       facts.intensity);
}

std::string inPlace(const ReasonFacts& facts) {
    return facts.takesFrom.empty() || facts.placement.onHost()
               ? std::string()
               : fmt::format("; takes the result of {} where it lies, which saves their chain {}",
                             facts.takesFrom, timeText(facts.chainSavedNs));
}

std::string onPim(const ReasonFacts& facts) {
    const double pim = facts.pim->totalNs(), host = facts.host.ns;
    if (!facts.host.known)
        return "PIM: its cost on the host is unknown";
    if (pim > 0 && host >= pim)
        return fmt::format("PIM {} faster than {}{}", ratioText(host / pim), facts.hostId, character(facts));
    return fmt::format(
        "PIM although {} alone is {} faster: on the host its operands would have to move as well",
        facts.hostId, ratioText(host > 0 ? pim / host : 1));
}

std::string onHost(const ReasonFacts& facts) {
    if (!facts.verdict.empty())
        return "host: " + facts.verdict;
    if (!facts.spill.empty())
        return "host: " + facts.spill;
    const double host = facts.host.ns, pim = facts.pim ? facts.pim->totalNs() : 0;
    if (facts.pimAloneNs < host && pim > 0)
        return pim < host ? fmt::format("host although PIM would take {} instead of {} here: the ops around "
                                        "it would lose more",
                                        timeText(pim), timeText(host))
                          : fmt::format("host although PIM alone is faster ({} instead of {}): moving its "
                                        "operands would cost {} more",
                                        timeText(facts.pimAloneNs), timeText(host),
                                        timeText(pim - facts.pimAloneNs));
    if (pim <= 0 || host <= 0)
        return "host: nothing to gain on PIM";
    return fmt::format("host: PIM would be {} slower{}", ratioText(pim / host), character(facts));
}

std::string withoutChain(const ReasonFacts& facts) {
    if (facts.overridden) {
        const std::string who =
            fmt::format("{} by your override{}", facts.placement.onHost() ? "host" : "PIM",
                        facts.networkWide ? " for the whole network" : "");
        if (!facts.verdict.empty())
            return fmt::format("{}; PIM could not run it: {}", who, facts.verdict);
        if (facts.pim && facts.host.known && facts.pim->totalNs() > 0 && facts.host.ns > 0) {
            const double ratio = facts.host.ns / facts.pim->totalNs();
            return fmt::format("{}; PIM is {} {} than {}", who, ratioText(ratio >= 1 ? ratio : 1 / ratio),
                               ratio >= 1 ? "faster" : "slower", facts.hostId);
        }
        return who;
    }
    if (facts.isView)
        return "host: a view, no data moves";
    if (facts.appends)
        return "host: appends to a cache in place, only the new part moves";
    return facts.placement.onHost() ? onHost(facts) : onPim(facts);
}

} // namespace

std::string placementReason(const ReasonFacts& facts) {
    return withoutChain(facts) + inPlace(facts);
}

} // namespace pim
