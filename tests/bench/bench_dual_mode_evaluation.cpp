// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The evaluation of CMSwitch (§5) over all dual-mode targets and readings, as the Markdown tables of
/// resources/help/dual_mode_evaluation.md. Nothing here can fail except that a speed-up below 1 ends it with an
/// error.
#include "backends/dual_mode/paper_networks.h"
#include "backends/dual_mode/speed_map.h"
#include "backends/dual_mode/split_search.h"
#include "core/hardware/catalog.h"
#include "tests/backends_dual_mode/golden.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <functional>

using namespace pim;
using namespace pim::test;

namespace {

const nlohmann::json& golden() {
    static const nlohmann::json all = goldenDualMode("workloads.json");
    return all;
}

struct Network {
    const char* name;
    const DualModeTransformer* shape; ///< Null: convolutional.
};
constexpr Network kNetworks[]{{"mobilenetv2", nullptr},    {"resnet18", nullptr},    {"vgg16_conv", nullptr},
                              {"bert-large", &kBertLarge}, {"llama2-7b", &kLlama7B}, {"opt-6.7b", &kOpt6B},
                              {"opt-13b", &kOpt13B}};

DualModeCost cost(const Network& network, int batch, const DualModeChip& chip, const DualModeOptions& options,
                  LayerBorders layers) {
    if (network.shape == nullptr)
        return costOf(withBatch(goldenWorkload(golden(), std::string(network.name) + ".b1"), batch), chip,
                      options)
            .value();
    if (network.shape == &kBertLarge)
        return costOfLayers(*network.shape, batch, 64, 64, chip, options, layers).value();
    return costOfGeneration(*network.shape, batch, 64, 64, chip, options, layers).value();
}

double milliseconds(const std::function<void()>& run) {
    const auto start = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

bool aRow(const std::string& name, const DualModeChip& chip, const DualModeOptions& options,
          LayerBorders layers = LayerBorders::Alone) {
    double all = 0, least = 1e9, most = 0;
    fmt::print("| {} |", name);
    for (const Network& network : kNetworks) {
        double logs = 0;
        for (const int batch : {1, 4, 8, 16}) {
            const double one = cost(network, batch, chip, options, layers).speedup();
            logs += std::log(one) / 4;
            least = std::min(least, one);
            most = std::max(most, one);
        }
        all += logs;
        fmt::print(" {:.2f} |", std::exp(logs));
    }
    fmt::print(" {:.3f} | {:.2f}-{:.2f} |\n", std::exp(all / std::size(kNetworks)), least, most);
    std::fflush(stdout);
    return least >= 1 - 1e-12;
}

void header(const char* first) {
    fmt::print("\n| {} |", first);
    for (const Network& network : kNetworks)
        fmt::print(" {} |", network.name);
    fmt::print(" geomean | range |\n|---|---|---|---|---|---|---|---|---|---|\n");
}

void searchRow(const std::string& name, const DualModeWorkload& workload, const DualModeChip& chip,
               RewriteRule rewrite) {
    DualModeOptions options;
    options.rewrite = rewrite;
    DualModeSplitSearch dual, fixed;
    const double ms = milliseconds([&] { dual = searchDualModeSplits(workload, chip, options).value(); });
    options.strategy = DualModeStrategy::AllCompute;
    fixed = searchDualModeSplits(workload, chip, options).value();
    fmt::print("| {} | {} | {:.3f} | {:.3f} | {:.3f} | {:.3f} | {:.3f} | {} | {:.0f} |\n", name,
               rewrite == RewriteRule::Max ? "max" : "sum", dual.defaultCycles / dual.fineCycles,
               dual.defaultCycles / dual.cycles, fixed.defaultCycles / dual.defaultCycles,
               fixed.fineCycles / dual.fineCycles, fixed.cycles / dual.cycles, dual.plansTried, ms);
    std::fflush(stdout);
}

} // namespace

int main() {
    const DualModeChip chip = referenceDualModeChip();
    bool ok = true;
    const auto row = [&](const std::string& name, const DualModeChip& onChip, const DualModeOptions& options,
                         LayerBorders layers = LayerBorders::Alone) {
        ok = aRow(name, onChip, options, layers) && ok;
    };
    DualModeOptions paper;
    paper.jointBorders = false;

    header("reading (chip dynaplasia)");
    row("as the paper", chip, paper);
    row("borders considered (default)", chip, {});
    row("layers joined", chip, {}, LayerBorders::Joined);
    DualModeOptions o = paper;
    o.rewrite = RewriteRule::Sum;
    row("rewrite = sum", chip, o);
    o = paper;
    o.mainBandwidth = MainBandwidthRule::Shared;
    row("main bandwidth shared", chip, o);
    o = paper;
    o.duplication = DuplicationRule::Any;
    row("duplication any", chip, o);
    o = paper;
    o.traffic = TrafficRule::Activations;
    row("traffic = activations", chip, o);
    o = paper;
    o.traffic = TrafficRule::Inputs;
    row("traffic = inputs", chip, o);
    o = paper;
    o.caps = {96, 64, 48, 32};
    row("caps 96, 64, 48, 32", chip, o);
    o.caps = {96};
    row("cap 96 only", chip, o);

    header("target (default options)");
    for (const auto& target : TargetCatalog::load().targets())
        if (target->family == "dual-mode")
            row(target->id, dualModeChip(*target).value(), {});

    fmt::print("\n| search for cuts, batch 4 | rewrite | fine caps | own cut each | speed-up, default caps | "
               "fine caps | own cuts | plans | ms "
               "|\n|---|---|---|---|---|---|---|---|---|\n");
    for (const RewriteRule rewrite : {RewriteRule::Max, RewriteRule::Sum})
        for (const Network& network : kNetworks)
            if (network.shape == nullptr) {
                searchRow(network.name,
                          withBatch(goldenWorkload(golden(), std::string(network.name) + ".b1"), 4), chip,
                          rewrite);
            } else {
                searchRow(std::string(network.name) + " prefill",
                          transformerLayers(*network.shape, 4, 64, 64, 1), chip, rewrite);
                searchRow(std::string(network.name) + " decode",
                          transformerLayers(*network.shape, 4, 1, 96, 1), chip, rewrite);
            }

    fmt::print("\n| plan of | pieces | ms |\n|---|---|---|\n");
    for (const Network& network : kNetworks) {
        const DualModeWorkload workload =
            network.shape == nullptr ? goldenWorkload(golden(), std::string(network.name) + ".b1")
                                     : transformerLayers(*network.shape, 4, 64, 64, network.shape->layers);
        std::shared_ptr<const DualModePlan> plan;
        const double ms = milliseconds([&] { plan = planDualMode(workload, chip, {}).value(); });
        fmt::print("| {}, all layers, 7 caps x 4 strategies | {} | {:.0f} |\n", network.name,
                   plan->subOps.size(), ms);
    }

    DualModeChip hundred = chip;
    hundred.arrays = 100;
    fmt::print("\n| map, 100 arrays | intensity, operations/B | best compute | best memory | ms "
               "|\n|---|---|---|---|---|\n");
    const auto map = [&](const std::string& name, const DualModeWorkload& workload,
                         const DualModeChip& onChip) {
        SpeedMap made;
        const double ms = milliseconds([&] { made = speedMap(workload, onChip, {}).value(); });
        fmt::print("| {} | {:.1f} | {} | {} | {:.2f} |\n", name, made.intensity, made.bestCompute,
                   made.bestMemory, ms);
    };
    DualModeChip ratios = dualModeChip(**TargetCatalog::load().find("dynaplasia-fig1b")).value();
    ratios.arrays = 100;
    for (const auto* onChip : {&hundred, &ratios}) {
        const std::string where = onChip == &ratios ? ", ratios of Fig. 1b" : "";
        map("resnet18" + where, goldenWorkload(golden(), "resnet18.b1"), *onChip);
        map("llama2-7b decode" + where, transformerLayers(kLlama7B, 1, 1, 96, 1), *onChip);
        map("bert-large" + where, transformerLayers(kBertLarge, 1, 64, 64, 1), *onChip);
    }
    if (!ok)
        fmt::print("a speed-up is below 1\n");
    return ok ? 0 : 1;
}
