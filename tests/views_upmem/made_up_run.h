// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A small product on a DPU with figures that add up, as runOnDpu() gives them: for views that only show them.
#include "backends/upmem/op_run.h"

namespace pim::test {

inline upmem::TaskletProgram madeUpProgram(int tasklets) {
    upmem::TaskletProgram made;
    made.program.name = "gemv";
    for (const char* line : {"lw r3, id4, 16", "ldma r3, r4, 256", "lb r5, r3, 0", "mul_sl_sl r6, r5, r7",
                             "add r8, r8, r6", "sub r9, r9, 1, nz, @2", "sw r3, r8, 0"}) {
        upmem::DpuInstruction instruction;
        instruction.op = line[0] == 'l' && line[1] == 'd' ? upmem::DpuOp::Ldma : upmem::DpuOp::Add;
        made.program.code.push_back(instruction);
    }
    made.program.notes.resize(made.program.code.size());
    made.statementAt = {-1, 0, 2, 2, 2, 1, 3};
    std::int64_t at = 16'384 + 656;
    made.wram.push_back({"bias", at, 1024, -1});
    at += 1024;
    for (int t = 0; t < tasklets; ++t)
        made.wram.push_back({"x", at + t * 512, 512, t});
    at += tasklets * 512;
    for (int t = 0; t < tasklets; ++t)
        made.wram.push_back({"row", at + t * 1024, 1024, t});
    at += tasklets * 1024;
    made.wramBytes = at - (16'384 + 656);
    return made;
}

inline upmem::DpuRun madeUpTimes(int tasklets, int turns) {
    upmem::DpuRun run;
    run.issuedAt = {tasklets,
                    std::int64_t(tasklets) * turns,
                    40LL * tasklets * turns,
                    40LL * tasklets * turns,
                    40LL * tasklets * turns,
                    40LL * tasklets * turns,
                    tasklets};
    for (const std::int64_t times : run.issuedAt)
        run.instructions += times;
    run.issued = run.instructions;
    run.waitedDma = run.issued / 5;
    run.waitedElse = run.issued / 10;
    run.heldUp = run.issued / 20;
    run.cycles = run.issued + run.waitedDma + run.waitedElse + run.heldUp;
    for (int t = 0; t < tasklets; ++t) {
        upmem::TaskletTime time;
        time.issued = run.issued / tasklets;
        time.revolver = run.cycles / 3;
        time.dma = run.cycles / 8 + t;
        time.asleep = run.cycles / 10;
        time.ready = run.cycles - time.issued - time.revolver - time.dma - time.asleep;
        run.tasklets.push_back(time);
        const std::int64_t each = run.cycles / (turns + 1);
        run.spans.push_back({0, 5 * t + 1, t, upmem::TaskletSpan::Kind::Asleep, 0});
        for (int turn = 0; turn < turns; ++turn) {
            const std::int64_t begin = 5 * t + 1 + turn * each;
            run.spans.push_back({begin, begin + each / 5, t, upmem::TaskletSpan::Kind::Dma, 256});
            run.spans.push_back({begin + each / 5, begin + each, t, upmem::TaskletSpan::Kind::Running, 0});
        }
    }
    return run;
}

/// \param turns of the loop of each tasklet, two spans each.
inline upmem::OpOnDpu madeUpRun(std::string op = "fc1", int tasklets = 16, int turns = 20) {
    upmem::OpOnDpu made;
    made.op = std::move(op);
    made.dpus = 64;
    made.tasklets = tasklets;
    made.cycleNs = 1000.0 / 350;
    made.run = madeUpTimes(tasklets, turns);
    made.isWhole = true;
    made.cycles = double(made.run.cycles);
    made.predictedCycles = made.cycles * 0.97;
    made.program = madeUpProgram(tasklets);
    made.c = "#include <mram.h>\n"
             "// A row of the weights at a time.\n"
             "int main(void) {\n"
             "    mram_read(w + me() * ROW, row, ROW);\n"
             "    for (int32_t i = 0; i < ROW; i++) {\n"
             "        sum += row[i] * x[i];\n"
             "    }\n"
             "    y[me()] = sum;\n"
             "    return 0;\n"
             "}\n";
    made.statementOfLine = {-1, -1, -1, 0, 1, 2, 1, 3, -1, -1};
    made.issuedOfStatement.assign(4, 0);
    for (std::size_t i = 0; i < made.program.statementAt.size(); ++i)
        if (const int statement = made.program.statementAt[i]; statement >= 0)
            made.issuedOfStatement[std::size_t(statement)] += made.run.issuedAt[i];
    made.mram = {{"w", "rows of the weights, [outputs][row]", "fc1.weight", 0, 24 << 20, true},
                 {"x", "vectors, [inputs]", "hidden", 24 << 20, 4096, false},
                 {"y", "results, [outputs]", "", (24 << 20) + 4096, 65'536, false}};
    made.roofline.operations = 2.0 * 40 * tasklets * turns;
    made.roofline.mramBytes = 256.0 * tasklets * turns;
    made.roofline.cycles = made.cycles;
    made.roofline.operationsPerCycleMost = 0.5;
    made.roofline.taskletCeiling = std::min(1.0, tasklets / 11.0);
    return made;
}

/// \param dpus a multiple of 64.
inline upmem::DpuLoad madeUpLoad(int dpus) {
    upmem::DpuLoad load;
    load.ranks = dpus / 64;
    load.totalNs = 1e6;
    for (int dpu = 0; dpu < dpus; ++dpu) {
        load.busyNs.push_back(dpu % 7 == 6 ? 0 : 1e6 * (dpu % 101) / 101);
        load.mramKept.push_back((dpu % 50) << 20);
        load.mramPeak.push_back(load.mramKept.back() + (4 << 20));
    }
    return load;
}

} // namespace pim::test
