// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/project.h"
#include "tests/core_project/sample_plan.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace pim;

/// What another process does to the file.
class TestCrash : public QObject {
    Q_OBJECT

private slots:
    void keepsReportedRunsWhenKilled() {
        QTemporaryDir folder;
        const std::string file = folder.filePath("a.pimproj").toStdString();
        std::vector<std::int64_t> reported;
        for (int wanted : {1, 3, 2, 5}) {
            QProcess writer;
            writer.start(PIM_PROJECT_WRITER, {QString::fromStdString(file), "1000000"});
            for (int lines = 0; lines < wanted;) {
                QVERIFY2(writer.waitForReadyRead(30000), writer.readAllStandardError().constData());
                while (writer.canReadLine()) {
                    reported.push_back(writer.readLine().trimmed().toLongLong());
                    ++lines;
                }
            }
            // The next run is being written by now.
            writer.kill();
            QVERIFY(writer.waitForFinished(30000));
            QCOMPARE(writer.exitStatus(), QProcess::CrashExit);
            while (writer.canReadLine())
                reported.push_back(writer.readLine().trimmed().toLongLong());
        }
        auto project = Project::open(file);
        QVERIFY2(project.has_value(), project ? "" : project.error().text().c_str());
        const auto sound = (*project)->checkIntegrity();
        QVERIFY2(sound.has_value(), sound ? "" : sound.error().text().c_str());
        QVERIFY(reported.size() >= 11);
        for (const std::int64_t id : reported) {
            const auto ops = (*project)->runOps(id);
            QVERIFY(ops.has_value());
            QCOMPARE(ops->size(), std::size_t{60});
            QCOMPARE((*project)->runDrafts(id, ops->at(0).name)->size(), Project::kTopDrafts);
        }
        // A run that was cut off is there as a whole or not at all.
        const auto runs = (*project)->runs();
        QVERIFY(runs->size() <= reported.size() + 4);
        for (const RunInfo& run : *runs)
            QCOMPARE((*project)->runOps(run.id)->size(), std::size_t{60});
    }

    void letsTwoProgramsCreateAndFillOneFile() {
        QTemporaryDir folder;
        const QString file = folder.filePath("both.pimproj");
        QProcess first, second;
        first.start(PIM_PROJECT_WRITER, {file, "5"});
        second.start(PIM_PROJECT_WRITER, {file, "5"});
        for (QProcess* writer : {&first, &second}) {
            QVERIFY(writer->waitForFinished(60000));
            QVERIFY2(writer->exitCode() == 0, writer->readAllStandardError().constData());
        }
        auto project = Project::open(file.toStdString());
        QVERIFY(project.has_value());
        QCOMPARE((*project)->runs()->size(), std::size_t{10});
        QVERIFY((*project)->checkIntegrity().has_value());
        QCOMPARE((*project)->variants()->size(), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(TestCrash)
#include "tst_core_project_crash.moc"
