// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/document_text.h"

#include "core/base/text_table.h"

#include <utility>

namespace pim::evaluation {

report::Section tableSection(std::string title, const std::vector<std::string>& columns,
                             std::vector<std::vector<std::string>> rows) {
    report::Table table;
    for (const std::string& column : columns)
        table.columns.push_back(column.starts_with('>')
                                    ? report::Column{column.substr(1), report::Column::Kind::Number}
                                    : report::Column{column, report::Column::Kind::Text});
    table.rows = std::move(rows);
    return {std::move(title), {std::move(table)}};
}

void addNote(report::Section& section, std::string text) {
    if (!text.empty())
        section.blocks.emplace_back(report::Paragraph{std::move(text)});
}

std::string documentText(const report::Document& document) {
    std::string text = document.headline + "\n";
    if (!document.lead.empty())
        text += document.lead + "\n";
    for (const report::Section& section : document.sections) {
        text += "\n" + section.title + "\n";
        for (const report::Block& block : section.blocks) {
            if (const auto* paragraph = std::get_if<report::Paragraph>(&block))
                text += paragraph->text + "\n";
            const auto* table = std::get_if<report::Table>(&block);
            if (!table)
                continue;
            std::vector<std::string> heads;
            for (const report::Column& column : table->columns)
                heads.push_back((column.kind == report::Column::Kind::Number ? ">" : "") + column.title);
            TextTable rows(heads);
            for (const std::vector<std::string>& row : table->rows)
                rows.add(row);
            text += rows.text();
        }
    }
    return text;
}

} // namespace pim::evaluation
