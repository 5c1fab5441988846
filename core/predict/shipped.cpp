// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/shipped.h"

#include "core/base/mapped_file.h"
#include "core/base/paths.h"

#include <fmt/format.h>

namespace pim {

namespace fs = std::filesystem;

namespace {

/// Those that are there, the user's own first.
std::vector<fs::path> predictorFiles(const Target& target) {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const fs::path& file : {userPredictorFile(target), shippedPredictorFile(target)})
        if (!file.empty() && fs::exists(file, ignored))
            files.push_back(file);
    return files;
}

void take(CompileOptions& options, std::shared_ptr<const LearnedPredictor> learned) {
    if (learned && !learned->wasTrainedWith(options.passes)) // other code takes other times
        learned = nullptr;
    options.predictorVersion = learned ? std::string(learned->version()) : std::string();
    options.predictor = std::move(learned);
}

} // namespace

Result<std::shared_ptr<const LearnedPredictor>> readPredictor(const fs::path& file, const Target& target) {
    PIM_TRY(const auto mapped, MappedFile::open(file));
    const std::string_view bytes(reinterpret_cast<const char*>(mapped->bytes().data()),
                                 mapped->bytes().size());
    const auto read = LearnedPredictor::fromBytes(bytes, file.string());
    PIM_CHECK(mapped->stillWhole());
    PIM_TRY(const auto predictor, read);
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
    for (const fs::path& file : predictorFiles(target)) {
        if (auto predictor = readPredictor(file, target))
            return *predictor;
        else if (problems)
            problems->push_back(
                {Severity::Note, predictor.error().where, predictor.error().message, predictor.error().hint});
    }
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

void usePredictor(CompileOptions& options, const Target& target, Diagnostics* problems) {
    take(options, predictorFor(target, problems));
}

void PredictorShelf::use(CompileOptions& options, const Target& target) {
    std::string files;
    std::error_code ignored;
    for (const fs::path& file : predictorFiles(target))
        files += fmt::format("{} {} {}\n", file.string(), fs::file_size(file, ignored),
                             fs::last_write_time(file, ignored).time_since_epoch().count());
    const std::lock_guard lock(m_mutex);
    Entry& entry = m_entries[target.hash];
    if (entry.files != files)
        entry = {files, predictorFor(target, nullptr)};
    take(options, entry.predictor);
}

Result<void> restorePredictor(CompileOptions& options, const Target& target) {
    if (options.predictorVersion.empty() || options.predictor)
        return {};
    for (const fs::path& file : predictorFiles(target))
        if (auto predictor = readPredictor(file, target);
            predictor && (*predictor)->version() == options.predictorVersion) {
            options.predictor = *predictor;
            return {};
        }
    return fail(ErrorCode::NotFound,
                fmt::format("its drafts were ranked by predictor {}, which is not here any more",
                            options.predictorVersion),
                target.id, "compile it again, with the current predictor or without one");
}

} // namespace pim
