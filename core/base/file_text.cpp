// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_text.h"

#include "core/base/file_io.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace pim {
namespace {

namespace fs = std::filesystem;

class Reading {
public:
    explicit Reading(fs::path file, std::string hint = {})
        : m_file(std::move(file)), m_hint(std::move(hint)) {}
    ~Reading() {
        if (m_handle > STDIN_FILENO)
            ::close(m_handle);
    }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

    Result<std::string> file(std::int64_t most) {
        PIM_TRY(const struct stat info, open());
        if (!S_ISREG(info.st_mode))
            return wrong("is a pipe or device, not a file");
        if (info.st_size > most)
            return wrong(fmt::format("has {} bytes, at most {} are read", info.st_size, most));
        return rest(static_cast<std::size_t>(info.st_size), most, [] { return Result<void>(); });
    }

    Result<std::string> stream(const TaskContext& task) {
        if (m_file == "-") {
            m_file = "standard input";
            m_handle = STDIN_FILENO;
        } else {
            PIM_CHECK(open());
        }
        return rest(0, kLargestText, [&]() -> Result<void> {
            constexpr int kAtATimeMs = 50;
            pollfd waiting{m_handle, POLLIN, 0};
            while (!task.cancelled())
                if (::poll(&waiting, 1, kAtATimeMs) > 0)
                    return {};
            return TaskContext::cancelledError("reading " + m_file.string());
        });
    }

private:
    /// Does not wait for who writes to a pipe.
    Result<struct stat> open() {
        m_handle = openHandle(m_file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (m_handle < 0)
            return wrong(fmt::format("cannot be opened: {}", std::strerror(errno)));
        struct stat info {};
        if (::fstat(m_handle, &info) != 0)
            return wrong(fmt::format("cannot be read: {}", std::strerror(errno)));
        if (S_ISDIR(info.st_mode))
            return wrong("is a folder, not a file");
        return info;
    }

    /// \p expected bytes, but not all files say how many there are.
    template <class Wait>
    Result<std::string> rest(std::size_t expected, std::int64_t most, const Wait& untilReady) {
        constexpr std::size_t kPiece = 4096;
        std::string text;
        for (std::size_t end = 0;;) {
            PIM_CHECK(untilReady());
            if (end == text.size())
                text.resize(std::max(expected, end) + kPiece);
            const ssize_t got = ::read(m_handle, text.data() + end, text.size() - end);
            if (got < 0 && (errno == EINTR || errno == EAGAIN))
                continue;
            if (got < 0)
                return wrong(fmt::format("cannot be read: {}", std::strerror(errno)));
            end += static_cast<std::size_t>(got);
            if (end > static_cast<std::size_t>(most))
                return wrong(fmt::format("does not end after {} bytes", most));
            if (got == 0) {
                text.resize(end);
                return text;
            }
        }
    }
    tl::unexpected<Error> wrong(std::string message) const {
        return fail(ErrorCode::Io, std::move(message), m_file.string(), m_hint);
    }

    fs::path m_file;
    std::string m_hint;
    int m_handle = -1;
};

} // namespace

Result<std::string> fileText(const fs::path& file, std::string hint, std::int64_t most) {
    return Reading(file, std::move(hint)).file(most);
}

Result<std::string> inputText(const std::string& name, const TaskContext& task) {
    return Reading(name).stream(task);
}

} // namespace pim
