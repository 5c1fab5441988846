// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// How long a stream of PIMCOMP-NN takes by that program's own rules.
#include "app/pimc/verbs/crossbar/verbs.h"
#include "backends/crossbar/compat.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kShownCores = 8;

struct EvaluateStreamArguments {
    std::string file;
    std::string hardware = "D";
    double mvmNs = CompatHardware{}.mvmNs;
    int coresPerChip = 0; ///< 0: those of the hardware.
};

/// Whole nanoseconds as whole numbers: they are compared to the nanosecond.
ordered_json ns(double value) {
    return value == std::floor(value) ? ordered_json(std::int64_t(value)) : ordered_json(value);
}

ordered_json toJson(const EvaluateStreamArguments& options, const CompatStream& stream,
                    const CompatResult& result) {
    ordered_json cores = ordered_json::array();
    for (std::size_t core = 0; core < result.cores.size(); ++core) {
        const CompatCore& c = result.cores[core];
        cores.push_back({{"core", core},
                         {"clock_ns", ns(c.clockNs)},
                         {"products", c.products},
                         {"wait_ns", ns(c.waitNs)},
                         {"transfer_ns", ns(c.transferNs)},
                         {"vector_ns", ns(c.vectorNs)},
                         {"local_ns", ns(c.localNs)},
                         {"memory_ns", ns(c.memoryNs)}});
    }
    const auto count = [&](CompatOp op) { return result.counts[std::size_t(op)]; };
    return {{"file", options.file},
            {"hardware", options.hardware},
            {"t_mvm_ns", ns(options.mvmNs)},
            {"period_ns", ns(result.periodNs)},
            {"critical_core", result.criticalCore},
            {"groups", stream.groups},
            {"instructions", stream.instructions.size()},
            {"products", count(CompatOp::Mvm)},
            {"loads", count(CompatOp::Load)},
            {"stores", count(CompatOp::Store)},
            {"transfers", count(CompatOp::Send)},
            {"load_bytes", result.loadBytes},
            {"store_bytes", result.storeBytes},
            {"core_to_core_bytes", result.coreBytes},
            {"chip_to_chip_bytes", result.chipBytes},
            {"issue_bound_ns", result.issueBoundNs},
            {"memory_bound_ns", result.memoryBoundNs},
            {"bus_bound_ns", result.busBoundNs},
            {"cores", cores}};
}

std::string toText(const EvaluateStreamArguments& options, const CompatStream& stream,
                   const CompatResult& result) {
    TextTable totals({"", ">"});
    totals.add({"period", exactText(std::int64_t(result.periodNs)) + " ns"});
    totals.add({"samples per second", countText(result.periodNs > 0 ? 1e9 / result.periodNs : 0)});
    totals.add({"bound by products", timeText(result.issueBoundNs)});
    totals.add({"bound by global memory", timeText(result.memoryBoundNs)});
    totals.add({"bound by the bus", timeText(result.busBoundNs)});
    totals.add({"products", exactText(result.counts[std::size_t(CompatOp::Mvm)])});
    totals.add({"loaded and stored", bytesText(double(result.loadBytes + result.storeBytes))});
    totals.add({"between cores", bytesText(double(result.coreBytes))});
    totals.add({"between chips", bytesText(double(result.chipBytes))});
    std::vector<std::size_t> order(result.cores.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return result.cores[a].clockNs > result.cores[b].clockNs;
    });
    order.resize(std::min(order.size(), kShownCores));
    TextTable cores({">core", ">done at", ">products", ">waits", ">transfers", ">vectors", ">memory"});
    for (const std::size_t core : order) {
        const CompatCore& c = result.cores[core];
        cores.add({std::to_string(core), timeText(c.clockNs), exactText(c.products), timeText(c.waitNs),
                   timeText(c.transferNs), timeText(c.vectorNs), timeText(c.memoryNs)});
    }
    return fmt::format("{} on {}, {} a product: {} instructions in {} groups\n{}\nThe last cores:\n{}",
                       options.file, options.hardware, timeText(options.mvmNs),
                       exactText(std::int64_t(stream.instructions.size())), stream.groups, totals.text(),
                       cores.text());
}

Result<void> run(Session& session, const EvaluateStreamArguments& options) {
    PIM_TRY(const auto target, session.target(compatTarget(options.hardware)));
    PIM_TRY(const CrossbarChip chip, crossbarChip(*target));
    CompatHardware hardware = compatHardware(chip);
    hardware.mvmNs = options.mvmNs;
    if (options.coresPerChip > 0)
        hardware.coresPerChip = options.coresPerChip;
    PIM_TRY(const CompatStream stream, readCompatStream(options.file, session.task()));
    PIM_TRY(const CompatResult result, evaluateCompat(stream, hardware, session.task()));
    if (stream.cores > std::uint32_t(chip.cores()))
        session.say(fmt::format("note: the stream has {} cores, {} has {}\n", stream.cores, target->name,
                                chip.cores()));
    return session.print(
        session.json
            ? toJson(options, stream, result).dump(2, ' ', false, ordered_json::error_handler_t::replace) +
                  "\n"
            : toText(options, stream, result));
}

} // namespace

Action evaluateStreamVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<EvaluateStreamArguments>();
    verb.add_option("FILE", options->file, "Stream as CSV, plain or gzip")->required()->type_name("");
    verb.add_option("--hardware", options->hardware, "D, A96, A12, Ap, B128, B16, Bp, C8, C1, Cp or a target")
        ->type_name("ID")
        ->capture_default_str();
    verb.add_option("--t-mvm", options->mvmNs,
                    "Nanoseconds of a product: 800 as the shipped program computes, 4000 as it means to")
        ->check(CLI::Range(0.0, 1e9))
        ->check([](const std::string& text) { // a range lets NaN pass
            return text.find_first_of("nN") == std::string::npos ? std::string()
                                                                 : text + " is no number of nanoseconds";
        })
        ->type_name("NS")
        ->capture_default_str();
    verb.add_option("--cores-per-chip", options->coresPerChip,
                    "Cores that share bus and memory; if not given, those of the hardware")
        ->check(CLI::Range(1, 1'000'000))
        ->type_name("N");
    verb.footer(
        "The rules are those of PIMCOMP-NN (mode pimcomp-compat), to the nanosecond. Columns of the file:\n"
        "  group,core,op,stage,elements,in_elements,out_elements,ag,comm\n\n"
        "Examples:\n"
        "  pimc crossbar-stream squeezenet.batch.stream.csv.gz --hardware D --t-mvm 800 --json\n"
        "  pimc crossbar-stream mine.csv --hardware arch-c");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
