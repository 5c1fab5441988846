// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Rows of a table in tests/golden, fields by column name.
#include <QFile>
#include <QHash>
#include <QStringList>

#include <vector>

namespace pim::test {

using GoldenRow = QHash<QString, QString>;

/// Quoted fields may hold commas; empty if the file is not there. \param file below tests/golden
inline std::vector<GoldenRow> goldenRows(const QString& name) {
    QFile file(QStringLiteral(PIM_SOURCE_DIR "/tests/golden/") + name);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QStringList names;
    std::vector<GoldenRow> rows;
    for (const QByteArray& line : file.readAll().split('\n')) {
        if (line.trimmed().isEmpty())
            continue;
        QStringList fields(1);
        bool quoted = false;
        for (const QChar c : QString::fromUtf8(line)) {
            if (c == u'"')
                quoted = !quoted;
            else if (c == u',' && !quoted)
                fields.append(QString());
            else if (c != u'\r')
                fields.back() += c;
        }
        if (names.isEmpty()) {
            names = fields;
            continue;
        }
        GoldenRow& row = rows.emplace_back();
        for (qsizetype i = 0; i < std::min(names.size(), fields.size()); ++i)
            row[names[i]] = fields[i];
    }
    return rows;
}

} // namespace pim::test
