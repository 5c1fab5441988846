// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drafts/opwise.h"

#include "core/base/number_text.h"
#include "core/drafts/core_memory.h"
#include "core/drafts/draft_choice.h"
#include "core/drafts/opwise_planner.h"
#include "core/drafts/rejected_sample.h"
#include "core/plan/legal_values.h"

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

/// Constant or cache: the only tensors that may be there before the network runs.
bool mayStay(const OpPlan& op, std::size_t tensor) {
    const KernelTensor& kernelTensor = op.space->kernel().tensors[tensor];
    return kernelTensor.constant || kernelTensor.cache;
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

OverrideField placementField(const OpPlan& op, const std::string& hostId) {
    return {
        "placement",
        "Placement",
        name(op.placement),
        op.placementOverridden,
        {{"host", true, op.hostKnown ? fmt::format("{} on {}", timeText(op.hostNs), hostId) : "cost unknown"},
         {"pim", true, op.pimCost ? timeText(op.pimCost->totalNs()) + " on PIM" : std::string()}}};
}

/// The types that the units of the cores take, each once.
OverrideField typeField(const Plan& plan, const std::string& op, DataType current) {
    OverrideField field{"dtype", "Element type", std::string(name(current)), false, {}};
    field.overridden = plan.overrides.find(op, "dtype") != nullptr;
    if (const Level* core = plan.target->level("core"))
        for (const Unit& unit : core->units)
            for (const DataType type : unit.types)
                if (std::none_of(field.values.begin(), field.values.end(),
                                 [&](const auto& v) { return v.value == name(type); }))
                    field.values.push_back({std::string(name(type)), true, unit.name});
    return field;
}

/// Do the ops the user placed on PIM fit, with \p changed taking what is said here?
Result<void> checkPinned(const Plan& plan, const OpPlan& changed, const Override& decision,
                         const CoreFill& ofChanged) {
    if (plan.coreBytes <= 0)
        return {};
    CoreFill fill = ofChanged;
    for (const OpPlan& op : plan.ops)
        if (op.op != changed.op && op.placementOverridden && !op.onHost() &&
            plan.overrides.find(plan.graph->op(op.op).name, "placement"))
            fill.add(op);
    if (fill.bytes() > plan.coreBytes)
        return fail(ErrorCode::IllegalOverride, overfullText(fill.bytes(), plan.coreBytes), placeOf(decision),
                    kOverfullHint);
    return {};
}

bool isPinnedToPim(const Plan& plan, const OpPlan& op) {
    const std::string* const placement = plan.overrides.find(plan.graph->op(op.op).name, "placement");
    return placement && *placement == "pim";
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

std::vector<OverrideField> OpwiseBackend::networkFields(const Plan& plan) const {
    const std::string* const placement = plan.overrides.find({}, "placement");
    std::vector<OverrideField> fields{
        {"placement",
         "Placement of all ops",
         placement ? *placement : "op by op",
         placement != nullptr,
         {{"host", true, timeText(plan.hostOnlyNs)}, {"pim", true, "all that PIM can run and has room for"}}},
        typeField(plan, {}, plan.computeType)};
    for (OverrideField& field : fields)
        field = judged(*this, plan, {}, std::move(field));
    return fields;
}

std::vector<OverrideField> OpwiseBackend::overrideFields(const Plan& plan, OpId op) const {
    if (!op.valid())
        return networkFields(plan);
    if (!checkOp(plan, op))
        return {};
    const OpPlan& planned = plan.opPlan(op);
    const std::string& opName = plan.graph->op(op).name;
    std::vector<OverrideField> fields{placementField(planned, plan.target->host.id)};
    if (planned.space && planned.draft) {
        fields.push_back(
            {"draft", "Draft", planned.space->draftText(*planned.draft), planned.draftOverridden, {}});
        fields.push_back(typeField(plan, opName, planned.space->kernel().tensors.front().dtype));
        for (std::size_t t = 0; t < planned.tensors.size(); ++t) {
            const TensorPlan& tensor = planned.tensors[t];
            if (tensor.tensor.valid() && planned.space->kernel().tensors[t].role == TensorRole::Input)
                fields.push_back({"residency/" + tensor.name,
                                  "Residency of " + tensor.name,
                                  tensor.residency == Residency::Resident ? "resident" : "streamed",
                                  tensor.overridden,
                                  {{"resident", true, "loaded once, before the network runs"},
                                   {"streamed", true, "moved in the kernel"}}});
        }
    }
    for (OverrideField& field : fields)
        field = judged(*this, plan, opName, std::move(field));
    return fields;
}

Result<std::int64_t> OpwiseBackend::checkDraft(const TilingSpace& space, const Draft& draft,
                                               const Target& target, const std::vector<Residency>& residency,
                                               const CodePasses& passes) const {
    const auto code = codeBytes(space, draft, target, residency, passes);
    if (!code)
        return fail(ErrorCode::IllegalOverride,
                    "there are no commands for this draft: " + code.error().message, space.kernel().name,
                    code.error().hint);
    const std::int64_t bytes = *code > 0 ? *code : space.summarize(draft).bytesPerCore;
    const std::int64_t capacity = space.resources().coreBytes;
    if (capacity > 0 && bytes > capacity)
        return fail(ErrorCode::IllegalOverride,
                    fmt::format("the draft needs {} of a core, which has {}",
                                bytesText(static_cast<double>(bytes)),
                                bytesText(static_cast<double>(capacity))),
                    space.kernel().name, "split it over more groups or cores");
    return bytes;
}

Result<void> OpwiseBackend::checkDraftDecision(const Plan& plan, const OpPlan& op,
                                               const Override& decision) const {
    const auto misplaced = [&](const Error& error) {
        return fail(ErrorCode::IllegalOverride, error.message, placeOf(decision), error.hint);
    };
    const auto draft = op.space->draftFromText(decision.value);
    if (!draft)
        return misplaced(draft.error());
    const auto bytes = checkDraft(*op.space, *draft, *plan.target, residencyOf(op.tensors), plan.codePasses);
    if (!bytes)
        return misplaced(bytes.error());
    if (!isPinnedToPim(plan, op))
        return {};
    CoreFill fill;
    OpPlan changed = op;
    changed.draft = *draft;
    (op.keptCoreBytes > 0 ? changed.keptCoreBytes : changed.passingCoreBytes) = *bytes;
    fill.add(changed);
    return checkPinned(plan, op, decision, fill);
}

Result<void> OpwiseBackend::checkResidency(const Plan& plan, const OpPlan& op,
                                           const Override& decision) const {
    const std::string tensor = decision.field.substr(10);
    for (std::size_t t = 0; t < op.tensors.size(); ++t) {
        if (op.tensors[t].name != tensor || op.space->kernel().tensors[t].role != TensorRole::Input)
            continue;
        const bool resident = decision.value == "resident";
        if (resident && !mayStay(op, t))
            return fail(
                ErrorCode::IllegalOverride,
                fmt::format(
                    "\"{}\" changes with every run, so it cannot lie in PIM before; allowed: streamed",
                    tensor),
                placeOf(decision));
        if (!op.draftOverridden)
            return {};
        // The draft is the user's as well: both together must be possible.
        std::vector<Residency> residency = residencyOf(op.tensors);
        residency[t] = resident ? Residency::Resident : Residency::Streamed;
        if (const auto bytes = checkDraft(*op.space, *op.draft, *plan.target, residency, plan.codePasses);
            !bytes)
            return fail(ErrorCode::IllegalOverride, bytes.error().message, placeOf(decision),
                        "reset its draft first");
        return {};
    }
    return fail(ErrorCode::IllegalOverride, fmt::format("it has no PIM operand \"{}\"", tensor),
                placeOf(decision));
}

Result<void> OpwiseBackend::checkType(const Plan& plan, const OpPlan& op, const Override& decision,
                                      DataType type) const {
    Kernel kernel = op.space->kernel();
    const DataType now = kernel.tensors.front().dtype;
    for (KernelTensor& tensor : kernel.tensors)
        if (tensor.dtype == now)
            tensor.dtype = type;
    if (const auto able = supports(kernel, *plan.target); !able)
        return fail(ErrorCode::IllegalOverride,
                    fmt::format("PIM cannot run it in {}: {}", name(type), able.error().message),
                    placeOf(decision));
    if (!op.draftOverridden)
        return {};
    PIM_TRY(const auto space, TilingSpace::create(std::move(kernel), resources(*plan.target)));
    if (const auto bytes =
            checkDraft(*space, *op.draft, *plan.target, residencyOf(op.tensors), plan.codePasses);
        !bytes)
        return fail(ErrorCode::IllegalOverride, bytes.error().message, placeOf(decision),
                    "reset its draft first");
    return {};
}

Result<void> OpwiseBackend::checkOverride(const Plan& plan, const Override& decision) const {
    PIM_TRY(const OpDecisions read, readDecision(*plan.target, decision)); // field and form of the value
    if (decision.op.empty())
        return {};
    const OpId id = plan.graph->findOp(decision.op);
    if (!id.valid())
        return fail(ErrorCode::IllegalOverride, fmt::format("the model has no op \"{}\"", decision.op),
                    placeOf(decision), "remove this decision, or take the name from `pimc inspect`");
    const OpPlan& op = plan.opPlan(id);
    if (read.placement == DeviceId::host() || (read.dtype && !op.space))
        return {};
    if (!op.space || !op.draft)
        return fail(ErrorCode::IllegalOverride, "PIM cannot run it: " + op.pimVerdict, placeOf(decision),
                    "leave it on the host");
    if (read.draft)
        return checkDraftDecision(plan, op, decision);
    if (read.dtype)
        return checkType(plan, op, decision, *read.dtype);
    if (!read.placement)
        return checkResidency(plan, op, decision);
    CoreFill fill;
    fill.add(op);
    return checkPinned(plan, op, decision, fill);
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
    PIM_TRY(const auto decisions, readDecisions(graph, *request.target, request.overrides));
    const OpwisePlanner planner(*this, *request.target, request.options);
    PlannedOp planned = planner.prepare(graph, op, decisions[op.index()]);
    return planner.explore(&graph, op, std::move(planned), request.target, task);
}

Result<DraftChoice> OpwiseBackend::choose(const PlanRequest& request, OpId op, PlanCache* cache,
                                          const TaskContext& task) const {
    PIM_CHECK(checkOp(*request.graph, op));
    PIM_TRY(const auto decisions, readDecisions(*request.graph, *request.target, request.overrides));
    const OpwisePlanner planner(*this, *request.target, request.options);
    const OpDecisions& decided = decisions[op.index()];
    return planner.choose(planner.prepare(*request.graph, op, decided),
                          decided.draft ? &*decided.draft : nullptr, cache, task);
}

Result<DraftChoice> OpwiseBackend::choose(Kernel kernel, const Target& target, const CompileOptions& options,
                                          PlanCache* cache, const TaskContext& task) const {
    const OpwisePlanner planner(*this, target, options);
    return planner.choose(planner.prepare(std::move(kernel)), nullptr, cache, task);
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
    PIM_TRY(study.space, TilingSpace::create(std::move(*planned.kernel), resources(*target)));
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
    const DraftPredictor* const predictor =
        m_options.predictor && m_options.predictor->knows(*planned.kernel, m_target)
            ? m_options.predictor.get()
            : nullptr;
    // Priced as if the neighbours were on the host: whatever is streamed comes from there, the result goes there.
    const std::vector<bool> throughHost(planned.residency.size(), true);
    const double hostBoundNs = hostBound(result->tensors);
    std::vector<KernelPrice> prices;
    std::vector<DraftSummary> summaries;
    std::array<int, kPruneRules> shown{};
    PIM_TRY(result->counts,
            forEachDraft(
                *result->space, m_options.tiling,
                [&](const Draft& draft, PruneRule rule) {
                    if (rule == PruneRule::Kept) {
                        DraftSummary summary = result->space->summarize(draft);
                        const KernelPrice price = pricer->price(draft, summary);
                        result->drafts.push_back(draft);
                        result->costs.push_back(pimCost(planned, price, throughHost));
                        result->boundsNs.push_back(pricer->boundNs(draft, summary) + hostBoundNs);
                        if (predictor) {
                            prices.push_back(price);
                            summaries.push_back(std::move(summary));
                        }
                    } else if (shown[static_cast<std::size_t>(rule)]++ < Exploration::kRejectedShown) {
                        result->rejected.push_back({draft, rule});
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
