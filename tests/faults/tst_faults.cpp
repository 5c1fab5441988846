// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// `pimc`, and the window, on a disk that fails, in memory that ends, killed: at every call that changes a file, or every k-th where
/// PIM_FAULTS_AT_MOST says how many of each kind. It has done its work, or says in one message why not; and whatever was there
/// before is sound. faults.c tells what can go wrong.
#include "tests/faults/work_folder.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QProcessEnvironment>
#include <QTemporaryDir>

#include <csignal>
#include <functional>
#include <optional>

using namespace pim;
using namespace pim::test;

namespace {

constexpr const char* kFileKinds[] = {"enospc", "eio", "full", "eintr", "short", "kill"};
constexpr int kKilled = -2;
const QString kWindow = QStringLiteral("window"); ///< As a command: pimstudio.

/// What a work folder may look like afterwards. \returns what is wrong, or nothing
using Check = std::function<QString(const QString& folder, const Run& run)>;

struct Job {
    QList<QStringList> before; ///< Commands that make the folder.
    QStringList command;
    QList<QStringList> after; ///< Commands that have to succeed whatever happened, if only by doing it again.
    Check check;
};

Run runIn(const QString& folder, const QStringList& arguments, const QString& fault = {}) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (!fault.isEmpty()) {
        environment.insert("LD_PRELOAD", PIM_FAULTS);
        environment.insert("PIM_FAULT", fault);
        environment.insert("PIM_FAULT_COUNT", QFileInfo(folder).path() + "/count");
    }
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    environment.insert("HOME", folder); // settings are files of the work folder
    environment.insert("XDG_RUNTIME_DIR", QFileInfo(folder).path());
    environment.remove("XDG_CONFIG_HOME");
    environment.remove("XDG_DATA_HOME");
    environment.insert("TMPDIR", QFileInfo(folder).path() + "/tmp");
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(folder);
    if (arguments.first() == kWindow)
        process.start(PIM_STUDIO, arguments.mid(1));
    else
        process.start(PIMC, arguments);
    process.closeWriteChannel();
    Run run;
    if (!process.waitForFinished(kPimcTimeoutMs))
        return run;
    run.code = process.exitStatus() == QProcess::NormalExit                ? process.exitCode()
               : fault.startsWith("kill") && process.exitCode() == SIGKILL ? kKilled
                                                                           : -1;
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    return run;
}

void copyFolder(const QString& from, const QString& to) {
    QDir().mkpath(to);
    const QMap<QString, QByteArray> files = contentOf(from);
    for (auto it = files.begin(); it != files.end(); ++it) {
        QDir().mkpath(QFileInfo(to + '/' + it.key()).path());
        QFile file(to + '/' + it.key());
        if (!file.open(QIODevice::WriteOnly) || file.write(it.value()) != it.value().size())
            qFatal("no room for the test");
    }
}

QString recompiledFolder(const QString& folder, const Run& run) {
    return compiledFolder(folder, run, run.err.contains("stored as run 2") ? 2 : 1);
}

QString sweptFolder(const QString& folder, const Run&) {
    return soundProject(folder + "/p.pimproj", 0);
}

Job jobOf(const QString& name) {
    const QStringList sweep{"sweep",  "sample:tiny-gpt", "--target", "aim",
                            "--over", "past=4..9+1",     "--jobs",   "1"};
    const QStringList plan =
        QStringList{"sweep", "plan"} + sweep.mid(1) + QStringList{"--to", "c", "--chunk", "2"};
    const QStringList runAll{"sweep", "run", "c", "--jobs", "1"};
    // Opens a project, plans, and keeps settings and session when it is closed.
    const QStringList window{kWindow, "p.pimproj", "--new-instance", "--until-usable"};
    const QStringList merge{"sweep", "merge", "c", "--project", "p.pimproj", "--csv"};
    if (name == kWindow)
        return {{compileWith("8"), window}, window, {window}, [](const QString& folder, const Run&) {
                    return soundProject(folder + "/p.pimproj", 1);
                }};
    if (name == "compile")
        return {{compileWith("8")}, compileWith("16"), {compileWith("16")}, &recompiledFolder};
    if (name == "sweep") {
        QStringList shorter = sweep;
        shorter.replace(5, "past=4..7+1");
        const QStringList kept{"--project", "p.pimproj"};
        return {{shorter + kept},
                sweep + kept + QStringList{"--csv"},
                {{"sweep", "--project", "p.pimproj", "--list"}},
                &sweptFolder};
    }
    if (name == "campaign plan")
        return {{}, plan, {plan, runAll, merge}, {}};
    if (name == "campaign worker")
        return {{plan}, runAll, {runAll, merge}, {}};
    if (name == "campaign merge")
        return {{plan, runAll}, merge, {merge}, {}};
    return {{},
            {"zoo", "tiny-gpt-decode", "-o", "model.onnx"},
            {{"inspect", "sample:tiny-gpt"}},
            [](const QString& folder, const Run& run) {
                if (run.code != 0 && !QFile::exists(folder + "/model.onnx"))
                    return QString();
                const Run read = pimc({"inspect", folder + "/model.onnx"});
                return read.code == 0 ? QString() : QString::fromUtf8(read.err);
            }};
}

} // namespace

class TestFaults : public QObject {
    Q_OBJECT

    const int m_atMost = qEnvironmentVariableIsSet("PIM_FAULTS_AT_MOST")
                             ? qEnvironmentVariableIntValue("PIM_FAULTS_AT_MOST")
                             : 4;
    int m_runs = 0, m_failed = 0, m_killed = 0;

    /// What is left over of a command that ended by itself.
    static QStringList leftovers(const QString& folder) {
        QStringList found;
        for (const QString& file : contentOf(folder).keys())
            if (file.contains(".partial") || file.endsWith("-journal"))
                found << file;
        QStringList temporary =
            QDir(QFileInfo(folder).path() + "/tmp").entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
        temporary.removeAll("runtime-root"); // Qt's, where the folder it should use cannot be made
        return found + temporary;
    }
    /// How often \p command does what \p fault counts.
    static int callsOf(const QString& start, const QString& folder, const QStringList& command,
                       const QString& fault) {
        copyFolder(start, folder);
        const Run run = runIn(folder, command, fault);
        if (run.code != 0)
            qWarning() << run.err;
        QDir(folder).removeRecursively();
        return run.code == 0 ? readFile(QFileInfo(folder).path() + "/count").trimmed().toInt() : -1;
    }

private slots:
    void initTestCase() { QVERIFY(QFile::exists(PIM_FAULTS)); }

    void saysWhatWentWrong_data() {
        QTest::addColumn<QString>("kind");
        for (const char* job :
             {"compile", "sweep", "campaign plan", "campaign worker", "campaign merge", "zoo", "window"}) {
            if (job == kWindow && !qstrlen(PIM_STUDIO))
                continue; // built without it
            for (const char* kind : kFileKinds)
                QTest::addRow("%s, %s", job, kind) << kind;
            if (job != kWindow) // Qt ends the program where there is no memory
                QTest::addRow("%s, memory", job) << "memory";
        }
    }
    void saysWhatWentWrong() {
        QFETCH(QString, kind);
        Job job = jobOf(QString::fromUtf8(QTest::currentDataTag()).section(", ", 0, 0));
        // cairo 1.16 itself ends where it finds no memory for the letters of a PDF.
        if (kind == "memory")
            job.command.removeIf([](const QString& word) { return word == "--pdf" || word == "r.pdf"; });
        QTemporaryDir place;
        QDir(place.path()).mkdir("tmp");
        const QString start = place.filePath("start"), folder = place.filePath("work");
        QDir().mkpath(start);
        for (const QStringList& command : job.before)
            COMPARE_CODE(runIn(start, command), 0);
        const bool isWindow = job.command.first() == kWindow;
        const int calls = callsOf(start, folder, job.command, kind == "memory" ? "memory:0" : "none:0");
        QVERIFY2(calls > 0, "nothing is counted");
        const int atMost = isWindow ? m_atMost / 2 : m_atMost; // it takes its time to start
        const int step = atMost > 0 ? std::max(1, (calls + atMost - 1) / atMost) : 1;
        for (int n = 1; n <= calls; n += step) {
            copyFolder(start, folder);
            const Run run = runIn(folder, job.command, QStringLiteral("%1:%2").arg(kind).arg(n));
            const QByteArray what = QStringLiteral("%1 %2 of %3: ended with %4\n")
                                        .arg(kind)
                                        .arg(n)
                                        .arg(calls)
                                        .arg(run.code)
                                        .toUtf8() +
                                    run.err.left(1500);
            ++m_runs;
            if (run.code == kKilled)
                ++m_killed;
            else if (run.code == 1)
                ++m_failed;
            if (run.code != kKilled) {
                QVERIFY2(run.code == 0 || run.code == 1, what.constData());
                QVERIFY2(run.err.count("pimc: error: ") == (isWindow ? 0 : run.code), what.constData());
                // Without memory not even a folder can be removed: the older bundle may stay, hidden.
                QVERIFY2(kind == "memory" || leftovers(folder).isEmpty(),
                         (what + leftovers(folder).join(' ').toUtf8()).constData());
                // A call that was interrupted or did half is called again, and the reader never knows.
                QVERIFY2((kind != "eintr" && kind != "short") || run.code == 0, what.constData());
            }
            if (job.check)
                if (const QString wrong = job.check(folder, run); !wrong.isEmpty())
                    QFAIL((what + wrong.toUtf8()).constData());
            for (const QStringList& command : job.after) {
                const Run again = runIn(folder, command);
                QVERIFY2(
                    again.code == 0,
                    (what + "then " + command.join(' ').toUtf8() + ": " + again.err.left(1500)).constData());
            }
            QDir(folder).removeRecursively();
            QDir(place.filePath("tmp")).removeRecursively();
            QDir(place.path()).mkdir("tmp");
        }
    }

    void cleanupTestCase() {
        qInfo("%d runs: %d failed with a message, %d were killed, %d had done their work", m_runs, m_failed,
              m_killed, m_runs - m_failed - m_killed);
    }
};

QTEST_GUILESS_MAIN(TestFaults)
#include "tst_faults.moc"
