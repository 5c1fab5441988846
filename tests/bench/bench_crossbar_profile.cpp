// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Times the profiler on 1.5 million instructions and the mode pimcomp-compat on whole streams, processor
/// time, medians of five. Fails above the ceilings: 1 s for the profile on a free machine, 0.3 s a million
/// instructions for compat; both doubled, as machines differ.
#include "backends/crossbar/compat.h"
#include "backends/crossbar/profile.h"
#include "core/hardware/catalog.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <functional>

using namespace pim;

namespace {

constexpr double kProfileCeiling = 2.0; // s
constexpr double kCompatCeiling = 0.6;  // s a million instructions

double medianSeconds(const std::function<void()>& run) {
    std::vector<double> times;
    for (int i = 0; i < 5; ++i) {
        const std::clock_t start = std::clock();
        run();
        times.push_back(double(std::clock() - start) / CLOCKS_PER_SEC);
    }
    std::ranges::sort(times);
    return times[2];
}

double peakMb() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return double(usage.ru_maxrss) / 1024;
}

/// What a high-throughput program looks like: in each group every core loads windows, gathers them,
/// multiplies, adds up, stores, and hands a partial result to the next core.
CrossbarProgram pipeline(int cores, std::size_t instructions) {
    CrossbarProgram program;
    program.cores.resize(std::size_t(cores));
    program.groupEnds.resize(std::size_t(cores));
    std::uint32_t transfer = 0;
    while (program.size() < instructions) {
        for (std::uint32_t core = 0; core < std::uint32_t(cores); ++core) {
            auto& stream = program.cores[core];
            for (std::uint32_t window = 0; window < 4; ++window) {
                const std::uint32_t at = window * 2000;
                stream.push_back({.opcode = CrossbarOpcode::Load,
                                  .layer = core % 20,
                                  .dst = at,
                                  .src1 = core * 1000,
                                  .length = 128});
                for (std::uint32_t row = 0; row < 6; ++row)
                    stream.push_back({.opcode = CrossbarOpcode::Copy,
                                      .layer = core % 20,
                                      .dst = at + 200 + row * 21,
                                      .src1 = at + row * 21,
                                      .length = 21});
                stream.push_back({.opcode = CrossbarOpcode::Mvm,
                                  .layer = core % 20,
                                  .dst = at + 500,
                                  .src1 = at + 200,
                                  .src2 = 128,
                                  .length = 126,
                                  .index = core * 4 + window});
                stream.push_back({.opcode = CrossbarOpcode::Vec,
                                  .vec = VectorOp::Add,
                                  .stage = CrossbarStage::Accumulate,
                                  .layer = core % 20,
                                  .dst = 9000,
                                  .src1 = 9000,
                                  .src2 = at + 500,
                                  .length = 128});
            }
            stream.push_back({.opcode = CrossbarOpcode::Vec,
                              .vec = VectorOp::Relu,
                              .stage = CrossbarStage::Post,
                              .layer = core % 20,
                              .dst = 9500,
                              .src1 = 9000,
                              .length = 128});
            stream.push_back({.opcode = CrossbarOpcode::Store,
                              .stage = CrossbarStage::Output,
                              .layer = core % 20,
                              .dst = core * 500,
                              .src1 = 9500,
                              .length = 128});
        }
        for (std::uint32_t core = 0; core + 1 < std::uint32_t(cores); core += 2) {
            program.cores[core].push_back({.opcode = CrossbarOpcode::Send,
                                           .src1 = 9500,
                                           .length = 64,
                                           .index = transfer,
                                           .peer = core + 1});
            program.cores[core + 1].push_back({.opcode = CrossbarOpcode::Recv,
                                               .dst = 9800,
                                               .length = 64,
                                               .index = transfer++,
                                               .peer = core});
        }
        for (std::size_t core = 0; core < program.cores.size(); ++core)
            program.groupEnds[core].push_back(std::uint32_t(program.cores[core].size()));
    }
    return program;
}

bool benchProfile(const CrossbarChip& chip, const char* what) {
    const CrossbarProgram program = pipeline(std::min(144, chip.cores()), 1'500'000);
    const double before = peakMb();
    CrossbarProfile profile;
    const double seconds = medianSeconds([&] {
        auto result = profileCrossbar(program, chip);
        if (!result)
            fmt::print("{}\n", result.error().text());
        profile = result.value_or(CrossbarProfile{});
    });
    fmt::print("profile, {:<44} {:>9} instructions {:>7.3f} s  {:>6.0f} MB on top of {:.0f} MB, {:.3f} ms of "
               "the machine\n",
               what, program.size(), seconds, peakMb() - before, before, profile.endNs / 1e6);
    return seconds <= kProfileCeiling && profile.endNs > 0;
}

bool benchCompat(const char* name) {
    const std::string file = std::string(PIM_SOURCE_DIR "/tests/golden/crossbar/") + name;
    CompatStream stream;
    CompatResult result;
    const double reading = medianSeconds([&] { stream = readCompatStream(file).value_or(CompatStream{}); });
    const double running =
        medianSeconds([&] { result = evaluateCompat(stream, {}).value_or(CompatResult{}); });
    const double million = double(stream.instructions.size()) / 1e6;
    fmt::print(
        "compat, {:<34} {:>9} instructions, read {:.3f} s, run {:.3f} s: {:.3f} s a million, {:.0f} ns\n",
        name, stream.instructions.size(), reading, running, (reading + running) / million, result.periodNs);
    return million > 0 && (reading + running) / million <= kCompatCeiling;
}

} // namespace

int main() {
    const auto catalog = TargetCatalog::load();
    bool good = true;
    for (const char* name : {"alexnet.batch.stream.csv.gz", "squeezenet.batch.stream.csv.gz",
                             "squeezenet.element.stream.csv.gz"})
        good = benchCompat(name) && good;
    CrossbarChip chip = *crossbarChip(**catalog.find("pimcomp-default"));
    good = benchProfile(chip, "in order, synchronous, bus") && good;
    chip.inOrder = false;
    good = benchProfile(chip, "out of order, synchronous, bus") && good;
    chip.synchronous = false;
    chip.connection = CrossbarConnection::Mesh;
    chip.hopNs = 1;
    good = benchProfile(chip, "out of order, asynchronous, mesh") && good;
    return good ? 0 : 1;
}
