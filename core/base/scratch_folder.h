// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A folder for files that nobody wants to keep.
#include "core/base/result.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

namespace pim {

/// Removes itself and what is in it.
class ScratchFolder {
public:
    static Result<ScratchFolder> make() {
        std::error_code unknown;
        std::string pattern = (std::filesystem::temp_directory_path(unknown) / "pim-XXXXXX").string();
        if (unknown || !mkdtemp(pattern.data()))
            return fail(ErrorCode::Io, "no folder for temporary files can be made there", placeOfAll(),
                        "set TMPDIR to one that can be written");
        return ScratchFolder(pattern);
    }
    ScratchFolder(ScratchFolder&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder() {
        std::error_code ignored;
        if (!m_path.empty())
            std::filesystem::remove_all(m_path, ignored);
    }
    const std::filesystem::path& path() const { return m_path; }

private:
    static std::string placeOfAll() {
        const char* const chosen = std::getenv("TMPDIR");
        return chosen ? chosen : "/tmp";
    }
    explicit ScratchFolder(std::filesystem::path path) : m_path(std::move(path)) {}
    std::filesystem::path m_path;
};

} // namespace pim
