// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Files that are either complete or not there: written beside their place, then renamed.
#include "core/base/result.h"

#include <filesystem>
#include <string_view>

namespace pim {

/// Writes a new file. Error::Io with the reason of the system and what to do.
Result<void> writeFile(const std::filesystem::path& file, std::string_view bytes);

/// Writes \p file through a temporary sibling: an older file stays whole until the new one is.
Result<void> replaceFile(const std::filesystem::path& file, std::string_view bytes);

/// Puts \p fresh in the place of \p folder, which need not exist. Where the system can, both swap in one
/// step.
Result<void> replaceFolder(const std::filesystem::path& fresh, const std::filesystem::path& folder);

/// A name beside \p path that nobody uses: hidden, with the number of this process.
std::filesystem::path temporarySibling(const std::filesystem::path& path);

/// Absolute, without "." and a slash at the end, symbolic links of existing parts resolved.
Result<std::filesystem::path> cleanPath(const std::filesystem::path& path);

/// Removes a file or folder with all it holds when it goes out of scope, unless kept.
class Cleanup {
public:
    explicit Cleanup(std::filesystem::path path) : m_path(std::move(path)) {}
    ~Cleanup();
    Cleanup(const Cleanup&) = delete;
    Cleanup& operator=(const Cleanup&) = delete;
    void keep() { m_path.clear(); }

private:
    std::filesystem::path m_path;
};

} // namespace pim
