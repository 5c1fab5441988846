// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Rows of the reference files by column name.
#include <QFile>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <map>
#include <string>
#include <vector>

namespace pim::test {

using GoldenRow = std::map<std::string, QString>;

inline std::vector<GoldenRow> goldenRows(const QByteArray& text) {
    std::vector<GoldenRow> rows;
    QStringList names;
    for (const QByteArray& line : text.split('\n')) {
        if (line.trimmed().isEmpty())
            continue;
        const QStringList cells = QString::fromUtf8(line).trimmed().split(',');
        if (names.isEmpty()) {
            names = cells;
            continue;
        }
        GoldenRow row;
        for (qsizetype i = 0; i < names.size() && i < cells.size(); ++i)
            row[names[i].toStdString()] = cells[i];
        rows.push_back(std::move(row));
    }
    return rows;
}

inline QString goldenPath(const QString& file) {
    return QStringLiteral(PIM_SOURCE_DIR "/tests/golden/hbmpim/") + file;
}

inline std::vector<GoldenRow> goldenFile(const QString& file) {
    QFile source(goldenPath(file));
    if (!source.open(QIODevice::ReadOnly))
        return {};
    return goldenRows(source.readAll());
}

inline std::vector<GoldenRow> goldenGzip(const QString& file) {
    QProcess gzip;
    gzip.start(QStringLiteral("gzip"), {QStringLiteral("-dc"), goldenPath(file)});
    if (!gzip.waitForFinished() || gzip.exitCode() != 0)
        return {};
    return goldenRows(gzip.readAllStandardOutput());
}

} // namespace pim::test
