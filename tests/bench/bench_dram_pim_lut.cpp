// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Linear layers of BERT-base, BERT-large, ViT-huge and OPT-like blocks as look-ups on HBM-PIM and AiM: predicted and simulated, the
/// share of it that no look-up can do without, and how much quicker than the best product of the same layer.
#include "backends/builtin.h"
#include "backends/dram_pim/lut/run.h"
#include "core/base/stopwatch.h"
#include "core/hardware/catalog.h"
#include "core/kernel/parse.h"
#include "core/plan/draft_facet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace pim;
using namespace pim::dram;

namespace {

struct Case {
    const char* model;
    const char* layer;
    std::int64_t rows, in, out;
};
constexpr Case kCases[] = {
    {"BERT-base", "QKV", 512, 768, 2304},        {"BERT-base", "FFN2", 512, 3072, 768},
    {"BERT-large", "QKV", 512, 1024, 3072},      {"BERT-large", "FFN1", 512, 1024, 4096},
    {"ViT-huge", "FFN1", 264, 1280, 5120},       {"ViT-huge", "FFN2", 264, 5120, 1280},
    {"OPT 2048", "O, batch 1", 128, 2048, 2048}, {"OPT 2048", "O, batch 8", 1024, 2048, 2048},
    {"OPT 4096", "O, batch 1", 128, 4096, 4096}};
constexpr std::int64_t kCentroids = 16;

/// Simulated nanoseconds of the cheapest draft that can be run; 0: there is none.
double productNs(const Case& one, const std::shared_ptr<const Target>& target, const Backend& backend) {
    const auto kernel = parseKernel(fmt::format(
        "def mm(A[{0}][{1}]: f16, B[{1}][{2}]: const f16, C[{0}][{2}]: f16):\n"
        "    for m in range({0}):\n        for n in range({2}):\n            for k in range({1}):\n"
        "                C[m][n] += A[m][k] * B[k][n]\n",
        one.rows, one.in, one.out));
    const auto drafts = draftsOf(backend, "mm");
    if (!kernel || !drafts)
        return 0;
    const auto exploration = (*drafts)->exploreKernel(*kernel, target, CompileOptions(), {});
    for (std::size_t draft = 0; exploration && draft < (*exploration)->drafts.size(); ++draft) {
        const auto simulated = (*drafts)->simulateDrafts(**exploration, std::array{draft}, 1, {});
        if (simulated && simulated->front().problem.empty())
            return simulated->front().cost.totalNs();
    }
    return 0;
}

} // namespace

int main() {
    const TargetCatalog catalog = TargetCatalog::load();
    const BackendList backends = builtinBackends();
    fmt::print("{:8} {:10} {:10} {:>2} {:>12} {:>12} {:>8} {:>8} {:>9} {:>10}\n", "target", "model", "layer",
               "V", "predicted", "simulated", "error", "of least", "product", "host, ms");
    for (const char* id : {"hbm-pim", "aim-32"}) {
        const auto target = catalog.find(id);
        const auto machine =
            target ? LutMachine::of(**target) : Result<LutMachine>(fail(ErrorCode::NotFound, id));
        const auto backend = target ? backends.find((*target)->backend) : Result<const Backend*>(nullptr);
        if (!machine || !backend)
            return 1;
        std::vector<double> gains;
        for (const Case& one : kCases) {
            const double product = productNs(one, *target, **backend);
            for (const std::int64_t subVector : {4, 16}) {
                const Stopwatch watch;
                const LutLayer layer{one.rows, one.in / subVector, kCentroids, one.out};
                const auto plan = mapLut(layer, *machine);
                const auto run = plan ? simulateLut(lutCode(layer, plan->mapping, *machine), **target)
                                      : Result<LutSimulation>(tl::unexpected<Error>(plan.error()));
                if (!run) {
                    fmt::print(stderr, "{}\n", run.error().text());
                    return 1;
                }
                const double ms = watch.milliseconds();
                const double ns = run->seconds() * 1e9, predicted = plan->ticks.total() * machine->tickNs;
                const double column = machine->chip == LutChip::HbmPim ? double(machine->hbm.distances.column)
                                                                       : double(machine->aim.mac);
                const double least = double(layer.rows) * double(layer.codebooks) * double(layer.features) /
                                     double(machine->sliceFeatures() * machine->channels) * column *
                                     machine->tickNs;
                fmt::print(
                    "{:8} {:10} {:10} {:2} {:9.1f} us {:9.1f} us {:+7.1f}% {:7.1f}% {:8.2f}x {:10.1f}\n", id,
                    one.model, one.layer, subVector, predicted / 1e3, ns / 1e3, 100 * (predicted / ns - 1),
                    100 * least / ns, product / ns, ms);
                if (subVector == 4)
                    gains.push_back(product / ns);
            }
        }
        double sum = 0;
        for (const double gain : gains)
            sum += std::log(gain);
        fmt::print("{}: {:.2f} times as quick as products with V = 4, geometric mean\n", id,
                   std::exp(sum / double(gains.size())));
    }
    return 0;
}
