// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What programs that crashed have left, for people. Flow: folder of crash_handler.h -> [crashReports] -> text with names of functions.
#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace pim {

struct CrashReport {
    std::filesystem::path file;
    std::string program; ///< With its version.
    std::string signal;  ///< "SIGSEGV, memory that is not there; address 0x0"
    std::string when;    ///< UTC, as ISO 8601.
    std::string place;   ///< The innermost function of ours on the stack; empty: none has a name.
    std::string text;    ///< All of the file.
};

/// $XDG_STATE_HOME/pimstudio/crashes, else the same in ~/.local/state; empty if there is no home.
std::filesystem::path crashFolder();

/// Newest first. A file whose frames are still addresses gets the names of their functions, where programs and libraries are what
/// they were; one that cannot be written is told all the same. Of many the oldest are removed.
std::vector<CrashReport> crashReports(const std::filesystem::path& folder);
/// Error::Io if it stays.
Result<void> removeCrashReport(const std::filesystem::path& file);

} // namespace pim
