// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Sums and conditions over named figures, with and without units, and what is none.
#include "core/base/expression.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace pim;

namespace {

std::optional<double> figure(std::string_view name) {
    if (name == "nFAW")
        return 39;
    if (name == "nCCDAB.unlimited")
        return 4;
    if (name == "a.b")
        return 6;
    if (name == "c_1")
        return 0.5;
    return std::nullopt;
}

/// "us" and "GB/s" as in a machine's file.
std::optional<std::pair<std::size_t, double>> unit(std::string_view text) {
    using Unit = std::pair<std::size_t, double>;
    return text.starts_with("GB/s")  ? std::optional(Unit(4, 1))
           : text.starts_with("mm2") ? std::optional(Unit(3, 1))
           : text.starts_with("MiB") ? std::optional(Unit(3, 1048576))
           : text.starts_with("us")  ? std::optional(Unit(2, 1000))
                                     : std::nullopt;
}

} // namespace

class TestExpression : public QObject {
    Q_OBJECT
private slots:
    void sums_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("value");
        QTest::newRow("number") << "7" << 7.0;
        QTest::newRow("names") << "1 + 3*nFAW*1" << 118.0;
        QTest::newRow("left to right") << "10 - 2 - 3" << 5.0;
        QTest::newRow("quotients") << "8/4/2 - a.b*c_1" << -2.0;
        QTest::newRow("parentheses") << "2*(3 - -1)*nCCDAB.unlimited" << 32.0;
        QTest::newRow("extremes") << "max(nFAW, 2*nFAW - 1, 3) + min(4, 2)" << 79.0;
        QTest::newRow("rounded") << "ceil(1.2) + floor(c_1)" << 2.0;
        QTest::newRow("fraction") << " 0.5 * 3 " << 1.5;
        QTest::newRow("exponent") << "1e3 + 2.5e-1" << 1000.25;
        QTest::newRow("unit") << "64MiB/16" << 4194304.0;
        QTest::newRow("units") << "20us + 1" << 20001.0;
        QTest::newRow("unit with a slash") << "16GB/s/2" << 8.0;
        QTest::newRow("unit with a digit") << "2mm2*3" << 6.0;
    }
    void sums() {
        QFETCH(QString, text);
        QFETCH(double, value);
        const auto found = evaluateExpression(text.toStdString(), figure, unit);
        QVERIFY2(found, found ? "" : found.error().text().c_str());
        QCOMPARE(*found, value);
    }

    void refusesSums_data() {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"", "a.b a.b", "(c_1", "c_1)", "+", "max(c_1", "max()", "ceil(1, 2)", "1e999", "c_1 $ c_1",
              "*c_1", "1 +", "1 2", "3miles", "3MiBs", "1/0", "0/0", "1..2", "2 <= 3"})
            QTest::newRow(text) << QString::fromLatin1(text);
        QTest::newRow("deep") << QString(100'000, '(');
        QTest::newRow("many signs") << QString(100'000, '-') + "c_1";
    }
    void refusesSums() {
        QFETCH(QString, text);
        const auto found = evaluateExpression(text.toStdString(), figure, unit);
        QVERIFY(!found);
        QCOMPARE(found.error().code, ErrorCode::Usage);
    }

    void saysWhatIsUnknown() {
        const auto found = evaluateExpression("c_1 + b", figure);
        QVERIFY(!found);
        QCOMPARE(found.error().code, ErrorCode::NotFound);
        QVERIFY(found.error().text().find("\"b\"") != std::string::npos);
        QVERIFY(!evaluateExpression("16MiB", figure)); // nobody said that there are units
    }

    void conditions() {
        const auto holds = [](std::string_view text) { return evaluateCondition(text, figure, unit); };
        QVERIFY(*holds("a.b <= 6") && *holds("a.b >= 6") && !*holds("a.b < 6") && !*holds("a.b>6"));
        QVERIFY(*holds("2*c_1 >= 1") && !*holds("16MiB < 1MiB") && *holds("5<a.b"));
        for (const char* bad :
             {"a.b", "a.b = 6", "a.b <= ", "1 < 2 < 3", "a.b =< 6", "a.b <== 6", "<= 3", "1/0 < 2"})
            QVERIFY2(!holds(bad), bad);
        QVERIFY((*namesInCondition("x*y - x/(y - z) < area_mm2") ==
                 std::vector<std::string>{"x", "y", "z", "area_mm2"}));
    }

    /// Whatever is written: a message or a finite number, and never a crash.
    void survivesRandomTexts() {
        std::mt19937 random(11);
        const std::string letters = "0123456789.+-*/()<>= abcMiBGns_,e";
        for (int i = 0; i < 50'000; ++i) {
            std::string text(random() % 20, ' ');
            for (char& c : text)
                c = letters[random() % letters.size()];
            if (const auto value = evaluateExpression(text, figure, unit))
                QVERIFY(std::isfinite(*value));
            (void)evaluateCondition(text, figure, unit);
        }
    }
};

QTEST_APPLESS_MAIN(TestExpression)
#include "tst_core_base_expression.moc"
