// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// How much of the front of real spaces a search finds with 5 % of their points: hypervolume over that of the front of all points, for NSGA-II
/// and for points drawn at random, least and median of some seeds. Fails where the median of NSGA-II is below 99 %.
///   bench_front [--cache FOLDER] [SPACE …]
/// Computing all points takes minutes to hours; with --cache they are kept in FOLDER/SPACE.points as they come, and a later run goes on from there.
#include "backends/builtin.h"
#include "core/compile/pareto.h"
#include "core/compile/search/search.h"
#include "core/compile/sweep.h"
#include "core/graph/zoo/zoo.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace pim;

namespace {

using Rows = std::vector<std::vector<double>>; ///< One a point: time, cost; empty where it is refused.

struct Space {
    std::string name, model, target, over;
};

constexpr std::int64_t kSeeds = 9, kChunk = 256;
constexpr double kShare = 0.05, kWanted = 0.99;

/// What is kept begins with the space it is of: that of another is not taken.
std::string heading(const Space& space) {
    return fmt::format("{} {} {}", space.model, space.target, space.over);
}

Rows readPoints(const std::filesystem::path& file, const Space& space) {
    Rows rows;
    std::ifstream in(file);
    std::string line;
    if (!std::getline(in, line) || line != heading(space))
        return rows;
    while (std::getline(in, line) && !in.eof()) { // a line without its end was cut
        std::istringstream words(line);
        auto& row = rows.emplace_back();
        for (double figure = 0; words >> figure;)
            row.push_back(figure);
    }
    return rows;
}

Result<void> writePoints(const std::filesystem::path& file, const Space& space, const Rows& rows) {
    std::string text = heading(space) + "\n";
    for (const auto& row : rows)
        text += fmt::format("{}\n", fmt::join(row, " ")); // {} is the shortest text that reads back the same
    const std::filesystem::path fresh = file.string() + ".new";
    std::ofstream out(fresh, std::ios::binary);
    out << text;
    out.close();
    std::error_code failed;
    if (out)
        std::filesystem::rename(fresh, file, failed);
    if (!out || failed)
        return fail(ErrorCode::Io, "cannot keep the points", file.string(), "give --cache another folder");
    return {};
}

Result<SweepSetup> prepare(const BackendList& backends, const TargetCatalog& catalog, const Space& space,
                           const std::filesystem::path& folder) {
    const auto file = folder / fmt::format("{}.onnx", space.model);
    ZooOptions options;
    options.weights = false;
    PIM_CHECK(writeZooModel(space.model, file, options));
    SweepSetup setup;
    PIM_TRY(setup.model, importModel(file));
    PIM_TRY(setup.request.target, catalog.find(space.target));
    PIM_TRY(setup.axes, parseSweep(space.over));
    setup.request.options.threads = 0;
    PIM_CHECK(prepareSweep(backends, setup, catalog));
    return setup;
}

/// Time and cost of every point, those that are kept first.
Result<Rows> computeAll(const BackendList& backends, const SweepSetup& setup, const Space& space,
                        const std::filesystem::path& kept) {
    Rows rows = kept.empty() ? Rows() : readPoints(kept, space);
    SweepEngine engine(backends, setup);
    const std::int64_t size = sweepSize(setup.axes);
    while (std::ssize(rows) < size) {
        std::vector<std::int64_t> chunk;
        for (std::int64_t at = std::ssize(rows); at < std::min(size, std::ssize(rows) + kChunk); ++at)
            chunk.push_back(at);
        PIM_CHECK(engine.compute(chunk, [&](const SweepPoint& point) -> Result<void> {
            auto& row = rows.emplace_back();
            if (const auto cost = point.figure("cost"); point.problem.empty() && cost)
                row = {point.totalNs, *cost};
            return {};
        }));
        if (!kept.empty())
            PIM_CHECK(writePoints(kept, space, rows));
    }
    return rows;
}

/// A tenth of the front's extent beyond its worst figures, so that its ends count too; all points would make of it a corner of little weight.
std::vector<double> referenceOf(const Rows& front) {
    std::vector<double> least = front.front(), most = front.front();
    for (const auto& row : front)
        for (std::size_t i = 0; i < row.size(); ++i) {
            least[i] = std::min(least[i], row[i]);
            most[i] = std::max(most[i], row[i]);
        }
    for (std::size_t i = 0; i < most.size(); ++i)
        most[i] += 0.1 * (most[i] - least[i]);
    return most;
}

/// True: NSGA-II found enough of the front.
Result<bool> compareSearches(const BackendList& backends, const TargetCatalog& catalog, const Space& space,
                             const std::filesystem::path& folder, const std::filesystem::path& kept) {
    PIM_TRY(const SweepSetup setup, prepare(backends, catalog, space, folder));
    PIM_TRY(const Rows all, computeAll(backends, setup, space, kept));
    std::vector<std::int64_t> radices;
    for (const SweepAxis& axis : setup.axes)
        radices.push_back(std::ssize(axis.values));
    Rows planned;
    std::ranges::copy_if(all, std::back_inserter(planned), [](const auto& row) { return !row.empty(); });
    const std::vector<bool> stays = paretoFront(planned);
    Rows front;
    for (std::size_t i = 0; i < planned.size(); ++i)
        if (stays[i])
            front.push_back(planned[i]);
    if (front.size() < 2)
        return fail(ErrorCode::Usage,
                    fmt::format("{} of {} points have a plan, {} are on the front", planned.size(),
                                all.size(), front.size()),
                    space.name, "a space needs a front of 2 points at least");
    const std::vector<double> reference = referenceOf(front);
    const double whole = hypervolume(front, reference);
    const auto evaluations = static_cast<std::int64_t>(kShare * static_cast<double>(all.size()));
    const auto shares = [&](SearchMethod method) -> Result<std::vector<double>> {
        std::vector<double> found;
        for (std::int64_t seed = 1; seed <= kSeeds; ++seed) {
            Rows seen;
            PIM_CHECK(searchSpace(radices, {method, evaluations, static_cast<std::uint64_t>(seed)},
                                  [&](const std::vector<std::int64_t>& indices) -> Result<Rows> {
                                      Rows rows;
                                      for (const std::int64_t at : indices)
                                          rows.push_back(all[static_cast<std::size_t>(at)]);
                                      std::ranges::copy_if(rows, std::back_inserter(seen),
                                                           [](const auto& row) { return !row.empty(); });
                                      return rows;
                                  }));
            found.push_back(hypervolume(seen, reference) / whole);
        }
        std::ranges::sort(found);
        return found;
    };
    PIM_TRY(const auto nsga2, shares(SearchMethod::Nsga2));
    PIM_TRY(const auto random, shares(SearchMethod::Random));
    const auto median = [](const std::vector<double>& sorted) { return sorted[sorted.size() / 2]; };
    fmt::print("{:<11} {:>7} {:>6} {:>9} {:>11.4f} {:>13.4f} {:>12.4f} {:>14.4f}\n", space.name, all.size(),
               front.size(), evaluations, nsga2.front(), median(nsga2), random.front(), median(random));
    return median(nsga2) >= kWanted;
}

/// Machines whose PIM part and host are chosen together. The cost is made up, as prices are not published: it weighs stacks and chips against the host's
/// bandwidth and arithmetic, so that no axis has a value that is best for all.
std::vector<Space> spaces() {
    return {
        {"hbm-pim", "tiny-gpt-decode", "hbm-pim",
         "group.count=4..64+4;timing.nCCDL=2..6+1;host.memoryBandwidth=200..2000+100;host.flops.f16=25000.."
         "350000+25000;"
         "cost:=device.count*group.count*(4+24/timing.nCCDL)+host.memoryBandwidth+host.flops.f16/400"},
        {"aim", "tiny-gpt-decode", "aim",
         "device.count=4..32+4;timing.nRCDMAC=38..56+2;host.memoryBandwidth=200..2000+100;host.flops.f16="
         "25000..375000+25000;"
         "cost:=device.count*(20+1600/timing.nRCDMAC)+host.memoryBandwidth+host.flops.f16/400"},
        {"dual-mode", "tiny-gpt-decode", "dynaplasia",
         "array.count=24..192+8;timing.mvm=50..200+10;timing.write=8..64+8;chip.vector_unit.lanes=8..64+8;"
         "dual-mode.cost=formula;"
         "cost:=array.count*(1+50/timing.mvm+8/timing.write)+chip.vector_unit.lanes"},
    };
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // a line as soon as it is known
    std::vector<std::string> words(argv + 1, argv + argc);
    std::filesystem::path cache;
    if (!words.empty() && words[0] == "--cache") {
        if (words.size() < 2) {
            fmt::print(stderr, "--cache needs a folder\n");
            return 2;
        }
        cache = words[1];
        std::filesystem::create_directories(cache);
        words.erase(words.begin(), words.begin() + 2);
    }
    const std::vector<Space> known = spaces();
    for (const std::string& word : words)
        if (std::ranges::find(known, word, &Space::name) == known.end()) {
            fmt::print(stderr, "no space \"{}\"; there are hbm-pim, aim, dual-mode\n", word);
            return 2;
        }
    const BackendList backends = builtinBackends();
    const TargetCatalog catalog = TargetCatalog::load();
    const auto folder = std::filesystem::temp_directory_path() / "pim-bench-front";
    std::filesystem::create_directories(folder);
    fmt::print("{:<11} {:>7} {:>6} {:>9} {:>11} {:>13} {:>12} {:>14}\n", "space", "points", "front",
               "searched", "nsga2 least", "nsga2 median", "random least", "random median");
    int failures = 0;
    for (const Space& space : known) {
        if (!words.empty() && std::ranges::find(words, space.name) == words.end())
            continue;
        const auto kept = cache.empty() ? cache : cache / (space.name + ".points");
        const auto enough = compareSearches(backends, catalog, space, folder, kept);
        if (!enough)
            fmt::print("{:<11} {}\n", space.name, enough.error().text());
        if (!enough || !*enough)
            ++failures;
    }
    std::filesystem::remove_all(folder);
    return failures == 0 ? 0 : 1;
}
