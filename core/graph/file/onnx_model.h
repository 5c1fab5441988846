// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// An ONNX file as written: names, not ids; weight payloads as places in files. Flow: bytes -> read_onnx ->
/// [these]
/// -> check_onnx -> GraphBuilder. Field meanings: onnx.proto (ONNX 1.12, IR version 8).
#include "core/graph/graph.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pim::file {

/// TensorProto::DataType -> ours; Unknown for the types we have no word for (FLOAT8E8M0, INT2, …).
DataType dataTypeFromOnnx(std::int64_t onnxType);
std::int64_t onnxFromDataType(DataType type);

struct RawTensor {
    std::string name;
    std::int64_t onnxType = 0;
    Shape dims;
    std::optional<InitializerRef>
        ref; ///< Always set by the reader; present = false where there is no payload.
    std::shared_ptr<const std::vector<std::byte>> value; ///< Decoded, where small.
    std::string external; ///< File name of external data; empty if inside the model file.

    DataType dtype() const { return dataTypeFromOnnx(onnxType); }
};

struct RawGraph;

struct RawAttribute {
    std::string name;
    std::string refName; ///< Inside a function: the name of the function's attribute that stands here.
    std::optional<Attribute> value;
    std::shared_ptr<const RawTensor> tensor;
    std::vector<std::shared_ptr<RawGraph>> graphs;
};

struct RawNode {
    int index = 0; ///< Position in the file.
    std::string name, type, domain;
    std::vector<std::string> inputs, outputs;
    std::vector<RawAttribute> attributes;
    std::vector<std::string> captures; ///< Outer names its subgraphs use; filled by checkModel().

    const RawAttribute* attribute(std::string_view key) const;
    std::string label() const { return name.empty() ? type + "_" + std::to_string(index) : name; }
};

struct RawDim {
    std::optional<std::int64_t> value;
    std::string symbol;
};

struct RawValue {
    std::string name;
    DataType dtype = DataType::Unknown;
    bool isTensor = false;
    std::optional<std::vector<RawDim>> dims; ///< Absent: rank unknown.
};

struct RawGraph {
    std::string name;
    std::vector<RawNode> nodes; ///< Topological order after checkModel().
    std::vector<RawTensor> initializers;
    std::vector<RawValue> inputs, outputs, values;
    int nodesInAll = 0; ///< Subgraphs included.
};

struct RawFunction {
    std::string name, domain;
    std::vector<std::string> inputs, outputs;
    std::vector<RawAttribute> defaults;
    RawGraph body; ///< Nodes only.
};

struct RawModel {
    std::filesystem::path path;
    std::int64_t fileBytes = 0;
    std::int64_t irVersion = 0;
    std::string producer;
    std::string description;                                   ///< doc_string
    std::vector<std::pair<std::string, std::string>> metadata; ///< metadata_props
    std::map<std::string, std::int64_t> opsets;
    RawGraph graph;
    std::vector<RawFunction> functions;
    Diagnostics problems;
};

} // namespace pim::file
