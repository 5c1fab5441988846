// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Who computes which chunk right now: one byte a chunk in FOLDER/claims, locked by the process. The system frees it when the process ends, however
/// it does. Locks of byte ranges reach over NFS; a file system without locks lets everybody have every chunk, which costs work, not points.
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>

namespace pim {

class ChunkClaims {
public:
    /// Error::Io.
    static Result<ChunkClaims> open(const std::filesystem::path& folder);
    /// To ask only: take() takes nothing, and nothing is written. Error::NotFound where nobody ever claimed one, Error::Io.
    static Result<ChunkClaims> look(const std::filesystem::path& folder);
    ChunkClaims(ChunkClaims&& other) noexcept;
    ChunkClaims& operator=(ChunkClaims&&) = delete;
    ~ChunkClaims();

    /// False where another process, or another ChunkClaims of this one, has it.
    bool take(std::int64_t chunk) const;
    void give(std::int64_t chunk) const;
    bool isTaken(std::int64_t chunk) const; ///< By another.
    /// How many from \p first on and before \p behind others have; asks about as often as there are such, not for each chunk.
    std::int64_t taken(std::int64_t first, std::int64_t behind) const;

private:
    explicit ChunkClaims(int handle) : m_handle(handle) {}
    int m_handle;
};

} // namespace pim
