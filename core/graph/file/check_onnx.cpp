// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/file/check_onnx.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace pim::file {

namespace {

/// Newest operator set whose shape rules libonnx 1.12 knows.
constexpr std::int64_t kNewestOpset = 23; ///< Its forms are tested: resources/help/models.md

constexpr int kNoNode = -1;

/// Names a subgraph uses and does not define itself.
std::vector<std::string> outerNames(const RawGraph& graph) {
    std::unordered_set<std::string_view> own;
    for (const auto& value : graph.inputs)
        own.insert(value.name);
    for (const auto& tensor : graph.initializers)
        own.insert(tensor.name);
    for (const auto& node : graph.nodes)
        own.insert(node.outputs.begin(), node.outputs.end());
    std::vector<std::string> outer;
    const auto add = [&](const std::string& name) {
        if (!name.empty() && !own.contains(name))
            outer.push_back(name);
    };
    for (const auto& node : graph.nodes) {
        std::for_each(node.inputs.begin(), node.inputs.end(), add);
        std::for_each(node.captures.begin(), node.captures.end(), add);
    }
    for (const auto& output : graph.outputs)
        add(output.name);
    return outer;
}

class Checker {
public:
    Checker(RawModel& model, const TaskContext& task) : m_model(model), m_task(task) {}

    Result<void> run() {
        noteOpset();
        PIM_CHECK(checkGraph(m_model.graph, nullptr));
        for (auto& function : m_model.functions) {
            m_function = function.name;
            for (const auto& input : function.inputs)
                function.body.inputs.push_back(RawValue{input, DataType::Unknown, false, {}});
            for (const auto& output : function.outputs)
                function.body.outputs.push_back(RawValue{output, DataType::Unknown, false, {}});
            PIM_CHECK(checkGraph(function.body, nullptr));
        }
        return checkCalls();
    }

private:
    /// Names visible in a graph; each maps to the node that makes it, or kNoNode for inputs and initializers.
    struct Scope {
        const Scope* outer = nullptr;
        std::unordered_map<std::string_view, int> producers;
    };

    tl::unexpected<Error> invalid(const RawNode* node, std::string message,
                                  std::string hint = "export the model again") const {
        std::string where = m_model.path.string();
        if (!m_function.empty())
            where += ": function \"" + m_function + "\"";
        if (node)
            where += fmt::format(": node \"{}\" ({})", node->label(), node->type);
        return fail(ErrorCode::InvalidModel, std::move(message), std::move(where), std::move(hint));
    }

    void noteOpset() {
        auto& opsets = m_model.opsets;
        const auto note = [&](std::string message, std::string hint) {
            m_model.problems.push_back({Severity::Note, "model", std::move(message), std::move(hint)});
        };
        if (!opsets.contains("")) {
            note(fmt::format("the file names no ONNX operator set; {} is assumed", kNewestOpset), "");
            opsets[""] = kNewestOpset;
        } else if (opsets[""] > kNewestOpset) {
            note(fmt::format("operator set {} is newer than {}, the newest tested; operators whose meaning "
                             "changed since may get no shape",
                             opsets[""], kNewestOpset),
                 fmt::format("export with opset_version={} if shapes are missing", kNewestOpset));
        } else if (opsets[""] < 7) {
            note(fmt::format("operator set {} is older than 7; its broadcasting rules differ", opsets[""]),
                 "convert the model to operator set 13 or newer if shapes are missing");
        }
    }

    Result<void> checkGraph(RawGraph& graph, const Scope* outer);
    Result<void> sortNodes(RawGraph& graph, const std::vector<std::vector<int>>& users,
                           std::vector<int> waiting);
    Result<void> checkCalls() const;

    RawModel& m_model;
    const TaskContext& m_task;
    std::string m_function;
};

Result<void> Checker::checkGraph(RawGraph& graph, const Scope* outer) {
    Scope scope{outer, {}};
    const auto shown = [](std::string_view name) { return fmt::format("\"{}\"", name); };
    std::unordered_set<std::string_view> initializers;
    for (const auto& tensor : graph.initializers) {
        if (!initializers.insert(tensor.name).second)
            return invalid(nullptr, "two initializers are named " + shown(tensor.name));
        scope.producers[tensor.name] = kNoNode;
    }
    std::unordered_set<std::string_view> inputs;
    for (const auto& input : graph.inputs) {
        if (!inputs.insert(input.name).second)
            return invalid(nullptr, "two graph inputs are named " + shown(input.name));
        scope.producers[input.name] = kNoNode; // an initializer of the same name is its default
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        for (const auto& output : graph.nodes[i].outputs) {
            if (output.empty())
                continue;
            const auto [it, isNew] = scope.producers.try_emplace(output, static_cast<int>(i));
            if (!isNew)
                return invalid(&graph.nodes[i],
                               it->second == kNoNode
                                   ? "its output " + shown(output) + " is already an input or initializer"
                                   : fmt::format("its output {} is already made by node \"{}\"",
                                                 shown(output),
                                                 graph.nodes[static_cast<std::size_t>(it->second)].label()));
        }

    std::vector<std::vector<int>> users(graph.nodes.size());
    std::vector<int> waiting(graph.nodes.size(), 0);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        RawNode& node = graph.nodes[i];
        if (m_task.cancelled())
            return TaskContext::cancelledError("opening the model");
        node.captures.clear();
        for (auto& attribute : node.attributes)
            for (auto& subgraph : attribute.graphs) {
                PIM_CHECK(checkGraph(*subgraph, &scope));
                const auto names = outerNames(*subgraph);
                node.captures.insert(node.captures.end(), names.begin(), names.end());
            }
        std::sort(node.captures.begin(), node.captures.end());
        node.captures.erase(std::unique(node.captures.begin(), node.captures.end()), node.captures.end());

        const auto use = [&](const std::string& name, bool captured) -> Result<void> {
            if (name.empty())
                return {};
            if (const auto it = scope.producers.find(name); it != scope.producers.end()) {
                if (it->second != kNoNode) {
                    users[static_cast<std::size_t>(it->second)].push_back(static_cast<int>(i));
                    ++waiting[i];
                }
                return {};
            }
            for (const Scope* s = outer; s; s = s->outer)
                if (s->producers.contains(name))
                    return {};
            return invalid(&node, fmt::format("its {} {} is made by no node, input or initializer",
                                              captured ? "subgraph's input" : "input", shown(name)));
        };
        for (const auto& input : node.inputs)
            PIM_CHECK(use(input, false));
        for (const auto& capture : node.captures)
            PIM_CHECK(use(capture, true));
    }
    for (const auto& output : graph.outputs) {
        bool found = false;
        for (const Scope* s = &scope; s && !found; s = s->outer)
            found = s->producers.contains(output.name);
        if (!found)
            return invalid(nullptr, "the graph output " + shown(output.name) + " is made by no node");
    }
    return sortNodes(graph, users, std::move(waiting));
}

/// Kahn's algorithm, smallest file position first: a file already in order stays as it is.
Result<void> Checker::sortNodes(RawGraph& graph, const std::vector<std::vector<int>>& users,
                                std::vector<int> waiting) {
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (std::size_t i = 0; i < waiting.size(); ++i)
        if (waiting[i] == 0)
            ready.push(static_cast<int>(i));
    std::vector<RawNode> sorted;
    sorted.reserve(graph.nodes.size());
    std::vector<int> order;
    while (!ready.empty()) {
        const int next = ready.top();
        ready.pop();
        order.push_back(next);
        for (const int user : users[static_cast<std::size_t>(next)])
            if (--waiting[static_cast<std::size_t>(user)] == 0)
                ready.push(user);
    }
    if (order.size() < graph.nodes.size()) {
        const auto stuck = std::find_if(waiting.begin(), waiting.end(), [](int w) { return w > 0; });
        const auto left = graph.nodes.size() - order.size();
        return invalid(&graph.nodes[static_cast<std::size_t>(stuck - waiting.begin())],
                       fmt::format("the graph has a cycle: {} node{} on it or behind it, this one first",
                                   left, left == 1 ? " is" : "s are"));
    }
    if (std::is_sorted(order.begin(), order.end()))
        return {};
    for (const int i : order)
        sorted.push_back(std::move(graph.nodes[static_cast<std::size_t>(i)]));
    graph.nodes = std::move(sorted);
    return {};
}

/// Functions that call each other in a circle would never end.
Result<void> Checker::checkCalls() const {
    const auto& functions = m_model.functions;
    std::map<std::pair<std::string, std::string>, std::size_t> byName;
    for (std::size_t i = 0; i < functions.size(); ++i)
        if (!byName.emplace(std::pair(functions[i].domain, functions[i].name), i).second)
            return invalid(nullptr, fmt::format("two functions are named \"{}\"", functions[i].name));
    std::vector<std::set<std::size_t>> callers(functions.size());
    std::vector<int> waiting(functions.size(), 0);
    const auto visit = [&](auto&& self, const RawGraph& body, std::size_t caller) -> void {
        for (const auto& node : body.nodes) {
            if (const auto it = byName.find({node.domain, node.type}); it != byName.end())
                if (callers[it->second].insert(caller).second)
                    ++waiting[caller];
            for (const auto& attribute : node.attributes)
                for (const auto& subgraph : attribute.graphs)
                    self(self, *subgraph, caller);
        }
    };
    for (std::size_t i = 0; i < functions.size(); ++i)
        visit(visit, functions[i].body, i);
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < functions.size(); ++i)
        if (waiting[i] == 0)
            ready.push_back(i);
    for (std::size_t k = 0; k < ready.size(); ++k)
        for (const std::size_t caller : callers[ready[k]])
            if (--waiting[caller] == 0)
                ready.push_back(caller);
    if (ready.size() == functions.size())
        return {};
    const auto stuck = std::find_if(waiting.begin(), waiting.end(), [](int w) { return w > 0; });
    return invalid(nullptr, fmt::format("the function \"{}\" calls itself",
                                        functions[static_cast<std::size_t>(stuck - waiting.begin())].name));
}

} // namespace

Result<void> checkModel(RawModel& model, const TaskContext& task) {
    return Checker(model, task).run();
}

} // namespace pim::file
