// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Whether this installation is in order: each part is used as the program uses it, and what is wrong has a way out.
#include "app/pimc/json_document.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/jobs.h"
#include "core/base/number_text.h"
#include "core/base/paths.h"
#include "core/base/text_table.h"
#include "core/base/version.h"
#include "core/compile/compiler.h"
#include "core/graph/import.h"
#include "core/graph/zoo/samples.h"
#include "core/plan/simulation.h"
#include "core/project/project.h"
#include "core/support/crash_reports.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace pim::cli {
namespace {

namespace fs = std::filesystem;

enum class State { Ok, Note, Problem };

struct Finding {
    std::string what;
    State state = State::Ok;
    std::string text; ///< What was found.
    std::string hint; ///< The way out; empty where nothing is wrong.
};

std::string_view name(State state) {
    static constexpr std::array<std::string_view, 3> kNames{"ok", "note", "problem"};
    return kNames[static_cast<std::size_t>(state)];
}

Finding problem(std::string what, const Error& error) {
    return {std::move(what), State::Problem, error.text(), {}};
}

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

/// In PATH; empty: nowhere.
fs::path program(const std::string& name) {
    const std::string path = variable("PATH");
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find(':', begin), path.size());
        const fs::path found = fs::path(path.substr(begin, end - begin)) / name;
        if (access(found.c_str(), X_OK) == 0)
            return found;
        begin = end + 1;
    }
    return {};
}

Finding resources() {
    const fs::path folder = resourceDir();
    for (const char* const part : {"targets", "help", "predictors"})
        if (!fs::is_directory(folder / part))
            return {"resources", State::Problem, fmt::format("{} has no folder {}", folder.string(), part),
                    "install the program again, or set PIM_RESOURCE_DIR to the folder that has it"};
    return {"resources", State::Ok, folder.string(), {}};
}

Finding targets(Session& session) {
    const TargetCatalog& catalog = session.catalog();
    std::string wrong;
    for (const auto& target : catalog.targets()) {
        const auto backend = session.backends().find(target->backend);
        if (!backend)
            wrong += (wrong.empty() ? "" : "; ") + target->id + ": " + backend.error().message;
        else if (std::ranges::any_of((*backend)->checkTarget(*target),
                                     [](const Diagnostic& each) { return each.severity == Severity::Error; }))
            wrong += (wrong.empty() ? "" : "; ") + target->id + " is not as its family wants it";
    }
    for (const Diagnostic& diagnostic : catalog.problems())
        wrong += (wrong.empty() ? "" : "; ") + diagnostic.object + ": " + diagnostic.message;
    if (!wrong.empty())
        return {"targets", State::Problem, wrong, "mend or remove the files; `pimc targets ID` tells more"};
    return {"targets",
            State::Ok,
            fmt::format("{} machines, {} hosts", catalog.targets().size(), catalog.hosts().size()),
            {}};
}

/// The main job on the smallest sample.
Finding compiling(Session& session) {
    constexpr const char* kWhat = "compile and simulate";
    const auto simulated = [&]() -> Result<std::string> {
        PIM_TRY(const ModelArgument argument, findModel("sample:tiny-gpt"));
        PlanRequest request;
        PIM_TRY(request.graph, loadGraph(argument.path, {.bindings = argument.bindings}, session.task()));
        PIM_TRY(request.target, session.target("hbm-pim"));
        PIM_TRY(const auto plan, compile(session.backends(), request, nullptr, session.task()));
        PIM_TRY(const Backend* const backend, session.backends().find(request.target->backend));
        PIM_TRY(const auto simulation, backend->simulate(*plan, session.task()));
        return fmt::format("tiny-gpt on hbm-pim takes {}", timeText(simulation->totalNs));
    }();
    return simulated ? Finding{kWhat, State::Ok, *simulated, {}} : problem(kWhat, simulated.error());
}

Finding samples() {
    Diagnostics problems;
    const auto all = bundledSamples(&problems);
    std::string wrong;
    for (const Diagnostic& diagnostic : problems)
        wrong += (wrong.empty() ? "" : "; ") + diagnostic.object + ": " + diagnostic.message;
    for (const Sample& sample : all)
        if (!fs::exists(sample.model))
            wrong += (wrong.empty() ? "" : "; ") + sample.model.string() + " is missing";
    if (all.empty() && wrong.empty())
        wrong = samplesDir().string() + " has none";
    if (!wrong.empty())
        return {"samples", State::Problem, wrong,
                "install the program again, or set PIM_PROJECTS_DIR to the folder that has them"};
    return {"samples", State::Ok, fmt::format("{} in {}", all.size(), samplesDir().string()), {}};
}

/// Whether a project can be made, written and read again there: some network drives cannot lock files.
Finding projects() {
    constexpr std::uintmax_t kLeast = 100 << 20; // a few runs, a report
    std::error_code error;
    const fs::path folder = fs::temp_directory_path(error);
    if (error)
        return {"projects", State::Problem,
                fmt::format("there is no folder to try one in: {}, {}", variable("TMPDIR"), error.message()),
                "set TMPDIR to one that can be written"};
    const fs::path file = folder / fmt::format("pimc-doctor-{}.pimproj", getpid());
    const auto removed = [&] {
        for (const char* const suffix : {"", "-wal", "-shm", "-journal"})
            fs::remove(file.string() + suffix, error);
    };
    const auto tried = [&]() -> Result<void> {
        PIM_CHECK(Project::open(file));
        PIM_TRY(const auto again, Project::open(file));
        PIM_CHECK(again->runs());
        return {};
    }();
    removed();
    if (!tried)
        return problem("projects", tried.error());
    const auto space = fs::space(folder, error);
    if (!error && space.available < kLeast)
        return {"projects", State::Note,
                fmt::format("can be written in {}, but {} are free there", folder.string(),
                            bytesText(static_cast<double>(space.available))),
                "make room, or set TMPDIR to another folder"};
    return {"projects", State::Ok, "can be written and read in " + folder.string(), {}};
}

Finding settings() {
    const fs::path folder = configDir();
    if (folder.empty())
        return {"settings", State::Note, "there is no home folder, so none are kept",
                "set HOME, XDG_CONFIG_HOME or PIM_CONFIG_DIR"};
    fs::path there = folder; // the first part of it that is there has to let others be made
    while (!fs::exists(there) && there.has_parent_path() && there != there.parent_path())
        there = there.parent_path();
    if (!fs::is_directory(there) || access(there.c_str(), W_OK) != 0)
        return {"settings", State::Note, folder.string() + " cannot be written, so none are kept",
                "let yourself write there, or set PIM_CONFIG_DIR"};
    return {"settings", State::Ok, folder.string(), {}};
}

Finding window() {
    std::error_code error;
    const fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path() / "pimstudio";
    const fs::path studio = access(beside.c_str(), X_OK) == 0 ? beside : program("pimstudio");
    if (studio.empty())
        return {"window", State::Note, "there is no pimstudio", "install the package pimstudio for it"};
    if (variable("DISPLAY").empty() && variable("WAYLAND_DISPLAY").empty())
        return {"window", State::Note, studio.string() + ", but there is no display",
                "start it in a desktop session, or by ssh -X; pimc needs none"};
    return {"window", State::Ok, studio.string(), {}};
}

/// What crashed lately; nothing is done about it here, so that the window may still offer it.
Finding crashes() {
    const auto reports = crashReports(crashFolder());
    if (reports.empty())
        return {"crashes", State::Ok, "none", {}};
    const CrashReport& last = reports.front();
    return {"crashes", State::Note,
            fmt::format("{}, the last one {}: {}, {}{}", reports.size(), last.when, last.program, last.signal,
                        last.place.empty() ? "" : ", in " + last.place),
            fmt::format("read {}, report it, remove it", last.file.string())};
}

/// Of campaigns; none is needed.
Finding engines() {
    std::string text = "local processes";
    for (const char* const engine : {"sbatch", "mpirun", "parallel"})
        if (!program(engine).empty())
            text += std::string(", ") + engine;
    return {"engines of campaigns", State::Ok, text, {}};
}

Finding machine() {
    constexpr double kLeast = 2e9; // bytes; large networks with weights take more
    struct sysinfo info {};
    sysinfo(&info);
    const double bytes = static_cast<double>(info.totalram) * info.mem_unit;
    const std::string text = fmt::format("{} threads at once, {} of memory", jobs(), bytesText(bytes));
    if (bytes < kLeast)
        return {"this machine", State::Note, text, "large networks need more: compile them without weights"};
    return {"this machine", State::Ok, text, {}};
}

Result<void> run(Session& session) {
    const std::vector<Finding> findings{resources(), targets(session), samples(), compiling(session),
                                        projects(),  settings(),       window(),  crashes(),
                                        engines(),   machine()};
    std::int64_t problems = 0;
    TextTable table({"Part", "State", "What"});
    auto rows = nlohmann::ordered_json::array();
    for (const Finding& finding : findings) {
        problems += finding.state == State::Problem ? 1 : 0;
        table.add({finding.what, std::string(name(finding.state)),
                   finding.text + (finding.hint.empty() ? "" : ". Way out: " + finding.hint)});
        rows.push_back({{"part", finding.what},
                        {"state", name(finding.state)},
                        {"what", finding.text},
                        {"hint", finding.hint}});
    }
    PIM_CHECK(session.print(
        session.json ? jsonDocument(nlohmann::ordered_json{{"version", PIM_VERSION}, {"parts", rows}})
                     : "pimc " PIM_VERSION "\n\n" + table.text()));
    if (problems > 0)
        return fail(ErrorCode::NotFound,
                    fmt::format("{} of {} parts {} not in order", problems, findings.size(),
                                problems == 1 ? "is" : "are"),
                    {}, "mend what the table calls a problem, and ask again");
    return {};
}

} // namespace

Action doctorVerb(CLI::App& verb, const BackendList&) {
    verb.footer("Exit code 0: nothing is wrong; 1: something is. Notes are no problems.\n\n"
                "Example:\n  pimc doctor");
    return [](Session& session) { return run(session); };
}

} // namespace pim::cli
