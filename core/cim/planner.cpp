// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cim/planner.h"

#include "core/cim/split_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace pim {
namespace {

std::vector<int> largestFirst(std::set<int> caps) {
    return {caps.rbegin(), caps.rend()};
}

bool sameCut(const std::vector<CimSubOp>& a, const std::vector<CimSubOp>& b) {
    return a.size() == b.size() && std::ranges::equal(a, b, [](const CimSubOp& x, const CimSubOp& y) {
               return x.op == y.op && x.n == y.n && x.k == y.k && x.g == y.g && x.minArrays == y.minArrays;
           });
}

std::vector<std::vector<int>> predecessorsOf(const CimWorkload& workload) {
    std::vector<std::vector<int>> all;
    for (const CimOp& op : workload.ops)
        all.push_back(op.predecessors);
    return all;
}

/// Everything that stays the same from cap to cap.
class CapTrials {
public:
    CapTrials(const CimWorkload& workload, const CimChip& chip, const CimOptions& options,
              const TaskContext& task)
        : m_workload(workload), m_predecessors(predecessorsOf(workload)), m_chip(chip), m_options(options),
          m_task(task) {}

    const CimOptions& options() const { return m_options; }
    Result<std::vector<CimSubOp>> cut(int cap) const {
        return splitOperators(m_workload, m_chip, m_options, cap);
    }

    Result<Segmentation> plan(const std::vector<CimSubOp>& subOps, CimStrategy strategy,
                              const CimPins& pins) const {
        if (m_task.cancelled())
            return TaskContext::cancelledError("planning");
        SegmentationProblem problem{subOps, m_predecessors, m_chip, m_options, pins};
        problem.options.strategy = strategy;
        return segmentNetwork(problem, m_task);
    }

private:
    const CimWorkload& m_workload;
    std::vector<std::vector<int>> m_predecessors;
    const CimChip& m_chip;
    const CimOptions& m_options;
    const TaskContext& m_task;
};

/// The three chips without memory arrays, each with the cap that suits it.
constexpr CimStrategy kBaselines[]{CimStrategy::AllCompute, CimStrategy::Puma, CimStrategy::Occ};

tl::unexpected<Error> noCapFits(const CimChoices& choices, const std::map<int, std::vector<CimSubOp>>& cuts) {
    std::string seen;
    const CimChoices::Piece& piece = choices.pieces.front();
    for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut) {
        const auto first = std::ranges::find(cut->second, piece.op, &CimSubOp::op);
        seen += fmt::format("{}{} (cap {})", seen.empty() ? "" : ", ",
                            first == cut->second.end() ? 0 : first->pieces, cut->first);
    }
    return fail(
        ErrorCode::IllegalOverride,
        fmt::format("no cap cuts all operators as the decisions on pieces say; piece {} asks for {}, pieces "
                    "of it: {}",
                    piece.text, piece.pieces, seen),
        piece.opName,
        "remove the decisions on pieces that are no longer there, or choose the cap they were made for");
}

} // namespace

std::vector<int> defaultCimCaps(const CimChip& chip) {
    std::set<int> caps;
    for (const auto& [above, below] : {std::pair{1, 1}, {5, 6}, {2, 3}, {1, 2}, {5, 12}, {1, 3}, {1, 4}})
        caps.insert(std::max(1, static_cast<int>(std::int64_t{chip.arrays} * above / below)));
    return largestFirst(std::move(caps));
}

std::vector<int> fineCimCaps(const CimWorkload& workload, const CimChip& chip, int most) {
    std::set<int> caps;
    // The smallest cap of each way to cut: an operator of W arrays stays whole from W on; a slab of j of its
    // column blocks needs j * row blocks; j instances need j times one instance.
    for (const CimOp& op : workload.ops) {
        const auto add = [&](double cap) {
            if (cap >= 1 && cap <= chip.arrays)
                caps.insert(static_cast<int>(cap));
        };
        add(minimumArrays(op, chip));
        const double rows = std::ceil(static_cast<double>(op.n) / chip.rows);
        const double columns = std::ceil(static_cast<double>(op.k) / chip.columns);
        const double packed = static_cast<double>(instancesPerArray(op, chip));
        const double one = packed > 1 ? 1 : rows * columns;
        for (double j = 1; j * rows <= chip.arrays && j <= columns; ++j)
            add(j * rows);
        for (double j = 1; j * one <= chip.arrays && j <= static_cast<double>(op.g); ++j)
            add(j * one);
    }
    // Tiny caps make thousands of pieces that fill no chip.
    std::erase_if(caps, [&](int cap) { return cap < chip.arrays / 8; });
    const std::vector<int> all = largestFirst(caps);
    std::set<int> chosen;
    const auto wanted = static_cast<std::size_t>(std::max(1, most));
    for (std::size_t i = 0; i < std::min(wanted, all.size()); ++i)
        chosen.insert(all.size() <= wanted ? all[i] : all[i * all.size() / wanted]);
    for (const int cap : defaultCimCaps(chip))
        chosen.insert(cap);
    return largestFirst(std::move(chosen));
}

Result<std::shared_ptr<const CimPlan>> planCim(CimWorkload workload, const CimChip& chip,
                                               const CimOptions& given,
                                               const std::vector<CimDecision>& decisions,
                                               const TaskContext& task) {
    PIM_CHECK(checkCimChip(chip));
    if (workload.ops.empty())
        return fail(ErrorCode::Unsupported,
                    "the network has no matrix product, so there is nothing for the arrays to do", chip.name);
    PIM_TRY(const CimChoices choices, parseCimDecisions(decisions, workload));
    auto plan = std::make_shared<CimPlan>();
    plan->chip = chip;
    plan->options = given;
    if (choices.strategy)
        plan->options.strategy = *choices.strategy;
    plan->workload = std::move(workload);
    if (choices.cap && *choices.cap > chip.arrays)
        return fail(ErrorCode::IllegalOverride,
                    fmt::format("cap = {}: the chip has {} arrays; allowed: 1 to {}", *choices.cap,
                                chip.arrays, chip.arrays));
    for (const int cap : given.caps)
        if (cap < 1 || cap > chip.arrays)
            return fail(ErrorCode::Usage,
                        fmt::format("cap {}: must be 1 to {}, the arrays of the chip", cap, chip.arrays),
                        chip.name);

    const std::vector<int> listed = given.caps.empty() ? defaultCimCaps(chip) : given.caps;
    std::set<int> all(listed.begin(), listed.end());
    if (choices.cap)
        all.insert(*choices.cap);

    const CapTrials trials(plan->workload, plan->chip, plan->options, task);
    std::map<int, std::vector<CimSubOp>> cuts;
    Error firstProblem;
    const auto remember = [&firstProblem](const Error& error) {
        if (firstProblem.message.empty())
            firstProblem = error;
    };
    for (const int cap : all) {
        auto subOps = trials.cut(cap);
        if (subOps)
            cuts.emplace(cap, std::move(*subOps));
        else if (subOps.error().code != ErrorCode::Unsupported || choices.cap == cap)
            return tl::unexpected(std::move(subOps).error());
        else
            remember(subOps.error());
    }

    double best = std::numeric_limits<double>::infinity();
    std::map<CimStrategy, double> baselines;
    bool anyMatch = false;
    std::int64_t done = 0;
    const std::vector<CimSubOp>* before = nullptr;
    std::map<CimStrategy, double> beforeCycles;
    for (auto cut = cuts.rbegin(); cut != cuts.rend();
         ++cut) { // largest cap first: of equal plans the least cut one stays
        const auto& [cap, subOps] = *cut;
        task.report("segments", done++, static_cast<std::int64_t>(cuts.size()));
        const bool repeated = before != nullptr && sameCut(*before, subOps);
        CimCapTrial trial{.cap = cap, .subOps = static_cast<std::int64_t>(subOps.size())};
        std::optional<Segmentation> unpinned;
        for (const CimStrategy strategy : kBaselines) {
            if (!repeated) {
                auto found = trials.plan(subOps, strategy, {});
                if (!found) {
                    if (found.error().code == ErrorCode::Cancelled)
                        return tl::unexpected(std::move(found).error());
                    remember(found.error());
                    beforeCycles.erase(strategy);
                    continue;
                }
                beforeCycles[strategy] = found->cycles;
                if (strategy == plan->options.strategy)
                    unpinned = std::move(*found);
            }
            if (const auto cycles = beforeCycles.find(strategy); cycles != beforeCycles.end()) {
                const auto at = baselines.try_emplace(strategy, cycles->second).first;
                at->second = std::min(at->second, cycles->second);
                if (strategy == CimStrategy::AllCompute)
                    trial.allComputeCycles = cycles->second;
            }
        }
        before = &subOps;
        const bool wanted = (!choices.cap || *choices.cap == cap) && matchesPieces(choices, subOps);
        if (wanted) {
            anyMatch = true;
            auto pins = pinsFrom(choices, plan->workload, subOps, chip, plan->options);
            if (!pins)
                return tl::unexpected(std::move(pins).error());
            const bool reuse = unpinned && choices.pieces.empty();
            auto found = reuse ? Result<Segmentation>(std::move(*unpinned))
                               : trials.plan(subOps, plan->options.strategy, *pins);
            if (found) {
                trial.cycles = found->cycles;
                if (found->cycles < best) {
                    best = found->cycles;
                    plan->cap = cap;
                    plan->subOps = subOps;
                    plan->pins = std::move(*pins);
                    plan->segmentation = std::move(*found);
                }
            } else if (found.error().code == ErrorCode::Cancelled) {
                return tl::unexpected(std::move(found).error());
            } else {
                Error error = found.error();
                if (!choices.pieces.empty())
                    error.code = ErrorCode::IllegalOverride;
                remember(error);
            }
        }
        plan->caps.push_back(trial);
    }
    if (choices.searchCuts) {
        const auto searched =
            [&](CimStrategy strategy) -> Result<std::pair<std::vector<CimSubOp>, Segmentation>> {
            CimOptions options = plan->options;
            options.strategy = strategy;
            PIM_TRY(const CimSplitSearch found, searchCimSplits(plan->workload, plan->chip, options, task));
            PIM_TRY(auto subOps, splitOperators(plan->workload, plan->chip, options, found.cuts));
            PIM_TRY(auto segmentation, trials.plan(subOps, strategy, {}));
            return std::pair(std::move(subOps), std::move(segmentation));
        };
        PIM_TRY(auto own, searched(plan->options.strategy));
        PIM_TRY(const auto other,
                searched(CimStrategy::AllCompute)); // what it is compared with is cut as it likes, too
        const auto allCompute = baselines.try_emplace(CimStrategy::AllCompute, other.second.cycles).first;
        allCompute->second = std::min(allCompute->second, other.second.cycles);
        plan->caps.push_back(
            {0, static_cast<std::int64_t>(own.first.size()), own.second.cycles, other.second.cycles});
        if (own.second.cycles < best) {
            best = own.second.cycles;
            plan->cap = 0;
            plan->subOps = std::move(own.first);
            plan->segmentation = std::move(own.second);
            plan->pins = {};
        }
    }
    if (!anyMatch && !cuts.empty() && !choices.pieces.empty())
        return noCapFits(choices, cuts);
    if (!std::isfinite(best))
        return tl::unexpected(firstProblem.message.empty()
                                  ? Error{ErrorCode::Unsupported, "no cap gives a plan", chip.name, {}}
                                  : firstProblem);
    for (const CimStrategy strategy : kBaselines)
        if (const auto found = baselines.find(strategy); found != baselines.end())
            plan->baselines.push_back({strategy, std::string(cimStrategyName(strategy)), found->second});
    plan->placement = placeArrays(plan->subOps, plan->segmentation, plan->chip, plan->workload);
    return plan;
}

} // namespace pim
