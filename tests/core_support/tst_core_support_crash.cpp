// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What is left of a program that crashes. Each case runs this very program again, which then ends as the case says.
#include "core/base/background.h"
#include "core/base/log.h"
#include "core/support/crash_handler.h"
#include "core/support/crash_reports.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <unistd.h>

namespace pim::crash_test {

// Not inlined and named, as the stack is to tell of them.

[[gnu::noinline]] void readNothing() {
    const int* volatile nowhere = nullptr;
    std::printf("%d", *nowhere);
}

[[gnu::noinline]] int callForEver(volatile int* depth) {
    volatile char room[256] = {};
    room[0] = static_cast<char>(*depth);
    *depth = *depth + 1;
    return *depth > 0 ? callForEver(depth) + room[0] : 0;
}

namespace {
[[gnu::noinline]] void fail(const char* why) {
    throw std::runtime_error(why);
}
[[gnu::noinline]] void throwToNobody() noexcept {
    fail("nobody\ncatches this");
}
} // namespace

[[gnu::noinline]] void waitToBeKilled() {
    std::puts("ready");
    std::fflush(stdout);
    for (;;)
        ::pause();
}

void elsewhere(const std::function<void()>& piece) {
    Background work;
    work.start(piece);
    work.wait();
}

void crash(const std::string& how) {
    Log::get().write(LogLevel::Info, "test", "about to crash: " + how);
    volatile int depth = 0;
    if (how == "read")
        readNothing();
    else if (how == "worker")
        elsewhere(readNothing);
    else if (how == "overflow")
        std::printf("%d", callForEver(&depth));
    else if (how == "overflow-worker")
        elsewhere([&] { std::printf("%d", callForEver(&depth)); });
    else if (how == "throw")
        throwToNobody();
    else if (how == "abort")
        std::abort();
    else
        waitToBeKilled();
}

} // namespace pim::crash_test

using namespace pim;

class TestCrash : public QObject {
    Q_OBJECT

    struct Ended {
        int signal = 0;
        QByteArray err;
    };
    /// \p kill: with this signal, once it waits for it.
    static Ended run(const QString& how, const QString& folder, int kill = 0) {
        QProcess process;
        process.start(QCoreApplication::applicationFilePath(), {"--crash", how, folder});
        if (kill != 0 && process.waitForReadyRead(30'000))
            ::kill(static_cast<pid_t>(process.processId()), kill);
        if (!process.waitForFinished(60'000))
            return {};
        // Qt gives the number of the signal as the code of a crash.
        return {process.exitStatus() == QProcess::CrashExit ? process.exitCode() : -1,
                process.readAllStandardError()};
    }

private slots:
    void initTestCase() {
        if (!reportCrashes("tests 1.0", {}))
            QSKIP("sanitizers report crashes themselves, and the handler stays out of their way");
        for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
            std::signal(number, SIG_DFL); // the crashes are those of the children
    }

    void aStackIsLeft_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<QString>("function");
        QTest::addColumn<QString>("head");
        QTest::newRow("read") << SIGSEGV << "pim::crash_test::readNothing()"
                              << "SIGSEGV, memory that is not there; address 0x0";
        QTest::newRow("worker") << SIGSEGV << "pim::crash_test::readNothing()"
                                << "thread: worker";
        QTest::newRow("overflow") << SIGSEGV << "pim::crash_test::callForEver(int volatile*)"
                                  << "thread: main";
        QTest::newRow("overflow-worker") << SIGSEGV << "pim::crash_test::callForEver(int volatile*)"
                                         << "thread: worker";
        QTest::newRow("throw") << SIGABRT << "fail(char const*)"
                               << "exception: std::runtime_error: nobody catches this";
        QTest::newRow("abort") << SIGABRT << "pim::crash_test::crash("
                               << "SIGABRT, the program gave up";
    }
    void aStackIsLeft() {
        QFETCH(int, signal);
        QFETCH(QString, function);
        QFETCH(QString, head);
        const QTemporaryDir place;
        const QString folder = place.filePath("state/crashes"); // made when it is needed
        const Ended ended = run(QTest::currentDataTag(), folder);
        QCOMPARE(ended.signal, signal);
        QVERIFY2(ended.err.contains("test: it crashed; ") && ended.err.contains(folder.toUtf8()),
                 ended.err.constData());
        const auto reports = crashReports(folder.toStdString());
        QCOMPARE(reports.size(), std::size_t{1});
        const CrashReport& report = reports.front();
        const QString text = QString::fromStdString(report.text);
        QVERIFY2(text.contains(function) && text.contains(head), qPrintable(text));
        QVERIFY2(QString::fromStdString(report.place).contains(function.section(QLatin1Char(':'), -1)),
                 report.place.c_str());
        QVERIFY2(text.contains("test: about to crash: " + QString::fromLatin1(QTest::currentDataTag())),
                 qPrintable(text));
        QCOMPARE(report.program, std::string("test 2.5"));
        QVERIFY(report.when.starts_with("20") && report.when.ends_with("Z"));
        // The file has the names by now, and is read as it was.
        const auto again = crashReports(folder.toStdString());
        QCOMPARE(again.front().text, report.text);
        QFile file(QString::fromStdString(report.file.string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().toStdString(), report.text);
        QVERIFY(removeCrashReport(report.file));
        QVERIFY(crashReports(folder.toStdString()).empty());
    }

    void aKilledProcessTellsWhereItWas() {
        for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) {
            const QTemporaryDir place;
            QCOMPARE(run("wait", place.path(), number).signal, number);
            const auto reports = crashReports(place.path().toStdString());
            QCOMPARE(reports.size(), std::size_t{1});
            QVERIFY2(reports.front().text.find("pim::crash_test::waitToBeKilled()") != std::string::npos,
                     reports.front().text.c_str());
        }
        const QTemporaryDir place; // whoever wants it to end is no crash
        QCOMPARE(run("wait", place.path(), SIGTERM).signal, SIGTERM);
        QVERIFY(crashReports(place.path().toStdString()).empty());
    }

    void withoutAFolderStandardErrorGetsIt() {
        for (const QString& folder : {QString(), QStringLiteral("/proc/no/such/folder")}) {
            const Ended ended = run("read", folder);
            QCOMPARE(ended.signal, SIGSEGV);
            QVERIFY2(ended.err.contains("signal: SIGSEGV") && ended.err.contains("stack:\n") &&
                         ended.err.contains("test: about to crash: read"),
                     ended.err.constData());
        }
    }

    void otherProgramsLendNoNames() {
        const QTemporaryDir place;
        run("read", place.path());
        auto file = QDir(place.path()).entryInfoList(QDir::Files).value(0).filePath();
        QFile raw(file);
        QVERIFY(raw.open(QIODevice::ReadOnly));
        QByteArray text = raw.readAll();
        raw.close();
        const qsizetype build = text.indexOf("build: ") + 7;
        QVERIFY(build > 7 && text.at(build) != '\n');
        text[build] = text[build] == '0' ? '1' : '0';
        QVERIFY(raw.open(QIODevice::WriteOnly) && raw.write(text) == text.size());
        raw.close();
        const CrashReport report = crashReports(place.path().toStdString()).front();
        QVERIFY2(report.text.find("readNothing") == std::string::npos &&
                     report.text.find("not the one that crashed") != std::string::npos,
                 report.text.c_str());
    }

    void whatIsNoReportIsSurvived() {
        const QTemporaryDir place;
        int number = 0;
        for (const QByteArray& content :
             {QByteArray(), QByteArray("stack:"), QByteArray("stack:\nx(+0x)[0x1]\n(+0x12)[0x]\n"),
              QByteArray("seconds: 999999999999999999999\n"), QByteArray(3 << 20, 'x'),
              QByteArray("\0\xff\n", 3)}) {
            QFile file(place.filePath(QStringLiteral("%1.txt").arg(number++)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(content);
        }
        QCOMPARE(crashReports(place.path().toStdString()).size(), std::size_t{6});
        QVERIFY(crashReports("/no/such/folder").empty());
    }

    void theOldestGo() {
        const QTemporaryDir place;
        for (int i = 0; i < 25; ++i) {
            QFile file(place.filePath(QStringLiteral("a%1.txt").arg(i)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("program: x\nseconds: " + QByteArray::number(1'700'000'000 + i) + "\n");
        }
        const auto reports = crashReports(place.path().toStdString());
        QCOMPARE(reports.size(), std::size_t{20});
        QCOMPARE(QString::fromStdString(reports.front().file.filename().string()), QStringLiteral("a24.txt"));
        QCOMPARE(QDir(place.path()).entryList(QDir::Files).size(), 20);
    }
};

int main(int argc, char** argv) {
    if (argc == 4 && std::string_view(argv[1]) == "--crash") {
        pim::reportCrashes("test 2.5", argv[3]);
        pim::crash_test::crash(argv[2]);
        return 0;
    }
    QCoreApplication app(argc, argv);
    TestCrash test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_core_support_crash.moc"
