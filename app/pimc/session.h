// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What every verb of `pimc` works with: where results and messages go, how it is stopped, what it compiles
/// for. Results go to standard output, everything said on the way to standard error.
#include "core/base/task.h"
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

class Session {
public:
    explicit Session(std::stop_token stop);

    bool json = false;                      ///< --json
    bool quiet = false;                     ///< --quiet: no progress, no warnings
    std::vector<std::string> targetFolders; ///< --targets

    const BackendList& backends() const { return m_backends; }
    /// All targets; what is wrong with any file is said once.
    const TargetCatalog& catalog();
    /// One target; the others need not be read for that.
    Result<std::shared_ptr<const Target>> target(const std::string& nameOrPath, const std::string& host = {});
    /// Stops on Ctrl-C, reports to the progress line.
    TaskContext task();

    /// To standard output. Error::Io if it cannot take it (disk full, closed).
    Result<void> print(std::string_view text);
    /// To standard error, unless quiet.
    void say(const std::string& message);
    void say(const Diagnostics& problems);
    void complain(const std::string& message); ///< To standard error, always.

private:
    std::stop_token m_stop;
    BackendList m_backends;
    std::unique_ptr<TargetCatalog> m_catalog;
    std::unique_ptr<ProgressLine> m_progress;
};

/// Whole file as text; "-" reads standard input.
Result<std::string> readText(const std::string& file);

} // namespace pim::cli
