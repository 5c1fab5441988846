// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/draft_ranking.h"

#include "core/predict/shipped.h"
#include "views/models/workspace.h"

#include <QFileInfo>

namespace pim::views {

DraftRanking::DraftRanking(Workspace& workspace, Access access)
    : QObject(&workspace), m_workspace(workspace), m_access(std::move(access)) {
    connect(&workspace, &Workspace::targetChanged, this, &DraftRanking::changed);
}

DraftRanking& DraftRanking::of(const Workspace& workspace) {
    auto* const ranking = workspace.findChild<DraftRanking*>(QString(), Qt::FindDirectChildrenOnly);
    PIM_ASSERT(ranking, "a workspace has its ranking");
    return *ranking;
}

std::shared_ptr<const LearnedPredictor> DraftRanking::inForce() const {
    return std::dynamic_pointer_cast<const LearnedPredictor>(m_workspace.options().predictor);
}

bool DraftRanking::isShipped() const {
    std::error_code ignored;
    return m_workspace.target() &&
           std::filesystem::exists(shippedPredictorFile(*m_workspace.target()), ignored);
}

QString DraftRanking::whyNotOwn() const {
    const auto& own = choice().own;
    if (!own)
        return choice().ownVersion.empty()
                   ? tr("There is none yet: open a predictor file, or train one.")
                   : tr("Predictor %1 of this project cannot be read: open its file, or train one anew.")
                         .arg(QString::fromStdString(choice().ownVersion));
    if (!m_workspace.target())
        return tr("Choose a target first.");
    const auto fits = own->checkFits(*m_workspace.target(), {});
    if (!fits)
        return QString::fromStdString("Predictor " + std::string(own->version()) + ": " +
                                      fits.error().message) +
               u'.';
    return {};
}

QString DraftRanking::statement() const {
    if (const auto learned = inForce()) {
        const QString version = QString::fromStdString(std::string(learned->version()));
        if (choice().by == By::Own)
            return tr("Drafts are ranked by your predictor %1").arg(version);
        if (choice().by == By::Shipped)
            return tr("Drafts are ranked by the predictor shipped for this machine (%1)").arg(version);
        QStringList kernels;
        for (const auto& [id, form] : learned->model().forms)
            kernels << QString::fromStdString(form.kernel);
        return tr("Drafts of %1 are ranked by the predictor shipped for this machine, which ranks them "
                  "better "
                  "(%2); all others by the formula")
            .arg(kernels.join(QStringLiteral(", ")), version);
    }
    switch (choice().by) {
    case By::Automatic:
        return isShipped() ? tr("Drafts are ranked by the formula: the predictor shipped for this machine is "
                                "nowhere better, or was trained for other code")
                           : tr("Drafts are ranked by the formula: no predictor is shipped for this machine");
    case By::Shipped:
        return isShipped()
                   ? tr("Drafts are ranked by the formula: the shipped predictor was trained for other code")
                   : tr("Drafts are ranked by the formula: no predictor is shipped for this machine");
    case By::Own: {
        const QString why = whyNotOwn();
        return why.isEmpty()
                   ? tr("Drafts are ranked by the formula: your predictor was trained for other code")
                   : tr("Drafts are ranked by the formula. %1").arg(why);
    }
    case By::Formula:
        break;
    }
    return tr("Drafts are ranked by the formula");
}

void DraftRanking::choose(By by) {
    RankingChoice chosen = choice();
    if (chosen.by == by || (by == By::Own && !chosen.own))
        return;
    chosen.by = by;
    m_access.choose(std::move(chosen), by == By::Automatic ? tr("Rank drafts by what ranks them better")
                                       : by == By::Formula ? tr("Rank drafts by the formula")
                                       : by == By::Shipped ? tr("Rank drafts by the shipped predictor")
                                                           : tr("Rank drafts by your predictor"));
}

void DraftRanking::use(std::shared_ptr<const LearnedPredictor> predictor, const QString& what) {
    const std::string version(predictor->version());
    if (choice().by == By::Own && choice().ownVersion == version && choice().own)
        return;
    m_access.choose({By::Own, std::move(predictor), version}, tr("Rank drafts by %1").arg(what));
}

void DraftRanking::useFile(const QString& file) {
    const auto target = m_workspace.target();
    if (!target)
        return emit m_workspace.failed(tr("Choose a target first"), {});
    m_workspace.tasks()->start(tr("Reading %1").arg(QFileInfo(file).fileName()),
                               [this, file, target](const TaskContext&) -> std::function<void()> {
                                   auto read = readPredictor(file.toStdString(), *target);
                                   return [this, file, read = std::move(read)] {
                                       if (!read)
                                           return emit m_workspace.failed(
                                               tr("%1 cannot rank drafts here: %2 — %3")
                                                   .arg(QFileInfo(file).fileName(),
                                                        QString::fromStdString(read.error().message),
                                                        QString::fromStdString(read.error().hint)),
                                               QString::fromStdString(read.error().text()));
                                       use(*read, QFileInfo(file).fileName());
                                   };
                               });
}

} // namespace pim::views
