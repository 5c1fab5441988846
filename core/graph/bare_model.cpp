// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/bare_model.h"

#include "core/base/mapped_file.h"
#include "core/graph/file/wire.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <onnx/onnx_pb.h>

#include <optional>
#include <span>

namespace pim {
namespace {

using file::WireField;
using file::WireReader;

enum class Part { Model, Training, Graph, Function, Node, Attribute, Sparse, Tensor };

/// The messages within a message that may hold weights somewhere. Fields are those of onnx.proto.
std::optional<Part> partOf(Part whole, std::uint32_t field) {
    struct Inner {
        Part whole;
        std::uint32_t field;
        Part part;
    };
    using namespace onnx;
    static constexpr std::uint32_t kFunctionAttributeProto =
        11; // of ONNX 1.13, which older headers do not know
    static constexpr Inner kInner[] = {
        {Part::Model, ModelProto::kGraphFieldNumber, Part::Graph},
        {Part::Model, ModelProto::kFunctionsFieldNumber, Part::Function},
        {Part::Model, ModelProto::kTrainingInfoFieldNumber, Part::Training},
        {Part::Training, TrainingInfoProto::kInitializationFieldNumber, Part::Graph},
        {Part::Training, TrainingInfoProto::kAlgorithmFieldNumber, Part::Graph},
        {Part::Graph, GraphProto::kNodeFieldNumber, Part::Node},
        {Part::Graph, GraphProto::kInitializerFieldNumber, Part::Tensor},
        {Part::Graph, GraphProto::kSparseInitializerFieldNumber, Part::Sparse},
        {Part::Function, FunctionProto::kNodeFieldNumber, Part::Node},
        {Part::Function, kFunctionAttributeProto, Part::Attribute},
        {Part::Node, NodeProto::kAttributeFieldNumber, Part::Attribute},
        {Part::Attribute, AttributeProto::kTFieldNumber, Part::Tensor},
        {Part::Attribute, AttributeProto::kTensorsFieldNumber, Part::Tensor},
        {Part::Attribute, AttributeProto::kGFieldNumber, Part::Graph},
        {Part::Attribute, AttributeProto::kGraphsFieldNumber, Part::Graph},
        {Part::Attribute, AttributeProto::kSparseTensorFieldNumber, Part::Sparse},
        {Part::Attribute, AttributeProto::kSparseTensorsFieldNumber, Part::Sparse},
        {Part::Sparse, SparseTensorProto::kValuesFieldNumber, Part::Tensor},
        {Part::Sparse, SparseTensorProto::kIndicesFieldNumber, Part::Tensor}};
    for (const Inner& inner : kInner)
        if (inner.whole == whole && inner.field == field)
            return inner.part;
    return std::nullopt;
}

constexpr std::int64_t kFewNumbers = 8, kFewIntegers = 128;
/// As deep as models are read (read_onnx.cpp), with the messages that lie between two graphs.
constexpr int kMostDepth = 64 * 3;

class BareModel {
public:
    BareModel(std::string file, const TaskContext& task) : m_file(std::move(file)), m_task(task) {}

    Result<std::string> of(std::span<const std::byte> bytes) {
        PIM_CHECK(copy({.bytes = bytes}, Part::Model, 0));
        return std::move(m_out);
    }

private:
    Result<void> damaged(const WireReader& reader) const {
        return fail(ErrorCode::InvalidFile, "the file is damaged: " + reader.problem(), m_file,
                    "copy or export the model again");
    }

    void append(std::span<const std::byte> bytes) {
        m_out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }

    void appendMessage(std::uint32_t field, const std::string& message) {
        google::protobuf::io::StringOutputStream stream(&m_out);
        google::protobuf::io::CodedOutputStream coded(&stream);
        coded.WriteTag(field << 3 | WireField::Length);
        coded.WriteVarint64(message.size());
        coded.WriteString(message);
    }

    /// Whether all fields of a kind in \p message are to go.
    Result<bool> isLeftOut(const WireField& message, Part part, std::uint32_t field) {
        if (part == Part::Tensor) {
            switch (field) {
            case onnx::TensorProto::kFloatDataFieldNumber:
            case onnx::TensorProto::kInt32DataFieldNumber:
            case onnx::TensorProto::kStringDataFieldNumber:
            case onnx::TensorProto::kInt64DataFieldNumber:
            case onnx::TensorProto::kRawDataFieldNumber:
            case onnx::TensorProto::kDoubleDataFieldNumber:
            case onnx::TensorProto::kUint64DataFieldNumber:
                return !isFew(message);
            default:
                return false;
            }
        }
        if (part != Part::Attribute || field != onnx::AttributeProto::kFloatsFieldNumber)
            return false;
        std::int64_t count = 0;
        WireReader reader(message.bytes, message.bytesOffset);
        while (reader.next())
            if (reader.field().id == field)
                count += reader.field().wire == WireField::Length
                             ? std::ssize(reader.field().bytes) / std::int64_t(sizeof(float))
                             : 1;
        return count > kFewNumbers;
    }

    /// A tensor that decides what a network is rather than what it has learnt.
    static bool isFew(const WireField& tensor) {
        std::int64_t count = 1, type = 0;
        const auto dim = [&](std::uint64_t size) {
            if (__builtin_mul_overflow(count, static_cast<std::int64_t>(size), &count))
                count = kFewIntegers + 1;
        };
        WireReader reader(tensor.bytes, tensor.bytesOffset);
        while (reader.next()) {
            const WireField& field = reader.field();
            if (field.id == onnx::TensorProto::kDataTypeFieldNumber)
                type = static_cast<std::int64_t>(field.number);
            if (field.id != onnx::TensorProto::kDimsFieldNumber)
                continue;
            if (field.wire == WireField::Varint)
                dim(field.number);
            WireReader packed(field.bytes, field.bytesOffset);
            for (std::uint64_t size = 0; !packed.atEnd() && packed.readVarint(size);)
                dim(size);
        }
        const bool isIndex = type == onnx::TensorProto::INT32 || type == onnx::TensorProto::INT64;
        return count >= 0 && count <= (isIndex ? kFewIntegers : kFewNumbers);
    }

    Result<void> copy(const WireField& message, Part part, int depth) {
        if (depth > kMostDepth)
            return fail(ErrorCode::InvalidFile, "its graphs are nested too deep", m_file);
        if (m_task.cancelled())
            return TaskContext::cancelledError("leaving out the weights");
        std::size_t kept = 0; // from here on it is copied as it is
        const auto keepUntil = [&](std::size_t end, std::size_t next) {
            append(message.bytes.subspan(kept, end - kept));
            kept = next;
        };
        std::optional<std::size_t> leaving; // a field that goes begins here
        WireReader reader(message.bytes, message.bytesOffset);
        const auto at = [&](std::int64_t offset) {
            return static_cast<std::size_t>(offset - message.bytesOffset);
        };
        while (reader.next()) {
            const WireField& field = reader.field();
            if (leaving)
                kept = at(field.offset);
            leaving.reset();
            PIM_TRY(const bool isGone, isLeftOut(message, part, field.id));
            if (isGone) {
                keepUntil(at(field.offset), at(field.offset));
                leaving = at(field.offset);
            } else if (const auto inner = partOf(part, field.id); inner && field.wire == WireField::Length) {
                keepUntil(at(field.offset), at(field.bytesOffset) + field.bytes.size());
                std::string outer = std::exchange(m_out, {});
                PIM_CHECK(copy(field, *inner, depth + 1));
                std::swap(outer, m_out);
                appendMessage(field.id, outer);
            }
        }
        if (!reader.ok())
            return damaged(reader);
        if (!leaving)
            keepUntil(message.bytes.size(), message.bytes.size());
        return {};
    }

    std::string m_file, m_out;
    const TaskContext& m_task;
};

} // namespace

Result<std::string> modelWithoutWeights(const std::filesystem::path& model, const TaskContext& task) {
    PIM_TRY(const auto mapped, MappedFile::open(model));
    PIM_TRY(std::string bare, BareModel(model.string(), task).of(mapped->bytes()));
    PIM_CHECK(mapped->stillWhole());
    return bare;
}

} // namespace pim
