// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// `pimc sweep` with a project: killed in the middle, gone on with, the same to the last digit as one that never stopped.
#include <QTest>
#include <string>

#include "tests/support/pimc_process.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>

#include <csignal>

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
    }
};

QTEST_GUILESS_MAIN(TestPimcSweep)
#include "tst_app_pimc_sweep.moc"
