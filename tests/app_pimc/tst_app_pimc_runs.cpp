// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The history of runs from the command line: list, compare, make again, change, ask in SQL, two equal
/// bundles.
#include <QTest>
#include <string>

#include "tests/support/pimc_process.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace pim::test;

class TestPimcRuns : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_project;

private slots:
    void initTestCase() {
        m_project = m_folder.filePath("p.pimproj");
        for (const char* target : {"attacc", "hbm-pim", "attacc"})
            COMPARE_CODE(pimc({"compile", "sample:tiny-gpt", "--target", target, "--project", m_project,
                               "--label", QString("on %1").arg(target)}),
                         0);
    }

    void listsWhatPassesTheFilter() {
        const Run some = pimc({"runs", m_project, "--filter", "target:attacc", "--json"});
        COMPARE_CODE(some, 0);
        QCOMPARE(some.json().array().size(), 2);
        const Run best = pimc({"runs", m_project, "--filter", "is:best", "--json"});
        QCOMPARE(best.json().array().size(), 1); // the first of the two equal ones
        QCOMPARE(best.json()[0]["run"].toInt(), 1);
        QVERIFY(best.json()[0]["best"].toBool());
        const Run csv = pimc({"runs", m_project, "--csv"});
        QCOMPARE(csv.out.split('\n').size(), 1 + 3 + 1);
        const Run none = pimc({"runs", m_project, "--filter", "faster:1ns"});
        COMPARE_CODE(none, 0);
        QVERIFY(none.out.contains("none of 3 runs"));
        const Run wrong = pimc({"runs", m_project, "--filter", "size:3"});
        QCOMPARE(wrong.code, 1);
        QVERIFY(wrong.err.contains("size"));
    }

    void comparesThreeAndAddsUp() {
        const Run compared = pimc({"runs", m_project, "--compare", "1", "2", "3", "--json"});
        COMPARE_CODE(compared, 0);
        const QJsonObject json = compared.json().object();
        QCOMPARE(json["runs"].toArray().size(), 3);
        QCOMPARE(json["runs"].toArray()[2].toObject()["speedup"].toDouble(), 1.0);
        QVERIFY(json["runs"].toArray()[1].toObject()["differs"].toArray()[0].toString().contains(
            "attacc → hbm-pim"));
        for (int run = 0; run < 3; ++run) {
            double sum = 0;
            for (const QJsonValue& op : json["ops"].toArray())
                sum += op["ns"].toArray()[run].toDouble();
            const double total = json["runs"].toArray()[run].toObject()["total_ns"].toDouble();
            QVERIFY2(std::abs(sum - total) <= 1e-9 * total, qPrintable(QString::number(sum - total)));
        }
        const Run text = pimc({"runs", m_project, "--compare", "1", "2"});
        COMPARE_CODE(text, 0);
        QVERIFY(text.out.contains("run 2"));
        const Run csv = pimc({"runs", m_project, "--compare", "1", "2", "--csv"});
        QVERIFY(csv.out.startsWith("op,type,run_1_ns,run_2_ns,difference_ns,why\n"));
    }

    void madeAgainItIsIdentical() {
        for (const char* id : {"1", "2"}) {
            const Run again = pimc({"runs", m_project, "--rerun", id, "--json"});
            COMPARE_CODE(again, 0);
            QVERIFY2(again.json()["identical"].toBool(), again.out.constData());
            QVERIFY(again.json()["numbers"].toInt() > 100);
        }
        QVERIFY(pimc({"runs", m_project, "--rerun", "1"}).out.contains("identical"));
        QCOMPARE(pimc({"runs", m_project, "--rerun", "9"}).code, 1);
        QCOMPARE(pimc({"runs", m_project, "--json"}).json().array().size(), 3); // nothing was stored
    }

    void labelsNotesAndDeletes() {
        const QString copy = m_folder.filePath("copy.pimproj");
        QFile::copy(m_project, copy);
        QFile::copy(m_project + "-wal", copy + "-wal");
        COMPARE_CODE(pimc({"runs", copy, "--run", "2", "--label", "for the paper", "--note", "with gemm"}),
                     0);
        const QJsonDocument list = pimc({"runs", copy, "--filter", "run:2", "--json"}).json();
        QCOMPARE(list[0]["label"].toString(), QString("for the paper"));
        QCOMPARE(list[0]["note"].toString(), QString("with gemm"));
        QCOMPARE(pimc({"runs", copy, "--label", "x"}).code, 1); // of which run?
        QCOMPARE(pimc({"runs", copy, "--delete", "1", "9"}).code, 1);
        QCOMPARE(pimc({"runs", copy, "--json"}).json().array().size(), 3); // none of them
        COMPARE_CODE(pimc({"runs", copy, "--delete", "1", "3"}), 0);
        QCOMPARE(pimc({"runs", copy, "--json"}).json().array().size(), 1);
    }

    void answersSql() {
        const Run json =
            pimc({"sql", m_project, "SELECT id, total_ns, label FROM runs ORDER BY id", "--json"});
        COMPARE_CODE(json, 0);
        QCOMPARE(json.json()["columns"][1]["unit"].toString(), QString("ns"));
        QCOMPARE(json.json()["rows"].toArray().size(), 3);
        const double total =
            pimc({"runs", m_project, "--filter", "run:2", "--json"}).json()[0]["total_ns"].toDouble();
        QCOMPARE(json.json()["rows"][1][1].toDouble(), total); // to the last bit
        const Run csv = pimc({"sql", m_project, "-", "--csv"}, "SELECT count(*) AS runs FROM runs");
        QCOMPARE(csv.out, QByteArray("runs\n3\n"));
        QVERIFY(pimc({"sql", m_project, "SELECT total_ns FROM runs"}).out.contains("total_ns [ns]"));
        // The name of a column in CSV chooses it in text too, though its heading has the unit.
        QCOMPARE(pimc({"sql", m_project, "SELECT 3 AS n_ns, 2 AS b", "--columns", "n_ns"}).out,
                 QByteArray("n_ns [ns]\n        3\n"));
        // What data have of control characters would act on the terminal.
        const QString hostile = "SELECT char(27) || '[2J' AS a";
        QCOMPARE(pimc({"sql", m_project, hostile}).out, QByteArray("a\n\\x1b[2J\n"));
        QCOMPARE(pimc({"sql", m_project, hostile, "--csv"}).out, QByteArray("a\n\x1b[2J\n"));
        // CSV is whole unless less is asked for, which is said even where nothing else is.
        const QString many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) "
                             "SELECT i FROM n";
        const Run whole = pimc({"sql", m_project, many, "--csv", "-q"});
        QCOMPARE(whole.out.count('\n'), 1501);
        QVERIFY2(whole.err.isEmpty(), whole.err.constData());
        QCOMPARE(pimc({"sql", m_project, many}).out.count('\n'), 1001);
        const Run cut = pimc({"sql", m_project, many, "--csv", "-q", "--limit", "7"});
        QCOMPARE(cut.out.count('\n'), 8);
        QVERIFY2(cut.err.contains("the first 7 rows"), cut.err.constData());
        QVERIFY(pimc({"sql", m_project, "--schema"}).out.contains("run_ops"));
        QVERIFY(pimc({"sql", m_project, "--examples", "--json"}).json().array().size() >= 10);
        const Run limited = pimc({"sql", m_project, "SELECT name FROM run_ops", "--limit", "2"});
        QVERIFY(limited.err.contains("--limit 0"));
    }

    void sqlOnlyReads() {
        for (const char* sql : {"DELETE FROM runs", "PRAGMA user_version = 9", "ATTACH 'x.db' AS x",
                                "SELECT load_extension('x')"}) {
            const Run run = pimc({"sql", m_project, sql});
            QCOMPARE(run.code, 1);
            QVERIFY2(run.err.contains("only reading is allowed"), run.err.constData());
        }
        const Run wrong = pimc({"sql", m_project, "SELECT nme FROM run_ops"});
        QCOMPARE(wrong.code, 1);
        QVERIFY2(wrong.err.contains("line 1, column 8"), wrong.err.constData());
    }

    void twoBundlesOfTheSameAreTheSame() {
        QMap<QString, QByteArray> first;
        for (const char* name : {"a", "b"}) {
            const QString folder = m_folder.filePath(name);
            COMPARE_CODE(pimc({"compile", "sample:tiny-gpt", "--target", "attacc", "--out", folder}), 0);
            COMPARE_CODE(pimc({"verify", folder}), 0);
            if (first.isEmpty())
                first = contentOf(folder);
            else
                QVERIFY(contentOf(folder) == first);
        }
        QVERIFY(first.size() > 2);
    }

    void reportsCarryLinks() {
        const QString html = m_folder.filePath("r.html");
        COMPARE_CODE(pimc({"report", m_project, "--run", "2", "--out", html}), 0);
        QFile file(html);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.contains("href=\"pim:///"));
        QVERIFY(text.contains("p.pimproj#run/2/op/"));
    }
};

QTEST_GUILESS_MAIN(TestPimcRuns)
#include "tst_app_pimc_runs.moc"
