// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What ranks the drafts of ops, as it is written: `--predictor` of the command line, `predictor=` of the Python module. Flow: word,
/// targets -> CompileOptions::predictor.
#include "core/compile/sweep.h"
#include "core/predict/learned_predictor.h"

#include <filesystem>
#include <span>

namespace pim {

/// What was learned where it was measured to rank better than the formula, else the formula.
inline constexpr std::string_view kAutomaticRanking = "auto";
inline constexpr std::string_view kFormulaRanking = "off";
/// The shipped predictor for all it has learned, better or not.
inline constexpr std::string_view kShippedRanking = "shipped";

/// A predictor file, or a project whose decisions have one. Error::InvalidFile; NotFound for a project without one.
Result<std::shared_ptr<const LearnedPredictor>> readPredictorOrProject(const std::filesystem::path& file);

/// Makes \p options ask what \p choice says: one of the words above, or a file as above, which must fit one of the targets
/// (Error::InvalidTarget). \param problems gets why a predictor that is there is not asked.
Result<void> rankDraftsBy(std::string_view choice, std::span<const std::shared_ptr<const Target>> targets,
                          CompileOptions& options, Diagnostics& problems);
Result<void> rankDraftsBy(std::string_view choice, const std::shared_ptr<const Target>& target,
                          CompileOptions& options, Diagnostics& problems);

/// Those that its points are compiled for, as they are before figures of them vary. \param setup prepared.
std::span<const std::shared_ptr<const Target>> targetsOf(const SweepSetup& setup);

} // namespace pim
