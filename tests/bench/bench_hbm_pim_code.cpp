// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Generated code for HBM-PIM against its price: for the draft predicted fastest and for the fastest of the
/// best predicted, simulated command by command (controller `strict`); and how far off the predicted time of
/// computing and switching modes is, over sizes and drafts. Figures only.
#include "backends/builtin.h"
#include "backends/dram_pim/kernel_simulation.h"
#include "backends/hbm_pim/code_layout.h"
#include "backends/hbm_pim/hbm_pim.h"
#include "core/hardware/catalog.h"
#include "core/kernel/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

using namespace pim;

namespace {

class OpenHbmPim final : public HbmPimBackend {
public:
    OpenHbmPim() : HbmPimBackend(nullptr) {}
    using HbmPimBackend::pricer;
    using HbmPimBackend::resources;
};

double totalOf(const KernelPrice& price) {
    return price.busInputNs + price.computeNs + price.busOutputNs + price.modeSwitchNs;
}

struct Candidate {
    Draft draft;
    KernelPrice price;
};

/// Nanoseconds as predicted and as simulated, results added up by the host included.
struct Run {
    CostSplit cost;
    double totalNs = 0;
};

class Bench {
public:
    Bench(const std::string& text, const char* targetId)
        : m_target(TargetCatalog::load().find(targetId).value()), m_kernel(parseKernel(text).value()),
          m_space(TilingSpace::create(m_kernel, m_backend.resources(*m_target)).value()),
          m_simulator(dram::KernelSimulator::create(m_backend, *m_target).value()) {
        for (const KernelTensor& tensor : m_kernel.tensors)
            m_residency.push_back(tensor.constant ? Residency::Resident : Residency::Streamed);
        TilingOptions options;
        options.everyAllocation = false;
        const auto drafts = keptDrafts(*m_space, options, nullptr).value();
        const auto pricer = m_backend.pricer(*m_space, *m_target, m_residency, {});
        const auto begin = std::chrono::steady_clock::now();
        for (const Draft& draft : drafts)
            m_all.push_back({draft, pricer->price(draft, m_space->summarize(draft))});
        m_nsOfPrice = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin) /
                      std::chrono::nanoseconds(std::ssize(drafts));
        std::stable_sort(m_all.begin(), m_all.end(), [](const Candidate& a, const Candidate& b) {
            return totalOf(a.price) < totalOf(b.price);
        });
    }

    void printFastest(const char* name) const {
        const Candidate* fastest = nullptr;
        double least = 0, best = 0;
        for (std::size_t i = 0; i < std::min<std::size_t>(200, m_all.size()); ++i) {
            const auto run = simulate(m_all[i].draft);
            if (i == 0)
                best = run ? run->totalNs : 0;
            if (run && (!fastest || run->totalNs < least)) {
                fastest = &m_all[i];
                least = run->totalNs;
            }
        }
        print("best", name, m_all.front());
        if (fastest)
            print("fastest", name, *fastest);
        fmt::print("{:>28} best is {:.1f} % off the fastest of {}, {:.1f} us a price\n", name,
                   100 * (best / least - 1), m_all.size(), m_nsOfPrice / 1000);
    }

    /// Predicted time in per cent of simulated, over at most \p most drafts, evenly spread.
    void addShares(std::size_t most, std::vector<double>& compute, std::vector<double>& total,
                   std::string& worst) const {
        const std::size_t step = std::max<std::size_t>(1, m_all.size() / most);
        for (std::size_t i = 0; i < m_all.size(); i += step) {
            const auto run = simulate(m_all[i].draft);
            if (!run)
                continue;
            const KernelPrice& price = m_all[i].price;
            const double share =
                100 * (price.computeNs + price.modeSwitchNs) / (run->cost.computeNs + run->cost.modeSwitchNs);
            if (std::all_of(compute.begin(), compute.end(),
                            [&](double other) { return std::abs(other - 100) < std::abs(share - 100); }))
                worst = m_kernel.name + " " + m_space->draftText(m_all[i].draft);
            compute.push_back(share);
            total.push_back(100 * totalOf(price) / run->totalNs);
        }
    }

private:
    std::optional<Run> simulate(const Draft& draft) const {
        const auto run = m_simulator.run(*m_space, draft, m_residency, {}, false, {});
        if (!run)
            return std::nullopt;
        return Run{run->cost, run->timing->ns(run->timing->ticks) + run->mergeNs};
    }
    void print(const char* what, const char* name, const Candidate& candidate) const {
        const auto run = simulate(candidate.draft);
        const auto code = m_backend.generate(*m_space, candidate.draft, *m_target, m_residency);
        if (!run || !code) {
            fmt::print("{:>28} {:8} {}\n", name, what, code ? "not simulated" : code.error().text());
            return;
        }
        const KernelPrice& price = candidate.price;
        fmt::print("{:>28} {:8} {:>7.0f} ns, predicted {:>7.0f}:", name, what, run->totalNs, totalOf(price));
        fmt::print("  input {:.0f} ({:.0f})  mode {:.0f} ({:.0f})  compute {:.0f} ({:.0f})  output {:.0f} "
                   "({:.0f})  {}  {}\n",
                   run->cost.inputNs, price.busInputNs, run->cost.modeSwitchNs, price.modeSwitchNs,
                   run->cost.computeNs, price.computeNs, run->cost.outputNs, price.busOutputNs,
                   static_cast<const hbm::CodeLayout&>(*code->operands).describe(),
                   m_space->draftText(candidate.draft));
    }

    OpenHbmPim m_backend;
    std::shared_ptr<const Target> m_target;
    Kernel m_kernel;
    std::shared_ptr<const TilingSpace> m_space;
    std::vector<Residency> m_residency;
    dram::KernelSimulator m_simulator;
    std::vector<Candidate> m_all;
    double m_nsOfPrice = 0;
};

std::string gemv(int outputs, int inputs) {
    return fmt::format("def gemv(x[{1}]: f16, W[{0}][{1}]: const f16):\n y = DCC.Tensor.zero([{0}], f16)\n "
                       "for o in range({0}):\n"
                       "  for i in range({1}):\n   y[o] += x[i] * W[o][i]\n",
                       outputs, inputs);
}

std::string gemm(int m, int n, int k, const char* weights) {
    return fmt::format(
        "def gemm(X[{0}][{2}]: f16, W[{2}][{1}]: {3}f16):\n Y = DCC.Tensor.zero([{0}, {1}], f16)\n"
        " for m in range({0}):\n  for n in range({1}):\n   for k in range({2}):\n"
        "    Y[m][n] += X[m][k] * W[k][n]\n",
        m, n, k, weights);
}

std::string batched(int b, int m, int n, int k) {
    return fmt::format("def batched(X[{0}][{1}][{3}]: f16, W[{0}][{3}][{2}]: f16):\n"
                       " Y = DCC.Tensor.zero([{0}, {1}, {2}], f16)\n"
                       " for b in range({0}):\n  for m in range({1}):\n   for n in range({2}):\n"
                       "    for k in range({3}):\n     Y[b][m][n] += X[b][m][k] * W[b][k][n]\n",
                       b, m, n, k);
}

std::string rowSums(int rows, int columns) {
    return fmt::format("def sum(X[{0}][{1}]: f16):\n Y = DCC.Tensor.zero([{0}], f16)\n"
                       " for m in range({0}):\n  for k in range({1}):\n   Y[m] += X[m][k]\n",
                       rows, columns);
}

std::string map(int length, const char* statement, bool binary) {
    return fmt::format("def f(A[{0}]: f16, {2}C[{0}]: f16):\n for i in range({0}):\n  {1}\n", length,
                       statement, binary ? fmt::format("B[{}]: f16, ", length) : "");
}

void printShares(const char* what, const char* target, const std::vector<std::string>& kernels) {
    std::vector<double> compute, total;
    std::string worst;
    for (const std::string& kernel : kernels)
        Bench(kernel, target).addShares(150, compute, total, worst);
    const auto far = [](double a, double b) { return std::abs(a - 100) < std::abs(b - 100); };
    std::sort(compute.begin(), compute.end());
    std::sort(total.begin(), total.end());
    const auto beyond =
        std::count_if(compute.begin(), compute.end(), [](double share) { return std::abs(share - 100) > 8; });
    fmt::print(
        "{:>28} {} drafts: predicted compute and mode {:.1f} % of simulated in the middle, {:.1f} % at "
        "worst ({}), {} beyond 8 %; all {:.1f} % in the middle, {:.1f} % at worst\n",
        what, compute.size(), compute[compute.size() / 2],
        *std::max_element(compute.begin(), compute.end(), far), worst, beyond, total[total.size() / 2],
        *std::max_element(total.begin(), total.end(), far));
}

} // namespace

int main() {
    for (const char* target : {"hbm-pim", "hbm-pim-hbm3"}) {
        fmt::print("{}\n", target);
        Bench(gemv(1024, 1024), target).printFastest("GEMV 1024 x 1024");
        Bench(gemv(4096, 4096), target).printFastest("GEMV 4096 x 4096");
        Bench(gemv(11008, 4096), target).printFastest("GEMV 11008 x 4096");
        Bench(gemm(64, 1024, 1024, "const "), target).printFastest("GEMM 64 x 1024 x 1024");
        Bench(map(1 << 20, "C[i] = A[i] + B[i]", true), target).printFastest("ADD 1 Mi");
        Bench(map(1 << 20, "C[i] = relu(A[i])", false), target).printFastest("RELU 1 Mi");
        Bench(rowSums(1024, 1024), target).printFastest("RED 1024 x 1024");
        printShares("GEMV", target,
                    {gemv(100, 70), gemv(1024, 1024), gemv(1000, 3000), gemv(4096, 4096), gemv(11008, 4096),
                     gemv(4096, 128)});
        printShares("GEMM", target,
                    {gemm(16, 512, 512, "const "), gemm(64, 1024, 1024, "const "), gemm(30, 500, 300, ""),
                     batched(12, 8, 64, 256), batched(32, 1, 128, 1024)});
        printShares("ADD", target,
                    {map(1 << 20, "C[i] = A[i] + B[i]", true), map(1000, "C[i] = A[i] + B[i]", true),
                     map(100'000, "C[i] = A[i] + B[i]", true)});
        printShares("RELU", target,
                    {map(1 << 20, "C[i] = relu(A[i])", false), map(1000, "C[i] = relu(A[i])", false),
                     map(100'000, "C[i] = relu(A[i])", false)});
        printShares("RED", target, {rowSums(1024, 1024), rowSums(1, 1 << 20), rowSums(5000, 100)});
    }
    return 0;
}
