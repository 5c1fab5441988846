// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/ranking_choice.h"

#include "core/base/mapped_file.h"
#include "core/predict/shipped.h"
#include "core/project/project.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace pim {
namespace {

bool isProjectFile(const std::filesystem::path& file) {
    constexpr std::string_view kBegin =
        "SQLite format 3";                      // https://www.sqlite.org/fileformat.html section 1.2
    const auto mapped = MappedFile::open(file); // does not wait for a pipe
    return mapped && std::string_view(reinterpret_cast<const char*>((*mapped)->bytes().data()),
                                      (*mapped)->bytes().size())
                         .starts_with(kBegin);
}

void saySkipped(Diagnostics& problems, const std::string& what) {
    problems.push_back({Severity::Note,
                        what,
                        "it was trained with other code passes, so drafts are ranked by their price",
                        {}});
}

Result<void> rankByFile(const std::string& file, std::span<const std::shared_ptr<const Target>> targets,
                        CompileOptions& options, Diagnostics& problems) {
    PIM_TRY(const auto learned, readPredictorOrProject(file));
    Result<void> fits;
    for (const auto& target : targets)
        if (fits = learned->checkFits(*target, file); fits)
            break;
    PIM_CHECK(fits);
    if (!learned->wasTrainedWith(options.passes))
        saySkipped(problems, file);
    usePredictor(options, learned);
    return {};
}

} // namespace

Result<std::shared_ptr<const LearnedPredictor>> readPredictorOrProject(const std::filesystem::path& file) {
    if (!isProjectFile(file))
        return readPredictor(file);
    PIM_TRY(const auto project, Project::open(file, Project::Mode::ReadOnly));
    PIM_TRY(const auto state, project->decisions());
    if (auto learned =
            state ? std::dynamic_pointer_cast<const LearnedPredictor>(state->options.predictor) : nullptr)
        return learned;
    return fail(ErrorCode::NotFound, "no predictor of its own ranks the drafts of this project",
                file.string(), "name a predictor file, or choose one in the window: Model, Draft Ranking");
}

Result<void> rankDraftsBy(std::string_view choice, std::span<const std::shared_ptr<const Target>> targets,
                          CompileOptions& options, Diagnostics& problems) {
    if (choice == kFormulaRanking) {
        usePredictor(options, nullptr);
        return {};
    }
    if (choice == kAutomaticRanking) {
        useBetterPredictors(options, targets);
        return {};
    }
    if (choice != kShippedRanking)
        return rankByFile(std::string(choice), targets, options, problems);
    PredictorSet::Members shipped;
    for (const auto& target : targets) {
        const auto one = predictorFor(*target, &problems);
        if (one && one->wasTrainedWith(options.passes))
            shipped.push_back(one);
        else if (one)
            saySkipped(problems, "the predictor of " + target->id);
    }
    options.predictor = predictorOf(std::move(shipped));
    options.predictorVersion = options.predictor ? std::string(options.predictor->version()) : std::string();
    return {};
}

Result<void> rankDraftsBy(std::string_view choice, const std::shared_ptr<const Target>& target,
                          CompileOptions& options, Diagnostics& problems) {
    return rankDraftsBy(choice, {&target, 1}, options, problems);
}

std::span<const std::shared_ptr<const Target>> targetsOf(const SweepSetup& setup) {
    return setup.targets.empty() ? std::span(&setup.request.target, 1) : std::span(setup.targets);
}

} // namespace pim
