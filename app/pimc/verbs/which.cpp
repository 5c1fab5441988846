// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Which machine is the fastest for a network, all with the same host.
#include "core/compile/which.h"

#include "app/pimc/json_document.h"
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/verbs.h"
#include "app/pimc/verbs/winner_output.h"
#include "backends/host/roofline_host.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim::cli {
namespace {

struct WhichArguments {
    ModelOptions model;
    std::vector<std::string> targets, kinds;
    std::string host = "xeon-8380", dtype = "f16", by = "request", over;
    bool predicts = false, thorough = false, noHosts = false;
};

/// Machines by id, all of a kind, or all there are.
Result<void> takeMachines(WhichSetup& setup, Session& session, const WhichArguments& options) {
    PIM_TRY(const std::vector<std::string> ids, machineIds(session, options.targets, options.kinds));
    return pim::takeMachines(setup, session.catalog(), ids, options.host);
}

std::string typeNote(const WhichRow& row, DataType wanted) {
    return row.computeType == wanted ? "" : fmt::format("computes in {}", name(row.computeType));
}

/// Energy and area as text: "unknown" where they are, never 0.
struct Physical {
    std::string energy = "unknown", power = "unknown", energyBy, area = "unknown", areaBy;
};

Physical physical(const WhichRow& row) {
    Physical text;
    if (const auto power = row.power()) {
        text.energy = energyText(row.energy.total() / measure::kPicojoule);
        text.power = fmt::format("{:.4g} W", *power / measure::kWatt);
        text.energyBy = name(row.energy.evidence());
    }
    if (row.area) {
        text.area = fmt::format("{:.4g} mm²", row.area->value / measure::kSquareMillimetre);
        text.areaBy = name(row.area->evidence);
    }
    return text;
}

std::string rowsText(const std::vector<WhichRow>& rows, const WhichArguments& options, DataType wanted) {
    const bool stream = options.by == "stream";
    TextTable table({"Machine", "Kind", "Host", ">A request", ">A stream", "Origin", ">Over the host",
                     ">Work on PIM", ">Kept there", ">Loaded in", "Room", ">Over links", ">Energy", ">Power",
                     "Energy by", ">Area", "Area by", "Note"});
    std::string problems;
    for (const std::size_t place : ranked(rows, stream)) {
        const WhichRow& row = rows[place];
        if (!row.problem.empty()) {
            problems += fmt::format("\n{}: {}", row.machine, row.problem);
            continue;
        }
        const double ns = stream ? row.streamNs : row.requestNs;
        const bool host = row.kind == "host";
        const Physical known = physical(row);
        std::string note = typeNote(row, wanted);
        if (!host && row.pimShare == 0)
            note += note.empty() ? "all on the host" : ", all on the host";
        table.add({row.machine, row.kind, row.host, timeText(row.requestNs),
                   fmt::format("{:.4g}/s", row.streamNs > 0 ? 1e9 / row.streamNs : 0),
                   std::string(name(row.origin)), fmt::format("{:.2f}×", ns > 0 ? row.hostOnlyNs / ns : 0),
                   host ? "" : fmt::format("{:.1f} %", row.pimShare * 100),
                   host ? "" : bytesText(static_cast<double>(row.residentBytes)),
                   host ? "" : timeText(row.loadNs), host ? "" : row.roomText(), host ? "" : row.linksText(),
                   known.energy, known.power, known.energyBy, known.area, known.areaBy, note});
    }
    std::string text = table.text();
    if (!problems.empty())
        text += "\nNot these:" + problems + "\n";
    text += "\nEnergy is that of machine and host as far as it is known; --json says what is left out.\n";
    if (options.host == kOwnHost)
        text += "\nEach with its own host: what is compared is machine and host together.\n";
    return text;
}

/// null where it is unknown.
void addPhysical(nlohmann::json& one, const WhichRow& row) {
    for (const char* const key : {"energy_pj", "energy_by", "power_w", "area_mm2", "area_by"})
        one[key] = nullptr;
    one["energy_parts_pj"] = nlohmann::json::array();
    for (const EnergyPart& part : row.energy.parts())
        one["energy_parts_pj"].push_back(
            {{"part", part.name}, {"pj", part.energy / measure::kPicojoule}, {"by", name(part.evidence)}});
    one["energy_note"] = row.energyNote;
    if (const auto power = row.power()) {
        one["energy_pj"] = row.energy.total() / measure::kPicojoule;
        one["energy_by"] = name(row.energy.evidence());
        one["power_w"] = *power / measure::kWatt;
    }
    if (row.area) {
        one["area_mm2"] = row.area->value / measure::kSquareMillimetre;
        one["area_by"] = name(row.area->evidence);
    }
}

nlohmann::json rowsJson(const std::vector<WhichRow>& rows, bool stream) {
    nlohmann::json json = nlohmann::json::array();
    for (const std::size_t place : ranked(rows, stream)) {
        const WhichRow& row = rows[place];
        nlohmann::json one{{"machine", row.machine}, {"kind", row.kind}, {"host", row.host}};
        if (!row.problem.empty()) {
            one["problem"] = row.problem;
        } else {
            one["request_ns"] = row.requestNs;
            one["stream_ns"] = row.streamNs;
            one["origin"] = name(row.origin);
            one["predicted_ns"] = row.predictedNs;
            one["host_only_ns"] = row.hostOnlyNs;
            one["pim_share"] = row.pimShare;
            one["resident_bytes"] = row.residentBytes;
            one["load_ns"] = row.loadNs;
            one["room"] = row.room ? nlohmann::json{{"fits", row.room->fits()},
                                                    {"machines", row.room->machines()},
                                                    {"needed_bytes", row.room->neededBytes},
                                                    {"capacity_bytes", row.room->capacityBytes}}
                                   : nlohmann::json();
            one["links_bytes"] = nlohmann::json::object();
            for (const LinkTraffic& link : row.links)
                one["links_bytes"][link.link] = link.bytes;
            addPhysical(one, row);
            one["dtype"] = name(row.computeType);
        }
        json.push_back(std::move(one));
    }
    return json;
}

/// For many sizes of the model.
Result<void> runOver(Session& session, const WhichArguments& options, WhichSetup machines) {
    WinnerSetup setup;
    PIM_TRY(setup.axes, parseSweep(options.over));
    PIM_TRY(const ModelArgument argument, findModel(options.model.model));
    PIM_TRY(setup.graph, options.model.graphOptions(argument));
    PIM_TRY(setup.model, importModel(argument.path, session.task()));
    setup.machines = std::move(machines);
    setup.stream = options.by == "stream";
    PIM_TRY(const WinnerMap map, winners(session.backends(), RooflineHost(), setup, {}, session.task()));
    return session.print(session.json ? winnersJson(setup, map) : winnersText(setup, map));
}

Result<void> run(Session& session, const WhichArguments& options) {
    WhichSetup setup;
    PIM_CHECK(takeMachines(setup, session, options));
    const auto type = dataTypeFromName(options.dtype);
    setup.options.computeType = *type;
    setup.options.verifyDrafts = kVerifiedDrafts;
    setup.simulates = !options.predicts;
    setup.thorough = options.thorough;
    if (options.noHosts)
        setup.hosts.clear();
    if (!options.over.empty())
        return runOver(session, options, std::move(setup));
    PIM_TRY(setup.graph, options.model.load(session));
    const RooflineHost model;
    const bool stream = options.by == "stream";
    double best = 0;
    std::string leader;
    TaskContext task = session.task();
    const auto told = task.onProgress;
    task.onProgress = [&](std::string_view stage, std::int64_t done, std::int64_t total) {
        if (told)
            told(leader.empty() ? std::string(stage)
                                : fmt::format("{}; first so far {}, {}", stage, leader, timeText(best)),
                 done, total);
    };
    const auto see = [&](const WhichRow& row) {
        const double ns = stream ? row.streamNs : row.requestNs;
        if (row.problem.empty() && (leader.empty() || ns < best)) {
            best = ns;
            leader = row.machine;
        }
    };
    PIM_TRY(const std::vector<WhichRow> rows, which(session.backends(), model, setup, see, task));
    return session.print(session.json ? jsonDocument(rowsJson(rows, stream))
                                      : rowsText(rows, options, *type));
}

} // namespace

Action whichVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<WhichArguments>();
    options->model.declare(verb);
    verb.add_option("-t,--target", options->targets, "A machine; may be repeated; without, all there are")
        ->type_name("ID");
    verb.add_option("--kind", options->kinds,
                    "All machines of a kind: aim, crossbar, dual-mode, upmem, …; may be repeated")
        ->type_name("KIND");
    verb.add_option("--host", options->host, "The host of all, or own: each has its own")
        ->capture_default_str();
    verb.add_option("--dtype", options->dtype, "Number type used for all floating-point tensors")
        ->check(CLI::IsMember({"f16", "bf16", "f32", "i8", "i16", "i32"}))
        ->capture_default_str();
    verb.add_option("--by", options->by,
                    "What the order goes by: one request after the other, or a stream of them")
        ->check(CLI::IsMember({"request", "stream"}))
        ->capture_default_str();
    verb.add_flag("--predict", options->predicts, "Do not simulate: quicker, with what formulas predict");
    verb.add_flag("--no-hosts", options->noHosts, "Leave out hosts and GPUs without PIM");
    verb.add_option(
            "--over", options->over,
            "Sizes of one or two open dimensions: who is first at each, and where another machine takes over")
        ->type_name("NAME=SIZE,…");
    verb.add_flag("--thorough", options->thorough,
                  "Search mappings as long as pimc compile does, which takes far longer for crossbar chips");
    verb.footer(
        "Examples:\n"
        "  pimc which sample:bert-base\n"
        "  pimc which sample:resnet50 -t isaac --kind aim --kind dual-mode --by stream\n"
        "  pimc which sample:gpt3-13b-decode --no-hosts --predict --over 'past=128..2048;batch=1,8,64'\n"
        "  pimc which model.onnx --host a100 --json");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
