// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/command_lines.h"

#include "core/compile/command_line.h"
#include "core/drafts/draft_choice.h"
#include "core/plan/family_options.h"
#include "views/models/draft_ranking.h"
#include "views/models/lut_calibration.h"
#include "views/models/workspace.h"

namespace pim::studio {
namespace {

/// Its id where the catalog has that very machine, else the file it was read from.
std::string targetWord(const views::Workspace& workspace, const Target& target) {
    const auto known = workspace.catalog().find(target.id, target.host.id);
    return known && (*known)->hash == target.hash ? target.id : target.file.string();
}

/// Nothing for what the verbs do unasked. A predictor of the user's own is in the project.
QString rankingWords(const views::Workspace& workspace, std::optional<views::RankingChoice::By> asked) {
    const views::RankingChoice& choice = views::DraftRanking::of(workspace).choice();
    switch (asked.value_or(choice.by)) {
    case views::RankingChoice::By::Automatic:
        break;
    case views::RankingChoice::By::Formula:
        return QStringLiteral(" --predictor off");
    case views::RankingChoice::By::Shipped:
        return QStringLiteral(" --predictor shipped");
    case views::RankingChoice::By::Own:
        if (workspace.savedProject())
            return QStringLiteral(" --predictor ") +
                   shellWord(QString::fromStdString(workspace.savedProject()->file().string()));
        break;
    }
    return {};
}

} // namespace

QString shellWord(const QString& text) {
    return QString::fromStdString(pim::shellWord(text.toStdString()));
}

QString modelLine(const views::Workspace& workspace, const QString& verb, const QStringList& more,
                  const LineOf& what) {
    ModelLine compiled;
    compiled.verb = verb.toStdString();
    compiled.model = workspace.modelPath().toStdString();
    const auto inForce = workspace.target();
    if (const Target* target = what.target ? what.target : inForce.get()) {
        compiled.target = targetWord(workspace, *target);
        compiled.host = what.host.isEmpty() ? target->host.id : what.host.toStdString();
    }
    const auto& bindings = workspace.graphOptions().bindings;
    compiled.bindings.assign(bindings.begin(), bindings.end());
    compiled.disabledPasses = workspace.graphOptions().disabledPasses;
    compiled.passOptions = workspace.graphOptions().passOptions;
    compiled.options = what.options ? *what.options : workspace.options();
    QString line = QString::fromStdString(compiled.text());
    if (verb != u"which" && verb != u"system") // these compare machines by the formula
        line += rankingWords(workspace, what.ranking);
    for (const QString& word : more)
        line += u' ' + word;
    const Overrides& overrides = what.overrides ? *what.overrides : workspace.overrides();
    if (overrides.empty())
        return line;
    return QStringLiteral("printf %s %1 | %2 --override -")
        .arg(shellWord(QString::fromStdString(overrides.json())), line);
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
    if (workspace.savedProject() && workspace.lastRun() > 0 && !workspace.isStale())
        return QStringLiteral("pimc report %1 --run %2 -o %3")
            .arg(shellWord(QString::fromStdString(workspace.savedProject()->file().string())))
            .arg(workspace.lastRun())
            .arg(out);
    return compileLine(workspace, {file.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive)
                                       ? QStringLiteral("--pdf")
                                       : QStringLiteral("--report"),
                                   out});
}

QString lutLine(views::Workspace& workspace) {
    const auto* const calibration = views::LutCalibration::of(workspace);
    if (!calibration->whyNot().isEmpty())
        return {};
    QStringList words;
    for (const QString& word : calibration->commandLine())
        words << shellWord(word);
    return words.join(u' ');
}

} // namespace pim::studio
