// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// How long the search takes to spread networks over the shipped systems, how far it is from its bound, and what the plan gains over the
/// best single machine. Prints a table.
#include "backends/builtin.h"
#include "backends/host/roofline_host.h"
#include "core/compile/system_plan.h"
#include "core/graph/import.h"
#include "core/graph/zoo/zoo.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <vector>

using namespace pim;

/// Without names all networks.
int main(int argc, char** argv) {
    const std::vector<std::string_view> wanted(argv + 1, argv + argc);
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // a line as soon as it is known
    const BackendList backends = builtinBackends();
    const TargetCatalog catalog = TargetCatalog::load();
    const RooflineHost host;
    const auto folder = std::filesystem::temp_directory_path() / "pim-bench-system";
    std::filesystem::create_directories(folder);
    fmt::print("{:<20} {:<18} {:>5} {:>9} {:>11} {:>8} {:>14} {:>14} {:>8}\n", "model", "system", "ops",
               "states", "search ms", "gap %", "plan us", "best else us", "gain");
    int wide = 0;
    for (const char* model :
         {"resnet18", "resnet50", "googlenet", "mobilenetv2", "vgg16", "squeezenet", "bert-base", "vit-base",
          "tiny-gpt-decode", "stories15m-decode", "llama2-7b-decode"}) {
        if (!wanted.empty() && std::ranges::find(wanted, model) == wanted.end())
            continue;
        const auto file = folder / fmt::format("{}.onnx", model);
        ZooOptions options;
        options.weights = false;
        if (!writeZooModel(model, file, options))
            continue;
        SystemSetup setup;
        setup.graph = loadGraph(file, {}).value();
        for (const std::string& id : systemIds()) {
            setup.system = findSystem(id, catalog).value();
            const auto plan = planSystem(backends, host, setup);
            if (!plan) {
                fmt::print("{:<20} {:<18} {}\n", model, id, plan.error().text());
                continue;
            }
            double other = kNever;
            for (const SystemAlternative& one : plan->alternatives)
                if (one.problem.empty() && (one.id == "host" || one.id.starts_with("only")))
                    other = std::min(other, one.ns);
            const double gap = plan->boundNs > 0 ? (plan->searchedNs / plan->boundNs - 1) * 100 : 0;
            wide += gap > 2 ? 1 : 0;
            fmt::print("{:<20} {:<18} {:>5} {:>9} {:>11.1f} {:>8.3f} {:>14.2f} {:>14.2f} {:>8.3f}\n", model,
                       id, setup.graph->ops.size(), plan->searched, plan->searchMs, gap,
                       plan->assignment.ns / 1e3, other / 1e3, other / plan->assignment.ns);
        }
    }
    fmt::print("{} with a gap above 2 %\n", wide);
    std::filesystem::remove_all(folder);
    return 0;
}
