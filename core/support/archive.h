// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What goes into the report of a problem, as one archive that every desktop opens.
#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace pim {

struct ArchivedFile {
    std::string name; ///< In the archive.
    std::string content;
};

/// A .zip with these files, all in one folder that is named as the archive. Errors: Io.
Result<void> writeArchive(const std::filesystem::path& archive, const std::vector<ArchivedFile>& files);

/// The home folder as "~" wherever it stands in \p text, so that it does not tell who somebody is.
std::string withoutHome(std::string text);

} // namespace pim
