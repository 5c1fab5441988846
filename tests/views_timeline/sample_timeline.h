// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A run of a chip whose arrays switch mode, as a simulator would record it; any size, the same for the same
/// arguments.
#include "core/timeline/timeline.h"

#include <algorithm>
#include <memory>
#include <random>
#include <string>

namespace pim::test {

enum SampleKind : std::uint16_t {
    kCompute,
    kMemoryIn,
    kMemoryOut,
    kToMemory,
    kToCompute,
    kRewrite,
    kBus,
    kVector
};

/// \p arrays tracks and two more; \p segments one after the other, \p bursts compute spans an array in each
/// of them.
inline std::shared_ptr<const Timeline> sampleTimeline(int arrays, int segments, int bursts,
                                                      unsigned seed = 1) {
    auto made = std::make_shared<Timeline>();
    std::mt19937 random(seed);
    const auto pick = [&](int low, int high) {
        return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
    };
    made->kinds = {{"compute", SpanRole::Compute},
                   {"memory in", SpanRole::MemoryIn},
                   {"memory out", SpanRole::MemoryOut},
                   {"switch to memory", SpanRole::Switching},
                   {"switch to compute", SpanRole::Switching},
                   {"rewrite", SpanRole::Rewriting},
                   {"transfer", SpanRole::Transfer},
                   {"vector unit", SpanRole::Vector}};
    for (int i = 0; i < arrays; ++i)
        made->tracks.push_back({"array " + std::to_string(i), "arrays"});
    made->tracks.push_back({"main memory bus", "buses"});
    made->tracks.push_back({"vector unit", "buses"});
    const auto bus = static_cast<std::uint32_t>(arrays), vector = bus + 1;
    made->labels = {""};
    made->labelOps = {-1};
    constexpr double kCycle = 4;
    std::vector<bool> isMemory(static_cast<std::size_t>(arrays));
    double now = 0;
    int op = 0;
    for (int segment = 0; segment < segments; ++segment) {
        const int ops = pick(1, 3);
        const auto firstLabel = static_cast<std::uint32_t>(made->labels.size());
        for (int i = 0; i < ops; ++i, ++op) {
            made->labels.push_back("/layer." + std::to_string(op / 6) + "/MatMul_" + std::to_string(op));
            made->labelOps.push_back(op);
        }
        const auto band = static_cast<std::uint16_t>(segment);
        const int memory = pick(arrays / 12, arrays / 3), idle = pick(0, arrays / 16);
        const double begin = now, writing = 32 * kCycle * pick(1, 6),
                     busy = kCycle * 100.0 * std::max(4, bursts) * pick(2, 6);
        const double start = begin + kCycle + writing, end = start + busy;
        for (int a = 0; a < arrays; ++a) {
            const auto track = static_cast<std::uint32_t>(a);
            const auto add = [&](double at, double ns, SampleKind kind, std::uint32_t label) {
                made->spans.push_back({at, static_cast<float>(ns), track, kind, band, label});
            };
            const std::uint32_t label =
                firstLabel + track * static_cast<std::uint32_t>(ops) / static_cast<std::uint32_t>(arrays);
            const bool wantsMemory = a >= arrays - memory - idle && a < arrays - idle;
            if (a >= arrays - idle)
                continue; // keeps the mode it had
            if (wantsMemory != isMemory[track])
                add(begin, kCycle, wantsMemory ? kToMemory : kToCompute, label);
            isMemory[track] = wantsMemory;
            if (!wantsMemory)
                add(begin + kCycle, writing, kRewrite, label);
            const double each = busy / bursts;
            for (int b = 0; b < bursts; ++b)
                add(start + b * each, each * (wantsMemory ? 0.55 : 0.8 + 0.02 * (a % 8)),
                    !wantsMemory ? kCompute
                    : a % 2      ? kMemoryIn
                                 : kMemoryOut,
                    label);
        }
        made->spans.push_back({begin + kCycle, static_cast<float>(writing), bus, kBus, band, firstLabel});
        made->spans.push_back({start, static_cast<float>(busy * 0.4), bus, kBus, band, firstLabel});
        made->spans.push_back(
            {end - busy * 0.1, static_cast<float>(busy * 0.1), vector, kVector, band, firstLabel});
        made->bands.push_back({"segment " + std::to_string(segment + 1), begin, end});
        now = end;
    }
    made->finish();
    return made;
}

} // namespace pim::test
