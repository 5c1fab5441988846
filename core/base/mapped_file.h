// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A file seen as bytes without reading it: the operating system brings in the pages that are touched.
#include "core/base/result.h"

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace pim {

/// Read-only, unmapped with the last shared_ptr; small files are read at once instead. Thread-safe to read.
///
/// A file that gets shorter while it is mapped, or whose disk fails, has zeros where nothing can be read any more: whoever took what is in it for true
/// asks stillWhole() afterwards.
class MappedFile {
public:
    /// \returns the mapping; an empty file maps to an empty span. Error::Io if it cannot be opened, naming why.
    static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {m_data, m_size}; }
    const std::filesystem::path& path() const { return m_path; }
    /// Error::Io if bytes that were looked at could not be read.
    Result<void> stillWhole() const;

private:
    MappedFile() = default;
    Result<void> read(int fd);
    Result<void> map(int fd);

    std::filesystem::path m_path;
    const std::byte* m_data = nullptr;
    std::size_t m_size = 0;
    std::vector<std::byte> m_copy;         ///< Of a small file; else empty.
    std::atomic<bool> m_isCut{false};      ///< Set by the handler of SIGBUS.
    std::atomic<void*>* m_watch = nullptr; ///< Where the handler finds the mapping; null: it is not mapped.
};

} // namespace pim
