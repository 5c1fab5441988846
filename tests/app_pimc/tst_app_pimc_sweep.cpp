// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// `pimc sweep` with a project: killed in the middle, gone on with, the same to the last digit as one that never stopped.
#include <QTest>
#include <string>

#include "tests/support/pimc_process.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <csignal>
#include <functional>

using namespace pim::test;

class TestPimcSweep : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    // 112 points, of which 16 are too long
    const QString m_over = QStringLiteral("target=attacc,hbm-pim,dynaplasia,aim;past=1..64;batch=1,2,4,8");

    static QJsonArray pointsOf(const QString& project) {
        return pimc({"sql", project,
                     "SELECT point, compile_ms, finished_utc FROM sweep_points ORDER BY point", "--json"})
            .json()["rows"]
            .toArray();
    }

private slots:
    void killedAndGoneOnWith() {
        const Run whole = pimc({"sweep", "sample:tiny-gpt", "--over", m_over, "--csv"});
        COMPARE_CODE(whole, 0);
        const QString project = m_folder.filePath(QStringLiteral("killed.pimproj"));
        int kills = 0;
        qint64 before = 0;
        for (const int points : {3, 20}) {
            QStringList arguments{"sweep", "--project", project, "--resume"};
            if (kills == 0)
                arguments = {"sweep",     "sample:tiny-gpt", "--over", m_over,
                             "--project", project,           "--name", "my sweep"};
            QProcess process;
            process.start(PIMC, arguments);
            QVERIFY(process.waitForStarted());
            const auto finished = [&] {
                return pimc({"sweep", "--project", project, "--list", "--json"})
                    .json()
                    .array()
                    .at(0)
                    .toObject()["finished"]
                    .toInteger();
            };
            while (finished() < points && process.state() == QProcess::Running)
                process.waitForFinished(5);
            process.kill();
            QVERIFY(process.waitForFinished());
            QCOMPARE(process.exitStatus(), QProcess::CrashExit); // not at its end already
            ++kills;
            const qint64 now = finished();
            QVERIFY2(now >= points && now > before && now < 112, qPrintable(QString::number(now)));
            before = now;
        }
        const QJsonArray kept = pointsOf(project);
        QVERIFY(!kept.isEmpty());
        const Run resumed = pimc({"sweep", "--project", project, "--resume", "my sweep", "--csv"});
        COMPARE_CODE(resumed, 0);
        QVERIFY2(resumed.err.contains(QByteArray::number(before) + " of 112 points are there, " +
                                      QByteArray::number(112 - before) + " to compute"),
                 resumed.err.constData());
        QCOMPARE(resumed.out, whole.out);
        // What was there before is what it was: computed once.
        const QJsonArray all = pointsOf(project);
        QCOMPARE(all.size(), 112);
        for (int p = 0; p < kept.size(); ++p)
            QCOMPARE(all[p], kept[p]);
        QCOMPARE(pimc({"sweep", "--project", project, "--show", "--csv"}).out, whole.out);
    }

    /// The same bytes on any number of threads; points that have no plan among them; rows are those of the whole sweep.
    void searchesForTheFront() {
        const QStringList space{"sweep",    "sample:tiny-gpt",
                                "--target", "hbm-pim",
                                "--over",   "group.count=1..32+1;timing.nCCDL=2..8+1;past=8..64+8"};
        const QStringList search =
            space + QStringList{"--search", "nsga2",   "--evaluations", "60",   "--search-seed",
                                "3",        "--front", "total_ns",      "--csv"};
        const Run one = pimc(search + QStringList{"--threads", "1"});
        COMPARE_CODE(one, 0);
        QVERIFY2(one.err.contains("60 of 1792 points computed"), one.err.constData());
        QCOMPARE(one.out.count('\n'), 61);
        QCOMPARE(pimc(search + QStringList{"--threads", "3"}).out, one.out);
        QVERIFY(one.out.contains("takes element 64")); // one that is refused
        const Run huge =
            pimc({"sweep", "sample:tiny-gpt", "--target", "hbm-pim", "--over",
                  "group.count=1..64+1;timing.nCCDL=1..100+1;timing.nRCDRD=1..100+1;past=1..16+1", "--search",
                  "random", "--evaluations", "9", "--csv"});
        COMPARE_CODE(huge, 0);
        QCOMPARE(huge.out.count('\n'), 10);
        QVERIFY(pimc(space + QStringList{"--search", "nsga3"}).code != 0);
        QVERIFY(pimc(space + QStringList{"--evaluations", "9"}).code != 0); // of no search
    }

    void oneThatFailsDoesNotStopTheRest() {
        const Run run =
            pimc({"sweep", "sample:tiny-gpt", "--target", "attacc", "--over", "past=32,64,16", "--json"});
        COMPARE_CODE(run, 0);
        const QJsonArray points = run.json().array();
        QCOMPARE(points.size(), 3);
        QVERIFY(points[1].toObject()["problem"].toString().contains("takes element 64"));
        QVERIFY(points[0].toObject()["total_ns"].toDouble() > 0 &&
                points[2].toObject()["total_ns"].toDouble() > 0);
        QCOMPARE(points[2].toObject()["bindings"].toObject()["past"].toInt(), 16);
    }

    /// Against a target file in which somebody wrote the same.
    void variesFiguresOfTheMachine() {
        const Run run =
            pimc({"sweep", "sample:tiny-gpt", "--target", "hbm-pim", "--over",
                  "group.count=8..32;timing.nCCDL=2,4;core.bank.capacity=128MiB/group.count;group.count*2<64",
                  "--json"});
        COMPARE_CODE(run, 0);
        const QJsonArray points = run.json().array();
        QCOMPARE(points.size(), 6);
        QJsonObject file = pimc({"targets", "hbm-pim", "--json"}).json().object();
        file["id"] = "mine";
        QJsonArray levels = file["levels"].toArray();
        const auto set = [](QJsonObject object, const QString& key, double value) {
            QJsonObject quantity = object[key].toObject();
            quantity["value"] = value;
            object[key] = quantity;
            return object;
        };
        const auto level = [&](int at, const std::function<QJsonObject(QJsonObject)>& change) {
            levels[at] = change(levels[at].toObject());
        };
        level(0, [&](QJsonObject device) { // 8 pseudo-channels with 16 GB/s each
            device["bus"] = set(device["bus"].toObject(), "bandwidth", 128);
            QJsonArray memories = device["memories"].toArray();
            memories[0] = set(memories[0].toObject(), "bandwidth", 128);
            device["memories"] = memories;
            return device;
        });
        level(1, [&](const QJsonObject& group) { return set(group, "count", 8); });
        file["levels"] = levels;
        file["parameters"] = set(file["parameters"].toObject(), "timing.nCCDL", 2);
        QFile written(m_folder.filePath("mine.json"));
        QVERIFY(written.open(QIODevice::WriteOnly));
        written.write(QJsonDocument(file).toJson());
        written.close();
        const Run compiled = pimc({"compile", "sample:tiny-gpt", "--target", written.fileName(), "--json"});
        COMPARE_CODE(compiled, 0);
        const QJsonObject first = points[0].toObject();
        QVERIFY2(first["problem"].isUndefined(), run.out.constData());
        QCOMPARE(first["total_ns"].toDouble(), compiled.json()["total_ns"].toDouble());
        QVERIFY(first["total_ns"].toDouble() < points[1].toObject()["total_ns"].toDouble()); // nCCDL 4
        QCOMPARE(first["chosen"].toObject()["group.count"].toString(), QString("8"));
        for (const int at : {4, 5})
            QVERIFY2(points[at].toObject()["problem"].toString().contains(
                         "left out: group.count*2<64, and group.count is 32"),
                     run.out.constData());
    }

    void theSameOnAnyNumberOfThreads() {
        const QStringList arguments{"sweep",    "sample:tiny-gpt",
                                    "--target", "aim",
                                    "--over",   "core.count=4..16;past=4,8;timing.nCCDS=1..4;simulate=on",
                                    "--csv",    "--threads"};
        const Run one = pimc(arguments + QStringList{"1"});
        COMPARE_CODE(one, 0);
        QVERIFY2(one.out.contains(",simulated_ns,system_energy_pj,"), one.out.constData());
        for (const char* threads : {"2", "7"})
            QCOMPARE(pimc(arguments + QStringList{threads}).out, one.out);
    }

    /// Workers killed at random, lines cut and changed: the project gathered from the shards is the one of a single process.
    void shardsAreTheSameSweep() {
        const QStringList what{
            "sweep",    "sample:tiny-gpt",
            "--target", "hbm-pim",
            "--over",   "group.count=2..32;timing.nCCDL=2..9+1;past=4,8,60,64;group.count<32"};
        const QString folder = m_folder.filePath("shards");
        const auto shardOf = [&](int number) {
            return what + QStringList{"--shards", folder, "--shard", QString("%1/3").arg(number)};
        };
        int killed = 0;
        for (int round = 0; round < 12; ++round) {
            QProcess worker;
            worker.start(PIMC, shardOf(1 + round % 3));
            if (!worker.waitForFinished(5 + 20 * round)) {
                worker.kill();
                worker.waitForFinished();
                ++killed;
            }
        }
        QVERIFY(killed > 0);
        COMPARE_CODE(pimc(shardOf(1)), 0); // however slow the machine is, one file is there
        const auto first = QDir(folder).filePath("shard-1-of-3.jsonl");
        QFile file(first);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray lines = file.readAll();
        file.resize(0);
        file.seek(0);
        file.write(lines.left(lines.size() - 20)); // the last point is computed again
        file.write("\n0123456789abcdef {\"point\":0,\"ms\":1,\"problem\":\"never\"}\n" +
                   lines.right(40).left(20));
        file.close();
        for (int shard = 1; shard <= 3; ++shard)
            COMPARE_CODE(pimc(shardOf(shard)), 0);
        const Run whole = pimc(what + QStringList{"--csv"});
        const Run gathered = pimc(what + QStringList{"--shards", folder, "--csv"});
        COMPARE_CODE(gathered, 0);
        QCOMPARE(gathered.out, whole.out);
        QVERIFY2(gathered.err.contains("160 of 160 points in 3 files"), gathered.err.constData());
        QVERIFY2(gathered.err.contains("lines were cut or changed"), gathered.err.constData());
        const QString project = m_folder.filePath("gathered.pimproj");
        QCOMPARE(pimc(what + QStringList{"--shards", folder, "--project", project, "--csv"}).out, whole.out);
        QCOMPARE(pimc({"sweep", "--project", project, "--show", "--csv"}).out, whole.out);
    }

    void shardsOfSomethingElseAreRefused() {
        const QString folder = m_folder.filePath("others");
        const QStringList what{"sweep", "sample:tiny-gpt", "--shards", folder, "--over"};
        const auto run = [&](const QString& over, const QString& shard, const QString& target = "aim") {
            return pimc(what + QStringList{over, "--target", target} +
                        (shard.isEmpty() ? QStringList() : QStringList{"--shard", shard}));
        };
        QVERIFY(run("past=4..16", "").err.contains("compute some with --shard"));
        QVERIFY(run("past=4..16", "0/2").err.contains("no shard"));
        QVERIFY(run("past=4..16", "3/2").err.contains("no shard"));
        COMPARE_CODE(run("past=4..16", "1/2"), 0);
        QVERIFY(run("past=4..16", "").err.contains("2 of 3 points in 1 file,"));
        QVERIFY(run("past=4..32", "1/2").err.contains("is a file of another sweep: \"over\""));
        QVERIFY(run("past=4..16", "", "attacc").err.contains("is a file of another sweep: \"target\""));
        // Two machines that do not agree.
        QFile file(QDir(folder).filePath("shard-1-of-2.jsonl"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QList<QByteArray> lines = file.readAll().split('\n');
        QByteArray changed = lines[1].mid(17);
        const int at = int(changed.indexOf("\"total_ns\":")) + 11;
        changed.insert(at, '1');
        lines[1] =
            QCryptographicHash::hash(changed, QCryptographicHash::Sha256).toHex().left(16) + ' ' + changed;
        QFile other(QDir(folder).filePath("shard-1-of-1.jsonl"));
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write(lines.join('\n'));
        other.close();
        QVERIFY(run("past=4..16", "").err.contains("there twice with different figures"));
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write(lines[0].replace("\"code\":\"", "\"code\":\"x"));
        other.close();
        QVERIFY(run("past=4..16", "")
                    .err.contains("2 of 3 points in 2 files")); // its checksum is wrong: no header, no points
        changed = lines[0].mid(17);
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write(QCryptographicHash::hash(changed, QCryptographicHash::Sha256).toHex().left(16) + ' ' +
                    changed + '\n');
        other.close();
        QVERIFY(run("past=4..16", "").err.contains("another version of the program"));
    }

    void keepsConditionsInTheProject() {
        const QString project = m_folder.filePath(QStringLiteral("held.pimproj"));
        const Run run = pimc({"sweep", "sample:tiny-gpt", "--target", "attacc", "--over",
                              "total_ns<1;group.count=8,16", "--project", project, "--csv"});
        COMPARE_CODE(run, 0);
        QVERIFY2(run.out.contains("left out: total_ns<1, and total_ns is "), run.out.constData());
        QCOMPARE(pimc({"sweep", "--project", project, "--show", "--csv"}).out, run.out);
        QVERIFY(pimc({"sweep", "--project", project, "--list"}).out.contains("group.count=8,16;total_ns<1"));
    }

    void ctrlCPausesAndSaysHowToGoOn() {
        const QString project = m_folder.filePath(QStringLiteral("paused.pimproj"));
        QProcess process;
        process.start(PIMC, {"sweep", "sample:tiny-gpt", "--over", m_over, "--project", project});
        while (process.state() != QProcess::NotRunning &&
               pimc({"sweep", "--project", project, "--list", "--json"})
                       .json()
                       .array()
                       .at(0)
                       .toObject()["finished"]
                       .toInteger() < 2)
            process.waitForFinished(5);
        QVERIFY(process.processId() > 0); // 0 would be all of us
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 130);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.contains("continue with: pimc sweep --project"), said.constData());
        const Run list = pimc({"sweep", "--project", project, "--list"});
        QVERIFY(list.out.contains("sweep 1"));
        COMPARE_CODE(pimc({"sweep", "--project", project, "--delete", "sweep 1"}), 0);
        QVERIFY(pimc({"sweep", "--project", project, "--list"}).out.contains("no sweeps yet"));
        QCOMPARE(pimc({"sweep", "--project", project, "--resume"}).code, 1);
    }

    void saysWhatIsMissing() {
        QVERIFY(pimc({"sweep"}).err.contains("no model was given"));
        QVERIFY(pimc({"sweep", "sample:tiny-gpt"}).err.contains("there is nothing to sweep over"));
        QCOMPARE(pimc({"sweep", "--resume"}).code, 1); // of no project
        QVERIFY(pimc({"sweep", "sample:tiny-gpt", "--target", "attacc", "--over", "length=2"})
                    .err.contains("batch, past"));
        const auto said = [](const char* over) {
            return pimc({"sweep", "sample:tiny-gpt", "--target", "hbm-pim", "--over", over}).err;
        };
        QVERIFY(said("group.cuont=4,8").contains("did you mean \"group.count\"?"));
        QVERIFY(said("group.count=4,some").contains("the unknown \"some\""));
        QVERIFY(said("group.count=2.5").contains("no whole number"));
        QVERIFY(said("group.count=1..1000+1;past=1..1000+1;batch=1,2").contains("allowed are 1 to 1000000"));
        QVERIFY(said("area_mm2<=5").contains("nothing that varies"));
        QVERIFY(said("group.count=4;area_mm2<=").contains("a number, a name or"));
    }
};

QTEST_GUILESS_MAIN(TestPimcSweep)
#include "tst_app_pimc_sweep.moc"
