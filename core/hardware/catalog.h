// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Finds and reads target files.
#include "core/hardware/target.h"

#include <memory>

namespace pim {

/// All targets of the shipped folder and the user's folders; a user's file with the same id
/// wins. Hosts lie in the folder `hosts` of each. README.md in resources/targets says how to write one.
class TargetCatalog {
public:
    /// Reads `resources/targets/*.json` and every folder of \p extraFolders (and of $PIM_TARGET_PATH,
    /// colon-separated). A bad file does not hide the good ones: it is listed in problems().
    static TargetCatalog load(const std::vector<std::filesystem::path>& extraFolders = {});

    /// load().find(), without reading all other files where only one is asked for; then only its problems are
    /// appended to \p problems.
    static Result<std::shared_ptr<const Target>>
    findOne(std::string_view nameOrPath, std::string_view hostId,
            const std::vector<std::filesystem::path>& extraFolders, Diagnostics& problems);

    const std::vector<std::shared_ptr<const Target>>& targets() const& { return m_targets; } ///< By id.
    const std::vector<std::shared_ptr<const Host>>& hosts() const& { return m_hosts; }       ///< By id.
    const Diagnostics& problems() const& { return m_problems; }
    // By value from a temporary, so that `for (… : TargetCatalog::load().targets())` is safe.
    std::vector<std::shared_ptr<const Target>> targets() && { return std::move(m_targets); }
    std::vector<std::shared_ptr<const Host>> hosts() && { return std::move(m_hosts); }
    Diagnostics problems() && { return std::move(m_problems); }
    /// By id; or, if \p nameOrPath ends in .json, that file. \param hostId replaces the host of the target if
    /// not empty. Error::NotFound lists the ids there are, nearest spelling first.
    Result<std::shared_ptr<const Target>> find(std::string_view nameOrPath,
                                               std::string_view hostId = {}) const;

private:
    /// Without any targets yet.
    static TargetCatalog ofFolders(const std::vector<std::filesystem::path>& extraFolders);

    std::vector<std::shared_ptr<const Target>> m_targets;
    std::vector<std::shared_ptr<const Host>> m_hosts;
    std::vector<std::filesystem::path> m_folders;
    Diagnostics m_problems;
};

/// Reads one file against the schema. All violations at once, each with its JSON path, the value and what is
/// allowed.
Result<Target> readTarget(const std::filesystem::path& file,
                          const std::vector<std::filesystem::path>& hostFolders, Diagnostics& problems);

/// Canonical JSON of a target, as stored in a project: readable without the file it came from.
std::string targetJson(const Target& target);
/// The same machine is stored with every run, sweep and bundle: of texts read before, the last few are not parsed again.
Result<std::shared_ptr<const Target>> targetFromJson(std::string_view json,
                                                     std::string_view where = "target");

} // namespace pim
