// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What large models cost: opened, planned and simulated on a machine of every family, each in a process of its own, with the growth from
/// one size to the next (the exponent of what it is measured by). Fails where one takes longer or more memory than resources/help/models.md
/// states, grows faster than it says, or has no plan though it should.
///   bench_size [PART-OF-A-NAME …]
#include "backends/builtin.h"
#include "core/compile/compiler.h"
#include "core/graph/import.h"
#include "core/graph/zoo/graph_writer.h"
#include "core/graph/zoo/networks.h"
#include "core/graph/zoo/zoo.h"
#include "core/hardware/catalog.h"

#include <fmt/format.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string_view>

using namespace pim;

namespace {

/// What resources/help/models.md states, of one model on one machine.
constexpr double kMostSeconds = 60; ///< Of processor time, all steps together.
constexpr double kMostMiB = 2560;
constexpr double kMostGrowth = 1.3; ///< Exponent, from a size that takes a second or more.

constexpr const char* kTargets[] = {"hbm-pim", "aim", "attacc", "upmem-8", "dynaplasia", "isaac"};

using Write = Result<void> (*)(const std::filesystem::path& file, std::int64_t size);
struct Family {
    const char* name;
    const char* unit; ///< Of \ref sizes.
    std::vector<std::int64_t> sizes;
    Write write;
};

Result<void> save(const zoo::GraphWriter& writer, const std::filesystem::path& file) {
    PIM_TRY(const auto files, writer.write(file, {.weights = zoo::GraphWriter::Weights::Absent}, {}));
    return {};
}

/// Residual blocks of ten nodes each with one small product: 50 000 nodes have 5000 products, which ISAAC has arrays for.
Result<void> blocks(const std::filesystem::path& file, std::int64_t nodes) {
    constexpr std::int64_t kWidth = 32;
    zoo::GraphWriter g("blocks", "residual blocks", DataType::F32);
    std::string x = g.input("x", DataType::F32, {1, kWidth});
    for (std::int64_t i = 0; i < nodes / 10; ++i) {
        const zoo::GraphWriter::Scope scope(g, fmt::format("block.{}", i));
        const std::string product =
            g.node("MatMul", {x, g.weight("weight", {kWidth, kWidth}, {.spread = 0.2})});
        const std::string biased = g.node("Add", {product, g.weight("bias", {kWidth}, {.spread = 0.02})});
        const std::string bent = g.node("Relu", {biased}), gate = g.node("Sigmoid", {biased});
        const std::string gated = g.node("Mul", {bent, gate}), turned = g.node("Tanh", {gated});
        const std::string less = g.node("Sub", {turned, bent}), size = g.node("Abs", {less});
        x = g.node("Add", {x, g.node("Mul", {size, turned})});
    }
    g.output(x, "y", {1, kWidth});
    return save(g, file);
}

Result<void> chain(const std::filesystem::path& file, std::int64_t nodes) {
    constexpr std::int64_t kWidth = 4096;
    constexpr const char* kOps[] = {"Add", "Relu", "Mul", "Sigmoid"};
    zoo::GraphWriter g("chain", "element-wise operators, one behind the other", DataType::F32);
    const std::string first = g.input("x", DataType::F32, {1, kWidth});
    std::string x = first;
    for (std::int64_t i = 0; i < nodes; ++i) {
        const std::string op = kOps[i % std::ssize(kOps)];
        x = i % 2 == 0 ? g.node(op, {x, first}) : g.node(op, {x});
    }
    g.output(x, "y", {1, kWidth});
    return save(g, file);
}

/// ResNet-18 on pictures of 16 : 9, up to 1920x1080.
Result<void> picture(const std::filesystem::path& file, std::int64_t kilopixels) {
    const std::int64_t height = std::llround(std::sqrt(1000.0 * double(kilopixels) * 9 / 16));
    zoo::GraphWriter g("resnet18", "ResNet of 18 layers", DataType::F32);
    zoo::Extents extents;
    extents.batch = 1;
    extents.height = height;
    extents.width = height * 16 / 9;
    zoo::buildResNet(g, {2, 2, 2, 2}, false, extents);
    return save(g, file);
}

/// One step of generation behind 2048 tokens. \param billions of parameters.
Result<void> decode(const std::filesystem::path& file, std::int64_t billions) {
    ZooOptions options;
    options.weights = false;
    options.batch = 1;
    options.past = 2048;
    const std::string name = billions > 100 ? "llama3.1" : "llama2";
    PIM_TRY(const ZooFile written,
            writeZooModel(fmt::format("{}-{}b-decode", name, billions), file, options));
    return {};
}

const std::array<Family, 4> kFamilies{{
    {"blocks", "nodes", {3'125, 12'500, 50'000}, blocks},
    {"chain", "nodes", {1'250, 2'500, 5'000}, chain},
    {"picture", "kilopixels", {130, 518, 2'074}, picture},
    {"decode", "G parameters", {7, 33, 70, 405}, decode},
}};

/// What the help says has no plan, or nothing to simulate: weights beyond all arrays, and networks without a product.
bool isRefused(std::string_view model, std::string_view target) {
    return (model == "decode" && target == "isaac") || (model == "chain" && target == "dynaplasia");
}

struct Measured {
    double open = 0, plan = 0, simulate = 0; ///< s of processor time, of all threads.
    double ops = 0;
    double miB = 0;
    char refused[160] = ""; ///< Why there is no plan.

    double seconds() const { return open + plan + simulate; }
};

double processorSeconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Measured measureHere(const std::filesystem::path& file, const char* target) {
    Measured measured;
    const auto refused = [&](const Error& error) {
        fmt::format_to_n(measured.refused, sizeof measured.refused - 1, "{}", error.message);
        return measured;
    };
    const BackendList backends = builtinBackends();
    const TargetCatalog catalog = TargetCatalog::load();
    PlanRequest request;
    request.target = catalog.find(target).value();
    double before = processorSeconds();
    const auto step = [&](double& seconds) {
        const double now = processorSeconds();
        seconds = now - before;
        before = now;
    };
    const auto graph = loadGraph(file);
    step(measured.open);
    if (!graph)
        return refused(graph.error());
    request.graph = *graph;
    measured.ops = static_cast<double>((*graph)->ops.size());
    const auto plan = compile(backends, request);
    step(measured.plan);
    if (!plan)
        return refused(plan.error());
    const auto simulation = backends.find(request.target->backend).value()->simulate(**plan, {});
    step(measured.simulate);
    return simulation ? measured : refused(simulation.error());
}

/// In a process of its own: its memory is that of nothing else.
Measured measure(const std::filesystem::path& file, const char* target) {
    Measured measured;
    int ends[2] = {};
    if (pipe(ends) != 0) {
        fmt::format_to_n(measured.refused, sizeof measured.refused - 1, "there is no pipe");
        return measured;
    }
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        measured = measureHere(file, target);
        _exit(write(ends[1], &measured, sizeof measured) == sizeof measured ? 0 : 1);
    }
    close(ends[1]);
    if (read(ends[0], &measured, sizeof measured) != sizeof measured)
        fmt::format_to_n(measured.refused, sizeof measured.refused - 1, "the process ended early");
    close(ends[0]);
    rusage used{};
    wait4(child, nullptr, 0, &used);
    measured.miB = static_cast<double>(used.ru_maxrss) / 1024;
    return measured;
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // a line as soon as it is known
    const auto wanted = [&](const std::string& name) {
        return argc < 2 || std::any_of(argv + 1, argv + argc,
                                       [&](std::string_view part) { return name.find(part) != name.npos; });
    };
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / fmt::format("pim-bench-size-{}.onnx", getpid());
    bool isFine = true;
    for (const Family& family : kFamilies) {
        if (std::ranges::none_of(kTargets, [&](const char* target) {
                return wanted(fmt::format("{} {}", family.name, target));
            }))
            continue;
        fmt::print("{:<8} {:<11} {:>12} {:>7} {:>9} {:>9} {:>11} {:>6} {:>8}\n", "model", "target",
                   family.unit, "ops", "open, s", "plan, s", "simulate, s", "MiB", "exponent");
        for (const char* target : kTargets) {
            if (!wanted(fmt::format("{} {}", family.name, target)))
                continue;
            double sizeBefore = 0, secondsBefore = 0;
            for (const std::int64_t size : family.sizes) {
                if (const auto written = family.write(file, size); !written) {
                    fmt::print("{}\n", written.error().text());
                    return 1;
                }
                const Measured one = measure(file, target);
                const double growth = std::log(one.seconds() / secondsBefore) /
                                      std::log(static_cast<double>(size) / sizeBefore);
                const bool isBad = one.seconds() > kMostSeconds || one.miB > kMostMiB ||
                                   (*one.refused && !isRefused(family.name, target)) ||
                                   (secondsBefore >= 1 && growth > kMostGrowth);
                isFine = isFine && !isBad;
                fmt::print("{:<8} {:<11} {:>12} {:>7} {:>9.2f} {:>9.2f} {:>11.2f} {:>6.0f} {:>8}{}{}\n",
                           family.name, target, size, one.ops, one.open, one.plan, one.simulate, one.miB,
                           sizeBefore > 0 ? fmt::format("{:.2f}", growth) : std::string(),
                           isBad ? "  BAD" : "", *one.refused ? fmt::format("  {}", one.refused) : "");
                sizeBefore = static_cast<double>(size);
                secondsBefore = one.seconds();
            }
        }
    }
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    return isFine ? 0 : 1;
}
