// SPDX-License-Identifier: GPL-3.0-or-later
// The only file that may include <sys/mman.h>: its macros break the ONNX headers.
#include "core/base/mapped_file.h"

#include "core/base/file_io.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace pim {

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path) {
    const int fd = openHandle(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail(ErrorCode::Io, std::string("cannot open the file: ") + std::strerror(errno),
                    path.string());
    struct stat info {};
    const bool statOk = ::fstat(fd, &info) == 0;
    if (!statOk || !S_ISREG(info.st_mode)) {
        const std::string why = statOk ? "not a regular file" : std::strerror(errno);
        ::close(fd);
        return fail(ErrorCode::Io, "cannot open the file: " + why, path.string());
    }
    std::shared_ptr<MappedFile> file(new MappedFile);
    file->m_path = path;
    file->m_size = static_cast<std::size_t>(info.st_size);
    if (file->m_size > 0) {
        void* data = ::mmap(nullptr, file->m_size, PROT_READ, MAP_PRIVATE, fd, 0);
        const int mapError = errno;
        if (data == MAP_FAILED) {
            ::close(fd);
            file->m_size = 0;
            return fail(ErrorCode::Io, std::string("cannot map the file: ") + std::strerror(mapError),
                        path.string());
        }
        file->m_data = static_cast<const std::byte*>(data);
    }
    ::close(fd);
    return std::shared_ptr<const MappedFile>(std::move(file));
}

MappedFile::~MappedFile() {
    if (m_data)
        ::munmap(const_cast<std::byte*>(m_data), m_size);
}

} // namespace pim
