// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What a second thread is worth: searches, simulation of independent channels, sweeps, by one job and by two, taking turns. Prints medians of five,
/// their ratio, by how much the processor's time grew, how many threads were ready to run (thread_times.h), and what follows from these two: the
/// ratio with two cores to itself, which neighbours on the machine do not change. Fails where the two differ in what they found.
///   bench_jobs [CASE …]
#include "backends/builtin.h"
#include "core/base/parallel.h"
#include "core/compile/search/sweep_search.h"
#include "core/dram/hbm_pim/hbm_pim_functional.h"
#include "core/dram/hbm_pim/hbm_pim_trace.h"
#include "core/graph/zoo/zoo.h"
#include "crossbar_cases.h"
#include "thread_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <span>

using namespace pim;

namespace {

constexpr int kRuns = 5;

/// Does the work, says what it found.
using Work = std::function<Result<std::string>()>;

struct Case {
    std::string name;
    std::function<Result<Work>()> prepare;
};

Result<Work> mapping(const char* model, const char* target, MappingOptions options) {
    PIM_TRY(CrossbarCase made, crossbarCase(model, target));
    return Work([one = std::make_shared<CrossbarCase>(std::move(made)), options]() -> Result<std::string> {
        PIM_TRY(const CrossbarMapping found, mapNetwork(one->network, one->chip, options));
        std::string text;
        for (const auto& step : found.history)
            text += fmt::format("{} {}\n", step.evaluations, step.ns);
        return text;
    });
}

/// Each channel is asked something else.
Result<Work> channels() {
    auto trace = std::make_shared<HbmPimTrace>();
    constexpr int kChannels = 16, kBursts = 100'000;
    trace->system = kChannels;
    trace->channels.resize(kChannels);
    std::mt19937 random(1); // NOLINT: the same requests every time
    for (HbmPimStream& stream : trace->channels)
        for (int i = 0; i < kBursts; ++i) {
            HbmPimBurst& burst = stream.bursts.emplace_back();
            burst.bank = static_cast<std::uint8_t>(random() % HbmPimGeometry::kBanks);
            burst.row = static_cast<std::uint16_t>(random() % 64);
            burst.column = static_cast<std::uint8_t>(random() % HbmPimGeometry::kBurstsPerRow);
            burst.write = random() % 4 == 0;
        }
    return Work([trace]() -> Result<std::string> {
        PIM_TRY(const HbmPimTraceRun run, runHbmPimTrace(*trace));
        return fmt::format("{} {}", run.simulated, run.cost.cycles);
    });
}

Result<Work> numbers() {
    HbmPimShape shape{.out = 4096, .in = 4096, .channels = 16, .padded = true};
    return Work([shape]() -> Result<std::string> {
        PIM_TRY(const HbmPimOutcome outcome, runHbmPimFunctional(shape, HbmPimOperands::sample()));
        return fmt::format("{:x}", outcome.fnv64);
    });
}

/// \param evaluations of NSGA-II; 0: all points.
Result<Work> points(const BackendList& backends, const TargetCatalog& catalog, const char* model,
                    const char* target, const char* over, std::int64_t evaluations = 0) {
    const auto file = std::filesystem::temp_directory_path() / fmt::format("pim-bench-jobs-{}.onnx", model);
    ZooOptions zoo;
    zoo.weights = false;
    PIM_CHECK(writeZooModel(model, file, zoo));
    auto setup = std::make_shared<SweepSetup>();
    PIM_TRY(setup->model, importModel(file));
    std::filesystem::remove(file);
    PIM_TRY(setup->request.target, catalog.find(target));
    PIM_TRY(setup->axes, parseSweep(over));
    PIM_CHECK(prepareSweep(backends, *setup, catalog));
    return Work([&backends, setup, evaluations]() -> Result<std::string> {
        std::string text;
        const auto tell = [&](const SweepPoint& point) -> Result<void> {
            text += fmt::format("{} {} {}\n", point.index, point.totalNs, point.problem);
            return {};
        };
        if (evaluations > 0) {
            PIM_CHECK(searchSweep(backends, *setup, {SearchMethod::Nsga2, evaluations, 1}, {}, tell));
        } else {
            PIM_CHECK(sweep(backends, *setup, {}, tell));
        }
        return text;
    });
}

Result<bench::ThreadTimes> run(const Work& work, int count, std::string& found) {
    setJobs(count);
    const bench::ThreadClock clock;
    PIM_TRY(std::string text, work());
    const bench::ThreadTimes measured = clock.times();
    if (found.empty())
        found = text;
    if (found != text)
        return fail(ErrorCode::Internal, fmt::format("{} jobs find something else", count));
    return measured;
}

double median(const std::vector<bench::ThreadTimes>& all,
              const std::function<double(const bench::ThreadTimes&)>& part) {
    std::vector<double> values;
    for (const bench::ThreadTimes& each : all)
        values.push_back(part(each));
    std::ranges::sort(values);
    return values[values.size() / 2];
}

Result<void> measure(const Case& one) {
    PIM_TRY(const Work work, one.prepare());
    std::string found;
    std::vector<bench::ThreadTimes> by[2];
    PIM_CHECK(run(work, 2, found)); // threads and tables are there
    for (int i = 0; i < kRuns; ++i)
        for (const int count : {1, 2}) {
            PIM_TRY(const bench::ThreadTimes measured, run(work, count, found));
            by[count - 1].push_back(measured);
        }
    const auto wall = [&](int count) { return median(by[count - 1], &bench::ThreadTimes::wall); };
    const double grown =
        median(by[1], &bench::ThreadTimes::running) / median(by[0], &bench::ThreadTimes::running);
    const double ready = median(by[1], &bench::ThreadTimes::ready);
    fmt::print("{:<34} {:>9.3f} {:>9.3f} {:>8.2f} {:>15.2f} {:>6.2f} {:>13.2f}\n", one.name, wall(1), wall(2),
               wall(1) / wall(2), grown, ready, ready / grown);
    return {};
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // a line as soon as it is known
    const BackendList backends = builtinBackends();
    const TargetCatalog catalog = TargetCatalog::load();
    const auto space = [&](const char* model, const char* target, const char* over,
                           std::int64_t evaluations = 0) {
        return [&, model, target, over, evaluations] {
            return points(backends, catalog, model, target, over, evaluations);
        };
    };
    const auto mapped = [](CrossbarMode mode, const char* strategy, int evaluations) {
        return [=] {
            return mapping("resnet18", "isaac-12",
                           {.mode = mode,
                            .strategy = strategy,
                            .evaluations = evaluations,
                            .population = 40,
                            .iterations = 20});
        };
    };
    const std::vector<Case> cases{
        {"search: mapping, throughput", mapped(CrossbarMode::HighThroughput, "search", 40)},
        {"search: mapping, latency", mapped(CrossbarMode::LowLatency, "search", 40)},
        {"search: mapping, genetic", mapped(CrossbarMode::HighThroughput, "genetic", 0)},
        {"search: NSGA-II, HBM-PIM",
         space("bert-base", "hbm-pim", "group.count=1..64+1;timing.nCCDL=2..8+1", 200)},
        {"channels: HBM-PIM requests", channels},
        {"channels: HBM-PIM numbers", numbers},
        {"sweep: bert-base, HBM-PIM", space("bert-base", "hbm-pim", "group.count=4..64;timing.nCCDL=2..8+2")},
        {"sweep: bert-base, HBM-PIM, 675",
         space("bert-base", "hbm-pim", "group.count=4..64;timing.nCCDL=2..16+1;timing.nRCDRD=8..24+2")},
        {"sweep: llama2-7b-decode, AttAcc",
         space("llama2-7b-decode", "attacc", "group.count=4..16;timing.nCCDL=2..8+2")},
        {"sweep: resnet50, DynaPlasia", space("resnet50", "dynaplasia", "array.count=24..192+12")},
        {"sweep: resnet18, ISAAC", space("resnet18", "isaac", "timing.mvm=1000..4000+1000;quick=on")},
    };
    fmt::print("{:<34} {:>9} {:>9} {:>8} {:>15} {:>6} {:>13}\n", "", "1 job, s", "2 jobs, s", "2 over 1",
               "processor time", "ready", "on two cores");
    const std::span<char*> wanted(argv + 1, argv + argc);
    int failures = 0;
    for (const Case& one : cases) {
        const bool isWanted = wanted.empty() || std::ranges::any_of(wanted, [&](const char* word) {
                                  return one.name.find(word) != std::string::npos;
                              });
        if (!isWanted)
            continue;
        if (const Result<void> done = measure(one); !done) {
            fmt::print("{:<34} {}\n", one.name, done.error().text());
            ++failures;
        }
    }
    return failures == 0 ? 0 : 1;
}
