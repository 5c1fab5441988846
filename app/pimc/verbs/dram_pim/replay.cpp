// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Runs a request trace on one memory channel and prints what a memory simulator prints.
#include "core/dram/replay.h"
#include "app/pimc/json_document.h"
#include "app/pimc/verbs/dram_pim/attacc.h"
#include "app/pimc/verbs/dram_pim/verbs.h"
#include "core/base/paths.h"
#include "core/base/text_table.h"
#include "core/dram/command_log.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

/// As given; what a device does not know it refuses.
struct ReplayOptions {
    std::string device, trace, log;
    std::string controller = "ramulator-2.1";
    std::string scheduler; ///< Empty: that of the controller.
    std::string refresh = "ab";
    std::string pagePolicy; ///< Empty: that of the controller.
    std::string injection = "1";
    std::string powerLimit = "on"; ///< AttAcc's stack only.
    std::string map = "pim";       ///< The same.
};

std::int64_t countOf(const DramDevice& device, const DramStatistics& statistics,
                     std::initializer_list<const char*> names) {
    std::int64_t sum = 0;
    for (const char* name : names)
        if (const int command = device.command(name); command >= 0)
            sum += statistics.commands[std::size_t(command)];
    return sum;
}

/// Keys as the columns of the tables Ramulator's users know.
ordered_json toJson(const DramDevice& device, const ReplayOptions& options, const DramStatistics& s) {
    const auto count = [&](std::initializer_list<const char*> names) { return countOf(device, s, names); };
    const std::int64_t act = count({"ACT", "ACT1"}), pre = count({"PREpb", "PREab"}),
                       rd = count({"RD", "RD_S"}), wr = count({"WR", "WR_S"}),
                       ref = count({"REFab", "REFpb"});
    std::int64_t all = 0;
    for (const std::int64_t n : s.commands)
        all += n;
    const double nanoseconds = double(s.drained) * device.tickPs / 1000;
    const std::int64_t returned = s.reads + s.forwarded;
    return {{"device", device.name},
            {"org_preset", device.organisation},
            {"timing_preset", device.speedGrade},
            {"controller", options.controller},
            {"scheduler", options.scheduler},
            {"page_policy", options.pagePolicy},
            {"refresh", options.refresh},
            {"injection", options.injection},
            {"requests", s.requests},
            {"tx_bytes", device.accessBytes},
            {"tCK_ns", device.tickPs / 1000.0},
            {"cycles_all_sent", s.allSent},
            {"cycles_drained", s.drained},
            {"time_us", rounded(nanoseconds / 1000, 1e4)},
            {"row_hits", s.hits},
            {"row_misses", s.misses},
            {"row_conflicts", s.conflicts},
            {"reads_served", s.reads},
            {"writes_served", s.writes},
            {"reads_forwarded", s.forwarded},
            {"writes_coalesced", s.coalesced},
            {"refreshes", ref},
            {"avg_read_latency", returned ? rounded(double(s.readLatencySum) / double(returned), 1e4) : 0.0},
            {"max_read_latency", s.readLatencyMax},
            {"bw_GBps",
             nanoseconds > 0 ? rounded(double(s.requests) * device.accessBytes / nanoseconds, 1e3) : 0.0},
            {"ACT", act},
            {"PRE", pre},
            {"RD", rd},
            {"WR", wr},
            {"REF", ref},
            {"other_cmds", all - act - pre - rd - wr - ref},
            {"cmds_total", all}};
}

std::string toText(const DramDevice& device, const ReplayOptions& options, const ordered_json& r) {
    const auto number = [&](const char* key) { return std::to_string(r[key].get<std::int64_t>()); };
    TextTable table({"", ">"});
    table.add({"cycles", number("cycles_drained")});
    table.add({"time", fmt::format("{} us", r["time_us"].get<double>())});
    table.add({"bandwidth", fmt::format("{} GB/s", r["bw_GBps"].get<double>())});
    table.add({"row hits", number("row_hits")});
    table.add({"row misses", number("row_misses")});
    table.add({"row conflicts", number("row_conflicts")});
    table.add({"read latency, mean", fmt::format("{} cycles", r["avg_read_latency"].get<double>())});
    table.add({"read latency, largest", number("max_read_latency") + " cycles"});
    table.add({"reads from the write queue", number("reads_forwarded")});
    table.add({"writes overwritten in the queue", number("writes_coalesced")});
    for (const char* name : {"ACT", "PRE", "RD", "WR", "REF"})
        table.add({name, number(name)});
    return fmt::format("{} ({}, {}), {}, {}, page policy {}, refresh {}: {} requests of {} bytes\n{}",
                       device.name, device.organisation, device.speedGrade, options.controller,
                       options.scheduler, options.pagePolicy, options.refresh, number("requests"),
                       device.accessBytes, table.text());
}

Result<void> replay(Session& session, ReplayOptions options) {
    PIM_TRY(const DramDevice device, loadDramDevice(resourceDir() / "devices", options.device));
    PIM_TRY(DramControllerConfig config, dramControllerNamed(options.controller));
    if (options.scheduler.empty())
        options.scheduler = dramSchedulerName(config.scheduler);
    PIM_TRY(config.scheduler, dramSchedulerNamed(options.scheduler));
    if (options.pagePolicy.empty())
        options.pagePolicy = dramPagePolicyName(config.pagePolicy);
    PIM_TRY(config.pagePolicy, dramPagePolicyNamed(options.pagePolicy));
    PIM_TRY(config.refresh, dramRefreshNamed(options.refresh));
    PIM_TRY(const auto trace, DramTraceFile::open(options.trace, DramAddressMap(device).size()));
    std::unique_ptr<DramCommandLog> log;
    if (!options.log.empty()) {
        PIM_TRY(log, DramCommandLog::create(options.log, device));
    }
    const auto injection = options.injection == "greedy" ? DramInjection::Greedy : DramInjection::OneATick;
    PIM_TRY(const DramStatistics statistics,
            replayDram(device, config, *trace, injection, session.task(), log.get()));
    if (log) {
        PIM_CHECK(log->finish());
    }
    const ordered_json result = toJson(device, options, statistics);
    return session.print(session.json
                             ? result.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n"
                             : toText(device, options, result));
}

/// AttAcc's stack has a controller, commands and options of its own.
Result<void> replayOnAttAcc(Session& session, const ReplayOptions& options, const CLI::App& verb) {
    for (const char* other : {"--scheduler", "--page-policy", "--injection"})
        if (verb.count(other) != 0)
            return fail(
                ErrorCode::Usage, fmt::format("{} is not for {}", other, options.device), {},
                "its controller has one scheduler, keeps rows open and takes as many requests as find room");
    AttAccDeviceOptions given;
    given.device = options.device;
    given.powerLimit = options.powerLimit;
    given.map = options.map;
    if (verb.count("--controller") != 0)
        given.controller = options.controller;
    if (verb.count("--refresh") != 0)
        given.refresh = options.refresh == "ab" ? "on" : options.refresh;
    return replayAttAcc(session, given, options.trace, options.log);
}

} // namespace

Action replayVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<ReplayOptions>();
    std::vector<std::string> names = dramDeviceNames(resourceDir() / "devices");
    std::erase_if(names, [](const std::string& name) { return isAttAcc(name); }); // named apart
    verb.add_option("--device", options->device, "Memory the trace runs on")->required()->type_name("NAME");
    verb.add_option("--trace", options->trace, "Requests, plain text or gzip")->required()->type_name("FILE");
    verb.add_option("--controller", options->controller,
                    "Memory controller: ramulator-2.1 or strict; attacc-compat for attacc-hbm3")
        ->type_name("NAME")
        ->capture_default_str();
    verb.add_option("--scheduler", options->scheduler,
                    "FRFCFS, FRFCFSRowHit or FCFS; if not given, FRFCFS, and FRFCFSRowHit for strict")
        ->type_name("NAME");
    verb.add_option("--page-policy", options->pagePolicy,
                    "When rows that no request wants are closed: open (never), closed (at once) or timeout; "
                    "if not given, "
                    "open, and timeout for strict")
        ->type_name("POLICY");
    verb.add_option("--refresh", options->refresh, "off, ab (all banks at once) or pb (bank by bank)")
        ->type_name("KIND")
        ->capture_default_str();
    verb.add_option("--power-limit", options->powerLimit,
                    "on or off: of attacc-hbm3, keep MACs far enough apart for the power budget")
        ->type_name("ON|OFF");
    verb.add_option("--map", options->map,
                    "pim or host: of attacc-hbm3, whether consecutive data stays in a bank or goes over "
                    "channels and groups")
        ->check(CLI::IsMember({"pim", "host"}))
        ->type_name("MAP")
        ->capture_default_str();
    verb.add_option("--injection", options->injection,
                    "Requests offered in a cycle: 1, or greedy for as many as find room")
        ->check(CLI::IsMember({"1", "greedy"}))
        ->type_name("HOW")
        ->capture_default_str();
    verb.add_option("--log", options->log, "Write every command to this CSV file")->type_name("FILE");
    verb.footer(fmt::format(
        "Devices: {}, attacc-hbm3.\n"
        "A trace has one request per line, LD or ST and a byte address in the channel:\n"
        "  LD 0x1aa9e6600\n"
        "  ST 0x40\n"
        "The controller ramulator-2.1 counts cycles exactly as Ramulator 2.1 does; strict closes rows that\n"
        "nobody wants and lets reads find all writes before them.\n"
        "attacc-hbm3 runs the commands of AttAcc's traces (PIM_MAC_AB, ...) on one stack,\n"
        "with the controller attacc-compat; see `pimc attention --trace-out`.\n\n"
        "Examples:\n"
        "  pimc replay --device DDR4 --trace requests.gz --json\n"
        "  pimc replay --device HBM3 --refresh off --trace requests --log commands.csv\n"
        "  pimc replay --device attacc-hbm3 --power-limit off --trace attention.trace",
        fmt::join(names, ", ")));
    return [options, &verb](Session& session) -> Result<void> {
        std::error_code none;
        if (!options->log.empty() && std::filesystem::equivalent(options->log, options->trace, none))
            return fail(ErrorCode::Usage, "the log would overwrite the trace", options->log,
                        "give --log another file");
        if (isAttAcc(options->device))
            return replayOnAttAcc(session, *options, verb);
        for (const char* other : {"--power-limit", "--map"})
            if (verb.count(other) != 0)
                return fail(ErrorCode::Usage, fmt::format("{} is not for {}", other, options->device), {},
                            "attacc-hbm3 has it");
        return replay(session, *options);
    };
}

} // namespace pim::cli
