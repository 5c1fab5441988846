// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/exploration_output.h"
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/verbs.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace pim::cli {
namespace {

struct Options {
    ModelOptions model;
    TargetOptions target;
    ExplorationOutput output;
    std::string op;
};

/// By exact name, else by the only name that contains the text.
Result<OpId> findOp(const Graph& graph, const std::string& text) {
    if (const OpId exact = graph.findOp(text); exact.valid())
        return exact;
    std::vector<std::string> matches;
    OpId found;
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        if (graph.ops[i].name.find(text) != std::string::npos) {
            found = OpId(static_cast<std::int64_t>(i));
            matches.push_back(graph.ops[i].name);
        }
    if (matches.size() == 1)
        return found;
    if (matches.empty())
        return fail(ErrorCode::NotFound, "the model has no such op", text,
                    "`pimc inspect MODEL --ops` lists them");
    constexpr std::size_t kShown = 8;
    const bool more = matches.size() > kShown;
    const std::size_t all = matches.size();
    matches.resize(std::min(matches.size(), kShown));
    return fail(ErrorCode::NotFound, fmt::format("{} ops have this in their name", all), text,
                fmt::format("name one of: {}{}", fmt::join(matches, ", "), more ? ", …" : ""));
}

Result<void> run(Session& session, const Options& options) {
    PIM_TRY(const ModelArgument argument, findModel(options.model.model));
    PlanRequest request;
    PIM_TRY(request.target, options.target.find(session, argument.target));
    PIM_TRY(const Backend* backend, backendFor(session, *request.target));
    PIM_TRY(request.options, options.target.compileOptions());
    PIM_TRY(request.options.tiling, options.output.tilingOptions());
    PIM_TRY(request.graph, options.model.load(session));
    PIM_TRY(const OpId op, findOp(*request.graph, options.op));
    PIM_TRY(const auto exploration, backend->explore(request, op, session.task()));
    return options.output.print(session, *exploration, request.graph->op(op).name);
}

} // namespace

Action exploreVerb(CLI::App& verb) {
    auto options = std::make_shared<Options>();
    options->model.declare(verb);
    options->target.declare(verb);
    options->output.declare(verb);
    verb.add_option("--op", options->op, "Op to explore: its name, or a part of it no other op has")
        ->required()
        ->type_name("NAME");
    verb.footer("Examples:\n"
                "  pimc explore sample:gpt3-13b-decode --op /layers.0/mlp/fc1/MatMul\n"
                "  pimc explore model.onnx --op Conv_12 --target hbm-pim --csv > drafts.csv\n"
                "  pimc explore model.onnx --op Gemm_3 --target attacc --rules 1,2 --rejected --json");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
