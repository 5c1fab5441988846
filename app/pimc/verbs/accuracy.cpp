// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// How often a network is right on real samples: as it is, and with its products as look-up tables.
#include "app/pimc/json_document.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/text_table.h"
#include "core/lut/network/evaluation.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {
namespace {

struct AccuracyArguments {
    std::string model, data, conversion, checkpoint, out;
    bool int8 = false;
    std::vector<std::string> rules;
    int threads = 0;
};

struct Accuracy {
    std::int64_t samples = 0;
    double dense = 0;
    std::optional<double> converted;
    double meanLogitError = 0;
    std::optional<lut::Conversion> conversion;
    lut::LayerUses uses; ///< Of the test samples.
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
    options.threads = arguments.threads;
    options.checkpoint = arguments.checkpoint;
    if (!options.checkpoint.empty() && options.method != lut::LutMethod::Elut)
        return fail(ErrorCode::Usage, fmt::format("method={} has no training to keep", name(options.method)),
                    "--checkpoint", "take method=elut, or leave it out");
    return std::optional(std::move(options));
}

Result<Accuracy> measure(Session& session, const AccuracyArguments& arguments) {
    PIM_TRY(const auto options, conversionOf(arguments));
    PIM_TRY(const ModelArgument model, findModel(arguments.model));
    PIM_TRY(const lut::DataSet set, lut::openDataSet(arguments.data));
    PIM_TRY(const lut::Samples test, lut::readSamples(set, "test"));
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
            all.samples,        all.dense, all.converted, all.meanLogitError, std::move(all.conversion),
            std::move(all.uses)};
    }
    PIM_TRY(const auto dense, logitsOf(classifier, test, {}, arguments.threads, session.task()));
    Accuracy found{test.count(), dense.accuracy(test.labels), {}, 0, {}, {}};
    if (!arguments.int8)
        return found;
    PIM_TRY(const lut::Samples calibration, lut::readSamples(set, "calib", false));
    PIM_TRY(const auto fused, lut::Classifier::open(model.path, set, test, session.task(), true));
    auto logits = quantizedLogitsOf(fused, test, calibration, arguments.threads, session.task());
    if (!logits && logits.error().code == ErrorCode::Unsupported) {
        session.say("note: attention is computed op by op: " + logits.error().text());
        logits = quantizedLogitsOf(classifier, test, calibration, arguments.threads, session.task());
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

Action accuracyVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<AccuracyArguments>();
    verb.add_option("model", options->model, "ONNX file of a classifier")->required();
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
    verb.add_option("--lut-layer", options->rules,
                    "Other sub-vectors and centroids for layers with this in their names, or off; repeatable")
        ->type_name("TEXT:v=..,ct=..|TEXT:off");
    verb.add_option("--checkpoint", options->checkpoint,
                    "Training keeps its state here and goes on from it: after a kill the result is the same")
        ->type_name("FILE");
    verb.add_option("--out", options->out,
                    "Write centroids and tables of all layers there, as layers.json and .npy files")
        ->type_name("FOLDER");
    verb.add_option("--threads", options->threads, "0: as many as the machine has")
        ->capture_default_str()
        ->check(CLI::Range(0, 1024));
    verb.footer("Examples:\n"
                "  pimc accuracy vit.onnx --data digits\n"
                "  pimc accuracy vit.onnx --data digits --int8\n"
                "  pimc accuracy vit.onnx --data digits --lut v=4,ct=16,method=refit,int8=column\n"
                "  pimc accuracy vit.onnx --data digits --lut v=8,method=elut --lut-layer qkv:v=2 --json");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
