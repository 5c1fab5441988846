// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/model_metadata.h"

#include "core/base/file_io.h"
#include "core/base/mapped_file.h"
#include "core/graph/file/wire.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <string_view>

namespace pim {
namespace {

using file::WireField;
using file::WireReader;

/// NodeProto::metadata_props of ONNX 1.16 [onnx.proto3 of that version], which older headers do not know; older readers skip it.
constexpr std::uint32_t kNodeMetadata = 9;

void putVarint(std::string& to, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        to += static_cast<char>(value | 0x80);
    to += static_cast<char>(value);
}

/// Tag and length of what follows. [protobuf.dev, "Encoding"]
std::string headOf(std::uint32_t id, std::size_t length) {
    std::string head;
    putVarint(head, id << 3 | WireField::Length);
    putVarint(head, length);
    return head;
}

void putBytes(std::string& to, std::uint32_t id, std::string_view bytes) {
    to += headOf(id, bytes.size());
    to += bytes;
}

std::string encoded(std::uint32_t id, const MetadataEntries& entries) {
    std::string text;
    for (const auto& [key, value] : entries) {
        std::string entry;
        putBytes(entry, onnx::StringStringEntryProto::kKeyFieldNumber, key);
        putBytes(entry, onnx::StringStringEntryProto::kValueFieldNumber, value);
        putBytes(text, id, entry);
    }
    return text;
}

/// Bytes of the file that give way to others.
struct Patch {
    std::int64_t begin = 0, end = 0;
    std::string text;

    std::int64_t growth() const { return std::ssize(text) - (end - begin); }
};

std::int64_t endOf(const WireField& field) {
    return field.bytesOffset + std::ssize(field.bytes);
}

class MetadataPatches {
public:
    MetadataPatches(const ModelMetadata& metadata, std::string file)
        : m_metadata(metadata), m_file(std::move(file)) {}

    /// By place, none within another.
    Result<std::vector<Patch>> of(std::span<const std::byte> model, const TaskContext& task) {
        WireReader reader(model, 0);
        while (reader.next()) {
            const WireField& field = reader.field();
            if (field.wire != WireField::Length)
                continue;
            if (field.id == onnx::ModelProto::kMetadataPropsFieldNumber && isOurs(field))
                m_patches.push_back({field.offset, endOf(field), {}});
            if (field.id == onnx::ModelProto::kGraphFieldNumber)
                PIM_CHECK(graph(field, task));
        }
        PIM_CHECK(checkAll(reader));
        const std::int64_t end = std::ssize(model);
        m_patches.push_back(
            {end, end, encoded(onnx::ModelProto::kMetadataPropsFieldNumber, m_metadata.model)});
        return std::move(m_patches);
    }

private:
    Result<void> checkAll(const WireReader& reader) const {
        if (reader.ok())
            return {};
        return fail(ErrorCode::InvalidFile, "the file is damaged: " + reader.problem(), m_file,
                    "copy or export the model again");
    }

    bool isOurs(const WireField& entry) const {
        WireReader reader(entry.bytes, entry.bytesOffset);
        while (reader.next())
            if (reader.field().id == onnx::StringStringEntryProto::kKeyFieldNumber) {
                const auto& key = reader.field().bytes;
                return std::string_view(reinterpret_cast<const char*>(key.data()), key.size())
                    .starts_with(m_metadata.prefix);
            }
        return false;
    }

    /// Puts a new length before a message that grew by what was patched from \p first on.
    void putLength(const WireField& message, std::size_t first) {
        std::int64_t length = std::ssize(message.bytes);
        for (std::size_t i = first; i < m_patches.size(); ++i)
            length += m_patches[i].growth();
        m_patches.insert(
            m_patches.begin() + static_cast<std::ptrdiff_t>(first),
            {message.offset, message.bytesOffset, headOf(message.id, static_cast<std::size_t>(length))});
    }

    Result<void> graph(const WireField& message, const TaskContext& task) {
        const std::size_t first = m_patches.size();
        WireReader reader(message.bytes, message.bytesOffset);
        while (reader.next()) {
            if (task.cancelled())
                return TaskContext::cancelledError("writing the model");
            if (reader.field().id == onnx::GraphProto::kNodeFieldNumber &&
                reader.field().wire == WireField::Length)
                PIM_CHECK(node(reader.field()));
        }
        PIM_CHECK(checkAll(reader));
        if (m_patches.size() > first)
            putLength(message, first);
        return {};
    }

    Result<void> node(const WireField& message) {
        const std::size_t first = m_patches.size();
        WireReader reader(message.bytes, message.bytesOffset);
        while (reader.next())
            if (const WireField& field = reader.field();
                field.id == kNodeMetadata && field.wire == WireField::Length && isOurs(field))
                m_patches.push_back({field.offset, endOf(field), {}});
        PIM_CHECK(checkAll(reader));
        if (m_node < m_metadata.nodes.size() && !m_metadata.nodes[m_node].empty())
            m_patches.push_back(
                {endOf(message), endOf(message), encoded(kNodeMetadata, m_metadata.nodes[m_node])});
        ++m_node;
        if (m_patches.size() > first)
            putLength(message, first);
        return {};
    }

    const ModelMetadata& m_metadata;
    std::string m_file;
    std::vector<Patch> m_patches;
    std::size_t m_node = 0; ///< Of all graphs together: a message given twice is merged, as protobuf does.
};

} // namespace

Result<void> writeWithMetadata(const std::filesystem::path& model, const ModelMetadata& metadata,
                               const std::filesystem::path& output, const TaskContext& task) {
    PIM_TRY(const auto mapped, MappedFile::open(model));
    const std::span<const std::byte> bytes = mapped->bytes();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (metadata.fileBytes > 0 && metadata.fileBytes != std::ssize(bytes))
        return fail(
            ErrorCode::InvalidFile,
            fmt::format("it has {} bytes now and had {} when it was read", bytes.size(), metadata.fileBytes),
            model.string(), "open it again");
    PIM_TRY(const std::vector<Patch> patches, MetadataPatches(metadata, model.string()).of(bytes, task));
    PIM_TRY(OutputFile out, OutputFile::create(output));
    constexpr std::size_t kPieceBytes = 1 << 22;
    std::size_t at = 0;
    for (const Patch& patch : patches) {
        for (const auto until = static_cast<std::size_t>(patch.begin); at < until;) {
            if (task.cancelled())
                return TaskContext::cancelledError("writing the model");
            const std::size_t piece = std::min(kPieceBytes, until - at);
            PIM_CHECK(out.write(text.substr(at, piece)));
            at += piece;
            task.report("Writing the model", static_cast<std::int64_t>(at), std::ssize(text));
        }
        PIM_CHECK(out.write(patch.text));
        at = static_cast<std::size_t>(patch.end);
    }
    PIM_CHECK(mapped->stillWhole());
    return out.finish();
}

} // namespace pim
