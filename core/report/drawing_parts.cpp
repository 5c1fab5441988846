// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/drawing_parts.h"

#include "core/base/number_text.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <cmath>

namespace pim::report {
namespace {

/// Mean advance of a letter in sans-serif fonts of the width of DejaVu Sans, in ems.
constexpr double kLetterEms = 0.58;

/// A step of 1, 2 or 5 times a power of ten that gives four to eight lines.
double niceStep(double largest) {
    const double rough = largest / 5;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (rough <= factor * power)
            return factor * power;
    return 10 * power;
}

} // namespace

double widthOf(std::string_view text) {
    return static_cast<double>(columnsOf(text)) * kTextSize * kLetterEms;
}

std::string shortened(const std::string& text, std::size_t most) {
    if (columnsOf(text) <= most)
        return text;
    return std::string(withinColumns(text, most / 3)) + "…" +
           std::string(lastColumns(text, most - std::min(most, most / 3 + 1)));
}

std::string rounded(std::string text) {
    const std::size_t end = text.find_first_not_of("0123456789."), point = text.find('.');
    if (point >= std::min(end, text.size()))
        return text;
    std::size_t from = std::min(end, text.size());
    while (text[from - 1] == '0')
        --from;
    if (text[from - 1] == '.')
        --from;
    return text.erase(from, std::min(end, text.size()) - from);
}

std::string timeTick(double ns) {
    return ns == 0 ? "0" : rounded(timeText(ns));
}

void addTimeAxis(Drawing& drawing, double left, double width, double top, double bottom, double largestNs) {
    if (largestNs <= 0)
        return;
    const double step = niceStep(largestNs);
    for (int i = 0; i * step <= largestNs * 1.0001; ++i) {
        const double x = left + width * i * step / largestNs;
        drawing.marks.push_back(Rule{x, top, x, bottom, i == 0 ? Ink::Muted : Ink::Grid});
        drawing.marks.push_back(Label{x, bottom + 14, timeTick(i * step), Ink::Muted, 10, Anchor::Middle});
    }
}

} // namespace pim::report
