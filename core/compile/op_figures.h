// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Figures of single ops: of the graph, of a plan and of its simulation. Flow: Graph, Plan, Simulation ->
/// [opFigure] -> overlays of views/graph, op_query.h.
#include "core/plan/simulation.h"

#include <cstdint>
#include <optional>

namespace pim {

enum class OpQuantity : std::uint8_t {
    Time,               ///< ns, of the plan.
    Energy,             ///< pJ, simulated.
    BytesMoved,         ///< Bytes over the bus under the plan: on PIM what does not lie there already.
    RearrangementShare, ///< Of the time: bringing operands in and results out; 0 to 1.
    PredictorError,     ///< (predicted - simulated) / simulated.
    Macs,
    ArithmeticIntensity ///< FLOP/B.
};
bool needsPlan(OpQuantity quantity);
bool needsSimulation(OpQuantity quantity);

/// Borrowed for one question. Without a plan or a simulation what comes from them is not known.
struct OpFigureSource {
    const Graph& graph;
    const Plan* plan = nullptr;             ///< Of \ref graph, or null.
    const Simulation* simulation = nullptr; ///< Of \ref plan, or null.
};

/// A fraction, so that figures of many ops can be summed up.
struct OpFigure {
    double numerator = 0, denominator = 1;
    bool isRatio = false; ///< Denominators are summed up too.
    double value() const { return numerator / denominator; }
};

/// Nullopt where it is not known.
std::optional<OpFigure> opFigure(const OpFigureSource& source, OpQuantity quantity, OpId op);

/// Its time under the plan is known.
bool isPriced(const OpPlan& op);
/// Null for a machine that is simulated as a whole.
const SimulatedOp* simulatedOp(const Simulation* simulation, OpId op);

} // namespace pim
