// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Aligned columns for people; scripts use --json or --csv.
#include <string>
#include <string_view>
#include <vector>

namespace pim {

class TextTable {
public:
    /// A heading that starts with '>' is aligned to the right. After a tab may stand the name by which its column is chosen;
    /// without one it is columnName() of the heading.
    explicit TextTable(std::vector<std::string> headings);
    void add(std::vector<std::string> cells);
    /// All columns, or those of chooseColumns().
    std::string text() const;

private:
    /// Columns to show, in their order.
    std::vector<std::size_t> shown() const;

    std::vector<bool> m_right;
    std::vector<std::string> m_names;
    std::vector<std::vector<std::string>> m_rows;
};

/// "time each" -> "time_each", "MAC/s" -> "mac_s": letters in lower case, words joined.
std::string columnName(std::string_view heading);

/// From now on, in the whole process, tables that have all of these columns show them alone and in this order; none: every
/// table shows all. A name may end in the unit that it has in JSON: "total_ns" is "total". Call it before work begins.
void chooseColumns(std::vector<std::string> names);

/// What became of the choice until now.
struct ColumnChoice {
    bool isMade = false;            ///< Columns were chosen;
    bool wasAsked = false;          ///< some table looked for the chosen columns,
    bool wasFound = false;          ///< and some table has them.
    std::string missing;            ///< The first that the table which has most of them does not have.
    std::vector<std::string> known; ///< Columns of the tables that were asked, each once.
};
ColumnChoice columnChoice(); ///< Thread-safe.

/// One field of a CSV line, quoted where RFC 4180 wants it.
std::string csvField(const std::string& text);

/// A table of such lines, the first with the names, in the columns of chooseColumns() if it has them.
class CsvColumns {
public:
    /// The next lines, each with its end.
    std::string in(std::string_view lines);

private:
    std::vector<std::size_t> m_order; ///< Empty before the first line.
};

} // namespace pim
