// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// `--predictor`, shared by the verbs that choose drafts.
#include "app/pimc/session.h"
#include "core/plan/draft_facet.h"
#include "core/project/ranking_choice.h"

namespace CLI {
class App;
}

namespace pim::cli {

struct PredictorOption {
    /// As the window and the Python module do unasked, so that all decide alike.
    std::string predictor{kAutomaticRanking};

    void declare(CLI::App& verb);
    /// rankDraftsBy(); says what came of it, and for which targets there is none though it was asked for.
    Result<void> apply(Session& session, std::span<const std::shared_ptr<const Target>> targets,
                       CompileOptions& options) const;
    Result<void> apply(Session& session, const std::shared_ptr<const Target>& target,
                       CompileOptions& options) const {
        return apply(session, {&target, 1}, options);
    }
    /// Warns where the predictor was asked about a kernel without having learned the like.
    static void sayOutside(Session& session, const Exploration& exploration, const CompileOptions& options);
};

} // namespace pim::cli
