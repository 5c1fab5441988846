// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/attacc/trace.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <vector>

namespace pim {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// What a message shows of text that may be anything: short and printable.
std::string shown(std::string_view text) {
    std::string result;
    for (const char c : text.substr(0, 40))
        result += c >= ' ' && c < '\x7f' ? c : '?';
    return result + (text.size() > 40 ? "..." : "");
}

bool commandOf(std::string_view word, AttAccCommand& command) {
    for (int i = 0; i < kAttAccCommands; ++i)
        if (!word.empty() && attAccWord(AttAccCommand(i)) == word) {
            command = AttAccCommand(i);
            return true;
        }
    return false;
}

std::string knownWords() {
    std::string result;
    for (int i = 0; i < kAttAccCommands; ++i)
        if (const std::string_view word = attAccWord(AttAccCommand(i)); !word.empty())
            result += (result.empty() ? "" : ", ") + std::string(word);
    return result;
}

class TraceFile : public AttAccTrace {
public:
    TraceFile(gzFile file, std::string name, int channels)
        : m_file(file), m_name(std::move(name)), m_channels(channels), m_buffer(1 << 16) {}
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;
    ~TraceFile() override { gzclose(m_file); }

    Result<std::size_t> read(std::span<AttAccRequest> into) override {
        std::size_t count = 0;
        while (count < into.size()) {
            std::string_view line;
            PIM_TRY(const bool found, nextLine(line));
            if (!found)
                break;
            ++m_line;
            line = trimmed(line);
            if (line.empty() || line[0] == '#')
                continue;
            Result<AttAccRequest> request = parseAttAccLine(line, m_channels);
            if (!request) {
                Error error = std::move(request).error();
                error.where = fmt::format("{}:{}", m_name, m_line);
                return tl::unexpected<Error>(std::move(error));
            }
            into[count++] = *request;
        }
        return count;
    }

private:
    /// The next line without its line feed; it lives until the next call.
    Result<bool> nextLine(std::string_view& line) {
        while (true) {
            const char* from = m_buffer.data() + m_begin;
            if (const void* feed = std::memchr(from, '\n', m_end - m_begin)) {
                const std::size_t length = std::size_t(static_cast<const char*>(feed) - from);
                line = {from, length};
                m_begin += length + 1;
                return true;
            }
            if (m_last) {
                line = {from, m_end - m_begin};
                m_begin = m_end;
                return !line.empty();
            }
            std::memmove(m_buffer.data(), from, m_end - m_begin);
            m_end -= m_begin;
            m_begin = 0;
            if (m_end == m_buffer.size())
                return fail(
                    ErrorCode::InvalidFile,
                    fmt::format("a line of more than {} characters; this is no trace", m_buffer.size()),
                    fmt::format("{}:{}", m_name, m_line + 1));
            const int got = gzread(m_file, m_buffer.data() + m_end, unsigned(m_buffer.size() - m_end));
            if (got < 0) {
                int code = 0;
                const char* text = gzerror(m_file, &code);
                return fail(code == Z_ERRNO ? ErrorCode::Io : ErrorCode::InvalidFile,
                            fmt::format("cannot be read after line {}: {}", m_line,
                                        code == Z_ERRNO ? std::strerror(errno) : text),
                            m_name);
            }
            if (got == 0) {
                int code = Z_OK;
                gzerror(m_file, &code);
                if (code == Z_BUF_ERROR)
                    return fail(ErrorCode::InvalidFile,
                                fmt::format("compressed data ends early, after line {}", m_line), m_name,
                                "the file was cut off; get it again");
                m_last = true;
            }
            m_end += std::size_t(got);
        }
    }

    gzFile m_file;
    std::string m_name;
    int m_channels;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0, m_end = 0;
    bool m_last = false; ///< The buffer holds the end of the file.
    std::int64_t m_line = 0;
};

} // namespace

Result<std::size_t> AttAccHostMapped::read(std::span<AttAccRequest> into) {
    PIM_TRY(const std::size_t count, m_trace.read(into));
    for (AttAccRequest& request : into.first(count))
        request.address = attAccFromHostMap(request.address);
    return count;
}

Result<std::size_t> AttAccList::read(std::span<AttAccRequest> into) {
    const std::size_t count = std::min(into.size(), m_rest.size());
    std::copy_n(m_rest.begin(), count, into.begin());
    m_rest = m_rest.subspan(count);
    return count;
}

Result<std::unique_ptr<AttAccTrace>> openAttAccTrace(const std::filesystem::path& file, int channels) {
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored))
        return fail(ErrorCode::Io, "is a folder, not a trace", file.string());
    const gzFile opened = gzopen(file.c_str(), "rb");
    if (!opened)
        return fail(ErrorCode::Io, fmt::format("cannot be opened: {}", std::strerror(errno)), file.string());
    gzbuffer(opened, 1 << 16);
    return std::make_unique<TraceFile>(opened, file.string(), channels);
}

Result<AttAccRequest> parseAttAccLine(std::string_view line, int channels) {
    line = trimmed(line);
    const std::size_t blank = std::min(line.find_first_of(kBlanks), line.size());
    const std::string_view word = line.substr(0, blank);
    std::string_view number = trimmed(line.substr(blank));
    AttAccRequest request;
    if (!commandOf(word, request.command))
        return fail(ErrorCode::InvalidFile, fmt::format("unknown command \"{}\"", shown(word)), {},
                    "known are " + knownWords());
    if (number.empty())
        return fail(ErrorCode::InvalidFile, fmt::format("{} without an address", word), {},
                    "a line is WORD 0xADDRESS");
    int base = 10;
    if (number.size() > 2 && number[0] == '0' && (number[1] == 'x' || number[1] == 'X')) {
        base = 16;
        number.remove_prefix(2);
    }
    const char* end = number.data() + number.size();
    const auto [stop, code] = std::from_chars(number.data(), end, request.address, base);
    if (code != std::errc() || stop != end)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("\"{}\" is no address", shown(trimmed(line.substr(blank)))), {},
                    "write it as 0x and hexadecimal digits, or decimal");
    if (request.address / kAttAccChannelStride >= std::uint64_t(channels))
        return fail(ErrorCode::InvalidFile,
                    fmt::format("address {:#x} lies beyond the {} channels of 1 GiB: {:#x} is the last",
                                request.address, channels,
                                std::uint64_t(channels) * kAttAccChannelStride - 1));
    return request;
}

void appendAttAccLine(std::string& text, const AttAccRequest& request) {
    fmt::format_to(std::back_inserter(text), "{} 0x{:08x}\n", attAccWord(request.command), request.address);
}

} // namespace pim
