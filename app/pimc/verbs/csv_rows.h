// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A table that a verb reads: CSV, plain or gzip, columns named by the first line and in any order.
#include "core/base/line_reader.h"

#include <initializer_list>
#include <optional>
#include <vector>

namespace pim::cli {

class CsvRows {
public:
    /// \param what "a table of kernels". Errors: Io, InvalidFile for an empty one.
    static Result<CsvRows> open(const std::string& file, const std::string& what);

    bool has(std::string_view column) const { return indexOf(column).has_value(); }
    /// Error::InvalidFile that names every column that is missing.
    Result<void> require(std::initializer_list<std::string_view> columns) const;

    /// The next row that is not blank; false at the end. Errors: InvalidFile for more rows than anybody reads.
    Result<bool> next();
    std::int64_t line() const { return m_lines.number(); }
    std::string where() const { return m_lines.where(); } ///< "file:12"

    /// Field of the row without blanks around it; InvalidFile if the row ends before it. \pre has(column)
    Result<std::string> text(std::string_view column) const;
    /// \param absent what holds if there is no such column, or nothing in the field.
    Result<std::int64_t> number(std::string_view column, std::optional<std::int64_t> absent = {}) const;

private:
    explicit CsvRows(LineReader lines, std::string file)
        : m_lines(std::move(lines)), m_file(std::move(file)) {}
    std::optional<std::size_t> indexOf(std::string_view column) const;

    LineReader m_lines;
    std::string m_file;
    std::size_t m_rows = 0;
    std::vector<std::string> m_names, m_fields;
};

} // namespace pim::cli
