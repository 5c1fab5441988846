// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Files that are either complete or not there: written beside their place, then renamed. What the program writes goes
/// through here, apart from SQLite's and Qt's files and from those that grow line by line (points of campaigns, indices of dumps).
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace pim {

/// open(2), and again where a signal came first. \returns -1 with errno if it cannot be
int openHandle(const std::filesystem::path& file, int flags, unsigned mode = 0666);

/// A file that is poured out piece by piece. An older one of its name stays as it was until finish(), and for good where that is
/// never called. All errors are Error::Io with the reason of the system and what to do.
class OutputFile {
public:
    /// A pipe or device (/dev/stdout) is written to in its place.
    static Result<OutputFile> create(const std::filesystem::path& file);
    ~OutputFile();
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;

    Result<void> write(std::string_view bytes);
    std::int64_t size() const { return m_size; } ///< B so far.
    Result<void> finish();

private:
    OutputFile(std::filesystem::path file, std::filesystem::path place, std::filesystem::path fresh,
               int handle);
    Result<void> pour(std::string_view bytes);

    std::filesystem::path m_file;           ///< As the user calls it.
    std::filesystem::path m_place, m_fresh; ///< The same where nothing is replaced.
    int m_handle;
    std::string m_waiting;
    std::int64_t m_size = 0;
};

/// An OutputFile at once.
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
