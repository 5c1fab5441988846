// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drafts/rejected_sample.h"

#include <algorithm>
#include <set>

namespace pim {
namespace {

constexpr std::size_t kTriesForEach = 40; ///< Drafts looked at for each one wanted.

/// The same numbers on every machine, as no engine of the standard library with its distributions promises.
/// [Knuth, MMIX]
class Numbers {
public:
    /// 1 … most
    int upTo(int most) {
        m_state = m_state * 6364136223846793005ULL + 1442695040888963407ULL;
        return 1 + static_cast<int>((m_state >> 33) % static_cast<std::uint64_t>(most));
    }

private:
    std::uint64_t m_state = 1;
};

bool isSplit(const TilingSpace& space, const DimensionSet& set) {
    return std::any_of(set.loops.begin(), set.loops.end(), [&](int loop) {
        return space.kernel().loops[static_cast<std::size_t>(loop)].extent > 1;
    });
}

Draft draw(const TilingSpace& space, Numbers& numbers) {
    const std::size_t sets = space.sets().size();
    Draft draft;
    draft.parts.resize(sets);
    int groups = space.resources().groups, cores = space.resources().coresPerGroup;
    // Whoever comes first leaves little to the others: that is not always the same set.
    const auto first = static_cast<std::size_t>(numbers.upTo(static_cast<int>(sets)));
    for (std::size_t i = 0; i < sets; ++i) {
        const std::size_t s = (first + i) % sets;
        const DimensionSet& set = space.sets()[s];
        if (!isSplit(space, set))
            continue;
        DraftPart& part = draft.parts[s];
        part.groups = numbers.upTo(groups);
        part.cores = numbers.upTo(cores);
        part.mapping = numbers.upTo(static_cast<int>(set.mappings.size())) - 1;
        groups /= part.groups;
        cores /= part.cores;
    }
    return draft;
}

} // namespace

std::vector<Exploration::Rejected> sampleRejected(const TilingSpace& space, const TilingOptions& options,
                                                  const std::array<bool, kPruneRules>& wanted,
                                                  std::size_t each, const TaskContext& task) {
    std::array<std::vector<Draft>, kPruneRules> found;
    const auto isFull = [&](std::size_t rule) { return !wanted[rule] || found[rule].size() >= each; };
    std::set<std::vector<DraftPart>> seen;
    Numbers numbers;
    for (std::size_t i = 0; i < each * kTriesForEach && !task.cancelled(); ++i) {
        if (isFull(1) && isFull(2) && isFull(3))
            break;
        Draft draft = draw(space, numbers);
        if (!seen.insert(draft.parts).second)
            continue;
        const auto reason = explain(space, options, draft);
        const auto rule = reason ? static_cast<std::size_t>(reason->rule) : 0;
        if (rule >= 1 && rule <= 3 && !isFull(rule))
            found[rule].push_back(std::move(draft));
    }
    std::vector<Exploration::Rejected> rejected;
    for (std::size_t rule = 1; rule <= 3; ++rule)
        for (Draft& draft : found[rule])
            rejected.push_back({std::move(draft), static_cast<PruneRule>(rule)});
    return rejected;
}

} // namespace pim
