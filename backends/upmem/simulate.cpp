// SPDX-License-Identifier: GPL-3.0-or-later
// The network op by op: a DPU with the busiest tasklets runs each kernel on the engine, equal kernels once. DPUs know nothing of
// each other, so the busiest one is when all are through.
#include "backends/upmem/upmem.h"

#include "core/base/number_text.h"
#include "core/base/parallel.h"
#include "core/energy/figures.h"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <map>

namespace pim {
namespace {

using namespace upmem;

/// What the link, the DPUs and the host did when.
class Picture {
public:
    Picture() {
        for (const char* const name : {"host", "link", "DPUs"}) {
            TimelineTrack& track = m_timeline.tracks.emplace_back();
            track.name = track.group = name;
        }
        m_timeline.kinds = {{"op on the host", SpanRole::Other},
                            {"transfer", SpanRole::Transfer},
                            {"launch", SpanRole::Switching},
                            {"compute", SpanRole::Compute}};
        m_timeline.labels = {""};
        m_timeline.labelOps = {-1};
    }
    void begin(const std::string& name, OpId op) {
        m_timeline.labels.push_back(name);
        m_timeline.labelOps.push_back(int(op.index()));
    }
    void add(std::uint32_t track, std::uint16_t kind, double ns) {
        if (ns <= 0)
            return;
        m_timeline.spans.push_back(
            {m_now, float(ns), track, kind, 0xffff, std::uint32_t(m_timeline.labels.size() - 1)});
        m_now += ns;
    }
    Timeline take() {
        m_timeline.finish();
        return std::move(m_timeline);
    }

private:
    Timeline m_timeline;
    double m_now = 0;
};

constexpr std::uint32_t kHostTrack = 0, kLinkTrack = 1, kDpuTrack = 2;
constexpr std::uint16_t kHostOp = 0, kTransfer = 1, kLaunch = 2, kCompute = 3;

class Run {
public:
    Run(const Plan& plan, const TaskContext& task)
        : m_plan(plan), m_task(task), m_machine(machineOf(*plan.target)) {}

    Result<std::shared_ptr<const Simulation>> whole() {
        auto result = std::make_shared<Simulation>();
        int simulated = 0, onPim = 0;
        double predicted = 0;
        for (const OpPlan& op : m_plan.ops) {
            if (m_task.cancelled())
                return TaskContext::cancelledError("the simulation");
            m_task.report("simulating ops", std::int64_t(result->ops.size()),
                          std::int64_t(m_plan.ops.size()));
            SimulatedOp done;
            done.op = op.op;
            done.predicted = done.cost = op.cost;
            if (!op.onHost()) {
                ++onPim;
                PIM_TRY(const auto cycles, cyclesOf(op, done.note));
                if (cycles) {
                    done.origin = Origin::Simulated;
                    done.cost.computeNs = *cycles * m_machine.timing.cycleNs();
                    done.channels = m_machine.dpus;
                    ++simulated;
                    result->phases.push_back(
                        {m_plan.graph->op(op.op).name, op.cost.totalNs(), done.cost.totalNs(),
                         fmt::format("compute {} instead of {}", timeText(done.cost.computeNs),
                                     timeText(op.cost.computeNs))});
                    result->differenceNs["pipeline and DMA of the DPUs"] +=
                        done.cost.computeNs - op.cost.computeNs;
                }
            }
            draw(op, done.cost);
            result->totalNs += done.cost.totalNs();
            predicted += op.cost.totalNs();
            result->ops.push_back(std::move(done));
        }
        if (onPim > 0 && simulated == 0)
            return fail(ErrorCode::Unsupported,
                        "none of its kernels is in a type the DPU engine runs: i8, i16 or i32",
                        m_plan.target->id, "compile with --dtype i8 or i16");
        result->predictedNs = predicted;
        result->controller = "DPU engine";
        result->device = m_plan.target->name;
        result->summary =
            fmt::format("{} simulated, {} predicted; kernels of {} of {} ops on the DPUs instruction by "
                        "instruction, transfers as predicted",
                        timeText(result->totalNs), timeText(predicted), simulated, onPim);
        addEnergy(*result);
        result->timeline = m_picture.take();
        return std::shared_ptr<const Simulation>(std::move(result));
    }

private:
    /// Modules have no states of less power: what they draw, they draw from the first byte to the last result.
    void addEnergy(Simulation& result) const {
        const auto power = workingPower(*m_plan.target);
        if (!power) {
            result.energyNote = "Nobody published what these modules draw.";
            return;
        }
        const measure::Energy energy = power->value * (result.totalNs * measure::kNanosecond);
        result.energyPj = result.energyParts["modules"] = energy / measure::kPicojoule;
        result.energyNote = "The modules draw their power all the time, cores and banks.";
    }

    /// Nothing where the engine does not run it; \p note says why.
    Result<std::optional<double>> cyclesOf(const OpPlan& op, std::string& note) {
        const Kernel& kernel = op.space->kernel();
        const DraftSummary draft = op.space->summarize(*op.draft);
        PIM_TRY(const KernelTile tile, tileOf(kernel, draft, m_machine.timing));
        if (!computes(tile.tile.shape().type)) {
            note = fmt::format("{} is computed by a library of soft floats, which is priced, not simulated",
                               name(tile.tile.shape().type));
            return std::optional<double>();
        }
        const auto key = std::pair(tile.tile.shape(), tile.tile.blocks());
        auto found = m_known.find(key);
        if (found == m_known.end()) {
            PIM_TRY(const double cycles, tile.tile.simulatedCycles(m_machine.timing, m_task));
            found = m_known.emplace(key, cycles).first;
        }
        return std::optional(found->second);
    }

    void draw(const OpPlan& op, const CostSplit& cost) {
        m_picture.begin(m_plan.graph->op(op.op).name, op.op);
        m_picture.add(kHostTrack, kHostOp, cost.hostNs);
        m_picture.add(kLinkTrack, kTransfer, cost.inputNs);
        m_picture.add(kDpuTrack, kLaunch, cost.modeSwitchNs);
        m_picture.add(kDpuTrack, kCompute, cost.computeNs);
        m_picture.add(kLinkTrack, kTransfer, cost.outputNs);
    }

    const Plan& m_plan;
    const TaskContext& m_task;
    Machine m_machine;
    Picture m_picture;
    std::map<std::pair<TileShape, TileBlocks>, double> m_known;
};

} // namespace

Result<std::shared_ptr<const Simulation>> UpmemBackend::simulate(const Plan& plan,
                                                                 const TaskContext& task) const {
    return Run(plan, task).whole();
}

Result<std::vector<SimulatedDraft>> UpmemBackend::simulateDrafts(const Exploration& exploration,
                                                                 std::span<const std::size_t> drafts,
                                                                 int threads, const TaskContext& task) const {
    for (const std::size_t draft : drafts)
        if (draft >= exploration.drafts.size())
            return fail(ErrorCode::Usage,
                        fmt::format("draft {} of an exploration of {}", draft, exploration.drafts.size()));
    const Machine machine = machineOf(*exploration.target);
    const TilingSpace& space = *exploration.space;
    std::vector<SimulatedDraft> results(drafts.size());
    std::atomic<std::int64_t> done{0};
    std::mutex reporting;
    parallelFor(drafts.size(), threads, [&](std::size_t i) {
        SimulatedDraft& result = results[i];
        result.draft = drafts[i];
        result.cost = exploration.costs[drafts[i]];
        const auto tile =
            tileOf(space.kernel(), space.summarize(exploration.drafts[drafts[i]]), machine.timing);
        const auto cycles = tile ? tile->tile.simulatedCycles(machine.timing, TaskContext{task.stop, {}})
                                 : Result<double>(tl::unexpected<Error>(tile.error()));
        if (cycles)
            result.cost.computeNs = *cycles * machine.timing.cycleNs();
        else
            result.problem = cycles.error().text();
        const std::lock_guard lock(reporting);
        task.report("simulating drafts", ++done, std::ssize(drafts));
    });
    if (task.cancelled())
        return TaskContext::cancelledError("simulating drafts");
    return results;
}

} // namespace pim
