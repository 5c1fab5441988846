// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Aligned columns for people; scripts use --json or --csv.
#include <string>
#include <vector>

namespace pim {

class TextTable {
public:
    /// A heading that starts with '>' is aligned to the right.
    explicit TextTable(std::vector<std::string> headings);
    void add(std::vector<std::string> cells);
    std::string text() const;

private:
    std::vector<bool> m_right;
    std::vector<std::vector<std::string>> m_rows;
};

/// One field of a CSV line, quoted where RFC 4180 wants it.
std::string csvField(const std::string& text);

} // namespace pim
