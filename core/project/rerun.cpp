// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/rerun.h"

#include "core/base/number_text.h"
#include "core/base/version.h"
#include "core/compile/compiler.h"
#include "core/graph/import.h"
#include "core/predict/shipped.h"

#include <fmt/format.h>

#include <unordered_map>

namespace pim {
namespace {

/// Compares value by value and keeps what differs.
class Comparison {
public:
    explicit Comparison(Rerun& result) : m_result(result) {}

    void number(const std::string& what, double stored, double now) {
        ++m_result.numbers;
        if (stored != now)
            m_result.differences.push_back({what, exact(stored), exact(now)});
    }
    void count(const std::string& what, std::int64_t stored, std::int64_t now) {
        ++m_result.numbers;
        if (stored != now)
            m_result.differences.push_back({what, exactText(stored), exactText(now)});
    }
    void text(const std::string& what, const std::string& stored, const std::string& now) {
        if (stored != now)
            m_result.differences.push_back(
                {what, stored.empty() ? "none" : stored, now.empty() ? "none" : now});
    }

private:
    /// All digits: two times that look alike when rounded are the ones that matter here.
    static std::string exact(double ns) { return fmt::format("{} ns", ns); }
    Rerun& m_result;
};

void compareOp(Comparison& compare, const RunOp& stored, const OpPlan& now, const Op& op) {
    const std::string what = "op " + op.name + ", ";
    compare.text(what + "placement", stored.placement, name(now.placement));
    compare.text(what + "draft", stored.draft,
                 !now.onHost() && now.space && now.draft ? now.space->draftText(*now.draft) : std::string());
    for (const CostPartInfo& part : kCostSplitParts)
        compare.number(what + std::string(part.label), stored.cost.*part.ns, now.cost.*part.ns);
    compare.number(what + "time on the host", stored.hostOnlyNs, now.hostKnown ? now.hostNs : 0);
    compare.count(what + "MACs", stored.macs, op.work.macs);
    compare.count(what + "bytes moved", stored.bytes, op.work.bytesRead + op.work.bytesWritten);
    compare.count(what + "drafts enumerated", stored.draftsEnumerated, now.draftsEnumerated);
    compare.count(what + "drafts kept", stored.draftsKept, now.draftsKept);
}

void compareOps(Comparison& compare, const std::vector<RunOp>& stored, const Plan& plan) {
    std::unordered_map<std::string_view, const RunOp*> byName;
    for (const RunOp& op : stored)
        byName.emplace(op.name, &op);
    for (const OpPlan& planned : plan.ops) {
        const Op& op = plan.graph->op(planned.op);
        const auto found = byName.find(op.name);
        if (found == byName.end()) {
            compare.text("op " + op.name, "", "in the graph");
            continue;
        }
        compareOp(compare, *found->second, planned, op);
        byName.erase(found);
    }
    for (const RunOp& op : stored) // in their order, not in that of the table
        if (byName.contains(op.name))
            compare.text("op " + op.name, "in the graph", "");
}

} // namespace

std::string Rerun::summary() const {
    if (identical())
        return fmt::format("identical: {} numbers are the same to the last bit", exactText(numbers));
    std::string text =
        fmt::format("{} of {} numbers and decisions differ",
                    exactText(static_cast<std::int64_t>(differences.size())), exactText(numbers));
    for (const std::string& reason : reasons)
        text += "; " + reason;
    return text;
}

Result<Rerun> rerun(const Project& project, std::int64_t run, const BackendList& backends,
                    const TaskContext& task) {
    PIM_TRY(const RunInfo info, project.run(run));
    PIM_TRY(const auto ops, project.runOps(run));
    PIM_TRY(const RunRecipe recipe, project.recipe(run));
    PIM_CHECK(recipe.requireOneMachine());
    PIM_TRY(const auto graph, loadGraph(recipe.modelPath, recipe.graph, task));
    if (task.cancelled())
        return TaskContext::cancelledError("repeating the run");
    Rerun result;
    CompileOptions options = recipe.options;
    PIM_CHECK(restorePredictor(options, {&recipe.target, 1}));
    PIM_TRY(result.plan, compile(backends, {graph, recipe.target, recipe.overrides, options}, nullptr, task));

    Comparison compare(result);
    compare.number("total time", info.totalNs, result.plan->total.totalNs());
    compare.number("time on the host alone", info.hostOnlyNs, result.plan->hostOnlyNs);
    compare.number("loading resident data", info.residentLoadNs, result.plan->residentLoadNs);
    compare.text("overrides", info.overridesJson, result.plan->overrides.json());
    compareOps(compare, ops, *result.plan);
    if (result.identical())
        return result;
    const bool modelChanged = graph->source.structureHash != recipe.modelHash;
    if (modelChanged)
        result.reasons.push_back(fmt::format("the model {} has changed since the run was made",
                                             recipe.modelPath.filename().string()));
    if (info.toolVersion != PIM_VERSION)
        result.reasons.push_back(
            fmt::format("the run was made by version {}, this is {}", info.toolVersion, PIM_VERSION));
    if (result.reasons.empty())
        result.reasons.push_back(fmt::format(
            "model, target, decisions and version ({}) are the same: the program itself was changed between",
            PIM_VERSION));
    return result;
}

} // namespace pim
