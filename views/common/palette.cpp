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

struct Shades {
    QRgb light, dark, highContrast;

    QRgb in(Theme theme) const {
        return theme == Theme::Light ? light : theme == Theme::Dark ? dark : highContrast;
    }
};

// Blue, orange, pink and purple after Okabe & Ito, "Color Universal Design" (2008), with neighbours in a
// stacked bar kept apart in lightness as well as in hue, and all kept apart for the colour-blind; tests measure it.
constexpr Shades rgb(Role role) {
    switch (role) {
    case Role::InputRearrangement:
        return {0xfff0a030, 0xffffb454, 0xffff8f02};
    case Role::Compute:
        return {0xff1f66b0, 0xff4c93dc, 0xff6b61fd};
    case Role::OutputRearrangement:
        return {0xffd78dcb, 0xffffb6e8, 0xffe899ff};
    case Role::ModeSwitch:
        return {0xff55266c, 0xff7e6beb, 0xffffff88};
    case Role::HostTime:
        return {0xff82938a, 0xff9e98a7, 0xff74ffe9};
    case Role::Idle:
        return {0xffd5dae0, 0xff4a515b, 0xff6e6e6e};
    case Role::MemoryIn:
        return {0xfff0a030, 0xffffb454, 0xffff8f02};
    case Role::MemoryOut:
        return {0xffeba5ff, 0xfffcbaff, 0xffe899ff};
    case Role::Switching:
        return {0xff3a0d60, 0xffe9f8ff, 0xffffff88};
    case Role::Rewriting:
        return {0xffb8340a, 0xffc23c15, 0xffbf2000};
    case Role::Transfer:
        return {0xff05895f, 0xff39c38b, 0xff88c582};
    case Role::VectorUnit:
        return {0xff8df19a, 0xfffce89d, 0xff923f9e};
    case Role::OtherWork:
        return {0xff6a7480, 0xff7591aa, 0xff74ffe9};
    case Role::OnHost:
        return {0xffb98a2f, 0xffd9ad55, 0xffffb211};
    case Role::OnPim:
        return {0xff0b6f86, 0xff3fb0c8, 0xffa4ffff};
    case Role::NoCost:
        return {0xffa3abb5, 0xff6b747f, 0xff8a8a8a};
    case Role::Canvas:
        return {0xfff4f6f9, 0xff1a1d22, 0xff000000};
    case Role::GridLine:
        return {0xffdfe4ea, 0xff30353d, 0xff7a7a7a};
    case Role::NodeBorder:
        return {0xffb9c2cc, 0xff4d5661, 0xffffffff};
    case Role::NodeText:
        return {0xff1c2128, 0xffe9edf2, 0xffffffff};
    case Role::Edge:
        return {0xff8d98a5, 0xff77818d, 0xffc8c8c8};
    case Role::EdgeSelected:
        return {0xffc4450c, 0xffffa057, 0xffffb060};
    case Role::Selection:
        return {0xffd9520f, 0xffff9a4d, 0xffffb060};
    case Role::SearchHit:
        return {0xffe3b100, 0xffffd84d, 0xffffff40};
    case Role::Good:
        return {0xff005a92, 0xff6cb8f0, 0xff7cc8ff};
    case Role::Bad:
        return {0xffb03a08, 0xffff9e64, 0xffffb070};
    case Role::Muted:
        return {0xff586370, 0xffa5afba, 0xffd6d6d6};
    case Role::Accent:
        return {0xff1259b8, 0xff7db7ff, 0xff8fd0ff};
    }
    return {0xff000000, 0xffffffff, 0xffffffff};
}

// Found by a search for the largest smallest difference between any two, as seen with normal sight, protanopia,
// deuteranopia and tritanopia; a test measures it. With high contrast all stand out from the canvas by 3:1.
constexpr std::array<Shades, kCategories> kCategoryColors{{
    {0xff1c77d2, 0xff5e98f8, 0xff68fcff}, // matrix products
    {0xff9d6c0d, 0xffc77235, 0xfff4aa60}, // convolution
    {0xff201060, 0xffa870a5, 0xffb19cff}, // attention
    {0xffbdbfff, 0xff91a084, 0xff7c4e99}, // element by element
    {0xffffd06e, 0xffffe278, 0xfffded35}, // reduction
    {0xffee7979, 0xff5bfaff, 0xffc1064e}, // softmax
    {0xff6dffdd, 0xffd2ffc4, 0xffc9ffc8}, // normalisation
    {0xff6a0d01, 0xff6b2d04, 0xff9e5300}, // pooling
    {0xff74678c, 0xff4e3a44, 0xff27a69a}, // movement
    {0xff3d122b, 0xff063e92, 0xff594bd9}, // anything else
}};

// Likewise, beside Role::OnHost and Role::NoCost; the first is Role::OnPim.
constexpr std::array<Shades, kDeviceColors> kDeviceColorShades{{
    rgb(Role::OnPim),
    {0xff2a006c, 0xff7c2c9e, 0xffac00b6},
    {0xff790800, 0xffecffda, 0xfff6ffaf},
    {0xff3a0020, 0xff92331b, 0xffbc2a12},
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

bool isDark(const QColor& ground) {
    return ground.lightness() < 128;
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
    const QPalette palette = QGuiApplication::palette();
    const QColor window = palette.color(QPalette::Window);
    if (window == Qt::black && palette.color(QPalette::WindowText) == Qt::white)
        return Theme::HighContrast;
    return isDark(window) ? Theme::Dark : Theme::Light;
}

bool isDark() {
    return currentTheme() != Theme::Light;
}

QColor color(Role role, Theme theme) {
    return QColor(rgb(role).in(theme));
}

QColor color(Role role) {
    return color(role, currentTheme());
}

QColor category(int index) {
    const auto at = static_cast<std::size_t>(((index % kCategories) + kCategories) % kCategories);
    return QColor(kCategoryColors[at].in(currentTheme()));
}

QColor deviceColor(std::size_t device) {
    return QColor(kDeviceColorShades[device % kDeviceColorShades.size()].in(currentTheme()));
}

QPalette paletteFor(Theme theme) {
    const auto shade = [theme](QRgb light, QRgb dark, QRgb highContrast) {
        return QColor(Shades{light, dark, highContrast}.in(theme));
    };
    const QColor window = shade(0xfff0f2f5, 0xff23272e, 0xff000000), text = color(Role::NodeText, theme);
    QPalette p;
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, shade(0xffffffff, 0xff1d2026, 0xff000000));
    p.setColor(QPalette::AlternateBase, shade(0xfff6f8fa, 0xff23272d, 0xff141414));
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::PlaceholderText, color(Role::Muted, theme));
    p.setColor(QPalette::Button, shade(0xfff7f8fa, 0xff2d323a, 0xff1c1c1c));
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, Qt::white);
    p.setColor(QPalette::ToolTipBase, shade(0xfffcfcfd, 0xff353b44, 0xff000000));
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::Highlight, shade(0xff1f66c4, 0xff2f62a6, 0xff2053b4));
    p.setColor(QPalette::HighlightedText, Qt::white);
    p.setColor(QPalette::Link, color(Role::Accent, theme));
    p.setColor(QPalette::LinkVisited, shade(0xff66338f, 0xffc3a5f0, 0xffe0b8ff));
    p.setColor(QPalette::Light, shade(0xffffffff, 0xff3a4049, 0xffffffff));
    p.setColor(QPalette::Midlight, shade(0xffe6e9ed, 0xff343a42, 0xff8a8a8a));
    p.setColor(QPalette::Mid, shade(0xffc3cad2, 0xff3f464f, 0xffc8c8c8));
    p.setColor(QPalette::Dark, shade(0xffa5aeb8, 0xff15181c, 0xffc8c8c8));
    p.setColor(QPalette::Shadow, shade(0xff767f89, 0xff000000, 0xffffffff));
    const bool isHigh = theme == Theme::HighContrast;
    const QColor faded = mix(window, text, isHigh ? 0.62 : 0.45);
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
    constexpr Shades kNeutral{0xfff1f2f4, 0xff3a4048, 0xff404040}, kLess{0xff1b5c9e, 0xff6cb8f0, 0xff7cd0ff},
        kMore{0xffb35806, 0xffffab5c, 0xffffb860};
    const Theme theme = currentTheme();
    const double strength = std::clamp(std::isfinite(t) ? t : 0.0, -1.0, 1.0);
    return mix(QColor(kNeutral.in(theme)), QColor((strength < 0 ? kLess : kMore).in(theme)),
               std::abs(strength));
}

double contrast(const QColor& a, const QColor& b) {
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

} // namespace pim::views
