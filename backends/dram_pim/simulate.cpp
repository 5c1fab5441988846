// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/host_stream.h"
#include "backends/dram_pim/kernel_simulation.h"
#include "core/base/number_text.h"
#include "core/base/parallel.h"
#include "core/drafts/dataflow.h"
#include "core/rearrange/movement.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>

namespace pim {
namespace {

using dram::HostStream;
using dram::HostStreams;
using dram::KernelRun;
using dram::KernelSimulator;

/// Bytes between the starts of neighbouring runs of a tile: the smallest block of trailing dimensions that is
/// larger than a run.
std::int64_t strideOf(const Shape& shape, std::int64_t run) {
    std::int64_t block = 1;
    for (std::size_t d = shape.size(); d-- > 0 && block <= run;)
        block *= shape[d];
    return block;
}

/// What one op asks of the host's memory. Tensors that fit the host's on-chip memory are read and written in
/// the order in which they lie there; larger ones, and all without the pass "blocks", in the runs that the tiles
/// of cores are made of. [DCC §IV-C I]
class HostSide {
public:
    HostSide(HostStreams& streams, const Target& target, const CodePasses& passes)
        : m_streams(streams),
          m_onChipBytes(passes.isOn(dram::kBlocksPass.id) ? movementMachine(target).hostOnChipBytes : 0) {}

    Result<double> ns(const TilingSpace& space, const DraftSummary& draft, std::size_t tensor,
                      std::int64_t bytes, bool write, const TaskContext& task) const {
        HostStream stream{bytes, 0, 0, write};
        const KernelTensor& shape = space.kernel().tensors[tensor];
        if (bytes > m_onChipBytes) {
            const std::int64_t run = draft.tensors[tensor].contiguousElements;
            stream.runBytes = run * bytesOf(shape.dtype);
            stream.strideBytes = strideOf(shape.shape, run) * bytesOf(shape.dtype);
        }
        return m_streams.ns(stream, task);
    }
    Result<double> readNs(std::int64_t bytes, const TaskContext& task) const {
        return m_streams.ns({bytes, 0, 0, false}, task);
    }

private:
    HostStreams& m_streams;
    std::int64_t m_onChipBytes;
};

/// A kernel with its host side, ready to be put together for an op.
struct OpRun {
    KernelRun kernel;
    std::string problem; ///< Why there is no kernel.
};

/// Share of the resident tensors that a run of the network adds: new keys and values of a cache.
struct Appended {
    std::int64_t bytes = 0, residentBytes = 0;
};
Appended appendedTo(const Plan& plan, const OpPlan& op) {
    Appended appended;
    for (std::size_t t = 0; t < op.tensors.size(); ++t) {
        if (op.tensors[t].residency != Residency::Resident)
            continue;
        appended.residentBytes += op.tensors[t].bytes;
        const KernelTensor& tensor = op.space->kernel().tensors[t];
        if (tensor.cache && op.tensors[t].tensor.valid())
            appended.bytes += appendedBytes(*plan.graph, op.tensors[t].tensor, tensor.dtype);
    }
    return appended;
}

/// Host time that is not hidden behind \p hiddenBy.
double left(double ns, double hiddenBy, bool overlaps) {
    return overlaps ? std::max(0.0, ns - hiddenBy) : ns;
}

/// What of a kernel goes through the host.
struct HostShare {
    const TilingSpace& space;
    const DraftSummary& draft;
    const std::vector<bool>& throughHost;   ///< [kernel tensor]
    const std::vector<std::int64_t>& bytes; ///< [kernel tensor]
    bool overlaps = false;
};

/// Adds the host's side to what the commands take.
Result<void> addHostSide(SimulatedOp& result, const KernelRun& run, const HostShare& share,
                         const HostSide& host, const TaskContext& task) {
    const auto& [space, draft, throughHost, bytes, overlaps] = share;
    double reads = 0, writes = 0;
    for (std::size_t t = 0; t < throughHost.size(); ++t) {
        if (!throughHost[t])
            continue;
        const bool write = space.kernel().tensors[t].role != TensorRole::Input;
        PIM_TRY(const double ns, host.ns(space, draft, t, bytes[t], write, task));
        (write ? writes : reads) += ns;
    }
    result.hostReadNs = left(reads, run.cost.inputNs, overlaps);
    result.hostWriteNs = left(writes, run.cost.outputNs, overlaps) + run.mergeNs;
    result.cost = run.cost;
    result.cost.inputNs += result.hostReadNs;
    result.cost.outputNs += result.hostWriteNs;
    return {};
}

/// "ACTAB -> MACAB 31 %, refresh 8 %": what the commands waited for most.
std::string waitsInWords(const SequenceTiming& timing, std::size_t most) {
    std::vector<std::pair<DramTick, std::size_t>> waits;
    for (std::size_t i = 0; i < timing.waited.size(); ++i)
        if (static_cast<double>(timing.waited[i]) > 0.02 * static_cast<double>(timing.ticks))
            waits.emplace_back(-timing.waited[i], i);
    std::sort(waits.begin(), waits.end());
    std::string text;
    for (std::size_t i = 0; i < std::min(most, waits.size()); ++i)
        text += fmt::format(
            "{}{} {}", text.empty() ? "" : ", ", timing.reasons[waits[i].second],
            percentText(static_cast<double>(-waits[i].first) / static_cast<double>(timing.ticks)));
    return text;
}

class NetworkSimulation {
public:
    NetworkSimulation(const DramPimBackend& backend, const Plan& plan, const TaskContext& task)
        : m_backend(backend), m_plan(plan), m_task(task), m_result(std::make_shared<Simulation>()) {}

    Result<std::shared_ptr<const Simulation>> run() {
        PIM_TRY(const auto simulator, KernelSimulator::create(m_backend, *m_plan.target));
        PIM_TRY(const auto streams, HostStreams::create(*m_plan.target));
        m_result->controller = "strict";
        m_result->device = simulator.device().name;
        PIM_CHECK(runKernels(simulator));
        PIM_CHECK(addOps(*streams));
        addEnergy();
        addTimeline();
        addWords(*streams);
        return std::move(m_result);
    }

private:
    /// Commands of equal ops are the same.
    using Key = std::tuple<const TilingSpace*, std::string, std::vector<Residency>>;
    static bool isOnPim(const OpPlan& op) { return !op.onHost() && op.space && op.draft; }
    static Key keyOf(const OpPlan& op) {
        return {op.space.get(), op.space->draftText(*op.draft), residencyOf(op.tensors)};
    }

    /// Ops that run without a pause: one, or a chain. Their kernels follow each other.
    struct Work {
        std::vector<const OpPlan*> ops;
        std::size_t firstKernel = 0;
        bool load = false;
    };

    std::vector<Work> distinctWork() {
        std::map<std::vector<Key>, std::size_t> numbers;
        std::vector<Work> distinct;
        m_kernelOf.assign(m_plan.ops.size(), 0);
        for (const OpPlan& op : m_plan.ops) {
            if (!isOnPim(op) || op.takesFrom.valid())
                continue;
            std::vector<Key> key;
            const std::vector<const OpPlan*> chain = dram::chainFrom(m_plan, op);
            for (const OpPlan* member : chain)
                key.push_back(keyOf(*member));
            const auto [at, fresh] = numbers.try_emplace(std::move(key), distinct.size());
            if (fresh) {
                distinct.push_back({chain, m_kernels.size(), false});
                m_kernels.resize(m_kernels.size() + chain.size());
            }
            Work& work = distinct[at->second];
            work.load = work.load || appendedTo(m_plan, op).bytes > 0;
            for (std::size_t i = 0; i < chain.size(); ++i)
                m_kernelOf[chain[i]->op.index()] = work.firstKernel + i;
        }
        return distinct;
    }

    Result<std::vector<KernelRun>> runWork(const KernelSimulator& simulator, const Work& work) const {
        const TaskContext quiet{m_task.stop, {}};
        std::vector<ChainedKernel> ops;
        for (const OpPlan* op : work.ops)
            ops.push_back({op->space.get(), *op->draft, residencyOf(op->tensors)});
        if (ops.size() > 1)
            return simulator.runChain(ops, m_plan.codePasses, quiet);
        PIM_TRY(KernelRun run, simulator.run(*ops[0].space, ops[0].draft, ops[0].residency, m_plan.codePasses,
                                             work.load, quiet));
        std::vector<KernelRun> runs;
        runs.push_back(std::move(run));
        return runs;
    }

    Result<void> runKernels(const KernelSimulator& simulator) {
        const std::vector<Work> distinct = distinctWork();
        std::atomic<std::int64_t> done{0};
        std::atomic<bool> cancelled{false};
        std::mutex reporting;
        parallelFor(distinct.size(), 0, [&](std::size_t i) {
            const Work& work = distinct[i];
            auto runs = runWork(simulator, work);
            cancelled = cancelled || (!runs && runs.error().code == ErrorCode::Cancelled);
            for (std::size_t k = 0; k < work.ops.size(); ++k)
                if (runs)
                    m_kernels[work.firstKernel + k].kernel = std::move((*runs)[k]);
                else
                    m_kernels[work.firstKernel + k].problem = runs.error().text();
            const std::lock_guard lock(reporting);
            m_task.report("simulating commands", ++done, std::ssize(distinct));
        });
        if (cancelled || m_task.cancelled())
            return TaskContext::cancelledError("the simulation");
        return {};
    }

    Result<void> addOps(HostStreams& streams) {
        const HostSide host(streams, *m_plan.target, m_plan.codePasses);
        double predictedNs = 0;
        for (const OpPlan& op : m_plan.ops) {
            SimulatedOp result;
            result.op = op.op;
            result.predicted = result.cost = op.cost;
            if (isOnPim(op)) {
                const OpRun& run = m_kernels[m_kernelOf[op.op.index()]];
                result.note = run.problem;
                if (run.problem.empty())
                    PIM_CHECK(addOp(result, op, run.kernel, host));
            }
            predictedNs += result.predicted.totalNs();
            m_result->totalNs += result.cost.totalNs();
            m_result->ops.push_back(std::move(result));
        }
        m_result->predictedNs = predictedNs;
        for (const CostPartInfo& part : kCostSplitParts) {
            double difference = 0;
            for (const SimulatedOp& op : m_result->ops)
                difference += op.cost.*part.ns - op.predicted.*part.ns;
            if (difference != 0)
                m_result->differenceNs[std::string(part.label)] = difference;
        }
        return {};
    }

    Result<void> addOp(SimulatedOp& result, const OpPlan& op, const KernelRun& run, const HostSide& host) {
        std::vector<bool> throughHost;
        std::vector<std::int64_t> bytes;
        for (const TensorPlan& tensor : op.tensors) {
            throughHost.push_back(tensor.residency == Residency::Streamed && tensor.tensor.valid());
            bytes.push_back(tensor.bytes);
        }
        result.origin = Origin::Simulated;
        result.timing = run.timing;
        result.channels = run.channels;
        PIM_CHECK(addHostSide(
            result, run,
            {*op.space, op.space->summarize(*op.draft), throughHost, bytes, m_plan.overlapHostTransfer}, host,
            m_task));
        if (const Appended appended = appendedTo(m_plan, op);
            appended.bytes > 0 && appended.residentBytes > 0) {
            PIM_TRY(const double read, host.readNs(appended.bytes, m_task));
            const double share =
                static_cast<double>(appended.bytes) / static_cast<double>(appended.residentBytes);
            result.hostReadNs += read;
            result.cost.inputNs += read + run.loadNs * share;
        }
        if (run.withoutEnergy.empty() && !run.energyPj.empty()) {
            result.energyPj = 0;
            for (const auto& [command, pj] : run.energyPj)
                *result.energyPj += pj;
        }
        for (std::size_t i = 0; i < run.timing->reasons.size(); ++i)
            if (run.timing->waited[i] > 0)
                m_result->waitedNs[run.timing->reasons[i]] += run.timing->ns(run.timing->waited[i]);
        for (const std::int64_t count : run.timing->commands)
            m_result->commands += count;
        m_result->phases.push_back({m_plan.graph->op(op.op).name, result.predicted.totalNs(),
                                    result.cost.totalNs(), reasonOf(result)});
        return {};
    }

    /// The largest difference between the parts, and what the commands waited for.
    static std::string reasonOf(const SimulatedOp& op) {
        const CostPartInfo* most = &kCostSplitParts.front();
        const auto difference = [&op](const CostPartInfo& part) {
            return op.cost.*part.ns - op.predicted.*part.ns;
        };
        for (const CostPartInfo& part : kCostSplitParts)
            if (std::abs(difference(part)) > std::abs(difference(*most)))
                most = &part;
        const double off = difference(*most);
        std::string text = fmt::format("{} {}{}", most->label, off < 0 ? "−" : "+", timeText(std::abs(off)));
        if (const std::string waits = waitsInWords(*op.timing, 2); !waits.empty())
            text += "; waiting: " + waits;
        return text;
    }

    void addEnergy() {
        std::set<std::string> unknown;
        for (const SimulatedOp& op : m_result->ops) {
            if (!op.timing)
                continue;
            const KernelRun& run = m_kernels[m_kernelOf[op.op.index()]].kernel;
            for (const auto& [command, pj] : run.energyPj)
                m_result->energyParts[command] += pj;
            unknown.insert(run.withoutEnergy.begin(), run.withoutEnergy.end());
        }
        const double perByte = m_plan.target->host.numberOr("energy.memory", "pJ/B", 0);
        if (const double bytes = hostBytes(); perByte > 0 && bytes > 0 && !m_result->energyParts.empty())
            m_result->energyParts[kHostMemoryPart] = perByte * bytes;
        if (!m_result->energyParts.empty()) {
            m_result->energyPj = 0;
            for (const auto& [part, pj] : m_result->energyParts)
                *m_result->energyPj += pj;
        }
        if (m_result->energyParts.empty()) {
            m_result->energyNote = "The target has no energy figures for its commands.";
            return;
        }
        m_result->energyNote = "Counted are the commands of PIM ops and the bytes between them and the "
                               "host's memory; ops on the "
                               "host, refresh and standby are left out.";
        if (!unknown.empty())
            m_result->energyNote +=
                fmt::format(" Nobody published what these commands take, so they are left out too: {}.",
                            fmt::join(unknown, ", "));
    }

    double hostBytes() const {
        double bytes = 0;
        for (const SimulatedOp& op : m_result->ops)
            if (op.timing)
                for (const TensorPlan& tensor : m_plan.opPlan(op.op).tensors)
                    if (tensor.residency == Residency::Streamed && tensor.tensor.valid())
                        bytes += static_cast<double>(tensor.bytes);
        return bytes;
    }

    // --- picture
    // --------------------------------------------------------------------------------------------------------

    enum Track : std::uint32_t { HostTrack, MemoryTrack, PimTrack };
    enum Kind : std::uint16_t { HostOp, HostRead, Input, Compute, Mode, Output, HostWrite, NotSimulated };

    /// One op after the other, each in its parts.
    void addTimeline() {
        Timeline& timeline = m_result->timeline;
        timeline.tracks = {{"host", "host"}, {"host memory", "host"}, {"PIM channels", "PIM"}};
        timeline.kinds = {{"op on the host", SpanRole::Vector},
                          {"operands from host memory", SpanRole::MemoryIn},
                          {"input to PIM", SpanRole::Transfer},
                          {"compute", SpanRole::Compute},
                          {"mode switch", SpanRole::Switching},
                          {"results from PIM", SpanRole::MemoryOut},
                          {"results to host memory", SpanRole::MemoryOut},
                          {"PIM, predicted only", SpanRole::Other}};
        timeline.labels = {""};
        timeline.labelOps = {-1};
        double now = 0;
        const auto add = [&](Track track, Kind kind, double ns) {
            if (ns <= 0)
                return;
            timeline.spans.push_back({now, static_cast<float>(ns), track, kind, 0xffff,
                                      static_cast<std::uint32_t>(timeline.labels.size() - 1)});
            now += ns;
        };
        for (const SimulatedOp& op : m_result->ops) {
            if (op.cost.totalNs() <= 0)
                continue;
            timeline.labels.push_back(m_plan.graph->op(op.op).name);
            timeline.labelOps.push_back(static_cast<int>(op.op.index()));
            if (!op.timing) {
                add(op.note.empty() ? HostTrack : PimTrack, op.note.empty() ? HostOp : NotSimulated,
                    op.cost.totalNs());
                continue;
            }
            add(MemoryTrack, HostRead, op.hostReadNs);
            add(PimTrack, Input, op.cost.inputNs - op.hostReadNs);
            add(PimTrack, Mode, op.cost.modeSwitchNs);
            add(PimTrack, Compute, op.cost.computeNs);
            add(PimTrack, Output, op.cost.outputNs - op.hostWriteNs);
            add(MemoryTrack, HostWrite, op.hostWriteNs);
        }
        timeline.finish();
    }

    void addWords(const HostStreams& streams) {
        std::stable_sort(
            m_result->phases.begin(), m_result->phases.end(),
            [](const SimulatedPhase& a, const SimulatedPhase& b) { return a.simulatedNs > b.simulatedNs; });
        const double predicted = m_result->predictedNs.value_or(0),
                     off = predicted > 0 ? m_result->totalNs / predicted - 1 : 0;
        std::string text =
            fmt::format("{} simulated, {} {} the prediction of {}", timeText(m_result->totalNs),
                        percentText(std::abs(off)), off < 0 ? "under" : "over", timeText(predicted));
        std::vector<std::pair<double, std::string>> causes;
        for (const auto& [cause, ns] : m_result->differenceNs)
            if (std::abs(ns) > 0.0005 * predicted)
                causes.emplace_back(ns, cause);
        std::stable_sort(causes.begin(), causes.end(),
                         [](const auto& a, const auto& b) { return std::abs(a.first) > std::abs(b.first); });
        for (std::size_t i = 0; i < std::min<std::size_t>(3, causes.size()); ++i)
            text += fmt::format("{} {} {}{}", i == 0 ? ":" : ",", causes[i].second,
                                causes[i].first < 0 ? "−" : "+",
                                percentText(std::abs(causes[i].first) / predicted));
        const auto simulated = std::count_if(m_result->ops.begin(), m_result->ops.end(),
                                             [](const SimulatedOp& op) { return op.timing != nullptr; });
        text += fmt::format(". {} of {} ops command by command (controller {} on {}; host memory {} channels "
                            "of {}), the others as predicted",
                            simulated, m_result->ops.size(), m_result->controller, m_result->device,
                            streams.channels(), streams.device().name);
        std::map<std::string, int> problems;
        for (const SimulatedOp& op : m_result->ops)
            if (!op.note.empty())
                ++problems[op.note];
        for (const auto& [problem, count] : problems)
            text += fmt::format("; {} on PIM could not be simulated: {}", count, problem);
        m_result->summary = text + ".";
    }

    const DramPimBackend& m_backend;
    const Plan& m_plan;
    const TaskContext& m_task;
    std::shared_ptr<Simulation> m_result;
    std::vector<OpRun> m_kernels;        ///< Distinct ones.
    std::vector<std::size_t> m_kernelOf; ///< By op; says nothing for an op on the host.
};

} // namespace

Result<std::shared_ptr<const Simulation>> DramPimBackend::simulate(const Plan& plan,
                                                                   const TaskContext& task) const {
    return NetworkSimulation(*this, plan, task).run();
}

Result<std::vector<SimulatedDraft>> DramPimBackend::simulateDrafts(const Exploration& exploration,
                                                                   std::span<const std::size_t> drafts,
                                                                   int threads,
                                                                   const TaskContext& task) const {
    const Target& target = *exploration.target;
    PIM_TRY(const auto simulator, KernelSimulator::create(*this, target));
    PIM_TRY(const auto streams, HostStreams::create(target));
    const HostSide host(*streams, target, exploration.codePasses);
    const TilingSpace& space = *exploration.space;
    std::vector<bool> throughHost;
    std::vector<std::int64_t> bytes;
    for (const TensorPlan& tensor : exploration.tensors) {
        throughHost.push_back(tensor.residency != Residency::Resident);
        bytes.push_back(tensor.bytes);
    }
    for (const std::size_t draft : drafts)
        if (draft >= exploration.drafts.size())
            return fail(ErrorCode::Usage,
                        fmt::format("draft {} of an exploration of {}", draft, exploration.drafts.size()));
    std::vector<SimulatedDraft> results(drafts.size());
    std::atomic<std::int64_t> done{0};
    std::mutex reporting;
    parallelFor(drafts.size(), threads, [&](std::size_t i) {
        SimulatedDraft& result = results[i];
        result.draft = drafts[i];
        const Draft& draft = exploration.drafts[drafts[i]];
        const TaskContext quiet{task.stop, {}};
        const auto run = simulator.run(space, draft, residencyOf(exploration.tensors), exploration.codePasses,
                                       false, quiet);
        SimulatedOp op;
        auto added = run ? addHostSide(op, *run, {space, space.summarize(draft), throughHost, bytes, false},
                                       host, quiet)
                         : Result<void>(tl::unexpected<Error>(run.error()));
        if (added) {
            result.cost = op.cost;
            result.timing = run->timing;
        } else {
            result.problem = added.error().text();
        }
        const std::lock_guard lock(reporting);
        task.report("simulating drafts", ++done, std::ssize(drafts));
    });
    if (task.cancelled())
        return TaskContext::cancelledError("simulating drafts");
    return results;
}

} // namespace pim
