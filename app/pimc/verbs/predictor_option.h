// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// `--predictor`, shared by the verbs that choose drafts.
#include "app/pimc/session.h"

namespace CLI {
class App;
}

namespace pim::cli {

struct PredictorOption {
    /// "off", "shipped" or a file. Off as in the window, so that both decide alike.
    std::string predictor = "off";

    void declare(CLI::App& verb);
    /// Says why a predictor that is there cannot be used; a file that was named must fit.
    Result<void> apply(Session& session, const Target& target, CompileOptions& options) const;
};

} // namespace pim::cli
