// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The log: what is collected stays bounded and whole whoever writes, a file that takes no more is said once, and the end that a crash
/// report gets consists of whole lines.
#include "core/base/log.h"
#include "core/base/parallel.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <fcntl.h>
#include <set>
#include <unistd.h>

using namespace pim;

class TestLog : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    QByteArray tailOf(const Log& log) const {
        const QByteArray path = m_folder.filePath("tail").toLocal8Bit();
        const int handle = ::open(path.constData(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        log.writeTail(handle);
        ::close(handle);
        QFile file(QString::fromLocal8Bit(path));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private slots:
    void levelsHaveNames() {
        for (const LogLevel level : {LogLevel::Error, LogLevel::Warning, LogLevel::Info, LogLevel::Debug})
            QVERIFY(logLevel(name(level)) == level);
        QVERIFY(!logLevel("loud"));
    }
    void nothingIsKeptUnlessAskedFor() {
        Log log;
        QVERIFY(log.wants(LogLevel::Warning) && !log.wants(LogLevel::Info));
        log.write(LogLevel::Debug, "graph", "before");
        log.collect(10);
        QVERIFY(log.wants(LogLevel::Debug));
        log.write(LogLevel::Debug, "graph", "a\x1b[31mb");
        const auto entries = log.since(0);
        QCOMPARE(entries.size(), std::size_t{1});
        QCOMPARE(entries.front().text, std::string("a\\x1b[31mb"));
        QCOMPARE(QByteArray::fromStdString(entries.front().line()).mid(25),
                 QByteArray("debug   graph: a\\x1b[31mb"));
        QCOMPARE(tailOf(log), QByteArray::fromStdString(entries.front().line() + "\n"));
    }
    void whatIsCollectedIsBounded() {
        Log log;
        log.collect(100);
        for (int i = 1; i <= 250; ++i)
            log.write(LogLevel::Info, {}, std::to_string(i));
        auto entries = log.since(0);
        QCOMPARE(entries.size(), std::size_t{100});
        QCOMPARE(entries.front().text, std::string("151"));
        QCOMPARE(log.since(240).size(), std::size_t{10});
        QVERIFY(log.since(250).empty());
        log.collect(100'000);
        for (int i = 0; i < 300; ++i)
            log.write(LogLevel::Info, {}, std::string(1 << 20, 'x'));
        std::size_t bytes = 0;
        for (const LogEntry& entry : log.since(0))
            bytes += entry.text.size();
        QVERIFY2(bytes > (1 << 20) && bytes <= (8 << 20), qPrintable(QString::number(bytes)));
    }
    void theTailIsWholeLines() {
        Log log;
        log.collect(0);
        for (int i = 0; i < 5000; ++i)
            log.write(LogLevel::Info, "room", "line " + std::to_string(i) + " end");
        const QByteArray tail = tailOf(log);
        QVERIFY(tail.size() > 30'000 && tail.size() <= 32 * 1024);
        const QList<QByteArray> lines = tail.trimmed().split('\n');
        QVERIFY(lines.last().endsWith("line 4999 end"));
        for (const QByteArray& line : lines)
            QVERIFY2(line.size() > 40 && line.at(4) == '-' && line.endsWith(" end"), line.constData());
        QVERIFY(log.since(0).empty());
    }
    void manyWriteAtOnce() {
        const QString file = m_folder.filePath("many.log");
        Log log;
        QVERIFY(log.open(file.toStdString()));
        log.collect(10'000);
        std::atomic<int> told = 0;
        log.tell([&] { ++told; });
        constexpr std::size_t kLines = 2000;
        parallelFor(kLines, 8, [&](std::size_t i) { log.write(LogLevel::Info, "r", std::to_string(i)); });
        QCOMPARE(told.load(), int(kLines));
        const auto entries = log.since(0);
        QCOMPARE(entries.size(), kLines);
        std::set<std::string> texts;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            QCOMPARE(entries[i].number, i + 1);
            texts.insert(entries[i].text);
        }
        QCOMPARE(texts.size(), kLines);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(std::size_t(written.readAll().count('\n')), kLines);
    }
    void aFullDiskEndsTheFileAlone() {
        if (!QFile::exists("/dev/full"))
            QSKIP("there is no /dev/full");
        Log log;
        QVERIFY(log.open("/dev/full"));
        log.collect(10);
        log.write(LogLevel::Info, {}, "one");
        log.write(LogLevel::Info, {}, "two");
        QCOMPARE(log.since(0).size(), std::size_t{2});
        const auto problem = log.fileProblem();
        QVERIFY(problem && problem->text().find("No space left on device") != std::string::npos);
        const auto nowhere = log.open(m_folder.filePath("no/file").toStdString());
        QVERIFY(!nowhere && nowhere.error().hint.find("--log-file") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestLog)
#include "tst_core_base_log.moc"
