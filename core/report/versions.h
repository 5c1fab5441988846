// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which program this is, for people and for reports of problems: versions of what it was built with, formats, machine descriptions.
#include <string>
#include <utility>
#include <vector>

namespace pim {

class TargetCatalog;

struct VersionList {
    std::vector<std::pair<std::string, std::string>> facts;    ///< "SQLite": "3.40.1"
    std::vector<std::pair<std::string, std::string>> machines; ///< Id: family and file.
};

/// \param all with the system it runs on and the machine descriptions there are.
VersionList versionList(const TargetCatalog& catalog, bool all);
/// As a table of two columns, one line each.
std::string versionText(const VersionList& list);

} // namespace pim
