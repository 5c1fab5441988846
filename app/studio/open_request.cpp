// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/open_request.h"

#include "core/report/link.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

namespace pim::studio {
namespace {

constexpr qint64 kBytesLookedAt = 512 * 1024;

struct Text {
    Q_DECLARE_TR_FUNCTIONS(pim::studio::OpenRequest)
};

QByteArray beginningOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(kBytesLookedAt) : QByteArray();
}

/// Reports carry links to the run they are of; the first is of the whole run.
QString linkInReport(const QString& path) {
    static const QRegularExpression link(QStringLiteral("pim:/?/?[^\"'<>\\s)]+#[^\"'<>\\s)]+"));
    const QString found = link.match(QString::fromUtf8(beginningOf(path)))
                              .captured()
                              .replace(QStringLiteral("&amp;"), QStringLiteral("&"));
    return !found.isEmpty() && parseLink(found.toStdString()) ? found : QString();
}

OpenRequest refused(const QString& path, const QString& why) {
    return {OpenRequest::Kind::Refused, path, why};
}

} // namespace

OpenRequest judgeFile(const QString& path, bool isChosen) {
    if (isLink(path.toStdString()))
        return {OpenRequest::Kind::Link, path, {}};
    const QFileInfo file(path);
    const QString suffix = file.suffix().toLower(), name = file.fileName();
    if (file.isDir())
        return refused(path, Text::tr("%1 is a folder. Drop the .onnx or .pimproj file in it.").arg(name));
    if (suffix == QStringLiteral("onnx"))
        return {OpenRequest::Kind::Model, path, {}};
    if (suffix == QStringLiteral("pimproj"))
        return {OpenRequest::Kind::Project, path, {}};
    if (suffix == QStringLiteral("html") || suffix == QStringLiteral("htm")) {
        const QString link = linkInReport(path);
        return link.isEmpty() ? refused(path, Text::tr("%1 is no report of a stored run: there is no link to "
                                                       "a project in it. Open the project itself.")
                                                  .arg(name))
                              : OpenRequest{OpenRequest::Kind::Link, link, {}};
    }
    if (suffix == QStringLiteral("json"))
        return beginningOf(path).contains("\"pim-target\"")
                   ? OpenRequest{OpenRequest::Kind::Target, path, {}}
                   : refused(path, Text::tr("%1 describes no target machine.").arg(name));
    if (suffix == QStringLiteral("mlir"))
        return refused(path,
                       Text::tr("%1 is a program, no model. Choose Open… in the panel Levels.").arg(name));
    if (isChosen)
        return {OpenRequest::Kind::Model, path, {}}; // the reader says what is wrong with it
    return refused(path, Text::tr("%1 cannot be opened. PIM Studio opens .onnx models, .pimproj projects, "
                                  ".html reports and .json targets.")
                             .arg(name));
}

} // namespace pim::studio
