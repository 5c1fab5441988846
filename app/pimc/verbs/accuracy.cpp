// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// How often a network is right on real samples: as it is, with its products as look-up tables, and in the numbers of a machine.
#include "core/compile/accuracy.h"
#include "app/pimc/json_document.h"
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/predictor_option.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/compile/compiler.h"
#include "core/compile/which.h"
#include "core/lut/network/evaluation.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {
namespace {

struct AccuracyArguments {
    ModelOptions model;
    TargetOptions target;
    PredictorOption predictor;
    NumberChoices numbers;
    std::string data, conversion, checkpoint, out;
    bool int8 = false;
    std::vector<std::string> rules;
    std::int64_t samples = 0;
};

/// The network in the numbers of a machine, and what a request costs there.
struct OnMachine {
    std::string target, numbers;
    std::int64_t same = 0; ///< Samples with the answer of the network as it is.
    std::int64_t batch = 0;
    double ns = 0;
    bool simulated = false;
    std::optional<double> energyPj;
};

struct Accuracy {
    std::int64_t samples = 0;
    double dense = 0;
    std::optional<double> converted;
    double meanLogitError = 0;
    std::optional<lut::Conversion> conversion;
    lut::LayerUses uses; ///< Of the test samples.
    std::optional<OnMachine> machine;
};

Result<std::optional<lut::ConversionOptions>> conversionOf(const AccuracyArguments& arguments) {
    if (arguments.conversion.empty()) {
        if (!arguments.rules.empty())
            return fail(ErrorCode::Usage, "there is no conversion to have layers of its own", "--lut-layer",
                        "give --lut as well");
        if (!arguments.out.empty() || !arguments.checkpoint.empty())
            return fail(ErrorCode::Usage, "there is no conversion to be written",
                        arguments.out.empty() ? "--checkpoint" : "--out", "give --lut as well");
        return std::optional<lut::ConversionOptions>();
    }
    PIM_TRY(lut::ConversionOptions options, lut::parseConversion(arguments.conversion));
    for (const std::string& rule : arguments.rules)
        PIM_CHECK(lut::addLayerRule(options, rule));
    options.checkpoint = arguments.checkpoint;
    if (!options.checkpoint.empty() && options.method != lut::LutMethod::Elut)
        return fail(ErrorCode::Usage, fmt::format("method={} has no training to keep", name(options.method)),
                    "--checkpoint", "take method=elut, or leave it out");
    return std::optional(std::move(options));
}

Result<Accuracy> onMachine(Session& session, const AccuracyArguments& arguments, const lut::DataSet& set,
                           const lut::Samples& test, const lut::Classifier& classifier,
                           const lut::Logits& dense) {
    PlanRequest request;
    PIM_TRY(request.target, arguments.target.find(session));
    PIM_TRY(const Backend* const backend, session.backends().find(request.target->backend));
    PIM_TRY(const NumberFacet* const facet, numbersOf(*backend, request.target->id));
    NumberOptions numbers;
    PIM_TRY(numbers.own, arguments.numbers.read(*backend));
    PIM_TRY(request.options, arguments.target.compileOptions(session.backends()));
    PIM_CHECK(arguments.predictor.apply(session, request.target, request.options));
    ModelOptions model = arguments.model;
    model.bindings = classifier.bindings();
    PIM_TRY(request.graph, model.load(session));
    PIM_TRY(const lut::Samples calibration, lut::readSamples(set, "calib", false));
    PIM_TRY(const auto plan, compile(session.backends(), request, nullptr, session.task()));
    session.say(plan->problems);
    PIM_TRY(const MachineAnswers answers,
            answersOn(*facet, *plan, std::move(numbers), {set, test, calibration}, session.task()));
    for (const std::string& note : answers.notes)
        session.say("note: " + note);
    OnMachine machine{request.target->id, answers.numbers, lut::sameAnswers(dense, answers.logits)};
    machine.batch = request.graph->tensor(request.graph->inputs[0]).shape->front();
    PIM_TRY(const RequestPrice price, requestPrice(*backend, *plan, true, session.task()));
    machine.ns = price.ns;
    machine.simulated = price.origin == Origin::Simulated;
    if (!price.energy.budget.empty())
        machine.energyPj = price.energy.budget.total() / measure::kPicojoule;
    return Accuracy{test.count(),
                    dense.accuracy(test.labels),
                    answers.logits.accuracy(test.labels),
                    lut::meanDistance(dense, answers.logits),
                    {},
                    {},
                    machine};
}

Result<Accuracy> measure(Session& session, const AccuracyArguments& arguments) {
    if (arguments.target.target.empty() && !arguments.numbers.given.empty())
        return fail(ErrorCode::Usage, "there is no machine that it could be about",
                    "--" + arguments.numbers.given.front().first, "give --target as well");
    PIM_TRY(const auto options, conversionOf(arguments));
    PIM_TRY(const ModelArgument model, findModel(arguments.model.model));
    PIM_TRY(const lut::DataSet set, lut::openDataSet(arguments.data));
    PIM_TRY(lut::Samples test, lut::readSamples(set, "test"));
    if (arguments.samples > 0)
        test = test.first(arguments.samples);
    PIM_TRY(const auto classifier, lut::Classifier::open(model.path, set, test, session.task()));
    session.say(classifier.problems());
    if (options) {
        PIM_TRY(lut::Evaluation all,
                lut::evaluate(classifier, set, test, {*options, 0, {}, {}}, session.task()));
        for (const std::string& note : all.conversion.notes)
            session.say("note: " + note);
        if (!arguments.out.empty())
            PIM_CHECK(all.conversion.save(arguments.out));
        return Accuracy{
            all.samples,         all.dense, all.converted, all.meanLogitError, std::move(all.conversion),
            std::move(all.uses), {}};
    }
    PIM_TRY(const auto dense, logitsOf(classifier, test, {}, 0, session.task()));
    if (!arguments.target.target.empty())
        return onMachine(session, arguments, set, test, classifier, dense);
    Accuracy found{test.count(), dense.accuracy(test.labels), {}, 0, {}, {}, {}};
    if (!arguments.int8)
        return found;
    PIM_TRY(const lut::Samples calibration, lut::readSamples(set, "calib", false));
    PIM_TRY(const auto fused, lut::Classifier::open(model.path, set, test, session.task(), true));
    auto logits = quantizedLogitsOf(fused, test, calibration, 0, session.task());
    if (!logits && logits.error().code == ErrorCode::Unsupported) {
        session.say("note: attention is computed op by op: " + logits.error().text());
        logits = quantizedLogitsOf(classifier, test, calibration, 0, session.task());
    }
    if (!logits)
        return tl::unexpected<Error>(logits.error());
    found.converted = logits->accuracy(test.labels);
    found.meanLogitError = lut::meanDistance(dense, *logits);
    return found;
}

std::string text(const Accuracy& found) {
    std::string text =
        fmt::format("{} samples, {:.2f} % right as the network is", found.samples, 100 * found.dense);
    if (!found.converted)
        return text + "\n";
    if (const auto& machine = found.machine) {
        text +=
            fmt::format("\n{:.2f} % on {}: {}\n{} of {} answers as the network is; logits {:.4f} apart on "
                        "average\n",
                        100 * *found.converted, machine->target, machine->numbers, machine->same,
                        found.samples, found.meanLogitError);
        text += fmt::format("{} {} a request of {}", timeText(machine->ns),
                            machine->simulated ? "simulated for" : "predicted for",
                            machine->batch == 1 ? "one sample" : fmt::format("{} samples", machine->batch));
        return text + (machine->energyPj ? fmt::format(", {}\n", energyText(*machine->energyPj))
                                         : ", energy unknown\n");
    }
    if (!found.conversion)
        return text + fmt::format("\n{:.2f} % in 8 bit with exact sums; logits {:.4f} apart on average\n",
                                  100 * *found.converted, found.meanLogitError);
    text += fmt::format("\n{:.2f} % with {} layers as look-up tables ({}); logits {:.4f} apart on average\n"
                        "calibration took {:.2f} s of processor time\n",
                        100 * *found.converted, found.conversion->layers.size(),
                        name(found.conversion->options.method), found.meanLogitError,
                        found.conversion->calibrationCpuSeconds);
    for (const lut::CalibrationStep& step : found.conversion->curve)
        text += fmt::format("  step {:>6}  loss {:.5f}  {:.2f} % as the unconverted network says\n",
                            step.step, step.loss, 100 * step.agreement);
    TextTable layers({"layer", ">V", ">CT", ">codebooks", ">features", ">error", ">centroids unused"});
    for (const auto& [op, use] : found.uses) {
        const lut::LutLayer& layer = found.conversion->layers.at(op);
        layers.add({op, fmt::format("{}", layer.books.length), fmt::format("{}", layer.books.centroids),
                    fmt::format("{}", layer.books.codebooks), fmt::format("{}", layer.table.features),
                    fmt::format("{:.1f} %", 100 * use.relativeError()), fmt::format("{}", use.unused())});
    }
    return text + "\n" + layers.text() +
           "error: root mean square of what its sums miss of the product with the same inputs, relative to "
           "that\n";
}

nlohmann::json document(const Accuracy& found) {
    nlohmann::json document = {{"samples", found.samples},
                               {"accuracy", found.converted.value_or(found.dense)},
                               {"accuracy_dense", found.dense},
                               {"mean_abs_logit_error", found.meanLogitError},
                               {"calibration_cpu_s", 0.0}};
    if (const auto& machine = found.machine)
        document["machine"] = {
            {"target", machine->target},
            {"numbers", machine->numbers},
            {"same_answers", machine->same},
            {"batch", machine->batch},
            {"ns", machine->ns},
            {"time", machine->simulated ? "simulated" : "predicted"},
            {"energy_pj", machine->energyPj ? nlohmann::json(*machine->energyPj) : nlohmann::json()}};
    if (!found.conversion)
        return document;
    document["calibration_cpu_s"] = found.conversion->calibrationCpuSeconds;
    document["method"] = name(found.conversion->options.method);
    auto& layers = document["layers"] = nlohmann::json::array();
    for (const auto& [op, layer] : found.conversion->layers)
        layers.push_back({{"op", op},
                          {"codebooks", layer.books.codebooks},
                          {"centroids", layer.books.centroids},
                          {"length", layer.books.length},
                          {"features", layer.table.features},
                          {"relative_error", found.uses.at(op).relativeError()},
                          {"unused_centroids", found.uses.at(op).unused()}});
    auto& curve = document["curve"] = nlohmann::json::array();
    for (const lut::CalibrationStep& step : found.conversion->curve)
        curve.push_back({{"step", step.step}, {"loss", step.loss}, {"agreement", step.agreement}});
    return document;
}

Result<void> run(Session& session, const AccuracyArguments& arguments) {
    PIM_TRY(const Accuracy found, measure(session, arguments));
    return session.print(session.json ? jsonDocument(document(found)) : text(found));
}

/// From the table that reads them, so that none is forgotten.
std::string conversionHelp() {
    std::string help = "Convert products to look-up tables";
    for (const OptionInfo& info : lut::conversionTable().infos())
        help += fmt::format("{} {}={} ({}; {})", help.ends_with(')') ? "," : ":", info.key, info.values,
                            info.meaning, lut::conversionTable().value({}, info.key));
    return help;
}

} // namespace

Action accuracyVerb(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<AccuracyArguments>();
    options->model.declare(verb);
    verb.add_option(
            "--data", options->data,
            "Folder with test_x.npy, test_y.npy, for look-up tables also calib_x.npy; model.json may say how "
            "samples become inputs")
        ->required()
        ->type_name("FOLDER");
    CLI::Option* const int8 = verb.add_flag(
        "--int8", options->int8,
        "In 8 bit with exact sums, as dual-mode chips and DPUs compute the network; also reads calib_x.npy");
    verb.add_option("--lut", options->conversion, conversionHelp())
        ->type_name("KEY=VALUE,...")
        ->excludes(int8);
    options->target.declare(verb, backends);
    options->predictor.declare(verb);
    CLI::Option* const target = verb.get_option("--target");
    target->excludes(int8)->excludes(verb.get_option("--lut"));
    target->description(
        "Compile for this machine and run the samples through its programs; ranges come from calib_x.npy");
    options->numbers.declare(verb, backends, {"samples", "in-flight", "engine"});
    verb.add_option("--samples", options->samples, "Only so many of the test samples; 0: all")
        ->capture_default_str()
        ->check(CLI::Range(std::int64_t(0), std::int64_t(1) << 40))
        ->type_name("N");
    verb.add_option("--lut-layer", options->rules,
                    "Other sub-vectors and centroids for layers with this in their names, or off; repeatable")
        ->type_name("TEXT:v=..,ct=..|TEXT:off");
    verb.add_option("--checkpoint", options->checkpoint,
                    "Training keeps its state here and goes on from it: after a kill the result is the same")
        ->type_name("FILE");
    verb.add_option("--out", options->out,
                    "Write centroids and tables of all layers there, as layers.json and .npy files")
        ->type_name("FOLDER");
    verb.footer("Examples:\n"
                "  pimc accuracy vit.onnx --data digits\n"
                "  pimc accuracy vit.onnx --data digits --int8\n"
                "  pimc accuracy vit.onnx --data digits --target isaac --adc-bits 6 --variation 0.02\n"
                "  pimc accuracy vit.onnx --data digits --target upmem-8 --dtype i8 --pass "
                "look_up_tables:from=tables\n"
                "  pimc accuracy vit.onnx --data digits --lut v=4,ct=16,method=refit,int8=column\n"
                "  pimc accuracy vit.onnx --data digits --lut v=8,method=elut --lut-layer qkv:v=2 --json");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
