// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/speed_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace pim {
namespace {

constexpr int kMaxMapArrays = 4096; // 8 million cells

std::size_t cell(int arrays, int compute, int memory) {
    // Row c starts behind rows 1 … c-1, which have N, N-1, … cells.
    const auto n = static_cast<std::size_t>(arrays), c = static_cast<std::size_t>(compute);
    return (c - 1) * n - (c - 1) * (c - 2) / 2 + static_cast<std::size_t>(memory);
}

} // namespace

double SpeedMap::at(int compute, int memory) const {
    if (compute < 1 || memory < 0 || compute > arrays - memory)
        return 0;
    return performance[cell(arrays, compute, memory)];
}

Result<SpeedMap> speedMap(const DualModeWorkload& workload, const DualModeChip& chip,
                          const DualModeOptions& options, int op) {
    PIM_CHECK(checkDualModeChip(chip));
    if (chip.arrays > kMaxMapArrays)
        return fail(ErrorCode::InvalidTarget,
                    fmt::format("has {} arrays, a map takes at most {}", chip.arrays, kMaxMapArrays),
                    chip.name);
    if (workload.ops.empty())
        return fail(ErrorCode::Unsupported,
                    "the network has no matrix product, so no mix of arrays is better than another");
    if (op < -1 || op >= static_cast<int>(workload.ops.size()))
        return fail(ErrorCode::NotFound,
                    fmt::format("there is no operator {}, there are {}", op, workload.ops.size()));

    // Repeated layers are one entry.
    std::map<std::pair<double, double>, double> kinds;
    double macs = 0, bytes = 0;
    for (std::size_t i = 0; i < workload.ops.size(); ++i) {
        if (op >= 0 && static_cast<int>(i) != op)
            continue;
        const DualModeOp& one = workload.ops[i];
        const double work = static_cast<double>(minimumArrays(one, chip)) * static_cast<double>(one.m) *
                            (chip.cyclesPerMvm + chip.computeCycles);
        const double traffic = dualModeTraffic(one.m, one.n, one.k, one.g, options.traffic);
        kinds[{work, traffic}] += 1;
        macs += static_cast<double>(one.macs());
        bytes += traffic;
    }

    SpeedMap map;
    map.arrays = chip.arrays;
    map.intensity = bytes > 0 ? 2 * macs / bytes : 0;
    const auto n = static_cast<std::size_t>(chip.arrays);
    std::vector<double> cycles(n * (n + 1) / 2, 0.0);
    for (const auto& [kind, times] : kinds) {
        std::size_t at = 0;
        for (int c = 1; c <= chip.arrays; ++c) {
            const double compute = kind.first / c;
            for (int m = 0; m <= chip.arrays - c; ++m, ++at)
                cycles[at] +=
                    times *
                    std::max(compute, kind.second / (chip.mainBytesPerCycle + m * chip.arrayBytesPerCycle));
        }
    }
    const double best = *std::ranges::min_element(cycles);
    map.bestCycles = best;
    map.performance.resize(cycles.size());
    int fewest = std::numeric_limits<int>::max();
    std::size_t at = 0;
    for (int c = 1; c <= chip.arrays; ++c)
        for (int m = 0; m <= chip.arrays - c; ++m, ++at) {
            map.performance[at] = static_cast<float>(best / cycles[at]);
            if (cycles[at] <= best * (1 + 1e-12) && c + m < fewest) {
                fewest = c + m;
                map.bestCompute = c;
                map.bestMemory = m;
            }
        }
    return map;
}

} // namespace pim
