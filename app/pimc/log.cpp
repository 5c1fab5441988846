// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/log.h"

#include "core/base/file_io.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace pim::cli {
namespace {

std::string withoutControl(const std::string& text) {
    std::string shown;
    for (const char c : text)
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
            shown += fmt::format("\\x{:02x}", c);
        else
            shown += c;
    return shown;
}

void toStandardError(const std::string& line) {
    std::fputs((line + "\n").c_str(), stderr);
}

/// "2026-11-29T06:15:06.123Z"
std::string timeNow() {
    const auto now = std::chrono::system_clock::now();
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()) % 1000;
    return fmt::format("{:%FT%T}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(now)), ms.count());
}

} // namespace

std::string_view name(LogLevel level) {
    static constexpr std::array<std::string_view, 4> kNames{"error", "warning", "info", "debug"};
    return kNames[static_cast<std::size_t>(level)];
}

Log::~Log() {
    if (m_handle >= 0)
        close(m_handle);
}

Result<void> Log::open(const std::filesystem::path& file) {
    m_handle = openHandle(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC);
    if (m_handle < 0)
        return fail(ErrorCode::Io, std::string("cannot be opened: ") + std::strerror(errno), file.string(),
                    "choose a file that can be written, or leave out --log-file");
    m_file = file;
    m_hasFile = true;
    return {};
}

void Log::write(LogLevel level, const std::string& text) {
    if (!wants(level))
        return;
    const std::string clean = withoutControl(text);
    const std::lock_guard lock(m_mutex);
    if (level <= shown)
        toStandardError(level > LogLevel::Warning ? fmt::format("pimc: {}: {}", name(level), clean) : clean);
    if (m_handle >= 0)
        append(level, clean);
}

void Log::append(LogLevel level, const std::string& text) {
    const std::string line = fmt::format("{} {:7} {}\n", timeNow(), name(level), text);
    std::size_t written = 0;
    while (written < line.size()) {
        const ssize_t more = ::write(m_handle, line.data() + written, line.size() - written);
        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0) {
            toStandardError(fmt::format("warning: {}: cannot be written: {}. The work goes on without it",
                                        withoutControl(m_file.string()), std::strerror(errno)));
            close(m_handle);
            m_handle = -1;
            m_hasFile = false;
            return;
        }
        written += static_cast<std::size_t>(more);
    }
}

} // namespace pim::cli
