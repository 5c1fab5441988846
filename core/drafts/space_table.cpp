// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drafts/space_table.h"

#include "core/drafts/opwise_planner.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

constexpr std::size_t kMostSummaries = 100'000; ///< Of one space: some 40 MB.
constexpr std::size_t kMostEntries = 4096;
constexpr std::size_t kMostBytes = std::size_t{256} << 20; ///< Of the drafts of all entries.

std::string keyOf(const std::string& text, const TilingResources& r) {
    return fmt::format("{}\n{} {} {} {} {} {}", text, r.groups, r.coresPerGroup, r.simdLanes, r.coreBytes,
                       r.hasCodeChoices, r.looksUp);
}

} // namespace

Result<std::shared_ptr<const KeptDrafts>>
KeptDrafts::of(const TilingSpace& space, const TilingOptions& options, const TaskContext& task) {
    std::shared_ptr<KeptDrafts> kept(new KeptDrafts(space));
    const auto add = [&](const Draft& draft, const DraftSummary& summary) {
        kept->add(draft, summary);
        return !task.cancelled();
    };
    PIM_TRY(kept->m_counts, forEachKeptDraft(space, options, add, task));
    if (task.cancelled())
        return TaskContext::cancelledError("pricing drafts");
    return std::shared_ptr<const KeptDrafts>(std::move(kept));
}

void KeptDrafts::add(const Draft& draft, const DraftSummary& summary) {
    m_parts.insert(m_parts.end(), draft.parts.begin(), draft.parts.end());
    m_strategies.push_back(draft.strategy);
    if (m_summaries == kMostSummaries)
        return;
    ++m_summaries;
    for (const auto* column : {&summary.loopTile, &summary.loopGroups, &summary.loopCores})
        m_numbers.insert(m_numbers.end(), column->begin(), column->end());
    for (const std::int64_t number :
         {summary.groupsUsed, summary.coresUsed, summary.iterationsPerCore, summary.bytesPerCore,
          summary.scorePartialCores, summary.scorePartialGroups, std::int64_t{summary.uniform}})
        m_numbers.push_back(number);
    m_tensors.insert(m_tensors.end(), summary.tensors.begin(), summary.tensors.end());
}

void KeptDrafts::read(std::size_t at, Draft& into) const {
    const std::size_t width = m_space->sets().size();
    const auto begin = m_parts.begin() + static_cast<std::ptrdiff_t>(at * width);
    into.parts.assign(begin, begin + static_cast<std::ptrdiff_t>(width));
    into.strategy = m_strategies[at];
    into.code.clear();
}

void KeptDrafts::readSummary(std::size_t at, DraftSummary& into) const {
    if (at >= m_summaries) {
        Draft draft;
        read(at, draft);
        m_space->summarize(draft, into);
        return;
    }
    const auto loops = static_cast<std::ptrdiff_t>(m_space->kernel().loops.size());
    auto next = m_numbers.begin() + static_cast<std::ptrdiff_t>(at) *
                                        (std::ssize(m_numbers) / static_cast<std::ptrdiff_t>(m_summaries));
    for (auto* column : {&into.loopTile, &into.loopGroups, &into.loopCores}) {
        column->assign(next, next + loops);
        next += loops;
    }
    for (std::int64_t* number : {&into.groupsUsed, &into.coresUsed, &into.iterationsPerCore,
                                 &into.bytesPerCore, &into.scorePartialCores, &into.scorePartialGroups})
        *number = *next++;
    into.uniform = *next != 0;
    const std::size_t tensors = m_tensors.size() / m_summaries;
    const auto share = m_tensors.begin() + static_cast<std::ptrdiff_t>(at * tensors);
    into.tensors.assign(share, share + static_cast<std::ptrdiff_t>(tensors));
    into.code.clear();
}

std::size_t KeptDrafts::bytes() const {
    return m_parts.size() * sizeof(DraftPart) + m_strategies.size() * sizeof(IndexStrategy) +
           m_numbers.size() * sizeof(std::int64_t) + m_tensors.size() * sizeof(TensorShare);
}

Result<std::shared_ptr<const KeptDrafts>> SpaceTable::Entry::kept(const TilingOptions& options,
                                                                  const TaskContext& task) {
    const std::lock_guard lock(m_mutex);
    if (!m_kept || m_options != options) {
        m_busy = true;
        auto made = KeptDrafts::of(*m_space, options, task);
        m_busy = false;
        PIM_TRY(m_kept, std::move(made));
        m_options = options;
        m_bytes = m_kept->bytes();
    }
    return m_kept;
}

Result<std::shared_ptr<SpaceTable::Entry>> SpaceTable::find(const Kernel& kernel, const std::string& text,
                                                            const TilingResources& resources) {
    std::string key = keyOf(text, resources);
    const std::lock_guard lock(m_mutex);
    if (const auto known = m_entries.find(key); known != m_entries.end()) {
        known->second.asked = ++m_asked;
        return known->second.entry;
    }
    PIM_TRY(auto space, TilingSpace::create(kernel, resources));
    makeRoom();
    return m_entries.emplace(std::move(key), Kept{std::make_shared<Entry>(std::move(space)), ++m_asked})
        .first->second.entry;
}

bool SpaceTable::isBusy(const std::string& text, const TilingResources& resources) {
    const std::lock_guard lock(m_mutex);
    const auto known = m_entries.find(keyOf(text, resources));
    return known != m_entries.end() && known->second.entry->isBusy();
}

/// Those in use elsewhere live on there.
void SpaceTable::makeRoom() {
    std::size_t bytes = 0;
    for (const auto& [key, kept] : m_entries)
        bytes += kept.entry->m_bytes;
    if (m_entries.size() < kMostEntries && bytes <= kMostBytes)
        return;
    std::vector<std::int64_t>
        asked; // half of them go: looking for each that does would cost as much as making it
    for (const auto& [key, kept] : m_entries)
        asked.push_back(kept.asked);
    const auto middle = asked.begin() + std::ssize(asked) / 2;
    std::nth_element(asked.begin(), middle, asked.end());
    std::erase_if(m_entries, [&](const auto& each) { return each.second.asked < *middle; });
}

void shareKernels(PlanCache& cache, PlanCache& other) {
    cache.state().kernels = other.state().kernels;
    cache.state().spaces = other.state().spaces;
}

} // namespace pim
