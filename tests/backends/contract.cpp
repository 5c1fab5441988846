// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/backends/contract.h"

#include "core/compile/compiler.h"
#include "core/graph/unsized.h"
#include "core/numeric/real_run.h"
#include "core/plan/draft_facet.h"
#include "core/plan/number_facet.h"
#include "core/report/bundle.h"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <set>

namespace pim::test {
namespace {

// Statements of their own: no else may follow.
#define PROMISE(condition, what)                                                                             \
    if (!(condition))                                                                                        \
    return QStringLiteral(what " [" #condition "]")
#define SUCCEEDS(result, what)                                                                               \
    if (!(result))                                                                                           \
    return QStringLiteral(what ": %1").arg(QString::fromStdString((result).error().text()))

bool near(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

/// Every op is decided, with a reason, and the parts are the total.
QString wholePlan(const Plan& plan) {
    PROMISE(plan.ops.size() == plan.graph->ops.size(), "one decision for each op");
    double total = 0, host = 0;
    for (const OpPlan& op : plan.ops) {
        PROMISE(!op.reason.empty(), "every op has a reason");
        PROMISE(!op.onHost() || !op.pimVerdict.empty() || op.pimCost, "what is on the host says why");
        total += op.cost.totalNs();
        host += op.hostNs;
    }
    PROMISE(near(total, plan.total.totalNs()), "ops add up to the total");
    PROMISE(near(host, plan.hostOnlyNs), "ops on the host add up");
    PROMISE(std::isfinite(total) && total > 0, "a network takes time");
    return {};
}

/// What is listed as legal is what checkOverride() lets pass; what is refused says why.
QString verdicts(const Backend& backend, const Plan& plan, OpId op) {
    const std::string name = op.valid() ? plan.graph->op(op).name : std::string();
    std::set<std::string> fields;
    for (const OverrideField& field : backend.overrideFields(plan, op)) {
        PROMISE(fields.insert(field.field).second, "a field is offered once");
        PROMISE(!field.label.empty(), "a field has a label");
        for (const LegalValue& value : field.values) {
            PROMISE(value.legal || !value.reason.empty(), "a refusal has a reason");
            if (value.value == field.current)
                continue;
            const bool passes = backend.checkOverride(plan, {name, field.field, value.value}).has_value();
            PROMISE(passes == value.legal, "the list and the check agree");
        }
    }
    PROMISE(!backend.checkOverride(plan, {name, "no such field", "1"}), "unknown fields are refused");
    return {};
}

QString options(const BackendList& backends, const Backend& backend, const PlanRequest& request) {
    if (!backend.options())
        return {};
    std::set<std::string_view> keys;
    for (const OptionInfo& info : backend.options()->infos()) {
        PROMISE(keys.insert(info.key).second, "an option is listed once");
        PROMISE(!info.values.empty() && !info.meaning.empty(), "an option has values and a meaning");
        OptionTexts texts;
        PROMISE(!backend.options()->set(texts, info.key, ""), "no option is empty");
    }
    PlanRequest unknown = request;
    unknown.options.family[std::string(backend.id())]["no such option"] = "1";
    const auto refused = compile(backends, unknown);
    PROMISE(!refused && refused.error().code == ErrorCode::Usage, "unknown options are refused");
    return {};
}

QString code(const Backend& backend, const Plan& plan) {
    const auto files = backend.lower(plan, OpId(), {});
    SUCCEEDS(files, "programs are written");
    std::set<std::string> names;
    std::set<OpId> coded;
    for (const CodeFile& file : *files) {
        PROMISE(names.insert(file.name).second, "programs have names of their own");
        PROMISE(!file.text.empty() && !file.summary.empty(), "programs have text and summary");
        coded.insert(file.ops.begin(), file.ops.end());
    }
    for (const OpPlan& op : plan.ops)
        PROMISE(op.onHost() || coded.contains(op.op), "every op on PIM has a program");
    return {};
}

QString facets(const Backend& backend, const PlanRequest& request, const Plan& plan) {
    if (!backend.drafts()) {
        const auto drafts = draftsOf(backend, "x");
        PROMISE(!drafts && drafts.error().code == ErrorCode::Unsupported, "no drafts is an answer");
        PROMISE(!backend.insteadOfDrafts().lookAt.empty(), "it says where to look instead");
    }
    const auto simulated = backend.simulate(plan, {});
    PROMISE(simulated || simulated.error().code == ErrorCode::Unsupported, "no simulator is an answer");
    PROMISE(!simulated || ((*simulated)->totalNs > 0 && !(*simulated)->summary.empty()),
            "a simulation has a result");
    std::stop_source stop;
    stop.request_stop();
    const auto cancelled = backend.plan(request, nullptr, {stop.get_token(), {}});
    PROMISE(cancelled || cancelled.error().code == ErrorCode::Cancelled, "a plan can be cancelled");
    return {};
}

QString numbers(const Backend& backend, const Plan& plan) {
    if (!backend.numbers())
        return {};
    const auto report = backend.numbers()->checkPlan(plan, {.seed = 1}, {});
    if (std::ranges::count(unsizedOps(*plan.graph), true) > 0) {
        PROMISE(report || report.error().code == ErrorCode::Unsupported, "what nobody knows is not computed");
        return {};
    }
    const bool onPim = std::ranges::any_of(plan.ops, [](const OpPlan& op) { return !op.onHost(); });
    if (!report && !onPim) {
        PROMISE(report.error().code == ErrorCode::Unsupported || report.error().code == ErrorCode::Usage,
                "no program is an answer");
        return {};
    }
    SUCCEEDS(report, "its program runs on numbers");
    PROMISE(!report->problem || report->problem->code != ErrorCode::Internal,
            "its program computes the network");
    PROMISE(report->text.ends_with('\n') && report->json.starts_with('{'), "numbers have a report");
    const auto network = backend.numbers()->prepare(plan, {.seed = 1}, {});
    SUCCEEDS(network, "its program can be prepared for inputs");
    const auto inputs = sampleInputs(*plan.graph, 5);
    SUCCEEDS(inputs, "a network has inputs");
    const auto outputs = (*network)->run(*inputs, {}), again = (*network)->run(*inputs, {});
    SUCCEEDS(outputs, "its program runs on inputs");
    PROMISE(outputs->size() == plan.graph->outputs.size(), "every output has a value");
    for (std::size_t i = 0; i < outputs->size(); ++i) {
        PROMISE((*outputs)[i].shape == plan.graph->tensor(plan.graph->outputs[i]).shape, "of its shape");
        PROMISE(*(*outputs)[i].bytes == *(*again)[i].bytes, "the same inputs give the same bytes");
    }
    PROMISE(!(*network)->numbers().empty(), "it says in which numbers");
    return {};
}

QString bundle(const BackendList& backends, const PlanRequest& request, const Plan& plan) {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("bundle").toStdString();
    SUCCEEDS(writeBundle(backends, plan, request.options, path), "a bundle is written");
    const auto verified = verifyBundle(backends, path);
    SUCCEEDS(verified, "a bundle is read");
    for (const Diagnostic& problem : verified->problems)
        return QString::fromStdString("the bundle is not sound: " + problem.object + ": " + problem.message);
    const bool onPim = std::ranges::any_of(plan.ops, [](const OpPlan& op) { return !op.onHost(); });
    PROMISE(!onPim || verified->programs > 0, "a bundle has programs");
    const auto source = readBundleSource(path);
    SUCCEEDS(source, "a bundle says what it is from");
    SUCCEEDS(planOfBundle(backends, path, *source, plan.graph), "a bundle can be made again");
    return {};
}

} // namespace

QString brokenPromise(const BackendList& backends, const std::shared_ptr<const Target>& target,
                      const std::shared_ptr<const Graph>& graph, const CompileOptions& chosen) {
    const auto found = backends.find(target->backend);
    SUCCEEDS(found, "the backend is in the list");
    const Backend& backend = **found;
    PROMISE(!backend.summary().empty() && !backend.machines().empty(), "a backend can be talked about");
    for (const Diagnostic& problem : backend.checkTarget(*target))
        PROMISE(problem.severity != Severity::Error, "a shipped target is usable");
    const PlanRequest request{graph, target, {}, chosen};
    const auto first = compile(backends, request), second = compile(backends, request);
    SUCCEEDS(first, "a network compiles");
    SUCCEEDS(second, "a network compiles again");
    const Plan& plan = **first;
    PROMISE(planJson(plan) == planJson(**second), "the same request gives the same plan");
    for (const auto& look :
         {wholePlan(plan), verdicts(backend, plan, OpId()), options(backends, backend, request),
          code(backend, plan), facets(backend, request, plan), numbers(backend, plan),
          bundle(backends, request, plan)})
        if (!look.isEmpty())
            return look;
    for (std::size_t op = 0; op < plan.ops.size(); op += 1 + plan.ops.size() / 16)
        if (const QString wrong = verdicts(backend, plan, plan.ops[op].op); !wrong.isEmpty())
            return wrong;
    return {};
}

} // namespace pim::test
