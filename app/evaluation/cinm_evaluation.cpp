// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/cinm_evaluation.h"

#include "app/evaluation/document_text.h"
#include "app/evaluation/published_rows.h"
#include "backends/upmem/benchmarks/time.h"
#include "core/base/number_text.h"
#include "core/base/parse_number.h"
#include "core/ir/benchmarks/benchmarks.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace pim::evaluation {
namespace {

using nlohmann::ordered_json;

std::optional<double> numberIn(const std::string& text) {
    return parseNumber<double>(text);
}

struct LinesOfPaper {
    std::string_view benchmark;
    int mlir, c;
};
/// [CINM, table 4]
constexpr LinesOfPaper kLines[] = {{"mm", 7, 180},    {"conv", 5, 203}, {"va", 7, 101},      {"mv", 7, 179},
                                   {"hst-l", 6, 134}, {"mlp", 58, 109}, {"contrl", 16, 197}, {"bfs", 29, 315},
                                   {"ts", 25, 172},   {"red", 13, 119}, {"sel", 12, 145}};

/// PrIM's kernel of a program, in the sizes of the program; the elements are PrIM's.
std::optional<std::pair<std::string_view, upmem::BenchmarkOptions>>
primKernel(const ir::Benchmark& benchmark) {
    constexpr std::pair<std::string_view, std::string_view> kNames[] = {
        {"va", "VA"},   {"mv", "GEMV"}, {"red", "RED"}, {"hst-l", "HST-L"},
        {"sel", "SEL"}, {"ts", "TS"},   {"bfs", "BFS"}, {"mlp", "MLP"}};
    const auto* const found =
        std::ranges::find(kNames, benchmark.name, &std::pair<std::string_view, std::string_view>::first);
    if (found == std::end(kNames))
        return std::nullopt;
    upmem::BenchmarkOptions options;
    options.size = benchmark.paper[0];
    if (found->second == "BFS")
        options.second = options.size * options.size / 2; // half of all pairs are edges in the program
    else if (found->second != "MLP" && benchmark.paper.size() > 1)
        options.second = benchmark.paper[1];
    return std::pair{found->second, options};
}

Result<cinm::Flow> onModules(const ir::Benchmark& benchmark, std::shared_ptr<const Target> target,
                             cinm::DpuSpread spread, const TaskContext& task,
                             ir::BenchmarkSize size = ir::BenchmarkSize::Paper) {
    cinm::FlowOptions options;
    options.target = "upmem";
    options.dpus = std::move(target);
    options.spread = spread;
    return cinm::lower(ir::build(benchmark, benchmark.sizes(size)), options, task);
}

Result<cinm::Flow> onTiles(const ir::Benchmark& benchmark, memristor::TileGoal goal, const TaskContext& task,
                           ir::BenchmarkSize size = ir::BenchmarkSize::Paper) {
    cinm::FlowOptions options;
    options.goal = goal;
    if (size == ir::BenchmarkSize::Small)
        options.size = 8; // so that there is something to cut
    return cinm::lower(ir::build(benchmark, benchmark.sizes(size)), options, task);
}

/// The kernels after PrIM's on the engine. What runs on equally many DPUs runs once.
class PrimTimes {
public:
    /// Transfers included; nothing where PrIM has no such kernel.
    Result<std::optional<double>> ms(const ir::Benchmark& benchmark, const Target& target,
                                     const TaskContext& task) {
        const auto prim = primKernel(benchmark);
        if (!prim)
            return std::nullopt;
        auto [name, options] = *prim;
        const upmem::Machine machine = upmem::machineOf(target);
        // A DPU has at least two rows of a layer, and a word of 32 nodes; more DPUs would be idle.
        const std::int64_t most = name == "MLP"   ? options.size / 2
                                  : name == "BFS" ? options.size / 32
                                                  : machine.dpus;
        options.dpus = static_cast<int>(std::min<std::int64_t>(machine.dpus, most));
        const auto key = std::pair(std::string(name), options.dpus);
        if (!m_known.contains(key)) {
            PIM_TRY(m_known[key], upmem::benchmarkLaunches(name, options, machine.timing, task));
        }
        const upmem::BenchmarkLaunches& launches = m_known[key];
        PIM_TRY(const upmem::BenchmarkCase whole, upmem::makeBenchmark(name, options));
        const double ns = static_cast<double>(launches.cycles) * machine.timing.cycleNs() +
                          launches.launches * machine.link.launchNs +
                          upmem::transfersNs(whole.host, launches.launches, machine.link);
        return ns / 1e6;
    }

private:
    std::map<std::pair<std::string, int>, upmem::BenchmarkLaunches> m_known;
};

std::string unknownNote(const cinm::Flow& flow) {
    for (const cinm::PlacedOp& op : flow.ops)
        if (op.machine == cinm::Machine::Dpus && !op.ns())
            return fmt::format("without {}, for which there is no kernel", op.work);
    return {};
}

/// Times of a program whose ops all have a kernel; else what is known of them, with a note.
Result<void> timeRow(CinmTimeRow& row, const ir::Benchmark& benchmark, const TargetCatalog& catalog,
                     PrimTimes& prim, const TaskContext& task) {
    PIM_TRY(const auto target, catalog.find(fmt::format("upmem-{}", row.modules)));
    PIM_TRY(const cinm::Flow ours, onModules(benchmark, target, cinm::DpuSpread::Search, task));
    PIM_TRY(const cinm::Flow even, onModules(benchmark, target, cinm::DpuSpread::Even, task));
    row.note = unknownNote(ours);
    PIM_TRY(row.primWayMs, prim.ms(benchmark, *target, task));
    if (ours.dpusNs > 0)
        row.oursMs = (ours.dpusNs + ours.hostNs) / 1e6;
    const bool allEven = std::ranges::all_of(even.ops, [](const cinm::PlacedOp& op) {
        return op.machine != cinm::Machine::Dpus || !op.dpus->space || op.dpus->evenNs;
    });
    if (even.dpusNs > 0 && allEven)
        row.evenMs = (even.dpusNs + even.hostNs) / 1e6;
    return {};
}

Result<std::vector<CinmTimeRow>> moduleTimes(const TargetCatalog& catalog, const TaskContext& task) {
    // figure, bench, cpu_opt, prim x 3, cinm x 3, cinm_opt x 3
    PIM_TRY(const std::vector<PublishedRow> published, publishedRows("cinm_upmem_ms.csv", 12));
    std::vector<CinmTimeRow> rows;
    PrimTimes prim;
    for (const ir::Benchmark& benchmark : ir::benchmarks())
        for (std::size_t m = 0; m < 3; ++m) {
            CinmTimeRow row;
            row.benchmark = benchmark.name;
            row.modules = 4 << m;
            for (const PublishedRow& fields : published) {
                if (fields[1] != row.benchmark)
                    continue;
                row.primMs = row.primMs ? row.primMs : numberIn(fields[3 + m]);
                row.cinmMs = row.cinmMs ? row.cinmMs : numberIn(fields[6 + m]);
                row.cinmOptMs = row.cinmOptMs ? row.cinmOptMs : numberIn(fields[9 + m]);
            }
            task.report("CINM on UPMEM modules", std::ssize(rows), 45);
            PIM_CHECK(timeRow(row, benchmark, catalog, prim, task));
            rows.push_back(std::move(row));
        }
    return rows;
}

/// Runs a small size on every level of both machines, and on the engine.
Result<void> checkNumbers(CinmProgramRow& row, const ir::Benchmark& benchmark, const TargetCatalog& catalog,
                          const TaskContext& task) {
    constexpr auto kSmall = ir::BenchmarkSize::Small;
    PIM_TRY(const auto target, catalog.find("upmem-1"));
    PIM_TRY(const cinm::Flow dpus, onModules(benchmark, target, cinm::DpuSpread::Search, task, kSmall));
    PIM_TRY(const cinm::Flow tiles, onTiles(benchmark, memristor::TileGoal::Time, task, kSmall));
    const auto arguments = ir::sampleArguments(benchmark, benchmark.sizes(kSmall), 1);
    const auto expected = ir::expectedResults(benchmark, benchmark.sizes(kSmall), arguments);
    for (const cinm::Flow* flow : {&dpus, &tiles}) {
        PIM_TRY(const cinm::RunOfLevels runs, cinm::runLevels(*flow, arguments, {}, expected, task));
        for (const cinm::LevelRun& run : runs.levels) {
            ++row.levels;
            row.wrongLevels += run.wrong > 0 ? 1 : 0;
            if (run.wrong > 0 && row.firstWrong.empty())
                row.firstWrong = fmt::format("{}: {}", run.level, run.firstWrong);
        }
    }
    return {};
}

Result<CinmProgramRow> programRow(const ir::Benchmark& benchmark, const TargetCatalog& catalog,
                                  const TaskContext& task) {
    CinmProgramRow row;
    row.benchmark = benchmark.name;
    row.sizes = fmt::format("{}", fmt::join(benchmark.paper, " x "));
    PIM_TRY(const auto target, catalog.find("upmem-4"));
    PIM_TRY(const cinm::Flow dpus, onModules(benchmark, target, cinm::DpuSpread::Search, task));
    row.lines = dpus.levels.front().printed.lineCount;
    const auto code = cinm::codeOf(dpus);
    for (const CodeFile& file : code ? *code : std::vector<CodeFile>())
        row.cLines += std::ranges::count(file.text, '\n');
    if (const auto* const lines = std::ranges::find(kLines, benchmark.name, &LinesOfPaper::benchmark);
        lines != std::end(kLines)) {
        row.publishedLines = lines->mlir;
        row.publishedCLines = lines->c;
    }
    PIM_TRY(const cinm::Flow writes, onTiles(benchmark, memristor::TileGoal::Writes, task));
    PIM_TRY(const cinm::Flow time, onTiles(benchmark, memristor::TileGoal::Time, task));
    row.usualWrites = writes.baseline.tileWrites;
    row.leastWrites = writes.total.tileWrites;
    row.usualNs = time.baselineCost.ns;
    row.bestNs = time.cost.ns;
    PIM_CHECK(checkNumbers(row, benchmark, catalog, task));
    return row;
}

/// The sheet's one run of conv2d stands under all names but "cim".
std::string configurationOf(const std::string& benchmark, const std::string& configuration) {
    return benchmark == "conv2d" && configuration != "cim" ? "cim-min-writes" : configuration;
}

Result<std::vector<TileCounterRow>> tileCounters() {
    PIM_TRY(const std::vector<PublishedRow> published, publishedRows("occ_counters.csv", 5));
    std::vector<TileCounterRow> rows;
    for (const PublishedRow& fields : published) {
        TileCounterRow row;
        row.benchmark = fields[0];
        row.configuration = fields[1];
        row.publishedWritten = static_cast<std::int64_t>(numberIn(fields[2]).value_or(0));
        row.publishedRead = static_cast<std::int64_t>(numberIn(fields[3]).value_or(0));
        row.publishedSeconds = numberIn(fields[4]).value_or(0);
        const auto benchmark =
            std::ranges::find(memristor::occBenchmarks(), row.benchmark, &memristor::OccBenchmark::name);
        const auto mapping = memristor::occConfiguration(configurationOf(row.benchmark, row.configuration));
        if (benchmark == memristor::occBenchmarks().end() || !mapping) {
            row.note = "its shapes are not known";
        } else {
            memristor::TileCounts counts;
            for (const ir::GemmShape& gemm : benchmark->gemms)
                counts += memristor::countsOf(gemm, *mapping);
            row.written = counts.wordsWritten;
            row.read = counts.wordsRead;
            row.seconds = memristor::costOf(counts).ns * 1e-9;
            row.note = benchmark->reading;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string timeMs(const std::optional<double>& ms) {
    return ms ? fmt::format("{:.2f}", *ms) : std::string("-");
}
std::string ratioText(const std::optional<double>& a, const std::optional<double>& b) {
    return a && b && *b > 0 ? fmt::format("{:.2f}", *a / *b) : std::string("-");
}

/// Geometric mean of the ratios of two columns; 0 where there is none.
template <class Row, class Ratio>
double meanRatio(const std::vector<Row>& rows, Ratio ratio) {
    double sum = 0;
    int count = 0;
    for (const Row& row : rows)
        if (const std::optional<double> value = ratio(row); value && *value > 0) {
            sum += std::log(*value);
            ++count;
        }
    return count > 0 ? std::exp(sum / count) : 0;
}

std::optional<double> ratio(const std::optional<double>& a, const std::optional<double>& b) {
    return a && b && *b > 0 ? std::optional(*a / *b) : std::nullopt;
}

struct Means {
    double published[3]{},
        ours[3]{}; ///< cinm over cinm-opt, even over searched, of the same programs; 4, 8, 16 modules.
    double writes = 0, tileTime = 0;
};

Means meansOf(const CinmEvaluation& evaluation) {
    Means means;
    for (std::size_t m = 0; m < 3; ++m) {
        const int modules = 4 << m;
        means.published[m] = meanRatio(evaluation.times, [modules](const CinmTimeRow& row) {
            return row.modules == modules ? ratio(row.cinmMs, row.cinmOptMs) : std::nullopt;
        });
        means.ours[m] = meanRatio(evaluation.times, [modules](const CinmTimeRow& row) {
            return row.modules == modules && row.cinmMs ? ratio(row.evenMs, row.oursMs) : std::nullopt;
        });
    }
    means.writes = meanRatio(evaluation.programs, [](const CinmProgramRow& row) {
        return row.leastWrites > 0 ? std::optional(double(row.usualWrites) / double(row.leastWrites))
                                   : std::nullopt;
    });
    means.tileTime = meanRatio(evaluation.programs, [](const CinmProgramRow& row) {
        return row.bestNs > 0 ? std::optional(row.usualNs / row.bestNs) : std::nullopt;
    });
    return means;
}

} // namespace

Result<CinmEvaluation> computeCinm(const TargetCatalog& catalog, const TaskContext& task) {
    CinmEvaluation evaluation;
    PIM_TRY(evaluation.times, moduleTimes(catalog, task));
    for (const ir::Benchmark& benchmark : ir::benchmarks()) {
        task.report("CINM's programs", std::ssize(evaluation.programs), std::ssize(ir::benchmarks()));
        PIM_TRY(CinmProgramRow row, programRow(benchmark, catalog, task));
        evaluation.programs.push_back(std::move(row));
    }
    PIM_TRY(evaluation.counters, tileCounters());
    return evaluation;
}

report::Document cinmDocument(const CinmEvaluation& evaluation) {
    const Means means = meansOf(evaluation);
    report::Document document;
    document.eyebrow = "Evaluation";
    document.headline = "The evaluation of CINM, recomputed";
    document.lead = "CINM (ASPLOS 2025): 15 programs on UPMEM modules and on memristor tiles.";
    document.footer = "PIM Studio";
    std::vector<std::vector<std::string>> times, programs, counters;
    for (const CinmTimeRow& row : evaluation.times)
        times.push_back({row.benchmark, std::to_string(row.modules), timeMs(row.cinmMs),
                         timeMs(row.cinmOptMs), timeMs(row.primMs), timeMs(row.primWayMs), timeMs(row.evenMs),
                         timeMs(row.oursMs), ratioText(row.cinmMs, row.cinmOptMs),
                         ratioText(row.evenMs, row.oursMs), row.note});
    document.sections.push_back(
        tableSection("Programs on UPMEM modules, ms (figures 11 and 12)",
                     {"benchmark", ">modules", ">cinm", ">cinm-opt", ">PrIM", ">ours, PrIM's way",
                      ">ours, even", ">ours, searched", ">cinm / opt", ">even / searched", "note"},
                     std::move(times)));
    addNote(document.sections.back(),
            "Ours are predicted, transfers included, at the sizes below; those of the paper's runs are not "
            "published.");
    addNote(document.sections.back(),
            fmt::format(
                "Geometric means on 4, 8, 16 modules: cinm over cinm-opt {:.2f} {:.2f} {:.2f} as published; "
                "on the same programs, equal boxes without rows kept in WRAM over the search {:.2f} {:.2f} "
                "{:.2f} here.",
                means.published[0], means.published[1], means.published[2], means.ours[0], means.ours[1],
                means.ours[2]));
    std::size_t right = 0;
    for (const CinmProgramRow& row : evaluation.programs) {
        right += row.wrongLevels == 0 ? 1 : 0;
        const auto published = [](const std::optional<int>& lines) {
            return lines ? std::to_string(*lines) : std::string("-");
        };
        programs.push_back({row.benchmark, row.sizes, std::to_string(row.lines),
                            published(row.publishedLines), row.cLines > 0 ? std::to_string(row.cLines) : "-",
                            published(row.publishedCLines), std::to_string(row.usualWrites),
                            std::to_string(row.leastWrites), timeText(row.usualNs), timeText(row.bestNs),
                            std::to_string(row.levels), row.wrongLevels == 0 ? "right" : row.firstWrong});
    }
    document.sections.push_back(tableSection(
        "The programs: lines (table 4), tile writes of 64 x 64 cells, numbers against plain loops",
        {"benchmark", "sizes", ">lines", ">paper", ">C lines", ">paper", ">tile writes, usual", ">least",
         ">time, usual", ">best", ">ways run", "numbers"},
        std::move(programs)));
    addNote(document.sections.back(),
            fmt::format("{} of {} programs compute what plain loops do, on every level. Fewer tile writes by "
                        "{:.1f} (geometric mean of the programs with products; the paper: 7), less time by "
                        "{:.2f}.",
                        right, evaluation.programs.size(), means.writes, means.tileTime));
    for (const TileCounterRow& row : evaluation.counters)
        counters.push_back({row.benchmark, row.configuration, std::to_string(row.publishedWritten),
                            std::to_string(row.written), std::to_string(row.publishedRead),
                            std::to_string(row.read), fmt::format("{:.4g}", row.publishedSeconds),
                            fmt::format("{:.4g}", row.seconds), row.isExact() ? "" : row.note});
    document.sections.push_back(tableSection(
        "Counters of memristor tiles (Open CIM Compiler): words written and read",
        {"benchmark", "configuration", ">written", ">ours", ">read", ">ours", ">seconds", ">ours", "shapes"},
        std::move(counters)));
    addNote(document.sections.back(),
            fmt::format(
                "{} of {} pairs are exact; the others are convolutions, whose rows lie across cache lines.",
                std::ranges::count_if(evaluation.counters, &TileCounterRow::isExact),
                evaluation.counters.size()));
    return document;
}

std::string cinmJson(const CinmEvaluation& evaluation) {
    const auto optional = [](const auto& value) { return value ? ordered_json(*value) : ordered_json(); };
    ordered_json times = ordered_json::array(), programs = ordered_json::array(),
                 counters = ordered_json::array();
    for (const CinmTimeRow& row : evaluation.times)
        times.push_back({{"benchmark", row.benchmark},
                         {"modules", row.modules},
                         {"cinm_ms", optional(row.cinmMs)},
                         {"cinm_opt_ms", optional(row.cinmOptMs)},
                         {"prim_ms", optional(row.primMs)},
                         {"prim_way_ms", optional(row.primWayMs)},
                         {"even_ms", optional(row.evenMs)},
                         {"ours_ms", optional(row.oursMs)},
                         {"note", row.note}});
    for (const CinmProgramRow& row : evaluation.programs)
        programs.push_back({{"benchmark", row.benchmark},
                            {"sizes", row.sizes},
                            {"lines", row.lines},
                            {"published_lines", optional(row.publishedLines)},
                            {"c_lines", row.cLines},
                            {"published_c_lines", optional(row.publishedCLines)},
                            {"usual_tile_writes", row.usualWrites},
                            {"least_tile_writes", row.leastWrites},
                            {"usual_ns", row.usualNs},
                            {"best_ns", row.bestNs},
                            {"ways_run", row.levels},
                            {"ways_wrong", row.wrongLevels},
                            {"first_wrong", row.firstWrong}});
    for (const TileCounterRow& row : evaluation.counters)
        counters.push_back({{"benchmark", row.benchmark},
                            {"configuration", row.configuration},
                            {"published_written", row.publishedWritten},
                            {"written", row.written},
                            {"published_read", row.publishedRead},
                            {"read", row.read},
                            {"published_seconds", row.publishedSeconds},
                            {"seconds", row.seconds}});
    const Means means = meansOf(evaluation);
    return ordered_json{{"module_times", times},
                        {"programs", programs},
                        {"tile_counters", counters},
                        {"means",
                         {{"cinm_over_opt", means.published},
                          {"even_over_searched", means.ours},
                          {"fewer_tile_writes", means.writes},
                          {"less_tile_time", means.tileTime}}}}
               .dump(2) +
           "\n";
}

} // namespace pim::evaluation
