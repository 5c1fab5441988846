// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/pimc_process.h"

#include <QJsonArray>
#include <QJsonObject>

using pim::test::pimc;

class TestCinm : public QObject {
    Q_OBJECT
private slots:
    void benchmarksRunOnEveryLevel_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"2mm", "3mm", "bfs", "contrl", "contrs1", "contrs2", "conv", "hst-l", "mlp",
                                 "mm", "mv", "red", "sel", "ts", "va"})
            QTest::newRow(name) << name;
    }
    void benchmarksRunOnEveryLevel() {
        QFETCH(QString, name);
        const auto run = pimc({"cinm", name, "--small", "--run", "--size", "8", "--json"});
        COMPARE_CODE(run, 0);
        const QJsonArray runs = run.json()["runs"].toArray();
        QCOMPARE(runs.size(), 2);
        for (const QJsonValue& level : runs)
            QCOMPARE(level["wrong"].toInt(-1), 0);
    }

    void aNetworkRunsOnEveryLevel() {
        const auto run = pimc({"cinm", "sample:tiny-gpt", "--run", "--json"});
        COMPARE_CODE(run, 0);
        for (const QJsonValue& level : run.json()["runs"].toArray())
            QCOMPARE(level["wrong"].toInt(-1), 0);
        QVERIFY(run.json()["products"][0]["host"].toString().contains("tiles hold integers"));
    }

    void minWritesWritesEachTileOnce() {
        const auto total = [](const QString& order) {
            const auto run = pimc({"cinm", "mm", "--order", order, "--json"});
            return run.json()["total"]["counts"]["tileWrites"].toInt();
        };
        QCOMPARE(total("mnk"), 4096);
        QCOMPARE(total("knm"), 256);
        const auto shown = pimc({"cinm", "mm"});
        COMPARE_CODE(shown, 0);
        QVERIFY2(shown.out.contains("256 tile writes (usual order 4096)"), shown.out.constData());
    }

    void textsComeAndGo() {
        const auto text = pimc({"cinm", "contrs1", "--small", "--emit", "cinm"});
        COMPARE_CODE(text, 0);
        const auto again = pimc({"cinm", "-", "--emit", "cinm"}, text.out);
        COMPARE_CODE(again, 0);
        QCOMPARE(again.out, text.out);
        QVERIFY(text.out.contains("loc(\"contrs1\")"));
        const auto plain = pimc({"cinm", "-", "--emit", "cim", "--plain"}, text.out);
        COMPARE_CODE(plain, 0);
        QVERIFY(plain.out.contains("\"cim.execute\"") && !plain.out.contains("loc("));
        COMPARE_CODE(pimc({"cinm", "-", "--run"}, text.out), 0);
    }

    void badInputIsExplained() {
        auto run =
            pimc({"cinm", "-"}, "\"func.func\"() ({\n  %0 = \"cinm.gemmm\"() : () -> i32\n}) : () -> ()\n");
        COMPARE_CODE(run, 1);
        QVERIFY2(run.err.contains("stdin:2:8") && run.err.contains("'cinm.gemmm' is no op of cinm") &&
                     run.err.contains("       ^"),
                 run.err.constData());
        run = pimc({"cinm", "mm", "--order", "xyz"});
        COMPARE_CODE(run, 1);
        QVERIFY2(run.err.contains("\"xyz\" is no order of m, k and n"), run.err.constData());
        run = pimc({"cinm", "mm", "--size", "0"});
        COMPARE_CODE(run, 1);
        QVERIFY2(run.err.contains("0 is not within 1 to 65536 cells"), run.err.constData());
        run = pimc({"cinm", "sample:tiny-gpt", "--elements", "i8", "--run"});
        COMPARE_CODE(run, 1);
        QVERIFY2(run.err.contains("nobody chose scales"), run.err.constData());
        COMPARE_CODE(pimc({"cinm", "no-such-model"}), 1);
    }
};

QTEST_GUILESS_MAIN(TestCinm)
#include "tst_app_pimc_cinm.moc"
