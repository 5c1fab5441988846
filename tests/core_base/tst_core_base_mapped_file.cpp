// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Files seen as bytes: what is there, and what happens when it goes away while somebody looks.
#include "core/base/mapped_file.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

using namespace pim;

class TestMappedFile : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString write(const QString& name, qint64 bytes) {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray(int(bytes), 'x')) != bytes)
            qFatal("cannot write %s", qPrintable(file.fileName()));
        return file.fileName();
    }
    static qsizetype count(const MappedFile& file, char which) {
        return std::ranges::count(file.bytes(), std::byte(which));
    }

private slots:
    void everyByteIsThere_data() {
        QTest::addColumn<qint64>("bytes");
        QTest::newRow("empty") << qint64(0);
        QTest::newRow("read at once") << (qint64(1) << 20);
        QTest::newRow("mapped") << ((qint64(1) << 20) + 1);
        QTest::newRow("mapped, many pages") << ((qint64(5) << 20) + 17);
    }
    void everyByteIsThere() {
        QFETCH(qint64, bytes);
        const auto file = MappedFile::open(write("whole", bytes).toStdString());
        QVERIFY2(file, file ? "" : file.error().text().c_str());
        QCOMPARE(qint64((*file)->bytes().size()), bytes);
        QCOMPARE(count(**file, 'x'), qsizetype(bytes));
        QVERIFY((*file)->stillWhole());
    }

    void whatIsCutReadsAsZerosAndIsSaid() {
        const QString name = write("cut", 8 << 20);
        const auto other = MappedFile::open(write("other", 4 << 20).toStdString()).value();
        for (int time = 0; time < 2; ++time) { // the handler is there from the first time on
            write("cut", 8 << 20);
            const auto file = MappedFile::open(name.toStdString()).value();
            QVERIFY(QFile::resize(name, 10'000));
            QVERIFY(file->stillWhole()); // nobody has looked
            QCOMPARE(qint64(file->bytes().size()), qint64(8 << 20));
            QCOMPARE(count(*file, 'x'), qsizetype(10'000));
            const auto whole = file->stillWhole();
            QVERIFY(!whole);
            QCOMPARE(whole.error().code, ErrorCode::Io);
            QCOMPARE(whole.error().where, name.toStdString());
            QVERIFY(whole.error().message.find("shorter") != std::string::npos);
        }
        QCOMPARE(count(*other, 'x'), qsizetype(4 << 20));
        QVERIFY(other->stillWhole());
    }

    void aFileThatWasSmallIsACopy() {
        const QString name = write("small", 5000);
        const auto file = MappedFile::open(name.toStdString()).value();
        QVERIFY(QFile::resize(name, 0));
        QCOMPARE(count(*file, 'x'), qsizetype(5000));
        QVERIFY(file->stillWhole());
    }

    /// Faults that have nothing to do with files end the program as ever.
    void otherBusErrorsStillEndTheProgram() {
        const auto file = MappedFile::open(write("watched", 4 << 20).toStdString()).value();
        const pid_t child = ::fork();
        if (child == 0) {
            ::raise(SIGBUS);
            ::raise(SIGBUS); // the first took the handler away
            ::_exit(0);
        }
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        // By the signal, or by the report that AddressSanitizer makes of it.
        QVERIFY(WIFSIGNALED(status) ? WTERMSIG(status) == SIGBUS : WEXITSTATUS(status) != 0);
    }

    void moreFilesThanAreWatchedAreRead() {
        const std::string name = write("many", (1 << 20) + 1).toStdString();
        std::vector<std::shared_ptr<const MappedFile>> files;
        for (int i = 0; i < 1030; ++i)
            files.push_back(MappedFile::open(name).value());
        QVERIFY(QFile::resize(QString::fromStdString(name), 100));
        QCOMPARE(count(*files.back(), 'x'), qsizetype((1 << 20) + 1));
        QVERIFY(files.back()->stillWhole());
        QCOMPARE(count(*files.front(), 'x'), qsizetype(100));
        QVERIFY(!files.front()->stillWhole());
    }

    void whatIsNoFileIsRefused() {
        QCOMPARE(MappedFile::open("/nowhere/at/all").error().code, ErrorCode::Io);
        QVERIFY(MappedFile::open(m_folder.path().toStdString()).error().message.find("not a regular file") !=
                std::string::npos);
    }
};

/// Without the handlers of Qt Test, which write a page for the child that ends as it should.
int main(int argc, char** argv) {
    QStringList arguments{QStringLiteral("-nocrashhandler")};
    for (int i = argc - 1; i >= 0; --i)
        arguments.prepend(QString::fromLocal8Bit(argv[i]));
    TestMappedFile test;
    return QTest::qExec(&test, arguments);
}

#include "tst_core_base_mapped_file.moc"
