// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/override_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace pim {
namespace {

/// Then all are checked on their own, which takes one more plan however many there are.
constexpr int kBlamedOneByOne = 8;
constexpr std::string_view kResidency = "residency/";

std::string tensorShape(const Graph& graph, TensorId id) {
    if (!id.valid())
        return "-";
    const auto& shape = graph.tensor(id).shape;
    return shape ? shapeText(*shape) : "?";
}

std::string shapesOf(const Graph& graph, const Op& op) {
    std::string text;
    for (const TensorId input : op.inputs)
        text += (text.empty() ? "" : ", ") + tensorShape(graph, input);
    text += " -> ";
    for (std::size_t i = 0; i < op.outputs.size(); ++i)
        text += (i ? ", " : "") + tensorShape(graph, op.outputs[i]);
    return text;
}

std::string outputOf(const Graph& graph, const Op& op) {
    return op.outputs.empty() || !op.outputs.front().valid() ? std::string()
                                                             : graph.tensor(op.outputs.front()).name;
}

/// A graph looked up by everything a mark holds.
class OpFinder {
public:
    explicit OpFinder(const Graph& graph) : m_graph(graph) {
        for (std::size_t i = 0; i < graph.ops.size(); ++i) {
            const Op& op = graph.ops[i];
            m_byName.emplace(op.name, i);
            m_alike[op.type + ' ' + shapesOf(graph, op)].push_back(i);
            if (std::string output = outputOf(graph, op); !output.empty())
                m_byOutput.emplace(std::move(output), i);
        }
    }

    const Op* named(const std::string& name) const {
        const auto at = m_byName.find(name);
        return at == m_byName.end() ? nullptr : &m_graph.ops[at->second];
    }

    OpMark mark(const Op& op) const {
        OpMark mark{op.type, shapesOf(m_graph, op), &op - m_graph.ops.data(), 0, 0,
                    {},      outputOf(m_graph, op)};
        const auto& alike = m_alike.at(op.type + ' ' + mark.shapes);
        mark.nth = std::ranges::find(alike, static_cast<std::size_t>(mark.position)) - alike.begin();
        mark.alike = std::ssize(alike);
        for (const TensorId input : op.inputs)
            mark.inputs.push_back(input.valid() ? m_graph.tensor(input).name : std::string());
        return mark;
    }

    /// The op behind a mark whose name is gone, with the reason to think so; else null with the reason why
    /// not.
    std::pair<const Op*, std::string> find(const OpMark& mark) const {
        // The tensor it makes has a name of its own, which outlives a renamed op: better evidence than a
        // place.
        if (const auto at = m_byOutput.find(mark.output);
            at != m_byOutput.end() && m_graph.ops[at->second].type == mark.type)
            return {&m_graph.ops[at->second], fmt::format("it makes the same tensor \"{}\"", mark.output)};
        const auto alike = m_alike.find(mark.type + ' ' + mark.shapes);
        if (alike == m_alike.end())
            return {nullptr, fmt::format("nothing in it is a {} {}", mark.type, mark.shapes)};
        const auto& ops = alike->second;
        if (std::ssize(ops) == mark.alike)
            return {&m_graph.ops[ops[static_cast<std::size_t>(mark.nth)]],
                    mark.alike == 1
                        ? fmt::format("the only {} {}", mark.type, mark.shapes)
                        : fmt::format("number {} of {} alike, as before", mark.nth + 1, mark.alike)};
        if (std::ranges::find(ops, static_cast<std::size_t>(mark.position)) != ops.end())
            return {&m_graph.ops[static_cast<std::size_t>(mark.position)],
                    fmt::format("of the same type, shapes and position {}", mark.position + 1)};
        return {nullptr, fmt::format("{} ops are alike now and {} were, so it cannot be told which one it is",
                                     ops.size(), mark.alike)};
    }

private:
    const Graph& m_graph;
    std::unordered_map<std::string, std::size_t> m_byName, m_byOutput;
    std::unordered_map<std::string, std::vector<std::size_t>> m_alike; ///< By type and shapes.
};

/// The operand of a "residency/TENSOR" may be called otherwise too: then the one at the same place is meant.
std::string fieldOn(const Graph& graph, const Op& op, const OpMark& mark, const std::string& field) {
    if (!field.starts_with(kResidency))
        return field;
    const std::string tensor = field.substr(kResidency.size());
    const auto called = [&](TensorId id) { return id.valid() && graph.tensor(id).name == tensor; };
    const auto at = std::ranges::find(mark.inputs, tensor) - mark.inputs.begin();
    if (std::ranges::any_of(op.inputs, called) || at >= std::ssize(op.inputs) ||
        !op.inputs[static_cast<std::size_t>(at)].valid())
        return field;
    return std::string(kResidency) + graph.tensor(op.inputs[static_cast<std::size_t>(at)]).name;
}

FittedDecision fitOne(const Graph& graph, const OpFinder& finder, const Override& decision,
                      const OpMarks& marks) {
    FittedDecision fitted{decision, decision, Fit::Applied, {}};
    if (decision.op.empty())
        return fitted;
    const Op* const named = finder.named(decision.op);
    const auto mark = marks.find(decision.op);
    if (mark == marks.end()) {
        if (!named) {
            fitted.fit = Fit::Stale;
            fitted.reason = fmt::format("the model has no op \"{}\"", decision.op);
        }
        return fitted;
    }
    if (named && named->type == mark->second.type) {
        fitted.inForce.field = fieldOn(graph, *named, mark->second, decision.field);
        if (fitted.inForce.field != decision.field) {
            fitted.fit = Fit::Moved;
            fitted.reason = fmt::format("the tensor is now called \"{}\"",
                                        fitted.inForce.field.substr(kResidency.size()));
        }
        return fitted;
    }
    const auto [op, why] = finder.find(mark->second);
    if (!op) {
        fitted.fit = Fit::Stale;
        fitted.reason = named ? fmt::format("\"{}\" is a {} now and was a {}; {}", decision.op, named->type,
                                            mark->second.type, why)
                              : fmt::format("the model has no op \"{}\" any more; {}", decision.op, why);
        return fitted;
    }
    fitted.fit = Fit::Moved;
    fitted.inForce.op = op->name;
    fitted.inForce.field = fieldOn(graph, *op, mark->second, decision.field);
    fitted.reason = fmt::format("the op is now called \"{}\": {}", op->name, why);
    return fitted;
}

/// Is this decision what an Error::IllegalOverride complains about? Backends name op and field, or op and
/// what they read.
bool isBlamed(const Override& decision, const Error& error) {
    const std::string op = decision.op.empty() ? "network" : decision.op;
    return error.where == op + '/' + decision.field ||
           (error.where == decision.op && error.message.starts_with(decision.field + " = "));
}

void makeStale(FittedDecision& fitted, const Error& error) {
    fitted.fit = Fit::Stale;
    fitted.reason = error.message + (error.hint.empty() ? "" : " (" + error.hint + ")");
}

/// Marks as stale whatever the plan without decisions does not allow by itself. \returns whether there is
/// any.
Result<bool> checkEach(const BackendList& backends, PlanRequest request, OverrideFit& fit, PlanCache* cache,
                       const TaskContext& task) {
    request.overrides = {};
    PIM_TRY(const auto base, compile(backends, request, cache, task));
    PIM_TRY(const Backend* const backend, backends.find(request.target->backend));
    bool any = false;
    for (FittedDecision& fitted : fit.decisions)
        if (fitted.fit != Fit::Stale && !isOfSystem(fitted.inForce))
            if (const auto legal = backend->checkOverride(*base, fitted.inForce); !legal) {
                makeStale(fitted, legal.error());
                any = true;
            }
    return any;
}

} // namespace

std::string_view name(Fit fit) {
    switch (fit) {
    case Fit::Applied:
        return "applied";
    case Fit::Moved:
        return "moved";
    case Fit::Stale:
        break;
    }
    return "stale";
}

OpMarks marksOf(const Graph& graph, const Overrides& decisions, const OpMarks& known) {
    OpMarks marks;
    std::optional<OpFinder> finder;
    for (const Override& decision : decisions.all()) {
        if (decision.op.empty() || marks.contains(decision.op))
            continue;
        if (const auto old = known.find(decision.op); old != known.end()) {
            marks.insert(*old);
            continue;
        }
        if (!finder)
            finder.emplace(graph);
        if (const Op* op = finder->named(decision.op))
            marks.emplace(decision.op, finder->mark(*op));
    }
    return marks;
}

Overrides OverrideFit::inForce() const {
    Overrides overrides;
    for (const FittedDecision& fitted : decisions)
        if (fitted.fit != Fit::Stale)
            overrides.set(fitted.inForce);
    return decisionsForOneMachine(overrides);
}

Overrides OverrideFit::ofSystem(std::string_view system) const {
    Overrides overrides;
    for (const FittedDecision& fitted : decisions)
        if (fitted.fit != Fit::Stale)
            overrides.set(fitted.inForce);
    return decisionsOfSystem(overrides, system);
}

Overrides decisionsForOneMachine(const Overrides& all) {
    Overrides own;
    for (const Override& decision : all.all())
        if (!isOfSystem(decision))
            own.set(decision);
    return own;
}

Overrides decisionsOfSystem(const Overrides& all, std::string_view system) {
    Overrides own;
    for (const Override& decision : all.all())
        if (isOfSystem(decision) && std::string_view(decision.field).substr(kDeviceField.size()) == system)
            own.set(decision);
    return own;
}

std::int64_t OverrideFit::count(Fit fit) const {
    return std::ranges::count(decisions, fit, &FittedDecision::fit);
}

const FittedDecision* OverrideFit::find(const std::string& op, const std::string& field) const {
    const auto at = std::ranges::find_if(decisions, [&](const FittedDecision& fitted) {
        return fitted.fit != Fit::Stale && fitted.inForce.op == op && fitted.inForce.field == field;
    });
    return at == decisions.end() ? nullptr : &*at;
}

OverrideFit fitToGraph(const Graph& graph, const MarkedOverrides& decisions) {
    OverrideFit fit;
    if (decisions.overrides.empty())
        return fit;
    const OpFinder finder(graph);
    std::map<std::pair<std::string, std::string>, std::string>
        taken; // op and field now: op it was decided for
    for (const Override& decision : decisions.overrides.all()) {
        const FittedDecision& fitted =
            fit.decisions.emplace_back(fitOne(graph, finder, decision, decisions.marks));
        if (fitted.fit == Fit::Applied)
            taken[{fitted.inForce.op, fitted.inForce.field}] = decision.op;
    }
    for (FittedDecision& fitted :
         fit.decisions) // what was decided for the op itself goes before what moved there
        if (fitted.fit == Fit::Moved) {
            const auto [at, isFree] =
                taken.emplace(std::pair(fitted.inForce.op, fitted.inForce.field), fitted.decision.op);
            if (!isFree) {
                fitted.fit = Fit::Stale;
                fitted.reason +=
                    fmt::format(", but there is a decision of \"{}\" for it already", at->second);
            }
        }
    return fit;
}

Result<FittedPlan> compileFitting(const BackendList& backends, PlanRequest request,
                                  const MarkedOverrides& decisions, PlanCache* cache,
                                  const TaskContext& task) {
    FittedPlan fitted{nullptr, fitToGraph(*request.graph, decisions)};
    bool wereChecked = false;
    for (int blamed = 0;;) {
        request.overrides = fitted.fit.inForce();
        auto plan = compile(backends, request, cache, task);
        if (plan) {
            fitted.plan = std::move(*plan);
            return fitted;
        }
        if (plan.error().code != ErrorCode::IllegalOverride || request.overrides.empty())
            return tl::unexpected<Error>(std::move(plan).error());
        const auto guilty = std::ranges::find_if(fitted.fit.decisions, [&](const FittedDecision& each) {
            return each.fit != Fit::Stale && !isOfSystem(each.inForce) &&
                   isBlamed(each.inForce, plan.error());
        });
        if (guilty != fitted.fit.decisions.end() && (wereChecked || blamed++ < kBlamedOneByOne)) {
            makeStale(*guilty, plan.error());
            continue;
        }
        if (!std::exchange(wereChecked, true)) {
            PIM_TRY(const bool any, checkEach(backends, request, fitted.fit, cache, task));
            if (any)
                continue;
        }
        // Each is fine by itself, together they are not, and nobody can say which one is to go.
        for (FittedDecision& each : fitted.fit.decisions)
            if (each.fit != Fit::Stale && !isOfSystem(each.inForce)) {
                makeStale(each, plan.error());
                each.reason = "your decisions contradict each other: " + each.reason;
            }
    }
}

} // namespace pim
