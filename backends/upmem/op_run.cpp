// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/op_run.h"

#include "backends/upmem/op_code.h"
#include "backends/upmem/tasklet/c_code.h"
#include "backends/upmem/upmem.h"

#include <algorithm>
#include <random>

namespace pim::upmem {
namespace {

/// Cycles that are simulated for a picture: what a window draws in some tenths of a second.
constexpr double kMostCycles = 3e6;

std::vector<MramRegion> mramOf(const OpPlan& op, const KernelTile& tile) {
    const TaskletCode& code = tile.tile.code();
    const Kernel& kernel = op.space->kernel();
    const std::vector<int> operands = operandsOf(kernel, tile);
    std::vector<MramRegion> regions;
    for (std::size_t a = 0; a < code.arrays().size(); ++a) {
        const TaskletCode::Array& array = code.arrays()[a];
        MramRegion region{array.name,
                          array.meaning,
                          {},
                          code.arrayOffset(a, tile.tile.sizes()),
                          code.evaluate(array.bytes, tile.tile.sizes()),
                          false};
        int tensor = -1;
        if (a < operands.size())
            tensor = kernel.accesses[std::size_t(operands[a])].tensor;
        for (int t = 0; t < std::ssize(kernel.tensors) && a >= operands.size(); ++t)
            if (kernel.tensors[std::size_t(t)].role != TensorRole::Input)
                tensor = t;
        if (tensor >= 0 && tensor < std::ssize(op.tensors)) {
            region.tensor = op.tensors[std::size_t(tensor)].name;
            region.resident = op.tensors[std::size_t(tensor)].residency == Residency::Resident;
        }
        regions.push_back(std::move(region));
    }
    return regions;
}

DpuRoofline rooflineOf(const Tile& tile, double cycles) {
    const TileShape& s = tile.shape();
    const TaskletCounts counts = tile.counts();
    const double each = s.form == TileShape::Form::Product ? 2.0 * double(s.batches) * double(s.vectors) *
                                                                 double(s.outputs) * double(s.length)
                        : s.form == TileShape::Form::LookUp
                            ? double(s.vectors) * double(s.outputs) * double(s.length) / s.tasklets()
                        : s.form == TileShape::Form::Sum ? double(s.outputs) * double(s.length)
                                                         : double(s.length);
    DpuRoofline roofline;
    roofline.operations = each * s.tasklets();
    roofline.mramBytes = counts.dmaBytes * s.tasklets();
    roofline.cycles = cycles;
    roofline.operationsPerCycleMost = counts.instructions > 0 ? each / counts.instructions : 0;
    roofline.taskletCeiling = std::min(1.0, s.tasklets() / 11.0);
    return roofline;
}

/// Data of the tile's type, the same every time.
void fill(Dpu& dpu, std::int64_t bytes) {
    std::minstd_rand random(1);
    for (std::int64_t at = 0; at + 4 <= std::min(bytes, kMramBytes); at += 4) {
        const std::uint32_t value = random();
        std::memcpy(dpu.mram().data() + at, &value, 4);
    }
}

} // namespace

Result<std::shared_ptr<const OpOnDpu>> runOnDpu(const Plan& plan, OpId id, const TaskContext& task) {
    const OpPlan& op = plan.opPlan(id);
    const std::string& name = plan.graph->op(id).name;
    if (op.onHost() || !op.space || !op.draft)
        return fail(ErrorCode::Unsupported, "it runs on the host", name, "place it on PIM to see its DPUs");
    const Target& target = targetOf(plan, op.placement);
    const Machine machine = machineOf(target);
    const DraftSummary draft = op.space->summarize(*op.draft);
    PIM_TRY(const KernelTile tile, tileOf(op.space->kernel(), draft, machine.timing));
    auto result = std::make_shared<OpOnDpu>();
    result->op = name;
    result->dpus = int(draft.groupsUsed);
    result->tasklets = tile.tile.shape().tasklets();
    result->mostTasklets = machine.tasklets;
    result->cycleNs = machine.timing.cycleNs();
    result->predictedCycles = tile.tile.cycles(machine.timing);
    result->isWhole = result->predictedCycles <= kMostCycles;
    const Tile shown = result->isWhole ? tile.tile : tile.tile.shortened();
    PIM_TRY(result->program, shown.program());
    Dpu dpu(machine.timing);
    fill(dpu, shown.mramBytes());
    sampleIndices(shown, dpu.mram());
    DpuRunOptions options;
    options.logsSpans = true;
    PIM_TRY(result->run, dpu.run(result->program.program, result->tasklets, options, task));
    result->cycles = double(result->run.cycles);
    if (!result->isWhole) {
        PIM_TRY(result->cycles, tile.tile.simulatedCycles(machine.timing, task));
    }
    result->issuedOfStatement.assign(std::size_t(tile.tile.code().statementCount()), 0);
    for (std::size_t i = 0; i < result->program.statementAt.size(); ++i)
        if (const int statement = result->program.statementAt[i]; statement >= 0)
            result->issuedOfStatement[std::size_t(statement)] += result->run.issuedAt[i];
    PIM_TRY(const OpProgram named, opProgram(plan, id));
    PIM_TRY(CCode text, cCode(tile.tile.code(), tile.tile.sizes(), result->tasklets, named.origin));
    result->c = std::move(text.text);
    result->statementOfLine = std::move(text.statementOfLine);
    result->mram = mramOf(op, tile);
    result->roofline = rooflineOf(tile.tile, result->cycles);
    return std::shared_ptr<const OpOnDpu>(std::move(result));
}

DpuLoad loadOf(const Plan& plan, OpId only) {
    const Machine machine = machineOf(*plan.target);
    DpuLoad load;
    load.ranks = machine.link.ranks;
    load.dpusPerRank = machine.link.dpusPerRank;
    const auto dpus = std::size_t(machine.dpus);
    load.busyNs.assign(dpus, 0);
    load.mramKept.assign(dpus, 0);
    load.mramPeak.assign(dpus, 0);
    load.totalNs = only.valid() ? plan.opPlan(only).cost.totalNs() : plan.total.totalNs();
    std::vector<std::int64_t> passing(dpus, 0);
    for (const OpPlan& op : plan.ops) {
        if (op.onHost() || !op.space || !op.draft || (only.valid() && op.op != only))
            continue;
        const auto used = std::min<std::size_t>(dpus, std::size_t(op.space->summarize(*op.draft).groupsUsed));
        for (std::size_t d = 0; d < used; ++d) {
            load.busyNs[d] += op.cost.computeNs;
            load.mramKept[d] += op.keptCoreBytes;
            passing[d] = std::max(passing[d], op.passingCoreBytes);
        }
    }
    for (std::size_t d = 0; d < dpus; ++d)
        load.mramPeak[d] = load.mramKept[d] + passing[d];
    return load;
}

} // namespace pim::upmem
