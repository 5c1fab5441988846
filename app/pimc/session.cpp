// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/session.h"

#include "backends/builtin.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/hardware/spelling.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <unistd.h>

namespace pim::cli {

void ProgressLine::show(std::string_view stage, std::int64_t done, std::int64_t total) {
    if (!m_enabled)
        return;
    const std::lock_guard lock(m_mutex);
    const auto now = std::chrono::steady_clock::now();
    if (now - m_last < std::chrono::milliseconds(100))
        return;
    m_last = now;
    m_shown = true;
    std::string line(stage.substr(0, 40));
    if (total > 0) {
        constexpr std::int64_t kWidth = 30;
        const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
        const auto filled = static_cast<std::size_t>(share * kWidth);
        line += fmt::format(" [{:30}] {:3.0f} %", std::string(filled, '='), 100 * share);
    }
    std::fputs(("\r\x1b[K" + line).c_str(), stderr); // carriage return, erase to the end of the line
    std::fflush(stderr);
}

void ProgressLine::clear() {
    const std::lock_guard lock(m_mutex);
    if (m_shown)
        std::fputs("\r\x1b[K", stderr);
    m_shown = false;
}

void StageLog::enter(std::string_view stage) {
    const std::lock_guard lock(m_mutex);
    if (stage == m_stage)
        return;
    const auto now = std::chrono::steady_clock::now();
    if (!m_stage.empty())
        m_log.write(LogLevel::Debug, {},
                    fmt::format("{}: {}", m_stage,
                                timeText(std::chrono::duration<double, std::nano>(now - m_since).count())));
    m_stage = stage;
    m_since = now;
}

void StageLog::leave() {
    enter({});
}

Session::Session(std::stop_token stop) : m_stop(std::move(stop)), m_backends(builtinBackends()) {}

const TargetCatalog& Session::catalog() {
    if (!m_catalog) {
        m_catalog = std::make_unique<TargetCatalog>(
            TargetCatalog::load({targetFolders.begin(), targetFolders.end()}));
        say(m_catalog->problems());
    }
    return *m_catalog;
}

Result<std::shared_ptr<const Target>> Session::target(const std::string& nameOrPath,
                                                      const std::string& host) {
    Diagnostics problems;
    auto found =
        TargetCatalog::findOne(nameOrPath, host, {targetFolders.begin(), targetFolders.end()}, problems);
    say(problems);
    if (found)
        tell(LogLevel::Info, fmt::format("target {} from {}, backend {}, host {}", (*found)->id,
                                         (*found)->file.string(), (*found)->backend, (*found)->host.id));
    return found;
}

TaskContext Session::task() {
    if (!m_progress)
        m_progress =
            std::make_unique<ProgressLine>(log.shown() < LogLevel::Debug && !quiet &&
                                           isatty(STDERR_FILENO) == 1); // stages are shown as they come
    TaskContext task;
    task.stop = m_stop;
    task.onProgress = [line = m_progress.get(), stages = &m_stages, isLogged = log.wants(LogLevel::Debug)](
                          std::string_view stage, std::int64_t done, std::int64_t total) {
        if (isLogged)
            stages->enter(stage);
        line->show(stage, done, total);
    };
    return task;
}

Result<void> Session::print(std::string_view text) {
    m_waiting += text;
    if (const ColumnChoice choice = columnChoice(); choice.wasAsked && !choice.wasFound)
        return {};
    if (m_progress)
        m_progress->clear();
    const std::string all = std::exchange(m_waiting, {});
    if (std::fwrite(all.data(), 1, all.size(), stdout) != all.size() || std::fflush(stdout) != 0)
        return fail(ErrorCode::Io, std::string("cannot write: ") + std::strerror(errno), "standard output");
    return {};
}

Result<void> Session::printCsv(std::string_view text) {
    return print(m_csv.in(text));
}

Result<void> Session::finish() {
    m_stages.leave();
    const ColumnChoice choice = columnChoice();
    if (choice.isMade && !choice.wasAsked)
        say("note: nothing was printed that has columns, so --columns changed nothing");
    if (!choice.wasAsked || choice.wasFound)
        return {};
    const std::string meant = didYouMean(choice.missing, choice.known);
    return fail(
        ErrorCode::NotFound, fmt::format("no table has the column \"{}\"", choice.missing), "--columns",
        fmt::format("{}{}there are {}", meant, meant.empty() ? "" : " ", fmt::join(choice.known, ", ")));
}

void Session::say(const std::string& message) {
    tell(LogLevel::Warning, message);
}

void Session::say(const Diagnostics& problems) {
    for (const Diagnostic& problem : problems) {
        const char* severity = problem.severity == Severity::Note ? "note" : "warning";
        say(fmt::format("{}: {}{}{}{}", severity, problem.object, problem.object.empty() ? "" : ": ",
                        problem.message, problem.hint.empty() ? "" : ". " + problem.hint));
    }
}

void Session::complain(const std::string& message) {
    if (m_progress)
        m_progress->clear();
    log.write(LogLevel::Error, {}, message);
}

void Session::tell(LogLevel level, const std::string& message) {
    if (!log.wants(level))
        return;
    if (m_progress)
        m_progress->clear();
    log.write(level, {}, message);
}

} // namespace pim::cli
