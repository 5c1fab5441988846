// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/version.h"

#include "app/pimc/verbs/verbs.h"
#include "core/base/built_with.h"
#include "core/base/paths.h"
#include "core/base/text_table.h"
#include "core/project/project.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {
namespace {

std::string versionText(const TargetCatalog& catalog) {
    TextTable table({"", ""});
    table.add({"projects", fmt::format("schema {}", Project::kSchemaVersion)});
    table.add(
        {"targets", fmt::format("{} machines, {} hosts", catalog.targets().size(), catalog.hosts().size())});
    table.add({"resources", resourceDir().string()});
    for (const auto& [what, version] : kBuiltWith)
        table.add({std::string(what), std::string(version)});
    return "pimc " PIM_VERSION "\n" + table.text();
}

} // namespace

Action versionVerb(CLI::App& verb, const BackendList&) {
    verb.footer("Example:\n  pimc version --json");
    return [](Session& session) -> Result<void> {
        const TargetCatalog& catalog = session.catalog();
        if (!session.json)
            return session.print(versionText(catalog));
        auto backends = nlohmann::ordered_json::array();
        for (const auto& backend : session.backends().all())
            backends.push_back({{"id", backend->id()}, {"summary", backend->summary()}});
        nlohmann::ordered_json libraries;
        for (const auto& [what, version] : kBuiltWith)
            libraries[what] = version;
        const nlohmann::ordered_json json{{"version", PIM_VERSION},
                                          {"project_schema", Project::kSchemaVersion},
                                          {"targets", catalog.targets().size()},
                                          {"hosts", catalog.hosts().size()},
                                          {"built_with", libraries},
                                          {"backends", backends},
                                          {"resources", resourceDir().string()}};
        return session.print(json.dump(2) + "\n");
    };
}

} // namespace pim::cli
