// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// One kernel on a PIM memory under the controller of another simulator, so that clocks, commands and results
/// can be compared with it. Keys are the columns of the reference files.
#include "app/pimc/json_document.h"
#include "app/pimc/verbs/dram_pim/aim_strict.h"
#include "app/pimc/verbs/dram_pim/verbs.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/file_io.h"
#include "core/base/parse_number.h"
#include "core/base/text_table.h"
#include "core/dram/aim/aim_kernel.h"
#include "core/dram/hbm_pim/hbm_pim_functional.h"
#include "core/dram/hbm_pim/hbm_pim_gemv.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <limits>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

constexpr const char* kStrict = "strict";
constexpr std::int64_t kNotGiven = std::numeric_limits<std::int64_t>::min();

struct BenchKernelArguments {
    std::string device, controller, kernel, dataflow, layout = "simulator", refresh, traceOut;
    std::vector<std::string> timing;
    std::int64_t out = kNotGiven, in = kNotGiven, batch = kNotGiven, length = kNotGiven;
    int channels = 0, ranks = 0;
    bool baseline = false, functional = false, optimised = false;
};

Result<std::int64_t> needed(std::int64_t value, const char* option, const std::string& kernel) {
    if (value == kNotGiven)
        return fail(ErrorCode::Usage, fmt::format("kernel {} needs {}", kernel, option), option);
    return value;
}

Result<void> unwanted(bool given, const char* option, const std::string& what) {
    if (given)
        return fail(ErrorCode::Usage, fmt::format("{} takes no {}", what, option), option, "leave it out");
    return {};
}

Result<HbmPimTiming> readTiming(const std::vector<std::string>& texts) {
    HbmPimTiming timing;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        const auto value = equals == std::string::npos
                               ? std::nullopt
                               : parseNumber<std::int64_t>(std::string_view(text).substr(equals + 1));
        if (!value)
            return fail(ErrorCode::Usage, fmt::format("\"{}\" is not understood", text), "--timing",
                        "write tCCDL=6,tRP=20");
        PIM_CHECK(setHbmPimTiming(timing, text.substr(0, equals), *value));
    }
    return timing;
}

Result<HbmPimShape> readShape(const BenchKernelArguments& options) {
    HbmPimShape shape;
    bool known = false;
    for (const auto kind : {HbmPimKernelKind::Gemv, HbmPimKernelKind::Add, HbmPimKernelKind::Mul,
                            HbmPimKernelKind::Relu, HbmPimKernelKind::Red})
        if (name(kind) == options.kernel) {
            shape.kind = kind;
            known = true;
        }
    if (!known)
        return fail(ErrorCode::Usage, fmt::format("\"{}\" is no kernel of hbm-pim", options.kernel),
                    "--kernel", "choose gemv, add, mul, relu or red");
    if (shape.kind == HbmPimKernelKind::Gemv) {
        PIM_TRY(shape.out, needed(options.out, "--out", options.kernel));
        PIM_TRY(shape.in, needed(options.in, "--in", options.kernel));
        shape.batch = options.batch == kNotGiven ? 1 : options.batch;
        PIM_CHECK(unwanted(options.length != kNotGiven, "--len", "kernel gemv"));
    } else {
        PIM_TRY(shape.length, needed(options.length, "--len", options.kernel));
        const std::string what = "kernel " + options.kernel;
        PIM_CHECK(unwanted(options.out != kNotGiven, "--out", what));
        PIM_CHECK(unwanted(options.in != kNotGiven, "--in", what));
        PIM_CHECK(unwanted(options.batch != kNotGiven && options.batch != 1, "--batch", what));
    }
    shape.channels = options.channels;
    shape.ranks = options.ranks;
    shape.padded = options.layout == "padded";
    shape.optimised = options.optimised;
    if (options.optimised && shape.kind != HbmPimKernelKind::Gemv)
        return fail(ErrorCode::Usage,
                    fmt::format("there is no other kernel {} than the simulator's", options.kernel),
                    "--optimised", "leave it out; kernel gemv has one");
    return shape;
}

void addCounts(ordered_json& document, const HbmPimCounts& counts) {
    using Kind = HbmPimCommandKind;
    constexpr std::pair<Kind, const char*> kKinds[] = {{Kind::Activate, "act"},
                                                       {Kind::Precharge, "pre"},
                                                       {Kind::Read, "rd"},
                                                       {Kind::Write, "wr"},
                                                       {Kind::Refresh, "ref"}};
    constexpr const char* kModes[] = {"sb", "hab", "habpim"};
    for (const auto& [kind, word] : kKinds)
        document[fmt::format("pim_{}", word)] = counts.of(kind);
    for (std::size_t mode = 0; mode < 3; ++mode)
        for (const auto& [kind, word] : kKinds)
            if (kind != Kind::Refresh)
                document[fmt::format("{}_{}", kModes[mode], word)] =
                    counts.byMode[mode][static_cast<std::size_t>(kind)];
    document["rd_exec_crf"] = counts.readSteps;
    document["wr_exec_crf"] = counts.writeSteps;
    document["wr_grf"] = counts.grfWrites;
    document["wr_crf"] = counts.crfWrites;
    document["wr_mode"] = counts.modeWrites;
    document["wr_hab_total"] = counts.allBankWrites;
    document["pim_cmds"] = counts.total();
}

void addSteps(ordered_json& document, const HbmPimSteps& steps, int channels) {
    document["crf_mac"] = steps.mac * channels;
    document["crf_add"] = steps.add * channels;
    document["crf_mul"] = steps.mul * channels;
    document["crf_fill"] = steps.fill * channels;
    document["crf_mov"] = steps.mov * channels;
    document["crf_nop"] = steps.nop * channels;
    document["crf_jump"] = steps.jump * channels;
}

std::string textOf(const ordered_json& document) {
    TextTable table({"figure", ">value"});
    for (const auto& [key, value] : document.items())
        table.add({key, value.is_string() ? value.get<std::string>() : value.dump()});
    return table.text();
}

Result<void> runHbmPim(Session& session, const BenchKernelArguments& options) {
    PIM_CHECK(unwanted(!options.dataflow.empty(), "--dataflow", "device hbm-pim"));
    PIM_TRY(const HbmPimShape shape, readShape(options));
    PIM_TRY(HbmPimTiming timing, readTiming(options.timing));
    timing.strict = options.controller == kStrict;
    PIM_CHECK(checkHbmPimShape(shape));
    std::vector<HbmPimCommand> log;
    std::vector<HbmPimCommand>* const wanted = options.traceOut.empty() ? nullptr : &log;
    const auto begin = std::chrono::steady_clock::now();
    HbmPimOutcome outcome;
    if (options.functional) {
        PIM_TRY(outcome,
                runHbmPimFunctional(shape, HbmPimOperands::sample(), timing, wanted, session.task()));
    } else {
        PIM_TRY(outcome.cost, runHbmPimKernel(shape, timing, wanted, session.task()));
    }
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    const bool isGemv = shape.kind == HbmPimKernelKind::Gemv;
    std::string why;
    const bool valid = shape.isResultValid(&why);
    ordered_json document{{"device", options.device},
                          {"controller", options.controller},
                          {"kernel", options.kernel},
                          {"layout", shape.optimised ? "optimised" : options.layout},
                          {"channels", shape.channels},
                          {"ranks_in_mem", shape.ranks},
                          {"out_or_len", isGemv ? shape.out : shape.length},
                          {"in", shape.in},
                          {"batch", shape.batch},
                          {"out_tiles", shape.outTiles()},
                          {"in_tiles", shape.inTiles()},
                          {"tiles", shape.tiles()},
                          {"pim_cycles", outcome.cost.cycles}};
    if (shape.optimised) {
        const HbmPimGemvPlan plan = HbmPimGemvPlan::of(shape);
        document["vector_form"] = plan.scalars ? "scalars" : "lanes";
        document["input_parts"] = plan.inputParts;
    }
    if (options.baseline) {
        PIM_TRY(const HbmPimCost plain, runHbmPimBaseline(shape, timing, nullptr, session.task()));
        document["nonpim_cycles"] = plain.cycles;
        document["speedup"] = double(plain.cycles) / double(outcome.cost.cycles);
        document["nonpim_act"] = plain.counts.of(HbmPimCommandKind::Activate);
        document["nonpim_pre"] = plain.counts.of(HbmPimCommandKind::Precharge);
        document["nonpim_rd"] = plain.counts.of(HbmPimCommandKind::Read);
        document["nonpim_wr"] = plain.counts.of(HbmPimCommandKind::Write);
        document["nonpim_ref"] = plain.counts.of(HbmPimCommandKind::Refresh);
        document["nonpim_cmds"] = plain.counts.total();
    }
    document["result_valid"] = valid ? 1 : 0;
    if (!valid) {
        document["result_problem"] = why;
        session.say("pimc: warning: the result is wrong, as in the simulator: " + why +
                    ". --layout padded computes it right.");
    }
    addCounts(document, outcome.cost.counts);
    if (options.functional) {
        addSteps(document, outcome.steps, shape.channels);
        document["preload_cycles"] = outcome.preloadCycles;
        document["pim_cycles_after_preload"] = outcome.cyclesAfterPreload;
        document["max_abs_err"] = outcome.maxAbsError;
        document["out_fnv64"] = fmt::format("{:016x}", outcome.fnv64);
    }
    document["wall_pim_s"] = wall.count();
    if (wanted != nullptr)
        PIM_CHECK(replaceFile(options.traceOut, hbmPimLogCsv(log)));
    return session.print(session.json ? jsonDocument(document) : textOf(document));
}

void addAimCycles(ordered_json& document, std::int64_t cycles) {
    document["pim_cycles"] = cycles;
    document["cycles"] = cycles;
    document["us_at_0.5ns"] = double(cycles) / 2000;
}

Result<void> addAimCompat(const BenchKernelArguments& options, const AimShape& shape,
                          ordered_json& document) {
    std::vector<AimCommand> log;
    std::vector<AimCommand>* const wanted = options.traceOut.empty() ? nullptr : &log;
    AimTiming timing;
    timing.refresh = options.refresh == "on";
    PIM_TRY(const AimCost cost, runAimKernel(shape, timing, wanted));
    addAimCycles(document, cost.cycles);
    for (std::size_t kind = 0; kind < kAimCommandKinds; ++kind)
        document[fmt::format("per_ch_{}", name(static_cast<AimCommandKind>(kind)))] =
            cost.of(static_cast<AimCommandKind>(kind));
    return wanted != nullptr ? replaceFile(options.traceOut, aimLogCsv(log)) : Result<void>();
}

Result<void> addAimStrict(Session& session, const BenchKernelArguments& options, const AimShape& shape,
                          ordered_json& document) {
    PIM_CHECK(unwanted(!options.dataflow.empty(), "--dataflow", "controller strict"));
    PIM_CHECK(unwanted(!options.traceOut.empty(), "--trace-out", "controller strict"));
    PIM_TRY(const AimStrictRun run, runAimStrict(session, shape, options.refresh != "off"));
    document.erase("dataflow"); // chosen by the compiler
    addAimCycles(document, run.timing.ticks);
    for (std::size_t kind = 0; kind < kAimCommandKinds; ++kind) {
        const std::string_view command = name(static_cast<AimCommandKind>(kind));
        document[fmt::format("per_ch_{}", command)] =
            run.timing.commands[std::size_t(run.device.command(command))];
    }
    return {};
}

Result<void> runAim(Session& session, const BenchKernelArguments& options) {
    PIM_CHECK(unwanted(options.functional, "--functional", "device aim"));
    PIM_CHECK(unwanted(options.baseline, "--baseline", "device aim"));
    PIM_CHECK(unwanted(options.optimised, "--optimised", "device aim"));
    PIM_CHECK(unwanted(!options.timing.empty(), "--timing", "device aim"));
    PIM_CHECK(unwanted(options.ranks > 1, "--ranks", "device aim"));
    AimShape shape;
    shape.channels = options.channels;
    if (options.kernel == "gemv") {
        PIM_TRY(shape.out, needed(options.out, "--out", options.kernel));
        PIM_TRY(shape.in, needed(options.in, "--in", options.kernel));
        PIM_CHECK(unwanted(options.length != kNotGiven, "--len", "kernel gemv"));
        shape.batch = options.batch == kNotGiven ? 1 : options.batch;
        shape.dataflow =
            options.dataflow == "is" ? AimDataflow::InputStationary : AimDataflow::OutputStationary;
    } else if (options.kernel == "ewmul" || options.kernel == "mul") {
        shape.kind = AimKernelKind::Ewmul;
        PIM_TRY(shape.length, needed(options.length, "--len", options.kernel));
        PIM_CHECK(unwanted(!options.dataflow.empty(), "--dataflow", "kernel " + options.kernel));
    } else {
        return fail(ErrorCode::Usage, fmt::format("\"{}\" is no kernel of aim", options.kernel), "--kernel",
                    "choose gemv or ewmul");
    }
    const bool strict = options.controller == kStrict;
    ordered_json document{
        {"device", options.device}, {"controller", options.controller}, {"kernel", name(shape.kind)}};
    if (shape.kind == AimKernelKind::Gemv) {
        document["dataflow"] = name(shape.dataflow);
        document["channels"] = shape.channels;
        document["out"] = shape.out;
        document["in"] = shape.in;
        document["batch"] = shape.batch;
        document["out_tiles"] = shape.outTiles();
        document["in_chunks"] = shape.inChunks();
    } else {
        document["channels"] = shape.channels;
        document["length"] = shape.length;
        document["cols_per_channel"] = shape.columns();
    }
    PIM_CHECK(strict ? addAimStrict(session, options, shape, document)
                     : addAimCompat(options, shape, document));
    return session.print(session.json ? jsonDocument(document) : textOf(document));
}

Result<void> run(Session& session, BenchKernelArguments options) {
    const bool aim = options.device == "aim";
    const std::string controller = aim ? "aim-compat" : "pimsimulator-compat";
    if (options.controller.empty())
        options.controller = controller;
    if (options.controller != controller && options.controller != kStrict)
        return fail(ErrorCode::Usage,
                    fmt::format("\"{}\" is no controller of {}", options.controller, options.device),
                    "--controller", "choose " + controller + " or strict");
    if (options.channels == 0)
        options.channels = aim ? AimGeometry::kChannels : 64;
    if (options.ranks == 0)
        options.ranks = aim || options.channels < 64 ? 1 : 2;
    if (!aim)
        PIM_CHECK(unwanted(!options.refresh.empty(), "--refresh", "device " + options.device));
    return aim ? runAim(session, options) : runHbmPim(session, options);
}

} // namespace

Action benchKernelVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<BenchKernelArguments>();
    const CLI::Range count(1, 1 << 20, "INT"); // each device has its own limit below
    verb.add_option("--device", options->device, "Memory: hbm-pim or aim")
        ->required()
        ->check(CLI::IsMember({"hbm-pim", "aim"}));
    verb.add_option("--controller", options->controller,
                    "Whose behaviour: pimsimulator-compat (hbm-pim), aim-compat (aim), or strict");
    verb.add_option("--kernel", options->kernel, "gemv, add, mul, relu or red; aim: gemv or ewmul")
        ->required();
    verb.add_option("--out", options->out, "GEMV: outputs");
    verb.add_option("--in", options->in, "GEMV: inputs");
    verb.add_option("--batch", options->batch, "GEMV: vectors, one after the other");
    verb.add_option("--len", options->length, "Elements of an operand of the other kernels");
    verb.add_option("--channels", options->channels, "Channels; default 64 for hbm-pim, 32 for aim")
        ->check(count);
    verb.add_option("--ranks", options->ranks,
                    "hbm-pim: ranks of a channel; default 2 with 64 channels, else 1")
        ->check(count);
    verb.add_option("--dataflow", options->dataflow, "aim: os keeps sums, is keeps inputs; default os")
        ->check(CLI::IsMember({"os", "is"}));
    verb.add_option("--refresh", options->refresh,
                    "aim: on or off; default on for strict, off for aim-compat, as the simulator never does")
        ->check(CLI::IsMember({"on", "off"}));
    verb.add_option(
            "--layout", options->layout,
            "hbm-pim: the simulator's own, which leaves tails out, or padded, which computes every size")
        ->check(CLI::IsMember({"simulator", "padded"}))
        ->capture_default_str();
    verb.add_option("--timing", options->timing, "hbm-pim: timing parameters in clocks")
        ->delimiter(',')
        ->type_name("tCCDL=6,...");
    verb.add_flag("--optimised", options->optimised,
                  "hbm-pim: the faster GEMV of this project, right for every size");
    verb.add_flag("--baseline", options->baseline,
                  "hbm-pim: also the same work through plain reads and writes");
    verb.add_flag("--functional", options->functional,
                  "hbm-pim: compute on data and print a hash of the result");
    verb.add_option("--trace-out", options->traceOut, "Write every command of one channel as CSV")
        ->type_name("FILE");
    verb.footer(
        "Examples:\n"
        "  pimc bench-kernel --device hbm-pim --kernel gemv --out 4096 --in 4096 --baseline\n"
        "  pimc bench-kernel --device hbm-pim --kernel gemv --out 4096 --in 4096 --optimised --controller "
        "strict\n"
        "  pimc bench-kernel --device hbm-pim --kernel add --len 1048576 --channels 16 --functional --json\n"
        "  pimc bench-kernel --device aim --kernel gemv --out 4096 --in 4096 --dataflow is\n"
        "  pimc bench-kernel --device aim --kernel gemv --out 4096 --in 4096 --controller strict");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
