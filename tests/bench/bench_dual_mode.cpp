// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Times segmentation and allocation for dual-mode chips, shows what each reading gains, and compares one
/// segment's allocation with GLPK. Prints medians.
#include "tests/backends_dual_mode/allocation_cases.h"
#include "tests/backends_dual_mode/glpk_allocation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>

using namespace pim;
using namespace pim::test;

namespace {

double medianMilliseconds(int runs, const std::function<void()>& run) {
    std::vector<double> times;
    for (int i = 0; i < runs; ++i) {
        const auto start = std::chrono::steady_clock::now();
        run();
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
    return times[static_cast<std::size_t>(runs / 2)];
}

struct Timed {
    double cycles = 0, ms = 0;
    std::int64_t solved = 0, priced = 0;
};

Timed timed(SegmentationProblem problem, DualModeStrategy strategy, bool keepAllCompute, bool jointBorders) {
    problem.options.strategy = strategy;
    problem.options.keepAllCompute = keepAllCompute;
    problem.options.jointBorders = jointBorders;
    Timed result;
    result.ms = medianMilliseconds(5, [&] {
        const Result<Segmentation> plan = segmentNetwork(problem);
        if (!plan) {
            fmt::print("{}\n", plan.error().text());
            std::exit(1);
        }
        result.cycles = plan->cycles;
        result.solved = plan->segmentsSolved;
        result.priced = plan->segmentsPriced;
    });
    return result;
}

void row(const std::string& name, const SegmentationProblem& problem) {
    const Timed paper = timed(problem, DualModeStrategy::DualMode, false, false);
    const Timed kept = timed(problem, DualModeStrategy::DualMode, true, false);
    const Timed joint = timed(problem, DualModeStrategy::DualMode, true, true);
    const Timed fixed = timed(problem, DualModeStrategy::AllCompute, true, false);
    const Timed fixedJoint = timed(problem, DualModeStrategy::AllCompute, true, true);
    const Timed puma = timed(problem, DualModeStrategy::Puma, true, true);
    const Timed occ = timed(problem, DualModeStrategy::Occ, true, true);
    fmt::print("{:40} {:5} {:9.2f} {:9.2f} {:6}/{:<6} {:8.4f} {:8.4f} {:8.4f} {:8.4f} {:8.4f} {:8.4f}\n",
               name, problem.subOps.size(), paper.ms, joint.ms, joint.solved, joint.priced,
               fixed.cycles / paper.cycles, fixed.cycles / kept.cycles, fixed.cycles / joint.cycles,
               fixedJoint.cycles / joint.cycles, puma.cycles / joint.cycles, occ.cycles / joint.cycles);
}

void compareWithGlpk() {
    for (const int ops : {4, 8, 16}) {
        Dice dice(static_cast<std::uint64_t>(ops));
        std::vector<AllocationProblem> problems;
        while (problems.size() < 60)
            if (AllocationProblem one = randomAllocation(dice, 96, ops);
                static_cast<int>(one.ops.size()) > ops / 2)
                problems.push_back(std::move(one));
        double checksum = 0;
        const double ours = medianMilliseconds(5, [&] {
            for (const AllocationProblem& problem : problems)
                checksum += allocate(problem)->latency;
        });
        const double theirs = medianMilliseconds(1, [&] {
            for (const AllocationProblem& problem : problems)
                checksum += glpkLatency(problem);
        });
        fmt::print(
            "one segment of {:2} to {:2} operators: {:.4f} ms, GLPK {:.3f} ms, {:.0f} times (sum {:.6g})\n",
            ops / 2 + 1, ops, ours / 60, theirs / 60, theirs / ours, checksum);
    }
}

} // namespace

int main() {
    fmt::print("{:40} {:>5} {:>9} {:>9} {:>13} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "median of 5", "ops",
               "paper/ms", "all/ms", "solved/priced", "paper", "kept", "joint", "jnt/jnt", "puma", "occ");
    const nlohmann::json file = goldenDualMode("dp_golden.json");
    for (const auto& [name, one] : file.at("cases").items())
        row(name, goldenSegmentation(file, name));
    row("200 random, 1 to 8 arrays", randomNetwork(7, 200, 8));
    row("200 random, 4 to 24 arrays", randomNetwork(8, 200, 24, 4));
    row("LLaMA2-7B prefill, 32 layers",
        repeatedLayers(goldenSegmentation(file, "llama2-7b.layer.prefill.s64.b1.cap48"), 32));
    SegmentationProblem large = randomNetwork(9, 200, 100);
    large.chip.arrays = 1024;
    row("200 random, 1 to 100 of 1024 arrays", large);
    large.options.duplication = DuplicationRule::Any;
    row("the same, any number of arrays", large);
    compareWithGlpk();
}
