// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The history of runs from the command line: list, compare, make again, change, ask in SQL, two equal
/// bundles.
#include <QTest>
#include <string>

#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

namespace {

struct Run {
    int code = -1;
    QByteArray out, err;
    QJsonDocument json() const { return QJsonDocument::fromJson(out); }
};

constexpr int kTimeoutMs = 300'000;

Run pimc(const QStringList& arguments, const QByteArray& input = {}) {
    QProcess process;
    process.start(PIMC, arguments);
    process.write(input);
    process.closeWriteChannel();
    Run run;
    if (!process.waitForFinished(kTimeoutMs))
        return run;
    run.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    return run;
}

QMap<QString, QByteArray> content(const QString& folder) {
    QMap<QString, QByteArray> files;
    QDirIterator walk(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (walk.hasNext()) {
        QFile file(walk.next());
        if (file.open(QIODevice::ReadOnly))
            files[QDir(folder).relativeFilePath(file.fileName())] = file.readAll();
    }
    return files;
}

} // namespace

#define VERIFY_DONE(run)                                                                                     \
    do {                                                                                                     \
        const Run& done = (run); /* once: it may be the call itself */                                       \
        QVERIFY2(done.code == 0, done.err.constData());                                                      \
    } while (false)

class TestPimcRuns : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_project;

private slots:
    void initTestCase() {
        m_project = m_folder.filePath("p.pimproj");
        for (const char* target : {"attacc", "hbm-pim", "attacc"})
            VERIFY_DONE(pimc({"compile", "sample:tiny-gpt", "--target", target, "--project", m_project,
                              "--label", QString("on %1").arg(target)}));
    }

    void listsWhatPassesTheFilter() {
        const Run some = pimc({"runs", m_project, "--filter", "target:attacc", "--json"});
        VERIFY_DONE(some);
        QCOMPARE(some.json().array().size(), 2);
        const Run best = pimc({"runs", m_project, "--filter", "is:best", "--json"});
        QCOMPARE(best.json().array().size(), 1); // the first of the two equal ones
        QCOMPARE(best.json()[0]["run"].toInt(), 1);
        QVERIFY(best.json()[0]["best"].toBool());
        const Run csv = pimc({"runs", m_project, "--csv"});
        QCOMPARE(csv.out.split('\n').size(), 1 + 3 + 1);
        const Run none = pimc({"runs", m_project, "--filter", "faster:1ns"});
        VERIFY_DONE(none);
        QVERIFY(none.out.contains("none of 3 runs"));
        const Run wrong = pimc({"runs", m_project, "--filter", "size:3"});
        QCOMPARE(wrong.code, 1);
        QVERIFY(wrong.err.contains("size"));
    }

    void comparesThreeAndAddsUp() {
        const Run compared = pimc({"runs", m_project, "--compare", "1", "2", "3", "--json"});
        VERIFY_DONE(compared);
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
        VERIFY_DONE(text);
        QVERIFY(text.out.contains("run 2"));
        const Run csv = pimc({"runs", m_project, "--compare", "1", "2", "--csv"});
        QVERIFY(csv.out.startsWith("op,type,run_1_ns,run_2_ns,difference_ns,why\n"));
    }

    void madeAgainItIsIdentical() {
        for (const char* id : {"1", "2"}) {
            const Run again = pimc({"runs", m_project, "--rerun", id, "--json"});
            VERIFY_DONE(again);
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
        VERIFY_DONE(pimc({"runs", copy, "--run", "2", "--label", "for the paper", "--note", "with gemm"}));
        const QJsonDocument list = pimc({"runs", copy, "--filter", "run:2", "--json"}).json();
        QCOMPARE(list[0]["label"].toString(), QString("for the paper"));
        QCOMPARE(list[0]["note"].toString(), QString("with gemm"));
        QCOMPARE(pimc({"runs", copy, "--label", "x"}).code, 1); // of which run?
        QCOMPARE(pimc({"runs", copy, "--delete", "1", "9"}).code, 1);
        QCOMPARE(pimc({"runs", copy, "--json"}).json().array().size(), 3); // none of them
        VERIFY_DONE(pimc({"runs", copy, "--delete", "1", "3"}));
        QCOMPARE(pimc({"runs", copy, "--json"}).json().array().size(), 1);
    }

    void answersSql() {
        const Run json =
            pimc({"sql", m_project, "SELECT id, total_ns, label FROM runs ORDER BY id", "--json"});
        VERIFY_DONE(json);
        QCOMPARE(json.json()["columns"][1]["unit"].toString(), QString("ns"));
        QCOMPARE(json.json()["rows"].toArray().size(), 3);
        const double total =
            pimc({"runs", m_project, "--filter", "run:2", "--json"}).json()[0]["total_ns"].toDouble();
        QCOMPARE(json.json()["rows"][1][1].toDouble(), total); // to the last bit
        const Run csv = pimc({"sql", m_project, "-", "--csv"}, "SELECT count(*) AS runs FROM runs");
        QCOMPARE(csv.out, QByteArray("runs\n3\n"));
        QVERIFY(pimc({"sql", m_project, "SELECT total_ns FROM runs"}).out.contains("total_ns [ns]"));
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
            VERIFY_DONE(pimc({"compile", "sample:tiny-gpt", "--target", "attacc", "--out", folder}));
            VERIFY_DONE(pimc({"verify", folder}));
            if (first.isEmpty())
                first = content(folder);
            else
                QVERIFY(content(folder) == first);
        }
        QVERIFY(first.size() > 2);
    }

    void reportsCarryLinks() {
        const QString html = m_folder.filePath("r.html");
        VERIFY_DONE(pimc({"report", m_project, "--run", "2", "--out", html}));
        QFile file(html);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.contains("href=\"pim:///"));
        QVERIFY(text.contains("p.pimproj#run/2/op/"));
    }
};

QTEST_GUILESS_MAIN(TestPimcRuns)
#include "tst_app_pimc_runs.moc"
