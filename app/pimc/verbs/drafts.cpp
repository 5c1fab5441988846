// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/verbs.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/plan/code_version.h"
#include "core/project/project.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

struct DraftsArguments {
    std::string project, target;
    bool clear = false;
};

bool isUsed(const KnownDraft& draft) {
    return draft.code == codeVersion();
}

ordered_json jsonOf(const KnownDraft& draft) {
    const auto known = [](const std::optional<double>& value) {
        return value ? ordered_json(*value) : ordered_json();
    };
    return {{"target", draft.targetId},
            {"target_hash", draft.targetHash},
            {"form", draft.form},
            {"sizes", draft.sizes},
            {"kernel", draft.kernel},
            {"residency", draft.residency},
            {"options", ordered_json::parse(draft.optionsJson, nullptr, false)},
            {"draft", draft.draft},
            {"simulated_ns", draft.price.totalNs()},
            {"price_ns", draft.check.priceNs},
            {"predicted_ns", known(draft.check.predictedNs)},
            {"simulated", draft.check.simulated},
            {"rank", draft.check.rank},
            {"loss_at_most", known(draft.check.lossAtMost)},
            {"found_utc", draft.foundUtc},
            {"of_this_code", isUsed(draft)}};
}

Result<void> print(Session& session, const StoredDrafts& stored) {
    if (session.json) {
        ordered_json drafts = ordered_json::array();
        for (const KnownDraft& draft : stored.drafts)
            drafts.push_back(jsonOf(draft));
        const ordered_json json{{"drafts", drafts}, {"damaged", stored.damaged}};
        return session.print(json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    }
    if (stored.drafts.empty())
        return session.print("it knows no drafts yet; a compile that simulates them adds some\n");
    TextTable table({"target", "kernel", "sizes", ">simulated", ">optimum within", "found", "used", "draft"});
    for (const KnownDraft& draft : stored.drafts)
        table.add({draft.targetId, draft.form, draft.sizes, timeText(draft.price.totalNs()),
                   draft.check.lossAtMost ? percentText(*draft.check.lossAtMost) : "unknown", draft.foundUtc,
                   isUsed(draft) ? "yes" : "no, other code", draft.draft});
    return session.print(table.text());
}

Result<void> clear(Session& session, const DraftsArguments& options) {
    PIM_TRY(const auto project, Project::open(options.project));
    PIM_TRY(const std::int64_t gone, project->clearKnownDrafts(options.target));
    return session.print(session.json ? fmt::format("{{\"forgotten\": {}}}\n", gone)
                                      : fmt::format("{} drafts forgotten\n", gone));
}

Result<void> run(Session& session, const DraftsArguments& options) {
    if (options.clear)
        return clear(session, options);
    PIM_TRY(const auto project, Project::open(options.project, Project::Mode::ReadOnly));
    PIM_TRY(StoredDrafts stored, project->knownDrafts());
    session.say(stored.problems(project->file()));
    if (!options.target.empty())
        std::erase_if(stored.drafts,
                      [&](const KnownDraft& draft) { return draft.targetId != options.target; });
    return print(session, stored);
}

} // namespace

Action draftsVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<DraftsArguments>();
    verb.add_option("PROJECT", options->project, "Project file")
        ->required()
        ->type_name("")
        ->check(CLI::ExistingFile);
    verb.add_option("--target", options->target, "Only those of this machine")->type_name("ID");
    verb.add_flag("--clear", options->clear, "Clear them: the next compile searches again");
    verb.footer("A compile with --project keeps the best draft that simulation found for each kernel, and "
                "answers the same\n"
                "kernel on the same machine with the same options from there: the result is the same, the "
                "search is saved.\n"
                "Examples:\n"
                "  pimc drafts p.pimproj\n"
                "  pimc drafts p.pimproj --target attacc --json\n"
                "  pimc drafts p.pimproj --clear");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
