// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/predictor_option.h"

#include <CLI/CLI.hpp>

namespace pim::cli {

void PredictorOption::declare(CLI::App& verb) {
    verb.add_option(
            "--predictor", predictor,
            "What ranks the drafts of an op: auto: the predictor shipped for the target where it ranks "
            "better than their price; off: their price; shipped: that predictor for all it has learned; or "
            "one in a file (`pimc predictor train`), or in a project")
        ->capture_default_str()
        ->type_name("auto|off|shipped|FILE");
}

Result<void> PredictorOption::apply(Session& session, std::span<const std::shared_ptr<const Target>> targets,
                                    CompileOptions& options) const {
    Diagnostics problems;
    PIM_CHECK(rankDraftsBy(predictor, targets, options, problems));
    session.say(problems);
    return {};
}

} // namespace pim::cli
