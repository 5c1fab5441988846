// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/trace.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace pim {
namespace {

constexpr std::size_t kBuffer = 1 << 18;
constexpr std::size_t kLongestLine = 256;

std::string shown(std::string_view line) {
    std::string text;
    for (const char c : line.substr(0, 40))
        text += c >= ' ' && c < 127 ? c : '?';
    return line.size() > 40 ? text + "..." : text;
}

} // namespace

struct DramTraceFile::State {
    gzFile file = nullptr;
    std::vector<char> buffer = std::vector<char>(kBuffer);
    std::size_t begin = 0, end = 0; ///< Unread part of the buffer.
    bool ended = false;             ///< The file has no more.
};

DramTraceFile::DramTraceFile(std::string file, std::uint64_t limit)
    : m_state(std::make_unique<State>()), m_file(std::move(file)), m_limit(limit) {}

DramTraceFile::~DramTraceFile() {
    if (m_state->file)
        gzclose(m_state->file);
}

Result<std::unique_ptr<DramTraceFile>> DramTraceFile::open(const std::string& file, std::uint64_t limit) {
    std::unique_ptr<DramTraceFile> trace(new DramTraceFile(file, limit));
    trace->m_state->file = gzopen(file.c_str(), "rb"); // reads plain text as well
    if (!trace->m_state->file)
        return fail(ErrorCode::Io, fmt::format("cannot be opened: {}", std::strerror(errno)), file);
    gzbuffer(trace->m_state->file, kBuffer);
    return trace;
}

/// Moves what is left to the front and reads behind it; false if there was nothing more.
Result<bool> DramTraceFile::fill() {
    State& s = *m_state;
    if (s.ended)
        return false;
    std::memmove(s.buffer.data(), s.buffer.data() + s.begin, s.end - s.begin);
    s.end -= s.begin;
    s.begin = 0;
    const int got = gzread(s.file, s.buffer.data() + s.end, unsigned(s.buffer.size() - s.end));
    int code = Z_OK;
    const char* why = gzerror(s.file, &code);
    if (got < 0 || (got == 0 && code == Z_BUF_ERROR)) // what came before the end is read first
        return fail(ErrorCode::InvalidFile,
                    code == Z_ERRNO       ? fmt::format("cannot be read: {}", std::strerror(errno))
                    : code == Z_BUF_ERROR ? std::string("the compressed file ends too early")
                                          : fmt::format("the compressed file is damaged ({})", why),
                    fmt::format("{}:{}", m_file, m_line + 1));
    s.end += std::size_t(got);
    s.ended = got == 0;
    return got > 0;
}

Result<bool> DramTraceFile::parse(std::string_view line, DramRequest& request) const {
    const auto refuse = [&](std::string message) {
        return fail(ErrorCode::InvalidFile, std::move(message), fmt::format("{}:{}", m_file, m_line),
                    "a line is `LD 0xADDRESS` or `ST 0xADDRESS`");
    };
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
        line.remove_suffix(1);
    if (line.empty() || line.front() == '#')
        return false;
    const std::size_t space = line.find_first_of(" \t");
    const std::string_view word = line.substr(0, space);
    if (word != "LD" && word != "ST")
        return refuse(fmt::format("unknown request \"{}\"", shown(word)));
    const std::size_t start = space == std::string_view::npos ? space : line.find_first_not_of(" \t", space);
    if (start == std::string_view::npos)
        return refuse("the address is missing");
    std::string_view digits = line.substr(start);
    const bool hexadecimal = digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    if (hexadecimal)
        digits.remove_prefix(2);
    std::uint64_t address = 0;
    const auto [end, code] =
        std::from_chars(digits.data(), digits.data() + digits.size(), address, hexadecimal ? 16 : 10);
    if (code == std::errc::result_out_of_range)
        return refuse(fmt::format("the address \"{}\" has more than 64 bits", shown(line.substr(start))));
    if (code != std::errc() || end != digits.data() + digits.size())
        return refuse(fmt::format("\"{}\" is no address", shown(line.substr(start))));
    if (address >= m_limit)
        return fail(
            ErrorCode::InvalidFile,
            fmt::format("address 0x{:x} is outside the device, whose last is 0x{:x}", address, m_limit - 1),
            fmt::format("{}:{}", m_file, m_line), "choose a larger device, or map addresses to its channel");
    request.address = address;
    request.write = word == "ST";
    return true;
}

Result<std::size_t> DramTraceFile::read(std::span<DramRequest> requests) {
    State& s = *m_state;
    std::size_t count = 0;
    while (count < requests.size()) {
        const char* begin = s.buffer.data() + s.begin;
        const auto* newline = static_cast<const char*>(std::memchr(begin, '\n', s.end - s.begin));
        if (!newline && s.end - s.begin <= kLongestLine) {
            PIM_TRY(const bool more, fill());
            if (more)
                continue;
            if (s.begin == s.end)
                break;
            begin = s.buffer.data() + s.begin;
        }
        const std::size_t length = newline ? std::size_t(newline - begin) : s.end - s.begin;
        ++m_line;
        if (length > kLongestLine)
            return fail(ErrorCode::InvalidFile,
                        fmt::format("the line is longer than {} characters", kLongestLine),
                        fmt::format("{}:{}", m_file, m_line), "is it a trace?");
        PIM_TRY(const bool isRequest, parse({begin, length}, requests[count]));
        count += isRequest;
        s.begin += length + (newline ? 1 : 0);
    }
    return count;
}

} // namespace pim
