// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_io.h"
#include "core/base/scratch_folder.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace pim;

/// Files are whole or not there.
class TestFileIo : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::filesystem::path path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    QByteArray content(const char* name) const {
        QFile file(m_folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("not there");
    }
    QStringList names() const {
        return QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden, QDir::Name);
    }

private slots:
    void pouredPieceByPiece() {
        QByteArray whole;
        {
            auto out = OutputFile::create(path("a"));
            QVERIFY(out);
            for (int i = 0; i < 300; ++i) { // beyond what is written at once, in pieces below and above that
                const QByteArray piece(i % 50 == 0 ? 100'000 : i, char('a' + i % 26));
                whole += piece;
                QVERIFY(out->write(piece.toStdString()));
            }
            QCOMPARE(out->size(), std::int64_t(whole.size()));
            QCOMPARE(content("a"), QByteArray("not there"));
            QVERIFY(out->finish());
        }
        QCOMPARE(content("a"), whole);
        QCOMPARE(names(), QStringList{"a"});
    }

    void theOlderStaysUntilTheNewOneIsWhole() {
        QVERIFY(replaceFile(path("a"), "old"));
        {
            auto out = OutputFile::create(path("a"));
            QVERIFY(out && out->write(std::string(1 << 20, 'n')));
            QCOMPARE(content("a"), QByteArray("old"));
        } // never finished
        QCOMPARE(content("a"), QByteArray("old"));
        QCOMPARE(names(), QStringList{"a"});
        QVERIFY(replaceFile(path("a"), "new"));
        QCOMPARE(content("a"), QByteArray("new"));
    }

    void linksAndDevicesStayWhatTheyAre() {
        QVERIFY(replaceFile(path("a"), "old"));
        QVERIFY(QFile::link(m_folder.filePath("a"), m_folder.filePath("link")));
        QVERIFY(replaceFile(path("link"), "new"));
        QVERIFY(QFileInfo(m_folder.filePath("link")).isSymLink());
        QCOMPARE(content("a"), QByteArray("new"));
        QVERIFY(replaceFile("/dev/null", "gone"));
        QVERIFY(!QFileInfo("/dev/null").isFile());
        const auto full = replaceFile("/dev/full", "too much");
        QVERIFY(!full && full.error().code == ErrorCode::Io);
        QVERIFY2(full.error().text().find("/dev/full: cannot write: No space left on device") !=
                     std::string::npos,
                 full.error().text().c_str());
        QFile::remove(m_folder.filePath("link"));
    }

    void whatCannotBeWrittenSaysWhy() {
        const auto nowhere = replaceFile(path("none/a"), "x");
        QVERIFY(!nowhere);
        QVERIFY(nowhere.error().text().find("make the folder first") != std::string::npos);
        const auto folder = replaceFile(m_folder.path().toStdString(), "x");
        QVERIFY(!folder);
        QVERIFY(folder.error().text().find("is a folder, not a file") != std::string::npos);
        const QByteArray before = qgetenv("TMPDIR");
        qputenv("TMPDIR", "/nowhere/at all");
        const auto scratch = ScratchFolder::make();
        before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before);
        QVERIFY(!scratch);
        QVERIFY2(scratch.error().text().starts_with("/nowhere/at all: "), scratch.error().text().c_str());
        QVERIFY(ScratchFolder::make());
    }
};

QTEST_GUILESS_MAIN(TestFileIo)
#include "tst_core_base_file_io.moc"
