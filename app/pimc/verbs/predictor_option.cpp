// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/predictor_option.h"

#include "core/predict/shipped.h"
#include "core/project/project.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <fstream>

namespace pim::cli {
namespace {

bool isProjectFile(const std::filesystem::path& file) {
    constexpr std::string_view kBegin =
        "SQLite format 3"; // https://www.sqlite.org/fileformat.html section 1.2
    std::string begin(kBegin.size(), '\0');
    return std::ifstream(file, std::ios::binary).read(begin.data(), std::ssize(begin)) && begin == kBegin;
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

void PredictorOption::declare(CLI::App& verb) {
    verb.add_option(
            "--predictor", predictor,
            "What ranks the drafts of an op: off: their price; shipped: the learned predictor there is "
            "for the target; or one in a file (`pimc predictor train`), or in a project")
        ->capture_default_str()
        ->type_name("off|shipped|FILE");
}

Result<void> PredictorOption::apply(Session& session, const Target& target, CompileOptions& options) const {
    if (predictor == "off")
        return {};
    if (predictor == "shipped") {
        Diagnostics problems;
        usePredictor(options, target, &problems);
        session.say(problems);
        return {};
    }
    PIM_TRY(const auto learned, readPredictorOrProject(predictor));
    PIM_CHECK(learned->checkFits(target, predictor));
    if (!learned->wasTrainedWith(options.passes))
        session.say(fmt::format(
            "note: {} was trained with other code passes, so drafts are ranked by their price", predictor));
    usePredictor(options, learned);
    return {};
}

} // namespace pim::cli
