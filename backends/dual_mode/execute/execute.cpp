// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/execute/execute.h"

#include "backends/dual_mode/execute/multiply_piece.h"
#include "core/base/parallel.h"

#include <fmt/format.h>

#include <cstring>
#include <mutex>
#include <unordered_map>

namespace pim {

namespace {

/// Memory of a machine that executes flows; a flow that wants more is refused, not tried.
constexpr double kMostBytes = 8.0 * 1024 * 1024 * 1024;

tl::unexpected<Error> wrong(std::string message) {
    return fail(ErrorCode::InvalidFile, std::move(message));
}

class Executor {
public:
    Executor(const DualModeFlow& flow, const QuantizedModel& model, const ExecuteOptions& options,
             const TaskContext& task)
        : m_flow(flow), m_model(model), m_graph(*model.graph), m_options(options), m_task(task),
          m_memory(flow) {
        m_result.run.values.resize(m_graph.tensors.size());
    }

    Result<DualModeExecution> run(std::span<const Value> inputs) {
        PIM_CHECK(checkTensors());
        PIM_CHECK(checkOps());
        PIM_CHECK(placeInputs(inputs));
        std::int64_t all = 0;
        for (const FlowBlock& block : m_flow.blocks)
            all += static_cast<std::int64_t>(block.operators.size());
        for (std::size_t b = 0; b < m_flow.blocks.size(); ++b) {
            const auto& operators = m_flow.blocks[b].operators;
            for (std::size_t i = 0; i < operators.size(); ++i) {
                if (m_task.cancelled())
                    return TaskContext::cancelledError("executing the flow");
                m_task.report("executing the flow", m_result.operators, all);
                if (auto done = step(operators[i]); !done) {
                    Error error = std::move(done).error();
                    if (error.code == ErrorCode::InvalidFile)
                        error.where = flowPosition(m_flow, b, i);
                    return tl::unexpected(std::move(error));
                }
                ++m_result.operators;
            }
            m_memory.endBlock();
            ++m_result.blocks;
        }
        PIM_CHECK(collectOutputs());
        m_result.switches = m_memory.switches();
        return std::move(m_result);
    }

private:
    const FlowTensor& tensor(int id) const { return m_flow.tensors[static_cast<std::size_t>(id)]; }

    /// Bytes a tensor of the graph has while it is held.
    Result<std::int64_t> heldBytes(TensorId id) const {
        PIM_TRY(const std::int64_t count, elementCount(m_graph.tensor(id).shape.value_or(Shape())));
        const DataType type = m_model.heldType(id);
        return count * (isRealType(type) ? 1 : bytesOf(type));
    }

    Result<void> checkTensors() {
        for (std::size_t i = 0; i < m_flow.tensors.size(); ++i) {
            const FlowTensor& t = m_flow.tensors[i];
            if (!t.tensor.valid() || t.kind == FlowTensorKind::Scores ||
                t.kind == FlowTensorKind::Probabilities || t.kind == FlowTensorKind::Accumulator)
                continue;
            const auto where = fmt::format("tensor {} \"{}\"", i, t.name);
            if (t.tensor.index() >= m_graph.tensors.size())
                return fail(ErrorCode::InvalidFile,
                            fmt::format("it is number {} of the graph, which has {}", t.tensor.value,
                                        m_graph.tensors.size()),
                            where, "flow and model do not belong together");
            if (t.kind == FlowTensorKind::Constant)
                continue; // the digital unit and the reference read it from the model
            PIM_TRY(const std::int64_t bytes, heldBytes(t.tensor));
            if (bytes != t.bytes)
                return fail(ErrorCode::InvalidFile,
                            fmt::format("it has {} bytes, \"{}\" of the graph has {}", t.bytes,
                                        m_graph.tensor(t.tensor).name, bytes),
                            where, "flow and model do not belong together");
            m_flowTensor[t.tensor] = static_cast<int>(i);
        }
        return {};
    }

    Result<void> checkOps() {
        for (std::size_t i = 0; i < m_flow.ops.size(); ++i) {
            const FlowOp& op = m_flow.ops[i];
            const auto bad = [&](std::string message) {
                return fail(ErrorCode::InvalidFile, std::move(message),
                            fmt::format("op {} \"{}\"", i, op.name), "flow and model do not belong together");
            };
            if (op.op.valid() && op.op.index() < m_graph.ops.size() &&
                m_graph.op(op.op).type == "ConvTranspose")
                return fail(ErrorCode::Unsupported,
                            "transposed convolutions are planned and priced, their products are not computed "
                            "on numbers",
                            fmt::format("op {} \"{}\"", i, op.name), "check its numbers on a crossbar chip");
            if (!op.op.valid() || op.op.index() >= m_graph.ops.size() ||
                op.part >= static_cast<int>(m_model.forms[op.op.index()].size()))
                return bad(fmt::format("op {} of the graph has no matrix product {}", op.op.value, op.part));
            const MatrixForm& form = m_model.form(op.op, op.part);
            if (op.m != form.m || op.n != form.n || op.k != form.k || op.g != form.g)
                return bad(
                    fmt::format("it is m={} n={} k={} g={}, \"{}\" of the graph is m={} n={} k={} g={}", op.m,
                                op.n, op.k, op.g, m_graph.op(op.op).name, form.m, form.n, form.k, form.g));
            const bool isScores = form.parts == 2 && form.part == 0,
                       isContext = form.parts == 2 && form.part == 1;
            const FlowTensor &in = tensor(op.streamed), &out = tensor(op.result);
            if (isContext ? in.kind != FlowTensorKind::Probabilities : in.tensor != form.input)
                return bad(
                    fmt::format("it streams \"{}\", which its operator of the graph does not read", in.name));
            if (isScores ? out.kind != FlowTensorKind::Scores : out.tensor != m_graph.op(op.op).outputs[0])
                return bad(fmt::format(
                    "its result goes to \"{}\", which its operator of the graph does not write", out.name));
            if (tensor(m_flow.root(op.result)).bytes != form.outputs() || out.of >= 0)
                return bad(fmt::format("its result \"{}\" has {} bytes, it computes {}", out.name, out.bytes,
                                       form.outputs()));
            if (isContext && in.bytes != form.g * form.m * form.n)
                return bad(fmt::format("\"{}\" has {} bytes, {} are streamed", in.name, in.bytes,
                                       form.g * form.m * form.n));
            if (op.weights >= 0 ? tensor(op.weights).tensor != form.weights : weightOperand(form) == nullptr)
                return bad("its weights are not those of its operator of the graph");
            if (op.accumulator >= 0 &&
                (tensor(op.accumulator).of >= 0 || tensor(op.accumulator).bytes != 4 * form.outputs()))
                return bad(fmt::format("its accumulator has {} bytes, it computes {} sums",
                                       tensor(op.accumulator).bytes, form.outputs()));
        }
        m_ops.resize(m_flow.ops.size());
        for (std::size_t i = 0; i < m_flow.ops.size(); ++i)
            m_ops[i].added.assign(static_cast<std::size_t>(m_flow.ops[i].g * m_flow.ops[i].k), 0);
        for (std::size_t i = 0; i < m_flow.pieces.size(); ++i) {
            const FlowPiece& p = m_flow.pieces[i];
            const FlowOp& op = m_flow.ops[static_cast<std::size_t>(p.op)];
            const auto inside = [](std::int64_t begin, std::int64_t count, std::int64_t all) {
                return begin >= 0 && count >= 1 && begin <= all - count;
            };
            const std::int64_t blocks = op.packed > 1 ? (p.g + op.packed - 1) / op.packed
                                                      : p.g * ((p.n + m_flow.rows - 1) / m_flow.rows) *
                                                            ((p.k + m_flow.columns - 1) / m_flow.columns);
            if (!inside(p.gBegin, p.g, op.g) || !inside(p.nBegin, p.n, op.n) ||
                !inside(p.kBegin, p.k, op.k) || blocks != p.blocks ||
                (p.sum != SumRole::Whole && op.accumulator < 0))
                return fail(ErrorCode::InvalidFile,
                            fmt::format("it is no part of \"{}\", or not in {} blocks", op.name, p.blocks),
                            fmt::format("piece {}", i));
        }
        return {};
    }

    const QuantizedOperand* weightOperand(const MatrixForm& form) const {
        const auto it = m_model.operands.find({form.op, form.part == 1 ? 2 : 1});
        return it == m_model.operands.end() ? nullptr : &it->second;
    }

    Result<void> placeInputs(std::span<const Value> inputs) {
        PIM_TRY(const auto held, heldInputs(m_model, inputs));
        for (std::size_t i = 0; i < held.size(); ++i) {
            const TensorId id = m_graph.inputs[i];
            m_result.run.values[id.index()] = held[i];
            const auto it = m_flowTensor.find(id);
            if (it == m_flowTensor.end())
                continue; // an input nobody reads
            if (tensor(it->second).buffered || tensor(it->second).of >= 0)
                return fail(ErrorCode::InvalidFile, "an input of the graph lies in main memory",
                            tensor(it->second).name);
            PIM_CHECK(m_memory.write(it->second, 0, *held[i].bytes));
        }
        return {};
    }

    Result<void> step(const FlowOperator& op) {
        switch (op.kind) {
        case FlowKind::SwitchToMemory:
            return m_memory.switchTo(ArrayMode::Memory, op.arrays);
        case FlowKind::SwitchToCompute:
            return m_memory.switchTo(ArrayMode::Compute, op.arrays);
        case FlowKind::WriteWeights:
            return writeWeights(op);
        case FlowKind::Multiply:
            return multiply(op);
        case FlowKind::Hold:
            return m_memory.hold(op);
        case FlowKind::Load:
            return m_memory.load(op);
        case FlowKind::Store:
            return m_memory.store(op);
        case FlowKind::Release:
            return m_memory.release(op);
        case FlowKind::Vector:
        case FlowKind::Host:
            return runOther(op);
        }
        return {};
    }

    static std::span<const std::int8_t> int8s(const std::vector<std::byte>& bytes) {
        return {reinterpret_cast<const std::int8_t*>(bytes.data()), bytes.size()};
    }

    Result<void> writeWeights(const FlowOperator& o) {
        const FlowPiece& piece = m_flow.pieces[static_cast<std::size_t>(o.piece)];
        const FlowOp& op = m_flow.ops[static_cast<std::size_t>(piece.op)];
        const MatrixForm& form = m_model.form(op.op, op.part);
        std::vector<std::byte> produced;
        std::span<const std::int8_t> weights;
        if (op.weights >= 0 && tensor(op.weights).kind != FlowTensorKind::Constant) {
            PIM_TRY(produced, m_memory.readAll(m_flow.root(op.weights)));
            weights = int8s(produced);
        } else if (const QuantizedOperand* operand = weightOperand(form)) {
            weights = operand->values;
        } else {
            return wrong(fmt::format("the weights of \"{}\" are no constant", op.name));
        }
        std::vector<ArrayTile*> tiles;
        for (const int array : o.arrays.numbers()) {
            auto tile = m_memory.tile(array);
            if (!tile)
                return wrong(tile.error().message + " and takes no weights");
            tiles.push_back(*tile);
        }
        std::mutex mutex;
        std::optional<Error> failure;
        parallelFor(tiles.size(), m_options.threads, [&](std::size_t i) {
            auto tile = weightTile(m_flow, form, o.piece, static_cast<int>(i) % piece.blocks, weights);
            if (tile) {
                *tiles[i] = std::move(*tile);
                return;
            }
            const std::lock_guard lock(mutex);
            failure = std::move(tile).error();
        });
        if (failure)
            return tl::unexpected(std::move(*failure));
        m_result.tilesWritten += static_cast<std::int64_t>(tiles.size());
        return {};
    }

    Result<void> multiply(const FlowOperator& o) {
        const FlowPiece& piece = m_flow.pieces[static_cast<std::size_t>(o.piece)];
        const FlowOp& op = m_flow.ops[static_cast<std::size_t>(piece.op)];
        const MatrixForm& form = m_model.form(op.op, op.part);
        PieceMultiply job{m_flow, m_model, form, o.piece, o.copies, {}, {}, {}, m_options.threads};
        const auto arrays = o.arrays.numbers();
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            auto tile = m_memory.tile(arrays[i]);
            if (!tile)
                return wrong(tile.error().message + " and cannot compute");
            const int block = static_cast<int>(i) % piece.blocks;
            if ((*tile)->piece < 0)
                return wrong(fmt::format("array {} computes and has no weights", arrays[i]));
            if ((*tile)->piece != o.piece || (*tile)->block != block)
                return wrong(fmt::format(
                    "array {} should have block {} of piece {} ({}) and has block {} of piece {} ({})",
                    arrays[i], block, o.piece, op.name, (*tile)->block, (*tile)->piece,
                    m_flow
                        .ops[static_cast<std::size_t>(
                            m_flow.pieces[static_cast<std::size_t>((*tile)->piece)].op)]
                        .name));
            job.tiles.push_back(*tile);
        }
        PIM_CHECK(account(piece, op, form));
        std::vector<std::byte> bytes;
        const auto operand = m_model.operands.find({op.op, 0});
        if (form.part == 0 && operand != m_model.operands.end()) {
            job.streamed = operand->second.values;
        } else {
            PIM_TRY(bytes, m_memory.readAll(m_flow.root(op.streamed)));
            job.streamed = int8s(bytes);
        }
        auto& state = m_ops[static_cast<std::size_t>(piece.op)];
        if (m_options.keepSums) {
            auto& sums = m_result.run.sums[{op.op, op.part}];
            sums.resize(static_cast<std::size_t>(form.outputs()));
            job.sums = sums;
        }
        PIM_CHECK(multiplyPiece(job, m_memory, m_task));
        m_result.rowsStreamed += form.m * piece.blocks;
        if (piece.sum == SumRole::Whole || piece.sum == SumRole::Last)
            state.complete += piece.g * piece.k;
        if (state.complete == form.g * form.k)
            return snapshot(op, form);
        return {};
    }

    /// Every element of the reduction is added once, in an order the roles allow.
    Result<void> account(const FlowPiece& piece, const FlowOp& op, const MatrixForm& form) {
        auto& added = m_ops[static_cast<std::size_t>(piece.op)].added;
        const bool starts = piece.sum == SumRole::Whole || piece.sum == SumRole::First;
        const bool ends = piece.sum == SumRole::Whole || piece.sum == SumRole::Last;
        for (std::int64_t g = piece.gBegin; g < piece.gBegin + piece.g; ++g)
            for (std::int64_t k = piece.kBegin; k < piece.kBegin + piece.k; ++k) {
                std::int64_t& sum = added[static_cast<std::size_t>(g * form.k + k)];
                if (starts && sum == form.n)
                    return wrong(
                        fmt::format("column {} of instance {} of \"{}\" is computed twice", k, g, op.name));
                if (starts ? piece.nBegin != 0 || sum != 0 : piece.nBegin != sum)
                    return wrong(fmt::format("the sums of column {} of instance {} of \"{}\" have {} of {} "
                                             "products, this piece adds those from {}",
                                             k, g, op.name, sum, form.n, piece.nBegin));
                sum += piece.n;
                if (ends != (sum == form.n))
                    return wrong(fmt::format(
                        "the sums of column {} of instance {} of \"{}\" have {} of {} products and are {}", k,
                        g, op.name, sum, form.n, ends ? "taken for complete" : "not taken for complete"));
            }
        return {};
    }

    Result<void> snapshot(const FlowOp& op, const MatrixForm& form) {
        PIM_TRY(auto bytes, m_memory.readAll(op.result));
        const bool scores = form.parts == 2 && form.part == 0;
        const TensorId out = m_graph.op(op.op).outputs[0];
        Value value{DataType::I8, scores ? Shape{form.g, form.m, form.k} : *m_graph.tensor(out).shape,
                    std::make_shared<const std::vector<std::byte>>(std::move(bytes))};
        (scores ? m_result.run.scores[op.op] : m_result.run.values[out.index()]) = std::move(value);
        return {};
    }

    /// What op \p o reads of the graph: a constant of the model, or the bytes where they are.
    Result<Value> operand(const FlowOperator& o, TensorId id) {
        if (!id.valid())
            return Value();
        if (const Value* constant = constantOf(m_model, id))
            return *constant;
        const auto it = m_flowTensor.find(id);
        if (it == m_flowTensor.end())
            return wrong(fmt::format("\"{}\" reads \"{}\", which the flow does not have", o.run->name,
                                     m_graph.tensor(id).name));
        bool listed = false;
        for (const int read : o.run->reads)
            listed = listed || m_flow.root(read) == m_flow.root(it->second);
        if (!listed)
            return wrong(fmt::format("\"{}\" reads \"{}\", which is not among what it says to read",
                                     o.run->name, m_graph.tensor(id).name));
        PIM_TRY(auto bytes, m_memory.readAll(m_flow.root(it->second)));
        return Value{m_model.heldType(id), *m_graph.tensor(id).shape,
                     std::make_shared<const std::vector<std::byte>>(std::move(bytes))};
    }

    Result<void> runOther(const FlowOperator& o) {
        if (!o.run->op.valid() || o.run->op.index() >= m_graph.ops.size())
            return wrong(fmt::format("there is no op {} in the graph", o.run->op.value));
        const Op& op = m_graph.op(o.run->op);
        const auto& forms = m_model.forms[o.run->op.index()];
        if (forms.size() == 2)
            return runSoftmax(o, op, forms[0]);
        if (!forms.empty())
            return fail(ErrorCode::Unsupported, "a matrix product outside the arrays cannot be executed",
                        op.name);
        std::vector<Value> in;
        for (const TensorId id : op.inputs) {
            PIM_TRY(auto value, operand(o, id));
            in.push_back(std::move(value));
        }
        PIM_TRY(const auto out, runQuantizedOp(m_model, o.run->op, in, m_options.threads));
        for (std::size_t i = 0; i < op.outputs.size(); ++i) {
            const TensorId id = op.outputs[i];
            if (!id.valid() || !out[i].bytes)
                continue;
            m_result.run.values[id.index()] = out[i];
            const auto it = m_flowTensor.find(id);
            if (it == m_flowTensor.end()) {
                if (!m_graph.tensor(id).consumers.empty() || m_graph.tensor(id).isOutput)
                    return wrong(fmt::format("\"{}\" writes \"{}\", which the flow does not have",
                                             o.run->name, m_graph.tensor(id).name));
                continue;
            }
            if (std::find(o.run->writes.begin(), o.run->writes.end(), it->second) == o.run->writes.end())
                return wrong(fmt::format("\"{}\" writes \"{}\", which is not among what it says to write",
                                         o.run->name, m_graph.tensor(id).name));
            if (tensor(it->second).of >= 0) { // nothing moves; the bytes must be the same
                PIM_TRY(const auto there, m_memory.readAll(m_flow.root(it->second)));
                if (there != *out[i].bytes)
                    return wrong(fmt::format("\"{}\" is a view of \"{}\", but its bytes are others",
                                             tensor(it->second).name, tensor(tensor(it->second).of).name));
                continue;
            }
            m_memory.prepareWrite(it->second);
            PIM_CHECK(m_memory.write(it->second, 0, *out[i].bytes));
        }
        return {};
    }

    Result<void> runSoftmax(const FlowOperator& o, const Op& op, const MatrixForm& form) {
        int scores = -1, probabilities = -1;
        for (const int read : o.run->reads)
            if (tensor(read).kind == FlowTensorKind::Scores)
                scores = read;
        for (const int write : o.run->writes)
            if (tensor(write).kind == FlowTensorKind::Probabilities)
                probabilities = write;
        if (scores < 0 || probabilities < 0 || tensor(scores).bytes != form.outputs())
            return wrong(fmt::format(
                "the softmax of \"{}\" does not read its scores and write its probabilities", op.name));
        PIM_TRY(auto bytes, m_memory.readAll(scores));
        Value mask;
        if (op.inputs.size() > 3) {
            PIM_TRY(mask, operand(o, op.inputs[3]));
        }
        const Value value{DataType::I8,
                          {form.g, form.m, form.k},
                          std::make_shared<const std::vector<std::byte>>(std::move(bytes))};
        PIM_TRY(const auto out, quantizedProbabilities(m_model, o.run->op, value, mask, m_options.threads));
        m_result.run.probabilities[o.run->op] = out;
        m_memory.prepareWrite(probabilities);
        return m_memory.write(probabilities, 0, *out.bytes);
    }

    Result<void> collectOutputs() {
        for (const TensorId id : m_graph.outputs) {
            const auto where = fmt::format("output \"{}\"", m_graph.tensor(id).name);
            if (m_graph.tensor(id).isConstant()) {
                PIM_TRY(auto value, constantValue(m_graph.tensor(id)));
                m_result.outputs.push_back(std::move(value));
                continue;
            }
            const auto it = m_flowTensor.find(id);
            if (it == m_flowTensor.end())
                return fail(ErrorCode::InvalidFile, "the flow does not compute it", where);
            auto bytes = m_memory.readMain(m_flow.root(it->second));
            if (!bytes)
                return fail(ErrorCode::InvalidFile, bytes.error().message, where,
                            "outputs have to be in main memory at the end");
            m_result.outputs.push_back(
                Value{m_model.heldType(id), *m_graph.tensor(id).shape,
                      std::make_shared<const std::vector<std::byte>>(std::move(*bytes))});
        }
        return {};
    }

    struct OpState {
        std::vector<std::int64_t> added; ///< Products summed up so far, by instance and column.
        std::int64_t complete = 0;       ///< Columns of instances that are complete.
    };

    const DualModeFlow& m_flow;
    const QuantizedModel& m_model;
    const Graph& m_graph;
    const ExecuteOptions& m_options;
    const TaskContext& m_task;
    ChipMemory m_memory;
    std::unordered_map<TensorId, int> m_flowTensor; ///< Of activations and views.
    std::vector<OpState> m_ops;
    DualModeExecution m_result;
};

} // namespace

Result<DualModeExecution> executeFlow(const DualModeFlow& flow, const QuantizedModel& model,
                                      std::span<const Value> inputs, const ExecuteOptions& options,
                                      const TaskContext& task) {
    PIM_CHECK(checkFlow(flow));
    const double bytes =
        double(flow.mainBytes) * 5 +
        double(flow.arrays) * (2 * double(flow.arrayBytes) + double(flow.rows) * double(flow.columns));
    if (bytes > kMostBytes)
        return fail(ErrorCode::Unsupported,
                    fmt::format("it needs {:.0f} MiB to be executed; {:.0f} are allowed", bytes / 1048576,
                                kMostBytes / 1048576),
                    flow.network);
    return Executor(flow, model, options, task).run(inputs);
}

} // namespace pim
