// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The node tests of ONNX (tests/golden/numeric): one op each, with what goes in and what has to come out.
#include "core/graph/semantics/op_facts.h"
#include "core/numeric/element_access.h"
#include "tests/core_numeric/single_op.h"

#include <nlohmann/json.hpp>

#include <fstream>

namespace pim::test {

using nlohmann::json;

inline DataType typeOf(const json& tensor) {
    return dataTypeFromName(tensor.at("type").get<std::string>()).value();
}

/// Numbers with fractions as F32, as a running network has them.
inline Value valueOf(const json& tensor) {
    if (tensor.is_null())
        return {};
    const auto type = typeOf(tensor);
    const auto shape = tensor.at("shape").get<Shape>();
    std::vector<std::byte> bytes;
    if (isRealType(type))
        bytes = bytesFromReals(tensor.at("values").get<std::vector<double>>(), DataType::F32);
    else
        bytes = bytesFromInts(tensor.at("values").get<std::vector<std::int64_t>>(), type);
    return Value{isRealType(type) ? DataType::F32 : type, shape,
                 std::make_shared<const std::vector<std::byte>>(std::move(bytes))};
}

inline Attribute attributeOf(const json& value) {
    if (value.is_object())
        return value.at("real").get<double>();
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_array() && !value.empty() && value[0].is_string())
        return value.get<std::vector<std::string>>();
    return value.get<std::vector<std::int64_t>>();
}

inline const json& onnxCases() {
    static const json document = [] {
        std::ifstream stream(std::string(PIM_SOURCE_DIR) + "/tests/golden/numeric/onnx_node_tests.json");
        return json::parse(stream);
    }();
    return document.at("cases");
}

struct OnnxCase {
    std::shared_ptr<const Graph> graph;
    std::vector<Value> inputs; ///< Of the op; bytes null for an input left out.
    std::vector<Value> given;  ///< Of the graph.
    std::vector<Value> expected;
};

/// \param constants positions of inputs that are weights.
inline OnnxCase onnxCase(std::size_t index, const std::vector<std::size_t>& constants = {}) {
    const json& one = onnxCases()[index];
    Op op;
    op.type = one.at("op").get<std::string>();
    if (const OpFact* fact = findOpFact({}, op.type))
        op.opClass = fact->opClass;
    for (const auto& [key, value] : one.at("attributes").items())
        op.attributes[key] = attributeOf(value);
    OnnxCase result;
    for (const json& tensor : one.at("inputs"))
        result.inputs.push_back(valueOf(tensor));
    for (const json& tensor : one.at("outputs"))
        result.expected.push_back(valueOf(tensor));
    if (op.type == "LayerNormalization")
        result.expected.resize(1); // nobody asks for the statistics at inference
    result.graph =
        singleOp(op, result.inputs, result.expected, constants, one.at("opset").get<std::int64_t>());
    std::erase_if(result.expected, [](const Value& value) { return !value.bytes; }); // that it leaves out
    for (std::size_t i = 0; i < result.inputs.size(); ++i)
        if (result.inputs[i].bytes && std::find(constants.begin(), constants.end(), i) == constants.end())
            result.given.push_back(result.inputs[i]);
    return result;
}

} // namespace pim::test
