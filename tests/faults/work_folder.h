// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What `pimc compile` leaves in a folder, however it ended: whole, and with all that it said was stored.
#include "core/project/project.h"
#include "tests/support/pimc_process.h"

namespace pim::test {

/// A project whose integrity holds, with as many runs as were said to be stored, or one more.
inline QString soundProject(const QString& file, int runs) {
    const auto project = Project::open(file.toStdString());
    if (!project)
        return QString::fromStdString(project.error().text());
    if (const auto sound = (*project)->checkIntegrity(); !sound)
        return QString::fromStdString(sound.error().text());
    const auto there = (*project)->runs();
    if (!there || std::ssize(*there) < runs)
        return QStringLiteral("a run that was stored is not there");
    for (const RunInfo& run : *there)
        if (const auto ops = (*project)->runOps(run.id); !ops || ops->empty())
            return QStringLiteral("run %1 is not whole").arg(run.id);
    return {};
}

/// The former file or the new one, whole.
inline QString isEither(const QString& file, const QByteArray& ending) {
    return readFile(file).endsWith(ending) ? QString() : file + " is neither the old nor the new one";
}

/// \param runs that were said to be stored
inline QString compiledFolder(const QString& folder, const Run& run, int runs) {
    if (const QString wrong = soundProject(folder + "/p.pimproj", runs); !wrong.isEmpty())
        return wrong;
    if (const Run bundle = pimc({"verify", folder + "/bundle"}); bundle.code != 0)
        return QString::fromUtf8(bundle.out + bundle.err);
    if (run.err.contains("bundle written") && !readFile(folder + "/bundle/manifest.json").contains("tiny"))
        return QStringLiteral("the bundle was said to be written and is not");
    for (const auto& [file, ending] :
         {std::pair("/r.html", "</html>\n"), {"/r.pdf", "%%EOF\n"}, {"/t.json", "\n]}\n"}})
        if (const QString wrong = isEither(folder + file, ending); !wrong.isEmpty())
            return wrong;
    return {};
}

inline QStringList compileWith(const QString& past) {
    return {"compile",   "sample:tiny-gpt", "--target", "aim",    "--bind",   "past=" + past,
            "--project", "p.pimproj",       "--out",    "bundle", "--report", "r.html",
            "--pdf",     "r.pdf",           "--trace",  "t.json", "--jobs",   "1"};
}

} // namespace pim::test
