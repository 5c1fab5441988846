// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/zoo/graph_writer.h"

#include "core/base/file_io.h"
#include "core/base/half_float.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstring>

namespace pim::zoo {
namespace {

constexpr std::int64_t kOpset = 13;
constexpr std::int64_t kIrVersion = 7;    // the one of ONNX 1.8, which brought opset 13
constexpr std::int64_t kAlignment = 4096; // page size: external tensors can be mapped one by one

onnx::TensorProto::DataType onnxType(DataType type) {
    switch (type) {
    case DataType::F32:
        return onnx::TensorProto::FLOAT;
    case DataType::F16:
        return onnx::TensorProto::FLOAT16;
    default:
        return onnx::TensorProto::INT64;
    }
}

void setType(onnx::ValueInfoProto& info, const std::string& name, DataType type,
             const std::vector<Dim>& dims) {
    info.set_name(name);
    auto* tensor = info.mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(onnxType(type));
    for (const Dim& dim : dims) {
        auto* d = tensor->mutable_shape()->add_dim();
        if (dim.symbol.empty())
            d->set_dim_value(dim.value);
        else
            d->set_dim_param(dim.symbol);
    }
}

struct WeightTensor {
    std::string name;
    Shape shape;
    Fill fill;
    std::int64_t bytes = 0;
};

/// Wire format of one field of a message. [Protocol Buffers encoding guide: tag = number << 3 | 2
/// (length-delimited)]
std::string fieldHeader(int number, std::int64_t length) {
    std::string header;
    google::protobuf::io::StringOutputStream stream(&header);
    google::protobuf::io::CodedOutputStream out(&stream);
    out.WriteTag(static_cast<std::uint32_t>(number) << 3 | 2);
    out.WriteVarint64(static_cast<std::uint64_t>(length));
    out.Trim();
    return header;
}

} // namespace

struct GraphWriter::Impl {
    onnx::ModelProto model;
    DataType floatType;
    std::vector<WeightTensor> weights;
    std::map<std::string, int> used;              ///< How often a node name was wanted.
    std::map<std::string, std::string> constants; ///< One node for equal constants.
    std::string scope;
    std::int64_t parameters = 0, weightBytes = 0;

    std::string add(const std::string& name, const Shape& shape, const Fill& fill) {
        std::string full = scope.empty() ? name : scope.substr(1) + "." + name;
        std::replace(full.begin(), full.end(), '/', '.');
        std::int64_t bytes = bytesOf(floatType);
        for (const std::int64_t extent : shape)
            bytes *= extent;
        weights.push_back({full, shape, fill, bytes});
        weightBytes += bytes;
        return full;
    }

    std::string constant(const std::string& key, const Shape& shape, DataType type, std::string bytes) {
        const auto [found, isNew] = constants.try_emplace(key, key);
        if (isNew) {
            onnx::NodeProto& node = *model.mutable_graph()->add_node();
            node.set_op_type("Constant");
            node.set_name("Constant_" + key);
            node.add_output(key);
            onnx::AttributeProto& attribute = *node.add_attribute();
            attribute.set_name("value");
            attribute.set_type(onnx::AttributeProto::TENSOR);
            onnx::TensorProto& tensor = *attribute.mutable_t();
            for (const std::int64_t extent : shape)
                tensor.add_dims(extent);
            tensor.set_data_type(onnxType(type));
            tensor.set_raw_data(std::move(bytes));
        }
        return found->second;
    }
};

GraphWriter::GraphWriter(std::string name, std::string description, DataType floatType)
    : m_impl(std::make_unique<Impl>()) {
    m_impl->floatType = floatType;
    onnx::ModelProto& model = m_impl->model;
    model.set_ir_version(kIrVersion);
    model.set_producer_name("PIM Studio zoo");
    model.add_opset_import()->set_version(kOpset);
    model.mutable_graph()->set_name(std::move(name));
    model.mutable_graph()->set_doc_string(std::move(description));
}

GraphWriter::~GraphWriter() = default;

DataType GraphWriter::floatType() const {
    return m_impl->floatType;
}
std::int64_t GraphWriter::parameters() const {
    return m_impl->parameters;
}
std::int64_t GraphWriter::weightBytes() const {
    return m_impl->weightBytes;
}
std::int64_t GraphWriter::nodeCount() const {
    return m_impl->model.graph().node_size();
}

std::string GraphWriter::input(const std::string& name, DataType type, const std::vector<Dim>& dims) {
    setType(*m_impl->model.mutable_graph()->add_input(), name, type, dims);
    return name;
}

void GraphWriter::output(const std::string& value, const std::string& name, const std::vector<Dim>& dims) {
    setType(*m_impl->model.mutable_graph()->add_output(), name, m_impl->floatType, dims);
    // Give the value its public name where it is made and wherever it is used.
    bool produced = false;
    for (onnx::NodeProto& node : *m_impl->model.mutable_graph()->mutable_node()) {
        for (std::string& input : *node.mutable_input())
            if (input == value)
                input = name;
        for (std::string& result : *node.mutable_output())
            if (result == value) {
                result = name;
                produced = true;
            }
    }
    PIM_ASSERT(produced, "an output of the graph is the result of a node");
}

std::string GraphWriter::weight(const std::string& name, const Shape& shape, const Fill& fill) {
    std::string full = m_impl->add(name, shape, fill);
    m_impl->parameters += m_impl->weights.back().bytes / bytesOf(m_impl->floatType);
    return full;
}

std::string GraphWriter::table(const std::string& name, const Shape& shape, const Fill& fill) {
    return m_impl->add(name, shape, fill);
}

std::string GraphWriter::ints(const std::vector<std::int64_t>& values) {
    std::string key = "ints";
    for (const std::int64_t value : values)
        key += "_" + std::to_string(value);
    std::string bytes(values.size() * sizeof(std::int64_t), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return m_impl->constant(key, {static_cast<std::int64_t>(values.size())}, DataType::I64, std::move(bytes));
}

std::string GraphWriter::intScalar(std::int64_t value) {
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    return m_impl->constant("int_" + std::to_string(value), {}, DataType::I64, std::move(bytes));
}

std::string GraphWriter::scalar(double value) {
    const auto number = static_cast<float>(value);
    std::string bytes;
    if (m_impl->floatType == DataType::F16) {
        const HalfBits half = floatToHalf(number);
        bytes.assign(reinterpret_cast<const char*>(&half), sizeof half);
    } else {
        bytes.assign(reinterpret_cast<const char*>(&number), sizeof number);
    }
    return m_impl->constant(fmt::format("value_{:g}", value), {}, m_impl->floatType, std::move(bytes));
}

std::string GraphWriter::intTable(const std::string& name, const Shape& shape,
                                  const std::vector<std::int64_t>& values) {
    onnx::TensorProto& tensor = *m_impl->model.mutable_graph()->add_initializer();
    tensor.set_name(name);
    for (const std::int64_t extent : shape)
        tensor.add_dims(extent);
    tensor.set_data_type(onnx::TensorProto::INT64);
    tensor.set_raw_data(values.data(), values.size() * sizeof(std::int64_t));
    return name;
}

std::string GraphWriter::node(const std::string& type, const std::vector<std::string>& inputs,
                              const Attributes& attributes) {
    return nodes(type, inputs, 1, attributes).front();
}

std::vector<std::string> GraphWriter::nodes(const std::string& type, const std::vector<std::string>& inputs,
                                            int outputs, const Attributes& attributes) {
    const std::string base = m_impl->scope + "/" + type;
    const int count = m_impl->used[base]++;
    const std::string name = count == 0 ? base : base + "_" + std::to_string(count);
    onnx::NodeProto& node = *m_impl->model.mutable_graph()->add_node();
    node.set_op_type(type);
    node.set_name(name);
    for (const std::string& value : inputs)
        node.add_input(value);
    for (const auto& [key, value] : attributes) {
        onnx::AttributeProto& attribute = *node.add_attribute();
        attribute.set_name(key);
        if (const auto* integer = std::get_if<std::int64_t>(&value)) {
            attribute.set_type(onnx::AttributeProto::INT);
            attribute.set_i(*integer);
        } else if (const auto* real = std::get_if<double>(&value)) {
            attribute.set_type(onnx::AttributeProto::FLOAT);
            attribute.set_f(static_cast<float>(*real));
        } else {
            attribute.set_type(onnx::AttributeProto::INTS);
            for (const std::int64_t element : std::get<std::vector<std::int64_t>>(value))
                attribute.add_ints(element);
        }
    }
    std::vector<std::string> results;
    for (int i = 0; i < outputs; ++i) {
        results.push_back(name + "_output_" + std::to_string(i));
        node.add_output(results.back());
    }
    return results;
}

GraphWriter::Scope::Scope(GraphWriter& writer, const std::string& name)
    : m_writer(writer), m_length(writer.m_impl->scope.size()) {
    writer.m_impl->scope += "/" + name;
}
GraphWriter::Scope::~Scope() {
    m_writer.m_impl->scope.resize(m_length);
}

namespace {

/// One header a tensor: all of it but the payload.
struct TensorHeaders {
    std::vector<std::string> headers;
    std::vector<std::int64_t> offsets; ///< In the file of external weights.
    std::int64_t graphBytes = 0;       ///< Of the graph with them and what payload is in it.
};

/// \param location file of external weights; empty: weights lie in the model.
TensorHeaders headersOf(const std::vector<WeightTensor>& weights, DataType type,
                        const std::string& location) {
    TensorHeaders made;
    std::int64_t offset = 0;
    for (const WeightTensor& weight : weights) {
        onnx::TensorProto tensor;
        tensor.set_name(weight.name);
        for (const std::int64_t extent : weight.shape)
            tensor.add_dims(extent);
        tensor.set_data_type(onnxType(type));
        std::int64_t payload = 0;
        if (!location.empty()) {
            tensor.set_data_location(onnx::TensorProto::EXTERNAL);
            const std::pair<const char*, std::string> entries[] = {{"location", location},
                                                                   {"offset", std::to_string(offset)},
                                                                   {"length", std::to_string(weight.bytes)}};
            for (const auto& [key, value] : entries) {
                auto* entry = tensor.add_external_data();
                entry->set_key(key);
                entry->set_value(value);
            }
            made.offsets.push_back(offset);
            offset = (offset + weight.bytes + kAlignment - 1) / kAlignment * kAlignment;
        }
        std::string header = tensor.SerializeAsString();
        if (location.empty()) {
            header += fieldHeader(onnx::TensorProto::kRawDataFieldNumber, weight.bytes);
            payload = weight.bytes;
        }
        const auto tensorBytes = static_cast<std::int64_t>(header.size()) + payload;
        header = fieldHeader(onnx::GraphProto::kInitializerFieldNumber, tensorBytes) + header;
        made.graphBytes += static_cast<std::int64_t>(header.size()) + payload;
        made.headers.push_back(std::move(header));
    }
    return made;
}

} // namespace

Result<std::vector<std::filesystem::path>> GraphWriter::write(const std::filesystem::path& file,
                                                              const WriteOptions& options,
                                                              const TaskContext& task) const {
    const bool present = options.weights == Weights::Present;
    const bool external = !present || m_impl->weightBytes > options.inlineLimitBytes;
    const std::string location =
        present ? file.filename().string() + ".data" : m_impl->model.graph().name() + ".weights-absent";
    TensorHeaders made = headersOf(m_impl->weights, m_impl->floatType, external ? location : std::string());
    made.graphBytes += static_cast<std::int64_t>(m_impl->model.graph().ByteSizeLong());

    std::int64_t done = 0;
    const auto pour = [&](OutputFile& to, const WeightTensor& weight) {
        return streamValues(
            weight.fill, m_impl->floatType, weight.shape, options.seed, weight.name,
            [&](std::span<const std::byte> bytes) -> Result<void> {
                if (task.cancelled())
                    return TaskContext::cancelledError("writing " + file.string());
                PIM_CHECK(to.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
                done += static_cast<std::int64_t>(bytes.size());
                task.report("writing weights", done, m_impl->weightBytes);
                return {};
            });
    };

    onnx::ModelProto shell;
    shell.set_ir_version(m_impl->model.ir_version());
    shell.set_producer_name(m_impl->model.producer_name());
    *shell.mutable_opset_import() = m_impl->model.opset_import();

    std::vector<std::filesystem::path> files{file};
    PIM_TRY(OutputFile structure, OutputFile::create(file));
    PIM_CHECK(structure.write(shell.SerializeAsString()));
    PIM_CHECK(structure.write(fieldHeader(onnx::ModelProto::kGraphFieldNumber, made.graphBytes)));
    PIM_CHECK(structure.write(m_impl->model.graph().SerializeAsString()));
    for (std::size_t i = 0; i < made.headers.size(); ++i) {
        PIM_CHECK(structure.write(made.headers[i]));
        if (!external)
            PIM_CHECK(pour(structure, m_impl->weights[i]));
    }
    if (external && present) {
        files.push_back(file.string() + ".data");
        PIM_TRY(OutputFile data, OutputFile::create(files.back()));
        for (std::size_t i = 0; i < made.headers.size(); ++i) {
            PIM_CHECK(data.write(std::string(std::size_t(made.offsets[i] - data.size()), '\0')));
            PIM_CHECK(pour(data, m_impl->weights[i]));
        }
        PIM_CHECK(data.finish());
    }
    PIM_CHECK(structure.finish());
    return files;
}

} // namespace pim::zoo
