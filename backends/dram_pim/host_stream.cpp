// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/host_stream.h"

#include "core/base/paths.h"
#include "core/dram/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim::dram {
namespace {

constexpr std::string_view kUsualDevice = "HBM3";

/// The accesses of a stream that one channel gets: every channels-th.
class ChannelShare final : public IDramSource {
public:
    ChannelShare(const HostStream& stream, std::int64_t channels, std::int64_t accessBytes,
                 std::uint64_t limit, std::int64_t accesses)
        : m_stream(stream), m_channels(channels), m_accessBytes(accessBytes), m_limit(limit),
          m_left(accesses),
          m_runAccesses(std::max<std::int64_t>(1, (stream.runBytes + accessBytes - 1) / accessBytes)) {}

    Result<std::size_t> read(std::span<DramRequest> requests) override {
        std::size_t count = 0;
        for (; count < requests.size() && m_left > 0; ++count, --m_left, m_next += m_channels)
            requests[count] = {static_cast<std::uint64_t>(place(m_next)) % m_limit, m_stream.write};
        return count;
    }

private:
    /// Byte address in the channel of the n-th access of the whole stream.
    std::int64_t place(std::int64_t n) const {
        const std::int64_t start = n / m_runAccesses * m_stream.strideBytes;
        return (start / m_accessBytes + n % m_runAccesses) / m_channels * m_accessBytes;
    }

    HostStream m_stream;
    std::int64_t m_channels, m_accessBytes;
    std::uint64_t m_limit;
    std::int64_t m_left, m_runAccesses, m_next = 0;
};

/// Where a level stands in the address of a host: parameter of the target, and what hosts do that say
/// nothing: consecutive data goes over pseudo-channels and bank groups before it goes on in a row. [AttAcc
/// simulator c600051, map HBM3-Custom]
struct HostField {
    std::string_view level, parameter;
    double lowestBit;
};
constexpr HostField kHostFields[] = {{"PseudoChannel", "map.host.pseudochannel", 9},
                                     {"BankGroup", "map.host.bankGroup", 10},
                                     {"Column", "map.host.column", 12},
                                     {"Rank", "map.host.rank", 17},
                                     {"Sid", "map.host.rank", 17},
                                     {"Bank", "map.host.bank", 18},
                                     {"Row", "map.host.row", 20}};

/// The fields of the device's own map in the host's order.
std::vector<DramAddressField> hostMap(const Target& target, const DramDevice& device) {
    const auto position = [&](const DramAddressField& field) {
        const std::string& level = device.levels[static_cast<std::size_t>(field.level)].name;
        for (const HostField& known : kHostFields)
            if (known.level == level)
                return target.numberOr(known.parameter, known.lowestBit);
        return 0.0;
    };
    std::vector<DramAddressField> map = device.addressMap;
    std::stable_sort(map.begin(), map.end(),
                     [&](const auto& a, const auto& b) { return position(a) < position(b); });
    return map;
}

} // namespace

double peakBytesPerNs(const DramDevice& device) {
    double peak = std::numeric_limits<double>::infinity();
    const int read = device.command("RD");
    for (const DramConstraint& row : device.constraints) {
        const bool concerns = std::find(row.before.begin(), row.before.end(), read) != row.before.end() &&
                              std::find(row.after.begin(), row.after.end(), read) != row.after.end();
        if (!concerns || row.siblings || row.ticks <= 0)
            continue;
        const double nodes = static_cast<double>(device.bankCount()) / device.banksUnder(row.level);
        const double ns = static_cast<double>(row.ticks) / row.window * device.tickPs / 1000;
        peak = std::min(peak, nodes * device.accessBytes / ns);
    }
    return std::isfinite(peak) ? peak : 0;
}

Result<std::unique_ptr<HostStreams>> HostStreams::create(const Target& target) {
    auto streams = std::make_unique<HostStreams>();
    const auto named = target.facts.find("host.device");
    PIM_TRY(streams->m_device,
            loadDramDevice(resourceDir() / "devices",
                           named == target.facts.end() ? kUsualDevice : named->second.text));
    PIM_TRY(streams->m_config, dramControllerNamed("strict"));
    streams->m_device.addressMap = hostMap(target, streams->m_device);
    const double peak = peakBytesPerNs(streams->m_device);
    if (peak <= 0)
        return fail(ErrorCode::InvalidTarget,
                    "nothing says how fast it reads, so it cannot be the host's memory",
                    streams->m_device.name);
    streams->m_channels = std::max<std::int64_t>(1, std::llround(target.host.memoryBytesPerNs / peak));
    return streams;
}

Result<double> HostStreams::ns(HostStream stream, const TaskContext& task) {
    if (stream.bytes <= 0)
        return 0.0;
    const std::int64_t access = m_device.accessBytes;
    if (stream.runBytes <= 0 || stream.runBytes >= stream.bytes || stream.strideBytes <= stream.runBytes)
        stream.runBytes = stream.strideBytes = std::max(stream.bytes, access);
    const std::int64_t runs = (stream.bytes + stream.runBytes - 1) / stream.runBytes;
    const std::int64_t all = runs * ((std::min(stream.runBytes, stream.bytes) + access - 1) / access);
    const std::int64_t mine = (all + m_channels - 1) / m_channels;
    HostStream pattern = stream;
    pattern.bytes = 0;
    if (runs == 1) // one run: however long it is
        pattern.runBytes = pattern.strideBytes = std::int64_t{1} << 50;
    if (mine <= kSimulated)
        return simulate(pattern, mine, task);
    PIM_TRY(const double half, simulate(pattern, kSimulated / 2, task));
    PIM_TRY(const double whole, simulate(pattern, kSimulated, task));
    return whole +
           (whole - half) * static_cast<double>(mine - kSimulated) / static_cast<double>(kSimulated / 2);
}

Result<double> HostStreams::simulate(const HostStream& pattern, std::int64_t accesses,
                                     const TaskContext& task) {
    const auto key = std::make_pair(pattern, accesses);
    {
        const std::lock_guard lock(m_mutex);
        if (const auto at = m_known.find(key); at != m_known.end())
            return at->second;
    }
    const DramAddressMap map(m_device);
    ChannelShare share(pattern, m_channels, m_device.accessBytes, map.size(), accesses);
    PIM_TRY(const DramStatistics statistics,
            replayDram(m_device, m_config, share, DramInjection::Greedy, task));
    const double ns = static_cast<double>(statistics.drained) * m_device.tickPs / 1000;
    const std::lock_guard lock(m_mutex);
    m_known.emplace(key, ns);
    return ns;
}

} // namespace pim::dram
