// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How long the host's own memory takes to give or to take data: LD and ST streams through the host's address
/// map on one channel of its memory, simulated request by request. Flow: Target + bytes and their order ->
/// [HostStreams] -> time.
///
/// The device is the fact "host.device" of the target (resources/devices), HBM3 where there is none; it has
/// as many channels as its peak needs for the host's bandwidth, and every one gets every channels-th access.
/// Within a channel addresses are taken apart as "map.host.*" of the target says. The controller is `strict`
/// (core/dram/controller.h), with as many requests offered as it takes.
#include "core/base/task.h"
#include "core/dram/controller.h"
#include "core/hardware/target.h"

#include <map>
#include <mutex>

namespace pim::dram {

/// Bytes in the order in which they are asked for.
struct HostStream {
    std::int64_t bytes = 0;
    std::int64_t runBytes = 0;    ///< Contiguous at a time; 0: all.
    std::int64_t strideBytes = 0; ///< From the start of one run to the start of the next.
    bool write = false;
    auto operator<=>(const HostStream&) const = default;
};

/// Thread-safe.
class HostStreams {
public:
    static Result<std::unique_ptr<HostStreams>> create(const Target& target);

    /// From the first request to the last data, in ns; 0 for no bytes. Streams of more than kSimulated
    /// accesses a channel are simulated that far; from the second half of it on, the rest takes what that
    /// half took an access. By then dozens of refreshes have passed, so a longer stream is off by less than a
    /// percent.
    Result<double> ns(HostStream stream, const TaskContext& task);

    const DramDevice& device() const { return m_device; }
    std::int64_t channels() const { return m_channels; }
    static constexpr std::int64_t kSimulated = 1 << 17;

private:
    Result<double> simulate(const HostStream& pattern, std::int64_t accesses, const TaskContext& task);

    DramDevice m_device;
    DramControllerConfig m_config;
    std::int64_t m_channels = 1;
    std::mutex m_mutex;
    std::map<std::pair<HostStream, std::int64_t>, double> m_known; ///< By pattern and accesses of a channel.
};

/// Bytes a device moves in a ns at best: its reads as close together as its constraints let them.
double peakBytesPerNs(const DramDevice& device);

} // namespace pim::dram
