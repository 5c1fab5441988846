// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The twelve cases of Fig. 8 of the DCC paper end to end, every length of attention simulated, and one long
/// generation alone.
#include "backends/llm/llm_system.h"
#include "core/hardware/catalog.h"

#include <fmt/format.h>

#include <chrono>

using namespace pim;

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Fig8 {
    const char* model;
    std::int64_t batch, in, out;
    double base, full; ///< Speed-ups in the paper.
};
constexpr Fig8 kCases[] = {
    {"GPT3-13B", 1, 128, 2048, 1.09, 2.56},   {"GPT3-13B", 1, 2048, 128, 1.16, 2.74},
    {"GPT3-13B", 1, 2048, 2048, 1.23, 2.92},  {"GPT3-13B", 4, 128, 2048, 1.16, 2.30},
    {"GPT3-13B", 4, 2048, 128, 1.30, 2.60},   {"GPT3-13B", 4, 2048, 2048, 1.43, 2.89},
    {"LLaMA-33B", 1, 128, 2048, 1.05, 2.59},  {"LLaMA-33B", 1, 2048, 128, 1.09, 2.70},
    {"LLaMA-33B", 1, 2048, 2048, 1.13, 2.82}, {"LLaMA-33B", 4, 128, 2048, 1.09, 2.30},
    {"LLaMA-33B", 4, 2048, 128, 1.16, 2.47},  {"LLaMA-33B", 4, 2048, 2048, 1.24, 2.65}};

double stepMs(LlmSimulator& simulator, const LlmSystem& system, const Fig8& one) {
    LlmRequest request;
    request.batch = one.batch;
    request.tokensIn = one.in;
    request.tokensOut = one.out;
    const Result<LlmModel> model = llmModelNamed(one.model);
    const Result<LlmResult> result =
        model ? simulator.run(*model, system, request) : tl::unexpected(model.error());
    if (!result) {
        fmt::print("{}\n", result.error().text());
        std::exit(1);
    }
    return result->stepMs();
}

} // namespace

int main() {
    LlmSystem gpu;
    for (const auto& host : TargetCatalog::load().hosts())
        if (host->id == "a100a")
            gpu.host = *host;
    LlmSystem base = gpu, full = gpu;
    base.attAcc = full.attAcc = true;
    full.pim.powerLimit = false;
    full.pim.feedForward = full.pim.pipelined = true;

    fmt::print("{:<10} {:>5} {:>10}  {:>22}  {:>22}  {:>8}\n", "model", "batch", "in/out", "base (paper)",
               "full (paper)", "seconds");
    const double start = now();
    LlmSimulator simulator;
    for (const Fig8& one : kCases) {
        const double begin = now();
        const double alone = stepMs(simulator, gpu, one);
        const double withBase = alone / stepMs(simulator, base, one);
        const double withFull = alone / stepMs(simulator, full, one);
        const auto cell = [](double ours, double paper) {
            return fmt::format("{:.3f} ({:.2f}, {:+.2f} %)", ours, paper, 100 * (ours / paper - 1));
        };
        fmt::print("{:<10} {:>5} {:>10}  {:>22}  {:>22}  {:>8.2f}\n", one.model, one.batch,
                   fmt::format("{}/{}", one.in, one.out), cell(withBase, one.base), cell(withFull, one.full),
                   now() - begin);
    }
    fmt::print("all twelve, three systems each: {:.2f} s\n", now() - start);

    const double begin = now();
    LlmSimulator fresh;
    stepMs(fresh, base, kCases[5]);
    fmt::print("GPT3-13B, batch 4, 2048/2048, attention in memory, nothing known before: {:.2f} s\n",
               now() - begin);
    return 0;
}
