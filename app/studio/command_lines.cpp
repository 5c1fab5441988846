// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/command_lines.h"

#include "core/compile/draft_choice.h"
#include "core/crossbar/option_text.h"
#include "core/dual_mode/option_text.h"
#include "views/models/workspace.h"

#include <QRegularExpression>

namespace pim::studio {
namespace {

/// Its id where the catalog has that very machine, else the file it was read from.
QString targetWord(const views::Workspace& workspace, const Target& target) {
    const auto known = workspace.catalog().find(target.id, target.host.id);
    return known && (*known)->hash == target.hash ? QString::fromStdString(target.id)
                                                  : QString::fromStdString(target.file.string());
}

void addOptions(QStringList& line, const CompileOptions& options) {
    const CompileOptions usual;
    line << QStringLiteral("--dtype") << QString::fromUtf8(name(options.computeType).data());
    if (!options.convAsGemm)
        line << QStringLiteral("--conv") << QStringLiteral("direct");
    if (options.overlapHostTransfer)
        line << QStringLiteral("--overlap-transfer");
    if (!options.groupCommands)
        line << QStringLiteral("--no-group-commands");
    if (options.verifyDrafts != kVerifiedDrafts)
        line << QStringLiteral("--verify") << QString::number(options.verifyDrafts);
    if (options.mapping != usual.mapping)
        line << QStringLiteral("--mapping") << QString::fromStdString(std::string(name(options.mapping)));
    for (const std::string& pass : options.passes.leftOut)
        line << QStringLiteral("--no-code-pass") << QString::fromStdString(pass);
    if (options.seed != usual.seed)
        line << QStringLiteral("--seed") << QString::number(options.seed);
    for (const auto& [key, value] : dualModeOptionTexts(options.cim))
        line << QStringLiteral("--cim") << shellWord(QString::fromStdString(key + "=" + value));
    for (const auto& [key, value] : crossbarOptionTexts(options.crossbar))
        line << QStringLiteral("--crossbar") << shellWord(QString::fromStdString(key + "=" + value));
}

} // namespace

QString shellWord(const QString& text) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./=,:+-]+$"));
    return plain.match(text).hasMatch()
               ? text
               : u'\'' + QString(text).replace(u'\'', QStringLiteral("'\\''")) + u'\'';
}

QString modelLine(const views::Workspace& workspace, const QString& verb, const QStringList& more,
                  const LineOf& what) {
    QStringList line{QStringLiteral("pimc"), verb, shellWord(workspace.modelPath())};
    const auto inForce = workspace.target();
    if (const Target* target = what.target ? what.target : inForce.get())
        line << QStringLiteral("--target") << shellWord(targetWord(workspace, *target))
             << QStringLiteral("--host")
             << shellWord(what.host.isEmpty() ? QString::fromStdString(target->host.id) : what.host);
    QStringList bindings;
    for (const auto& [symbol, value] : workspace.graphOptions().bindings)
        bindings.append(QStringLiteral("%1=%2").arg(QString::fromStdString(symbol)).arg(value));
    if (!bindings.isEmpty())
        line << QStringLiteral("--bind") << shellWord(bindings.join(u','));
    for (const std::string& pass : workspace.graphOptions().disabledPasses)
        line << QStringLiteral("--no-pass") << shellWord(QString::fromStdString(pass));
    addOptions(line, what.options ? *what.options : workspace.options());
    line << more;
    const Overrides& overrides = what.overrides ? *what.overrides : workspace.overrides();
    if (overrides.empty())
        return line.join(u' ');
    line << QStringLiteral("--override") << QStringLiteral("-");
    return QStringLiteral("printf %s ") + shellWord(QString::fromStdString(overrides.json())) +
           QStringLiteral(" | ") + line.join(u' ');
}

QString exploreLine(const views::Workspace& workspace, int best) {
    const auto graph = workspace.graph();
    const OpId op = workspace.selection().op;
    if (!graph || !op.valid())
        return {};
    QStringList more{QStringLiteral("--op"), shellWord(QString::fromStdString(graph->op(op).name))};
    if (best > 0)
        more << QStringLiteral("--simulate") << QString::number(best);
    return modelLine(workspace, QStringLiteral("explore"), more);
}

QString reportLine(const views::Workspace& workspace, const QString& file) {
    const QString out = shellWord(file);
    if (workspace.project() && workspace.lastRun() > 0 && !workspace.isStale())
        return QStringLiteral("pimc report %1 --run %2 -o %3")
            .arg(shellWord(QString::fromStdString(workspace.project()->file().string())))
            .arg(workspace.lastRun())
            .arg(out);
    return compileLine(workspace, {file.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive)
                                       ? QStringLiteral("--pdf")
                                       : QStringLiteral("--report"),
                                   out});
}

} // namespace pim::studio
