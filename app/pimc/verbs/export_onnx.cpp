// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The user's model with the plan as its metadata, for Netron and whoever reads ONNX.
#include "app/pimc/json_document.h"
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/override_option.h"
#include "app/pimc/verbs/predictor_option.h"
#include "app/pimc/verbs/verbs.h"
#include "core/report/placed_model.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim::cli {
namespace {

struct ExportOnnxArguments {
    ModelOptions model;
    TargetOptions target;
    PredictorOption predictor;
    OverrideOption decisions;
    std::string output;
};

/// Weights in files of their own are looked for beside the model.
void tellWeights(Session& session, const Graph& graph, const std::filesystem::path& output) {
    const auto external = std::ranges::find_if(graph.tensors, [&](const Tensor& tensor) {
        return tensor.data && tensor.data->file != graph.source.path;
    });
    std::error_code ignored;
    if (external != graph.tensors.end() &&
        !std::filesystem::equivalent(std::filesystem::absolute(graph.source.path).parent_path(),
                                     std::filesystem::absolute(output).parent_path(), ignored))
        session.say(fmt::format("note: weights stay in {}; put it beside {} for programs that need them",
                                external->data->file.string(), output.string()));
}

Result<void> exportOnnx(Session& session, const ExportOnnxArguments& options) {
    PIM_TRY(const ModelArgument argument, findModel(options.model.model));
    PlanRequest request;
    PIM_TRY(request.target, options.target.find(session, argument.target));
    PIM_TRY(request.options, options.target.compileOptions(session.backends()));
    PIM_CHECK(options.predictor.apply(session, request.target, request.options));
    PIM_TRY(request.graph, options.model.load(session));
    PIM_TRY(const auto plan, options.decisions.plan(session, request));
    const ModelMetadata metadata = placedModel(*plan);
    PIM_CHECK(writeWithMetadata(argument.path, metadata, options.output, session.task()));
    tellWeights(session, *plan->graph, options.output);

    const auto nodes = std::ranges::count_if(metadata.nodes, [](const auto& each) { return !each.empty(); });
    if (session.json)
        return session.print(jsonDocument(nlohmann::ordered_json{{"file", options.output},
                                                                 {"target", plan->target->id},
                                                                 {"nodes", nodes},
                                                                 {"ops", plan->ops.size()},
                                                                 {"total_ns", plan->total.totalNs()}}));
    return session.print(
        fmt::format("{}: {} nodes with their placement on {}\n", options.output, nodes, plan->target->id));
}

} // namespace

Action exportOnnxVerb(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<ExportOnnxArguments>();
    options->model.declare(verb);
    options->target.declare(verb, backends);
    options->predictor.declare(verb);
    verb.add_option("-o,--output", options->output, "File that is written")->required()->type_name("FILE");
    options->decisions.declare(verb);
    verb.footer("The model stays as it is; placement, time, share, draft and reason are metadata of its "
                "nodes, and the help "
                "lists them under\nExchange. Weights stay where they are.\n"
                "Example:\n"
                "  pimc export-onnx model.onnx --target hbm-pim --output placed.onnx && netron placed.onnx");
    return [options](Session& session) { return exportOnnx(session, *options); };
}

} // namespace pim::cli
