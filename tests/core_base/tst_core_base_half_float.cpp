// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// FP16, BF16 and FLOAT8 are rounded to nearest, ties to even, from whatever they come.
#include <QTest>

#include <string>

#include "core/base/bfloat16.h"
#include "core/base/half_float.h"
#include "core/base/small_float.h"

#include <cmath>
#include <limits>

using namespace pim;

class TestHalfFloat : public QObject {
    Q_OBJECT

private slots:
    void floatsRoundToHalves_data() {
        // IEEE 754-2008 binary16
        QTest::addColumn<float>("value");
        QTest::addColumn<int>("bits");
        QTest::newRow("0") << 0.0F << 0x0000;
        QTest::newRow("-0") << -0.0F << 0x8000;
        QTest::newRow("1") << 1.0F << 0x3c00;
        QTest::newRow("-2") << -2.0F << 0xc000;
        QTest::newRow("largest") << 65504.0F << 0x7bff;
        QTest::newRow("just below infinity") << 65519.0F << 0x7bff;
        QTest::newRow("infinity") << 65520.0F << 0x7c00;
        QTest::newRow("smallest normal") << 6.103515625e-05F << 0x0400;
        QTest::newRow("largest subnormal") << 6.097555e-05F << 0x03ff;
        QTest::newRow("smallest subnormal") << 5.9604645e-08F << 0x0001;
        QTest::newRow("tie to even, down") << 1.00048828125F << 0x3c00;
        QTest::newRow("tie to even, up") << 1.00146484375F << 0x3c02;
        QTest::newRow("not a number") << NAN << 0x7e00;
    }
    void floatsRoundToHalves() {
        QFETCH(float, value);
        QFETCH(int, bits);
        QCOMPARE(static_cast<int>(floatToHalf(value)) & (std::isnan(value) ? 0x7fff : 0xffff), bits);
        QCOMPARE(doubleToHalf(value), floatToHalf(value));
    }

    void everyHalfComesBack() {
        for (int bits = 0; bits <= 0xffff; ++bits) {
            const float value = halfToFloat(HalfBits(bits));
            if (std::isnan(value))
                continue;
            QCOMPARE(int(floatToHalf(value)), bits);
            QCOMPARE(int(doubleToHalf(value)), bits);
        }
    }
    /// The last bits of a double decide; a float between would have lost them.
    void doublesNextToATieAreRoundedOnce() {
        for (int bits = 0; bits < 0x7bff; ++bits) {
            const double low = halfToFloat(HalfBits(bits)), high = halfToFloat(HalfBits(bits + 1));
            const double tie = (low + high) / 2;
            QCOMPARE(int(doubleToHalf(tie)), bits % 2 == 0 ? bits : bits + 1);
            QCOMPARE(int(doubleToHalf(std::nextafter(tie, 0.0))), bits);
            QCOMPARE(int(doubleToHalf(std::nextafter(tie, 1e9))), bits + 1);
            QCOMPARE(int(doubleToHalf(-std::nextafter(tie, 1e9))), (bits + 1) | 0x8000);
        }
        QCOMPARE(int(doubleToHalf(std::numeric_limits<double>::max())), 0x7c00);
        QCOMPARE(int(doubleToHalf(-std::numeric_limits<double>::denorm_min())), 0x8000);
        QCOMPARE(int(doubleToHalf(std::nextafter(65520.0, 0.0))), 0x7bff);
    }
    void bfloatsRound() {
        QCOMPARE(int(floatToBfloat(1.0F)), 0x3f80);
        QCOMPARE(int(floatToBfloat(1.00390625F)), 0x3f80); // tie to even, down
        QCOMPARE(int(floatToBfloat(1.01171875F)), 0x3f82); // tie to even, up
        QCOMPARE(int(floatToBfloat(std::nextafter(1.00390625F, 2.0F))), 0x3f81);
        QVERIFY(std::isnan(bfloatToFloat(floatToBfloat(NAN))));
        QVERIFY(std::isinf(bfloatToFloat(floatToBfloat(std::numeric_limits<float>::max()))));
    }

    /// The numbers that the standard names. [onnx/docs/technical/float8.md, float4.md]
    void smallFloatsHaveTheNumbersOfTheStandard_data() {
        QTest::addColumn<int>("form");
        QTest::addColumn<int>("bits");
        QTest::addColumn<double>("value");
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        const auto add = [](const char* name, int form, int bits, double value) {
            QTest::newRow(name) << form << bits << value;
        };
        add("E4M3FN, largest", 0, 0x7e, 448);
        add("E4M3FN, none", 0, 0x7f, NAN);
        add("E4M3FN, none, negative", 0, 0xff, NAN);
        add("E4M3FN, -0", 0, 0x80, -0.0);
        add("E4M3FN, least normal", 0, 0x08, 0x1p-6);
        add("E4M3FN, least", 0, 0x01, 0x1p-9);
        add("E4M3FNUZ, largest", 1, 0x7f, 240);
        add("E4M3FNUZ, none", 1, 0x80, NAN);
        add("E4M3FNUZ, least normal", 1, 0x08, 0x1p-7);
        add("E4M3FNUZ, least", 1, 0x01, 0x1p-10);
        add("E5M2, largest", 2, 0x7b, 57344);
        add("E5M2, infinity", 2, 0x7c, kInfinity);
        add("E5M2, -infinity", 2, 0xfc, -kInfinity);
        add("E5M2, none", 2, 0x7d, NAN);
        add("E5M2, none, the last", 2, 0xff, NAN);
        add("E5M2, least normal", 2, 0x04, 0x1p-14);
        add("E5M2, least", 2, 0x01, 0x1p-16);
        add("E5M2FNUZ, largest", 3, 0x7f, 57344);
        add("E5M2FNUZ, none", 3, 0x80, NAN);
        add("E5M2FNUZ, least normal", 3, 0x04, 0x1p-15);
        add("E5M2FNUZ, least", 3, 0x01, 0x1p-17);
        for (int i = 0; i < 8; ++i) // 0, 0.5, 1, 1.5, 2, 3, 4, 6
            add(qPrintable(QString("E2M1, %1").arg(i)), 4, i, i < 5 ? i * 0.5 : i == 7 ? 6 : i - 2);
        add("E2M1, -6", 4, 0xf, -6);
    }
    void smallFloatsHaveTheNumbersOfTheStandard() {
        QFETCH(int, form);
        QFETCH(int, bits);
        QFETCH(double, value);
        const auto is = static_cast<double>(smallToFloat(kForms[form], std::uint8_t(bits)));
        QVERIFY(std::isnan(value) ? std::isnan(is) : is == value && std::signbit(is) == std::signbit(value));
    }
    void everySmallFloatComesBack() {
        for (const SmallFloat& form : kForms)
            for (int bits = 0; bits < 1 << (form.signShift() + 1); ++bits) {
                const auto value = static_cast<double>(smallToFloat(form, std::uint8_t(bits)));
                if (!std::isnan(value))
                    QCOMPARE(int(doubleToSmall(form, value, false)), bits);
            }
    }
    /// Ties go to the even one, what is next to them to the nearer one.
    void smallFloatsRoundOnce() {
        for (const SmallFloat& form : kForms)
            for (int bits = 0; bits < form.largest; ++bits) {
                const auto low = static_cast<double>(smallToFloat(form, std::uint8_t(bits))),
                           high = static_cast<double>(smallToFloat(form, std::uint8_t(bits + 1)));
                const double tie = (low + high) / 2;
                QCOMPARE(int(doubleToSmall(form, tie)), bits % 2 == 0 ? bits : bits + 1);
                QCOMPARE(int(doubleToSmall(form, std::nextafter(tie, 0.0))), bits);
                QCOMPARE(int(doubleToSmall(form, std::nextafter(tie, 1e9))), bits + 1);
            }
    }
    void whatIsTooLargeSaturatesOrDoesNot() {
        const double huge = 1e30, infinity = std::numeric_limits<double>::infinity();
        for (const SmallFloat& form : kForms)
            for (const double value : {huge, infinity}) {
                QCOMPARE(int(doubleToSmall(form, value)), int(form.largest));
                QCOMPARE(int(doubleToSmall(form, -value)), form.largest | 1 << form.signShift());
            }
        QCOMPARE(int(doubleToSmall(kE4M3, 480, false)), 0x7f);
        QCOMPARE(int(doubleToSmall(kE4M3, 463.9, false)), 0x7e);
        QCOMPARE(int(doubleToSmall(kE4M3Fnuz, -huge, false)), 0x80);
        QCOMPARE(int(doubleToSmall(kE5M2, 61441, false)), 0x7c);
        QCOMPARE(int(doubleToSmall(kE5M2, -infinity, false)), 0xfc);
        QCOMPARE(int(doubleToSmall(kE5M2Fnuz, infinity, false)), 0x80);
        QCOMPARE(int(doubleToSmall(kE4M3Fnuz, -0x1p-30)), 0); // there is no -0
        QCOMPARE(int(doubleToSmall(kE4M3, NAN)), 0x7f);
        QCOMPARE(int(doubleToSmall(kE2M1, NAN)), 0x7);
    }

private:
    static constexpr SmallFloat kForms[]{kE4M3, kE4M3Fnuz, kE5M2, kE5M2Fnuz, kE2M1};
};

QTEST_APPLESS_MAIN(TestHalfFloat)
#include "tst_core_base_half_float.moc"
