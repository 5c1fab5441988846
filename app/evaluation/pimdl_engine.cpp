// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Linear layers of a block on the simulated DPU: as products in the best draft, as look-ups in the tuner's mappings.
#include "app/evaluation/pimdl_parts.h"
#include "backends/upmem/lut/lut_program.h"
#include "core/kernel/parse.h"
#include "core/plan/draft_facet.h"

#include <fmt/format.h>

namespace pim::evaluation {

Result<Kernel> productKernel(const upmem::LutLayer& layer, std::string_view type, std::string_view sums) {
    return parseKernel(fmt::format("def mm(A[{0}][{1}]: {3}, B[{1}][{2}]: {3}, C[{0}][{2}]: {4}):\n"
                                   "    for m in range({0}):\n"
                                   "        for n in range({2}):\n"
                                   "            for k in range({1}):\n"
                                   "                C[m][n] += A[m][k] * B[k][n]\n",
                                   layer.rows, layer.codebooks, layer.features, type, sums));
}

Result<DpuProducts> dpuProducts(const upmem::Encoder& encoder, const PimDlParts& parts,
                                const BackendList& backends, const TaskContext& task) {
    PIM_TRY(const Backend* const backend, backends.find(parts.target->backend));
    const auto layers = upmem::transformerLayers({encoder.rows(), encoder.hidden, encoder.feedForward, 1});
    DpuProducts products;
    double computeNs = 0;
    for (const upmem::NamedLutLayer& one : layers) {
        PIM_TRY(const Kernel kernel, productKernel(one.layer, "i8", "i32"));
        PIM_TRY(const DraftFacet* const drafts, draftsOf(*backend, kernel.name));
        CompileOptions options;
        options.computeType = DataType::I8;
        PIM_TRY(const auto exploration, drafts->exploreKernel(kernel, parts.target, options, task));
        if (exploration->drafts.empty())
            return fail(ErrorCode::Unsupported, "no product of this layer fits the DPUs",
                        std::string(one.name));
        PIM_TRY(const auto simulated,
                drafts->simulateDrafts(*exploration, std::array{std::size_t{0}}, 0, task));
        if (!simulated.front().problem.empty())
            return fail(ErrorCode::Unsupported, simulated.front().problem, std::string(one.name));
        products.seconds += simulated.front().cost.totalNs() / 1e9;
        computeNs += simulated.front().cost.computeNs;
    }
    const double macsPerDpu = encoder.linearMacs() / static_cast<double>(parts.target->instances("group"));
    products.cyclesPerMac = computeNs / 1e9 * upmem::kLutClockHz / macsPerDpu;
    return products;
}

Result<double> simulatedKernels(const upmem::LutBlock& block, const TaskContext& task) {
    double cycles = 0;
    for (const upmem::LutBlockLayer& one : block.layers) {
        PIM_TRY(const upmem::LutSimulation simulation,
                upmem::simulateLut(one.layer, *one.tuning.mapping, task));
        cycles += simulation.cycles;
    }
    return cycles / upmem::kLutClockHz;
}

} // namespace pim::evaluation
