// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Dimensions of energy, power, time, data and area: what does not fit does not compile, prefixes are factors, bits are no bytes.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "core/energy/measure.h"
#include "core/hardware/unit_table.h"

using namespace pim;
using namespace pim::measure;

template <class A, class B>
concept Addable = requires(A a, B b) {
    a + b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
    a < b;
};

// What has to be refused.
static_assert(!Addable<Energy, Power> && !Addable<Energy, EnergyPerData> && !Addable<Energy, double>);
static_assert(!Comparable<Energy, Area> && !Comparable<Data, double>);
static_assert(!std::is_convertible_v<double, Energy> && !std::is_convertible_v<Energy, double>);
static_assert(!std::is_constructible_v<Energy, double>);
// Energy times time is no energy, power times time is.
static_assert(!std::is_same_v<decltype(kMillijoule * kMillisecond), Energy>);
static_assert(std::is_same_v<decltype(kMilliwatt * kMillisecond), Energy>);
static_assert(std::is_same_v<decltype(kJoule / kSecond), Power>);
static_assert(std::is_same_v<decltype(kPicojoulePerBit * kByte), Energy>);
static_assert(std::is_same_v<decltype(kJoule / kPicojoule), double>);

class TestMeasure : public QObject {
    Q_OBJECT

private slots:
    void prefixes() {
        QCOMPARE(kMilliwatt * kNanosecond / kPicojoule, 1.0);
        QCOMPARE(kMilliwatt * kMillisecond / kPicojoule, 1e6);
        QCOMPARE(kWatt * kSecond / kJoule, 1.0);
        QCOMPARE(kWatt * kSecond / kMillijoule, 1e3);
        QCOMPARE(kNanojoule / kPicojoule, 1e3);
        QCOMPARE(kPicojoule / kFemtojoule, 1e3);
        QCOMPARE(kSquareMillimetre / kSquareMicrometre, 1e6);
    }

    void bitsAreNoBytes() {
        QCOMPARE(1 * kPicojoulePerBit * kByte / kPicojoule, 8.0);
        QCOMPARE(3.9 * kPicojoulePerBit / kPicojoulePerByte, 31.2);
        QCOMPARE(28.72 * kPicojoulePerByte / kPicojoulePerBit, 3.59);
    }

    void sumsAndOrder() {
        Energy sum = 1 * kNanojoule;
        sum += 500 * kPicojoule;
        QCOMPARE(sum / kPicojoule, 1500.0);
        QVERIFY(sum > kNanojoule && sum - kNanojoule < kNanojoule && Energy() < kPicojoule);
    }

    /// Figures in files and typed figures have the same units.
    void asTheUnitsOfFiles() {
        QCOMPARE(convertUnit(1, "pJ/b", "pJ/B").value(), kPicojoulePerBit / kPicojoulePerByte);
        QCOMPARE(convertUnit(1, "W", "mW").value(), kWatt / kMilliwatt);
        QCOMPARE(convertUnit(1, "nJ", "pJ").value(), kNanojoule / kPicojoule);
        QCOMPARE(convertUnit(1, "mm2", "um2").value(), kSquareMillimetre / kSquareMicrometre);
        QVERIFY(!convertUnit(1, "W", "pJ") && !convertUnit(1, "pJ", "pJ/b") && !convertUnit(1, "mm2", "B"));
    }
};

QTEST_GUILESS_MAIN(TestMeasure)
#include "tst_core_energy_measure.moc"
