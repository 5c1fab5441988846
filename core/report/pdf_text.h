// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Text of PDF reports, shaped by Pango: letters of all scripts join and run in their direction, can be selected and searched.
///
/// The same report has the same bytes wherever the packages of resources/scripts/packages are installed, which our package depends
/// on: only DejaVu (Latin, Greek, Cyrillic, Arabic, …) and WenQuanYi Micro Hei (Chinese, Japanese, Korean) are used, whatever else a
/// machine has, without its rules for screens. What neither has is drawn as a box with its number. SVG and HTML keep text as text:
/// whoever shows them shapes it with the fonts there.
#include <compare>
#include <memory>
#include <string>

using cairo_t = struct _cairo;

namespace pim::report {

struct PdfFont {
    double size; ///< In points.
    bool bold = false;
    bool mono = false;
    double lead() const { return size * 1.4; }
    friend auto operator<=>(const PdfFont&, const PdfFont&) = default;
};

/// One line at a time.
class PdfText {
public:
    /// \param cairo outlives this.
    explicit PdfText(cairo_t* cairo);
    ~PdfText();
    PdfText(const PdfText&) = delete;
    PdfText& operator=(const PdfText&) = delete;

    /// Points. \param line UTF-8.
    double widthOf(const std::string& line, const PdfFont& font);
    /// With its left end on the baseline at the current point.
    void show(const std::string& line, const PdfFont& font);

private:
    struct Layout;
    Layout& layOut(const std::string& line, const PdfFont& font);

    cairo_t* m_cairo;
    std::unique_ptr<Layout> m_layout;
};

} // namespace pim::report
