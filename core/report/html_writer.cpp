// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html_writer.h"

#include "core/report/clean_text.h"

#include <fmt/format.h>

#include <array>

namespace pim::report {
namespace {

constexpr std::array<std::string_view, kInks> kInkNames{"text",   "muted",  "grid",    "input", "compute",
                                                        "output", "switch", "rewrite", "host",  "accent"};
constexpr std::array<std::string_view, 3> kAnchors{"start", "middle", "end"};

// The style of a page is these one after the other; pictures by themselves have the fourth with the colours of the second.
constexpr std::string_view kPageColours = R"css(
:root { color-scheme: light dark; --page: #ffffff; --panel: #f5f7f9; --line: #d9dee4; --warn: #fff4e5;
)css";
constexpr std::string_view kLightInks =
    R"css(  --text: #1b2027; --muted: #596573; --grid: #e3e7ec; --input: #4477aa; --compute: #228833; --output: #66ccee;
  --switch: #ee6677; --rewrite: #ccbb44; --host: #bbbbbb; --accent: #882255;)css";
constexpr std::string_view kPageStyle = R"css( }
@media (prefers-color-scheme: dark) { :root { --page: #14181d; --panel: #1d232a; --line: #38414c; --warn: #3a2d17;
  --text: #e8ebef; --muted: #a3aebb; --grid: #2c343d; --input: #5c8fc4; --compute: #36a349; --host: #8b929a;
  --accent: #e08bb8; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); line-height: 1.5;
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 3rem 1.5rem 4rem; }
.eyebrow { color: var(--muted); font-size: .85rem; letter-spacing: .04em; margin: 0; }
h1 { font-size: 2.1rem; line-height: 1.2; margin: .4rem 0 .8rem; text-wrap: balance; }
h2 { font-size: 1.35rem; margin: 3rem 0 .8rem; padding-top: .9rem; border-top: 1px solid var(--line); }
.lead { font-size: 1.08rem; max-width: 46rem; margin: 0 0 1.6rem; }
p { max-width: 46rem; }
.note { color: var(--muted); font-size: .9rem; }
.warning { background: var(--warn); padding: .6rem .9rem; border-radius: 6px; }
nav ol { display: flex; flex-wrap: wrap; gap: .25rem 1.2rem; list-style: none; margin: 1.8rem 0 0; padding: 0; font-size: .92rem; }
a { color: var(--input); }
h1 a, dd a, th a, td a { color: inherit; text-decoration: underline dotted var(--muted); text-underline-offset: .2em; }
h1 a:hover, dd a:hover, th a:hover, td a:hover { text-decoration-style: solid; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: .8rem; margin: 1.4rem 0; }
dl div { background: var(--panel); border-radius: 8px; padding: .8rem 1rem; display: flex; flex-direction: column; }
dt { color: var(--muted); font-size: .85rem; }
dd { margin: 0; }
dd.value { font-size: 1.45rem; font-weight: 650; font-variant-numeric: tabular-nums; white-space: nowrap; }
dd.detail { color: var(--muted); font-size: .82rem; }
.scroll { overflow-x: auto; margin: 1.2rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; }
caption { text-align: left; font-weight: 600; padding: 0 0 .4rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem 1.1rem .35rem 0; border-bottom: 1px solid var(--line); font-weight: 400; overflow-wrap: break-word; }
tbody th, td.c { overflow-wrap: anywhere; min-width: 6rem; }
thead th { color: var(--muted); font-size: .8rem; vertical-align: bottom; overflow-wrap: normal; }
th.n, td.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tbody tr:hover { background: var(--panel); }
tr.total th, tr.total td { font-weight: 650; border-bottom: none; border-top: 2px solid var(--line); }
td.c, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .84em; }
pre { background: var(--panel); border-radius: 8px; padding: .8rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
figure { margin: 1.4rem 0; }
figcaption { font-weight: 600; font-size: .95rem; margin-bottom: .4rem; }
svg.chart { display: block; width: 100%; max-width: 54rem; height: auto; font-family: inherit; }
)css";
constexpr std::string_view kInkClasses =
    R"css(.f-text { fill: var(--text); } .f-muted { fill: var(--muted); } .f-grid { fill: var(--grid); }
.f-input { fill: var(--input); } .f-compute { fill: var(--compute); } .f-output { fill: var(--output); }
.f-switch { fill: var(--switch); } .f-rewrite { fill: var(--rewrite); } .f-host { fill: var(--host); } .f-accent { fill: var(--accent); }
.s-text { stroke: var(--text); } .s-muted { stroke: var(--muted); } .s-grid { stroke: var(--grid); }
.s-input { stroke: var(--input); } .s-compute { stroke: var(--compute); } .s-output { stroke: var(--output); }
.s-switch { stroke: var(--switch); } .s-rewrite { stroke: var(--rewrite); } .s-host { stroke: var(--host); } .s-accent { stroke: var(--accent); }
.hatch { stroke: var(--page); stroke-width: 1.5; }
.dot { stroke: var(--page); stroke-width: .6; }
)css";
constexpr std::string_view kPageEnd =
    R"css(footer { color: var(--muted); font-size: .82rem; margin-top: 3.5rem; border-top: 1px solid var(--line); padding-top: .8rem; }
@page { size: A4; margin: 16mm 15mm; }
@media print { :root { color-scheme: light; --page: #ffffff; --panel: #f5f7f9; --line: #d9dee4; --text: #1b2027;
  --muted: #596573; --grid: #e3e7ec; --input: #4477aa; --compute: #228833; --host: #bbbbbb; --accent: #882255; }
  body { font-size: 10.5pt; -webkit-print-color-adjust: exact; print-color-adjust: exact; } main { max-width: none; padding: 0; } nav { display: none; }
  figure, tr, dl { break-inside: avoid; } h2, caption { break-after: avoid; } .scroll { overflow: visible; } }
)css";

constexpr std::string_view kHatch =
    "<defs><pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><line class=\"hatch\" x1=\"0\" y1=\"0\" x2=\"0\" "
    "y2=\"5\"/></pattern></defs>";

/// Rules for what is inside of a picture only, whatever page it is put into.
std::string scoped(std::string_view rules) {
    std::string result;
    char before = '}'; // the last character that is no blank
    for (const char c : rules) {
        if (c == '.' && before == '}')
            result += "svg.pim ";
        result += c;
        if (c != ' ' && c != '\n')
            before = c;
    }
    return result;
}

/// Rules with colours in the place of their names, which only browsers look up: librsvg, Inkscape and office programs draw black.
std::string coloured(std::string_view rules) {
    const std::string colours = fmt::format("--page: #ffffff;{}", kLightInks);
    std::string result;
    while (true) {
        const std::size_t begin = rules.find("var(");
        if (begin == std::string_view::npos)
            return result.append(rules);
        const std::size_t end = rules.find(')', begin);
        const std::string name(rules.substr(begin + 4, end - begin - 4));
        const std::size_t colour = colours.find(name + ": ") + name.size() + 2;
        result.append(rules.substr(0, begin)).append(colours, colour, colours.find(';', colour) - colour);
        rules.remove_prefix(end + 1);
    }
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : cleanText(text)) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        default:
            result += c;
        }
    }
    return result;
}

/// A tenth of a pixel is finer than any screen and keeps the file small.
std::string pixels(double value) {
    std::string text = fmt::format("{:.1f}", value);
    if (text.ends_with(".0"))
        text.resize(text.size() - 2);
    return text;
}

std::string_view inkName(Ink ink) {
    return kInkNames[static_cast<std::size_t>(ink)];
}

class HtmlWriter {
public:
    std::string write(const Document& document) {
        m_out = "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta "
                "charset=\"utf-8\"/>\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n";
        // Whatever a model is called, nothing in this file may reach out.
        add("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
            "'unsafe-inline'\"/>\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
            escaped(document.headline),
            std::string(kPageColours)
                .append(kLightInks)
                .append(kPageStyle)
                .append(kInkClasses)
                .append(kPageEnd));
        add("<svg width=\"0\" height=\"0\" style=\"position:absolute\" "
            "aria-hidden=\"true\">{}</svg>\n<main>\n<header>\n",
            kHatch);
        add("<p class=\"eyebrow\">{}</p>\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n</header>\n",
            escaped(document.eyebrow), linked(document.headline, document.link), escaped(document.lead));
        for (const Block& block : document.summary)
            std::visit(*this, block);
        m_out += "<nav aria-label=\"Sections\"><ol>";
        for (std::size_t i = 0; i < document.sections.size(); ++i)
            add("<li><a href=\"#s{}\">{}</a></li>", i + 1, escaped(document.sections[i].title));
        m_out += "</ol></nav>\n";
        for (std::size_t i = 0; i < document.sections.size(); ++i) {
            add("<section aria-labelledby=\"s{0}\">\n<h2 id=\"s{0}\">{1}</h2>\n", i + 1,
                escaped(document.sections[i].title));
            for (const Block& block : document.sections[i].blocks)
                std::visit(*this, block);
            m_out += "</section>\n";
        }
        add("<footer>{}</footer>\n</main>\n</body>\n</html>\n", escaped(document.footer));
        return std::move(m_out);
    }

    void operator()(const Paragraph& paragraph) {
        static constexpr std::array<std::string_view, 3> kClasses{"", " class=\"note\"",
                                                                  " class=\"warning\""};
        add("<p{}>{}</p>\n", kClasses[static_cast<std::size_t>(paragraph.style)], escaped(paragraph.text));
    }

    void operator()(const KeyNumbers& block) {
        m_out += "<dl>\n";
        for (const KeyNumber& number : block.numbers)
            add("<div><dt>{}</dt><dd class=\"value\">{}</dd><dd class=\"detail\">{}</dd></div>\n",
                escaped(number.label), linked(number.value, number.link), escaped(number.detail));
        m_out += "</dl>\n";
    }

    void operator()(const Table& table) {
        add("<div class=\"scroll\" tabindex=\"0\"><table>\n<caption>{}</caption>\n<thead><tr>",
            escaped(table.caption));
        for (const Column& column : table.columns)
            add("<th scope=\"col\"{}>{}</th>", cellClass(column), escaped(column.title));
        m_out += "</tr></thead>\n<tbody>\n";
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            m_out += table.lastIsTotal && row + 1 == table.rows.size() ? "<tr class=\"total\">" : "<tr>";
            for (std::size_t column = 0; column < table.rows[row].size(); ++column) {
                const std::string text = linked(table.rows[row][column], table.linkOf(row, column));
                if (column == 0)
                    add("<th scope=\"row\">{}</th>", text);
                else
                    add("<td{}>{}</td>", cellClass(table.columns[column]), text);
            }
            m_out += "</tr>\n";
        }
        m_out += "</tbody></table></div>\n";
    }

    void operator()(const Code& code) { add("<pre>{}</pre>\n", escaped(code.text)); }

    void operator()(const Drawing& drawing) {
        ++m_drawings;
        add("<figure><figcaption id=\"f{0}\">{1}</figcaption>\n<svg class=\"chart\" "
            "xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {2} {3}\" role=\"img\" "
            "aria-labelledby=\"f{0} d{0}\"><desc id=\"d{0}\">{4}</desc>\n",
            m_drawings, escaped(drawing.title), pixels(drawing.width), pixels(drawing.height),
            escaped(drawing.description));
        for (const Mark& mark : drawing.marks)
            std::visit(*this, mark);
        m_out += "</svg></figure>\n";
    }

    std::string picture(const Drawing& drawing) {
        add("<svg class=\"pim\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
            "viewBox=\"0 0 {0} {1}\" "
            "role=\"img\"><title>{2}</title><desc>{3}</desc>\n<style>svg.pim {{ background: #ffffff; "
            "font-family: system-ui, \"DejaVu Sans\", sans-serif; }}\n{4}</style>{5}\n",
            pixels(drawing.width), pixels(drawing.height), escaped(drawing.title),
            escaped(drawing.description), coloured(scoped(kInkClasses)), kHatch);
        for (const Mark& mark : drawing.marks)
            std::visit(*this, mark);
        return std::move(m_out) + "</svg>\n";
    }

    void operator()(const Bar& bar) {
        const std::string place = fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", pixels(bar.x),
                                              pixels(bar.y), pixels(bar.width), pixels(bar.height));
        add("<rect class=\"f-{}\" {}{}\n", inkName(bar.ink), place, closing("rect", bar.tip));
        if (bar.hatched)
            add("<rect fill=\"url(#hatch)\" {} pointer-events=\"none\"/>\n", place);
    }

    void operator()(const Rule& rule) {
        add("<line class=\"s-{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}{}/>\n", inkName(rule.ink),
            pixels(rule.x1), pixels(rule.y1), pixels(rule.x2), pixels(rule.y2),
            rule.width != 1 ? fmt::format(" stroke-width=\"{}\"", pixels(rule.width)) : "",
            rule.dashed ? " stroke-dasharray=\"5 4\"" : "");
    }

    void operator()(const Label& label) {
        add("<text class=\"f-{}\" x=\"{}\" y=\"{}\" font-size=\"{}\"{}{}>{}</text>\n", inkName(label.ink),
            pixels(label.x), pixels(label.y), pixels(label.size),
            label.anchor != Anchor::Start
                ? fmt::format(" text-anchor=\"{}\"", kAnchors[static_cast<std::size_t>(label.anchor)])
                : "",
            label.bold ? " font-weight=\"600\"" : "", escaped(label.text));
    }

    void operator()(const Dot& dot) {
        if (dot.square)
            add("<rect class=\"dot f-{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}\n", inkName(dot.ink),
                pixels(dot.x - dot.radius), pixels(dot.y - dot.radius), pixels(2 * dot.radius),
                pixels(2 * dot.radius), closing("rect", dot.tip));
        else
            add("<circle class=\"dot f-{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"{}\n", inkName(dot.ink),
                pixels(dot.x), pixels(dot.y), pixels(dot.radius), closing("circle", dot.tip));
    }

private:
    template <class... Args>
    void add(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(m_out), format, std::forward<Args>(args)...);
    }
    static std::string linked(const std::string& words, const std::string& link) {
        return link.empty() ? escaped(words)
                            : fmt::format("<a href=\"{}\">{}</a>", escaped(link), escaped(words));
    }
    static std::string_view cellClass(const Column& column) {
        static constexpr std::array<std::string_view, 3> kClasses{"", " class=\"n\"", " class=\"c\""};
        return kClasses[static_cast<std::size_t>(column.kind)];
    }
    static std::string closing(std::string_view element, const std::string& tip) {
        return tip.empty() ? "/>" : fmt::format("><title>{}</title></{}>", escaped(tip), element);
    }
    std::string m_out;
    int m_drawings = 0;
};

} // namespace

std::string svgText(const Drawing& drawing) {
    return HtmlWriter().picture(drawing);
}

std::string htmlText(const Document& document) {
    return HtmlWriter().write(document);
}

} // namespace pim::report
