// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Reference kernels and single instructions on one DPU: rows of a table in, cycles out, in the same order.
#include "app/pimc/verbs/upmem/verbs.h"
#include "backends/upmem/dpu/reference_programs.h"
#include "core/base/line_reader.h"
#include "core/base/number_text.h"
#include "core/base/parse_number.h"
#include "core/base/text_table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;
using namespace upmem;

constexpr std::size_t kLongestLine = 4096;
constexpr std::size_t kMostRows = 100'000;

struct DpuBenchArguments {
    std::string file;
    std::string preset = std::string(name(DpuPreset::Hardware));
    double logicMHz = 350;
};

/// Fields of a line of CSV; a field in double quotes may hold commas.
std::vector<std::string> fieldsOf(std::string_view line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else if (c != '\r')
            fields.back() += c;
    }
    return fields;
}

/// The table: which column is which, and its rows one by one.
class Rows {
public:
    static Result<Rows> open(const std::string& file) {
        PIM_TRY(LineReader lines, LineReader::open(file, kLongestLine, "a table of kernels"));
        Rows rows(std::move(lines));
        std::string_view line;
        PIM_TRY(const bool any, rows.m_lines.next(line));
        if (!any)
            return fail(ErrorCode::InvalidFile, "the table is empty", file,
                        "its first line names the columns");
        rows.m_names = fieldsOf(line);
        for (const char* const needed :
             {rows.isMicro() ? "test" : "kernel", rows.isMicro() ? "arg" : "param", "tasklets"})
            if (!rows.column(needed))
                return fail(ErrorCode::InvalidFile, fmt::format("there is no column \"{}\"", needed), file,
                            "columns are kernel,param,tasklets,dma_block_bytes, or test,arg,tasklets");
        return rows;
    }
    bool isMicro() const { return column("test").has_value(); }
    Result<bool> next() {
        std::string_view line;
        do {
            PIM_TRY(const bool any, m_lines.next(line));
            if (!any)
                return false;
        } while (line.find_first_not_of(" \r\t") == std::string_view::npos);
        m_fields = fieldsOf(line);
        if (m_fields.size() < m_names.size())
            return fail(ErrorCode::InvalidFile,
                        fmt::format("has {} fields, the first line names {} columns", m_fields.size(),
                                    m_names.size()),
                        m_lines.where());
        return true;
    }
    std::string text(std::string_view name) const {
        const auto at = column(name);
        return at ? m_fields[*at] : std::string();
    }
    Result<std::int64_t> number(std::string_view name, std::optional<std::int64_t> absent = {}) const {
        const auto at = column(name);
        if (!at && absent)
            return *absent;
        const auto value = parseNumber<std::int64_t>(m_fields[*at]);
        if (!value)
            return fail(
                ErrorCode::InvalidFile,
                fmt::format("\"{}\" of the column \"{}\" is no whole number", shownText(m_fields[*at]), name),
                m_lines.where());
        return *value;
    }
    std::string where() const { return m_lines.where(); }

private:
    explicit Rows(LineReader lines) : m_lines(std::move(lines)) {}
    std::optional<std::size_t> column(std::string_view name) const {
        const auto found = std::ranges::find(m_names, name);
        return found == m_names.end() ? std::nullopt : std::optional<std::size_t>(found - m_names.begin());
    }

    LineReader m_lines;
    std::vector<std::string> m_names, m_fields;
};

Result<ordered_json> kernelRow(const Rows& rows, const DpuTiming& timing, const TaskContext& task) {
    PIM_TRY(const std::int64_t size, rows.number("param"));
    PIM_TRY(const std::int64_t tasklets, rows.number("tasklets"));
    PIM_TRY(const std::int64_t block, rows.number("dma_block_bytes", 1024));
    const auto bounded = [](std::int64_t value) {
        return static_cast<int>(std::clamp<std::int64_t>(value, -1, 1 << 20));
    };
    PIM_TRY(const DpuRun run,
            runReference({rows.text("kernel"), size, bounded(tasklets), bounded(block)}, timing, task));
    return ordered_json{{"kernel", rows.text("kernel")},
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

Result<ordered_json> microRow(const Rows& rows, const DpuTiming& timing, const TaskContext& task) {
    PIM_TRY(const std::int64_t tasklets, rows.number("tasklets"));
    PIM_TRY(const MicroResult result,
            runMicro({rows.text("test"), rows.text("arg"),
                      static_cast<int>(std::clamp<std::int64_t>(tasklets, -1, 1000))},
                     timing, task));
    return ordered_json{{"test", rows.text("test")},
                        {"arg", rows.text("arg")},
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
    PIM_TRY(Rows rows, Rows::open(options.file));
    ordered_json results = ordered_json::array();
    const TaskContext task = session.task();
    while (true) {
        PIM_TRY(const bool any, rows.next());
        if (!any)
            break;
        if (results.size() >= kMostRows)
            return fail(ErrorCode::InvalidFile, fmt::format("more than {} rows", kMostRows), options.file,
                        "cut the table into pieces");
        auto row = rows.isMicro() ? microRow(rows, timing, task) : kernelRow(rows, timing, task);
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
            : tableText(results, rows.isMicro()));
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
