// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Predictors in files, and the one that is shipped for a target (resources/predictors/TARGET.predictor).
#include "core/predict/learned_predictor.h"
#include "core/predict/predictor_set.h"

#include <filesystem>

namespace pim {

/// Reads one file, whatever machine it is for. Error::InvalidFile as LearnedPredictor::fromBytes.
Result<std::shared_ptr<const LearnedPredictor>> readPredictor(const std::filesystem::path& file);
/// Reads one for \p target. Error::InvalidTarget as checkFits.
Result<std::shared_ptr<const LearnedPredictor>> readPredictor(const std::filesystem::path& file,
                                                              const Target& target);

/// The one that is shipped for a target; null if there is none. \param problems gets why one that is there cannot be
/// used, and is appended to; may be null. Read once, however often it is asked for.
std::shared_ptr<const LearnedPredictor> predictorFor(const Target& target, Diagnostics* problems);
/// LearnedPredictor::whereBetter() of it; null if there is none, or it is nowhere better than the formula.
std::shared_ptr<const LearnedPredictor> betterPredictorFor(const Target& target);

/// Makes \p options ask \p learned; nobody if it is null or was trained with other code passes.
void usePredictor(CompileOptions& options, std::shared_ptr<const LearnedPredictor> learned);
/// The same with the one that is shipped for \p target.
void usePredictor(CompileOptions& options, const Target& target, Diagnostics* problems);
/// What a compile does unasked: betterPredictorFor() each of the targets.
void useBetterPredictors(CompileOptions& options, std::span<const std::shared_ptr<const Target>> targets);

/// For options that name predictors and have none: the shipped ones, or where they are better, if it is these. Error::NotFound where it
/// is not; nothing to do where they name none. \param targets of all that is compiled with them.
Result<void> restorePredictor(CompileOptions& options,
                              std::span<const std::shared_ptr<const Target>> targets);
/// How far predicted times of these drafts are off: as measured for their machine and form of kernel when the predictor
/// of \p options, or else the one there is for the machine, was trained. nullopt: not known. Reads a file.
std::optional<PredictorError> knownError(const Exploration& exploration, const CompileOptions& options);

std::filesystem::path shippedPredictorFile(const Target& target);

} // namespace pim
