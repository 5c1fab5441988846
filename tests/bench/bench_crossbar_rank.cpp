// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Does the estimate of crossbar layouts rank them as their programs do? Spearman's rank correlation of the
/// estimate the search goes by with the time of the program, by the profiler and by the rules of PIMCOMP-NN,
/// over random layouts: the starts of the search, each some random steps on. Fails where one is below
/// kLeastRank. `bench_crossbar_rank [ht|ll [target[,target…] [network[,network…] [layouts]]]]`
#include "crossbar_cases.h"

#include "backends/crossbar/search/layout_moves.h"
#include "backends/crossbar/search/search.h"
#include "backends/crossbar/search/strategies.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

using namespace pim;

namespace {

constexpr double kLeastRank = 0.5;

/// Positions in sorted order; equal values share the mean of theirs.
std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> result(values.size());
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t end = begin;
        while (end < order.size() && values[order[end]] == values[order[begin]])
            ++end;
        for (std::size_t i = begin; i < end; ++i)
            result[order[i]] = double(begin + end - 1) / 2;
        begin = end;
    }
    return result;
}

double spearman(const std::vector<double>& a, const std::vector<double>& b) {
    const std::vector<double> x = ranks(a), y = ranks(b);
    const double mean = double(x.size() - 1) / 2;
    double xy = 0, xx = 0, yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (x[i] - mean) * (y[i] - mean);
        xx += (x[i] - mean) * (x[i] - mean);
        yy += (y[i] - mean) * (y[i] - mean);
    }
    return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

/// Starts of the search in turn, each up to a hundred random steps on.
std::vector<CrossbarLayout> randomLayouts(const CrossbarLayoutModel& model, CrossbarMode mode, int count) {
    CrossbarLayout once(model);
    packOnce(once);
    const std::vector<CrossbarLayout> starts = blockLayouts(balancedLayout(once), mode).layouts;
    std::vector<CrossbarLayout> layouts;
    for (int i = 0; i < count; ++i) {
        CrossbarLayout layout = starts[std::size_t(i) % starts.size()];
        CrossbarLayoutCost cost(layout, mode);
        LayoutMoves moves(layout, cost, std::uint64_t(i));
        for (int step = 0, steps = moves.random().below(100); step < steps; ++step)
            if (moves.propose())
                for (const MatrixId entry : moves.changedEntries())
                    cost.update(entry);
        layouts.push_back(std::move(layout));
    }
    return layouts;
}

Result<bool> row(const std::string& network, const std::string& target, CrossbarMode mode, int count) {
    PIM_TRY(const CrossbarCase one, crossbarCase(network, target));
    PIM_TRY(auto partitions, partitionNetwork(one.network, one.chip, {.mode = mode}));
    PIM_TRY(const CrossbarLayoutModel model,
            crossbarLayoutModel(one.network, one.chip, std::move(partitions)));
    std::vector<double> estimate, profile, peer, ratio;
    double estimateMs = 0, programMs = 0;
    for (const CrossbarLayout& layout : randomLayouts(model, mode, count)) {
        const auto begin = std::chrono::steady_clock::now();
        const double ns = layoutNs(layout, mode);
        const auto half = std::chrono::steady_clock::now();
        const auto times = programTimes(one, layout.mapping(mode, "random", busiestFirst(layout, mode)));
        estimateMs += std::chrono::duration<double, std::milli>(half - begin).count();
        programMs +=
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - half).count();
        if (!times)
            continue; // a local memory is too small
        estimate.push_back(ns);
        profile.push_back(times->profileNs);
        peer.push_back(times->peerNs);
        ratio.push_back(times->profileNs / ns);
    }
    if (estimate.size() < 3) {
        fmt::print("| {} | {} | {} of {} layouts have a program |\n", network, target, estimate.size(),
                   count);
        return true;
    }
    std::ranges::sort(ratio);
    const double byProfile = spearman(estimate, profile), byPeer = spearman(estimate, peer);
    fmt::print("| {} | {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} … {:.2f} … {:.2f} | {:.2f} | {:.0f} |\n",
               network, target, estimate.size(), byProfile, byPeer, spearman(profile, peer), ratio.front(),
               ratio[ratio.size() / 2], ratio.back(), estimateMs / count, programMs / count);
    std::fflush(stdout);
    return byProfile >= kLeastRank;
}

} // namespace

int main(int argc, char** argv) {
    const auto modes = splitWords(argc > 1 ? argv[1] : "ht,ll"),
               targets = splitWords(argc > 2 ? argv[2] : "pimcomp-default,isaac-12,arch-c"),
               networks = splitWords(argc > 3 ? argv[3] : "resnet18,googlenet,squeezenet");
    const int count = argc > 4 ? std::stoi(argv[4]) : 40;
    bool good = true;
    for (const std::string& mode : modes) {
        fmt::print(
            "\n{}: rank correlation of the estimate with profiler and peer's rules, and of these two\n\n",
            mode);
        fmt::print("| network | target | layouts | profiler | peer's rules | these two | profiler / "
                   "estimate: least, median, most | ms estimate | ms program |\n");
        fmt::print("|---|---|---|---|---|---|---|---|---|\n");
        for (const std::string& network : networks)
            for (const std::string& target : targets) {
                const Result<bool> done = row(network, target, *crossbarModeNamed(mode), count);
                if (!done)
                    fmt::print("| {} | {} | {} |\n", network, target, done.error().text());
                good = good && done && *done;
            }
    }
    return good ? 0 : 1;
}
