// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/version.h"

#include "app/pimc/verbs/verbs.h"
#include "core/base/paths.h"
#include "core/base/text_table.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace pim::cli {

Action versionVerb(CLI::App& verb, const BackendList&) {
    verb.footer("Example:\n  pimc version --json");
    return [](Session& session) -> Result<void> {
        if (!session.json)
            return session.print("pimc " PIM_VERSION "\n");
        auto backends = nlohmann::ordered_json::array();
        for (const auto& backend : session.backends().all())
            backends.push_back({{"id", backend->id()}, {"summary", backend->summary()}});
        const nlohmann::ordered_json json{
            {"version", PIM_VERSION}, {"backends", backends}, {"resources", resourceDir().string()}};
        return session.print(json.dump(2) + "\n");
    };
}

} // namespace pim::cli
