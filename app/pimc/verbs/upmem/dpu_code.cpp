// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A kernel of PrIM as C for UPMEM: its sources and files into a folder, or run on simulated DPUs.
#include "app/pimc/verbs/upmem/verbs.h"
#include "backends/upmem/benchmarks/run_c.h"
#include "core/base/file_io.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;
using namespace upmem;

struct DpuCodeArguments {
    std::string name;
    std::string folder;
    BenchmarkOptions options;
    std::string type;
    bool runs = false;
};

/// Sources, inputs, and the results of a plain loop.
Result<std::vector<std::string>> writeFiles(const std::filesystem::path& folder, const BenchmarkCase& made,
                                            const CProgram& program) {
    std::error_code wrong;
    std::filesystem::create_directories(folder, wrong);
    if (wrong)
        return fail(ErrorCode::Io, fmt::format("cannot be made: {}", wrong.message()), folder.string());
    std::vector<std::string> names;
    const auto add = [&](const std::string& name, std::string_view content) {
        names.push_back(name);
        return replaceFile(folder / name, content);
    };
    const auto text = [](const std::vector<std::byte>& content) {
        return std::string_view(reinterpret_cast<const char*>(content.data()), content.size());
    };
    PIM_CHECK(add(program.name + "_dpu.c", program.dpuSource));
    PIM_CHECK(add(program.name + "_host.c", program.hostSource));
    for (const auto& [name, content] : inputFiles(made))
        PIM_CHECK(add(name, text(content)));
    for (const auto& [name, content] : made.expected)
        PIM_CHECK(add(name + ".expected.bin", text(content)));
    return names;
}

ordered_json jsonOf(const CRun& run, const std::vector<std::string>& wrong) {
    const CTraffic& traffic = run.traffic;
    return {{"right", wrong.empty()},
            {"wrong", wrong},
            {"exit_code", run.exitCode},
            {"signal", run.signal},
            {"violations", run.violations},
            {"violations_of_kind", run.violationsOfKind},
            {"messages", run.messages},
            {"launches", traffic.launches},
            {"wram_bytes", traffic.wramBytes},
            {"dma_reads", traffic.dmaReads},
            {"dma_read_bytes", traffic.dmaReadBytes},
            {"dma_writes", traffic.dmaWrites},
            {"dma_write_bytes", traffic.dmaWriteBytes},
            {"host_transfers", traffic.hostTransfers},
            {"host_to_bytes", traffic.hostToBytes},
            {"host_from_bytes", traffic.hostFromBytes}};
}

std::string tableOf(const CRun& run, const std::vector<std::string>& wrong) {
    const CTraffic& t = run.traffic;
    TextTable table({"", ">count", ">bytes"});
    table.add({"DMA reads", exactText(t.dmaReads), exactText(t.dmaReadBytes)});
    table.add({"DMA writes", exactText(t.dmaWrites), exactText(t.dmaWriteBytes)});
    table.add({"host transfers", exactText(t.hostTransfers), exactText(t.hostToBytes + t.hostFromBytes)});
    return fmt::format("result: {}\nviolations: {}\nlaunches: {}, WRAM of the fullest DPU: {} B\n{}",
                       wrong.empty() ? "right" : fmt::format("wrong: {}", fmt::join(wrong, ", ")),
                       run.violations, t.launches, exactText(t.wramBytes), table.text());
}

Result<void> run(Session& session, const DpuCodeArguments& arguments) {
    std::string name = arguments.name;
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
    BenchmarkOptions options = arguments.options;
    options.type = benchmarkType(arguments.type);
    if (!arguments.type.empty() && !options.type)
        return fail(ErrorCode::Usage, "is no type of elements", arguments.type,
                    "there are int8, int16, int32, int64");
    PIM_TRY(const BenchmarkCase made, makeBenchmark(name, options));
    PIM_TRY(const CProgram program, cProgram(made));
    ordered_json json{{"benchmark", name}, {"dpus", made.host.dpus}, {"tasklets", made.tasklets}};
    std::string text;
    if (!arguments.folder.empty()) {
        PIM_TRY(const std::vector<std::string> files, writeFiles(arguments.folder, made, program));
        json["files"] = files;
        text = fmt::format("{}: {}\n", arguments.folder, fmt::join(files, ", "));
    } else if (!arguments.runs) {
        json["dpu"] = program.dpuSource;
        json["host"] = program.hostSource;
        text = fmt::format("// ---- {0}_dpu.c ----\n{1}\n// ---- {0}_host.c ----\n{2}", program.name,
                           program.dpuSource, program.hostSource);
    }
    Result<void> outcome;
    if (arguments.runs) {
        CRunOptions where;
        where.folder = arguments.folder;
        PIM_TRY(const CRun result, runInC(made, where, session.task()));
        const std::vector<std::string> wrong = wrongFiles(made, result.outputs);
        json["run"] = jsonOf(result, wrong);
        text += tableOf(result, wrong);
        outcome = problemOf(name, result);
        if (outcome && !wrong.empty())
            outcome =
                fail(ErrorCode::Internal,
                     fmt::format("{} differ from what a plain loop computes", fmt::join(wrong, ", ")), name);
        if (!outcome)
            outcome.error().code = ErrorCode::Internal; // the code is ours
    }
    PIM_CHECK(session.print(
        session.json ? json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n" : text));
    return outcome;
}

} // namespace

Action dpuCodeVerb(CLI::App& verb, const BackendList&) {
    auto arguments = std::make_shared<DpuCodeArguments>();
    BenchmarkOptions& options = arguments->options;
    std::string sizes;
    std::vector<std::string_view> names;
    for (const Benchmark& each : benchmarks()) {
        names.push_back(each.name);
        sizes += fmt::format(
            "  {:<7} {}; size: {} ({}){}{}{}\n", each.name, each.meaning, each.sizeMeaning, each.size,
            each.second == 0 ? "" : fmt::format(", second: {} ({})", each.secondMeaning, each.second),
            each.third == 0 ? "" : fmt::format(", third: {} ({})", each.thirdMeaning, each.third),
            each.types.empty() ? "" : fmt::format("; type: {}", each.types));
    }
    verb.add_option("NAME", arguments->name, fmt::format("One of {}", fmt::join(names, ", ")))
        ->required()
        ->type_name("");
    verb.add_option("--out", arguments->folder,
                    "Folder for the sources, the inputs and the right results; else they are printed")
        ->type_name("FOLDER");
    verb.add_option("--dpus", options.dpus, "DPUs")->type_name("N")->capture_default_str();
    verb.add_option("--tasklets", options.tasklets, "Tasklets of a DPU")
        ->type_name("N")
        ->capture_default_str();
    verb.add_option("--size", options.size, "Size of the problem; see below")->type_name("N");
    verb.add_option("--second", options.second, "Its second size; see below")->type_name("N");
    verb.add_option("--third", options.third, "Its third size; see below")->type_name("N");
    verb.add_option("--type", arguments->type, "Type of the elements, where there are several; see below");
    verb.add_flag(
        "--run", arguments->runs,
        "Compile with the C compiler of the system, run on simulated DPUs, compare with a plain loop");
    verb.footer(sizes + "\nThe sources use the calls of the vendor's SDK; the first lines of each say how to "
                        "build it there.\n"
                        "Examples:\n"
                        "  pimc dpu-code GEMV --size 8192 --second 1024 --dpus 64 --out gemv\n"
                        "  pimc dpu-code BFS --run --json");
    return [arguments](Session& session) { return run(session, *arguments); };
}

} // namespace pim::cli
