// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What every verb of `pimc` works with: where results and messages go, how it is stopped, what it compiles
/// for. Results go to standard output, everything said on the way to standard error.
#include "core/base/log.h"
#include "core/base/task.h"
#include "core/base/text_table.h"
#include "core/graph/import.h"
#include "core/graph/zoo/samples.h"
#include "core/hardware/catalog.h"
#include "core/plan/backend.h"

#include <chrono>
#include <mutex>
#include <string_view>

namespace pim::cli {

/// One line on standard error that shows how far the work is; nothing where standard error is no terminal.
class ProgressLine {
public:
    explicit ProgressLine(bool enabled) : m_enabled(enabled) {}
    ~ProgressLine() { clear(); }
    void show(std::string_view stage, std::int64_t done, std::int64_t total); ///< Thread-safe.
    void clear();                                                             ///< Thread-safe.

private:
    bool m_enabled;
    bool m_shown = false;
    std::chrono::steady_clock::time_point m_last{};
    std::mutex m_mutex;
};

/// What the work is at, for the log: each stage once it begins, with the time the one before took. Thread-safe.
class StageLog {
public:
    explicit StageLog(Log& log) : m_log(log) {}
    void enter(std::string_view stage);
    void leave(); ///< The last one is over.

private:
    Log& m_log;
    std::mutex m_mutex;
    std::string m_stage;
    std::chrono::steady_clock::time_point m_since{};
};

class Session {
public:
    explicit Session(std::stop_token stop);

    bool json = false;                      ///< --json
    bool quiet = false;                     ///< --quiet: no progress, no warnings
    std::vector<std::string> targetFolders; ///< --targets
    Log& log = Log::get();                  ///< --log-level, --verbose
    std::string logFile;                    ///< --log-file

    const BackendList& backends() const { return m_backends; }
    /// All targets; what is wrong with any file is said once.
    const TargetCatalog& catalog();
    /// One target; the others need not be read for that.
    Result<std::shared_ptr<const Target>> target(const std::string& nameOrPath, const std::string& host = {});
    /// Stops on Ctrl-C, reports to the progress line.
    TaskContext task();

    /// To standard output. Error::Io if it cannot take it (disk full, closed). Where columns were chosen that no table has had
    /// yet, it waits for one that has them.
    Result<void> print(std::string_view text);
    /// print() of the next lines of the one CSV table, in the chosen columns.
    Result<void> printCsv(std::string_view text);
    /// After the last print(). Error::NotFound for chosen columns that no table has, with those there are.
    Result<void> finish();
    /// To standard error, unless quiet.
    void say(const std::string& message);
    void say(const Diagnostics& problems);
    void complain(const std::string& message); ///< To standard error, always.
    /// How the work goes, for --log-level and --log-file.
    void tell(LogLevel level, const std::string& message);

private:
    std::string m_waiting; ///< Printed, for a table with the chosen columns to come.
    CsvColumns m_csv;
    StageLog m_stages{log};
    std::stop_token m_stop;
    BackendList m_backends;
    std::unique_ptr<TargetCatalog> m_catalog;
    std::unique_ptr<ProgressLine> m_progress;
};

} // namespace pim::cli
