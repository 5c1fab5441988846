// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/split_search.h"

#include "backends/dual_mode/planner.h"
#include "backends/dual_mode/segment_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

namespace pim {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();
constexpr std::size_t kCapsAKind = 12, kTriedAKind = 4;

class SplitSearcher {
public:
    SplitSearcher(const DualModeWorkload& workload, const DualModeChip& chip, const DualModeOptions& options,
                  const TaskContext& task)
        : m_workload(workload), m_chip(chip), m_options(options), m_task(task), m_table(chip, options) {
        // takes several times as long and hardly ever changes which cut is better
        m_options.jointBorders = false;
    }

    Result<DualModeSplitSearch> run(int rounds) {
        PIM_CHECK(bestSingleCap());
        groupKinds();
        bool better = true;
        for (int round = 0; better && round < rounds; ++round) {
            better = false;
            for (std::size_t kind = 0; kind < m_kinds.size(); ++kind) {
                m_task.report("cuts", static_cast<std::int64_t>(round * m_kinds.size() + kind),
                              static_cast<std::int64_t>(rounds * m_kinds.size()));
                PIM_TRY(const bool improved, improve(m_kinds[kind]));
                better = better || improved;
            }
        }
        return std::move(m_found);
    }

private:
    /// Infinity where this cut gives no plan; an error only for a cancel.
    Result<double> price(const DualModeWorkload& workload, const std::vector<DualModeCut>& cuts) {
        if (m_task.cancelled())
            return TaskContext::cancelledError("the search for cuts");
        auto subOps = splitOperators(workload, m_chip, m_options, cuts);
        if (!subOps)
            return kNone;
        const auto found = segmentNetwork(
            {std::move(*subOps), predecessorsOf(workload), m_chip, m_options, {}}, {}, &m_table);
        return found ? found->cycles : kNone;
    }
    Result<double> priceAll(const std::vector<DualModeCut>& cuts) {
        ++m_found.plansTried;
        return price(m_workload, cuts);
    }

    Result<void> bestSingleCap() {
        const std::vector<int> usual = m_options.caps.empty() ? defaultDualModeCaps(m_chip) : m_options.caps;
        std::set<int> caps(usual.begin(), usual.end());
        for (const int cap : fineDualModeCaps(m_workload, m_chip))
            caps.insert(cap);
        m_found.defaultCycles = m_found.fineCycles = kNone;
        for (auto cap = caps.rbegin(); cap != caps.rend(); ++cap) {
            PIM_TRY(const double cycles,
                    priceAll(std::vector<DualModeCut>(m_workload.ops.size(), DualModeCut{*cap, 0})));
            if (cycles < m_found.fineCycles) {
                m_found.fineCycles = cycles;
                m_found.fineCap = *cap;
            }
            if (std::ranges::find(usual, *cap) != usual.end() && cycles < m_found.defaultCycles) {
                m_found.defaultCycles = cycles;
                m_found.defaultCap = *cap;
            }
        }
        if (m_found.fineCycles == kNone)
            return fail(ErrorCode::Unsupported, "no way to cut the operators gives a plan", m_chip.name);
        m_found.cycles = m_found.fineCycles;
        m_found.cuts.assign(m_workload.ops.size(), DualModeCut{m_found.fineCap, 0});
        return {};
    }

    /// Operators of the same extents are cut alike; the largest first, they decide most.
    void groupKinds() {
        std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, bool>,
                 std::vector<std::size_t>>
            kinds;
        for (std::size_t i = 0; i < m_workload.ops.size(); ++i) {
            const DualModeOp& op = m_workload.ops[i];
            kinds[{op.m, op.n, op.k, op.g, op.depthwise}].push_back(i);
        }
        for (auto& [extents, members] : kinds)
            m_kinds.push_back(std::move(members));
        const auto weight = [&](const std::vector<std::size_t>& members) {
            return static_cast<double>(m_workload.ops[members.front()].macs()) *
                   static_cast<double>(members.size());
        };
        std::ranges::stable_sort(m_kinds, std::greater<>(), weight);
    }

    /// Cuts of one operator, the best by themselves first.
    Result<std::vector<DualModeCut>> candidates(const DualModeOp& op) {
        DualModeWorkload alone;
        alone.ops = {op};
        alone.ops[0].predecessors.clear();
        std::vector<DualModeCut> all;
        const std::int64_t rows = (op.n + m_chip.rows - 1) / m_chip.rows;
        for (const int cap : fineDualModeCaps(alone, m_chip, static_cast<int>(kCapsAKind))) {
            all.push_back({cap, 0});
            for (int height = 1; height < rows && height <= cap; height *= 2)
                all.push_back({cap, height});
        }
        std::vector<std::pair<double, DualModeCut>> priced;
        std::set<std::tuple<std::size_t, std::int64_t, std::int64_t, std::int64_t>> seen;
        for (const DualModeCut& cut : all) {
            const auto pieces = splitOperators(alone, m_chip, m_options, std::vector<DualModeCut>{cut});
            if (!pieces ||
                !seen.emplace(pieces->size(), pieces->front().n, pieces->front().k, pieces->front().g).second)
                continue;
            PIM_TRY(const double cycles, price(alone, {cut}));
            priced.emplace_back(cycles, cut);
        }
        std::ranges::stable_sort(priced, {}, &std::pair<double, DualModeCut>::first);
        std::vector<DualModeCut> best;
        for (std::size_t i = 0; i < std::min(kTriedAKind, priced.size()); ++i)
            best.push_back(priced[i].second);
        return best;
    }

    Result<bool> improve(const std::vector<std::size_t>& members) {
        PIM_TRY(const std::vector<DualModeCut> tried, candidates(m_workload.ops[members.front()]));
        bool better = false;
        for (const DualModeCut& cut : tried) {
            std::vector<DualModeCut> cuts = m_found.cuts;
            for (const std::size_t i : members)
                cuts[i] = cut;
            if (cuts == m_found.cuts)
                continue;
            PIM_TRY(const double cycles, priceAll(cuts));
            if (cycles < m_found.cycles * (1 - 1e-12)) {
                m_found.cycles = cycles;
                m_found.cuts = std::move(cuts);
                better = true;
            }
        }
        return better;
    }

    const DualModeWorkload& m_workload;
    const DualModeChip& m_chip;
    DualModeOptions m_options;
    const TaskContext& m_task;
    SegmentTable m_table;
    std::vector<std::vector<std::size_t>> m_kinds;
    DualModeSplitSearch m_found;
};

} // namespace

Result<DualModeSplitSearch> searchDualModeSplits(const DualModeWorkload& workload, const DualModeChip& chip,
                                                 const DualModeOptions& options, const TaskContext& task,
                                                 int rounds) {
    PIM_CHECK(checkDualModeChip(chip));
    if (workload.ops.empty())
        return fail(ErrorCode::Unsupported, "the network has no matrix product, so there is nothing to cut",
                    chip.name);
    return SplitSearcher(workload, chip, options, task).run(rounds);
}

} // namespace pim
