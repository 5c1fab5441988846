// SPDX-License-Identifier: GPL-3.0-or-later
// Plan -> flow. First the order: which block runs which piece and which graph op, as early as its inputs
// allow. Then the places: what passes through the buffer, which bytes the memory arrays of a block hold,
// where in main memory the rest lies.
#include "backends/dual_mode/flow/emit_tensors.h"
#include "backends/dual_mode/flow/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>

namespace pim {
namespace {

/// Bytes in memory-mode arrays, from one block to the next.
struct LiveHold {
    int tensor = -1;
    std::int64_t begin = 0, end = 0; ///< Part of every run of the tensor's layout.
    ByteRuns runs;
    std::vector<int> arrays;
    bool dirty = false; ///< Main memory does not have it.
    bool window = false;
};

/// Memory arrays of one block that serve the same bytes.
struct HoldGroup {
    int tensor = -1;
    std::int64_t begin = 0, end = 0;
    std::vector<int> arrays;
    int reader = -1; ///< A piece that reads it, -1 if none.
    int firstArray() const { return arrays.front(); }
};

class Emitter {
public:
    Emitter(const Graph& graph, const DualModePlan& plan)
        : m_graph(graph), m_plan(plan), m_tensors(graph, plan) {}

    DualModeFlow& flow() { return m_tensors.flow; }

    /// All of the flow but its blocks.
    Result<void> prepare() {
        DualModeFlow& flow = m_tensors.flow;
        flow.network = m_graph.name;
        flow.chip = m_plan.chip.name;
        flow.arrays = m_plan.chip.arrays;
        flow.rows = m_plan.chip.rows;
        flow.columns = m_plan.chip.columns;
        flow.arrayBytes = m_plan.chip.arrayBytes;
        PIM_CHECK(m_tensors.build());
        m_placement = m_plan.placement;
        if (m_placement.empty())
            m_placement = m_own =
                placeArrays(m_plan.subOps, m_plan.segmentation, m_plan.chip, *m_plan.workload);
        if (m_placement.size() != m_plan.segmentation.segments.size())
            return fail(ErrorCode::InvalidModel,
                        fmt::format("the plan places arrays for {} segments and has {}", m_placement.size(),
                                    m_plan.segmentation.segments.size()));
        pieces();
        PIM_CHECK(schedule());
        m_tensors.findLives(m_items);
        m_tensors.findBuffered(m_items, m_plan.chip.bufferBytes);
        m_tensors.addresses(m_items.size());
        return {};
    }

    /// The blocks of flow() anew. \param mainShare see emitFlow().
    Result<void> emit(double mainShare) {
        m_mainShare = mainShare;
        flow().blocks.clear();
        m_holds.clear();
        m_holdOf.assign(static_cast<std::size_t>(flow().arrays), -1);
        for (std::size_t block = 0; block < m_items.size(); ++block)
            emitBlock(block);
        return checkFlow(flow());
    }

private:
    // ---- order ----

    void pieces() {
        // Sums of pieces that share their outputs: the first in the order of the plan begins, the last
        // completes.
        std::map<std::tuple<int, std::int64_t, std::int64_t>, std::vector<std::size_t>> sums;
        for (const DualModeSubOp& sub : m_plan.subOps) {
            FlowPiece piece;
            piece.op = sub.op;
            piece.gBegin = sub.gBegin, piece.g = sub.g;
            piece.nBegin = sub.nBegin, piece.n = sub.n;
            piece.kBegin = sub.kBegin, piece.k = sub.k;
            piece.blocks = sub.minArrays;
            sums[{sub.op, sub.gBegin, sub.kBegin}].push_back(m_tensors.flow.pieces.size());
            m_tensors.flow.pieces.push_back(piece);
        }
        for (const auto& [key, members] : sums)
            for (std::size_t i = 0; members.size() > 1 && i < members.size(); ++i)
                m_tensors.flow.pieces[members[i]].sum = i == 0                   ? SumRole::First
                                                        : i + 1 < members.size() ? SumRole::More
                                                                                 : SumRole::Last;
    }

    Result<void> schedule() {
        m_ready.assign(m_graph.tensors.size(), 0);
        m_pending.assign(m_graph.ops.size(), 0);
        m_isMatrix.assign(m_graph.ops.size(), 0);
        for (const FlowOp& op : m_tensors.flow.ops)
            m_isMatrix[op.op.index()] = 1;
        for (std::size_t i = 0; i < m_graph.tensors.size(); ++i)
            m_ready[i] = m_graph.tensors[i].isConstant() || !m_graph.tensors[i].producer.valid();
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
            std::set<TensorId> waits;
            for (const TensorId id : m_graph.ops[i].inputs)
                if (id.valid() && m_ready[id.index()] == 0)
                    waits.insert(id);
            m_pending[i] =
                m_tensors.isLeftOut(OpId(std::int64_t(i))) ? -1 /* never */ : static_cast<int>(waits.size());
            if (m_pending[i] == 0 && m_isMatrix[i] == 0)
                m_queue.insert(static_cast<int>(i));
        }
        std::vector<int> left(m_tensors.flow.ops.size(), 0);
        for (const FlowPiece& piece : m_tensors.flow.pieces)
            ++left[static_cast<std::size_t>(piece.op)];
        const auto& segments = m_plan.segmentation.segments;
        m_items.resize(std::max<std::size_t>(1, segments.size()));
        int expected = 0;
        drain(0);
        for (std::size_t s = 0; s < segments.size(); ++s)
            for (int i = segments[s].first; i <= segments[s].last; ++i) {
                if (i != expected++ || i >= static_cast<int>(m_tensors.flow.pieces.size()))
                    return fail(ErrorCode::InvalidModel,
                                fmt::format("segment {} has sub-operator {} where {} comes next of {}", s, i,
                                            expected - 1, m_tensors.flow.pieces.size()));
                PIM_CHECK(schedulePiece(s, i, left));
            }
        if (expected != static_cast<int>(m_tensors.flow.pieces.size()))
            return fail(ErrorCode::InvalidModel, fmt::format("the segments end before sub-operator {} of {}",
                                                             expected, m_tensors.flow.pieces.size()));
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i)
            if (m_isMatrix[i] == 0 && m_pending[i] > 0)
                return fail(ErrorCode::InvalidModel,
                            "is not reached: an operator it depends on is not in the plan",
                            m_graph.ops[i].name);
        return {};
    }

    Result<void> schedulePiece(std::size_t segment, int number, std::vector<int>& left) {
        const FlowPiece& piece = m_tensors.flow.pieces[static_cast<std::size_t>(number)];
        const FlowOp& op = m_tensors.flow.ops[static_cast<std::size_t>(piece.op)];
        if (op.part == 1)
            softmax(segment, op.op);
        for (const int tensor : {op.streamed, op.weights})
            if (tensor >= 0)
                if (const TensorId id = m_tensors.flow.tensors[static_cast<std::size_t>(tensor)].tensor;
                    id.valid() && m_ready[id.index()] == 0)
                    return fail(ErrorCode::InvalidModel,
                                fmt::format("runs in segment {} before its input \"{}\" is there", segment,
                                            m_graph.tensor(id).name),
                                op.name);
        m_items[segment].push_back({FlowItem::Piece, number});
        if (--left[static_cast<std::size_t>(piece.op)] > 0)
            return {};
        if (m_tensors.flow.tensors[static_cast<std::size_t>(op.result)].kind == FlowTensorKind::Scores) {
            const auto& inputs = m_graph.op(op.op).inputs;
            if (inputs.size() <= 3 || !inputs[3].valid() || m_ready[inputs[3].index()] != 0)
                softmax(segment, op.op);
            return {};
        }
        complete(op.op);
        drain(segment);
        return {};
    }

    void softmax(std::size_t segment, OpId op) {
        if (m_softmaxDone.insert(op).second)
            m_items[segment].push_back({FlowItem::Softmax, op.value});
    }

    void complete(OpId id) {
        for (const TensorId out : m_graph.op(id).outputs)
            if (out.valid() && m_ready[out.index()] == 0) {
                m_ready[out.index()] = 1;
                for (const OpId consumer : m_graph.tensor(out).consumers)
                    if (--m_pending[consumer.index()] == 0 && m_isMatrix[consumer.index()] == 0)
                        m_queue.insert(consumer.value);
            }
    }

    /// Everything that is no matrix product and has its inputs runs now.
    void drain(std::size_t segment) {
        while (!m_queue.empty()) {
            const int next = *m_queue.begin();
            m_queue.erase(m_queue.begin());
            m_items[segment].push_back({FlowItem::GraphOp, next});
            complete(OpId(next));
        }
    }

    // ---- memory arrays ----

    /// Which bytes an array in memory mode is for; tensor -1: none that it could hold.
    HoldGroup wanted(std::size_t block, const ArrayUse& use) const {
        HoldGroup group;
        if (use.mode != ArrayMode::Memory)
            return group;
        const DualModeFlow& flow = m_tensors.flow;
        const auto opOf = [&](int piece) -> const FlowOp& {
            return flow.ops[static_cast<std::size_t>(flow.pieces[static_cast<std::size_t>(piece)].op)];
        };
        if (use.reader >= 0) {
            group.reader = use.reader;
            group.tensor = flow.root(opOf(use.reader).streamed);
            group.end = m_tensors.layout(group.tensor).run;
        } else if (use.subOp >= 0) {
            const auto slice = m_tensors.collected(use.subOp, block);
            if (!slice)
                return HoldGroup();
            group.tensor = slice->tensor;
            group.begin = slice->begin, group.end = slice->end;
        }
        if (group.tensor >= 0 && !m_tensors.canBeHeld(group.tensor))
            group.tensor = -1;
        return group;
    }

    std::vector<HoldGroup> groups(std::size_t block) const {
        std::map<std::tuple<int, std::int64_t, std::int64_t>, HoldGroup> found;
        const ArrayUse* before = nullptr; // neighbours often serve the same
        HoldGroup* all = nullptr;
        for (std::size_t array = 0; array < m_uses.size(); ++array) {
            if (m_holdOf[array] >= 0)
                continue;
            if (!before || m_uses[array] != *before) {
                before = &m_uses[array];
                HoldGroup group = wanted(block, *before);
                all = nullptr;
                if (group.tensor >= 0) {
                    all = &found[{group.tensor, group.begin, group.end}];
                    group.arrays = std::move(all->arrays);
                    *all = std::move(group);
                }
            }
            if (all)
                all->arrays.push_back(static_cast<int>(array));
        }
        std::vector<HoldGroup> list;
        for (auto& [key, group] : found)
            list.push_back(std::move(group));
        std::sort(list.begin(), list.end(),
                  [](const auto& a, const auto& b) { return a.firstArray() < b.firstArray(); });
        return list;
    }

    /// Longest part of [begin, end) of the tensor's runs that nothing holds.
    std::pair<std::int64_t, std::int64_t> freePart(int tensor, std::int64_t begin, std::int64_t end) const {
        std::vector<std::pair<std::int64_t, std::int64_t>> held;
        for (const LiveHold& hold : m_holds)
            if (hold.tensor == tensor)
                held.emplace_back(hold.begin, hold.end);
        std::sort(held.begin(), held.end());
        std::pair<std::int64_t, std::int64_t> best{begin, begin};
        std::int64_t at = begin;
        held.emplace_back(end, end);
        for (const auto& [from, to] : held) {
            if (std::min(from, end) - at > best.second - best.first)
                best = {at, std::min(from, end)};
            at = std::max(at, to);
        }
        return best;
    }

    /// What the arrays of a group hold: bytes [begin, begin + length) of each run.
    struct HeldPart {
        std::int64_t begin = 0, length = 0;
        bool window = false; ///< They pass through.
        bool dirty = false;  ///< Main memory does not have them.
    };
    std::optional<HeldPart> heldPart(std::size_t block, const HoldGroup& group) const {
        const FlowTensorLife& life = m_tensors.life(group.tensor);
        const FlowLayout layout = m_tensors.layout(group.tensor);
        const int here = static_cast<int>(block);
        const bool producedHere = life.firstWrite == here;
        if (life.firstWrite < here && life.lastWrite >= here && group.reader >= 0)
            return std::nullopt; // partly there and partly still to come: stays in main memory
        double reuse = 1;
        FlowPace pace{0, 1};
        if (group.reader >= 0) {
            const FlowOp& op = m_tensors.flow.ops[static_cast<std::size_t>(
                m_tensors.flow.pieces[static_cast<std::size_t>(group.reader)].op)];
            reuse = double(op.g) * double(op.m) * double(op.n) /
                    double(std::max<std::int64_t>(1, layout.run * layout.count));
            pace = op.pace;
            // Bytes that are read once and lie in main memory gain nothing by a stop on the way.
            if (!producedHere && reuse < 1.5 && life.lastRead <= here)
                return std::nullopt;
        }
        const auto [begin, end] = freePart(group.tensor, group.begin, group.end);
        const auto arrays = static_cast<std::int64_t>(group.arrays.size());
        // Arrays and main memory take as long as one another when each moves a share like its bandwidth; main
        // memory serves all pieces of the block.
        const double fast = double(arrays) * m_plan.chip.arrayBytesPerCycle;
        const double slow = m_mainShare * m_plan.chip.mainBytesPerCycle / std::max(1, m_pieces);
        std::int64_t length =
            std::min(end - begin,
                     static_cast<std::int64_t>(double(group.end - group.begin) * fast / (fast + slow)) + 1);
        if (length < 1)
            return std::nullopt;
        const auto perRun = [&](std::int64_t bytes) { return (bytes + arrays - 1) / arrays; };
        const std::int64_t capacity = m_plan.chip.arrayBytes;
        bool window = false;
        if (double(perRun(length)) * double(layout.count) > double(capacity)) {
            const double behind = double(pace.lead) / double(pace.of) * double(length) * double(layout.count);
            if (group.reader >= 0 && (producedHere || reuse >= 1.5) &&
                2 * behind <= double(arrays) * double(capacity))
                window = true;
            else
                length = std::min(length, capacity / std::max<std::int64_t>(1, layout.count) * arrays);
        }
        if (length < 1)
            return std::nullopt;
        return HeldPart{begin, length, window, !window && (producedHere || group.reader < 0)};
    }

    /// Decides what the arrays of a group hold, and emits it.
    void hold(std::size_t block, const HoldGroup& group, std::vector<FlowOperator>& code) {
        const std::optional<HeldPart> held = heldPart(block, group);
        if (!held)
            return;
        const auto [begin, length, window, dirty] = *held;
        const FlowLayout layout = m_tensors.layout(group.tensor);
        const auto arrays = static_cast<std::int64_t>(group.arrays.size());
        // What outlives the block is kept apart from what has to give way at the next border.
        std::vector<int> stay, go;
        const bool live = m_tensors.life(group.tensor).lastRead > static_cast<int>(block);
        for (const int array : group.arrays)
            (!window && live && staysAfter(block, array, group.tensor) ? stay : go).push_back(array);
        std::int64_t at = begin;
        for (const auto* part : {&stay, &go}) {
            if (part->empty())
                continue;
            const std::int64_t bytes =
                part == &go ? begin + length - at : length * std::int64_t(part->size()) / arrays;
            if (bytes < 1)
                continue;
            LiveHold one;
            one.tensor = group.tensor;
            one.begin = at, one.end = at + bytes;
            one.runs = {at, bytes, layout.count > 1 ? layout.run : 0, layout.count};
            one.arrays = *part;
            one.window = window;
            one.dirty = dirty;
            at += bytes;
            if (!window && double((bytes + std::int64_t(part->size()) - 1) / std::int64_t(part->size())) *
                                   double(layout.count) >
                               double(m_plan.chip.arrayBytes))
                continue; // rounding: one byte a run too many
            FlowOperator op;
            op.kind = FlowKind::Hold;
            op.tensor = one.tensor;
            op.runs = one.runs;
            op.arrays = arrayList(one.arrays);
            op.window = window;
            code.push_back(op);
            if (!window && !one.dirty)
                code.push_back(transfer(FlowKind::Load, one));
            for (const int array : one.arrays)
                m_holdOf[static_cast<std::size_t>(array)] = static_cast<int>(m_holds.size());
            m_holds.push_back(std::move(one));
        }
    }

    bool staysAfter(std::size_t block, int array, int tensor) const {
        if (block + 1 >= m_placement.size())
            return true;
        const ArrayUse& use = m_usesAfter[static_cast<std::size_t>(array)];
        return use.mode == ArrayMode::Idle ||
               (use.mode == ArrayMode::Memory && wanted(block + 1, use).tensor == tensor);
    }

    static FlowOperator transfer(FlowKind kind, const LiveHold& hold) {
        FlowOperator op;
        op.kind = kind;
        op.tensor = hold.tensor;
        op.runs = hold.runs;
        return op;
    }

    /// Ends the holds \p ends is true for; what is still needed and only there is written back.
    template <class Ends>
    void release(int liveAfter, std::vector<FlowOperator>& code, Ends&& ends) {
        std::vector<LiveHold> kept;
        for (LiveHold& hold : m_holds) {
            if (!ends(hold)) {
                kept.push_back(std::move(hold));
                continue;
            }
            if (hold.dirty && m_tensors.life(hold.tensor).lastRead > liveAfter)
                code.push_back(transfer(FlowKind::Store, hold));
            code.push_back(transfer(FlowKind::Release, hold));
        }
        m_holds = std::move(kept);
        std::fill(m_holdOf.begin(), m_holdOf.end(), -1);
        for (std::size_t i = 0; i < m_holds.size(); ++i)
            for (const int array : m_holds[i].arrays)
                m_holdOf[static_cast<std::size_t>(array)] = static_cast<int>(i);
    }

    // ---- blocks ----

    std::string pieceName(int number) const {
        const DualModeSubOp& sub = m_plan.subOps[static_cast<std::size_t>(number)];
        const std::string& op = m_tensors.flow.ops[static_cast<std::size_t>(sub.op)].name;
        return sub.pieces > 1 ? fmt::format("{} piece {}/{}", op, sub.piece + 1, sub.pieces) : op;
    }

    void emitBlock(std::size_t block) {
        DualModeFlow& flow = m_tensors.flow;
        FlowBlock& out = flow.blocks.emplace_back();
        std::vector<FlowOperator>& code = out.operators;
        const int here = static_cast<int>(block);
        m_pieces = 0;
        int firstPiece = -1, lastPiece = -1;
        for (const FlowItem& item : m_items[block])
            if (item.kind == FlowItem::Piece) {
                lastPiece = item.index;
                if (m_pieces++ == 0)
                    firstPiece = item.index;
            }
        if (m_pieces > 0)
            out.name = pieceName(firstPiece);
        if (lastPiece != firstPiece)
            out.name += " - " + pieceName(lastPiece);
        std::vector<std::vector<int>> slots(static_cast<std::size_t>(
            m_pieces > 0 ? lastPiece - firstPiece + 1 : 0)); // [piece - firstPiece][slot] array
        code.reserve(m_items[block].size() + 3 * static_cast<std::size_t>(m_pieces) + 2);
        if (block < m_placement.size()) {
            const DualModePlacement& placement = m_placement[block];
            m_uses = block > 0 ? std::move(m_usesAfter) : placement.arrays();
            m_usesAfter =
                block + 1 < m_placement.size() ? m_placement[block + 1].arrays() : std::vector<ArrayUse>();
            release(here - 1, code, [&](const LiveHold& hold) {
                const ArrayUse* before = nullptr; // neighbours often serve the same
                return std::any_of(hold.arrays.begin(), hold.arrays.end(), [&](int array) {
                    const ArrayUse& use = m_uses[static_cast<std::size_t>(array)];
                    if (before && use == *before)
                        return false;
                    before = &use;
                    return use.mode == ArrayMode::Compute ||
                           (use.mode == ArrayMode::Memory && wanted(block, use).tensor != hold.tensor);
                });
            });
            const auto toggle = [&](FlowKind kind, const std::vector<int>& arrays) {
                if (arrays.empty())
                    return;
                FlowOperator op;
                op.kind = kind;
                op.arrays = arrayList(arrays);
                code.push_back(std::move(op));
            };
            toggle(FlowKind::SwitchToMemory, placement.toMemory);
            toggle(FlowKind::SwitchToCompute, placement.toCompute);
            for (std::size_t array = 0; array < m_uses.size(); ++array)
                if (const ArrayUse& use = m_uses[array];
                    use.mode == ArrayMode::Compute && use.subOp >= firstPiece && use.subOp <= lastPiece) {
                    auto& list = slots[static_cast<std::size_t>(use.subOp - firstPiece)];
                    const auto slot = static_cast<std::size_t>(use.slot);
                    if (slot == list.size()) // as a rule
                        list.push_back(static_cast<int>(array));
                    else {
                        list.resize(std::max(list.size(), slot + 1), -1);
                        list[slot] = static_cast<int>(array);
                    }
                }
            for (const HoldGroup& group : groups(block))
                hold(block, group, code);
        }
        const auto arraysOf = [&](int number) {
            FlowOperator op;
            op.kind = FlowKind::WriteWeights;
            op.piece = number;
            const auto blocks =
                static_cast<std::size_t>(std::max(1, flow.pieces[static_cast<std::size_t>(number)].blocks));
            const std::vector<int>& arrays = slots[static_cast<std::size_t>(number - firstPiece)];
            // Arrays beyond whole copies cannot run the operator.
            const std::size_t copies = arrays.size() / blocks;
            op.copies = static_cast<int>(copies);
            for (const int array : std::span(arrays).first(copies * blocks))
                op.arrays.add(array);
            return op;
        };
        const auto weightsOf = [&](int number) {
            return flow.ops[static_cast<std::size_t>(flow.pieces[static_cast<std::size_t>(number)].op)]
                .weights;
        };
        for (const FlowItem& item : m_items[block])
            if (item.kind == FlowItem::Piece && weightsOf(item.index) < 0)
                code.push_back(arraysOf(item.index));
        for (const FlowItem& item : m_items[block]) {
            if (item.kind != FlowItem::Piece) {
                code.push_back(m_tensors.graphOp(item));
                continue;
            }
            FlowOperator op = arraysOf(item.index);
            if (weightsOf(item.index) >= 0)
                code.push_back(op);
            op.kind = FlowKind::Multiply;
            code.push_back(std::move(op));
        }
        const bool last = block + 1 == m_items.size();
        release(here, code, [&](const LiveHold& hold) {
            return last || hold.window || m_tensors.life(hold.tensor).lastRead <= here;
        });
    }

    const Graph& m_graph;
    const DualModePlan& m_plan;
    double m_mainShare = 1;
    FlowTensors m_tensors;
    std::vector<DualModePlacement> m_own; ///< Where the plan has none.
    std::span<const DualModePlacement> m_placement;
    std::vector<std::vector<FlowItem>> m_items; ///< [block]
    // Scheduling.
    std::vector<char> m_ready, m_isMatrix;
    std::vector<int> m_pending;
    std::set<int> m_queue;
    std::set<OpId> m_softmaxDone;
    // Emission.
    std::vector<LiveHold> m_holds;
    std::vector<int> m_holdOf;                 ///< Array -> hold.
    std::vector<ArrayUse> m_uses, m_usesAfter; ///< In the block at work and in the next, [array].
    int m_pieces = 0;                          ///< Of the block at work.
};

bool hasMemoryArrays(const DualModePlan& plan) {
    return std::ranges::any_of(plan.segmentation.segments, [](const DualModeSegment& segment) {
        return segment.held > 0 || segment.memoryArrays() > 0;
    });
}

} // namespace

Result<DualModeFlow> emitFlow(const Graph& graph, const DualModePlan& plan, double mainShare) {
    Emitter emitter(graph, plan);
    PIM_CHECK(emitter.prepare());
    PIM_CHECK(emitter.emit(mainShare));
    return std::move(emitter.flow());
}

Result<TimedFlow> emitTimedFlow(const Graph& graph, const DualModePlan& plan, const TaskContext& task,
                                FlowBlockTable* blocks) {
    Emitter emitter(graph, plan);
    PIM_CHECK(emitter.prepare());
    PIM_CHECK(emitter.emit(1));
    DualModeFlow& flow = emitter.flow();
    DualModeSimulationOptions options;
    options.rewrite = plan.options.rewrite;
    options.timeline = false;
    options.blocks = blocks;
    auto best = simulateChecked(flow, plan.chip, options, nullptr, task);
    std::vector<FlowBlock> bestBlocks = std::move(flow.blocks);
    // A chip whose times are not known has no best flow; and without memory arrays nothing is shared.
    if (best && plan.options.cost != CostRule::Once && hasMemoryArrays(plan))
        for (const double share : {2.0, 4.0}) {
            PIM_CHECK(emitter.emit(share));
            if (flow.blocks == bestBlocks)
                continue;
            auto run = simulateChecked(flow, plan.chip, options, nullptr, task);
            if (!run)
                break;
            if (run->cycles < best->cycles) {
                bestBlocks = std::move(flow.blocks);
                best = std::move(run);
            }
        }
    flow.blocks = std::move(bestBlocks);
    return TimedFlow{std::move(flow), std::move(best)};
}

Result<DualModeFlow> emitFlow(const Graph& graph, const DualModePlan& plan) {
    PIM_TRY(TimedFlow timed, emitTimedFlow(graph, plan));
    return std::move(timed.flow);
}

} // namespace pim
