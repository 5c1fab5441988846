// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core_graph/onnx_builder.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#include <onnx/onnx_pb.h>
#pragma GCC diagnostic pop

#include <fstream>
#include <numeric>

namespace pim::test {

struct OnnxBuilder::Impl {
    onnx::ModelProto model;
    onnx::GraphProto& graph() { return *model.mutable_graph(); }
};

namespace {

void setAttribute(onnx::NodeProto& node, const std::string& name, const AttributeSpec& value) {
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    if (const auto* i = std::get_if<std::int64_t>(&value)) {
        attribute->set_type(onnx::AttributeProto::INT);
        attribute->set_i(*i);
    } else if (const auto* f = std::get_if<double>(&value)) {
        attribute->set_type(onnx::AttributeProto::FLOAT);
        attribute->set_f(static_cast<float>(*f));
    } else if (const auto* s = std::get_if<std::string>(&value)) {
        attribute->set_type(onnx::AttributeProto::STRING);
        attribute->set_s(*s);
    } else if (const auto* reals = std::get_if<std::vector<double>>(&value)) {
        attribute->set_type(onnx::AttributeProto::FLOATS);
        for (const double v : *reals)
            attribute->add_floats(static_cast<float>(v));
    } else if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
        attribute->set_type(onnx::AttributeProto::STRINGS);
        for (const std::string& v : *texts)
            attribute->add_strings(v);
    } else {
        attribute->set_type(onnx::AttributeProto::INTS);
        for (const std::int64_t v : std::get<std::vector<std::int64_t>>(value))
            attribute->add_ints(v);
    }
}

onnx::GraphProto oneNode(const std::string& type, const std::string& input, const std::string& output) {
    onnx::GraphProto graph;
    graph.set_name("branch");
    auto* node = graph.add_node();
    node->set_op_type(type);
    node->add_input(input);
    node->add_output(output);
    graph.add_output()->set_name(output);
    return graph;
}

void setGraph(onnx::NodeProto& node, const std::string& name, onnx::GraphProto graph) {
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto::GRAPH);
    *attribute->mutable_g() = std::move(graph);
}

onnx::TensorProto* addTensor(onnx::GraphProto& graph, const std::string& name,
                             const std::vector<std::int64_t>& dims, int type) {
    auto* tensor = graph.add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(type);
    for (const std::int64_t d : dims)
        tensor->add_dims(d);
    return tensor;
}

} // namespace

OnnxBuilder::OnnxBuilder(std::int64_t opset) : m_impl(std::make_unique<Impl>()) {
    m_impl->model.set_ir_version(8);
    m_impl->model.set_producer_name("pim test");
    m_impl->model.set_doc_string("made by a test");
    auto* entry = m_impl->model.add_metadata_props();
    entry->set_key("licence");
    entry->set_value("none");
    entry = m_impl->model.add_metadata_props();
    entry->set_key("long");
    for (int i = 0; i < 1500; ++i)
        entry->mutable_value()->append("ä");
    auto* set = m_impl->model.add_opset_import();
    set->set_domain("");
    set->set_version(opset);
    m_impl->graph().set_name("test");
}
OnnxBuilder::OnnxBuilder(OnnxBuilder&&) noexcept = default;
OnnxBuilder::~OnnxBuilder() = default;

OnnxBuilder& OnnxBuilder::input(const std::string& name, const std::vector<DimSpec>& dims, int onnxType) {
    auto* value = m_impl->graph().add_input();
    value->set_name(name);
    auto* type = value->mutable_type()->mutable_tensor_type();
    type->set_elem_type(onnxType);
    type->mutable_shape();
    for (const auto& d : dims) {
        auto* dim = type->mutable_shape()->add_dim();
        if (const auto* extent = std::get_if<std::int64_t>(&d))
            dim->set_dim_value(*extent);
        else if (!std::get<std::string>(d).empty())
            dim->set_dim_param(std::get<std::string>(d));
    }
    return *this;
}

OnnxBuilder& OnnxBuilder::output(const std::string& name) {
    m_impl->graph().add_output()->set_name(name);
    return *this;
}

OnnxBuilder& OnnxBuilder::node(const std::string& type, const std::vector<std::string>& inputs,
                               const std::vector<std::string>& outputs, const Attributes& attributes,
                               const std::string& name, const std::string& domain) {
    auto* node = m_impl->graph().add_node();
    node->set_op_type(type);
    node->set_name(name.empty() ? outputs.empty() ? type : outputs[0] : name);
    node->set_domain(domain);
    for (const auto& in : inputs)
        node->add_input(in);
    for (const auto& out : outputs)
        node->add_output(out);
    for (const auto& [key, value] : attributes)
        setAttribute(*node, key, value);
    return *this;
}

OnnxBuilder& OnnxBuilder::weight(const std::string& name, const std::vector<std::int64_t>& dims, float step) {
    std::vector<float> values(static_cast<std::size_t>(
        std::accumulate(dims.begin(), dims.end(), std::int64_t(1), std::multiplies<>())));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i) * step;
    return floats(name, dims, values);
}

OnnxBuilder& OnnxBuilder::floats(const std::string& name, const std::vector<std::int64_t>& dims,
                                 const std::vector<float>& values) {
    addTensor(m_impl->graph(), name, dims, onnx::TensorProto::FLOAT)
        ->set_raw_data(values.data(), values.size() * sizeof(float));
    return *this;
}

OnnxBuilder& OnnxBuilder::ints(const std::string& name, const std::vector<std::int64_t>& values,
                               bool isScalar) {
    auto* tensor = addTensor(m_impl->graph(), name, {}, onnx::TensorProto::INT64);
    if (!isScalar)
        tensor->add_dims(static_cast<std::int64_t>(values.size()));
    for (const std::int64_t v : values) // the typed field, varint-packed
        tensor->add_int64_data(v);
    return *this;
}

OnnxBuilder& OnnxBuilder::external(const std::string& name, const std::vector<std::int64_t>& dims,
                                   const std::string& location, std::int64_t offset, std::int64_t length) {
    auto* tensor = addTensor(m_impl->graph(), name, dims, onnx::TensorProto::FLOAT);
    tensor->set_data_location(onnx::TensorProto::EXTERNAL);
    const auto entry = [&](const char* key, const std::string& value) {
        auto* e = tensor->add_external_data();
        e->set_key(key);
        e->set_value(value);
    };
    entry("location", location);
    entry("offset", std::to_string(offset));
    entry("length", std::to_string(length));
    return *this;
}

OnnxBuilder& OnnxBuilder::constant(const std::string& name, const std::vector<std::int64_t>& dims,
                                   int onnxType, const std::string& bytes) {
    addTensor(m_impl->graph(), name, dims, onnxType)->set_raw_data(bytes);
    return *this;
}

OnnxBuilder& OnnxBuilder::domain(const std::string& name, std::int64_t version) {
    auto* set = m_impl->model.add_opset_import();
    set->set_domain(name);
    set->set_version(version);
    return *this;
}

OnnxBuilder& OnnxBuilder::rawWeight(const std::string& name, const std::vector<std::int64_t>& dims,
                                    std::size_t bytes) {
    addTensor(m_impl->graph(), name, dims, onnx::TensorProto::FLOAT)->set_raw_data(std::string(bytes, '\0'));
    return *this;
}

OnnxBuilder& OnnxBuilder::branch(const std::string& condition, const std::string& captured,
                                 const std::string& output, const std::string& thenType,
                                 const std::string& elseType) {
    auto* node = m_impl->graph().add_node();
    node->set_op_type("If");
    node->set_name("if_" + output);
    node->add_input(condition);
    node->add_output(output);
    setGraph(*node, "then_branch", oneNode(thenType, captured, "inner"));
    setGraph(*node, "else_branch", oneNode(elseType, captured, "inner"));
    return *this;
}

OnnxBuilder& OnnxBuilder::nested(int depth, const std::string& condition, const std::string& output) {
    // Written from the inside out as bytes: a message tree this deep would overflow protobuf's own recursion.
    const auto varint = [](std::size_t v) {
        std::string text;
        for (; v >= 0x80; v >>= 7)
            text += static_cast<char>(v | 0x80);
        return text + static_cast<char>(v);
    };
    const auto field = [&](int id, const std::string& payload) { // wire type 2
        return varint(static_cast<std::size_t>(id << 3 | 2)) + varint(payload.size()) + payload;
    };
    std::string graph = oneNode("Identity", condition, "inner").SerializeAsString();
    for (int i = 0; i < depth; ++i) {
        const std::string attribute = field(1, "then_branch") + varint(20 << 3) + varint(5) + field(6, graph);
        const std::string node =
            field(1, condition) + field(2, "inner") + field(4, "If") + field(5, attribute);
        graph = field(1, node) + field(12, field(1, "inner"));
    }
    auto* node = m_impl->graph().add_node();
    node->set_op_type("If");
    node->set_name("outermost");
    node->add_input(condition);
    node->add_output(output);
    auto* attribute = node->add_attribute();
    attribute->set_name("then_branch");
    attribute->set_type(onnx::AttributeProto::GRAPH);
    // An unknown field to libonnx's reflection: appended as it is when the model is written.
    attribute->mutable_unknown_fields()->AddLengthDelimited(6, graph);
    return *this;
}

OnnxBuilder& OnnxBuilder::function(const std::string& name, const std::string& type,
                                   const std::string& domain) {
    auto* function = m_impl->model.add_functions();
    function->set_name(name);
    function->set_domain("local");
    function->add_input("x");
    function->add_input("y");
    function->add_output("z");
    auto* node = function->add_node();
    node->set_op_type(type);
    node->set_domain(domain);
    node->add_input("x");
    node->add_input("y");
    node->add_output("z");
    return *this;
}

OnnxBuilder& OnnxBuilder::largeGraph(int nodes) {
    input("x", {std::int64_t(1), std::int64_t(64)});
    weight("w", {64});
    std::string last = "x", skip = "x";
    for (int i = 0; i < nodes; ++i) {
        const std::string next = i + 1 == nodes ? "last" : "t" + std::to_string(i);
        node(i % 2 ? "Add" : "Mul", {last, i % 2 ? skip : "w"}, {next});
        if (i % 2)
            skip = next;
        last = next;
    }
    return output("last");
}

OnnxBuilder& OnnxBuilder::description(const std::string& text) {
    m_impl->model.set_doc_string(text);
    return *this;
}

std::string OnnxBuilder::bytes() const {
    return m_impl->model.SerializeAsString();
}

std::filesystem::path OnnxBuilder::save(const std::filesystem::path& file) const {
    writeFile(file, bytes());
    return file;
}

void writeFile(const std::filesystem::path& file, const std::string& bytes) {
    std::ofstream out(file, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

} // namespace pim::test
