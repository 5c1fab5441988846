// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// `--predictor`, shared by the verbs that choose drafts.
#include "app/pimc/session.h"
#include "core/predict/learned_predictor.h"

#include <filesystem>

namespace CLI {
class App;
}

namespace pim::cli {

/// A predictor file, or a project whose decisions have one. Error::InvalidFile; NotFound for a project without one.
Result<std::shared_ptr<const LearnedPredictor>> readPredictorOrProject(const std::filesystem::path& file);

struct PredictorOption {
    /// "off", "shipped" or a file. Off as in the window, so that both decide alike.
    std::string predictor = "off";

    void declare(CLI::App& verb);
    /// Says why a predictor that is there cannot be used; a file that was named must fit.
    Result<void> apply(Session& session, const Target& target, CompileOptions& options) const;
};

} // namespace pim::cli
