// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/child_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace pim {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostPrintedBytes = 64 << 20; ///< More is a program that never ends.

/// Pointers into texts that outlive it, as exec wants them.
std::vector<char*> pointersTo(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> environmentOf(const ChildCall& call) {
    std::vector<std::string> entries;
    for (char** entry = environ; *entry; ++entry) {
        const std::string_view text = *entry;
        const std::string_view name = text.substr(0, text.find('='));
        if (std::ranges::none_of(call.environment, [&](const auto& own) { return own.first == name; }))
            entries.emplace_back(text);
    }
    for (const auto& [name, value] : call.environment)
        entries.push_back(name + "=" + value);
    return entries;
}

std::string contentOf(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

/// In a process group of its own, so that what it starts can be stopped with it.
Result<pid_t> start(const ChildCall& call, const fs::path& out, const fs::path& err) {
    std::vector<std::string> arguments{call.program};
    arguments.insert(arguments.end(), call.arguments.begin(), call.arguments.end());
    std::vector<std::string> environment = environmentOf(call);

    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addchdir_np(&files, call.folder.c_str());
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none; // those that we block to wait for them would not reach it
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    pid_t child = 0;
    const int failure = posix_spawnp(&child, call.program.c_str(), &files, &attributes,
                                     pointersTo(arguments).data(), pointersTo(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (failure != 0)
        return fail(failure == ENOENT ? ErrorCode::NotFound : ErrorCode::Io,
                    fmt::format("cannot be started: {}", std::strerror(failure)), call.program);
    return child;
}

bool printsTooMuch(const fs::path& out, const fs::path& err) {
    std::error_code ignored;
    const auto bytesOf = [&](const fs::path& file) {
        const std::uintmax_t bytes = fs::file_size(file, ignored);
        return ignored ? 0 : bytes;
    };
    return bytesOf(out) + bytesOf(err) > kMostPrintedBytes;
}

} // namespace

Result<ChildExit> runChild(const ChildCall& call, const TaskContext& task) {
    using Clock = std::chrono::steady_clock;
    const fs::path folder = fs::absolute(call.folder);
    const fs::path out = folder / ".child.out", err = folder / ".child.err";
    PIM_TRY(const pid_t child, start(call, out, err));
    const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                     std::chrono::duration<double>(call.limitSeconds));
    int status = 0;
    std::optional<Error> stopped;
    auto pause = std::chrono::microseconds(500);
    for (pid_t ended = 0; (ended = waitpid(child, &status, stopped ? 0 : WNOHANG)) != child;) {
        if (ended < 0 && errno != EINTR)
            return fail(ErrorCode::Io, fmt::format("cannot be waited for: {}", std::strerror(errno)),
                        call.program);
        if (task.cancelled())
            stopped = TaskContext::cancelledError(call.program).value();
        else if (Clock::now() >= end)
            stopped = Error{ErrorCode::Unsupported,
                            fmt::format("still runs after {:g} s, the most it may take", call.limitSeconds),
                            call.program, "give it less work or more time"};
        else if (printsTooMuch(out, err))
            stopped =
                Error{ErrorCode::Unsupported, fmt::format("printed more than {} MB", kMostPrintedBytes >> 20),
                      call.program, "let it print less"};
        if (stopped) {
            kill(-child, SIGKILL);
            continue;
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::microseconds(10'000));
    }
    ChildExit exit{WIFEXITED(status) ? WEXITSTATUS(status) : 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                   contentOf(out), contentOf(err)};
    std::error_code ignored;
    fs::remove(out, ignored);
    fs::remove(err, ignored);
    if (stopped)
        return tl::unexpected<Error>(*stopped);
    return exit;
}

} // namespace pim
