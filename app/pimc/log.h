// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Messages of `pimc`: those down to a level on standard error, all of them in a file where one was named. Never on standard output.
/// Flow: Session -> [Log].
#include "core/base/result.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

namespace pim::cli {

/// From what ends the work to what tells how it went.
enum class LogLevel : std::uint8_t { Error, Warning, Info, Debug };

std::string_view name(LogLevel level); ///< "error", "warning", "info", "debug"

/// Thread-safe.
class Log {
public:
    LogLevel shown = LogLevel::Warning; ///< Down to this on standard error.

    Log() = default;
    ~Log();
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    /// Appends to \p file from now on, whatever the level. Error::Io if it cannot be opened.
    Result<void> open(const std::filesystem::path& file);
    bool wants(LogLevel level) const { return level <= shown || m_hasFile; }
    /// A line for the level. Names in \p text may be anybody's: none moves the cursor or colours the terminal. A file that takes no
    /// more is said once and left: the work goes on.
    void write(LogLevel level, const std::string& text);

private:
    void append(LogLevel level, const std::string& text);

    std::mutex m_mutex;
    std::filesystem::path m_file;
    std::atomic<bool> m_hasFile = false;
    int m_handle = -1;
};

} // namespace pim::cli
