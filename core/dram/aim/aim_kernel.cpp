// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/aim/aim_kernel.h"

#include "core/dram/aim/aim_channel.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace pim {
namespace {

using G = AimGeometry;

constexpr std::int64_t kChunk = std::int64_t(G::kBurstsPerRow) * G::kLanes;
constexpr std::int64_t kHighest = std::int64_t(1) << 40;
constexpr std::int64_t kMostCommands = 200'000'000; ///< A few seconds.
constexpr int kBankGroups = 4;

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

void gemv(const AimShape& shape, AimChannel& channel) {
    const std::int64_t tiles = shape.outTiles(), chunks = shape.inChunks();
    const auto bursts = [&](std::int64_t chunk) {
        return ceilDiv(std::min(kChunk, shape.in - chunk * kChunk), std::int64_t(G::kLanes));
    };
    for (std::int64_t vector = 0; vector < shape.batch; ++vector) {
        if (shape.dataflow == AimDataflow::OutputStationary) {
            for (std::int64_t tile = 0; tile < tiles; ++tile) {
                channel.writeBias();
                for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
                    channel.writeBuffer(bursts(chunk));
                    channel.multiplyAccumulate(tile * chunks + chunk, bursts(chunk));
                }
                channel.readSums();
            }
        } else {
            for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
                channel.writeBuffer(bursts(chunk));
                for (std::int64_t tile = 0; tile < tiles; ++tile) {
                    channel.writeBias();
                    channel.multiplyAccumulate(tile * chunks + chunk, bursts(chunk));
                    channel.readSums();
                }
            }
        }
    }
}

void ewmul(const AimShape& shape, AimChannel& channel) {
    std::int64_t left = shape.columns();
    for (std::int64_t row = 0; left > 0; ++row, left -= G::kBurstsPerRow)
        channel.multiply(row, std::min<std::int64_t>(left, G::kBurstsPerRow));
}

} // namespace

std::string_view name(AimKernelKind kind) {
    return kind == AimKernelKind::Gemv ? "gemv" : "ewmul";
}

std::string_view name(AimDataflow dataflow) {
    return dataflow == AimDataflow::OutputStationary ? "os" : "is";
}

std::string_view name(AimCommandKind kind) {
    static constexpr std::string_view kNames[] = {"ACT16",   "PREA",    "MAC16", "EWMUL16", "WRGB",
                                                  "WRMAC16", "RDMAC16", "TMOD",  "REFab"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::int64_t AimShape::outTiles() const {
    return ceilDiv(out, std::int64_t(G::kBanks) * channels);
}

std::int64_t AimShape::inChunks() const {
    return ceilDiv(in, kChunk);
}

std::int64_t AimShape::columns() const {
    return ceilDiv(length, std::int64_t(kBankGroups) * G::kLanes * channels);
}

Result<void> checkAimShape(const AimShape& shape) {
    const auto bad = [&](std::string message, std::string hint = {}) {
        return fail(ErrorCode::Usage, std::move(message), fmt::format("kernel {}", name(shape.kind)),
                    std::move(hint));
    };
    if (shape.channels < 1 || shape.channels > G::kChannels)
        return bad(fmt::format("{} channels, aim has 1 to {}", shape.channels, int(G::kChannels)));
    const auto inRange = [](std::int64_t value) { return value >= 1 && value <= kHighest; };
    std::int64_t rows = 0;
    if (shape.kind == AimKernelKind::Gemv) {
        if (!inRange(shape.out) || !inRange(shape.in) || !inRange(shape.batch))
            return bad(fmt::format("{} outputs, {} inputs, batch {}: each must be 1 to 2^40", shape.out,
                                   shape.in, shape.batch));
        const std::int64_t tiles = shape.outTiles(), chunks = shape.inChunks();
        rows = tiles > G::kRows || chunks > G::kRows ? std::int64_t(G::kRows) + 1 : tiles * chunks;
        if (rows <= G::kRows && rows * 2 * G::kBurstsPerRow > kMostCommands / shape.batch)
            return bad(fmt::format("batch {} of {} x {} is more than {} commands per channel", shape.batch,
                                   shape.out, shape.in, kMostCommands),
                       "simulate a smaller batch; its cycles scale");
    } else {
        if (!inRange(shape.length))
            return bad(fmt::format("{} elements, allowed are 1 to 2^40", shape.length));
        rows = ceilDiv(shape.columns(), std::int64_t(G::kBurstsPerRow));
    }
    if (rows > G::kRows)
        return bad(fmt::format("the operands need more than the {} rows of a bank on {} channels",
                               int(G::kRows), shape.channels),
                   "use more channels or split the operands");
    return {};
}

Result<AimCost> runAimKernel(const AimShape& shape, const AimTiming& timing, std::vector<AimCommand>* log) {
    PIM_CHECK(checkAimShape(shape));
    AimChannel channel(timing, log);
    if (shape.kind == AimKernelKind::Gemv)
        gemv(shape, channel);
    else
        ewmul(shape, channel);
    return channel.cost();
}

std::string aimLogCsv(const std::vector<AimCommand>& log) {
    std::string text = "cycle,cmd,row,col\n";
    for (const AimCommand& command : log)
        fmt::format_to(std::back_inserter(text), "{},{},{},{}\n", command.cycle, name(command.kind),
                       command.row, command.column);
    return text;
}

} // namespace pim
