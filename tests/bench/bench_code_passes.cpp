// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What each code pass is worth: kernels of the evaluation [DCC §V] on every DRAM-PIM machine, best draft of those
/// predicted best, simulated command by command, with all passes, without each of them and without any. Fails if a pass
/// makes the geometric mean of the kernels it can run slower, or all of them together do.
#include "backends/aim/aim.h"
#include "backends/attacc/attacc.h"
#include "backends/dram_pim/kernel_simulation.h"
#include "backends/hbm_pim/hbm_pim.h"
#include "core/hardware/catalog.h"
#include "core/kernel/parse.h"
#include "core/plan/draft_facet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

using namespace pim;

namespace {

constexpr std::size_t kSimulated = 4; // drafts of those predicted best
constexpr double kNoise = 1.002;      // a pass may change where a refresh falls

template <class B>
class Open final : public B {
public:
    Open() : B(nullptr) {}
    using B::pricer;
    using B::resources;
};

struct Case {
    std::string name, text;
};

std::string gemv(int heads, int outputs, const char* type) {
    return fmt::format(
        "def gemv(X[{0}][128]: {2}, W[{0}][{1}][128]: const {2}):\n"
        " Y = DCC.Tensor.zero([{0}, {1}], {2})\n for h in range({0}):\n  for i in range({1}):\n"
        "   for k in range(128):\n    Y[h][i] += X[h][k] * W[h][i][k]\n",
        heads, outputs, type);
}
std::string matrixVector(int outputs, int inputs, const char* type) {
    return fmt::format("def gemv(x[{1}]: {2}, W[{0}][{1}]: const {2}):\n y = DCC.Tensor.zero([{0}], {2})\n"
                       " for o in range({0}):\n  for i in range({1}):\n   y[o] += x[i] * W[o][i]\n",
                       outputs, inputs, type);
}
std::string red(int batch, int length, const char* type) {
    return fmt::format("def red(X[{0}][{1}]: {2}):\n y = DCC.Tensor.zero([{0}], {2})\n for b in range({0}):\n"
                       "  for i in range({1}):\n   y[b] += X[b][i]\n",
                       batch, length, type);
}
std::string map(int batch, int length, const char* statement, const char* inputs, const char* type) {
    return fmt::format(
        "def map({4}C[{0}][{1}]: {3}):\n for b in range({0}):\n  for i in range({1}):\n   {2}\n", batch,
        length, statement, type, fmt::format(fmt::runtime(inputs), batch, length, type));
}
std::string attention(int heads, int keys) {
    return fmt::format(
        "def attention(Q[{0}][128]: f16, K[{0}][{1}][128]: cache f16, V[{0}][{1}][128]: cache f16):\n"
        " O = DCC.Tensor.zero([{0}, 128], f16)\n for h in range({0}):\n  for l in range({1}):\n"
        "   for d in range(128):\n    O[h][d] += softmax(Q[h][d] * K[h][l][d]) * V[h][l][d]\n",
        heads, keys);
}

std::vector<Case> kernelsOf(std::string_view backend) {
    const char* type = backend == "aim" ? "bf16" : "f16";
    std::vector<Case> cases;
    for (const auto& [heads, outputs] : {std::pair{32, 512}, {128, 2048}})
        cases.push_back({fmt::format("GEMV {} x {}", heads, outputs), gemv(heads, outputs, type)});
    for (const auto& [outputs, inputs] : {std::pair{1024, 1024}, {1024, 4096}})
        cases.push_back({fmt::format("W {} x {}", outputs, inputs), matrixVector(outputs, inputs, type)});
    for (const auto& [batch, length] : {std::pair{1, 1024}, {4, 4096}, {64, 65536}})
        cases.push_back({fmt::format("RED {} x {}", batch, length), red(batch, length, type)});
    if (backend == "hbm_pim") {
        for (const auto& [batch, length] : {std::pair{1, 1024}, {4, 4096}, {64, 65536}}) {
            cases.push_back({fmt::format("VA {} x {}", batch, length),
                             map(batch, length, "C[b][i] = A[b][i] + B[b][i]",
                                 "A[{0}][{1}]: {2}, B[{0}][{1}]: {2}, ", type)});
            cases.push_back({fmt::format("RELU {} x {}", batch, length),
                             map(batch, length, "C[b][i] = relu(A[b][i])", "A[{0}][{1}]: {2}, ", type)});
        }
    }
    if (backend == "attacc")
        for (const auto& [heads, keys] : {std::pair{32, 512}, {128, 2048}})
            cases.push_back({fmt::format("ATTN {} x {}", heads, keys), attention(heads, keys)});
    return cases;
}

struct Best {
    double ns = 0, predictedNs = 0;
    CostSplit cost;
};

template <class B>
class Bench {
public:
    explicit Bench(const char* target)
        : m_target(TargetCatalog::load().find(target).value()),
          m_simulator(dram::KernelSimulator::create(m_backend, *m_target).value()) {}

    /// \returns whether no pass makes the kernels slower.
    bool run() {
        std::vector<CodePasses> variants{{}, {}};
        for (const CodePassInfo& pass : m_backend.drafts()->codePasses()) {
            if (pass.id == dram::kBlocksPass.id) // the host's side; not part of the commands
                continue;
            variants.push_back({{std::string(pass.id)}});
            if (pass.id != dram::kGroupCommandsPass.id)
                variants[1].leftOut.emplace_back(pass.id);
        }
        std::sort(variants[1].leftOut.begin(), variants[1].leftOut.end());
        std::vector<double> logs(variants.size()), counts(variants.size());
        fmt::print(
            "\n{}: ns with all passes (predicted; input, modes, compute, output), gain of all and of each\n",
            m_target->id);
        for (const Case& kernel : kernelsOf(m_backend.id())) {
            const Kernel parsed = parseKernel(kernel.text).value();
            std::string line;
            Best all;
            for (std::size_t v = 0; v < variants.size(); ++v) {
                const auto best = fastest(parsed, variants[v]);
                if (v == 0 && !best) {
                    fmt::print("{:>18} cannot run\n", kernel.name);
                    break;
                }
                if (v == 0) {
                    all = *best;
                    continue;
                }
                const std::string name = v == 1 ? "all" : variants[v].leftOut.front();
                if (!best) {
                    line += fmt::format(", {} needed", name);
                    continue;
                }
                const double gain = best->ns / all.ns;
                logs[v] += std::log(gain);
                ++counts[v];
                line += fmt::format(", {} {:.3f}", name, gain);
            }
            if (all.ns > 0)
                fmt::print("{:>18} {:>7.0f} ({:.0f}; {:.0f} {:.0f} {:.0f} {:.0f}){}\n", kernel.name, all.ns,
                           all.predictedNs, all.cost.inputNs, all.cost.modeSwitchNs, all.cost.computeNs,
                           all.cost.outputNs, line);
        }
        bool fine = true;
        for (std::size_t v = 1; v < variants.size(); ++v)
            if (counts[v] > 0) {
                const double mean = std::exp(logs[v] / counts[v]);
                const bool loses = mean * kNoise < 1;
                fmt::print("{:>18} {:.3f} {}\n", v == 1 ? "all" : variants[v].leftOut.front(), mean,
                           loses ? "SLOWER" : "");
                fine = fine && !loses;
            }
        return fine;
    }

private:
    /// Simulated: the fastest of the drafts predicted best.
    std::optional<Best> fastest(const Kernel& kernel, const CodePasses& passes) const {
        const auto space = TilingSpace::create(kernel, m_backend.resources(*m_target)).value();
        std::vector<Residency> residency;
        for (const KernelTensor& tensor : kernel.tensors)
            residency.push_back(tensor.constant || tensor.cache ? Residency::Resident : Residency::Streamed);
        TilingOptions tiling;
        tiling.everyAllocation = false;
        const auto drafts = keptDrafts(*space, tiling, nullptr).value();
        CompileOptions options;
        options.passes = passes;
        const auto pricer = m_backend.pricer(*space, *m_target, residency, options);
        std::vector<std::pair<double, std::size_t>> order;
        for (std::size_t i = 0; i < drafts.size(); ++i) {
            const KernelPrice price = pricer->price(drafts[i], space->summarize(drafts[i]));
            order.emplace_back(price.busInputNs + price.computeNs + price.busOutputNs + price.modeSwitchNs,
                               i);
        }
        const std::size_t most = std::min(kSimulated, order.size());
        std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(most), order.end());
        std::optional<Best> best;
        for (std::size_t i = 0; i < most; ++i) {
            const auto run = m_simulator.run(*space, drafts[order[i].second], residency, passes, false, {});
            if (!run)
                continue;
            const double ns = run->timing->ns(run->timing->ticks) + run->mergeNs;
            if (!best || ns < best->ns)
                best = Best{ns, order[i].first, run->cost};
        }
        return best;
    }

    Open<B> m_backend;
    std::shared_ptr<const Target> m_target;
    dram::KernelSimulator m_simulator;
};

} // namespace

int main() {
    bool fine = Bench<HbmPimBackend>("hbm-pim-hbm3").run();
    fine = Bench<HbmPimBackend>("hbm-pim").run() && fine;
    fine = Bench<AttAccBackend>("attacc").run() && fine;
    fine = Bench<AimBackend>("aim-32").run() && fine;
    return fine ? 0 : 1;
}
