// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/host_link.h"

#include "backends/upmem/dpu/isa.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace pim::upmem {
namespace {

/// A + B * MB up to a number of megabytes (2^20 bytes, every copy counted), seconds.
struct Piece {
    double upToMb, perMb, fixed;
};

/// [PIM-DL artifact 87aee67: index, LUT] Beyond the last piece a bandwidth, MB/s.
constexpr std::array kBroadcastPieces{Piece{128, 0, 0.0207961}, Piece{4096, 5e-5, 0.0166},
                                      Piece{32768, 3e-5, 0.1266}};
constexpr double kBroadcastBeyond = 29530;
constexpr std::array kParallelPieces{Piece{256, 1e-4, 0.0037}, Piece{2048, 7e-5, 0.0152},
                                     Piece{32768, 2e-5, 0.108}};
constexpr double kParallelBeyond = 42926;

template <std::size_t N>
double piecewiseSeconds(const std::array<Piece, N>& pieces, double beyond, double mb) {
    for (const Piece& piece : pieces)
        if (mb <= piece.upToMb)
            return piece.perMb * mb + piece.fixed;
    return mb / beyond;
}

/// From DPUs, by megabytes in all: a logarithm in kilobytes up to a quarter of one, then a line. [PIM-DL artifact 87aee67]
double fetchSeconds(double mb) {
    const double mbPerSecond = mb <= 0.25 ? 1024 * (0.7614 * std::log(2.0) * std::log2(mb * 1024) + 1.4376)
                                          : std::min(48.859 * mb + 4360.88, 4678.73);
    return mb / std::max(mbPerSecond, 1.0);
}

double pimDlNs(const HostTransfer& transfer, double bytes) {
    const double mb = bytes / (1 << 20);
    if (transfer.direction == Direction::FromDpu)
        return fetchSeconds(mb) * 1e9;
    return (transfer.kind == TransferKind::Broadcast
                ? piecewiseSeconds(kBroadcastPieces, kBroadcastBeyond, mb)
                : piecewiseSeconds(kParallelPieces, kParallelBeyond, mb)) *
           1e9;
}

} // namespace

std::string_view name(TransferKind kind) {
    constexpr std::array<std::string_view, 3> kNames{"serial", "parallel", "broadcast"};
    return kNames[std::size_t(kind)];
}

double HostLink::transferNs(const HostTransfer& transfer) const {
    if (transfer.bytesPerDpu <= 0 || transfer.dpus <= 0)
        return 0;
    const double each = double(paddedBytes(transfer.bytesPerDpu)), bytes = each * transfer.dpus;
    const bool to = transfer.direction == Direction::ToDpu;
    if (transfer.kind == TransferKind::Serial)
        return transfer.dpus * (callNs + each / (to ? serialToGbps : serialFromGbps));
    if (reading == LinkReading::PimDl)
        return pimDlNs(transfer, bytes);
    const int usedRanks = std::clamp((transfer.dpus + dpusPerRank - 1) / dpusPerRank, 1, std::max(ranks, 1));
    const double ofRank = transfer.kind == TransferKind::Broadcast ? broadcastGbps
                          : to                                     ? parallelToGbps
                                                                   : parallelFromGbps;
    // A rank that is not full is as quick as its DPUs alone would be, one after the other at most.
    const double share = std::min(1.0, double(transfer.dpus) / usedRanks / dpusPerRank);
    const double one = to ? serialToGbps : serialFromGbps;
    double gbps = usedRanks * std::max(ofRank * share, std::min(one, ofRank));
    if (mostGbps > 0)
        gbps = std::min(gbps, mostGbps);
    return callNs + bytes / gbps;
}

double HostLink::mostBytesPerNs() const {
    constexpr double kBytesPerMb = 1 << 20;
    if (reading == LinkReading::PimDl) // the fits rise up to what they have beyond their last piece
        return std::max(kParallelBeyond, kBroadcastBeyond) * kBytesPerMb / 1e9;
    const double all = std::max(ranks, 1) * std::max({broadcastGbps, parallelToGbps, parallelFromGbps});
    return mostGbps > 0 ? std::min(mostGbps, all) : all;
}

Result<void> checkTransfer(const HostTransfer& transfer, const HostLink& link) {
    const auto wrong = [&](std::string message, std::string hint) {
        return fail(ErrorCode::Usage, std::move(message), fmt::format("{} transfer", name(transfer.kind)),
                    std::move(hint));
    };
    if (transfer.bytesPerDpu <= 0)
        return wrong(fmt::format("{} bytes for each DPU; at least 1 is needed", transfer.bytesPerDpu),
                     "leave it out");
    if (HostLink::paddedBytes(transfer.bytesPerDpu) > kMramBytes)
        return wrong(
            fmt::format("{} bytes for each DPU, whose MRAM has {}", transfer.bytesPerDpu, kMramBytes),
            "use more DPUs or stream the data in pieces");
    if (transfer.dpus < 1 || transfer.dpus > link.dpusPerRank * link.ranks)
        return wrong(fmt::format("{} DPUs; the machine has {}", transfer.dpus, link.dpusPerRank * link.ranks),
                     "use fewer");
    if (transfer.kind == TransferKind::Broadcast && transfer.direction == Direction::FromDpu)
        return wrong("a broadcast goes to DPUs, never from them", "fetch in parallel");
    return {};
}

} // namespace pim::upmem
