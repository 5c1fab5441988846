// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The allocation as a mixed-integer program for GLPK, which tests alone link. With R = 1 / T it is linear:
/// maximise R such that compute_i >= work_i R, D_main + D_cim (in_i + out_i) >= traffic_i R, shared arrays of
/// the edges into i at most in_i and out of i at most out_i, all arrays less the shared ones on the chip.
#include "backends/dual_mode/allocation.h"
#include "tests/support/glpk_program.h"

#include <algorithm>
#include <cmath>

namespace pim::test {

/// Latency of the counts GLPK finds best, in our arithmetic; negative where it finds none.
inline double glpkLatency(const AllocationProblem& problem) {
    double slowest = 0;
    for (const AllocationOp& op : problem.ops)
        slowest = std::max(slowest, operatorLatency(op, op.minArrays, 0, problem));
    GlpkProgram program(GLP_MAX);
    // R in units of 1 / slowest, so that it is at least 1.
    const int rate = program.column(GLP_CV, 1, -1, 1);
    std::vector<int> compute, in, out, shared;
    std::vector<std::pair<int, double>> all;
    const std::size_t ops = problem.ops.size();
    for (std::size_t i = 0; i < ops; ++i) {
        const AllocationOp& op = problem.ops[i];
        const bool copies = problem.duplication == DuplicationRule::Copies;
        const double unit = copies ? op.minArrays : 1;
        compute.push_back(program.column(GLP_IV, copies ? 1 : op.minArrays, -1));
        in.push_back(program.column(GLP_IV, 0, problem.arrays));
        out.push_back(program.column(GLP_IV, 0, problem.arrays));
        program.row({{compute[i], unit}, {rate, -op.computeWork / slowest}}, 0, false);
        program.row({{in[i], problem.arrayBytesPerCycle},
                     {out[i], problem.arrayBytesPerCycle},
                     {rate, -op.traffic / slowest}},
                    -problem.mainBytesPerCycle, false);
        all.insert(all.end(), {{compute[i], unit}, {in[i], 1}, {out[i], 1}});
    }
    std::vector<std::vector<std::pair<int, double>>> into(ops), outOf(ops);
    for (const AllocationEdge& edge : problem.edges) {
        shared.push_back(program.column(GLP_IV, 0, edge.cap));
        outOf[static_cast<std::size_t>(edge.from)].emplace_back(shared.back(), 1);
        into[static_cast<std::size_t>(edge.to)].emplace_back(shared.back(), 1);
        all.emplace_back(shared.back(), -1);
    }
    for (std::size_t i = 0; i < ops; ++i) {
        for (auto* side : {&into[i], &outOf[i]})
            if (!side->empty()) {
                side->emplace_back(side == &into[i] ? in[i] : out[i], -1);
                program.row(*side, 0, true);
            }
    }
    program.row(all, problem.arrays, true);
    if (program.solve() < 0)
        return -1;
    double latency = 0;
    for (std::size_t i = 0; i < ops; ++i) {
        const AllocationOp& op = problem.ops[i];
        const int unit = problem.duplication == DuplicationRule::Copies ? op.minArrays : 1;
        latency = std::max(
            latency,
            operatorLatency(op, static_cast<int>(std::lround(program.value(compute[i]))) * unit,
                            static_cast<int>(std::lround(program.value(in[i]) + program.value(out[i]))),
                            problem));
    }
    return latency;
}

} // namespace pim::test
