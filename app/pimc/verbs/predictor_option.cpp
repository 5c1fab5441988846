// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/predictor_option.h"

#include "core/predict/shipped.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

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
    const bool isShipped = predictor == kShippedRanking;
    if (predictor == kAutomaticRanking || predictor == kFormulaRanking || (!isShipped && !options.predictor))
        return {};
    for (const auto& target : targets)
        if (isShipped ? !std::filesystem::exists(shippedPredictorFile(*target))
                      : !learnedBy(options.predictor, *target))
            session.say(fmt::format("note: {}: {}, so drafts are ranked by their price", target->id,
                                    isShipped ? "no predictor is shipped for it"
                                              : predictor + " was not trained for it"));
    return {};
}

void PredictorOption::sayOutside(Session& session, const Exploration& exploration,
                                 const CompileOptions& options) {
    const auto learned = learnedBy(options.predictor, *exploration.target);
    const std::string outside =
        learned ? learned->outside(exploration.space->kernel(), residencyOf(exploration.tensors))
                : std::string();
    if (!outside.empty())
        session.say(fmt::format("warning: {}: the kernel lies outside what predictor {} has learned ({}). "
                                "train one that covers it: pimc predictor train --model MODEL",
                                exploration.target->id, learned->version(), outside));
}

} // namespace pim::cli
