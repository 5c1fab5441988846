// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Colours as the colour-blind see them: simulated with the matrices of Machado, Oliveira & Fernandes, "A
/// Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009 (severity 1.0, applied
/// to linear RGB), differences in CIELAB (CIE 1976). A difference of 2.3 is just noticeable.
#include <QApplication>
#include <QTest>
#include <QToolButton>

#include <string>

#include "views/common/palette.h"

#include <array>
#include <cmath>

using namespace pim::views;

namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

constexpr Matrix kNormal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtanopia{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeuteranopia{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritanopia{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
/// How colours are seen.
const std::pair<const char*, Matrix> kSights[] = {{"normal", kNormal},
                                                  {"protanopia", kProtanopia},
                                                  {"deuteranopia", kDeuteranopia},
                                                  {"tritanopia", kTritanopia}};

double linear(double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

Triple times(const Matrix& m, const Triple& v) {
    Triple result{};
    for (std::size_t i = 0; i < 3; ++i)
        result[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    return result;
}

/// CIELAB, D65, of what is seen of an sRGB colour.
Triple seen(const QColor& c, const Matrix& sight) {
    constexpr Matrix kToXyz{{{0.4124564, 0.3575761, 0.1804375},
                             {0.2126729, 0.7151522, 0.0721750},
                             {0.0193339, 0.1191920, 0.9503041}}};
    Triple rgb = times(sight, {linear(c.redF()), linear(c.greenF()), linear(c.blueF())});
    for (double& channel : rgb)
        channel = std::clamp(channel, 0.0, 1.0);
    const Triple xyz = times(kToXyz, rgb);
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f(xyz[0] / 0.95047), y = f(xyz[1]), z = f(xyz[2] / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double difference(const QColor& a, const QColor& b, const Matrix& sight) {
    const Triple p = seen(a, sight), q = seen(b, sight);
    return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

} // namespace

class TestPalette : public QObject {
    Q_OBJECT

    static void apart(const std::vector<QColor>& colors, double least) {
        for (const auto& [name, sight] : kSights)
            for (std::size_t i = 0; i < colors.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    QVERIFY2(difference(colors[i], colors[j], sight) >= least,
                             qPrintable(QStringLiteral("%1: %2 and %3 differ by %4")
                                            .arg(QLatin1String(name))
                                            .arg(i)
                                            .arg(j)
                                            .arg(difference(colors[i], colors[j], sight))));
    }

private slots:
    void theSimulationKnowsRedFromGreenOnlyWithNormalSight() {
        const QColor red(0xff, 0x40, 0x40), green(0x70, 0x80, 0x00);
        QVERIFY(difference(red, green, kNormal) > 60);
        QVERIFY(difference(red, green, kDeuteranopia) < difference(red, green, kNormal) / 2);
        QVERIFY(difference(red, green, kTritanopia) > 60);
    }
    void theSimulationKnowsBlueFromGreenOnlyWithoutTritanopia() {
        const QColor blue(0x30, 0x70, 0xb0), green(0x20, 0x80, 0x80);
        QVERIFY(difference(blue, green, kNormal) > 30);
        QVERIFY(difference(blue, green, kTritanopia) < difference(blue, green, kNormal) / 2);
        QVERIFY(difference(blue, green, kProtanopia) > difference(blue, green, kNormal) / 2);
    }

    void categoriesAreApartForEverybody_data() {
        QTest::addColumn<int>("theme");
        QTest::addRow("light") << int(Theme::Light);
        QTest::addRow("dark") << int(Theme::Dark);
        QTest::addRow("high contrast") << int(Theme::HighContrast);
    }
    void categoriesAreApartForEverybody() {
        QFETCH(int, theme);
        applyTheme(static_cast<Theme>(theme));
        std::vector<QColor> colors;
        for (int i = 0; i < kCategories; ++i)
            colors.push_back(category(i));
        apart(colors, 28);
    }

    void machinesAreApartForEverybody_data() { categoriesAreApartForEverybody_data(); }
    void machinesAreApartForEverybody() {
        QFETCH(int, theme);
        applyTheme(static_cast<Theme>(theme));
        std::vector<QColor> colors{color(Role::OnHost), color(Role::NoCost)};
        for (std::size_t device = 0; device < kDeviceColors; ++device)
            colors.push_back(deviceColor(device));
        apart(colors, 20);
        apart({colors.begin() + 2, colors.end()}, 30);
        for (const QColor& machine : colors)
            QVERIFY(contrast(machine, color(Role::Canvas)) > 2);
        QCOMPARE(deviceColor(0), color(Role::OnPim));
        QCOMPARE(deviceColor(kDeviceColors), deviceColor(0));
    }

    void partsOfTheTimeAreApartForEverybody_data() { categoriesAreApartForEverybody_data(); }
    void partsOfTheTimeAreApartForEverybody() {
        QFETCH(int, theme);
        std::vector<QColor> colors;
        for (const Role role : {Role::InputRearrangement, Role::Compute, Role::OutputRearrangement,
                                Role::ModeSwitch, Role::Rewriting, Role::HostTime, Role::Idle})
            colors.push_back(color(role, static_cast<Theme>(theme)));
        apart(colors, 15);
        apart({color(Role::Good, static_cast<Theme>(theme)), color(Role::Bad, static_cast<Theme>(theme))},
              50);
        apart({color(Role::OnHost, static_cast<Theme>(theme)), color(Role::OnPim, static_cast<Theme>(theme)),
               color(Role::NoCost, static_cast<Theme>(theme))},
              20);
    }

    void kindsOfWorkInATimelineAreApartForEverybody_data() { categoriesAreApartForEverybody_data(); }
    void kindsOfWorkInATimelineAreApartForEverybody() {
        QFETCH(int, theme);
        std::vector<QColor> colors;
        for (const Role role :
             {Role::Compute, Role::MemoryIn, Role::MemoryOut, Role::Switching, Role::Rewriting,
              Role::Transfer, Role::VectorUnit, Role::OtherWork, Role::Idle})
            colors.push_back(color(role, static_cast<Theme>(theme)));
        apart(colors, 15);
    }

    void whatIsMarkedIsApartForEverybody_data() { categoriesAreApartForEverybody_data(); }
    void whatIsMarkedIsApartForEverybody() {
        QFETCH(int, theme);
        const auto chosen = static_cast<Theme>(theme);
        apart({color(Role::Selection, chosen), color(Role::Accent, chosen), color(Role::Edge, chosen),
               color(Role::Canvas, chosen)},
              20);
        apart({color(Role::Selection, chosen), color(Role::SearchHit, chosen), color(Role::Canvas, chosen)},
              15);
    }

    void whatIsOnIsSeen_data() { categoriesAreApartForEverybody_data(); }
    void whatIsOnIsSeen() {
        QFETCH(int, theme);
        applyTheme(static_cast<Theme>(theme));
        QToolButton button;
        button.setStyle(QApplication::style());
        button.setAutoRaise(true);
        button.setCheckable(true);
        button.resize(60, 24);
        const QImage off = button.grab().toImage();
        button.setChecked(true);
        const QImage on = button.grab().toImage();
        const QPoint edge(30, 0);
        // WCAG 2.1, 1.4.11: states of controls
        QVERIFY2(contrast(on.pixelColor(edge), off.pixelColor(edge)) >= 3,
                 qPrintable(on.pixelColor(edge).name() + ' ' + off.pixelColor(edge).name()));
    }

    void withHighContrastWhatIsDrawnStandsOut() {
        const QColor canvas = color(Role::Canvas, Theme::HighContrast);
        for (const Role role : {Role::InputRearrangement,
                                Role::Compute,
                                Role::OutputRearrangement,
                                Role::ModeSwitch,
                                Role::HostTime,
                                Role::Idle,
                                Role::MemoryIn,
                                Role::MemoryOut,
                                Role::Switching,
                                Role::Rewriting,
                                Role::Transfer,
                                Role::VectorUnit,
                                Role::OtherWork,
                                Role::OnHost,
                                Role::OnPim,
                                Role::NoCost,
                                Role::GridLine,
                                Role::NodeBorder,
                                Role::Edge,
                                Role::EdgeSelected,
                                Role::Selection,
                                Role::SearchHit})
            QVERIFY2(contrast(color(role, Theme::HighContrast), canvas) >= 3,
                     qPrintable(QStringLiteral("role %1: %2")
                                    .arg(int(role))
                                    .arg(contrast(color(role, Theme::HighContrast), canvas))));
        applyTheme(Theme::HighContrast);
        QCOMPARE(currentTheme(), Theme::HighContrast);
        for (int i = 0; i < kCategories; ++i)
            QVERIFY2(contrast(category(i), canvas) >= 3, qPrintable(category(i).name()));
        for (std::size_t i = 0; i < kDeviceColors; ++i)
            QVERIFY2(contrast(deviceColor(i), canvas) >= 3, qPrintable(deviceColor(i).name()));
    }

    void mapsGrowEvenlyInLightnessForEverybody() {
        for (const ColorMap map : {ColorMap::Viridis, ColorMap::Cividis})
            for (const auto& [name, sight] : kSights) {
                for (int i = 1; i <= 50; ++i)
                    QVERIFY(seen(sequential(i / 50.0, map), sight)[0] >
                            seen(sequential((i - 1) / 50.0, map), sight)[0]);
                // Perceptually uniform: no tenth of the map is more than three times another.
                double least = 1e9, most = 0;
                for (int i = 1; i <= 9; ++i) {
                    const double step = seen(sequential(i / 9.0, map), sight)[0] -
                                        seen(sequential((i - 1) / 9.0, map), sight)[0];
                    least = std::min(least, step);
                    most = std::max(most, step);
                }
                QVERIFY2(most < 3 * least, qPrintable(QStringLiteral("%1 and %2").arg(least).arg(most)));
            }
    }

    void theDivergingMapIsOrderedOnBothSides_data() { categoriesAreApartForEverybody_data(); }
    void theDivergingMapIsOrderedOnBothSides() {
        QFETCH(int, theme);
        applyTheme(static_cast<Theme>(theme));
        // away from the neutral background
        const double sign = static_cast<Theme>(theme) == Theme::Light ? -1 : 1;
        for (const double side : {-1.0, 1.0})
            for (const auto& [name, sight] : kSights)
                for (int i = 1; i <= 20; ++i)
                    QVERIFY(sign * seen(diverging(side * i / 20), sight)[0] >
                            sign * seen(diverging(side * (i - 1) / 20), sight)[0]);
        for (const auto& [name, sight] : kSights)
            QVERIFY(difference(diverging(-1), diverging(1), sight) > 50);
    }

    void theMapIsChosenForAll() {
        setColorMap(ColorMap::Cividis);
        QCOMPARE(sequential(0.3), sequential(0.3, ColorMap::Cividis));
        setColorMap(ColorMap::Viridis);
        QCOMPARE(sequential(0.3), sequential(0.3, ColorMap::Viridis));
    }
};

QTEST_MAIN(TestPalette)
#include "tst_views_palette.moc"
