// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How long data takes between the host's memory and the MRAM of DPUs. Banks of UPMEM are ordinary DRAM to the host, but a word
/// lies across the eight chips of a rank, so the host transposes what it sends and fetches; DPUs of a rank are served together
/// if all get equally long pieces, ranks one after the other.
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace pim::upmem {

enum class Direction : std::uint8_t { ToDpu, FromDpu };
enum class TransferKind : std::uint8_t {
    Serial,   ///< dpu_copy_to / dpu_copy_from: one DPU after the other; pieces may differ in length.
    Parallel, ///< dpu_push_xfer: pieces of equal length, all DPUs of a rank at once.
    Broadcast ///< dpu_broadcast_to: the same piece for all; to DPUs only.
};
std::string_view name(TransferKind kind);

struct HostTransfer {
    Direction direction = Direction::ToDpu;
    TransferKind kind = TransferKind::Parallel;
    std::int64_t bytesPerDpu = 0; ///< The longest piece; shorter ones are padded to it, all to 8 bytes.
    int dpus = 1;
};

/// Which measurements are taken.
enum class LinkReading : std::uint8_t {
    /// PrIM, arXiv:2105.03814, one rank of 64 DPUs, 32 MB for each: 0.33 GB/s to one DPU and 0.12 GB/s back, 6.68
    /// and 4.74 GB/s in parallel, 16.88 GB/s broadcast. Speed grows with DPUs of a rank up to these; ranks are served side by
    /// side up to what the channels of the host carry.
    Prim,
    /// PIM-DL's fits on 2 Xeon 4210, 8 modules, 1024 DPUs: piecewise linear in the megabytes of all copies. [PIM-DL, artifact
    /// 87aee67, tuner]
    PimDl
};

struct HostLink {
    int dpusPerRank = 64, ranks = 1;
    LinkReading reading = LinkReading::Prim;
    double parallelToGbps = 6.68, parallelFromGbps = 4.74, broadcastGbps = 16.88; ///< Of one rank, GB/s.
    double serialToGbps = 0.33, serialFromGbps = 0.12;                            ///< Of one DPU.
    /// Of the host's channels to all ranks, GB/s; 0: as many times one rank as there are ranks.
    double mostGbps = 0;
    double callNs = 20'000;   ///< Of each transfer call, whatever it moves.
    double launchNs = 60'000; ///< Of starting all DPUs and waiting for the last.

    /// Padded to what every DPU gets.
    static std::int64_t paddedBytes(std::int64_t bytes) { return (bytes + 7) / 8 * 8; }
    double transferNs(const HostTransfer& transfer) const;
    /// Bytes a nanosecond of all copies together, which no transfer goes beyond.
    double mostBytesPerNs() const;
};

/// ErrorCode::Usage for a transfer that the runtime refuses: broadcast from DPUs, nothing to move, more than a DPU has.
Result<void> checkTransfer(const HostTransfer& transfer, const HostLink& link);

} // namespace pim::upmem
