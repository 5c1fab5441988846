// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/planner.h"

#include "backends/dual_mode/segment_table.h"
#include "backends/dual_mode/split_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <tuple>

namespace pim {
namespace {

std::vector<int> largestFirst(const std::set<int>& caps) {
    return {caps.rbegin(), caps.rend()};
}

bool sameCut(const std::vector<DualModeSubOp>& a, const std::vector<DualModeSubOp>& b) {
    return a.size() == b.size() &&
           std::ranges::equal(a, b, [](const DualModeSubOp& x, const DualModeSubOp& y) {
               return x.op == y.op && x.n == y.n && x.k == y.k && x.g == y.g && x.minArrays == y.minArrays;
           });
}

/// Caps as parts of the chip, above / below, largest first.
std::vector<int> partsOf(const DualModeChip& chip, std::initializer_list<std::pair<int, int>> parts) {
    std::set<int> caps;
    for (const auto& [above, below] : parts)
        caps.insert(std::max(1, static_cast<int>(std::int64_t{chip.arrays} * above / below)));
    return largestFirst(caps);
}

/// For a first look three have to do: over seven networks on DynaPlasia and PRIME with 32 to 192 arrays each plans took as long as with all
/// seven (median; mean 0.2 % less, as it is the simulator who judges; at worst 7 % longer), in half the time.
std::vector<int> capsOf(const DualModeChip& chip, const DualModeOptions& options) {
    if (!options.caps.empty())
        return options.caps;
    return options.cost == CostRule::Once ? partsOf(chip, {{1, 1}, {1, 2}, {1, 4}})
                                          : defaultDualModeCaps(chip);
}

/// Joint borders take many times as long and gain a few percent (at most 5 % in the networks and chips tried), so they are
/// tried only for caps that come so near to the best one without them.
constexpr double kWorthJointBorders = 1.1;
/// Networks of so many pieces are decoders with weights far beyond the chip; joint borders gain at most 0.1 % of those and
/// would take seconds.
constexpr std::size_t kMostJointPieces = 16'000;

/// Everything that plans under one reading have in common: cuts, and segmentations without pins.
class CapTrials {
public:
    CapTrials(const DualModeWorkload& workload, const DualModeChip& chip, const DualModeOptions& options,
              const TaskContext& task)
        : m_workload(workload), m_predecessors(predecessorsOf(workload)), m_chip(chip), m_options(options),
          m_task(task), m_table(chip, options) {}

    struct Trial {
        double cycles = 0;
        Segmentation segmentation;
        std::optional<Error> problem;
    };

    const TaskContext& task() const { return m_task; }
    /// The network cut by \p cap into \p most pieces; stays where it is.
    Result<CutNetwork*> cut(int cap, std::int64_t most) {
        const auto known = m_cuts.find(cap);
        if (known != m_cuts.end())
            return &known->second;
        PIM_TRY(auto subOps, splitOperators(m_workload, m_chip, m_options, cap, most));
        return &m_cuts.try_emplace(cap, problem(std::move(subOps), {}), m_table).first->second;
    }
    /// Of a cap that has been cut.
    const Trial& trial(int cap, DualModeStrategy strategy, bool jointBorders) {
        Trial& trial = m_trials[{cap, strategy, jointBorders}];
        if (!trial.problem && trial.segmentation.segments.empty()) {
            auto found = m_cuts.at(cap).segment(strategy, jointBorders, {m_task.stop, {}});
            if (found) {
                trial.cycles = found->cycles;
                trial.segmentation = std::move(*found);
            } else {
                trial.problem = std::move(found).error();
            }
        }
        return trial;
    }
    Result<Segmentation> plan(std::vector<DualModeSubOp> subOps, DualModeStrategy strategy,
                              const DualModePins& pins, bool jointBorders) {
        SegmentationProblem whole = problem(std::move(subOps), pins);
        whole.options.strategy = strategy;
        whole.options.jointBorders = jointBorders;
        return segmentNetwork(whole, {m_task.stop, {}}, &m_table);
    }

private:
    SegmentationProblem problem(std::vector<DualModeSubOp> subOps, const DualModePins& pins) const {
        return {std::move(subOps), m_predecessors, m_chip, m_options, pins};
    }

    const DualModeWorkload& m_workload;
    std::shared_ptr<const std::vector<std::vector<int>>> m_predecessors;
    const DualModeChip& m_chip;
    const DualModeOptions& m_options;
    const TaskContext& m_task;
    SegmentTable m_table;
    std::map<int, CutNetwork> m_cuts; ///< By cap.
    std::map<std::tuple<int, DualModeStrategy, bool>, Trial> m_trials;
};

/// Plans without pins, one a way to cut and strategy.
class Unpinned {
public:
    using Key = std::pair<int, DualModeStrategy>; ///< Cap.
    using Trial = CapTrials::Trial;

    /// \p cuts: by cap, no two alike.
    static Result<Unpinned> make(CapTrials& trials, const std::map<int, const CutNetwork*>& cuts,
                                 const std::set<DualModeStrategy>& strategies, bool jointBorders) {
        Unpinned all;
        const auto run = [&](const std::vector<Key>& wanted, bool joint) {
            for (std::size_t i = 0; i < wanted.size() && !trials.task().cancelled(); ++i) {
                all.m_trials[wanted[i]] = &trials.trial(wanted[i].first, wanted[i].second, joint);
                trials.task().report("segments", static_cast<std::int64_t>(i) + 1,
                                     static_cast<std::int64_t>(wanted.size()));
            }
            return !trials.task().cancelled();
        };
        std::vector<Key> keys;
        for (const auto& [cap, cut] : cuts)
            for (const DualModeStrategy strategy : strategies)
                keys.emplace_back(cap, strategy);
        if (!run(keys, false))
            return TaskContext::cancelledError("planning");
        if (!jointBorders)
            return all;
        std::map<DualModeStrategy, double> best;
        for (const auto& [key, trial] : all.m_trials)
            if (!trial->problem) {
                const auto at = best.try_emplace(key.second, trial->cycles).first;
                at->second = std::min(at->second, trial->cycles);
            }
        std::erase_if(keys, [&](const Key& key) {
            const bool hasBorders =
                key.second == DualModeStrategy::DualMode || key.second == DualModeStrategy::AllCompute;
            const Trial& trial = *all.m_trials.at(key);
            return !hasBorders || trial.problem || cuts.at(key.first)->subOps().size() > kMostJointPieces ||
                   trial.cycles > kWorthJointBorders * best.at(key.second);
        });
        if (!run(keys, true))
            return TaskContext::cancelledError("planning");
        return all;
    }

    const Trial* find(int cap, DualModeStrategy strategy) const {
        const auto at = m_trials.find({cap, strategy});
        return at == m_trials.end() ? nullptr : at->second;
    }

private:
    std::map<Key, const Trial*> m_trials;
};

/// What searchDualModeSplits() found.
struct SearchedCuts {
    int cap = 0; ///< The largest of all cuts.
    std::vector<DualModeSubOp> subOps;
    Segmentation segmentation;
};

tl::unexpected<Error> noCapFits(const DualModeChoices& choices,
                                const std::map<int, const CutNetwork*>& cuts) {
    std::string seen;
    const DualModeChoices::Piece& piece = choices.pieces.front();
    for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut) {
        const auto& subOps = cut->second->subOps();
        const auto first = std::ranges::find(subOps, piece.op, &DualModeSubOp::op);
        seen += fmt::format("{}{} (cap {})", seen.empty() ? "" : ", ",
                            first == subOps.end() ? 0 : first->pieces, cut->first);
    }
    return fail(
        ErrorCode::IllegalOverride,
        fmt::format("no cap cuts all operators as the decisions on pieces say; piece {} asks for {}, pieces "
                    "of it: {}",
                    piece.text, piece.pieces, seen),
        piece.opName,
        "remove the decisions on pieces that are no longer there, or choose the cap they were made for");
}

/// Caps and cuts as asked for are there: 1 to the arrays of the chip.
Result<void> checkCaps(const DualModeChip& chip, const DualModeOptions& options,
                       const DualModeChoices& choices) {
    if (choices.cap && *choices.cap > chip.arrays)
        return fail(ErrorCode::IllegalOverride,
                    fmt::format("cap = {}: the chip has {} arrays; allowed: 1 to {}", *choices.cap,
                                chip.arrays, chip.arrays));
    for (const int cap : options.caps)
        if (cap < 1 || cap > chip.arrays)
            return fail(ErrorCode::Usage,
                        fmt::format("cap {}: must be 1 to {}, the arrays of the chip", cap, chip.arrays),
                        chip.name);
    return {};
}

/// One network on one chip: every cap is tried, the best plan is kept.
class DualModePlanner {
public:
    /// \p plan has chip, options and workload.
    DualModePlanner(std::shared_ptr<DualModePlan> plan, const DualModeChoices& choices,
                    std::span<const DualModeStrategy> baselines, CapTrials& trials)
        : m_plan(std::move(plan)), m_choices(choices), m_wanted(baselines), m_trials(trials) {}

    Result<std::shared_ptr<DualModePlan>> run() {
        PIM_CHECK(cutByAllCaps());
        std::set<DualModeStrategy> strategies(m_wanted.begin(), m_wanted.end());
        if (m_choices.pieces.empty())
            strategies.insert(m_plan->options.strategy);
        PIM_TRY(m_unpinned, Unpinned::make(m_trials, findAlike(), strategies, m_plan->options.jointBorders));
        // The largest cap first: of equal plans the least cut one stays.
        for (auto cut = m_cuts.rbegin(); cut != m_cuts.rend(); ++cut)
            PIM_CHECK(tryCap(cut->first, cut->second->subOps()));
        if (m_choices.searchCuts)
            PIM_CHECK(trySearchedCuts());
        if (!m_anyMatch && !m_cuts.empty() && !m_choices.pieces.empty())
            return noCapFits(m_choices, m_cuts);
        if (!std::isfinite(m_best))
            return tl::unexpected(
                m_firstProblem.message.empty()
                    ? Error{ErrorCode::Unsupported, "no cap gives a plan", m_plan->chip.name, {}}
                    : m_firstProblem);
        for (const DualModeStrategy strategy : m_wanted)
            if (const auto found = m_baselines.find(strategy); found != m_baselines.end())
                m_plan->baselines.push_back(
                    {strategy, std::string(dualModeStrategyName(strategy)), found->second});
        return std::move(m_plan);
    }

private:
    void remember(const Error& error) {
        if (m_firstProblem.message.empty())
            m_firstProblem = error;
    }
    void keepBaseline(DualModeStrategy strategy, double cycles) {
        const auto at = m_baselines.try_emplace(strategy, cycles).first;
        at->second = std::min(at->second, cycles);
    }

    Result<void> cutByAllCaps() {
        const std::vector<int> listed = capsOf(m_plan->chip, m_plan->options);
        std::set<int> all(listed.begin(), listed.end());
        if (m_choices.cap)
            all.insert(*m_choices.cap);
        for (const int cap : largestFirst(all)) {
            const bool isNeeded = m_cuts.empty() || m_choices.cap == cap;
            const bool isCoarse = 2 * cap > m_plan->chip.arrays;
            const auto cut = m_trials.cut(cap, isNeeded && isCoarse ? kMaxDualModeSubOps : kMaxFineSubOps);
            if (cut)
                m_cuts.emplace(cap, *cut);
            else if (cut.error().code != ErrorCode::Unsupported || m_choices.cap == cap)
                return tl::unexpected(cut.error());
            else
                remember(cut.error());
        }
        return {};
    }

    /// Caps that cut alike have one plan: the largest cap stands for them. \returns those.
    std::map<int, const CutNetwork*> findAlike() {
        std::map<int, const CutNetwork*> different;
        int before = 0;
        for (auto cut = m_cuts.rbegin(); cut != m_cuts.rend(); ++cut) {
            const bool repeated = before != 0 && sameCut(m_cuts.at(before)->subOps(), cut->second->subOps());
            before = repeated ? m_alike.at(before) : cut->first;
            m_alike[cut->first] = before;
            if (!repeated)
                different[cut->first] = cut->second;
        }
        return different;
    }

    Result<void> tryCap(int cap, const std::vector<DualModeSubOp>& subOps) {
        DualModeCapTrial trial{.cap = cap, .subOps = std::ssize(subOps)};
        for (const DualModeStrategy strategy : m_wanted) {
            const CapTrials::Trial& found = *m_unpinned.find(m_alike.at(cap), strategy);
            if (found.problem) {
                remember(*found.problem);
                continue;
            }
            keepBaseline(strategy, found.cycles);
            if (strategy == DualModeStrategy::AllCompute)
                trial.allComputeCycles = found.cycles;
        }
        if ((!m_choices.cap || *m_choices.cap == cap) && matchesPieces(m_choices, subOps)) {
            m_anyMatch = true;
            PIM_CHECK(tryOwn(trial, subOps));
        }
        m_plan->caps.push_back(trial);
        return {};
    }

    /// The strategy asked for, with the decisions on pieces.
    Result<void> tryOwn(DualModeCapTrial& trial, const std::vector<DualModeSubOp>& subOps) {
        const DualModeOptions& options = m_plan->options;
        PIM_TRY(DualModePins pins, pinsFrom(m_choices, *m_plan->workload, subOps, m_plan->chip, options));
        std::optional<Error> problem;
        std::optional<Segmentation> found;
        if (const CapTrials::Trial* known = m_choices.pieces.empty()
                                                ? m_unpinned.find(m_alike.at(trial.cap), options.strategy)
                                                : nullptr) {
            problem = known->problem;
            trial.cycles = known->cycles;
            if (!problem && known->cycles < m_best)
                found = known->segmentation;
        } else if (auto pinned = m_trials.plan(subOps, options.strategy, pins,
                                               options.jointBorders && subOps.size() <= kMostJointPieces)) {
            trial.cycles = pinned->cycles;
            found = std::move(*pinned);
        } else {
            problem = std::move(pinned).error();
        }
        if (problem) {
            if (problem->code == ErrorCode::Cancelled)
                return tl::unexpected(std::move(*problem));
            if (!m_choices.pieces.empty())
                problem->code = ErrorCode::IllegalOverride;
            remember(*problem);
        } else if (found && found->cycles < m_best) {
            m_best = found->cycles;
            m_plan->cap = trial.cap;
            m_plan->subOps = subOps;
            m_plan->pins = std::move(pins);
            m_plan->segmentation = std::move(*found);
        }
        return {};
    }

    Result<void> trySearchedCuts() {
        PIM_TRY(SearchedCuts own, searched(m_plan->options.strategy));
        PIM_TRY(const SearchedCuts other,
                searched(DualModeStrategy::AllCompute)); // what it is compared with is cut as it likes, too
        keepBaseline(DualModeStrategy::AllCompute, other.segmentation.cycles);
        m_plan->caps.push_back(
            {own.cap, true, std::ssize(own.subOps), own.segmentation.cycles, other.segmentation.cycles});
        if (own.segmentation.cycles < m_best) {
            m_best = own.segmentation.cycles;
            m_plan->cap = own.cap;
            m_plan->searchedCuts = true;
            m_plan->subOps = std::move(own.subOps);
            m_plan->segmentation = std::move(own.segmentation);
            m_plan->pins = {};
        }
        return {};
    }
    Result<SearchedCuts> searched(DualModeStrategy strategy) const {
        DualModeOptions options = m_plan->options;
        options.strategy = strategy;
        PIM_TRY(const DualModeSplitSearch found,
                searchDualModeSplits(*m_plan->workload, m_plan->chip, options, m_trials.task()));
        PIM_TRY(auto subOps, splitOperators(*m_plan->workload, m_plan->chip, options, found.cuts));
        PIM_TRY(auto segmentation, m_trials.plan(subOps, strategy, {}, options.jointBorders));
        return SearchedCuts{std::ranges::max(found.cuts, {}, &DualModeCut::cap).cap, std::move(subOps),
                            std::move(segmentation)};
    }

    std::shared_ptr<DualModePlan> m_plan;
    const DualModeChoices& m_choices;
    std::span<const DualModeStrategy> m_wanted; ///< Of the baselines.
    CapTrials& m_trials;
    std::map<int, const CutNetwork*> m_cuts; ///< By cap.
    std::map<int, int> m_alike;              ///< [cap] the largest one that cuts like it.
    Unpinned m_unpinned;
    std::map<DualModeStrategy, double> m_baselines; ///< Cycles of the best cap.
    double m_best = std::numeric_limits<double>::infinity();
    bool m_anyMatch = false; ///< A cap cuts as the decisions on pieces say.
    Error m_firstProblem;
};

} // namespace

std::vector<int> defaultDualModeCaps(const DualModeChip& chip) {
    return partsOf(chip, {{1, 1}, {5, 6}, {2, 3}, {1, 2}, {5, 12}, {1, 3}, {1, 4}});
}

std::vector<int> fineDualModeCaps(const DualModeWorkload& workload, const DualModeChip& chip, int most) {
    std::set<int> caps;
    // The smallest cap of each way to cut: an operator of W arrays stays whole from W on; a slab of j of its
    // column blocks needs j * row blocks; j instances need j times one instance.
    for (const DualModeOp& op : workload.ops) {
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
    for (const int cap : defaultDualModeCaps(chip))
        chosen.insert(cap);
    return largestFirst(std::move(chosen));
}

std::vector<Result<std::shared_ptr<DualModePlan>>>
planDualModes(std::shared_ptr<const DualModeWorkload> workload, const DualModeChip& chip,
              const DualModeOptions& options, std::span<const DualModeWish> wishes, const TaskContext& task) {
    CapTrials trials(*workload, chip, options, task);
    const auto plan = [&](const DualModeWish& wish) -> Result<std::shared_ptr<DualModePlan>> {
        PIM_CHECK(checkDualModeChip(chip));
        if (workload->ops.empty())
            return fail(ErrorCode::Unsupported,
                        "the network has no matrix product, so there is nothing for the arrays to do",
                        chip.name);
        PIM_TRY(const DualModeChoices choices, parseDualModeDecisions(wish.decisions, *workload));
        PIM_CHECK(checkCaps(chip, options, choices));
        auto made = std::make_shared<DualModePlan>();
        made->chip = chip;
        made->options = options;
        made->options.strategy = choices.strategy.value_or(wish.strategy);
        made->workload = workload;
        return DualModePlanner(std::move(made), choices, wish.baselines, trials).run();
    };
    std::vector<Result<std::shared_ptr<DualModePlan>>> plans;
    for (const DualModeWish& wish : wishes)
        plans.push_back(plan(wish));
    return plans;
}

Result<std::shared_ptr<const DualModePlan>> planDualMode(DualModeWorkload workload, const DualModeChip& chip,
                                                         const DualModeOptions& options,
                                                         const std::vector<Override>& decisions,
                                                         const TaskContext& task,
                                                         std::span<const DualModeStrategy> baselines) {
    const DualModeWish wish{options.strategy, decisions, baselines};
    PIM_TRY(auto plan, std::move(planDualModes(std::make_shared<const DualModeWorkload>(std::move(workload)),
                                               chip, options, {&wish, 1}, task)
                                     .front()));
    plan->placement = placeArrays(plan->subOps, plan->segmentation, chip, *plan->workload);
    return std::shared_ptr<const DualModePlan>(std::move(plan));
}

} // namespace pim
