// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_io.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

namespace pim {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> ioError(const char* doing, int error, const fs::path& path) {
    std::string hint;
    if (error == ENOSPC || error == EDQUOT)
        hint = "free some space and try again";
    else if (error == EFBIG)
        hint = "raise the limit on file size (ulimit -f)";
    else if (error == EACCES || error == EPERM || error == EROFS)
        hint = "choose a folder you may write to";
    else if (error == ENOENT)
        hint = "make the folder first";
    return fail(ErrorCode::Io, fmt::format("{}: {}", doing, std::strerror(error)), path.string(),
                std::move(hint));
}

} // namespace

int openHandle(const fs::path& file, int flags, unsigned mode) {
    int handle;
    do
        handle = ::open(file.c_str(), flags, mode);
    while (handle < 0 && errno == EINTR);
    return handle;
}

OutputFile::OutputFile(fs::path file, fs::path place, fs::path fresh, int handle)
    : m_file(std::move(file)), m_place(std::move(place)), m_fresh(std::move(fresh)), m_handle(handle) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : m_file(std::move(other.m_file)), m_place(std::move(other.m_place)), m_fresh(std::move(other.m_fresh)),
      m_handle(std::exchange(other.m_handle, -1)), m_waiting(std::move(other.m_waiting)),
      m_size(other.m_size) {}

OutputFile::~OutputFile() {
    if (m_handle < 0)
        return;
    ::close(m_handle);
    if (m_fresh != m_place)
        ::unlink(m_fresh.c_str());
}

Result<OutputFile> OutputFile::create(const fs::path& file) {
    PIM_TRY(const fs::path place, cleanPath(file));
    std::error_code error;
    if (fs::is_directory(place, error))
        return fail(ErrorCode::Io, "is a folder, not a file", file.string(), "give a file name");
    const bool replaces = !fs::exists(place, error) || fs::is_regular_file(place, error);
    const fs::path fresh = replaces ? temporarySibling(place) : place;
    const int handle = openHandle(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC);
    if (handle < 0)
        return ioError("cannot create the file", errno, file);
    return OutputFile(file, place, fresh, handle);
}

Result<void> OutputFile::write(std::string_view bytes) {
    constexpr std::size_t kTogether = std::size_t(1) << 16;
    m_size += std::ssize(bytes);
    if (m_waiting.size() + bytes.size() < kTogether) {
        m_waiting += bytes;
        return {};
    }
    PIM_CHECK(pour(m_waiting));
    m_waiting.clear();
    return pour(bytes);
}

Result<void> OutputFile::pour(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_handle, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return ioError("cannot write", errno, m_file);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> OutputFile::finish() {
    PIM_CHECK(pour(m_waiting));
    m_waiting.clear();
    const int closed =
        ::close(std::exchange(m_handle, -1)); // some file systems tell only now that the disk is full
    const int why = errno;
    std::error_code error;
    if (closed == 0 && m_fresh != m_place)
        fs::rename(m_fresh, m_place, error);
    if (closed == 0 && !error)
        return {};
    if (m_fresh != m_place)
        ::unlink(m_fresh.c_str());
    return closed != 0 ? ioError("cannot write", why, m_file)
                       : ioError("cannot put the file in its place", error.value(), m_file);
}

Result<void> replaceFile(const fs::path& file, std::string_view bytes) {
    PIM_TRY(OutputFile out, OutputFile::create(file));
    PIM_CHECK(out.write(bytes));
    return out.finish();
}

Result<void> replaceFolder(const fs::path& fresh, const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder, error)) {
        fs::rename(fresh, folder, error);
        return error ? Result<void>(ioError("cannot put the folder in its place", error.value(), folder))
                     : Result<void>();
    }
    if (::renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, folder.c_str(), RENAME_EXCHANGE) == 0) {
        fs::remove_all(fresh, error); // it is the older one now; left over, it harms nobody
        return {};
    }
    if (errno != EINVAL && errno != ENOSYS)
        return ioError("cannot put the folder in its place", errno, folder);
    // A file system that cannot swap: the older folder stays beside until the new one is in place.
    const fs::path older = temporarySibling(folder.string() + ".older");
    fs::rename(folder, older, error);
    if (!error)
        fs::rename(fresh, folder, error);
    if (error) {
        const int why = error.value();
        if (fs::exists(older, error))
            fs::rename(older, folder, error);
        return ioError("cannot put the folder in its place", why, folder);
    }
    fs::remove_all(older, error);
    return {};
}

fs::path temporarySibling(const fs::path& path) {
    return path.parent_path() / fmt::format(".{}.partial-{}", path.filename().string(), ::getpid());
}

Result<fs::path> cleanPath(const fs::path& path) {
    std::error_code error;
    fs::path clean = fs::weakly_canonical(fs::absolute(path, error), error);
    if (error)
        return ioError("cannot use this path", error.value(), path);
    if (!clean.has_filename())
        clean = clean.parent_path();
    if (!clean.has_filename())
        return fail(ErrorCode::Io, "the root folder cannot be replaced", path.string(),
                    "choose another name");
    return clean;
}

Cleanup::~Cleanup() {
    std::error_code error;
    if (!m_path.empty())
        std::filesystem::remove_all(m_path, error);
}

} // namespace pim
