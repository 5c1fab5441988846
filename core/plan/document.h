// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A report before it is HTML or PDF: sections of paragraphs, key numbers, tables and drawings.
/// Flow: ReportInput -> content.h -> [Document] -> html_writer.h, pdf_writer.h.
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace pim::report {

/// What a colour means; each writer has its own shades for it.
enum class Ink { Text, Muted, Grid, Input, Compute, Output, Switch, Rewrite, Host, Accent };
inline constexpr int kInks = 10;

struct Bar {
    double x, y, width, height;
    Ink ink;
    bool hatched = false; ///< Told apart without colour.
    std::string tip;      ///< Shown on hover where the medium can.
};
struct Rule {
    double x1, y1, x2, y2;
    Ink ink;
    double width = 1;
    bool dashed = false;
};
enum class Anchor { Start, Middle, End };
struct Label {
    double x, y; ///< Of the base line.
    std::string text;
    Ink ink = Ink::Text;
    double size = 11;
    Anchor anchor = Anchor::Start;
    bool bold = false;
};
struct Dot {
    double x, y, radius;
    Ink ink;
    bool square = false; ///< Told apart without colour.
    std::string tip;
};
using Mark = std::variant<Bar, Rule, Label, Dot>;

/// A picture as a list of marks, in pixels of 1/96 inch, y downwards.
struct Drawing {
    std::string title;
    std::string description; ///< What it shows, for a person who cannot see it.
    double width = 680;
    double height = 0;
    std::vector<Mark> marks;
};

struct Paragraph {
    enum class Style { Normal, Note, Warning };
    std::string text;
    Style style = Style::Normal;
};
struct KeyNumber {
    std::string label, value, detail;
    std::string link; ///< What the value leads to; empty: nothing.
};
struct KeyNumbers {
    std::vector<KeyNumber> numbers;
};
struct Column {
    std::string title;
    enum class Kind { Text, Number, Code } kind = Kind::Text;
};
struct Table {
    std::string caption;
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows; ///< A cell a column; the first names the row.
    bool lastIsTotal = false;
    /// (row, column) -> what the cell leads to.
    std::map<std::pair<std::size_t, std::size_t>, std::string> links;

    std::string linkOf(std::size_t row, std::size_t column) const {
        const auto found = links.find({row, column});
        return found == links.end() ? std::string() : found->second;
    }
};
struct Code {
    std::string text;
};
using Block = std::variant<Paragraph, KeyNumbers, Table, Drawing, Code>;

struct Section {
    std::string title;
    std::vector<Block> blocks;
};

struct Document {
    std::string eyebrow; ///< Above the headline: what kind of paper this is.
    std::string headline;
    std::string link;           ///< What the headline leads to; empty: nothing.
    std::string lead;           ///< Below it, one or two sentences.
    std::vector<Block> summary; ///< Before the first section.
    std::vector<Section> sections;
    std::string footer; ///< On every page.
};

} // namespace pim::report
