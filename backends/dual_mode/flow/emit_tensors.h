// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The tables of a flow in the making: tensors with their lives and places, matrix operators, graph ops as
/// operators. Internal to backends/dual_mode/flow.
#include "backends/dual_mode/flow/flow.h"
#include "backends/dual_mode/plan.h"
#include "core/graph/unsized.h"

#include <functional>
#include <map>
#include <optional>

namespace pim {

/// One thing a block runs.
struct FlowItem {
    enum Kind : std::uint8_t { Piece, GraphOp, Softmax } kind = Piece;
    int index = -1; ///< Piece: its number. Else: the graph op.
};

/// Blocks in which bytes are written and read; -1: before the first.
struct FlowTensorLife {
    int firstWrite = -1, lastWrite = -1;
    int lastRead = -1; ///< Graph outputs: behind the last block.
};

/// Rows a tensor is walked by: bytes = count runs of run.
struct FlowLayout {
    std::int64_t run = 0, count = 1;
};

/// Part [begin, end) of every run of a tensor.
struct FlowSlice {
    int tensor = -1;
    std::int64_t begin = 0, end = 0;
};

class FlowTensors {
public:
    FlowTensors(const Graph& graph, const DualModePlan& plan)
        : m_graph(graph), m_plan(plan), m_isUnsized(unsizedOps(graph)) {}

    /// Fills flow.tensors, flow.ops, inputs and outputs.
    Result<void> build();
    void findLives(const std::vector<std::vector<FlowItem>>& blocks);
    /// Marks what passes through the buffer: made and read once in the same block, and the reader runs on its
    /// heels.
    void findBuffered(const std::vector<std::vector<FlowItem>>& blocks, std::int64_t bufferBytes);
    /// Main memory: first fit by lives.
    void addresses(std::size_t blocks);

    /// Of the root of \p tensor.
    const FlowTensorLife& life(int tensor) const {
        return m_lives[static_cast<std::size_t>(flow.root(tensor))];
    }
    FlowLayout layout(int root) const;
    bool canBeHeld(int root) const;
    /// Where the results of a piece end up: its slice of the operator's result, or of what the digital unit
    /// makes of it on the way through the buffer. None where the slice is no part of every run.
    std::optional<FlowSlice> collected(int piece, std::size_t block) const;
    /// VU.run or HOST.run.
    const FlowOperator& graphOp(const FlowItem& item) const {
        return (item.kind == FlowItem::Softmax ? m_softmaxes
                                               : m_graphOps)[static_cast<std::size_t>(item.index)];
    }

    /// The host does it after the flow, and takes what it needs out of main memory.
    bool isLeftOut(OpId op) const { return m_isUnsized[op.index()]; }

    DualModeFlow flow;

private:
    Result<int> tensorOf(TensorId id);
    Result<void> addOp(const DualModeOp& op);
    Result<int> addExtra(std::string name, FlowTensorKind kind, double bytes);
    FlowOperator madeOf(const FlowItem& item) const;
    void addRead(FlowGraphOp& run, TensorId id) const;
    void fillSoftmax(FlowGraphOp& run) const;
    void fillGraphOp(FlowGraphOp& run, bool isHost) const;
    FlowPace paceOf(const Op& op) const;
    std::int64_t elements(TensorId id) const;
    /// Reads and writes of an item, roots.
    void forEachUse(const FlowItem& item, const std::function<void(int tensor, bool write)>& visit) const;

    const Graph& m_graph;
    const DualModePlan& m_plan;
    const std::vector<bool> m_isUnsized;               ///< By graph op.
    std::vector<int> m_tensorOf;                       ///< Graph tensor -> flow tensor.
    std::vector<int> m_scores, m_probabilities;        ///< Graph op -> flow tensor.
    std::vector<FlowOperator> m_graphOps, m_softmaxes; ///< By graph op.
    std::vector<char> m_isSummed; ///< Operator -> some piece of it has a part of the reduction.
    std::vector<FlowTensorLife> m_lives;
    std::vector<FlowItem> m_onlyReader;     ///< Of a buffered root.
    std::map<int, std::string> m_hostNotes; ///< Graph op -> why the host runs it.
};

} // namespace pim
