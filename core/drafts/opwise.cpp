// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drafts/opwise.h"

#include "core/base/number_text.h"
#include "core/drafts/draft_choice.h"
#include "core/drafts/opwise_planner.h"
#include "core/drafts/rejected_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>

namespace pim {
namespace {

Result<void> checkOp(const Plan& plan, OpId op) {
    if (!op.valid() || op.index() >= plan.ops.size())
        return fail(ErrorCode::NotFound,
                    fmt::format("there is no op number {}; the plan has {}", op.value, plan.ops.size()));
    return {};
}

/// "0012_Conv_5.pim": the number keeps names apart that differ only in characters a file name cannot have.
std::string codeFileName(OpId op, std::string opName) {
    opName.resize(std::min<std::size_t>(opName.size(), 80));
    for (char& c : opName)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
              c == '_'))
            c = '_';
    return fmt::format("{:04}_{}.pim", op.index(), opName);
}

std::string commandSummary(const Program& program) {
    std::int64_t all = 0;
    std::string counts;
    for (const auto& [opcode, count] : commandCounts(program)) {
        all += count;
        counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", opcode, exactText(count));
    }
    return fmt::format("{} commands: {}", exactText(all), counts);
}

/// Cheapest first, equal ones as they came.
void sortByCost(Exploration& exploration) {
    std::vector<std::size_t> order(exploration.drafts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<double> total(order.size());
    std::transform(exploration.costs.begin(), exploration.costs.end(), total.begin(),
                   [](const auto& cost) { return cost.totalNs(); });
    std::stable_sort(order.begin(), order.end(),
                     [&total](std::size_t a, std::size_t b) { return total[a] < total[b]; });
    const auto arrange = [&order](auto& column) {
        if (column.empty())
            return;
        std::remove_reference_t<decltype(column)> arranged;
        arranged.reserve(column.size());
        for (const std::size_t i : order)
            arranged.push_back(std::move(column[i]));
        column = std::move(arranged);
    };
    arrange(exploration.drafts);
    arrange(exploration.costs);
    arrange(exploration.boundsNs);
    arrange(exploration.predictedNs);
}

} // namespace

std::vector<Residency> residencyOf(const std::vector<TensorPlan>& tensors) {
    std::vector<Residency> residency;
    for (const TensorPlan& tensor : tensors)
        residency.push_back(tensor.residency == Residency::Produced ? Residency::Streamed : tensor.residency);
    return residency;
}

OpwiseBackend::OpwiseBackend(std::shared_ptr<const HostModel> hostModel)
    : m_hostModel(std::move(hostModel)) {}

Result<std::shared_ptr<const Plan>> OpwiseBackend::plan(const PlanRequest& request, PlanCache* cache,
                                                        const TaskContext& task) const {
    return OpwisePlanner(*this, *request.target, request.options).plan(request, cache, task);
}

namespace {

Result<void> checkOp(const Graph& graph, OpId op) {
    if (!op.valid() || op.index() >= graph.ops.size())
        return fail(ErrorCode::NotFound,
                    fmt::format("there is no op number {}; the model has {}", op.value, graph.ops.size()));
    return {};
}

} // namespace

Result<std::shared_ptr<const Exploration>> OpwiseBackend::explore(const PlanRequest& request, OpId op,
                                                                  const TaskContext& task) const {
    const Graph& graph = *request.graph;
    PIM_CHECK(checkOp(graph, op));
    PIM_TRY(const auto decisions, readDecisions(graph, *request.target, request.overrides, codeFields()));
    const OpwisePlanner planner(*this, *request.target, request.options);
    PlannedOp planned = planner.prepare(request.graph, op, decisions[op.index()]);
    if (planned.kernel && !decisions[op.index()].code.empty()) {
        PIM_TRY(planned.code, codeText(*planned.kernel, decisions[op.index()].code));
    }
    return planner.explore(&graph, op, std::move(planned), request.target, task);
}

Result<DraftChoice> OpwiseBackend::choose(const PlanRequest& request, OpId op, PlanCache* cache,
                                          const TaskContext& task) const {
    PIM_CHECK(checkOp(*request.graph, op));
    PIM_TRY(const auto decisions,
            readDecisions(*request.graph, *request.target, request.overrides, codeFields()));
    const OpwisePlanner planner(*this, *request.target, request.options);
    const OpDecisions& made = decisions[op.index()];
    return planner.choose(planner.prepare(request.graph, op, made), made, cache, task);
}

Result<DraftChoice> OpwiseBackend::choose(Kernel kernel, const Target& target, const CompileOptions& options,
                                          PlanCache* cache, const TaskContext& task) const {
    const OpwisePlanner planner(*this, target, options);
    return planner.choose(planner.prepare(std::move(kernel)), {}, cache, task);
}

Result<std::shared_ptr<const Exploration>> OpwiseBackend::exploreKernel(const Kernel& kernel,
                                                                        std::shared_ptr<const Target> target,
                                                                        const CompileOptions& options,
                                                                        const TaskContext& task) const {
    const OpwisePlanner planner(*this, *target, options);
    return planner.explore(nullptr, OpId(), planner.prepare(kernel), target, task);
}

Result<DraftStudy> OpwiseBackend::study(Kernel kernel, std::shared_ptr<const Target> target,
                                        const CompileOptions& options) const {
    DraftStudy study;
    PlannedOp planned = OpwisePlanner(*this, *target, options).prepare(std::move(kernel));
    PIM_CHECK(supports(*planned.kernel, *target));
    study.residency = std::move(planned.residency);
    PIM_TRY(study.space, TilingSpace::create(*planned.kernel, resources(*target)));
    study.pricer = pricer(*study.space, *target, study.residency, options);
    if (auto measuring = measurer(*target, options))
        study.measurer = std::move(*measuring);
    study.target = std::move(target);
    return study;
}

Result<std::int64_t> OpwiseBackend::codeBytes(const TilingSpace&, const Draft&, const Target&,
                                              const std::vector<Residency>&, const CodePasses&) const {
    return 0;
}

std::vector<OverrideField> OpwiseBackend::codeChoices(const TilingSpace&, const Draft&, const Target&) const {
    return {};
}

Result<std::string> OpwiseBackend::codeText(const Kernel&, const CodeDecisions&) const {
    return std::string();
}

Result<Draft> OpwiseBackend::decided(const CodeQuestion& question) const {
    return question.draft;
}

Result<Draft> OpwiseBackend::fixedDraft(const TilingSpace& space, const Target& target) const {
    return fail(ErrorCode::Unsupported, fmt::format("nobody published a fixed mapping for {}", target.id),
                space.kernel().name, "search for one");
}

Result<std::vector<KernelPrice>> DraftMeasurer::measureChain(std::span<const ChainedKernel>,
                                                             const TaskContext&) const {
    return fail(ErrorCode::Unsupported, "results do not stay in place on this machine");
}

bool OpwiseBackend::fitsInPlace(const ChainedKernel&, const ChainedKernel&, const Target&,
                                const CodePasses&) const {
    return false;
}

double OpwiseBackend::hostBytesPerNsAtMost(const Target&) const {
    return 0;
}

Result<std::unique_ptr<DraftMeasurer>> OpwiseBackend::measurer(const Target& target,
                                                               const CompileOptions&) const {
    return fail(ErrorCode::Unsupported, "the commands of this machine cannot be timed here", target.id);
}

Result<CodeFile> OpwiseBackend::lowerOp(const Plan& plan, const OpPlan& op) const {
    const std::string& opName = plan.graph->op(op.op).name;
    PIM_TRY(Program program,
            lowerKernel(*op.space, *op.draft, *plan.target, residencyOf(op.tensors), plan.codePasses));
    program.op = opName;
    program.target = plan.target->id;
    program.draft = op.space->draftText(*op.draft);
    return CodeFile{codeFileName(op.op, opName), programText(program), commandSummary(program), {op.op}};
}

Result<std::vector<CodeFile>> OpwiseBackend::lower(const Plan& plan, OpId only,
                                                   const TaskContext& task) const {
    std::vector<CodeFile> files;
    if (only.valid()) {
        PIM_CHECK(checkOp(plan, only));
        const OpPlan& op = plan.opPlan(only);
        if (op.onHost())
            return fail(ErrorCode::Unsupported, "it runs on the host, so there are no PIM commands",
                        plan.graph->op(only).name, "place it on PIM");
        PIM_TRY(CodeFile file, lowerOp(plan, op));
        files.push_back(std::move(file));
        return files;
    }
    std::map<std::string, std::size_t> lowered;
    for (const OpPlan& op : plan.ops) {
        if (op.onHost())
            continue;
        if (task.cancelled())
            return TaskContext::cancelledError("writing programs");
        task.report("writing programs", static_cast<std::int64_t>(op.op.index()), std::ssize(plan.ops));
        // Everything a program depends on but the name of the op.
        std::string key = op.space->kernel().text() + op.space->draftText(*op.draft);
        for (const TensorPlan& tensor : op.tensors)
            key += tensor.residency == Residency::Resident  ? 'r'
                   : tensor.residency == Residency::InPlace ? 'i'
                                                            : 's';
        const auto [at, fresh] = lowered.try_emplace(std::move(key), files.size());
        if (fresh) {
            PIM_TRY(CodeFile file, lowerOp(plan, op));
            files.push_back(std::move(file));
        } else {
            files[at->second].ops.push_back(op.op);
        }
    }
    return files;
}

double OpwisePlanner::hostBound(const std::vector<TensorPlan>& tensors) const {
    const double rate = m_backend.hostBytesPerNsAtMost(m_target);
    double bytes = 0;
    for (const TensorPlan& tensor : tensors)
        if (tensor.residency != Residency::Resident)
            bytes += static_cast<double>(tensor.bytes);
    return rate > 0 ? bytes / rate : 0;
}

Result<std::shared_ptr<const Exploration>> OpwisePlanner::explore(const Graph* graph, OpId op,
                                                                  PlannedOp planned,
                                                                  std::shared_ptr<const Target> target,
                                                                  const TaskContext& task) const {
    const auto start = std::chrono::steady_clock::now();
    const std::string where = graph ? graph->op(op).name : planned.kernel->name;
    if (!planned.kernel || !planned.verdict.empty())
        return fail(ErrorCode::Unsupported, "PIM cannot run it: " + planned.verdict, where);
    auto result = std::make_shared<Exploration>();
    PIM_TRY(result->space, TilingSpace::create(*planned.kernel, m_backend.resources(m_target)));
    result->target = std::move(target);
    result->op = op;
    result->codePasses = m_options.passes;
    result->tensors = tensorPlans(graph, planned);
    result->hostNs = planned.host.known ? planned.host.ns : 0;
    const auto pricer = m_backend.pricer(*result->space, m_target, planned.residency, m_options);
    const DraftPredictor* const predictor = predictorOf(*planned.kernel);
    // Priced as if the neighbours were on the host: whatever is streamed comes from there, the result goes there.
    const std::vector<bool> throughHost(planned.residency.size(), true);
    const double hostBoundNs = hostBound(result->tensors);
    std::vector<KernelPrice> prices;
    std::vector<DraftSummary> summaries;
    std::array<int, kPruneRules> shown{};
    PIM_TRY(result->counts,
            forEachDraft(
                *result->space, m_options.tiling,
                [&](const Draft& visited, PruneRule rule) {
                    if (rule == PruneRule::Kept) {
                        Draft draft = visited;
                        draft.code = planned.code;
                        DraftSummary summary = result->space->summarize(draft);
                        const KernelPrice price = pricer->price(draft, summary);
                        result->costs.push_back(pimCost(planned, price, throughHost));
                        result->boundsNs.push_back(pricer->boundNs(draft, summary) + hostBoundNs);
                        result->drafts.push_back(std::move(draft));
                        if (predictor) {
                            prices.push_back(price);
                            summaries.push_back(std::move(summary));
                        }
                    } else if (shown[static_cast<std::size_t>(rule)]++ < Exploration::kRejectedShown) {
                        result->rejected.push_back({visited, rule});
                    }
                    return !task.cancelled();
                },
                task));
    if (task.cancelled())
        return TaskContext::cancelledError("the exploration of " + where);
    if (predictor) {
        result->predictedNs.resize(result->drafts.size());
        predictor->predict(*result->space, m_target, planned.residency, {result->drafts, summaries, prices},
                           result->predictedNs);
        for (std::size_t i = 0; i < prices.size(); ++i) // what the host's memory takes comes from the price
            result->predictedNs[i] += result->costs[i].totalNs() - prices[i].totalNs();
    }
    if (!m_options.tiling.everyAllocation) { // what rules 1-3 removed was counted, not visited
        std::array<bool, kPruneRules> counted{};
        for (std::size_t rule = 1; rule < counted.size(); ++rule)
            counted[rule] = shown[rule] == 0 && result->counts.byRule[rule] > 0;
        auto sample = sampleRejected(*result->space, m_options.tiling, counted, kRejectedSampled, task);
        result->rejected.insert(result->rejected.begin(), std::make_move_iterator(sample.begin()),
                                std::make_move_iterator(sample.end()));
    }
    sortByCost(*result);
    if (!result->drafts.empty()) {
        const DraftSummary best = result->space->summarize(result->drafts.front());
        for (std::size_t t = 0; t < result->tensors.size(); ++t)
            if (planned.residency[t] == Residency::Resident)
                result->tensors[t].loadNs = pricer->residentLoadNs(static_cast<int>(t), best);
    }
    result->milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return result;
}

} // namespace pim
