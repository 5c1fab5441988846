// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// `--override`, shared by the verbs that plan once and go on with the plan.
#include "app/pimc/session.h"
#include "core/compile/override_fit.h"

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace pim::cli {

struct OverrideOption {
    std::string file; ///< JSON document or JSON Patch; "-": stdin; empty: the user decides nothing.

    void declare(CLI::App& verb);
    /// \param onPim name of an op that has to be on PIM besides. Says what the plan has problems with. Error::IllegalOverride where a
    /// decision does not fit.
    Result<std::shared_ptr<const Plan>> plan(Session& session, PlanRequest request,
                                             const std::optional<std::string>& onPim = {}) const;
};

} // namespace pim::cli
