// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/predictor_option.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/compile/compiler.h"
#include "core/compile/op_query.h"
#include "core/graph/blocks.h"
#include "core/plan/command_facet.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

ordered_json workJson(const OpWork& work) {
    return {{"known", work.known},
            {"macs", work.macs},
            {"other_ops", work.otherOps},
            {"bytes_read", work.bytesRead},
            {"bytes_written", work.bytesWritten},
            {"weight_bytes", work.weightBytes},
            {"flop_per_byte", work.arithmeticIntensity()}};
}

ordered_json tensorJson(const Graph& graph, TensorId id) {
    if (!id.valid())
        return nullptr;
    const Tensor& tensor = graph.tensor(id);
    ordered_json shape;
    if (tensor.shape)
        shape = *tensor.shape;
    return {{"name", tensor.name},
            {"dtype", name(tensor.dtype)},
            {"shape", shape},
            {"constant", tensor.isConstant()}};
}

ordered_json tensorsJson(const Graph& graph, const std::vector<TensorId>& ids) {
    ordered_json tensors = ordered_json::array();
    for (const TensorId id : ids)
        tensors.push_back(tensorJson(graph, id));
    return tensors;
}

ordered_json opJson(const Graph& graph, const Op& op) {
    ordered_json sources = ordered_json::array();
    for (const NodeRef& node : op.sources)
        sources.push_back(node.name.empty() ? fmt::format("{}_{}", node.type, node.index) : node.name);
    ordered_json attributes = ordered_json::object();
    for (const auto& [key, value] : op.attributes)
        attributes[key] = attributeText(value);
    return {{"name", op.name},
            {"type", op.type},
            {"class", name(op.opClass)},
            {"inputs", tensorsJson(graph, op.inputs)},
            {"outputs", tensorsJson(graph, op.outputs)},
            {"attributes", attributes},
            {"work", workJson(op.work)},
            {"nodes", sources}};
}

std::string outputText(const Graph& graph, const Op& op) {
    const bool shaped = !op.outputs.empty() && op.outputs[0].valid() && graph.tensor(op.outputs[0]).shape;
    return shaped ? shapeText(*graph.tensor(op.outputs[0]).shape) : "?";
}

std::string macsText(const Op& op) {
    return op.work.known ? countText(static_cast<double>(op.work.macs)) : "unknown";
}

/// "fuse_gelu form=erf"
std::string withOptions(const PassRecord& pass) {
    std::string text = pass.name;
    for (const auto& [key, value] : pass.options)
        text += fmt::format(" {}={}", key, value);
    return text;
}

std::string toJson(const Graph& graph) {
    ordered_json bindings = ordered_json::array(), passes = ordered_json::array(),
                 problems = ordered_json::array(), ops = ordered_json::array();
    for (const DimBinding& binding : graph.bindings)
        bindings.push_back(
            {{"symbol", binding.symbol}, {"value", binding.value}, {"assumed", binding.assumed}});
    for (const PassRecord& pass : graph.passes) {
        passes.push_back({{"name", pass.name},
                          {"enabled", pass.enabled},
                          {"ops_before", pass.opsBefore},
                          {"ops_after", pass.opsAfter},
                          {"changes", pass.changes}});
        if (!pass.options.empty())
            passes.back()["options"] = pass.options;
    }
    for (const Diagnostic& problem : graph.problems)
        problems.push_back(
            {{"object", problem.object}, {"message", problem.message}, {"hint", problem.hint}});
    for (const Op& op : graph.ops)
        ops.push_back(opJson(graph, op));
    const ordered_json json{{"file", graph.source.path.string()},
                            {"name", graph.name},
                            {"producer", graph.source.producer},
                            {"description", graph.source.description},
                            {"metadata", graph.source.metadata},
                            {"ir_version", graph.source.irVersion},
                            {"opsets", graph.source.opsets},
                            {"structure_hash", graph.source.structureHash},
                            {"weight_bytes", graph.source.weightBytes},
                            {"missing_weights", graph.missingWeightTensors()},
                            {"inputs", tensorsJson(graph, graph.inputs)},
                            {"outputs", tensorsJson(graph, graph.outputs)},
                            {"bindings", bindings},
                            {"total", workJson(graph.totalWork())},
                            {"passes", passes},
                            {"problems", problems},
                            {"ops", ops}};
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

/// Inputs or outputs, one line for neighbours of the same type and shape (the caches of forty layers).
std::string endsText(const char* title, const Graph& graph, const std::vector<TensorId>& ids) {
    const auto kind = [&](TensorId id) {
        const Tensor& tensor = graph.tensor(id);
        return fmt::format("{} {}", name(tensor.dtype),
                           tensor.shape ? shapeText(*tensor.shape) : "rank unknown");
    };
    std::string text;
    for (std::size_t i = 0, end = 0; i < ids.size(); i = end) {
        for (end = i + 1; end < ids.size() && kind(ids[end]) == kind(ids[i]);)
            ++end;
        const std::string first = graph.tensor(ids[i]).name, last = graph.tensor(ids[end - 1]).name;
        text += end - i == 1
                    ? fmt::format("{} {} {}\n", title, first, kind(ids[i]))
                    : fmt::format("{} {} to {}, {} of {}\n", title, first, last, end - i, kind(ids[i]));
    }
    return text;
}

/// A text of several lines as one.
std::string inOneLine(const std::string& text) {
    std::string line;
    for (const char c : text) {
        const bool isBlank = c == '\n' || c == '\r' || c == '\t' || c == ' ';
        if (!isBlank)
            line += c;
        else if (!line.ends_with(' '))
            line += ' ';
    }
    return line;
}

/// "made by pytorch 1.13.1, IR version 8, operator set 13", and what its author added.
std::string originText(const ModelSource& source) {
    std::string text = source.producer.empty() ? "" : fmt::format("made by {}, ", source.producer);
    text += fmt::format("IR version {}", source.irVersion);
    for (const auto& [domain, version] : source.opsets)
        text += domain.empty() ? fmt::format(", operator set {}", version)
                               : fmt::format(", {} {}", domain, version);
    text += '\n';
    if (!source.description.empty())
        text += fmt::format("description {}\n", inOneLine(source.description));
    for (const auto& [key, value] : source.metadata)
        text += fmt::format("metadata {} = {}\n", inOneLine(key), inOneLine(value));
    return text;
}

ordered_json blocksJson(const Graph& graph) {
    const BlockTree tree = findBlocks(graph);
    ordered_json blocks = ordered_json::array();
    for (const Block& block : tree.blocks) {
        ordered_json ops = ordered_json::array();
        for (std::int32_t i = block.first; i < block.end(); ++i)
            ops.push_back(graph.op(tree.order[static_cast<std::size_t>(i)]).name);
        blocks.push_back({{"name", block.name},
                          {"parent", block.parent < 0 ? ordered_json() : ordered_json(block.parent)},
                          {"row", block.isRow},
                          {"pattern", block.isRow ? ordered_json() : ordered_json(block.pattern)},
                          {"ops", ops}});
    }
    return blocks;
}

std::string blocksText(const Graph& graph) {
    const BlockTree tree = findBlocks(graph);
    TextTable table({"block", ">ops", ">MACs", "first op"});
    for (std::size_t i = 0; i < tree.blocks.size(); ++i) {
        const Block& block = tree.blocks[i];
        double macs = 0;
        for (std::int32_t k = block.first; k < block.end(); ++k)
            macs += static_cast<double>(graph.op(tree.order[static_cast<std::size_t>(k)]).work.macs);
        table.add({std::string(2 * static_cast<std::size_t>(tree.depth(static_cast<std::int32_t>(i))), ' ') +
                       block.name,
                   std::to_string(block.count), countText(macs),
                   graph.op(tree.order[static_cast<std::size_t>(block.first)]).name});
    }
    return tree.blocks.empty() ? "no part of this network repeats\n" : table.text();
}

std::string toText(const Graph& graph, bool listOps) {
    const OpWork total = graph.totalWork();
    std::string text = fmt::format(
        "{}\n{} op{}, {} MACs, {} of weights{}, {:.2f} FLOP/B\n", graph.source.path.string(),
        graph.ops.size(), graph.ops.size() == 1 ? "" : "s", countText(static_cast<double>(total.macs)),
        bytesText(static_cast<double>(graph.source.weightBytes)),
        graph.missingWeightTensors() > 0 ? fmt::format(" ({} tensors absent)", graph.missingWeightTensors())
                                         : "",
        total.arithmeticIntensity());
    text += originText(graph.source);
    text += endsText("input", graph, graph.inputs) + endsText("output", graph, graph.outputs);
    for (const DimBinding& binding : graph.bindings)
        text += fmt::format("bound {} = {}{}\n", binding.symbol, binding.value,
                            binding.assumed ? " (assumed)" : "");

    if (listOps) {
        TextTable ops({"op", "type", "output", ">MACs", ">read", ">written", ">FLOP/B"});
        for (const Op& op : graph.ops) {
            ops.add({op.name, op.type, outputText(graph, op), macsText(op),
                     bytesText(static_cast<double>(op.work.bytesRead)),
                     bytesText(static_cast<double>(op.work.bytesWritten)),
                     fmt::format("{:.2f}", op.work.arithmeticIntensity())});
        }
        return text + "\n" + ops.text();
    }
    struct Sum {
        std::int64_t count = 0, macs = 0, weightBytes = 0;
    };
    std::map<std::string, Sum> byType;
    for (const Op& op : graph.ops) {
        Sum& sum = byType[op.type];
        ++sum.count;
        sum.macs += op.work.macs;
        sum.weightBytes += op.work.weightBytes;
    }
    TextTable types({"type", ">ops", ">MACs", ">weights"});
    for (const auto& [type, sum] : byType)
        types.add({type, std::to_string(sum.count), countText(static_cast<double>(sum.macs)),
                   bytesText(static_cast<double>(sum.weightBytes))});
    TextTable passes({"pass", ">ops before", ">after", ">changes"});
    for (const PassRecord& pass : graph.passes)
        passes.add({withOptions(pass), std::to_string(pass.opsBefore), std::to_string(pass.opsAfter),
                    pass.enabled ? std::to_string(pass.changes) : "off"});
    return text + "\n" + types.text() + "\n" + passes.text();
}

struct InspectArguments {
    ModelOptions model;
    TargetOptions target;
    PredictorOption predictor;
    bool ops = false, blocks = false;
    std::string op, tensor, find;
    std::vector<std::int64_t> element;
};

ordered_json placeJson(const OpPlaces& places, const PimPlace& place) {
    const int perStack = std::max(1, places.groupsPerStack);
    return {{"stack", place.group / perStack},
            {"channel", place.group % perStack},
            {"bank", place.bank},
            {"row", places.firstRow + place.row},
            {"column", place.column},
            {"lane", place.lane},
            {"text", placeText(places, place)}};
}

std::string tensorsText(const OpPlaces& places) {
    std::string text;
    for (const PlacedTensor& tensor : places.tensors)
        text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ", tensor.name, shapeText(tensor.shape),
                            tensor.graphName.empty() ? "of the kernel alone" : tensor.graphName);
    return text;
}

std::string rowsText(const OpPlaces& places, const std::string& target) {
    return fmt::format("{} on {}: rows {} to {} of every bank of {} channels\n{}\n", places.op, target,
                       places.firstRow, places.firstRow + places.rows - 1, places.groups,
                       tensorsText(places));
}

std::string rowsJson(const OpPlaces& places, const std::string& target) {
    ordered_json tensors = ordered_json::array();
    for (const PlacedTensor& tensor : places.tensors)
        tensors.push_back(
            {{"tensor", tensor.name}, {"graph_tensor", tensor.graphName}, {"shape", tensor.shape}});
    const ordered_json json{
        {"op", places.op},     {"target", target},          {"first_row", places.firstRow},
        {"rows", places.rows}, {"channels", places.groups}, {"tensors", tensors}};
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

/// By its name in the kernel or in the graph.
Result<std::size_t> findTensor(const OpPlaces& places, const std::string& wanted) {
    for (std::size_t t = 0; t < places.tensors.size(); ++t)
        if (places.tensors[t].name == wanted || places.tensors[t].graphName == wanted)
            return t;
    return fail(ErrorCode::NotFound, fmt::format("{} has no such operand on PIM", places.op), wanted,
                "there are: " + tensorsText(places));
}

/// \param onPim op to place there whatever it costs; invalid: none.
Result<std::shared_ptr<const Plan>> planFor(Session& session, const InspectArguments& options,
                                            std::shared_ptr<const Graph> graph, OpId onPim = {}) {
    PIM_TRY(const ModelArgument argument, findModel(options.model.model));
    PlanRequest request;
    request.graph = std::move(graph);
    PIM_TRY(request.target, options.target.find(session, argument.target));
    PIM_TRY(request.options, options.target.compileOptions(session.backends()));
    PIM_CHECK(options.predictor.apply(session, request.target, request.options));
    if (onPim.valid())
        request.overrides.set({request.graph->op(onPim).name, "placement", "pim"});
    return compile(session.backends(), request, nullptr, session.task());
}

/// Where one element of an operand lies, or, without one, what lies where.
Result<void> printPlaces(Session& session, const InspectArguments& options,
                         const std::shared_ptr<const Graph>& graph) {
    PIM_TRY(const OpId op, findOp(*graph, options.op));
    PIM_TRY(const auto plan, planFor(session, options, graph, op));
    PIM_TRY(const Backend* backend, session.backends().find(plan->target->backend));
    PIM_TRY(const CommandFacet* commands, commandsOf(*backend));
    PIM_TRY(const auto places, commands->places(*plan, op));
    if (options.tensor.empty())
        return session.print(session.json ? rowsJson(*places, plan->target->id)
                                          : rowsText(*places, plan->target->id));
    PIM_TRY(const std::size_t tensor, findTensor(*places, options.tensor));
    PIM_TRY(const std::int64_t element, elementOf(places->tensors[tensor].shape, options.element));
    const std::vector<PimPlace> found = places->of(static_cast<int>(tensor), element);
    const std::string what = fmt::format("{}[{}] of {}", places->tensors[tensor].name,
                                         fmt::join(options.element, "]["), places->op);
    if (session.json) {
        ordered_json list = ordered_json::array();
        for (const PimPlace& place : found)
            list.push_back(placeJson(*places, place));
        const ordered_json json{{"op", places->op},
                                {"target", plan->target->id},
                                {"tensor", places->tensors[tensor].name},
                                {"graph_tensor", places->tensors[tensor].graphName},
                                {"shape", places->tensors[tensor].shape},
                                {"element", options.element},
                                {"position", element},
                                {"places", list}};
        return session.print(json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    }
    std::string text = fmt::format("{}: {}\n", what,
                                   found.empty() ? "never in a bank, it goes through buffers and registers"
                                                 : fmt::format("{} {} in the banks", found.size(),
                                                               found.size() == 1 ? "copy" : "copies"));
    for (const PimPlace& place : found)
        text += "  " + placeText(*places, place) + "\n";
    return session.print(text);
}

/// Null where the plan, or the op, says nothing.
ordered_json foundJson(const OpFigureSource& source, OpId id) {
    ordered_json json = opJson(source.graph, source.graph.op(id));
    const auto figure = [&](const char* key, OpQuantity quantity) {
        const auto value = opFigure(source, quantity, id);
        json[key] = value ? ordered_json(value->value()) : ordered_json();
    };
    if (source.plan) {
        json["placement"] = name(source.plan->opPlan(id).placement);
        figure("time_ns", OpQuantity::Time);
        figure("bytes_moved", OpQuantity::BytesMoved);
        figure("rearrangement_share", OpQuantity::RearrangementShare);
    }
    if (source.simulation) {
        figure("energy_pj", OpQuantity::Energy);
        figure("predictor_error", OpQuantity::PredictorError);
    }
    return json;
}

std::string foundText(const OpFigureSource& source, const std::vector<OpId>& found) {
    const auto figure = [&](OpQuantity quantity, OpId id, std::string (*text)(double)) {
        const auto value = opFigure(source, quantity, id);
        return value ? text(value->value()) : "unknown";
    };
    std::vector<std::string> columns{"op", "type", "output", ">MACs"};
    if (source.plan)
        columns.insert(columns.end(), {"on", ">time"});
    if (source.simulation)
        columns.insert(columns.end(), {">energy", ">error"});
    TextTable table(columns);
    for (const OpId id : found) {
        const Op& op = source.graph.op(id);
        std::vector<std::string> row{op.name, op.type, outputText(source.graph, op), macsText(op)};
        if (source.plan)
            row.insert(row.end(),
                       {name(source.plan->opPlan(id).placement), figure(OpQuantity::Time, id, timeText)});
        if (source.simulation)
            row.insert(row.end(), {figure(OpQuantity::Energy, id, energyText),
                                   figure(OpQuantity::PredictorError, id, percentText)});
        table.add(std::move(row));
    }
    return fmt::format("{} of {} op{}\n{}", found.size(), source.graph.ops.size(),
                       source.graph.ops.size() == 1 ? "" : "s", found.empty() ? "" : "\n" + table.text());
}

/// The ops that the search line of the window would find. Plans, and simulates, only where the words ask for
/// it.
Result<void> printFound(Session& session, const InspectArguments& options,
                        const std::shared_ptr<const Graph>& graph) {
    PIM_TRY(const OpQuery query, OpQuery::parse(options.find));
    if (query.isEmpty())
        return fail(ErrorCode::Usage, "is empty", "--find", "write for instance type:Conv or on:pim");
    std::shared_ptr<const Plan> plan;
    std::shared_ptr<const Simulation> simulation;
    if (query.needsPlan() || !options.target.target.empty()) {
        PIM_TRY(plan, planFor(session, options, graph));
    }
    if (query.needsSimulation()) {
        PIM_TRY(const Backend* backend, session.backends().find(plan->target->backend));
        PIM_TRY(simulation, backend->simulate(*plan, session.task()));
    }
    const OpFigureSource source{*graph, plan.get(), simulation.get()};
    const BlockTree blocks = findBlocks(*graph);
    const std::vector<OpId> found = query.find(source, &blocks);
    if (!session.json)
        return session.print(foundText(source, found));
    ordered_json ops = ordered_json::array();
    for (const OpId id : found)
        ops.push_back(foundJson(source, id));
    const ordered_json json{{"find", options.find},
                            {"target", plan ? ordered_json(plan->target->id) : ordered_json()},
                            {"ops", ops}};
    return session.print(json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

} // namespace

Action inspectVerb(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<InspectArguments>();
    options->model.declare(verb);
    options->target.declare(verb, backends);
    options->predictor.declare(verb);
    verb.add_flag("--ops", options->ops, "List every op instead of sums by type");
    verb.add_flag("--blocks", options->blocks, "List the repeated parts, as the graph folds them");
    CLI::Option* const find =
        verb.add_option(
                "--find", options->find,
                "List the ops that match all words, as the search of the graph: names, types, KEY:VALUE")
            ->type_name("WORDS");
    CLI::Option* const op =
        verb.add_option("--op", options->op,
                        "Say which rows of the PIM banks this op's operands take on --target")
            ->type_name("NAME")
            ->excludes(find);
    CLI::Option* const tensor =
        verb.add_option("--tensor", options->tensor, "And where an element of this operand lies")
            ->type_name("NAME")
            ->needs(op);
    verb.add_option("--element", options->element, "Which element: an index for each dimension")
        ->type_name("I,J,...")
        ->delimiter(',')
        ->needs(tensor);
    verb.footer("Examples:\n"
                "  pimc inspect resnet50.onnx\n"
                "  pimc inspect sample:gpt3-13b-decode --bind batch=4,past=512 --ops\n"
                "  pimc inspect sample:bert-base --blocks\n"
                "  pimc inspect sample:resnet50 --find \"type:Conv attr:kernel_shape=3 macs:>100M\"\n"
                "  pimc inspect sample:tiny-gpt --target attacc --find \"on:pim cost:>1us\"\n"
                "  pimc inspect model.onnx --no-pass fuse_attention --json\n"
                "  pimc inspect sample:tiny-gpt --target attacc --op head/Gemm --tensor W --element 3,5");
    return [options, find](Session& session) -> Result<void> {
        PIM_TRY(const auto graph, options->model.load(session));
        if (!options->op.empty())
            return printPlaces(session, *options, graph);
        if (find->count() > 0)
            return printFound(session, *options, graph);
        if (options->blocks)
            return session.print(session.json ? blocksJson(*graph).dump(2) + "\n" : blocksText(*graph));
        return session.print(session.json ? toJson(*graph) : toText(*graph, options->ops));
    };
}

} // namespace pim::cli
