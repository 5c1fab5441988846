// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/attacc/simulator.h"

#include "core/dram/attacc/channel.h"

#include <fmt/format.h>

#include <deque>

namespace pim {
namespace {

constexpr std::size_t kBlock = 1024;             ///< Requests read at a time.
constexpr std::int64_t kMostFruitless = 100'000; ///< Far more than the queued requests of a channel can need.
constexpr int kCyclesBetweenPolls = 1 << 14;

/// The trace, a block at a time.
class Feed {
public:
    explicit Feed(AttAccTrace& trace) : m_trace(trace), m_block(kBlock) {}
    Result<void> fill() {
        if (m_next < m_size || m_ended)
            return {};
        PIM_TRY(m_size, m_trace.read(m_block));
        m_next = 0;
        m_ended = m_size == 0;
        return {};
    }
    bool ended() const { return m_ended; }
    const AttAccRequest& front() const { return m_block[m_next]; }
    /// True if the block is used up.
    bool pop() { return ++m_next == m_size; }

private:
    AttAccTrace& m_trace;
    std::vector<AttAccRequest> m_block;
    std::size_t m_next = 0, m_size = 0;
    bool m_ended = false;
};

} // namespace

Result<AttAccResult> simulateAttAcc(AttAccTrace& trace, const AttAccOptions& options, const AttAccSink& sink,
                                    const TaskContext& task) {
    if (options.channels < 1 || options.channels > kAttAccChannels)
        return fail(ErrorCode::Usage,
                    fmt::format("{} channels; a stack has 1 to {}", options.channels, kAttAccChannels));
    const AttAccRules rules(options.device);
    std::deque<AttAccChannel> channels;
    for (int i = 0; i < options.channels; ++i)
        channels.emplace_back(rules, options, i, sink);
    std::vector<std::int64_t> wake(channels.size(), 1);
    const std::int64_t firstRefresh = options.refresh ? options.device.time("nREFI") : kAttAccNever;
    std::fill(wake.begin(), wake.end(), firstRefresh);

    AttAccResult result;
    Feed feed(trace);
    PIM_CHECK(feed.fill());
    std::int64_t cycle = 0;
    int polls = 0;
    while (true) {
        ++cycle;
        // In order; the first channel without room holds up all others.
        while (!feed.ended()) {
            const AttAccRequest& request = feed.front();
            const std::size_t channel = std::size_t(request.channel());
            if (channel >= channels.size())
                return fail(ErrorCode::InvalidFile,
                            fmt::format("request {} is for channel {}; there are {}", result.requests + 1,
                                        channel, channels.size()));
            if (!channels[channel].send(request, cycle - 1))
                break;
            wake[channel] = cycle;
            result.requested[request.command]++;
            ++result.requests;
            if (feed.pop())
                PIM_CHECK(feed.fill());
        }
        bool pending = false;
        std::int64_t next = kAttAccNever;
        for (std::size_t i = 0; i < channels.size(); ++i) {
            if (wake[i] <= cycle)
                wake[i] = channels[i].tick(cycle);
            next = std::min(next, wake[i]);
            pending = pending || channels[i].pending();
        }
        if (feed.ended() && !pending)
            break;
        if (++polls == kCyclesBetweenPolls) {
            polls = 0;
            if (task.cancelled())
                return TaskContext::cancelledError("the simulation");
            for (std::size_t i = 0; i < channels.size(); ++i)
                if (channels[i].fruitless() > kMostFruitless)
                    return fail(
                        ErrorCode::Unsupported,
                        fmt::format("channel {} opens and closes rows for ever from cycle {} on: same-bank "
                                    "MACs of different bank groups or ranks want different rows, and "
                                    "AttAcc's PRESB closes the banks of one group only",
                                    i, cycle),
                        {}, "address same-bank commands through one bank group and rank");
        }
        PIM_ASSERT(next != kAttAccNever, "a request that nothing will ever make ready");
        // A channel without room gets some only by acting, and then asks for the next cycle itself.
        cycle = next - 1;
    }
    result.cycles = cycle;
    for (const AttAccChannel& channel : channels)
        for (int i = 0; i < kAttAccCommands; ++i)
            result.issued.of[std::size_t(i)] += channel.issued().of[std::size_t(i)];
    return result;
}

} // namespace pim
