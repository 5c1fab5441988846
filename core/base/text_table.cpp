// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_table.h"

#include "core/base/control_text.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <numeric>
#include <optional>

namespace pim {
namespace {

/// Of the whole process, as `pimc --columns` is.
struct Choice {
    std::mutex mutex;
    std::vector<std::string> names;
    ColumnChoice became;
    std::size_t most = 0; ///< Columns before became.missing.
};
Choice& choice() {
    static Choice one;
    return one;
}

std::optional<std::size_t> placeOf(const std::vector<std::string>& names, std::string_view wanted) {
    const auto at = std::find(names.begin(), names.end(), wanted);
    if (at != names.end())
        return static_cast<std::size_t>(at - names.begin());
    const auto written = std::ranges::find(names, wanted, columnName);
    if (written != names.end())
        return static_cast<std::size_t>(written - names.begin());
    constexpr std::array<std::string_view, 4> kUnits{"_ns", "_pj", "_bytes", "_utc"};
    for (const std::string_view unit : kUnits)
        if (wanted.ends_with(unit) && wanted.size() > unit.size())
            return placeOf(names, wanted.substr(0, wanted.size() - unit.size()));
    return std::nullopt;
}

bool isAnyChosen() {
    const std::lock_guard lock(choice().mutex);
    return !choice().names.empty();
}

/// Places of the columns to show, of a table that has columns of these names.
std::vector<std::size_t> chosenOf(const std::vector<std::string>& names) {
    std::vector<std::size_t> all(names.size()), wanted;
    std::iota(all.begin(), all.end(), std::size_t{0});
    Choice& chosen = choice();
    const std::lock_guard lock(chosen.mutex);
    if (chosen.names.empty())
        return all;
    ColumnChoice& became = chosen.became;
    became.wasAsked = true;
    for (const std::string& name : names)
        if (!name.empty() && std::ranges::find(became.known, name) == became.known.end())
            became.known.push_back(name);
    for (const std::string& name : chosen.names) {
        if (const auto place = placeOf(names, name)) {
            wanted.push_back(*place);
            continue;
        }
        if (became.missing.empty() || wanted.size() > chosen.most) {
            became.missing = name;
            chosen.most = wanted.size();
        }
        return all;
    }
    became.wasFound = true;
    return wanted;
}

} // namespace

TextTable::TextTable(std::vector<std::string> headings) {
    for (std::string& heading : headings) {
        m_right.push_back(heading.starts_with('>'));
        if (m_right.back())
            heading.erase(0, 1);
        const std::size_t tab = heading.find('\t');
        m_names.push_back(tab == std::string::npos ? columnName(heading) : heading.substr(tab + 1));
        heading.resize(std::min(tab, heading.size()));
        heading = withoutControl(heading);
    }
    m_rows.push_back(std::move(headings));
}

void TextTable::add(std::vector<std::string> cells) {
    cells.resize(m_right.size());
    for (std::string& cell : cells)
        cell = withoutControl(cell);
    m_rows.push_back(std::move(cells));
}

std::vector<std::size_t> TextTable::shown() const {
    return chosenOf(m_names);
}

std::string TextTable::text() const {
    const std::vector<std::size_t> order = shown();
    std::vector<std::size_t> widths(m_right.size());
    for (const auto& row : m_rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], columnsOf(row[i]));
    std::string text;
    for (const auto& row : m_rows) {
        std::string line;
        for (const std::size_t i : order) {
            const std::string gap(widths[i] - columnsOf(row[i]), ' ');
            line += (i != order.front() ? "  " : "") + (m_right[i] ? gap + row[i] : row[i] + gap);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string columnName(std::string_view heading) {
    std::string name;
    for (const char c : heading) {
        const bool isUpper = c >= 'A' && c <= 'Z',
                   isWord = isUpper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
        if (isWord)
            name += isUpper ? static_cast<char>(c - 'A' + 'a') : c;
        else if (!name.empty() && name.back() != '_')
            name += '_';
    }
    while (name.ends_with('_'))
        name.pop_back();
    return name;
}

void chooseColumns(std::vector<std::string> names) {
    Choice& chosen = choice();
    const std::lock_guard lock(chosen.mutex);
    chosen.names = std::move(names);
    chosen.became = {};
    chosen.became.isMade = !chosen.names.empty();
    chosen.most = 0;
}

ColumnChoice columnChoice() {
    Choice& chosen = choice();
    const std::lock_guard lock(chosen.mutex);
    return chosen.became;
}

std::string CsvColumns::in(std::string_view lines) {
    if (!isAnyChosen())
        return std::string(lines);
    std::string text;
    std::vector<std::string> fields;
    std::size_t begin = 0;
    bool isQuoted = false;
    for (std::size_t at = 0; at < lines.size(); ++at) {
        isQuoted ^= lines[at] == '"';
        if (isQuoted || (lines[at] != ',' && lines[at] != '\n'))
            continue;
        fields.emplace_back(lines.substr(begin, at - begin));
        begin = at + 1;
        if (lines[at] == ',')
            continue;
        if (m_order.empty())
            m_order = chosenOf(fields);
        for (const std::size_t place : m_order) {
            text += place < fields.size() ? fields[place] : std::string();
            text += ',';
        }
        text.back() = '\n';
        fields.clear();
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
