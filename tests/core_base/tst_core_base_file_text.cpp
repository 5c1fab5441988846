// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Whole files as text, and what is no file: nothing of it is waited for.
#include "core/base/file_text.h"

#include "core/base/mapped_file.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <stop_token>
#include <thread>

using namespace pim;

class TestFileText : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string path(const char* name) const {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }
    std::string pipe(const char* name) const {
        const std::string made = path(name);
        if (mkfifo(made.c_str(), 0600) != 0)
            qFatal("cannot make a pipe");
        return made;
    }

private slots:
    void everyByteIsThere_data() {
        QTest::addColumn<int>("bytes");
        for (const int bytes : {0, 1, 4095, 4096, 4097, 8192, 1'000'003})
            QTest::addRow("%d", bytes) << bytes;
    }
    void everyByteIsThere() {
        QFETCH(int, bytes);
        std::string written;
        for (int i = 0; i < bytes; ++i)
            written += static_cast<char>(i * 7 + i / 256);
        std::ofstream(path("whole"), std::ios::binary) << written;
        QCOMPARE(fileText(path("whole")).value(), written);
        QCOMPARE(inputText(path("whole")).value(), written);
    }

    void filesThatDoNotSayHowLongTheyAre() {
        QVERIFY(fileText("/proc/self/status").value().find("VmRSS") != std::string::npos);
    }

    void whatIsNoFileIsRefusedAtOnce_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("message");
        QTest::newRow("none") << QString::fromStdString(path("none"))
                              << QStringLiteral("cannot be opened: No such file or directory");
        QTest::newRow("folder") << m_folder.path() << QStringLiteral("is a folder, not a file");
        QTest::newRow("pipe") << QString::fromStdString(pipe("pipe"))
                              << QStringLiteral("is a pipe or device, not a file");
        QTest::newRow("device") << QStringLiteral("/dev/zero")
                                << QStringLiteral("is a pipe or device, not a file");
    }
    void whatIsNoFileIsRefusedAtOnce() {
        QFETCH(QString, file);
        QFETCH(QString, message);
        const auto read = fileText(file.toStdString(), "take another");
        QVERIFY(!read);
        QCOMPARE(read.error().message, message.toStdString());
        QCOMPARE(read.error().where, file.toStdString());
        QCOMPARE(read.error().hint, std::string("take another"));
        QVERIFY(!MappedFile::open(file.toStdString())); // does not wait either
    }

    void nothingTakesAllMemory() {
        std::ofstream(path("long")) << std::string(1001, 'x');
        QCOMPARE(fileText(path("long"), {}, 1000).error().message,
                 std::string("has 1001 bytes, at most 1000 are read"));
        QCOMPARE(fileText(path("long"), {}, 1001).value().size(), std::size_t(1001));
        QCOMPARE(inputText("/dev/zero").error().message, std::string("does not end after 268435456 bytes"));
    }

    void aShellsPipeIsReadToItsEnd() {
        const std::string name = pipe("shell");
        std::string written(200'000, 'a');
        written.back() = 'z';
        std::thread writer([&] { std::ofstream(name, std::ios::binary) << written; });
        const auto read = inputText(name);
        writer.join();
        QCOMPARE(read.value(), written);
        QCOMPARE(inputText(m_folder.path().toStdString()).error().message,
                 std::string("is a folder, not a file"));
    }

    void whoWaitsForAPipeCanStop() {
        std::stop_source source;
        std::jthread other([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            source.request_stop();
        });
        const auto read = inputText(pipe("silent"), TaskContext{source.get_token(), {}});
        QCOMPARE(read.error().code, ErrorCode::Cancelled);
    }
};

QTEST_APPLESS_MAIN(TestFileText)
#include "tst_core_base_file_text.moc"
