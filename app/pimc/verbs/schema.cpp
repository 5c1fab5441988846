// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What documents of --json look like: the files of resources/schemas, one a verb.
#include "app/pimc/verbs/verbs.h"
#include "core/base/file_text.h"
#include "core/base/paths.h"
#include "core/hardware/spelling.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace pim::cli {
namespace {

std::vector<std::string> verbsWithJson() {
    std::vector<std::string> names;
    for (const VerbGroup& group : verbGroups())
        for (const Verb& verb : group.verbs)
            if (verb.output == VerbOutput::TextOrJson)
                names.emplace_back(verb.name);
    return names;
}

Result<void> run(Session& session, const std::string& verb) {
    const std::vector<std::string> names = verbsWithJson();
    if (verb.empty())
        return session.print(fmt::format("{}\n", fmt::join(names, "\n")));
    if (std::ranges::find(names, verb) == names.end()) {
        const std::string meant = didYouMean(verb, names);
        return fail(ErrorCode::NotFound, "no verb of this name prints JSON", verb,
                    meant.empty() ? "`pimc schema` lists those that do" : meant);
    }
    PIM_TRY(const std::string text, fileText(resourceDir() / "schemas" / (verb + ".json")));
    return session.print(text);
}

} // namespace

Action schemaVerb(CLI::App& verb, const BackendList&) {
    auto name = std::make_shared<std::string>();
    verb.add_option("VERB", *name, "Verb whose documents are described; none: list those that have --json")
        ->type_name("");
    verb.footer(
        "The schemas are JSON Schema, draft 2020-12.\n"
        "Example:\n"
        "  pimc schema compile > compile.json && pimc compile m.onnx --target aim --json > plan.json &&\n"
        "      python3 -m jsonschema -i plan.json compile.json");
    return [name](Session& session) { return run(session, *name); };
}

} // namespace pim::cli
