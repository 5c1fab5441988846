// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Reference kernels and single instructions on one DPU: rows of a table in, cycles out, in the same order.
#include "app/pimc/verbs/csv_rows.h"
#include "app/pimc/verbs/upmem/verbs.h"
#include "backends/upmem/dpu/reference_programs.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;
using namespace upmem;

struct DpuBenchArguments {
    std::string file;
    std::string preset = std::string(name(DpuPreset::Hardware));
    double logicMHz = 350;
};

bool isMicro(const CsvRows& rows) {
    return rows.has("test");
}

Result<ordered_json> kernelRow(const CsvRows& rows, const DpuTiming& timing, const TaskContext& task) {
    PIM_TRY(const std::string kernel, rows.text("kernel"));
    PIM_TRY(const std::int64_t size, rows.number("param"));
    PIM_TRY(const std::int64_t tasklets, rows.number("tasklets"));
    PIM_TRY(const std::int64_t block, rows.number("dma_block_bytes", 1024));
    const auto bounded = [](std::int64_t value) {
        return static_cast<int>(std::clamp<std::int64_t>(value, -1, 1 << 20));
    };
    PIM_TRY(const DpuRun run, runReference({kernel, size, bounded(tasklets), bounded(block)}, timing, task));
    return ordered_json{{"kernel", kernel},
                        {"param", size},
                        {"tasklets", tasklets},
                        {"dma_block_bytes", block},
                        {"logic_cycle", run.cycles},
                        {"ns", double(run.cycles) * timing.cycleNs()},
                        {"num_instructions", run.instructions},
                        {"breakdown_run", run.issued},
                        {"breakdown_dma", run.waitedDma},
                        {"breakdown_etc", run.waitedElse},
                        {"backpressure", run.heldUp},
                        {"cycle_rule", run.conflicts},
                        {"read_bytes", run.mram.readBytes},
                        {"write_bytes", run.mram.writeBytes},
                        {"num_dmas", run.mram.reads + run.mram.writes}};
}

Result<ordered_json> microRow(const CsvRows& rows, const DpuTiming& timing, const TaskContext& task) {
    PIM_TRY(const std::string test, rows.text("test"));
    PIM_TRY(const std::string argument, rows.text("arg"));
    PIM_TRY(const std::int64_t tasklets, rows.number("tasklets"));
    PIM_TRY(const MicroResult result,
            runMicro({test, argument, static_cast<int>(std::clamp<std::int64_t>(tasklets, -1, 1000))}, timing,
                     task));
    return ordered_json{{"test", test},
                        {"arg", argument},
                        {"tasklets", tasklets},
                        {"cycles_per_iter_all_tasklets", result.cyclesPerTurn},
                        {"instr_per_iter_all_tasklets", result.instructionsPerTurn},
                        {"rf_hazard_cycles_per_iter", result.conflictsPerTurn}};
}

std::string tableText(const ordered_json& rows, bool micro) {
    TextTable table =
        micro ? TextTable({"test", "argument", ">tasklets", ">cycles", ">instructions", ">bank conflicts"})
              : TextTable({"kernel", ">size", ">tasklets", ">DMA", ">cycles", ">time", ">instructions",
                           ">IPC", ">waits for DMA"});
    for (const ordered_json& row : rows) {
        if (micro) {
            table.add({row["test"], row["arg"], std::to_string(row["tasklets"].get<int>()),
                       fmt::format("{:.2f}", row["cycles_per_iter_all_tasklets"].get<double>()),
                       fmt::format("{:g}", row["instr_per_iter_all_tasklets"].get<double>()),
                       fmt::format("{:g}", row["rf_hazard_cycles_per_iter"].get<double>())});
            continue;
        }
        const double cycles = row["logic_cycle"].get<double>();
        table.add({row["kernel"], exactText(row["param"].get<std::int64_t>()),
                   std::to_string(row["tasklets"].get<int>()),
                   bytesText(row["dma_block_bytes"].get<double>()),
                   exactText(row["logic_cycle"].get<std::int64_t>()), timeText(row["ns"].get<double>()),
                   exactText(row["num_instructions"].get<std::int64_t>()),
                   fmt::format("{:.3f}", row["num_instructions"].get<double>() / cycles),
                   percentText(row["breakdown_dma"].get<double>() / cycles)});
    }
    return table.text();
}

Result<void> run(Session& session, const DpuBenchArguments& options) {
    const auto preset = dpuPresetNamed(options.preset);
    const DpuTiming timing = dpuTiming(preset.value_or(DpuPreset::Hardware), options.logicMHz);
    PIM_TRY(CsvRows rows, CsvRows::open(options.file, "a table of kernels"));
    PIM_CHECK(isMicro(rows) ? rows.require({"test", "arg", "tasklets"})
                            : rows.require({"kernel", "param", "tasklets"}));
    ordered_json results = ordered_json::array();
    const TaskContext task = session.task();
    while (true) {
        PIM_TRY(const bool any, rows.next());
        if (!any)
            break;
        auto row = isMicro(rows) ? microRow(rows, timing, task) : kernelRow(rows, timing, task);
        if (!row) {
            Error error = std::move(row).error();
            if (error.where.empty() || error.code == ErrorCode::Usage)
                error.where = rows.where();
            return tl::unexpected<Error>(std::move(error));
        }
        results.push_back(std::move(*row));
        task.report("running on a DPU", std::int64_t(results.size()), 0);
    }
    return session.print(
        session.json
            ? ordered_json{{"preset", options.preset}, {"logic_mhz", options.logicMHz}, {"rows", results}}
                      .dump(2, ' ', false, ordered_json::error_handler_t::replace) +
                  "\n"
            : tableText(results, isMicro(rows)));
}

} // namespace

Action dpuBenchVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<DpuBenchArguments>();
    verb.add_option("FILE", options->file, "Table as CSV, plain or gzip")->required()->type_name("");
    verb.add_option("--preset", options->preset,
                    "Timing of the memory: as measured on chips, or as uPIMulator has it")
        ->check(CLI::IsMember(
            {std::string(name(DpuPreset::Hardware)), std::string(name(DpuPreset::UpimulatorCompat))}))
        ->type_name("hardware|upimulator-compat")
        ->capture_default_str();
    verb.add_option("--mhz", options->logicMHz, "Clock of the DPU in MHz: 350 for P21, 267 for E19 modules")
        ->check(CLI::Range(10.0, 10'000.0))
        ->type_name("MHZ")
        ->capture_default_str();
    verb.footer(
        "Every kernel computes real values, which are compared with a plain loop. Columns of the file, in "
        "any order,\n"
        "others are ignored:\n"
        "  kernel,param,tasklets,dma_block_bytes   kernel: VA, RED, HST-S, HST-L or GEMV; param: elements or "
        "rows\n"
        "  test,arg,tasklets                       test: dma_read, dma_write, alu_add_imm_x20, "
        "alu_add_rrr_x20,\n"
        "                                          wram_lw_x20, wram_sw_x20, wram_ld_x20 or mulsi3\n\n"
        "Examples:\n"
        "  pimc dpu-bench kernels.csv --preset upimulator-compat --json\n"
        "  printf 'kernel,param,tasklets\\nVA,16384,16\\n' > va.csv && pimc dpu-bench va.csv");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
