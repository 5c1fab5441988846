// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/paths.h"

#include <cstdlib>
#include <dlfcn.h>

namespace pim {
namespace {

std::filesystem::path find(const char* variable, const char* folder) {
    namespace fs = std::filesystem;
    if (const char* value = std::getenv(variable); value && *value)
        return value;
    std::error_code ignored;
    // A library of ours in a program of others, as the Python module is.
    if (Dl_info library = {};
        dladdr(reinterpret_cast<const void*>(&resourceDir), &library) && library.dli_fname)
        if (const fs::path file = library.dli_fname;
            file.is_absolute() && fs::is_directory(file.parent_path() / "share" / folder, ignored))
            return file.parent_path() / "share" / folder;
    const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
    if (fs::path shared = self.parent_path().parent_path() / "share/pimstudio" / folder;
        fs::is_directory(shared, ignored))
        return shared;
    for (fs::path dir = self.parent_path(); dir.has_relative_path(); dir = dir.parent_path())
        if (fs::is_directory(dir / folder, ignored) && fs::exists(dir / "resources/targets", ignored))
            return dir / folder;
    return fs::path(PIM_SOURCE_TREE) / folder;
}

} // namespace

std::filesystem::path resourceDir() {
    return find("PIM_RESOURCE_DIR", "resources");
}
std::filesystem::path samplesDir() {
    return find("PIM_PROJECTS_DIR", "projects");
}

std::filesystem::path configDir() {
    const auto named = [](const char* variable) {
        const char* value = std::getenv(variable);
        return std::filesystem::path(value ? value : "");
    };
    if (auto folder = named("PIM_CONFIG_DIR"); !folder.empty())
        return folder;
    if (const auto folder = named("XDG_CONFIG_HOME"); !folder.empty())
        return folder / "pimstudio";
    const auto home = named("HOME");
    return home.empty() ? home : home / ".config" / "pimstudio";
}

} // namespace pim
