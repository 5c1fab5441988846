// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/pimc_process.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>

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
        for (const auto& [target, below] :
             {std::pair("memristor", "cinm cim memristor"), {"upmem", "cinm cnm upmem"}}) {
            const auto run =
                pimc({"cinm", name, "--small", "--run", "--size", "8", "--target", target, "--json"});
            COMPARE_CODE(run, 0);
            QStringList levels;
            for (const QJsonValue& level : run.json()["runs"].toArray()) {
                QCOMPARE(level["wrong"].toInt(-1), 0);
                levels.append(level["level"].toString());
            }
            // Nothing but a histogram has no kernel.
            const bool onEngine = QString(target) == "upmem" && name != "hst-l";
            QCOMPARE(levels.join(" "), QString(below) + (onEngine ? " engine" : ""));
        }
    }

    void aNetworkRunsOnEveryLevel() {
        const auto run = pimc({"cinm", "sample:tiny-gpt", "--run", "--json"});
        COMPARE_CODE(run, 0);
        for (const QJsonValue& level : run.json()["runs"].toArray())
            QCOMPARE(level["wrong"].toInt(-1), 0);
        QVERIFY(run.json()["ops"][0]["reason"].toString().contains("tiles hold integers"));
    }

    void minWritesWritesEachTileOnce() {
        const auto total = [](const QString& order) {
            const auto run = pimc({"cinm", "mm", "--order", order, "--rows", "box", "--json"});
            return run.json()["total"]["counts"]["tileWrites"].toInt();
        };
        QCOMPARE(total("mnk"), 4096);
        QCOMPARE(total("knm"), 256);
        const auto shown = pimc({"cinm", "mm"});
        COMPARE_CODE(shown, 0);
        QVERIFY2(shown.out.contains("256 tile writes (usual order 4096)"), shown.out.constData());
    }

    /// One program on tiles, DPUs and the host at once, by cost, by the paper's rule and as the user wants it.
    void opsGoWhereTheyTakeLeast() {
        const auto machines = [](const QStringList& more) {
            const auto run =
                pimc(QStringList{"cinm", "mlp", "--small", "--run", "--size", "8", "--json"} + more);
            QStringList found;
            for (const QJsonValue& level : run.json()["runs"].toArray())
                if (level["wrong"].toInt(-1) != 0)
                    return QString("level %1 is wrong").arg(level["level"].toString());
            for (const QJsonValue& op : run.json()["ops"].toArray())
                found.append(op["machine"].toString());
            return run.code == 0 ? found.join(" ") : QString(run.err);
        };
        QCOMPARE(machines({"--target", "auto"}), "host host host host host host host host host");
        QCOMPARE(machines({"--target", "paper"}), "upmem upmem upmem upmem upmem upmem upmem upmem upmem");
        QCOMPARE(machines({"--target", "paper", "--threshold", "0"}),
                 "memristor upmem upmem memristor upmem upmem memristor upmem upmem");
        QCOMPARE(machines({"--target", "auto", "--pin", "mlp=upmem"}),
                 "upmem upmem upmem upmem upmem upmem upmem upmem upmem");
        const auto large = pimc({"cinm", "mm", "--target", "auto", "--dpus", "upmem-20", "--json"});
        COMPARE_CODE(large, 0);
        const QJsonValue op = large.json()["ops"][0];
        const double host = op["hostNs"].toDouble(), dpus = op["upmem"]["computeNs"].toDouble(),
                     tiles = op["memristor"]["ns"].toDouble();
        QVERIFY(host > 0 && dpus > 0 && tiles > 0);
        QVERIFY2(op["reason"].toString().contains(", against "), qPrintable(op["reason"].toString()));
        QCOMPARE(op["ns"].toDouble(), std::min({host, op["ns"].toDouble(), tiles}));
    }

    void codeIsWritten() {
        const auto dpus = pimc({"cinm", "mm", "--small", "--target", "upmem", "--emit", "c"});
        COMPARE_CODE(dpus, 0);
        QVERIFY(dpus.out.contains("gemm.dpu.c") && dpus.out.contains("dpu_push_xfer") &&
                dpus.out.contains("mram_read"));
        const auto tiles = pimc({"cinm", "mm", "--small", "--emit", "c"});
        COMPARE_CODE(tiles, 0);
        QVERIFY(tiles.out.contains("memristor_write_tile") && tiles.out.contains("#include \"memristor.h\""));
        const auto none = pimc({"cinm", "hst-l", "--small", "--target", "upmem", "--emit", "c"});
        COMPARE_CODE(none, 1);
        QVERIFY2(none.err.contains("no op runs on a machine that has C code"), none.err.constData());
    }

    void tilesWorkInTime() {
        const auto run = pimc({"cinm", "mm", "--small", "--size", "8", "--time"});
        COMPARE_CODE(run, 0);
        QVERIFY2(run.out.contains("In time: ") && run.out.contains("Results out") &&
                     run.out.contains("What limits it: the time is set by port: busy "),
                 run.out.constData());
    }

    /// A LLaMA of 24 million parameters: every level gives the logits of the reference, and on the engine every op that DPUs can run
    /// is bit for bit what the 8-bit reference computes.
    void aLanguageModelOnDpus() {
        QTemporaryDir folder;
        const QString file = folder.filePath("stories15m.onnx");
        COMPARE_CODE(pimc({"zoo", "stories15m-decode", "--batch", "1", "--past", "7", "-o", file, "-q"}), 0);
        const auto levels = pimc({"cinm", file, "--target", "upmem", "--run", "--json"});
        COMPARE_CODE(levels, 0);
        const QJsonArray runs = levels.json()["runs"].toArray();
        QCOMPARE(runs.size(), 4);
        for (const QJsonValue& run : runs)
            QCOMPARE(run["wrong"].toInt(-1), 0);
        const auto engine =
            pimc({"check", file, "--target", "upmem-4", "--dtype", "i8", "--ops", "layers.0,/head"});
        COMPARE_CODE(engine, 0);
        QVERIFY2(engine.out.contains("compared bit for bit with the 8-bit reference") &&
                     engine.out.contains("/head/lm/MatMul"),
                 engine.out.constData());
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
        run = pimc({"cinm", "mm", "--pin", "mm=gpu"});
        COMPARE_CODE(run, 1);
        QVERIFY2(run.err.contains("\"gpu\" is no machine for mm") &&
                     run.err.contains("host, memristor, upmem"),
                 run.err.constData());
        run = pimc({"cinm", "mm", "--pin", "mm"});
        COMPARE_CODE(run, 1);
        QVERIFY2(run.err.contains("\"mm\" pins nothing"), run.err.constData());
        run = pimc({"cinm", "mm", "--target", "upmem", "--dpus", "aim"});
        COMPARE_CODE(run, 1);
        QVERIFY2(run.err.contains("aim has no DPUs"), run.err.constData());
        run = pimc({"cinm", "mm", "--emit", "cnm"});
        COMPARE_CODE(run, 1);
        QVERIFY2(run.err.contains("no level 'cnm' on the way to memristor"), run.err.constData());
    }
    void tracesAreOfTiles() {
        const QTemporaryDir folder;
        const QString file = folder.filePath("trace.json");
        const QStringList small{"cinm", "mm", "--small", "--size", "8", "--trace", file};
        COMPARE_CODE(pimc(small + QStringList{"--target", "memristor", "--json"}), 0);
        QVERIFY(QJsonDocument::fromJson(pim::test::readFile(file))["traceEvents"].toArray().size() > 10);
        QVERIFY(QFile::remove(file));
        const auto none = pimc(small + QStringList{"--target", "upmem"});
        COMPARE_CODE(none, 1);
        QVERIFY2(none.err.contains("nothing runs on memristor tiles"), none.err.constData());
        QVERIFY(!QFile::exists(file));
    }
};

QTEST_GUILESS_MAIN(TestCinm)
#include "tst_app_pimc_cinm.moc"
