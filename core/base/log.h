// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What is said on the way, of the whole process: lines down to a level on standard error, all of them in a file where one was named,
/// and the last ones in memory where somebody wants to look at them or where a crash is to tell of them. Never on standard output.
#include "core/base/result.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pim {

/// From what ends the work to what tells how it went.
enum class LogLevel : std::uint8_t { Error, Warning, Info, Debug };

std::string_view name(LogLevel level); ///< "error", "warning", "info", "debug"
/// Nullopt: it is none of them.
std::optional<LogLevel> logLevel(std::string_view name);

struct LogEntry {
    std::uint64_t number = 0; ///< From 1, without gaps.
    std::chrono::system_clock::time_point time;
    LogLevel level = LogLevel::Info;
    std::string
        room; ///< Which part of the program says so: "graph", "project", "tasks"; empty: the program as a whole.
    std::string text; ///< Control characters are shown as numbers.

    std::string line() const; ///< "2026-11-29T06:15:06.123Z info    graph: …", without an end of line
};

/// Thread-safe.
class Log {
public:
    static Log& get();
    Log() = default;
    ~Log();
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    /// \p name stands in front of lines on standard error. Before there are threads.
    void setProgram(std::string name) { m_program = std::move(name); }
    void show(LogLevel level) {
        m_shown = level;
    } ///< Down to this on standard error; at first down to warnings.
    LogLevel shown() const { return m_shown; }
    /// Appends to \p file from now on, whatever the level. Error::Io if it cannot be opened.
    Result<void> open(const std::filesystem::path& file);
    /// Why the file that was opened gets nothing any more; nullopt: it does, or none was opened.
    std::optional<Error> fileProblem() const;
    /// From now on the last \p entries are there for since(), and the last of all lines for writeTail(), whatever the level.
    void collect(std::size_t entries);
    /// \p told is called after a line was written, from any thread; it must not write one. Empty: nobody is.
    void tell(std::function<void()> told);

    bool wants(LogLevel level) const { return level <= m_shown || m_hasFile || m_collects; }
    /// A line for the level. Names in \p text may be anybody's: none moves the cursor or colours the terminal. A file that takes no
    /// more is said once and left: the work goes on.
    void write(LogLevel level, std::string_view room, const std::string& text);

    /// What is collected of the entries after \p number, oldest first.
    std::vector<LogEntry> since(std::uint64_t number) const;
    /// The last lines, to an open file. For handlers of signals: no locks, no memory; a line that is just being written may be torn.
    void writeTail(int handle) const noexcept;

private:
    void append(const std::string& line);
    void remember(LogEntry entry, const std::string& line);

    std::string m_program = "pimstudio";
    std::atomic<LogLevel> m_shown = LogLevel::Warning;
    std::atomic<bool> m_hasFile = false, m_collects = false;
    mutable std::mutex m_mutex; ///< Of all below.
    std::filesystem::path m_file;
    int m_handle = -1;
    std::optional<Error> m_problem;
    std::function<void()> m_told;
    std::deque<LogEntry> m_last;
    std::size_t m_mostEntries = 0, m_lastBytes = 0;
    std::uint64_t m_number = 0;
    std::array<char, std::size_t{32} << 10> m_tail{}; ///< A ring.
    std::atomic<std::size_t> m_tailEnd = 0;           ///< B that were ever written to it.
};

} // namespace pim
