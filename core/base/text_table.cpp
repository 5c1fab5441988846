// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_table.h"

#include <algorithm>

namespace pim {
namespace {

/// Code points: every sign we print is one column wide.
std::size_t columns(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

} // namespace

TextTable::TextTable(std::vector<std::string> headings) {
    for (std::string& heading : headings) {
        m_right.push_back(heading.starts_with('>'));
        if (m_right.back())
            heading.erase(0, 1);
    }
    m_rows.push_back(std::move(headings));
}

void TextTable::add(std::vector<std::string> cells) {
    cells.resize(m_right.size());
    m_rows.push_back(std::move(cells));
}

std::string TextTable::text() const {
    std::vector<std::size_t> widths(m_right.size());
    for (const auto& row : m_rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], columns(row[i]));
    std::string text;
    for (const auto& row : m_rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string gap(widths[i] - columns(row[i]), ' ');
            line += (i > 0 ? "  " : "") + (m_right[i] ? gap + row[i] : row[i] + gap);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string csvField(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

} // namespace pim
