// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Points per second of sweeps over figures of machines, by one thread and by two, beside compiling each point by itself: the model's graph built
/// and every kernel searched anew. Medians of three; prints a table.
///   bench_sweep [MODEL-OR-TARGET …]
#include "backends/builtin.h"
#include "core/compile/compiler.h"
#include "core/compile/sweep.h"
#include "core/compile/which.h"
#include "core/graph/zoo/zoo.h"
#include "core/hardware/target_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

using namespace pim;

namespace {

double seconds(const std::function<void()>& work) {
    std::vector<double> all;
    for (int i = 0; i < 3; ++i) {
        const auto start = std::chrono::steady_clock::now();
        work();
        all.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::ranges::sort(all);
    return all[1];
}

struct Space {
    const char *model, *target, *over;
};

/// As a loop over `compile` with one changed target after the other would.
void compileEach(const BackendList& backends, const SweepSetup& setup) {
    for (std::int64_t p = 0; p < sweepSize(setup.axes); ++p) {
        const auto values = sweepValues(setup.axes, p);
        std::vector<TargetChange> changes;
        CompileOptions options = setup.request.options;
        options.threads = 1;
        for (std::size_t a = 0; a < setup.axes.size(); ++a)
            if (setup.axes[a].kind == SweepAxis::Kind::Hardware)
                changes.emplace_back(setup.axes[a].name, values[a]);
            else if (setup.axes[a].name == "quick")
                options =
                    quickOptions(**backends.find(setup.request.target->backend), std::move(options)).value();
        auto target = changedTarget(*setup.request.target, changes);
        auto graph = buildGraph(*setup.model, setup.graph);
        if (target && graph)
            (void)compile(backends,
                          {*graph, std::make_shared<const Target>(std::move(*target)), {}, options});
    }
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // a line as soon as it is known
    const BackendList backends = builtinBackends();
    const TargetCatalog catalog = TargetCatalog::load();
    const auto folder = std::filesystem::temp_directory_path() / "pim-bench-sweep";
    std::filesystem::create_directories(folder);
    constexpr Space kSpaces[] = {
        {"tiny-gpt-decode", "hbm-pim", "group.count=4..64+8;timing.nCCDL=2..8+1;quick=on"},
        {"tiny-gpt-decode", "hbm-pim", "group.count=4..64;timing.nCCDL=2..8+1"},
        {"bert-base", "hbm-pim", "group.count=4..64+8;timing.nCCDL=2..8+1;quick=on"},
        {"bert-base", "hbm-pim", "group.count=4..64;timing.nCCDL=2..8+2"},
        {"bert-base", "aim", "device.count=8..64+8;timing.nRCDMAC=40..56+1;quick=on"},
        {"llama2-7b-decode", "attacc", "group.count=4..16+4;timing.nCCDL=2..8+1;quick=on"},
        {"llama2-7b-decode", "attacc", "group.count=4..16;timing.nCCDL=2..8+2"},
        {"llama2-7b-decode", "aim", "device.count=8..64+8;timing.nRCDMAC=40..56+1;quick=on"},
        {"llama2-7b-decode", "aim", "device.count=8..64;timing.nRCDMAC=40..56+4"},
        {"resnet50", "dynaplasia", "array.count=24..192+2;quick=on"},
        {"resnet50", "dynaplasia", "array.count=24..192+4"},
        {"bert-base", "dynaplasia", "array.count=24..192+4;quick=on"},
        {"bert-base", "dynaplasia", "array.count=24..192+8"},
        {"resnet50", "dynaplasia", "array.count=24..192+4;cost=formula"},
        {"bert-base", "dynaplasia", "array.count=24..192+8;cost=formula"},
        {"resnet18", "isaac", "timing.mvm=1000..4000+1000;quick=on"},
        {"resnet18", "isaac", "timing.mvm=1000..4000+1000;precision.adc=6..9+1;quick=on"},
        {"resnet18", "isaac", "array.count=48..96+16;core.local.bandwidth=16..64+16;quick=on"},
        {"googlenet", "isaac", "chip.global.bandwidth=32..128+32;bandwidth.connection=16..64+16;quick=on"},
        {"mobilenetv2", "puma", "timing.mvm=1000..4000+1000;timing.vector=5..20+5;quick=on"},
        {"vgg16", "isaac", "timing.mvm=1000..4000+1000;core.local.bandwidth=16..64+16;quick=on"},
    };
    fmt::print("{:<18} {:<11} {:>5} {:>7} {:>12} {:>13} {:>11} {:>13}\n", "model", "target", "quick",
               "points", "1 thread, /s", "2 threads, /s", "2 over 1", "over by itself");
    int failures = 0;
    const std::vector<std::string_view> only(argv + 1, argv + argc); // models or targets; none: all
    for (const Space& space : kSpaces) {
        if (!only.empty() && std::ranges::none_of(only, [&](std::string_view name) {
                return name == space.model || name == space.target;
            }))
            continue;
        const auto file = folder / fmt::format("{}.onnx", space.model);
        ZooOptions options;
        options.weights = false;
        if (!writeZooModel(space.model, file, options))
            continue;
        SweepSetup setup;
        setup.model = importModel(file).value();
        setup.request.target = catalog.find(space.target).value();
        setup.axes = parseSweep(space.over).value();
        if (const auto ready = prepareSweep(backends, setup, catalog); !ready) {
            fmt::print("{:<18} {:<11} {}\n", space.model, space.target, ready.error().text());
            ++failures;
            continue;
        }
        std::string problem; // a point without a plan costs next to nothing and would pass for a quick one
        const auto run = [&](int threads) {
            return seconds([&] {
                setup.request.options.threads = threads;
                const auto done = sweep(backends, setup, {}, [&](const SweepPoint& point) -> Result<void> {
                    if (!point.problem.empty())
                        problem = point.problem;
                    return {};
                });
                if (!done)
                    problem = done.error().text();
            });
        };
        const auto points = static_cast<double>(sweepSize(setup.axes));
        const double one = run(1), two = run(2), alone = seconds([&] { compileEach(backends, setup); });
        if (!problem.empty()) {
            fmt::print("{:<18} {:<11} {}\n", space.model, space.target, problem);
            ++failures;
            continue;
        }
        const bool quick = std::string_view(space.over).find("quick=on") != std::string_view::npos;
        fmt::print("{:<18} {:<11} {:>5} {:>7} {:>12.1f} {:>13.1f} {:>11.2f} {:>13.2f}\n", space.model,
                   space.target, quick ? "on" : "", points, points / one, points / two, one / two,
                   alone / one);
    }
    std::filesystem::remove_all(folder);
    return failures == 0 ? 0 : 1;
}
