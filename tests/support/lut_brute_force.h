// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The tuner of LUT layers the long way: every split, tile, load and loop order by the cost model, the first of the least total.
#include "backends/upmem/lut/tuner.h"

namespace pim::test {

struct BruteForce {
    const upmem::LutLayer& layer;
    upmem::LutReading reading;
    std::optional<upmem::LutMapping> best{};
    upmem::LutTimes times{};
    std::int64_t evaluated = 0;

    void run() {
        for (const std::int64_t parts : divisors(layer.dpus)) {
            if (layer.rows % parts != 0 || layer.features % (layer.dpus / parts) != 0)
                continue;
            const upmem::LutSplit split{layer.rows / parts, layer.features / (layer.dpus / parts)};
            std::optional<upmem::LutMapping> ofSplit;
            upmem::LutTimes ofSplitTimes;
            for (const std::int64_t rows : divisors(split.rows))
                if (rows % layer.tasklets == 0)
                    for (const std::int64_t features : divisors(split.features))
                        for (const std::int64_t codebooks : divisors(layer.codebooks))
                            tile({split, {{}, {}, rows, features, codebooks, 0, 0}}, ofSplit, ofSplitTimes);
            if (ofSplit && (!best || ofSplitTimes.total() < times.total())) {
                best = ofSplit;
                times = ofSplitTimes;
            }
        }
    }

private:
    static std::vector<std::int64_t> divisors(std::int64_t number) {
        std::vector<std::int64_t> all;
        for (std::int64_t divisor = 1; divisor <= number; ++divisor)
            if (number % divisor == 0)
                all.push_back(divisor);
        return all;
    }
    void tile(upmem::LutMapping mapping, std::optional<upmem::LutMapping>& ofSplit, upmem::LutTimes& least) {
        upmem::LutKernel& kernel = mapping.kernel;
        kernel.load = upmem::LutLoad::Static;
        orders(mapping, ofSplit, least);
        kernel.load = upmem::LutLoad::Fine;
        for (kernel.loadFeatures = 1; kernel.loadFeatures <= kernel.features; ++kernel.loadFeatures)
            if (kernel.features % kernel.loadFeatures == 0)
                orders(mapping, ofSplit, least);
        kernel.load = upmem::LutLoad::Coarse;
        if (kernel.features % 3 == 0 || kernel.codebooks % 3 == 0)
            return;
        for (kernel.loadFeatures = 1; kernel.loadFeatures <= kernel.features; ++kernel.loadFeatures)
            if (kernel.features % kernel.loadFeatures == 0)
                for (kernel.loadCodebooks = 1; kernel.loadCodebooks <= kernel.codebooks;
                     ++kernel.loadCodebooks)
                    if (kernel.codebooks % kernel.loadCodebooks == 0)
                        orders(mapping, ofSplit, least);
    }
    void orders(upmem::LutMapping mapping, std::optional<upmem::LutMapping>& ofSplit,
                upmem::LutTimes& least) {
        if (refusalOf(layer, mapping, reading))
            return;
        for (int order = 0; order < 6; ++order) {
            mapping.kernel.order = static_cast<upmem::LutLoopOrder>(order);
            const upmem::LutTimes these = lutTimes(layer, mapping);
            ++evaluated;
            if (!ofSplit || these.kernel() < least.kernel()) {
                ofSplit = mapping;
                least = these;
            }
        }
    }
};

} // namespace pim::test
