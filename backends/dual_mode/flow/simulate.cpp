// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/flow/simulate.h"

#include "backends/dual_mode/flow/block_run.h"
#include "backends/dual_mode/flow/timeline_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace pim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kNeverFreed = std::numeric_limits<int>::max();
/// A vector operator is cut into portions of no fewer parts than this.
constexpr std::int64_t kVectorRows = 4096;
constexpr std::size_t kArraySpans = 24;  ///< Drawn at most for one operator on one array,
constexpr std::size_t kUnitSpans = 2048; ///< and for one block on the bus or the vector unit;
constexpr double kTimelineSpans = 2e6;   ///< fewer where all together would be more than this.
constexpr int kBus = 0, kVectorUnit = 1; ///< Servers; those of holds follow.

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

/// Bytes in memory-mode arrays.
struct SimulatedHold {
    int tensor = -1;
    ByteRuns runs;
    std::vector<int> arrays;
    bool window = false;
    bool fresh = false;   ///< Takes what this block writes: made here and not loaded.
    bool fetched = false; ///< Window over main memory: somebody brings the bytes already.
    int server = -1;      ///< In the block at work.
};

/// Who an actor is.
struct ActorRole {
    std::size_t op = 0; ///< Position in the block.
    int result = -1;    ///< Position in DualModeSimulation::ops, -1 for transfers.
    std::uint32_t label = 0;
    std::vector<int> arrays; ///< Its own, for the timeline.
    std::uint16_t kind = kSpanCompute;
};

class FlowSimulator {
public:
    FlowSimulator(const DualModeFlow& flow, const DualModeChip& chip,
                  const DualModeSimulationOptions& options, const Segmentation* segmentation,
                  const TaskContext& task)
        : m_flow(flow), m_chip(chip), m_options(options), m_segmentation(segmentation), m_task(task),
          m_log(options.timeline ? flow.arrays : 0, chip.cycleNs), m_memory(at(flow.arrays), 0),
          m_weights(at(flow.arrays), {-1, -1}), m_holdOf(at(flow.arrays), -1), m_made(flow.tensors.size(), 0),
          m_partly(flow.tensors.size(), 0), m_lastRead(flow.tensors.size(), -1),
          m_left(flow.tensors.size(), 0), m_localOf(flow.tensors.size(), -1),
          m_lastActor(at(flow.arrays), -1), m_writes(flow.tensors.size(), -1),
          m_followers(flow.tensors.size(), 0), m_weightsThere(flow.pieces.size(), -1),
          m_blocks(options.blocks ? *options.blocks : m_ownBlocks) {}

    Result<DualModeSimulation> run() {
        PIM_CHECK(checkChip());
        prepare();
        for (std::size_t block = 0; block < m_flow.blocks.size(); ++block) {
            if (m_task.cancelled())
                return TaskContext::cancelledError("the simulation");
            m_task.report("simulating", static_cast<std::int64_t>(block),
                          static_cast<std::int64_t>(m_flow.blocks.size()));
            PIM_CHECK(simulateBlock(block));
        }
        m_result.cycles = m_now;
        m_result.ns = m_now * m_chip.cycleNs;
        energy();
        if (m_options.timeline) {
            m_result.timeline = m_log.finish(m_now);
            m_result.stretchNs = m_log.stretchNs();
        }
        return std::move(m_result);
    }

private:
    // ---- preparation ----

    Result<void> checkChip() const {
        if (m_chip.arrays < m_flow.arrays || m_chip.rows < m_flow.rows || m_chip.columns < m_flow.columns ||
            m_chip.arrayBytes < m_flow.arrayBytes)
            return fail(
                ErrorCode::InvalidTarget,
                fmt::format(
                    "the flow is for {} arrays of {} x {} and {} bytes, the chip has {} of {} x {} and {}",
                    m_flow.arrays, m_flow.rows, m_flow.columns, m_flow.arrayBytes, m_chip.arrays, m_chip.rows,
                    m_chip.columns, m_chip.arrayBytes),
                m_chip.name, "emit the flow for this chip");
        for (const double positive : {m_chip.cycleNs, m_chip.cyclesPerMvm, m_chip.mainBytesPerCycle})
            if (!(positive > 0) || !std::isfinite(positive))
                return fail(ErrorCode::InvalidTarget,
                            "cycle, cycles per product and bandwidth of main memory must be greater than 0",
                            m_chip.name);
        if (m_segmentation && m_segmentation->segments.size() != m_flow.blocks.size())
            return fail(ErrorCode::InvalidFile,
                        fmt::format("the flow has {} blocks, the plan {} segments", m_flow.blocks.size(),
                                    m_segmentation->segments.size()));
        return {};
    }

    void prepare() {
        const double blocks = static_cast<double>(std::max<std::size_t>(1, m_flow.blocks.size()));
        m_arraySpans = static_cast<std::size_t>(
            std::clamp(kTimelineSpans / (blocks * m_flow.arrays), 2.0, static_cast<double>(kArraySpans)));
        m_unitSpans = static_cast<std::size_t>(
            std::clamp(kTimelineSpans / 4 / blocks, 16.0, static_cast<double>(kUnitSpans)));
        for (const int tensor : m_flow.inputs)
            m_made[at(m_flow.root(tensor))] = 1;
        for (std::size_t i = 0; i < m_flow.tensors.size(); ++i)
            if (m_flow.tensors[i].kind == FlowTensorKind::Constant)
                m_made[i] = 1;
        std::map<int, int> pieces;
        for (const FlowPiece& piece : m_flow.pieces) {
            m_left[at(m_flow.root(m_flow.ops[at(piece.op)].result))] +=
                piece.sum == SumRole::Whole || piece.sum == SumRole::Last;
            ++pieces[piece.op];
        }
        std::map<int, int> seen;
        for (const FlowPiece& piece : m_flow.pieces) {
            const FlowOp& op = m_flow.ops[at(piece.op)];
            const int number = ++seen[piece.op];
            m_pieceNames.push_back(pieces[piece.op] == 1
                                       ? op.name
                                       : fmt::format("{} piece {}/{}", op.name, number, pieces[piece.op]));
            m_pieceLabels.push_back(label(m_pieceNames.back(), op.op));
        }
        for (std::size_t b = 0; b < m_flow.blocks.size(); ++b)
            for (const FlowOperator& o : m_flow.blocks[b].operators)
                forEachRead(o, [&](int root) { m_lastRead[at(root)] = static_cast<int>(b); });
        for (const int tensor : m_flow.outputs)
            m_lastRead[at(m_flow.root(tensor))] = kNeverFreed;
    }

    template <class Visit>
    void forEachRead(const FlowOperator& o, Visit&& visit) const {
        if (o.kind == FlowKind::Multiply)
            visit(m_flow.root(m_flow.ops[at(m_flow.pieces[at(o.piece)].op)].streamed));
        if (o.kind == FlowKind::WriteWeights)
            if (const int weights = m_flow.ops[at(m_flow.pieces[at(o.piece)].op)].weights; weights >= 0)
                visit(m_flow.root(weights));
        if (o.run && !o.run->view)
            for (const int tensor : o.run->reads)
                visit(m_flow.root(tensor));
    }

    const FlowTensor& tensor(int root) const { return m_flow.tensors[at(root)]; }
    double holdRate(std::size_t arrays) const {
        const double rate =
            static_cast<double>(arrays) * m_chip.arrayBytesPerCycle / (1 + std::max(0.0, m_chip.readCycles));
        return rate > 0 ? rate : m_chip.mainBytesPerCycle;
    }

    // ---- one block ----

    tl::unexpected<Error> wrong(std::string message) const {
        return fail(ErrorCode::InvalidFile, std::move(message), flowPosition(m_flow, m_block, m_operator));
    }

    Result<void> simulateBlock(std::size_t block) {
        m_block = block;
        const FlowBlock& source = m_flow.blocks[block];
        const double start = m_now;
        if (m_options.timeline)
            m_log.beginBlock(source.name.empty() ? fmt::format("block {}", block) : source.name, start);
        m_run = {};
        m_run.portions = m_options.portions;
        m_run.servers = {{m_chip.mainBytesPerCycle, 0},
                         {m_chip.vectorLanes > 0 ? m_chip.vectorLanes : kInfinity, 0}};
        m_roles.clear();
        for (const int root : m_locals)
            m_localOf[at(root)] = -1;
        m_locals.clear();
        std::ranges::fill(m_lastActor, -1);
        m_begun = false;
        m_releasedHere.assign(at(m_flow.arrays), 0);
        m_time = {};
        m_writeServer = 0;
        m_rewriteEnd = 0;
        m_busSpans.clear();
        for (SimulatedHold& hold : m_holds)
            hold.fresh = hold.fetched = false, hold.server = -1;
        findWrites(source);
        for (m_operator = 0; m_operator < source.operators.size(); ++m_operator)
            PIM_CHECK(take(source.operators[m_operator]));
        const double origin = m_now; // stores and switches are behind us
        PIM_TRY(const DualModeGap gap, runBlock());
        m_time.rewrite = m_rewriteEnd;
        m_time.intra = std::max(0.0, m_run.end - m_rewriteEnd);
        draw(origin);
        m_now = origin + m_time.rewrite + m_time.intra;
        if (m_options.timeline)
            m_log.endBlock(m_now);

        DualModeBlockSimulation done;
        done.name = source.name;
        done.startNs = start * m_chip.cycleNs;
        done.endNs = m_now * m_chip.cycleNs;
        done.simulated = m_time;
        if (m_segmentation) {
            const DualModeSegment& segment = m_segmentation->segments[block];
            done.analytic = {segment.writeBack, segment.switching, segment.rewrite, segment.intra};
            done.gap = gap;
            done.gap.writeBack = m_time.writeBack - segment.writeBack;
            done.gap.switching = m_time.switching - segment.switching;
            done.gap.rewrite = m_time.rewrite - segment.rewrite;
            m_result.gap += done.gap;
            m_result.analyticCycles += segment.cycles();
        }
        m_result.blocks.push_back(std::move(done));
        for (const ActorRole& role : m_roles) {
            if (role.result < 0)
                continue;
            const FlowActor& actor = m_run.actors[static_cast<std::size_t>(&role - m_roles.data())];
            DualModeOpTime& op = m_result.ops[at(role.result)];
            op.startNs = (origin + std::max(0.0, actor.start)) * m_chip.cycleNs;
            op.endNs = (origin + actor.end) * m_chip.cycleNs;
            op.busyNs = actor.busy * m_chip.cycleNs;
        }
        return {};
    }

    /// How much of each tensor this block writes: what takes the fresh arrays.
    void findWrites(const FlowBlock& block) {
        for (const int root : m_written)
            m_writes[at(root)] = -1;
        m_written.clear();
        for (const int root : m_followed)
            m_followers[at(root)] = 0;
        m_followed.clear();
        for (const FlowOperator& o : block.operators) {
            if (o.kind == FlowKind::Multiply) {
                const FlowPiece& piece = m_flow.pieces[at(o.piece)];
                const FlowOp& op = m_flow.ops[at(piece.op)];
                if (piece.sum == SumRole::Whole || piece.sum == SumRole::Last)
                    fractionWritten(m_flow.root(op.result)) +=
                        static_cast<double>(piece.k) * static_cast<double>(piece.g) /
                        (static_cast<double>(op.k) * static_cast<double>(op.g));
            } else if (o.run && !o.run->view) {
                for (const int tensor : o.run->writes)
                    fractionWritten(m_flow.root(tensor)) = 1;
                for (const int tensor : o.run->reads) {
                    m_followers[at(m_flow.root(tensor))] = 1;
                    m_followed.push_back(m_flow.root(tensor));
                }
            }
        }
    }
    /// Of a tensor that this block writes, or is about to: 0 where nobody said so before.
    double& fractionWritten(int root) {
        double& fraction = m_writes[at(root)];
        if (fraction < 0) {
            fraction = 0;
            m_written.push_back(root);
        }
        return fraction;
    }

    Result<void> take(const FlowOperator& o) {
        switch (o.kind) {
        case FlowKind::SwitchToMemory:
        case FlowKind::SwitchToCompute:
            return toggle(o);
        case FlowKind::WriteWeights:
            return writeWeights(o);
        case FlowKind::Multiply:
            return multiply(o);
        case FlowKind::Hold:
            return hold(o);
        case FlowKind::Load:
        case FlowKind::Store:
        case FlowKind::Release:
            return move(o);
        case FlowKind::Vector:
        case FlowKind::Host:
            return digital(o);
        }
        return {};
    }

    Result<void> toggle(const FlowOperator& o) {
        if (m_begun)
            return wrong("modes are switched at the start of a block, before anything runs");
        const bool memory = o.kind == FlowKind::SwitchToMemory;
        const double each = memory ? m_chip.toMemoryCycles : m_chip.toComputeCycles;
        for (const int array : o.arrays.numbers()) {
            if ((m_memory[at(array)] != 0) == memory)
                return wrong(
                    fmt::format("array {} is in {} mode already", array, memory ? "memory" : "compute"));
            if (m_holdOf[at(array)] >= 0)
                return wrong(fmt::format("array {} still holds bytes of \"{}\"", array,
                                         tensor(m_holds[at(m_holdOf[at(array)])].tensor).name));
            m_memory[at(array)] = memory;
            m_weights[at(array)] = {-1, -1};
            ++m_result.switches;
            if (m_options.timeline)
                m_log.add(array, {m_now, m_now + each, memory ? kSpanToMemory : kSpanToCompute, 0});
            m_now += each;
            m_time.switching += each;
        }
        return {};
    }

    int addActor(FlowActor actor, ActorRole role) {
        m_begun = true;
        role.op = m_operator;
        m_run.actors.push_back(std::move(actor));
        m_roles.push_back(std::move(role));
        return static_cast<int>(m_run.actors.size()) - 1;
    }

    int local(int root) {
        int& number = m_localOf[at(root)];
        if (number < 0) {
            number = static_cast<int>(m_locals.size());
            m_locals.push_back(root);
        }
        return number;
    }
    std::uint32_t label(const std::string& text, OpId op) {
        return m_options.timeline ? m_log.addLabel(text, op.value) : 0;
    }

    /// Whoever was the last to use these arrays in this block.
    std::vector<int> lastUsers(const std::vector<int>& arrays) const {
        std::vector<int> users;
        for (const int array : arrays)
            if (const int user = m_lastActor[at(array)];
                user >= 0 && (users.empty() || users.back() != user)) // neighbours often have the same
                users.push_back(user);
        std::sort(users.begin(), users.end());
        users.erase(std::unique(users.begin(), users.end()), users.end());
        return users;
    }

    /// Copies of a piece's blocks lie in the arrays one after the other.
    static int next(int block, const FlowPiece& piece) { return block + 1 < piece.blocks ? block + 1 : 0; }

    Result<void> writeWeights(const FlowOperator& o) {
        const FlowPiece& piece = m_flow.pieces[at(o.piece)];
        const FlowOp& op = m_flow.ops[at(piece.op)];
        const std::vector<int> arrays = o.arrays.numbers();
        std::vector<int> write; // entries not there yet
        write.reserve(arrays.size());
        std::pair<int, int> wanted{o.piece, 0};
        for (std::size_t i = 0; i < arrays.size(); ++i, wanted.second = next(wanted.second, piece)) {
            if (m_memory[at(arrays[i])] != 0)
                return wrong(fmt::format("array {} is in memory mode", arrays[i]));
            if (op.weights >= 0 || m_weights[at(arrays[i])] != wanted)
                write.push_back(static_cast<int>(i));
            m_weights[at(arrays[i])] = wanted;
        }
        m_result.arraysWritten += static_cast<std::int64_t>(write.size());
        const double bytes =
            static_cast<double>(piece.n) * static_cast<double>(piece.k) * static_cast<double>(piece.g);
        const std::vector<int> users = lastUsers(arrays);
        if (op.weights < 0 && users.empty()) {
            writeAtBorder(o, arrays, write, bytes / piece.blocks);
            return {};
        }
        // Written while the block runs: computed on the way, or into arrays somebody used before.
        FlowActor actor;
        ActorRole role;
        actor.after = users;
        actor.cyclesPerGranule = m_chip.writeCyclesPerArray * static_cast<double>(write.size());
        if (op.weights >= 0) {
            const int root = m_flow.root(op.weights);
            if (m_made[at(root)] == 0)
                return wrong(fmt::format("\"{}\" is not there yet", tensor(root).name));
            actor.waits.push_back({local(root), 1});
            read(actor, root, bytes, false);
        } else {
            actor.in.push_back({kBus, bytes, false});
        }
        role.kind = kSpanRewrite;
        role.label = m_pieceLabels[at(o.piece)];
        for (const int i : write)
            role.arrays.push_back(arrays[at(i)]);
        const int number = addActor(std::move(actor), std::move(role));
        count(number);
        for (const int array : arrays)
            m_lastActor[at(array)] = number;
        return {};
    }

    /// Constant weights: all of them are known, so their order over the bus and into the arrays is as well.
    void writeAtBorder(const FlowOperator& o, const std::vector<int>& arrays, const std::vector<int>& write,
                       double blockBytes) {
        FlowServer& bus = m_run.servers[kBus];
        std::vector<double> arrival(at(m_flow.pieces[at(o.piece)].blocks), -1);
        double port = m_options.rewrite == RewriteRule::Sum ? m_writeServer : 0;
        for (const int i : write) {
            double& there = arrival[at(i) % arrival.size()];
            if (there < 0) { // once for all copies
                if (m_options.timeline)
                    m_busSpans.push_back({bus.freeAt, bus.freeAt + blockBytes / bus.bytesPerCycle,
                                          kSpanTransfer, m_pieceLabels[at(o.piece)]});
                there = bus.freeAt += blockBytes / bus.bytesPerCycle;
                m_result.mainBytes += blockBytes;
            }
            // An array takes its rows as they come; the last one ends the write.
            const double begin = std::max(port, there - m_chip.writeCyclesPerArray);
            port = std::max(port + m_chip.writeCyclesPerArray,
                            std::max(there, begin + m_chip.writeCyclesPerArray));
            if (m_options.timeline)
                m_borderWrites.push_back(
                    {arrays[at(i)],
                     {port - m_chip.writeCyclesPerArray, port, kSpanRewrite, m_pieceLabels[at(o.piece)]}});
        }
        m_writeServer = std::max(m_writeServer, port);
        m_rewriteEnd = std::max(m_rewriteEnd, port);
        m_weightsThere[at(o.piece)] = port;
    }

    /// Adds the transfers of reading \p bytes of a tensor, held bytes and the others in proportion.
    void read(FlowActor& actor, int root, double bytes, bool closeBehind) {
        const FlowTensor& source = tensor(root);
        if (source.buffered || source.bytes == 0)
            return;
        double main = bytes;
        for (SimulatedHold& hold : m_holds) {
            if (hold.tensor != root || (hold.window && !closeBehind))
                continue;
            const double held = static_cast<double>(hold.runs.bytes()),
                         part = bytes * held / static_cast<double>(source.bytes);
            actor.in.push_back({server(hold), part, false});
            main -= part;
            if (hold.window && m_writes[at(root)] < 0 && !std::exchange(hold.fetched, true)) {
                actor.in.push_back({kBus, held, false}); // each byte comes from main memory once
                actor.in.push_back({server(hold), held, true});
            }
        }
        if (main > 1e-9 * bytes)
            actor.in.push_back({kBus, main, false});
    }

    void write(FlowActor& actor, int root, double bytes) {
        const FlowTensor& target = tensor(root);
        if (target.buffered || target.bytes == 0)
            return;
        double fresh = 0;
        for (const SimulatedHold& hold : m_holds)
            if (hold.tensor == root && hold.fresh)
                fresh += static_cast<double>(hold.runs.bytes());
        const double all = std::max(1.0, fractionWritten(root) * static_cast<double>(target.bytes));
        const double scale = std::min(1.0, fresh / all);
        double main = bytes;
        for (SimulatedHold& hold : m_holds) {
            if (hold.tensor != root || !hold.fresh)
                continue;
            const double part = bytes * scale * static_cast<double>(hold.runs.bytes()) / fresh;
            actor.out.push_back({server(hold), part, true});
            // A window forgets: whoever does not follow closely reads main memory.
            const bool through = hold.window && (m_lastRead[at(root)] > static_cast<int>(m_block) ||
                                                 m_followers[at(root)] != 0);
            if (!through)
                main -= part;
        }
        if (main > 1e-9 * bytes)
            actor.out.push_back({kBus, main, true});
    }

    int server(SimulatedHold& hold) {
        if (hold.server < 0) {
            hold.server = static_cast<int>(m_run.servers.size());
            m_run.servers.push_back({holdRate(hold.arrays.size()), 0});
            m_serverArrays.emplace_back(hold.server, hold.arrays);
        }
        return hold.server;
    }

    /// Bytes an actor moves go to the totals and to its operator.
    void count(int number, DualModeOpTime* op = nullptr) {
        const FlowActor& actor = m_run.actors[at(number)];
        for (const auto* list : {&actor.in, &actor.out})
            for (const FlowTransfer& transfer : *list) {
                if (transfer.server == kVectorUnit)
                    continue;
                (transfer.server == kBus ? m_result.mainBytes : m_result.arrayBytes) += transfer.bytes;
                if (op)
                    (transfer.server == kBus ? op->mainBytes : op->arrayBytes) += transfer.bytes;
            }
    }

    int addResult(std::string name, OpId op, int piece) {
        DualModeOpTime time;
        time.name = std::move(name);
        time.op = op;
        time.piece = piece;
        time.block = static_cast<int>(m_block);
        m_result.ops.push_back(std::move(time));
        return static_cast<int>(m_result.ops.size()) - 1;
    }

    Result<void> multiply(const FlowOperator& o) {
        const FlowPiece& piece = m_flow.pieces[at(o.piece)];
        const FlowOp& op = m_flow.ops[at(piece.op)];
        const std::vector<int> arrays = o.arrays.numbers();
        std::pair<int, int> wanted{o.piece, 0};
        for (std::size_t i = 0; i < arrays.size(); ++i, wanted.second = next(wanted.second, piece)) {
            if (m_memory[at(arrays[i])] != 0)
                return wrong(fmt::format("array {} is in memory mode and cannot compute", arrays[i]));
            if (m_weights[at(arrays[i])] != wanted)
                return wrong(
                    fmt::format("array {} does not have block {} of the weights", arrays[i], wanted.second));
        }
        const int source = m_flow.root(op.streamed), result = m_flow.root(op.result);
        if (m_made[at(source)] == 0)
            return wrong(fmt::format("\"{}\" is not there yet", tensor(source).name));
        FlowActor actor;
        actor.rows = op.m;
        actor.granule = o.copies;
        actor.cyclesPerGranule = m_chip.cyclesPerMvm + std::max(0.0, m_chip.computeCycles);
        actor.after = lastUsers(arrays);
        if (const double there = m_weightsThere[at(o.piece)]; there >= 0)
            actor.notBefore = there;
        const double m = static_cast<double>(op.m), n = static_cast<double>(piece.n),
                     k = static_cast<double>(piece.k), g = static_cast<double>(piece.g);
        actor.waits.push_back(
            {local(source), static_cast<double>(op.pace.lead) / static_cast<double>(op.pace.of)});
        read(actor, source, m * n * g, true);
        const double sums = m * k * g;
        if (piece.sum == SumRole::More || piece.sum == SumRole::Last) {
            if (m_made[at(op.accumulator)] == 0)
                return wrong(fmt::format("adds to sums of \"{}\" that are not there", op.name));
            actor.out.push_back({kVectorUnit, sums, false});
            read(actor, op.accumulator, sums * kDualModePartialSumBytes, false);
        }
        if (piece.sum == SumRole::Last)
            actor.waits.push_back({local(op.accumulator), 0});
        if (piece.sum == SumRole::First || piece.sum == SumRole::More) {
            actor.makes.push_back(local(op.accumulator));
            m_made[at(op.accumulator)] = 1;
            write(actor, op.accumulator, sums * kDualModePartialSumBytes);
        } else {
            actor.makes.push_back(local(result));
            m_partly[at(result)] = 1;
            if (--m_left[at(result)] <= 0)
                m_made[at(result)] = 1;
            write(actor, result,
                  sums * static_cast<double>(tensor(result).bytes) /
                      (m * static_cast<double>(op.k) * static_cast<double>(op.g)));
        }
        m_result.macs += m * n * k * g;
        ActorRole role;
        role.result = addResult(m_pieceNames[at(o.piece)], op.op, o.piece);
        role.label = m_pieceLabels[at(o.piece)];
        if (m_options.timeline)
            role.arrays = arrays;
        const int number = addActor(std::move(actor), std::move(role));
        count(number, &m_result.ops.back());
        for (const int array : arrays)
            m_lastActor[at(array)] = number;
        return {};
    }

    Result<void> hold(const FlowOperator& o) {
        SimulatedHold made;
        made.tensor = o.tensor;
        made.runs = o.runs;
        made.arrays = o.arrays.numbers();
        made.window = o.window;
        made.fresh = true;
        for (const int array : made.arrays) {
            if (m_memory[at(array)] == 0)
                return wrong(fmt::format("array {} is in compute mode and cannot hold data", array));
            if (m_holdOf[at(array)] >= 0)
                return wrong(fmt::format("array {} holds bytes of \"{}\" already", array,
                                         tensor(m_holds[at(m_holdOf[at(array)])].tensor).name));
            if (m_begun && m_releasedHere[at(array)] != 0)
                return wrong(fmt::format("array {} changes what it holds while the block runs", array));
        }
        for (const int array : made.arrays)
            m_holdOf[at(array)] = static_cast<int>(m_holds.size());
        m_holds.push_back(std::move(made));
        return {};
    }

    Result<void> move(const FlowOperator& o) {
        const auto found = std::find_if(m_holds.begin(), m_holds.end(), [&](const SimulatedHold& hold) {
            return hold.tensor == o.tensor && hold.runs == o.runs;
        });
        if (found == m_holds.end())
            return wrong(fmt::format("no arrays hold these bytes of \"{}\"", tensor(o.tensor).name));
        SimulatedHold& held = *found;
        const double bytes = static_cast<double>(o.runs.bytes());
        if (o.kind == FlowKind::Release) {
            for (const int array : held.arrays) {
                m_holdOf[at(array)] = -1;
                m_releasedHere[at(array)] = held.server >= 0;
            }
            // The last hold takes the free place.
            const auto place = static_cast<int>(found - m_holds.begin());
            if (found + 1 != m_holds.end()) {
                m_holds[at(place)] = std::move(m_holds.back());
                for (const int array : m_holds[at(place)].arrays)
                    m_holdOf[at(array)] = place;
            }
            m_holds.pop_back();
            return {};
        }
        if (m_made[at(o.tensor)] == 0 &&
            m_partly[at(o.tensor)] == 0) // a piece may have written these bytes alone
            return wrong(fmt::format("\"{}\" is not there yet", tensor(o.tensor).name));
        const double backRate =
            m_chip.writeBackBytesPerCycle > 0 ? m_chip.writeBackBytesPerCycle : m_chip.mainBytesPerCycle;
        if (o.kind == FlowKind::Store && !m_begun) {
            // Before the modes change: nothing else runs, nothing can be gained by order.
            const double cycles = std::max(bytes / backRate, bytes / holdRate(held.arrays.size()));
            if (m_options.timeline) {
                for (const int array : held.arrays)
                    m_log.add(array,
                              {m_now, m_now + bytes / holdRate(held.arrays.size()), kSpanMemoryOut, 0});
                m_log.add(m_log.busTrack(), {m_now, m_now + bytes / backRate, kSpanTransfer, 0});
            }
            m_now += cycles;
            m_time.writeBack += cycles;
            m_result.mainBytes += bytes;
            m_result.arrayBytes += bytes;
            return {};
        }
        FlowActor actor;
        actor.rows = std::max<std::int64_t>(1, std::min<std::int64_t>(o.runs.bytes(), kVectorRows));
        ActorRole role;
        if (o.kind == FlowKind::Load) {
            held.fresh = false;
            actor.in.push_back({kBus, bytes, false});
            actor.out.push_back({server(held), bytes, true});
            actor.makes.push_back(local(o.tensor));
        } else {
            actor.waits.push_back({local(o.tensor), 1});
            actor.in.push_back({server(held), bytes, false});
            actor.out.push_back({kBus, bytes * m_chip.mainBytesPerCycle / backRate, true});
        }
        count(addActor(std::move(actor), std::move(role)));
        return {};
    }

    Result<void> digital(const FlowOperator& o) {
        for (const int id : o.run->reads)
            if (m_made[at(m_flow.root(id))] == 0)
                return wrong(fmt::format("\"{}\" is not there yet", tensor(id).name));
        if (o.run->view)
            return {};
        FlowActor actor;
        const bool host = o.kind == FlowKind::Host;
        double written = 0;
        std::vector<int> roots;
        for (const int id : o.run->reads)
            if (const int root = m_flow.root(id);
                std::find(roots.begin(), roots.end(), root) == roots.end()) {
                roots.push_back(root);
                actor.waits.push_back(
                    {local(root),
                     host ? 1 : static_cast<double>(o.run->pace.lead) / static_cast<double>(o.run->pace.of)});
                read(actor, root, static_cast<double>(tensor(root).bytes), false);
            }
        for (const int id : o.run->writes) {
            const int root = m_flow.root(id);
            written += static_cast<double>(tensor(root).bytes);
            actor.makes.push_back(local(root));
            m_made[at(root)] = 1;
            write(actor, root, static_cast<double>(tensor(root).bytes));
        }
        ActorRole role;
        role.kind = kSpanVector;
        if (host) {
            ++m_result.hostOps;
        } else {
            actor.rows =
                static_cast<std::int64_t>(std::clamp(written, 1.0, static_cast<double>(kVectorRows)));
            actor.runServer = kVectorUnit;
            actor.runWork = static_cast<double>(o.run->work);
        }
        role.result = addResult(o.run->name, o.run->op, -1);
        role.label = label(o.run->name, o.run->op);
        count(addActor(std::move(actor), std::move(role)), &m_result.ops.back());
        return {};
    }

    /// Runs the actors, and, to tell causes apart, again without them.
    Result<DualModeGap> runBlock() {
        m_run.tensors = static_cast<int>(m_locals.size());
        DualModeGap gap;
        if (m_segmentation) {
            const double analytic = m_segmentation->segments[m_block].intra;
            FlowBlockRun less = m_run;
            less.privateServer.assign(less.servers.size(), 1);
            less.servers[kVectorUnit].bytesPerCycle = kInfinity;
            less.ignoreWaits = true;
            PIM_TRY(const double alone, intra(less));
            less.ignoreWaits = false;
            PIM_TRY(const double filled, intra(less));
            less.servers[kVectorUnit] = m_run.servers[kVectorUnit];
            less.privateServer[kVectorUnit] = 0;
            PIM_TRY(const double vectored, intra(less));
            m_run.keepBusy = m_options.timeline;
            PIM_TRY(const double all, intra(m_run));
            gap.transfer = alone - analytic;
            gap.fill = filled - alone;
            gap.vector = vectored - filled;
            gap.bus = all - vectored;
        } else {
            m_run.keepBusy = m_options.timeline;
            PIM_CHECK(intra(m_run));
        }
        for (const FlowOperator& o : m_flow.blocks[m_block].operators)
            if (o.kind == FlowKind::WriteWeights)
                m_weightsThere[at(o.piece)] = -1;
        return gap;
    }

    Result<double> intra(FlowBlockRun& run) {
        const int stuck = run.keepBusy ? run.run(m_task) : m_blocks.run(run, m_task);
        m_result.events += run.events;
        if (stuck == -2)
            return TaskContext::cancelledError("the simulation");
        if (stuck >= 0)
            return fail(ErrorCode::InvalidFile, "waits for data that wait for it",
                        flowPosition(m_flow, m_block, m_roles[at(stuck)].op));
        return std::max(0.0, run.end - m_rewriteEnd);
    }

    void draw(double origin) {
        if (m_options.timeline) {
            for (const auto& [array, span] : m_borderWrites)
                m_log.add(array, {origin + span.start, origin + span.end, span.kind, span.label});
            for (std::size_t i = 0; i < m_roles.size(); ++i) {
                const ActorRole& role = m_roles[i];
                std::vector<FlowSpan> spans;
                for (const FlowBusy& busy : m_run.actorBusy[i])
                    spans.push_back({origin + busy.start, origin + busy.end, role.kind, role.label});
                if (role.kind != kSpanRewrite) {
                    m_log.add(role.arrays, std::move(spans), m_arraySpans);
                } else if (!spans.empty()) { // one array after the other
                    const double each = m_chip.writeCyclesPerArray;
                    for (std::size_t array = 0; array < role.arrays.size(); ++array)
                        m_log.add(role.arrays[array], {spans[0].start + each * static_cast<double>(array),
                                                       spans[0].start + each * static_cast<double>(array + 1),
                                                       role.kind, role.label});
                }
            }
            // A hold that was released at the end of the block is gone, its arrays are not.
            std::vector<FlowSpan> bus;
            for (const FlowSpan& span : m_busSpans)
                bus.push_back({origin + span.start, origin + span.end, span.kind, span.label});
            const auto add = [&](std::vector<FlowSpan>& spans, int server, bool memory, std::uint16_t kind) {
                for (const FlowBusy& busy : m_run.serverBusy[at(server)]) {
                    const std::uint16_t way = busy.write ? kSpanMemoryOut : kSpanMemoryIn;
                    spans.push_back({origin + busy.start, origin + busy.end, memory ? way : kind,
                                     m_roles[at(busy.actor)].label});
                }
            };
            add(bus, kBus, false, kSpanTransfer);
            m_log.add({m_log.busTrack()}, std::move(bus), m_unitSpans);
            std::vector<FlowSpan> vector;
            add(vector, kVectorUnit, false, kSpanVector);
            m_log.add({m_log.vectorTrack()}, std::move(vector), m_unitSpans);
            for (const auto& [server, arrays] : m_serverArrays) {
                std::vector<FlowSpan> spans;
                add(spans, server, true, 0);
                m_log.add(arrays, std::move(spans), m_arraySpans);
            }
        }
        m_serverArrays.clear();
        m_borderWrites.clear();
    }

    void energy() {
        DualModeEnergy& e = m_result.energy;
        double total = 0;
        bool any = false, complete = true;
        const auto part = [&](std::optional<double>& to, const std::optional<double>& each, double count) {
            if (each) {
                to = *each * count;
                total += *to;
                any = true;
            } else if (count > 0) {
                complete = false;
            }
        };
        part(e.mac, m_chip.macPj, m_result.macs);
        part(e.arrays, m_chip.arrayBytePj, m_result.arrayBytes);
        part(e.main, m_chip.mainBytePj, m_result.mainBytes);
        part(e.rewrite, m_chip.writeArrayPj, static_cast<double>(m_result.arraysWritten));
        part(e.switching, m_chip.switchPj, static_cast<double>(m_result.switches));
        if (any)
            e.total = total;
        e.complete = any && complete;
    }

    const DualModeFlow& m_flow;
    const DualModeChip& m_chip;
    const DualModeSimulationOptions m_options;
    const Segmentation* m_segmentation;
    const TaskContext& m_task;
    TimelineLog m_log;
    DualModeSimulation m_result;
    double m_now = 0; ///< Cycle the block at work starts running, behind its border.

    // The chip.
    std::vector<char> m_memory;
    std::vector<std::pair<int, int>> m_weights; ///< Array -> piece and block.
    std::vector<int> m_holdOf;
    std::vector<SimulatedHold> m_holds;
    // The data.
    std::vector<char> m_made, m_partly; ///< Whole tensors, and those some piece has written a part of.
    std::vector<int> m_lastRead, m_left;
    std::vector<std::string> m_pieceNames;
    std::vector<std::uint32_t> m_pieceLabels;

    // The block at work; cycles count from m_now.
    std::size_t m_block = 0, m_operator = 0;
    bool m_begun = false; ///< Something runs: the border is over.
    FlowBlockRun m_run;
    std::vector<ActorRole> m_roles;
    std::vector<int> m_localOf, m_locals;   ///< Tensor -> number in m_run, -1: none, and back.
    std::vector<int> m_lastActor;           ///< Array -> who used it last, -1: nobody.
    std::vector<double> m_writes;           ///< Tensor -> fraction this block writes, -1: none.
    std::vector<char> m_followers;          ///< Tensors the digital units read here.
    std::vector<int> m_written, m_followed; ///< Those of the two before that this block set.
    std::vector<double> m_weightsThere;     ///< Piece -> cycle its weights are in the arrays, -1: they were.
    std::vector<char> m_releasedHere;
    std::vector<std::pair<int, FlowSpan>> m_borderWrites;
    std::vector<FlowSpan> m_busSpans;
    std::vector<std::pair<int, std::vector<int>>> m_serverArrays;
    std::size_t m_arraySpans = kArraySpans, m_unitSpans = kUnitSpans;
    DualModeBlockTime m_time;
    double m_writeServer = 0, m_rewriteEnd = 0;
    FlowBlockTable m_ownBlocks;
    FlowBlockTable& m_blocks;
};

} // namespace

DualModeGap& DualModeGap::operator+=(const DualModeGap& other) {
    writeBack += other.writeBack;
    switching += other.switching;
    rewrite += other.rewrite;
    transfer += other.transfer;
    fill += other.fill;
    vector += other.vector;
    bus += other.bus;
    return *this;
}

Result<DualModeSimulation> simulateFlow(const DualModeFlow& flow, const DualModeChip& chip,
                                        const DualModeSimulationOptions& options,
                                        const Segmentation* segmentation, const TaskContext& task) {
    PIM_CHECK(checkFlow(flow));
    return simulateChecked(flow, chip, options, segmentation, task);
}

Result<DualModeSimulation> simulateChecked(const DualModeFlow& flow, const DualModeChip& chip,
                                           const DualModeSimulationOptions& options,
                                           const Segmentation* segmentation, const TaskContext& task) {
    return FlowSimulator(flow, chip, options, segmentation, task).run();
}

Result<DualModeSimulation> simulateFlow(const DualModeFlow& flow, const DualModePlan& plan,
                                        const TaskContext& task) {
    DualModeSimulationOptions options;
    options.rewrite = plan.options.rewrite;
    return simulateFlow(flow, plan.chip, options, &plan.segmentation, task);
}

} // namespace pim
