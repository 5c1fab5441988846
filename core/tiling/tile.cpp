// SPDX-License-Identifier: GPL-3.0-or-later
// Draft -> what each core holds and does, and the same boiled down to a summary. [DCC §IV-B.4]
#include "core/tiling/geometry.h"
#include "core/tiling/tiling.h"

#include <algorithm>
#include <array>

namespace pim {

using tiling::at;
using tiling::Cut;
using tiling::DimGeometry;
using tiling::Geometry;
using tiling::kMaxLoops;
using tiling::Range;
using tiling::WorkingTiles;

namespace {

Cut cutOf(const TilingSpace& space, const Draft& draft, std::size_t set) {
    const auto& part = draft.parts[set];
    const auto& mapping = space.sets()[set].mappings[at(part.mapping)];
    const auto& kernel = space.kernel();
    return Cut::make(mapping, kernel.loops[at(mapping.loop)].extent,
                     kernel.tensors[at(mapping.dim.tensor)].shape[at(mapping.dim.dim)],
                     static_cast<std::int64_t>(part.groups) * part.cores);
}

/// Tile of each set that a core has: its numbers are digits over the parts, the first set the most
/// significant one. False where the draft leaves the core out.
bool tilesOf(const Draft& draft, int group, int core, std::array<std::int64_t, kMaxLoops>& tiles) {
    if (group < 0 || core < 0)
        return false;
    for (std::size_t s = draft.parts.size(); s-- > 0;) {
        const auto& part = draft.parts[s];
        tiles[s] = static_cast<std::int64_t>(group % part.groups) * part.cores + core % part.cores;
        group /= part.groups;
        core /= part.cores;
    }
    return group == 0 && core == 0;
}

/// One set of the draft at hand that is split, as summarize() needs it.
struct Split {
    int loop = 0;
    std::int64_t cores = 1; ///< Tiles a group.
    Cut cut;
    WorkingTiles work;
    Cut groupCut;                  ///< The same dimension with one tile a group.
    std::int64_t groupLongest = 1; ///< Longest loop range of a group.

    std::int64_t count(bool perGroup) const { return perGroup ? work.groupsUsed : work.count; }
    std::int64_t longest(bool perGroup) const { return perGroup ? groupLongest : work.longest; }
    Range first(bool perGroup) const {
        return perGroup ? groupCut.range(work.first / cores) : cut.range(work.first);
    }
    Range last(bool perGroup) const {
        return perGroup ? groupCut.range(work.last / cores) : cut.range(work.last);
    }
};

/// Sizes of a dimension over all cores (or groups).
struct Extents {
    std::int64_t most = 0;
    std::int64_t least = 0;
    std::int64_t run = 1; ///< Longest contiguous piece of the largest.
};

/// What summarize() needs of one draft; kept between drafts, as it is called for millions of them.
struct Scratch {
    std::vector<Split> splits;
    std::array<int, kMaxLoops> splitOf{}; ///< [loop] position in splits, or -1.
    std::vector<Range> ranges;            ///< Of sizesOf().
    std::vector<IndexRun> runs;           ///< Likewise.
};

/// Largest and smallest index set of \p dim over the tiles of all splits it depends on. With at most two
/// tiles a split all are looked at; with more, the inner ones are alike and stand for all (see TensorShare).
Extents sizesOf(const Kernel& kernel, const DimGeometry& dim, IndexStrategy strategy, bool perGroup,
                Scratch& scratch) {
    const std::vector<Split>& splits = scratch.splits;
    std::vector<Range>& ranges = scratch.ranges;
    std::vector<IndexRun>& runs = scratch.runs;
    std::array<std::array<Range, 2>, kMaxLoops> choices;
    std::array<int, kMaxLoops> loops{};
    std::size_t free = 0;
    bool inside = true;
    for (const auto& split : splits) {
        if ((dim.loops >> split.loop & 1U) == 0)
            continue;
        const std::int64_t count = split.count(perGroup);
        if (count < 2)
            continue;
        if (count == 2) {
            choices[free] = {split.first(perGroup), split.last(perGroup)};
        } else {
            const std::int64_t longest = split.longest(perGroup), end = split.cut.loopExtent;
            inside = false;
            choices[free] = {Range{0, longest}, Range{end - longest, end}};
        }
        loops[free++] = split.loop;
    }
    ranges.clear();
    for (const auto& loop : kernel.loops)
        ranges.emplace_back(0, loop.extent);

    const std::int64_t whole = strategy == IndexStrategy::ExactSet ? dim.wholeExact : dim.wholeCount;
    const bool bound = !inside && dim.skewed && strategy == IndexStrategy::ExactSet;
    Extents result{0, whole, 1};
    const std::size_t combinations = std::size_t{1} << free;
    for (std::size_t c = 0; c < combinations; ++c) {
        for (std::size_t i = 0; i < free; ++i)
            ranges[at(loops[i])] = choices[i][c >> i & 1U];
        runs.clear();
        tiling::collectIndices(dim, ranges, bound ? IndexStrategy::ExpandedRange : strategy, inside, runs);
        Extents one{0, 0, 1};
        for (const auto& run : runs) {
            one.most += run.count;
            one.run = std::max(one.run, run.step == 1 ? run.count : 1);
        }
        if (bound) { // no more than the functions reach one by one
            std::int64_t separate = 0;
            for (const auto& expr : dim.exprs) {
                std::int64_t product = 1;
                for (const auto& term : expr.terms)
                    product =
                        std::min(whole, product * std::min(whole, tiling::lengthOf(ranges[at(term.loop)])));
                separate += product;
            }
            one.most = std::min(one.most, separate);
        }
        one.most = std::min(one.most, whole);
        result.least = std::min(result.least, one.most);
        if (one.most >= result.most) {
            result.most = one.most;
            result.run = std::min(std::max(one.run, std::int64_t{1}), std::max<std::int64_t>(whole, 1));
        }
        if (!inside && !dim.skewed)
            break; // all inner tiles have the same size
    }
    if (!inside) // windows at the edge of the tensor reach fewer indices
        for (const bool last : {false, true}) {
            for (const auto& split : splits)
                if (split.count(perGroup) > 1)
                    ranges[at(split.loop)] = last ? split.last(perGroup) : split.first(perGroup);
            runs.clear();
            tiling::collectIndices(dim, ranges, strategy, true, runs);
            std::int64_t count = 0;
            for (const auto& run : runs)
                count += run.count;
            result.least = std::min(result.least, count);
        }
    return result;
}

/// Which loops \p draft splits, and what all cores have of them.
void findSplits(const TilingSpace& space, const Draft& draft, std::uint32_t scoreLoops, Scratch& scratch,
                DraftSummary& out) {
    scratch.splitOf.fill(-1);
    scratch.splits.clear();
    out.loopTile.clear();
    for (const auto& loop : space.kernel().loops)
        out.loopTile.push_back(loop.extent);
    out.loopGroups.assign(space.kernel().loops.size(), 1);
    out.loopCores.assign(space.kernel().loops.size(), 1);
    out.groupsUsed = out.coresUsed = out.scorePartialCores = out.scorePartialGroups = 1;
    out.uniform = true;
    for (std::size_t s = 0; s < space.sets().size(); ++s) {
        const auto& part = draft.parts[s];
        if (part.groups == 1 && part.cores == 1)
            continue;
        Split split{.loop = space.sets()[s].mappings[at(part.mapping)].loop,
                    .cores = part.cores,
                    .cut = cutOf(space, draft, s)};
        split.work = WorkingTiles::of(split.cut, part.cores);
        if (split.work.count < 2)
            continue;
        split.groupCut = split.cut;
        split.groupCut.length = split.cut.length * part.cores;
        split.groupCut.tiles = tiling::ceilDiv(split.cut.extent, split.groupCut.length);
        split.groupLongest = split.work.groupsUsed == 1 ? split.cut.loopExtent
                             : part.cores == 1          ? split.work.longest
                                                        : WorkingTiles::of(split.groupCut, 1).longest;
        scratch.splitOf[at(split.loop)] = static_cast<int>(scratch.splits.size());
        out.loopTile[at(split.loop)] = split.work.longest;
        out.loopGroups[at(split.loop)] = split.work.groupsUsed;
        out.loopCores[at(split.loop)] = split.work.coresUsed;
        out.groupsUsed *= split.work.groupsUsed;
        out.coresUsed *= split.work.coresUsed;
        out.uniform = out.uniform && split.work.longest == split.work.shortest;
        if ((scoreLoops >> split.loop & 1U) != 0) {
            out.scorePartialCores *= split.work.coresUsed;
            out.scorePartialGroups *= split.work.groupsUsed;
        }
        scratch.splits.push_back(split);
    }
}

/// What cores and groups have of tensor \p index.
void shareTensor(const Kernel& kernel, const Draft& draft, const tiling::TensorGeometry& tensor,
                 std::size_t index, Scratch& scratch, DraftSummary& out) {
    TensorShare& share = out.tensors[index];
    share = TensorShare{};
    if (!tensor.used)
        return;
    share.tileElements = share.groupElements = 1;
    const std::vector<Split>& splits = scratch.splits;
    bool isContiguous = true;
    std::uint32_t varying = 0; // splits whose tiles differ for this tensor
    for (std::size_t d = tensor.dims.size(); d-- > 0;) {
        const auto& dim = tensor.dims[d];
        Extents tile, group;
        if (dim.onlyLoop >= 0) {
            const int split = scratch.splitOf[at(dim.onlyLoop)];
            tile.most = tile.run = out.loopTile[at(dim.onlyLoop)];
            group.most = tile.most;
            if (split >= 0) {
                group.most = splits[at(split)].groupLongest;
                varying |= 1U << split;
            }
        } else {
            tile = sizesOf(kernel, dim, draft.strategy, false, scratch);
            group = sizesOf(kernel, dim, draft.strategy, true, scratch);
            const std::int64_t whole =
                draft.strategy == IndexStrategy::ExactSet ? dim.wholeExact : dim.wholeCount;
            out.uniform = out.uniform && tile.least == tile.most;
            for (std::size_t i = 0; i < splits.size(); ++i)
                if ((dim.loops >> splits[i].loop & 1U) != 0 && tile.least < whole)
                    varying |= 1U << i;
        }
        share.tileElements *= tile.most;
        share.groupElements *= group.most;
        if (isContiguous)
            share.contiguousElements *= tile.run;
        isContiguous = isContiguous && tile.run == dim.extent;
    }
    for (std::size_t i = 0; i < splits.size(); ++i) {
        const auto& work = splits[i].work;
        if ((varying >> i & 1U) == 0) {
            share.coresPerCopy *= work.coresUsed;
            share.groupsPerCopy *= work.groupsUsed;
        }
        if (tensor.written && (tensor.writtenLoops >> splits[i].loop & 1U) == 0) {
            share.partialCores *= work.coresUsed;
            share.partialGroups *= work.groupsUsed;
        }
    }
    out.bytesPerCore += share.tileElements * tensor.elementBytes;
}

} // namespace

DraftSummary TilingSpace::summarize(const Draft& draft) const {
    DraftSummary summary;
    summarize(draft, summary);
    return summary;
}

void TilingSpace::summarize(const Draft& draft, DraftSummary& out) const {
    PIM_ASSERT(draft.parts.size() == m_sets.size(), "a draft has one part for each dimension set");
    thread_local Scratch scratch;
    findSplits(*this, draft, m_geometry->scoreLoops, scratch, out);
    out.code = draft.code;
    out.iterationsPerCore = 1;
    for (const auto length : out.loopTile)
        out.iterationsPerCore *= length;
    out.bytesPerCore = 0;
    out.tensors.resize(m_geometry->tensors.size());
    for (std::size_t t = 0; t < m_geometry->tensors.size(); ++t)
        shareTensor(m_kernel, draft, m_geometry->tensors[t], t, scratch, out);
}

IndexRun TilingSpace::representativeTile(const Draft& draft, int set, int group, int core) const {
    std::array<std::int64_t, kMaxLoops> tiles{};
    const Cut cut = cutOf(*this, draft, at(set));
    if (!tilesOf(draft, group, core, tiles) || tiles[at(set)] >= cut.tiles)
        return {0, 0, 1};
    const std::int64_t begin = tiles[at(set)] * cut.length;
    return {begin, std::min(cut.length, cut.extent - begin), 1};
}

std::pair<std::int64_t, std::int64_t> TilingSpace::loopRange(const Draft& draft, int set, int group,
                                                             int core) const {
    std::array<std::int64_t, kMaxLoops> tiles{};
    if (!tilesOf(draft, group, core, tiles))
        return {0, 0};
    return cutOf(*this, draft, at(set)).range(tiles[at(set)]);
}

CoreTile TilingSpace::tile(const Draft& draft, int group, int core) const {
    PIM_ASSERT(draft.parts.size() == m_sets.size(), "a draft has one part for each dimension set");
    CoreTile tile{.group = group, .core = core};
    tile.data.resize(m_kernel.tensors.size());
    tile.tensorBytes.assign(m_kernel.tensors.size(), 0);
    for (std::size_t t = 0; t < m_kernel.tensors.size(); ++t)
        tile.data[t].resize(m_kernel.tensors[t].shape.size());
    for (const auto& loop : m_kernel.loops)
        tile.loops.emplace_back(0, loop.extent);

    std::array<std::int64_t, kMaxLoops> tiles{};
    bool works = tilesOf(draft, group, core, tiles);
    for (std::size_t s = 0; works && s < m_sets.size(); ++s) {
        auto& range = tile.loops[at(m_sets[s].mappings[at(draft.parts[s].mapping)].loop)];
        range = cutOf(*this, draft, s).range(tiles[s]);
        works = tiling::lengthOf(range) > 0;
    }
    if (!works) {
        for (auto& range : tile.loops)
            range = {0, 0};
        return tile;
    }
    tile.iterations = 1;
    for (const auto& range : tile.loops)
        tile.iterations *= tiling::lengthOf(range);
    for (std::size_t t = 0; t < m_geometry->tensors.size(); ++t) {
        const auto& tensor = m_geometry->tensors[t];
        if (!tensor.used)
            continue;
        std::int64_t bytes = tensor.elementBytes;
        for (std::size_t d = 0; d < tensor.dims.size(); ++d) {
            const auto& dim = tensor.dims[d];
            tiling::collectIndices(dim, tile.loops, draft.strategy, true, tile.data[t][d]);
            std::int64_t count = 0;
            for (const auto& run : tile.data[t][d])
                count += run.count;
            bytes *= count;
        }
        tile.tensorBytes[t] = bytes;
    }
    return tile;
}

std::vector<IndexRun> TilingSpace::accessIndices(const CoreTile& tile, int access, int dim,
                                                 IndexStrategy strategy) const {
    std::vector<IndexRun> runs;
    const auto& one = m_kernel.accesses[at(access)];
    const std::int64_t extent = m_kernel.tensors[at(one.tensor)].shape[at(dim)];
    if (tile.iterations > 0 && one.gatheredAt(at(dim)) != nullptr)
        runs.push_back({0, extent, 1});
    else if (tile.iterations > 0)
        tiling::collectIndices({one.index[at(dim)]}, tile.loops, strategy, extent, true, runs);
    return runs;
}

} // namespace pim
