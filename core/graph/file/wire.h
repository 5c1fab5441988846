// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Walks the fields of one protobuf message without copying and without recursion: payloads are handed out as
/// spans and cost nothing until somebody reads them. Format: protobuf.dev, "Encoding".
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace pim::file {

/// One field of a message. Which of \ref number and \ref bytes counts depends on \ref wire.
struct WireField {
    enum Type { Varint = 0, Fixed64 = 1, Length = 2, Fixed32 = 5 };
    std::uint32_t id = 0;
    int wire = Varint;
    std::uint64_t number = 0;         ///< Varint, Fixed32 and Fixed64 (bit pattern).
    std::span<const std::byte> bytes; ///< Length.
    std::int64_t offset = 0;          ///< Of the tag, from the start of the file.
    std::int64_t bytesOffset = 0;     ///< Of \ref bytes, from the start of the file.

    /// As in the file: which field, and in which encoding. A field in an encoding that its type does not have is an
    /// unknown one and stepped over, as protobuf itself does.
    std::uint32_t tag() const { return id << 3 | static_cast<std::uint32_t>(wire); }
};
constexpr std::uint32_t varintTag(int id) {
    return static_cast<std::uint32_t>(id) << 3 | WireField::Varint;
}
constexpr std::uint32_t lengthTag(int id) {
    return static_cast<std::uint32_t>(id) << 3 | WireField::Length;
}
constexpr std::uint32_t fixed32Tag(int id) {
    return static_cast<std::uint32_t>(id) << 3 | WireField::Fixed32;
}
constexpr std::uint32_t fixed64Tag(int id) {
    return static_cast<std::uint32_t>(id) << 3 | WireField::Fixed64;
}

/// `while (reader.next()) use(reader.field()); if (!reader.ok()) …`
class WireReader {
public:
    WireReader(std::span<const std::byte> message, std::int64_t fileOffset)
        : m_message(message), m_fileOffset(fileOffset) {}

    bool next();
    const WireField& field() const { return m_field; }
    bool ok() const { return m_problem.empty(); }
    const std::string& problem() const { return m_problem; }
    bool truncated() const { return m_truncated; } ///< The problem is that bytes are missing at the end.
    bool atEnd() const { return m_position == m_message.size(); }
    /// A bare varint, for packed fields.
    bool readVarint(std::uint64_t& value);

private:
    bool stop(std::string problem, bool truncated);
    bool readFixed(std::size_t size);
    bool readLength();
    bool skipGroup();

    std::span<const std::byte> m_message;
    std::int64_t m_fileOffset;
    std::size_t m_position = 0;
    WireField m_field;
    std::string m_problem;
    bool m_truncated = false;
};

} // namespace pim::file
