// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Figures as text: always a unit, four significant digits, and read back they are the number again.
#include <QTest>

#include <string>

#include "core/base/number_text.h"

#include <cmath>
#include <limits>
#include <map>
#include <random>

using namespace pim;

class TestNumberText : public QObject {
    Q_OBJECT

    using Units = std::map<std::string, double>;

    /// Number and unit of a text, as a person reads them. NaN: there is no unit or no number.
    static double readBack(const std::string& text, const Units& units) {
        const std::size_t space = text.find(' ');
        const std::string unit = space == std::string::npos ? "" : text.substr(space + 1);
        const auto known = units.find(unit);
        if (known == units.end())
            return std::numeric_limits<double>::quiet_NaN();
        return std::stod(text.substr(0, space)) * known->second;
    }
    static void readsBack(std::string (*toText)(double), const Units& units, double most) {
        std::mt19937_64 random(7);
        std::uniform_real_distribution<double> exponent(-3, std::log10(most));
        for (int i = 0; i < 4000; ++i) {
            const double value = std::pow(10.0, exponent(random)) * (i % 5 == 0 ? -1 : 1);
            const std::string text = toText(value);
            const double back = readBack(text, units);
            QVERIFY2(std::abs(back - value) <= std::abs(value) * 5.1e-3,
                     (text + " for " + std::to_string(value)).c_str());
            if (std::abs(value) >= 1) // four significant digits
                QVERIFY2(std::abs(back - value) <= std::abs(value) * 5.1e-4,
                         (text + " for " + std::to_string(value)).c_str());
            QVERIFY2(text.find("1000.") == std::string::npos && text.size() <= 14, text.c_str());
        }
    }

private slots:
    void timesReadBack() { readsBack(timeText, {{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}, 9e11); }
    void energiesReadBack() {
        readsBack(energyText, {{"pJ", 1}, {"nJ", 1e3}, {"µJ", 1e6}, {"mJ", 1e9}, {"J", 1e12}}, 9e14);
    }
    void bytesReadBack() {
        readsBack(
            bytesText,
            {{"B", 1}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}, {"PiB", 0x1p50}},
            1e17);
    }
    void bandwidthsReadBack() {
        readsBack(bandwidthText, {{"B/s", 1e-9}, {"kB/s", 1e-6}, {"MB/s", 1e-3}, {"GB/s", 1}, {"TB/s", 1e3}},
                  9e5);
    }
    void countsReadBack() {
        readsBack(countText, {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}}, 9e17);
    }

    void edges() {
        QCOMPARE(timeText(0), std::string("0 ns"));
        QCOMPARE(timeText(999.94), std::string("999.9 ns"));
        QCOMPARE(timeText(999.96), std::string("1.000 µs")); // not "1000.0 ns"
        QCOMPARE(timeText(999.9996e6), std::string("1.000 s"));
        QCOMPARE(timeText(0.00025), std::string("0.00025 ns"));
        QCOMPARE(timeText(-1500), std::string("-1.500 µs"));
        QCOMPARE(bytesText(1023), std::string("1023 B"));
        QCOMPARE(bytesText(1024), std::string("1.000 KiB"));
        QCOMPARE(countText(640), std::string("640"));
        QCOMPARE(ratioText(3.2), std::string("3.20×"));
        QCOMPARE(percentText(0.314), std::string("31.4 %"));
        QVERIFY(timeText(std::numeric_limits<double>::infinity()).ends_with(" ns"));
        QVERIFY(timeText(std::nan("")).ends_with(" ns"));
    }

    void exactFiguresKeepEveryDigit() {
        for (const std::int64_t value :
             {std::int64_t(0), std::int64_t(-7), std::int64_t(1000), std::int64_t(-123456),
              std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
            std::string digits = exactText(value);
            for (std::size_t at; (at = digits.find("\u2009")) != std::string::npos;)
                digits.erase(at, std::string("\u2009").size());
            QCOMPARE(digits, std::to_string(value));
        }
    }
};

QTEST_APPLESS_MAIN(TestNumberText)
#include "tst_core_base_number_text.moc"
