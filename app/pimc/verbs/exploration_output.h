// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Prints the drafts of one op or kernel, for `explore` and `kernel`.
#include "app/pimc/session.h"
#include "core/predict/shipped.h"

namespace CLI {
class App;
}

namespace pim::cli {

struct ExplorationOutput {
    bool csv = false;
    bool rejected = false; ///< Pruned drafts too, with the rule.
    std::optional<std::int64_t> top;
    std::string rules = "1,2,3";

    void declare(CLI::App& verb);
    /// The search with all allocations and the rules asked for.
    Result<TilingOptions> tilingOptions() const;
    /// \param title what the drafts are of: the op, the kernel file. \param known how far predicted times are off.
    Result<void> print(Session& session, const Exploration& exploration, const std::string& title,
                       const std::optional<PredictorError>& known) const;
};

/// JSON: {"drafts", "price", "predicted", "worst_predicted"}, shares; null where nothing is known.
std::string knownErrorJson(const std::optional<PredictorError>& known);
/// One line for a person. \param predicts a predictor was asked, beside the price.
std::string knownErrorText(const std::optional<PredictorError>& known, bool predicts);

/// The backend of the target, after it has accepted the target.
Result<const Backend*> backendFor(Session& session, const Target& target);

} // namespace pim::cli
