// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where the program finds what ships with it, wherever it was started from.
#include <filesystem>

namespace pim {

/// The `resources` folder: $PIM_RESOURCE_DIR, else in `share` beside the shared library that this is part of, else beside the
/// executable (`../share/pimstudio`, `resources` in any folder above it), else the source tree it was built from.
std::filesystem::path resourceDir();
/// The `projects` folder with the bundled samples; found the same way ($PIM_PROJECTS_DIR first).
std::filesystem::path samplesDir();
/// The user's own folder: $PIM_CONFIG_DIR, else `pimstudio` in $XDG_CONFIG_HOME or in ~/.config. Need not exist; empty if
/// there is no home.
std::filesystem::path configDir();

} // namespace pim
