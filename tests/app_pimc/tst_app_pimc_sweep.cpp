// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// `pimc sweep` with a project: killed in the middle, gone on with, the same to the last digit as one that never stopped.
#include <QTest>
#include <string>

#include "core/base/paths.h"
#include "tests/support/pimc_process.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <algorithm>
#include <csignal>
#include <functional>
#include <map>

using namespace pim::test;

class TestPimcSweep : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    // 112 points, of which 16 are too long
    const QString m_over = QStringLiteral("target=attacc,hbm-pim,dynaplasia,aim;past=1..64;batch=1,2,4,8");

    static QJsonArray pointsOf(const QString& project) {
        return pimc({"sql", project, "SELECT point, compile_ms FROM sweep_points ORDER BY point", "--json"})
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
        const Run one = pimc(search + QStringList{"--jobs", "1"});
        COMPARE_CODE(one, 0);
        QVERIFY2(one.err.contains("60 of 1792 points computed"), one.err.constData());
        QCOMPARE(one.out.count('\n'), 61);
        QCOMPARE(pimc(search + QStringList{"--jobs", "3"}).out, one.out);
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

    /// Kept in a project, gone on with there; its front simulated.
    void searchesAreKeptAndConfirmed() {
        const QString project = m_folder.filePath("search.pimproj");
        const QStringList search{"sweep",    "sample:tiny-gpt",
                                 "--target", "hbm-pim",
                                 "--over",   "group.count=1..32+1;timing.nCCDL=2..8+1;past=8..56+8",
                                 "--search", "nsga2",
                                 "--front",  "total_ns,macs_per_s",
                                 "--csv"};
        const Run free = pimc(search + QStringList{"--evaluations", "30"});
        COMPARE_CODE(free, 0);
        const QStringList kept = search + QStringList{"--project", project, "--name", "s"};
        const Run first = pimc(kept + QStringList{"--evaluations", "30"}),
                  second = pimc(kept + QStringList{"--evaluations", "30"}),
                  third = pimc(kept + QStringList{"--evaluations", "30", "--confirm", "3"});
        COMPARE_CODE(first, 0);
        COMPARE_CODE(second, 0);
        COMPARE_CODE(third, 0);
        QVERIFY2(first.err.contains("0 points were in") && first.err.contains("30 were added"),
                 first.err.constData());
        QVERIFY2(second.err.contains("30 points were in") && second.err.contains("0 were added"),
                 second.err.constData());
        QVERIFY2(third.err.contains("0 were added") && third.err.contains("of 30 points simulated"),
                 third.err.constData());
        QCOMPARE(first.out, free.out);
        QCOMPARE(second.out, free.out);
        QVERIFY(third.out.split('\n').first().contains("simulated_ns"));
        QCOMPARE(pimc({"sweep", "--project", project, "--show", "s", "--csv"}).out, third.out);
        const QJsonObject listed =
            pimc({"sweep", "--project", project, "--list", "--json"}).json().array().at(0).toObject();
        QCOMPARE(listed["points"].toInteger(), 1568);
        QCOMPARE(listed["wanted"].toInteger(), 30);
        QCOMPARE(listed["search"].toObject(),
                 (QJsonObject{{"method", "nsga2"},
                              {"evaluations", 30},
                              {"seed", 1},
                              {"objectives", QJsonArray{"total_ns", "macs_per_s"}},
                              {"finished", true}}));
        const Run again = pimc({"sweep", "--project", project, "--resume", "s", "--confirm", "3", "--csv"});
        COMPARE_CODE(again, 0);
        QCOMPARE(again.out, third.out);
        QVERIFY(pimc(search + QStringList{"--confirm", "95"}).code != 0);
        const Run twice = pimc({"sweep", "sample:tiny-gpt", "--target", "hbm-pim", "--over",
                                "past=8,16;simulate=on", "--confirm", "5"});
        COMPARE_CODE(twice, 1);
        QVERIFY2(twice.err.contains("simulate is an axis"), twice.err.constData());
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
                                    "--csv",    "--jobs"};
        const Run one = pimc(arguments + QStringList{"1"});
        COMPARE_CODE(one, 0);
        QVERIFY2(one.out.contains(",simulated_ns,system_energy_pj,"), one.out.constData());
        for (const char* threads : {"2", "7"})
            QCOMPARE(pimc(arguments + QStringList{threads}).out, one.out);
    }

    /// Formulas over the machine, a dimension, the points' columns and each other; asked by a condition, and what the front is by.
    void figuresOfOnesOwn() {
        const QStringList what{
            "sweep",
            "sample:tiny-gpt",
            "--target",
            "hbm-pim",
            "--over",
            "group.count=4..64;past=4,8;blocks:=group.count*core.count;late:=blocks*2+past;"
            "per_block:=total_ns/blocks;blocks<500;per_block<1e9",
            "--front",
            "blocks,total_ns"};
        const Run run = pimc(what + QStringList{"--json"});
        COMPARE_CODE(run, 0);
        const QJsonArray points = run.json().array();
        QCOMPARE(points.size(), 10);
        int front = 0;
        for (int p = 0; p < 10; ++p) {
            const QJsonObject point = points[p].toObject();
            const double blocks = 8 * (4 << (p / 2));
            if (blocks >= 500) {
                QVERIFY(point["problem"].toString().contains("blocks<500, and blocks is 512"));
                continue;
            }
            QCOMPARE(point["blocks"].toDouble(), blocks);
            QCOMPARE(point["late"].toDouble(), 2 * blocks + (p % 2 == 0 ? 4 : 8));
            QCOMPARE(point["per_block"].toDouble(), point["total_ns"].toDouble() / blocks);
            front += point["front"].toBool() ? 1 : 0;
        }
        QVERIFY(front > 0);
        const QString project = m_folder.filePath("own.pimproj");
        COMPARE_CODE(pimc(what + QStringList{"--project", project}), 0);
        QVERIFY(
            pimc({"sweep", "--project", project, "--list"}).out.contains(";blocks:=group.count*core.count;"));
        QCOMPARE(pimc({"sql", project, "SELECT count(*) AS n FROM sweep_figures WHERE figure = 'per_block'",
                       "--json"})
                     .json()["rows"]
                     .toArray()[0]
                     .toArray()[0]
                     .toInt(),
                 8);
        const Run unknown = pimc({"sweep", "sample:tiny-gpt", "--target", "hbm-pim", "--over",
                                  "group.count=4;cost:=group.size*2", "--csv"});
        QVERIFY2(unknown.out.contains(R"(cost: ""group.size*2"" names the unknown ""group.size"")"),
                 unknown.out.constData());
    }

    /// The commands of the page, as they stand, give the figures of the page.
    void theStudyInTheHelpIsTrue() {
        const QString page = QString::fromUtf8(
            readFile(QString::fromStdString((pim::resourceDir() / "help" / "study.md").string())));
        QList<QStringList> commands;
        for (const QString& line : page.split('\n'))
            if (line.startsWith("    pimc "))
                commands << QProcess::splitCommand(line).mid(1);
        QCOMPARE(commands.size(), 2);
        const auto rowsOf = [](const QByteArray& csv) {
            QList<QMap<QString, QString>> rows;
            const QStringList lines = QString::fromUtf8(csv).trimmed().split('\n'),
                              names = lines.value(0).split(',');
            for (const QString& line : lines.mid(1)) {
                const QStringList values = line.split(',');
                QMap<QString, QString>& row = rows.emplaceBack();
                for (int n = 0; n < names.size() && n < values.size(); ++n)
                    row[names[n]] = values[n];
            }
            return rows;
        };
        const Run found = pimc(commands[0]);
        COMPARE_CODE(found, 0);
        QMap<double, QMap<QString, QString>> front; // by area; the first of several that are the same
        for (const auto& row : rowsOf(found.out))
            if (row["front"] == "1" && !front.contains(row["pim_mm2"].toDouble()))
                front[row["pim_mm2"].toDouble()] = row;
        QVERIFY(front.size() >= 8);
        for (const auto& row : front.values().first(8)) {
            const QString text = QString("| %1 | %2 | %3 | %4 | %5 |")
                                     .arg(row["device.count"], row["group.count"], row["core.bank.capacity"])
                                     .arg(row["pim_mm2"].toDouble(), 0, 'f', 0)
                                     .arg(row["total_ns"].toDouble() / 1e6, 0, 'f', 3);
            QVERIFY2(page.contains(text), qPrintable(text));
        }
        const Run simulated = pimc(commands[1]);
        COMPARE_CODE(simulated, 0);
        const QString ms = QString::number(rowsOf(simulated.out)[0]["simulated_ns"].toDouble() / 1e6, 'f', 2);
        QVERIFY2(page.contains("simulator takes " + ms + " ms"), qPrintable(ms));
    }

    /// Planned, computed by several, looked at, merged: what one process prints.
    void aCampaignIsTheSameSweep() {
        const QStringList what{"sample:tiny-gpt", "--target", "hbm-pim", "--over",
                               "group.count=2..32;timing.nCCDL=2..9+1;past=4,8,60,64;group.count<32"};
        const QString folder = m_folder.filePath("campaign"), project = m_folder.filePath("merged.pimproj");
        const Run planned =
            pimc(QStringList{"sweep", "plan"} + what + QStringList{"--to", folder, "--chunk", "9", "--json"});
        COMPARE_CODE(planned, 0);
        QCOMPARE(planned.json()["points"].toInt(), 160);
        QCOMPARE(planned.json()["chunks"].toInt(), 18);
        const Run none = pimc({"sweep", "merge", folder, "--csv"});
        COMPARE_CODE(none, 0);
        QVERIFY2(none.err.contains("160 of 160 points are missing, in 18 chunks"), none.err.constData());
        COMPARE_CODE(pimc({"sweep", "run", folder, "--chunks", "0-3,7"}), 0);
        const Run status = pimc({"sweep", "status", folder, "--json"});
        COMPARE_CODE(status, 0);
        QCOMPARE(status.json()["open_chunks"].toString(), QString("4-6,8-17"));
        QCOMPARE(status.json()["there"].toInt(), 45);
        QVERIFY(pimc({"sweep", "status", folder}).out.contains("open      13 chunks, 115 points"));
        COMPARE_CODE(pimc({"sweep", "merge", folder, "--project", project}), 0); // a part
        COMPARE_CODE(pimc({"sweep", "run", folder, "--shard", "1/2"}), 0);
        COMPARE_CODE(pimc({"sweep", "run", folder, "--jobs", "2"}), 0);
        const Run whole = pimc(QStringList{"sweep"} + what + QStringList{"--csv"});
        QCOMPARE(pimc({"sweep", "merge", folder, "--csv"}).out, whole.out);
        const Run merged = pimc({"sweep", "merge", folder, "--project", project, "--csv"});
        COMPARE_CODE(merged, 0);
        QCOMPARE(merged.out, whole.out);
        QCOMPARE(pimc({"sweep", "--project", project, "--show", "--csv"}).out, whole.out);
        const QJsonArray listed = pimc({"sweep", "--project", project, "--list", "--json"}).json().array();
        QCOMPARE(listed.size(), 1);
        QVERIFY(listed.at(0).toObject()["search"].isNull());
        // Another sweep under that name.
        const QString other = m_folder.filePath("other campaign");
        COMPARE_CODE(pimc({"sweep", "plan", "sample:tiny-gpt", "--target", "aim", "--over", "past=4..16",
                           "--to", other}),
                     0);
        QVERIFY(pimc({"sweep", "merge", other, "--project", project, "--name", "sweep 1"})
                    .err.contains("there is a sweep \"sweep 1\" already"));
    }

    void campaignsThatCannotBeAreRefused() {
        const QString folder = m_folder.filePath("refused");
        const auto said = [&](const QStringList& words) { return pimc(QStringList{"sweep"} + words).err; };
        QVERIFY(said({"run", folder}).contains("make one with pimc sweep plan"));
        QVERIFY(said({"status", folder}).contains("is no campaign"));
        QVERIFY(said({"plan", "sample:tiny-gpt", "--to", folder}).contains("nothing to sweep over"));
        const QStringList plan{"plan", "sample:tiny-gpt", "--target", "aim", "--to", folder, "--over"};
        COMPARE_CODE(pimc(QStringList{"sweep"} + plan + QStringList{"past=4..16"}), 0);
        COMPARE_CODE(pimc(QStringList{"sweep"} + plan + QStringList{"past=4..16"}), 0); // the same
        QVERIFY(said(plan + QStringList{"past=4..32"}).contains("is the plan of another sweep"));
        QVERIFY(said({"run", folder, "--chunks", "2-9"}).contains("there are 0 to 2"));
        QVERIFY(said({"run", folder, "--shard", "3/2"}).contains("write 3/8"));
        QVERIFY(said({"submit", folder}).contains("--with is required"));
        QVERIFY(said({"submit", folder, "--with", "cron"}).contains("not in"));
        const Run dry = pimc({"sweep", "submit", folder, "--with", "slurm", "--dry-run", "--minutes", "0",
                              "--sbatch=--partition=long"});
        COMPARE_CODE(dry, 0);
        const Run json =
            pimc({"sweep", "submit", folder, "--with", "slurm", "--dry-run", "--minutes", "0", "--json"});
        COMPARE_CODE(json, 0);
        QCOMPARE(json.json()["tasks"].toInt(), 3);
        QVERIFY2(dry.out.contains("sbatch --parsable --array=0-2 ") &&
                     dry.out.contains(" --partition=long ") && dry.out.contains("--dependency=afterany:JOB "),
                 dry.out.constData());
        // Planned by another version: nothing is handed to an engine.
        QFile plans(folder + "/campaign.json");
        QVERIFY(plans.open(QFile::ReadWrite));
        QByteArray text = plans.readAll();
        text.replace(text.indexOf("\"code\": \"") + 9, 4, "ffff");
        plans.seek(0);
        plans.write(text);
        plans.close();
        QVERIFY(QDir(folder + "/jobs").removeRecursively());
        for (const char* engine : {"local", "slurm"})
            QVERIFY(said({"submit", folder, "--with", engine})
                        .contains("planned by another version of the program"));
        QVERIFY(!QFile::exists(folder + "/jobs"));
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

    /// Several in one table, each with its own front; the campaign of them says the same.
    void modelsAreAnAxis() {
        const QStringList what{"--over", "model=sample:tiny-gpt,sample:mobilenetv2,worst(sample:tiny-gpt,"
                                         "sample:mobilenetv2);target=attacc,hbm-pim;batch=1,2"};
        const Run whole = pimc(QStringList{"sweep"} + what + QStringList{"--json"});
        COMPARE_CODE(whole, 0);
        const QJsonArray points = whole.json().array();
        QCOMPARE(points.size(), 12);
        std::map<QString, int> best, front;
        std::vector<double> ns;
        for (const auto& point : points) {
            const QString model = point.toObject()["chosen"].toObject()["model"].toString();
            best[model] += point.toObject()["best"].toBool() ? 1 : 0;
            front[model] += point.toObject()["front"].toBool() ? 1 : 0;
            ns.push_back(point.toObject()["total_ns"].toDouble());
        }
        QCOMPARE(best.size(), std::size_t{3});
        for (const auto& [model, count] : best) {
            QCOMPARE(count, 2); // one a batch
            QVERIFY2(front[model] >= 1, qPrintable(model));
        }
        for (std::size_t machine = 0; machine < 4; ++machine)
            QCOMPARE(ns[8 + machine], std::max(ns[machine], ns[4 + machine]));
        const QString folder = m_folder.filePath("models");
        COMPARE_CODE(pimc(QStringList{"sweep", "plan"} + what + QStringList{"--to", folder, "--chunk", "5"}),
                     0);
        COMPARE_CODE(pimc({"sweep", "run", folder}), 0);
        const Run merged = pimc({"sweep", "merge", folder, "--csv"});
        QCOMPARE(merged.out, pimc(QStringList{"sweep"} + what + QStringList{"--csv"}).out);
        QVERIFY(pimc(QStringList{"sweep", "sample:bert-base"} + what + QStringList{"--csv"})
                    .err.contains("sample:bert-base is none unless"));
        QVERIFY(pimc({"sweep", "--over", "model=sample:tiny-gpt,nothing.onnx;target=aim"})
                    .err.contains("nothing.onnx: there is no such file"));
        QVERIFY(pimc({"sweep", "--over", "model=sample:tiny-gpt,sample:tiny-gpt;target=aim"})
                    .err.contains("sample:tiny-gpt: is named twice"));
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
