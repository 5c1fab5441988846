// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/file_io.h"

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

class Descriptor {
public:
    explicit Descriptor(int number) : m_number(number) {}
    ~Descriptor() {
        if (m_number >= 0)
            ::close(m_number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return m_number; }
    /// Some file systems tell that the disk is full only here.
    bool close() { return ::close(std::exchange(m_number, -1)) == 0; }

private:
    int m_number;
};

} // namespace

Result<void> writeFile(const fs::path& file, std::string_view bytes) {
    Descriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (out.number() < 0)
        return ioError("cannot create the file", errno, file);
    while (!bytes.empty()) {
        const ssize_t written = ::write(out.number(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return ioError("cannot write", errno, file);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    if (!out.close())
        return ioError("cannot write", errno, file);
    return {};
}

Result<void> replaceFile(const fs::path& file, std::string_view bytes) {
    PIM_TRY(const fs::path place, cleanPath(file));
    std::error_code error;
    if (fs::is_directory(place, error))
        return fail(ErrorCode::Io, "is a folder, not a file", file.string(), "give a file name");
    if (fs::exists(place, error) && !fs::is_regular_file(place, error)) // a pipe or device keeps its place
        return writeFile(place, bytes);
    const fs::path fresh = temporarySibling(place);
    Cleanup cleanup(fresh);
    PIM_CHECK(writeFile(fresh, bytes));
    fs::rename(fresh, place, error);
    if (error)
        return ioError("cannot put the file in its place", error.value(), file);
    cleanup.keep();
    return {};
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
