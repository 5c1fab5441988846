// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/grid_choice.h"

#include "backends/upmem/draft_price.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::upmem {
namespace {

constexpr std::size_t kMostGrids = 200'000; ///< Looked at for one answer.

std::vector<int> divisorsOf(int number) {
    std::vector<int> divisors;
    for (int d = 1; d <= number; ++d)
        if (number % d == 0)
            divisors.push_back(d);
    return divisors;
}

/// Every draft that gives work to exactly so many DPUs and tasklets: what sets are split into multiplies.
class ExactGrids {
public:
    ExactGrids(const TilingSpace& space, const Draft& like)
        : m_space(space), m_strategy(like.strategy), m_code(like.code) {}

    /// Calls visit(draft, summary) until it returns false. \returns false if it did, or there were too many.
    template <class Visit>
    bool each(int dpus, int tasklets, const Visit& visit) {
        Draft draft{std::vector<DraftPart>(m_space.sets().size()), m_strategy, m_code};
        std::vector<std::vector<DraftPart>> parts(draft.parts.size());
        const std::vector<int> groups = divisorsOf(dpus), cores = divisorsOf(tasklets);
        for (std::size_t set = 0; set < parts.size(); ++set)
            parts[set] = partsOf(int(set), groups, cores);
        return walk(draft, parts, 0, dpus, tasklets, visit);
    }

    /// Is there one with a single tasklet? Without looking at memory.
    bool any(int dpus) {
        return !each(dpus, 1, [](const Draft&, const DraftSummary&) { return false; });
    }

private:
    /// Of one set, alone: those that all of their DPUs and tasklets have work with.
    std::vector<DraftPart> partsOf(int set, const std::vector<int>& groups, const std::vector<int>& cores) {
        Draft alone{std::vector<DraftPart>(m_space.sets().size()), m_strategy, {}};
        std::vector<DraftPart> parts;
        const int mappings = int(m_space.sets()[std::size_t(set)].mappings.size());
        for (const int g : groups)
            for (const int c : cores)
                for (int mapping = 0; mapping < (g * c == 1 ? 1 : mappings); ++mapping) {
                    alone.parts[std::size_t(set)] = {g, c, mapping};
                    m_space.summarize(alone, m_summary);
                    if (m_summary.groupsUsed == g && m_summary.coresUsed == c)
                        parts.push_back({g, c, mapping});
                }
        return parts;
    }

    template <class Visit>
    bool walk(Draft& draft, const std::vector<std::vector<DraftPart>>& parts, std::size_t set, int dpus,
              int tasklets, const Visit& visit) {
        if (set == parts.size()) {
            if (dpus != 1 || tasklets != 1)
                return true;
            if (++m_seen > kMostGrids)
                return false;
            m_space.summarize(draft, m_summary);
            return visit(draft, m_summary);
        }
        for (const DraftPart& part : parts[set]) {
            if (dpus % part.groups != 0 || tasklets % part.cores != 0)
                continue;
            draft.parts[set] = part;
            if (!walk(draft, parts, set + 1, dpus / part.groups, tasklets / part.cores, visit))
                return false;
        }
        return true;
    }

    const TilingSpace& m_space;
    IndexStrategy m_strategy;
    std::string m_code;
    DraftSummary m_summary;
    std::size_t m_seen = 0;
};

class GridChoice {
public:
    explicit GridChoice(const GridQuestion& question)
        : m_asked(question), m_machine(machineOf(question.target)),
          m_pricer(draftPricer(question.space, question.target, question.residency)),
          m_grids(question.space, question.draft), m_now(question.space.summarize(question.draft)) {}

    Result<Draft> choose() {
        for (const int tasklets : taskletNumbers())
            for (const int dpus : dpuNumbers()) {
                const bool goesOn =
                    m_grids.each(dpus, tasklets, [&](const Draft& draft, const DraftSummary& summary) {
                        return look(draft, summary);
                    });
                if (!goesOn && m_best)
                    return *m_best;
            }
        if (!m_asked.takesAny)
            takeFastest();
        if (m_best)
            return *m_best;
        return why();
    }

private:
    /// \returns false where the answer is found.
    bool look(const Draft& draft, const DraftSummary& summary) {
        std::int64_t bytes = 0;
        for (std::size_t t = 0; t < summary.tensors.size(); ++t)
            bytes += summary.tensors[t].groupElements * bytesOf(m_asked.space.kernel().tensors[t].dtype);
        if (bytes > kMramBytes) {
            m_leastBytes = m_leastBytes ? std::min(*m_leastBytes, bytes) : bytes;
            return true;
        }
        if (!m_asked.takesAny) {
            m_found.emplace_back(m_pricer->boundNs(draft, summary), draft);
            return true;
        }
        const auto tile = tileOf(m_asked.space.kernel(), summary, m_machine.timing);
        if (tile)
            m_best = draft;
        else if (!m_problem)
            m_problem = tile.error();
        return !tile;
    }

    void takeFastest() {
        std::ranges::stable_sort(m_found, {}, &std::pair<double, Draft>::first);
        double least = 0;
        for (const auto& [boundNs, draft] : m_found) {
            if (m_best && boundNs >= least)
                break;
            const DraftSummary summary = m_asked.space.summarize(draft);
            if (const auto tile = tileOf(m_asked.space.kernel(), summary, m_machine.timing); !tile) {
                if (!m_problem)
                    m_problem = tile.error();
                continue;
            }
            if (const double ns = m_pricer->price(draft, summary).totalNs(); !m_best || ns < least) {
                least = ns;
                m_best = draft;
            }
        }
    }

    std::vector<int> taskletNumbers() const {
        if (m_asked.tasklets)
            return {*m_asked.tasklets};
        std::vector<int> numbers{int(m_now.coresUsed)};
        for (int tasklets = m_machine.tasklets; tasklets > 0; --tasklets)
            if (tasklets != numbers.front())
                numbers.push_back(tasklets);
        return numbers;
    }

    /// Those of the draft, and all, a half, a third … of the machine's: more would be a search over everything.
    std::vector<int> dpuNumbers() const {
        if (m_asked.dpus)
            return {*m_asked.dpus};
        std::vector<int> numbers{int(m_now.groupsUsed)};
        for (int parts = 1; parts <= m_machine.dpus; ++parts)
            if (const int dpus = m_machine.dpus / parts; dpus != numbers.back() && dpus != numbers.front())
                numbers.push_back(dpus);
        return numbers;
    }

    tl::unexpected<Error> why() {
        const std::string field = m_asked.dpus ? "dpus" : "tasklets";
        const auto counted = [](int number, const char* what) {
            return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
        };
        const std::string wanted = fmt::format("{}{}{}", m_asked.dpus ? counted(*m_asked.dpus, "DPU") : "",
                                               m_asked.dpus && m_asked.tasklets ? " of " : "",
                                               m_asked.tasklets ? counted(*m_asked.tasklets, "tasklet") : "");
        if (m_problem)
            return fail(ErrorCode::IllegalOverride, fmt::format("with {}: {}", wanted, m_problem->message),
                        m_asked.draft.code.empty() ? field : std::string(), m_problem->hint);
        if (m_leastBytes)
            return fail(ErrorCode::IllegalOverride,
                        fmt::format("with {}, tensors take at least {} B of the MRAM of each, which has {} B",
                                    wanted, *m_leastBytes, kMramBytes),
                        field, "use more DPUs");
        return fail(ErrorCode::IllegalOverride,
                    fmt::format("no cut of its loops gives work to exactly {}{}", wanted, nearest()), field,
                    "take another number");
    }

    /// "; 960 and 1024 DPUs can be had"
    std::string nearest() {
        if (!m_asked.dpus || (m_asked.tasklets && m_grids.any(*m_asked.dpus)))
            return {};
        constexpr int kFar = 64;
        std::string found;
        for (const int step : {-1, 1})
            for (int away = 1; away <= kFar; ++away)
                if (const int dpus = *m_asked.dpus + step * away;
                    dpus >= 1 && dpus <= m_machine.dpus && m_grids.any(dpus)) {
                    found += fmt::format("{}{}", found.empty() ? "; " : " and ", dpus);
                    break;
                }
        return found.empty() ? found : found + " can be had";
    }

    const GridQuestion& m_asked;
    Machine m_machine;
    std::unique_ptr<KernelPricer> m_pricer;
    ExactGrids m_grids;
    DraftSummary m_now;
    std::vector<std::pair<double, Draft>> m_found; ///< With what they take at least.
    std::optional<Draft> m_best;
    std::optional<std::int64_t> m_leastBytes;
    std::optional<Error> m_problem;
};

} // namespace

Result<Draft> gridOf(const GridQuestion& question) {
    return GridChoice(question).choose();
}

} // namespace pim::upmem
