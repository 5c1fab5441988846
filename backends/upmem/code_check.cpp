// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/code_check.h"

#include "backends/upmem/c_run.h"
#include "backends/upmem/host_code.h"
#include "backends/upmem/host_run.h"
#include "backends/upmem/op_code.h"
#include "backends/upmem/tasklet/c_code.h"
#include "backends/upmem/upmem.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

namespace pim::upmem {
namespace {

/// Whole numbers so small that sums of them stay within 32 bits.
HostData sampleInputs(const OpProgram& program, std::uint64_t seed) {
    HostData inputs;
    std::minstd_rand random(static_cast<std::minstd_rand::result_type>(seed % 2147483647 + 1));
    for (const HostInput& input : program.host.inputs) {
        std::vector<std::byte>& bytes = inputs[input.name];
        const auto size = std::size_t(bytesOf(input.type));
        bytes.resize(std::size_t(input.elements) * size);
        for (std::size_t i = 0; i < bytes.size(); i += size)
            bytes[i] = std::byte(random() >> 8 & 0x3f);
    }
    if (const Tile& tile = program.tile.tile; tile.lookUps()) { // indices are places in the table
        std::vector<std::uint8_t> ofDpu(std::size_t(layoutOf(tile).w));
        sampleIndices(tile, ofDpu);
        std::vector<std::byte>& bytes = inputs[program.host.inputs.front().name];
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = std::byte(ofDpu[i % ofDpu.size()]);
    }
    return inputs;
}

/// The program on a few DPUs, with as much of its tile as is quick to run.
Result<OpProgram> sampleOf(const Plan& plan, OpId op, const CodeCheckLimits& limits, bool& isShort) {
    PIM_TRY(OpProgram whole, opProgram(plan, op));
    const OpPlan& planned = plan.opPlan(op);
    KernelTile tile = whole.tile;
    const int dpus = std::min(limits.dpus, whole.host.dpus);
    isShort = tile.tile.counts().instructions * tile.tile.shape().tasklets() * dpus > limits.instructions;
    if (isShort)
        tile.tile = tile.tile.shortened();
    OpProgram sample =
        opProgram(planned.space->kernel(), planned.space->summarize(*planned.draft), std::move(tile), dpus);
    sample.name = sample.host.name = whole.name;
    sample.origin = whole.origin;
    return sample;
}

/// What is wrong with it; empty: nothing.
Result<std::string> wrongWith(const OpProgram& program, const DpuTiming& timing,
                              const CodeCheckLimits& limits, CodeCheck& check, const TaskContext& task) {
    const Tile& tile = program.tile.tile;
    const int tasklets = tile.shape().tasklets();
    const HostData inputs = sampleInputs(program, limits.seed);
    PIM_TRY(const HostRun engine,
            runOnEngine({program.host, tile.code(), tile.sizes(), tasklets}, inputs, timing, task));
    PIM_TRY(const CCode dpu, cCode(tile.code(), tile.sizes(), tasklets, program.origin));
    PIM_TRY(const std::string host, hostCode(program.host, tile.code(), tile.sizes(), tasklets));
    CFiles files;
    for (const auto& [name, bytes] : inputs)
        files[hostFileName(name)] = bytes;
    const std::string results = hostFileName(program.host.outputs.front().name);
    PIM_TRY(const CRun run, compileAndRun({program.name, host, dpu.text, tasklets, program.host.dpus, {}},
                                          files, {results}, {}, task));
    check.dmaBytes += run.traffic.dmaBytes();
    check.violations += run.violations;
    if (const auto good = problemOf(program.name, run); !good)
        return good.error().text();
    const auto got = run.outputs.find(results);
    if (got == run.outputs.end() || got->second != engine.outputs.at(program.host.outputs.front().name))
        return fmt::format("{}: the C code and the engine give different numbers", program.name);
    if (run.traffic.dmaBytes() != engine.dmaBytes())
        return fmt::format("{}: the C code moves {} B by DMA, the engine {} B", program.name,
                           run.traffic.dmaBytes(), engine.dmaBytes());
    return std::string();
}

} // namespace

std::string CodeCheck::text() const {
    if (!skipped.empty())
        return fmt::format("C code: not run, {}\n", skipped);
    std::string line = fmt::format(
        "C code: {} of {} programs compiled and run{}, {} B moved by DMA, {} rules of the hardware "
        "broken",
        programs, different, shortened > 0 ? fmt::format(" ({} of them with fewer blocks)", shortened) : "",
        dmaBytes, violations);
    return line + (problem.empty() ? ", the same numbers as the engine\n" : fmt::format("; {}\n", problem));
}

Result<CodeCheck> checkCode(const Plan& plan, const CodeCheckLimits& limits, const TaskContext& task) {
    CodeCheck check;
    std::set<std::pair<std::string, std::string>> seen; // kernel and draft
    for (const OpPlan& op : plan.ops) {
        if (op.onHost() || !op.space || !op.draft || !computes(op.space->kernel().tensors.front().dtype) ||
            !seen.emplace(op.space->kernel().text(), op.space->draftText(*op.draft)).second)
            continue;
        ++check.different;
        if (check.programs >= limits.programs || !check.skipped.empty() || !check.problem.empty())
            continue;
        if (task.cancelled())
            return TaskContext::cancelledError("the check of C code");
        bool isShort = false;
        PIM_TRY(const OpProgram sample, sampleOf(plan, op.op, limits, isShort));
        auto wrong = wrongWith(sample, machineOf(targetOf(plan, op.placement)).timing, limits, check, task);
        if (!wrong && (wrong.error().code == ErrorCode::Cancelled || wrong.error().code == ErrorCode::Io))
            return tl::unexpected<Error>(wrong.error());
        if (!wrong && wrong.error().code == ErrorCode::NotFound) {
            check.skipped = wrong.error().text();
            continue;
        }
        ++check.programs;
        check.shortened += isShort;
        check.problem = wrong ? *wrong : wrong.error().text();
    }
    return check;
}

} // namespace pim::upmem
