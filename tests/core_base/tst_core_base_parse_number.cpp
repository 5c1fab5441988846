// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Numbers a user writes: all of the text, or nothing.
#include <QTest>

#include <string>

#include "core/base/parse_number.h"

#include <cstdint>

using namespace pim;

class TestParseNumber : public QObject {
    Q_OBJECT

private slots:
    void wholeNumbers() {
        QCOMPARE(parseNumber<int>("-12").value(), -12);
        QCOMPARE(parseNumber<int>("0").value(), 0);
        QCOMPARE(parseNumber<std::int64_t>("9223372036854775807").value(), INT64_MAX);
        QCOMPARE(parseNumber<double>("1.5e3").value(), 1500.0);
    }
    void nothingElseInTheText_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char* text : {"", " 1", "1 ", "+1", "1.5", "0x10", "12a", "-", "2147483648", "ten"})
            QTest::newRow(text) << QByteArray(text);
    }
    void nothingElseInTheText() {
        QFETCH(QByteArray, text);
        QVERIFY(!parseNumber<int>(std::string_view(text.data(), std::size_t(text.size()))));
    }
    void positiveOnes() {
        QCOMPARE(parsePositive<int>("1").value(), 1);
        QCOMPARE(parsePositive<int>("7", 7).value(), 7);
        QCOMPARE(parsePositive<double>("0.5").value(), 0.5);
        QVERIFY(!parsePositive<int>("8", 7));
        QVERIFY(!parsePositive<int>("0"));
        QVERIFY(!parsePositive<int>("-1"));
        QVERIFY(!parsePositive<double>("nan"));
        QVERIFY(!parsePositive<double>("inf"));
    }
};

QTEST_APPLESS_MAIN(TestParseNumber)
#include "tst_core_base_parse_number.moc"
