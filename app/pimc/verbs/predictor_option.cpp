// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/predictor_option.h"

#include "core/predict/shipped.h"

#include <CLI/CLI.hpp>

namespace pim::cli {

void PredictorOption::declare(CLI::App& verb) {
    verb.add_option(
            "--predictor", predictor,
            "What ranks the drafts of an op: off: their price; shipped: the learned predictor there is "
            "for the target; or one in a file (`pimc train`)")
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
    PIM_TRY(const auto learned, readPredictor(predictor, target));
    options.predictorVersion = learned->version();
    options.predictor = learned;
    return {};
}

} // namespace pim::cli
