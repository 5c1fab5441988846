// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What is said on the way (--log-level, --log-file) and which columns are shown (--columns): results stay what they are.
#include <QTest>

#include "tests/support/pimc_process.h"

#include <QRegularExpression>
#include <QTemporaryDir>

#include <csignal>

using namespace pim::test;

namespace {

const QStringList kCompile{"compile", "sample:tiny-gpt", "--bind", "past=7", "--target",
                           "aim",     "--verify",        "0"};

} // namespace

class TestPimcLog : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

private slots:
    void levelsDoNotChangeResults() {
        const Run plain = pimc(kCompile);
        COMPARE_CODE(plain, 0);
        QVERIFY(!plain.err.contains("info:"));
        for (const char* const level : {"error", "warning", "info", "debug"}) {
            const Run run = pimc(kCompile + QStringList{"--log-level", level});
            COMPARE_CODE(run, 0);
            QCOMPARE(run.out, plain.out);
            QCOMPARE(run.err.contains("note: aim: its units"), QByteArray(level) != "error");
            const QByteArray chosen = level;
            QCOMPARE(run.err.contains("pimc: info: target aim from "), chosen == "info" || chosen == "debug");
            QCOMPARE(run.err.contains("pimc: debug: "), chosen == "debug");
        }
        QVERIFY(pimc(kCompile + QStringList{"-v"}).err.contains("pimc: debug: "));
        QVERIFY(pimc(kCompile + QStringList{"--quiet"}).err.isEmpty());
        const Run wrong = pimc(kCompile + QStringList{"--log-level", "loud"});
        COMPARE_CODE(wrong, 1);
        QVERIFY2(wrong.err.contains("error,warning,info,debug"), wrong.err.constData());
    }
    void aFileHasEveryLevel() {
        const QString file = m_folder.filePath("pimc.log");
        const Run plain = pimc(kCompile + QStringList{"--json"});
        const Run run = pimc(kCompile + QStringList{"--json", "--quiet", "--log-file", file});
        COMPARE_CODE(run, 0);
        QCOMPARE(run.out, plain.out);
        QVERIFY2(run.err.isEmpty(), run.err.constData());
        const QByteArray first = readFile(file);
        const QRegularExpression line(
            R"(^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (error  |warning|info   |debug  ) .)");
        const QList<QByteArray> lines = first.trimmed().split('\n');
        QVERIFY(lines.size() > 5);
        for (const QByteArray& each : lines)
            QVERIFY2(line.match(QString::fromUtf8(each)).hasMatch(), each.constData());
        QVERIFY(first.contains("info    pimc ") && first.contains("warning note: aim: its units"));
        QVERIFY(lines.last().contains("exit code 0 after "));
        const Run failed = pimc({"inspect", "none.onnx", "--log-file", file});
        COMPARE_CODE(failed, 1);
        const QByteArray both = readFile(file);
        QVERIFY(both.startsWith(first)); // it goes on, and keeps what was there
        QVERIFY(both.contains("error   pimc: error: ") &&
                both.trimmed().split('\n').last().contains("exit code 1"));
    }
    void aFullDiskIsSaidOnce() {
        if (!QFile::exists("/dev/full"))
            QSKIP("there is no /dev/full");
        const Run plain = pimc(kCompile);
        const Run run = pimc(kCompile + QStringList{"--log-file", "/dev/full"});
        COMPARE_CODE(run, 0);
        QCOMPARE(run.out, plain.out);
        QCOMPARE(run.err.count("/dev/full: cannot be written: No space left on device"), 1);
        const Run nowhere = pimc(kCompile + QStringList{"--log-file", m_folder.filePath("no/folder.log")});
        COMPARE_CODE(nowhere, 1);
        QVERIFY2(nowhere.err.contains("no/folder.log") && nowhere.err.contains("--log-file"),
                 nowhere.err.constData());
        QVERIFY(nowhere.out.isEmpty());
    }
    void theFileHasWhatRoomsSay() {
        const QString file = m_folder.filePath("rooms.log");
        COMPARE_CODE(pimc(kCompile + QStringList{"--log-file", file}), 0);
        const QByteArray lines = readFile(file);
        QVERIFY2(lines.contains(" info    graph: ") && lines.contains("tiny-gpt.onnx: IR version "),
                 lines.constData());
    }
    void aCrashLeavesItsStack() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers report crashes themselves");
#endif
        const QTemporaryDir state;
        qputenv("XDG_STATE_HOME", state.path().toUtf8());
        const Run before = pimc({"doctor", "--json"});
        QVERIFY2(before.out.contains("\"part\": \"crashes\",\n      \"state\": \"ok\""),
                 before.out.constData());
        QProcess process;
        process.start(PIMC, {"kernel", "-", "-t", "aim", "-v"});
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += process.readAllStandardError()).contains("resources "), 60'000);
        QTest::qWait(200); // until it waits for its input
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGSEGV), 0);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitStatus(), QProcess::CrashExit);
        QVERIFY(process.readAllStandardError().contains("pimc: it crashed; "));
        const Run doctor = pimc({"doctor"});
        QVERIFY2(doctor.out.contains("crashes") && doctor.out.contains("SIGSEGV"), doctor.out.constData());
        const QDir folder(state.filePath("pimstudio/crashes"));
        const QStringList files = folder.entryList(QDir::Files);
        QCOMPARE(files.size(), 1);
        const QByteArray report = readFile(folder.filePath(files.front()));
        QVERIFY2(report.contains("pim::inputText(") && report.contains("\nlog:\n") &&
                     report.contains("info    pimc "),
                 report.constData());
        qunsetenv("XDG_STATE_HOME");
    }

    void columnsOfTables_data() {
        QTest::addColumn<QStringList>("verb");
        QTest::addColumn<QString>("columns");
        QTest::addColumn<QByteArray>("first");
        QTest::newRow("targets") << QStringList{"targets"} << "host,target" << QByteArray("host  target");
        QTest::newRow("one of several tables")
            << QStringList{"targets", "aim"} << "unit,value" << QByteArray("unit  value");
        QTest::newRow("zoo") << QStringList{"zoo"} << "parameters,name" << QByteArray("parameters  name");
        QTest::newRow("compile") << kCompile << "type,time_each,ops" << QByteArray("type  time each  ops");
        QTest::newRow("compile, simulated")
            << kCompile + QStringList{"--simulate"} << "simulated,first" << QByteArray("simulated  first");
        QTest::newRow("explore") << QStringList{"explore",  "sample:tiny-gpt",
                                                "--target", "aim",
                                                "--op",     "/layers.0/mlp/fc1/MatMul",
                                                "--top",    "2",
                                                "--bind",   "past=7"}
                                 << "draft,rank" << QByteArray("draft");
        QTest::newRow("which") << QStringList{"which", "sample:tiny-gpt", "-t",
                                              "aim",   "--no-hosts",      "--predict"}
                               << "machine,energy,a_request" << QByteArray("Machine  Energy  A request");
        QTest::newRow("sweep") << QStringList{"sweep", "sample:tiny-gpt", "--target",
                                              "aim",   "--over",          "past=4,8"}
                               << "total_ns,past" << QByteArray("total  past");
        QTest::newRow("sweep as CSV")
            << QStringList{"sweep", "sample:tiny-gpt", "--target", "aim", "--over", "past=4,8", "--csv"}
            << "total_ns,past" << QByteArray("total_ns,past\n");
        QTest::newRow("explore as CSV") << QStringList{"explore",  "sample:tiny-gpt",
                                                       "--target", "aim",
                                                       "--op",     "/layers.0/mlp/fc1/MatMul",
                                                       "--csv",    "--rejected",
                                                       "--bind",   "past=7"}
                                        << "rule,rank" << QByteArray("rule,rank\n");
    }
    void columnsOfTables() {
        QFETCH(QStringList, verb);
        QFETCH(QString, columns);
        QFETCH(QByteArray, first);
        const Run run = pimc(verb + QStringList{"--columns", columns});
        COMPARE_CODE(run, 0);
        QByteArray said = run.out.simplified();
        QVERIFY2(said.contains(first.simplified()), run.out.constData());
        if (first.endsWith('\n')) {
            QVERIFY(run.out.startsWith(first));
            for (const QByteArray& line : run.out.trimmed().split('\n'))
                QCOMPARE(line.count(','), 1);
        }
    }
    void aColumnThatThereIsNot() {
        const Run run = pimc({"zoo", "--columns", "name,paramters"});
        COMPARE_CODE(run, 1);
        QVERIFY(run.out.isEmpty());
        for (const char* const said :
             {"no table has the column \"paramters\"", "did you mean \"parameters\"?",
              "there are name, parameters, open_dimensions, what"})
            QVERIFY2(run.err.contains(said), run.err.constData());
        const Run json = pimc({"zoo", "--columns", "name", "--json"});
        COMPARE_CODE(json, 1);
        QVERIFY2(json.err.contains("--json"), json.err.constData());
        const Run none = pimc({"completion", "bash", "--columns", "name"});
        COMPARE_CODE(none, 0);
        QVERIFY2(none.err.contains("note: nothing was printed that has columns"), none.err.constData());
    }
    void schemasAreFoundByTheirVerb() {
        const Run list = pimc({"schema"});
        COMPARE_CODE(list, 0);
        QVERIFY(list.out.startsWith("compile\n") && !list.out.contains("completion"));
        const Run one = pimc({"schema", "which"});
        COMPARE_CODE(one, 0);
        QCOMPARE(one.out, readFile(PIM_SOURCE_DIR "/resources/schemas/which.json"));
        const Run wrong = pimc({"schema", "whihc"});
        COMPARE_CODE(wrong, 1);
        QVERIFY2(wrong.err.contains("did you mean \"which\"?"), wrong.err.constData());
    }
};

QTEST_GUILESS_MAIN(TestPimcLog)
#include "tst_app_pimc_log.moc"
