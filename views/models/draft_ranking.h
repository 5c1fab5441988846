// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What ranks the drafts of ops: what was learned where it ranks better, the formula, the predictor shipped for the machine, or one of the user's
/// own. One setting a project, undone and redone and kept with it like every decision; a predictor of the user's own is kept with it too.
#include "core/predict/learned_predictor.h"

#include <QObject>
#include <QString>

#include <functional>

namespace pim::views {

class Workspace;

/// As it was chosen. What it comes to on the current target is in Workspace::options().
struct RankingChoice {
    enum class By : std::uint8_t { Automatic, Formula, Shipped, Own };
    By by = By::Automatic;
    std::shared_ptr<const LearnedPredictor> own; ///< Stays while another ranks, to be taken up again.
    std::string ownVersion;                      ///< Of \ref own, also where that could not be read.
    friend bool operator==(const RankingChoice&, const RankingChoice&) = default;
};

class DraftRanking : public QObject {
    Q_OBJECT
public:
    using By = RankingChoice::By;
    struct Access {
        std::function<const RankingChoice&()> now;
        std::function<void(RankingChoice, const QString& text)> choose; ///< One undo step.
    };
    /// A child of the workspace, which makes it.
    DraftRanking(Workspace& workspace, Access access);
    static DraftRanking& of(const Workspace& workspace);

    const RankingChoice& choice() const { return m_access.now(); }
    /// Null: the formula ranks, chosen or because the predictor chosen is not for this machine.
    std::shared_ptr<const LearnedPredictor> inForce() const;
    bool isShipped() const;    ///< There is one for the current target.
    QString whyNotOwn() const; ///< As a sentence; empty: own() fits the current target.
    QString statement() const; ///< What ranks now, in a sentence.

    void choose(By by); ///< Own: the one there is.
    /// Makes \p predictor the user's own and lets it rank. \p what it is, for the undo step.
    void use(std::shared_ptr<const LearnedPredictor> predictor, const QString& what);
    /// The same with a file, read in a task. Fails by Workspace::failed, changing nothing.
    void useFile(const QString& file);

signals:
    void changed(); ///< choice(), or what it comes to.

private:
    Workspace& m_workspace;
    Access m_access;
};

} // namespace pim::views
