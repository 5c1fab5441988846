// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/versions.h"

#include "core/base/built_with.h"
#include "core/base/jobs.h"
#include "core/base/paths.h"
#include "core/base/text_table.h"
#include "core/hardware/catalog.h"
#include "core/project/project.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>

namespace pim {

VersionList versionList(const TargetCatalog& catalog, bool all) {
    VersionList list;
    list.facts = {
        {"projects", fmt::format("schema {}", Project::kSchemaVersion)},
        {"targets", fmt::format("{} machines, {} hosts", catalog.targets().size(), catalog.hosts().size())},
        {"resources", resourceDir().string()}};
    if (utsname system{}; all && uname(&system) == 0)
        list.facts.emplace_back("system",
                                fmt::format("{} {} on {}, glibc {}, {} at once", system.sysname,
                                            system.release, system.machine, gnu_get_libc_version(), jobs()));
    for (const auto& [what, version] : kBuiltWith)
        list.facts.emplace_back(what, version);
    if (all)
        for (const auto& target : catalog.targets())
            list.machines.emplace_back(target->id,
                                       fmt::format("{}, {}", target->backend, target->file.string()));
    return list;
}

std::string versionText(const VersionList& list) {
    TextTable facts({"", ""});
    for (const auto& [what, version] : list.facts)
        facts.add({what, version});
    if (list.machines.empty())
        return facts.text();
    TextTable machines({"", ""});
    for (const auto& [id, what] : list.machines)
        machines.add({id, what});
    return facts.text() + "\n" + machines.text();
}

} // namespace pim
