// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Tiling spaces, and the drafts that the rules leave of them, by what they depend on: kernel, groups, cores, capacity. Machines that
/// differ in speeds alone have them in common, and so have the points of most sweeps.
#include "core/tiling/tiling.h"

#include <atomic>
#include <mutex>
#include <string>
#include <unordered_map>

namespace pim {

class PlanCache;

/// What forEachKeptDraft() visits, in its order. Columns of numbers: there can be a million drafts, of which a few are looked at
/// again. Immutable, thread-safe.
class KeptDrafts {
public:
    /// Errors: Cancelled, and those of forEachKeptDraft(). \p space outlives it.
    static Result<std::shared_ptr<const KeptDrafts>>
    of(const TilingSpace& space, const TilingOptions& options, const TaskContext& task = {});

    std::size_t size() const { return m_strategies.size(); }
    const EnumerationCounts& counts() const { return m_counts; }
    void read(std::size_t at, Draft& into) const;
    /// \param into a summary of this space, or a new one.
    void readSummary(std::size_t at, DraftSummary& into) const;
    std::size_t bytes() const;

private:
    KeptDrafts(const TilingSpace& space) : m_space(&space) {}
    void add(const Draft& draft, const DraftSummary& summary);

    const TilingSpace* m_space;
    EnumerationCounts m_counts;
    std::vector<DraftPart> m_parts; ///< One a set, draft by draft.
    std::vector<IndexStrategy> m_strategies;
    /// Summaries of the first drafts, so many that memory stays small: the others are summarised anew.
    std::size_t m_summaries = 0;
    std::vector<std::int64_t> m_numbers; ///< loopTile, loopGroups, loopCores, and what is one number.
    std::vector<TensorShare> m_tensors;  ///< One a tensor of the kernel.
};

/// Thread-safe.
class SpaceTable {
public:
    /// A kernel on a machine; its drafts once somebody asked for them.
    class Entry {
    public:
        explicit Entry(std::shared_ptr<const TilingSpace> space) : m_space(std::move(space)) {}
        const std::shared_ptr<const TilingSpace>& space() const { return m_space; }
        /// As KeptDrafts::of(); who asks while another is at it waits.
        Result<std::shared_ptr<const KeptDrafts>> kept(const TilingOptions& options, const TaskContext& task);
        /// Does somebody look for its drafts right now?
        bool isBusy() const { return m_busy; }

    private:
        friend class SpaceTable;
        std::shared_ptr<const TilingSpace> m_space;
        std::mutex m_mutex;
        TilingOptions m_options;
        std::shared_ptr<const KeptDrafts> m_kept;
        std::atomic<std::size_t> m_bytes = 0;
        std::atomic<bool> m_busy = false;
    };

    /// Errors: those of TilingSpace::create().
    /// \param text of the kernel.
    Result<std::shared_ptr<Entry>> find(const Kernel& kernel, const std::string& text,
                                        const TilingResources& resources);
    /// Entry::isBusy() of a kernel that is there; false for others.
    bool isBusy(const std::string& text, const TilingResources& resources);

private:
    struct Kept {
        std::shared_ptr<Entry> entry;
        std::int64_t asked = 0; ///< Last.
    };
    void makeRoom();

    std::mutex m_mutex;
    std::int64_t m_asked = 0;
    std::unordered_map<std::string, Kept> m_entries;
};

/// From now on \p cache looks up and keeps its kernels and spaces where \p other does. Before anybody uses \p cache.
void shareKernels(PlanCache& cache, PlanCache& other);

} // namespace pim
