// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/base/number_text.h"
#include "core/graph/exporter_ops.h"
#include "core/graph/graph_builder.h"
#include "core/graph/imported_model.h"
#include "core/graph/passes/passes.h"
#include "core/graph/passes/rewriter.h"
#include "core/graph/semantics/op_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pim {

namespace {

/// A tensor has a producer or a value, not both. Values of produced tensors served shape inference.
void dropProducedValues(Graph& graph) {
    for (Tensor& tensor : graph.tensors)
        if (tensor.producer.valid()) {
            tensor.constant = nullptr;
            tensor.derived = nullptr;
            tensor.data.reset();
        }
}

void noteProblems(Graph& graph, std::int64_t opset) {
    struct Group {
        int count = 0;
        std::string first;
    };
    std::map<std::string, Group> unknown, subgraphs;
    Group shapeless;
    for (const Op& op : graph.ops) {
        const std::string type = op.domain.empty() ? op.type : op.domain + "::" + op.type;
        const bool hasSubgraph = std::any_of(op.attributes.begin(), op.attributes.end(), [](const auto& a) {
            return std::holds_alternative<AttributeGraph>(a.second);
        });
        const bool isKnown = findOpFact(op.domain, op.type) || knownToLibonnx(op.domain, op.type, opset);
        if (hasSubgraph || !isKnown) {
            Group& group = (hasSubgraph ? subgraphs : unknown)[type];
            group.first = group.count++ ? group.first : op.name;
        }
        for (const TensorId id : op.outputs)
            if (id.valid() && !graph.tensor(id).shape && !hasSubgraph && isKnown) {
                shapeless.first = shapeless.count++ ? shapeless.first : op.name;
                break;
            }
    }
    const auto times = [](const Group& group) {
        return group.count == 1 ? std::string() : fmt::format(" ({} times)", group.count);
    };
    for (const auto& [type, group] : unknown)
        graph.problems.push_back(
            {Severity::Warning, group.first,
             fmt::format("the operator {} is not known{}{}: it runs on the host at unknown cost", type,
                         std::ranges::count(exporterOps(), type) > 0 ? " in this form" : "", times(group)),
             ""});
    for (const auto& [type, group] : subgraphs)
        graph.problems.push_back(
            {Severity::Warning, group.first,
             fmt::format("{} has a body that is decided at run time{}: it runs on the host at unknown cost",
                         type, times(group)),
             ""});
    if (shapeless.count > 0)
        graph.problems.push_back(
            {Severity::Warning, shapeless.first,
             fmt::format(
                 "the output shapes of {} operator{} depend on data or on operators without a known shape",
                 shapeless.count, shapeless.count == 1 ? "" : "s"),
             ""});
    std::map<std::filesystem::path, std::pair<int, std::int64_t>> missing;
    for (const Tensor& tensor : graph.tensors)
        if (tensor.data && !tensor.data->present) {
            auto& [count, bytes] = missing[tensor.data->file];
            ++count;
            bytes += tensor.bytes().value_or(0);
        }
    for (const auto& [file, what] : missing)
        graph.problems.push_back(
            {Severity::Warning, file.filename().string(),
             fmt::format("the values of {} weight tensor{} ({}) are not there: "
                         "placement and timing work, numeric checks take random ones",
                         what.first, what.first == 1 ? "" : "s", bytesText(static_cast<double>(what.second))),
             "put the weights file beside the model and open it again"});
}

/// Everything placement and timing depend on, and nothing else: no names, no weights.
std::string hashOf(const Graph& graph) {
    Sha256 hash;
    std::string text = "pim graph 1\n";
    const auto ids = [&](const std::vector<TensorId>& list) {
        for (const TensorId id : list)
            text += fmt::format(" {}", id.value);
        text += '\n';
    };
    const auto flush = [&] {
        hash.add(text);
        text.clear();
    };
    for (const Op& op : graph.ops) {
        // Lengths in front: no name can pretend to be another line.
        text += fmt::format("op {}:{} {}:{}\n", op.domain.size(), op.domain, op.type.size(), op.type);
        for (const auto& [key, value] : op.attributes) {
            const std::string shown = attributeText(value);
            text += fmt::format("{}:{} {} {}:{}\n", key.size(), key, value.index(), shown.size(), shown);
        }
        ids(op.inputs);
        ids(op.outputs);
        flush();
    }
    for (const Tensor& tensor : graph.tensors) {
        text += fmt::format("tensor {} {} {}{}{}\n", name(tensor.dtype),
                            tensor.shape ? shapeText(*tensor.shape) : "?", tensor.isInput ? 'i' : '-',
                            tensor.isOutput ? 'o' : '-', tensor.isConstant() ? 'c' : '-');
        if (tensor.packedBits > 0)
            text += fmt::format("packed {}\n", tensor.packedBits);
        flush();
        const bool isIndex =
            tensor.dtype == DataType::I64 || tensor.dtype == DataType::I32 || tensor.dtype == DataType::Bool;
        if (tensor.constant && isIndex)
            hash.add(std::span(*tensor.constant));
    }
    ids(graph.inputs);
    ids(graph.outputs);
    flush();
    return hash.hex();
}

std::int64_t weightBytesOf(const file::RawGraph& graph) {
    std::int64_t total = 0;
    const auto add = [&](std::int64_t bytes) {
        if (__builtin_add_overflow(total, bytes, &total))
            total = std::numeric_limits<std::int64_t>::max();
    };
    const auto bytesIn =
        [](const file::RawTensor& tensor) { // checked against overflow when the file was read
            return storedBytes(tensor.dtype(), elementCount(tensor.dims).value_or(0));
        };
    for (const auto& tensor : graph.initializers)
        add(bytesIn(tensor));
    for (const auto& node : graph.nodes)
        for (const auto& attribute : node.attributes) {
            if (attribute.tensor && node.type == "Constant" && isRealType(attribute.tensor->dtype()))
                add(bytesIn(*attribute.tensor));
            for (const auto& subgraph : attribute.graphs)
                add(weightBytesOf(*subgraph));
        }
    return total;
}

} // namespace

Result<std::shared_ptr<const Graph>> buildGraph(const ImportedModel& model, const GraphOptions& options,
                                                const TaskContext& task) {
    PIM_CHECK(checkPasses(allPasses(), options));
    PIM_TRY(Graph graph, instantiate(model.raw, options, task));
    PIM_CHECK(runPasses(graph, allPasses(), options, task));
    dropProducedValues(graph);
    for (Op& op : graph.ops)
        op.work = workOf(graph, op);
    const auto opset = model.raw.opsets.find("");
    noteProblems(graph, opset == model.raw.opsets.end() ? 1 : opset->second);

    ModelSource& source = graph.source;
    source.path = model.raw.path;
    source.fileBytes = model.raw.fileBytes;
    source.producer = model.raw.producer;
    source.description = model.raw.description;
    source.metadata = model.raw.metadata;
    source.irVersion = model.raw.irVersion;
    source.opsets = model.raw.opsets;
    source.weightBytes = weightBytesOf(model.raw.graph);
    source.structureHash = hashOf(graph);
    return std::make_shared<const Graph>(std::move(graph));
}

} // namespace pim
