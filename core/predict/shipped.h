// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Predictors in files, and the one that is shipped for a target (resources/predictors/TARGET.predictor).
#include "core/predict/learned_predictor.h"

#include <filesystem>

namespace pim {

/// Reads one file, whatever machine it is for. Error::InvalidFile as LearnedPredictor::fromBytes.
Result<std::shared_ptr<const LearnedPredictor>> readPredictor(const std::filesystem::path& file);
/// Reads one for \p target. Error::InvalidTarget as checkFits.
Result<std::shared_ptr<const LearnedPredictor>> readPredictor(const std::filesystem::path& file,
                                                              const Target& target);

/// The one that is shipped for a target; null if there is none. \param problems gets why one that is there cannot be
/// used, and is appended to; may be null.
std::shared_ptr<const LearnedPredictor> predictorFor(const Target& target, Diagnostics* problems);

/// Makes \p options ask \p learned; nobody if it is null or was trained with other code passes.
void usePredictor(CompileOptions& options, std::shared_ptr<const LearnedPredictor> learned);
/// The same with the one that is shipped for \p target.
void usePredictor(CompileOptions& options, const Target& target, Diagnostics* problems);

/// For options that name a predictor and have none: the shipped one, if it is that. Error::NotFound where it is not; nothing to do
/// where they name none.
Result<void> restorePredictor(CompileOptions& options, const Target& target);

/// How far predicted times of these drafts are off: as measured for their machine and form of kernel when the predictor
/// of \p options, or else the one there is for the machine, was trained. nullopt: not known. Reads a file.
std::optional<PredictorError> knownError(const Exploration& exploration, const CompileOptions& options);

std::filesystem::path shippedPredictorFile(const Target& target);

} // namespace pim
