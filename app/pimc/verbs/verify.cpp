// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/verbs.h"
#include "core/report/bundle.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {
namespace {

Result<void> run(Session& session, const std::string& bundle) {
    PIM_TRY(const VerifyReport report, verifyBundle(bundle, session.task()));
    if (session.json) {
        nlohmann::ordered_json problems = nlohmann::ordered_json::array();
        for (const Diagnostic& problem : report.problems)
            problems.push_back(
                {{"object", problem.object}, {"message", problem.message}, {"hint", problem.hint}});
        const nlohmann::ordered_json json{{"bundle", bundle},
                                          {"sound", report.problems.empty()},
                                          {"files", report.files},
                                          {"programs", report.programs},
                                          {"problems", problems}};
        PIM_CHECK(
            session.print(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n"));
    } else {
        PIM_CHECK(
            session.print(fmt::format("{}: {} files, {} programs, {}\n", bundle, report.files,
                                      report.programs, report.problems.empty() ? "sound" : "NOT SOUND")));
        for (const Diagnostic& problem : report.problems)
            session.complain(problem.object + ": " + problem.message);
    }
    if (report.problems.empty())
        return {};
    return fail(ErrorCode::InvalidFile, fmt::format("{} problems were found", report.problems.size()), bundle,
                "compile again to get a sound bundle");
}

} // namespace

Action verifyVerb(CLI::App& verb) {
    auto bundle = std::make_shared<std::string>();
    verb.add_option("BUNDLE", *bundle, "Folder that `pimc compile --out` wrote")->required()->type_name("");
    verb.footer("Example:\n  pimc verify bundle --json");
    return [bundle](Session& session) { return run(session, *bundle); };
}

} // namespace pim::cli
