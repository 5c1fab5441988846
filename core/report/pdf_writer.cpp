// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/pdf_writer.h"

#include "core/report/clean_text.h"

#include "core/base/utf8.h"
#include "core/report/pdf_text.h"

#include <cairo-pdf.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>

namespace pim::report {
namespace {

// A4 in points. [ISO 216; 1 pt = 1/72 inch]
constexpr double kPageWidth = 595.28, kPageHeight = 841.89;
constexpr double kMargin = 46, kTop = 50, kBottom = kPageHeight - 56;
constexpr double kWidth = kPageWidth - 2 * kMargin;

struct Colour {
    double red, green, blue;
};
constexpr Colour hex(unsigned value) {
    return {((value >> 16) & 0xff) / 255.0, ((value >> 8) & 0xff) / 255.0, (value & 0xff) / 255.0};
}
/// In the order of Ink; the light shades of the HTML report.
constexpr std::array<Colour, kInks> kColours{hex(0x1b2027), hex(0x596573), hex(0xe3e7ec), hex(0x4477aa),
                                             hex(0x228833), hex(0x66ccee), hex(0xee6677), hex(0xccbb44),
                                             hex(0xbbbbbb), hex(0x882255)};
constexpr Colour kLine = hex(0xd9dee4), kPanel = hex(0xf5f7f9), kWarning = hex(0xfff4e5),
                 kWhite = hex(0xffffff);

using Font = PdfFont;
constexpr Font kEyebrow{8}, kHeadline{20, true}, kLead{10}, kHeading{13, true}, kBody{9}, kCaption{8.5, true},
    kCell{7.4}, kHead{7, true}, kCode{7.4, false, true}, kValue{12.5, true}, kSmall{7};

cairo_status_t append(void* closure, const unsigned char* data, unsigned length) {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

class PdfWriter {
public:
    /// \param pages number of pages if known from an earlier pass; 0 otherwise.
    PdfWriter(const Document& document, int pages) : m_document(document), m_pages(pages) {
        m_surface = cairo_pdf_surface_create_for_stream(append, &m_bytes, kPageWidth, kPageHeight);
        m_cairo = cairo_create(m_surface);
        m_text = std::make_unique<PdfText>(m_cairo);
        cairo_pdf_surface_set_metadata(m_surface, CAIRO_PDF_METADATA_TITLE,
                                       cleanText(document.headline).c_str());
        cairo_pdf_surface_set_metadata(m_surface, CAIRO_PDF_METADATA_CREATOR, "PIM Studio");
        // Else the time of writing, and no two files of one report would be equal. When it ran is in its text.
        cairo_pdf_surface_set_metadata(m_surface, CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z");
    }
    ~PdfWriter() {
        m_text.reset();
        cairo_destroy(m_cairo);
        cairo_surface_destroy(m_surface);
    }
    PdfWriter(const PdfWriter&) = delete;
    PdfWriter& operator=(const PdfWriter&) = delete;

    int pages() const { return m_page; }

    Result<std::string> write() {
        title();
        for (const Block& block : m_document.summary)
            std::visit(*this, block);
        for (const Section& section : m_document.sections)
            write(section);
        endPage();
        cairo_surface_finish(m_surface);
        for (const cairo_status_t status : {cairo_status(m_cairo), cairo_surface_status(m_surface)})
            if (status == CAIRO_STATUS_NO_MEMORY)
                return fail(ErrorCode::Io, "there is not enough memory to draw the PDF", {},
                            "write the report as HTML");
            else if (status != CAIRO_STATUS_SUCCESS)
                return fail(ErrorCode::Internal,
                            fmt::format("the PDF could not be drawn: {}", cairo_status_to_string(status)));
        return std::move(m_bytes);
    }

    void operator()(const Paragraph& paragraph) {
        const bool warning = paragraph.style == Paragraph::Style::Warning;
        const Ink ink = paragraph.style == Paragraph::Style::Note ? Ink::Muted : Ink::Text;
        const auto lines = wrapped(paragraph.text, kBody, kWidth - (warning ? 16 : 0));
        for (const std::string& line : lines) {
            need(kBody.lead());
            if (warning)
                fill(kMargin, m_y, kWidth, kBody.lead(), kWarning);
            text(kMargin + (warning ? 8 : 0), m_y + kBody.size, line, kBody, ink);
            m_y += kBody.lead();
        }
        m_y += 6;
    }

    void operator()(const KeyNumbers& block) {
        constexpr double kGap = 8, kHeight = 52, kInside = 7;
        constexpr std::size_t kCardsInLine = 5;
        const std::size_t lines = (block.numbers.size() + kCardsInLine - 1) / kCardsInLine;
        const std::size_t inLine = lines > 0 ? (block.numbers.size() + lines - 1) / lines : 1;
        const auto cards = static_cast<double>(inLine);
        const double width = (kWidth - kGap * (cards - 1)) / cards;
        need(static_cast<double>(lines) * (kHeight + kGap) + 2);
        double x = kMargin;
        for (std::size_t i = 0; i < block.numbers.size(); ++i) {
            const KeyNumber& number = block.numbers[i];
            if (i > 0 && i % inLine == 0) {
                x = kMargin;
                m_y += kHeight + kGap;
            }
            fill(x, m_y, width, kHeight, kPanel);
            text(x + kInside, m_y + 14, fitted(number.label, kSmall, width - 2 * kInside), kSmall,
                 Ink::Muted);
            linked(number.link, [&] {
                text(x + kInside, m_y + 31, fitted(number.value, kValue, width - 2 * kInside), kValue,
                     Ink::Text);
            });
            text(x + kInside, m_y + 44, fitted(number.detail, kSmall, width - 2 * kInside), kSmall,
                 Ink::Muted);
            x += width + kGap;
        }
        m_y += kHeight + 14;
    }

    void operator()(const Table& table) {
        const std::vector<double> widths = columnWidths(table);
        tableHead(table, widths, false);
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            tableRow(table, widths, row);
        m_y += 12;
    }

    void operator()(const Code& code) {
        constexpr double kInside = 8;
        for (const std::string& line : wrapped(code.text, kCode, kWidth - 2 * kInside)) {
            need(kCode.lead());
            fill(kMargin, m_y, kWidth, kCode.lead(), kPanel);
            text(kMargin + kInside, m_y + kCode.size, line, kCode, Ink::Text);
            m_y += kCode.lead();
        }
        m_y += 10;
    }

    void operator()(const Drawing& drawing) {
        m_scale = kWidth / drawing.width;
        need(drawing.height * m_scale + kCaption.lead() + 8);
        text(kMargin, m_y + kCaption.size, drawing.title, kCaption, Ink::Text);
        m_y += kCaption.lead() + 3;
        for (const Mark& mark : drawing.marks)
            std::visit(*this, mark);
        m_y += drawing.height * m_scale + 12;
    }

    void operator()(const Bar& bar) {
        const double x = kMargin + bar.x * m_scale, y = m_y + bar.y * m_scale, width = bar.width * m_scale,
                     height = bar.height * m_scale;
        fill(x, y, width, height, kColours[static_cast<std::size_t>(bar.ink)]);
        if (!bar.hatched)
            return;
        cairo_save(m_cairo);
        cairo_rectangle(m_cairo, x, y, width, height);
        cairo_clip(m_cairo);
        setColour(kWhite);
        cairo_set_line_width(m_cairo, 1);
        for (double at = x - height; at < x + width; at += 4) {
            cairo_move_to(m_cairo, at, y + height);
            cairo_line_to(m_cairo, at + height, y);
        }
        cairo_stroke(m_cairo);
        cairo_restore(m_cairo);
    }

    void operator()(const Rule& rule) {
        setColour(kColours[static_cast<std::size_t>(rule.ink)]);
        cairo_set_line_width(m_cairo, rule.width * m_scale);
        const std::array dashes{5 * m_scale, 4 * m_scale};
        cairo_set_dash(m_cairo, dashes.data(), rule.dashed ? 2 : 0, 0);
        cairo_move_to(m_cairo, kMargin + rule.x1 * m_scale, m_y + rule.y1 * m_scale);
        cairo_line_to(m_cairo, kMargin + rule.x2 * m_scale, m_y + rule.y2 * m_scale);
        cairo_stroke(m_cairo);
        cairo_set_dash(m_cairo, nullptr, 0, 0);
    }

    void operator()(const Label& label) {
        const Font font{label.size * m_scale, label.bold};
        double x = kMargin + label.x * m_scale;
        if (label.anchor != Anchor::Start)
            x -= widthOf(label.text, font) * (label.anchor == Anchor::Middle ? 0.5 : 1);
        text(x, m_y + label.y * m_scale, label.text, font, label.ink);
    }

    void operator()(const Dot& dot) {
        const double x = kMargin + dot.x * m_scale, y = m_y + dot.y * m_scale, radius = dot.radius * m_scale;
        if (dot.square) {
            fill(x - radius, y - radius, 2 * radius, 2 * radius, kColours[static_cast<std::size_t>(dot.ink)]);
            return;
        }
        setColour(kColours[static_cast<std::size_t>(dot.ink)]);
        cairo_new_sub_path(m_cairo);
        cairo_arc(m_cairo, x, y, radius, 0, 2 * std::numbers::pi);
        cairo_fill(m_cairo);
    }

private:
    void title() {
        bookmark(m_document.headline);
        text(kMargin, m_y + kEyebrow.size, m_document.eyebrow, kEyebrow, Ink::Muted);
        m_y += kEyebrow.lead() + 4;
        linked(m_document.link, [this] { flow(m_document.headline, kHeadline, 1.2); });
        m_y += 6;
        flow(m_document.lead, kLead, 1.4);
        m_y += 10;
    }

    void write(const Section& section) {
        // A heading stays with what follows it, and the words about a picture with the picture.
        double first = 0;
        for (const Block& block : section.blocks) {
            first += std::visit([](const auto& any) { return startHeight(any); }, block);
            if (!std::holds_alternative<Paragraph>(block))
                break;
        }
        const auto title = wrapped(section.title, kHeading, kWidth);
        need(24 + static_cast<double>(title.size()) * kHeading.lead() +
             std::min(first, (kBottom - kTop) / 2));
        if (m_y > kTop) {
            m_y += 8;
            fill(kMargin, m_y, kWidth, 0.7, kLine);
            m_y += 12;
        }
        bookmark(section.title);
        for (const std::string& line : title) {
            text(kMargin, m_y + kHeading.size, line, kHeading, Ink::Text);
            m_y += kHeading.lead();
        }
        m_y += 4;
        for (const Block& block : section.blocks)
            std::visit(*this, block);
    }

    static double startHeight(const Drawing& drawing) { return drawing.height * kWidth / drawing.width + 30; }
    static double startHeight(const Table&) { return 70; }
    static double startHeight(const auto&) { return 40; }

    void flow(const std::string& words, const Font& font, double lead) {
        for (const std::string& line : wrapped(words, font, kWidth)) {
            text(kMargin, m_y + font.size, line, font, Ink::Text);
            m_y += font.size * lead;
        }
    }

    // --- tables

    static Font fontOf(const Table& table, std::size_t column, std::size_t row) {
        Font font = table.columns[column].kind == Column::Kind::Code ? kCode : kCell;
        font.bold = table.lastIsTotal && row + 1 == table.rows.size();
        return font;
    }

    /// Every column gets what its longest word needs; what is left goes where text would have to be broken.
    std::vector<double> columnWidths(const Table& table) {
        const std::size_t columns = table.columns.size();
        std::vector<double> least(columns, 12), wanted(columns, 12);
        const auto consider = [&](std::size_t column, const std::string& cell, const Font& font, bool whole) {
            const double full = std::min(widthOf(cell, font), kWidth) + kGutter;
            wanted[column] = std::max(wanted[column], full);
            double word = whole ? full : 0;
            for (const std::string& piece : pieces(cell))
                word = std::max(word, std::min(widthOf(piece, font), kWidth / 4) + kGutter);
            least[column] = std::max(least[column], word);
        };
        for (std::size_t column = 0; column < columns; ++column) {
            consider(column, table.columns[column].title, kHead, false);
            for (std::size_t row = 0; row < table.rows.size(); ++row)
                consider(column, table.rows[row][column], fontOf(table, column, row),
                         table.columns[column].kind == Column::Kind::Number);
        }
        const double leastSum = std::accumulate(least.begin(), least.end(), 0.0),
                     wantedSum = std::accumulate(wanted.begin(), wanted.end(), 0.0);
        std::vector<double> widths(columns);
        for (std::size_t column = 0; column < columns; ++column) {
            if (leastSum >= kWidth)
                widths[column] = least[column] * kWidth / leastSum;
            else if (wantedSum <= kWidth)
                widths[column] = wanted[column] + (kWidth - wantedSum) * wanted[column] / wantedSum;
            else
                widths[column] = least[column] + (kWidth - leastSum) * (wanted[column] - least[column]) /
                                                     (wantedSum - leastSum);
        }
        return widths;
    }

    void tableHead(const Table& table, const std::vector<double>& widths, bool continued) {
        std::vector<std::vector<std::string>> titles;
        std::size_t lines = 1;
        for (std::size_t column = 0; column < widths.size(); ++column) {
            titles.push_back(wrapped(table.columns[column].title, kHead, widths[column] - kGutter));
            lines = std::max(lines, titles.back().size());
        }
        need(kCaption.lead() + static_cast<double>(lines) * kHead.lead() + 3 * kCell.lead());
        text(kMargin, m_y + kCaption.size, table.caption + (continued ? " (continued)" : ""), kCaption,
             Ink::Text);
        m_y += kCaption.lead() + 2;
        double x = kMargin;
        for (std::size_t column = 0; column < widths.size(); ++column) {
            for (std::size_t line = 0; line < titles[column].size(); ++line)
                cell({x, widths[column], table.columns[column].kind},
                     m_y + kHead.size +
                         static_cast<double>(lines - titles[column].size() + line) * kHead.lead(),
                     titles[column][line], kHead, Ink::Muted);
            x += widths[column];
        }
        m_y += static_cast<double>(lines) * kHead.lead() + 1;
        fill(kMargin, m_y, kWidth, 0.8, kLine);
        m_y += 2;
    }

    struct CellPlace {
        double x = 0, width = 0;
        Column::Kind kind = Column::Kind::Text;
    };
    void cell(const CellPlace& place, double baseline, const std::string& line, const Font& font, Ink ink) {
        double x = place.x;
        if (place.kind == Column::Kind::Number)
            x += place.width - kGutter - widthOf(line, font);
        text(x, baseline, line, font, ink);
    }

    void tableRow(const Table& table, const std::vector<double>& widths, std::size_t row) {
        std::vector<std::vector<std::string>> cells;
        std::size_t lines = 1;
        for (std::size_t column = 0; column < widths.size(); ++column) {
            cells.push_back(
                wrapped(table.rows[row][column], fontOf(table, column, row), widths[column] - kGutter));
            lines = std::max(lines, cells.back().size());
        }
        const double lead = kCell.lead();
        // A row that fits a page is not torn; a longer one goes on where the page ends.
        const double height = static_cast<double>(lines) * lead + 4;
        if (m_y + height > kBottom && (height < (kBottom - kTop) / 2 || m_y + 4 * lead > kBottom)) {
            newPage();
            tableHead(table, widths, true);
        }
        m_y += 1.5;
        for (std::size_t line = 0; line < lines; ++line) {
            if (m_y + lead > kBottom) {
                newPage();
                tableHead(table, widths, true);
            }
            double x = kMargin;
            for (std::size_t column = 0; column < widths.size(); ++column) {
                if (line < cells[column].size())
                    linked(table.linkOf(row, column), [&] {
                        cell({x, widths[column], table.columns[column].kind}, m_y + kCell.size,
                             cells[column][line], fontOf(table, column, row), Ink::Text);
                    });
                x += widths[column];
            }
            m_y += lead;
        }
        m_y += 1.5;
        fill(kMargin, m_y, kWidth, 0.4, kLine);
        m_y += 0.8;
    }

    // --- text

    /// Where a line may end: after a space, and after the signs that join the parts of a long name.
    static std::vector<std::string> pieces(std::string_view words) {
        std::vector<std::string> result(1);
        for (std::size_t i = 0; i < words.size(); ++i) {
            result.back() += words[i];
            const bool joint = std::string_view("/_.,;-=").find(words[i]) != std::string_view::npos;
            const bool digitFollows = i + 1 < words.size() && words[i + 1] >= '0' && words[i + 1] <= '9';
            // A sign of a unit stays with its number.
            const bool glued = words.substr(i).starts_with(" %") || words.substr(i).starts_with(" µ") ||
                               words.substr(i).starts_with(" ×");
            if ((words[i] == ' ' && !glued) || (joint && result.back().size() >= 6 && !digitFollows))
                result.emplace_back();
        }
        return result;
    }

    std::vector<std::string> wrapped(std::string_view words, const Font& font, double width) {
        std::vector<std::string> lines;
        const std::string clean = cleanText(words);
        for (std::size_t begin = 0; begin <= clean.size();) {
            const std::size_t end = std::min(clean.find('\n', begin), clean.size());
            wrapLine(std::string_view(clean).substr(begin, end - begin), font, width, lines);
            begin = end + 1;
        }
        return lines;
    }

    void wrapLine(std::string_view words, const Font& font, double width, std::vector<std::string>& lines) {
        std::string line;
        double used = 0;
        const auto flush = [&] {
            lines.push_back(std::exchange(line, {}));
            used = 0;
        };
        for (const std::string& piece : pieces(words)) {
            const std::string_view ink =
                std::string_view(piece).substr(0, piece.ends_with(' ') ? piece.size() - 1 : piece.size());
            if (used > 0 && used + widthOf(ink, font) > width)
                flush();
            if (widthOf(ink, font) <= width) {
                line += piece;
                used += widthOf(piece, font);
                continue;
            }
            // Longer than a line: broken between characters.
            for (std::string_view rest = piece; !rest.empty();) {
                const std::string_view character = rest.substr(0, characterBytes(rest));
                const double advance = widthOf(character, font);
                if (used > 0 && used + advance > width)
                    flush();
                line += character;
                used += advance;
                rest.remove_prefix(character.size());
            }
        }
        flush();
    }

    /// Shortened with an ellipsis where it does not fit one line.
    std::string fitted(const std::string& words, const Font& font, double width) {
        std::string clean = cleanText(words);
        if (widthOf(clean, font) <= width)
            return clean;
        while (!clean.empty() && widthOf(clean + "…", font) > width)
            clean = withinBytes(clean, clean.size() - 1);
        return clean + "…";
    }

    /// Widths are asked for again and again, and measuring is what takes the time.
    double widthOf(std::string_view words, const Font& font) {
        auto& known = m_widths[font];
        const auto found = known.find(words);
        if (found != known.end())
            return found->second;
        return known.emplace(std::string(words), m_text->widthOf(cleanText(words), font)).first->second;
    }

    void text(double x, double baseline, const std::string& words, const Font& font, Ink ink) {
        setColour(kColours[static_cast<std::size_t>(ink)]);
        cairo_move_to(m_cairo, x, baseline);
        m_text->show(cleanText(words), font);
    }

    /// What \p draw puts on the page leads to \p link, if there is one.
    void linked(const std::string& link, const auto& draw) {
        if (!link.empty()) // a link of ours holds neither quotes nor backslashes: they are percent-encoded
            cairo_tag_begin(m_cairo, CAIRO_TAG_LINK, ("uri='" + link + "'").c_str());
        draw();
        if (!link.empty())
            cairo_tag_end(m_cairo, CAIRO_TAG_LINK);
    }

    // --- pages

    void setColour(const Colour& colour) {
        cairo_set_source_rgb(m_cairo, colour.red, colour.green, colour.blue);
    }

    void fill(double x, double y, double width, double height, const Colour& colour) {
        setColour(colour);
        cairo_rectangle(m_cairo, x, y, width, height);
        cairo_fill(m_cairo);
    }

    void bookmark(const std::string& words) {
        cairo_pdf_surface_add_outline(
            m_surface, CAIRO_PDF_OUTLINE_ROOT, cleanText(words).c_str(),
            fmt::format("page={} pos=[{:.1f} {:.1f}]", m_page, kMargin, m_y - 4).c_str(),
            static_cast<cairo_pdf_outline_flags_t>(0));
    }

    void need(double height) {
        if (m_y > kTop && m_y + height > kBottom)
            newPage();
    }

    void newPage() {
        endPage();
        cairo_show_page(m_cairo);
        ++m_page;
        m_y = kTop;
    }

    void endPage() {
        fill(kMargin, kPageHeight - 42, kWidth, 0.5, kLine);
        text(kMargin, kPageHeight - 30, fitted(m_document.footer, kSmall, kWidth - 80), kSmall, Ink::Muted);
        const std::string number =
            m_pages > 0 ? fmt::format("Page {} of {}", m_page, m_pages) : fmt::format("Page {}", m_page);
        text(kMargin + kWidth - widthOf(number, kSmall), kPageHeight - 30, number, kSmall, Ink::Muted);
    }

    static constexpr double kGutter = 9;
    const Document& m_document;
    std::string m_bytes;
    cairo_surface_t* m_surface = nullptr;
    cairo_t* m_cairo = nullptr;
    std::map<Font, std::map<std::string, double, std::less<>>> m_widths;
    std::unique_ptr<PdfText> m_text;
    double m_y = kTop;
    double m_scale = 1;
    int m_page = 1;
    int m_pages;
};

} // namespace

Result<std::string> pdfBytes(const Document& document) {
    // The first pass finds out how many pages there are.
    PdfWriter draft(document, 0);
    PIM_CHECK(draft.write());
    return PdfWriter(document, draft.pages()).write();
}

} // namespace pim::report
