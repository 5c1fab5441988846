// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Requests a second of the DRAM engine, without reading a trace. Prints; fails below what the product
/// promises.
#include "core/dram/replay.h"

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <random>

using namespace pim;

namespace {

// DDR4 stream; Ramulator 2.1 does 0.29 M on the machine where this was set
constexpr double kPromised = 1.5e6;

class Requests final : public IDramSource {
public:
    Requests(const DramDevice& device, bool random, std::int64_t count)
        : m_bytes(std::uint64_t(device.accessBytes)), m_size(DramAddressMap(device).size()), m_random(random),
          m_left(count) {}
    Result<std::size_t> read(std::span<DramRequest> requests) override {
        std::size_t n = 0;
        for (; n < requests.size() && m_left > 0; ++n, --m_left, ++m_next)
            requests[n] = {
                (m_random ? m_engine() % (m_size / m_bytes) : m_next % (m_size / m_bytes)) * m_bytes, false};
        return n;
    }

private:
    std::uint64_t m_bytes, m_size, m_next = 0;
    bool m_random;
    std::int64_t m_left;
    std::mt19937_64 m_engine{1};
};

/// Best of three: requests per second.
double rate(const DramDevice& device, bool random, std::int64_t count) {
    double best = 0;
    for (int i = 0; i < 3; ++i) {
        Requests requests(device, random, count);
        const auto start = std::chrono::steady_clock::now();
        const Result<DramStatistics> seen = replayDram(device, {}, requests);
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (!seen || seen->requests != count) {
            std::fprintf(stderr, "%s\n", seen ? "requests were lost" : seen.error().text().c_str());
            return 0;
        }
        best = std::max(best, double(count) / seconds);
    }
    return best;
}

} // namespace

int main() {
    const std::filesystem::path folder = std::filesystem::path(PIM_SOURCE_DIR) / "resources/devices";
    double stream4 = 0;
    for (const std::string& name : dramDeviceNames(folder)) {
        const Result<DramDevice> device = loadDramDevice(folder, name);
        if (!device)
            return 1;
        if (device->command("PREpb") < 0)
            continue; // with processing units: plain controllers do not drive it
        const double stream = rate(*device, false, 300'000), random = rate(*device, true, 100'000);
        std::printf("%-8s stream %6.2f M requests/s, random %6.2f M requests/s\n", name.c_str(), stream / 1e6,
                    random / 1e6);
        if (name == "DDR4")
            stream4 = stream;
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("largest memory %.1f MB\n", double(usage.ru_maxrss) / 1024);
    if (stream4 < kPromised) {
        std::fprintf(stderr, "DDR4 stream is below %.1f M requests/s\n", kPromised / 1e6);
        return 1;
    }
    return 0;
}
