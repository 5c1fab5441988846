// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/override_option.h"

#include "core/base/file_text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace pim::cli {

void OverrideOption::declare(CLI::App& verb) {
    verb.add_option("--override", file,
                    "Your decisions: a JSON document or JSON Patch, as for `pimc compile`; - is stdin")
        ->type_name("FILE");
}

Result<std::shared_ptr<const Plan>> OverrideOption::plan(Session& session, PlanRequest request,
                                                         const std::optional<std::string>& onPim) const {
    MarkedOverrides decided;
    if (!file.empty()) {
        PIM_TRY(const std::string text, inputText(file, session.task()));
        PIM_TRY(decided, decisionsFromJson(text, decided, file));
    }
    if (onPim)
        decided.overrides.set({*onPim, "placement", "pim"});
    PIM_TRY(const FittedPlan fitted,
            compileFitting(session.backends(), std::move(request), decided, nullptr, session.task()));
    for (const FittedDecision& decision : fitted.fit.decisions)
        if (decision.fit == Fit::Stale)
            return fail(ErrorCode::IllegalOverride, decision.reason,
                        fmt::format("{}/{}", decision.decision.op, decision.decision.field),
                        onPim && decision.decision.op == *onPim ? "leave --on-pim out"
                                                                : "leave it out of the file");
    session.say(fitted.plan->problems);
    return fitted.plan;
}

} // namespace pim::cli
