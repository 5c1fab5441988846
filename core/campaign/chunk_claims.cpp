// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/chunk_claims.h"

#include "core/base/file_io.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace pim {
namespace {

struct flock byteOf(std::int64_t chunk, short type) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = chunk;
    lock.l_len = 1;
    return lock;
}

} // namespace

Result<ChunkClaims> ChunkClaims::open(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / "claims";
    const int handle = openHandle(file, O_RDWR | O_CREAT | O_CLOEXEC);
    if (handle < 0)
        return fail(ErrorCode::Io, fmt::format("cannot be written: {}", std::strerror(errno)), file.string(),
                    "see that the folder is there and may be written");
    return ChunkClaims(handle);
}

Result<ChunkClaims> ChunkClaims::look(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / "claims";
    const int handle = openHandle(file, O_RDONLY | O_CLOEXEC);
    if (handle < 0)
        return fail(errno == ENOENT ? ErrorCode::NotFound : ErrorCode::Io,
                    fmt::format("cannot be read: {}", std::strerror(errno)), file.string());
    return ChunkClaims(handle);
}

ChunkClaims::ChunkClaims(ChunkClaims&& other) noexcept : m_handle(std::exchange(other.m_handle, -1)) {}

ChunkClaims::~ChunkClaims() {
    if (m_handle >= 0)
        ::close(m_handle);
}

// Locks of the open file, not of the process: those of a process would vanish when any part of it closes the file.
bool ChunkClaims::take(std::int64_t chunk) const {
    struct flock lock = byteOf(chunk, F_WRLCK);
    return ::fcntl(m_handle, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
}

void ChunkClaims::give(std::int64_t chunk) const {
    struct flock lock = byteOf(chunk, F_UNLCK);
    (void)::fcntl(m_handle, F_OFD_SETLK, &lock);
}

bool ChunkClaims::isTaken(std::int64_t chunk) const {
    struct flock lock = byteOf(chunk, F_WRLCK);
    return ::fcntl(m_handle, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

std::int64_t ChunkClaims::taken(std::int64_t first, std::int64_t behind) const {
    if (first >= behind)
        return 0;
    struct flock lock = byteOf(first, F_WRLCK);
    lock.l_len = behind - first;
    if (::fcntl(m_handle, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
        return 0;
    // It is any of those in the range, and neighbours of one process are one.
    const std::int64_t from = std::max<std::int64_t>(lock.l_start, first);
    const std::int64_t to =
        lock.l_len == 0 ? behind : std::min<std::int64_t>(lock.l_start + lock.l_len, behind);
    return taken(first, from) + (to - from) + taken(to, behind);
}

} // namespace pim
