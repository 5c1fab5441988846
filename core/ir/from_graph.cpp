// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/from_graph.h"

#include "core/ir/graph_rules.h"
#include "core/numeric/real_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::ir {

namespace {

/// Fractions are f32; unsigned integers keep their bits, for the host alone.
std::optional<Scalar> scalarFor(DataType type) {
    switch (type) {
    case DataType::F16:
    case DataType::BF16:
    case DataType::F64:
        return Scalar::F32;
    case DataType::U8:
        return Scalar::I8;
    case DataType::U16:
        return Scalar::I16;
    case DataType::U32:
        return Scalar::I32;
    case DataType::U64:
        return Scalar::I64;
    default:
        return scalarOf(type);
    }
}
bool isUnsigned(DataType type) {
    return type == DataType::U8 || type == DataType::U16 || type == DataType::U32 || type == DataType::U64;
}

/// As the reference runs hold it.
DataType runtimeType(DataType type) {
    return isRealType(type) ? DataType::F32 : type;
}

class Import {
public:
    Import(std::shared_ptr<const Graph> graph, Scalar fractions)
        : m_graph(*graph), m_fractions(fractions), m_program{std::move(graph), Module("cinm"), {}} {}

    Result<ProgramOfGraph> run();

private:
    Result<Type> typeOf(const Tensor& tensor, const std::string& op) const;
    std::string whyOnHost(OpId id) const;
    Result<void> collectArguments();
    Result<void> op(OpId id);
    Result<void> onHost(OpId id);

    const Graph& m_graph;
    Scalar m_fractions;
    ProgramOfGraph m_program;
    Builder m_to{m_program.module};
    std::vector<ValueId> m_values = std::vector<ValueId>(m_graph.tensors.size());
    std::vector<std::string> m_reasons; ///< For each op; empty: a rule makes cinm ops of it.
};

Result<Type> Import::typeOf(const Tensor& tensor, const std::string& op) const {
    if (!tensor.shape || !isStatic(*tensor.shape))
        return fail(ErrorCode::Unsupported, fmt::format("the shape of '{}' is open", tensor.name), op,
                    "give its dimensions with --bind");
    const auto scalar = isRealType(tensor.dtype) ? m_fractions : scalarFor(tensor.dtype);
    if (!scalar)
        return fail(ErrorCode::Unsupported, fmt::format("'{}' holds {}", tensor.name, name(tensor.dtype)),
                    op);
    if (std::ranges::find(*tensor.shape, 0) != tensor.shape->end())
        return fail(ErrorCode::Unsupported,
                    fmt::format("'{}' has no elements: {}", tensor.name, shapeText(*tensor.shape)), op);
    return Type::tensor(*tensor.shape, *scalar);
}

std::string Import::whyOnHost(OpId id) const {
    const Op& op = m_graph.op(id);
    const GraphRule* rule = findRule(op);
    if (!rule)
        return fmt::format("{} is no linear algebra", op.type);
    for (std::size_t n = 0; n < std::min(op.inputs.size(), rule->tensors); ++n)
        if (op.inputs[n].valid() && isUnsigned(m_graph.tensor(op.inputs[n]).dtype))
            return "integers without a sign";
    return rule->whyNot(m_graph, id);
}

Result<void> Import::collectArguments() {
    std::vector<Type> types;
    const auto add = [&](TensorId id, const std::string& op) -> Result<void> {
        if (std::ranges::find(m_program.arguments, id) != m_program.arguments.end())
            return {};
        PIM_TRY(Type type, typeOf(m_graph.tensor(id), op));
        m_program.arguments.push_back(id);
        types.push_back(std::move(type));
        return {};
    };
    for (const TensorId input : m_graph.inputs)
        PIM_CHECK(add(input, {}));
    for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
        const OpId id(static_cast<std::int64_t>(i));
        const Op& op = m_graph.op(id);
        for (const TensorId output : op.outputs)
            if (output.valid())
                PIM_CHECK(typeOf(m_graph.tensor(output), op.name));
        m_reasons.push_back(whyOnHost(id));
        const std::size_t tensors = m_reasons.back().empty() ? findRule(op)->tensors : 0;
        for (std::size_t n = 0; n < std::min(tensors, op.inputs.size()); ++n)
            if (op.inputs[n].valid() && m_graph.tensor(op.inputs[n]).isConstant())
                PIM_CHECK(add(op.inputs[n], op.name));
    }
    std::vector<Type> results;
    for (const TensorId output : m_graph.outputs) {
        if (m_graph.tensor(output).isConstant())
            PIM_CHECK(add(output, {}));
        PIM_TRY(Type type, typeOf(m_graph.tensor(output), {}));
        results.push_back(std::move(type));
    }
    std::vector<std::string> names;
    for (const TensorId argument : m_program.arguments)
        names.push_back(m_graph.tensor(argument).name);
    const ValueId first = m_to.beginFunction("main", types, results, {{"arg_names", texts(names)}});
    for (std::size_t a = 0; a < m_program.arguments.size(); ++a)
        m_values[m_program.arguments[a].index()] = ValueId(first.value + static_cast<std::int64_t>(a));
    return {};
}

Result<void> Import::onHost(OpId id) {
    const Op& op = m_graph.op(id);
    std::vector<ValueId> operands;
    std::vector<Type> results;
    for (const TensorId input : op.inputs)
        if (input.valid() && !m_graph.tensor(input).isConstant())
            operands.push_back(m_values[input.index()]);
    for (const TensorId output : op.outputs)
        if (output.valid()) {
            PIM_TRY(Type type, typeOf(m_graph.tensor(output), op.name));
            results.push_back(std::move(type));
        }
    const OperationId made = m_to.create(
        "host.run", operands, results,
        {{"kind", text(op.type)}, {"op", text(op.name)}, {"reason", text(m_reasons[id.index()])}});
    std::uint32_t next = 0;
    for (const TensorId output : op.outputs)
        if (output.valid())
            m_values[output.index()] = m_to.result(made, next++);
    return {};
}

Result<void> Import::op(OpId id) {
    const Op& op = m_graph.op(id);
    m_to.setLocation({{op.name}, {}, {}});
    if (!m_reasons[id.index()].empty())
        return onHost(id);
    const GraphRule& rule = *findRule(op);
    OpInGraph in{m_graph, id, m_to, {}};
    for (std::size_t n = 0; n < std::min(op.inputs.size(), rule.tensors); ++n)
        in.operands.push_back(op.inputs[n].valid() ? m_values[op.inputs[n].index()] : ValueId());
    m_values[op.outputs[0].index()] = rule.make(in);
    return {};
}

Result<ProgramOfGraph> Import::run() {
    PIM_CHECK(collectArguments());
    for (std::size_t i = 0; i < m_graph.ops.size(); ++i)
        PIM_CHECK(op(OpId(static_cast<std::int64_t>(i))));
    std::vector<ValueId> results;
    for (const TensorId output : m_graph.outputs)
        results.push_back(m_values[output.index()]);
    m_to.setLocation({});
    m_to.endFunction(results);
    return std::move(m_program);
}

/// \p op alone, its inputs that are no constants as inputs of the graph.
Graph oneOp(const Graph& graph, OpId id) {
    Graph one;
    one.name = graph.name;
    one.source = graph.source;
    Op op = graph.op(id);
    const auto take = [&](TensorId& tensor, bool isOutput) {
        if (!tensor.valid())
            return;
        Tensor copy = graph.tensor(tensor);
        const TensorId taken(static_cast<std::int64_t>(one.tensors.size()));
        copy.consumers.clear();
        copy.producer = isOutput ? OpId(0) : OpId();
        copy.isInput = !isOutput && !copy.isConstant();
        copy.isOutput = isOutput;
        if (!isOutput)
            copy.consumers = {OpId(0)};
        if (copy.isInput)
            one.inputs.push_back(taken);
        if (isOutput)
            one.outputs.push_back(taken);
        one.tensors.push_back(std::move(copy));
        tensor = taken;
    };
    for (TensorId& input : op.inputs)
        take(input, false);
    for (TensorId& output : op.outputs)
        take(output, true);
    one.ops.push_back(std::move(op));
    return one;
}

} // namespace

Result<ProgramOfGraph> fromGraph(std::shared_ptr<const Graph> graph, Scalar fractions) {
    return Import(std::move(graph), fractions).run();
}

Result<std::vector<Array>> argumentsOf(const ProgramOfGraph& program, std::span<const Value> inputs) {
    std::vector<Array> arguments;
    for (std::size_t a = 0; a < program.arguments.size(); ++a) {
        const Tensor& tensor = program.graph->tensor(program.arguments[a]);
        Value value;
        if (a < program.graph->inputs.size()) {
            value = inputs[a];
        } else {
            PIM_TRY(value, constantValue(tensor));
        }
        value.dtype = dataTypeOf(*scalarFor(value.dtype));
        PIM_TRY(Array array, arrayOf(value));
        arguments.push_back(std::move(array));
    }
    return arguments;
}

InterpreterOptions onHost(const Graph& graph, const TaskContext& task) {
    InterpreterOptions options;
    options.host = [&graph, task](const Module&, const Operation& op,
                                  std::span<const Value> inputs) -> Result<std::vector<Value>> {
        const std::string opName(textOr(op, "op", {}));
        const OpId id = graph.findOp(opName);
        if (!id.valid())
            return fail(ErrorCode::NotFound, fmt::format("the network has no op '{}'", opName));
        const Graph one = oneOp(graph, id);
        std::vector<Value> typed(inputs.begin(), inputs.end());
        for (std::size_t n = 0; n < typed.size() && n < one.inputs.size(); ++n)
            typed[n].dtype = runtimeType(one.tensor(one.inputs[n]).dtype);
        PIM_TRY(std::vector<Value> outputs, runReal(one, typed, {}, 0, task));
        for (Value& output : outputs)
            output.dtype = dataTypeOf(*scalarFor(output.dtype));
        return outputs;
    };
    return options;
}

} // namespace pim::ir
