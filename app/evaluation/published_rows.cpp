// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/published_rows.h"

#include "core/base/line_reader.h"
#include "core/base/paths.h"

#include <fmt/format.h>

namespace pim::evaluation {

Result<std::vector<PublishedRow>> publishedRows(std::string_view file, std::size_t columns) {
    const std::string path = (resourceDir() / "evaluation" / file).string();
    PIM_TRY(LineReader lines, LineReader::open(path, 4096, "published numbers"));
    std::vector<PublishedRow> rows;
    std::string_view line;
    while (true) {
        PIM_TRY(const bool any, lines.next(line));
        if (!any)
            break;
        if (line.empty() || line.front() == '#')
            continue;
        PublishedRow fields(1);
        for (const char c : line)
            if (c == ',')
                fields.emplace_back();
            else
                fields.back() += c;
        if (fields.size() != columns)
            return fail(ErrorCode::InvalidFile, fmt::format("has {} fields, not {}", fields.size(), columns),
                        lines.where(), "install the program with its resources");
        rows.push_back(std::move(fields));
    }
    if (rows.empty())
        return fail(ErrorCode::InvalidFile, "has no rows", path, "install the program with its resources");
    rows.erase(rows.begin());
    return rows;
}

} // namespace pim::evaluation
