// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drafts/op_chain.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

// drafts, the cheapest for the chain, that are asked whether there is code for it
constexpr std::size_t kTried = 16;

int outputOf(const Kernel& kernel) {
    for (std::size_t t = 0; t < kernel.tensors.size(); ++t)
        if (kernel.tensors[t].role == TensorRole::Output)
            return static_cast<int>(t);
    return -1;
}

/// The one operand of \p next that \p op makes, and nobody else wants; -1: there is none.
int handedOn(const std::vector<PlannedOp>& ops, const Dataflow& flow, std::size_t op, std::size_t next) {
    const int output = outputOf(*ops[op].kernel);
    if (output < 0)
        return -1;
    int taken = -1;
    const Kernel& kernel = *ops[next].kernel;
    for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
        const KernelTensor& tensor = kernel.tensors[t];
        if (!tensor.source.valid() || flow.value(tensor.source).producer.index() != op)
            continue;
        const FlowValue& value = flow.value(tensor.source);
        if (taken >= 0 || tensor.role != TensorRole::Input || value.isGraphOutput ||
            value.consumers.size() != 1 || ops[next].residency[t] != Residency::Streamed)
            return -1;
        taken = static_cast<int>(t);
    }
    return taken;
}

double priceOf(const KernelPricer& pricer, const TilingSpace& space, const Draft& draft) {
    return pricer.price(draft, space.summarize(draft)).totalNs();
}

} // namespace

std::vector<Residency> OpChain::residency(const std::vector<PlannedOp>& planned, std::size_t op) const {
    const PlannedOp& of = planned[ops[op]];
    std::vector<Residency> residency = of.residency;
    if (taken[op] >= 0)
        residency[static_cast<std::size_t>(taken[op])] = Residency::InPlace;
    if (op + 1 < ops.size())
        residency[static_cast<std::size_t>(outputOf(*of.kernel))] = Residency::InPlace;
    return residency;
}

std::vector<OpChain> possibleChains(const std::vector<PlannedOp>& ops, const Dataflow& flow,
                                    const std::vector<DeviceId>& placement) {
    std::vector<OpChain> chains;
    std::size_t last = ops.size(); // on PIM
    for (std::size_t op = 0; op < ops.size(); ++op) {
        if (placement[op].onHost() || !ops[op].canRunOnPim())
            continue;
        const int taken = last < ops.size() ? handedOn(ops, flow, last, op) : -1;
        if (taken < 0)
            chains.emplace_back(OpChain{{op}, {-1}});
        else {
            chains.back().ops.push_back(op);
            chains.back().taken.push_back(taken);
        }
        last = op;
    }
    std::erase_if(chains, [](const OpChain& chain) { return chain.ops.size() < 2; });
    return chains;
}

std::vector<ChainedKernel> OpwisePlanner::chainedOps(const OpChain& chain, const std::vector<PlannedOp>& ops,
                                                     const Draft& draft) const {
    std::vector<ChainedKernel> chained;
    for (std::size_t i = 0; i < chain.ops.size(); ++i) {
        const TilingSpace& space = *ops[chain.ops[i]].search->space;
        chained.push_back({&space, draft, chain.residency(ops, i)});
        if (!space.check(draft) ||
            (i > 0 && !m_backend.fitsInPlace(chained[i - 1], chained[i], m_target, m_options.passes)))
            return {};
    }
    return chained;
}

Result<std::vector<Draft>> OpwisePlanner::chainDrafts(const OpChain& chain, const std::vector<PlannedOp>& ops,
                                                      const std::vector<OpDecisions>& decisions,
                                                      const TaskContext& task) const {
    const KernelSearch& first = *ops[chain.ops.front()].search;
    std::vector<Draft> wanted;
    for (const std::size_t op : chain.ops)
        if (decisions[op].draft)
            wanted.push_back(ops[op].search->draft);
    if (wanted.empty() && m_options.mapping == MappingChoice::Fixed)
        wanted.push_back(first.draft);
    if (wanted.empty()) { // if that of the first does not go together, no other does
        if (chainedOps(chain, ops, first.draft).empty())
            return wanted;
        return keptDrafts(*first.space, m_options.tiling, nullptr, task);
    }
    if (std::any_of(wanted.begin(), wanted.end(),
                    [&](const Draft& draft) { return !(draft == wanted.front()); }))
        return std::vector<Draft>();
    wanted.resize(1);
    return wanted;
}

double OpwisePlanner::separateNs(const OpChain& chain, const std::vector<PlannedOp>& ops) const {
    double ns = 0;
    for (const std::size_t op : chain.ops)
        ns += ops[op].search->price.totalNs();
    return ns;
}

ChainSearch OpwisePlanner::chainSearchOf(const OpChain& chain, const std::vector<PlannedOp>& ops,
                                         const ChainChoice& choice, double separateNs, Origin origin) const {
    ChainSearch found{separateNs, choice.ns, {}};
    for (std::size_t i = 0; i < chain.ops.size(); ++i) {
        const ChainedKernel& op = choice.ops[i];
        auto search = std::make_shared<KernelSearch>(*ops[chain.ops[i]].search);
        search->draft = op.draft;
        search->summary = search->space->summarize(search->draft);
        search->price = choice.prices[i];
        search->origin = origin;
        search->check.reset();
        if (const auto bytes =
                m_backend.codeBytes(*op.space, op.draft, m_target, op.residency, m_options.passes))
            search->codeBytes = *bytes;
        found.searches.push_back(std::move(search));
    }
    return found;
}

Result<ChainSearch> OpwisePlanner::searchChain(const OpChain& chain, const std::vector<PlannedOp>& ops,
                                               const std::vector<OpDecisions>& decisions,
                                               const TaskContext& task) const {
    std::vector<std::unique_ptr<KernelPricer>> pricers;
    const bool measures = isChainMeasured(chain, ops);
    double separate = 0; // predicted
    for (std::size_t i = 0; i < chain.ops.size(); ++i) {
        const PlannedOp& op = ops[chain.ops[i]];
        const auto alone = m_backend.pricer(*op.search->space, m_target, op.residency, m_options);
        separate += priceOf(*alone, *op.search->space, op.search->draft);
        pricers.push_back(m_backend.pricer(*op.search->space, m_target, chain.residency(ops, i), m_options));
    }
    const double apartNs = measures ? separateNs(chain, ops) : separate;
    PIM_TRY(const std::vector<Draft> drafts, chainDrafts(chain, ops, decisions, task));
    std::vector<std::pair<double, std::size_t>> order; ///< By price of the whole chain.
    for (std::size_t d = 0; d < drafts.size(); ++d) {
        double ns = 0;
        for (std::size_t i = 0; i < pricers.size() && ns < separate; ++i) {
            const TilingSpace& space = *ops[chain.ops[i]].search->space;
            ns += space.check(drafts[d]) ? priceOf(*pricers[i], space, drafts[d]) : separate;
        }
        if (ns < separate)
            order.emplace_back(ns, d);
    }
    const std::size_t tried = std::min(kTried, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(tried), order.end());
    int left = measures ? m_options.verifyDrafts : 1;
    ChainChoice best;
    for (std::size_t n = 0; n < tried && left > 0; ++n) {
        ChainChoice choice{chainedOps(chain, ops, drafts[order[n].second]), {}, order[n].first};
        if (choice.ops.empty())
            continue;
        --left;
        if (measures) {
            auto measured = m_measurer->measureChain(choice.ops, {task.stop, {}});
            if (task.cancelled())
                return TaskContext::cancelledError("the search for chains");
            if (!measured) // no code of this one
                continue;
            choice.prices = std::move(*measured);
            choice.ns = 0;
            for (const KernelPrice& price : choice.prices)
                choice.ns += price.totalNs();
        } else {
            for (std::size_t i = 0; i < choice.ops.size(); ++i)
                choice.prices.push_back(pricers[i]->price(
                    choice.ops[i].draft, choice.ops[i].space->summarize(choice.ops[i].draft)));
        }
        if (choice.ns < best.ns)
            best = std::move(choice);
    }
    if (best.ns >= apartNs)
        return ChainSearch{apartNs, 0, {}};
    return chainSearchOf(chain, ops, best, apartNs, measures ? Origin::Simulated : Origin::Predicted);
}

bool OpwisePlanner::isChainMeasured(const OpChain& chain, const std::vector<PlannedOp>& ops) const {
    return m_measurer && std::ranges::all_of(chain.ops, [&ops](std::size_t op) {
               return ops[op].search->origin == Origin::Simulated;
           });
}

Result<void> OpwisePlanner::chainOps(std::vector<PlannedOp>& ops, const Dataflow& flow,
                                     const std::vector<DeviceId>& placement,
                                     const std::vector<OpDecisions>& decisions, PlanCache* cache,
                                     const TaskContext& task) const {
    // Without the pass that writes such code there is nothing to look for.
    const auto passes = m_backend.codePasses();
    if (std::ranges::find(passes, kInPlacePass, &CodePassInfo::id) == passes.end() ||
        !m_options.passes.isOn(kInPlacePass))
        return {};
    for (OpChain rest : possibleChains(ops, flow, placement))
        while (rest.ops.size() >= 2) {
            OpChain chain = rest;
            std::shared_ptr<const ChainSearch> found;
            for (; chain.ops.size() >= 2; chain.ops.pop_back(), chain.taken.pop_back()) {
                PIM_TRY(found, cachedChain(chain, ops, decisions, cache, task));
                if (!found->searches.empty())
                    break;
            }
            const std::size_t done = chain.ops.size() >= 2 ? chain.ops.size() : 1;
            if (done > 1)
                applyChain(chain, *found, ops);
            rest.ops.erase(rest.ops.begin(), rest.ops.begin() + static_cast<std::ptrdiff_t>(done));
            rest.taken.erase(rest.taken.begin(), rest.taken.begin() + static_cast<std::ptrdiff_t>(done));
            if (!rest.taken.empty())
                rest.taken.front() = -1;
        }
    return {};
}

void OpwisePlanner::applyChain(const OpChain& chain, const ChainSearch& found,
                               std::vector<PlannedOp>& ops) const {
    std::vector<std::vector<Residency>> residency;
    for (std::size_t i = 0; i < chain.ops.size(); ++i)
        residency.push_back(chain.residency(ops, i));
    for (std::size_t i = 0; i < chain.ops.size(); ++i) {
        PlannedOp& op = ops[chain.ops[i]];
        op.residency = std::move(residency[i]);
        op.search = found.searches[i];
        if (i > 0)
            op.takesFrom = OpId(static_cast<std::int64_t>(chain.ops[i - 1]));
        op.chainSavedNs = found.separateNs - found.chainedNs;
    }
}

Result<std::shared_ptr<const ChainSearch>>
OpwisePlanner::cachedChain(const OpChain& chain, const std::vector<PlannedOp>& ops,
                           const std::vector<OpDecisions>& decisions, PlanCache* cache,
                           const TaskContext& task) const {
    std::string key = m_context;
    for (std::size_t i = 0; i < chain.ops.size(); ++i) {
        const std::size_t op = chain.ops[i];
        key += '\n';
        key += searchKey(ops[op], decisions[op]);
        key += fmt::format("\ntakes {}, alone {}\n", chain.taken[i],
                           ops[op].search->space->draftText(ops[op].search->draft));
    }
    if (cache) {
        const std::lock_guard lock(cache->state().mutex);
        if (const auto at = cache->state().chains.find(key); at != cache->state().chains.end())
            return at->second;
    }
    // Only what was simulated is worth keeping.
    DraftTable* const table = cache && isChainMeasured(chain, ops) ? cache->drafts() : nullptr;
    std::vector<KnownDraft> asked;
    std::optional<ChainSearch> known;
    if (table) {
        asked = chainQuestions(chain, ops, key);
        known = knownChain(chain, ops, asked, *table);
    }
    ChainSearch found;
    if (known) {
        found = std::move(*known);
    } else {
        PIM_TRY(found, searchChain(chain, ops, decisions, task));
        if (table)
            keepChain(chain, ops, std::move(asked), found, *table);
    }
    auto shared = std::make_shared<const ChainSearch>(std::move(found));
    if (cache) {
        const std::lock_guard lock(cache->state().mutex);
        cache->state().chains.try_emplace(key, shared);
    }
    return shared;
}

} // namespace pim
