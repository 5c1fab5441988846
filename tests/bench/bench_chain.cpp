// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What it is worth that results stay in PIM for the next op: element-wise chains and the Add + Relu of
/// ResNet-18 on HBM-PIM, all on PIM with searched drafts, simulated command by command with the host's
/// memory, with the code pass in-place and without. Fails if a chain is
/// not found or is slower, or if its prediction is worse than that of the ops apart.
#include "backends/builtin.h"
#include "core/compile/compiler.h"
#include "core/graph/import.h"
#include "core/graph/zoo/layers.h"
#include "core/hardware/catalog.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

using namespace pim;

namespace {

constexpr double kAllowedError = 0.05; ///< Of the prediction, beyond what it is off for the ops apart.

struct Case {
    const char* name;
    std::vector<zoo::Dim> shape;
    std::vector<std::string>
        ops; ///< One after the other; those with two operands take an input of the network.
};
const std::vector<Case> kCases{
    {"add relu 4096", {1, 4096}, {"Add", "Relu"}},
    {"add relu 65536", {1, 65536}, {"Add", "Relu"}},
    {"relu mul 65536", {1, 65536}, {"Relu", "Mul"}},
    {"add relu mul add 65536", {1, 65536}, {"Add", "Relu", "Mul", "Add"}},
    {"add relu mul add 1048576", {1, 1048576}, {"Add", "Relu", "Mul", "Add"}},
    {"ResNet-18 stage 1", {1, 64, 56, 56}, {"Add", "Relu"}},
    {"ResNet-18 stage 2", {1, 128, 28, 28}, {"Add", "Relu"}},
    {"ResNet-18 stage 3", {1, 256, 14, 14}, {"Add", "Relu"}},
    {"ResNet-18 stage 4", {1, 512, 7, 7}, {"Add", "Relu"}},
};

Result<std::shared_ptr<const Graph>> graphOf(const Case& chain, const std::filesystem::path& file) {
    zoo::GraphWriter writer("chain", chain.name, DataType::F16);
    int inputs = 0;
    const auto input = [&] {
        return writer.input(fmt::format("x{}", inputs++), writer.floatType(), chain.shape);
    };
    std::string value = input();
    for (const std::string& op : chain.ops)
        value = op == "Relu" ? writer.node(op, {value}) : writer.node(op, {value, input()});
    writer.output(value, "result", chain.shape);
    PIM_CHECK(writer.write(file, {}, {}));
    return loadGraph(file, {}, {});
}

struct Times {
    double predicted = 0, simulated = 0;
    CostSplit cost;
    int inPlace = 0;
};

Result<Times> timesOf(const BackendList& backends, PlanRequest request) {
    PIM_TRY(const auto plan, compile(backends, request));
    PIM_TRY(const Backend* backend, backends.find(request.target->backend));
    PIM_TRY(const auto simulation, backend->simulate(*plan, {}));
    Times times{plan->total.totalNs(), simulation->totalNs, {}, 0};
    for (const SimulatedOp& op : simulation->ops)
        times.cost += op.cost;
    for (const OpPlan& op : plan->ops)
        times.inPlace += op.takesFrom.valid() ? 1 : 0;
    return times;
}

} // namespace

int main() {
    const BackendList backends = builtinBackends();
    const TargetCatalog catalog = TargetCatalog::load();
    const auto file = std::filesystem::temp_directory_path() / fmt::format("bench_chain_{}.onnx", getpid());
    bool fine = true;
    for (const char* id : {"hbm-pim", "hbm-pim-hbm3"}) {
        double logs = 0;
        fmt::print(
            "{}: ns simulated with results in place (predicted; input, modes, compute, output), gain\n", id);
        for (const Case& chain : kCases) {
            PlanRequest request;
            request.target = catalog.find(id).value();
            auto graph = graphOf(chain, file);
            if (!graph) {
                fmt::print("{}\n", graph.error().text());
                return 1;
            }
            request.graph = *graph;
            request.overrides.set({"", "placement", "pim"});
            const auto chained = timesOf(backends, request);
            request.options.passes.leftOut = {"in-place"};
            const auto apart = timesOf(backends, request);
            if (!chained || !apart) {
                fmt::print("{}: {}\n", chain.name, (chained ? apart : chained).error().text());
                return 1;
            }
            const double gain = apart->simulated / chained->simulated,
                         off = std::abs(chained->predicted - chained->simulated) -
                               std::abs(apart->predicted - apart->simulated);
            logs += std::log(gain);
            const bool bad = chained->inPlace + 1 != std::ssize(chain.ops) || gain < 1 ||
                             off > kAllowedError * chained->simulated;
            fine = fine && !bad;
            fmt::print("{:>26} {:>9.0f} ({:.0f}; {:.0f} {:.0f} {:.0f} {:.0f}), apart {:.0f}: {:.3f}{}\n",
                       chain.name, chained->simulated, chained->predicted, chained->cost.inputNs,
                       chained->cost.modeSwitchNs, chained->cost.computeNs, chained->cost.outputNs,
                       apart->simulated, gain, bad ? "  BAD" : "");
        }
        fmt::print("{:>26} {:.3f}\n", "geometric mean", std::exp(logs / double(kCases.size())));
    }
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    return fine ? 0 : 1;
}
