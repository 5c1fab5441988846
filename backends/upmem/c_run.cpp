// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/c_run.h"

#include "core/base/child_process.h"
#include "core/base/file_io.h"
#include "core/base/paths.h"
#include "core/base/scratch_folder.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <optional>
#include <span>
#include <sstream>

namespace pim::upmem {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double kCompileLimitSeconds = 120;
constexpr const char* kReportFile = "upmem_report.json";
/// In the order in which a linker wants them.
constexpr const char* kRuntimeSources[] = {"host.c", "image.c", "memory.c", "tasklets.c", "checks.c"};

struct Build {
    const CProgram& program;
    const CRunOptions& options;
    fs::path folder, sdk;
    std::string compiler;

    /// Without the folder, where the compiler runs: messages do not name a temporary one.
    fs::path dpuSource() const { return program.name + "_dpu.c"; }
    fs::path hostSource() const { return program.name + "_host.c"; }
    fs::path dpuBinary() const { return folder / (program.name + "_dpu.so"); }
    fs::path hostBinary() const { return folder / (program.name + "_host"); }
};

std::optional<std::vector<std::byte>> readFile(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return std::nullopt;
    std::ostringstream text;
    text << file.rdbuf();
    const std::string content = text.str();
    const auto bytes = std::as_bytes(std::span(content));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
}

/// A plain name: it stays in the folder and is no option of the compiler.
Result<void> checkFileName(const std::string& name, const char* what) {
    const auto isAllowed = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    };
    if (!name.empty() && name[0] != '-' && name[0] != '.' && std::ranges::all_of(name, isAllowed))
        return {};
    return fail(ErrorCode::Usage, fmt::format("is no name for {}", what), fmt::format("\"{}\"", name),
                "use letters, digits, - and _");
}

std::string compilerOf(const CRunOptions& options) {
    const char* named = std::getenv("PIM_CC");
    return !options.compiler.empty() ? options.compiler : named && *named ? named : "cc";
}

std::vector<std::string> flagsFor(const Build& build) {
    std::vector<std::string> flags{"-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror"};
    flags.insert(flags.end(), build.options.compilerFlags.begin(), build.options.compilerFlags.end());
    return flags;
}

void addDefines(const CProgram& program, std::vector<std::string>& flags) {
    flags.push_back(fmt::format("-DNR_TASKLETS={}", program.tasklets));
    flags.push_back(fmt::format("-DNR_DPUS={}", program.dpus));
    for (const auto& [name, value] : program.defines)
        flags.push_back("-D" + name + "=" + value);
}

/// \param what "host program"
Result<void> compile(const Build& build, const char* what, const std::vector<std::string>& arguments,
                     const fs::path& folder, const TaskContext& task) {
    task.report(fmt::format("Compiling the {} of {}", what, build.program.name));
    const ChildCall call{build.compiler, arguments, folder, {{"LC_ALL", "C"}}, kCompileLimitSeconds};
    Result<ChildExit> exit = runChild(call, task);
    if (!exit && exit.error().code == ErrorCode::NotFound)
        return fail(ErrorCode::NotFound, "no C compiler of this name is found", build.compiler,
                    "install gcc or clang (Debian: package build-essential), or name one in PIM_CC");
    if (!exit)
        return tl::unexpected<Error>(exit.error());
    if (!exit->good())
        return fail(ErrorCode::InvalidFile, fmt::format("the {} does not compile:\n{}", what, exit->err),
                    build.program.name);
    return {};
}

/// A DPU casts its addresses to uint32_t and back, which a 64-bit compiler takes for a mistake.
Result<void> compileDpu(const Build& build, const TaskContext& task) {
    std::vector<std::string> arguments = flagsFor(build);
    addDefines(build.program, arguments);
    for (std::string flag : {"-Wno-int-to-pointer-cast", "-Wno-pointer-to-int-cast", "-fPIC", "-shared",
                             "-nostartfiles", "-Wl,-Bsymbolic", "-Dmain=dpu_main"})
        arguments.push_back(std::move(flag));
    arguments.insert(arguments.end(),
                     {"-I" + (build.sdk / "dpu").string(), build.dpuSource().string(),
                      (build.sdk / "runtime/dpu_start.c").string(), "-o", build.dpuBinary().string()});
    return compile(build, "DPU program", arguments, build.folder, task);
}

/// Hidden symbols: the host's globals are not taken for a DPU's of the same name; the runtime's own are not hidden.
constexpr const char* kHidden = "-fvisibility=hidden";

/// The objects of the runtime, which no program has a say in: compiled once for a compiler and its flags, and kept until this
/// process ends. Compiling them takes longer than a short program.
class Runtime {
public:
    static Result<std::vector<std::string>> objects(const Build& build, const TaskContext& task) {
        static Runtime runtime;
        const std::lock_guard lock(runtime.m_mutex);
        return runtime.made(build, task);
    }

private:
    Result<std::vector<std::string>> made(const Build& build, const TaskContext& task) {
        std::vector<std::string> arguments = flagsFor(build);
        arguments.insert(arguments.end(), {kHidden, "-c", "-I" + (build.sdk / "host").string()});
        for (const char* source : kRuntimeSources)
            arguments.push_back((build.sdk / "runtime" / source).string());
        std::vector<std::string> key = arguments;
        key.push_back(build.compiler);
        auto found = m_folders.find(key);
        if (found != m_folders.end() && !areThere(found->second.path())) { // somebody tidied up
            m_folders.erase(found);
            found = m_folders.end();
        }
        if (found == m_folders.end()) {
            PIM_TRY(ScratchFolder folder, ScratchFolder::make());
            PIM_CHECK(compile(build, "host's runtime", arguments, folder.path(), task));
            found = m_folders.emplace(std::move(key), std::move(folder)).first;
        }
        std::vector<std::string> objects;
        for (const char* source : kRuntimeSources)
            objects.push_back(objectIn(found->second.path(), source).string());
        return objects;
    }
    static fs::path objectIn(const fs::path& folder, fs::path source) {
        return folder / source.replace_extension(".o");
    }
    static bool areThere(const fs::path& folder) {
        return std::ranges::all_of(kRuntimeSources, [&](const char* source) {
            std::error_code ignored;
            return fs::exists(objectIn(folder, source), ignored);
        });
    }

    std::mutex m_mutex;
    std::map<std::vector<std::string>, ScratchFolder> m_folders; ///< By compiler and arguments.
};

Result<void> compileHost(const Build& build, const TaskContext& task) {
    PIM_TRY(const std::vector<std::string> runtime, Runtime::objects(build, task));
    std::vector<std::string> arguments = flagsFor(build);
    addDefines(build.program, arguments);
    arguments.insert(arguments.end(),
                     {kHidden, "-rdynamic",
                      fmt::format("-DDPU_BINARY=\"./{}\"", build.dpuBinary().filename().string()),
                      "-I" + (build.sdk / "host").string(), build.hostSource().string()});
    arguments.insert(arguments.end(), runtime.begin(), runtime.end());
    arguments.insert(arguments.end(), {"-ldl", "-lm", "-o", build.hostBinary().string()});
    return compile(build, "host program", arguments, build.folder, task);
}

Result<void> readReport(const fs::path& file, CRun& run) {
    const auto content = readFile(file);
    if (!content) // without DPUs there is nothing to report
        return {};
    run.report.assign(reinterpret_cast<const char*>(content->data()), content->size());
    try {
        const json report = json::parse(run.report);
        const json &dma = report.at("dma"), &host = report.at("host"), &violations = report.at("violations");
        run.traffic = {.dpus = report.at("dpus"),
                       .launches = report.at("launches"),
                       .wramBytes = report.at("wram_bytes"),
                       .dmaReads = dma.at("reads"),
                       .dmaReadBytes = dma.at("read_bytes"),
                       .dmaWrites = dma.at("writes"),
                       .dmaWriteBytes = dma.at("write_bytes"),
                       .hostTransfers = host.at("transfers"),
                       .hostToBytes = host.at("to_bytes"),
                       .hostFromBytes = host.at("from_bytes")};
        run.messages = report.at("messages").get<std::vector<std::string>>();
        run.violationsOfKind = violations.get<std::map<std::string, std::int64_t>>();
        run.violations = violations.at("total");
        run.violationsOfKind.erase("total");
    } catch (const json::exception& error) {
        return fail(ErrorCode::InvalidFile, fmt::format("is no report of the checker: {}", error.what()),
                    file.string());
    }
    return {};
}

Result<CRun> execute(const Build& build, const std::vector<std::string>& outputs, const TaskContext& task) {
    task.report(fmt::format("Running {}", build.program.name));
    const fs::path report = build.folder / kReportFile;
    std::error_code ignored;
    fs::remove(report, ignored);
    PIM_TRY(ChildExit exit, runChild({build.hostBinary().string(),
                                      {},
                                      build.folder,
                                      {{"PIM_UPMEM_REPORT", report.string()}},
                                      build.options.limitSeconds},
                                     task));
    CRun run{
        .exitCode = exit.code, .signal = exit.signal, .out = std::move(exit.out), .err = std::move(exit.err)};
    for (const std::string& name : outputs)
        if (auto content = readFile(build.folder / name))
            run.outputs[name] = std::move(*content);
    PIM_CHECK(readReport(report, run));
    return run;
}

} // namespace

Result<CRun> compileAndRun(const CProgram& program, const CFiles& inputs,
                           const std::vector<std::string>& outputs, const CRunOptions& options,
                           const TaskContext& task) {
    PIM_CHECK(checkFileName(program.name, "a program"));
    for (const auto& [name, content] : inputs)
        PIM_CHECK(checkFileName(name, "a file"));
    for (const std::string& name : outputs)
        PIM_CHECK(checkFileName(name, "a file"));
    std::optional<ScratchFolder> scratch;
    fs::path folder = options.folder;
    if (folder.empty()) {
        PIM_TRY(ScratchFolder made, ScratchFolder::make());
        scratch.emplace(std::move(made));
        folder = scratch->path();
    }
    std::error_code wrong;
    fs::create_directories(folder, wrong);
    const Build build{program, options, fs::absolute(folder, wrong), resourceDir() / "upmem_sdk",
                      compilerOf(options)};
    if (!fs::exists(build.sdk / "host/dpu.h", wrong))
        return fail(ErrorCode::NotFound, "the headers of UPMEM programs are not where resources are",
                    build.sdk.string(), "set PIM_RESOURCE_DIR to the resources folder of PIM Studio");
    PIM_CHECK(replaceFile(build.folder / build.dpuSource(), program.dpuSource));
    PIM_CHECK(replaceFile(build.folder / build.hostSource(), program.hostSource));
    for (const auto& [name, content] : inputs)
        PIM_CHECK(replaceFile(build.folder / name,
                              {reinterpret_cast<const char*>(content.data()), content.size()}));
    PIM_CHECK(compileDpu(build, task));
    PIM_CHECK(compileHost(build, task));
    return execute(build, outputs, task);
}

Result<void> problemOf(const std::string& name, const CRun& run) {
    if (!run.messages.empty())
        return fail(ErrorCode::InvalidFile,
                    run.violations == 1 ? run.messages.front()
                                        : fmt::format("{} violations of the hardware's rules; the first: {}",
                                                      run.violations, run.messages.front()),
                    name);
    if (run.signal != 0)
        return fail(ErrorCode::InvalidFile, fmt::format("signal {} ended it\n{}", run.signal, run.err), name,
                    "a null or wild pointer, or more stack than the 256 KB a tasklet has here");
    if (run.exitCode != 0)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("it ended with exit code {}\n{}", run.exitCode, run.err), name);
    return {};
}

} // namespace pim::upmem
