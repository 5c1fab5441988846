// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/catalog.h"

#include "core/base/hash.h"
#include "core/base/paths.h"
#include "core/hardware/host_file.h"
#include "core/hardware/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace pim {
namespace {

namespace fs = std::filesystem;

/// Files NAME.json of a folder by name; NAME.schema.json is not one of them.
std::vector<fs::path> jsonFiles(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const auto& entry :
         fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, ignored))
        if (entry.is_regular_file(ignored) && entry.path().extension() == ".json" &&
            entry.path().stem().extension() != ".schema")
            files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

std::vector<fs::path> environmentFolders() {
    std::vector<fs::path> folders;
    const char* const value = std::getenv("PIM_TARGET_PATH");
    std::string_view rest = value != nullptr ? value : "";
    while (!rest.empty()) {
        const auto colon = rest.find(':');
        if (const auto part = rest.substr(0, colon); !part.empty())
            folders.emplace_back(part);
        rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    }
    return folders;
}

std::vector<fs::path> hostFolders(const std::vector<fs::path>& targetFolders) {
    std::vector<fs::path> folders;
    for (const fs::path& folder : targetFolders)
        folders.push_back(folder / "hosts");
    return folders;
}

template <class Items>
std::vector<std::string> idsOf(const Items& items) {
    std::vector<std::string> ids;
    for (const auto& item : items)
        ids.push_back(item->id);
    return ids;
}

template <class Items>
auto byId(const Items& items, std::string_view id) {
    return std::ranges::find_if(items, [id](const auto& item) { return item->id == id; });
}

template <class Items>
tl::unexpected<Error> notFound(std::string_view what, std::string_view id, const Items& items) {
    const auto ids = byNearestSpelling(id, idsOf(items));
    return fail(ErrorCode::NotFound,
                fmt::format("there is no {} \"{}\"; known are {}", what, id, fmt::join(ids, ", ")), {},
                didYouMean(id, ids));
}

} // namespace

TargetCatalog TargetCatalog::ofFolders(const std::vector<fs::path>& extraFolders) {
    TargetCatalog catalog;
    // The first folder that has an id wins, so the user's come before the shipped one.
    catalog.m_folders = extraFolders;
    for (fs::path& folder : environmentFolders())
        catalog.m_folders.push_back(std::move(folder));
    for (const fs::path& folder : catalog.m_folders)
        if (std::error_code ignored; !fs::is_directory(folder, ignored))
            catalog.m_problems.push_back(
                {Severity::Warning, folder.string(), "is not a folder, so no targets were read from it", {}});
    catalog.m_folders.push_back(resourceDir() / "targets");
    if (std::error_code ignored; !fs::is_directory(catalog.m_folders.back(), ignored))
        catalog.m_problems.push_back(
            {Severity::Error, catalog.m_folders.back().string(),
             "the folder of the machines that come with the program is not there",
             "install the program again, or set PIM_RESOURCE_DIR to the folder that has "
             "targets"});
    return catalog;
}

TargetCatalog TargetCatalog::load(const std::vector<fs::path>& extraFolders) {
    TargetCatalog catalog = ofFolders(extraFolders);
    const std::vector<fs::path> hosts = hostFolders(catalog.m_folders);
    for (const fs::path& folder : hosts)
        for (const fs::path& file : jsonFiles(folder))
            if (byId(catalog.m_hosts, file.stem().string()) == catalog.m_hosts.end()) {
                const std::size_t before = catalog.m_problems.size();
                auto host = readHost(file, catalog.m_problems);
                if (host)
                    catalog.m_hosts.push_back(std::make_shared<const Host>(std::move(*host)));
                else if (catalog.m_problems.size() == before)
                    catalog.m_problems.push_back(
                        {Severity::Error, host.error().where, host.error().message, host.error().hint});
            }
    for (const fs::path& folder : catalog.m_folders)
        for (const fs::path& file : jsonFiles(folder))
            if (byId(catalog.m_targets, file.stem().string()) == catalog.m_targets.end()) {
                const std::size_t before = catalog.m_problems.size();
                auto target = readTarget(file, hosts, catalog.m_problems);
                if (target)
                    catalog.m_targets.push_back(std::make_shared<const Target>(std::move(*target)));
                else if (catalog.m_problems.size() == before)
                    catalog.m_problems.push_back(
                        {Severity::Error, target.error().where, target.error().message, target.error().hint});
            }
    std::ranges::sort(catalog.m_hosts, {}, [](const auto& host) { return host->id; });
    std::ranges::sort(catalog.m_targets, {}, [](const auto& target) { return target->id; });
    return catalog;
}

Result<std::shared_ptr<const Target>> TargetCatalog::findOne(std::string_view nameOrPath,
                                                             std::string_view hostId,
                                                             const std::vector<fs::path>& extraFolders,
                                                             Diagnostics& problems) {
    TargetCatalog catalog = ofFolders(extraFolders);
    const bool isFile = nameOrPath.ends_with(".json");
    bool found = isFile;
    for (const fs::path& folder : catalog.m_folders) {
        const fs::path file = folder / fmt::format("{}.json", nameOrPath);
        std::error_code ignored;
        if (isFile || !hostId.empty() || file.parent_path() != folder || !fs::is_regular_file(file, ignored))
            continue;
        auto target = readTarget(file, hostFolders(catalog.m_folders), catalog.m_problems);
        found = target.has_value(); // or else another folder may have it
        if (target)
            catalog.m_targets.push_back(std::make_shared<const Target>(std::move(*target)));
        break;
    }
    if (!found || !hostId.empty())
        catalog = load(extraFolders);
    problems.insert(problems.end(), catalog.m_problems.begin(), catalog.m_problems.end());
    return catalog.find(nameOrPath, hostId);
}

Result<std::shared_ptr<const Target>> TargetCatalog::find(std::string_view nameOrPath,
                                                          std::string_view hostId) const {
    std::shared_ptr<const Target> found;
    if (nameOrPath.ends_with(".json")) {
        const fs::path file(nameOrPath);
        std::vector<fs::path> folders = m_folders;
        folders.insert(folders.begin(), file.parent_path());
        Diagnostics problems;
        PIM_TRY(Target target, readTarget(file, hostFolders(folders), problems));
        found = std::make_shared<const Target>(std::move(target));
    } else if (const auto known = byId(m_targets, nameOrPath); known != m_targets.end()) {
        found = *known;
    } else {
        return notFound("target", nameOrPath, m_targets);
    }
    if (hostId.empty() || hostId == found->host.id)
        return found;
    const auto host = byId(m_hosts, hostId);
    if (host == m_hosts.end())
        return notFound("host", hostId, m_hosts);
    Target changed = *found;
    changed.host = **host;
    changed.hash = sha256Hex(targetJson(changed));
    return std::make_shared<const Target>(std::move(changed));
}

} // namespace pim
