// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/assign/join.h"

#include "core/drafts/dataflow.h"
#include "core/plan/plan_totals.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

/// Position of the part of every op; kNowhere: it is in none.
std::vector<std::size_t> partOfOps(const Graph& graph, std::span<const PlanPart> parts) {
    std::vector<std::size_t> partOf(graph.ops.size(), kNowhere);
    for (std::size_t p = 0; p < parts.size(); ++p)
        for (const OpId op : parts[p].ops)
            partOf[op.index()] = p;
    return partOf;
}

class Join {
public:
    explicit Join(JoinRequest request) : m_request(std::move(request)) {}

    Result<Plan> plan() {
        PIM_CHECK(checkDevices());
        PIM_CHECK(checkCover());
        PIM_CHECK(checkOrder());
        m_plan.graph = m_request.graph;
        m_plan.target = m_request.devices.front().target;
        const Plan& first = *m_request.parts.front().plan;
        m_plan.computeType = first.computeType;
        m_plan.overlapHostTransfer = first.overlapHostTransfer;
        m_plan.codePasses = first.codePasses;
        m_plan.origin = Origin::Simulated;
        m_plan.ops.resize(m_request.graph->ops.size());
        for (const PlanPart& part : m_request.parts)
            take(part);
        for (const Transfer& transfer : m_request.transfers)
            PIM_CHECK(charge(transfer));
        addUp(m_plan);
        m_plan.devices = std::move(m_request.devices);
        m_plan.parts = std::move(m_request.parts);
        m_plan.transfers = std::move(m_request.transfers);
        return std::move(m_plan);
    }

private:
    tl::unexpected<Error> refused(std::string why) const {
        return fail(ErrorCode::Usage, "the parts make no plan: " + std::move(why), m_request.graph->name);
    }
    const std::string& opName(OpId op) const { return m_request.graph->op(op).name; }

    Result<void> checkDevices() const {
        if (m_request.devices.empty() || m_request.parts.empty())
            return refused("there is no machine, or no part");
        for (std::size_t d = 0; d < m_request.devices.size(); ++d)
            for (std::size_t other = 0; other < d; ++other)
                if (m_request.devices[d].name == m_request.devices[other].name)
                    return refused(fmt::format("two machines are called \"{}\"", m_request.devices[d].name));
        const Plan& first = *m_request.parts.front().plan;
        for (const PlanPart& part : m_request.parts) {
            if (!part.device.onHost() && part.device.index() >= m_request.devices.size())
                return refused(fmt::format("one is on machine {} of {}", part.device.index() + 1,
                                           m_request.devices.size()));
            if (!part.device.onHost() &&
                part.plan->target->id != m_request.devices[part.device.index()].target->id)
                return refused(fmt::format("one that is to run on {} is planned for {}",
                                           m_request.devices[part.device.index()].target->id,
                                           part.plan->target->id));
            if (part.plan->target->host.id != first.target->host.id)
                return refused(fmt::format("their hosts are {} and {}", first.target->host.id,
                                           part.plan->target->host.id));
        }
        return {};
    }
    Result<void> checkCover() const {
        std::vector<int> times(m_request.graph->ops.size());
        for (const PlanPart& part : m_request.parts) {
            PIM_ASSERT(part.ops.size() == part.plan->ops.size() &&
                           part.tensors.size() == part.plan->graph->tensors.size(),
                       "a part knows where each of its ops and tensors is from");
            for (std::size_t i = 0; i < part.ops.size(); ++i) {
                PIM_ASSERT(part.ops[i].index() < times.size(), "a part is of this network");
                if (++times[part.ops[i].index()] > 1)
                    return refused(fmt::format("the op \"{}\" is in two of them", opName(part.ops[i])));
                if (part.device.onHost() && !part.plan->ops[i].onHost())
                    return refused(fmt::format("\"{}\" is to run on the host and is planned for {}",
                                               opName(part.ops[i]), part.plan->target->id));
            }
        }
        const auto missing = std::ranges::find(times, 0);
        if (missing != times.end())
            return refused(
                fmt::format("the op \"{}\" is in none of them",
                            m_request.graph->ops[static_cast<std::size_t>(missing - times.begin())].name));
        return {};
    }
    Result<void> checkOrder() const {
        const auto partOf = partOfOps(*m_request.graph, m_request.parts);
        for (std::size_t i = 0; i < partOf.size(); ++i)
            for (const OpId producer : m_request.graph->predecessors(OpId(static_cast<std::int64_t>(i))))
                if (partOf[producer.index()] > partOf[i])
                    return refused(fmt::format("\"{}\" reads what \"{}\" makes in a later one",
                                               m_request.graph->ops[i].name, opName(producer)));
        return {};
    }

    void take(const PlanPart& part) {
        const double scale = requestScale(*part.plan);
        for (std::size_t i = 0; i < part.ops.size(); ++i) {
            OpPlan op = part.plan->ops[i];
            for (const CostPartInfo& info : kCostSplitParts)
                if (info.ns != &CostSplit::hostNs)
                    op.cost.*info.ns *= scale;
            if (op.pimCost)
                for (const CostPartInfo& info : kCostSplitParts)
                    (*op.pimCost).*info.ns *= scale;
            op.op = part.ops[i];
            op.placement = op.onHost() ? DeviceId::host() : part.device;
            op.takesFrom = op.takesFrom.valid() ? part.ops[op.takesFrom.index()] : OpId();
            for (TensorPlan& tensor : op.tensors)
                tensor.tensor = tensor.tensor.valid() ? part.tensors[tensor.tensor.index()] : TensorId();
            m_plan.ops[part.ops[i].index()] = std::move(op);
        }
        for (const Override& decision : part.plan->overrides.all())
            if (!decision.op.empty())
                m_plan.overrides.set(inWhole(decision, part.device));
            else if (isEverywhere(decision))
                m_plan.overrides.set(decision);
        m_plan.residentLoadNs += part.plan->residentLoadNs;
        m_plan.residentBytes += part.plan->residentBytes;
        if (part.plan->origin == Origin::Predicted)
            m_plan.origin = Origin::Predicted;
        for (const StageTime& stage : part.plan->stages) {
            const auto same = std::ranges::find(m_plan.stages, stage.name, &StageTime::name);
            if (same == m_plan.stages.end()) {
                m_plan.stages.push_back(stage);
            } else {
                same->milliseconds += stage.milliseconds;
                same->items += stage.items;
            }
        }
        m_plan.problems.insert(m_plan.problems.end(), part.plan->problems.begin(), part.plan->problems.end());
    }

    /// A part knows its machine as the only one.
    static Override inWhole(Override decision, DeviceId device) {
        if (decision.field == "placement" && decision.value == name(DeviceId::first()))
            decision.value = name(device);
        return decision;
    }

    /// What was decided for all ops of every part was decided for the whole network.
    bool isEverywhere(const Override& decision) const {
        return std::ranges::all_of(m_request.parts, [&](const PlanPart& part) {
            const std::string* value = part.plan->overrides.find(decision.op, decision.field);
            return value && *value == decision.value;
        });
    }

    /// To the first op that waits for the tensor.
    Result<void> charge(const Transfer& transfer) {
        const Tensor& tensor = m_request.graph->tensor(transfer.tensor);
        for (const PlanPart& part : m_request.parts)
            if (part.device == transfer.to)
                for (const OpId op : part.ops)
                    if (std::ranges::binary_search(tensor.consumers, op)) {
                        m_plan.ops[op.index()].cost.inputNs += transfer.ns;
                        return {};
                    }
        if (tensor.isOutput && transfer.to.onHost() && tensor.producer.valid()) {
            m_plan.ops[tensor.producer.index()].cost.outputNs += transfer.ns;
            return {};
        }
        for (const OpId op : tensor.consumers) // the host takes part in the parts of other machines
            if (transfer.to.onHost() && m_plan.ops[op.index()].onHost()) {
                m_plan.ops[op.index()].cost.inputNs += transfer.ns;
                return {};
            }
        return refused(fmt::format("\"{}\" is moved to where nothing reads it", tensor.name));
    }

    JoinRequest m_request;
    Plan m_plan;
};

} // namespace

double requestScale(const Plan& plan) {
    const auto first = plan.firstSampleNs();
    const double machine = plan.total.totalNs() - plan.total.hostNs;
    return first && machine > 0 ? *first / machine : 1;
}

std::vector<Transfer> crossings(const Graph& graph, std::span<const PlanPart> parts,
                                const TransferTime& time) {
    const auto partOf = partOfOps(graph, parts);
    const auto deviceOf = [&](OpId op) { return parts[partOf[op.index()]].device; };
    std::vector<Transfer> transfers;
    for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
        const Tensor& tensor = graph.tensors[t];
        if (tensor.isConstant() || !tensor.producer.valid() || partOf[tensor.producer.index()] == kNowhere)
            continue;
        const DeviceId from = deviceOf(tensor.producer);
        std::vector<DeviceId> there{from};
        for (const OpId reader : tensor.consumers) {
            if (partOf[reader.index()] == kNowhere)
                continue;
            const DeviceId to = deviceOf(reader);
            if (std::ranges::find(there, to) != there.end())
                continue;
            there.push_back(to);
            const std::int64_t bytes =
                bytesAs(tensor, parts[partOf[tensor.producer.index()]].plan->computeType);
            transfers.push_back(
                {TensorId(static_cast<std::int64_t>(t)), from, to, bytes, time(from, to, bytes)});
        }
    }
    return transfers;
}

Result<Plan> joinParts(JoinRequest request) {
    PIM_ASSERT(request.graph != nullptr, "parts are parts of a network");
    return Join(std::move(request)).plan();
}

} // namespace pim
