// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/attacc/trace.h"

#include "core/base/parse_number.h"

#include "core/base/line_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::size_t kLongestLine = 1 << 16;

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
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
    TraceFile(LineReader lines, int channels) : m_lines(std::move(lines)), m_channels(channels) {}

    Result<std::size_t> read(std::span<AttAccRequest> into) override {
        std::size_t count = 0;
        while (count < into.size()) {
            std::string_view line;
            PIM_TRY(const bool found, m_lines.next(line));
            if (!found)
                break;
            line = trimmed(line);
            if (line.empty() || line[0] == '#')
                continue;
            Result<AttAccRequest> request = parseAttAccLine(line, m_channels);
            if (!request) {
                Error error = std::move(request).error();
                error.where = m_lines.where();
                return tl::unexpected<Error>(std::move(error));
            }
            into[count++] = *request;
        }
        return count;
    }

private:
    LineReader m_lines;
    int m_channels;
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
    PIM_TRY(LineReader lines, LineReader::open(file.string(), kLongestLine, "a trace"));
    return std::make_unique<TraceFile>(std::move(lines), channels);
}

Result<AttAccRequest> parseAttAccLine(std::string_view line, int channels) {
    line = trimmed(line);
    const std::size_t blank = std::min(line.find_first_of(kBlanks), line.size());
    const std::string_view word = line.substr(0, blank);
    std::string_view number = trimmed(line.substr(blank));
    AttAccRequest request;
    if (!commandOf(word, request.command))
        return fail(ErrorCode::InvalidFile, fmt::format("unknown command \"{}\"", shownText(word)), {},
                    "known are " + knownWords());
    if (number.empty())
        return fail(ErrorCode::InvalidFile, fmt::format("{} without an address", word), {},
                    "a line is WORD 0xADDRESS");
    int base = 10;
    if (number.size() > 2 && number[0] == '0' && (number[1] == 'x' || number[1] == 'X')) {
        base = 16;
        number.remove_prefix(2);
    }
    const auto address = parseNumber<std::uint64_t>(number, base);
    if (!address)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("\"{}\" is no address", shownText(trimmed(line.substr(blank)))), {},
                    "write it as 0x and hexadecimal digits, or decimal");
    request.address = *address;
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
