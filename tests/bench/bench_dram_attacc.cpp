// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Commands a second of AttAcc's simulator, attention streams and host traffic; every channel simulated.
#include "core/dram/attacc/attention.h"
#include "core/dram/attacc/simulator.h"

#include <fmt/format.h>

#include <ctime>

using namespace pim;

namespace {

void run(const char* name, AttAccTrace& trace, const AttAccOptions& options) {
    const std::clock_t start = std::clock(); // of the processor: other work on the machine does not count
    const Result<AttAccResult> result = simulateAttAcc(trace, options);
    const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    if (!result) {
        fmt::print("{}\n", result.error().text());
        std::exit(1);
    }
    fmt::print("{:<34} {:>2} channels {:>9} commands {:>8} cycles {:>8.2f} ms {:>6.2f} M commands/s\n", name,
               options.channels, result->issued.total(), result->cycles, seconds * 1e3,
               double(result->issued.total()) / seconds / 1e6);
}

} // namespace

int main() {
    const DramDevice device = *attAccDevice();
    for (const AttAccVariant variant : {AttAccVariant::Bank, AttAccVariant::BankGroup, AttAccVariant::Buffer})
        for (const int channels : {kAttAccChannels, 1}) {
            AttAccAttention attention;
            attention.variant = variant;
            attention.tokens = 4096;
            attention.heads = 64;
            Result<AttAccAttentionTrace> trace = AttAccAttentionTrace::create(attention);
            if (!trace)
                return 1;
            if (channels == 1)
                trace->onlyFirstChannel();
            run(fmt::format("attention {}, 64 heads of 4096", attAccVariantName(variant)).c_str(), *trace,
                {device, true, channels});
        }
    std::vector<AttAccRequest> reads;
    for (std::uint64_t i = 0; i < 200'000; ++i)
        reads.push_back({AttAccCommand::Read, i % 16 * kAttAccChannelStride +
                                                  i / 16 % 64 * kAttAccBankStride +
                                                  i / 1024 * kAttAccAccessBytes});
    AttAccList list(reads);
    run("host reads over all banks", list, {device, true, kAttAccChannels});
    return 0;
}
