// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// FP16 and BF16 are rounded to nearest, ties to even, from whatever they come.
#include <QTest>

#include <string>

#include "core/base/bfloat16.h"
#include "core/base/half_float.h"

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
};

QTEST_APPLESS_MAIN(TestHalfFloat)
#include "tst_core_base_half_float.moc"
