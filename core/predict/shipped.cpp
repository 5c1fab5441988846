// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/shipped.h"

#include "core/base/mapped_file.h"
#include "core/base/paths.h"

#include <fmt/format.h>

namespace pim {

namespace fs = std::filesystem;

Result<std::shared_ptr<const LearnedPredictor>> readPredictor(const fs::path& file) {
    PIM_TRY(const auto mapped, MappedFile::open(file));
    const std::string_view bytes(reinterpret_cast<const char*>(mapped->bytes().data()),
                                 mapped->bytes().size());
    auto read = LearnedPredictor::fromBytes(bytes, file.string());
    PIM_CHECK(mapped->stillWhole());
    return read;
}

Result<std::shared_ptr<const LearnedPredictor>> readPredictor(const fs::path& file, const Target& target) {
    PIM_TRY(auto predictor, readPredictor(file));
    PIM_CHECK(predictor->checkFits(target, file.string()));
    return predictor;
}

fs::path shippedPredictorFile(const Target& target) {
    return resourceDir() / "predictors" / (target.id + ".predictor");
}

std::shared_ptr<const LearnedPredictor> predictorFor(const Target& target, Diagnostics* problems) {
    const fs::path file = shippedPredictorFile(target);
    std::error_code ignored;
    if (!fs::exists(file, ignored))
        return nullptr;
    auto predictor = readPredictor(file, target);
    if (predictor)
        return *predictor;
    if (problems)
        problems->push_back(
            {Severity::Note, predictor.error().where, predictor.error().message, predictor.error().hint});
    return nullptr;
}

std::optional<PredictorError> knownError(const Exploration& exploration, const CompileOptions& options) {
    auto learned = std::dynamic_pointer_cast<const LearnedPredictor>(options.predictor);
    if (!learned)
        learned = predictorFor(*exploration.target, nullptr);
    if (!learned || !learned->checkFits(*exploration.target, {}) ||
        !learned->wasTrainedWith(exploration.codePasses))
        return std::nullopt;
    const LearnedForm* const form =
        learned->formOf(exploration.space->kernel(), residencyOf(exploration.tensors));
    return form && form->error.drafts > 0 ? std::optional(form->error) : std::nullopt;
}

void usePredictor(CompileOptions& options, std::shared_ptr<const LearnedPredictor> learned) {
    if (learned && !learned->wasTrainedWith(options.passes)) // other code takes other times
        learned = nullptr;
    options.predictorVersion = learned ? std::string(learned->version()) : std::string();
    options.predictor = std::move(learned);
}

void usePredictor(CompileOptions& options, const Target& target, Diagnostics* problems) {
    usePredictor(options, predictorFor(target, problems));
}

Result<void> restorePredictor(CompileOptions& options, const Target& target) {
    if (options.predictorVersion.empty() || options.predictor)
        return {};
    if (const auto shipped = predictorFor(target, nullptr);
        shipped && shipped->version() == options.predictorVersion) {
        options.predictor = shipped;
        return {};
    }
    return fail(ErrorCode::NotFound,
                fmt::format("its drafts were ranked by predictor {}, which is not here any more",
                            options.predictorVersion),
                target.id, "compile it again, with the current predictor or without one");
}

} // namespace pim
