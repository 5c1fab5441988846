// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Tokens of our own languages, and where an error says that something is wrong.
#include <QTest>

#include <string>

#include "core/base/text_scanner.h"

using namespace pim;

class TestTextScanner : public QObject {
    Q_OBJECT

private slots:
    void tokensOneAfterTheOther() {
        TextScanner scan("pim-program 1 # first\n\top \"a \\\"b\\\" \\\\ \\x41\" row_2=17*i0", "file");
        QVERIFY(scan.expectWord("pim-program"));
        QCOMPARE(scan.number().value(), 1U);
        QVERIFY(scan.expectWord("op"));
        QCOMPARE(scan.string().value(), std::string("a \"b\" \\ A"));
        QCOMPARE(scan.peekWord(), std::string_view("row_2"));
        QCOMPARE(scan.word(), std::string_view("row_2"));
        QVERIFY(!scan.take('*'));
        QVERIFY(scan.take('='));
        QCOMPARE(scan.number(17).value(), 17U);
        QVERIFY(scan.expect('*'));
        QCOMPARE(scan.word(), std::string_view("i0"));
        QVERIFY(scan.atEnd());
        QVERIFY(scan.word().empty());
    }
    void wordsAreWhatTheLanguageSays() {
        QCOMPARE(TextScanner("8x.b", "file").word(), std::string_view());
        QCOMPARE(TextScanner("8x.b", "file", {.digitFirst = true}).word(), std::string_view("8x"));
        QCOMPARE(TextScanner("x8.b", "file").word(), std::string_view("x8"));
        QCOMPARE(TextScanner("x8.b", "file", {.digitFirst = true, .dots = true}).word(),
                 std::string_view("x8.b"));
    }
    void aWordIsNotTheBeginningOfALongerOne() {
        QVERIFY(!TextScanner("operand", "file").expectWord("op"));
        QVERIFY(TextScanner("op{", "file").expectWord("op"));
        QVERIFY(!TextScanner("o", "file").expectWord("op"));
    }
    void blanksEndWithTheLine() {
        TextScanner scan(" \t\r\nx", "file");
        scan.skipBlanks();
        QVERIFY(scan.isLineDone());
        QCOMPARE(scan.peek(), '\n');
        QCOMPARE(scan.next(), 'x');
        QCOMPARE(scan.restOfLine(), std::string_view("x"));
        QCOMPARE(scan.peek(1), '\0');
    }

    void errorsSayWhereAndWhat_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("error");
        QTest::newRow("end") << QByteArray("# only a comment")
                             << QByteArray("file:1:17: found the end of the text, expected a number");
        QTest::newRow("word") << QByteArray("\n  two")
                              << QByteArray("file:2:3: found \"two\", expected a number");
        QTest::newRow("symbol") << QByteArray("-3") << QByteArray("file:1:1: found '-', expected a number");
        QTest::newRow("byte") << QByteArray("\x01")
                              << QByteArray("file:1:1: found byte 0x01, expected a number");
        QTest::newRow("much") << QByteArray("100") << QByteArray("file:1:1: the number is greater than 99");
        QTest::newRow("more than 64 bits")
            << QByteArray("18446744073709551616") << QByteArray("file:1:1: the number is greater than 99");
        QTest::newRow("open") << QByteArray("7 \"a\nb\"")
                              << QByteArray("file:1:3: the text in double quotes is not closed");
        QTest::newRow("escape") << QByteArray("7 \"\xc3\xa4\\n\"")
                                << QByteArray(
                                       "file:1:5: found an unknown escape, expected \\\", \\\\ or \\xHH");
        QTest::newRow("half an escape")
            << QByteArray("7 \"\\x4")
            << QByteArray("file:1:4: found an unknown escape, expected \\\", \\\\ or \\xHH");
        QTest::newRow("no text") << QByteArray("7 8")
                                 << QByteArray("file:1:3: found '8', expected a text in double quotes");
    }
    void errorsSayWhereAndWhat() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, error);
        TextScanner scan(std::string_view(text.data(), std::size_t(text.size())), "file");
        const auto number = scan.number(99);
        const auto string = number ? scan.string() : Result<std::string>(tl::unexpected(number.error()));
        QVERIFY(!string);
        QCOMPARE(QByteArray::fromStdString(string.error().text()), error);
        QCOMPARE(string.error().code, ErrorCode::InvalidFile);
    }
    void sixtyFourBits() {
        QCOMPARE(TextScanner("18446744073709551615", "file").number().value(), ~std::uint64_t(0));
        QCOMPARE(TextScanner("18446744073709551616", "file").number().error().message,
                 std::string("the number does not fit into 64 bits"));
    }
};

QTEST_APPLESS_MAIN(TestTextScanner)
#include "tst_core_base_text_scanner.moc"
