// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/log.h"

#include "core/base/control_text.h"
#include "core/base/file_io.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace pim {
namespace {

constexpr std::array<std::string_view, 4> kLevelNames{"error", "warning", "info", "debug"};
/// Of one entry: a library may say anything.
constexpr std::size_t kMostText = std::size_t{64} << 10;
/// Of all entries that are collected.
constexpr std::size_t kMostTextOfAll = std::size_t{8} << 20;

std::string shownText(const std::string& text) {
    std::string shown = withoutControl(text);
    if (shown.size() > kMostText)
        shown = fmt::format("{} … ({} more bytes)", shown.substr(0, kMostText), shown.size() - kMostText);
    return shown;
}

void toStandardError(const std::string& line) {
    std::fputs((line + "\n").c_str(), stderr);
}

} // namespace

std::string_view name(LogLevel level) {
    return kLevelNames[static_cast<std::size_t>(level)];
}

std::optional<LogLevel> logLevel(std::string_view name) {
    const auto* const found = std::ranges::find(kLevelNames, name);
    if (found == kLevelNames.end())
        return std::nullopt;
    return static_cast<LogLevel>(found - kLevelNames.begin());
}

std::string LogEntry::line() const {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()) % 1000;
    return fmt::format("{:%FT%T}.{:03}Z {:7} {}{}{}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)),
                       ms.count(), name(level), room, room.empty() ? "" : ": ", text);
}

Log& Log::get() {
    static Log& log = *new Log; // what ends last may still have something to say
    return log;
}

Log::~Log() {
    if (m_handle >= 0)
        close(m_handle);
}

Result<void> Log::open(const std::filesystem::path& file) {
    const int handle = openHandle(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC);
    if (handle < 0)
        return fail(ErrorCode::Io, std::string("cannot be opened: ") + std::strerror(errno), file.string(),
                    "choose a file that can be written, or leave out --log-file");
    const std::lock_guard lock(m_mutex);
    if (m_handle >= 0)
        close(m_handle);
    m_handle = handle;
    m_file = file;
    m_problem.reset();
    m_hasFile = true;
    return {};
}

std::optional<Error> Log::fileProblem() const {
    const std::lock_guard lock(m_mutex);
    return m_problem;
}

void Log::collect(std::size_t entries) {
    const std::lock_guard lock(m_mutex);
    m_mostEntries = entries;
    m_collects = true;
}

void Log::tell(std::function<void()> told) {
    const std::lock_guard lock(m_mutex);
    m_told = std::move(told);
}

void Log::write(LogLevel level, std::string_view room, const std::string& text) {
    if (!wants(level))
        return;
    LogEntry entry{0, std::chrono::system_clock::now(), level, std::string(room), shownText(text)};
    const std::string line = entry.line();
    const std::lock_guard lock(m_mutex);
    if (level <= m_shown) {
        const std::string said = room.empty() ? entry.text : fmt::format("{}: {}", room, entry.text);
        toStandardError(room.empty() && level <= LogLevel::Warning
                            ? said
                            : fmt::format("{}: {}: {}", m_program, name(level), said));
    }
    if (m_handle >= 0)
        append(line + "\n");
    if (m_collects)
        remember(std::move(entry), line + "\n");
    if (m_told)
        m_told();
}

void Log::append(const std::string& line) {
    std::size_t written = 0;
    while (written < line.size()) {
        const ssize_t more = ::write(m_handle, line.data() + written, line.size() - written);
        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0) {
            m_problem =
                Error{ErrorCode::Io,
                      fmt::format("cannot be written: {}. The work goes on without it", std::strerror(errno)),
                      shownText(m_file.string()),
                      {}};
            toStandardError("warning: " + m_problem->text());
            close(m_handle);
            m_handle = -1;
            m_hasFile = false;
            return;
        }
        written += static_cast<std::size_t>(more);
    }
}

void Log::remember(LogEntry entry, const std::string& line) {
    entry.number = ++m_number;
    const std::string_view kept = std::string_view(line).substr(0, m_tail.size());
    const std::size_t end = m_tailEnd;
    for (std::size_t i = 0; i < kept.size(); ++i)
        m_tail[(end + i) % m_tail.size()] = kept[i];
    m_tailEnd = end + kept.size();
    m_lastBytes += entry.text.size();
    m_last.push_back(std::move(entry));
    while (!m_last.empty() && (m_last.size() > m_mostEntries || m_lastBytes > kMostTextOfAll)) {
        m_lastBytes -= m_last.front().text.size();
        m_last.pop_front();
    }
}

std::vector<LogEntry> Log::since(std::uint64_t number) const {
    const std::lock_guard lock(m_mutex);
    const auto first = std::ranges::upper_bound(m_last, number, {}, &LogEntry::number);
    return {first, m_last.end()};
}

void Log::writeTail(int handle) const noexcept {
    const std::size_t end = m_tailEnd, size = m_tail.size(), place = end % size;
    const auto put = [handle](const char* from, std::size_t bytes) {
        while (bytes > 0) {
            const ssize_t done = ::write(handle, from, bytes);
            if (done <= 0)
                return;
            from += done;
            bytes -= static_cast<std::size_t>(done);
        }
    };
    if (end > size) { // the first line of a full ring has lost its beginning
        const auto* const cut =
            static_cast<const char*>(std::memchr(m_tail.data() + place, '\n', size - place));
        const char* const from = cut ? cut + 1 : m_tail.data() + place;
        put(from, static_cast<std::size_t>(m_tail.data() + size - from));
    }
    put(m_tail.data(), place);
}

} // namespace pim
