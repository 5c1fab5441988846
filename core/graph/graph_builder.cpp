// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/graph_builder.h"

#include "core/graph/exporter_ops.h"
#include "core/graph/semantics/op_facts.h"
#include "core/graph/semantics/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace pim {

namespace {

using namespace file;

/// Values up to this size are computed during the sweep; larger ones when somebody asks (Derivation).
constexpr std::int64_t kSmallValueBytes = 64 * 1024;
/// A folded constant may be this much larger than what it is made from (weights of 2 bits as f32); beyond, the
/// op stays.
constexpr std::int64_t kLargestGrowth = 16;
/// Chains of derivations are walked by recursion.
constexpr int kMaxDerivationDepth = 64;
/// Functions that call functions multiply; no real model comes near.
constexpr std::int64_t kMaxOps = 500'000;
constexpr int kMaxCallDepth = 64;

/// Tensor::packedBits of a constant of \p shape that \p op makes of \p inputs; null: left out.
double packedBitsOf(const Op& op, const std::vector<const Tensor*>& inputs, const Shape& shape) {
    static const std::unordered_set<std::string> kUnpack{"DequantizeLinear", "Unpacked"};
    static const std::unordered_set<std::string> kKeep{"Cast",     "CastLike",  "Flatten",  "Gather",
                                                       "Identity", "Reshape",   "Slice",    "Split",
                                                       "Squeeze",  "Transpose", "Unsqueeze"};
    if (inputs.empty() || !inputs[0])
        return 0;
    if (kKeep.contains(op.type))
        return inputs[0]->packedBits;
    if (!kUnpack.contains(op.type))
        return 0;
    const auto elements = elementCount(shape);
    double bytes = 0;
    for (const Tensor* input : inputs)
        bytes += input ? static_cast<double>(input->bytes().value_or(0)) : 0;
    return elements && *elements > 0 ? 8 * bytes / static_cast<double>(*elements) : 0;
}

class Builder {
public:
    /// \param size see bindDimensions()
    Builder(const RawModel& model, const GraphOptions& options, std::int64_t size, const TaskContext& task)
        : m_model(model), m_options(options), m_size(size), m_task(task) {
        const auto it = model.opsets.find("");
        m_opset = it == model.opsets.end() ? 1 : it->second;
    }

    Result<Graph> run();

private:
    /// What names mean in one graph. An If branch sees its surroundings, a function does not.
    struct Scope {
        const Scope* outer = nullptr;
        std::unordered_map<std::string, TensorId> ids;
        std::string prefix;            ///< In front of the names of ops and tensors written out.
        const RawNode* call = nullptr; ///< Node of the file all ops of this scope come from.
        /// Attributes of a function call.
        const std::map<std::string, const RawAttribute*>* arguments = nullptr;
        int depth = 0;

        TensorId find(const std::string& name) const {
            for (const Scope* s = this; s; s = s->outer)
                if (const auto it = s->ids.find(name); it != s->ids.end())
                    return it->second;
            return TensorId();
        }
    };

    TensorId addTensor(std::string name);
    Result<void> addInputs();
    void addInitializer(const RawTensor& raw, Scope& scope);
    Result<void> addNodes(const std::vector<RawNode>& nodes, Scope& scope);
    Result<void> addNode(const RawNode& node, Scope& scope);
    std::vector<const Tensor*> tensorsOf(const RawNode& node, const Scope& scope) const;
    Result<bool> addFunctionCall(const RawNode& node, Scope& scope);
    Result<bool> addDecidedBranch(const RawNode& node, Scope& scope);
    void handOut(const Scope& inner, const std::string& from, Scope& scope, const std::string& to);
    Result<void> addOutputs(const Scope& scope);
    Op makeOp(const RawNode& node, const Scope& scope);
    const RawAttribute* resolved(const RawAttribute& attribute, const Scope& scope) const;
    void setConstant(Tensor& tensor, const RawTensor& raw);
    bool constantNode(const RawNode& node, const Scope& scope, const Op& op);
    Result<void> infer(const RawNode& node, const Op& op);
    void inferSubgraphOutputs(const RawNode& node, OpContext& context);
    void useDeclaredShape(Tensor& tensor);
    void computeValues(const Op& op);
    std::string uniqueOpName(std::string name);
    std::optional<Shape> declaredShape(const RawValue& value) const;

    const RawModel& m_model;
    const GraphOptions& m_options;
    const std::int64_t m_size;
    const TaskContext& m_task;
    std::int64_t m_opset = 1;
    Graph m_graph;
    std::map<std::string, std::int64_t> m_symbols;
    std::unordered_map<std::string, const RawValue*> m_declared;
    std::map<std::pair<std::string, std::string>, const RawFunction*> m_functions;
    std::unordered_set<std::string> m_opNames, m_tensorNames;
    std::unordered_map<std::string, int> m_nameCounters;
    std::int64_t m_renamed = 0; ///< Nodes that have the name of an earlier one.
    std::string m_firstShared, m_firstRenamed;
    std::int64_t m_steps = 0;
};

TensorId Builder::addTensor(std::string name) {
    if (!m_tensorNames.insert(name).second) { // only names written out of functions and branches can meet
        const std::string base = name + "_";
        int& counter = m_nameCounters["t:" + base];
        do
            name = base + std::to_string(++counter);
        while (!m_tensorNames.insert(name).second);
    }
    Tensor tensor;
    tensor.name = std::move(name);
    m_graph.tensors.push_back(std::move(tensor));
    return TensorId(static_cast<std::int64_t>(m_graph.tensors.size()) - 1);
}

std::string Builder::uniqueOpName(std::string name) {
    if (m_opNames.insert(name).second)
        return name;
    const std::string shared = name, base = name + "_";
    int& counter = m_nameCounters[base];
    do
        name = base + std::to_string(++counter);
    while (!m_opNames.insert(name).second);
    if (m_renamed++ == 0) {
        m_firstShared = shared;
        m_firstRenamed = name;
    }
    return name;
}

std::optional<Shape> Builder::declaredShape(const RawValue& value) const {
    if (!value.dims)
        return std::nullopt;
    Shape shape;
    for (const RawDim& dim : *value.dims) {
        const auto it = m_symbols.find(dim.symbol);
        if (dim.value && *dim.value >= 0)
            shape.push_back(*dim.value);
        else if (!dim.symbol.empty() && it != m_symbols.end())
            shape.push_back(it->second);
        else
            return std::nullopt;
    }
    return elementCount(shape) ? std::optional(shape) : std::nullopt;
}

Result<void> Builder::addInputs() {
    PIM_TRY(m_graph.bindings, bindDimensions(m_model, m_options.bindings, m_size));
    for (const auto& binding : m_graph.bindings)
        m_symbols[binding.symbol] = binding.value;
    return {};
}

void Builder::setConstant(Tensor& tensor, const RawTensor& raw) {
    tensor.dtype = raw.dtype();
    tensor.shape = raw.dims;
    tensor.data = raw.ref;
    tensor.constant = raw.value;
}

void Builder::addInitializer(const RawTensor& raw, Scope& scope) {
    const TensorId id = addTensor(scope.prefix + raw.name);
    setConstant(m_graph.tensors[id.index()], raw);
    scope.ids[raw.name] = id;
}

const RawAttribute* Builder::resolved(const RawAttribute& attribute, const Scope& scope) const {
    if (attribute.refName.empty())
        return &attribute;
    for (const Scope* s = &scope; s; s = s->outer)
        if (s->arguments) {
            const auto it = s->arguments->find(attribute.refName);
            return it == s->arguments->end() ? nullptr : it->second;
        }
    return nullptr;
}

Op Builder::makeOp(const RawNode& node, const Scope& scope) {
    Op op;
    op.name = uniqueOpName(scope.prefix + node.label());
    op.type = node.type;
    op.domain = node.domain;
    op.sources.push_back(scope.call
                             ? NodeRef{scope.call->index, scope.call->label() + "/" + node.label(), node.type}
                             : NodeRef{node.index, node.label(), node.type});
    for (const auto& attribute : node.attributes) {
        const RawAttribute* value = resolved(attribute, scope);
        if (value && value->value)
            op.attributes[attribute.name] = *value->value;
        else if (value && value->tensor && node.type == "ConstantOfShape" && value->tensor->value) {
            const RawTensor& fill = *value->tensor;
            const auto reals = realsOf(*fill.value, fill.dtype());
            const bool isReal = isRealType(fill.dtype());
            const auto ints = intsOf(*fill.value, fill.dtype());
            op.attributes["value_type"] = std::string(name(fill.dtype()));
            if (!reals.empty())
                op.attributes["value"] = isReal ? Attribute(reals.front()) : Attribute(ints.front());
        }
    }
    for (const auto& input : node.inputs)
        op.inputs.push_back(input.empty() ? TensorId() : scope.find(input));
    if (!node.captures.empty()) {
        op.attributes["outer_inputs"] = static_cast<std::int64_t>(node.captures.size());
        for (const auto& capture : node.captures)
            op.inputs.push_back(scope.find(capture));
    }
    const OpFact* fact = findOpFact(op.domain, op.type);
    op.opClass = fact ? fact->opClass : OpClass::Other;
    // The one default that changed: nobody behind this needs to know the operator set.
    if (op.opClass == OpClass::Softmax && !op.attribute("axis"))
        op.attributes["axis"] = std::int64_t(m_opset < 13 ? 1 : -1);
    return op;
}

/// The value of a Constant node, in whichever of its forms. False if it is none or of a type without values.
bool Builder::constantNode(const RawNode& node, const Scope& scope, const Op& op) {
    if (node.type != "Constant" || !node.domain.empty() || op.outputs.empty() || !op.outputs[0].valid())
        return false;
    Tensor& tensor = m_graph.tensors[op.outputs[0].index()];
    const auto set = [&](DataType type, Shape shape, std::vector<std::byte> bytes) {
        tensor.dtype = type;
        tensor.shape = std::move(shape);
        tensor.constant = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    };
    for (const auto& written : node.attributes) {
        const RawAttribute* attribute = resolved(written, scope);
        if (attribute && attribute->tensor) {
            setConstant(tensor, *attribute->tensor);
        } else if (attribute && attribute->value) {
            if (const auto* i = std::get_if<std::int64_t>(&*attribute->value))
                set(DataType::I64, {}, bytesFromInts({*i}, DataType::I64));
            else if (const auto* f = std::get_if<double>(&*attribute->value))
                set(DataType::F32, {}, bytesFromReals({*f}, DataType::F32));
            else if (const auto* is = std::get_if<std::vector<std::int64_t>>(&*attribute->value))
                set(DataType::I64, {static_cast<std::int64_t>(is->size())},
                    bytesFromInts(*is, DataType::I64));
            else if (const auto* fs = std::get_if<std::vector<double>>(&*attribute->value))
                set(DataType::F32, {static_cast<std::int64_t>(fs->size())},
                    bytesFromReals(*fs, DataType::F32));
            else
                continue;
        } else {
            continue;
        }
        return true;
    }
    return false;
}

/// What was written out gives its value to the caller, under the name it has there: that is what the file declares.
void Builder::handOut(const Scope& inner, const std::string& from, Scope& scope, const std::string& to) {
    if (to.empty())
        return;
    const TensorId id = inner.find(from);
    scope.ids[to] = id;
    if (!id.valid())
        return;
    Tensor& tensor = m_graph.tensors[id.index()];
    if (!tensor.producer.valid() || !tensor.name.starts_with(inner.prefix) ||
        !m_tensorNames.insert(scope.prefix + to).second)
        return; // it came from outside, or goes out under two names
    m_tensorNames.erase(tensor.name);
    tensor.name = scope.prefix + to;
    useDeclaredShape(tensor);
}

std::vector<const Tensor*> Builder::tensorsOf(const RawNode& node, const Scope& scope) const {
    std::vector<const Tensor*> tensors;
    for (const std::string& input : node.inputs) {
        const TensorId id = input.empty() ? TensorId() : scope.find(input);
        tensors.push_back(id.valid() ? &m_graph.tensor(id) : nullptr);
    }
    return tensors;
}

/// Of the file, or of an exporter's operator that is written out.
Result<bool> Builder::addFunctionCall(const RawNode& node, Scope& scope) {
    const auto it = m_functions.find({node.domain, node.type});
    std::optional<RawFunction> written;
    if (it == m_functions.end() && !(written = writtenOut(node, tensorsOf(node, scope))))
        return false;
    const RawFunction& function = written ? *written : *it->second;
    if (scope.depth >= kMaxCallDepth)
        return fail(ErrorCode::InvalidModel,
                    fmt::format("functions call each other more than {} deep", kMaxCallDepth),
                    fmt::format("{}: node \"{}\" ({})", m_model.path.string(), scope.prefix + node.label(),
                                node.type),
                    "export the model with its functions written out");
    std::map<std::string, const RawAttribute*> arguments;
    for (const auto& attribute : function.defaults)
        arguments[attribute.name] = &attribute;
    for (const auto& attribute : node.attributes)
        if (const RawAttribute* value = resolved(attribute, scope))
            arguments[attribute.name] = value;
    Scope inner;
    inner.prefix = uniqueOpName(scope.prefix + node.label()) + "/";
    inner.call = scope.call ? scope.call : &node;
    inner.arguments = &arguments;
    inner.depth = scope.depth + 1;
    for (std::size_t i = 0; i < function.inputs.size(); ++i)
        inner.ids[function.inputs[i]] =
            i < node.inputs.size() && !node.inputs[i].empty() ? scope.find(node.inputs[i]) : TensorId();
    PIM_CHECK(addNodes(function.body.nodes, inner));
    for (std::size_t i = 0; i < node.outputs.size() && i < function.outputs.size(); ++i)
        handOut(inner, function.outputs[i], scope, node.outputs[i]);
    return true;
}

/// An If whose condition is a constant (exporters write them for optional squeezes) is its branch.
Result<bool> Builder::addDecidedBranch(const RawNode& node, Scope& scope) {
    if (node.type != "If" || !node.domain.empty() || node.inputs.empty() || scope.depth >= kMaxCallDepth)
        return false;
    const TensorId condition = scope.find(node.inputs[0]);
    if (!condition.valid() || !m_graph.tensor(condition).constant)
        return false;
    const auto values = intsOf(*m_graph.tensor(condition).constant, m_graph.tensor(condition).dtype);
    const auto* branch =
        values.size() == 1 ? node.attribute(values[0] != 0 ? "then_branch" : "else_branch") : nullptr;
    if (!branch || branch->graphs.size() != 1 || branch->graphs[0]->outputs.size() != node.outputs.size())
        return false;
    const RawGraph& body = *branch->graphs[0];
    Scope inner;
    inner.outer = &scope;
    inner.prefix = uniqueOpName(scope.prefix + node.label()) + "/";
    inner.call = scope.call ? scope.call : &node;
    inner.depth = scope.depth + 1;
    for (const auto& tensor : body.initializers)
        addInitializer(tensor, inner);
    PIM_CHECK(addNodes(body.nodes, inner));
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
        handOut(inner, body.outputs[i].name, scope, node.outputs[i]);
    return true;
}

void Builder::useDeclaredShape(Tensor& tensor) {
    const auto it = m_declared.find(tensor.name);
    if (it == m_declared.end())
        return;
    if (tensor.dtype == DataType::Unknown)
        tensor.dtype = it->second->dtype;
    if (!tensor.shape)
        tensor.shape = declaredShape(*it->second);
}

/// Outputs of an If, Loop or Scan that stays: from what the bodies declare and from the values carried
/// around.
void Builder::inferSubgraphOutputs(const RawNode& node, OpContext& context) {
    const RawGraph* body = nullptr;
    for (const auto& attribute : node.attributes)
        if (!attribute.graphs.empty() && !body)
            body = attribute.graphs[0].get();
    if (!body)
        return;
    // Loop: (trips, condition, carried…) -> (carried…, scanned…), the body's outputs start with the
    // condition.
    const bool isLoop = node.type == "Loop", isScan = node.type == "Scan";
    const std::size_t firstCarried = isLoop ? 2 : 0, skipped = isLoop ? 1 : 0;
    const auto scanInputs = static_cast<std::size_t>(std::clamp<std::int64_t>(
        context.op.intAttribute("num_scan_inputs", 0), 0, static_cast<std::int64_t>(node.inputs.size())));
    const std::size_t carried = isLoop   ? node.inputs.size() - std::min<std::size_t>(node.inputs.size(), 2)
                                : isScan ? node.inputs.size() - scanInputs
                                         : 0;
    for (std::size_t i = 0; i < context.outputs(); ++i) {
        if (i < carried) {
            context.setType(i, context.dtype(i + firstCarried));
            if (const Shape* shape = context.shape(i + firstCarried))
                (void)context.set(i, context.dtype(i + firstCarried), *shape);
        } else if (i + skipped < body->outputs.size()) {
            const RawValue& declared = body->outputs[i + skipped];
            context.setType(i, declared.dtype);
            if (const auto shape = declaredShape(declared); shape && !isLoop && !isScan)
                (void)context.set(i, declared.dtype, *shape);
        }
    }
}

Result<void> Builder::infer(const RawNode& node, const Op& op) {
    OpContext context(m_graph, op, m_opset);
    const OpFact* fact = findOpFact(op.domain, op.type);
    const auto outer = static_cast<std::size_t>(op.intAttribute("outer_inputs", 0));
    if (fact) {
        const auto given = static_cast<std::int64_t>(op.inputs.size() - std::min(outer, op.inputs.size()));
        bool complete = given >= fact->minInputs;
        for (std::size_t i = 0; complete && i < static_cast<std::size_t>(fact->minInputs); ++i)
            complete = op.inputs[i].valid();
        if (!complete)
            return context.bad(fmt::format("it needs {} input{}, {} {} given", fact->minInputs,
                                           fact->minInputs == 1 ? "" : "s", given, given == 1 ? "is" : "are"),
                               "export the model again");
    }
    if (fact && fact->shapes) {
        PIM_CHECK(fact->shapes(context));
    } else if (outer > 0 || std::any_of(node.attributes.begin(), node.attributes.end(),
                                        [](const auto& a) { return !a.graphs.empty(); })) {
        inferSubgraphOutputs(node, context);
    } else {
        PIM_CHECK(inferWithLibonnx(context));
    }
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
        if (!op.outputs[i].valid())
            continue;
        Tensor& tensor = m_graph.tensors[op.outputs[i].index()];
        tensor.dtype = context.outType(i);
        tensor.shape = context.outShape(i);
        useDeclaredShape(tensor);
    }
    return {};
}

void Builder::computeValues(const Op& op) {
    if (!canEvaluate(op) || op.outputs.empty())
        return;
    std::vector<Value> inputs, outputs;
    std::vector<std::pair<DataType, Shape>> types;
    const bool shapeOnly = op.type == "Shape" || op.type == "Size";
    bool known = true, constant = true;
    std::int64_t bytesIn = 0, bytesOut = 0;
    int depth = 0;
    for (const TensorId id : op.inputs) {
        Value value;
        if (id.valid()) {
            const Tensor& tensor = m_graph.tensor(id);
            if (!tensor.shape)
                return;
            value = Value{tensor.dtype, *tensor.shape, tensor.constant};
            known = known && (tensor.constant || shapeOnly);
            constant = constant && tensor.isConstant();
            bytesIn += tensor.isConstant() ? tensor.bytes().value_or(0) : 0;
            depth = std::max(depth, tensor.derived ? tensor.derived->depth : 0);
        }
        inputs.push_back(std::move(value));
    }
    for (const TensorId id : op.outputs) {
        if (!id.valid()) {
            if (op.type == "Split")
                return; // the places of the other parts depend on the one left out
            continue;
        }
        const Tensor& tensor = m_graph.tensor(id);
        if (!tensor.shape || !tensor.bytes())
            return;
        bytesOut += *tensor.bytes();
        outputs.push_back(Value{tensor.dtype, *tensor.shape, nullptr});
        types.emplace_back(tensor.dtype, *tensor.shape);
    }
    if (outputs.empty() || outputs.size() != op.outputs.size())
        return;
    if (known && bytesOut <= kSmallValueBytes) {
        const auto values = evaluate(op, inputs, outputs);
        for (std::size_t i = 0; values && i < outputs.size(); ++i)
            m_graph.tensors[op.outputs[i].index()].constant =
                std::make_shared<const std::vector<std::byte>>((*values)[i]);
        if (values && outputs.size() == 1) {
            std::vector<const Tensor*> operands;
            for (const TensorId id : op.inputs)
                operands.push_back(id.valid() ? &m_graph.tensor(id) : nullptr);
            Tensor& tensor = m_graph.tensors[op.outputs[0].index()];
            tensor.packedBits = packedBitsOf(op, operands, types[0].second);
        }
        return;
    }
    if (!constant || op.inputs.empty() || depth >= kMaxDerivationDepth ||
        bytesOut > kLargestGrowth * bytesIn + kSmallValueBytes)
        return;
    std::vector<Tensor> operands;
    for (const TensorId id : op.inputs)
        operands.push_back(id.valid() ? m_graph.tensor(id) : Tensor());
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
        Tensor& tensor = m_graph.tensors[op.outputs[i].index()];
        Tensor folded = derivedTensor(tensor.name, op, operands, i, types);
        tensor.derived = std::move(folded.derived);
        tensor.data = std::move(folded.data);
        tensor.packedBits = folded.packedBits;
    }
}

Result<void> Builder::addNode(const RawNode& node, Scope& scope) {
    PIM_TRY(const bool isCall, addFunctionCall(node, scope));
    if (isCall)
        return {};
    PIM_TRY(const bool isDecided, addDecidedBranch(node, scope));
    if (isDecided)
        return {};
    Op op = makeOp(node, scope);
    const auto id = OpId(static_cast<std::int64_t>(m_graph.ops.size()));
    for (const auto& output : node.outputs) {
        if (output.empty()) {
            op.outputs.emplace_back();
            continue;
        }
        const TensorId tensor = addTensor(scope.prefix + output);
        m_graph.tensors[tensor.index()].producer = id;
        op.outputs.push_back(tensor);
        scope.ids[output] = tensor;
    }
    if (!constantNode(node, scope, op)) {
        if (auto inferred = infer(node, op); !inferred) {
            Error error = inferred.error();
            error.where = m_model.path.string() + ": " + error.where;
            if (error.hint.starts_with("bind") && !m_graph.bindings.empty()) {
                error.hint += "; now";
                for (const auto& binding : m_graph.bindings)
                    error.hint += fmt::format(" {}={}", binding.symbol, binding.value);
            } else if (error.hint.starts_with("bind")) {
                error.hint = "export the model again";
            }
            return tl::unexpected<Error>(std::move(error));
        }
        computeValues(op);
    }
    m_graph.ops.push_back(std::move(op));
    return {};
}

Result<void> Builder::addNodes(const std::vector<RawNode>& nodes, Scope& scope) {
    for (const RawNode& node : nodes) {
        if (m_task.cancelled())
            return TaskContext::cancelledError("building the graph");
        if (m_steps >= kMaxOps)
            return fail(ErrorCode::InvalidModel,
                        fmt::format("the model has more than {} operators once its functions are written out",
                                    kMaxOps),
                        m_model.path.string(), "export a smaller model");
        if (m_steps++ % 256 == 0)
            m_task.report("inferring shapes", m_steps, static_cast<std::int64_t>(m_model.graph.nodes.size()));
        PIM_CHECK(addNode(node, scope));
    }
    return {};
}

Result<void> Builder::addOutputs(const Scope& scope) {
    for (const auto& output : m_model.graph.outputs) {
        const TensorId id = scope.find(output.name);
        if (!id.valid()) // an output of a function that the function leaves out
            return fail(ErrorCode::InvalidModel,
                        fmt::format("the graph output \"{}\" is made by no node", output.name),
                        m_model.path.string(), "export the model again");
        if (!m_graph.tensors[id.index()].isOutput)
            m_graph.outputs.push_back(id);
        m_graph.tensors[id.index()].isOutput = true;
    }
    if (!m_graph.outputs.empty())
        return {};
    std::vector<bool> used(m_graph.tensors.size(), false);
    for (const Op& op : m_graph.ops)
        for (const TensorId input : op.inputs)
            if (input.valid())
                used[input.index()] = true;
    for (const Op& op : m_graph.ops)
        for (const TensorId output : op.outputs)
            if (output.valid() && !used[output.index()]) {
                m_graph.tensors[output.index()].isOutput = true;
                m_graph.outputs.push_back(output);
            }
    m_graph.problems.push_back({Severity::Warning, "model",
                                "the file names no outputs; every result nobody uses is taken as one",
                                "export the model with its outputs"});
    return {};
}

Result<Graph> Builder::run() {
    const RawGraph& raw = m_model.graph;
    m_graph.name = raw.name;
    m_graph.problems = m_model.problems;
    PIM_CHECK(addInputs());
    for (const auto& function : m_model.functions)
        m_functions[{function.domain, function.name}] = &function;
    for (const auto& value : raw.values)
        m_declared[value.name] = &value;
    for (const auto& value : raw.outputs)
        m_declared[value.name] = &value;

    Scope scope;
    for (const auto& tensor : raw.initializers)
        addInitializer(tensor, scope);
    for (const auto& input : raw.inputs) {
        if (scope.ids.contains(input.name))
            continue; // the initializer is its default value
        const TensorId id = addTensor(input.name);
        Tensor& tensor = m_graph.tensors[id.index()];
        tensor.isInput = true;
        tensor.dtype = input.dtype;
        if (input.dims) {
            Shape shape;
            for (std::size_t axis = 0; axis < input.dims->size(); ++axis) {
                const std::string symbol = dimensionSymbol(input, axis);
                shape.push_back(symbol.empty() ? *(*input.dims)[axis].value : m_symbols.at(symbol));
            }
            const auto count = elementCount(shape);
            if (!count || *count > (std::int64_t(1) << 50) / std::max<std::int64_t>(bytesOf(tensor.dtype), 1))
                return fail(
                    ErrorCode::InvalidModel,
                    fmt::format("its shape {} has too many elements (at most 2^50 bytes are possible)",
                                shapeText(shape)),
                    fmt::format("{}: graph input \"{}\"", m_model.path.string(), input.name),
                    "bind the dynamic dimensions to smaller values");
            tensor.shape = std::move(shape);
        } else if (input.isTensor) {
            m_graph.problems.push_back({Severity::Warning, input.name,
                                        "the shape of this graph input is not in the file",
                                        "export the model with input shapes"});
        }
        m_graph.inputs.push_back(id);
        scope.ids[input.name] = id;
    }
    PIM_CHECK(addNodes(raw.nodes, scope));
    PIM_CHECK(addOutputs(scope));
    if (m_renamed > 0)
        m_graph.problems.push_back(
            {Severity::Note,
             m_firstShared,
             m_renamed == 1
                 ? fmt::format("a later node has the same name; it is called {} here", m_firstRenamed)
                 : fmt::format("{} nodes have the name of an earlier one; the first is called {} here",
                               m_renamed, m_firstRenamed),
             {}});
    return std::move(m_graph);
}

} // namespace

Tensor derivedTensor(std::string name, const Op& op, std::vector<Tensor> inputs, std::size_t output,
                     const std::vector<std::pair<DataType, Shape>>& outputs) {
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.dtype = outputs[output].first;
    tensor.shape = outputs[output].second;
    Derivation recipe;
    recipe.op = op;
    recipe.op.inputs.clear();
    recipe.op.outputs.clear();
    recipe.output = static_cast<int>(output);
    recipe.outputs = outputs;
    std::int64_t largest = -1;
    for (Tensor& input : inputs) {
        input.consumers.clear();
        input.producer = OpId();
        if (input.derived)
            recipe.depth = std::max(recipe.depth, input.derived->depth + 1);
        if (input.data && input.bytes().value_or(0) > largest) {
            largest = input.bytes().value_or(0);
            tensor.data = input.data;
        }
    }
    std::vector<const Tensor*> operands;
    for (const Tensor& input : inputs)
        operands.push_back(input.name.empty() ? nullptr : &input);
    tensor.packedBits = packedBitsOf(op, operands, outputs[output].second);
    recipe.inputs = std::move(inputs);
    tensor.derived = std::make_shared<const Derivation>(std::move(recipe));
    return tensor;
}

Result<Graph> instantiate(const RawModel& model, const GraphOptions& options, const TaskContext& task) {
    auto first = Builder(model, options, 1, task).run();
    if (first || first.error().code != ErrorCode::InvalidModel)
        return first;
    // 1 is too small for some: a picture has to survive its pooling layers, a sound its first window. Then
    // the smallest of the usual sizes that works, as an assumption the user sees; nothing he chose is
    // touched.
    const auto bindings = bindDimensions(model, options.bindings, 0);
    if (!bindings || std::none_of(bindings->begin(), bindings->end(),
                                  [](const auto& b) { return b.assumed && b.value == 0; }))
        return first;
    for (const std::int64_t size : {32, 224, 640, 16'000}) {
        auto next = Builder(model, options, size, task).run();
        if (!next && next.error().code != ErrorCode::InvalidModel)
            return next;
        if (!next)
            continue;
        next->problems.push_back(
            {Severity::Note, "model",
             fmt::format("open dimensions of size 1 are too small for this model; {} is assumed", size),
             "bind the dimensions to the sizes you work with"});
        return next;
    }
    return first;
}

} // namespace pim
