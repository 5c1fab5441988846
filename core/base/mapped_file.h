// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A file seen as bytes without reading it: the operating system brings in the pages that are touched.
#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace pim {

/// Read-only mapping, unmapped with the last shared_ptr. Thread-safe to read.
class MappedFile {
public:
    /// \returns the mapping; an empty file maps to an empty span. Error::Io if it cannot be opened, naming why.
    static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {m_data, m_size}; }
    const std::filesystem::path& path() const { return m_path; }

private:
    MappedFile() = default;
    std::filesystem::path m_path;
    const std::byte* m_data = nullptr;
    std::size_t m_size = 0;
};

} // namespace pim
