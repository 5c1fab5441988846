// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Campaigns: what chunks, files and claims cost beside computing the same points in one go, and how long a million points take to read and to
/// merge into a project. Medians of three; processor time, because others may use the machine too. Arguments, overhead or merge: only these.
#include "backends/builtin.h"
#include "core/base/paths.h"
#include "core/campaign/chunk_run.h"
#include "core/campaign/point_file.h"
#include "core/project/project.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include <time.h>

using namespace pim;
namespace fs = std::filesystem;

namespace {

double seconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(const std::function<double()>& measure) {
    std::vector<double> all{measure(), measure(), measure()};
    std::ranges::sort(all);
    return all[1];
}

/// Of all threads, or of this one.
double processorSeconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

template <class T>
T orEnd(Result<T> result) {
    if (!result) {
        fmt::print(stderr, "{}\n", result.error().text());
        std::exit(1);
    }
    return *std::move(result);
}
void orEnd(const Result<void>& result) {
    if (!result) {
        fmt::print(stderr, "{}\n", result.error().text());
        std::exit(1);
    }
}

SweepSetup prepared(const BackendList& backends, const char* over) {
    const TargetCatalog catalog = TargetCatalog::load();
    SweepSetup setup;
    setup.axes = orEnd(parseSweep(over));
    setup.model = orEnd(importModel(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx"));
    setup.request.target = orEnd(catalog.find("hbm-pim"));
    setup.request.options.threads = 1;
    orEnd(prepareSweep(backends, setup, catalog));
    return setup;
}

/// Chunks, files and claims beside the same points in one go.
void overhead(const BackendList& backends, const fs::path& folder, const char* what, const char* over) {
    const SweepSetup setup = prepared(backends, over);
    Campaign campaign = orEnd(planCampaign(setup, folder / what));
    orEnd(loadCampaignModels(campaign));
    campaign.setup.request.options.threads = 1;
    constexpr double kPoint = 0.01; // seconds, what one of a real campaign takes at least
    const auto used = [](const std::function<void()>& work) {
        const double before = processorSeconds(CLOCK_PROCESS_CPUTIME_ID);
        work();
        return processorSeconds(CLOCK_PROCESS_CPUTIME_ID) - before;
    };
    const double whole = median([&] {
        return used([&] {
            std::int64_t points = 0;
            orEnd(sweep(backends, setup, {}, [&](const SweepPoint&) -> Result<void> {
                ++points;
                return {};
            }));
        });
    });
    const double chunked = median([&] {
        fs::remove_all(campaign.folder / "points");
        return used([&] {
            ChunkRunner runner = orEnd(ChunkRunner::open(backends, campaign));
            for (std::int64_t chunk = 0; chunk < campaign.chunks(); ++chunk)
                orEnd(runner.run(chunk));
        });
    });
    const auto points = static_cast<double>(campaign.points());
    fmt::print("{:<22} {:>8} points, {:>4} chunks: {:>8.1f} us of a processor a point in one go, {:>8.1f} in "
               "chunks: {:+.2f} %; {:+.2f} % of points of 10 ms\n",
               what, campaign.points(), campaign.chunks(), whole * 1e6 / points, chunked * 1e6 / points,
               100 * (chunked / whole - 1), 100 * (chunked - whole) / (points * kPoint));
}

/// A million points that nobody computed: as many figures as a DRAM-PIM has.
void merging(const BackendList& backends, const fs::path& folder) {
    const SweepSetup setup = prepared(backends, "timing.nRCDRD=1..1000+1;timing.nCCDL=1..1000+1");
    Campaign campaign = orEnd(planCampaign(setup, folder / "million"));
    orEnd(loadCampaignModels(campaign));
    const double written = seconds([&] {
        for (std::int64_t chunk = 0; chunk < campaign.chunks(); ++chunk) {
            PointWriter writer(campaign, chunk);
            const auto [first, behind] = campaign.indicesOf(chunk);
            for (std::int64_t index = first; index < behind; ++index) {
                SweepPoint point;
                point.index = index;
                const auto x = static_cast<double>(index);
                point.totalNs = 1e6 / (x + 3);
                point.hostOnlyNs = 1e6 + x / 7;
                point.macs = 2.5e9;
                point.compileMs = 3.25;
                point.baselines = {{"host", "host only", point.hostOnlyNs}};
                point.figures = {{"area_mm2", 84.4 + x / 1e4}, {"system_energy_pj", 1e9 / (x + 1)}};
                orEnd(writer.write(point));
            }
        }
    });
    const double read = median([&] {
        return seconds([&] {
            orEnd(readCampaignPoints(campaign, [](std::span<PointRecord>) { return Result<void>(); }));
        });
    });
    int number = 0;
    double ofAll = 0, ofWriter = 0; // processor time of all merges
    const double merged = median([&] {
        const auto project = orEnd(Project::open(folder / fmt::format("p{}.pimproj", ++number)));
        ofAll -= processorSeconds(CLOCK_PROCESS_CPUTIME_ID);
        ofWriter -= processorSeconds(CLOCK_THREAD_CPUTIME_ID);
        const double took = seconds([&] {
            const std::int64_t id = orEnd(project->findOrAddSweep(campaign.setup));
            orEnd(project->addSweepPoints(id, [&](const auto& add) -> Result<void> {
                PIM_CHECK(readCampaignPoints(campaign, add));
                return {};
            }));
        });
        ofAll += processorSeconds(CLOCK_PROCESS_CPUTIME_ID);
        ofWriter += processorSeconds(CLOCK_THREAD_CPUTIME_ID);
        return took;
    });
    const auto project = orEnd(Project::open(folder / "p1.pimproj"));
    std::size_t there = 0;
    const double loaded = seconds([&] { there = orEnd(project->sweep(1)).points.size(); });
    fmt::print(
        "{} points: written {:.2f} s, read {:.2f} s, merged {:.2f} s ({:.2f} s of processors, {:.2f} s of "
        "them the thread that writes), the project loads in {:.2f} s\n",
        there, written, read, merged, ofAll / number, ofWriter / number, loaded);
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const std::vector<std::string_view> wanted(argv + 1, argv + argc);
    const auto isWanted = [&](std::string_view part) {
        return wanted.empty() || std::ranges::find(wanted, part) != wanted.end();
    };
    const BackendList backends = builtinBackends();
    const fs::path folder = fs::temp_directory_path() / "pim-bench-campaign";
    fs::remove_all(folder);
    fs::create_directories(folder);
    if (isWanted("overhead")) {
        overhead(backends, folder, "left out", "timing.nRCDRD=8..407+1;timing.nCCDL=1..250+1;timing.nCCDL<2");
        overhead(backends, folder, "plans", "group.count=4..64;timing.nCCDL=2..101+1");
    }
    if (isWanted("merge"))
        merging(backends, folder);
    fs::remove_all(folder);
    return 0;
}
