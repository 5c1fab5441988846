// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Runs the real `pimc` and keeps what it printed. The test names the program: PIMC of CMakeLists.txt.
#include <QDirIterator>
#include <QFile>
#include <QJsonDocument>
#include <QMap>
#include <QProcess>
#include <QTest>

namespace pim::test {

struct Run {
    int code = -1; ///< -1: it crashed or did not end.
    QByteArray out, err;
    QJsonDocument json() const { return QJsonDocument::fromJson(out); }
};

constexpr int kPimcTimeoutMs = 300'000;

inline Run pimc(const QStringList& arguments, const QByteArray& input = {}, const QString& folder = {}) {
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(PIMC, arguments);
    process.write(input);
    process.closeWriteChannel();
    Run run;
    if (!process.waitForFinished(kPimcTimeoutMs))
        return run;
    run.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    return run;
}

inline QByteArray readFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Relative path -> content of every file below a folder.
inline QMap<QString, QByteArray> contentOf(const QString& folder) {
    QMap<QString, QByteArray> files;
    QDirIterator walk(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (walk.hasNext()) {
        const QString path = walk.next();
        files[QDir(folder).relativeFilePath(path)] = readFile(path);
    }
    return files;
}

} // namespace pim::test

/// Calls once: QVERIFY2 evaluates its text each time.
#define COMPARE_CODE(run, expected)                                                                          \
    do {                                                                                                     \
        const pim::test::Run& called = (run);                                                                \
        QVERIFY2(called.code == (expected), (called.out.left(2000) + called.err).constData());               \
    } while (false)
