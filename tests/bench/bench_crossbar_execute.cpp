// SPDX-License-Identifier: GPL-3.0-or-later
// Whole networks through the programs of both pipelines on numbers, against the reference: is all equal, how
// long does it take, how far is fixed point from float32, and what do real devices do to it?
#include "backends/crossbar/numeric/check.h"
#include "backends/crossbar/schedule/schedule.h"
#include "core/graph/import.h"
#include "core/graph/zoo/zoo.h"
#include "core/hardware/catalog.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>

using namespace pim;

namespace {

/// Seconds of one sample through a program; those measured on two shared cores are below a third of it.
constexpr double kMostSeconds = 60;

struct Compiled {
    CrossbarChip chip;
    CrossbarNetwork network;
    CrossbarMapping mapping;
    CrossbarSchedule schedule;
    CrossbarProgramOf program() const {
        return {schedule.program, network, mapping, chip, schedule.mapAddress, schedule.stage};
    }
};

Result<std::shared_ptr<const Graph>> load(const std::string& name) {
    const auto folder = std::filesystem::temp_directory_path() / "pim_bench_crossbar_execute";
    std::filesystem::create_directories(folder);
    const auto file = folder / (name + ".onnx");
    PIM_CHECK(writeZooModel(name, file));
    return loadGraph(file);
}

Result<Compiled> compile(const std::string& name, const std::string& target, CrossbarMode mode) {
    Compiled made;
    PIM_TRY(const auto description, TargetCatalog::load().find(target));
    PIM_TRY(made.chip, crossbarChip(*description));
    PIM_TRY(const auto graph, load(name));
    PIM_TRY(made.network, crossbarNetwork(graph, made.chip));
    MappingOptions options;
    options.mode = mode;
    PIM_TRY(made.mapping, mapNetwork(made.network, made.chip, options));
    PIM_TRY(made.schedule, scheduleCrossbar(made.network, made.chip, made.mapping));
    return made;
}

Result<bool> equality(const std::string& name, const std::string& target, CrossbarMode mode) {
    PIM_TRY(const Compiled made, compile(name, target, mode));
    PIM_TRY(const CrossbarCheck check, checkCrossbar(made.program()));
    fmt::print("{:<12} {:<16} {}  {:>9} instructions {:>9} products  {:6.2f} s  {}  16 bit: weights {:.1e}, "
               "outputs {:.1e} off float32\n",
               name, target, pim::name(mode), check.instructions, check.products, check.seconds,
               check.equal() ? "equal"
                             : "NOT EQUAL " + check.comparison.first->text + "; " + check.firstWrong,
               check.weightError, check.outputError);
    std::fflush(stdout);
    return check.equal() && check.seconds < kMostSeconds;
}

Result<bool> devices(const std::string& name, const std::string& target) {
    PIM_TRY(const Compiled made, compile(name, target, CrossbarMode::LowLatency));
    bool ok = true;
    fmt::print("\n{} on {}: devices against the exact program\n", name, target);
    std::fflush(stdout);
    double before = 1e9;
    for (const double variation : {0.001, 0.01, 0.1}) {
        PIM_TRY(const CrossbarCheck check,
                checkCrossbar(made.program(), {.device = {.variation = variation}, .samples = 2}));
        fmt::print("variation {:>5} %     SNR {:6.1f} dB, same top-1 {} of {}, {:.1f} s\n", 100 * variation,
                   check.device.snrDb(), check.device.sameTop, check.device.samples, check.seconds);
        ok = ok && check.device.snrDb() < before;
        before = check.device.snrDb();
        std::fflush(stdout);
    }
    for (const int bits : {9, 8, 7, 6}) {
        PIM_TRY(const CrossbarCheck check, checkCrossbar(made.program(), {.device = {.adcBits = bits}}));
        fmt::print("converters {:>2} bits     SNR {:6.1f} dB, same top-1 {} of {}, {:.1f} s\n", bits,
                   check.device.snrDb(), check.device.sameTop, check.device.samples, check.seconds);
        std::fflush(stdout);
    }
    return ok;
}

} // namespace

int main(int argc, char** argv) {
    bool ok = true;
    const auto judge = [&ok](const Result<bool>& result) {
        if (!result)
            fmt::print("{}\n", result.error().text());
        ok = ok && result && *result;
    };
    const std::vector<std::string> networks = argc > 1 ? std::vector<std::string>(argv + 1, argv + argc)
                                                       : std::vector<std::string>{"squeezenet", "resnet18"};
    for (const std::string& name : networks)
        for (const CrossbarMode mode : {CrossbarMode::HighThroughput, CrossbarMode::LowLatency})
            judge(equality(name, "pimcomp-default", mode));
    judge(devices(networks[0], "pimcomp-default"));
    return ok ? 0 : 1;
}
