// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/shipped.h"

#include "core/base/mapped_file.h"
#include "core/base/paths.h"

namespace pim {

namespace fs = std::filesystem;

Result<std::shared_ptr<const LearnedPredictor>> readPredictor(const fs::path& file, const Target& target) {
    PIM_TRY(const auto mapped, MappedFile::open(file));
    const std::string_view bytes(reinterpret_cast<const char*>(mapped->bytes().data()),
                                 mapped->bytes().size());
    PIM_TRY(const auto predictor, LearnedPredictor::fromBytes(bytes, file.string()));
    PIM_CHECK(predictor->checkFits(target, file.string()));
    return predictor;
}

fs::path userPredictorFile(const Target& target) {
    const fs::path folder = configDir();
    return folder.empty() ? fs::path() : folder / "predictors" / (target.id + ".predictor");
}

fs::path shippedPredictorFile(const Target& target) {
    return resourceDir() / "predictors" / (target.id + ".predictor");
}

std::shared_ptr<const LearnedPredictor> predictorFor(const Target& target, Diagnostics* problems) {
    for (const fs::path& file : {userPredictorFile(target), shippedPredictorFile(target)}) {
        std::error_code ignored;
        if (file.empty() || !fs::exists(file, ignored))
            continue;
        if (auto predictor = readPredictor(file, target))
            return *predictor;
        else if (problems)
            problems->push_back(
                {Severity::Note, predictor.error().where, predictor.error().message, predictor.error().hint});
    }
    return nullptr;
}

} // namespace pim
