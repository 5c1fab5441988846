// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The tiling search of DCC §IV-B: dimension sets, drafts, pruning, data tiles and compute tiles.
/// Flow: Kernel + TilingResources -> [dimension sets -> drafts -> pruning -> tiles] -> cost.
#include "core/base/task.h"
#include "core/kernel/kernel.h"

#include <array>
#include <functional>
#include <memory>

namespace pim {

/// What of a target the search needs to know.
struct TilingResources {
    int groups = 1; ///< PIM groups (pseudo-channels) of the whole machine.
    int coresPerGroup = 1;
    /// Elements a core handles with one command; 1: no multi-data instructions, rule 2 is off.
    int simdLanes = 1;
    std::int64_t coreBytes = 0;  ///< Capacity of the memory of one core; 0: not checked.
    bool hasCodeChoices = false; ///< Drafts may say how the code of a core works (Draft::code).
    bool looksUp =
        false; ///< Cores follow an index that they read (GatheredIndex): a tile has all of such a dimension.
};

namespace tiling {
struct Geometry;
}

/// A dimension of a tensor of the kernel: A0, B1, …
struct DimRef {
    int tensor = 0;
    int dim = 0;
    friend auto operator<=>(const DimRef&, const DimRef&) = default;
};

/// "dimension A0 is reached by b+1"
struct Mapping {
    DimRef dim;
    int loop = 0;                 ///< The one variable of the function.
    std::int64_t coefficient = 1; ///< F(v) = coefficient * v + constant
    std::int64_t constant = 0;
    std::string text; ///< "A0=b+1"
};

/// Tensor dimensions tied together by the loop variables they share. [DCC §IV-B.1]
/// A dimension reached by a sum of variables (convolution, h*s+r) belongs to the sets of all its variables as
/// data, but gives no mapping and does not merge them: else only one of the variables could be split.
struct DimensionSet {
    std::vector<DimRef> dims;      ///< In order of first appearance.
    std::vector<int> loops;        ///< Loop variables of the set.
    std::vector<Mapping> mappings; ///< All candidates for the representative mapping.
    std::string text;              ///< "(A0={b, b+1}, C0={b})"
};

/// Which indices a core holds where they are not contiguous. [DCC §IV-B.4 (i), (ii)]
enum class IndexStrategy : std::uint8_t { ExpandedRange, ExactSet };

/// [groups, cores per group, representative mapping] of one dimension set.
struct DraftPart {
    int groups = 1;
    int cores = 1;
    int mapping = 0; ///< Position in DimensionSet::mappings.
    friend auto operator<=>(const DraftPart&, const DraftPart&) = default;
};

/// One candidate: a part for each dimension set, in their order.
struct Draft {
    std::vector<DraftPart> parts;
    IndexStrategy strategy = IndexStrategy::ExpandedRange;
    /// What the user decided about the code of a core, in the words of the machine's family ("dma=512"); empty: the family
    /// chooses all of it.
    std::string code{};
    friend bool operator==(const Draft&, const Draft&) = default;
};

/// Why a draft is out. The values of the rules are the paper's numbers.
enum class PruneRule : std::uint8_t {
    Kept = 0,
    Redundant = 1,    ///< Rule 1: same data tiles and equivalent mappings as another draft.
    SimdMultiple = 2, ///< Rule 2: lanes of multi-data instructions idle that another draft fills.
    WorstCore = 3,    ///< Rule 3: same worst per-core length in every group as a draft that is kept.
    Capacity = 4,     ///< The tiles do not fit the memory of a core.
};
inline constexpr int kPruneRules = 5;
std::string_view name(PruneRule rule);

struct TilingOptions {
    bool rule1 = true, rule2 = true, rule3 = true;
    /// Rule 2 as printed: a core's length has to be a multiple of the lanes. It removes every good draft of a length
    /// that divides badly (3000 on 16 lanes), so ours compares padded lengths instead: out is a draft whose cores take
    /// as many multi-data steps as with fewer cores that pair as well (8 cores are not given up for 7: units of a group add
    /// results pairwise). What is a multiple of the lanes is never out for it, nor anything of
    /// sums and element-wise work over several dimensions: a core takes its elements of all of them together.
    bool paperRule2 = false;
    bool bothStrategies = true; ///< Try expanded range and exact set where they differ.
    /// Visit every allocation [1..k] x [1..m] as the paper does (true), or only the drafts that rules 1-3
    /// leave (false, used by `compile`). The drafts kept and all counts are the same: those of the rest come
    /// from the memo.
    bool everyAllocation = true;
    /// With everyAllocation off: if rules 1-3 leave more drafts than this, only the finest ladder of
    /// allocations that stays below is walked (see Ladder); what is passed over is counted.
    std::int64_t walkLimit = 25'000;
    std::int64_t maxKept = 2'000'000; ///< Stop keeping drafts beyond this; counted, reported, never silent.
    friend bool operator==(const TilingOptions&, const TilingOptions&) = default;
};

/// Numbers of groups (or cores) that a part tries when n are left for it. Whatever is tried,
/// the smallest equal part (rule 3) is taken, so that the rest goes to the others.
enum class Ladder : std::uint8_t {
    Every,     ///< 1 … n
    Quotients, ///< floor(n / q) for q = 1 … n: the largest of all numbers that leave the others the same.
    Halves,    ///< n, n/2, n/4, … 1
    Quarters,  ///< n, n/4, n/16, … 1
    AllOrOne,  ///< n, 1
};
std::string_view name(Ladder ladder);

/// Half-open progression begin, begin+step, … (count values).
struct IndexRun {
    std::int64_t begin = 0;
    std::int64_t count = 0;
    std::int64_t step = 1;
    friend bool operator==(const IndexRun&, const IndexRun&) = default;
};

/// What one core holds and does. [DCC §IV-B.4]
struct CoreTile {
    int group = 0;
    int core = 0;
    /// Loop ranges [begin, end) one a loop of the kernel; empty range: the core idles.
    std::vector<std::pair<std::int64_t, std::int64_t>> loops;
    /// [tensor][dim]: indices held, sorted, disjoint.
    std::vector<std::vector<std::vector<IndexRun>>> data;
    std::int64_t iterations = 0;
    std::vector<std::int64_t> tensorBytes; ///< One a tensor of the kernel.
};

/// A draft boiled down to what cost and pruning need; O(loops + tensors) to compute, no walk over cores.
/// Sizes are exact where every dimension of a tensor is reached by one variable or by sums that stay inside
/// the tensor; where windows hang over its edge or two functions of different slope meet, they are upper
/// bounds.
struct TensorShare {
    std::int64_t tileElements = 0;  ///< Of the core with the largest tile, strategy applied.
    std::int64_t groupElements = 0; ///< Distinct elements one group needs (largest group).
    std::int64_t coresPerCopy = 1;  ///< Cores of a group that hold the same tile: one broadcast serves them.
    std::int64_t groupsPerCopy = 1; ///< Groups that hold the same tiles: the bytes cross as many buses.
    /// Longest run of a tile that is contiguous in the row-major tensor.
    std::int64_t contiguousElements = 1;
    /// Outputs: cores of a group / groups that hold partial results of the same element; 1: results are
    /// final.
    std::int64_t partialCores = 1;
    std::int64_t partialGroups = 1;
};
struct DraftSummary {
    std::vector<std::int64_t> loopTile; ///< Longest range of each loop on one core.
    /// Into how many parts each loop is cut: over groups with work, and over cores with work of the fullest group; 1: not at all.
    std::vector<std::int64_t> loopGroups, loopCores;
    std::int64_t groupsUsed = 1;        ///< Groups with work.
    std::int64_t coresUsed = 1;         ///< Cores with work in the fullest group.
    std::int64_t iterationsPerCore = 0; ///< Of the busiest core.
    std::int64_t bytesPerCore = 0;      ///< All tensors, largest core.
    /// Attention: cores of a group / groups that share the dot product of one score (head dimension split).
    std::int64_t scorePartialCores = 1;
    std::int64_t scorePartialGroups = 1;
    std::vector<TensorShare> tensors; ///< One a tensor of the kernel.
    std::string code;                 ///< Draft::code
    bool uniform = true;              ///< All working cores have tiles of the same size (no padding needed).
};

/// Kernel, dimension sets and resources belong together; immutable, cheap to share. Thread-safe.
class TilingSpace {
public:
    /// Error::Unsupported if no loop drives a tensor dimension on its own, if results are written to
    /// overlapping windows (index with several variables), or if the machine has more than 2^20 cores. A loop
    /// that drives no dimension alone is in no set: every core runs all of it.
    static Result<std::shared_ptr<const TilingSpace>> create(Kernel kernel, TilingResources resources);

    const Kernel& kernel() const { return m_kernel; }
    const TilingResources& resources() const { return m_resources; }
    const std::vector<DimensionSet>& sets() const { return m_sets; }
    /// The dimension set that multi-data instructions run along (rule 2); -1 if there is none.
    int simdSet() const { return m_simdSet; }

    /// Is the draft one the hardware can take? Error::IllegalOverride says which part, the number and the
    /// allowed range.
    Result<void> check(const Draft& draft) const;
    DraftSummary summarize(const Draft& draft) const;
    /// The same without allocating once \p reuse has been used before: for loops over many drafts.
    void summarize(const Draft& draft, DraftSummary& reuse) const;
    /// The part of the representative dimension of \p set that a core owns (count 0: none). [DCC §IV-B.4:
    /// R_Gi_Bj]
    IndexRun representativeTile(const Draft& draft, int set, int group, int core) const;
    /// Values [begin, end) that a core gives the loop of the representative mapping of \p set; other loops of a set are
    /// run whole. Empty: the core idles.
    std::pair<std::int64_t, std::int64_t> loopRange(const Draft& draft, int set, int group, int core) const;
    /// Indices that one access of the kernel reaches along \p dim from the loop ranges of a core.
    std::vector<IndexRun> accessIndices(const CoreTile& tile, int access, int dim,
                                        IndexStrategy strategy) const;
    CoreTile tile(const Draft& draft, int group, int core) const;
    /// "[[2, 2, A0=b], [1, 2, A1=i*2], [1, 1, B1=k]] expanded", with "; dma=512" behind it if there is Draft::code;
    /// draftFromText reads it back.
    std::string draftText(const Draft& draft) const;
    Result<Draft> draftFromText(std::string_view text) const;
    /// Longest stretch of the set's representative dimension that one core gets: ceil(length / (groups *
    /// cores)).
    std::int64_t tileLength(const Draft& draft, int set) const;
    /// Resources the other parts of the draft leave for \p set: {groups, cores}; what an editor may offer.
    std::pair<int, int> available(const Draft& draft, int set) const;

    const tiling::Geometry& geometry() const { return *m_geometry; } ///< For the files of this folder.

private:
    TilingSpace() = default;
    Kernel m_kernel;
    TilingResources m_resources;
    std::vector<DimensionSet> m_sets;
    int m_simdSet = -1;
    std::shared_ptr<const tiling::Geometry> m_geometry;
};

/// The text of a draft without what it says about code.
std::string_view withoutCode(std::string_view draftText);

/// Why a draft went, in words with numbers, and which draft stands for it (rules 1 and 3).
struct PruneReason {
    PruneRule rule = PruneRule::Kept;
    std::string text;
    std::optional<Draft> keptInstead;
};

/// Capacity and the two index strategies are looked at for drafts that rules 1-3 leave [DCC §IV-B.4]; where
/// the strategies differ, both variants count. The counts by rule and \ref passedOver add up to \ref
/// enumerated.
struct EnumerationCounts {
    std::int64_t enumerated = 0;
    std::array<std::int64_t, kPruneRules> byRule{}; ///< [Kept] = kept.
    std::int64_t memoHits = 0;                      ///< Allocation subproblems answered from the memo.
    /// No draft met the rule 2 of the paper, so it was not applied. [DCC §IV-B.3]
    bool rule2Skipped = false;
    Ladder ladder = Ladder::Every; ///< What was walked to stay below walkLimit,
    std::int64_t passedOver = 0;   ///< and how many survivors of rules 1-3 it left out.
    bool truncated = false;        ///< maxKept was reached.
};

/// Walks the whole space once, in a fixed order (groups ascending, cores ascending, mappings in order, first
/// set outermost), calling \p visit for every draft with the rule that removes it (Kept if none). Streams:
/// memory stays bounded by the memo and the classes of rule 3, not by the number of drafts. \p visit returns
/// false to stop.
Result<EnumerationCounts> forEachDraft(const TilingSpace& space, const TilingOptions& options,
                                       const std::function<bool(const Draft&, PruneRule)>& visit,
                                       const TaskContext& task = {});

/// The same walk, kept drafts only, each with its summary, which the walk knows anyway.
Result<EnumerationCounts>
forEachKeptDraft(const TilingSpace& space, const TilingOptions& options,
                 const std::function<bool(const Draft&, const DraftSummary&)>& visit,
                 const TaskContext& task = {});

/// The kept drafts in a list.
Result<std::vector<Draft>> keptDrafts(const TilingSpace& space, const TilingOptions& options,
                                      EnumerationCounts* counts, const TaskContext& task = {});

/// Looks up why one draft is in or out.
Result<PruneReason> explain(const TilingSpace& space, const TilingOptions& options, const Draft& draft,
                            const TaskContext& task = {});

} // namespace pim
