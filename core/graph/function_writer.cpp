// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/function_writer.h"

#include "core/graph/semantics/values.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {

FunctionWriter::FunctionWriter(const file::RawNode& node, std::span<const Tensor* const> inputs)
    : m_node(node), m_inputs(inputs) {
    m_function.name = node.type;
    m_function.domain = node.domain;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        m_function.inputs.push_back(inputs[i] ? "in" + std::to_string(i) : "left_out" + std::to_string(i));
    m_function.outputs.resize(node.outputs.size());
}

std::int64_t FunctionWriter::integer(std::string_view attribute, std::int64_t standard) const {
    const file::RawAttribute* found = m_node.attribute(attribute);
    const auto* value = found && found->value ? std::get_if<std::int64_t>(&*found->value) : nullptr;
    return value ? *value : standard;
}

std::int64_t FunctionWriter::count(std::string_view attribute) const {
    constexpr std::int64_t kMost = 1 << 20;
    const std::int64_t value = integer(attribute, 0);
    return value < 0 || value > kMost ? 0 : value;
}

double FunctionWriter::real(std::string_view attribute, double standard) const {
    const file::RawAttribute* found = m_node.attribute(attribute);
    const auto* value = found && found->value ? std::get_if<double>(&*found->value) : nullptr;
    return value ? *value : standard;
}

std::string FunctionWriter::text(std::string_view attribute, std::string standard) const {
    const file::RawAttribute* found = m_node.attribute(attribute);
    const auto* value = found && found->value ? std::get_if<std::string>(&*found->value) : nullptr;
    return value ? *value : standard;
}

ValueName FunctionWriter::op(const std::string& type, std::vector<ValueName> inputs, Attributes attributes,
                             const std::string& domain) {
    return ops(type, std::move(inputs), 1, std::move(attributes), domain).front();
}

std::vector<ValueName> FunctionWriter::ops(const std::string& type, std::vector<ValueName> inputs,
                                           std::size_t outputs, Attributes attributes,
                                           const std::string& domain) {
    file::RawNode made;
    made.index = static_cast<int>(m_function.body.nodes.size());
    made.type = type;
    made.domain = domain;
    made.inputs = std::move(inputs);
    made.outputs = {made.label()};
    for (std::size_t i = 1; i < outputs; ++i)
        made.outputs.push_back(fmt::format("{}_{}", made.label(), i));
    for (auto& [name, value] : attributes)
        made.attributes.push_back({std::move(name), {}, std::move(value), nullptr, {}});
    m_function.body.nodes.push_back(std::move(made));
    return m_function.body.nodes.back().outputs;
}

Attributes FunctionWriter::attributesBut(std::initializer_list<std::string_view> names) const {
    Attributes attributes;
    for (const file::RawAttribute& each : m_node.attributes)
        if (each.value && std::ranges::find(names, each.name) == names.end())
            attributes.emplace_back(each.name, *each.value);
    return attributes;
}

ValueName FunctionWriter::constant(Shape shape, DataType type, std::vector<std::byte> bytes) {
    file::RawTensor tensor;
    tensor.onnxType = file::onnxFromDataType(type);
    tensor.dims = std::move(shape);
    tensor.value = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    const ValueName name = op("Constant", {});
    m_function.body.nodes.back().attributes.push_back(
        {"value", {}, {}, std::make_shared<const file::RawTensor>(std::move(tensor)), {}});
    return name;
}

ValueName FunctionWriter::ints(const std::vector<std::int64_t>& values) {
    return constant({static_cast<std::int64_t>(values.size())}, DataType::I64,
                    bytesFromInts(values, DataType::I64));
}

ValueName FunctionWriter::range(std::int64_t begin, std::int64_t end) {
    const auto number = [&](std::int64_t value) {
        return constant({}, DataType::I64, bytesFromInts({value}, DataType::I64));
    };
    return op("Range", {number(begin), number(end), number(1)});
}

ValueName FunctionWriter::scalar(double value, DataType type) {
    return constant({}, type, bytesFromReals({value}, type));
}

void FunctionWriter::setOutput(std::size_t output, const ValueName& value) {
    if (output < m_function.outputs.size())
        m_function.outputs[output] = value;
}

std::optional<file::RawFunction> FunctionWriter::take() {
    for (std::size_t i = 0; i < m_function.outputs.size(); ++i)
        if (wants(i) && m_function.outputs[i].empty())
            return std::nullopt;
    return std::move(m_function);
}

} // namespace pim
