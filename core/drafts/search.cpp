// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"
#include "core/drafts/opwise_planner.h"
#include "core/kernel/from_op.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace pim {
namespace {

bool isStreamedInput(const Kernel& kernel, const std::vector<Residency>& residency, std::size_t tensor) {
    return kernel.tensors[tensor].role != TensorRole::Output && residency[tensor] != Residency::Resident &&
           residency[tensor] != Residency::InPlace;
}

} // namespace

PlanCache::PlanCache(std::shared_ptr<DraftTable> drafts)
    : m_drafts(std::move(drafts)), m_state(std::make_unique<State>()) {}
PlanCache::~PlanCache() = default;

std::shared_ptr<const PlanDetail> PlanCache::find(const std::string& key) {
    const std::lock_guard lock(m_state->mutex);
    for (const State::Network& known : m_state->networks)
        if (known.key == key)
            return known.detail;
    return nullptr;
}

void PlanCache::keep(const std::string& key, const PlanRequest& request,
                     std::shared_ptr<const PlanDetail> detail) {
    constexpr std::size_t kMost = 4; // a program can be tens of megabytes
    const std::lock_guard lock(m_state->mutex);
    std::erase_if(m_state->networks, [&](const State::Network& known) { return known.key == key; });
    m_state->networks.push_front({key, request.graph, request.target, std::move(detail)});
    if (m_state->networks.size() > kMost)
        m_state->networks.pop_back();
}

DataType effectiveType(const Target& target, DataType wanted) {
    DataType substitute = wanted;
    if (const Level* core = target.level("core"))
        for (const Unit& unit : core->units)
            for (const DataType type : unit.types) {
                if (type == wanted)
                    return wanted;
                if (substitute == wanted && bytesOf(type) == bytesOf(wanted))
                    substitute = type;
            }
    return substitute;
}

OpwisePlanner::OpwisePlanner(const OpwiseBackend& backend, const Target& target,
                             const CompileOptions& options)
    : m_backend(backend), m_target(target), m_options(options),
      m_context(fmt::format("{}\n{}\n{}\n{}", backend.id(), target.hash, optionsJson(options),
                            options.predictor ? options.predictor->version() : std::string_view())) {
    if (options.verifyDrafts > 0)
        if (auto measurer =
                backend.measurer(target, options)) // machines without commands are taken at their price
            m_measurer = std::move(*measurer);
}

std::string OpwisePlanner::whyNot(const Kernel& kernel) const {
    if (kernel.gathers() && !m_backend.resources(m_target).looksUp)
        return "its elements are looked up at indices known only when it runs, and the units follow no index";
    const auto able = m_backend.supports(kernel, m_target);
    return able ? std::string() : able.error().message;
}

std::string OpwisePlanner::knownWhyNot(const OpKernel& kernel) const {
    const std::lock_guard lock(m_verdictsMutex);
    const auto [at, fresh] = m_verdicts.try_emplace(kernel.text);
    if (fresh)
        at->second = whyNot(kernel.kernel);
    return at->second;
}

PlannedOp OpwisePlanner::prepare(const Graph& graph, OpId id, const OpDecisions& decisions,
                                 KernelTable::Network& kernels) const {
    PlannedOp planned;
    planned.type = decisions.dtype.value_or(elementType());
    planned.host = m_backend.m_hostModel->cost(graph, id, m_target.host, planned.type);
    if (planned.host.known && appendsToCache(graph, id)) {
        const TensorId cache = graph.op(id).outputs[0];
        const double share = static_cast<double>(appendedBytes(graph, cache, planned.type)) /
                             std::max(1.0, static_cast<double>(bytesAs(graph.tensor(cache), planned.type)));
        for (double* ns : {&planned.host.ns, &planned.host.computeNs, &planned.host.memoryNs})
            *ns *= share;
    }
    const auto kernel = kernels.of(id, {planned.type, m_options.convAsGemm});
    planned.verdict = kernel->verdict;
    if (!planned.verdict.empty())
        return planned;
    planned.kernel = {kernel, &kernel->kernel};
    planned.text = kernel->text;
    planned.verdict = knownWhyNot(*kernel);
    const double hostBytesPerNs = m_target.host.memoryBytesPerNs * m_target.host.memoryEfficiency;
    for (const KernelTensor& tensor : planned.kernel->tensors) {
        const bool isInput = tensor.role != TensorRole::Output;
        Residency residency =
            isInput && (tensor.constant || tensor.cache) ? Residency::Resident : Residency::Streamed;
        const auto decided = tensor.source.valid()
                                 ? decisions.residency.find(graph.tensor(tensor.source).name)
                                 : decisions.residency.end();
        if (decided != decisions.residency.end())
            residency = decided->second;
        planned.residency.push_back(residency);
        planned.residencyOverridden.push_back(decided != decisions.residency.end());
        // A kernel may see a tensor larger than it lies in memory (im2col); host memory is read as it lies.
        const double bytes = tensor.source.valid()
                                 ? static_cast<double>(bytesAs(graph.tensor(tensor.source), planned.type))
                                 : 0;
        planned.hostNs.push_back(hostBytesPerNs > 0 ? bytes / hostBytesPerNs : 0);
    }
    return planned;
}

PlannedOp OpwisePlanner::prepare(Kernel kernel) const {
    PlannedOp planned;
    planned.type = elementType();
    const double hostBytesPerNs = m_target.host.memoryBytesPerNs * m_target.host.memoryEfficiency;
    for (KernelTensor& tensor : kernel.tensors) {
        if (bytesOf(tensor.dtype) ==
            bytesOf(planned.type)) // text says nothing of the machine's number format
            tensor.dtype = planned.type;
        const bool mayStay = tensor.role != TensorRole::Output && (tensor.constant || tensor.cache);
        planned.residency.push_back(mayStay ? Residency::Resident : Residency::Streamed);
        const auto bytes =
            static_cast<double>(elementCount(tensor.shape).value_or(0) * bytesOf(tensor.dtype));
        planned.hostNs.push_back(bytes / hostBytesPerNs);
    }
    planned.residencyOverridden.assign(planned.residency.size(), false);
    planned.verdict = whyNot(kernel);
    planned.text = std::make_shared<const std::string>(kernel.text());
    planned.kernel = std::make_shared<const Kernel>(std::move(kernel));
    return planned;
}

Result<DraftChoice> OpwisePlanner::choose(const PlannedOp& op, const OpDecisions& decisions, PlanCache* cache,
                                          const TaskContext& task) const {
    const auto start = std::chrono::steady_clock::now();
    const std::string where = op.kernel ? op.kernel->name : std::string();
    if (!op.kernel || !op.verdict.empty())
        return fail(ErrorCode::Unsupported, "PIM cannot run it: " + op.verdict, where);
    PIM_TRY(const auto found, search(op, decisions, cache, task));
    if (!found->verdict.empty())
        return fail(ErrorCode::Unsupported, "PIM cannot run it: " + found->verdict, where);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    return DraftChoice{found->space,  op.residency, found->draft,  found->price,
                       found->origin, found->check, found->counts, took.count()};
}

std::string OpwisePlanner::searchKey(const PlannedOp& op, const OpDecisions& decisions) const {
    std::string key = *op.text;
    for (const Residency r : op.residency)
        key += name(r)[0];
    if (m_measurer)
        key += fmt::format("\n{}", op.onHostNs());
    key += '\n';
    key += decisions.draft.value_or("");
    for (const auto& [field, value] : decisions.code)
        key += fmt::format("\n{}={}", field, value);
    return key;
}

Result<void> OpwisePlanner::takeDraft(KernelSearch& found, const Draft& draft,
                                      const KernelPricer& pricer) const {
    PIM_CHECK(found.space->check(draft));
    found.draft = draft;
    found.summary = found.space->summarize(draft);
    found.price = pricer.price(draft, found.summary);
    found.counts.enumerated = found.counts.byRule[0] = 1;
    return {};
}

Result<void> OpwisePlanner::takeGiven(KernelSearch& found, const Draft& draft, const KernelPricer& pricer,
                                      const std::vector<Residency>& residency, double hostNs,
                                      const TaskContext& task) const {
    PIM_CHECK(takeDraft(found, draft, pricer));
    found.check.reset();
    found.origin = Origin::Predicted;
    if (isWorthMeasuring(found.price.totalNs(), hostNs))
        if (const auto measured = m_measurer->measure(*found.space, draft, residency, {task.stop, {}})) {
            found.price = *measured;
            found.origin = Origin::Simulated;
        }
    return {};
}

Result<std::shared_ptr<const KernelSearch>> OpwisePlanner::search(const PlannedOp& op,
                                                                  const OpDecisions& decisions,
                                                                  PlanCache* cache,
                                                                  const TaskContext& task) const {
    const Kernel& kernel = *op.kernel;
    const std::vector<Residency>& residency = op.residency;
    const double hostNs = op.onHostNs();
    std::string key;
    if (cache) {
        key = searchKey(op, decisions) + '\n' + m_context;
        const std::lock_guard lock(cache->state().mutex);
        if (const auto at = cache->state().searches.find(key); at != cache->state().searches.end())
            return at->second;
    }
    auto found = std::make_shared<KernelSearch>();
    const auto spaces = cache ? cache->state().spaces : std::make_shared<SpaceTable>();
    const auto entry = spaces->find(kernel, *op.text, m_backend.resources(m_target));
    std::optional<Draft> given;
    if (decisions.code.empty()) {
        if (!entry) {
            found->verdict = entry.error().message;
            return found;
        }
        found->space = (*entry)->space();
        PIM_TRY(given, givenDraft(*found->space, decisions.draft ? &*decisions.draft : nullptr));
    } else { // of the draft without them, which the cache may know
        OpDecisions plain;
        plain.draft = decisions.draft;
        PIM_TRY(const auto base, search(op, plain, cache, task));
        if (!base->verdict.empty())
            return fail(ErrorCode::IllegalOverride, "PIM cannot run it: " + base->verdict, kernel.name,
                        "leave it on the host");
        found->space = base->space;
        PIM_TRY(given, m_backend.decided({*base->space, m_target, residency, base->draft,
                                          decisions.draft.has_value(), decisions.code}));
    }
    const auto pricer = m_backend.pricer(*found->space, m_target, residency, m_options);
    bool any = true;
    if (given) {
        PIM_CHECK(takeGiven(*found, *given, *pricer, residency, hostNs, task));
    } else {
        PIM_TRY(any, chooseDraft(*found, **entry, *pricer, residency, hostNs,
                                 cache ? cache->drafts() : nullptr, task));
    }
    if (any) {
        found->leastLoadNs = pricer->leastLoadNs();
        for (std::size_t t = 0; t < kernel.tensors.size(); ++t)
            found->residentLoadNs.push_back(residency[t] == Residency::Resident
                                                ? pricer->residentLoadNs(static_cast<int>(t), found->summary)
                                                : 0.0);
        // A draft of the user's that cannot be had is an illegal decision; one of ours leaves the op to the host.
        if (decisions.concernDraft())
            PIM_CHECK(
                m_backend.checkDraft(*found->space, found->draft, m_target, residency, m_options.passes));
        if (const auto bytes =
                m_backend.codeBytes(*found->space, found->draft, m_target, residency, m_options.passes))
            found->codeBytes = *bytes;
        else
            found->verdict = bytes.error().message;
    } else {
        found->verdict = fmt::format("none of {} drafts fits the {} of a PIM core",
                                     countText(static_cast<double>(found->counts.enumerated)),
                                     bytesText(static_cast<double>(found->space->resources().coreBytes)));
    }
    if (cache) {
        const std::lock_guard lock(cache->state().mutex);
        return cache->state().searches.try_emplace(key, std::move(found)).first->second;
    }
    return found;
}

/// What the user wants, else what the machine's makers published if that is wanted.
Result<std::optional<Draft>> OpwisePlanner::givenDraft(const TilingSpace& space,
                                                       const std::string* draft) const {
    if (draft) {
        PIM_TRY(Draft read, space.draftFromText(*draft));
        read.code.clear(); // decided field by field
        return std::optional(std::move(read));
    }
    if (m_options.mapping == MappingChoice::Fixed)
        if (auto fixed = m_backend.fixedDraft(space, m_target))
            return std::optional(std::move(*fixed));
    return std::optional<Draft>();
}

double OpwisePlanner::hostReadNs(const PlannedOp& op, std::size_t tensor, double busInputNs) const {
    const double readNs = op.hostNs[tensor];
    if (!m_options.overlapHostTransfer)
        return readNs;
    // Double buffering: what the bus takes for this operand hides its read. Operands share the bus time by
    // their bytes.
    double all = 0;
    for (std::size_t t = 0; t < op.hostNs.size(); ++t)
        if (isStreamedInput(*op.kernel, op.residency, t))
            all += op.hostNs[t];
    return all > 0 ? std::max(0.0, readNs - busInputNs * readNs / all) : 0;
}

CostSplit OpwisePlanner::pimCost(const PlannedOp& op, const KernelPrice& price,
                                 const std::vector<bool>& throughHost) const {
    CostSplit cost;
    cost.inputNs = price.busInputNs + op.appendNs;
    cost.computeNs = price.computeNs;
    cost.outputNs = price.busOutputNs;
    cost.modeSwitchNs = price.modeSwitchNs;
    for (std::size_t t = 0; t < throughHost.size(); ++t) {
        if (!throughHost[t])
            continue;
        if (isStreamedInput(*op.kernel, op.residency, t))
            cost.inputNs += hostReadNs(op, t, price.busInputNs);
        if (op.kernel->tensors[t].role != TensorRole::Input)
            cost.outputNs += m_options.overlapHostTransfer ? std::max(0.0, op.hostNs[t] - price.busOutputNs)
                                                           : op.hostNs[t];
    }
    return cost;
}

std::vector<TensorPlan> OpwisePlanner::tensorPlans(const Graph* graph, const PlannedOp& op) const {
    std::vector<TensorPlan> plans;
    if (!op.kernel)
        return plans;
    for (std::size_t t = 0; t < op.kernel->tensors.size(); ++t) {
        const KernelTensor& tensor = op.kernel->tensors[t];
        TensorPlan plan;
        plan.tensor = tensor.source;
        plan.name = graph && tensor.source.valid() ? graph->tensor(tensor.source).name : tensor.name;
        plan.residency = op.residency[t];
        plan.overridden = op.residencyOverridden[t];
        plan.bytes = graph && tensor.source.valid()
                         ? bytesAs(graph->tensor(tensor.source), op.type)
                         : elementCount(tensor.shape).value_or(0) * bytesOf(tensor.dtype);
        if (op.canRunOnPim())
            plan.loadNs = op.search->residentLoadNs[t];
        plans.push_back(std::move(plan));
    }
    return plans;
}

} // namespace pim
