// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Tables show the columns that were chosen, in that order, as text and as CSV; and say which there are.
#include "core/base/text_table.h"

#include <QTest>

using namespace pim;

namespace {

TextTable example() {
    TextTable table({">\trank", "op", ">time each", "", ">MAC/s"});
    table.add({"1", "fc1", "3 ns", "best", "12"});
    table.add({"2", "fc2", "11 ns"});
    return table;
}

} // namespace

class TestTextTable : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { chooseColumns({}); }

    void allColumnsUnlessSomeAreChosen() {
        QCOMPARE(example().text(), std::string("   op   time each        MAC/s\n"
                                               "1  fc1       3 ns  best     12\n"
                                               "2  fc2      11 ns\n"));
        QVERIFY(!columnChoice().wasAsked);
    }
    void namesOfColumns_data() {
        QTest::addColumn<QString>("heading");
        QTest::addColumn<QString>("name");
        QTest::newRow("words") << "Over the host"
                               << "over_the_host";
        QTest::newRow("signs") << "MAC/s"
                               << "mac_s";
        QTest::newRow("ends") << "(of all), %"
                              << "of_all";
        QTest::newRow("other letters") << "größe µs"
                                       << "größe_µs";
        QTest::newRow("nothing") << ""
                                 << "";
    }
    void namesOfColumns() {
        QFETCH(QString, heading);
        QFETCH(QString, name);
        QCOMPARE(QString::fromStdString(columnName(heading.toStdString())), name);
    }
    void chosenOnesInTheirOrder() {
        chooseColumns({"mac_s", "time_each_ns", "rank"}); // with the unit that JSON has
        QCOMPARE(example().text(), std::string("MAC/s  time each\n"
                                               "   12       3 ns  1\n"
                                               "           11 ns  2\n"));
        QVERIFY(columnChoice().wasAsked && columnChoice().wasFound);
    }
    void aTableWithoutOneShowsAll() {
        chooseColumns({"op", "rnak"});
        QVERIFY(example().text().find("MAC/s") != std::string::npos);
        const ColumnChoice choice = columnChoice();
        QVERIFY(choice.wasAsked && !choice.wasFound);
        QCOMPARE(choice.missing, std::string("rnak"));
        QCOMPARE(choice.known, (std::vector<std::string>{"rank", "op", "time_each", "mac_s"}));
        QCOMPARE(TextTable({"rnak", "op"}).text(), std::string("op  rnak\n"));
        QVERIFY(columnChoice().wasFound);
    }
    void csvLineByLine() {
        CsvColumns whole;
        QCOMPARE(whole.in("a,b\n1,2\n"), std::string("a,b\n1,2\n"));
        chooseColumns({"c", "a"});
        CsvColumns cut;
        QCOMPARE(cut.in("a,b,c\n1,\"x, \"\"y\"\"\n z\",3\n"), std::string("c,a\n3,1\n"));
        QCOMPARE(cut.in("4,5\n"), std::string(",4\n")); // a line that ends early
        CsvColumns other;
        QCOMPARE(other.in("a,b\n1,2\n"), std::string("a,b\n1,2\n"));
    }
};

QTEST_GUILESS_MAIN(TestTextTable)
#include "tst_core_base_text_table.moc"
