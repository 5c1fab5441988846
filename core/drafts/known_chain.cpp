// SPDX-License-Identifier: GPL-3.0-or-later
// What a project knows of chains of ops (op_chain.h): an answer for each op, so that the table has one form.
// That ops are better off apart is an answer of the first op alone.
#include "core/base/hash.h"
#include "core/drafts/op_chain.h"

#include <fmt/format.h>

#include <cmath>

namespace pim {
namespace {

constexpr std::string_view kApart = "apart";

bool isSound(const KnownDraft& known, double priceNs) {
    return known.check.priceNs == priceNs && std::isfinite(known.price.totalNs()) &&
           known.check.simulatedNs == known.price.totalNs();
}

} // namespace

std::vector<KnownDraft> OpwisePlanner::chainQuestions(const OpChain& chain, const std::vector<PlannedOp>& ops,
                                                      const std::string& key) const {
    std::vector<KnownDraft> asked;
    for (std::size_t i = 0; i < chain.ops.size(); ++i) {
        KnownDraft one = questionOf(*ops[chain.ops[i]].kernel, chain.residency(ops, i), 0);
        one.form += fmt::format(", op {} of a chain of {}", i + 1, chain.ops.size());
        one.question = sha256Hex(fmt::format("{}\n{}\n{}", one.question, i, key));
        asked.push_back(std::move(one));
    }
    return asked;
}

std::optional<ChainSearch> OpwisePlanner::knownChain(const OpChain& chain, const std::vector<PlannedOp>& ops,
                                                     const std::vector<KnownDraft>& asked,
                                                     DraftTable& table) const {
    std::vector<KnownDraft> known;
    for (const KnownDraft& one : asked)
        if (auto answer = table.find(one.question))
            known.push_back(std::move(*answer));
    if (known.empty())
        return std::nullopt;
    if (auto taken = takeKnownChain(chain, ops, known))
        return taken;
    for (const KnownDraft& one : known)
        table.refuse(one.question);
    return std::nullopt;
}

std::optional<ChainSearch> OpwisePlanner::takeKnownChain(const OpChain& chain,
                                                         const std::vector<PlannedOp>& ops,
                                                         const std::vector<KnownDraft>& known) const {
    const double apartNs = separateNs(chain, ops);
    if (known.size() == 1 && known.front().draft == kApart)
        return isSound(known.front(), apartNs) ? std::optional(ChainSearch{apartNs, 0, {}}) : std::nullopt;
    if (known.size() != chain.ops.size())
        return std::nullopt;
    const auto draft = ops[chain.ops.front()].search->space->draftFromText(known.front().draft);
    if (!draft)
        return std::nullopt;
    ChainChoice choice{chainedOps(chain, ops, *draft), {}, 0};
    if (choice.ops.empty())
        return std::nullopt;
    for (std::size_t i = 0; i < known.size(); ++i) {
        const TilingSpace& space = *choice.ops[i].space;
        const auto pricer = m_backend.pricer(space, m_target, choice.ops[i].residency, m_options);
        if (known[i].draft != known.front().draft ||
            !isSound(known[i], pricer->price(*draft, space.summarize(*draft)).totalNs()))
            return std::nullopt;
        choice.prices.push_back(known[i].price);
        choice.ns += known[i].price.totalNs();
    }
    return choice.ns < apartNs ? std::optional(chainSearchOf(chain, ops, choice, apartNs, Origin::Simulated))
                               : std::nullopt;
}

void OpwisePlanner::keepChain(const OpChain& chain, const std::vector<PlannedOp>& ops,
                              std::vector<KnownDraft> asked, const ChainSearch& found,
                              DraftTable& table) const {
    const auto keep = [&table](KnownDraft& answer, std::string draft, const KernelPrice& price,
                               double priceNs) {
        answer.draft = std::move(draft);
        answer.price = price;
        answer.check.priceNs = priceNs;
        answer.check.simulatedNs = price.totalNs();
        table.put(std::move(answer));
    };
    if (found.searches.empty()) {
        keep(asked.front(), std::string(kApart), KernelPrice{0, 0, found.separateNs, 0}, found.separateNs);
        return;
    }
    for (std::size_t i = 0; i < found.searches.size(); ++i) {
        const KernelSearch& search = *found.searches[i];
        const auto pricer = m_backend.pricer(*search.space, m_target, chain.residency(ops, i), m_options);
        keep(asked[i], search.space->draftText(search.draft), search.price,
             pricer->price(search.draft, search.summary).totalNs());
    }
}

} // namespace pim
