// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/memristor/occ.h"

#include "core/ir/lower/digits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pim::memristor {

namespace {

constexpr std::int64_t kWordBytes = 4;
constexpr std::int64_t kWhole = 65536; ///< A tile that holds every matrix.

/// Every row begins a word.
std::int64_t words(std::int64_t rows, std::int64_t rowBytes) {
    return rows * ((rowBytes + kWordBytes - 1) / kWordBytes);
}
std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

/// Pieces of an extent: how many of which length.
struct Pieces {
    std::array<std::pair<std::int64_t, std::int64_t>, 2> all{}; ///< {count, length}, the second the rest.
    std::int64_t count = 0;
    Pieces(std::int64_t extent, std::int64_t step) : count(ceilDiv(extent, step)) {
        all = {{{extent / step, step}, {extent % step ? 1 : 0, extent % step}}};
    }
};

/// How often the loops in front of and at the last loop over k or n turn the loop over m.
std::int64_t rewrites(const TileMapping& mapping, std::int64_t rowPieces) {
    const auto& order = mapping.order;
    const auto m = std::ranges::find(order, 'm') - order.begin();
    return m == 2 ? 1 : rowPieces;
}

double valueOf(const TileChoice& choice, TileGoal goal) {
    return goal == TileGoal::Time     ? choice.wide.ns
           : goal == TileGoal::Energy ? choice.wide.pj
                                      : static_cast<double>(choice.counts.tileWrites);
}

/// The most first. So many as have pieces of k to work on; more would only be written with zeros.
std::vector<int> unrollsOf(std::int64_t pieces, int tiles, const TileWish& wish) {
    std::vector<int> unrolls;
    for (int unroll = std::min(tiles, wish.unroll.value_or(tiles)); unroll >= 1; --unroll)
        if (pieces % unroll == 0 && (unrolls.empty() || !wish.unroll))
            unrolls.push_back(unroll);
    return unrolls;
}

} // namespace

TileCounts& TileCounts::operator+=(const TileCounts& more) {
    tileWrites += more.tileWrites;
    products += more.products;
    merges += more.merges;
    wordsWritten += more.wordsWritten;
    wordsRead += more.wordsRead;
    matrixBytes += more.matrixBytes;
    return *this;
}

std::string writesFormula(const GemmShape& shape, const TileMapping& mapping) {
    const GemmShape turned = mapping.holdLeft ? GemmShape{shape.n, shape.k, shape.m} : shape;
    const char rows = mapping.holdLeft ? 'n' : 'm', columns = mapping.holdLeft ? 'm' : 'n';
    std::string formula, numbers;
    const auto factor = [&](char name, std::int64_t extent) {
        formula += fmt::format("{}⌈{}/{}⌉", formula.empty() ? "" : " ", name, mapping.size);
        numbers += fmt::format("{}{}", numbers.empty() ? "" : " × ", ceilDiv(extent, mapping.size));
    };
    const std::int64_t rowPieces = mapping.wholeRows ? 1 : ceilDiv(turned.m, mapping.size);
    if (rewrites(mapping, rowPieces) > 1)
        factor(rows, turned.m);
    factor('k', turned.k);
    factor(columns, turned.n);
    return fmt::format("{} = {} = {} tile writes", formula, numbers, countsOf(shape, mapping).tileWrites);
}

GemmShape paddedShape(const GemmShape& shape, const TileMapping& mapping) {
    const auto up = [&](std::int64_t extent, bool whole = false) {
        const std::int64_t piece = whole ? extent : std::min(extent, mapping.size);
        return ceilDiv(extent, piece) * piece;
    };
    return {up(shape.m, mapping.wholeRows && !mapping.holdLeft), up(shape.k),
            up(shape.n, mapping.wholeRows && mapping.holdLeft)};
}

TileCounts countsOf(const GemmShape& given, const TileMapping& mapping, std::int64_t bytes) {
    const std::int64_t starts = ir::digitProducts(bytes), resultBytes = std::min<std::int64_t>(bytes, 4);
    const GemmShape shape = mapping.holdLeft ? GemmShape{given.n, given.k, given.m} : given;
    const Pieces m(shape.m, mapping.wholeRows ? shape.m : std::min(shape.m, mapping.size)),
        k(shape.k, std::min(shape.k, mapping.size)), n(shape.n, std::min(shape.n, mapping.size));
    TileCounts counts;
    counts.products = m.count * k.count * n.count * starts;
    counts.merges = counts.products - m.count * n.count;
    const std::int64_t again = rewrites(mapping, m.count);
    counts.tileWrites = k.count * n.count * again * bytes;
    for (const auto& [kCount, kLength] : k.all)
        for (const auto& [nCount, nLength] : n.all) {
            counts.matrixBytes += again * bytes * kCount * nCount * kLength * nLength;
            if (kCount * nCount > 0)
                counts.wordsWritten += again * bytes * kCount * nCount * words(kLength + 1, nLength);
            for (const auto& [mCount, mLength] : m.all) {
                const std::int64_t times = kCount * nCount * mCount * starts;
                counts.wordsWritten += times * words(mLength, kLength);
                counts.wordsRead += times * words(mLength, nLength * resultBytes);
            }
        }
    return counts;
}

TileCost costOf(const TileCounts& counts, const OccDevice& device) {
    TileCost cost;
    const auto written = static_cast<double>(counts.wordsWritten),
               read = static_cast<double>(counts.wordsRead);
    cost.ns = device.writeWordNs * written + device.readWordNs * read;
    cost.pj = device.writeWordPj * written + device.readWordPj * read +
              device.mixedSignalPjPerCycle * cost.ns * device.clockGhz;
    if (counts.matrixBytes > 0) {
        constexpr double kNsPerYear = 365.25 * 24 * 3600 * 1e9;
        const double bytesPerNs = static_cast<double>(counts.matrixBytes) / cost.ns;
        cost.lifetimeYears = device.enduranceWrites * device.wearBytes / bytesPerNs / kNsPerYear;
    }
    return cost;
}

Result<TileWish> tileWish(const std::string& order, const std::string& rows, int unroll) {
    TileWish wish;
    if (order != "search") {
        std::string sorted = order;
        std::ranges::sort(sorted);
        if (sorted != "kmn")
            return fail(ErrorCode::Usage, fmt::format("\"{}\" is no order of m, k and n", order), "--order",
                        "write search, or the outermost loop first: knm");
        wish.order = {order[0], order[1], order[2]};
    }
    if (rows != "search" && rows != "box" && rows != "whole")
        return fail(ErrorCode::Usage, fmt::format("\"{}\" are no rows", rows), "--rows",
                    "write search, box or whole");
    if (rows != "search")
        wish.wholeRows = rows == "whole";
    if (unroll < 0)
        return fail(ErrorCode::Usage, fmt::format("{} tiles at a time compute nothing", unroll), "--unroll",
                    "write how many tiles work on one product at most, or 0 for the search");
    if (unroll > 0)
        wish.unroll = unroll;
    return wish;
}

TileChoice searchMapping(const GemmShape& shape, std::int64_t size, int tiles, TileGoal goal,
                         const TileWish& wish, const OccDevice& device, std::int64_t bytes) {
    std::optional<TileChoice> best;
    int tried = 0;
    const auto tryMapping = [&](const TileMapping& mapping) {
        TileChoice choice{mapping, countsOf(shape, mapping), {}, {}, 0};
        choice.wide = costOf(countsOf(paddedShape(shape, mapping), mapping, bytes), device);
        ++tried;
        if (!best || valueOf(choice, goal) < valueOf(*best, goal))
            best = choice;
    };
    const std::vector<int> unrolls = unrollsOf(ceilDiv(shape.k, std::min(shape.k, size)), tiles, wish);
    for (const bool left : {false, true})
        for (const bool whole : {false, true})
            for (std::array<char, 3> order{'k', 'm', 'n'};;) {
                const bool wanted = (!wish.order || (order == *wish.order && !left)) &&
                                    whole == wish.wholeRows.value_or(whole);
                if (wanted)
                    for (const int unroll : unrolls)
                        tryMapping({size, tiles, order, whole, left, unroll});
                if (!std::next_permutation(order.begin(), order.end()))
                    break;
            }
    best->cost = costOf(best->counts, device);
    best->tried = tried;
    return *best;
}

std::int64_t leastTileWrites(const GemmShape& shape, std::int64_t size) {
    return ceilDiv(shape.k, size) * std::min(ceilDiv(shape.m, size), ceilDiv(shape.n, size));
}

const std::vector<OccBenchmark>& occBenchmarks() {
    static const GemmShape kSquare{128, 128, 128};
    static const std::vector<OccBenchmark> kAll{
        {"1mm", {kSquare}, "One product of 128 x 128 matrices, as the sheet says."},
        {"2mm", {kSquare, kSquare}, "Two of them."},
        {"3mm", {kSquare, kSquare, kSquare}, "Three of them."},
        {"tmm", {kSquare}, "A product with a transposed operand."},
        {"mlp3", {kSquare, kSquare, kSquare}, "Three dense layers of 128 for 128 inputs."},
        {"mv", {{1, 128, 128}}, "A matrix of 128 x 128 times one vector."},
        {"tc_2x3x3",
         {{16, 256, 16}},
         "C[a,b] = A[c,a,d] B[d,c,b] with extents of 16, found by its counters."},
        {"tc_3x3x2",
         {{256, 16, 16}},
         "C[a,b,c] = A[a,c,d] B[d,b] with extents of 16, found by its counters."},
        {"tc_4x4x4_A",
         {{256, 256, 256}},
         "C[a,b,c,d] = A[a,e,b,f] B[d,f,c,e] with extents of 16, found by its counters."},
        {"tc_4x4x4_B", {{256, 256, 256}}, "As A, with other places of the letters."},
        {"lstm", {{1, 64, 128}}, "All gates of 32 cells at once, from 32 inputs and 32 states."},
        {"kronecker3",
         {{2048, 16, 8}, {1024, 16, 8}, {512, 16, 8}},
         "A Kronecker product of three 8 x 16 matrices times 8 vectors, one factor after the other: products "
         "over the last, the "
         "middle and the first axis of [8][16][16][16]."},
        {"wavenet",
         {{128, 32, 32}, {128, 32, 64}},
         "Residual and skip of one layer for 128 steps; its dilated filters are no products for OCC."},
        {"conv1d", {{128, 6, 3}}, "im2col: 128 positions, 3 channels under a kernel of 2, 3 filters.", false},
        {"conv2d",
         {{16384, 12, 3}},
         "im2col: 128 x 128 positions, 3 channels under a kernel of 2 x 2, 3 filters.",
         false},
        {"conv3d",
         {{4096, 24, 3}},
         "im2col: 16 x 16 x 16 positions, 3 channels under a kernel of 2 x 2 x 2, 3 filters.",
         false},
    };
    return kAll;
}

std::optional<TileMapping> occConfiguration(std::string_view name) {
    TileMapping mapping;
    if (name == "cim")
        mapping.size = kWhole;
    else if (name == "cim-min-writes" || name == "cim-opt")
        mapping.order = {'k', 'n', 'm'};
    else if (name != "cim-tiled" && name != "cim-unroll")
        return std::nullopt;
    return mapping;
}

} // namespace pim::memristor
