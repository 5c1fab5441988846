// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/attacc/product.h"

#include <algorithm>
#include <bit>

namespace pim::attacc {

using dram::ceilDiv;
using dram::DotPart;
using dram::DotWalk;

namespace {

/// Core digits of a cut that have work in some group.
int usedDigits(const DotWalk::Cut& cut) {
    int used = 1;
    for (int tile = 0; tile < int(cut.ranges.size()); ++tile)
        if (cut.ranges[std::size_t(tile)].first < cut.ranges[std::size_t(tile)].second)
            used = std::max(used, tile % cut.cores + 1);
    return used;
}

/// The digits of \p positions that play \p part in the product; they are neighbours.
Skip skipOf(const DotWalk& walk, const Positions& positions, DotPart part) {
    Skip skip;
    for (const Positions::Digit& digit : positions.digits()) // the lowest comes last
        if (walk.cuts()[std::size_t(digit.cut)].part == part && digit.radix > 1) {
            skip.copies *= digit.radix;
            skip.spread = digit.stride;
        }
    return skip;
}

} // namespace

Positions::Positions(const DotWalk& walk, const Geometry& geometry) : m_geometry(geometry) {
    for (const DotPart part : {DotPart::Batch, DotPart::Buffer, DotPart::Bank, DotPart::Summed})
        for (int cut = 0; cut < int(walk.cuts().size()); ++cut)
            if (walk.cuts()[std::size_t(cut)].part == part)
                m_digits.push_back({cut, usedDigits(walk.cuts()[std::size_t(cut)]), 1});
    int count = 1;
    for (std::size_t i = m_digits.size(); i-- > 0;) {
        m_digits[i].stride = count;
        count *= m_digits[i].radix;
    }
    for (int position = 0; position < count; ++position) {
        int core = 0;
        for (const Digit& digit : m_digits)
            core += position / digit.stride % digit.radix * walk.cuts()[std::size_t(digit.cut)].coreStride;
        m_core.push_back(core);
    }
}

int Positions::ofCore(int core) const {
    const auto at = std::find(m_core.begin(), m_core.end(), core);
    return at == m_core.end() ? -1 : int(at - m_core.begin());
}

ProductCut ProductCut::of(const dram::DotProducts& work, std::int64_t resultCount, const Geometry& geometry,
                          const Limits& limits) {
    const auto [abreast, softmaxSlots, outputsStay, ones] = limits;
    ProductCut cut;
    cut.pieces = ceilDiv(work.bursts, geometry.bufferBursts);
    cut.pieceBursts = ceilDiv(work.bursts, cut.pieces);
    const std::int64_t room = std::min<std::int64_t>(geometry.bufferBursts / cut.pieceBursts, kAccumulators);
    cut.abreast =
        cut.pieces > 1 ? 1 : std::max<std::int64_t>(1, std::min({abreast, room, work.bufferVectors}));
    cut.blockVectors = std::int64_t(std::bit_floor(std::uint64_t(kAccumulators / cut.abreast)));
    cut.spills = cut.pieces > 1 && !outputsStay && !ones;
    cut.chunkVectors =
        cut.pieces > 1 && !cut.spills
            ? cut.blockVectors
            : std::max<std::int64_t>(1, softmaxSlots / std::max<std::int64_t>(1, resultCount)) *
                  cut.blockVectors;
    cut.chunkVectors = std::min(cut.chunkVectors, work.bankVectors);
    cut.stageRows = ceilDiv(cut.chunkVectors * cut.pieceBursts, geometry.columns);
    return cut;
}

Product::Product(const DotWalk& walk, const Positions& positions, const Geometry& geometry,
                 std::int64_t abreast, std::int64_t softmaxSlots, bool outputsStay)
    : m_walk(&walk), m_positions(&positions), m_columns(geometry.columns),
      m_ones(walk.roles().buffer.shape.empty()), m_sets(skipOf(walk, positions, DotPart::Bank)),
      m_results(skipOf(walk, positions, DotPart::Summed)) {
    if (m_ones) // one set for all
        m_sets = {1, positions.count()};
    m_cut =
        ProductCut::of(walk.work(), resultCount(), geometry, {abreast, softmaxSlots, outputsStay, m_ones});
}

std::int64_t Product::vectorsOf(std::int64_t chunk) const {
    return std::min(m_cut.chunkVectors, m_walk->work().bankVectors - chunk * m_cut.chunkVectors);
}

std::int64_t Product::visitBlocks() const {
    return (chunks() - 1) * chunkBlocks() + ceilDiv(vectorsOf(chunks() - 1), m_cut.blockVectors);
}

void Product::bankElements(int group, std::int64_t burst, Lanes lanes) const {
    const std::int64_t column = burst % m_columns, row = burst / m_columns % rows();
    const int core = m_positions->core(int(burst / m_columns / rows()));
    const std::int64_t stage = row / m_cut.stageRows, inStage = row % m_cut.stageRows * m_columns + column;
    const std::int64_t piece = stage % m_cut.pieces, chunk = stage / m_cut.pieces % chunks(),
                       batch = stage / m_cut.pieces / chunks();
    const std::int64_t vector = inStage / m_cut.pieceBursts,
                       part = piece * m_cut.pieceBursts + inStage % m_cut.pieceBursts;
    if (vector < vectorsOf(chunk))
        m_walk->bankBurst(group, core, batch, chunk * m_cut.chunkVectors + vector, part, lanes);
    else
        std::fill(lanes.begin(), lanes.end(), -1);
}

int Product::workingCore(int group, const Skip& skip, int number) const {
    for (int digit = 0; digit < skip.copies; ++digit)
        if (const int core = m_positions->core(skip.position(number, digit)); m_walk->works(group, core))
            return core;
    return -1;
}

void Product::bufferElements(int group, std::int64_t burst, Lanes lanes) const {
    const std::int64_t bursts = m_cut.pieces * m_cut.pieceBursts, part = burst % bursts;
    const std::int64_t vector = burst / bursts % bufferVectors(),
                       batch = burst / bursts / bufferVectors() % batches();
    const int core = workingCore(group, m_sets, int(burst / bursts / bufferVectors() / batches()));
    if (core >= 0)
        m_walk->bufferBurst(group, core, batch, vector, part, lanes);
    else
        std::fill(lanes.begin(), lanes.end(), -1);
}

void Product::resultElements(int group, std::int64_t burst, Lanes lanes) const {
    const int core = workingCore(group, m_results, int(burst % resultCount()));
    const std::int64_t block = burst / resultCount() % visitBlocks(),
                       visit = burst / resultCount() / visitBlocks();
    const std::int64_t batch = visit / visits(), firstBuffer = visit % visits() * m_cut.abreast;
    const std::int64_t chunk = block / chunkBlocks(), firstBank = block % chunkBlocks() * m_cut.blockVectors;
    for (int lane = 0; lane < kPimLanes; ++lane) {
        const std::int64_t bank = firstBank + lane / m_cut.abreast,
                           buffer = firstBuffer + lane % m_cut.abreast;
        const bool isResult = core >= 0 && lane < m_cut.blockVectors * m_cut.abreast &&
                              bank < vectorsOf(chunk) && buffer < bufferVectors();
        lanes[std::size_t(lane)] =
            isResult ? m_walk->output(group, core, batch, chunk * m_cut.chunkVectors + bank, buffer) : -1;
    }
}

std::vector<PimPlace> Product::places(std::int64_t element) const {
    std::vector<PimPlace> out;
    for (const dram::DotPlace& place : m_walk->bankPlaces(element)) {
        const int position = m_positions->ofCore(place.core);
        if (position < 0)
            continue;
        const std::int64_t chunk = place.bankVector / m_cut.chunkVectors;
        const std::int64_t inStage =
            place.bankVector % m_cut.chunkVectors * m_cut.pieceBursts + place.burst % m_cut.pieceBursts;
        out.push_back({place.group, m_positions->bank(position),
                       row(place.batch, chunk, place.burst / m_cut.pieceBursts) + inStage / m_columns,
                       int(inStage % m_columns), place.lane});
    }
    std::sort(out.begin(), out.end());
    return out;
}

int mergeable(const Product& product, const Geometry& geometry) {
    const Skip& results = product.results();
    if (results.spread != 1)
        return 1;
    int merge = 1;
    while (merge * 2 <= geometry.banks && results.copies % (merge * 2) == 0 &&
           geometry.banks % (merge * 2) == 0)
        merge *= 2;
    return merge;
}

} // namespace pim::attacc
