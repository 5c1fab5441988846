// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/palette.h"

#include "views/common/studio_style.h"

#include <QApplication>
#include <QStyle>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

namespace pim::views {
namespace {

struct Pair {
    QRgb light, dark;
};

// Blue, orange, pink and purple after Okabe & Ito, "Color Universal Design" (2008), with neighbours in a
// stacked bar kept apart in lightness as well as in hue, and all kept apart for the colour-blind; tests measure it.
constexpr Pair rgb(Role role) {
    switch (role) {
    case Role::InputRearrangement:
        return {0xfff0a030, 0xffffb454};
    case Role::Compute:
        return {0xff1f66b0, 0xff4c93dc};
    case Role::OutputRearrangement:
        return {0xffd78dcb, 0xffffb6e8};
    case Role::ModeSwitch:
        return {0xff55266c, 0xff7e6beb};
    case Role::HostTime:
        return {0xff82938a, 0xff9e98a7};
    case Role::Idle:
        return {0xffd5dae0, 0xff4a515b};
    case Role::MemoryIn:
        return {0xfff0a030, 0xffffb454};
    case Role::MemoryOut:
        return {0xffe58bb4, 0xfffcbaff};
    case Role::Switching:
        return {0xff3a0d60, 0xffe9f8ff};
    case Role::Rewriting:
        return {0xffb8340a, 0xffc23c15};
    case Role::Transfer:
        return {0xff05895f, 0xff39c38b};
    case Role::VectorUnit:
        return {0xffdbe524, 0xfffce89d};
    case Role::OtherWork:
        return {0xff6a7480, 0xff7591aa};
    case Role::OnHost:
        return {0xffb98a2f, 0xffd9ad55};
    case Role::OnPim:
        return {0xff0b6f86, 0xff3fb0c8};
    case Role::NoCost:
        return {0xffa3abb5, 0xff6b747f};
    case Role::Canvas:
        return {0xfff4f6f9, 0xff1a1d22};
    case Role::GridLine:
        return {0xffdfe4ea, 0xff30353d};
    case Role::NodeBorder:
        return {0xffb9c2cc, 0xff4d5661};
    case Role::NodeText:
        return {0xff1c2128, 0xffe9edf2};
    case Role::Edge:
        return {0xff8d98a5, 0xff77818d};
    case Role::EdgeSelected:
        return {0xffc4450c, 0xffffa057};
    case Role::Selection:
        return {0xffd9520f, 0xffff9a4d};
    case Role::SearchHit:
        return {0xffe3b100, 0xffffd84d};
    case Role::Good:
        return {0xff005a92, 0xff6cb8f0};
    case Role::Bad:
        return {0xffb03a08, 0xffff9e64};
    case Role::Muted:
        return {0xff586370, 0xffa5afba};
    case Role::Accent:
        return {0xff1259b8, 0xff7db7ff};
    }
    return {0xff000000, 0xffffffff};
}

// Found by a search for the largest smallest difference between any two, as seen with normal sight, protanopia and
// deuteranopia; a test measures it.
constexpr std::array<Pair, kCategories> kCategoryColors{{
    {0xff5971dc, 0xff644496}, // matrix products
    {0xff273b09, 0xff0abe74}, // convolution
    {0xff641b7b, 0xffa26fff}, // attention
    {0xffbbb5fa, 0xffb2affc}, // element by element
    {0xffdea30e, 0xff8e4d10}, // reduction
    {0xff856d92, 0xff96849e}, // softmax
    {0xff76d47f, 0xff80f678}, // normalisation
    {0xff936803, 0xffff7d00}, // pooling
    {0xffb4c2bd, 0xff655143}, // movement
    {0xff1a3b3b, 0xffb9e6da}, // anything else
}};

// Likewise, beside Role::OnHost and Role::NoCost; the first is Role::OnPim.
constexpr std::array<Pair, kDeviceColors> kDeviceColorPairs{{
    rgb(Role::OnPim),
    {0xff3a36e2, 0xffa24ce6},
    {0xff6f432a, 0xffe3d3b5},
    {0xff121070, 0xff6f582a},
}};

// Ten evenly spaced samples of viridis (matplotlib 3.x, CC0).
constexpr std::array<QRgb, 10> kViridis{0xff440154, 0xff482878, 0xff3e4989, 0xff31688e, 0xff26828e,
                                        0xff1f9e89, 0xff35b779, 0xff6ece58, 0xffb5de2b, 0xfffde725};

// Ten evenly spaced samples of cividis (Nuñez, Anderton & Renslow, "Optimizing colormaps with consideration for color
// vision deficiency", PLOS ONE 13(7), 2018; as in matplotlib 3.x, CC0).
constexpr std::array<QRgb, 10> kCividis{0xff00224e, 0xff123570, 0xff3b496c, 0xff575d6d, 0xff707173,
                                        0xff8a8678, 0xffa59c74, 0xffc3b369, 0xffe1cc55, 0xfffee838};

std::atomic<ColorMap> g_colorMap = ColorMap::Viridis; // pictures are also painted on worker threads

double channelLuminance(double value) { // WCAG 2.1, definition of relative luminance
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& c) {
    return 0.2126 * channelLuminance(c.redF()) + 0.7152 * channelLuminance(c.greenF()) +
           0.0722 * channelLuminance(c.blueF());
}

} // namespace

QColor mix(const QColor& under, const QColor& over, double share) {
    const auto blend = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return {blend(under.red(), over.red()), blend(under.green(), over.green()),
            blend(under.blue(), over.blue())};
}

Theme currentTheme() {
    return QGuiApplication::palette().color(QPalette::Window).lightness() < 128 ? Theme::Dark : Theme::Light;
}

QColor color(Role role, Theme theme) {
    const Pair pair = rgb(role);
    return QColor(theme == Theme::Dark ? pair.dark : pair.light);
}

QColor color(Role role) {
    return color(role, currentTheme());
}

QColor category(int index) {
    const Pair pair =
        kCategoryColors[static_cast<std::size_t>(((index % kCategories) + kCategories) % kCategories)];
    return QColor(currentTheme() == Theme::Dark ? pair.dark : pair.light);
}

QColor deviceColor(std::size_t device) {
    const Pair pair = kDeviceColorPairs[device % kDeviceColorPairs.size()];
    return QColor(currentTheme() == Theme::Dark ? pair.dark : pair.light);
}

QPalette paletteFor(Theme theme) {
    const bool dark = theme == Theme::Dark;
    const QColor window(dark ? 0xff23272e : 0xfff0f2f5), base(dark ? 0xff1d2026 : 0xffffffff);
    const QColor text = color(Role::NodeText, theme), button(dark ? 0xff2d323a : 0xfff7f8fa);
    const QColor highlight(dark ? 0xff2f62a6 : 0xff1f66c4);
    QPalette p;
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, base);
    p.setColor(QPalette::AlternateBase, dark ? QColor(0xff23272d) : QColor(0xfff6f8fa));
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::PlaceholderText, color(Role::Muted, theme));
    p.setColor(QPalette::Button, button);
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, Qt::white);
    p.setColor(QPalette::ToolTipBase, dark ? QColor(0xff353b44) : QColor(0xfffcfcfd));
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::Highlight, highlight);
    p.setColor(QPalette::HighlightedText, Qt::white);
    p.setColor(QPalette::Link, color(Role::Accent, theme));
    p.setColor(QPalette::LinkVisited, dark ? QColor(0xffc3a5f0) : QColor(0xff66338f));
    p.setColor(QPalette::Light, dark ? QColor(0xff3a4049) : QColor(0xffffffff));
    p.setColor(QPalette::Midlight, dark ? QColor(0xff343a42) : QColor(0xffe6e9ed));
    p.setColor(QPalette::Mid, dark ? QColor(0xff3f464f) : QColor(0xffc3cad2));
    p.setColor(QPalette::Dark, dark ? QColor(0xff15181c) : QColor(0xffa5aeb8));
    p.setColor(QPalette::Shadow, dark ? QColor(0xff000000) : QColor(0xff767f89));
    const QColor faded = mix(window, text, 0.45);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, faded);
    p.setColor(QPalette::Disabled, QPalette::Highlight, mix(window, text, 0.25));
    return p;
}

void applyTheme(Theme theme) {
    if (!qobject_cast<StudioStyle*>(QApplication::style()))
        QApplication::setStyle(new StudioStyle);
    const QPalette palette = paletteFor(theme);
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
}

QColor textOn(const QColor& background) { // pure black or white: one of them always reaches 4.58:1
    return contrast(Qt::black, background) >= contrast(Qt::white, background) ? Qt::black : Qt::white;
}

void setColorMap(ColorMap map) {
    g_colorMap = map;
}

ColorMap colorMap() {
    return g_colorMap;
}

QColor sequential(double t) {
    return sequential(t, g_colorMap);
}

QColor sequential(double t, ColorMap map) {
    const auto& samples = map == ColorMap::Cividis ? kCividis : kViridis;
    const double at = std::clamp(std::isfinite(t) ? t : 0.0, 0.0, 1.0) * (samples.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(at), samples.size() - 2);
    return mix(QColor(samples[i]), QColor(samples[i + 1]), at - static_cast<double>(i));
}

QColor diverging(double t) {
    const bool dark = currentTheme() == Theme::Dark;
    const QColor neutral(dark ? 0xff3a4048 : 0xfff1f2f4);
    const double strength = std::clamp(std::isfinite(t) ? t : 0.0, -1.0, 1.0);
    const QColor end =
        strength < 0 ? QColor(dark ? 0xff6cb8f0 : 0xff1b5c9e) : QColor(dark ? 0xffffab5c : 0xffb35806);
    return mix(neutral, end, std::abs(strength));
}

double contrast(const QColor& a, const QColor& b) {
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

} // namespace pim::views
