// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// `pimc`, the command-line compiler. Exit codes: 0 done, 1 the user's input or the outside world, 2 our own
/// mistake, 130 stopped with Ctrl-C.
#include "app/pimc/interrupt.h"
#include "app/pimc/mistaken_word.h"
#include "app/pimc/options_file.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/jobs.h"
#include "core/base/number_text.h"
#include "core/base/paths.h"
#include "core/base/text_table.h"
#include "core/base/version.h"
#include "core/report/versions.h"
#include "core/support/crash_handler.h"
#include "core/support/crash_reports.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <new>

namespace {

using namespace pim;
using namespace pim::cli;

constexpr int kDone = 0, kUserError = 1, kBug = 2, kStopped = 130;

int exitCode(const Error& error) {
    switch (error.code) {
    case ErrorCode::Cancelled:
        return kStopped;
    case ErrorCode::Internal:
        return kBug;
    default:
        return kUserError;
    }
}

void chooseJobs(const std::string& text) {
    const Result<int> count = readJobs(text, "--jobs");
    if (!count)
        throw CLI::ValidationError(count.error().text());
    setJobs(*count);
}

void readColumns(const std::string& text) {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        names.push_back(text.substr(begin, end - begin));
        if (names.back().empty())
            throw CLI::ValidationError(
                fmt::format("--columns: \"{}\" has an empty name; write NAME,NAME", text));
        begin = end + 1;
    }
    chooseColumns(std::move(names));
}

/// Options that stand in a file, so that they need not be given each time; what is given counts.
std::shared_ptr<const OptionsFile> readOptionsFile(CLI::App& app) {
    const char* const usual = std::getenv("PIM_CONFIG");
    app.set_config(
           "--config", usual ? usual : "",
           "Options from this file too: under a line [VERB], a line OPTION = VALUE for each. PIM_CONFIG "
           "names one that is read where none is given")
        ->type_name("FILE");
    app.allow_config_extras(CLI::config_extras_mode::error); // a misspelt option is no comment
    auto file = std::make_shared<OptionsFile>(app);
    app.config_formatter(file);
    return file;
}

Result<void> checkVariables() {
    PIM_CHECK(checkJobsVariable());
    const char* const file = std::getenv("PIM_CONFIG");
    if (file && *file && (std::filesystem::is_directory(file) || !std::ifstream(file)))
        return fail(ErrorCode::NotFound, "PIM_CONFIG names a file that cannot be read", file,
                    "write it, or unset the variable");
    return {};
}

/// What every verb has.
void declareShared(CLI::App& sub, const Verb& verb, Session& session) {
    CLI::Option* json = nullptr;
    if (verb.output == VerbOutput::TextOrJson)
        json = sub.add_flag("--json", session.json, "Print one JSON document instead of text");
    CLI::Option* const columns =
        sub.add_option_function<std::string>(
               "--columns", readColumns,
               "Columns of the table to print, in this order, by their headings in lower case with _ for a "
               "blank, or their names in CSV")
            ->type_name("NAME,…");
    if (json)
        columns->excludes(json);
    sub.add_option_function<std::string>("-j,--jobs", chooseJobs,
                                         "Threads that work at once; usually what PIM_JOBS says, or as many "
                                         "as the machine has cores. Results do not depend on it")
        ->type_name("N");
    sub.add_flag("-q,--quiet", session.quiet, "No progress, no warnings: results and errors alone");
    sub.add_option_function<std::string>(
           "--log-level",
           [&session](const std::string& level) {
               if (const auto known = logLevel(level))
                   session.log.show(*known);
           },
           "What is said on standard error: errors alone, warnings too (usually), what is worked with and "
           "how "
           "long it took, or every stage")
        ->check(CLI::IsMember({"error", "warning", "info", "debug"}))
        ->type_name("error|warning|info|debug");
    sub.add_flag_callback(
        "-v,--verbose", [&session] { session.log.show(LogLevel::Debug); }, "The same as --log-level debug");
    sub.add_option("--log-file", session.logFile,
                   "Append all of that to this file too, every stage with it, whatever the level")
        ->type_name("FILE");
    sub.add_option("--targets", session.targetFolders, "Folder with more target files; may be repeated")
        ->type_name("FOLDER")
        ->check(CLI::ExistingDirectory);
}

/// What a log begins with.
Result<void> beginLog(Session& session, int argc, char** argv) {
    if (session.quiet)
        session.log.show(LogLevel::Error);
    if (!session.logFile.empty())
        PIM_CHECK(session.log.open(session.logFile));
    std::string line = "pimc " PIM_VERSION ":";
    for (int i = 1; i < argc; ++i)
        line += std::string(" ") + argv[i];
    session.tell(LogLevel::Info, line);
    session.tell(LogLevel::Info, fmt::format("resources {}, {} at once", resourceDir().string(), jobs()));
    return {};
}

void endLog(Session& session, std::chrono::steady_clock::duration took, int code) {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    session.tell(LogLevel::Info, fmt::format("exit code {} after {}, {} of memory at most", code,
                                             timeText(std::chrono::duration<double, std::nano>(took).count()),
                                             bytesText(1024.0 * static_cast<double>(used.ru_maxrss))));
}

/// Does it, and says what went wrong. \returns the exit code.
int act(Session& session, const Action& action) {
    const auto done = [&]() -> Result<void> {
        PIM_CHECK(action(session));
        return session.finish();
    }();
    if (done)
        return kDone;
    const Error& error = done.error();
    session.complain((error.code == ErrorCode::Internal ? "pimc: internal error: " : "pimc: error: ") +
                     error.text());
    return exitCode(error);
}

/// What is asked without a verb.
void declareVersion(CLI::App& app, Session& session) {
    CLI::Option* const version = app.set_version_flag("--version", [&app, &session]() -> std::string {
        if (app.count("--all") == 0)
            return "pimc " PIM_VERSION;
        std::string text = "pimc " PIM_VERSION "\n" + versionText(versionList(session.catalog(), true));
        text.pop_back(); // CLI11 ends the line
        return text;
    });
    app.add_flag_callback(
           "--all", [] {}, "With --version: of the libraries, the formats and the machines too")
        ->needs(version);
}

int run(int argc, char** argv) {
    Log::get().setProgram("pimc");
    reportCrashes("pimc " PIM_VERSION, crashFolder());
    if (const Result<void> checked = checkVariables(); !checked) {
        std::fprintf(stderr, "pimc: error: %s\n", checked.error().text().c_str());
        return kUserError;
    }
    CLI::App app("pimc " PIM_VERSION " compiles neural networks for processing-in-memory hardware.", "pimc");
    app.require_subcommand(1);
    const auto optionsFile = readOptionsFile(app);
    const std::vector<std::string> words(argv, argv + argc);
    app.failure_message([&](const CLI::App*, const CLI::Error& e) {
        const std::string problem = problemText(app, e);
        return fmt::format("pimc: error: {}{}\nRun `pimc --help` or `pimc VERB --help`.\n",
                           optionsFile->placeOf(problem, words), problem);
    });
    app.footer("Results go to standard output, messages to standard error.\n"
               "Exit code 0: done; 1: something in the input; 2: a bug in pimc; 130: stopped.\n"
               "Run `pimc VERB --help` for the options of a verb and examples.");

    Interrupt interrupt;
    Session session(interrupt.token());
    declareVersion(app, session);
    std::vector<std::pair<CLI::App*, Action>> actions;
    for (const VerbGroup& group : verbGroups())
        for (const Verb& verb : group.verbs) {
            CLI::App* sub = app.add_subcommand(verb.name, verb.summary)->group(group.heading);
            if (verb.formerName)
                sub->alias(verb.formerName);
            actions.emplace_back(sub, verb.declare(*sub, session.backends()));
            declareShared(*sub, verb, session);
        }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? kDone : kUserError;
    }
    const auto start = std::chrono::steady_clock::now();
    for (const auto& [sub, action] : actions) {
        if (!sub->parsed())
            continue;
        const int code = act(session, [&, &chosen = action](Session&) -> Result<void> {
            PIM_CHECK(beginLog(session, argc, argv));
            return chosen(session);
        });
        endLog(session, std::chrono::steady_clock::now() - start, code);
        return code;
    }
    return kDone;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "pimc: error: there is not enough memory for it. Bind dimensions to smaller "
                             "values, or use a smaller machine\n");
        return kUserError;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "pimc: internal error: %s\n", e.what());
        return kBug;
    }
}
