// SPDX-License-Identifier: GPL-3.0-or-later
// All formulas: AttAcc simulator c600051, xPU model (devices and layer timing).
#include "backends/host/roofline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pim {
namespace {

constexpr double kSoftmaxFlopsPerElement = 5;
constexpr double kL1Depth = 32;      ///< Elements along k that lie in L1 at once.
constexpr double kL2Share = 64;      ///< 1/64 of k lies in L2 at once.
constexpr double kRegisterTile = 16; ///< Square that a core keeps in registers.
constexpr std::array<double, 11> kL1Tiles{8, 16, 32, 64, 128, 192, 256, 320, 384, 448, 512};

/// FLOP/ns at most; of the nearest type if the host does not name this one.
double peakFlopsPerNs(const Host& host, DataType type) {
    auto found = host.peakFlopsPerNs.find(type);
    if (found == host.peakFlopsPerNs.end() && bytesOf(type) == 1)
        found = host.peakFlopsPerNs.find(DataType::I8);
    if (found == host.peakFlopsPerNs.end() && bytesOf(type) == 2)
        found = host.peakFlopsPerNs.find(DataType::F16);
    if (found == host.peakFlopsPerNs.end())
        found = host.peakFlopsPerNs.find(DataType::F32);
    if (found == host.peakFlopsPerNs.end())
        found = host.peakFlopsPerNs.begin();
    return found == host.peakFlopsPerNs.end() ? 0 : found->second;
}

/// That kernels reach.
double flopsPerNs(const Host& host, DataType type) {
    return peakFlopsPerNs(host, type) * host.flopsEfficiency;
}

double bytesPerNs(const Host& host) {
    return host.memoryBytesPerNs * host.memoryEfficiency;
}

double timeFor(double amount, double rate) {
    return amount <= 0 ? 0 : amount / std::max(rate, 1e-9);
}

/// Share of core time used when \p blocks equal pieces are dealt to all cores in rounds.
double utilisation(double blocks, int cores) {
    const double rounds = std::ceil(blocks / cores);
    return rounds > 0 ? blocks / (rounds * cores) : 1;
}

struct Tile {
    double m = 1, n = 1;
};

/// Elements that cross into a cache which holds tiles of this size.
double traffic(const Gemm& gemm, Tile tile) {
    return std::ceil(gemm.m / tile.m) * gemm.n * gemm.k + std::ceil(gemm.n / tile.n) * gemm.m * gemm.k +
           gemm.m * gemm.n;
}

double blocks(const Gemm& gemm, Tile tile) {
    return gemm.count *
           (gemm.coresShareProduct ? std::ceil(gemm.m / tile.m) * std::ceil(gemm.n / tile.n) : 1);
}

/// The tile that fits into L1 with the least traffic, weighed against idle cores.
Tile chooseL1(const Host& host, const Gemm& gemm, double elementBytes) {
    Tile best{std::min(kL1Tiles[0], gemm.m), std::min(kL1Tiles[0], gemm.n)};
    double bestScore = std::numeric_limits<double>::infinity();
    for (const double wantedM : kL1Tiles) {
        for (const double wantedN : kL1Tiles) {
            const Tile tile{std::min(wantedM, gemm.m), std::min(wantedN, gemm.n)};
            const double bytes = ((tile.m + tile.n) * kL1Depth + tile.m * tile.n) * elementBytes;
            if (bytes <= static_cast<double>(host.l1BytesPerCore)) {
                const double used = utilisation(blocks(gemm, tile), host.cores);
                const double score = traffic(gemm, tile) / (used * used);
                if (score < bestScore) {
                    bestScore = score;
                    best = tile;
                }
            }
            if (wantedN >= gemm.n)
                break;
        }
        if (wantedM >= gemm.m)
            break;
    }
    return best;
}

/// Smallest multiple of \p step (or the whole \p extent) that covers it in \p parts pieces.
double pieceFor(double extent, double parts, double step) {
    return parts <= 1 ? extent : std::min(extent, std::ceil(extent / parts / step) * step);
}

/// The tile that fits into L2 with the least memory traffic: multiples of the L1 tile or whole dimensions.
/// For a number of pieces along m the best n is the largest that fits, so one dimension is searched and the
/// other computed.
Tile chooseL2(const Host& host, const Gemm& gemm, Tile l1, double elementBytes) {
    const double capacity = static_cast<double>(host.l2Bytes) / elementBytes;
    const double depth = gemm.k / kL2Share;
    const auto largestOther = [&](double one) { return (capacity - one * depth) / (depth + one); };
    Tile best = l1;
    double bestTraffic = std::numeric_limits<double>::infinity();
    double parts = std::max(1.0, std::ceil(gemm.m / std::max(largestOther(l1.n), l1.m)));
    while (parts * gemm.n * gemm.k < bestTraffic) {
        const double m = pieceFor(gemm.m, parts, l1.m);
        double n = std::min(gemm.n, largestOther(m));
        if (n < gemm.n)
            n = std::floor(n / l1.n) * l1.n;
        if (n >= l1.n) {
            const Tile tile{m, pieceFor(gemm.n, std::ceil(gemm.n / n), l1.n)};
            if (const double moved = traffic(gemm, tile); moved < bestTraffic) {
                bestTraffic = moved;
                best = tile;
            }
        }
        if (m <= l1.m)
            break;
        parts += std::max(1.0, std::floor(parts / 256)); // huge matrices: 0.4 % off at most
    }
    return best;
}

HostCost fittedCost(const Host& host, const std::string& fit, double bytes, double flops, DataType type) {
    HostCost cost = streamCost(host, bytes, flops, type);
    const double perByte = host.numberOr(fit + ".perByte", "ns/B", -1);
    const double reference = host.numberOr("overhead.referenceBandwidth", "GB/s", -1);
    if (perByte > 0 && reference > 0) {
        cost.memoryNs = perByte * (reference / host.memoryBytesPerNs) * bytes;
        // Measured with part of the bytes in caches: the memory has not moved more than it can.
        cost.memoryBytes = std::min(bytes, cost.memoryNs * host.memoryBytesPerNs);
        cost.overheadNs = host.numberOr(fit + ".fixed", "ns", 0);
    }
    cost.ns = cost.overheadNs + std::max(cost.computeNs, cost.memoryNs);
    return cost;
}

} // namespace

GemmCost gemmCost(const Host& host, const Gemm& gemm, DataType type) {
    GemmCost cost;
    if (!(gemm.m > 0 && gemm.n > 0 && gemm.k > 0 && gemm.count > 0))
        return cost;
    const auto elementBytes = static_cast<double>(std::max<std::int64_t>(bytesOf(type), 1));
    const Tile l1 = chooseL1(host, gemm, elementBytes);
    const Tile l2 = chooseL2(host, gemm, l1, elementBytes);
    cost.utilisation = utilisation(blocks(gemm, l1), host.cores);
    const double aBytes = gemm.aBytes > 0 ? gemm.aBytes : gemm.m * gemm.k * elementBytes;
    const double bBytes = gemm.bBytes > 0 ? gemm.bBytes : gemm.n * gemm.k * elementBytes;
    cost.memoryBytes = gemm.count * (std::ceil(gemm.m / l2.m) * bBytes + std::ceil(gemm.n / l2.n) * aBytes +
                                     gemm.m * gemm.n * elementBytes);
    cost.l2Bytes = gemm.count * traffic(gemm, l1) * elementBytes;
    cost.l1Bytes = gemm.count * traffic(gemm, {kRegisterTile, kRegisterTile}) * elementBytes;
    cost.operations = 2 * gemm.m * gemm.n * gemm.k * gemm.count;
    cost.operationsPerNs = peakFlopsPerNs(host, type);
    cost.computeNs = timeFor(cost.operations, flopsPerNs(host, type) * cost.utilisation);
    cost.memoryNs = timeFor(cost.memoryBytes, bytesPerNs(host) * cost.utilisation);
    cost.ns = std::max(cost.computeNs, cost.memoryNs);
    cost.l1TileM = l1.m;
    cost.l1TileN = l1.n;
    cost.l2TileM = l2.m;
    cost.l2TileN = l2.n;
    return cost;
}

HostCost streamCost(const Host& host, double bytes, double flops, DataType type) {
    HostCost cost;
    cost.known = true;
    cost.computeNs = timeFor(flops, flopsPerNs(host, type));
    cost.memoryNs = timeFor(bytes, bytesPerNs(host));
    cost.ns = std::max(cost.computeNs, cost.memoryNs);
    cost.operations = flops;
    cost.memoryBytes = bytes;
    cost.operationsPerNs = peakFlopsPerNs(host, type);
    return cost;
}

HostCost softmaxCost(const Host& host, double elements, double rows, DataType type) {
    const double used = utilisation(rows, host.cores);
    const double bytes = 2 * elements * static_cast<double>(bytesOf(type));
    const double flops = kSoftmaxFlopsPerElement * elements;
    HostCost cost = streamCost(host, bytes / used, flops / used, type);
    cost.operations = flops;
    cost.memoryBytes = bytes;
    return cost;
}

HostCost activationCost(const Host& host, double bytes, double flops, DataType type) {
    return fittedCost(host, "overhead.activation", bytes, flops, type);
}

HostCost normCost(const Host& host, double bytes, double flops, DataType type) {
    return fittedCost(host, "overhead.norm", bytes, flops, type);
}

double allReduceNs(const Host& host, int hosts, double bytes) {
    if (hosts <= 1 || bytes <= 0)
        return 0;
    const double piece = bytes / hosts;
    const double reference = host.numberOr("overhead.link.referenceBandwidth", "GB/s", host.linkBytesPerNs);
    const double fitted =
        host.numberOr("overhead.link.fixed", "ns", 0) +
        host.numberOr("overhead.link.perByte", "ns/B", 0) * piece * (reference / host.linkBytesPerNs);
    return (hosts - 1) * std::max(fitted, linkNs(host, piece));
}

double linkNs(const Host& host, double bytes) {
    return timeFor(bytes, host.linkBytesPerNs / 2);
}

} // namespace pim
