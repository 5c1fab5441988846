// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_table.h"
#include "core/base/utf8.h"

#include <QTest>

using namespace pim;

class TestUtf8 : public QObject {
    Q_OBJECT

private slots:
    void knowsWhereCharactersEnd_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("codePoint"); // bytes of the first
        QTest::addColumn<int>("character"); // the same of what a person takes for one
        QTest::addColumn<int>("points");
        QTest::addColumn<int>("columns");
        QTest::newRow("nothing") << QByteArray() << 0 << 0 << 0 << 0;
        QTest::newRow("Latin") << QByteArray("abc") << 1 << 1 << 3 << 3;
        QTest::newRow("Greek") << QByteArray("αβγ") << 2 << 2 << 3 << 3;
        QTest::newRow("Chinese") << QByteArray("卷积") << 3 << 3 << 2 << 4;
        QTest::newRow("Arabic") << QByteArray("طبقة") << 2 << 2 << 4 << 4;
        QTest::newRow("an accent of its own") << QByteArray("e\xcc\x81x") << 1 << 3 << 3 << 2;
        QTest::newRow("joined signs") << QByteArray("👩‍🔬!") << 4 << 11 << 4 << 5;
        QTest::newRow("cut off") << QByteArray("\xe5\x8d") << 0 << 1 << 2 << 2;
        QTest::newRow("overlong") << QByteArray("\xc0\xaf") << 0 << 1 << 2 << 2;
        QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << 0 << 1 << 3 << 3;
        QTest::newRow("beyond Unicode") << QByteArray("\xf4\x90\x80\x80") << 0 << 1 << 4 << 4;
        QTest::newRow("a zero") << QByteArray("\0a", 2) << 1 << 1 << 2 << 1;
    }
    void knowsWhereCharactersEnd() {
        QFETCH(QByteArray, text);
        const std::string bytes = text.toStdString();
        QTEST(static_cast<int>(codePointBytes(bytes)), "codePoint");
        QTEST(static_cast<int>(characterBytes(bytes)), "character");
        QTEST(static_cast<int>(codePoints(bytes)), "points");
        QTEST(static_cast<int>(columnsOf(bytes)), "columns");
    }

    void cutsBetweenCharacters() {
        QCOMPARE(withinBytes("卷积", 5), std::string_view("卷"));
        QCOMPARE(withinBytes("e\xcc\x81x", 2), std::string_view());
        QCOMPARE(withinColumns("卷积层", 5), std::string_view("卷积"));
        QCOMPARE(withinColumns("e\xcc\x81x", 1), std::string_view("e\xcc\x81"));
        QCOMPARE(lastColumns("卷积层a", 4), std::string_view("层a"));
        QCOMPARE(lastColumns("abc", 9), std::string_view("abc"));
        for (const std::string& text :
             {std::string("a卷\xff\xe5\x8d👩‍🔬é"), std::string("\xcc\x81 طبقة")})
            for (std::size_t most = 0; most <= text.size() + 1; ++most) {
                QVERIFY(withinBytes(text, most).size() <= most);
                QVERIFY(columnsOf(withinColumns(text, most)) <= most);
                QVERIFY(columnsOf(lastColumns(text, most)) <= most);
            }
    }

    void knowsSmallLetters() { QCOMPARE(lowerCase("Conv_ΑΣ ÄЖ卷\xff"), std::string("conv_ασ äж卷\xff")); }

    void tablesStandStraight() {
        TextTable table({"op", ">ns"});
        table.add({"卷积", "1"});
        table.add({"αβγ", "12"});
        table.add({"conv", "3"});
        QCOMPARE(table.text(), std::string("op    ns\n卷积   1\nαβγ   12\nconv   3\n"));
    }
};

QTEST_GUILESS_MAIN(TestUtf8)
#include "tst_core_base_utf8.moc"
