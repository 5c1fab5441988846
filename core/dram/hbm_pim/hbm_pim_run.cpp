// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/hbm_pim/hbm_pim_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>

namespace pim {
namespace {

using G = HbmPimGeometry;

/// Channels that are offered the same bursts.
struct Share {
    std::int64_t reads = 0, writes = 0;
    int channels = 0;
    std::vector<HbmPimBurst> readBursts, writeBursts;
    std::unique_ptr<HbmPimChannel> channel;
};

/// Consecutive bursts of a channel walk the banks of a group, the groups, the columns, the rows.
std::vector<HbmPimBurst> sequence(bool isWrite, std::int64_t first, std::int64_t count) {
    std::vector<HbmPimBurst> bursts(static_cast<std::size_t>(count));
    for (HbmPimBurst& burst : bursts) {
        burst.write = isWrite;
        const std::int64_t group = first / G::kBanksPerGroup % G::kBankGroups;
        burst.bank = static_cast<std::uint8_t>(group * G::kBanksPerGroup + first % G::kBanksPerGroup);
        burst.column = static_cast<std::uint8_t>(first / G::kBanks % G::kBurstsPerRow);
        burst.row = static_cast<std::uint16_t>(first / G::kBanks / G::kBurstsPerRow);
        ++first;
    }
    return bursts;
}

std::vector<Share> shares(const HbmPimTraffic& traffic, int channels) {
    std::vector<Share> found;
    const auto below = [&](std::int64_t end, int channel) {
        return (end - channel + channels - 1) / channels;
    };
    for (int channel = 0; channel < channels; ++channel) {
        const std::int64_t reads = below(traffic.reads, channel);
        const std::int64_t writes = below(traffic.reads + traffic.writes, channel) - reads;
        const auto same = std::find_if(found.begin(), found.end(), [&](const Share& share) {
            return share.reads == reads && share.writes == writes;
        });
        if (same != found.end()) {
            ++same->channels;
            continue;
        }
        Share share;
        share.reads = reads;
        share.writes = writes;
        share.channels = 1;
        found.push_back(std::move(share));
    }
    return found;
}

} // namespace

Result<HbmPimCost> runHbmPimStream(const HbmPimStream& stream, int channels, int ranks,
                                   const HbmPimTiming& timing, std::vector<HbmPimCommand>* log,
                                   const TaskContext& task) {
    HbmPimChannel channel(timing, ranks, log != nullptr);
    channel.offer(stream.bursts);
    HbmPimCost cost;
    const bool isDone = channel.drain(task.stop);
    if (const HbmPimBurst* const burst = channel.stuckAt())
        return fail(ErrorCode::Unsupported,
                    fmt::format("the {} of row {:x}, bank {}, is never issued: in all-bank mode only rows of "
                                "banks 0 and 1 can be opened",
                                burst->write ? "write" : "read", burst->row, burst->bank),
                    {}, "go back to single-bank mode before it; the simulator would wait forever");
    if (!isDone)
        return TaskContext::cancelledError("the simulation");
    cost.cycles = channel.now();
    cost.counts.add(channel.counts(), channels);
    if (log != nullptr)
        *log = channel.log();
    return cost;
}

Result<HbmPimCost> runHbmPimKernel(const HbmPimShape& shape, const HbmPimTiming& timing,
                                   std::vector<HbmPimCommand>* log, const TaskContext& task) {
    PIM_CHECK(checkHbmPimShape(shape));
    return runHbmPimStream(hbmPimStream(shape), shape.channels, shape.ranks, timing, log, task);
}

Result<HbmPimCost> runHbmPimBaseline(const HbmPimShape& shape, const HbmPimTiming& timing,
                                     std::vector<HbmPimCommand>* log, const TaskContext& task) {
    PIM_CHECK(checkHbmPimShape(shape));
    const HbmPimTraffic traffic = hbmPimTraffic(shape);
    const std::int64_t room = std::int64_t(G::kRows) * G::kBanks * G::kBurstsPerRow * shape.channels;
    if (traffic.reads + traffic.writes > room)
        return fail(ErrorCode::Usage,
                    fmt::format("operands and result are {} bursts, rank 0 of {} channels holds {}",
                                traffic.reads + traffic.writes, shape.channels, room),
                    fmt::format("kernel {}", name(shape.kind)),
                    "use more channels or leave the baseline out");
    std::vector<Share> all = shares(traffic, shape.channels);
    std::int64_t readsDone = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        Share& share = all[i];
        share.channel = std::make_unique<HbmPimChannel>(timing, shape.ranks, log != nullptr && i == 0);
        share.readBursts = sequence(false, 0, share.reads);
        share.channel->offer(share.readBursts);
        if (!share.channel->drain(task.stop))
            return TaskContext::cancelledError("the simulation");
        readsDone = std::max(readsDone, share.channel->now());
    }
    HbmPimCost cost;
    for (Share& share : all) {
        share.channel->runTo(readsDone);
        share.writeBursts = sequence(true, share.reads, share.writes);
        share.channel->offer(share.writeBursts);
        if (!share.channel->drain(task.stop))
            return TaskContext::cancelledError("the simulation");
        cost.cycles = std::max(cost.cycles, share.channel->now());
    }
    for (Share& share : all) {
        share.channel->runTo(cost.cycles);
        cost.counts.add(share.channel->counts(), share.channels);
    }
    if (log != nullptr)
        *log = all.front().channel->log();
    return cost;
}

std::string hbmPimLogCsv(const std::vector<HbmPimCommand>& log) {
    std::string text = "cycle,cmd,mode,rank,bank,row,col,barrier,tag\n";
    for (const HbmPimCommand& c : log)
        fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{}\n", c.cycle, name(c.kind),
                       name(c.mode), c.rank, c.bank, c.row, c.column, c.barrier ? 1 : 0, name(c.tag));
    return text;
}

} // namespace pim
