// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/crash_handler.h"

#include "core/base/log.h"
#include "core/base/signal_stack.h"

#include <cxxabi.h>
#include <execinfo.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <fcntl.h>
#include <string_view>
#include <typeinfo>
#include <vector>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PIM_IS_SANITIZED true
#elif defined(__has_feature)
#define PIM_IS_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define PIM_IS_SANITIZED false
#endif

namespace pim {
namespace {

struct SignalName {
    int number;
    const char* text;
};
constexpr std::array<SignalName, 5> kSignals{{{SIGSEGV, "SIGSEGV, memory that is not there"},
                                              {SIGBUS, "SIGBUS, memory that cannot be read or written"},
                                              {SIGFPE, "SIGFPE, arithmetic that has no result"},
                                              {SIGILL, "SIGILL, an instruction the processor does not have"},
                                              {SIGABRT, "SIGABRT, the program gave up"}}};
constexpr unsigned kMostSeconds =
    10; ///< A report that hangs is given up: another may hold what it waits for.
constexpr int kMostFrames = 128;

/// All that the handler reads; made before, never changed, never freed.
struct CrashNotes {
    std::vector<std::string> folders; ///< To be made, outermost first.
    std::string file, head, said;
    const Log* log = nullptr;
};
const CrashNotes* g_notes = nullptr;
std::atomic_flag g_isDying = ATOMIC_FLAG_INIT;
std::array<char, 512> g_what{}; ///< Of the exception that nobody caught.

// From here to onCrash(): only what a handler of signals may call. [signal-safety(7)]

void put(int handle, std::string_view text) {
    while (!text.empty()) {
        const ssize_t done = ::write(handle, text.data(), text.size());
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return;
        text.remove_prefix(static_cast<std::size_t>(done));
    }
}

void putNumber(int handle, std::uint64_t number, unsigned base) {
    std::array<char, 24> digits{};
    std::size_t at = digits.size();
    do {
        digits[--at] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number > 0);
    put(handle, {digits.data() + at, digits.size() - at});
}

void* whereItWas(const void* context) {
    const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return reinterpret_cast<void*>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return reinterpret_cast<void*>(machine.pc);
#else
    (void)machine;
    return nullptr;
#endif
}

/// One line a frame, the innermost first, without those of the handler itself.
void putStack(int handle, const void* context) {
    std::array<void*, kMostFrames> frames{};
    const int count = backtrace(frames.data(), kMostFrames);
    void** const end = frames.data() + count;
    void** begin = std::find(frames.data(), end, whereItWas(context));
    if (begin == end)
        begin = frames.data();
    backtrace_symbols_fd(begin, static_cast<int>(end - begin), handle);
}

void putAll(int handle, int signal, const siginfo_t& info, const void* context) {
    const CrashNotes& notes = *g_notes;
    put(handle, notes.head);
    put(handle, "signal: ");
    for (const SignalName& each : kSignals)
        if (each.number == signal)
            put(handle, each.text);
    if (info.si_code <= 0 && signal != SIGABRT) {
        put(handle, "; sent by process ");
        putNumber(handle, static_cast<std::uint64_t>(info.si_pid), 10);
    } else if (signal != SIGABRT) {
        put(handle, "; address 0x");
        putNumber(handle, reinterpret_cast<std::uint64_t>(info.si_addr), 16);
    }
    put(handle, "\nseconds: ");
    putNumber(handle, static_cast<std::uint64_t>(::time(nullptr)), 10);
    if (g_what[0] != '\0') {
        put(handle, "\nexception: ");
        put(handle, {g_what.data(), ::strnlen(g_what.data(), g_what.size())});
    }
    const auto thread = static_cast<std::uint64_t>(::syscall(SYS_gettid));
    put(handle, "\nthread: ");
    put(handle, thread == static_cast<std::uint64_t>(::getpid()) ? "main" : "worker");
    put(handle, "\n\nstack:\n");
    putStack(handle, context);
    put(handle, "\nlog:\n");
    notes.log->writeTail(handle);
}

void onCrash(int signal, siginfo_t* info, void* context) {
    if (g_isDying.test_and_set())
        for (;;) // another thread tells already, and ends all
            ::pause();
    ::alarm(kMostSeconds);
    for (const std::string& folder : g_notes->folders)
        ::mkdir(folder.c_str(), 0700);
    const int handle = ::open(g_notes->file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    putAll(handle >= 0 ? handle : STDERR_FILENO, signal, *info, context);
    if (handle >= 0) {
        ::close(handle);
        put(STDERR_FILENO, g_notes->said);
    }
    struct sigaction usual {};
    usual.sa_handler = SIG_DFL;
    ::sigaction(signal, &usual, nullptr);
    ::raise(signal); // once this returns
}

// From here on in the usual state of a program.

[[noreturn]] void onTerminate() {
    std::string what = "std::terminate without an exception";
    if (const std::type_info* type = abi::__cxa_current_exception_type()) {
        int status = 0;
        char* const name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
        what = name ? name : type->name();
        try {
            throw;
        } catch (const std::exception& error) {
            what += std::string(": ") + error.what();
        } catch (...) { // its type is all there is to know
        }
    }
    std::ranges::replace(what, '\n', ' ');
    std::memcpy(g_what.data(), what.data(), std::min(what.size(), g_what.size() - 1));
    std::abort();
}

/// Of the executable, so that nobody reads names for it out of another one. Empty: it has none.
std::string ownBuildId() {
    std::string id;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* into) {
            for (int i = 0; i < info->dlpi_phnum; ++i) {
                const auto& header = info->dlpi_phdr[i];
                if (header.p_type != PT_NOTE)
                    continue;
                const auto* at = reinterpret_cast<const char*>(info->dlpi_addr + header.p_vaddr);
                const char* const end = at + header.p_memsz;
                while (at + sizeof(ElfW(Nhdr)) <= end) {
                    ElfW(Nhdr) note;
                    std::memcpy(&note, at, sizeof note);
                    const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
                    const char* const name = at + sizeof note;
                    const char* const bytes = name + padded(note.n_namesz);
                    if (note.n_type == NT_GNU_BUILD_ID && std::string_view(name, 3) == "GNU")
                        for (std::size_t b = 0; b < note.n_descsz; ++b)
                            *static_cast<std::string*>(into) +=
                                fmt::format("{:02x}", static_cast<unsigned char>(bytes[b]));
                    at = bytes + padded(note.n_descsz);
                }
            }
            return 1; // the executable comes first
        },
        &id);
    return id;
}

CrashNotes* notesFor(const std::string& program, const std::filesystem::path& folder) {
    std::error_code unknown;
    const std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe", unknown);
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    auto* notes = new CrashNotes; // as long as the process
    for (std::filesystem::path each = folder; each.has_relative_path(); each = each.parent_path())
        notes->folders.insert(notes->folders.begin(), each.string());
    if (!folder.empty()) // else nobody has a home, and standard error gets it
        notes->file =
            (folder / fmt::format("{}-{:%Y%m%dT%H%M%S}-{}.txt", program.substr(0, program.find(' ')),
                                  fmt::gmtime(now), ::getpid()))
                .string();
    notes->head = fmt::format("program: {}\nexecutable: {}\nbuild: {}\nstarted: {:%FT%TZ}\n", program,
                              executable.string(), ownBuildId(), fmt::gmtime(now));
    notes->said =
        fmt::format("{}: it crashed; {} tells where\n", program.substr(0, program.find(' ')), notes->file);
    notes->log = &Log::get();
    return notes;
}

} // namespace

bool reportCrashes(const std::string& program, const std::filesystem::path& folder) {
    if (PIM_IS_SANITIZED)
        return false;
    static const SignalStack kStackOfMain;
    Log::get().collect(0);
    g_notes = notesFor(program, folder.empty() ? folder : std::filesystem::absolute(folder));
    void* loaded = nullptr;
    backtrace(&loaded, 1); // loads what unwinds, which allocates
    std::set_terminate(onTerminate);
    struct sigaction action {};
    action.sa_sigaction = onCrash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (const SignalName& each : kSignals)
        sigaddset(&action.sa_mask, each.number);
    for (const SignalName& each : kSignals)
        ::sigaction(each.number, &action, nullptr);
    return true;
}

} // namespace pim
