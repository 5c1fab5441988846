// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Times the tiling search: enumerate, prune and summarise all drafts of kernels of known size. Prints
/// medians.
#include "core/kernel/parse.h"
#include "core/tiling/tiling.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

using namespace pim;

namespace {

struct Case {
    const char* label;
    std::string text;
};

std::string gemv(int out, int in) {
    return fmt::format("def gemv(X[{1}], W[{0}][{1}]):\n Y = DCC.Tensor.zero([{0}])\n for n in range({0}):\n"
                       "  for k in range({1}):\n   Y[n] += X[k] * W[n][k]\n",
                       out, in);
}

std::string gemm(int m, int n, int k) {
    return fmt::format(
        "def gemm(X[{0}][{2}], W[{1}][{2}]):\n Y = DCC.Tensor.zero([{0}, {1}])\n for m in range({0}):\n"
        "  for n in range({1}):\n   for k in range({2}):\n    Y[m][n] += X[m][k] * W[n][k]\n",
        m, n, k);
}

std::string conv(int channels, int outputs, int side) {
    return fmt::format(
        "def conv(X[2][{0}][{2}][{2}], W[{1}][{0}][3][3]):\n Y = DCC.Tensor.zero([2, {1}, {2}, {2}])\n"
        " for n in range(2):\n  for o in range({1}):\n   for h in range({2}):\n    for w in range({2}):\n"
        "     for c in range({0}):\n      for r in range(3):\n       for s in range(3):\n"
        "        Y[n][o][h][w] += X[n][c][h+r-1][w+s-1] * W[o][c][r][s]\n",
        channels, outputs, side);
}

double milliseconds(const TilingSpace& space, const TilingOptions& options, EnumerationCounts& counts,
                    bool walkAll) {
    const auto start = std::chrono::steady_clock::now();
    DraftSummary summary;
    std::int64_t checksum = 0;
    if (walkAll) {
        counts = *forEachDraft(space, options, [&](const Draft& draft, PruneRule rule) {
            if (rule == PruneRule::Kept) {
                space.summarize(draft, summary);
                checksum += summary.iterationsPerCore + space.tile(draft, 0, 0).iterations;
            }
            return true;
        });
    } else {
        const auto kept = keptDrafts(space, options, &counts);
        for (const auto& draft : *kept) {
            space.summarize(draft, summary);
            checksum += summary.iterationsPerCore;
        }
    }
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    return checksum > 0 ? time.count() : 0;
}

} // namespace

int main(int argc, char** argv) {
    const int repeats = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
    const std::vector<Case> cases{
        {"gemv 4096x4096", gemv(4096, 4096)},          {"gemv 15360x5120", gemv(15360, 5120)},
        {"gemv 5120x20480", gemv(5120, 20480)},        {"gemm 3136x64x576", gemm(3136, 64, 576)},
        {"gemm 12544x64x147", gemm(12544, 64, 147)},   {"gemm 49x2048x512", gemm(49, 2048, 512)},
        {"gemm 512x4096x4096", gemm(512, 4096, 4096)}, {"conv 64x64x56 3x3 direct", conv(64, 64, 56)}};
    fmt::print("{:<26} {:>8} {:>14} {:>8} {:>11} {:>13} {:>10}\n", "80 groups x 64 cores", "walk",
               "enumerated", "kept", "ladder", "passed over", "median ms");
    bool tooSlow = false;
    for (const auto& [label, text] : cases)
        for (const bool walkAll : {true, false}) {
            const auto kernel = parseKernel(text);
            const auto space =
                TilingSpace::create(*kernel, {.groups = 80, .coresPerGroup = 64, .simdLanes = 16});
            // The whole walk of larger spaces streams for minutes; it is timed where it has a stated limit.
            if (!space || (walkAll && std::string_view(label).substr(0, 4) != "gemv"))
                continue;
            EnumerationCounts counts;
            std::vector<double> times;
            for (int i = 0; i < repeats; ++i)
                times.push_back(milliseconds(**space, {.everyAllocation = walkAll}, counts, walkAll));
            std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
            const double median = times[static_cast<std::size_t>(repeats / 2)];
            fmt::print("{:<26} {:>8} {:>14} {:>8} {:>11} {:>13} {:>10.2f}\n", label,
                       walkAll ? "every" : "compile", counts.enumerated, counts.byRule[0],
                       name(counts.ladder), counts.passedOver, median);
            tooSlow = tooSlow || median > 1000;
        }
    if (tooSlow)
        fmt::print(stderr, "a search took more than 1000 ms\n");
    return tooSlow ? 1 : 0;
}
