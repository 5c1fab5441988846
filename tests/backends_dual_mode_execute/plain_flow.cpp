// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/backends_dual_mode_execute/plain_flow.h"

#include <algorithm>
#include <map>

namespace pim::test {

namespace {

class PlainWriter {
public:
    PlainWriter(const QuantizedModel& model, int arrays, int rows, int columns)
        : m_model(model), m_graph(*model.graph) {
        m_flow.network = "plain";
        m_flow.chip = "toy";
        m_flow.arrays = arrays;
        m_flow.rows = rows;
        m_flow.columns = columns;
        m_flow.arrayBytes = 64;
    }

    DualModeFlow write() {
        for (const TensorId id : m_graph.inputs)
            m_flow.inputs.push_back(tensorOf(id));
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
            const OpId id(static_cast<std::int64_t>(i));
            const Op& op = m_graph.ops[i];
            FlowBlock block{op.name, {}};
            const auto& forms = m_model.forms[i];
            if (forms.empty())
                block.operators.push_back(vector(id));
            for (const MatrixForm& form : forms) {
                if (form.part == 1)
                    block.operators.push_back(softmax(id));
                matrix(form, block);
            }
            m_flow.blocks.push_back(std::move(block));
        }
        for (const TensorId id : m_graph.outputs)
            m_flow.outputs.push_back(tensorOf(id));
        return std::move(m_flow);
    }

private:
    int add(const std::string& name, FlowTensorKind kind, TensorId tensor, std::int64_t bytes) {
        FlowTensor t;
        t.name = name;
        t.kind = kind;
        t.tensor = tensor;
        t.bytes = bytes;
        t.address = m_flow.mainBytes;
        m_flow.mainBytes += bytes;
        m_flow.tensors.push_back(t);
        return static_cast<int>(m_flow.tensors.size()) - 1;
    }
    int tensorOf(TensorId id) {
        const auto it = m_tensors.find(id);
        if (it != m_tensors.end())
            return it->second;
        const Tensor& t = m_graph.tensor(id);
        const std::int64_t element = isRealType(t.dtype) ? 1 : bytesOf(t.dtype);
        return m_tensors[id] =
                   add(t.name, t.isConstant() ? FlowTensorKind::Constant : FlowTensorKind::Activation, id,
                       elementCount(*t.shape).value() * element);
    }
    FlowOperator vector(OpId id) {
        const Op& op = m_graph.op(id);
        FlowGraphOp run;
        run.op = id;
        run.name = op.name;
        for (const TensorId in : op.inputs)
            if (in.valid() && !m_graph.tensor(in).isConstant())
                run.reads.push_back(tensorOf(in));
        for (const TensorId out : op.outputs)
            if (out.valid())
                run.writes.push_back(tensorOf(out));
        return vector(std::move(run));
    }
    static FlowOperator vector(FlowGraphOp run) {
        FlowOperator o;
        o.kind = FlowKind::Vector;
        o.run = std::make_shared<const FlowGraphOp>(std::move(run));
        return o;
    }
    FlowOperator softmax(OpId id) {
        const MatrixForm& form = m_model.form(id, 0);
        FlowGraphOp run;
        run.op = id;
        run.name = m_graph.op(id).name;
        run.reads = {m_scores.at(id)};
        if (m_graph.op(id).inputs.size() > 3 && !m_graph.tensor(m_graph.op(id).inputs[3]).isConstant())
            run.reads.push_back(tensorOf(m_graph.op(id).inputs[3]));
        m_probabilities[id] = add(run.name + ".p", FlowTensorKind::Probabilities, TensorId(), form.outputs());
        run.writes = {m_probabilities[id]};
        return vector(std::move(run));
    }
    void matrix(const MatrixForm& form, FlowBlock& block) {
        const Op& graphOp = m_graph.op(form.op);
        FlowOp op;
        op.name = graphOp.name + (form.parts == 2 ? form.part == 0 ? ".scores" : ".context" : "");
        op.op = form.op;
        op.part = form.part;
        op.m = form.m;
        op.n = form.n;
        op.k = form.k;
        op.g = form.g;
        if (form.isConv() && form.g > 1)
            op.packed = static_cast<int>(
                std::max<std::int64_t>(1, std::min(m_flow.rows / form.n, m_flow.columns / form.k)));
        op.streamed = form.part == 1 ? m_probabilities.at(form.op) : tensorOf(form.input);
        op.weights = m_graph.tensor(form.weights).isConstant() ? -1 : tensorOf(form.weights);
        if (form.parts == 2 && form.part == 0)
            op.result = m_scores[form.op] = add(op.name, FlowTensorKind::Scores, TensorId(), form.outputs());
        else
            op.result = tensorOf(graphOp.outputs[0]);
        const int index = static_cast<int>(m_flow.ops.size());
        const std::int64_t rowBlocks = (form.n + m_flow.rows - 1) / m_flow.rows;
        const std::int64_t columnBlocks = (form.k + m_flow.columns - 1) / m_flow.columns;
        const std::int64_t arrays = m_flow.arrays;
        const auto piece = [&](std::int64_t gBegin, std::int64_t g, std::int64_t nBegin, std::int64_t n,
                               std::int64_t kBegin, std::int64_t k, SumRole role) {
            FlowPiece p{index, gBegin, g, nBegin, n, kBegin, k, 0, role};
            const std::int64_t blocks = op.packed > 1 ? (g + op.packed - 1) / op.packed
                                                      : g * ((n + m_flow.rows - 1) / m_flow.rows) *
                                                            ((k + m_flow.columns - 1) / m_flow.columns);
            p.blocks = static_cast<int>(blocks);
            FlowOperator o;
            o.kind = FlowKind::WriteWeights;
            o.piece = static_cast<int>(m_flow.pieces.size());
            o.copies = static_cast<int>(std::min<std::int64_t>(3, arrays / blocks));
            for (int i = o.copies * p.blocks; i-- > 0;) // any order will do
                o.arrays.add(i);
            m_flow.pieces.push_back(p);
            block.operators.push_back(o);
            o.kind = FlowKind::Multiply;
            block.operators.push_back(o);
        };
        if (op.packed > 1) {
            const std::int64_t step = arrays * op.packed;
            for (std::int64_t g = 0; g < form.g; g += step)
                piece(g, std::min(step, form.g - g), 0, form.n, 0, form.k, SumRole::Whole);
        } else if (rowBlocks * columnBlocks <= arrays) {
            const std::int64_t step = arrays / (rowBlocks * columnBlocks);
            for (std::int64_t g = 0; g < form.g; g += step)
                piece(g, std::min(step, form.g - g), 0, form.n, 0, form.k, SumRole::Whole);
        } else if (rowBlocks <= arrays) {
            const std::int64_t step = arrays / rowBlocks * m_flow.columns;
            for (std::int64_t g = 0; g < form.g; ++g)
                for (std::int64_t k = 0; k < form.k; k += step)
                    piece(g, 1, 0, form.n, k, std::min(step, form.k - k), SumRole::Whole);
        } else {
            op.accumulator =
                add(op.name + ".sums", FlowTensorKind::Accumulator, TensorId(), 4 * form.outputs());
            const std::int64_t step = arrays * m_flow.rows;
            for (std::int64_t g = 0; g < form.g; ++g)
                for (std::int64_t k = 0; k < form.k; k += m_flow.columns)
                    for (std::int64_t n = 0; n < form.n; n += step)
                        piece(g, 1, n, std::min(step, form.n - n), k,
                              std::min<std::int64_t>(m_flow.columns, form.k - k),
                              n == 0               ? SumRole::First
                              : n + step >= form.n ? SumRole::Last
                                                   : SumRole::More);
        }
        m_flow.ops.push_back(op);
    }

    const QuantizedModel& m_model;
    const Graph& m_graph;
    DualModeFlow m_flow;
    std::map<TensorId, int> m_tensors;
    std::map<OpId, int> m_scores, m_probabilities;
};

} // namespace

DualModeFlow plainFlow(const QuantizedModel& model, int arrays, int rows, int columns) {
    return PlainWriter(model, arrays, rows, columns).write();
}

} // namespace pim::test
