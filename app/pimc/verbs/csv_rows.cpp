// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/csv_rows.h"

#include "core/base/parse_number.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::cli {
namespace {

constexpr std::size_t kLongestLine = 4096;
constexpr std::size_t kMostRows = 100'000;
constexpr std::string_view kBlank = " \t\r";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(kBlank);
    return begin == std::string::npos ? std::string()
                                      : text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

/// Fields of a line; one in double quotes may hold commas.
std::vector<std::string> fieldsOf(std::string_view line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else
            fields.back() += c;
    }
    for (std::string& field : fields)
        field = trimmed(field);
    return fields;
}

bool isBlank(std::string_view line) {
    return line.find_first_not_of(kBlank) == std::string_view::npos;
}

} // namespace

Result<CsvRows> CsvRows::open(const std::string& file, const std::string& what) {
    PIM_TRY(LineReader lines, LineReader::open(file, kLongestLine, what));
    CsvRows rows(std::move(lines), file);
    std::string_view line;
    bool any = false;
    do {
        PIM_TRY(any, rows.m_lines.next(line));
        if (rows.m_lines.number() == 1 && line.starts_with(kByteOrderMark))
            line.remove_prefix(kByteOrderMark.size());
    } while (any && isBlank(line));
    if (!any)
        return fail(ErrorCode::InvalidFile, "the table is empty", file, "its first line names the columns");
    rows.m_names = fieldsOf(line);
    return rows;
}

Result<void> CsvRows::require(std::initializer_list<std::string_view> columns) const {
    std::string missing, needed;
    int count = 0;
    for (const std::string_view column : columns) {
        needed += fmt::format("{}{}", needed.empty() ? "" : ",", column);
        if (!has(column))
            missing += fmt::format("{}\"{}\"", count++ == 0 ? "" : ", ", column);
    }
    if (count == 0)
        return {};
    return fail(ErrorCode::InvalidFile,
                count == 1 ? fmt::format("there is no column {}", missing)
                           : fmt::format("there are no columns {}", missing),
                m_file, fmt::format("the first line names the columns: {}", needed));
}

Result<bool> CsvRows::next() {
    std::string_view line;
    do {
        PIM_TRY(const bool any, m_lines.next(line));
        if (!any)
            return false;
    } while (isBlank(line));
    if (++m_rows > kMostRows)
        return fail(ErrorCode::InvalidFile, fmt::format("more than {} rows", kMostRows), m_file,
                    "cut the table into pieces");
    m_fields = fieldsOf(line);
    return true;
}

Result<std::string> CsvRows::text(std::string_view column) const {
    const auto at = indexOf(column);
    PIM_ASSERT(at, "a column that there is");
    if (*at >= m_fields.size())
        return fail(ErrorCode::InvalidFile,
                    fmt::format("line {}: has {} fields, the first line names {} columns; nothing for {}",
                                line(), m_fields.size(), m_names.size(), column),
                    m_file);
    return m_fields[*at];
}

Result<std::int64_t> CsvRows::number(std::string_view column, std::optional<std::int64_t> absent) const {
    if (absent && !has(column))
        return *absent;
    PIM_TRY(const std::string field, text(column));
    if (absent && field.empty())
        return *absent;
    if (const auto value = parseNumber<std::int64_t>(field))
        return *value;
    const std::size_t sign = field.starts_with('-') ? 1 : 0;
    const bool tooLarge =
        field.size() > sign && field.find_first_not_of("0123456789", sign) == std::string::npos;
    return fail(ErrorCode::InvalidFile,
                fmt::format("line {}, column {}: {}", line(), column,
                            field.empty() ? std::string("there is nothing, a whole number is expected")
                            : tooLarge    ? fmt::format("{} is too large a number", shownText(field))
                                          : fmt::format("\"{}\" is not a whole number", shownText(field))),
                m_file);
}

std::optional<std::size_t> CsvRows::indexOf(std::string_view column) const {
    const auto found = std::ranges::find(m_names, column);
    return found == m_names.end() ? std::nullopt : std::optional<std::size_t>(found - m_names.begin());
}

} // namespace pim::cli
