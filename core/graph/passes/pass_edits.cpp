// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/passes/pass_edits.h"

#include "core/graph/graph_builder.h"
#include "core/graph/imported_model.h"
#include "core/graph/passes/passes.h"
#include "core/graph/passes/rewriter.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace pim {
namespace {

/// An op as it was at one moment, without ids, which the passes renumber.
struct OpShot {
    OpLine line;
    std::string attributes;
    std::vector<std::string> inputs, outputs; ///< Names of tensors.
    std::vector<std::string> sources;         ///< Nodes of the file, "index:name".

    bool sameAs(const OpShot& other) const { return line == other.line && attributes == other.attributes; }
};

std::vector<OpShot> shotsOf(const Graph& graph) {
    std::vector<OpShot> shots;
    shots.reserve(graph.ops.size());
    for (const Op& op : graph.ops) {
        OpShot& shot = shots.emplace_back();
        shot.line = {op.name, opText(graph, op)};
        for (const auto& [key, value] : op.attributes)
            shot.attributes += fmt::format("{}={};", key, attributeText(value));
        for (const TensorId id : op.inputs)
            if (id.valid())
                shot.inputs.push_back(graph.tensor(id).name);
        for (const TensorId id : op.outputs)
            if (id.valid())
                shot.outputs.push_back(graph.tensor(id).name);
        for (const NodeRef& node : op.sources)
            shot.sources.push_back(fmt::format("{}:{}", node.index, node.name));
    }
    return shots;
}

/// Ops that changed, before and after, joined where they share a node of the file or a tensor that is gone.
class Regions {
public:
    Regions(std::vector<const OpShot*> before, std::vector<const OpShot*> after)
        : m_before(std::move(before)), m_after(std::move(after)), m_parent(m_before.size() + m_after.size()) {
        std::iota(m_parent.begin(), m_parent.end(), std::size_t(0));
        std::unordered_map<std::string, std::size_t> node, producer;
        for (std::size_t i = 0; i < m_before.size(); ++i) {
            for (const std::string& source : m_before[i]->sources)
                join(i, node.emplace(source, i).first->second);
            for (const std::string& tensor : m_before[i]->outputs)
                producer.emplace(tensor, i);
        }
        for (std::size_t i = 0; i < m_after.size(); ++i)
            for (const std::string& source : m_after[i]->sources)
                join(m_before.size() + i, node.emplace(source, m_before.size() + i).first->second);
        for (std::size_t i = 0; i < m_before.size(); ++i)
            for (const std::string& tensor : m_before[i]->inputs)
                if (const auto found = producer.find(tensor); found != producer.end())
                    join(i, found->second);
    }

    std::vector<PassEdit> edits() {
        std::vector<PassEdit> made;
        std::unordered_map<std::size_t, std::size_t> numbers;
        const auto editOf = [&](std::size_t member) -> PassEdit& {
            const auto [found, isNew] = numbers.emplace(rootOf(member), made.size());
            return isNew ? made.emplace_back() : made[found->second];
        };
        for (std::size_t i = 0; i < m_before.size(); ++i)
            editOf(i).before.push_back(m_before[i]->line);
        for (std::size_t i = 0; i < m_after.size(); ++i)
            editOf(m_before.size() + i).after.push_back(m_after[i]->line);
        return made;
    }

private:
    std::size_t rootOf(std::size_t member) {
        while (m_parent[member] != member)
            member = m_parent[member] = m_parent[m_parent[member]];
        return member;
    }
    void join(std::size_t a, std::size_t b) { m_parent[rootOf(a)] = rootOf(b); }

    std::vector<const OpShot*> m_before, m_after;
    std::vector<std::size_t> m_parent;
};

std::vector<PassEdit> editsBetween(const std::vector<OpShot>& before, const std::vector<OpShot>& after) {
    std::unordered_map<std::string_view, const OpShot*> old, made;
    for (const OpShot& shot : before)
        old.emplace(shot.line.op, &shot);
    for (const OpShot& shot : after)
        made.emplace(shot.line.op, &shot);
    const auto changed = [](const std::vector<OpShot>& ops, const auto& others) {
        std::vector<const OpShot*> found;
        for (const OpShot& shot : ops)
            if (const auto same = others.find(shot.line.op);
                same == others.end() || !shot.sameAs(*same->second))
                found.push_back(&shot);
        return found;
    };
    return Regions(changed(before, made), changed(after, old)).edits();
}

std::string operandText(const Graph& graph, TensorId id) {
    if (!id.valid())
        return "-";
    const Tensor& tensor = graph.tensor(id);
    return tensor.name +
           (tensor.dtype == DataType::Unknown ? std::string() : " " + std::string(name(tensor.dtype))) +
           (tensor.shape ? shapeText(*tensor.shape) : std::string());
}

std::string operandsText(const Graph& graph, const std::vector<TensorId>& ids) {
    std::string text;
    for (const TensorId id : ids)
        text += (text.empty() ? "" : ", ") + operandText(graph, id);
    return text;
}

} // namespace

std::string opText(const Graph& graph, const Op& op) {
    return fmt::format("{} = {}({})", operandsText(graph, op.outputs), op.type,
                       operandsText(graph, op.inputs));
}

Result<std::vector<PassEdit>> passEdits(const ImportedModel& model, const GraphOptions& options,
                                        std::string_view pass, const TaskContext& task) {
    const auto passes = allPasses();
    if (std::none_of(passes.begin(), passes.end(), [&](const Pass& each) { return each.name == pass; }))
        return fail(ErrorCode::Usage, fmt::format("there is no pass \"{}\"", pass));
    if (options.disabledPasses.contains(std::string(pass)))
        return std::vector<PassEdit>();
    PIM_CHECK(checkPasses(passes, options));
    PIM_TRY(Graph graph, instantiate(model.raw, options, task));
    relink(graph);
    for (const Pass& each : passes) {
        if (task.cancelled())
            return TaskContext::cancelledError("comparing the pass");
        if (each.name == pass) {
            const std::vector<OpShot> before = shotsOf(graph);
            PIM_CHECK(runPass(graph, each, options));
            return editsBetween(before, shotsOf(graph));
        }
        if (!options.disabledPasses.contains(std::string(each.name)))
            PIM_CHECK(runPass(graph, each, options));
    }
    return std::vector<PassEdit>();
}

} // namespace pim
