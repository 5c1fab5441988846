// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/pimdl_chip_times.h"

#include "backends/dram_pim/lut/run.h"
#include "core/dram/aim/aim_kernel.h"
#include "core/dram/hbm_pim/hbm_pim_run.h"
#include "core/kernel/parse.h"
#include "core/plan/draft_facet.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::evaluation {
namespace {

constexpr double kEntryBytes = 2; ///< FP16, BF16.

/// [rows, in] x [in, out]
struct Linear {
    std::int64_t rows = 0, in = 0, out = 0;
};
std::array<Linear, 4> layersOf(const upmem::Encoder& encoder) {
    std::array<Linear, 4> layers;
    const auto shapes = upmem::transformerLayers({encoder.rows(), encoder.hidden, encoder.feedForward, 1});
    std::ranges::transform(shapes, layers.begin(), [](const upmem::NamedLutLayer& one) {
        return Linear{one.layer.rows, one.layer.codebooks, one.layer.features};
    });
    return layers;
}

/// Of the best draft, simulated. Weights lie in the banks, as tables do.
Result<double> productSeconds(const Linear& layer, const std::shared_ptr<const Target>& target,
                              const Backend& backend, const TaskContext& task) {
    PIM_TRY(const Kernel kernel,
            parseKernel(fmt::format("def mm(A[{0}][{1}]: f16, B[{1}][{2}]: const f16, C[{0}][{2}]: f16):\n"
                                    "    for m in range({0}):\n"
                                    "        for n in range({2}):\n"
                                    "            for k in range({1}):\n"
                                    "                C[m][n] += A[m][k] * B[k][n]\n",
                                    layer.rows, layer.in, layer.out)));
    PIM_TRY(const DraftFacet* const drafts, draftsOf(backend, kernel.name));
    PIM_TRY(const auto exploration, drafts->exploreKernel(kernel, target, CompileOptions(), task));
    // A price does not know all that code needs: the cheapest that can be run.
    std::string problem;
    for (std::size_t draft = 0; draft < exploration->drafts.size(); ++draft) {
        PIM_TRY(const auto simulated, drafts->simulateDrafts(*exploration, std::array{draft}, 1, task));
        if (simulated.front().problem.empty())
            return simulated.front().cost.totalNs() / 1e9;
        problem = simulated.front().problem;
    }
    return fail(ErrorCode::Unsupported, problem.empty() ? "no product of this layer fits" : problem,
                target->id);
}

/// One row after the other, which is all that those kernels do.
Result<double> publicProductSeconds(const Linear& layer, const dram::LutMachine& machine) {
    double ns = 0;
    if (machine.chip == dram::LutChip::HbmPim) {
        HbmPimShape shape;
        shape.out = layer.out;
        shape.in = layer.in;
        shape.channels = machine.channels;
        shape.padded = true;
        PIM_TRY(const HbmPimCost cost, runHbmPimKernel(shape));
        ns = static_cast<double>(cost.cycles);
    } else {
        AimShape shape;
        shape.out = layer.out;
        shape.in = layer.in;
        shape.channels = machine.channels;
        PIM_TRY(const AimCost outputs, runAimKernel(shape));
        shape.dataflow = AimDataflow::InputStationary;
        PIM_TRY(const AimCost inputs, runAimKernel(shape));
        constexpr double kClockNs = 0.5;
        ns = static_cast<double>(std::min(outputs.cycles, inputs.cycles)) * kClockNs;
    }
    return ns * static_cast<double>(layer.rows) / 1e9;
}

Result<double> lookUpSeconds(const Linear& layer, std::int64_t subVector, const Target& target,
                             const dram::LutOptions& options, const TaskContext& task) {
    PIM_TRY(const dram::LutMachine machine, dram::LutMachine::of(target, options));
    const dram::LutLayer shape{layer.rows, (layer.in + subVector - 1) / subVector, kChipCentroids, layer.out};
    PIM_TRY(const dram::LutPlan plan, dram::mapLut(shape, machine));
    PIM_TRY(const dram::LutSimulation simulation,
            dram::simulateLut(dram::lutCode(shape, plan.mapping, machine), target, task));
    return simulation.seconds();
}

/// Bytes/ns of all banks that units compute on.
Result<double> bankBandwidth(const Target& target) {
    const Level* const core = target.level("core");
    if (core != nullptr)
        for (const Memory& memory : core->memories)
            if (memory.name == "bank" && memory.bytesPerNs > 0)
                return memory.bytesPerNs * static_cast<double>(target.instances("core"));
    return fail(ErrorCode::InvalidTarget, "does not say how fast units read their banks", target.id,
                "install the program with its resources");
}

} // namespace

Result<ChipTimes> chipTimes(const upmem::Encoder& encoder, const std::shared_ptr<const Target>& target,
                            const Backend& backend, const TaskContext& task) {
    PIM_TRY(const dram::LutMachine machine, dram::LutMachine::of(*target));
    PIM_TRY(const double bandwidth, bankBandwidth(*target));
    ChipTimes times;
    for (const Linear& layer : layersOf(encoder)) {
        const auto add = [](double& sum, Result<double> seconds) -> Result<void> {
            PIM_TRY(const double more, std::move(seconds));
            sum += more;
            return {};
        };
        PIM_CHECK(add(times.products, productSeconds(layer, target, backend, task)));
        PIM_CHECK(add(times.publicProducts, publicProductSeconds(layer, machine)));
        for (std::size_t i = 0; i < kChipSubVectors.size(); ++i)
            PIM_CHECK(add(times.lookUps[i], lookUpSeconds(layer, kChipSubVectors[i], *target, {}, task)));
        times.bound += static_cast<double>(layer.rows) * static_cast<double>(layer.in) / 4 *
                       static_cast<double>(layer.out) * kEntryBytes / bandwidth / 1e9;
        if (machine.chip != dram::LutChip::Aim)
            continue;
        PIM_CHECK(add(times.oneSum, lookUpSeconds(layer, 4, *target, {1}, task)));
        const Linear oneHot{layer.rows, layer.in / 4 * kChipCentroids, layer.out};
        PIM_CHECK(add(times.oneHot, productSeconds(oneHot, target, backend, task)));
    }
    return times;
}

} // namespace pim::evaluation
