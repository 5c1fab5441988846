// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/pdf_text.h"

#include <cairo-ft.h>
#include <fontconfig/fontconfig.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>

#include <array>
#include <memory>

namespace pim::report {
namespace {

constexpr std::array kFamilies{"DejaVu Sans", "DejaVu Sans Mono", "WenQuanYi Micro Hei"};

struct Deleter {
    void operator()(FcConfig* config) const { FcConfigDestroy(config); }
    void operator()(FcPattern* pattern) const { FcPatternDestroy(pattern); }
    void operator()(FcObjectSet* set) const { FcObjectSetDestroy(set); }
    void operator()(FcFontSet* set) const { FcFontSetDestroy(set); }
};
template <class T>
using Owned = std::unique_ptr<T, Deleter>;

/// The files of our families that the machine has, and nothing else; null where it has none of the first.
Owned<FcConfig> ourFonts() {
    Owned<FcConfig> config(FcConfigCreate());
    const Owned<FcObjectSet> wanted(FcObjectSetBuild(FC_FILE, nullptr));
    for (const char* family : kFamilies) {
        const Owned<FcPattern> pattern(FcPatternBuild(nullptr, FC_FAMILY, FcTypeString, family, nullptr));
        const Owned<FcFontSet> found(FcFontList(nullptr, pattern.get(), wanted.get()));
        for (int i = 0; found && i < found->nfont; ++i) {
            FcChar8* file = nullptr;
            if (FcPatternGetString(found->fonts[i], FC_FILE, 0, &file) == FcResultMatch)
                FcConfigAppFontAddFile(config.get(), file);
        }
        if (family == kFamilies.front() && (!found || found->nfont == 0))
            return nullptr;
    }
    return config;
}

} // namespace

struct PdfText::Layout {
    PangoFontMap* fonts = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
    PangoContext* context = nullptr;
    PangoLayout* layout = nullptr;
    PdfFont font{0};

    explicit Layout(cairo_t* cairo) {
        if (const auto config = ourFonts()) // else what the machine takes for them
            pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(fonts), config.get());
        context = pango_font_map_create_context(fonts);
        pango_cairo_update_context(cairo, context);
        // Text is laid out for paper, not for the pixels of a screen.
        cairo_font_options_t* const options = cairo_font_options_create();
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
        pango_cairo_context_set_font_options(context, options);
        cairo_font_options_destroy(options);
        pango_context_set_round_glyph_positions(context, FALSE);
        pango_context_set_language(context, pango_language_from_string("en")); // not that of the machine
        layout = pango_layout_new(context);
        pango_layout_set_single_paragraph_mode(layout, TRUE);
    }
    ~Layout() {
        g_object_unref(layout);
        g_object_unref(context);
        g_object_unref(fonts);
    }
    Layout(const Layout&) = delete;
    Layout& operator=(const Layout&) = delete;
};

PdfText::PdfText(cairo_t* cairo) : m_cairo(cairo), m_layout(std::make_unique<Layout>(cairo)) {}

PdfText::~PdfText() = default;

PdfText::Layout& PdfText::layOut(const std::string& line, const PdfFont& font) {
    if (font != m_layout->font) {
        m_layout->font = font;
        PangoFontDescription* const description = pango_font_description_new();
        pango_font_description_set_family(description, font.mono ? "DejaVu Sans Mono, WenQuanYi Micro Hei"
                                                                 : "DejaVu Sans, WenQuanYi Micro Hei");
        pango_font_description_set_weight(description, font.bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
        pango_font_description_set_absolute_size(description, font.size * PANGO_SCALE);
        pango_layout_set_font_description(m_layout->layout, description);
        pango_font_description_free(description);
    }
    pango_layout_set_text(m_layout->layout, line.data(), static_cast<int>(line.size()));
    return *m_layout;
}

double PdfText::widthOf(const std::string& line, const PdfFont& font) {
    int width = 0;
    pango_layout_get_size(layOut(line, font).layout, &width, nullptr);
    return static_cast<double>(width) / PANGO_SCALE;
}

void PdfText::show(const std::string& line, const PdfFont& font) {
    pango_cairo_show_layout_line(m_cairo, pango_layout_get_line_readonly(layOut(line, font).layout, 0));
}

} // namespace pim::report
