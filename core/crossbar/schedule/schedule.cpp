// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/schedule/schedule.h"

#include "core/crossbar/schedule/low_latency.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

/// Groups of a high-throughput program: a core fetches what it reads in a group at its beginning, so that in fewer groups cores
/// wait longer for memory at once, in more groups longer for the first product of each.
constexpr std::size_t kRounds = 10;

/// Algorithm 1: all layers work at once, each on its own sample, so nothing waits but for what lies in the same core. Every step
/// brings each share as far as all others are, so that the array groups of a core take turns.
Result<void> runHighThroughput(RowEngine& engine, const TaskContext& task) {
    std::size_t steps = 1;
    for (const RowEngine::Share& share : engine.shares())
        steps = std::max(steps, share.jobs.size());
    for (std::size_t step = 0;; ++step) {
        if (task.cancelled())
            return TaskContext::cancelledError("scheduling");
        task.report("scheduling", std::int64_t(std::min(step, steps)), std::int64_t(steps));
        bool left = false, moved = false;
        std::vector<RowJob> jobs;
        for (std::size_t layer = 0; layer < engine.sharesOf().size(); ++layer)
            for (const int number : engine.sharesOf()[layer]) {
                RowEngine::Share& share = engine.shares()[std::size_t(number)];
                const std::size_t due = std::min(share.jobs.size(), (share.jobs.size() * (step + 1) + steps - 1) / steps);
                if (!share.matrix)
                    continue;
                for (; share.next < due; ++share.next)
                    jobs.push_back(share.jobs[share.next]);
                left = left || !share.done();
            }
        moved = !jobs.empty();
        PIM_CHECK(engine.run(std::move(jobs)));
        for (std::size_t layer = 0; layer < engine.sharesOf().size(); ++layer)
            for (const int number : engine.sharesOf()[layer]) {
                RowEngine::Share& share = engine.shares()[std::size_t(number)];
                const bool fused = engine.tasks().fusedWith[layer] >= 0;
                const std::size_t due = fused ? share.jobs.size() : std::min(share.jobs.size(), (share.jobs.size() * (step + 1) + steps - 1) / steps);
                if (share.matrix)
                    continue;
                for (; share.next < due && engine.ready(share.jobs[share.next]); ++share.next) {
                    PIM_CHECK(engine.run({share.jobs[share.next]}));
                    moved = true;
                }
                left = left || !share.done();
            }
        if ((step + 1) * kRounds / steps != step * kRounds / steps && left)
            engine.endGroup();
        if (!left)
            return {};
        PIM_ASSERT(moved || step < steps, "a layer of the high-throughput pipeline waits for rows that nobody computes");
    }
}

} // namespace

int CrossbarSchedule::stages() const { return stage.empty() ? 0 : std::max(1, *std::ranges::max_element(stage)); }

namespace {

/// No round is shorter: products of the busiest core, global memory of the busiest chip.
double boundNs(const CrossbarProgram& program, const CrossbarChip& chip) {
    double products = 0;
    std::vector<double> bytes(std::size_t(chip.chips()), 0);
    for (std::size_t core = 0; core < program.cores.size(); ++core) {
        double ns = 0;
        for (const CrossbarInstruction& instruction : program.cores[core]) {
            if (instruction.opcode == CrossbarOpcode::Mvm)
                ns += chip.mvmIssueNs;
            else if (instruction.opcode == CrossbarOpcode::Load || instruction.opcode == CrossbarOpcode::Store)
                bytes[std::size_t(chip.chipOf(int(core)))] += double(instruction.length) * chip.activationBytes();
        }
        products = std::max(products, ns);
    }
    return std::max(products, *std::ranges::max_element(bytes) / chip.globalBytesPerNs);
}

Result<CrossbarSchedule> scheduleOnce(const CrossbarNetwork& network, const CrossbarChip& chip, const CrossbarMapping& mapping,
                                      const ScheduleOptions& options, const TaskContext& task) {
    RowEngine engine(network, chip, mapping, options);
    if (mapping.mode == CrossbarMode::HighThroughput) {
        PIM_CHECK(runHighThroughput(engine, task));
    } else {
        PIM_CHECK(scheduleLowLatency(engine, chip, task));
    }
    return engine.finish();
}

} // namespace

Result<CrossbarSchedule> scheduleCrossbar(const CrossbarNetwork& network, const CrossbarChip& chip, const CrossbarMapping& mapping,
                                          const ScheduleOptions& options, const TaskContext& task) {
    if (mapping.mode == CrossbarMode::HighThroughput && options.fuse && options.mostTwice <= 0) {
        constexpr double kLittle = 1.3, kMuch = 1e9;
        ScheduleOptions tried = options;
        tried.mostTwice = kMuch;
        auto much = scheduleCrossbar(network, chip, mapping, tried, task);
        if (!much && much.error().code != ErrorCode::InvalidTarget)
            return much;
        tried.mostTwice = kLittle;
        auto little = scheduleCrossbar(network, chip, mapping, tried, task);
        if (!little || (much && boundNs(much->program, chip) <= boundNs(little->program, chip)))
            return much;
        return little;
    }
    // Where a memory is too small for stretches as long as usual, shorter ones are tried.
    constexpr int kMostShare = 512;
    ScheduleOptions tried = options;
    while (true) {
        auto made = scheduleOnce(network, chip, mapping, tried, task);
        if (made || made.error().code != ErrorCode::InvalidTarget || tried.memoryShare >= kMostShare)
            return made;
        tried.memoryShare *= 4;
    }
}

} // namespace pim
