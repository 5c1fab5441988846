// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/dram_pim_backend.h"

#include "backends/dram_pim/device_of_target.h"
#include "backends/dram_pim/host_stream.h"
#include "backends/dram_pim/kernel_simulation.h"
#include "core/drafts/draft_choice.h"
#include "core/dram_pim/command_trace.h"
#include "core/dram_pim/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace pim {
namespace {

/// The op as the plan has it on PIM.
Result<const OpPlan*> onPim(const Plan& plan, OpId op) {
    if (!op.valid() || op.index() >= plan.ops.size())
        return fail(ErrorCode::NotFound,
                    fmt::format("there is no op number {}; the plan has {}", op.value, plan.ops.size()));
    const OpPlan& planned = plan.opPlan(op);
    if (planned.onHost() || !planned.space || !planned.draft)
        return fail(ErrorCode::Unsupported, "it runs on the host, so there are no PIM commands",
                    plan.graph->op(op).name, "place it on PIM");
    return &planned;
}

Result<PimCode> codeOf(const DramPimBackend& backend, const Plan& plan, const OpPlan& op) {
    PIM_TRY(PimCode code,
            backend.generate(*op.space, *op.draft, *plan.target, residencyOf(op.tensors), plan.codePasses));
    code.program.op = plan.graph->op(op.op).name;
    return code;
}

/// Everything that ops have to agree in to share a region: code and what they keep.
using RegionKey = std::tuple<const TilingSpace*, std::string, std::vector<std::int64_t>>;
RegionKey regionKey(const OpPlan& op) {
    std::vector<std::int64_t> kept;
    for (const TensorPlan& tensor : op.tensors)
        kept.push_back(tensor.residency == Residency::Resident ? tensor.tensor.value : -1);
    return {op.space.get(), op.space->draftText(*op.draft), std::move(kept)};
}

bool keepsSomething(const OpPlan& op) {
    return std::any_of(op.tensors.begin(), op.tensors.end(),
                       [](const TensorPlan& tensor) { return tensor.residency == Residency::Resident; });
}

/// Rows that code needs, by everything it depends on; equal kernels are generated once.
class RowCounts {
public:
    RowCounts(const DramPimBackend& backend, const Plan& plan) : m_backend(backend), m_plan(plan) {}

    /// nullopt: there is no code for it.
    std::optional<std::int64_t> of(const OpPlan& op) {
        const std::vector<Residency> residency = residencyOf(op.tensors);
        const auto [at, fresh] =
            m_rows.try_emplace({op.space.get(), op.space->draftText(*op.draft), residency});
        if (fresh)
            if (const auto code =
                    m_backend.generate(*op.space, *op.draft, *m_plan.target, residency, m_plan.codePasses))
                at->second = code->rows;
        return at->second;
    }

private:
    const DramPimBackend& m_backend;
    const Plan& m_plan;
    std::map<std::tuple<const TilingSpace*, std::string, std::vector<Residency>>, std::optional<std::int64_t>>
        m_rows;
};

class CommandMeasurer final : public DraftMeasurer {
public:
    CommandMeasurer(dram::KernelSimulator simulator, CodePasses passes, std::string inputsHash)
        : m_simulator(std::move(simulator)), m_passes(std::move(passes)),
          m_inputsHash(std::move(inputsHash)) {}

    Result<KernelPrice> measure(const TilingSpace& space, const Draft& draft,
                                const std::vector<Residency>& residency,
                                const TaskContext& task) const override {
        PIM_TRY(const dram::KernelRun run, m_simulator.run(space, draft, residency, m_passes, false, task));
        return priceOf(run);
    }
    Result<std::vector<KernelPrice>> measureChain(std::span<const ChainedKernel> ops,
                                                  const TaskContext& task) const override {
        PIM_TRY(const std::vector<dram::KernelRun> runs, m_simulator.runChain(ops, m_passes, task));
        std::vector<KernelPrice> prices;
        for (const dram::KernelRun& run : runs)
            prices.push_back(priceOf(run));
        return prices;
    }
    std::string inputsHash() const override { return m_inputsHash; }

private:
    static KernelPrice priceOf(const dram::KernelRun& run) {
        return {run.cost.inputNs, run.cost.outputNs + run.mergeNs, run.cost.computeNs, run.cost.modeSwitchNs};
    }

    dram::KernelSimulator m_simulator;
    CodePasses m_passes;
    std::string m_inputsHash;
};

} // namespace

double DramPimBackend::hostBytesPerNsAtMost(const Target& target) const {
    const auto streams = dram::HostStreams::create(target);
    return streams ? static_cast<double>((*streams)->channels()) * dram::peakBytesPerNs((*streams)->device())
                   : 0;
}

std::vector<const OpPlan*> dram::chainFrom(const Plan& plan, const OpPlan& op) {
    std::vector<const OpPlan*> chain{&op};
    for (std::size_t next = op.op.index() + 1; next < plan.ops.size(); ++next) {
        if (plan.ops[next].onHost())
            continue;
        if (plan.ops[next].takesFrom != chain.back()->op)
            break;
        chain.push_back(&plan.ops[next]);
    }
    return chain;
}

tl::unexpected<Error> dram::noBankCommands(const Kernel& kernel, const Target& target) {
    return fail(ErrorCode::Unsupported,
                fmt::format("the banks of {} compute all at once, there are no such commands for single ones",
                            target.id),
                kernel.name, "leave the code pass group-commands on");
}

Result<std::unique_ptr<DraftMeasurer>> DramPimBackend::measurer(const Target& target,
                                                                const CompileOptions& options) const {
    PIM_TRY(dram::KernelSimulator simulator, dram::KernelSimulator::create(*this, target));
    PIM_TRY(std::string inputsHash, deviceFileHash(target));
    return std::make_unique<CommandMeasurer>(std::move(simulator), options.passes, std::move(inputsHash));
}

Result<Program> DramPimBackend::lowerKernel(const TilingSpace& space, const Draft& draft,
                                            const Target& target, const std::vector<Residency>& residency,
                                            const CodePasses& passes) const {
    PIM_TRY(PimCode code, generate(space, draft, target, residency, passes));
    return std::move(code.program);
}

Result<PimCode> DramPimBackend::codeWithChain(const Plan& plan, OpId op) const {
    PIM_TRY(const OpPlan* planned, onPim(plan, op));
    while (planned->takesFrom.valid())
        planned = &plan.opPlan(planned->takesFrom);
    std::vector<ChainedKernel> ops;
    std::vector<std::string> names;
    for (const OpPlan* member : dram::chainFrom(plan, *planned)) {
        ops.push_back({member->space.get(), *member->draft, residencyOf(member->tensors)});
        names.push_back(plan.graph->op(member->op).name);
    }
    PIM_TRY(dram::ChainCode code, dram::chainCodeOf(*this, ops, *plan.target, plan.codePasses));
    code.chain.code.program.op = fmt::format("{}", fmt::join(names, " → "));
    return std::move(code.chain.code);
}

Result<std::shared_ptr<const CommandTrace>> DramPimBackend::trace(const Plan& plan, OpId op,
                                                                  const TaskContext& task) const {
    PIM_TRY(const PimCode code, codeWithChain(plan, op));
    PIM_TRY(const auto simulator, dram::KernelSimulator::create(*this, *plan.target));
    PIM_TRY(CommandTrace trace,
            traceProgram(simulator.device(), code.program, code.program.op, simulator.options(), {}, task));
    return std::make_shared<const CommandTrace>(std::move(trace));
}

Result<std::vector<std::vector<float>>> DramPimBackend::execute(const Plan& plan, OpId op,
                                                                std::vector<std::vector<float>> tensors,
                                                                int threads, const TaskContext& task) const {
    PIM_TRY(const OpPlan* planned, onPim(plan, op));
    PIM_TRY(const PimCode code, codeOf(*this, plan, *planned));
    const auto channel = [&](const PimCode& of) { return makeChannel(of, *plan.target); };
    return runPimCode(code, planned->space->kernel(), std::move(tensors), channel, threads, task);
}

Result<std::vector<std::vector<float>>> DramPimBackend::executeDraft(const Exploration& exploration,
                                                                     std::size_t draft,
                                                                     std::vector<std::vector<float>> tensors,
                                                                     int threads,
                                                                     const TaskContext& task) const {
    const Kernel& kernel = exploration.space->kernel();
    if (draft >= exploration.drafts.size())
        return fail(
            ErrorCode::Usage,
            fmt::format("there is no draft number {}; there are {}", draft, exploration.drafts.size()),
            kernel.name, "they are counted from 0, the best first");
    if (kernel.body == BodyKind::Mac && (kernel.macsPerIteration != 1 || kernel.otherOpsPerIteration != 0))
        return fail(ErrorCode::Unsupported,
                    fmt::format("units add products of two tensors, not \"{}\"", kernel.statement),
                    kernel.name, "leave the rest of the statement to the host");
    PIM_TRY(const PimCode code, generate(*exploration.space, exploration.drafts[draft], *exploration.target,
                                         residencyOf(exploration.tensors), exploration.codePasses));
    const auto channel = [&](const PimCode& of) { return makeChannel(of, *exploration.target); };
    return runPimCode(code, kernel, std::move(tensors), channel, threads, task);
}

Result<MemoryLayout> DramPimBackend::layout(const Plan& plan, const TaskContext& task) const {
    const Target& target = *plan.target;
    const auto bytes = [&target](const char* parameter) {
        return static_cast<std::int64_t>(target.number(parameter, "B").value_or(0));
    };
    const auto banksOfCore = static_cast<std::int64_t>(target.numberOr("organisation.banksPerCore", 1));
    const Level* const core = target.level("core");
    const Memory* const bank = core ? core->memory("bank") : nullptr;
    MemoryLayout layout;
    layout.rowBytes = bytes("organisation.rowBytes");
    layout.accessBytes = bytes("organisation.accessBytes");
    layout.channels = target.instances("group");
    layout.banksOfChannel = core ? core->count * banksOfCore : 0;
    if (bank && layout.rowBytes > 0 && banksOfCore > 0)
        layout.rowsOfBank = bank->bytes / banksOfCore / layout.rowBytes;
    RowCounts rows(*this, plan);
    std::map<RegionKey, std::size_t> kept;
    for (const OpPlan& op : plan.ops) {
        if (op.onHost() || !op.space || !op.draft)
            continue;
        if (task.cancelled())
            return TaskContext::cancelledError("laying out the memory");
        const auto needed = rows.of(op);
        if (!needed)
            continue;
        const bool keeps = keepsSomething(op);
        if (keeps)
            if (const auto [at, fresh] = kept.try_emplace(regionKey(op), layout.regions.size()); !fresh) {
                layout.regions[at->second].ops.push_back(op.op);
                continue;
            }
        layout.regions.push_back({{op.op}, layout.rowsUsed, *needed, keeps});
        if (keeps)
            layout.rowsUsed += *needed;
    }
    std::int64_t shared = 0;
    for (LayoutRegion& region : layout.regions)
        if (!region.kept) {
            region.firstRow = layout.rowsUsed;
            shared = std::max(shared, region.rows);
        }
    layout.rowsUsed += shared;
    return layout;
}

Result<std::int64_t> DramPimBackend::codeBytes(const TilingSpace& space, const Draft& draft,
                                               const Target& target, const std::vector<Residency>& residency,
                                               const CodePasses& passes) const {
    PIM_TRY(const PimCode code, makeCode(space, draft, target, residency, passes, CodeDetail::Rows));
    const auto banks = static_cast<std::int64_t>(target.numberOr("organisation.banksPerCore", 1));
    return code.rows * banks *
           static_cast<std::int64_t>(target.number("organisation.rowBytes", "B").value_or(0));
}

Result<std::shared_ptr<const OpPlaces>> DramPimBackend::places(const Plan& plan, OpId op) const {
    PIM_TRY(const OpPlan* planned, onPim(plan, op));
    PIM_TRY(const PimCode code, codeOf(*this, plan, *planned));
    PIM_TRY(DramDevice device, deviceOf(*plan.target));
    PIM_TRY(const MemoryLayout layout, this->layout(plan, {}));
    auto places = std::make_shared<OpPlaces>();
    places->op = code.program.op;
    for (std::size_t t = 0; t < planned->tensors.size(); ++t) {
        const KernelTensor& tensor = planned->space->kernel().tensors[t];
        places->tensors.push_back(
            {tensor.name, planned->tensors[t].tensor.valid() ? planned->tensors[t].name : std::string(),
             tensor.shape, tensor.role, planned->tensors[t].residency});
    }
    places->operands = code.operands;
    places->device = std::make_shared<const DramDevice>(std::move(device));
    places->type = code.type;
    places->groups = code.groups;
    places->groupsOfMachine = static_cast<int>(plan.target->instances("group"));
    const Level* const group = plan.target->level("group");
    places->groupsPerStack = group ? std::max(1, group->count) : 1;
    if (const LayoutRegion* region = layout.regionOf(op))
        places->firstRow = region->firstRow;
    places->rows = code.rows;
    return places;
}

} // namespace pim
