// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/file/wire.h"

#include <fmt/format.h>

#include <cstring>

namespace pim::file {

namespace {
constexpr int kStartGroup = 3;
constexpr int kEndGroup = 4;
} // namespace

bool WireReader::stop(std::string problem, bool truncated) {
    m_problem = std::move(problem);
    m_truncated = truncated;
    m_position = m_message.size();
    return false;
}

bool WireReader::readVarint(std::uint64_t& value) {
    const std::size_t start = m_position;
    value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
        if (m_position >= m_message.size())
            return stop(fmt::format("a number begins at byte {} and the data ends at byte {}",
                                    m_fileOffset + static_cast<std::int64_t>(start),
                                    m_fileOffset + static_cast<std::int64_t>(m_message.size())),
                        true);
        const auto byte = std::to_integer<std::uint64_t>(m_message[m_position++]);
        if (shift < 64)
            value |= (byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return stop(fmt::format("the number at byte {} is longer than 10 bytes",
                            m_fileOffset + static_cast<std::int64_t>(start)),
                false);
}

bool WireReader::next() {
    while (ok() && !atEnd()) {
        m_field = {};
        m_field.offset = m_fileOffset + static_cast<std::int64_t>(m_position);
        std::uint64_t tag = 0;
        if (!readVarint(tag))
            return false;
        m_field.wire = static_cast<int>(tag & 7);
        if (tag >> 32 || tag >> 3 == 0)
            return stop(fmt::format("no field can begin at byte {} (tag {})", m_field.offset, tag), false);
        m_field.id = static_cast<std::uint32_t>(tag >> 3);
        switch (m_field.wire) {
        case WireField::Varint:
            return readVarint(m_field.number);
        case WireField::Fixed64:
            return readFixed(8);
        case WireField::Fixed32:
            return readFixed(4);
        case WireField::Length:
            return readLength();
        case kStartGroup:
            if (!skipGroup())
                return false;
            break; // on to the next field
        default:
            return stop(fmt::format("the field at byte {} has the unknown wire type {}", m_field.offset,
                                    m_field.wire),
                        false);
        }
    }
    return false;
}

bool WireReader::readFixed(std::size_t size) {
    const std::size_t left = m_message.size() - m_position;
    if (left < size)
        return stop(
            fmt::format("the field at byte {} needs {} bytes, {} are left", m_field.offset, size, left),
            true);
    std::memcpy(&m_field.number, m_message.data() + m_position, size);
    m_position += size;
    return true;
}

bool WireReader::readLength() {
    std::uint64_t length = 0;
    if (!readVarint(length))
        return false;
    const std::size_t left = m_message.size() - m_position;
    if (length > left)
        return stop(
            fmt::format("the field at byte {} needs {} bytes, {} are left", m_field.offset, length, left),
            true);
    m_field.bytes = m_message.subspan(m_position, static_cast<std::size_t>(length));
    m_field.bytesOffset = m_fileOffset + static_cast<std::int64_t>(m_position);
    m_position += static_cast<std::size_t>(length);
    return true;
}

/// Groups are obsolete and ONNX has none; one that occurs is stepped over, however deep, with a counter.
bool WireReader::skipGroup() {
    std::int64_t depth = 1;
    while (depth > 0) {
        std::uint64_t tag = 0, ignored = 0;
        if (!readVarint(tag))
            return false;
        std::uint64_t step = 0;
        switch (tag & 7) {
        case WireField::Varint:
            if (!readVarint(ignored))
                return false;
            break;
        case WireField::Fixed64:
            step = 8;
            break;
        case WireField::Fixed32:
            step = 4;
            break;
        case WireField::Length:
            if (!readVarint(step))
                return false;
            break;
        case kStartGroup:
            ++depth;
            break;
        case kEndGroup:
            --depth;
            break;
        default:
            return stop(fmt::format("the group at byte {} is damaged", m_field.offset), false);
        }
        if (step > m_message.size() - m_position)
            return stop(fmt::format("the group at byte {} is cut off", m_field.offset), true);
        m_position += static_cast<std::size_t>(step);
    }
    return true;
}

} // namespace pim::file
