// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Archives as another program reads them, and texts that do not tell whose they are.
#include "core/support/archive.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace pim;

class TestArchive : public QObject {
    Q_OBJECT

private slots:
    void anotherProgramReadsIt() {
        const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
        if (python.isEmpty())
            QSKIP("python3 unpacks the archive");
        const QTemporaryDir folder;
        const QString file = folder.filePath("problem report.zip");
        const std::string all = [] {
            std::string bytes;
            for (int i = 0; i < 100'000; ++i)
                bytes += static_cast<char>(i * 7919 >> 3);
            return bytes;
        }();
        QVERIFY(writeArchive(file.toStdString(),
                             {{"log.txt", "Größe\n"}, {"model.onnx", all}, {"empty.txt", {}}}));
        QProcess unpack;
        unpack.start(python, {"-m", "zipfile", "-e", file, folder.path()});
        QVERIFY(unpack.waitForFinished(60'000));
        QCOMPARE(unpack.exitCode(), 0);
        const auto content = [&](const char* name) {
            QFile each(folder.filePath("problem report/" + QString::fromLatin1(name)));
            return each.open(QIODevice::ReadOnly) ? each.readAll().toStdString() : std::string("none");
        };
        QCOMPARE(content("log.txt"), std::string("Größe\n"));
        QVERIFY(content("model.onnx") == all);
        QCOMPARE(content("empty.txt"), std::string());
        QVERIFY(QFileInfo(file).size() < static_cast<qint64>(all.size())); // and it is packed
    }
    void aFullDiskIsSaid() {
        const auto nowhere = writeArchive("/no/such/folder/a.zip", {{"a", "b"}});
        QVERIFY(!nowhere && nowhere.error().code == ErrorCode::Io);
        if (!QFile::exists("/dev/full"))
            QSKIP("there is no /dev/full");
        const auto full = writeArchive("/dev/full", {{"a", "b"}});
        QVERIFY(!full && full.error().text().find("No space left") != std::string::npos);
    }
    void homeIsNotTold() {
        const QByteArray before = qgetenv("HOME");
        qputenv("HOME", "/home/ada");
        QCOMPARE(withoutHome("open /home/ada/a.onnx, /home/ada, \"/home/ada\" and /home/adam/b"),
                 std::string("open ~/a.onnx, ~, \"~\" and /home/adam/b"));
        qputenv("HOME", "/");
        QCOMPARE(withoutHome("/home/x"), std::string("/home/x"));
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("real") &&
                QFile::link(folder.filePath("real"), folder.filePath("link")));
        qputenv("HOME", folder.filePath("link").toUtf8());
        QCOMPARE(withoutHome((folder.filePath("real/x ") + folder.filePath("link/y")).toStdString()),
                 std::string("~/x ~/y"));
        qputenv("HOME", before);
    }
};

QTEST_GUILESS_MAIN(TestArchive)
#include "tst_core_support_archive.moc"
