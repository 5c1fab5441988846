// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/file/read_onnx.h"

#include "core/base/utf8.h"
#include "core/graph/file/wire.h"
#include "core/graph/semantics/op_context.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <unordered_map>

namespace pim::file {

// Names of fields are those of onnx.proto; the messages themselves would copy all weights into memory.
using namespace onnx;

namespace {

/// FunctionProto::attribute_proto of ONNX 1.13, which older headers do not know.
constexpr int kFunctionAttributeProto = 11;
/// Subgraphs (If in Loop in …) nested deeper than this are refused: nobody writes them, and each level is one
/// level of recursion here.
constexpr int kMaxGraphDepth = 64;
/// Values up to these sizes are kept: integers shape other tensors; of floats only scalars and short lists
/// (epsilon, exponents, Resize scales) decide anything.
constexpr std::int64_t kSmallIntegerBytes = 64 * 1024;
constexpr std::int64_t kSmallFloatBytes = 1024;
/// Larger than any memory; keeps products of byte counts far from overflow.
constexpr std::int64_t kMaxTensorBytes = std::int64_t(1) << 50;

bool isInteger(DataType type) {
    switch (type) {
    case DataType::I8:
    case DataType::U8:
    case DataType::I16:
    case DataType::U16:
    case DataType::I32:
    case DataType::U32:
    case DataType::I64:
    case DataType::U64:
    case DataType::Bool:
    case DataType::I4:
    case DataType::U4:
        return true;
    default:
        return false;
    }
}

/// Text as everything downstream (JSON, SQLite, the screen) can hold it: bytes that are not UTF-8, and
/// control characters, become \xHH. \param isProse written for people: lines and tabs stay what they are.
std::string textOf(std::span<const std::byte> bytes, bool isProse = false) {
    const std::string_view raw(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::string text;
    text.reserve(raw.size());
    for (std::size_t i = 0; i < raw.size();) {
        const std::size_t length = codePointBytes(raw.substr(i));
        const auto c = static_cast<unsigned char>(raw[i]);
        const bool isLayout = isProse && (c == '\n' || c == '\r' || c == '\t');
        if (length == 0 || (c < 0x20 && !isLayout) || c == 0x7f) {
            text += fmt::format("\\x{:02x}", c);
            ++i;
        } else {
            text.append(raw, i, length);
            i += length;
        }
    }
    return text;
}

float floatOf(std::uint64_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

class Reader {
public:
    Reader(std::filesystem::path path, const TaskContext& task) : m_path(std::move(path)), m_task(task) {
        m_folder = m_path.parent_path();
    }

    Result<RawModel> readModel(std::span<const std::byte> bytes);

private:
    using Bytes = std::span<const std::byte>;

    tl::unexpected<Error> damaged(const WireReader& reader) const {
        return reader.truncated()
                   ? fail(ErrorCode::InvalidFile,
                          fmt::format("the file is damaged or cut off: {}", reader.problem()),
                          m_path.string(), "copy or export the model again")
                   : fail(ErrorCode::InvalidFile, fmt::format("the file is damaged: {}", reader.problem()),
                          m_path.string(), "copy or export the model again");
    }
    static std::string text(const WireField& field) { return textOf(field.bytes); }
    /// Some exporters put whole configurations there; nobody reads more of them than this.
    static std::string shortText(const WireField& field) {
        constexpr std::size_t kMost = 2000;
        std::string whole = textOf(field.bytes, true);
        if (whole.size() <= kMost)
            return whole;
        return std::string(withinBytes(whole, kMost)) + "…";
    }

    Result<void> readGraph(const WireField& field, RawGraph& graph, int depth);
    Result<void> readNode(const WireField& field, RawNode& node, int depth, int& nodesInAll);
    Result<void> readAttribute(const WireField& field, RawAttribute& attribute, int depth, int& nodesInAll);
    /// Everything an attribute may be; its type says which of them it is.
    struct AttributeValues {
        int type = AttributeProto::UNDEFINED;
        std::optional<std::int64_t> number;
        std::optional<double> real;
        std::optional<std::string> string;
        std::vector<std::int64_t> numbers;
        std::vector<double> reals;
        std::vector<std::string> strings;
        std::shared_ptr<RawGraph> graph; ///< The one of them that is no list.
    };
    Result<void> readAttributeFields(const WireField& field, RawAttribute& attribute, AttributeValues& values,
                                     int depth, int& nodesInAll);
    static void chooseValue(RawAttribute& attribute, AttributeValues values);
    Result<void> readFunction(const WireField& field, RawFunction& function);
    Result<void> readMetadata(const WireField& field,
                              std::vector<std::pair<std::string, std::string>>& metadata);
    Result<void> readOpset(const WireField& field, std::map<std::string, std::int64_t>& opsets);
    Result<RawValue> readValue(const WireField& field);
    Result<void> readType(const WireField& field, RawValue& value);
    Result<void> readTensorType(const WireField& field, RawValue& value);
    Result<RawTensor> readTensor(const WireField& field);
    /// Where a tensor's elements are, by the fields it has.
    struct TensorPayload {
        std::optional<WireField> raw;
        std::optional<WireField> typed; ///< The last of the other fields that have elements.
        bool spread = false;            ///< There are several of those.
        bool isExternal = false;
        std::map<std::string, std::string> external;
    };
    Result<void> readTensorFields(const WireField& field, RawTensor& tensor, TensorPayload& payload);
    /// InvalidModel where a shape cannot be.
    Result<std::int64_t> countElements(const RawTensor& tensor) const;
    Result<void> locatePayload(RawTensor& tensor, std::int64_t needed, const WireField& field,
                               const TensorPayload& payload);
    std::string labelOf(const RawTensor& tensor) const {
        return fmt::format("{}: initializer \"{}\"", m_path.string(), tensor.name);
    }
    Result<void> readNumbers(const WireField& field, std::vector<std::int64_t>& list);
    Result<void> locateExternal(RawTensor& tensor, std::int64_t needed,
                                const std::map<std::string, std::string>& where);

    std::filesystem::path m_path, m_folder;
    const TaskContext& m_task;
    std::unordered_map<std::string, std::int64_t> m_externalSizes; ///< -1: absent.
    std::int64_t m_steps = 0;
    std::int64_t m_bytesInAll = 0;
};

#define PIM_EACH_FIELD(reader)                                                                               \
    while (reader.next())                                                                                    \
        switch (const WireField& f = reader.field(); f.tag())

Result<RawModel> Reader::readModel(Bytes bytes) {
    RawModel model;
    model.path = m_path;
    model.fileBytes = m_bytesInAll = static_cast<std::int64_t>(bytes.size());
    std::string producer, version;
    bool hasGraph = false;
    WireReader reader(bytes, 0);
    PIM_EACH_FIELD(reader) {
    case varintTag(ModelProto::kIrVersionFieldNumber):
        model.irVersion = static_cast<std::int64_t>(f.number);
        break;
    case lengthTag(ModelProto::kProducerNameFieldNumber):
        producer = text(f);
        break;
    case lengthTag(ModelProto::kProducerVersionFieldNumber):
        version = text(f);
        break;
    case lengthTag(ModelProto::kDocStringFieldNumber):
        model.description = shortText(f);
        break;
    case lengthTag(ModelProto::kMetadataPropsFieldNumber):
        PIM_CHECK(readMetadata(f, model.metadata));
        break;
    case lengthTag(ModelProto::kGraphFieldNumber):
        // A message given twice is merged, as protobuf does.
        PIM_CHECK(readGraph(f, model.graph, 0));
        hasGraph = true;
        break;
    case lengthTag(ModelProto::kOpsetImportFieldNumber):
        PIM_CHECK(readOpset(f, model.opsets));
        break;
    case lengthTag(ModelProto::kFunctionsFieldNumber):
        model.functions.emplace_back();
        PIM_CHECK(readFunction(f, model.functions.back()));
        break;
    default:
        break;
    }
    if (!reader.ok()) {
        if (!hasGraph && model.irVersion == 0 && !reader.truncated())
            return fail(ErrorCode::InvalidFile, "not an ONNX model: " + reader.problem(), m_path.string(),
                        "choose an .onnx file");
        return damaged(reader);
    }
    if (!hasGraph)
        return fail(ErrorCode::InvalidFile, "not an ONNX model, or one without a graph", m_path.string(),
                    "choose an .onnx file; if it is one, it is cut off: copy or export it again");
    model.producer = version.empty() ? producer : producer + " " + version;
    return model;
}

Result<void> Reader::readMetadata(const WireField& field,
                                  std::vector<std::pair<std::string, std::string>>& metadata) {
    constexpr std::size_t kMostEntries = 100;
    std::pair<std::string, std::string> entry;
    WireReader reader(field.bytes, field.bytesOffset);
    PIM_EACH_FIELD(reader) {
    case lengthTag(StringStringEntryProto::kKeyFieldNumber):
        entry.first = shortText(f);
        break;
    case lengthTag(StringStringEntryProto::kValueFieldNumber):
        entry.second = shortText(f);
        break;
    default:
        break;
    }
    if (!reader.ok())
        return damaged(reader);
    if (metadata.size() < kMostEntries)
        metadata.push_back(std::move(entry));
    return {};
}

Result<void> Reader::readOpset(const WireField& field, std::map<std::string, std::int64_t>& opsets) {
    std::string domain;
    std::int64_t version = 0;
    WireReader reader(field.bytes, field.bytesOffset);
    PIM_EACH_FIELD(reader) {
    case lengthTag(OperatorSetIdProto::kDomainFieldNumber):
        domain = text(f);
        break;
    case varintTag(OperatorSetIdProto::kVersionFieldNumber):
        version = static_cast<std::int64_t>(f.number);
        break;
    default:
        break;
    }
    if (!reader.ok())
        return damaged(reader);
    opsets[domain == "ai.onnx" ? "" : domain] = version;
    return {};
}

Result<void> Reader::readGraph(const WireField& field, RawGraph& graph, int depth) {
    if (depth > kMaxGraphDepth)
        return fail(
            ErrorCode::InvalidModel,
            fmt::format("subgraphs are nested more than {} deep (at byte {})", kMaxGraphDepth, field.offset),
            m_path.string(), "flatten the If, Loop and Scan bodies before the export");
    WireReader reader(field.bytes, field.bytesOffset);
    PIM_EACH_FIELD(reader) {
    case lengthTag(GraphProto::kNodeFieldNumber): {
        if (m_task.cancelled())
            return TaskContext::cancelledError("opening the model");
        RawNode node;
        node.index = static_cast<int>(graph.nodes.size());
        PIM_CHECK(readNode(f, node, depth, graph.nodesInAll));
        graph.nodes.push_back(std::move(node));
        ++graph.nodesInAll;
        if (m_steps++ % 256 == 0)
            m_task.report("reading the model", f.offset, m_bytesInAll);
        break;
    }
    case lengthTag(GraphProto::kNameFieldNumber):
        graph.name = text(f);
        break;
    case lengthTag(GraphProto::kInitializerFieldNumber): {
        if (m_task.cancelled())
            return TaskContext::cancelledError("opening the model");
        PIM_TRY(auto tensor, readTensor(f));
        graph.initializers.push_back(std::move(tensor));
        if (m_steps++ % 64 == 0)
            m_task.report("reading the model", f.offset, m_bytesInAll);
        break;
    }
    case lengthTag(GraphProto::kInputFieldNumber):
    case lengthTag(GraphProto::kOutputFieldNumber):
    case lengthTag(GraphProto::kValueInfoFieldNumber): {
        PIM_TRY(auto value, readValue(f));
        (f.id == GraphProto::kInputFieldNumber    ? graph.inputs
         : f.id == GraphProto::kOutputFieldNumber ? graph.outputs
                                                  : graph.values)
            .push_back(std::move(value));
        break;
    }
    case lengthTag(GraphProto::kSparseInitializerFieldNumber): {
        // The values are counted as one dense tensor of the given dims.
        RawTensor sparse;
        WireReader parts(f.bytes, f.bytesOffset);
        while (parts.next()) {
            switch (parts.field().tag()) {
            case lengthTag(SparseTensorProto::kValuesFieldNumber): {
                PIM_TRY(auto values, readTensor(parts.field()));
                sparse.name = std::move(values.name);
                sparse.onnxType = values.onnxType;
                break;
            }
            case varintTag(SparseTensorProto::kDimsFieldNumber):
            case lengthTag(SparseTensorProto::kDimsFieldNumber):
                PIM_CHECK(readNumbers(parts.field(), sparse.dims));
                break;
            default:
                break;
            }
        }
        if (!parts.ok())
            return damaged(parts);
        PIM_CHECK(countElements(sparse));
        sparse.ref =
            InitializerRef{m_path, f.bytesOffset, static_cast<std::int64_t>(f.bytes.size()), false, false};
        graph.initializers.push_back(std::move(sparse));
        break;
    }
    default:
        break;
    }
    if (!reader.ok())
        return damaged(reader);
    return {};
}

Result<void> Reader::readNode(const WireField& field, RawNode& node, int depth, int& nodesInAll) {
    WireReader reader(field.bytes, field.bytesOffset);
    PIM_EACH_FIELD(reader) {
    case lengthTag(NodeProto::kInputFieldNumber):
        node.inputs.push_back(text(f));
        break;
    case lengthTag(NodeProto::kOutputFieldNumber):
        node.outputs.push_back(text(f));
        break;
    case lengthTag(NodeProto::kNameFieldNumber):
        node.name = text(f);
        break;
    case lengthTag(NodeProto::kOpTypeFieldNumber):
        node.type = text(f);
        break;
    case lengthTag(NodeProto::kDomainFieldNumber):
        node.domain = text(f);
        break;
    case lengthTag(NodeProto::kAttributeFieldNumber): {
        RawAttribute attribute;
        PIM_CHECK(readAttribute(f, attribute, depth, nodesInAll));
        node.attributes.push_back(std::move(attribute));
        break;
    }
    default:
        break;
    }
    if (!reader.ok())
        return damaged(reader);
    if (node.domain == "ai.onnx")
        node.domain.clear();
    if (node.type.empty())
        return fail(ErrorCode::InvalidModel,
                    fmt::format("node {} at byte {} has no operator type", node.index, field.offset),
                    m_path.string(), "export the model again");
    return {};
}

Result<void> Reader::readNumbers(const WireField& field, std::vector<std::int64_t>& list) {
    if (field.wire != WireField::Length) {
        list.push_back(static_cast<std::int64_t>(field.number));
        return {};
    }
    WireReader packed(field.bytes, field.bytesOffset);
    std::uint64_t value = 0;
    while (!packed.atEnd() && packed.readVarint(value))
        list.push_back(static_cast<std::int64_t>(value));
    if (!packed.ok())
        return damaged(packed);
    return {};
}

Result<void> Reader::readAttributeFields(const WireField& field, RawAttribute& attribute,
                                         AttributeValues& values, int depth, int& nodesInAll) {
    WireReader reader(field.bytes, field.bytesOffset);
    PIM_EACH_FIELD(reader) {
    case lengthTag(AttributeProto::kNameFieldNumber):
        attribute.name = text(f);
        break;
    case fixed32Tag(AttributeProto::kFFieldNumber):
        values.real = floatOf(f.number);
        break;
    case varintTag(AttributeProto::kIFieldNumber):
        values.number = static_cast<std::int64_t>(f.number);
        break;
    case lengthTag(AttributeProto::kSFieldNumber):
        values.string = text(f);
        break;
    case lengthTag(AttributeProto::kTFieldNumber): {
        PIM_TRY(auto tensor, readTensor(f));
        attribute.tensor = std::make_shared<const RawTensor>(std::move(tensor));
        break;
    }
    case lengthTag(AttributeProto::kGFieldNumber): {
        if (!values.graph) {
            values.graph = std::make_shared<RawGraph>();
            attribute.graphs.insert(attribute.graphs.begin(), values.graph);
        }
        const int before = values.graph->nodesInAll;
        PIM_CHECK(readGraph(f, *values.graph, depth + 1));
        nodesInAll += values.graph->nodesInAll - before;
        break;
    }
    case lengthTag(AttributeProto::kGraphsFieldNumber): {
        auto graph = std::make_shared<RawGraph>();
        PIM_CHECK(readGraph(f, *graph, depth + 1));
        nodesInAll += graph->nodesInAll;
        attribute.graphs.push_back(std::move(graph));
        break;
    }
    case fixed32Tag(AttributeProto::kFloatsFieldNumber):
        values.reals.push_back(floatOf(f.number));
        break;
    case lengthTag(AttributeProto::kFloatsFieldNumber):
        for (std::size_t i = 0; i + 4 <= f.bytes.size(); i += 4) {
            float value = 0;
            std::memcpy(&value, f.bytes.data() + i, 4);
            values.reals.push_back(value);
        }
        break;
    case varintTag(AttributeProto::kIntsFieldNumber):
    case lengthTag(AttributeProto::kIntsFieldNumber):
        PIM_CHECK(readNumbers(f, values.numbers));
        break;
    case lengthTag(AttributeProto::kStringsFieldNumber):
        values.strings.push_back(text(f));
        break;
    case varintTag(AttributeProto::kTypeFieldNumber):
        if (const int type = static_cast<int>(f.number); AttributeProto::AttributeType_IsValid(type))
            values.type = type;
        break;
    case lengthTag(AttributeProto::kRefAttrNameFieldNumber):
        attribute.refName = text(f);
        break;
    default:
        break;
    }
    if (!reader.ok())
        return damaged(reader);
    return {};
}

void Reader::chooseValue(RawAttribute& attribute, AttributeValues values) {
    int type = values.type;
    if (type == AttributeProto::UNDEFINED) // IR versions before 3 leave it out
        type = !attribute.graphs.empty() ? AttributeProto::GRAPH
               : attribute.tensor        ? AttributeProto::TENSOR
               : !values.numbers.empty() ? AttributeProto::INTS
               : !values.reals.empty()   ? AttributeProto::FLOATS
               : !values.strings.empty() ? AttributeProto::STRINGS
               : values.string           ? AttributeProto::STRING
               : values.real             ? AttributeProto::FLOAT
                                         : AttributeProto::INT;
    switch (type) {
    case AttributeProto::FLOAT:
        attribute.value = values.real.value_or(0);
        break;
    case AttributeProto::INT:
        attribute.value = values.number.value_or(0);
        break;
    case AttributeProto::STRING:
        attribute.value = std::move(values.string).value_or("");
        break;
    case AttributeProto::GRAPH:
    case AttributeProto::GRAPHS: {
        AttributeGraph count;
        for (const auto& graph : attribute.graphs)
            count.nodes += graph->nodesInAll;
        attribute.value = count;
        break;
    }
    case AttributeProto::FLOATS:
        attribute.value = std::move(values.reals);
        break;
    case AttributeProto::INTS:
        attribute.value = std::move(values.numbers);
        break;
    case AttributeProto::STRINGS:
        attribute.value = std::move(values.strings);
        break;
    default:
        break; // tensors are looked at by the ops that have one
    }
}

Result<void> Reader::readAttribute(const WireField& field, RawAttribute& attribute, int depth,
                                   int& nodesInAll) {
    AttributeValues values;
    PIM_CHECK(readAttributeFields(field, attribute, values, depth, nodesInAll));
    chooseValue(attribute, std::move(values));
    return {};
}

Result<void> Reader::readFunction(const WireField& field, RawFunction& function) {
    WireReader reader(field.bytes, field.bytesOffset);
    PIM_EACH_FIELD(reader) {
    case lengthTag(FunctionProto::kNameFieldNumber):
        function.name = text(f);
        break;
    case lengthTag(FunctionProto::kInputFieldNumber):
        function.inputs.push_back(text(f));
        break;
    case lengthTag(FunctionProto::kOutputFieldNumber):
        function.outputs.push_back(text(f));
        break;
    case lengthTag(FunctionProto::kNodeFieldNumber): {
        RawNode node;
        node.index = static_cast<int>(function.body.nodes.size());
        PIM_CHECK(readNode(f, node, 0, function.body.nodesInAll));
        function.body.nodes.push_back(std::move(node));
        ++function.body.nodesInAll;
        break;
    }
    case lengthTag(FunctionProto::kDomainFieldNumber):
        function.domain = text(f);
        break;
    case lengthTag(kFunctionAttributeProto): {
        RawAttribute attribute;
        PIM_CHECK(readAttribute(f, attribute, 0, function.body.nodesInAll));
        function.defaults.push_back(std::move(attribute));
        break;
    }
    default:
        break;
    }
    if (!reader.ok())
        return damaged(reader);
    function.body.name = function.name;
    return {};
}

Result<RawValue> Reader::readValue(const WireField& field) {
    RawValue value;
    WireReader reader(field.bytes, field.bytesOffset);
    PIM_EACH_FIELD(reader) {
    case lengthTag(ValueInfoProto::kNameFieldNumber):
        value.name = text(f);
        break;
    case lengthTag(ValueInfoProto::kTypeFieldNumber): {
        PIM_CHECK(readType(f, value));
        break;
    }
    default:
        break;
    }
    if (!reader.ok())
        return damaged(reader);
    return value;
}

Result<void> Reader::readType(const WireField& field, RawValue& value) {
    WireReader reader(field.bytes, field.bytesOffset);
    PIM_EACH_FIELD(reader) {
    case lengthTag(TypeProto::kTensorTypeFieldNumber):
        value.isTensor = true;
        PIM_CHECK(readTensorType(f, value));
        break;
    case lengthTag(TypeProto::kSequenceTypeFieldNumber): // no shape to know; a value has one type, the last
    case lengthTag(TypeProto::kMapTypeFieldNumber):
    case lengthTag(TypeProto::kOptionalTypeFieldNumber):
    case lengthTag(TypeProto::kSparseTensorTypeFieldNumber):
    case lengthTag(TypeProto::kOpaqueTypeFieldNumber):
        value.isTensor = false;
        value.dtype = DataType::Unknown;
        value.dims.reset();
        break;
    default:
        break;
    }
    if (!reader.ok())
        return damaged(reader);
    return {};
}

Result<void> Reader::readTensorType(const WireField& field, RawValue& value) {
    WireReader reader(field.bytes, field.bytesOffset);
    PIM_EACH_FIELD(reader) {
    case varintTag(TypeProto_Tensor::kElemTypeFieldNumber):
        value.dtype = dataTypeFromOnnx(static_cast<std::int32_t>(f.number));
        break;
    case lengthTag(TypeProto_Tensor::kShapeFieldNumber): {
        if (!value.dims)
            value.dims.emplace();
        WireReader shape(f.bytes, f.bytesOffset);
        while (shape.next()) {
            if (shape.field().tag() != lengthTag(TensorShapeProto::kDimFieldNumber))
                continue;
            RawDim dim;
            WireReader parts(shape.field().bytes, shape.field().bytesOffset);
            while (parts.next()) {
                if (parts.field().tag() == varintTag(TensorShapeProto_Dimension::kDimValueFieldNumber))
                    dim = {static_cast<std::int64_t>(parts.field().number), {}};
                else if (parts.field().tag() == lengthTag(TensorShapeProto_Dimension::kDimParamFieldNumber))
                    dim = {std::nullopt, text(parts.field())};
            }
            if (!parts.ok())
                return damaged(parts);
            value.dims->push_back(std::move(dim));
        }
        if (!shape.ok())
            return damaged(shape);
        break;
    }
    default:
        break;
    }
    if (!reader.ok())
        return damaged(reader);
    return {};
}

Result<void> Reader::readTensorFields(const WireField& field, RawTensor& tensor, TensorPayload& payload) {
    WireReader reader(field.bytes, field.bytesOffset);
    PIM_EACH_FIELD(reader) {
    case varintTag(TensorProto::kDimsFieldNumber):
    case lengthTag(TensorProto::kDimsFieldNumber):
        PIM_CHECK(readNumbers(f, tensor.dims));
        break;
    case varintTag(TensorProto::kDataTypeFieldNumber):
        tensor.onnxType = static_cast<std::int32_t>(f.number);
        break;
    case lengthTag(TensorProto::kNameFieldNumber):
        tensor.name = text(f);
        break;
    case lengthTag(TensorProto::kRawDataFieldNumber):
        payload.raw = f;
        break;
    case fixed32Tag(TensorProto::kFloatDataFieldNumber):
    case lengthTag(TensorProto::kFloatDataFieldNumber):
    case fixed64Tag(TensorProto::kDoubleDataFieldNumber):
    case lengthTag(TensorProto::kDoubleDataFieldNumber):
    case varintTag(TensorProto::kInt32DataFieldNumber):
    case lengthTag(TensorProto::kInt32DataFieldNumber):
    case lengthTag(TensorProto::kStringDataFieldNumber):
    case varintTag(TensorProto::kInt64DataFieldNumber):
    case lengthTag(TensorProto::kInt64DataFieldNumber):
    case varintTag(TensorProto::kUint64DataFieldNumber):
    case lengthTag(TensorProto::kUint64DataFieldNumber):
        payload.spread = payload.typed.has_value();
        payload.typed = f;
        break;
    case lengthTag(TensorProto::kExternalDataFieldNumber): {
        std::string key, value;
        WireReader entry(f.bytes, f.bytesOffset);
        while (entry.next())
            if (entry.field().tag() == lengthTag(StringStringEntryProto::kKeyFieldNumber))
                key = text(entry.field());
            else if (entry.field().tag() == lengthTag(StringStringEntryProto::kValueFieldNumber))
                value = text(entry.field());
        if (!entry.ok())
            return damaged(entry);
        payload.external[key] = value;
        break;
    }
    case varintTag(TensorProto::kDataLocationFieldNumber):
        if (const int place = static_cast<int>(f.number); TensorProto::DataLocation_IsValid(place))
            payload.isExternal = place == TensorProto::EXTERNAL;
        break;
    default:
        break;
    }
    if (!reader.ok())
        return damaged(reader);
    return {};
}

Result<std::int64_t> Reader::countElements(const RawTensor& tensor) const {
    const auto refuse = [&](std::string problem) {
        return fail(ErrorCode::InvalidModel, std::move(problem), labelOf(tensor), "export the model again");
    };
    if (tensor.dims.size() > kMaxRank)
        return refuse(
            fmt::format("it has {} dimensions, at most {} are possible", tensor.dims.size(), kMaxRank));
    for (const std::int64_t extent : tensor.dims)
        if (extent < 0)
            return refuse(fmt::format("its shape [{}] has the negative extent {}",
                                      fmt::join(tensor.dims, ", "), extent));
    const auto count = elementCount(tensor.dims);
    if (!count || *count > kMaxTensorBytes / std::max<std::int64_t>(pim::bytesOf(tensor.dtype()), 1))
        return refuse(fmt::format("its shape {} has too many elements (at most 2^50 bytes are possible)",
                                  shapeText(tensor.dims)));
    return *count;
}

Result<void> Reader::locatePayload(RawTensor& tensor, std::int64_t needed, const WireField& field,
                                   const TensorPayload& payload) {
    const DataType type = tensor.dtype();
    // Packed reals are raw data under another name.
    const bool packed =
        payload.typed && !payload.spread &&
        ((type == DataType::F32 && payload.typed->tag() == lengthTag(TensorProto::kFloatDataFieldNumber)) ||
         (type == DataType::F64 && payload.typed->tag() == lengthTag(TensorProto::kDoubleDataFieldNumber)));
    if (payload.isExternal || (!payload.external.empty() && !payload.raw && !payload.typed))
        return locateExternal(tensor, needed, payload.external);
    if (!payload.raw && !packed) {
        // Typed fields, or nothing at all: a graph whose weights were taken out.
        tensor.ref = InitializerRef{m_path, field.bytesOffset, static_cast<std::int64_t>(field.bytes.size()),
                                    payload.typed.has_value() || needed == 0, false};
        if (!payload.typed && needed > 0)
            tensor.ref->length = needed;
        return {};
    }
    const WireField& data = payload.raw ? *payload.raw : *payload.typed;
    const auto length = static_cast<std::int64_t>(data.bytes.size());
    const bool removed = length == 0 && needed > 0; // on purpose
    if (!removed && pim::bytesOf(type) > 0 && length != needed)
        return fail(ErrorCode::InvalidModel,
                    fmt::format("its shape {} of {} needs {} bytes, the file has {}", shapeText(tensor.dims),
                                pim::name(type), needed, length),
                    labelOf(tensor), "export the model again");
    tensor.ref = InitializerRef{m_path, data.bytesOffset, removed ? needed : length, !removed, true};
    return {};
}

Result<RawTensor> Reader::readTensor(const WireField& field) {
    RawTensor tensor;
    TensorPayload payload;
    PIM_CHECK(readTensorFields(field, tensor, payload));
    PIM_TRY(const std::int64_t count, countElements(tensor));
    const DataType type = tensor.dtype();
    const bool sized = pim::bytesOf(type) > 0;
    const std::int64_t needed = sized ? storedBytes(type, count) : 0;
    PIM_CHECK(locatePayload(tensor, needed, field, payload));
    const std::int64_t limit = isInteger(type) ? kSmallIntegerBytes : kSmallFloatBytes;
    if (sized && tensor.external.empty() && tensor.ref->present && needed <= limit) {
        PIM_TRY(auto value, decodeTensor(field.bytes, type, count, labelOf(tensor)));
        tensor.value = std::make_shared<const std::vector<std::byte>>(std::move(value));
    }
    return tensor;
}

Result<void> Reader::locateExternal(RawTensor& tensor, std::int64_t needed,
                                    const std::map<std::string, std::string>& where) {
    const std::string label = labelOf(tensor);
    const auto number = [&](const char* key, std::int64_t fallback) -> Result<std::int64_t> {
        const auto it = where.find(key);
        if (it == where.end() || it->second.empty())
            return fallback;
        std::int64_t value = 0;
        for (const char c : it->second)
            if (c < '0' || c > '9' || __builtin_mul_overflow(value, std::int64_t(10), &value) ||
                __builtin_add_overflow(value, std::int64_t(c - '0'), &value))
                return fail(ErrorCode::InvalidModel,
                            fmt::format("the {} of its external data is \"{}\", not a number of bytes", key,
                                        it->second),
                            label, "export the model again");
        return value;
    };
    const auto location = where.find("location");
    if (location == where.end() || location->second.empty())
        return fail(ErrorCode::InvalidModel, "its external data names no file", label,
                    "export the model again");
    const std::filesystem::path relative(location->second);
    const bool climbs =
        std::any_of(relative.begin(), relative.end(), [](const auto& part) { return part == ".."; });
    if (relative.is_absolute() || climbs)
        return fail(
            ErrorCode::InvalidModel,
            fmt::format("its external data \"{}\" lies outside the folder of the model", location->second),
            label, "put the data file beside the model and export again with a relative name");
    PIM_TRY(const std::int64_t offset, number("offset", 0));
    PIM_TRY(const std::int64_t length, number("length", needed));
    if (needed > 0 && length != needed)
        return fail(ErrorCode::InvalidModel,
                    fmt::format("its shape {} of {} needs {} bytes, its external data has {}",
                                shapeText(tensor.dims), pim::name(tensor.dtype()), needed, length),
                    label, "export the model again");
    const auto file = m_folder / relative;
    auto [size, isNew] = m_externalSizes.try_emplace(location->second, -1);
    if (isNew) {
        std::error_code error;
        const auto bytes = std::filesystem::file_size(file, error);
        size->second = error ? -1 : static_cast<std::int64_t>(bytes);
    }
    tensor.external = location->second;
    const bool present = size->second >= 0 && length <= size->second && offset <= size->second - length;
    tensor.ref = InitializerRef{file, offset, length, present, true};
    return {};
}

/// What a file is that is not ONNX, by its first bytes; empty if nothing known.
std::string_view otherFormat(std::string_view head) {
    struct Magic {
        std::string_view bytes;
        std::size_t at;
        std::string_view what;
    };
    using namespace std::string_view_literals;
    static constexpr std::array kMagic{
        Magic{"PK\x03\x04"sv, 0,
              "a zip archive (or a PyTorch checkpoint): unpack it and open the .onnx file inside"},
        Magic{"PK\x05\x06"sv, 0, "an empty zip archive"},
        Magic{"\x1f\x8b"sv, 0, "a gzip archive: unpack it and open the .onnx file inside"},
        Magic{"\xfd"
              "7zXZ"sv,
              0, "an xz archive: unpack it and open the .onnx file inside"},
        Magic{"\x28\xb5\x2f\xfd"sv, 0, "a zstd archive: unpack it and open the .onnx file inside"},
        Magic{"\x89HDF"sv, 0, "an HDF5 file (Keras): convert it with tf2onnx"},
        Magic{"TFL3"sv, 4, "a TensorFlow Lite model: convert it with tf2onnx"},
        Magic{"GGUF"sv, 0, "a GGUF model: export the original to ONNX"},
        Magic{"\x80\x02"sv, 0, "a Python pickle (PyTorch): export it with torch.onnx.export"},
        Magic{"version https://git-lfs"sv, 0, "a Git LFS pointer, not the file itself: run `git lfs pull`"},
        Magic{"\x7f"
              "ELF"sv,
              0, "a program"},
        Magic{"%PDF"sv, 0, "a PDF"},
        Magic{"\x89PNG"sv, 0, "a picture"},
        Magic{"<"sv, 0, "a web page or XML text"},
        Magic{"{"sv, 0, "JSON text"},
    };
    for (const Magic& magic : kMagic)
        if (head.size() >= magic.at && head.substr(magic.at, magic.bytes.size()) == magic.bytes)
            return magic.what;
    return {};
}

} // namespace

DataType dataTypeFromOnnx(std::int64_t onnxType) {
    // TensorProto::DataType, 0 … 23; those from 17 on are of ONNX 1.14 to 1.18.
    static constexpr std::array kTypes{
        DataType::Unknown,    DataType::F32,  DataType::U8,     DataType::I8,         DataType::U16,
        DataType::I16,        DataType::I32,  DataType::I64,    DataType::String,     DataType::Bool,
        DataType::F16,        DataType::F64,  DataType::U32,    DataType::U64,        DataType::Complex64,
        DataType::Complex128, DataType::BF16, DataType::F8E4M3, DataType::F8E4M3Fnuz, DataType::F8E5M2,
        DataType::F8E5M2Fnuz, DataType::U4,   DataType::I4,     DataType::F4E2M1};
    return onnxType >= 0 && onnxType < static_cast<std::int64_t>(kTypes.size())
               ? kTypes[static_cast<std::size_t>(onnxType)]
               : DataType::Unknown;
}

std::int64_t onnxFromDataType(DataType type) {
    for (std::int64_t i = 0; i <= 23; ++i)
        if (dataTypeFromOnnx(i) == type)
            return i;
    return 0;
}

const RawAttribute* RawNode::attribute(std::string_view key) const {
    const auto it =
        std::find_if(attributes.begin(), attributes.end(), [&](const auto& a) { return a.name == key; });
    return it == attributes.end() ? nullptr : &*it;
}

namespace {

/// The field that onnx.proto has the elements of a type in where they are not raw.
int typedField(DataType type) {
    switch (type) {
    case DataType::F32:
    case DataType::Complex64:
        return TensorProto::kFloatDataFieldNumber;
    case DataType::F64:
    case DataType::Complex128:
        return TensorProto::kDoubleDataFieldNumber;
    case DataType::I64:
        return TensorProto::kInt64DataFieldNumber;
    case DataType::U32:
    case DataType::U64:
        return TensorProto::kUint64DataFieldNumber;
    default:
        return TensorProto::kInt32DataFieldNumber;
    }
}

} // namespace

Result<std::vector<std::byte>> decodeTensor(std::span<const std::byte> message, DataType type,
                                            std::int64_t count, const std::string& where) {
    const auto element = static_cast<std::size_t>(bytesOf(type));
    // of a complex number there are two
    const bool isComplex = type == DataType::Complex64 || type == DataType::Complex128;
    const std::size_t width = isComplex ? element / 2 : element;
    const int typed = typedField(type);
    const std::uint32_t one = typed == TensorProto::kFloatDataFieldNumber    ? fixed32Tag(typed)
                              : typed == TensorProto::kDoubleDataFieldNumber ? fixed64Tag(typed)
                                                                             : varintTag(typed);
    const auto wanted = static_cast<std::size_t>(storedBytes(type, count));
    std::vector<std::byte> result;
    std::optional<std::span<const std::byte>> raw;
    std::size_t seen = 0; // bytes, those too many included
    const auto append = [&](std::span<const std::byte> bytes) {
        if (seen < wanted)
            result.insert(result.end(), bytes.begin(), bytes.end());
        seen += bytes.size();
    };
    // Little-endian machine: the low bytes of a number are its first bytes.
    static_assert(std::endian::native == std::endian::little);
    WireReader reader(message, 0);
    while (reader.next()) {
        const WireField& f = reader.field();
        if (f.tag() == lengthTag(TensorProto::kRawDataFieldNumber)) {
            raw = f.bytes;
        } else if (f.tag() == one) {
            append(std::as_bytes(std::span(&f.number, 1)).first(width));
        } else if (f.tag() == lengthTag(typed) && one != varintTag(typed)) {
            append(f.bytes.first(f.bytes.size() / width * width));
        } else if (f.tag() == lengthTag(typed)) {
            WireReader packed(f.bytes, f.bytesOffset);
            std::uint64_t value = 0;
            while (!packed.atEnd() && packed.readVarint(value))
                append(std::as_bytes(std::span(&value, 1)).first(width));
        }
    }
    if (raw) {
        result.assign(raw->begin(), raw->end());
        seen = result.size();
    }
    if (result.size() != wanted)
        return fail(ErrorCode::InvalidModel,
                    isInPairs(type)
                        ? fmt::format("its {} elements of {}, two to a byte, need {} bytes, the file has {}",
                                      count, name(type), wanted, seen)
                        : fmt::format("its shape needs {} elements of {}, the file has {}", count, name(type),
                                      element ? seen / element : 0),
                    where, "export the model again");
    return isInPairs(type) ? oneToAByte(result, type, count) : result;
}

bool isInPairs(DataType type) {
    return storedBytes(type, 2) == 1;
}

std::vector<std::byte> oneToAByte(std::span<const std::byte> pairs, DataType type, std::int64_t count) {
    std::vector<std::byte> elements;
    elements.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) { // the low half is the first
        const auto pair = std::to_integer<unsigned>(pairs[static_cast<std::size_t>(i / 2)]);
        const unsigned half = i % 2 == 0 ? pair & 15 : pair >> 4;
        elements.push_back(static_cast<std::byte>(type == DataType::I4 && half > 7 ? half | 0xf0 : half));
    }
    return elements;
}

Result<RawModel> readOnnx(std::span<const std::byte> bytes, const std::filesystem::path& path,
                          const TaskContext& task) {
    if (bytes.empty())
        return fail(ErrorCode::InvalidFile, "the file is empty", path.string(),
                    "copy or export the model again");
    const std::string_view head(reinterpret_cast<const char*>(bytes.data()),
                                std::min<std::size_t>(bytes.size(), 64));
    if (const auto what = otherFormat(head); !what.empty())
        return fail(ErrorCode::InvalidFile, "not an ONNX model", path.string(),
                    "this is " + std::string(what));
    return Reader(path, task).readModel(bytes);
}

} // namespace pim::file
