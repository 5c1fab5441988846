// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/op_figures.h"

namespace pim {
namespace {

/// What crosses the bus: on PIM all operands and results that do not lie there already.
double bytesMoved(const OpPlan& plan, const OpWork& work) {
    if (plan.onHost() || plan.tensors.empty())
        return static_cast<double>(work.bytesRead + work.bytesWritten -
                                   (plan.onHost() ? 0 : work.weightBytes));
    double bytes = 0;
    for (const TensorPlan& tensor : plan.tensors)
        if (tensor.residency != Residency::Resident && tensor.residency != Residency::InPlace)
            bytes += static_cast<double>(tensor.bytes);
    return bytes;
}

std::optional<OpFigure> plannedFigure(OpQuantity quantity, const OpPlan& op, const OpWork& work) {
    if (quantity == OpQuantity::BytesMoved)
        return work.known ? std::optional(OpFigure{bytesMoved(op, work)}) : std::nullopt;
    if (!isPriced(op))
        return std::nullopt;
    if (quantity == OpQuantity::Time)
        return OpFigure{op.cost.totalNs()};
    return op.cost.totalNs() > 0
               ? std::optional(OpFigure{op.cost.inputNs + op.cost.outputNs, op.cost.totalNs(), true})
               : std::nullopt;
}

std::optional<OpFigure> simulatedFigure(OpQuantity quantity, const SimulatedOp& op) {
    if (quantity == OpQuantity::Energy)
        return op.energyPj ? std::optional(OpFigure{*op.energyPj}) : std::nullopt;
    return op.origin == Origin::Simulated && op.cost.totalNs() > 0
               ? std::optional(OpFigure{op.predicted.totalNs() - op.cost.totalNs(), op.cost.totalNs(), true})
               : std::nullopt;
}

} // namespace

bool needsPlan(OpQuantity quantity) {
    return quantity <= OpQuantity::PredictorError;
}

bool needsSimulation(OpQuantity quantity) {
    return quantity == OpQuantity::Energy || quantity == OpQuantity::PredictorError;
}

bool isPriced(const OpPlan& op) {
    return !op.onHost() || op.hostKnown;
}

const SimulatedOp* simulatedOp(const Simulation* simulation, OpId op) {
    return simulation && op.index() < simulation->ops.size() ? &simulation->ops[op.index()] : nullptr;
}

std::optional<OpFigure> opFigure(const OpFigureSource& source, OpQuantity quantity, OpId id) {
    const OpWork& work = source.graph.op(id).work;
    if (needsPlan(quantity) && !source.plan)
        return std::nullopt;
    if (needsSimulation(quantity)) {
        const SimulatedOp* const op = simulatedOp(source.simulation, id);
        return op ? simulatedFigure(quantity, *op) : std::nullopt;
    }
    if (needsPlan(quantity))
        return plannedFigure(quantity, source.plan->opPlan(id), work);
    if (!work.known)
        return std::nullopt;
    if (quantity == OpQuantity::Macs)
        return OpFigure{static_cast<double>(work.macs)};
    const std::int64_t bytes = work.bytesRead + work.bytesWritten;
    return bytes > 0
               ? std::optional(OpFigure{static_cast<double>(work.flops()), static_cast<double>(bytes), true})
               : std::nullopt;
}

} // namespace pim
