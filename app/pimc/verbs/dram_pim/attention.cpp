// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Decode attention on one AttAcc stack, and traces on its simulator.
#include "app/pimc/json_document.h"
#include "app/pimc/verbs/dram_pim/attacc.h"
#include "app/pimc/verbs/dram_pim/verbs.h"
#include "core/base/file_io.h"
#include "core/base/text_table.h"
#include "core/dram/attacc/run.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kDevice = "attacc-hbm3", kController = "attacc-compat";

Result<bool> onOff(std::string_view option, const std::string& value) {
    if (value == "on" || value == "1")
        return true;
    if (value == "off" || value == "0")
        return false;
    return fail(ErrorCode::Usage, fmt::format("--{} {} is neither on nor off", option, value));
}

Result<AttAccOptions> deviceOptions(const AttAccDeviceOptions& given) {
    if (given.device != kDevice)
        return fail(ErrorCode::NotFound, fmt::format("no device {} that computes attention", given.device),
                    {}, fmt::format("there is {}", kDevice));
    if (given.controller != kController)
        return fail(ErrorCode::NotFound, fmt::format("no controller {} for {}", given.controller, kDevice),
                    {}, fmt::format("there is {}", kController));
    AttAccOptions options;
    PIM_TRY(const bool powerLimit, onOff("power-limit", given.powerLimit));
    PIM_TRY(options.refresh, onOff("refresh", given.refresh));
    PIM_TRY(options.device, attAccDevice(given.speed, powerLimit));
    return options;
}

struct AttentionOptions {
    AttAccDeviceOptions device;
    std::string variant = "bank";
    AttAccAttention shape;
    std::string traceOut;
};

Result<void> writeTrace(const AttAccAttention& shape, const std::string& name, const TaskContext& task) {
    PIM_TRY(AttAccAttentionTrace trace, AttAccAttentionTrace::create(shape));
    PIM_TRY(OutputFile out, OutputFile::create(name));
    std::vector<AttAccRequest> block(4096);
    std::string text;
    while (true) {
        PIM_TRY(const std::size_t count, trace.read(block));
        if (count == 0)
            break;
        if (task.cancelled())
            return TaskContext::cancelledError("writing the trace");
        for (std::size_t i = 0; i < count; ++i)
            appendAttAccLine(text, block[i]);
        PIM_CHECK(out.write(text));
        text.clear();
    }
    return out.finish();
}

ordered_json attentionJson(const AttentionOptions& options, const AttAccOptions& device,
                           const AttAccAttentionRun& run) {
    const auto count = [&](AttAccCommand command) { return run.counts[command]; };
    const AttAccWork& work = run.work;
    return {{"device", kDevice},
            {"controller", kController},
            {"variant", attAccVariantName(options.shape.variant)},
            {"power_limit", *onOff("", options.device.powerLimit) ? 1 : 0},
            {"refresh", device.refresh ? 1 : 0},
            {"seqlen", options.shape.tokens},
            {"nattn_per_hbm", options.shape.heads},
            {"dhead", options.shape.headSize},
            {"dbyte", options.shape.elementBytes},
            {"trace_lines", run.traceLines},
            {"cycles", run.cycles},
            {fmt::format("time_us_tck{:.3f}", device.device.tickPs / 1000.0), rounded(run.microseconds, 1e4)},
            {"time_us", rounded(run.microseconds, 1e4)},
            {"mac", work.macs},
            {"wrgb", count(AttAccCommand::WriteGemv)},
            {"mvsb", count(AttAccCommand::MoveSoftmax)},
            {"mvgb", count(AttAccCommand::MoveGemv)},
            {"sfm", count(AttAccCommand::Softmax)},
            {"barrier", count(AttAccCommand::Barrier)},
            {"bytes_mac_internal", work.bytesMacInternal},
            {"bytes_io", work.bytesIo},
            {"E_cell_nJ", rounded(work.cellNj, 1e3)},
            {"E_io_nJ", rounded(work.ioNj, 1e3)},
            {"E_io_corrected_nJ", rounded(work.ioCorrectedNj, 1e3)},
            {"E_alu_score_nJ", rounded(work.aluScoreNj, 1e3)},
            {"sim_channels", run.simulatedChannels}};
}

std::string attentionText(const AttentionOptions& options, const AttAccOptions& device,
                          const AttAccAttentionRun& run) {
    TextTable table({"", ">"});
    const auto row = [&](const char* what, std::int64_t value) { table.add({what, std::to_string(value)}); };
    row("cycles", run.cycles);
    table.add({"time", fmt::format("{:.3f} us", run.microseconds)});
    row("MAC commands", run.work.macs);
    row("query writes", run.counts[AttAccCommand::WriteGemv]);
    row("moves to softmax", run.counts[AttAccCommand::MoveSoftmax]);
    row("moves from softmax", run.counts[AttAccCommand::MoveGemv]);
    row("barriers", run.counts[AttAccCommand::Barrier]);
    row("bytes read at the banks", run.work.bytesMacInternal);
    table.add({"energy of the banks", fmt::format("{:.3f} nJ", run.work.cellNj)});
    table.add({"energy of moves", fmt::format("{:.3f} nJ", run.work.ioCorrectedNj)});
    table.add({"energy of scores", fmt::format("{:.3f} nJ", run.work.aluScoreNj)});
    return fmt::format(
        "{}, {}, {} variant, power limit {}, refresh {}: {} heads of {} tokens on one stack\n{}", kDevice,
        kController, attAccVariantName(options.shape.variant), options.device.powerLimit,
        device.refresh ? "on" : "off", options.shape.heads, options.shape.tokens, table.text());
}

Result<void> attention(Session& session, AttentionOptions options) {
    PIM_TRY(const AttAccOptions device, deviceOptions(options.device));
    PIM_TRY(options.shape.variant, attAccVariant(options.variant));
    PIM_TRY(const AttAccAttentionRun run, runAttAccAttention(options.shape, device, session.task()));
    if (!options.traceOut.empty())
        PIM_CHECK(writeTrace(options.shape, options.traceOut, session.task()));
    return session.print(session.json ? jsonDocument(attentionJson(options, device, run))
                                      : attentionText(options, device, run));
}

} // namespace

bool isAttAcc(std::string_view device) {
    return device == kDevice;
}

Result<void> replayAttAcc(Session& session, const AttAccDeviceOptions& given, const std::string& file,
                          const std::string& log) {
    PIM_TRY(const AttAccOptions options, deviceOptions(given));
    PIM_TRY(const auto asWritten, openAttAccTrace(file));
    AttAccHostMapped mapped(*asWritten);
    AttAccTrace& trace = given.map == "host" ? static_cast<AttAccTrace&>(mapped) : *asWritten;
    std::optional<OutputFile> out;
    std::string text;
    Result<void> written;
    AttAccSink sink;
    if (!log.empty()) {
        PIM_TRY(OutputFile created, OutputFile::create(log));
        out.emplace(std::move(created));
        sink = [&](const AttAccIssue& issue) {
            appendAttAccIssue(text, issue);
            if (text.size() > 1 << 16) {
                if (written)
                    written = out->write(text);
                text.clear();
            }
        };
    }
    PIM_TRY(const AttAccResult result, simulateAttAcc(trace, options, sink, session.task()));
    if (out) {
        PIM_CHECK(written);
        PIM_CHECK(out->write(text));
        PIM_CHECK(out->finish());
    }
    const double nanoseconds = double(result.cycles) * options.device.tickPs / 1000;
    const std::int64_t accesses =
        result.requested[AttAccCommand::Read] + result.requested[AttAccCommand::Write];
    if (!session.json) {
        TextTable table({"", ">"});
        table.add({"cycles", std::to_string(result.cycles)});
        table.add({"time", fmt::format("{:.3f} us", nanoseconds / 1000)});
        for (int i = 0; i < kAttAccCommands; ++i)
            if (const std::int64_t count = result.issued.of[std::size_t(i)]; count != 0)
                table.add({std::string(attAccName(AttAccCommand(i))), std::to_string(count)});
        return session.print(fmt::format("{}, {}, power limit {}, refresh {}: {} requests\n{}", kDevice,
                                         kController, given.powerLimit, given.refresh, result.requests,
                                         table.text()));
    }
    ordered_json document{{"device", kDevice},
                          {"controller", kController},
                          {"map", given.map},
                          {"trace", file},
                          {"power_limit", *onOff("", given.powerLimit) ? 1 : 0},
                          {"refresh", options.refresh ? 1 : 0},
                          {"trace_lines", result.requests},
                          {"requests", result.requests},
                          {"cycles", result.cycles},
                          {"time_us", rounded(nanoseconds / 1000, 1e4)}};
    if (accesses > 0)
        document["GBps"] = rounded(double(accesses * kAttAccAccessBytes) / nanoseconds, 1e2);
    for (int i = 0; i < kAttAccCommands; ++i)
        document[std::string(attAccName(AttAccCommand(i)))] = result.issued.of[std::size_t(i)];
    return session.print(jsonDocument(document));
}

Action attentionVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<AttentionOptions>();
    AttAccDeviceOptions& device = options->device;
    AttAccAttention& shape = options->shape;
    verb.add_option("--device", device.device, "Memory that computes it")
        ->type_name("NAME")
        ->capture_default_str();
    verb.add_option("--controller", device.controller, "Memory controller")
        ->type_name("NAME")
        ->capture_default_str();
    verb.add_option("--variant", options->variant,
                    "Where the multipliers sit: bank, bg (bank group) or buffer (buffer die)")
        ->type_name("WHERE")
        ->capture_default_str();
    verb.add_option("--seqlen", shape.tokens, "Tokens attended to")->required()->type_name("N");
    verb.add_option("--heads", shape.heads, "Heads on this stack: heads x batch / stacks, rounded up")
        ->required()
        ->type_name("N");
    verb.add_option("--dhead", shape.headSize, "Elements of a head")->type_name("N")->capture_default_str();
    verb.add_option("--dbyte", shape.elementBytes, "Bytes of an element")
        ->type_name("N")
        ->capture_default_str();
    verb.add_option("--maxlen", shape.maxTokens, "Tokens the caches have room for")
        ->type_name("N")
        ->capture_default_str();
    verb.add_option("--power-limit", device.powerLimit,
                    "on or off: keep MACs far enough apart for the power budget")
        ->type_name("ON|OFF")
        ->capture_default_str();
    verb.add_option("--refresh", device.refresh, "on or off")->type_name("ON|OFF")->capture_default_str();
    verb.add_option("--speed", device.speed, "Gbit/s of a pin: 4.8, 5.2, 5.6, 6.0 or 6.4")
        ->type_name("RATE")
        ->capture_default_str();
    verb.add_option("--trace-out", options->traceOut, "Write the command stream to this file")
        ->type_name("FILE");
    verb.footer(
        "Generates the commands with which AttAcc computes softmax(q K) V for one token, score and context\n"
        "of two heads per channel overlapped, and counts cycles exactly as its simulator does.\n\n"
        "Examples:\n"
        "  pimc attention --seqlen 2048 --heads 13\n"
        "  pimc attention --variant bg --seqlen 4096 --heads 52 --power-limit off --json\n"
        "  pimc attention --seqlen 512 --heads 16 --trace-out attention.trace");
    return [options](Session& session) { return attention(session, *options); };
}

} // namespace pim::cli
