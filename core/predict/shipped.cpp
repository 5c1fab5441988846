// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/shipped.h"

#include "core/base/mapped_file.h"
#include "core/base/paths.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <optional>

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

namespace {

/// Of one file, as long as it stays what it is: a window asks after every decision.
struct ShippedModel {
    fs::file_time_type written;
    Result<std::shared_ptr<const LearnedPredictor>> whole;
    std::shared_ptr<const LearnedPredictor> better;
};

/// Nothing: there is no such file.
std::optional<ShippedModel> shippedModel(const Target& target) {
    static std::mutex mutex;
    // Never freed: XGBoost cannot free trees when its own statics are gone.
    static auto& known = *new std::map<fs::path, ShippedModel>; // NOLINT(cppcoreguidelines-owning-memory)
    const fs::path file = shippedPredictorFile(target);
    std::error_code problem;
    const auto written = fs::last_write_time(file, problem);
    if (problem)
        return std::nullopt;
    const std::lock_guard lock(mutex);
    auto at = known.find(file);
    if (at == known.end() || at->second.written != written) {
        auto read = readPredictor(file);
        auto better = read ? (*read)->whereBetter() : nullptr;
        at = known.insert_or_assign(file, ShippedModel{written, std::move(read), std::move(better)}).first;
    }
    return at->second;
}

} // namespace

std::shared_ptr<const LearnedPredictor> predictorFor(const Target& target, Diagnostics* problems) {
    const auto shipped = shippedModel(target);
    if (!shipped)
        return nullptr;
    const auto told = [problems](const Error& error) {
        if (problems)
            problems->push_back({Severity::Note, error.where, error.message, error.hint});
        return nullptr;
    };
    if (!shipped->whole)
        return told(shipped->whole.error());
    if (const auto fits = (*shipped->whole)->checkFits(target, shippedPredictorFile(target).string()); !fits)
        return told(fits.error());
    return *shipped->whole;
}

std::shared_ptr<const LearnedPredictor> betterPredictorFor(const Target& target) {
    const auto shipped = shippedModel(target);
    return shipped && shipped->better && shipped->better->checkFits(target, {}) ? shipped->better : nullptr;
}

std::optional<PredictorError> knownError(const Exploration& exploration, const CompileOptions& options) {
    const auto errorBy =
        [&](const std::shared_ptr<const LearnedPredictor>& learned) -> std::optional<PredictorError> {
        if (!learned || !learned->checkFits(*exploration.target, {}) ||
            !learned->wasTrainedWith(exploration.codePasses))
            return std::nullopt;
        const LearnedForm* const form =
            learned->formOf(exploration.space->kernel(), residencyOf(exploration.tensors));
        return form && form->error.drafts > 0 ? std::optional(form->error) : std::nullopt;
    };
    const std::shared_ptr<const LearnedPredictor> learned = learnedBy(options.predictor, *exploration.target);
    // Where it leaves a form to the formula, the one shipped still knows how far off that is.
    if (learned && !learned->model().withinSizes)
        return errorBy(learned);
    const auto error = errorBy(learned);
    return error ? error : errorBy(predictorFor(*exploration.target, nullptr));
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

void useBetterPredictors(CompileOptions& options, std::span<const std::shared_ptr<const Target>> targets) {
    PredictorSet::Members better;
    for (const auto& target : targets)
        if (const auto one = target ? betterPredictorFor(*target) : nullptr;
            one && one->wasTrainedWith(options.passes))
            better.push_back(one);
    options.predictor = predictorOf(std::move(better));
    options.predictorVersion = options.predictor ? std::string(options.predictor->version()) : std::string();
}

Result<void> restorePredictor(CompileOptions& options,
                              std::span<const std::shared_ptr<const Target>> targets) {
    if (options.predictorVersion.empty() || options.predictor)
        return {};
    PredictorSet::Members found;
    for (const std::string_view version : predictorVersions(options.predictorVersion)) {
        std::shared_ptr<const LearnedPredictor> one;
        for (const auto& target : targets)
            for (const auto& shipped : {predictorFor(*target, nullptr), betterPredictorFor(*target)})
                if (shipped && shipped->version() == version)
                    one = shipped;
        if (!one)
            return fail(
                ErrorCode::NotFound,
                fmt::format("its drafts were ranked by predictor {}, which is not here any more", version),
                targets.empty() ? std::string() : targets.front()->id,
                "compile it again, with the current predictor or without one");
        found.push_back(std::move(one));
    }
    options.predictor = predictorOf(std::move(found));
    return {};
}

} // namespace pim
