// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where trained predictors lie: the user's own (configDir()/predictors/TARGET.predictor), then the shipped
/// one (resources/predictors/TARGET.predictor).
#include "core/predict/learned_predictor.h"

#include <filesystem>
#include <mutex>

namespace pim {

/// Reads one file. Error::InvalidFile as LearnedPredictor::fromBytes, InvalidTarget as checkFits.
Result<std::shared_ptr<const LearnedPredictor>> readPredictor(const std::filesystem::path& file,
                                                              const Target& target);

/// The one there is for a target; null if there is none. \param problems gets why one that is there cannot be
/// used, and is appended to; may be null.
std::shared_ptr<const LearnedPredictor> predictorFor(const Target& target, Diagnostics* problems);

/// Makes \p options ask the one there is for \p target; none if there is none that was trained with these code passes.
void usePredictor(CompileOptions& options, const Target& target, Diagnostics* problems);

/// The same for programs that compile again and again: a file is read once, and again when it changes. Reading takes longer
/// than the choice of a draft. Thread-safe.
class PredictorShelf {
public:
    void use(CompileOptions& options, const Target& target);

private:
    struct Entry {
        std::string files; ///< Names, sizes and times of those that were there.
        std::shared_ptr<const LearnedPredictor> predictor;
    };
    std::mutex m_mutex;
    std::map<std::string, Entry> m_entries; ///< By hash of the target.
};

/// For options of a stored run: the predictor they name. Error::NotFound where it is not there any more;
/// nothing to do where they name none.
Result<void> restorePredictor(CompileOptions& options, const Target& target);

/// How far predicted times of these drafts are off: as measured for their machine and form of kernel when the predictor
/// of \p options, or else the one there is for the machine, was trained. nullopt: not known. Reads a file.
std::optional<PredictorError> knownError(const Exploration& exploration, const CompileOptions& options);

std::filesystem::path userPredictorFile(const Target& target); ///< Empty if the user has no folder.
std::filesystem::path shippedPredictorFile(const Target& target);

} // namespace pim
