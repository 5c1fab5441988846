// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Which machine is the fastest for a network, all with the same host.
#include "core/compile/which.h"

#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/sensitivity_output.h"
#include "app/pimc/verbs/verbs.h"
#include "app/pimc/verbs/winner_output.h"
#include "backends/host/roofline_host.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/compile/accuracy.h"
#include "core/compile/which_json.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace pim::cli {
namespace {

struct WhichArguments {
    ModelOptions model;
    std::vector<std::string> targets, kinds;
    std::string host = "xeon-8380", dtype = "f16", by = "request", over, decides, data;
    std::int64_t samples = 100;
    double leastAccuracy = 0; ///< Percent.
    bool predicts = false, thorough = false, noHosts = false;

    WhichBy order() const { return *whichByFromName(by); }
};

/// Machines by id, all of a kind, or all there are.
Result<void> takeMachines(WhichSetup& setup, Session& session, const WhichArguments& options) {
    PIM_TRY(const std::vector<std::string> ids, machineIds(session, options.targets, options.kinds));
    return pim::takeMachines(setup, session.catalog(), ids, options.host);
}

/// The word for usualInputs().
constexpr std::string_view kUsualInputs = "usual";

/// Asks how right machines are, on the samples of --data, which say sizes of the model too.
Result<void> takeAccuracy(WhichSetup& setup, ModelOptions& model, Session& session,
                          const WhichArguments& options) {
    PIM_TRY(const ModelArgument argument, findModel(options.model.model));
    PIM_TRY(AccuracyQuestion question,
            askAccuracy(argument.path, options.data, options.samples, session.task()));
    setup.accuracy = std::move(question.ofPlans);
    setup.ofHosts = std::move(question.ofHosts);
    setup.leastAccuracy = options.leastAccuracy / 100;
    for (const auto& [symbol, size] : question.bindings)
        model.bindings[symbol] = size;
    return {};
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
    std::vector<std::string> heads{"Machine", "Kind",           "Host",         ">A request",  ">A stream",
                                   "Origin",  ">Over the host", ">Work on PIM", ">Kept there", ">Loaded in",
                                   "Room",    ">Over links",    ">Energy",      ">Power",      "Energy by",
                                   ">Area",   "Area by"};
    if (!options.data.empty())
        heads.insert(heads.end(), {">Right", "In"});
    heads.emplace_back("Note");
    TextTable table(heads);
    std::string problems;
    for (const std::size_t place : ranked(rows, options.order())) {
        const WhichRow& row = rows[place];
        if (!row.problem.empty()) {
            problems += fmt::format("\n{}: {}", row.machine, row.problem);
            continue;
        }
        const double ns = row.timeNs(options.order()).value_or(0);
        const bool host = row.kind == "host";
        const Physical known = physical(row);
        std::string note = typeNote(row, wanted);
        if (!host && row.pimShare == 0)
            note += note.empty() ? "all on the host" : ", all on the host";
        std::vector<std::string> cells{row.machine,
                                       row.kind,
                                       row.host,
                                       timeText(row.requestNs),
                                       fmt::format("{:.4g}/s", row.streamNs > 0 ? 1e9 / row.streamNs : 0),
                                       std::string(name(row.origin)),
                                       ns > 0 ? fmt::format("{:.2f}×", row.hostOnlyNs / ns) : "unknown",
                                       host ? "" : fmt::format("{:.1f} %", row.pimShare * 100),
                                       host ? "" : bytesText(static_cast<double>(row.residentBytes)),
                                       host         ? ""
                                       : row.loadNs ? timeText(*row.loadNs)
                                                    : "unknown",
                                       host ? "" : row.roomText(),
                                       host ? "" : row.linksText(),
                                       known.energy,
                                       known.power,
                                       known.energyBy,
                                       known.area,
                                       known.areaBy};
        if (!options.data.empty())
            cells.insert(
                cells.end(),
                {row.accuracy ? fmt::format("{:.2f} %", 100 * *row.accuracy) : "unknown", row.accuracyNote});
        cells.push_back(note);
        table.add(cells);
    }
    std::string text = table.text();
    if (!problems.empty())
        text += "\nNot these:" + problems + "\n";
    text += "\nEnergy is that of machine and host as far as it is known; --json says what is left out.\n";
    if (options.host == kOwnHost)
        text += "\nEach with its own host: what is compared is machine and host together.\n";
    return text;
}

/// For many sizes of the model.
Result<void> runOver(Session& session, const WhichArguments& options, WhichSetup machines) {
    WinnerSetup setup;
    PIM_TRY(setup.axes, parseSweep(options.over));
    PIM_TRY(const ModelArgument argument, findModel(options.model.model));
    PIM_TRY(setup.graph, options.model.graphOptions(argument));
    PIM_TRY(setup.model, importModel(argument.path, session.task()));
    setup.machines = std::move(machines);
    setup.by = options.order();
    PIM_TRY(const WinnerMap map, winners(session.backends(), RooflineHost(), setup, {}, session.task()));
    return session.print(session.json ? winnersJson(setup, map) : winnersText(setup, map));
}

/// With one thing at a time otherwise.
Result<void> runDecides(Session& session, const WhichArguments& options, WhichSetup machines) {
    SensitivitySetup setup;
    PIM_TRY(const ModelArgument argument, findModel(options.model.model));
    PIM_TRY(setup.graph, options.model.graphOptions(argument));
    PIM_TRY(setup.model, importModel(argument.path, session.task()));
    setup.machines = std::move(machines);
    setup.hosts = session.catalog().hosts();
    setup.by = options.order();
    if (options.decides == kUsualInputs)
        setup.inputs = usualInputs(setup);
    else {
        PIM_TRY(setup.inputs, parseSweep(options.decides));
    }
    PIM_TRY(const Sensitivity found, sensitivity(session.backends(), RooflineHost(), setup, session.task()));
    return session.print(session.json ? sensitivityJson(found) : sensitivityText(found));
}

Result<void> run(Session& session, const WhichArguments& options) {
    const bool wantsMany = !options.over.empty() || !options.decides.empty();
    if (options.leastAccuracy > 0 && options.data.empty())
        return fail(ErrorCode::Usage, "nothing says how right a machine is", "--least-accuracy",
                    "give samples with --data");
    if (wantsMany && !options.data.empty())
        return fail(ErrorCode::Usage, "accuracy is asked for one size of a model as it is", "--data",
                    "leave out --over and --decides");
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
    if (!options.decides.empty())
        return runDecides(session, options, std::move(setup));
    ModelOptions asked = options.model;
    if (!options.data.empty())
        PIM_CHECK(takeAccuracy(setup, asked, session, options));
    PIM_TRY(setup.graph, asked.load(session));
    const RooflineHost model;
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
        if (const auto ns = row.timeNs(options.order()); ns && (leader.empty() || *ns < best)) {
            best = *ns;
            leader = row.machine;
        }
    };
    PIM_TRY(const std::vector<WhichRow> rows, which(session.backends(), model, setup, see, task));
    return session.print(session.json ? whichJson(rows, options.order()) : rowsText(rows, options, *type));
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
                    "What the order goes by: one request after the other, a stream of them, or the first "
                    "one, with bringing in the weights")
        ->check(CLI::IsMember({"request", "stream", "first"}))
        ->capture_default_str();
    verb.add_flag("--predict", options->predicts, "Do not simulate: quicker, with what formulas predict");
    verb.add_flag("--no-hosts", options->noHosts, "Leave out hosts and GPUs without PIM");
    verb.add_option("--data", options->data,
                    "Folder with test_x.npy, test_y.npy, calib_x.npy: how many samples each machine gets "
                    "right in its own numbers")
        ->type_name("FOLDER");
    verb.add_option("--samples", options->samples, "Only so many of the test samples; 0: all")
        ->capture_default_str()
        ->check(CLI::Range(std::int64_t(0), std::int64_t(1) << 40))
        ->type_name("N");
    verb.add_option("--least-accuracy", options->leastAccuracy,
                    "Leave out machines that get less of the samples right")
        ->check(CLI::Range(0.0, 100.0))
        ->type_name("PERCENT");
    CLI::Option* const over = verb.add_option("--over", options->over,
                                              "Sizes of one or two open dimensions: who is first at each, "
                                              "and where another machine takes over")
                                  ->type_name("NAME=SIZE,…");
    verb.add_option("--decides", options->decides,
                    "What decides who is first: one thing at a time otherwise. Names open dimensions, host, "
                    "dtype, by, and, with factors, bandwidth, host.flops or a figure of the machines; usual: "
                    "those that people ask about")
        ->excludes(over)
        ->type_name("NAME=VALUE,…");
    verb.add_flag("--thorough", options->thorough,
                  "Search mappings as long as pimc compile does, which takes far longer for crossbar chips");
    verb.footer(
        "Examples:\n"
        "  pimc which sample:bert-base\n"
        "  pimc which sample:resnet50 -t isaac --kind aim --kind dual-mode --by stream\n"
        "  pimc which sample:gpt3-13b-decode --no-hosts --predict --over 'past=128..2048;batch=1,8,64'\n"
        "  pimc which sample:bert-base --decides usual\n"
        "  pimc which sample:bert-base --decides 'seq=128,2048;host=a100;host.memoryBandwidth=0.25,4'\n"
        "  pimc which vit.onnx --data digits --least-accuracy 95\n"
        "  pimc which model.onnx --host a100 --json");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
