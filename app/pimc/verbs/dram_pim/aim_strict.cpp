// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/dram_pim/aim_strict.h"

#include "backends/dram_pim/device_of_target.h"
#include "backends/dram_pim/dram_pim_backend.h"
#include "backends/dram_pim/machine.h"
#include "core/kernel/parse.h"

#include <fmt/format.h>

namespace pim::cli {
namespace {

constexpr const char* kTarget = "aim-32"; ///< As many channels as aim_simulator has.

Result<Kernel> kernelOf(const AimShape& shape) {
    if (shape.kind == AimKernelKind::Ewmul)
        return parseKernel(fmt::format("def ewmul(A[{0}]: bf16, B[{0}]: bf16, C[{0}]: bf16):\n"
                                       " for i in range({0}):\n  C[i] = A[i] * B[i]\n",
                                       shape.length));
    return parseKernel(fmt::format("def gemv(x[{2}][{1}]: bf16, W[{0}][{1}]: const bf16):\n"
                                   " y = DCC.Tensor.zero([{2}, {0}], bf16)\n"
                                   " for b in range({2}):\n  for i in range({0}):\n   for k in range({1}):\n"
                                   "    y[b][i] += x[b][k] * W[i][k]\n",
                                   shape.out, shape.in, shape.batch));
}

/// Loop `i` over all banks of all channels, everything else whole on each.
Draft draftOf(const TilingSpace& space, int channels) {
    Draft draft;
    for (const DimensionSet& set : space.sets()) {
        const bool split = space.kernel().loops[std::size_t(set.loops.front())].name == "i";
        draft.parts.push_back(split ? DraftPart{channels, AimGeometry::kBanks, 0} : DraftPart{});
    }
    return draft;
}

} // namespace

Result<AimStrictRun> runAimStrict(Session& session, const AimShape& shape, bool refresh) {
    PIM_CHECK(checkAimShape(shape));
    PIM_TRY(const auto target, session.target(kTarget));
    PIM_TRY(const Backend* const backend, session.backends().find(target->backend));
    const auto* const machine = dynamic_cast<const DramPimBackend*>(backend);
    PIM_ASSERT(machine, "AiM is a memory with units");
    PIM_TRY(Kernel kernel, kernelOf(shape));
    std::vector<Residency> residency;
    for (const KernelTensor& tensor : kernel.tensors)
        residency.push_back(tensor.constant ? Residency::Resident : Residency::Streamed);
    PIM_TRY(const auto space, TilingSpace::create(std::move(kernel), dram::tilingResources(*target)));
    PIM_TRY(const PimCode code,
            machine->generate(*space, draftOf(*space, shape.channels), *target, residency));
    AimStrictRun run;
    PIM_TRY(run.device, deviceOf(*target));
    SequencerOptions options;
    options.refresh = refresh;
    PIM_TRY(run.timing, timeProgram(run.device, code.program, options, {"compute"}, nullptr, session.task()));
    return run;
}

} // namespace pim::cli
