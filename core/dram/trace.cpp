// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/trace.h"

#include <fmt/format.h>

#include <charconv>

namespace pim {
namespace {

constexpr std::size_t kLongestLine = 256;

} // namespace

Result<std::unique_ptr<DramTraceFile>> DramTraceFile::open(const std::string& file, std::uint64_t limit) {
    PIM_TRY(LineReader lines, LineReader::open(file, kLongestLine, "a trace"));
    return std::unique_ptr<DramTraceFile>(new DramTraceFile(std::move(lines), limit));
}

Result<bool> DramTraceFile::parse(std::string_view line, DramRequest& request) const {
    const auto refuse = [&](std::string message) {
        return fail(ErrorCode::InvalidFile, std::move(message), m_lines.where(),
                    "a line is `LD 0xADDRESS` or `ST 0xADDRESS`");
    };
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
        line.remove_suffix(1);
    if (line.empty() || line.front() == '#')
        return false;
    const std::size_t space = line.find_first_of(" \t");
    const std::string_view word = line.substr(0, space);
    if (word != "LD" && word != "ST")
        return refuse(fmt::format("unknown request \"{}\"", shownText(word)));
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
        return refuse(fmt::format("the address \"{}\" has more than 64 bits", shownText(line.substr(start))));
    if (code != std::errc() || end != digits.data() + digits.size())
        return refuse(fmt::format("\"{}\" is no address", shownText(line.substr(start))));
    if (address >= m_limit)
        return fail(
            ErrorCode::InvalidFile,
            fmt::format("address 0x{:x} is outside the device, whose last is 0x{:x}", address, m_limit - 1),
            m_lines.where(), "choose a larger device, or map addresses to its channel");
    request.address = address;
    request.write = word == "ST";
    return true;
}

Result<std::size_t> DramTraceFile::read(std::span<DramRequest> requests) {
    std::size_t count = 0;
    while (count < requests.size()) {
        std::string_view line;
        PIM_TRY(const bool found, m_lines.next(line));
        if (!found)
            break;
        PIM_TRY(const bool isRequest, parse(line, requests[count]));
        count += isRequest;
    }
    return count;
}

} // namespace pim
