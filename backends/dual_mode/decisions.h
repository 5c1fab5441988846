// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a user can decide about a plan for a dual-mode chip, as text: parsed, checked, and turned into pins.
///
/// | of | field | value |
/// |---|---|---|
/// | the network | `strategy` | `dual-mode`, `all-compute`, `puma`, `occ` |
/// | the network | `cap` | most arrays of one piece, 1 … N; `search`: each operator its own way, see
/// split_search.h | | an op | `compute arrays/PIECE` | number of arrays | | an op | `memory arrays/PIECE` |
/// number of arrays, inputs and output together | | an op | `border/PIECE` | `start`: a segment begins here;
/// `join`: none does; `auto` |
///
/// PIECE is `2 of 5`, for the parts of attention `scores 2 of 5` and `context 1 of 1`. It names the number of
/// pieces because a piece exists only if the operator is cut into so many: with pins, only caps that cut the
/// pinned operators so are tried. That keeps the cap in force and survives a change of any other decision.
#include "backends/dual_mode/plan.h"
#include "core/plan/override.h"

#include <optional>

namespace pim {

/// Decisions, understood; not yet held against a chip.
struct DualModeChoices {
    struct Piece {
        int op = 0;                ///< Position in DualModeWorkload::ops.
        int piece = 0, pieces = 1; ///< From 0.
        std::optional<int> compute, memory;
        std::optional<bool> starts; ///< True: a segment begins here; false: none does.
        std::string opName, text;   ///< For messages: "Conv_3", "2 of 5".
    };
    std::optional<DualModeStrategy> strategy;
    std::optional<int> cap;
    bool searchCuts = false; ///< cap = search
    std::vector<Piece> pieces;
};

/// Names as in the field "strategy".
std::string_view dualModeStrategyId(DualModeStrategy strategy);
/// For people: "all arrays compute (CIM-MLC-like)".
std::string_view dualModeStrategyName(DualModeStrategy strategy);
std::optional<DualModeStrategy> dualModeStrategyFromId(std::string_view id);

/// What decisions call the work of an op of the graph that has two, "scores " or "context "; empty where it has one.
/// \param op of the workload.
std::string_view dualModePartPrefix(const DualModeWorkload& workload, int op);
/// PIECE of a sub-operator.
std::string dualModePieceText(const DualModeWorkload& workload, const DualModeSubOp& subOp);

/// Error::IllegalOverride with op, field, value and what is allowed.
Result<DualModeChoices> parseDualModeDecisions(const std::vector<Override>& decisions,
                                               const DualModeWorkload& workload);

/// Are the operators of all pinned pieces cut into as many pieces as the pins say?
bool matchesPieces(const DualModeChoices& choices, const std::vector<DualModeSubOp>& subOps);

/// Error::IllegalOverride where a pin breaks a rule of the chip, the strategy or another pin; with the range
/// allowed.
Result<DualModePins> pinsFrom(const DualModeChoices& choices, const DualModeWorkload& workload,
                              const std::vector<DualModeSubOp>& subOps, const DualModeChip& chip,
                              const DualModeOptions& options);

/// Would this decision be legal beside those the plan was made with? \p decisions: the latter.
/// Cheap; does not plan. What it lets pass can still fail where pins of several pieces do not fit into one
/// segment.
Result<void> checkDualModeDecision(const DualModePlan& plan, const std::vector<Override>& decisions,
                                   const Override& decision);

/// What can be decided: of the network for an invalid \p op.
std::vector<OverrideField> dualModeFields(const DualModePlan& plan, const std::vector<Override>& decisions,
                                          OpId op);

} // namespace pim
