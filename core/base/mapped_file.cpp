// SPDX-License-Identifier: GPL-3.0-or-later
// The only file that may include <sys/mman.h>: its macros break the ONNX headers.
#include "core/base/mapped_file.h"

#include "core/base/file_io.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>

namespace pim {
namespace {

/// Up to this size reading is as fast as mapping, and nothing can happen to what was read.
constexpr std::size_t kReadAtOnce = std::size_t{1} << 20;

/// A mapping as the handler of SIGBUS sees it: it may interrupt anything, so there are no locks and no memory is allocated.
struct Watched {
    std::atomic<void*> begin{nullptr}; ///< Null: the place is free. Set last, taken back first.
    std::atomic<std::uintptr_t> end{0};
    std::atomic<std::atomic<bool>*> isCut{nullptr};
};
std::array<Watched, 1024> g_watched;
std::mutex g_watchedMutex; ///< Of those that take a place, not of the handler.
struct sigaction g_before {};

/// Puts zeros from the page that cannot be read to the end of its mapping. Others' faults go where they went before.
void onBusError(int signal, siginfo_t* info, void* context) {
    const int errorBefore = errno;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (Watched& one : g_watched) {
        const auto begin = reinterpret_cast<std::uintptr_t>(one.begin.load(std::memory_order_acquire));
        const std::uintptr_t end = one.end.load(std::memory_order_relaxed);
        if (begin == 0 || address < begin || address >= end)
            continue;
        const std::uintptr_t page = address & ~(static_cast<std::uintptr_t>(::getpagesize()) - 1);
        if (::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) {
            one.isCut.load(std::memory_order_relaxed)->store(true);
            errno = errorBefore;
            return;
        }
    }
    if ((g_before.sa_flags & SA_SIGINFO) != 0 && g_before.sa_sigaction != nullptr)
        return g_before.sa_sigaction(signal, info, context);
    if (g_before.sa_handler != SIG_DFL && g_before.sa_handler != SIG_IGN)
        return g_before.sa_handler(signal);
    ::sigaction(SIGBUS, &g_before, nullptr); // the instruction fails again, now as if nobody had watched
}

void handleBusErrors() {
    static std::once_flag once;
    std::call_once(once, [] {
        struct sigaction action {};
        action.sa_sigaction = onBusError;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &g_before);
    });
}

/// \returns null if all places are taken.
std::atomic<void*>* watch(void* begin, std::size_t size, std::atomic<bool>& isCut) {
    const std::lock_guard lock(g_watchedMutex);
    for (Watched& one : g_watched)
        if (one.begin.load(std::memory_order_relaxed) == nullptr) {
            one.isCut.store(&isCut, std::memory_order_relaxed);
            one.end.store(reinterpret_cast<std::uintptr_t>(begin) + size, std::memory_order_relaxed);
            one.begin.store(begin, std::memory_order_release);
            return &one.begin;
        }
    return nullptr;
}

} // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path) {
    const int fd = openHandle(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe is not waited for
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
    const Result<void> taken = file->m_size <= kReadAtOnce ? file->read(fd) : file->map(fd);
    ::close(fd);
    if (!taken)
        return tl::unexpected<Error>(taken.error());
    return std::shared_ptr<const MappedFile>(std::move(file));
}

Result<void> MappedFile::read(int fd) {
    m_copy.resize(m_size);
    std::size_t done = 0;
    while (done < m_size) {
        const ssize_t count = ::read(fd, m_copy.data() + done, m_size - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return fail(ErrorCode::Io, std::string("cannot read the file: ") + std::strerror(errno),
                        m_path.string());
        if (count == 0)
            break; // it has just got shorter
        done += static_cast<std::size_t>(count);
    }
    m_copy.resize(done);
    m_data = m_copy.data();
    m_size = done;
    return {};
}

Result<void> MappedFile::map(int fd) {
    void* data = ::mmap(nullptr, m_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return fail(ErrorCode::Io, std::string("cannot map the file: ") + std::strerror(errno),
                    m_path.string());
    handleBusErrors();
    m_watch = watch(data, m_size, m_isCut);
    if (m_watch == nullptr) { // more files than anybody has open at once
        ::munmap(data, m_size);
        return read(fd);
    }
    m_data = static_cast<const std::byte*>(data);
    return {};
}

Result<void> MappedFile::stillWhole() const {
    if (m_isCut)
        return fail(ErrorCode::Io, "it got shorter while it was read, or its disk failed", m_path.string(),
                    "open it again once it is complete");
    return {};
}

MappedFile::~MappedFile() {
    if (m_watch == nullptr)
        return;
    m_watch->store(nullptr, std::memory_order_release);
    ::munmap(const_cast<std::byte*>(m_data), m_size);
}

} // namespace pim
